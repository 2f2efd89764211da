/* The command line as data: commands, options, and what they mean. --help and docs/cli.md are made from the same tables. */
#ifndef TFCHECK_CLI_OPTIONS_H
#define TFCHECK_CLI_OPTIONS_H

#include "report/report.h"
#include "report/select.h"
#include "source/source.h"

typedef enum CommandId {
  COMMAND_CHECK, COMMAND_RULE, COMMAND_RULES, COMMAND_WHY, COMMAND_FILES, COMMAND_DEBUG, COMMAND_VERSION, COMMAND_HELP,
  COMMAND_COUNT,
} CommandId;

typedef struct CommandSpec {
  Str name;
  Str operands;  // "[PATH ...]"
  Str summary;   // one line
  Str text;      // what else --help says, may be empty
} CommandSpec;

extern const CommandSpec command_specs[COMMAND_COUNT];

typedef enum ColorChoice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;

/* -o FORMAT or -o FORMAT=PATH. */
typedef struct OutputTarget {
  const ReportFormat *format;
  Str path;  // empty: stdout
} OutputTarget;

typedef struct Options {
  CommandId command;
  StrVec operands;
  StrVec select, extend_select, ignore;
  Level min_level, fail_on;  // fail_on LEVEL_OFF: never
  bool has_min_level, has_fail_on;
  Confidence min_confidence;
  bool exit_zero, allow_empty, show_suppressed, statistics;
  VEC(OutputTarget) outputs;
  Str format;        // of `rule`, `rules`, `files`, `why`: text, json …
  Str project_root, stdin_filename, files_from;
  bool nul;          // -z
  bool force_exclude, no_gitignore;
  StrVec rule_files;
  uint64_t max_file_size;
  uint32_t jobs;     // 0: as many as there are processors
  uint32_t quiet, verbose;
  ColorChoice color;
  bool help, version, json, all;
} Options;

/* Reads the words of the command line (without the program's name). False: `error` says what is wrong. */
bool options_parse(Arena *arena, const Str *words, uint32_t count, Options *out, Str *error);
/* -o's argument; also of TFCHECK_OUTPUT. */
bool options_add_output(Arena *arena, Options *options, Str word, Str *error);

/* The text of --help for a command, or for the program (COMMAND_COUNT). */
void options_help(StrBuf *out, CommandId command);
/* COMMAND_COUNT if there is no such command. */
CommandId command_find(Str name);
Str command_hint(Arena *arena, Str name);

#endif

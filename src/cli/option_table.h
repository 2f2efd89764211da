/* The table of options, shared by the parser and --help. */
#ifndef TFCHECK_CLI_OPTION_TABLE_H
#define TFCHECK_CLI_OPTION_TABLE_H

#include "cli/options.h"

typedef enum OptionId {
  OPT_SELECT, OPT_IGNORE, OPT_EXTEND_SELECT, OPT_MIN_LEVEL, OPT_MIN_CONFIDENCE, OPT_FAIL_ON, OPT_EXIT_ZERO, OPT_OUTPUT,
  OPT_FORMAT, OPT_SHOW_SUPPRESSED, OPT_STATISTICS, OPT_PROJECT_ROOT, OPT_STDIN_FILENAME, OPT_FILES_FROM, OPT_NUL,
  OPT_FORCE_EXCLUDE, OPT_ALLOW_EMPTY, OPT_NO_GITIGNORE, OPT_MAX_FILE_SIZE, OPT_RULES, OPT_JOBS, OPT_QUIET, OPT_VERBOSE,
  OPT_COLOR, OPT_JSON, OPT_ALL, OPT_HELP, OPT_VERSION,
} OptionId;

typedef struct OptionSpec {
  OptionId id;
  char letter;        // 0: none
  Str name;           // without `--`
  Str argument;       // how help calls it; empty for a flag
  uint32_t commands;  // 1 << CommandId bits
  Str group;          // heading in help
  Str help;
} OptionSpec;

extern const OptionSpec option_specs[];
extern const uint32_t option_spec_count;

#endif

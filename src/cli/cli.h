/* What the commands share: options, files, the catalogue, streams, and the exit status.
 *
 * Streams and the file system are given, so tests run commands in-process. An error message goes to `err` once, sets the
 * status to 2, and never stops what can still be done.
 */
#ifndef TFCHECK_CLI_CLI_H
#define TFCHECK_CLI_CLI_H

#include <stdio.h>
#include <time.h>

#include "cli/driver.h"
#include "cli/files.h"
#include "cli/options.h"

enum { STATUS_CLEAN = 0, STATUS_FINDINGS = 1, STATUS_ERROR = 2 };

#define TFCHECK_VERSION "0.1.0"

typedef struct CliStreams {
  FILE *in, *out, *err;
  bool out_terminal, err_terminal;
  uint32_t width;  // of the terminal, 0 if unknown
} CliStreams;

typedef struct Cli {
  Arena arena;
  Options options;
  CliStreams streams;
  const Fs *fs;
  Fs overlay;              // --stdin-filename
  Str cwd;
  const char *(*env)(const char *name);
  const Catalog *catalog;
  int status;              // the worst so far
  struct timespec start;
  bool progress_shown;
} Cli;

/* Runs a command line (words without the program's name) and returns the exit status. `cli` has streams, fs, cwd and env
 * set; cli_release() gives its memory back. */
int cli_run(Cli *cli, const Str *words, uint32_t count);
void cli_release(Cli *cli);

/* Output. Messages are made safe for terminals. */
void cli_print(FILE *stream, Str text);
void cli_error(Cli *cli, Str message);   // "tfcheck: error: …", status 2
void cli_notice(Cli *cli, Str message);  // "tfcheck: …", unless -q
bool cli_color(const Cli *cli, bool terminal);
RenderStyle cli_style(const Cli *cli);

/* Steps that several commands take; false: the error has been printed and there is nothing to go on with. */
bool cli_load_catalog(Cli *cli);
bool cli_check_selectors(Cli *cli);
bool cli_find_files(Cli *cli, const StrVec *paths, FileSet *out);
/* A request for a set of files, with what the options say. */
AnalysisRequest cli_request(Cli *cli, const FileSet *set);
/* For commands about one file: finds its project, analyses up to the fixpoint. `path` gets the file's path below the root. */
bool cli_trace_file(Cli *cli, Str file, Analysis *analysis, Str *path);

/* Commands. */
typedef void CliCommand(Cli *cli);
CliCommand command_check, command_rule, command_rules, command_why, command_files, command_debug;

#endif

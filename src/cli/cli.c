/* From a command line to a command, and the steps that commands have in common. */
#include "cli/cli.h"

#include "base/par.h"
#include "report/text.h"

enum { PROGRESS_AFTER_MS = 500 };

/* ---- output ---- */

void cli_print(FILE *stream, Str text) { fwrite(text.ptr, 1, text.len, stream); }

static void print_message(Cli *cli, const char *prefix, Str message) {
  StrBuf buf = {.arena = &cli->arena};
  if (cli->progress_shown) buf_lit(&buf, "\r\x1b[K");
  cli->progress_shown = false;
  buf_printf(&buf, "tfcheck: %s", prefix);
  text_safe(&buf, message);
  buf_char(&buf, '\n');
  cli_print(cli->streams.err, buf_view(&buf));
}

void cli_error(Cli *cli, Str message) {
  print_message(cli, "error: ", message);
  cli->status = STATUS_ERROR;
}

void cli_notice(Cli *cli, Str message) {
  if (!cli->options.quiet) print_message(cli, "", message);
}

static Str env_of(const Cli *cli, const char *name) {
  const char *value = cli->env ? cli->env(name) : NULL;
  return value ? str_from(value) : S("");
}

static bool is_on(Str value) { return value.len && !str_eq(value, S("0")); }

bool cli_color(const Cli *cli, bool terminal) {
  if (cli->options.color != COLOR_AUTO) return cli->options.color == COLOR_ALWAYS;
  if (is_on(env_of(cli, "FORCE_COLOR")) || is_on(env_of(cli, "CLICOLOR_FORCE"))) return true;
  return terminal && !env_of(cli, "NO_COLOR").len && !str_eq(env_of(cli, "TERM"), S("dumb"));
}

RenderStyle cli_style(const Cli *cli) {
  bool terminal = cli->streams.out_terminal;
  return (RenderStyle){.color = cli_color(cli, terminal), .width = terminal ? cli->streams.width : 0};
}

/* One line on a terminal that is overwritten, once the run has taken long enough to make people wonder. */
static void show_progress(void *context, const char *what) {
  Cli *cli = context;
  struct timespec now;
  if (!cli->streams.err_terminal || cli->options.quiet) return;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t elapsed = (now.tv_sec - cli->start.tv_sec) * 1000 + (now.tv_nsec - cli->start.tv_nsec) / 1000000;
  if (elapsed < PROGRESS_AFTER_MS) return;
  fprintf(cli->streams.err, "\r\x1b[K%s ...", what);
  fflush(cli->streams.err);
  cli->progress_shown = true;
}

static void clear_progress(Cli *cli) {
  if (cli->progress_shown) fputs("\r\x1b[K", cli->streams.err);
  cli->progress_shown = false;
}

/* ---- steps ---- */

bool cli_load_catalog(Cli *cli) {
  cli->catalog = catalog_builtin();
  for (uint32_t i = 0; i < cli->options.rule_files.len; i++) {
    CatalogError error = {0};
    const Catalog *catalog =
        catalog_extend(&cli->arena, cli->catalog, cli->fs, cli->options.rule_files.data[i], &error);
    if (!catalog) {
      Str at = error.line ? str_printf(&cli->arena, ":%u:%u", error.line, error.col) : S("");
      cli_error(cli,
                str_printf(&cli->arena, "%.*s%.*s: %.*s", STR_ARG(error.path), STR_ARG(at), STR_ARG(error.reason)));
      return false;
    }
    cli->catalog = catalog;
  }
  return true;
}

static bool check_words(Cli *cli, const char *option, const StrVec *words) {
  bool good = true;
  for (uint32_t i = 0; i < words->len; i++) {
    if (selector_known(cli->catalog, words->data[i])) continue;
    Str hint = selector_hint(&cli->arena, cli->catalog, words->data[i]);
    cli_error(cli, str_printf(&cli->arena, "--%s: there is no rule `%.*s`%.*s", option, STR_ARG(words->data[i]),
                              STR_ARG(hint)));
    good = false;
  }
  return good;
}

bool cli_check_selectors(Cli *cli) {
  bool select = check_words(cli, "select", &cli->options.select);
  bool extend = check_words(cli, "extend-select", &cli->options.extend_select);
  return check_words(cli, "ignore", &cli->options.ignore) && select && extend;
}

/* Everything up to `most` bytes; false if there is more. */
static bool read_stdin(Cli *cli, uint64_t most, Str *out) {
  StrBuf buf = {.arena = &cli->arena};
  char block[1 << 14];
  size_t got;
  while (buf.len <= most && (got = fread(block, 1, sizeof block, cli->streams.in)) > 0)
    buf_str(&buf, (Str){block, got});
  *out = buf_view(&buf);
  return buf.len <= most;
}

static bool add_listed_paths(Cli *cli, StrVec *paths) {
  enum { LARGEST_LIST = 1 << 28 };
  const Options *options = &cli->options;
  Str text = S("");
  FsStatus status = FS_OK;
  if (str_eq(options->files_from, S("-"))) status = read_stdin(cli, LARGEST_LIST, &text) ? FS_OK : FS_TOO_BIG;
  else status = cli->fs->read(cli->fs, &cli->arena, options->files_from, LARGEST_LIST, &text);
  if (status != FS_OK) {
    Str reason = fs_status_text(status), cure = S("; `--files-from -` reads from a pipe");
    if (status != FS_NOT_A_FILE) cure = S("");
    cli_error(cli, str_printf(&cli->arena, "--files-from: %.*s: %.*s%.*s", STR_ARG(options->files_from),
                              STR_ARG(reason), STR_ARG(cure)));
    return false;
  }
  while (text.len) {
    Str line = str_cut(&text, options->nul ? '\0' : '\n');
    if (!options->nul && str_ends(line, S("\r"))) line.len--;
    if (line.len) vec_push(&cli->arena, paths, line);
  }
  return true;
}

/* Lays standard input over the named file, which becomes the one PATH. */
static bool add_stdin_file(Cli *cli, StrVec *paths) {
  Str text, name = path_join(&cli->arena, cli->cwd, cli->options.stdin_filename);
  bool dash_only = paths->len == 1 && str_eq(paths->data[0], S("-"));
  if ((paths->len && !dash_only) || cli->options.files_from.len) {
    cli_error(cli, S("--stdin-filename names the one file to check; give no other PATH"));
    return false;
  }
  if (!read_stdin(cli, cli->options.max_file_size, &text)) {
    cli_error(cli, S("standard input is larger than --max-file-size"));
    return false;
  }
  cli->overlay = fs_overlay(&cli->arena, cli->fs, name, text);
  cli->fs = &cli->overlay;
  paths->len = 0;
  vec_push(&cli->arena, paths, name);
  return true;
}

bool cli_find_files(Cli *cli, const StrVec *given, FileSet *out) {
  const Options *options = &cli->options;
  StrVec paths = {0};
  for (uint32_t i = 0; i < given->len; i++) vec_push(&cli->arena, &paths, given->data[i]);
  if (options->stdin_filename.len ? !add_stdin_file(cli, &paths)
                                  : options->files_from.len && !add_listed_paths(cli, &paths))
    return false;
  // An empty list of files is a list: it must not become the whole project.
  bool empty_list = options->files_from.len && !paths.len;
  FileRequest request = {.fs = cli->fs,
                         .cwd = cli->cwd,
                         .paths = {paths.data, paths.len},
                         .project_root = options->project_root,
                         .force_exclude = options->force_exclude,
                         .no_gitignore = options->no_gitignore};
  files_find(&cli->arena, &request, out);
  for (uint32_t i = 0; i < out->notices.len; i++) cli_notice(cli, out->notices.data[i]);
  for (uint32_t i = 0; i < out->errors.len; i++) cli_error(cli, out->errors.data[i]);
  if (empty_list) {
    out->limited = true;
    out->only.len = 0;
  }
  return !out->fatal;
}

AnalysisRequest cli_request(Cli *cli, const FileSet *set) {
  const Options *options = &cli->options;
  // Without a file to report there is nothing to analyse; an empty `only` would mean all.
  bool nothing = set->limited && !set->only.len;
  RuleChoice choice = {.select = {options->select.data, options->select.len},
                       .extend = {options->extend_select.data, options->extend_select.len},
                       .ignore = {options->ignore.data, options->ignore.len}};
  return (AnalysisRequest){.fs = cli->fs,
                           .catalog = cli->catalog,
                           .root = set->root,
                           .files = {set->files.data, nothing ? 0 : set->files.len},
                           .limited = set->limited,
                           .only = {set->only.data, set->only.len},
                           .skipped = {set->skipped.data, set->skipped.len},
                           .enabled = selection_make(&cli->arena, cli->catalog, &choice),
                           .min_level = options->min_level,
                           .min_confidence = options->min_confidence,
                           .show_suppressed = options->show_suppressed,
                           .max_file_size = options->max_file_size,
                           .jobs = options->jobs ? options->jobs : par_default_jobs(),
                           .version = S(TFCHECK_VERSION),
                           .progress = show_progress,
                           .progress_context = cli};
}

bool cli_trace_file(Cli *cli, Str file, Analysis *analysis, Str *path) {
  FileSet set;
  StrVec paths = {0};
  vec_push(&cli->arena, &paths, file);
  if (!cli_load_catalog(cli) || !cli_find_files(cli, &paths, &set)) return false;
  if (set.named.len != 1) {
    cli_error(cli, str_printf(&cli->arena, "%.*s: not a file", STR_ARG(file)));
    return false;
  }
  AnalysisRequest request = cli_request(cli, &set);
  *path = set.named.data[0];
  analysis_trace(analysis, &request);
  clear_progress(cli);
  return true;
}

/* ---- commands without a file of their own ---- */

static void print_version(Cli *cli) {
  cli_print(cli->streams.out, cli->options.json ? S("{\"name\":\"tfcheck\",\"version\":\"" TFCHECK_VERSION "\"}\n")
                                                : S("tfcheck " TFCHECK_VERSION "\n"));
}

static void print_help(Cli *cli, CommandId command) {
  StrBuf buf = {.arena = &cli->arena};
  options_help(&buf, command);
  cli_print(cli->streams.out, buf_view(&buf));
}

static void command_help(Cli *cli) {
  CommandId command = COMMAND_COUNT;
  if (cli->options.operands.len) {
    Str name = cli->options.operands.data[0];
    command = command_find(name);
    if (command == COMMAND_COUNT) {
      Str hint = command_hint(&cli->arena, name);
      cli_error(cli, str_printf(&cli->arena, "there is no command `%.*s`%.*s", STR_ARG(name), STR_ARG(hint)));
      return;
    }
  }
  print_help(cli, command);
}

static void run_command(Cli *cli) {
  static CliCommand *const commands[COMMAND_COUNT] = {
      [COMMAND_CHECK] = command_check,   [COMMAND_RULE] = command_rule,   [COMMAND_RULES] = command_rules,
      [COMMAND_WHY] = command_why,       [COMMAND_FILES] = command_files, [COMMAND_DEBUG] = command_debug,
      [COMMAND_VERSION] = print_version, [COMMAND_HELP] = command_help,
  };
  if (cli->options.version) print_version(cli);
  else if (cli->options.help) print_help(cli, cli->options.command);
  else commands[cli->options.command](cli);
}

int cli_run(Cli *cli, const Str *words, uint32_t count) {
  Str error = S("");
  clock_gettime(CLOCK_MONOTONIC, &cli->start);
  bool general_help = count == 1 && (str_eq(words[0], S("--help")) || str_eq(words[0], S("-h")));
  bool parsed = options_parse(&cli->arena, words, count, &cli->options, &error);
  Str output = env_of(cli, "TFCHECK_OUTPUT");
  if (parsed && !cli->options.outputs.len && output.len) {
    parsed = options_add_output(&cli->arena, &cli->options, output, &error);
    if (!parsed) error = str_concat(&cli->arena, S("TFCHECK_OUTPUT: "), error);
  }
  if (!parsed) cli_error(cli, error);
  else if (general_help) print_help(cli, COMMAND_COUNT);
  else run_command(cli);
  clear_progress(cli);
  if (fflush(cli->streams.out) || ferror(cli->streams.out)) cli_error(cli, S("standard output could not be written"));
  return cli->status;
}

void cli_release(Cli *cli) { arena_release(&cli->arena); }

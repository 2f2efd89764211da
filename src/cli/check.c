/* `tfcheck check`: analyse, render to every output, decide the exit status. */
#include "cli/cli.h"
#include "report/text.h"

static Level lowest_shown(const Options *options) {
  // What makes the run fail must be seen, unless it was hidden on purpose.
  bool lower = options->has_fail_on && !options->has_min_level && options->fail_on != LEVEL_OFF;
  return lower && options->fail_on < options->min_level ? options->fail_on : options->min_level;
}

static bool same_output(Cli *cli, const OutputTarget *a, const OutputTarget *b) {
  if (!a->path.len || !b->path.len) return a->path.len == b->path.len;
  Str first = path_normal(&cli->arena, path_join(&cli->arena, cli->cwd, a->path));
  return str_eq(first, path_normal(&cli->arena, path_join(&cli->arena, cli->cwd, b->path)));
}

/* The later report would replace the earlier one. */
static bool check_output(Cli *cli, const OutputTarget *earlier, const OutputTarget *later) {
  if (!same_output(cli, earlier, later)) return true;
  Str first = earlier->format->name, second = later->format->name;
  cli_error(cli, later->path.len
                     ? str_printf(&cli->arena, "the reports %.*s and %.*s cannot both be written to %.*s",
                                  STR_ARG(first), STR_ARG(second), STR_ARG(later->path))
                     : S("only one format can go to standard output; give the others a file: -o json=report.json"));
  return false;
}

static bool check_outputs(Cli *cli) {
  for (uint32_t i = 1; i < cli->options.outputs.len; i++)
    for (uint32_t k = 0; k < i; k++)
      if (!check_output(cli, &cli->options.outputs.data[k], &cli->options.outputs.data[i])) return false;
  return true;
}

/* Why a file that has nothing to do with TensorFlow could not have been read; empty if it could. */
static Str reason_unread(Cli *cli, const FileSet *set, Str path) {
  Arena scratch = {0};
  Source source;
  Str bytes, reason = S("");
  Str whole = path_join(&scratch, set->root, path);
  FsStatus status = cli->fs->read(cli->fs, &scratch, whole, cli->options.max_file_size, &bytes);
  if (status != FS_OK) {
    reason = fs_status_text(status);
  } else {
    source_init(&scratch, &source, path, bytes);
    if (source.error) reason = str_copy(&cli->arena, source.error_text);
  }
  arena_release(&scratch);
  return reason;
}

/* A file that was named must be readable; one that was found is merely skipped. */
static void check_named(Cli *cli, const Analysis *analysis, const FileSet *set) {
  for (uint32_t i = 0; i < set->named.len; i++) {
    Str path = set->named.data[i];
    const Module *module = analysis_module(analysis, path);
    Str reason = !module                  ? reason_unread(cli, set, path)
                 : module->read_error.len ? module->read_error
                 : module->source.error   ? module->source.error_text
                                          : S("");
    if (!reason.len) continue;
    Str cure = str_eq(reason, fs_status_text(FS_TOO_BIG)) ? S(" (--max-file-size sets the limit)") : S("");
    cli_error(cli, str_printf(&cli->arena, "%.*s: %.*s%.*s", STR_ARG(path), STR_ARG(reason), STR_ARG(cure)));
  }
}

static void write_output(Cli *cli, const OutputTarget *target, const Outcome *outcome) {
  StrBuf buf = {.arena = &cli->arena};
  RenderStyle style = cli_style(cli);
  if (target->path.len) style = (RenderStyle){0};
  target->format->render(outcome, &style, &buf);
  if (!target->path.len) {
    if (cli->options.quiet < 2) cli_print(cli->streams.out, buf_view(&buf));
    return;
  }
  FsStatus status = fs_write_atomic(&cli->arena, target->path, buf_view(&buf));
  if (status == FS_OK) return;
  Str reason = fs_status_text(status);
  cli_error(cli, str_printf(&cli->arena, "%.*s could not be written: %.*s", STR_ARG(target->path), STR_ARG(reason)));
}

/* Below the findings if people read them there, else on stderr: machines get nothing but the document. */
static void write_summary(Cli *cli, const Outcome *outcome, bool human) {
  FILE *stream = human ? cli->streams.out : cli->streams.err;
  StrBuf buf = {.arena = &cli->arena};
  RenderStyle style = cli_style(cli);
  style.color = cli_color(cli, human ? cli->streams.out_terminal : cli->streams.err_terminal);
  if (cli->options.statistics) render_statistics(outcome, &buf);
  if (cli->options.verbose) render_skipped(outcome, &buf);
  if (!cli->options.quiet) render_summary(outcome, &style, &buf);
  cli_print(stream, buf_view(&buf));
}

static void write_all(Cli *cli, const Outcome *outcome) {
  OutputTarget standard = {.format = report_format(S("full"))};
  const OutputTarget *targets = cli->options.outputs.len ? cli->options.outputs.data : &standard;
  uint32_t count = cli->options.outputs.len ? cli->options.outputs.len : 1;
  bool human = false;
  for (uint32_t i = 0; i < count; i++) {
    write_output(cli, &targets[i], outcome);
    human |= targets[i].format->human && !targets[i].path.len;
  }
  write_summary(cli, outcome, human);
}

static bool fails(const Options *options, const Outcome *outcome) {
  if (options->exit_zero || options->fail_on == LEVEL_OFF) return false;
  uint32_t count = outcome->errors;
  if (options->fail_on <= LEVEL_WARNING) count += outcome->warnings;
  if (options->fail_on <= LEVEL_NOTE) count += outcome->notes;
  return count > 0;
}

/* Folders and files that were asked for and hold no Python file. */
static void complain_empty(Cli *cli, const FileSet *set) {
  const StrVec *given = &cli->options.operands;
  bool asked = given->len || cli->options.files_from.len;
  uint32_t found = set->limited ? set->only.len : set->files.len;
  if (!asked || found || cli->options.allow_empty || set->errors.len) return;
  Str list = given->len ? str_join(&cli->arena, given->data, given->len, S(", ")) : cli->options.files_from;
  Str why = S(" (--allow-empty makes this no error)");
  if (set->skipped.len && !set->limited) {  // else it need not be one of those that were asked for
    const SkippedFile *first = &set->skipped.data[0];
    why = str_printf(&cli->arena, " that can be read (%.*s: %.*s)", STR_ARG(first->path), STR_ARG(first->reason));
  }
  cli_error(cli, str_printf(&cli->arena, "no Python files in %.*s%.*s", STR_ARG(list), STR_ARG(why)));
}

/* A word that is no path may have been meant as a command. */
static void hint_at_command(Cli *cli) {
  if (cli->options.operands.len != 1) return;
  Str word = cli->options.operands.data[0], hint = command_hint(&cli->arena, word);
  if (hint.len)
    cli_notice(cli, str_printf(&cli->arena, "`%.*s` is no command either%.*s", STR_ARG(word), STR_ARG(hint)));
}

void command_check(Cli *cli) {
  FileSet set;
  if (!cli_load_catalog(cli) || !cli_check_selectors(cli) || !check_outputs(cli)) return;
  if (!cli_find_files(cli, &cli->options.operands, &set)) {
    hint_at_command(cli);
    return;
  }
  complain_empty(cli, &set);
  Analysis analysis = {0};
  AnalysisRequest request = cli_request(cli, &set);
  request.min_level = lowest_shown(&cli->options);
  analysis_run(&analysis, &request);
  check_named(cli, &analysis, &set);
  analysis.outcome.complete = cli->status == STATUS_CLEAN;
  write_all(cli, &analysis.outcome);
  if (cli->status == STATUS_CLEAN && fails(&cli->options, &analysis.outcome)) cli->status = STATUS_FINDINGS;
  analysis_release(&analysis);
}

void command_files(Cli *cli) {
  FileSet set;
  if (!cli_find_files(cli, &cli->options.operands, &set)) return;
  complain_empty(cli, &set);
  const StrVec *files = set.limited ? &set.only : &set.files;
  StrBuf buf = {.arena = &cli->arena};
  for (uint32_t i = 0; i < files->len; i++) {
    text_safe(&buf, files->data[i]);
    buf_char(&buf, '\n');
  }
  cli_print(cli->streams.out, buf_view(&buf));
  if (!cli->options.verbose) return;
  for (uint32_t i = 0; i < set.skipped.len; i++) {
    const SkippedFile *file = &set.skipped.data[i];
    cli_notice(cli, str_printf(&cli->arena, "skipped %.*s: %.*s", STR_ARG(file->path), STR_ARG(file->reason)));
  }
}

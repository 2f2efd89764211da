/* Commands, options, and the help made from them. */
#include "cli/option_table.h"

#include "report/text.h"

#define ON(id) (1U << COMMAND_##id)
#define ANALYSIS (ON(CHECK) | ON(WHY) | ON(DEBUG))
#define LISTING (ANALYSIS | ON(FILES))
#define CHOOSING (ON(CHECK) | ON(RULES))
#define EVERY ((1U << COMMAND_COUNT) - 1)

const CommandSpec command_specs[COMMAND_COUNT] = {
    [COMMAND_CHECK] =
        {S_INIT("check"), S_INIT("[PATH ...]"),
         S_INIT("analyse a project and report what is wrong (the default command)"),
         S_INIT(
             "PATHs are files and folders; without any, the current folder. They limit what is reported, never what is\n"
             "analysed: findings in a file can follow from any other file of its project.\n")},
    [COMMAND_RULE] = {S_INIT("rule"), S_INIT("CODE|NAME ..."),
                      S_INIT("explain rules: what is wrong, why, how to mend it"), S_INIT("")},
    [COMMAND_RULES] = {S_INIT("rules"), S_INIT(""), S_INIT("list the rules and whether they are on"), S_INIT("")},
    [COMMAND_WHY] = {S_INIT("why"), S_INIT("FILE:LINE"), S_INIT("say how tracing reaches a line, or that it does not"),
                     S_INIT("")},
    [COMMAND_FILES] = {S_INIT("files"), S_INIT("[PATH ...]"),
                       S_INIT("list the files that would be reported on; with -v why others are not"), S_INIT("")},
    [COMMAND_DEBUG] = {S_INIT("debug"), S_INIT("ast|names|traced|values|blind FILE"),
                       S_INIT("print what a stage of the analysis knows about a file"), S_INIT("")},
    [COMMAND_VERSION] = {S_INIT("version"), S_INIT(""), S_INIT("print the version"), S_INIT("")},
    [COMMAND_HELP] = {S_INIT("help"), S_INIT("[COMMAND]"), S_INIT("print this, or the help of a command"), S_INIT("")},
};

#define TEXT(text) S_INIT(text)
#define FLAG S_INIT("")

const OptionSpec option_specs[] = {
    {OPT_SELECT, 0, TEXT("select"), TEXT("RULES"), CHOOSING, TEXT("Rules"),
     TEXT("report only these: codes (TF201), prefixes (TF2), names, `all`, `default`; separated by commas")},
    {OPT_EXTEND_SELECT, 0, TEXT("extend-select"), TEXT("RULES"), CHOOSING, TEXT("Rules"), TEXT("report these too")},
    {OPT_IGNORE, 0, TEXT("ignore"), TEXT("RULES"), CHOOSING, TEXT("Rules"),
     TEXT("do not report these; the more exact of two contradicting words decides")},
    {OPT_MIN_LEVEL, 0, TEXT("min-level"), TEXT("LEVEL"), ON(CHECK), TEXT("Rules"),
     TEXT("report findings from this level up: error, warning (default), note")},
    {OPT_MIN_CONFIDENCE, 0, TEXT("min-confidence"), TEXT("CONFIDENCE"), ON(CHECK), TEXT("Rules"),
     TEXT("report findings at least this sure: certain, likely (default), possible")},
    {OPT_RULES, 0, TEXT("rules"), TEXT("FILE"), LISTING | CHOOSING | ON(RULE), TEXT("Rules"),
     TEXT("add the rules and API facts of a YAML file; may be repeated")},
    {OPT_SHOW_SUPPRESSED, 0, TEXT("show-suppressed"), FLAG, ON(CHECK), TEXT("Rules"),
     TEXT("report also what a comment in the code suppresses, marked as such")},
    {OPT_PROJECT_ROOT, 0, TEXT("project-root"), TEXT("DIR"), LISTING, TEXT("Files"),
     TEXT(
         "the project's folder; default: upward from the first PATH, the first with a configuration, `.git` or pyproject.toml")},
    {OPT_FILES_FROM, 0, TEXT("files-from"), TEXT("FILE"), ON(CHECK) | ON(FILES), TEXT("Files"),
     TEXT("read more PATHs from a file, one a line; `-` is standard input")},
    {OPT_NUL, 'z', TEXT("null"), FLAG, ON(CHECK) | ON(FILES), TEXT("Files"),
     TEXT("with --files-from: PATHs end in a NUL byte instead")},
    {OPT_STDIN_FILENAME, 0, TEXT("stdin-filename"), TEXT("FILE"), ON(CHECK), TEXT("Files"),
     TEXT("read the contents of this file from standard input, and report on it")},
    {OPT_FORCE_EXCLUDE, 0, TEXT("force-exclude"), FLAG, ON(CHECK) | ON(FILES), TEXT("Files"),
     TEXT("leave out excluded files even if they were named (for pre-commit)")},
    {OPT_NO_GITIGNORE, 0, TEXT("no-respect-gitignore"), FLAG, LISTING, TEXT("Files"),
     TEXT("analyse also what .gitignore excludes")},
    {OPT_MAX_FILE_SIZE, 0, TEXT("max-file-size"), TEXT("SIZE"), LISTING, TEXT("Files"),
     TEXT("skip larger files; default: 4M")},
    {OPT_OUTPUT, 'o', TEXT("output"), TEXT("FORMAT[=PATH]"), ON(CHECK), TEXT("Output"),
     TEXT("write a report to standard output or to a file; may be repeated. Formats are listed below")},
    {OPT_FORMAT, 0, TEXT("format"), TEXT("FORMAT"), ON(CHECK) | ON(RULE) | ON(RULES), TEXT("Output"),
     TEXT(
         "the format on standard output: for `check` the same as -o; for `rule` text, markdown or json; for `rules` text or json")},
    {OPT_STATISTICS, 0, TEXT("statistics"), FLAG, ON(CHECK), TEXT("Output"),
     TEXT("add findings by rule, and how much of the code could be seen")},
    {OPT_COLOR, 0, TEXT("color"), TEXT("WHEN"), EVERY, TEXT("Output"),
     TEXT("auto (default), always, never; NO_COLOR and FORCE_COLOR are obeyed")},
    {OPT_QUIET, 'q', TEXT("quiet"), FLAG, EVERY, TEXT("Output"),
     TEXT("no summary; twice: no findings on standard output either")},
    {OPT_VERBOSE, 'v', TEXT("verbose"), FLAG, EVERY, TEXT("Output"), TEXT("say which files were skipped and why")},
    {OPT_JSON, 0, TEXT("json"), FLAG, ON(VERSION), TEXT("Output"), TEXT("as JSON")},
    {OPT_ALL, 0, TEXT("all"), FLAG, ON(RULE), TEXT("Output"), TEXT("explain every rule")},
    {OPT_FAIL_ON, 0, TEXT("fail-on"), TEXT("LEVEL"), ON(CHECK), TEXT("Exit status"),
     TEXT("exit with 1 if there are findings from this level up: error, warning (default), note, never")},
    {OPT_EXIT_ZERO, 0, TEXT("exit-zero"), FLAG, ON(CHECK), TEXT("Exit status"), TEXT("exit with 0 whatever was found")},
    {OPT_ALLOW_EMPTY, 0, TEXT("allow-empty"), FLAG, ON(CHECK) | ON(FILES), TEXT("Exit status"),
     TEXT("it is no error if the PATHs hold no Python file")},
    {OPT_JOBS, 'j', TEXT("jobs"), TEXT("N"), ANALYSIS, TEXT("Other"),
     TEXT("threads; default: as many as there are processors")},
    {OPT_HELP, 'h', TEXT("help"), FLAG, EVERY, TEXT("Other"), TEXT("print this help")},
    {OPT_VERSION, 'V', TEXT("version"), FLAG, EVERY, TEXT("Other"), TEXT("print the version")},
};
const uint32_t option_spec_count = sizeof option_specs / sizeof *option_specs;

/* ---- help ---- */

enum { HELP_COLUMN = 30, HELP_WIDTH = 110 };

/* Words from column `from` on, broken before HELP_WIDTH. */
static void write_wrapped(StrBuf *out, Str text, uint32_t from) {
  uint32_t col = from;
  while (text.len) {
    Str word = str_cut(&text, ' ');
    uint32_t width = text_width(word);
    if (col + width > HELP_WIDTH && col > from) {
      buf_char(out, '\n');
      buf_repeat(out, ' ', from);
      col = from;
    } else if (col > from) {
      buf_char(out, ' ');
      col++;
    }
    buf_str(out, word);
    col += width;
  }
  buf_char(out, '\n');
}

static void write_entry(StrBuf *out, Str left, Str right) {
  buf_str(out, left);
  uint32_t width = text_width(left);
  if (width + 2 > HELP_COLUMN) {
    buf_char(out, '\n');
    width = 0;
  }
  buf_repeat(out, ' ', HELP_COLUMN - width);
  write_wrapped(out, right, HELP_COLUMN);
}

static void write_option(StrBuf *out, const OptionSpec *spec) {
  Arena scratch = {0};
  StrBuf left = {.arena = &scratch};
  if (spec->letter) buf_printf(&left, "  -%c, ", spec->letter);
  else buf_lit(&left, "      ");
  buf_printf(&left, "--%.*s", STR_ARG(spec->name));
  if (spec->argument.len) buf_printf(&left, " %.*s", STR_ARG(spec->argument));
  write_entry(out, buf_view(&left), spec->help);
  arena_release(&scratch);
}

static void write_options(StrBuf *out, CommandId command) {
  Str group = S("");
  for (uint32_t i = 0; i < option_spec_count; i++) {
    const OptionSpec *spec = &option_specs[i];
    if (!(spec->commands >> command & 1U)) continue;
    if (!str_eq(spec->group, group)) buf_printf(out, "\n%.*s:\n", STR_ARG(spec->group));
    group = spec->group;
    write_option(out, spec);
  }
}

static void write_formats(StrBuf *out) {
  buf_lit(out, "\nFormats:\n");
  for (uint32_t i = 0; i < report_format_count; i++) {
    Arena scratch = {0};
    write_entry(out, str_concat(&scratch, S("      "), report_formats[i].name), report_formats[i].help);
    arena_release(&scratch);
  }
}

static void write_commands(StrBuf *out) {
  buf_lit(out, "\nCommands:\n");
  for (uint32_t i = 0; i < COMMAND_COUNT; i++) {
    Arena scratch = {0};
    const CommandSpec *command = &command_specs[i];
    Str left = str_printf(&scratch, "  %.*s %.*s", STR_ARG(command->name), STR_ARG(command->operands));
    write_entry(out, left, command->summary);
    arena_release(&scratch);
  }
}

void options_help(StrBuf *out, CommandId command) {
  if (command == COMMAND_COUNT) {
    buf_lit(out, "tfcheck finds Python code that TensorFlow traces and that does not do what it says.\n\n");
    buf_lit(out, "Usage: tfcheck [COMMAND] [OPTION ...] [ARGUMENT ...]\n");
    write_commands(out);
    buf_lit(out, "\n`tfcheck help COMMAND` lists the options of a command; `tfcheck PATH` is `tfcheck check PATH`.\n");
    buf_lit(out, "Exit status: 0 nothing found, 1 findings, 2 could not do what was asked.\n");
    return;
  }
  const CommandSpec *spec = &command_specs[command];
  buf_printf(out, "tfcheck %.*s: %.*s\n\n", STR_ARG(spec->name), STR_ARG(spec->summary));
  buf_printf(out, "Usage: tfcheck %.*s [OPTION ...]%s%.*s\n", STR_ARG(spec->name), spec->operands.len ? " " : "",
             STR_ARG(spec->operands));
  if (spec->text.len) buf_printf(out, "\n%.*s", STR_ARG(spec->text));
  write_options(out, command);
  if (command == COMMAND_CHECK) write_formats(out);
}

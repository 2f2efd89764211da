/* Parses the command line by tables. An option has a long name, perhaps a letter, perhaps an argument, and commands that know
 * it; its effect is one case of apply().
 */
#include "cli/options.h"

#include "cli/option_table.h"
#include "value/schema.h"

typedef struct Parser {
  Arena *arena;
  const Str *words;
  uint32_t count, at;
  Options *options;
  Str *error;
  bool operands_only;  // after `--`
} Parser;

static bool fail(Parser *parser, Str about, Str reason) {
  *parser->error = str_printf(parser->arena, "%.*s: %.*s", STR_ARG(about), STR_ARG(reason));
  return false;
}

static bool fail_value(Parser *parser, const OptionSpec *spec, Str value, const char *wanted) {
  *parser->error = str_printf(parser->arena, "--%.*s: `%.*s` is no %s", STR_ARG(spec->name), STR_ARG(value), wanted);
  return false;
}

/* ---- arguments ---- */

static bool bad_word(Parser *parser, const OptionSpec *spec, Str value, const Str *words, uint32_t count) {
  Str hint = schema_hint(parser->arena, value, words, count);
  Str allowed = str_join(parser->arena, words, count, S(", "));
  *parser->error = str_printf(parser->arena, "--%.*s: `%.*s` is none of %.*s%.*s", STR_ARG(spec->name), STR_ARG(value),
                              STR_ARG(allowed), STR_ARG(hint));
  return false;
}

static bool read_level(Parser *parser, const OptionSpec *spec, Str value, Level *out) {
  static const Str words[] = {S_INIT("error"), S_INIT("warning"), S_INIT("note")};
  return (level_parse(value, out) && *out != LEVEL_OFF) || bad_word(parser, spec, value, words, 3);
}

static bool read_fail_on(Parser *parser, const OptionSpec *spec, Str value, Level *out) {
  static const Str words[] = {S_INIT("error"), S_INIT("warning"), S_INIT("note"), S_INIT("never")};
  if (str_eq(value, S("never"))) {
    *out = LEVEL_OFF;
    return true;
  }
  return (level_parse(value, out) && *out != LEVEL_OFF) || bad_word(parser, spec, value, words, 4);
}

static bool read_confidence(Parser *parser, const OptionSpec *spec, Str value, Confidence *out) {
  static const Str words[] = {S_INIT("certain"), S_INIT("likely"), S_INIT("possible")};
  return confidence_parse(value, out) || bad_word(parser, spec, value, words, 3);
}

static bool read_color(Parser *parser, const OptionSpec *spec, Str value, ColorChoice *out) {
  static const Str words[] = {
      [COLOR_AUTO] = S_INIT("auto"), [COLOR_ALWAYS] = S_INIT("always"), [COLOR_NEVER] = S_INIT("never")};
  int index = schema_word(value, words, 3);
  if (index < 0) return bad_word(parser, spec, value, words, 3);
  *out = (ColorChoice)index;
  return true;
}

static bool read_jobs(Parser *parser, const OptionSpec *spec, Str value, uint32_t *out) {
  int64_t number;
  if (!str_to_i64(value, &number) || number < 1 || number > 1024)
    return fail_value(parser, spec, value, "number from 1 to 1024");
  *out = (uint32_t)number;
  return true;
}

/* "4M", "500K", "1G", or bytes. */
static bool read_size(Parser *parser, const OptionSpec *spec, Str value, uint64_t *out) {
  uint32_t shift = str_ends(value, S("K")) ? 10 : str_ends(value, S("M")) ? 20 : str_ends(value, S("G")) ? 30 : 0;
  int64_t number;
  Str digits = shift ? str_sub(value, 0, value.len - 1) : value;
  if (!str_to_i64(digits, &number) || number < 1 || number > UINT32_MAX || (uint64_t)number << shift > UINT32_MAX)
    return fail_value(parser, spec, value, "size below 4G, like 500K or 4M");
  *out = (uint64_t)number << shift;
  return true;
}

static bool add_words(Parser *parser, Str value, StrVec *out) {
  while (value.len) {
    Str word = str_trim(str_cut(&value, ','));
    if (word.len) vec_push(parser->arena, out, word);
  }
  return true;
}

bool options_add_output(Arena *arena, Options *options, Str word, Str *error) {
  Str path = word, name = str_cut(&path, '=');
  const ReportFormat *format = report_format(name);
  if (!format) {
    Str *names = arena_array(arena, Str, report_format_count);
    for (uint32_t i = 0; i < report_format_count; i++) names[i] = report_formats[i].name;
    Str hint = schema_hint(arena, name, names, report_format_count),
        all = str_join(arena, names, report_format_count, S(", "));
    *error =
        str_printf(arena, "`%.*s` is no output format%.*s; there are %.*s", STR_ARG(name), STR_ARG(hint), STR_ARG(all));
    return false;
  }
  if (word.len > name.len && !path.len) {
    *error = str_printf(arena, "`%.*s` names no file behind the `=`", STR_ARG(word));
    return false;
  }
  if (str_eq(path, S("-"))) path = S("");
  vec_push(arena, &options->outputs, ((OutputTarget){format, path}));
  return true;
}

static bool read_format(Parser *parser, Str value) {
  parser->options->format = value;
  return parser->options->command != COMMAND_CHECK ||
         options_add_output(parser->arena, parser->options, value, parser->error);
}

static bool set(bool *flag) {
  *flag = true;
  return true;
}

static bool set_text(Str *place, Str value) {
  *place = value;
  return true;
}

static bool push_text(Parser *parser, StrVec *list, Str value) {
  vec_push(parser->arena, list, value);
  return true;
}

/* flat table: one line an option */
static bool apply(Parser *parser, const OptionSpec *spec, Str value) {
  Options *o = parser->options;
  switch (spec->id) {
    case OPT_SELECT:
      return add_words(parser, value, &o->select);
    case OPT_IGNORE:
      return add_words(parser, value, &o->ignore);
    case OPT_EXTEND_SELECT:
      return add_words(parser, value, &o->extend_select);
    case OPT_MIN_LEVEL:
      return set(&o->has_min_level) && read_level(parser, spec, value, &o->min_level);
    case OPT_MIN_CONFIDENCE:
      return read_confidence(parser, spec, value, &o->min_confidence);
    case OPT_FAIL_ON:
      return set(&o->has_fail_on) && read_fail_on(parser, spec, value, &o->fail_on);
    case OPT_EXIT_ZERO:
      return set(&o->exit_zero);
    case OPT_OUTPUT:
      return options_add_output(parser->arena, o, value, parser->error);
    case OPT_FORMAT:
      return read_format(parser, value);
    case OPT_SHOW_SUPPRESSED:
      return set(&o->show_suppressed);
    case OPT_STATISTICS:
      return set(&o->statistics);
    case OPT_PROJECT_ROOT:
      return set_text(&o->project_root, value);
    case OPT_STDIN_FILENAME:
      return set_text(&o->stdin_filename, value);
    case OPT_FILES_FROM:
      return set_text(&o->files_from, value);
    case OPT_NUL:
      return set(&o->nul);
    case OPT_FORCE_EXCLUDE:
      return set(&o->force_exclude);
    case OPT_ALLOW_EMPTY:
      return set(&o->allow_empty);
    case OPT_NO_GITIGNORE:
      return set(&o->no_gitignore);
    case OPT_MAX_FILE_SIZE:
      return read_size(parser, spec, value, &o->max_file_size);
    case OPT_RULES:
      return push_text(parser, &o->rule_files, value);
    case OPT_JOBS:
      return read_jobs(parser, spec, value, &o->jobs);
    case OPT_QUIET:
      return ++o->quiet > 0;
    case OPT_VERBOSE:
      return ++o->verbose > 0;
    case OPT_COLOR:
      return read_color(parser, spec, value, &o->color);
    case OPT_JSON:
      return set(&o->json);
    case OPT_ALL:
      return set(&o->all);
    case OPT_HELP:
      return set(&o->help);
    case OPT_VERSION:
      return set(&o->version);
  }
  return false;
}

/* ---- words ---- */

static bool belongs(const OptionSpec *spec, CommandId command) { return (spec->commands >> command & 1U) != 0; }

static const OptionSpec *find_long(Str name) {
  for (uint32_t i = 0; i < option_spec_count; i++)
    if (str_eq(option_specs[i].name, name)) return &option_specs[i];
  // An older word for the same thing, which other tools use.
  return str_eq(name, S("min-severity")) ? find_long(S("min-level")) : NULL;
}

static const OptionSpec *find_letter(char letter) {
  for (uint32_t i = 0; i < option_spec_count; i++)
    if (option_specs[i].letter == letter) return &option_specs[i];
  return NULL;
}

static bool unknown_option(Parser *parser, Str word) {
  Str names[64], stem = word;
  uint32_t count = 0;
  for (uint32_t i = 0; i < option_spec_count && count < 64; i++)
    if (belongs(&option_specs[i], parser->options->command)) names[count++] = option_specs[i].name;
  while (str_starts(stem, S("-"))) stem = str_sub(stem, 1, stem.len);
  stem = str_cut(&stem, '=');
  Str near = schema_nearest(stem, names, count);
  Str hint = near.len ? str_printf(parser->arena, " (did you mean `--%.*s`?)", STR_ARG(near)) : S("");
  *parser->error = str_printf(parser->arena, "unknown option `%.*s`%.*s; see `tfcheck help %.*s`", STR_ARG(word),
                              STR_ARG(hint), STR_ARG(command_specs[parser->options->command].name));
  return false;
}

static bool take_option(Parser *parser, const OptionSpec *spec, Str shown, bool has_value, Str value) {
  if (!belongs(spec, parser->options->command)) return unknown_option(parser, shown);
  if (!spec->argument.len && has_value) return fail(parser, shown, S("this option takes no argument"));
  if (!spec->argument.len || has_value) return apply(parser, spec, value);
  if (parser->at == parser->count)
    return fail(parser, shown, str_printf(parser->arena, "missing %.*s", STR_ARG(spec->argument)));
  return apply(parser, spec, parser->words[parser->at++]);
}

static bool read_long(Parser *parser, Str word) {
  Str value = str_sub(word, 2, word.len), name = str_cut(&value, '=');
  const OptionSpec *spec = find_long(name);
  if (!spec) return unknown_option(parser, word);
  bool has_value = name.len + 2 < word.len;
  return take_option(parser, spec, str_sub(word, 0, name.len + 2), has_value, value);
}

/* `-qq`, `-j4`, `-o json`: letters in a row, the last of which may have an argument. */
static bool read_letters(Parser *parser, Str word) {
  for (size_t i = 1; i < word.len; i++) {
    const OptionSpec *spec = find_letter(word.ptr[i]);
    if (!spec) return unknown_option(parser, word);
    Str shown = str_printf(parser->arena, "-%c", spec->letter), rest = str_sub(word, i + 1, word.len);
    if (!spec->argument.len) {
      if (!take_option(parser, spec, shown, false, S(""))) return false;
      continue;
    }
    return take_option(parser, spec, shown, rest.len > 0, rest);
  }
  return true;
}

static bool read_word(Parser *parser, Str word) {
  if (parser->operands_only || word.len < 2 || word.ptr[0] != '-') {
    vec_push(parser->arena, &parser->options->operands, word);
    return true;
  }
  if (str_eq(word, S("--"))) {
    parser->operands_only = true;
    return true;
  }
  return word.ptr[1] == '-' ? read_long(parser, word) : read_letters(parser, word);
}

/* A command is the first word; without one the command is `check`. (A file that is called like a command: `./check`.) */
static void find_command(Parser *parser) {
  CommandId command = parser->count ? command_find(parser->words[0]) : COMMAND_COUNT;
  if (command == COMMAND_COUNT) return;
  parser->options->command = command;
  parser->at = 1;
}

bool options_parse(Arena *arena, const Str *words, uint32_t count, Options *out, Str *error) {
  *out = (Options){
      .min_level = LEVEL_WARNING, .fail_on = LEVEL_WARNING, .min_confidence = CONF_LIKELY, .max_file_size = 4 << 20};
  Parser parser = {.arena = arena, .words = words, .count = count, .options = out, .error = error};
  find_command(&parser);
  while (parser.at < parser.count)
    if (!read_word(&parser, parser.words[parser.at++])) return false;
  return true;
}

CommandId command_find(Str name) {
  for (uint32_t i = 0; i < COMMAND_COUNT; i++)
    if (str_eq(command_specs[i].name, name)) return (CommandId)i;
  return COMMAND_COUNT;
}

Str command_hint(Arena *arena, Str name) {
  Str names[COMMAND_COUNT];
  for (uint32_t i = 0; i < COMMAND_COUNT; i++) names[i] = command_specs[i].name;
  return schema_hint(arena, name, names, COMMAND_COUNT);
}

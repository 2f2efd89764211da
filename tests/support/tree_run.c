#include "support/tree.h"

#include "base/panic.h"
#include "cli/options.h"

static StrList python_files(Arena *arena, const Tree *tree) {
  Str *paths = arena_array(arena, Str, tree->len);
  uint32_t len = 0;
  for (uint32_t i = 0; i < tree->len; i++) {
    if (tree_is_python(tree->paths[i])) paths[len++] = tree->paths[i];
  }
  return (StrList){paths, len};
}

/* What stands behind `# tfcheck-args:` at the start of a line; empty if no file says anything. */
static Str find_args(const Tree *tree) {
  Str mark = S("# tfcheck-args:");
  for (uint32_t i = 0; i < tree->len; i++) {
    Str text = tree->texts[i];
    size_t at = tree_is_python(tree->paths[i]) ? str_find(text, mark) : STR_NONE;
    if (at == STR_NONE || (at > 0 && text.ptr[at - 1] != '\n')) continue;
    Str rest = str_sub(text, at + mark.len, text.len);
    return str_trim(str_cut(&rest, '\n'));
  }
  return S("");
}

static bool parse_args(Arena *arena, Str args, Options *options, Str *error) {
  StrVec words = {0};
  vec_push(arena, &words, S("check"));
  while (args.len) {
    Str word = str_cut(&args, ' ');
    if (word.len) vec_push(arena, &words, word);
  }
  return options_parse(arena, words.data, words.len, options, error);
}

/* Puts what the fixture asks for into the request; false with `failure` set. */
static bool apply_args(TreeRun *out, AnalysisRequest *request, Str args) {
  Options options = {0};
  if (!args.len) return true;
  if (!parse_args(&out->arena, args, &options, &out->failure)) return false;
  for (uint32_t i = 0; i < options.rule_files.len; i++) {
    CatalogError error = {0};
    request->catalog = catalog_extend(&out->arena, request->catalog, &out->fs, options.rule_files.data[i], &error);
    if (request->catalog) continue;
    out->failure = str_printf(&out->arena, "%.*s:%u: %.*s", STR_ARG(error.path), error.line, STR_ARG(error.reason));
    return false;
  }
  RuleChoice choice = {.select = {options.select.data, options.select.len},
                       .extend = {options.extend_select.data, options.extend_select.len},
                       .ignore = {options.ignore.data, options.ignore.len}};
  if (choice.select.len || choice.ignore.len) request->enabled = selection_make(&out->arena, request->catalog, &choice);
  if (options.has_min_level) request->min_level = options.min_level;
  request->min_confidence = options.min_confidence;
  return true;
}

static void run_pipeline(TreeRun *out, const Tree *tree, const TreeOptions *options) {
  out->fs = fs_memory(&out->arena, tree->paths, tree->texts, tree->len);
  AnalysisRequest request = {.fs = &out->fs,
                             .catalog = catalog_builtin(),
                             .root = S("/"),
                             .files = python_files(&out->arena, tree),
                             .limited = options->only.len > 0,
                             .only = options->only,
                             .min_level = LEVEL_NOTE,
                             .min_confidence = CONF_LIKELY,
                             .max_file_size = UINT32_MAX,
                             .jobs = options->jobs};
  if (apply_args(out, &request, find_args(tree))) analysis_run(&out->analysis, &request);
}

void tree_run(TreeRun *out, const Tree *tree, const TreeOptions *options) {
  *out = (TreeRun){0};
  Panic panic;
  if (panic_enter(&panic)) {
    out->failure = str_printf(&out->arena, "%s:%d: %s", panic.file, panic.line, panic.what);
    out->panicked = true;
    return;
  }
  run_pipeline(out, tree, options);
  panic_leave(&panic);
}

void tree_run_release(TreeRun *run) {
  analysis_release(&run->analysis);
  arena_release(&run->arena);
}

/* ---- text ---- */

static void append_place(StrBuf *buf, const FileTable *files, Place place) {
  const Source *source = files->sources[place.file];
  Position start = source_position(source, place.span.start), end = source_position(source, place.span.end);
  buf_str(buf, source->path);
  buf_printf(buf, ":%u:%u-%u:%u", start.line, start.col, end.line, end.col);
}

static void append_finding(StrBuf *buf, const FileTable *files, const Finding *finding) {
  append_place(buf, files, finding->place);
  Str level = level_name(finding->level), confidence = confidence_name(finding->confidence);
  buf_printf(buf, " %.*s/%.*s %.*s %.*s: %.*s", STR_ARG(finding->code), STR_ARG(finding->variant), STR_ARG(level),
             STR_ARG(confidence), STR_ARG(finding->message));
  buf_printf(buf, " (%u contexts%s)", finding->contexts, finding->suppressed ? ", suppressed" : "");
  for (uint32_t i = 0; i < finding->labels.len; i++) {
    const Label *label = &finding->labels.data[i];
    buf_lit(buf, "\n    ");
    append_place(buf, files, label->place);
    buf_printf(buf, " %.*s", STR_ARG(label->text));
  }
  for (uint32_t i = 0; i < finding->help.len; i++) buf_printf(buf, "\n    help: %.*s", STR_ARG(finding->help.data[i]));
  for (uint32_t i = 0; i < finding->notes.len; i++)
    buf_printf(buf, "\n    note: %.*s", STR_ARG(finding->notes.data[i]));
  buf_char(buf, '\n');
}

Str tree_run_text(Arena *arena, const TreeRun *run, Str only_path) {
  const Outcome *outcome = &run->analysis.outcome;
  StrBuf buf = {.arena = arena};
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    const Finding *finding = &outcome->findings.data[i];
    if (only_path.len && !str_eq(outcome->files.sources[finding->place.file]->path, only_path)) continue;
    append_finding(&buf, &outcome->files, finding);
  }
  return buf_view(&buf);
}

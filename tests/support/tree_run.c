#include "support/tree.h"

#include "base/panic.h"

static StrList python_files(Arena *arena, const Tree *tree) {
  Str *paths = arena_array(arena, Str, tree->len);
  uint32_t len = 0;
  for (uint32_t i = 0; i < tree->len; i++) {
    if (tree_is_python(tree->paths[i])) paths[len++] = tree->paths[i];
  }
  return (StrList){paths, len};
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
  analysis_run(&out->analysis, &request);
}

void tree_run(TreeRun *out, const Tree *tree, const TreeOptions *options) {
  *out = (TreeRun){0};
  Panic panic;
  if (panic_enter(&panic)) {
    out->panic = str_printf(&out->arena, "%s:%d: %s", panic.file, panic.line, panic.what);
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

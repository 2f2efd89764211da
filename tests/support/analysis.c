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

static RuleSelection every_rule(Arena *arena, const Catalog *catalog) {
  uint32_t len = catalog_rule_count(catalog);
  bool *enabled = arena_array(arena, bool, len);
  for (uint32_t i = 0; i < len; i++) enabled[i] = true;
  return (RuleSelection){enabled, len};
}

static FileTable file_table(Arena *arena, const Project *project) {
  FileTable files = {arena_array(arena, const Source *, project->module_count), project->module_count};
  for (uint32_t i = 0; i < files.len; i++) files.sources[i] = &project->modules[i]->source;
  return files;
}

static void run(Analysis *out, const Tree *tree, const AnalysisOptions *options) {
  const Catalog *catalog = catalog_builtin();
  StrList files = python_files(&out->arena, tree);
  ProjectOptions project = {
      .max_file_size = UINT32_MAX, .jobs = options->jobs, .only = options->only, .flavor = options->flavor};
  FlowOptions flow = {.jobs = options->jobs, .flavor = options->flavor};
  out->fs = fs_memory(&out->arena, tree->paths, tree->texts, tree->len);
  out->symbols = sym_table_new();
  out->project = project_load(out->symbols, catalog, &out->fs, S("/"), &files, &project);
  out->flow = flow_run(out->project, &flow);
  out->files = file_table(&out->arena, out->project);
  rules_run(&out->arena, out->flow, catalog, every_rule(&out->arena, catalog), &out->findings);
}

void analysis_run(Analysis *out, const Tree *tree, const AnalysisOptions *options) {
  *out = (Analysis){0};
  Panic panic;
  if (panic_enter(&panic)) {
    out->panic = str_printf(&out->arena, "%s:%d: %s", panic.file, panic.line, panic.what);
    return;
  }
  run(out, tree, options);
  panic_leave(&panic);
}

void analysis_release(Analysis *analysis) {
  if (analysis->flow) flow_release(analysis->flow);
  if (analysis->project) project_release(analysis->project);
  if (analysis->symbols) sym_table_release(analysis->symbols);
  arena_release(&analysis->arena);
}

/* ---- text ---- */

static void append_place(StrBuf *buf, const Analysis *analysis, Place place) {
  const Source *source = analysis->files.sources[place.file];
  Position start = source_position(source, place.span.start), end = source_position(source, place.span.end);
  buf_str(buf, source->path);
  buf_printf(buf, ":%u:%u-%u:%u", start.line, start.col, end.line, end.col);
}

static void append_finding(StrBuf *buf, const Analysis *analysis, const Finding *finding) {
  append_place(buf, analysis, finding->place);
  Str level = level_name(finding->level), confidence = confidence_name(finding->confidence);
  buf_printf(buf, " %.*s/%.*s %.*s %.*s: %.*s", STR_ARG(finding->code), STR_ARG(finding->variant), STR_ARG(level),
             STR_ARG(confidence), STR_ARG(finding->message));
  buf_printf(buf, " (%u contexts%s)", finding->contexts, finding->suppressed ? ", suppressed" : "");
  for (uint32_t i = 0; i < finding->labels.len; i++) {
    const Label *label = &finding->labels.data[i];
    buf_lit(buf, "\n    ");
    append_place(buf, analysis, label->place);
    buf_printf(buf, " %.*s", STR_ARG(label->text));
  }
  for (uint32_t i = 0; i < finding->help.len; i++) buf_printf(buf, "\n    help: %.*s", STR_ARG(finding->help.data[i]));
  for (uint32_t i = 0; i < finding->notes.len; i++)
    buf_printf(buf, "\n    note: %.*s", STR_ARG(finding->notes.data[i]));
  buf_char(buf, '\n');
}

Str analysis_text(Arena *arena, const Analysis *analysis, Str only_path) {
  StrBuf buf = {.arena = arena};
  for (uint32_t i = 0; i < analysis->findings.len; i++) {
    const Finding *finding = &analysis->findings.data[i];
    if (only_path.len && !str_eq(analysis->files.sources[finding->place.file]->path, only_path)) continue;
    append_finding(&buf, analysis, finding);
  }
  return buf_view(&buf);
}

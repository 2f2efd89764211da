/* Applies directives to findings.
 *
 * Requires findings sorted by path; works file by file. A finding's extent are the lines of the statement it is about; a
 * directive's line is the one it stands on, or the next line of code.
 */
#include "report/suppress.h"

#include "report/directive.h"
#include "report/hygiene.h"
#include "report/select.h"
#include "value/schema.h"

typedef struct Extent {
  uint32_t first, last, reported;  // lines
} Extent;

typedef struct FileJob {
  Arena *arena;
  const SuppressInput *input;
  uint32_t file;
  const Source *source;
  const Ast *ast;
  Directives directives;
  uint32_t *target_lines;  // per directive: where what it covers is, 0 for nowhere
  Span *blocks;            // per directive: what an `ignore-block` covers
  Findings *out;           // findings about directives
} FileJob;

/* ---- lines ---- */

static uint32_t last_line_of(const Source *source, Span span) {
  return source_line_of(source, span.end > span.start ? span.end - 1 : span.start);
}

/* The part of a statement that counts as one: a header with its decorators, or all of a simple statement. */
static Span own_span(const Stmt *stmt, uint32_t offset) {
  Span span = stmt->header;
  if (stmt->kind == STMT_FUNCTION) return (Span){stmt->u.function->span.start, stmt->header.end};
  if (stmt->kind == STMT_CLASS) return (Span){stmt->u.class_->span.start, stmt->header.end};
  if (stmt->kind == STMT_IF) {
    for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
      Span header = stmt->u.branch.arms[i].header;
      if (header.start <= offset && offset < header.end) return header;
    }
  }
  return span;
}

static Extent extent_of(const FileJob *job, Span span) {
  const Stmt *stmt = ast_stmt_at(job->ast, span.start);
  Span own = stmt ? own_span(stmt, span.start) : span;
  bool holds = own.start <= span.start && span.start < own.end;
  if (!holds) own = span;
  return (Extent){source_line_of(job->source, own.start), last_line_of(job->source, own),
                  source_line_of(job->source, span.start)};
}

static bool is_code(Str line) {
  line = str_trim(line);
  return line.len > 0 && line.ptr[0] != '#';
}

/* A line of which it is known where the next code behind it is. */
typedef struct CodeAhead {
  uint32_t line, code;
} CodeAhead;

static uint32_t next_code_line(const Source *source, uint32_t line, CodeAhead *known) {
  const uint32_t from = line;
  uint32_t code = 0;
  for (line++; line <= source->line_count && !code; line++) {
    if (line == known->line) {
      code = known->code;
      break;
    }
    if (is_code(source_slice(source, source_line_span(source, line)))) code = line;
  }
  *known = (CodeAhead){from, code};
  return code;
}

static uint32_t target_line(const FileJob *job, const Directive *directive, CodeAhead *known) {
  uint32_t line = source_line_of(job->source, directive->span.start);
  bool ahead = directive->own_line && (directive->kind == DIRECTIVE_IGNORE || directive->kind == DIRECTIVE_BLOCK);
  return ahead ? next_code_line(job->source, line, known) : line;
}

/* The whole statement that begins on a line, decorators and body included. */
static Span block_on(const FileJob *job, uint32_t line) {
  Span span = line ? source_line_span(job->source, line) : (Span){0};
  while (span.start < span.end &&
         (job->source->text.ptr[span.start] == ' ' || job->source->text.ptr[span.start] == '\t'))
    span.start++;
  const Stmt *stmt = line ? ast_stmt_at(job->ast, span.start) : NULL;
  if (!stmt) return (Span){0};
  if (stmt->kind == STMT_FUNCTION) return stmt->u.function->span;
  return stmt->kind == STMT_CLASS ? stmt->u.class_->span : stmt->span;
}

/* A directive for the file counts only above its first statement; the docstring is none. */
static bool is_misplaced(const FileJob *job, const Directive *directive) {
  const Function *module = job->ast->module;
  if (directive->kind != DIRECTIVE_FILE || !module->body.len) return false;
  uint32_t first = module->docstring ? 1 : 0;
  return first < module->body.len && module->body.data[first]->span.start < directive->span.start;
}

/* ---- hiding ---- */

static bool covers_place(const FileJob *job, uint32_t index, const Extent *extent, uint32_t offset) {
  const Directive *directive = &job->directives.data[index];
  uint32_t line = job->target_lines[index];
  switch (directive->kind) {
    case DIRECTIVE_FILE:
      return !is_misplaced(job, directive);
    case DIRECTIVE_BROKEN:
      return false;
    case DIRECTIVE_BLOCK:
      return job->blocks[index].start <= offset && offset < job->blocks[index].end;
    case DIRECTIVE_NOQA:
    case DIRECTIVE_IGNORE:
      break;
  }
  if (!line) return false;
  if (directive->own_line && directive->kind == DIRECTIVE_IGNORE)
    return line == extent->first || line == extent->reported;
  return line == extent->first || line == extent->last || line == extent->reported;
}

static bool names_rule(Directive *directive, const RulePage *page) {
  if (directive->blanket) return true;
  bool named = false;
  for (uint32_t i = 0; i < directive->rules.len; i++) {
    DirectiveRule *rule = &directive->rules.data[i];
    if (!selector_match(rule->text, page)) continue;
    rule->used = named = true;
  }
  return named;
}

static void hide(const FileJob *job, const Directive *directive, Finding *finding) {
  static const SuppressKind kinds[] = {[DIRECTIVE_IGNORE] = SUPPRESS_LINE,
                                       [DIRECTIVE_BLOCK] = SUPPRESS_BLOCK,
                                       [DIRECTIVE_FILE] = SUPPRESS_FILE,
                                       [DIRECTIVE_NOQA] = SUPPRESS_NOQA};
  if (finding->suppressed) return;
  finding->suppressed = kinds[directive->kind];
  finding->suppress_reason = directive->reason;
  finding->suppress_line = source_line_of(job->source, directive->span.start);
}

static void apply_to(const FileJob *job, Finding *finding) {
  const RulePage *page = catalog_find_rule(job->input->catalog, finding->code);
  Extent extent = extent_of(job, finding->place.span);
  for (uint32_t i = 0; page && i < job->directives.len; i++) {
    Directive *directive = &job->directives.data[i];
    if (!covers_place(job, i, &extent, finding->place.span.start) || !names_rule(directive, page)) continue;
    directive->used = true;
    hide(job, directive, finding);
  }
}

/* ---- findings about directives ---- */

static Finding *report(FileJob *job, Str code, Str variant, Span span, Fill fill, Fill more) {
  Fill fills[] = {fill, more};
  Finding finding =
      hygiene_finding(job->arena, job->input->catalog, code, variant, (Place){job->file, span}, (Fills){fills, 2});
  if (job->ast) {
    const Function *function = ast_function_at(job->ast, span.start);
    finding.in = sym_str(function->qualname ? function->qualname : function->name);
  }
  finding.subject = fill.value;
  vec_push(job->arena, job->out, finding);
  return &vec_last(job->out);
}

/* Whether a run without this rule could tell that it hides nothing. */
static bool was_judged(const FileJob *job, Str selector) {
  const Catalog *catalog = job->input->catalog;
  for (uint32_t i = 0; i < catalog_rule_count(catalog); i++)
    if (selector_match(selector, catalog_rule(catalog, i)) && !job->input->enabled[i]) return false;
  return true;
}

/* Removes our part of a comment; all of the line if nothing else is on it. */
static Edit removal_of(const FileJob *job, const Directive *directive) {
  Span span = directive->span;
  Str text = job->source->text;
  bool whole = span.start == directive->comment.start && span.end >= directive->comment.end;
  while (span.end < directive->comment.end && (text.ptr[span.end] == ' ' || text.ptr[span.end] == '\t')) span.end++;
  whole = whole || (span.start == directive->comment.start && span.end == directive->comment.end);
  if (whole || span.end == directive->comment.end) {
    while (span.start > 0 && (text.ptr[span.start - 1] == ' ' || text.ptr[span.start - 1] == '\t')) span.start--;
  }
  if (whole && directive->own_line) {
    if (span.end < text.len && text.ptr[span.end] == '\r') span.end++;
    if (span.end < text.len && text.ptr[span.end] == '\n') span.end++;
  }
  return (Edit){.place = {job->file, span}};
}

/* Removes one code of a list, with the comma that separates it. */
static Edit removal_from_list(const FileJob *job, const Directive *directive, uint32_t index) {
  const DirectiveRule *rules = directive->rules.data;
  Span span = rules[index].span;
  if (index + 1 < directive->rules.len) span.end = rules[index + 1].span.start;
  else if (index > 0) span.start = rules[index - 1].span.end;
  return (Edit){.place = {job->file, span}};
}

static void report_unused(FileJob *job, const Directive *directive) {
  uint32_t unused = 0, judged = 0;
  for (uint32_t i = 0; i < directive->rules.len; i++) {
    const DirectiveRule *rule = &directive->rules.data[i];
    if (!rule->known || rule->used) continue;
    unused++;
    judged += was_judged(job, rule->text);
  }
  Fill none = {0};
  if (directive->blanket ? directive->used || !was_judged(job, S("all")) : !judged) return;
  if (directive->blanket || (judged == directive->rules.len && unused == judged && directive->rules.len > 1)) {
    Finding *finding = report(job, S("TF901"), S("whole"), directive->span, none, none);
    finding->fix_safety = FIX_SAFE;
    vec_push(job->arena, &finding->edits, removal_of(job, directive));
    return;
  }
  for (uint32_t i = 0; i < directive->rules.len; i++) {
    const DirectiveRule *rule = &directive->rules.data[i];
    if (!rule->known || rule->used || !was_judged(job, rule->text)) continue;
    Finding *finding = report(job, S("TF901"), S("default"), rule->span, (Fill){S("code"), rule->text}, none);
    bool alone = directive->rules.len == 1;
    finding->fix_safety = FIX_SAFE;
    vec_push(job->arena, &finding->edits, alone ? removal_of(job, directive) : removal_from_list(job, directive, i));
  }
}

static Str nearest_rule(const FileJob *job, Str word) {
  const Catalog *catalog = job->input->catalog;
  uint32_t count = catalog_rule_count(catalog);
  Str *words = arena_array(job->arena, Str, 2 * (size_t)count);
  for (uint32_t i = 0; i < count; i++) {
    words[2 * i] = catalog_rule(catalog, i)->id;
    words[2 * i + 1] = catalog_rule(catalog, i)->name;
  }
  return schema_nearest(word, words, 2 * count);
}

static void report_directive(FileJob *job, const Directive *directive) {
  Fill none = {0};
  if (directive->kind == DIRECTIVE_BROKEN) {
    report(job, S("TF902"), S("malformed"), directive->span, (Fill){S("what"), directive->fault}, none);
    return;
  }
  for (uint32_t i = 0; i < directive->rules.len; i++) {
    const DirectiveRule *rule = &directive->rules.data[i];
    if (rule->known) continue;
    Fill nearest = {S("nearest"), nearest_rule(job, rule->text)};
    report(job, S("TF902"), S("unknown-rule"), rule->span, (Fill){S("code"), rule->text}, nearest);
  }
  if (is_misplaced(job, directive))
    report(job, S("TF902"), S("misplaced"), directive->span, (Fill){S("directive"), directive_name(directive->kind)},
           none);
  else report_unused(job, directive);
}

/* ---- a file ---- */

static void apply_file(FileJob *job, Findings *findings, uint32_t first, uint32_t end) {
  directives_read(job->arena, job->input->catalog, job->source, &job->ast->comments, &job->directives);
  if (!job->directives.len) return;
  job->target_lines = arena_array(job->arena, uint32_t, job->directives.len);
  job->blocks = arena_array(job->arena, Span, job->directives.len);
  CodeAhead known = {0};
  for (uint32_t i = job->directives.len; i-- > 0;) {  // from the end, so that a block of directives is gone over once
    job->target_lines[i] = target_line(job, &job->directives.data[i], &known);
    if (job->directives.data[i].kind == DIRECTIVE_BLOCK) job->blocks[i] = block_on(job, job->target_lines[i]);
  }
  for (uint32_t i = first; i < end; i++) apply_to(job, &findings->data[i]);
  if (!job->input->reported[job->file]) return;
  for (uint32_t i = 0; i < job->directives.len; i++) report_directive(job, &job->directives.data[i]);
}

void suppress_apply(Arena *arena, const SuppressInput *input, Findings *findings) {
  Findings about = {0};
  uint32_t at = 0;
  // Files are numbered in path order, and findings sorted by path: they advance together.
  for (uint32_t file = 0; file < input->files.len; file++) {
    uint32_t first = at;
    while (at < findings->len && findings->data[at].place.file == file) at++;
    if (!input->asts[file]) continue;
    FileJob job = {.arena = arena,
                   .input = input,
                   .file = file,
                   .source = input->files.sources[file],
                   .ast = input->asts[file],
                   .out = &about};
    apply_file(&job, findings, first, at);
  }
  for (uint32_t i = 0; i < about.len; i++) {
    uint32_t rule = catalog_rule_index(input->catalog, about.data[i].code);
    if (rule != UINT32_MAX && input->enabled[rule]) vec_push(arena, findings, about.data[i]);
  }
  findings_sort(&input->files, findings);
}

/* From findings of every context to the findings of the run.
 *
 *   helper()   is traced from `step` and from `Dataset.map`: TF201 on one line, seen twice, is one finding with two contexts.
 *
 * The same (rule, span, subject) is one finding: the highest level speaks, then the highest confidence, then the shortest
 * chain, then the least place of the chain. Precedence looks at the merged ones: where two of them overlap in one statement
 * and the catalogue says that one outranks the other, only that one stays, also if nobody asked for it.
 */
#include <stdlib.h>

#include "rules/run.h"

/* ---- order ---- */

static int cmp_u32(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

static int cmp_place(Place a, Place b) {
  int by_file = cmp_u32(a.file, b.file);
  if (by_file) return by_file;
  int by_start = cmp_u32(a.span.start, b.span.start);
  return by_start ? by_start : cmp_u32(a.span.end, b.span.end);
}

static int cmp_identity(const Found *a, const Found *b) {
  int by_place = cmp_place(a->finding.place, b->finding.place);
  if (by_place) return by_place;
  int by_rule = cmp_u32(a->rule, b->rule);
  return by_rule ? by_rule : str_cmp(a->finding.subject, b->finding.subject);
}

static int cmp_labels(const Labels *a, const Labels *b) {
  for (uint32_t i = 0; i < a->len && i < b->len; i++) {
    int order = cmp_place(a->data[i].place, b->data[i].place);
    if (!order) order = str_cmp(a->data[i].text, b->data[i].text);
    if (order) return order;
  }
  return cmp_u32(a->len, b->len);
}

/* Best first. */
static int cmp_voice(const Found *a, const Found *b) {
  int by_level = cmp_u32(b->finding.level, a->finding.level);
  if (by_level) return by_level;
  int by_confidence = cmp_u32(b->finding.confidence, a->finding.confidence);
  if (by_confidence) return by_confidence;
  int by_chain = cmp_u32(a->chain_len, b->chain_len);
  if (by_chain) return by_chain;
  int by_labels = cmp_labels(&a->finding.labels, &b->finding.labels);
  if (by_labels) return by_labels;
  int by_variant = str_cmp(a->finding.variant, b->finding.variant);
  if (by_variant) return by_variant;
  int by_message = str_cmp(a->finding.message, b->finding.message);
  return by_message ? by_message : cmp_u32(a->instance, b->instance);
}

static int cmp_found(const void *a, const void *b) {
  int by_identity = cmp_identity(a, b);
  return by_identity ? by_identity : cmp_voice(a, b);
}

static int cmp_instance(const void *a, const void *b) { return cmp_u32(*(const uint32_t *)a, *(const uint32_t *)b); }

/* ---- merging ---- */

static uint32_t count_contexts(Arena *scratch, const Found *group, uint32_t len) {
  uint32_t *instances = arena_array(scratch, uint32_t, len);
  for (uint32_t i = 0; i < len; i++) instances[i] = group[i].instance;
  qsort(instances, len, sizeof *instances, cmp_instance);
  uint32_t count = 1;
  for (uint32_t i = 1; i < len; i++) count += instances[i] != instances[i - 1];
  return count;
}

/* Keeps the first of each group of equals. */
static void merge_groups(Arena *scratch, FoundVec *all) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->len;) {
    uint32_t end = i + 1;
    while (end < all->len && !cmp_identity(&all->data[i], &all->data[end])) end++;
    uint32_t contexts = count_contexts(scratch, &all->data[i], end - i);
    all->data[kept] = all->data[i];
    all->data[kept++].finding.contexts = contexts;
    i = end;
  }
  all->len = kept;
}

/* ---- precedence ---- */

static bool same_statement(const Project *project, const Finding *a, const Finding *b) {
  const Ast *ast = project_module(project, a->place.file)->ast;
  return !ast || ast_stmt_at(ast, a->place.span.start) == ast_stmt_at(ast, b->place.span.start);
}

/* Marks the loser of each pair that overlaps. A silenced finding still silences others, so the order does not matter. */
static bool *find_outranked(Arena *scratch, const MergeInput *input, const FoundVec *all) {
  bool *outranked = arena_array(scratch, bool, all->len);
  for (uint32_t i = 0; i < all->len; i++) {
    const Finding *a = &all->data[i].finding;
    for (uint32_t j = i + 1; j < all->len; j++) {
      const Finding *b = &all->data[j].finding;
      if (b->place.file != a->place.file || b->place.span.start >= a->place.span.end) break;
      bool a_wins = catalog_outranks(input->catalog, a->code, b->code);
      bool b_wins = catalog_outranks(input->catalog, b->code, a->code);
      if ((!a_wins && !b_wins) || !same_statement(input->project, a, b)) continue;
      outranked[j] |= a_wins;
      outranked[i] |= b_wins;
    }
  }
  return outranked;
}

/* ---- out of the workers' memory ---- */

static StrVec copy_texts(Arena *arena, const StrVec *texts) {
  StrVec copy = {0};
  for (uint32_t i = 0; i < texts->len; i++) vec_push(arena, &copy, str_copy(arena, texts->data[i]));
  return copy;
}

static Finding copy_finding(Arena *arena, const Finding *finding) {
  Finding copy = *finding;
  copy.subject = str_copy(arena, finding->subject);
  copy.message = str_copy(arena, finding->message);
  copy.annotation = str_copy(arena, finding->annotation);
  copy.help = copy_texts(arena, &finding->help);
  copy.notes = copy_texts(arena, &finding->notes);
  copy.labels = (Labels){0};
  for (uint32_t i = 0; i < finding->labels.len; i++) {
    Label label = finding->labels.data[i];
    label.text = str_copy(arena, label.text);
    vec_push(arena, &copy.labels, label);
  }
  copy.edits = (Edits){0};
  for (uint32_t i = 0; i < finding->edits.len; i++) {
    Edit edit = finding->edits.data[i];
    edit.text = str_copy(arena, edit.text);
    vec_push(arena, &copy.edits, edit);
  }
  return copy;
}

static FileTable file_table(Arena *scratch, const Project *project) {
  const Source **sources = arena_array(scratch, const Source *, project->module_count);
  for (uint32_t i = 0; i < project->module_count; i++) sources[i] = &project_module(project, i)->source;
  return (FileTable){sources, project->module_count};
}

void merge_findings(Arena *arena, const MergeInput *input, FoundVec *all, Findings *out) {
  Arena scratch = {0};
  if (all->len) qsort(all->data, all->len, sizeof *all->data, cmp_found);
  merge_groups(&scratch, all);
  const bool *outranked = find_outranked(&scratch, input, all);
  for (uint32_t i = 0; i < all->len; i++) {
    uint32_t rule = all->data[i].rule;
    bool selected = rule < input->selection.len && input->selection.enabled[rule];
    if (selected && !outranked[i]) vec_push(arena, out, copy_finding(arena, &all->data[i].finding));
  }
  FileTable files = file_table(&scratch, input->project);
  findings_sort(&files, out);
  arena_release(&scratch);
}

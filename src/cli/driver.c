/* The pipeline: project -> flow -> rules -> what was not analysed -> suppressions -> filter -> counts.
 *
 * Everything that lives as long as the outcome is in the analysis' own arena; project and flow own theirs and are released
 * with it.
 */
#include "cli/driver.h"

#include <stdlib.h>

#include "report/fingerprint.h"
#include "report/hygiene.h"
#include "report/suppress.h"
#include "rules/rule.h"

typedef struct Job {
  Analysis *analysis;
  const AnalysisRequest *request;
  Arena *arena;
  bool *enabled;   // per rule
  bool *reported;  // per module
} Job;

static void progress(const AnalysisRequest *request, const char *what) {
  if (request->progress) request->progress(request->progress_context, what);
}

/* ---- up to the fixpoint ---- */

/* Files that could not be read have no text, but findings about them need a source with a path. */
static void make_file_table(Analysis *analysis) {
  const Project *project = analysis->project;
  const Source **sources = arena_array(&analysis->arena, const Source *, project->module_count);
  for (uint32_t i = 0; i < project->module_count; i++) {
    const Module *module = project_module(project, i);
    sources[i] = &module->source;
    if (!module->read_error.len) continue;
    Source *empty = arena_new(&analysis->arena, Source);
    source_init(&analysis->arena, empty, module->path, S(""));
    sources[i] = empty;
  }
  analysis->files = (FileTable){sources, project->module_count};
}

void analysis_trace(Analysis *analysis, const AnalysisRequest *request) {
  ProjectOptions project_options = {.max_file_size = request->max_file_size, .jobs = request->jobs};
  if (request->limited) project_options.only = request->only;
  FlowOptions flow_options = {.jobs = request->jobs};
  analysis->symbols = sym_table_new();
  progress(request, "reading");
  analysis->project =
      project_load(analysis->symbols, request->catalog, request->fs, request->root, &request->files, &project_options);
  make_file_table(analysis);
  progress(request, "tracing");
  analysis->flow = flow_run(analysis->project, &flow_options);
}

/* ---- findings ---- */

static void run_rules(const Job *job) {
  RuleSelection selection = {job->enabled, catalog_rule_count(job->request->catalog)};
  progress(job->request, "checking");
  rules_run(job->arena, job->analysis->flow, job->request->catalog, selection, &job->analysis->all);
}

static bool is_enabled(const Job *job, Str code) {
  uint32_t rule = catalog_rule_index(job->request->catalog, code);
  return rule != UINT32_MAX && job->enabled[rule];
}

/* What was not analysed is always said, and a finding of its own if that rule is on. */
static void add_partial(const Job *job) {
  const Project *project = job->analysis->project;
  Findings ignored = {0}, *out = is_enabled(job, S("TF900")) ? &job->analysis->all : &ignored;
  for (uint32_t i = 0; i < project->module_count; i++) {
    const Module *module = project_module(project, i);
    Str error = module->read_error.len ? module->read_error : module->source.error ? module->source.error_text : S("");
    if (error.len) {
      vec_push(job->arena, &job->analysis->outcome.skipped, ((SkippedFile){module->path, error}));
      hygiene_unreadable(job->arena, job->request->catalog, i, error, out);
    } else if (module->ast) {
      hygiene_regions(job->arena, job->request->catalog, i, module->ast, out);
    }
  }
}

static void add_over_budget(const Job *job) {
  FuncRefs cut = {0};
  if (is_enabled(job, S("TF900"))) flow_over_budget(job->arena, job->analysis->flow, &cut);
  for (uint32_t i = 0; i < cut.len; i++) {
    const Function *function = project_function(job->analysis->project, cut.data[i]);
    hygiene_budget(job->arena, job->request->catalog, cut.data[i].module, function, &job->analysis->all);
  }
}

static void suppress(const Job *job) {
  Analysis *analysis = job->analysis;
  const Ast **asts = arena_array(job->arena, const Ast *, analysis->files.len);
  for (uint32_t i = 0; i < analysis->files.len; i++) asts[i] = project_module(analysis->project, i)->ast;
  SuppressInput input = {.catalog = job->request->catalog,
                         .enabled = job->enabled,
                         .files = analysis->files,
                         .asts = asts,
                         .reported = job->reported};
  findings_sort(&analysis->files, &analysis->all);
  suppress_apply(job->arena, &input, &analysis->all);
}

/* ---- the outcome ---- */

static void count_rule(const Job *job, const Finding *finding, StrMap *rules) {
  Outcome *outcome = &job->analysis->outcome;
  bool fresh;
  uint64_t *index = strmap_put(job->arena, rules, finding->code, &fresh);
  if (fresh) {
    *index = outcome->by_rule.len;
    vec_push(job->arena, &outcome->by_rule, ((RuleCount){finding->code, finding->name, 0}));
  }
  outcome->by_rule.data[*index].count++;
}

static void count_shown(const Job *job, const Finding *finding, StrMap *rules, Map *files) {
  Outcome *outcome = &job->analysis->outcome;
  outcome->errors += finding->level == LEVEL_ERROR;
  outcome->warnings += finding->level == LEVEL_WARNING;
  outcome->notes += finding->level == LEVEL_NOTE;
  bool fresh;
  map_put(job->arena, files, finding->place.file, &fresh);
  outcome->files_with_findings += fresh;
  count_rule(job, finding, rules);
}

static void take_finding(const Job *job, const Finding *finding, StrMap *rules, Map *files) {
  const AnalysisRequest *request = job->request;
  Outcome *outcome = &job->analysis->outcome;
  if (!job->reported[finding->place.file]) return;
  bool visible = finding->level >= request->min_level && finding->confidence >= request->min_confidence;
  if (finding->suppressed) {
    outcome->suppressed += visible;
    if (!request->show_suppressed) return;
  } else if (finding->confidence >= request->min_confidence && !visible && finding->level == LEVEL_NOTE) {
    outcome->hidden_notes++;
  } else if (!visible) {
    outcome->hidden_others++;
  }
  if (!visible) return;
  vec_push(job->arena, &outcome->findings, *finding);
  if (!finding->suppressed) count_shown(job, finding, rules, files);
}

static int rule_order(const void *a, const void *b) {
  return str_cmp(((const RuleCount *)a)->code, ((const RuleCount *)b)->code);
}

static int skipped_order(const void *a, const void *b) {
  return str_cmp(((const SkippedFile *)a)->path, ((const SkippedFile *)b)->path);
}

static void add_passed_over(const Job *job) {
  Outcome *outcome = &job->analysis->outcome;
  for (uint32_t i = 0; i < job->request->skipped.len; i++)
    vec_push(job->arena, &outcome->skipped, job->request->skipped.data[i]);
  if (outcome->skipped.len)
    qsort(outcome->skipped.data, outcome->skipped.len, sizeof *outcome->skipped.data, skipped_order);
}

static RunStats stats_of(const Job *job) {
  const Project *project = job->analysis->project;
  FlowStats flow = flow_stats(job->analysis->flow);
  RunStats stats = {.files_seen = project->files_seen + job->request->skipped.len,
                    .files_skipped = job->analysis->outcome.skipped.len,
                    .functions_traced = flow.functions_traced,
                    .roots = flow.roots,
                    .calls_resolved = flow.calls_resolved,
                    .calls_unknown = flow.calls_unknown,
                    .caps_hit = flow.caps_hit};
  for (uint32_t i = 0; i < project->module_count; i++) stats.files_parsed += project_module(project, i)->ast != NULL;
  return stats;
}

static int blind_order(const void *left, const void *right) {
  const BlindCount *a = left, *b = right;
  return a->count != b->count ? (a->count > b->count ? -1 : 1) : str_cmp(a->reason, b->reason);
}

static void count_blind_spots(const Job *job) {
  Outcome *outcome = &job->analysis->outcome;
  Arena scratch = {0};
  BlindSpots spots = {0};
  StrMap places = {0};
  flow_blind_spots(&scratch, job->analysis->flow, &spots);
  for (uint32_t i = 0; i < spots.len; i++) {
    bool fresh;
    uint64_t *place = strmap_put(&scratch, &places, spots.data[i].reason, &fresh);
    if (fresh) {
      *place = outcome->blind_spots.len;
      vec_push(job->arena, &outcome->blind_spots, ((BlindCount){spots.data[i].reason, 0}));
    }
    outcome->blind_spots.data[*place].count++;
  }
  if (outcome->blind_spots.len)
    qsort(outcome->blind_spots.data, outcome->blind_spots.len, sizeof *outcome->blind_spots.data, blind_order);
  arena_release(&scratch);
}

static void finish_outcome(const Job *job) {
  Analysis *analysis = job->analysis;
  Outcome *outcome = &analysis->outcome;
  StrMap rules = {0};
  Map files = {0};
  outcome->version = job->request->version;
  outcome->root = job->request->root;
  outcome->files = analysis->files;
  outcome->complete = true;
  for (uint32_t i = 0; i < analysis->all.len; i++) take_finding(job, &analysis->all.data[i], &rules, &files);
  outcome->fingerprints = fingerprints_make(job->arena, &analysis->files, &outcome->findings);
  if (outcome->by_rule.len)
    qsort(outcome->by_rule.data, outcome->by_rule.len, sizeof *outcome->by_rule.data, rule_order);
  add_passed_over(job);
  outcome->stats = stats_of(job);
  count_blind_spots(job);
}

static int str_order(const void *a, const void *b) { return str_cmp(*(const Str *)a, *(const Str *)b); }

static void prepare(Job *job) {
  const AnalysisRequest *request = job->request;
  uint32_t rules = catalog_rule_count(request->catalog), modules = job->analysis->project->module_count;
  job->enabled = arena_array(job->arena, bool, rules);
  for (uint32_t i = 0; i < rules; i++) job->enabled[i] = !request->enabled || request->enabled[i];
  job->reported = arena_array(job->arena, bool, modules);
  for (uint32_t i = 0; i < modules; i++) {
    Str path = project_module(job->analysis->project, i)->path;
    const StrList *only = &request->only;
    job->reported[i] =
        !request->limited || (only->len && bsearch(&path, only->data, only->len, sizeof *only->data, str_order));
  }
}

void analysis_run(Analysis *analysis, const AnalysisRequest *request) {
  Job job = {.analysis = analysis, .request = request, .arena = &analysis->arena};
  analysis_trace(analysis, request);
  prepare(&job);
  run_rules(&job);
  add_partial(&job);
  add_over_budget(&job);
  suppress(&job);
  finish_outcome(&job);
}

void analysis_release(Analysis *analysis) {
  if (analysis->flow) flow_release(analysis->flow);
  if (analysis->project) project_release(analysis->project);
  if (analysis->symbols) sym_table_release(analysis->symbols);
  arena_release(&analysis->arena);
  *analysis = (Analysis){0};
}

const Module *analysis_module(const Analysis *analysis, Str path) {
  uint64_t *id = strmap_get(&analysis->project->by_path, path);
  return id ? project_module(analysis->project, (ModuleId)(*id - 1)) : NULL;
}

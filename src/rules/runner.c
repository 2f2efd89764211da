/* Runs rules over the emit walk.
 *
 * Requires: a finished Flow. The plan says who listens to which kind of event; it is made once and read by all workers. Each
 * worker collects findings and deferred records in its own context; afterwards one more context takes the deferred ones of
 * all workers in the order of instances, and the rules' `end` hooks run on it. Which worker walked an instance therefore
 * makes no difference to what is found.
 */
#include <stdlib.h>

#include "base/panic.h"
#include "rules/match.h"
#include "rules/run.h"

/* ---- who runs ---- */

static bool is_selected(RuleSelection selection, uint32_t rule) {
  return rule < selection.len && selection.enabled[rule];
}

/* Selected, or able to silence one that is: precedence must not depend on the selection. */
static bool is_needed(const Catalog *catalog, RuleSelection selection, uint32_t rule) {
  if (is_selected(selection, rule)) return true;
  Str id = catalog_rule(catalog, rule)->id;
  for (uint32_t i = 0; i < catalog_rule_count(catalog); i++) {
    if (is_selected(selection, i) && catalog_outranks(catalog, id, catalog_rule(catalog, i)->id)) return true;
  }
  return false;
}

static const RuleCheck *find_check(Str name) {
  for (uint32_t i = 0; i < rule_registry_len; i++) {
    if (str_eq(rule_registry[i]->name, name)) return rule_registry[i];
  }
  return NULL;
}

static void plan_coded(Arena *arena, RunPlan *plan, const RuleCheck *check) {
  for (uint32_t kind = 0; kind < EV_KINDS; kind++) {
    if (check->events & ON_EVENT(kind)) vec_push(arena, &plan->coded[kind], check);
  }
}

static void plan_declarative(Arena *arena, RunPlan *plan, uint32_t rule) {
  const RulePage *page = catalog_rule(plan->catalog, rule);
  for (uint32_t kind = 0; kind < EV_KINDS; kind++) {
    bool wanted = false;
    for (uint32_t i = 0; i < page->match_len; i++) wanted |= match_wants(&page->matches[i], (EventKind)kind);
    if (wanted) vec_push(arena, &plan->declarative[kind], rule);
  }
}

/* A constant of catalog_ids.h is an index of the built-in catalogue; the one in use may hold users' rules in between. */
static void plan_indices(RunPlan *plan) {
  const Catalog *builtin = catalog_builtin();
  for (uint32_t i = 0; i < RULE_COUNT; i++)
    plan->rule_index[i] = catalog_rule_index(plan->catalog, catalog_rule(builtin, i)->id);
}

static void plan_make(Arena *arena, RunPlan *plan, RuleSelection selection) {
  plan_indices(plan);
  for (uint32_t i = 0; i < catalog_rule_count(plan->catalog); i++) {
    if (!is_needed(plan->catalog, selection, i)) continue;
    const RulePage *page = catalog_rule(plan->catalog, i);
    const RuleCheck *check = page->check.len ? find_check(page->check) : NULL;
    if (check) plan_coded(arena, plan, check);
    if (page->match_len) plan_declarative(arena, plan, i);
  }
}

/* ---- events ---- */

typedef struct Run {
  RunPlan plan;
  RuleContext *workers;
} Run;

static void on_event(void *context, uint32_t worker, const Event *event) {
  Run *run = context;
  RuleContext *ctx = &run->workers[worker];
  const RunPlan *plan = &run->plan;
  for (uint32_t i = 0; i < plan->coded[event->kind].len; i++) plan->coded[event->kind].data[i]->event(ctx, event);
  for (uint32_t i = 0; i < plan->declarative[event->kind].len; i++)
    match_report(ctx, plan->declarative[event->kind].data[i], event);
  arena_reset(&ctx->scratch, (ArenaMark){0});
}

/* ---- what waits for the end ---- */

void rule_defer(RuleContext *ctx, const RuleCheck *rule, const Event *event, const void *record, size_t size) {
  void *copy = arena_alloc(&ctx->arena, size, _Alignof(max_align_t), 1);
  memcpy(copy, record, size);
  const Frame *frame = event->frame;
  DeferredRecord entry = {rule, {copy, frame->module->id, frame->instance, frame->context}};
  vec_push(&ctx->arena, &ctx->deferred, entry);
}

DeferredSet rule_deferred(RuleContext *ctx, const RuleCheck *rule) {
  VEC(Deferred) own = {0};
  for (uint32_t i = 0; i < ctx->deferred.len; i++) {
    if (ctx->deferred.data[i].rule == rule) vec_push(&ctx->arena, &own, ctx->deferred.data[i].deferred);
  }
  return (DeferredSet){own.data, own.len};
}

typedef struct DeferredPlace {
  InstanceId instance;
  uint32_t worker, at;
} DeferredPlace;

/* One worker walks one instance from its beginning to its end, so the order within an instance is that of the walk. */
static int by_instance(const void *a, const void *b) {
  const DeferredPlace *x = a, *y = b;
  if (x->instance != y->instance) return x->instance < y->instance ? -1 : 1;
  if (x->worker != y->worker) return x->worker < y->worker ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static void gather_deferred(RuleContext *last, const Run *run, uint32_t workers) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < workers; w++) count += run->workers[w].deferred.len;
  DeferredPlace *order = arena_array(&last->arena, DeferredPlace, count);
  uint32_t len = 0;
  for (uint32_t w = 0; w < workers; w++) {
    const DeferredVec *from = &run->workers[w].deferred;
    for (uint32_t i = 0; i < from->len; i++) order[len++] = (DeferredPlace){from->data[i].deferred.instance, w, i};
  }
  if (len) qsort(order, len, sizeof *order, by_instance);
  for (uint32_t i = 0; i < len; i++)
    vec_push(&last->arena, &last->deferred, run->workers[order[i].worker].deferred.data[order[i].at]);
}

/* Every coded rule may have an end, and each has it once; some ask the indexes only and listen to nothing. */
static void run_ends(RuleContext *last) {
  const RunPlan *plan = last->plan;
  for (uint32_t i = 0; i < rule_registry_len; i++) {
    const RuleCheck *check = rule_registry[i];
    bool planned = !check->events;
    for (uint32_t kind = 0; kind < EV_KINDS && !planned; kind++) {
      for (uint32_t j = 0; j < plan->coded[kind].len; j++) planned |= plan->coded[kind].data[j] == check;
    }
    if (planned && check->end) check->end(last);
  }
}

static void take_found(RuleContext *last, const RuleContext *from) {
  for (uint32_t i = 0; i < from->found.len; i++) vec_push(&last->arena, &last->found, from->found.data[i]);
}

void rules_run(Arena *arena, const Flow *flow, const Catalog *catalog, RuleSelection selection, Findings *out) {
  Arena scratch = {0};
  uint32_t workers = flow_jobs(flow);
  Run run = {.plan = {.flow = flow, .project = flow_project(flow), .catalog = catalog}};
  plan_make(&scratch, &run.plan, selection);
  run.workers = arena_array(&scratch, RuleContext, workers + 1);
  for (uint32_t i = 0; i <= workers; i++) run.workers[i].plan = &run.plan;
  flow_emit(flow, on_event, &run);

  RuleContext *last = &run.workers[workers];
  gather_deferred(last, &run, workers);
  run_ends(last);
  for (uint32_t i = 0; i < workers; i++) take_found(last, &run.workers[i]);
  MergeInput input = {run.plan.project, catalog, selection};
  merge_findings(arena, &input, &last->found, out);
  for (uint32_t i = 0; i <= workers; i++) {
    arena_release(&run.workers[i].arena);
    arena_release(&run.workers[i].scratch);
  }
  arena_release(&scratch);
}

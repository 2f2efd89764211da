/* When eager code runs, seen from the first trace: what stands behind a call that traced something runs later than the trace.
 *
 *   agent.train(x)       # traced code runs below this call
 *   agent.freeze()       # so what freeze() writes is written later than the trace
 *
 * Order is that of the text of one function, and of its callers' texts around it; loops are a matter of contexts (CTX_IN_LOOP).
 * Requires the records of the last walks. Knows no order between functions that nothing visible calls.
 */
#include "flow/walk.h"

enum { TIME_LATER = 1, TIME_OPEN = 2, TIME_QUEUED = 4 };

typedef struct Caller {
  InstanceId id;
  uint32_t at, next;  // `next`: index + 1 of the callee's next caller
} Caller;

typedef struct Build {
  const struct Flow *flow;
  Timeline timeline;
  VEC(Caller) callers;
  uint32_t *first_caller;  // by callee: index + 1
  VEC(InstanceId) stack;
  Arena *arena;
} Build;

static bool is_eager(const Instance *instance) {
  return instance->reachable && instance->kind == INSTANCE_FUNCTION && !ctx_traced(instance->context);
}

static void push(Build *build, InstanceId id) {
  if (build->timeline.flags[id] & TIME_QUEUED) return;
  build->timeline.flags[id] |= TIME_QUEUED;
  vec_push(build->arena, &build->stack, id);
}

static InstanceId pop(Build *build) {
  InstanceId id = build->stack.data[--build->stack.len];
  build->timeline.flags[id] &= (uint8_t)~TIME_QUEUED;
  return id;
}

static void collect_callers(Build *build) {
  for (InstanceId i = 0; i < build->timeline.len; i++) {
    const Instance *instance = build->flow->instances.data[i];
    for (uint32_t c = 0; is_eager(instance) && c < instance->records.callees.len; c++) {
      Callee callee = instance->records.callees.data[c];
      if (!is_eager(build->flow->instances.data[callee.id])) continue;
      vec_push(build->arena, &build->callers, ((Caller){i, callee.at, build->first_caller[callee.id]}));
      build->first_caller[callee.id] = build->callers.len;
    }
  }
}

static bool lower(uint32_t *least, uint32_t at) {
  bool is_lower = at < *least;
  if (is_lower) *least = at;
  return is_lower;
}

/* From the calls that trace up to everybody who makes them. */
static void find_first_runs(Build *build) {
  uint32_t *first_run = build->timeline.first_run;
  for (InstanceId i = 0; i < build->timeline.len; i++) {
    const Instance *instance = build->flow->instances.data[i];
    first_run[i] = UINT32_MAX;
    for (uint32_t r = 0; is_eager(instance) && r < instance->records.runs.len; r++) {
      lower(&first_run[i], instance->records.runs.data[r]);
    }
    if (first_run[i] != UINT32_MAX) push(build, i);
  }
  while (build->stack.len) {
    for (uint32_t next = build->first_caller[pop(build)]; next; next = build->callers.data[next - 1].next) {
      const Caller *caller = &build->callers.data[next - 1];
      bool traced_before = first_run[caller->id] != UINT32_MAX;
      if (lower(&first_run[caller->id], caller->at) && !traced_before) push(build, caller->id);
    }
  }
}

static bool is_entry(const struct Flow *flow, const Instance *instance) {
  bool is_test = project_module(flow->project, instance->func.module)->is_test;
  return instance->seeded && (instance->func.index != 0 || is_test);
}

/* From the entries and the first runs down to everything that they call. */
static void spread_flags(Build *build) {
  Timeline *timeline = &build->timeline;
  for (InstanceId i = 0; i < timeline->len; i++) {
    const Instance *instance = build->flow->instances.data[i];
    if (!is_eager(instance)) continue;
    if (is_entry(build->flow, instance)) timeline->flags[i] |= TIME_OPEN;
    if (timeline->flags[i] || timeline->first_run[i] != UINT32_MAX) push(build, i);
  }
  while (build->stack.len) {
    InstanceId id = pop(build);
    const Records *records = &build->flow->instances.data[id]->records;
    for (uint32_t c = 0; c < records->callees.len; c++) {
      Callee callee = records->callees.data[c];
      if (!is_eager(build->flow->instances.data[callee.id])) continue;
      uint8_t given = timeline->flags[id] & TIME_OPEN;
      if (timeline_is_later(timeline, id, callee.at)) given |= TIME_LATER;
      if ((timeline->flags[callee.id] | given) == timeline->flags[callee.id]) continue;
      timeline->flags[callee.id] |= given;
      push(build, callee.id);
    }
  }
}

Timeline timeline_build(Arena *arena, const struct Flow *flow) {
  Build build = {.flow = flow, .arena = arena, .timeline = {.len = flow->instances.len}};
  build.timeline.first_run = arena_array(arena, uint32_t, flow->instances.len);
  build.timeline.flags = arena_array(arena, uint8_t, flow->instances.len);
  build.first_caller = arena_array(arena, uint32_t, flow->instances.len);
  collect_callers(&build);
  find_first_runs(&build);
  spread_flags(&build);
  return build.timeline;
}

bool timeline_is_later(const Timeline *timeline, InstanceId instance, uint32_t at) {
  return (timeline->flags[instance] & TIME_LATER) || timeline->first_run[instance] < at;
}

bool timeline_is_open(const Timeline *timeline, InstanceId instance) {
  return (timeline->flags[instance] & TIME_OPEN) != 0;
}

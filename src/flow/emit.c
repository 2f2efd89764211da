/* The emit walk: every reachable instance once more, against the frozen state, telling what happens to a sink. */
#include "base/par.h"
#include "flow/walk.h"

typedef struct Emit {
  struct Flow *flow;
  InstanceId *ids;
  EventSink *sink;
  void *context;
} Emit;

static void emit_one(void *context, uint32_t item, uint32_t worker) {
  const Emit *emit = context;
  Arena arena = {0};
  WalkOut out = {.arena = &arena};
  Listener listener = {.sink = emit->sink, .context = emit->context, .worker = worker};
  walk_instance(emit->flow, emit->flow->instances.data[emit->ids[item]], &out, &arena, &listener);
  arena_release(&arena);
}

void flow_emit(const Flow *flow, EventSink *sink, void *context) {
  Arena arena = {0};
  Emit emit = {.flow = (struct Flow *)flow, .sink = sink, .context = context};
  emit.ids = arena_array(&arena, InstanceId, flow->instances.len + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    const Instance *instance = flow->instances.data[i];
    if (instance->reachable && instance->kind == INSTANCE_FUNCTION) emit.ids[count++] = i;
  }
  par_for(count, flow->options.jobs, emit_one, &emit);
  arena_release(&arena);
}

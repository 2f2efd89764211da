/* Looking into a finished analysis: chains from roots, instances, values by line, blind spots. */
#include <stdlib.h>

#include "flow/walk.h"

/* ---- chains ---- */

Chain flow_chain(Arena *arena, const Flow *flow, InstanceId instance) {
  VEC(ChainStep) steps = {0};
  InstanceId at = instance;
  for (uint32_t guard = 0; at != NO_INSTANCE && guard <= flow->instances.len; guard++) {
    const Instance *one = flow->instances.data[at];
    if (one->kind != INSTANCE_FUNCTION) break;
    const Witness *witness = &one->witness;
    if (witness->caller == NO_INSTANCE && witness->root == ROOT_NONE) break;
    vec_push(arena, &steps, ((ChainStep){witness->module, witness->span, one->func, witness->root, witness->api}));
    if (witness->root != ROOT_NONE) break;
    at = witness->caller;
  }
  for (uint32_t i = 0; i < steps.len / 2; i++) {
    ChainStep step = steps.data[i];
    steps.data[i] = steps.data[steps.len - 1 - i];
    steps.data[steps.len - 1 - i] = step;
  }
  return (Chain){steps.data, steps.len};
}

/* ---- instances ---- */

InstanceInfo flow_instance(const Flow *flow, InstanceId id) {
  const Instance *instance = flow->instances.data[id];
  InstanceInfo info = {.id = id,
                       .func = instance->func,
                       .context = instance->context,
                       .params = instance->params,
                       .param_len = instance->param_len,
                       .result = instance->result};
  if (instance->receiver.module != NO_MODULE) info.receiver = project_class_info(flow->project, instance->receiver);
  return info;
}

bool flow_is_called(const Flow *flow, FuncRef func) {
  if (func.index == 0) return true;  // a module body runs
  const Instance *instance = instance_of_func(flow, func);
  for (; instance; instance = instance_next_of_func(flow, instance)) {
    if (instance->reachable && !instance->seeded && instance->kind == INSTANCE_FUNCTION) return true;
  }
  return false;
}

const InstanceId *flow_instances_of(Arena *arena, const Flow *flow, FuncRef func) {
  VEC(InstanceId) ids = {0};
  const Instance *instance = instance_of_func(flow, func);
  for (; instance; instance = instance_next_of_func(flow, instance)) {
    if (instance->reachable && instance->kind == INSTANCE_FUNCTION) vec_push(arena, &ids, instance->id);
  }
  for (uint32_t i = 0; i < ids.len / 2; i++) {  // newest first so far
    InstanceId older = ids.data[ids.len - 1 - i];
    ids.data[ids.len - 1 - i] = ids.data[i];
    ids.data[i] = older;
  }
  vec_push(arena, &ids, NO_INSTANCE);
  return ids.data;
}

/* ---- values by line ---- */

static void add_line(Walker *w, uint32_t line, Sym name, const Value *value) {
  if (!value || !value->kinds || !name) return;
  LineValues *lines = w->listener->lines;
  LineValue entry = {w->module->id, line, name, value_deep_copy(w->listener->context, value), w->context};
  vec_push((Arena *)w->listener->context, lines, entry);
}

void collect_line(Walker *w, const Stmt *stmt) {
  uint32_t line = source_line_of(&w->module->source, stmt->span.end ? stmt->span.end - 1 : 0);
  const Scope *scope = w->function->scope;
  for (uint32_t i = 0; i < scope->bindings.len; i++) {
    const Binding *binding = &scope->bindings.data[i];
    if (w->function->is_module) {
      add_line(w, line, binding->name, w->env->globals[i]);
    } else if (binding->slot != UINT32_MAX && binding->slot < scope->slot_count) {
      add_line(w, line, binding->name, w->env->slots[binding->slot]);
    }
  }
}

void flow_line_values(Arena *arena, const Flow *flow, ModuleId module, LineValues *out) {
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    Instance *instance = flow->instances.data[i];
    if (instance->func.module != module || !instance->reachable || instance->kind != INSTANCE_FUNCTION) continue;
    Arena scratch = {0};
    WalkOut walk = {.arena = &scratch};
    Listener listener = {.context = arena, .lines = out};
    walk_instance((struct Flow *)flow, instance, &walk, &scratch, &listener);
    arena_release(&scratch);
  }
}

void flow_blind_spots(Arena *arena, const Flow *flow, BlindSpots *out) {
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    const Instance *instance = flow->instances.data[i];
    for (uint32_t b = 0; instance->reachable && b < instance->records.blind.len; b++) {
      vec_push(arena, out, instance->records.blind.data[b]);
    }
  }
}

/* ---- what was cut short ---- */

static int func_order(const void *left, const void *right) {
  const FuncRef *a = left, *b = right;
  if (a->module != b->module) return a->module < b->module ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

void flow_over_budget(Arena *arena, const Flow *flow, FuncRefs *out) {
  Map known = {0};
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    const Instance *instance = flow->instances.data[i];
    bool fresh = false;
    if (instance->over_budget && instance->reachable) map_put(arena, &known, func_key(instance->func), &fresh);
    if (fresh) vec_push(arena, out, instance->func);
  }
  if (out->len) qsort(out->data, out->len, sizeof *out->data, func_order);
}

/* Events: handing them out, and the questions rules ask about where an event happens. */
#include "flow/walk.h"

bool listening(const Walker *w) { return w->listener && w->listener->sink && !w->silent; }

/* A call or operator that records something in the graph, as far as its operands tell. */
static bool makes_op(const Event *event) {
  if (event->kind != EV_CALL && event->kind != EV_OPERATOR) return false;
  if (event->result && value_has(event->result, KIND(TENSOR) | KIND(VARIABLE))) return true;
  if (event->kind != EV_CALL || !event->args || str_starts(event->api_name, S("builtins."))) return false;
  for (uint32_t i = 0; i < event->args->len; i++) {
    if (value_has(event->args->values[i], KIND(TENSOR))) return true;
  }
  return false;
}

void emit_event(Walker *w, Event *event) {
  if (!listening(w)) return;
  w->frame.regions = w->regions.data;
  w->frame.region_len = w->regions.len;
  w->frame.stmt = w->stmt;
  event->frame = &w->frame;
  w->ops += makes_op(event);
  if (!event->stmt) event->stmt = w->stmt;
  w->listener->sink(w->listener->context, w->listener->worker, event);
}

static const Region *find_region(const Region *regions, uint32_t len, RegionKind kind) {
  for (uint32_t i = len; i > 0; i--) {
    if (regions[i - 1].kind == kind) return &regions[i - 1];
  }
  return NULL;
}

const Region *frame_region(const Frame *frame, RegionKind kind) {
  return find_region(frame->regions, frame->region_len, kind);
}

const Region *frame_region_of(const Walker *w, RegionKind kind) {
  return find_region(w->regions.data, w->regions.len, kind);
}

bool in_python_loop(const Walker *w) {
  return (w->context & CTX_IN_LOOP) || frame_region_of(w, REGION_PYTHON_LOOP) ||
         frame_region_of(w, REGION_COMPREHENSION);
}

bool frame_guarded(const Frame *frame) {
  return (frame->context & CTX_GUARDED) || frame_region(frame, REGION_GUARD) != NULL;
}

static const struct {
  RegionKind region;
  SituationSet situation;
} region_words[] = {
    {REGION_TENSOR_BRANCH, SITUATION(TENSOR_BRANCH)}, {REGION_TENSOR_LOOP, SITUATION(TENSOR_LOOP)},
    {REGION_DATASET_LOOP, SITUATION(TENSOR_LOOP)},    {REGION_PYTHON_LOOP, SITUATION(PYTHON_LOOP)},
    {REGION_COMPREHENSION, SITUATION(COMPREHENSION)}, {REGION_INIT_SCOPE, SITUATION(INIT_SCOPE_BODY)},
    {REGION_STATIC_BRANCH, SITUATION(STATIC_BRANCH)},
};

SituationSet frame_situations(const Frame *frame) {
  Context context = frame->context;
  SituationSet set = ctx_traced(context) ? SITUATION(TRACED) : SITUATION(EAGER);
  if (context & CTX_JIT) set |= SITUATION(JIT);
  if (ctx_traced(context) && (context & CTX_AUTOGRAPH_OFF)) set |= SITUATION(AUTOGRAPH_OFF);
  if (context & CTX_TENSOR_BRANCH) set |= SITUATION(TENSOR_BRANCH);
  if (context & CTX_TENSOR_LOOP) set |= SITUATION(TENSOR_LOOP);
  if (context & CTX_INIT_SCOPE) set |= SITUATION(INIT_SCOPE_BODY);
  if (frame_guarded(frame)) set |= SITUATION(GUARDED_ONCE);
  if (frame->module->is_test) set |= SITUATION(TEST_CODE);
  for (size_t i = 0; i < sizeof region_words / sizeof *region_words; i++) {
    if (frame_region(frame, region_words[i].region)) set |= region_words[i].situation;
  }
  return set;
}

Confidence frame_confidence(const Frame *frame, const Value *value) {
  if (frame->context & CTX_UNSURE) return CONF_LIKELY;
  if (value && (value->flags & VF_LIKELY)) return CONF_LIKELY;
  return CONF_CERTAIN;
}

const Value *event_lookup(const Event *event, Sym local) {
  const Walker *w = event->frame->walker;
  const Scope *scope = w->function->scope;
  const Binding *binding = scope_find(scope, local);
  if (!binding) return NULL;
  if (binding->slot != UINT32_MAX && binding->slot < scope->slot_count) return w->env->slots[binding->slot];
  if (!w->function->is_module) return NULL;
  return w->env->globals[(uint32_t)(binding - scope->bindings.data)];
}

const Value *event_side(const Event *event, uint32_t side, const FlowPlace *place) {
  const Walker *w = event->frame->walker;
  const Env *env = event->sides[side];
  if (!env || env->dead) return NULL;
  if (place->slot != UINT32_MAX) return place->slot < w->function->scope->slot_count ? env->slots[place->slot] : NULL;
  uint64_t root, key;
  return place->example && path_key(w, place->example, &root, &key) ? env_fact(env, key) : NULL;
}

const FunctionFacts *event_function_facts(const Event *event) { return event->frame->walker->facts; }

const StmtFacts *event_facts(const Event *event, const Stmt *stmt, uint32_t arm) {
  const FunctionFacts *facts = event->frame->walker->facts;
  return facts ? facts_of(facts, stmt, arm) : NULL;
}

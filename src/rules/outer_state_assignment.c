/* TF304: a Python value is assigned to a global, a captured name or an attribute while tracing, not on each call.
 *
 * A tensor stored there is TF307. An assignment that only the rest of the same call reads does what it says, in each trace; a
 * counter (`+=`) never does. What a create-once guard sets is meant to be set once, what is put back in the end was never meant
 * to last.
 */
#include "rules/effect.h"
#include "sema/dynamic_scope.h"

/* Values that Python computes while tracing. Objects with state of their own (variables, layers) belong to other rules. */
static bool is_python_value(const Value *value) {
  KindSet python =
      KINDS_PYTHON_SCALAR | KIND(NONE) | KIND(ARRAY) | KINDS_CONTAINER | KIND(DIM) | KIND(SHAPE) | KIND(HOST_RNG);
  return value && value->kinds && value_is(value, python);
}

static bool is_assignment(const Event *event) {
  bool binds = event->store == STORE_ASSIGN || event->store == STORE_AUG || event->store == STORE_UNPACK;
  return binds && event->outlives && (event->target->kind == EXPR_NAME || event->target->kind == EXPR_ATTR);
}

static bool in_place_on_container(const Event *event) {
  return event->store == STORE_AUG && event->operands[0]->kinds && value_is(event->operands[0], KINDS_CONTAINER);
}

/* `v += x` on a variable or tensor is another fault, told elsewhere. */
static const Value *assigned_value(const Event *event) {
  if (event->store != STORE_AUG) return event->value;
  KindSet numbers = KINDS_PYTHON_SCALAR | KIND(DIM);
  bool counts = event->operands[0]->kinds && value_is(event->operands[0], numbers);
  return counts && !effect_is_symbolic(event->operands[1]) ? event->operands[0] : NULL;
}

static uint32_t choose_variant(const Event *event) {
  if (event->store == STORE_AUG) return TF304_COUNTER;
  return event->target->kind == EXPR_NAME ? TF304_NAME : TF304_DEFAULT;
}

/* `self.size = 3` in a traced `__init__`: each object is traced, and set up, once. */
static bool sets_up_self(const Event *event) {
  const Function *function = event->frame->function;
  return event->target->kind == EXPR_ATTR && function->owner && sym_is(function->name, S("__init__"));
}

/* `self.busy = True` … `self.busy = False`: set for a while, and set back in the same call. */
static bool is_set_back(RuleContext *ctx, const Event *event, const Value *value) {
  if (value->konst != KONST_BOOL || event->store != STORE_ASSIGN) return false;
  WriteSet writes = flow_writes(rule_flow(ctx), event->var);
  for (uint32_t i = 0; i < writes.len; i++) {
    const WriteRecord *other = &writes.data[i];
    bool same = func_eq(other->func, event->frame->ref);
    bool back = other->kind == WRITE_ASSIGN && other->value && other->value->konst == KONST_BOOL;
    if (same && back && other->value->constant.i != value->constant.i) return true;
  }
  return false;
}

/* Kept for whoever asks about the last call, and nobody visible does: flags that were handed on, static shapes, which belong to
 * the trace, and containers of what is not known. */
static bool is_bookkeeping(RuleContext *ctx, const Value *value) {
  if (value->flags & (VF_FLAG | VF_MADE_BY_PARAM)) return true;
  const Value *held = value_is(value, KINDS_CONTAINER) ? value_held(rule_scratch(ctx), value) : value;
  return held->kinds && (value_is_unknown(held) || value_is(held, KIND(SHAPE) | KIND(DIM)));
}

static void on_store(RuleContext *ctx, const Event *event) {
  if (!is_assignment(event) || !effect_frozen(event) || frame_guarded(event->frame) || in_place_on_container(event))
    return;
  if (sets_up_self(event) || is_dynamic_scope(event->frame->function, event->target)) return;
  const Value *value = assigned_value(event);
  if (!is_python_value(value) || effect_is_symbolic(value)) return;
  bool counts = event->store == STORE_AUG || (value->flags & VF_CHANGING);
  const ReadRecord *read = NULL;
  Span statement = event->stmt ? event->stmt->span : event->span;
  if (event->var.kind != VAR_NONE) {
    if (is_set_back(ctx, event, value)) return;
    PlaceUse use = effect_use(ctx, event, event->var, statement, &read);
    if (!counts && (use == USE_SAME_CALL || (use == USE_NONE && is_bookkeeping(ctx, value)))) return;
  }
  Report report = {.rule = RULE_TF304,
                   .variant = choose_variant(event),
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->receiver),
                   .subject = rule_text(ctx, event, event->target)};
  report_fill(&report, S("place"), report.subject);
  if (read) report_label(&report, rule_label(ROLE_NOTE, read->module, read->span, S("read here")));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_outer_state_assignment = {
    .name = S_INIT("outer_state_assignment"),
    .events = ON_EVENT(EV_STORE),
    .event = on_store,
};

/* Host state decides a trace only if the project changes it later; a flag that nothing changes is configuration. Another trace
 * comes of a Python number or text among the arguments, or of a tensor of another shape where no signature forbids it.
 */
#include "rules/late_state.h"

/* ---- passing by ---- */

static bool state_changes(RuleContext *ctx, const Value *condition) {
  if (!condition || condition->home.kind == VAR_NONE) return false;
  Change change = flow_change(rule_flow(ctx), condition->home, NULL);
  return change == CHANGE_CONTENTS || change == CHANGE_REBOUND;
}

LateSkip late_skip(RuleContext *ctx, const Event *event) {
  const Frame *frame = event->frame;
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    bool is_exit = region->kind == REGION_AFTER_EXIT && region->exit_was_frozen;
    if (!region->stmt || !region->value || (!is_exit && region->kind != REGION_FROZEN_BRANCH)) continue;
    bool is_state = state_changes(ctx, region->value), is_argument = (region->value->flags & VF_MADE_BY_PARAM) != 0;
    if (!is_state && !is_argument) continue;
    return (LateSkip){.stmt = region->stmt, .module = frame->module->id, .is_exit = is_exit, .is_state = is_state};
  }
  return (LateSkip){0};
}

/* ---- tracing again ---- */

static bool is_python_value(const Value *value) { return value_is(value, KIND(NUMBER) | KIND(TEXT)); }

static LateCause cause_of_call(RuleContext *ctx, const CallRecord *call) {
  LateCause cause = {.module = call->module, .span = call->span};
  for (uint32_t i = 0; i < call->args->len; i++) {
    const Value *value = call->args->values[i];
    if (is_python_value(value) && !call->traced->trace->has_signature) {
      cause.kind = CAUSE_NUMBER;
      const Ast *ast = project_module(flow_project(rule_flow(ctx)), call->module)->ast;
      Str text = call->args->exprs[i] ? expr_text(rule_scratch(ctx), ast, call->args->exprs[i], 60) : S("");
      cause.text = str_printf(rule_scratch(ctx), "each new value of `%.*s` traces again", STR_ARG(text));
      return cause;
    }
    bool is_data = value_is(value, KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(ARRAY)) || value_is_unknown(value);
    if (is_data && !call->traced->trace->has_signature) cause.kind = CAUSE_SHAPE;
  }
  return cause;
}

/* Parameters without any visible call: what they hold is not known, so another trace is possible. */
static bool takes_data(const Function *function) {
  uint32_t own = function->owner ? 1 : 0;
  return function->param_len > own;
}

LateCause late_cause(RuleContext *ctx, const LateSkip *skip, FuncRef root) {
  const Function *function = project_function(flow_project(rule_flow(ctx)), root);
  CallSet calls = flow_traced_calls(rule_flow(ctx), root);
  LateCause best = {0};
  bool seen = false;
  for (uint32_t i = 0; i < calls.len; i++) {
    if (ctx_traced(calls.data[i].context)) continue;
    seen = true;
    LateCause cause = cause_of_call(ctx, &calls.data[i]);
    if (cause.kind > best.kind) best = cause;
  }
  if (!seen && takes_data(function)) best.kind = CAUSE_SHAPE;
  if (!skip->is_state && best.kind == CAUSE_NOTHING) best.kind = CAUSE_SHAPE;  // the argument itself makes traces
  return best;
}

/* TF204: a symbolic tensor or a variable is asked for its value while tracing: `.numpy()`, `.item()`, `K.get_value(t)`.
 *
 * Not meant are concrete tensors captured from outside, whose value exists, and variables under `tf.init_scope`, where they
 * can be read. What an earlier fault left behind says nothing more.
 */
#include "rules/rule.h"

static bool has_no_value(const Event *event, const Value *value) {
  if (!value || (value->flags & VF_TAINTED)) return false;
  if (value_is_tensor(value)) return true;
  bool lifted = (event->frame->context & CTX_INIT_SCOPE) || frame_region(event->frame, REGION_INIT_SCOPE);
  return !lifted && value_is(value, KIND(VARIABLE) | KIND(TENSOR));
}

static const Expr *callee_of(const Event *event) {
  return event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !(event->api->tags & TAG(TO_HOST)) || !ctx_traced(event->frame->context)) return;
  const Expr *callee = callee_of(event);
  bool is_method = has_no_value(event, event->receiver);
  const Value *first = event->args ? args_get(event->args, 0, S("x")) : NULL;
  if (!is_method && !has_no_value(event, first)) return;
  const Value *value = is_method ? event->receiver : first;
  const Expr *object = is_method && callee->kind == EXPR_ATTR ? callee->u.attr.value : NULL;
  if (!is_method) object = args_expr(event->args, 0, S("x"));

  Report report = {.rule = RULE_TF204,
                   .variant = !is_method               ? TF204_FUNCTION
                              : value_is_tensor(value) ? TF204_DEFAULT
                                                       : TF204_ON_VARIABLE,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, value),
                   .subject = rule_text(ctx, event, callee),
                   .because = value,
                   .because_name = rule_text(ctx, event, object)};
  bool named = is_method && callee->kind == EXPR_ATTR;
  report_fill(&report, S("method"), named ? sym_str(callee->u.attr.name) : report.subject);
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("tensor"), report.because_name);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_tensor_to_host = {
    .name = S_INIT("tensor_to_host"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

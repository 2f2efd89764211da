/* TF410: the condition of an `if` or `while` is a tensor, but not one boolean: a number, or many booleans.
 *
 * Python takes any number for a condition; tf.cond and tf.while_loop want a boolean scalar. Tensors with one element are reshaped.
 * Only what is known of dtype and dimensions counts.
 */
#include "rules/rule.h"

static bool holds_many(const Value *condition) {
  int64_t product = 1;
  for (uint32_t i = 0; i < condition->dim_len; i++) {
    if (condition->dims[i] >= 0 && product < INT32_MAX) product *= condition->dims[i];
  }
  return product > 1;
}

static void judge(RuleContext *ctx, const Event *event, const Expr *test, Span span) {
  const Value *condition = event->value;
  if (!condition || !ctx_autograph_on(event->frame->context) || (condition->flags & VF_TAINTED)) return;
  if (!value_is_tensor(condition) && !(condition->kinds && value_is(condition, KIND(VARIABLE)))) return;
  bool number = condition->dtype != DT_UNKNOWN && condition->dtype != DT_BOOL;
  if (!number && !holds_many(condition)) return;
  Report report = {.rule = RULE_TF410,
                   .variant = number ? TF410_DEFAULT : TF410_MANY,
                   .span = span,
                   .confidence = frame_confidence(event->frame, condition),
                   .subject = rule_text(ctx, event, test),
                   .because = condition};
  report.because_name = report.subject;
  report_fill(&report, S("condition"), report.subject);
  report_fill(&report, S("dtype"), number ? dtype_name((DType)condition->dtype) : S(""));
  rule_report(ctx, event, &report);
}

static void on_event(RuleContext *ctx, const Event *event) {
  const Stmt *stmt = event->stmt;
  if (event->kind == EV_BRANCH && stmt && stmt->kind == STMT_IF && event->expr->kind != EXPR_TERNARY) {
    const IfArm *arm = &stmt->u.branch.arms[event->arm];
    if (arm->test == event->expr) judge(ctx, event, arm->test, arm->header);
  }
  if (event->kind == EV_LOOP && stmt->kind == STMT_WHILE && event->loop == LOOP_TENSOR) {
    judge(ctx, event, stmt->u.loop.test, stmt->header);
  }
}

const RuleCheck rule_condition_not_boolean = {
    .name = S_INIT("condition_not_boolean"),
    .events = ON_EVENT(EV_BRANCH) | ON_EVENT(EV_LOOP),
    .event = on_event,
};

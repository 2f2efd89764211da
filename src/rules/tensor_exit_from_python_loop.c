/* TF411: a condition on tensors decides whether a Python loop is left.
 *
 *   for i in range(10):       # Python unrolls it while tracing
 *     if loss < 0.1: break    # and cannot know when to stop
 *
 * `continue` is fine: it is a flag that each round resets. Loops over what is not known may be tensor loops.
 */
#include "rules/rule.h"

/* The Python loop that is left, with a condition on tensors between it and here; NULL if there is none for certain. */
static const Region *left_loop(const Frame *frame, const Region **condition) {
  *condition = NULL;
  for (uint32_t i = frame->region_len; i > 0; i--) {
    const Region *region = &frame->regions[i - 1];
    if (region->kind == REGION_TENSOR_BRANCH && !*condition) *condition = region;
    if (region->kind == REGION_TENSOR_LOOP || region->kind == REGION_DATASET_LOOP) return NULL;
    if (region->kind != REGION_PYTHON_LOOP) continue;
    bool known = region->value && !value_is_unknown(region->value);
    return *condition && known ? region : NULL;
  }
  return NULL;
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_autograph_on(event->frame->context) || !event->stmt) return;
  bool is_break = event->kind == EV_JUMP && event->stmt->kind == STMT_BREAK;
  if (!is_break && (event->kind != EV_RETURN || event->stmt->kind != STMT_RETURN)) return;
  const Region *condition, *loop = left_loop(event->frame, &condition);
  if (!loop) return;
  Str test = condition->expr ? rule_text(ctx, event, condition->expr) : S("");
  Report report = {.rule = RULE_TF411,
                   .variant = is_break ? TF411_DEFAULT : TF411_RETURN,
                   .span = event->stmt->span,
                   .confidence = frame_confidence(event->frame, condition->value),
                   .subject = is_break ? S("break") : S("return"),
                   .because = condition->value,
                   .because_name = test};
  report_fill(&report, S("condition"), test);
  if (loop->stmt) {
    report_label(&report, rule_label(ROLE_NOTE, event->frame->module->id, loop->stmt->header,
                                     S("Python runs this loop while tracing")));
  }
  rule_report(ctx, event, &report);
}

const RuleCheck rule_tensor_exit_from_python_loop = {
    .name = S_INIT("tensor_exit_from_python_loop"),
    .events = ON_EVENT(EV_JUMP) | ON_EVENT(EV_RETURN),
    .event = on_event,
};

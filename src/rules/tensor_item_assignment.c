/* TF210: an element of a tensor or variable is assigned to or deleted. Containers and arrays have elements to assign to; a value
 * that may be one of them is not meant.
 */
#include "rules/operand.h"

/* `features["label"] = …` where a framework may hand over a dict: only slices, `t[:, 0]`, say that a tensor is meant. */
static bool may_be_dict(const Value *object, const Expr *index) {
  return (object->flags & VF_PERHAPS_NEST) && index->kind != EXPR_SLICE && index->kind != EXPR_TUPLE;
}

static void on_store(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || !event->target || event->target->kind != EXPR_SUBSCRIPT) return;
  const Value *object = event->receiver;
  bool captured = object && value_is(object, KIND(EAGER_TENSOR));
  if (!operand_is_symbolic(object) && !captured) return;
  if (may_be_dict(object, event->target->u.subscript.index)) return;
  Str name = rule_text(ctx, event, event->target->u.subscript.value);
  bool is_variable = value_is(object, KIND(VARIABLE));
  Report report = {.rule = RULE_TF210,
                   .variant = event->store == STORE_DELETE ? TF210_DELETED
                              : is_variable                ? TF210_ON_VARIABLE
                                                           : TF210_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, object),
                   .subject = name,
                   .because = object,
                   .because_name = name};
  report_fill(&report, S("tensor"), name);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_tensor_item_assignment = {
    .name = S_INIT("tensor_item_assignment"),
    .events = ON_EVENT(EV_STORE),
    .event = on_store,
};

/* TF309: the result of an operation that changes nothing is thrown away.
 *
 * `ta.write(i, v)` and `ds.map(f)` look like changes and give a new object. Statements that run for their effect (`set_shape`,
 * `assign`, assertions) are no such operations. In eager code TensorArrays do change in place; datasets never do.
 */
#include "rules/effect.h"
#include "rules/operand.h"

/* `tf.data.Dataset`, `tf.data.TFRecordDataset`: a class, whose methods make new datasets. */
static bool names_class(const Expr *object) {
  Sym name = object->kind == EXPR_ATTR ? object->u.attr.name : object->kind == EXPR_NAME ? object->u.name.id : NULL;
  return name && name->text.len && name->text.ptr[0] >= 'A' && name->text.ptr[0] <= 'Z';
}

/* `ds.shuffle(8).batch(2)` on a dataset that somebody keeps; one that the statement itself makes was made for a try. */
static bool is_kept_dataset(const Event *event) {
  if (!event->receiver || !event->receiver->kinds || !value_is(event->receiver, KIND(DATASET))) return false;
  const Expr *object = operand_callee(event);
  while (object->kind == EXPR_ATTR) {
    object = object->u.attr.value;
    if (object->kind != EXPR_CALL) return !names_class(object);
    object = object->u.call.callee;
  }
  return false;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (event->used || event->decorates || !event->api || !(event->api->tags & TAG(PURE))) return;
  bool dataset = is_kept_dataset(event);
  if (!dataset && (!effect_frozen(event) || (event->receiver && value_has(event->receiver, KIND(DATASET))))) return;
  if (event->result && value_is(event->result, KIND(NONE))) return;
  bool array = event->receiver && event->receiver->kinds && value_is(event->receiver, KIND(TENSOR_ARRAY));
  Report report = {.rule = RULE_TF309,
                   .variant = dataset ? TF309_DATASET
                              : array ? TF309_ARRAY
                                      : TF309_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->receiver),
                   .subject = rule_text(ctx, event, operand_callee(event))};
  report_fill(&report, S("callee"), report.subject);
  const Expr *callee = operand_callee(event);
  report_fill(&report, S("receiver"), callee->kind == EXPR_ATTR ? rule_text(ctx, event, callee->u.attr.value) : S(""));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_functional_result_dropped = {
    .name = S_INIT("functional_result_dropped"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

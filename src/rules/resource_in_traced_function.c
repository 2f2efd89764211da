/* TF106: a lookup table, summary writer, checkpoint, queue or generator dataset is made whenever the function is traced.
 *
 * A dataset from a generator inside `interleave` or `flat_map` is how those are meant to be used. Of Keras' lookup layers only
 * the table matters: they own no variables. A writer that writes nothing holds nothing.
 */
#include "rules/creation.h"

static bool choose_variant(const Event *event, uint32_t *variant) {
  if (!event->api) return false;
  switch (event->api->creates) {
    case CREATES_TABLE:
      *variant = TF106_DEFAULT;
      return true;
    case CREATES_WRITER:
      *variant = TF106_WRITER;
      return !str_ends(event->api->name, S("create_noop_writer"));
    case CREATES_CHECKPOINT:
      *variant = TF106_CHECKPOINT;
      return true;
    case CREATES_QUEUE:
      *variant = TF106_QUEUE;
      return true;
    case CREATES_GENERATOR_DATASET:
      *variant = TF106_GENERATOR;
      return true;
    default:
      return false;
  }
}

static bool below_dataset(RuleContext *ctx, InstanceId instance) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), instance);
  return chain.len && chain.steps[0].root == ROOT_DATASET;
}

static void on_call(RuleContext *ctx, const Event *event) {
  Report report = {.rule = RULE_TF106};
  if (!choose_variant(event, &report.variant)) return;
  Creation creation = creation_judge(ctx, event);
  if (creation.verdict != CREATION_REPEATED) return;
  if (report.variant == TF106_GENERATOR && below_dataset(ctx, event->frame->instance)) return;
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  report.span = event->span;
  report.confidence = frame_confidence(event->frame, event->result);
  report.subject = rule_text(ctx, event, callee);
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("place"), creation_place(ctx, event));
  if (creation.maker == MAKER_NONE) {
    rule_report(ctx, event, &report);
    return;
  }
  report_label(&report, rule_label(ROLE_DEFINITION, event->frame->module->id, event->span, S("it is made here")));
  report.span = creation.span;
  report.subject = creation.class_name;
  rule_report_at(ctx, creation.module, event->frame->instance, &report);
}

const RuleCheck rule_resource_in_traced_function = {
    .name = S_INIT("resource_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

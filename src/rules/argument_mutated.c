/* TF308: a list or dict that was passed to a traced function is changed in it.
 *
 * TensorFlow compares the structure of the arguments before and after tracing and refuses a difference. Keras' methods and the
 * functions of tf.data get structures of their own, so changing those is fine.
 */
#include "rules/effect.h"

static bool root_checks_arguments(RuleContext *ctx, InstanceId instance) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), instance);
  return chain.len && (chain.steps[0].root == ROOT_DECORATOR || chain.steps[0].root == ROOT_WRAPPED);
}

static void on_event(RuleContext *ctx, const Event *event) {
  Mutation mutation;
  if (!effect_frozen(event) || !effect_mutation(event, &mutation)) return;
  if (mutation.container->origin != ORIGIN_PARAM || !root_checks_arguments(ctx, event->frame->instance)) return;
  Report report = {.rule = RULE_TF308,
                   .variant = event->kind == EV_CALL ? TF308_DEFAULT : TF308_ITEM,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, mutation.container),
                   .subject = rule_text(ctx, event, mutation.path)};
  report_fill(&report, S("argument"), report.subject);
  report_fill(&report, S("method"), event->kind == EV_CALL ? sym_str(event->expr->u.call.callee->u.attr.name) : S(""));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_argument_mutated = {
    .name = S_INIT("argument_mutated"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE),
    .event = on_event,
};

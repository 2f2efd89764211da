/* TF213: a seed is set while tracing, once, and not before each call as it reads. Setting the seed of a v1 graph that is being
 * built is what it is for.
 */
#include "rules/operand.h"

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !(event->api->tags & TAG(SEED))) return;
  if (!ctx_traced(event->frame->context) || (event->frame->context & CTX_GRAPH)) return;
  if (frame_region(event->frame, REGION_GRAPH_SCOPE)) return;
  bool host = !str_starts(event->api_name, S("tensorflow.")) && !str_starts(event->api_name, S("keras."));
  Report report = {.rule = RULE_TF213,
                   .variant = host ? TF213_HOST : TF213_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = rule_text(ctx, event, operand_callee(event))};
  report_fill(&report, S("callee"), report.subject);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_seed_in_traced_function = {
    .name = S_INIT("seed_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

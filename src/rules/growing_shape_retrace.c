/* TF508: a tensor that grows in a Python loop is passed to a traced function, so that each length makes a new trace.
 *
 * Which tensors grow is the engine's knowledge: `tf.concat` onto itself, a list converted each time, `x[:i]`. An input signature
 * and `reduce_retracing` end it.
 */
#include "rules/call_site.h"

static bool grows(const Value *value) {
  bool tensor = value->kinds && value_is(value, KIND(EAGER_TENSOR) | KIND(ARRAY));
  return tensor && (value->flags & VF_GROWING);
}

static void at_end(RuleContext *ctx) {
  const Flow *flow = rule_flow(ctx);
  CallSet calls = flow_all_traced_calls(flow);
  for (uint32_t c = 0; c < calls.len; c++) {
    const CallRecord *call = &calls.data[c];
    if (!call_site_retraces(flow, call) || !call->in_loop || call->traced->trace->reduce_retracing != TRI_NO) continue;
    for (uint32_t i = 0; i < call->args->len; i++) {
      if (!grows(call->args->values[i])) continue;
      Report report = {.rule = RULE_TF508,
                       .variant = TF508_DEFAULT,
                       .span = call->span,
                       .confidence = call->args->values[i]->flags & VF_LIKELY ? CONF_LIKELY : CONF_CERTAIN,
                       .subject = call_site_argument(flow, call, i)};
      report_fill(&report, S("argument"), report.subject);
      report_fill(&report, S("callee"), call_site_callee(flow, call));
      report_label(&report, call_site_definition(ctx, call));
      rule_report_at(ctx, call->module, call->caller, &report);
      break;
    }
  }
}

const RuleCheck rule_growing_shape_retrace = {
    .name = S_INIT("growing_shape_retrace"),
    .end = at_end,
};

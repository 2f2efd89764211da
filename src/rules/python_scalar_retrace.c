/* TF501: a call hands a traced function a Python number or text that changes, so that each new value makes a new trace.
 *
 * Which values change is the engine's knowledge: targets of loops with more than a few rounds, `epsilon *= 0.9`, `float(loss)`,
 * clocks and draws. Tensors and arrays are passed by shape and dtype, flags have few values.
 */
#include "rules/call_site.h"

enum { DEPTH = 3 };

static bool is_changing_scalar(const CallRecord *call, const Value *value) {
  if (!value->kinds || !value_is(value, KIND(NUMBER) | KIND(TEXT))) return false;
  if (!(value->flags & VF_CHANGING) || (value->flags & VF_FLAG)) return false;
  return call->in_loop || value->home.kind != VAR_NONE;  // state that something changes from call to call
}

/* The value itself, or one inside a list, tuple or dict. */
static const Value *find_changing(const CallRecord *call, const Value *value, int depth) {
  if (is_changing_scalar(call, value)) return value;
  if (!value->kinds || !value_is(value, KIND(LIST) | KIND(TUPLE) | KIND(DICT)) || depth >= DEPTH) return NULL;
  if (!value->parts_exact) return value->elem ? find_changing(call, value->elem, depth + 1) : NULL;
  for (uint32_t i = 0; i < value->part_len; i++) {
    const Value *found = find_changing(call, value->parts[i], depth + 1);
    if (found) return found;
  }
  return NULL;
}

static void report_argument(RuleContext *ctx, const CallRecord *call, uint32_t at, const Value *scalar) {
  const Flow *flow = rule_flow(ctx);
  Report report = {.rule = RULE_TF501,
                   .span = call->span,
                   .confidence = scalar->flags & VF_LIKELY ? CONF_LIKELY : CONF_CERTAIN,
                   .subject = call_site_argument(flow, call, at)};
  if (!report.subject.len) return;
  int64_t rounds = call_site_rounds(flow, call, call->args->exprs[at]);
  report.variant = rounds > 0 ? TF501_COUNTED : scalar == call->args->values[at] ? TF501_DEFAULT : TF501_INSIDE;
  report_fill(&report, S("argument"), report.subject);
  report_fill(&report, S("callee"), call_site_callee(flow, call));
  report_fill(&report, S("kind"), value_is(scalar, KIND(TEXT)) ? S("string") : S("number"));
  report_fill(&report, S("count"), str_printf(rule_scratch(ctx), "%lld", (long long)rounds));
  report_label(&report, call_site_definition(ctx, call));
  rule_report_at(ctx, call->module, call->caller, &report);
}

static void at_end(RuleContext *ctx) {
  CallSet calls = flow_all_traced_calls(rule_flow(ctx));
  for (uint32_t c = 0; c < calls.len; c++) {
    const CallRecord *call = &calls.data[c];
    if (!call_site_retraces(rule_flow(ctx), call)) continue;
    for (uint32_t i = 0; i < call->args->len; i++) {
      const Value *scalar = find_changing(call, call->args->values[i], 0);
      if (scalar) {
        report_argument(ctx, call, i, scalar);
        break;
      }
    }
  }
}

const RuleCheck rule_python_scalar_retrace = {
    .name = S_INIT("python_scalar_retrace"),
    .end = at_end,
};

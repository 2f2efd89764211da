/* TF302: logging, files, waiting, plotting and other effects on the outside world happen while tracing only.
 *
 * `print` is TF301, a tensor handed to `open` and relatives TF206. What is done to a file that was opened in the same trace
 * belongs to the finding on opening it. A warning at trace time under static configuration is what people mean: a note.
 */
#include "rules/effect.h"
#include "rules/operand.h"

static bool choose_variant(const Event *event, uint32_t *variant) {
  ApiTags tags = event->api->tags;
  if (tags & (TAG(PRINT) | TAG(LEGAL_EFFECT))) return false;
  if (tags & TAG(LOG)) *variant = TF302_LOG;
  else if (tags & TAG(SLEEP)) *variant = TF302_SLEEP;
  else if (tags & TAG(DEBUGGER)) *variant = TF302_DEBUGGER;
  else if (tags & (TAG(SAVE) | TAG(EXPERIMENT))) *variant = TF302_SAVE;
  else if (tags & (TAG(IO) | TAG(PLOT) | TAG(SUBPROCESS))) *variant = TF302_DEFAULT;
  else return false;
  return true;
}

/* Below a branch on constants, shapes, or state that nothing changes. */
static bool under_configuration(RuleContext *ctx, const Frame *frame) {
  bool found = false;
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    if (region->kind == REGION_TENSOR_BRANCH) return false;
    bool fixed = region->kind == REGION_FROZEN_BRANCH && region->var.kind != VAR_NONE &&
                 flow_change(rule_flow(ctx), region->var, NULL) == CHANGE_NONE;
    found |= fixed || region->kind == REGION_STATIC_BRANCH;
  }
  return found;
}

/* `warnings.warn` and absl's logging are Python's way to speak while tracing. */
static bool is_trace_time_notice(RuleContext *ctx, const Event *event) {
  if (!str_starts(event->api_name, S("absl.logging.")) && !str_starts(event->api_name, S("warnings."))) return false;
  return under_configuration(ctx, event->frame);
}

static bool is_own_file(const Value *value) {
  bool file = value && value->kinds && value_is(value, KIND(HOST_ITERATOR) | KIND(OBJECT));
  return file && value->origin == ORIGIN_FRESH && (value->obj_len || value_is(value, KIND(HOST_ITERATOR)));
}

/* `fh.read()`, `Image.open(io.BytesIO(raw))`: a file or buffer that was opened in this trace. */
static bool opened_here(const Event *event) {
  if (!(event->api->tags & TAG(IO))) return false;
  return is_own_file(event->receiver) || (event->args->positional && is_own_file(event->args->values[0]));
}

/* What it opens may be a tensor, or what an earlier fault left of one: not this rule's business then. */
static bool opens_unknown(const Event *event) {
  if (!(event->api->tags & TAG(PATH_ARG)) || !event->args->len) return false;
  const Value *path = event->args->values[0];
  return !path->kinds || value_is_unknown(path) || (path->flags & VF_TAINTED);
}

static void on_call(RuleContext *ctx, const Event *event) {
  uint32_t variant;
  if (!event->api || event->decorates || !choose_variant(event, &variant)) return;
  if (!effect_frozen(event) || opened_here(event) || opens_unknown(event)) return;
  const Value *tensor = NULL;
  uint32_t argument = operand_tensor_argument(event->args, &tensor);
  Report report = {.rule = RULE_TF302,
                   .variant = is_trace_time_notice(ctx, event) ? TF302_NOTICE : variant,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->receiver),
                   .subject = rule_text(ctx, event, operand_callee(event))};
  report_fill(&report, S("callee"), report.subject);
  if (tensor) {
    report.because = tensor;
    report.because_name = rule_text(ctx, event, event->args->exprs[argument]);
  }
  rule_report(ctx, event, &report);
}

const RuleCheck rule_host_io_in_traced_function = {
    .name = S_INIT("host_io_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

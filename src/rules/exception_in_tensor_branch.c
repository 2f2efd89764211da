/* TF404: exceptions and tensors do not meet. A `raise` under a condition on tensors happens while tracing, whatever the tensors
 * will be, because both branches are traced; and what fails when the graph runs is not there for `except` to catch.
 */
#include "rules/rule.h"

/* The nearest thing that decides whether the statement is reached: a tensor, not Python. */
static const Region *deciding_region(const Frame *frame) {
  for (uint32_t i = frame->region_len; i > 0; i--) {
    const Region *region = &frame->regions[i - 1];
    switch (region->kind) {
      case REGION_TENSOR_BRANCH:
      case REGION_TENSOR_LOOP:
      case REGION_DATASET_LOOP:
        return region;
      case REGION_PYTHON_BRANCH:
      case REGION_STATIC_BRANCH:
      case REGION_FROZEN_BRANCH:
      case REGION_GUARD:
      case REGION_AFTER_EXIT:
      case REGION_HANDLER:
      case REGION_PYTHON_LOOP:
        return NULL;
      default:
        break;
    }
  }
  return NULL;
}

static void on_raise(RuleContext *ctx, const Event *event) {
  const Region *region = deciding_region(event->frame);
  if (!region || !region->expr || !ctx_autograph_on(event->frame->context)) return;
  Str condition = rule_text(ctx, event, region->expr);
  Report report = {.rule = RULE_TF404,
                   .variant = region->kind == REGION_TENSOR_BRANCH ? TF404_DEFAULT : TF404_IN_LOOP,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, region->value),
                   .subject = S("raise"),
                   .because = region->value,
                   .because_name = condition};
  report_fill(&report, S("condition"), condition);
  rule_report(ctx, event, &report);
}

/* Errors that operations raise when the graph runs. Those of the file system are raised by tf.io.gfile right away. */
static bool is_graph_error(Str name) {
  static const Str names[] = {S_INIT("InvalidArgumentError"),    S_INIT("OutOfRangeError"),
                              S_INIT("FailedPreconditionError"), S_INIT("ResourceExhaustedError"),
                              S_INIT("InternalError"),           S_INIT("DataLossError"),
                              S_INIT("DeadlineExceededError"),   S_INIT("AbortedError"),
                              S_INIT("CancelledError"),          S_INIT("UnavailableError")};
  if (!str_starts(name, S("tensorflow.errors."))) return false;
  Str last = str_sub(name, str_rfind_char(name, '.') + 1, name.len);
  return STR_IN(last, names);
}

static void on_try(RuleContext *ctx, const Event *event) {
  if (!event->value || !event->value->obj_len) return;
  Str caught = {0};
  for (uint32_t i = 0; i < event->value->obj_len; i++) {
    const Obj *obj = event->value->objs[i];
    if (!obj->api || !is_graph_error(obj->api->text)) return;
    caught = api_text(rule_scratch(ctx), obj->api->text);
  }
  Report report = {.rule = RULE_TF404,
                   .variant = TF404_CAUGHT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = caught};
  report_fill(&report, S("error"), caught);
  rule_report(ctx, event, &report);
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context)) return;
  if (event->kind == EV_RAISE) on_raise(ctx, event);
  if (event->kind == EV_TRY) on_try(ctx, event);
}

const RuleCheck rule_exception_in_tensor_branch = {
    .name = S_INIT("exception_in_tensor_branch"),
    .events = ON_EVENT(EV_RAISE) | ON_EVENT(EV_TRY),
    .event = on_event,
};

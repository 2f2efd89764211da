/* TF603: an operation that XLA cannot compile, or whose result has a shape that depends on data, under `jit_compile=True`.
 *
 * Which operations these are is knowledge of rules/api, tried by compiling them. Everything that a compiled function calls is
 * compiled with it; where it is not known whether it is, nothing is said.
 */
#include "rules/rule.h"

static void say(RuleContext *ctx, const Event *event, uint32_t variant, Span span, Str text) {
  Report report = {.rule = RULE_TF603,
                   .variant = variant,
                   .span = span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = text};
  report_fill(&report, S("callee"), text);
  rule_report(ctx, event, &report);
}

/* Some operations depend on data in one of their forms only. */
static bool depends_on_data(const Event *event) {
  const Args *args = event->args;
  if (str_eq(event->api_name, S("tensorflow.where"))) return args && args->len == 1 && !args->has_star;
  if (!str_eq(event->api_name, S("tensorflow.repeat"))) return true;
  const Value *repeats = args ? args_get(args, 1, S("repeats")) : NULL;
  return repeats && value_is_tensor(repeats);
}

/* `tf.TensorArray(…, dynamic_size=True)`: writes beyond its size are lost. */
static bool is_dynamic_array(const Event *event) {
  if (!str_eq(event->api_name, S("tensorflow.TensorArray")) || !event->args) return false;
  const Value *dynamic = args_get(event->args, 2, S("dynamic_size"));
  return dynamic && dynamic->konst == KONST_BOOL && dynamic->constant.i;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (event->decorates || event->expr->kind != EXPR_CALL) return;
  Str callee = rule_text(ctx, event, event->expr->u.call.callee);
  if (is_dynamic_array(event)) say(ctx, event, TF603_DYNAMIC_ARRAY, event->span, callee);
  if (!event->api) return;
  if (event->api->tags & TAG(XLA_NO)) {
    say(ctx, event, TF603_DEFAULT, event->span, callee);
  } else if ((event->api->tags & TAG(XLA_DYNAMIC)) && depends_on_data(event)) {
    say(ctx, event, TF603_DYNAMIC_SHAPE, event->span, callee);
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  Context context = event->frame->context;
  if (!ctx_traced(context) || !(context & CTX_JIT)) return;
  if (event->kind == EV_CALL) on_call(ctx, event);
  if (event->kind == EV_LOOP && event->loop == LOOP_DATASET) {
    say(ctx, event, TF603_DATASET, event->stmt->header, rule_text(ctx, event, event->expr));
  }
}

const RuleCheck rule_xla_incompatible_op = {
    .name = S_INIT("xla_incompatible_op"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_LOOP),
    .event = on_event,
};

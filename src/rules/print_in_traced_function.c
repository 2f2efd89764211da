/* TF301: Python's `print` in traced code speaks while tracing only.
 *
 * `print("tracing")`, one constant text that says so, is how people watch retracing: a note. Where the call could be `tf.print`
 * just as well, the fix renames it; texts built from tensors stay, because they would still show symbols.
 */
#include "rules/rename.h"

static bool says_tracing(Str text) {
  for (size_t i = 0; i + 4 <= text.len; i++) {
    const char *at = text.ptr + i;
    bool initial = at[0] == 't' || at[0] == 'T';
    if (initial && (memcmp(at + 1, "rac", 3) == 0 || memcmp(at + 1, "RAC", 3) == 0)) return true;
  }
  return false;
}

static bool is_trace_message(const Args *args) {
  if (args->len != 1 || args->has_star || args->has_kwstar) return false;
  const Expr *only = args->exprs[0];
  return only->kind == EXPR_CONST && only->u.constant.kind == CONST_STR && says_tracing(only->u.constant.text);
}

static uint32_t tensor_argument(const Args *args) {
  for (uint32_t i = 0; i < args->len; i++) {
    if (value_holds_tensor(args->values[i]) || value_is(args->values[i], KIND(VARIABLE))) return i;
  }
  return UINT32_MAX;
}

/* `tf.print` takes the same positional arguments, `sep` and `end`. */
static bool can_be_tf_print(const Event *event) {
  const Args *args = event->args;
  if (!str_eq(event->api_name, S("builtins.print")) || event->used || args->has_star || args->has_kwstar) return false;
  for (uint32_t i = 0; i < args->len; i++) {
    bool is_text_of_something = args->exprs[i]->kind == EXPR_FSTRING || args->exprs[i]->kind == EXPR_BINARY ||
                                args->exprs[i]->kind == EXPR_CALL;
    bool is_known = i < args->positional || sym_is(args->names[i], S("sep")) || sym_is(args->names[i], S("end"));
    if (!is_known || (is_text_of_something && !value_is_tensor(args->values[i]))) return false;
  }
  return true;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !(event->api->tags & TAG(PRINT)) || !event->args) return;
  if (!ctx_traced(event->frame->context) || (event->frame->context & CTX_SETUP)) return;
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  uint32_t tensor = tensor_argument(event->args);
  bool shows_tensor = tensor != UINT32_MAX;
  if (!shows_tensor && (event->frame->context & CTX_GRAPH)) return;  // a v1 graph is built once: so is what it says
  Report report = {.rule = RULE_TF301,
                   .variant = is_trace_message(event->args) ? TF301_TRACING
                              : shows_tensor                ? TF301_TENSOR
                                                            : TF301_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = rule_text(ctx, event, callee)};
  report_fill(&report, S("callee"), report.subject);
  if (shows_tensor) {
    report.because = event->args->values[tensor];
    report.because_name = rule_text(ctx, event, event->args->exprs[tensor]);
  }
  report_fill(&report, S("argument"), report.because_name);
  if (report.variant != TF301_TRACING && can_be_tf_print(event))
    rename_edit(ctx, event, callee, S("tf.print"), FIX_UNSAFE, &report);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_print_in_traced_function = {
    .name = S_INIT("print_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

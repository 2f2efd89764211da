/* TF401: Python asks for the truth of a symbolic tensor, and AutoGraph has not turned the question into an operation.
 *
 *   assert x > 0             never converted
 *   [r for r in rows if r]   nor are filters of comprehensions, `in`, and whatever stands in unconverted code
 *   any(r > 0 for r in rows) asks each element
 *   if 0 < x < 1:            is, where AutoGraph is on (tried with TensorFlow 2.21)
 *
 * Where it is not known whether AutoGraph runs (the Keras flavour decides it), the finding is a warning.
 */
#include "rules/conversion.h"

static bool is_asked_tensor(const Value *value) {
  if (value->flags & (VF_TAINTED | VF_PERHAPS_NEST)) return false;
  return value->kinds && value_is(value, KIND(VARIABLE) | KIND(TENSOR));
}

static bool holds_members(const Value *container) {
  return container && container->kinds && value_is(container, KIND(LIST) | KIND(TUPLE)) &&
         !(container->parts_exact && container->part_len == 0);
}

/* `t in [a, b]` compares, `x in t` iterates: neither works. */
static bool asks_membership(const Event *event) {
  if (event->receiver && is_asked_tensor(event->receiver)) return true;
  return is_asked_tensor(event->value) && holds_members(event->receiver);
}

/* Only where AutoGraph is off, or perhaps off. */
static bool is_usually_converted(const Event *event) {
  switch (event->asker) {
    case ASK_IF:
    case ASK_WHILE:
    case ASK_TERNARY:
    case ASK_BOOL_OP:
    case ASK_NOT:
    case ASK_CHAINED_COMPARE:
      return true;
    default:
      return false;
  }
}

/* The test that the question is part of: `if a and b` asks twice, and is one fault. */
static const Expr *whole_test(const Event *event) {
  const Stmt *stmt = event->frame->stmt;
  if (!stmt) return event->expr;  // a lambda
  if (stmt->kind == STMT_WHILE && span_holds(stmt->u.loop.test->span, event->span)) return stmt->u.loop.test;
  if (stmt->kind == STMT_ASSERT && span_holds(stmt->u.assertion.test->span, event->span)) return stmt->u.assertion.test;
  for (uint32_t i = 0; stmt->kind == STMT_IF && i < stmt->u.branch.len; i++) {
    const Expr *test = stmt->u.branch.arms[i].test;
    if (test && span_holds(test->span, event->span)) return test;
  }
  return event->expr;
}

static uint32_t choose_variant(const Event *event) {
  switch (event->asker) {
    case ASK_ASSERT:
      return TF401_ASSERT;
    case ASK_IN:
      return TF401_MEMBERSHIP;
    case ASK_COMP_TEST:
      return TF401_COMPREHENSION;
    default:
      return (event->frame->context & CTX_AUTOGRAPH_UNKNOWN) ? TF401_PERHAPS : TF401_DEFAULT;
  }
}

static void say(RuleContext *ctx, const Event *event, uint32_t variant, const Value *tensor, const Expr *test) {
  Report report = {.rule = RULE_TF401,
                   .variant = variant,
                   .span = test->span,
                   .confidence = frame_confidence(event->frame, tensor),
                   .subject = rule_text(ctx, event, test),
                   .because = tensor};
  bool is_tensor = test == event->expr && event->kind == EV_TRUTH && event->asker != ASK_IN;
  if (is_tensor) report.because_name = report.subject;
  report_fill(&report, S("condition"), report.subject);
  rule_report(ctx, event, &report);
}

/* `any(rows)`, `all(t > 0 for t in rows)`: the first element is surely asked. */
static void on_call(RuleContext *ctx, const Event *event) {
  if (!str_eq(event->api_name, S("builtins.any")) && !str_eq(event->api_name, S("builtins.all"))) return;
  if (!ctx_traced(event->frame->context) || !event->args || event->args->positional != 1) return;
  const Value *asked = event->args->values[0];
  if (!asked->kinds || !value_is(asked, KIND(LIST) | KIND(TUPLE) | KIND(HOST_ITERATOR))) return;
  if (asked->flags & VF_OVER_DATASET || (asked->parts_exact && !asked->part_len)) return;
  const Value *element = asked->parts_exact ? asked->parts[0] : asked->elem;
  if (element && is_asked_tensor(element)) say(ctx, event, TF401_BUILTIN, element, event->expr);
}

static void on_truth(RuleContext *ctx, const Event *event) {
  Context context = event->frame->context;
  if (!ctx_traced(context) || event->asker == ASK_MATCH || event->asker == ASK_BUILTIN) return;
  if (event->asker == ASK_IN ? !asks_membership(event) : !is_asked_tensor(event->value)) return;
  bool unsure = (context & CTX_AUTOGRAPH_UNKNOWN) && !conversion_depends_on_keras(ctx, event);
  if (is_usually_converted(event) && (unsure || ctx_autograph_on(context))) return;
  const Expr *test = whole_test(event);
  const Value *tensor = event->asker == ASK_IN && !is_asked_tensor(event->value) ? event->receiver : event->value;
  say(ctx, event, choose_variant(event), tensor, test);
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (event->kind == EV_TRUTH) on_truth(ctx, event);
  if (event->kind == EV_CALL) on_call(ctx, event);
}

const RuleCheck rule_tensor_as_bool_unconverted = {
    .name = S_INIT("tensor_as_bool_unconverted"),
    .events = ON_EVENT(EV_TRUTH) | ON_EVENT(EV_CALL),
    .event = on_event,
};

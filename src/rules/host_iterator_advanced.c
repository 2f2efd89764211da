/* TF305: a Python iterator that lives outside is advanced while tracing, or Python walks a dataset.
 *
 * `next(it)` and a `for` over a captured iterator consume it once, for the first trace. A dataset wrapped in a Python iterator
 * (`tqdm(ds)`, an own generator) is no dataset to AutoGraph any more: Python asks for symbolic elements, which never end.
 * Iterators of tf.data advance in the graph, iterators made in the call belong to it.
 */
#include "rules/effect.h"
#include "rules/operand.h"

static bool lives_outside(const Value *iterator) {
  return iterator && iterator->kinds && value_is(iterator, KIND(HOST_ITERATOR)) &&
         (iterator->origin == ORIGIN_OUTER || iterator->origin == ORIGIN_PARAM);
}

static void report_at(RuleContext *ctx, const Event *event, uint32_t variant, Span span, const Expr *expr,
                      const Value *value) {
  Report report = {.rule = RULE_TF305,
                   .variant = variant,
                   .span = span,
                   .confidence = frame_confidence(event->frame, value),
                   .subject = rule_text(ctx, event, expr)};
  report_fill(&report, S("iterator"), report.subject);
  rule_report(ctx, event, &report);
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !(event->api->tags & TAG(ADVANCES)) || event->decorates) return;
  const Value *iterator = event->receiver;
  const Expr *expr = operand_callee(event);
  if (!iterator && event->args && event->args->positional) {
    iterator = event->args->values[0];
    expr = event->args->exprs[0];
  } else if (expr->kind == EXPR_ATTR) {
    expr = expr->u.attr.value;
  }
  if (lives_outside(iterator) && expr) report_at(ctx, event, TF305_DEFAULT, event->span, expr, iterator);
}

/* Elements of a dataset that Python itself steps through. */
static bool walks_dataset(const Event *event) {
  const Value *value = event->value;
  if (value->flags & VF_OVER_DATASET) return true;
  bool unconverted = event->kind == EV_ITERATE || (event->frame->context & CTX_AUTOGRAPH_OFF);
  return unconverted && value_is(value, KIND(DATASET));
}

/* `for` statements and comprehensions. The loop inside a generator belongs to whoever consumes the generator. */
static void on_iteration(RuleContext *ctx, const Event *event) {
  const Value *value = event->value;
  if (!value || !value->kinds || !event->expr || event->frame->function->is_generator) return;
  if (event->kind == EV_ITERATE && event->iterator != ITER_COMPREHENSION) return;
  if (event->kind == EV_LOOP && event->stmt->kind != STMT_FOR) return;
  Span span = event->kind == EV_LOOP ? event->span : event->expr->span;
  if (walks_dataset(event)) {
    report_at(ctx, event, TF305_DATASET, span, event->expr, value);
  } else if (lives_outside(value)) {
    report_at(ctx, event, TF305_LOOP, span, event->expr, value);
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!effect_frozen(event)) return;
  if (event->kind == EV_CALL) on_call(ctx, event);
  else on_iteration(ctx, event);
}

const RuleCheck rule_host_iterator_advanced = {
    .name = S_INIT("host_iterator_advanced"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_LOOP) | ON_EVENT(EV_ITERATE),
    .event = on_event,
};

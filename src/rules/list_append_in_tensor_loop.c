/* TF405: a Python list is appended to in a tensor loop and used after it.
 *
 *   rows = []
 *   for x in t:          # traced once: one append, of a tensor that exists inside the loop only
 *     rows.append(x)
 *   return tf.stack(rows)
 *
 * Lists made in the same iteration, and lists that nobody reads afterwards, are not meant.
 */
#include "rules/rule.h"

static bool is_tensor_loop(const Region *region) {
  return region->kind == REGION_TENSOR_LOOP || region->kind == REGION_DATASET_LOOP;
}

/* A loop around, innermost first, that the list comes from outside of and is used behind. */
static const Region *escaped_loop(const Event *event, uint32_t place) {
  for (uint32_t i = event->frame->region_len; i > 0; i--) {
    const Region *region = &event->frame->regions[i - 1];
    if (!is_tensor_loop(region)) continue;
    const StmtFacts *facts = event_facts(event, region->stmt, 0);
    if (!facts || bitset_has(&facts->modified, place)) return NULL;
    if (bitset_has(&facts->live_after, place)) return region;
  }
  return NULL;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !(event->api->tags & TAG(GROWS)) || !ctx_autograph_on(event->frame->context)) return;
  if (!event->receiver || !event->receiver->kinds || !value_is(event->receiver, KIND(LIST))) return;
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : NULL;
  if (!callee || callee->kind != EXPR_ATTR || callee->u.attr.value->kind != EXPR_NAME) return;
  const Expr *list = callee->u.attr.value;
  const FunctionFacts *facts = event_function_facts(event);
  uint32_t place = list->u.name.ref == REF_LOCAL && facts ? facts_place(facts, list) : UINT32_MAX;
  if (place == UINT32_MAX) return;
  const Region *loop = escaped_loop(event, place);
  if (!loop) return;

  Str name = rule_text(ctx, event, list);
  Report report = {.rule = RULE_TF405,
                   .variant = TF405_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, loop->value),
                   .subject = name};
  report_fill(&report, S("list"), name);
  report_fill(&report, S("method"), sym_str(callee->u.attr.name));
  report_label(&report,
               rule_label(ROLE_NOTE, event->frame->module->id, loop->stmt->header, S("this loop runs in the graph")));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_list_append_in_tensor_loop = {
    .name = S_INIT("list_append_in_tensor_loop"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

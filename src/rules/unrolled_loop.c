/* TF409: a Python loop of many rounds creates operations in each of them, so the graph holds them all.
 *
 * Python runs such a loop while tracing. The number of rounds must be known, or the loop go over a list of the outside world that
 * grows from call to call. Of a nest the outermost Python loop is reported, since that is the one to change.
 */
#include "rules/rule.h"

enum { UNROLL_LIMIT = 64 };

/* The list outside that grows and that the loop goes over. */
static Str growing_list(RuleContext *ctx, const Event *event, const WriteRecord **write) {
  Var var = event->var.kind != VAR_NONE ? event->var : event->value->home;
  bool outer = event->value->origin == ORIGIN_OUTER && value_is(event->value, KIND(LIST)) && event->value->kinds;
  if (!outer || var.kind == VAR_NONE || event->stmt->kind != STMT_FOR) return S("");
  if (flow_change(rule_flow(ctx), var, write) != CHANGE_CONTENTS || !*write || (*write)->kind != WRITE_GROW)
    return S("");
  return var_text(rule_scratch(ctx), event->frame->project, var);
}

static const Stmt *outermost_loop(const Event *event) {
  for (uint32_t i = 0; i < event->frame->region_len; i++) {
    const Region *region = &event->frame->regions[i];
    if (region->kind == REGION_PYTHON_LOOP && region->stmt && !value_is_unknown(region->value)) return region->stmt;
  }
  return event->stmt;
}

static void on_loop_end(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || event->loop != LOOP_PYTHON || !event->makes_ops) return;
  const WriteRecord *write = NULL;
  Str list = growing_list(ctx, event, &write);
  if (event->trip_count < UNROLL_LIMIT && !list.len) return;
  const Stmt *outer = outermost_loop(event);
  Report report = {.rule = RULE_TF409,
                   .variant = list.len ? TF409_GROWING : TF409_DEFAULT,
                   .span = outer->header,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = S("for")};
  report_fill(&report, S("count"), str_printf(rule_scratch(ctx), "%lld", (long long)event->trip_count));
  report_fill(&report, S("list"), list);
  if (list.len) {
    Str label = str_printf(rule_scratch(ctx), "`%.*s` grows here", STR_ARG(list));
    report_label(&report, rule_label(ROLE_NOTE, write->module, write->span, label));
  } else if (outer != event->stmt) {
    Str label = str_printf(rule_scratch(ctx), "%lld rounds", (long long)event->trip_count);
    report_label(&report, rule_label(ROLE_NOTE, event->frame->module->id, event->stmt->header, label));
  }
  rule_report(ctx, event, &report);
}

const RuleCheck rule_unrolled_loop = {
    .name = S_INIT("unrolled_loop"),
    .events = ON_EVENT(EV_LOOP_END),
    .event = on_loop_end,
};

/* TF507: a private function is traced by a decorator of its own although everything that calls it is traced already.
 *
 * A trace within a trace is one more function of the graph and one more cache to look up, and inlines to the same. Functions whose
 * decorator says more than "trace this" have a reason, and public ones may be called from elsewhere.
 */
#include "rules/decoration.h"

typedef struct Candidate {
  FuncRef func;
  Span span;
} Candidate;

extern const RuleCheck rule_redundant_decorator;

static bool is_private(const Function *function) {
  Str name = sym_str(function->name);
  return name.len > 1 && name.ptr[0] == '_' && name.ptr[1] != '_';
}

/* `@tf.function` and `@tf.function()`; options are a reason. */
static bool is_bare(const Expr *decorator) {
  return decorator->kind != EXPR_CALL || (!decorator->u.call.args.len && !decorator->u.call.keyword_len);
}

static void on_call(RuleContext *ctx, const Event *event) {
  uint32_t index;
  const Function *function = decoration_traces(event) ? decoration_function(event, &index) : NULL;
  if (!function || !is_private(function) || !is_bare(event->expr)) return;
  Candidate candidate = {{event->frame->module->id, function->index}, event->span};
  rule_defer(ctx, &rule_redundant_decorator, event, &candidate, sizeof candidate);
}

static bool all_calls_traced(CallSet calls) {
  bool any = false;
  for (uint32_t i = 0; i < calls.len; i++) {
    if (!ctx_traced(calls.data[i].context)) return false;
    any |= !calls.data[i].is_test;
  }
  return any;
}

static void at_end(RuleContext *ctx) {
  const Flow *flow = rule_flow(ctx);
  DeferredSet all = rule_deferred(ctx, &rule_redundant_decorator);
  for (uint32_t i = 0; i < all.len; i++) {
    const Candidate *candidate = all.data[i].record;
    CallSet calls = flow_traced_calls(flow, candidate->func);
    if (!all_calls_traced(calls)) continue;
    Str name = sym_str(project_function(flow_project(flow), candidate->func)->name);
    Report report = {.rule = RULE_TF507,
                     .variant = TF507_DEFAULT,
                     .span = candidate->span,
                     .confidence = CONF_LIKELY,
                     .subject = name};
    report_fill(&report, S("name"), name);
    report_label(&report,
                 rule_label(ROLE_NOTE, calls.data[0].module, calls.data[0].span, S("called from traced code here")));
    rule_report_at(ctx, all.data[i].module, NO_INSTANCE, &report);
  }
}

const RuleCheck rule_redundant_decorator = {
    .name = S_INIT("redundant_decorator"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
    .end = at_end,
};

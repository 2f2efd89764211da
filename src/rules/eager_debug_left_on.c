/* TF602: a switch that makes traced functions run eagerly was left on.
 *
 * Only a literal `True` counts: a switch that is given a flag is meant to be switched. So is one below an `if`, in test code,
 * and one that the same program sets back to False.
 */
#include "rules/operand.h"

typedef enum SwitchKind { SWITCH_FUNCTIONS, SWITCH_COMPILE, SWITCH_ATTRIBUTE } SwitchKind;

typedef struct Switch {
  SwitchKind kind;
  bool on;
  bool reported;  // on, and nothing here says that it is meant
  Span span, name;
} Switch;

static bool is_literal(const Expr *expr, bool *on) {
  if (!expr || expr->kind != EXPR_CONST) return false;
  *on = expr->u.constant.kind == CONST_TRUE;
  return *on || expr->u.constant.kind == CONST_FALSE;
}

static bool is_compile(const Event *event) {
  const Expr *callee = operand_callee(event);
  return event->expr->kind == EXPR_CALL && callee->kind == EXPR_ATTR && sym_is(callee->u.attr.name, S("compile"));
}

static bool switch_of(const Event *event, Switch *out) {
  if (event->kind == EV_STORE) {
    const Expr *target = event->target;
    bool model = target->kind == EXPR_ATTR && sym_is(target->u.attr.name, S("run_eagerly")) && event->receiver->kinds &&
                 value_is(event->receiver, KIND(MODEL));
    const Stmt *stmt = event->stmt;
    out->kind = SWITCH_ATTRIBUTE;
    return model && stmt && stmt->kind == STMT_ASSIGN && is_literal(stmt->u.assign.value, &out->on);
  }
  if (!event->args || event->decorates) return false;
  if (event->api && (event->api->tags & TAG(EAGER_SWITCH))) {
    out->kind = SWITCH_FUNCTIONS;
    return is_literal(args_expr(event->args, 0, S("run_eagerly")), &out->on);
  }
  out->kind = SWITCH_COMPILE;
  return is_compile(event) && is_literal(args_expr(event->args, UINT32_MAX, S("run_eagerly")), &out->on);
}

/* `if __name__ == "__main__":` chooses nothing. */
static bool is_main_test(const Expr *test) {
  if (!test || test->kind != EXPR_COMPARE) return false;
  const Expr *left = test->u.compare.operands.data[0];
  return left->kind == EXPR_NAME && sym_is(left->u.name.id, S("__name__"));
}

static bool under_flag(const Frame *frame) {
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    bool branch = region->kind == REGION_PYTHON_BRANCH || region->kind == REGION_STATIC_BRANCH ||
                  region->kind == REGION_FROZEN_BRANCH;
    if (branch && !is_main_test(region->expr)) return true;
  }
  return false;
}

/* ---- the whole program decides ---- */

extern const RuleCheck rule_eager_debug_left_on;

static void on_event(RuleContext *ctx, const Event *event) {
  Switch found = {.span = event->span};
  if (!switch_of(event, &found)) return;
  found.reported = found.on && !event->frame->module->is_test && !under_flag(event->frame);
  found.name = event->kind == EV_STORE ? event->target->span : operand_callee(event)->span;
  rule_defer(ctx, &rule_eager_debug_left_on, event, &found, sizeof found);
}

/* Some switch of the same kind goes off behind this one, or in another function or module. */
static bool goes_off_later(const DeferredSet *all, const Deferred *on) {
  const Switch *this = on->record;
  for (uint32_t i = 0; i < all->len; i++) {
    const Switch *other = all->data[i].record;
    if (other->on || other->kind != this->kind) continue;
    bool same_run = all->data[i].instance == on->instance;
    if (!same_run || other->span.start > this->span.start) return true;
  }
  return false;
}

static void at_end(RuleContext *ctx) {
  DeferredSet all = rule_deferred(ctx, &rule_eager_debug_left_on);
  const Project *project = flow_project(rule_flow(ctx));
  for (uint32_t i = 0; i < all.len; i++) {
    const Switch *found = all.data[i].record;
    if (!found->reported || goes_off_later(&all, &all.data[i])) continue;
    Report report = {.rule = RULE_TF602,
                     .variant = found->kind == SWITCH_FUNCTIONS ? TF602_DEFAULT : TF602_MODEL,
                     .span = found->span,
                     .confidence = CONF_CERTAIN,
                     .subject = source_slice(&project_module(project, all.data[i].module)->source, found->name)};
    report_fill(&report, S("switch"), report.subject);
    rule_report_at(ctx, all.data[i].module, NO_INSTANCE, &report);
  }
}

const RuleCheck rule_eager_debug_left_on = {
    .name = S_INIT("eager_debug_left_on"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE),
    .event = on_event,
    .end = at_end,
};

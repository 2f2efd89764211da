/* TF407: a branch is decided by host state that changes between calls, but only once: while tracing.
 *
 *   if len(self.buffer) < 32: return 0    # the buffer grows elsewhere; the trace returns 0 for ever
 *
 * The engine says which place the condition reads and whether anything in the project changes it after construction. Not meant
 * are create-once guards, conditions on tensors (they are part of the graph), and random draws and clocks, which have rules
 * of their own.
 */
#include "rules/rule.h"
#include "sema/dynamic_scope.h"

static bool is_decided_elsewhere(const Event *event) {
  const Value *condition = event->value;
  if (event->is_guard || !condition) return true;
  if (condition->flags & (VF_RANDOM | VF_CLOCK)) return true;
  return value_has(condition, KIND(TENSOR) | KIND(VARIABLE) | KIND(EAGER_TENSOR));
}

static Var state_of(const Event *event) { return event->var.kind != VAR_NONE ? event->var : event->value->home; }

/* The arm leaves the function: what follows never runs again. A `raise` is a check, not a decision. */
static bool returns_early(const Event *event) {
  const Stmt *stmt = event->stmt;
  if (event->kind != EV_BRANCH || !stmt || stmt->kind != STMT_IF || event->arm >= stmt->u.branch.len) return false;
  Block body = stmt->u.branch.arms[event->arm].body;
  return body.len && body.data[body.len - 1]->kind == STMT_RETURN;
}

/* An arm that ends in `raise` is a check: it fails while tracing or never, which is what its author wants of it. */
static bool only_checks(const Event *event) {
  const Stmt *stmt = event->stmt;
  if (event->kind != EV_BRANCH || !stmt || stmt->kind != STMT_IF || event->arm >= stmt->u.branch.len) return false;
  Block body = stmt->u.branch.arms[event->arm].body;
  return body.len && body.data[body.len - 1]->kind == STMT_RAISE && stmt->u.branch.len == 1;
}

static const Expr *condition_expr(const Event *event) {
  const Stmt *stmt = event->stmt;
  if (event->expr && event->expr->kind == EXPR_TERNARY) return event->expr->u.ternary.test;
  if (event->kind == EV_LOOP) return stmt->kind == STMT_WHILE ? stmt->u.loop.test : NULL;
  bool is_if = stmt && stmt->kind == STMT_IF && event->arm < stmt->u.branch.len;
  return is_if ? stmt->u.branch.arms[event->arm].test : event->expr;
}

/* `if depth == 0: patch()` of a context manager that counts `depth` up and down itself. */
static bool counts_nesting(const Event *event, Var state) {
  return state.name && is_taken_back_at_exit(event->frame->function, state.name);
}

static Str change_text(const WriteRecord *write) {
  switch (write->kind) {
    case WRITE_GROW:
      return S("grows here");
    case WRITE_SHRINK:
      return S("shrinks here");
    case WRITE_ITEM:
      return S("is changed here");
    default:
      return S("is set here");
  }
}

static void on_branch(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || is_decided_elsewhere(event)) return;
  if (event->frame->context & CTX_GRAPH) return;  // a v1 graph is built once, from what holds then
  if (only_checks(event)) return;
  if (event->kind == EV_LOOP && (event->stmt->kind != STMT_WHILE || event->loop != LOOP_PYTHON)) return;
  Var state = state_of(event);
  if (state.kind == VAR_NONE || counts_nesting(event, state)) return;
  const WriteRecord *write = NULL;
  Change change = flow_change(rule_flow(ctx), state, &write);
  if (change != CHANGE_CONTENTS && change != CHANGE_REBOUND) return;

  Str name = var_text(rule_scratch(ctx), event->frame->project, state);
  Report report = {.rule = RULE_TF407,
                   .variant = event->kind == EV_LOOP ? TF407_LOOP
                              : returns_early(event) ? TF407_EARLY_RETURN
                                                     : TF407_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->value),
                   .subject = name};
  report_fill(&report, S("condition"), rule_text(ctx, event, condition_expr(event)));
  report_fill(&report, S("state"), name);
  if (write) {
    Str text = change_text(write);
    Str label = str_printf(rule_scratch(ctx), "`%.*s` %.*s", STR_ARG(name), STR_ARG(text));
    report_label(&report, rule_label(ROLE_NOTE, write->module, write->span, label));
  }
  rule_report(ctx, event, &report);
}

const RuleCheck rule_host_condition_frozen = {
    .name = S_INIT("host_condition_frozen"),
    .events = ON_EVENT(EV_BRANCH) | ON_EVENT(EV_LOOP),
    .event = on_branch,
};

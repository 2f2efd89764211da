/* TF412: one branch of a tensor `if` returns, and the other does not, or returns None.
 *
 *   if t > 0: return a
 *   return b                # belongs to the other branch, as AutoGraph sees it: fine
 *
 * tf.cond gives one result, so both branches must. Where a branch returns nothing, it returns None, which is no tensor.
 */
#include "rules/rule.h"

/* ---- what the return statements of a stretch of code say ---- */

typedef struct Returns {
  bool values, nones;
} Returns;

static void add_block(Returns *returns, const Block *block);

static bool is_none(const Expr *expr) {
  return !expr || (expr->kind == EXPR_CONST && expr->u.constant.kind == CONST_NONE);
}

static void add_stmt(Returns *returns, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_RETURN:
      if (is_none(stmt->u.expr)) returns->nones = true;
      else returns->values = true;
      break;
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) add_block(returns, &stmt->u.branch.arms[i].body);
      break;
    case STMT_WITH:
      add_block(returns, &stmt->u.with.body);
      break;
    case STMT_FOR:
      add_block(returns, &stmt->u.forloop.body);
      break;
    case STMT_WHILE:
      add_block(returns, &stmt->u.loop.body);
      break;
    case STMT_TRY:
      add_block(returns, &stmt->u.try_.body);
      for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) add_block(returns, &stmt->u.try_.handlers[i].body);
      break;
    default:
      break;
  }
}

static void add_block(Returns *returns, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) add_stmt(returns, block->data[i]);
}

static bool returns_any(Returns returns) { return returns.values || returns.nones; }

/* ---- the two sides ---- */

static Returns arm_returns(const Stmt *stmt, uint32_t from, uint32_t end) {
  Returns returns = {0};
  for (uint32_t i = from; i < end; i++) add_block(&returns, &stmt->u.branch.arms[i].body);
  return returns;
}

/* What the values say where the syntax leaves it open: the rest of the block is not at hand here. */
static bool gives_none(const Value *returned) { return returned->kinds && value_is(returned, KIND(NONE)); }

static bool gives_value(const Value *returned) {
  return returned->kinds && !value_may(returned, KIND(NONE)) &&
         value_has(returned, KIND(TENSOR) | KINDS_PYTHON_SCALAR | KINDS_CONTAINER);
}

/* `if a: return x` / `elif b: return y` and nothing behind: one fault, said at the last arm. */
static bool next_arm_speaks(const Event *event) {
  const StmtFacts *next = event->followed ? event_facts(event, event->stmt, event->arm + 1) : NULL;
  return next && next->end_main == END_RETURNS && next->end_else == END_FALLS;
}

static bool choose_variant(const Event *event, const StmtFacts *facts, uint32_t *variant) {
  const Stmt *stmt = event->stmt;
  Returns main = arm_returns(stmt, event->arm, event->arm + 1);
  Returns other = arm_returns(stmt, event->arm + 1, stmt->u.branch.len);
  bool main_ends = facts->end_main == END_RETURNS, else_ends = facts->end_else == END_RETURNS;
  if (main_ends && returns_any(main) && facts->end_else == END_FALLS) {
    *variant = TF412_DEFAULT;
    return !next_arm_speaks(event);
  }
  if (else_ends && returns_any(other) && facts->end_main == END_FALLS && !facts->normalised) {
    *variant = TF412_ELSE;
    return true;
  }
  const Value *a = event->operands[0], *b = event->operands[1];
  if (!main_ends || !else_ends) return false;
  if (gives_none(a) && gives_none(b)) *variant = TF412_NONE_IN_BOTH;
  else *variant = TF412_NONE;
  return gives_none(a) ? gives_none(b) || gives_value(b) : gives_none(b) && gives_value(a);
}

static void on_branch_end(RuleContext *ctx, const Event *event) {
  if (!ctx_autograph_on(event->frame->context)) return;
  const Region *python = frame_region(event->frame, REGION_PYTHON_LOOP);
  const StmtFacts *facts = event_facts(event, event->stmt, event->arm);
  uint32_t variant;
  if (python || !facts || !choose_variant(event, facts, &variant)) return;
  Str condition = rule_text(ctx, event, event->expr);
  Report report = {.rule = RULE_TF412,
                   .variant = variant,
                   .span = event->stmt->u.branch.arms[event->arm].header,
                   .confidence = frame_confidence(event->frame, event->value),
                   .subject = condition,
                   .because = event->value,
                   .because_name = condition};
  report_fill(&report, S("condition"), condition);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_return_in_one_branch = {
    .name = S_INIT("return_in_one_branch"),
    .events = ON_EVENT(EV_BRANCH_END),
    .event = on_branch_end,
};

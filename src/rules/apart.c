/* Reads the tests of `if` statements that compare an attribute with a text. An attribute that changes between calls is not asked:
 * then one call may take this arm and the next one the other.
 */
#include "rules/apart.h"

enum { DEPTH_MAX = 32 };

/* `self.mode == "fixed"` */
static bool compares_setting(const Expr *test) {
  if (test->kind != EXPR_COMPARE || test->u.compare.operands.len != 2 || test->u.compare.ops[0] != CMP_EQ) return false;
  const Expr *left = test->u.compare.operands.data[0], *right = test->u.compare.operands.data[1];
  return left->kind == EXPR_ATTR && expr_is_path(left) && right->kind == EXPR_CONST;
}

static bool same_setting(const Expr *a, const Expr *b) {
  return expr_same_path(a->u.compare.operands.data[0], b->u.compare.operands.data[0]);
}

static bool same_text(const Expr *a, const Expr *b) {
  const Expr *x = a->u.compare.operands.data[1], *y = b->u.compare.operands.data[1];
  return x->u.constant.kind == y->u.constant.kind && str_eq(x->u.constant.text, y->u.constant.text);
}

static bool is_text(const Expr *test) { return test->u.compare.operands.data[1]->u.constant.kind == CONST_STR; }

/* Whether the arm that holds the offset runs only where `test` fails. */
static bool arm_excludes(const Stmt *branch, uint32_t offset, const Expr *test) {
  for (uint32_t i = 0; i < branch->u.branch.len; i++) {
    const IfArm *arm = &branch->u.branch.arms[i];
    if (arm->test && !compares_setting(arm->test)) return false;
    bool inside = arm->body.len && arm->body.data[0]->span.start <= offset &&
                  offset < arm->body.data[arm->body.len - 1]->span.end;
    if (inside) return arm->test && same_setting(arm->test, test) && is_text(arm->test) && !same_text(arm->test, test);
    if (arm->test && same_setting(arm->test, test) && is_text(arm->test) && same_text(arm->test, test)) return true;
  }
  return false;
}

/* A setting that stays what it is, and no argument. */
static bool is_settled(RuleContext *ctx, const Region *region) {
  if (region->kind == REGION_STATIC_BRANCH || region->kind == REGION_PYTHON_BRANCH) return true;
  if (region->kind != REGION_FROZEN_BRANCH || region->var.kind == VAR_NONE) return false;
  return flow_change(rule_flow(ctx), region->var, NULL) <= CHANGE_ONCE;
}

bool is_kept_apart(RuleContext *ctx, const Frame *frame, uint32_t offset) {
  const Stmt *around[DEPTH_MAX];
  uint32_t depth = ast_stmts_at(frame->module->ast, offset, around, DEPTH_MAX);
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    bool in_arm = region->stmt && region->stmt->kind == STMT_IF && region->arm < region->stmt->u.branch.len;
    if (!in_arm || !is_settled(ctx, region)) continue;
    const Expr *test = region->stmt->u.branch.arms[region->arm].test;
    if (!test || !compares_setting(test) || !is_text(test)) continue;
    for (uint32_t k = 0; k < depth; k++) {
      if (around[k]->kind == STMT_IF && arm_excludes(around[k], offset, test)) return true;
    }
  }
  return false;
}

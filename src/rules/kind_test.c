/* Helpers that work on structures ask one argument what it is, and take another one apart by the answer:
 *
 *   def cast(value, structure):
 *     if tf.nest.is_nested(structure):    # structure: not known
 *       return type(structure)(*value)    # value: a tensor, but then structure is no structure
 *
 * A test that only raises is a check and keeps nothing apart. What is traced itself, not a helper, is called with all that it
 * tests for.
 */
#include "rules/kind_test.h"

static bool is_kind_test(Str name) {
  static const Str names[] = {S_INIT("isinstance"),  S_INIT("issubclass"),    S_INIT("hasattr"),
                              S_INIT("callable"),    S_INIT("type"),          S_INIT("is_nested"),
                              S_INIT("is_sequence"), S_INIT("is_tensor"),     S_INIT("is_tensor_like"),
                              S_INIT("is_tf_type"),  S_INIT("is_namedtuple"), S_INIT("is_nested_or_composite")};
  return STR_IN(name, names);
}

typedef struct Search {
  const Event *event;
  bool in_helper;  // inside of a function that the test calls: its calls are not followed
  bool found;
} Search;

static void search_expr(void *context, Expr *expr);

/* A function that does nothing but answer: `def is_text(x): return isinstance(x, str)`. */
static bool asks_kind(const Search *search, const Expr *callee) {
  const Frame *frame = search->event->frame;
  EntitySet set = project_resolve(frame->project, frame->module->id, frame->function, callee);
  if (set.len != 1 || set.more || set.items[0].kind != ENTITY_FUNCTION) return false;
  const Function *function = project_function(frame->project, (FuncRef){set.items[0].module, set.items[0].index});
  Search inside = {.event = search->event, .in_helper = true};
  for (uint32_t i = 0; i < function->body.len && !inside.found; i++) {
    const Stmt *stmt = function->body.data[i];
    if (stmt->kind == STMT_RETURN) search_expr(&inside, stmt->u.expr);
  }
  return inside.found;
}

/* `prev is None` where that is not known, on the side where it is: callers who pass None pass other things as well. */
static bool asks_for_none(const Expr *test, const Region *region) {
  if (test->kind != EXPR_COMPARE || test->u.compare.operands.len != 2 || test->u.compare.ops[0] != CMP_IS) return false;
  const Expr *right = test->u.compare.operands.data[1];
  bool taken = region->stmt && region->stmt->kind == STMT_IF && region->kind != REGION_AFTER_EXIT &&
               region->arm < region->stmt->u.branch.len && region->stmt->u.branch.arms[region->arm].test == test;
  return taken && right->kind == EXPR_CONST && right->u.constant.kind == CONST_NONE;
}

static void search_expr(void *context, Expr *expr) {
  Search *search = context;
  if (!expr || search->found) return;
  if (expr->kind == EXPR_CALL && expr->u.call.args.len) {
    const Expr *callee = expr->u.call.callee;
    Sym name = callee->kind == EXPR_NAME ? callee->u.name.id : callee->kind == EXPR_ATTR ? callee->u.attr.name : NULL;
    search->found = name && (is_kind_test(name->text) || (!search->in_helper && asks_kind(search, callee)));
  }
  if (!search->found) expr_children(expr, search_expr, context);
}

static bool ends_raising(const Block *block) { return block->len && block->data[block->len - 1]->kind == STMT_RAISE; }

/* `if not isinstance(x, dict): raise TypeError(…)` */
static bool is_check(const Stmt *stmt) {
  if (!stmt || stmt->kind != STMT_IF) return false;
  for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
    if (!ends_raising(&stmt->u.branch.arms[i].body)) return false;
  }
  return true;
}

static bool asks_what_is_not_known(const Event *event, const Region *region) {
  switch (region->kind) {
    case REGION_PYTHON_BRANCH:
    case REGION_STATIC_BRANCH:
    case REGION_FROZEN_BRANCH:
    case REGION_GUARD:
      break;
    case REGION_AFTER_EXIT:
      if (is_check(region->stmt)) return false;
      break;
    default:
      return false;
  }
  if (!region->expr || !region->value || region->value->konst == KONST_BOOL) return false;
  if (asks_for_none(region->expr, region)) return true;
  Search search = {.event = event};
  search_expr(&search, (Expr *)region->expr);
  return search.found;
}

static bool in_helper(RuleContext *ctx, const Event *event) {
  return flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance).len > 1;
}

bool kind_test_decides(RuleContext *ctx, const Event *event, const Value *value) {
  if (!value) return false;
  bool asked = false;
  for (uint32_t i = 0; i < event->frame->region_len && !asked; i++) {
    asked = asks_what_is_not_known(event, &event->frame->regions[i]);
  }
  return asked && in_helper(ctx, event);
}

/* The generic walk. Depth is bounded by the tree's. */
#include "sema/walk.h"

static void walk_optional(Walk *walk, Expr *expr) {
  if (expr) walk_expr(walk, expr);
}

static void walk_list(Walk *walk, const ExprList *list) {
  for (uint32_t i = 0; i < list->len; i++) walk_expr(walk, list->data[i]);
}

static void walk_child(void *context, Expr *child) { walk_expr(context, child); }

void walk_body(Walk *walk, const Function *function) {
  const Function *outer = walk->function;
  walk->function = function;
  if (function->is_lambda) walk_expr(walk, function->lambda_body);
  else walk_block(walk, &function->body);
  walk->function = outer;
}

static void walk_comprehension(Walk *walk, const Comprehension *comp) {
  for (uint32_t i = 0; i < comp->clause_len; i++) {
    walk_expr(walk, comp->clauses[i].iter);
    walk_expr(walk, comp->clauses[i].target);
    walk_list(walk, &comp->clauses[i].tests);
  }
  walk_expr(walk, comp->element);
  walk_optional(walk, comp->value);
}

void walk_expr(Walk *walk, Expr *expr) {
  walk->visit(walk->context, expr, walk->function);
  if (expr->kind == EXPR_COMP) walk_comprehension(walk, expr->u.comp);
  else expr_children(expr, walk_child, walk);
  if (expr->kind == EXPR_LAMBDA && !walk->shallow) walk_body(walk, expr->u.lambda);
}

static void walk_function(Walk *walk, const Function *function) {
  for (uint32_t i = 0; i < function->decorator_len; i++) walk_expr(walk, function->decorators[i]);
  for (uint32_t i = 0; i < function->param_len; i++) {
    walk_optional(walk, function->params[i].fallback);
    walk_optional(walk, function->params[i].annotation);
  }
  walk_optional(walk, function->returns);
  if (!walk->shallow) walk_body(walk, function);
}

static void walk_class(Walk *walk, const Class *class_) {
  for (uint32_t i = 0; i < class_->decorator_len; i++) walk_expr(walk, class_->decorators[i]);
  walk_list(walk, &class_->bases);
  for (uint32_t i = 0; i < class_->keyword_len; i++) walk_expr(walk, class_->keywords[i].value);
  if (!walk->shallow) walk_block(walk, &class_->body);
}

static void walk_pattern(Walk *walk, const Pattern *pattern) {
  if (!pattern) return;
  walk_optional(walk, pattern->value);
  walk_optional(walk, pattern->name);
  for (uint32_t i = 0; i < pattern->part_len; i++) walk_pattern(walk, pattern->parts[i]);
}

static void walk_compound(Walk *walk, const Stmt *stmt) {
  switch (stmt->kind) {
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
        walk_optional(walk, stmt->u.branch.arms[i].test);
        walk_block(walk, &stmt->u.branch.arms[i].body);
      }
      break;
    case STMT_WHILE:
      walk_expr(walk, stmt->u.loop.test);
      walk_block(walk, &stmt->u.loop.body);
      walk_block(walk, &stmt->u.loop.orelse);
      break;
    case STMT_FOR:
      walk_expr(walk, stmt->u.forloop.iter);
      walk_expr(walk, stmt->u.forloop.target);
      walk_block(walk, &stmt->u.forloop.body);
      walk_block(walk, &stmt->u.forloop.orelse);
      break;
    case STMT_WITH:
      for (uint32_t i = 0; i < stmt->u.with.len; i++) {
        walk_expr(walk, stmt->u.with.items[i].context);
        walk_optional(walk, stmt->u.with.items[i].target);
      }
      walk_block(walk, &stmt->u.with.body);
      break;
    case STMT_TRY:
      walk_block(walk, &stmt->u.try_.body);
      for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
        walk_optional(walk, stmt->u.try_.handlers[i].type);
        walk_optional(walk, stmt->u.try_.handlers[i].name);
        walk_block(walk, &stmt->u.try_.handlers[i].body);
      }
      walk_block(walk, &stmt->u.try_.orelse);
      walk_block(walk, &stmt->u.try_.finally);
      break;
    default:
      walk_expr(walk, stmt->u.match.subject);
      for (uint32_t i = 0; i < stmt->u.match.len; i++) {
        walk_pattern(walk, stmt->u.match.cases[i].pattern);
        walk_optional(walk, stmt->u.match.cases[i].guard);
        walk_block(walk, &stmt->u.match.cases[i].body);
      }
  }
}

void walk_stmt(Walk *walk, const Stmt *stmt) {
  switch (stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
      walk_optional(walk, stmt->u.expr);
      break;
    case STMT_ASSIGN:
      walk_expr(walk, stmt->u.assign.value);
      walk_list(walk, &stmt->u.assign.targets);
      break;
    case STMT_AUGASSIGN:
      walk_expr(walk, stmt->u.aug.value);
      walk_expr(walk, stmt->u.aug.target);
      break;
    case STMT_ANNASSIGN:
      walk_optional(walk, stmt->u.ann.value);
      walk_expr(walk, stmt->u.ann.annotation);
      walk_expr(walk, stmt->u.ann.target);
      break;
    case STMT_DELETE:
    case STMT_PRINT:
      walk_list(walk, &stmt->u.exprs);
      break;
    case STMT_RAISE:
      walk_optional(walk, stmt->u.raise.exc);
      walk_optional(walk, stmt->u.raise.cause);
      break;
    case STMT_ASSERT:
      walk_expr(walk, stmt->u.assertion.test);
      walk_optional(walk, stmt->u.assertion.message);
      break;
    case STMT_IF:
    case STMT_WHILE:
    case STMT_FOR:
    case STMT_WITH:
    case STMT_TRY:
    case STMT_MATCH:
      walk_compound(walk, stmt);
      break;
    case STMT_FUNCTION:
      walk_function(walk, stmt->u.function);
      break;
    case STMT_CLASS:
      walk_class(walk, stmt->u.class_);
      break;
    default:
      break;
  }
}

void walk_block(Walk *walk, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) walk_stmt(walk, block->data[i]);
}

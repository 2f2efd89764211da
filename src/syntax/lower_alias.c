/* `type X = value`, and its false friend.
 *
 * The grammar takes `type(self).attribute = value` for a type alias, because `type` is a soft keyword. What tells them apart is
 * the left side: an alias is a name with or without type parameters. The other is put together again as the assignment it is:
 *     type_alias_statement(attribute(parenthesized(self), attribute), value)  ->  attr(call(type, self), attribute) = value
 */
#include "syntax/lower.h"

/* The leftmost operand below attributes, subscripts and calls of the concrete tree. */
static Kid leftmost_kid(Lower *low, Kid kid) {
  for (;;) {
    bool opens = kid.kind == NODE_TYPE || kid.kind == NODE_ATTRIBUTE || kid.kind == NODE_SUBSCRIPT ||
                 kid.kind == NODE_CALL || kid.kind == NODE_MEMBER_TYPE;
    Kids kids = {0};
    if (opens) kids = lower_kids(low, &kid);
    if (kids.len == 0) return kid;
    kid = kids.data[0];
  }
}

/* The place of the leftmost operand in the lowered tree; every node on the way now begins at `start`. */
static Expr **leftmost_place(Expr **place, uint32_t start) {
  for (;;) {
    Expr *expr = *place;
    Expr **next = expr->kind == EXPR_ATTR        ? &expr->u.attr.value
                  : expr->kind == EXPR_SUBSCRIPT ? &expr->u.subscript.value
                  : expr->kind == EXPR_CALL      ? &expr->u.call.callee
                                                 : NULL;
    if (!next) return place;
    expr->span.start = start;
    place = next;
  }
}

static Expr *call_of_type(Lower *low, const Kid *type_word, const Kid *parens, Expr *operand) {
  Expr *expr = expr_new(low, EXPR_CALL, (Span){type_word->span.start, parens->span.end});
  expr->u.call.callee = lower_name(low, type_word);
  expr->u.call.paren = parens->span;
  if (parens->kind == NODE_TUPLE && operand->kind == EXPR_TUPLE) {
    expr->u.call.args = operand->u.items;
    return expr;
  }
  ExprVec only = {0};
  lower_push(low, &only, operand);
  expr->u.call.args = lower_list(low, &only);
  return expr;
}

/* Gives up (the statement stays opaque) unless the left side is a place below something in parentheses. */
static void lower_false_alias(Lower *low, Stmt *stmt, const Kid *type_word, const Kid *left, const Kid *right) {
  Kid parens = leftmost_kid(low, *left);
  if (parens.kind != NODE_PARENTHESIZED_EXPRESSION && parens.kind != NODE_TUPLE) return;
  Expr *target = lower_expr(low, left);
  if (target->kind != EXPR_ATTR && target->kind != EXPR_SUBSCRIPT) return;
  Expr **place = leftmost_place(&target, type_word->span.start);
  *place = call_of_type(low, type_word, &parens, *place);
  ExprVec targets = {0};
  lower_push(low, &targets, lower_stored(target));
  stmt->kind = STMT_ASSIGN;
  stmt->u.assign.targets = lower_list(low, &targets);
  stmt->u.assign.value = lower_expr(low, right);
}

void lower_type_alias(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  uint32_t assign = kids_find(kids, TOKEN_ASSIGN, 0);
  if (kids.damaged || assign + 1 >= kids.len || assign == 0) return;
  const Kid *left = &kids.data[assign - 1], *right = &kids.data[assign + 1];
  Kid first = leftmost_kid(low, *left);
  if (first.kind != NODE_IDENTIFIER && first.kind != NODE_GENERIC_TYPE) {
    lower_false_alias(low, stmt, &kids.data[0], left, right);
    return;
  }
  Expr *name = lower_expr(low, left);
  if (name->kind == EXPR_SUBSCRIPT) name = name->u.subscript.value;  // `type X[T] = …` binds X
  if (name->kind != EXPR_NAME) return;
  stmt->kind = STMT_TYPE_ALIAS;
  stmt->u.alias.name = lower_stored(name);
  stmt->u.alias.value = lower_expr(low, right);
}

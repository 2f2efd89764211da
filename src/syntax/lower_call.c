/* Calls, and comprehensions because `f(x for x in y)` is both. */
#include "syntax/lower.h"

typedef VEC(Keyword) KeywordVec;

/* `name=value` or `**value`. False if it is damaged. */
static bool lower_keyword(Lower *low, const Kid *kid, KeywordVec *out) {
  Kids kids = lower_kids(low, kid);
  bool named = kid->kind == NODE_KEYWORD_ARGUMENT;
  if (kids.damaged || kids.len != (named ? 3 : 2)) return false;
  Keyword keyword = {.span = kid->span};
  if (named) {
    keyword.name = lower_symbol(low, kids.data[0].span);
    keyword.name_span = kids.data[0].span;
  }
  keyword.value = lower_expr(low, &kids.data[kids.len - 1]);
  vec_push(&low->scratch, out, keyword);
  return true;
}

bool lower_arguments(Lower *low, const Kid *kid, ExprList *args, Keyword **keywords, uint32_t *keyword_len) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return false;
  ExprVec positional = {0};
  KeywordVec named = {0};
  for (uint32_t i = 0; i < kids.len; i++) {
    Kid *argument = &kids.data[i];
    if (argument->kind == NODE_KEYWORD_ARGUMENT || argument->kind == NODE_DICTIONARY_SPLAT) {
      if (!lower_keyword(low, argument, &named)) return false;
    } else if (node_is_expr(argument->kind)) {
      lower_push(low, &positional, lower_expr(low, argument));
    }
  }
  *args = lower_list(low, &positional);
  *keyword_len = named.len;
  if (named.len == 0) return true;
  *keywords = arena_array(low->arena, Keyword, named.len);
  memcpy(*keywords, named.data, named.len * sizeof *named.data);
  return true;
}

Expr *lower_call(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 2) return lower_opaque(low, kid);
  Expr *callee = lower_expr(low, &kids.data[0]);
  const Kid *arguments = &kids.data[1];
  ExprList args = {0};
  Keyword *keywords = NULL;
  uint32_t keyword_len = 0;
  if (arguments->kind == NODE_GENERATOR_EXPRESSION) {
    ExprVec only = {0};
    lower_push(low, &only, lower_expr(low, arguments));
    args = lower_list(low, &only);
  } else if (!lower_arguments(low, arguments, &args, &keywords, &keyword_len)) {
    return lower_opaque(low, kid);
  }
  Expr *expr = expr_new(low, EXPR_CALL, kid->span);
  expr->u.call.callee = callee;
  expr->u.call.args = args;
  expr->u.call.keywords = keywords;
  expr->u.call.keyword_len = keyword_len;
  expr->u.call.paren = arguments->span;
  return lower_hoist_star(expr, &expr->u.call.callee);
}

/* `for target in iter`; the tests that follow are added by the caller. */
static bool lower_for_clause(Lower *low, const Kid *kid, CompClause *out) {
  Kids kids = lower_kids(low, kid);
  uint32_t in = kids_find(kids, TOKEN_IN, 0);
  if (kids.damaged || in == kids.len) return false;
  out->is_async = kids.data[0].kind == TOKEN_ASYNC;
  out->target = lower_stored(lower_expr_or_tuple(low, kids, 0, in));
  out->iter = lower_expr_or_tuple(low, kids, in, kids.len);
  out->span = kid->span;
  return out->target && out->iter;
}

static bool lower_test(Lower *low, const Kid *kid, ExprVec *tests) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 2) return false;
  lower_push(low, tests, lower_expr(low, &kids.data[1]));
  return true;
}

/* The first iterable belongs to the scope outside: a yield in it is that function's own. */
static bool lower_clauses(Lower *low, Kids kids, Comprehension *comp, bool outer) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < kids.len; i++) count += kids.data[i].kind == NODE_FOR_IN_CLAUSE;
  comp->clauses = arena_array(low->arena, CompClause, count);
  for (uint32_t i = kids_find(kids, NODE_FOR_IN_CLAUSE, 0); i < kids.len;) {
    CompClause *clause = &comp->clauses[comp->clause_len++];
    low->scope.in_comprehension = comp->clause_len > 1 || outer;
    if (!lower_for_clause(low, &kids.data[i++], clause)) return false;
    low->scope.in_comprehension = true;
    ExprVec tests = {0};
    for (; i < kids.len && kids.data[i].kind == NODE_IF_CLAUSE; i++) {
      if (!lower_test(low, &kids.data[i], &tests)) return false;
      clause->span.end = kids.data[i].span.end;
    }
    clause->tests = lower_list(low, &tests);
    i = kids_find(kids, NODE_FOR_IN_CLAUSE, i);
  }
  return comp->clause_len > 0;
}

static CompKind comp_kind(NodeKind kind) {
  switch (kind) {
    case NODE_LIST_COMPREHENSION:
      return COMP_LIST;
    case NODE_SET_COMPREHENSION:
      return COMP_SET;
    case NODE_DICTIONARY_COMPREHENSION:
      return COMP_DICT;
    default:
      return COMP_GENERATOR;
  }
}

static bool lower_element(Lower *low, const Kid *kid, Comprehension *comp) {
  if (comp->kind != COMP_DICT) {
    comp->element = lower_expr(low, kid);
    return true;
  }
  Kids pair = lower_kids(low, kid);
  if (kid->kind != NODE_PAIR || pair.damaged || pair.len != 3) return false;
  comp->element = lower_expr(low, &pair.data[0]);
  comp->value = lower_expr(low, &pair.data[2]);
  return true;
}

Expr *lower_comprehension(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len < 4) return lower_opaque(low, kid);
  Comprehension *comp = arena_new(low->arena, Comprehension);
  comp->kind = comp_kind(kid->kind);
  bool outer = low->scope.in_comprehension;
  low->scope.in_comprehension = true;
  bool whole = lower_element(low, &kids.data[1], comp) && lower_clauses(low, kids, comp, outer);
  low->scope.in_comprehension = outer;
  if (!whole) return lower_opaque(low, kid);
  Expr *expr = expr_new(low, EXPR_COMP, kid->span);
  expr->u.comp = comp;
  return expr;
}

/* Expressions: one small function per grammar node, chosen by table.
 *
 * Requires that the concrete tree is alive. Operators, strings, numbers, calls and lambdas have files of their own. A node
 * with an error among its own children is given up as EXPR_OPAQUE: what tree-sitter guessed around the error need not be what
 * the author meant, and a wrong guess would be a wrong finding.
 */
#include "syntax/lower.h"

Expr *expr_new(Lower *low, ExprKind kind, Span span) {
  Expr *expr = arena_new(low->arena, Expr);
  expr->kind = (uint8_t)kind;
  expr->depth = (uint16_t)low->depth;
  expr->id = low->ast->expr_count++;
  expr->span = span;
  return expr;
}

Expr *lower_opaque(Lower *low, const Kid *kid) {
  lower_abandon(low, kid);
  return expr_new(low, EXPR_OPAQUE, kid->span);
}

static Expr *lower_unexpected(Lower *low, const Kid *kid) {
  lower_note_error(low, kid->span, S("syntax error"));
  return lower_opaque(low, kid);
}

Expr *lower_name(Lower *low, const Kid *kid) {
  Expr *expr = expr_new(low, EXPR_NAME, kid->span);
  expr->u.name.id = lower_symbol(low, kid->span);
  return expr;
}

/* Names and attributes are made inside out, as `a.b` would be. */
static Expr *lower_dotted_name(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return lower_opaque(low, kid);
  Expr *expr = NULL;
  for (uint32_t i = 0; i < kids.len && i < AST_MAX_DEPTH; i++) {
    Kid *part = &kids.data[i];
    if (part->kind != NODE_IDENTIFIER) continue;
    if (!expr) {
      expr = lower_name(low, part);
      continue;
    }
    Expr *attr = expr_new(low, EXPR_ATTR, (Span){expr->span.start, part->span.end});
    attr->u.attr.value = expr;
    attr->u.attr.name = lower_symbol(low, part->span);
    attr->u.attr.name_span = part->span;
    expr = attr;
  }
  return expr ? expr : lower_opaque(low, kid);
}

static Expr *lower_singleton(Lower *low, const Kid *kid) {
  Expr *expr = expr_new(low, EXPR_CONST, kid->span);
  expr->u.constant.kind = kid->kind == NODE_NONE    ? CONST_NONE
                          : kid->kind == NODE_TRUE  ? CONST_TRUE
                          : kid->kind == NODE_FALSE ? CONST_FALSE
                                                    : CONST_ELLIPSIS;
  expr->u.constant.text = lower_text(low, kid->span);
  expr->u.constant.i = kid->kind == NODE_TRUE;
  expr->u.constant.exact = true;
  return expr;
}

Expr *lower_hoist_star(Expr *expr, Expr **operand) {
  Expr *star = *operand;
  if (star->kind != EXPR_STARRED) return expr;
  *operand = star->u.starred;
  expr->span.start = star->u.starred->span.start;
  star->u.starred = expr;
  star->span.end = expr->span.end;
  return star;
}

static Expr *lower_attribute(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len < 3) return lower_opaque(low, kid);
  Expr *value = lower_expr(low, &kids.data[0]);
  Expr *expr = expr_new(low, EXPR_ATTR, kid->span);
  expr->u.attr.value = value;
  expr->u.attr.name_span = kids.data[kids.len - 1].span;
  expr->u.attr.name = lower_symbol(low, expr->u.attr.name_span);
  return lower_hoist_star(expr, &expr->u.attr.value);
}

static void push_exprs(Lower *low, Kids kids, uint32_t from, uint32_t to, ExprVec *out) {
  for (uint32_t i = from; i < to && i < kids.len; i++) {
    if (node_is_expr(kids.data[i].kind)) lower_push(low, out, lower_expr(low, &kids.data[i]));
  }
}

Expr *lower_expr_or_tuple(Lower *low, Kids kids, uint32_t from, uint32_t to) {
  uint32_t first = from, last = from, count = 0;
  bool comma = false;
  for (uint32_t i = from; i < to && i < kids.len; i++) {
    if (kids.data[i].kind == TOKEN_COMMA) comma = true;
    else if (!node_is_expr(kids.data[i].kind)) continue;
    else if (count++ == 0) first = i;
    last = i;
  }
  if (count == 0) return NULL;
  if (count == 1 && !comma) return lower_expr(low, &kids.data[first]);
  ExprVec items = {0};
  low->depth++;
  push_exprs(low, kids, first, last + 1, &items);
  low->depth--;
  Expr *tuple = expr_new(low, EXPR_TUPLE, span_join(kids.data[first].span, kids.data[last].span));
  tuple->u.items = lower_list(low, &items);
  return tuple;
}

/* To Python `a[*b]` has a tuple of one for its index. */
static Expr *subscript_new(Lower *low, Span span, Expr *value, Expr *index) {
  if (index->kind == EXPR_STARRED) {
    ExprVec only = {0};
    lower_push(low, &only, index);
    Expr *tuple = expr_new(low, EXPR_TUPLE, index->span);
    tuple->u.items = lower_list(low, &only);
    index = tuple;
  }
  Expr *expr = expr_new(low, EXPR_SUBSCRIPT, span);
  expr->u.subscript.value = value;
  expr->u.subscript.index = index;
  return expr;
}

static Expr *lower_subscript(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len < 3) return lower_opaque(low, kid);
  Expr *value = lower_expr(low, &kids.data[0]);
  Expr *index = lower_expr_or_tuple(low, kids, 1, kids.len);
  if (!index) return lower_opaque(low, kid);
  Expr *expr = subscript_new(low, kid->span, value, index);
  return lower_hoist_star(expr, &expr->u.subscript.value);
}

static Expr *lower_slice(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return lower_opaque(low, kid);
  Expr *bounds[3] = {0};
  uint32_t at = 0;
  for (uint32_t i = 0; i < kids.len && at < 3; i++) {
    if (kids.data[i].kind == TOKEN_COLON) at++;
    if (at < 3 && node_is_expr(kids.data[i].kind)) bounds[at] = lower_expr(low, &kids.data[i]);
  }
  Expr *expr = expr_new(low, EXPR_SLICE, kid->span);
  expr->u.slice.lower = bounds[0];
  expr->u.slice.upper = bounds[1];
  expr->u.slice.step = bounds[2];
  return expr;
}

static ExprKind sequence_kind(NodeKind kind) {
  if (kind == NODE_LIST || kind == NODE_LIST_PATTERN) return EXPR_LIST;
  return kind == NODE_SET ? EXPR_SET : EXPR_TUPLE;
}

/* `(a) = 1` and `for (x) in y`: the grammar has no parenthesised pattern and calls it a tuple. */
static const Kid *sole_pattern(const Kid *kid, Kids kids) {
  if (kid->kind != NODE_TUPLE_PATTERN || kids.len != 3 || !node_is_expr(kids.data[1].kind)) return NULL;
  return &kids.data[1];
}

static Expr *lower_sequence(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return lower_opaque(low, kid);
  const Kid *sole = sole_pattern(kid, kids);
  if (sole) return lower_expr(low, sole);
  ExprVec items = {0};
  push_exprs(low, kids, 0, kids.len, &items);
  Expr *expr = expr_new(low, sequence_kind(kid->kind), kid->span);
  expr->u.items = lower_list(low, &items);
  return expr;
}

/* One `key: value` or `**value`. False if it is damaged. */
static bool lower_dict_entry(Lower *low, const Kid *kid, ExprVec *keys, ExprVec *values) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return false;
  bool is_pair = kid->kind == NODE_PAIR && kids.len == 3;
  if (!is_pair && kids.len != 2) return false;
  lower_push(low, keys, is_pair ? lower_expr(low, &kids.data[0]) : NULL);
  lower_push(low, values, lower_expr(low, &kids.data[kids.len - 1]));
  return true;
}

static Expr *lower_dict(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return lower_opaque(low, kid);
  ExprVec keys = {0}, values = {0};
  for (uint32_t i = 0; i < kids.len; i++) {
    NodeKind kind = kids.data[i].kind;
    if (kind != NODE_PAIR && kind != NODE_DICTIONARY_SPLAT) continue;
    if (!lower_dict_entry(low, &kids.data[i], &keys, &values)) return lower_opaque(low, kid);
  }
  Expr *expr = expr_new(low, EXPR_DICT, kid->span);
  expr->u.dict.keys = lower_list(low, &keys);
  expr->u.dict.values = lower_list(low, &values);
  return expr;
}

static Expr *lower_conditional(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 5) return lower_opaque(low, kid);
  Expr *then = lower_expr(low, &kids.data[0]);
  Expr *test = lower_expr(low, &kids.data[2]);
  Expr *otherwise = lower_expr(low, &kids.data[4]);
  Expr *expr = expr_new(low, EXPR_TERNARY, kid->span);
  expr->u.ternary.test = test;
  expr->u.ternary.then = then;
  expr->u.ternary.otherwise = otherwise;
  return expr;
}

/* `await x`, `*x`: a token and an operand. */
static Expr *lower_prefixed(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 2) return lower_opaque(low, kid);
  Expr *operand = lower_expr(low, &kids.data[1]);
  Expr *expr = expr_new(low, kid->kind == NODE_AWAIT ? EXPR_AWAIT : EXPR_STARRED, kid->span);
  expr->u.starred = operand;
  return expr;
}

static Expr *lower_yield(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  const LowerScope *scope = &low->scope;
  if (!scope->in_comprehension && !scope->owner && !scope->function->is_module) scope->function->is_generator = true;
  if (kids.damaged) return lower_opaque(low, kid);
  Expr *value = lower_expr_or_tuple(low, kids, 1, kids.len);
  Expr *expr = expr_new(low, EXPR_YIELD, kid->span);
  expr->u.yield.value = value;
  expr->u.yield.from = kids_find(kids, TOKEN_FROM, 0) < kids.len;
  return expr;
}

static Expr *lower_walrus(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 3) return lower_opaque(low, kid);
  Expr *target = lower_stored(lower_expr(low, &kids.data[0]));
  Expr *value = lower_expr(low, &kids.data[2]);
  Expr *expr = expr_new(low, EXPR_WALRUS, kid->span);
  expr->u.walrus.target = target;
  expr->u.walrus.value = value;
  return expr;
}

/* `list[int]` in an annotation, where the grammar has a node of its own for it. */
static Expr *lower_generic_type(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 2) return lower_opaque(low, kid);
  Expr *value = lower_name(low, &kids.data[0]);
  Kids parameters = lower_kids(low, &kids.data[1]);
  Expr *index = parameters.damaged ? NULL : lower_expr_or_tuple(low, parameters, 0, parameters.len);
  return index ? subscript_new(low, kid->span, value, index) : lower_opaque(low, kid);
}

/* `type`, the target of `as`: wrappers around one expression. */
static Expr *lower_wrapper(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 1) return lower_opaque(low, kid);
  return lower_expr(low, &kids.data[0]);
}

static Expr *lower_splat_type(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 2) return lower_opaque(low, kid);
  Expr *name = lower_name(low, &kids.data[1]);
  Expr *expr = expr_new(low, EXPR_STARRED, kid->span);
  expr->u.starred = name;
  return expr;
}

typedef Expr *LowerExpr(Lower *low, const Kid *kid);

static LowerExpr *const LOWER_BY_KIND[NODE_KIND_COUNT] = {
    [NODE_IDENTIFIER] = lower_name,
    [NODE_DOTTED_NAME] = lower_dotted_name,
    [NODE_STRING] = lower_string,
    [NODE_CONCATENATED_STRING] = lower_string,
    [NODE_INTEGER] = lower_number,
    [NODE_FLOAT] = lower_number,
    [NODE_TRUE] = lower_singleton,
    [NODE_FALSE] = lower_singleton,
    [NODE_NONE] = lower_singleton,
    [NODE_ELLIPSIS] = lower_singleton,
    [NODE_ATTRIBUTE] = lower_attribute,
    [NODE_MEMBER_TYPE] = lower_attribute,
    [NODE_SUBSCRIPT] = lower_subscript,
    [NODE_SLICE] = lower_slice,
    [NODE_CALL] = lower_call,
    [NODE_LIST] = lower_sequence,
    [NODE_SET] = lower_sequence,
    [NODE_TUPLE] = lower_sequence,
    [NODE_LIST_PATTERN] = lower_sequence,
    [NODE_TUPLE_PATTERN] = lower_sequence,
    [NODE_PATTERN_LIST] = lower_sequence,
    [NODE_EXPRESSION_LIST] = lower_sequence,
    [NODE_DICTIONARY] = lower_dict,
    [NODE_LIST_COMPREHENSION] = lower_comprehension,
    [NODE_SET_COMPREHENSION] = lower_comprehension,
    [NODE_DICTIONARY_COMPREHENSION] = lower_comprehension,
    [NODE_GENERATOR_EXPRESSION] = lower_comprehension,
    [NODE_BINARY_OPERATOR] = lower_binary,
    [NODE_UNION_TYPE] = lower_binary,
    [NODE_UNARY_OPERATOR] = lower_unary,
    [NODE_NOT_OPERATOR] = lower_unary,
    [NODE_BOOLEAN_OPERATOR] = lower_boolean,
    [NODE_COMPARISON_OPERATOR] = lower_compare,
    [NODE_CONDITIONAL_EXPRESSION] = lower_conditional,
    [NODE_LAMBDA] = lower_lambda,
    [NODE_AWAIT] = lower_prefixed,
    [NODE_YIELD] = lower_yield,
    [NODE_NAMED_EXPRESSION] = lower_walrus,
    [NODE_LIST_SPLAT] = lower_prefixed,
    [NODE_LIST_SPLAT_PATTERN] = lower_prefixed,
    [NODE_TYPE] = lower_wrapper,
    [NODE_GENERIC_TYPE] = lower_generic_type,
    [NODE_SPLAT_TYPE] = lower_splat_type,
    [NODE_AS_PATTERN_TARGET] = lower_wrapper,
};

/* Parentheses and annotations leave no node, so any number of them is no depth. */
static Kid unwrap(Lower *low, const Kid *kid) {
  Kid inner = *kid;
  while (inner.kind == NODE_PARENTHESIZED_EXPRESSION) {
    Kids kids = lower_kids(low, &inner);
    if (kids.damaged || kids.len != 3) break;
    inner = kids.data[1];
  }
  return inner;
}

Expr *lower_expr(Lower *low, const Kid *kid) {
  Kid inner = unwrap(low, kid);
  if (low->depth >= AST_MAX_DEPTH) {
    lower_note_error(low, inner.span, S("nesting deeper than 256"));
    return lower_opaque(low, &inner);
  }
  LowerExpr *lower = LOWER_BY_KIND[inner.kind];
  if (!lower) lower = lower_unexpected;
  low->depth++;
  Expr *expr = lower(low, &inner);
  low->depth--;
  return expr;
}

Expr *lower_stored(Expr *target) {
  if (!target) return NULL;
  switch ((ExprKind)target->kind) {
    case EXPR_TUPLE:
    case EXPR_LIST:
      for (uint32_t i = 0; i < target->u.items.len; i++) lower_stored(target->u.items.data[i]);
      break;
    case EXPR_STARRED:
      lower_stored(target->u.starred);
      break;
    case EXPR_NAME:
    case EXPR_ATTR:
    case EXPR_SUBSCRIPT:
      break;
    default:
      return target;  // `f() = 1`: a syntax error to Python, nothing is bound
  }
  target->ctx_store = 1;
  return target;
}

/* Operators. Left-leaning chains (`a + b + c …`, `a and b and c …`) are thousands of levels deep in the concrete tree: they
 * are followed down their left spine by a loop.
 *
 * A chain of binary operators keeps its first LOWER_MAX_CHAIN operators, left-associated; what follows is one opaque operand:
 *     ((a + b) + …) + <opaque>
 * so the operands that are kept keep their meaning, and the value of the whole is honestly unknown.
 */
#include "syntax/lower.h"

typedef VEC(Kids) Spine;

typedef struct OpRow {
  Str text;
  uint8_t op;
} OpRow;

static const OpRow BINARY_OPS[] = {
    {S_INIT("+"), OP_ADD},       {S_INIT("-"), OP_SUB},     {S_INIT("*"), OP_MUL},  {S_INIT("/"), OP_DIV},
    {S_INIT("//"), OP_FLOORDIV}, {S_INIT("%"), OP_MOD},     {S_INIT("**"), OP_POW}, {S_INIT("@"), OP_MATMUL},
    {S_INIT("<<"), OP_LSHIFT},   {S_INIT(">>"), OP_RSHIFT}, {S_INIT("&"), OP_AND},  {S_INIT("|"), OP_OR},
    {S_INIT("^"), OP_XOR},
};

static const OpRow COMPARE_OPS[] = {
    {S_INIT("=="), CMP_EQ}, {S_INIT("!="), CMP_NE}, {S_INIT("<>"), CMP_NE}, {S_INIT("<"), CMP_LT},
    {S_INIT("<="), CMP_LE}, {S_INIT(">"), CMP_GT},  {S_INIT(">="), CMP_GE}, {S_INIT("in"), CMP_IN},
};

static const OpRow *op_find(const OpRow *rows, size_t count, Str text) {
  for (size_t i = 0; i < count; i++) {
    if (str_eq(rows[i].text, text)) return &rows[i];
  }
  return NULL;
}

bool binary_op_parse(Str text, BinaryOp *out) {
  const OpRow *row = op_find(BINARY_OPS, sizeof BINARY_OPS / sizeof *BINARY_OPS, text);
  if (row) *out = (BinaryOp)row->op;
  return row != NULL;
}

/* Opens nodes of `kind` along the left spine, outermost first, while `same` agrees; leaves the leftmost operand in *left. */
static Spine open_spine(Lower *low, Kid *left, Str operator) {
  Spine spine = {0};
  NodeKind kind = left->kind;
  while (left->kind == kind) {
    Kids kids = lower_kids(low, left);
    if (kids.damaged || kids.len != 3) break;
    if (operator.len > 0 && !str_eq(lower_text(low, kids.data[1].span), operator)) break;
    vec_push(&low->scratch, &spine, kids);
    *left = kids.data[0];
  }
  return spine;
}

static Expr *binary_new(Lower *low, Expr *left, Kid operator, Expr *right) {
  Expr *expr = expr_new(low, EXPR_BINARY, (Span){left->span.start, right->span.end});
  bool known = binary_op_parse(lower_text(low, operator.span), &expr->u.binary.op);
  tf_assert(known);
  expr->u.binary.left = left;
  expr->u.binary.right = right;
  expr->u.binary.op_span = operator.span;
  return expr;
}

/* The operators that do not fit, with all their operands but the first. */
static Expr *lower_chain_rest(Lower *low, Spine spine, uint32_t outermost_kept) {
  Span span = {spine.data[outermost_kept - 1].data[2].span.start, spine.data[0].data[2].span.end};
  for (uint32_t i = outermost_kept; i-- > 0;) lower_abandon(low, &spine.data[i].data[2]);
  lower_note_error(low, span, S("nesting deeper than 256"));
  return expr_new(low, EXPR_OPAQUE, span);
}

/* Spans come from the concrete nodes, because an operand in parentheses begins before its own expression does. */
Expr *lower_binary(Lower *low, const Kid *kid) {
  Kid leftmost = *kid;
  Spine spine = open_spine(low, &leftmost, S(""));
  if (spine.len == 0) return lower_opaque(low, kid);
  uint32_t room = AST_MAX_DEPTH - low->depth;  // depth counts this node already
  uint32_t limit = room < LOWER_MAX_CHAIN ? room : LOWER_MAX_CHAIN;
  uint32_t dropped = spine.len > limit ? spine.len - limit : 0;
  uint32_t kept = spine.len - dropped, depth = low->depth;
  uint32_t wrapped = dropped > 0;

  low->depth = depth + kept - 1 + wrapped;
  Expr *left = lower_expr(low, &leftmost);
  for (uint32_t i = spine.len; i-- > dropped;) {
    Kids kids = spine.data[i];
    low->depth = depth + wrapped + (i - dropped);
    Expr *right = lower_expr(low, &kids.data[2]);
    left = binary_new(low, left, kids.data[1], right);
    left->span = (Span){kids.data[0].span.start, kids.data[2].span.end};
    left = lower_hoist_star(left, &left->u.binary.left);
  }
  low->depth = depth;
  if (!wrapped) return left;
  Expr *whole = binary_new(low, left, spine.data[dropped - 1].data[1], lower_chain_rest(low, spine, dropped));
  whole->span = kid->span;
  return whole;
}

Expr *lower_boolean(Lower *low, const Kid *kid) {
  Kids outer = lower_kids(low, kid);
  if (outer.damaged || outer.len != 3) return lower_opaque(low, kid);
  Str operator = lower_text(low, outer.data[1].span);
  Kid leftmost = *kid;
  Spine spine = open_spine(low, &leftmost, operator);
  ExprVec values = {0};
  lower_push(low, &values, lower_expr(low, &leftmost));
  for (uint32_t i = spine.len; i-- > 0;) lower_push(low, &values, lower_expr(low, &spine.data[i].data[2]));
  Expr *expr = expr_new(low, EXPR_BOOL, kid->span);
  expr->u.boolean.is_or = str_eq(operator, S("or"));
  expr->u.boolean.values = lower_list(low, &values);
  return expr;
}

/* `not in` and `is not` are one token each, with any blanks inside. */
static CompareOp compare_op(Lower *low, Span span) {
  Str text = lower_text(low, span);
  if (str_starts(text, S("not"))) return CMP_NOT_IN;
  if (str_starts(text, S("is"))) return text.len > 2 ? CMP_IS_NOT : CMP_IS;
  if (str_eq(text, S("<>"))) lower_note_python2(low, span);
  const OpRow *row = op_find(COMPARE_OPS, sizeof COMPARE_OPS / sizeof *COMPARE_OPS, text);
  tf_assert(row);
  return (CompareOp)row->op;
}

Expr *lower_compare(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len < 3 || kids.len % 2 == 0) return lower_opaque(low, kid);
  ExprVec operands = {0};
  uint8_t *ops = arena_array(low->arena, uint8_t, kids.len / 2);
  for (uint32_t i = 0; i < kids.len; i++) {
    if (i % 2) ops[i / 2] = (uint8_t)compare_op(low, kids.data[i].span);
    else lower_push(low, &operands, lower_expr(low, &kids.data[i]));
  }
  Expr *expr = expr_new(low, EXPR_COMPARE, kid->span);
  expr->u.compare.operands = lower_list(low, &operands);
  expr->u.compare.ops = ops;
  return expr;
}

static UnaryOp unary_op(Str text) {
  if (text.len != 1) return OP_NOT;
  return text.ptr[0] == '-' ? OP_NEG : text.ptr[0] == '+' ? OP_POS : OP_INVERT;
}

Expr *lower_unary(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 2) return lower_opaque(low, kid);
  Expr *operand = lower_expr(low, &kids.data[1]);
  Expr *expr = expr_new(low, EXPR_UNARY, kid->span);
  expr->u.unary.op = unary_op(lower_text(low, kids.data[0].span));
  expr->u.unary.operand = operand;
  return expr;
}

/* Children, paths and text of expressions. */
#include "syntax/ast.h"

static void visit_one(Expr *child, ExprVisit *visit, void *context) {
  if (child) visit(context, child);
}

static void visit_list(ExprList list, ExprVisit *visit, void *context) {
  for (uint32_t i = 0; i < list.len; i++) visit_one(list.data[i], visit, context);
}

static void visit_call(Expr *expr, ExprVisit *visit, void *context) {
  visit_one(expr->u.call.callee, visit, context);
  visit_list(expr->u.call.args, visit, context);
  for (uint32_t i = 0; i < expr->u.call.keyword_len; i++) visit_one(expr->u.call.keywords[i].value, visit, context);
}

static void visit_dict(Expr *expr, ExprVisit *visit, void *context) {
  for (uint32_t i = 0; i < expr->u.dict.keys.len; i++) {
    visit_one(expr->u.dict.keys.data[i], visit, context);
    visit_one(expr->u.dict.values.data[i], visit, context);
  }
}

/* Defaults of a lambda are evaluated where it stands, its body is not. */
static void visit_defaults(const Function *lambda, ExprVisit *visit, void *context) {
  for (uint32_t i = 0; i < lambda->param_len; i++) visit_one(lambda->params[i].fallback, visit, context);
}

/* A table of the node kinds: longer than other functions by nature. */
void expr_children(Expr *expr, ExprVisit *visit, void *context) {
  switch ((ExprKind)expr->kind) {
    case EXPR_OPAQUE:
    case EXPR_NAME:
    case EXPR_CONST:
    case EXPR_COMP:
      break;
    case EXPR_FSTRING:
      visit_list(expr->u.fstring.parts, visit, context);
      break;
    case EXPR_ATTR:
      visit(context, expr->u.attr.value);
      break;
    case EXPR_SUBSCRIPT:
      visit(context, expr->u.subscript.value);
      visit(context, expr->u.subscript.index);
      break;
    case EXPR_SLICE:
      visit_one(expr->u.slice.lower, visit, context);
      visit_one(expr->u.slice.upper, visit, context);
      visit_one(expr->u.slice.step, visit, context);
      break;
    case EXPR_CALL:
      visit_call(expr, visit, context);
      break;
    case EXPR_UNARY:
      visit(context, expr->u.unary.operand);
      break;
    case EXPR_BINARY:
      visit(context, expr->u.binary.left);
      visit(context, expr->u.binary.right);
      break;
    case EXPR_BOOL:
      visit_list(expr->u.boolean.values, visit, context);
      break;
    case EXPR_COMPARE:
      visit_list(expr->u.compare.operands, visit, context);
      break;
    case EXPR_TERNARY:
      visit(context, expr->u.ternary.test);
      visit(context, expr->u.ternary.then);
      visit(context, expr->u.ternary.otherwise);
      break;
    case EXPR_LAMBDA:
      visit_defaults(expr->u.lambda, visit, context);
      break;
    case EXPR_TUPLE:
    case EXPR_LIST:
    case EXPR_SET:
      visit_list(expr->u.items, visit, context);
      break;
    case EXPR_DICT:
      visit_dict(expr, visit, context);
      break;
    case EXPR_STARRED:
    case EXPR_AWAIT:
      visit(context, expr->u.starred);
      break;
    case EXPR_YIELD:
      visit_one(expr->u.yield.value, visit, context);
      break;
    case EXPR_WALRUS:
      visit(context, expr->u.walrus.value);
      visit(context, expr->u.walrus.target);
      break;
  }
}

/* `-1` is a constant to everybody but the grammar. */
static const Expr *constant_index(const Expr *index, bool *negative) {
  *negative = index->kind == EXPR_UNARY && index->u.unary.op == OP_NEG;
  if (*negative) index = index->u.unary.operand;
  return index->kind == EXPR_CONST && index->u.constant.exact ? index : NULL;
}

bool expr_is_path(const Expr *expr) {
  bool negative;
  for (;;) {
    if (expr->kind == EXPR_NAME) return true;
    if (expr->kind == EXPR_ATTR) {
      expr = expr->u.attr.value;
    } else if (expr->kind == EXPR_SUBSCRIPT && constant_index(expr->u.subscript.index, &negative)) {
      expr = expr->u.subscript.value;
    } else {
      return false;
    }
  }
}

bool expr_is_super_call(const Expr *expr) {
  return expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
         sym_is(expr->u.call.callee->u.name.id, S("super"));
}

bool expr_same_index(const Expr *a, const Expr *b) {
  bool a_negative, b_negative;
  const Expr *x = constant_index(a, &a_negative), *y = constant_index(b, &b_negative);
  if (!x || !y || a_negative != b_negative || x->u.constant.kind != y->u.constant.kind) return false;
  if (x->u.constant.kind == CONST_INT) return x->u.constant.i == y->u.constant.i;
  return str_eq(x->u.constant.text, y->u.constant.text);
}

bool expr_same_path(const Expr *a, const Expr *b) {
  while (a->kind == b->kind) {
    if (a->kind == EXPR_NAME) return a->u.name.id == b->u.name.id;
    if (a->kind == EXPR_ATTR) {
      if (a->u.attr.name != b->u.attr.name) return false;
      a = a->u.attr.value;
      b = b->u.attr.value;
    } else if (a->kind == EXPR_SUBSCRIPT) {
      if (!expr_same_index(a->u.subscript.index, b->u.subscript.index)) return false;
      a = a->u.subscript.value;
      b = b->u.subscript.value;
    } else {
      return false;
    }
  }
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\n' || c == '\r'; }

/* First comment that starts at or after `offset`. */
static uint32_t comment_from(const Ast *ast, uint32_t offset) {
  uint32_t low = 0, high = ast->comments.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (ast->comments.data[middle].span.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Cuts to `max` bytes without cutting a character; the mark itself takes three of them. */
static Str cut_text(Arena *arena, Str text, uint32_t max) {
  if (text.len <= max) return text;
  size_t end = max > 3 ? max - 3 : 0;
  while (end > 0 && ((unsigned char)text.ptr[end] & 0xC0) == 0x80) end--;
  return max < 3 ? S("") : str_concat(arena, str_sub(text, 0, end), S("…"));
}

/* Stops as soon as there is more text than asked for: an expression may be a megabyte of literals. */
Str expr_text(Arena *arena, const Ast *ast, const Expr *expr, uint32_t max) {
  Str text = ast->source->text;
  StrBuf buf = {.arena = arena};
  uint32_t comment = comment_from(ast, expr->span.start);
  bool blank = false;
  for (uint32_t at = expr->span.start; at < expr->span.end && buf.len <= max;) {
    if (comment < ast->comments.len && at == ast->comments.data[comment].span.start) {
      at = ast->comments.data[comment++].span.end;
      continue;
    }
    char c = text.ptr[at++];
    bool continues = c == '\\' && at < expr->span.end && (text.ptr[at] == '\n' || text.ptr[at] == '\r');
    if (is_blank(c) || continues) {
      blank = true;
      continue;
    }
    if (blank && buf.len > 0) buf_char(&buf, ' ');
    blank = false;
    buf_char(&buf, c);
  }
  return cut_text(arena, buf_view(&buf), max);
}

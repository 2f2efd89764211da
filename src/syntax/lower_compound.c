/* `if`, `while`, `for`, `with`, `try` and their clauses.
 *
 * Errors before the colon make the header's expressions opaque and leave the body alone. Python 2's `except E, e` is told from
 * Python 3.14's `except A, B` by the second one: a plain name that begins with a small letter is a variable.
 */
#include "syntax/lower.h"

/* Index of the colon, or of the block if the colon is missing. */
static uint32_t header_stop(Kids kids) {
  uint32_t colon = kids_find(kids, TOKEN_COLON, 0), block = kids_find(kids, NODE_BLOCK, 0);
  return colon < block ? colon : block;
}

static bool header_damaged(Kids kids) {
  uint32_t stop = header_stop(kids);
  for (uint32_t i = 0; i < stop; i++) {
    if (kids.data[i].kind == NODE_ERROR || kids.data[i].kind == NODE_MISSING) return true;
  }
  return false;
}

Span lower_header(Kids kids, uint32_t start) {
  uint32_t stop = header_stop(kids);
  if (stop < kids.len && kids.data[stop].kind == TOKEN_COLON) stop++;
  return (Span){start, stop > 0 ? kids.data[stop - 1].span.end : start};
}

/* The expression among kids[from..to) of a header; opaque if the header is damaged or has none. */
static Expr *header_expr(Lower *low, Kids kids, uint32_t from, uint32_t to) {
  Expr *expr = header_damaged(kids) ? NULL : lower_expr_or_tuple(low, kids, from, to);
  if (expr) return expr;
  if (from >= to || to > kids.len) return expr_new(low, EXPR_OPAQUE, (Span){0, 0});
  Span span = span_join(kids.data[from].span, kids.data[to - 1].span);
  for (uint32_t i = from; i < to; i++) lower_abandon(low, &kids.data[i]);
  return expr_new(low, EXPR_OPAQUE, span);
}

static void lower_arm(Lower *low, const Kid *kid, Kids kids, IfArm *arm) {
  if (kid->kind != NODE_ELSE_CLAUSE) arm->test = header_expr(low, kids, 1, header_stop(kids));
  arm->header = lower_header(kids, kid->span.start);
  arm->body = lower_body(low, kids, 0);
}

static void lower_if(Lower *low, Stmt *stmt, const Kid *kid, Kids kids) {
  stmt->kind = STMT_IF;
  stmt->u.branch.arms = arena_array(low->arena, IfArm, kids.len);
  lower_arm(low, kid, kids, &stmt->u.branch.arms[stmt->u.branch.len++]);
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind != NODE_ELIF_CLAUSE && kids.data[i].kind != NODE_ELSE_CLAUSE) continue;
    Kids parts = lower_kids(low, &kids.data[i]);
    lower_arm(low, &kids.data[i], parts, &stmt->u.branch.arms[stmt->u.branch.len++]);
  }
  IfArm *last = &stmt->u.branch.arms[stmt->u.branch.len - 1];
  stmt->header = stmt->u.branch.arms[0].header;
  stmt->span.end = block_end(last->body, last->header.end);
}

/* The block of an `else` or `finally` clause among the children; *end moves to its end. */
static Block lower_clause(Lower *low, Kids kids, NodeKind kind, uint32_t *end) {
  uint32_t at = kids_find(kids, kind, 0);
  if (at == kids.len) return (Block){0};
  Kids parts = lower_kids(low, &kids.data[at]);
  Block block = lower_body(low, parts, 0);
  *end = block_end(block, lower_header(parts, kids.data[at].span.start).end);
  return block;
}

static void lower_while(Lower *low, Stmt *stmt, const Kid *kid, Kids kids) {
  stmt->kind = STMT_WHILE;
  stmt->header = lower_header(kids, kid->span.start);
  stmt->u.loop.test = header_expr(low, kids, 1, header_stop(kids));
  stmt->u.loop.body = lower_body(low, kids, 0);
  stmt->span.end = block_end(stmt->u.loop.body, stmt->header.end);
  stmt->u.loop.orelse = lower_clause(low, kids, NODE_ELSE_CLAUSE, &stmt->span.end);
}

static void lower_for(Lower *low, Stmt *stmt, const Kid *kid, Kids kids) {
  uint32_t stop = header_stop(kids), in = kids_find(kids, TOKEN_IN, 0);
  stmt->kind = STMT_FOR;
  stmt->header = lower_header(kids, kid->span.start);
  stmt->u.forloop.is_async = kids.data[0].kind == TOKEN_ASYNC;
  if (in > stop) in = stop;
  stmt->u.forloop.target = lower_stored(header_expr(low, kids, stmt->u.forloop.is_async ? 2 : 1, in));
  stmt->u.forloop.iter = header_expr(low, kids, in + 1, stop);
  stmt->u.forloop.body = lower_body(low, kids, 0);
  stmt->span.end = block_end(stmt->u.forloop.body, stmt->header.end);
  stmt->u.forloop.orelse = lower_clause(low, kids, NODE_ELSE_CLAUSE, &stmt->span.end);
}

typedef VEC(WithItem) WithItems;

/* `context` or `context as target`. */
static void lower_with_item(Lower *low, const Kid *kid, WithItems *out) {
  WithItem item = {0};
  Kids parts = {0};
  if (kid->kind == NODE_AS_PATTERN) parts = lower_kids(low, kid);
  if (parts.len == 3 && !parts.damaged) {
    item.context = lower_expr(low, &parts.data[0]);
    item.target = lower_stored(lower_expr(low, &parts.data[2]));
  } else {
    item.context = lower_expr(low, kid);
  }
  vec_push(&low->scratch, out, item);
}

/* `with (a as b, c):` may come as one tuple. To Python (3.9 and later) even `with (a, b):` is two contexts. */
static void lower_with_value(Lower *low, const Kid *kid, bool alone, WithItems *out) {
  bool wraps = kid->kind == NODE_TUPLE || kid->kind == NODE_PARENTHESIZED_EXPRESSION;
  Kids items = {0};
  if (alone && wraps) items = lower_kids(low, kid);
  if (items.len < 3 || items.damaged) {
    lower_with_item(low, kid, out);
    return;
  }
  for (uint32_t i = 0; i < items.len; i++) {
    if (node_is_expr(items.data[i].kind)) lower_with_item(low, &items.data[i], out);
  }
}

static void lower_with_items(Lower *low, Kids clause, WithItems *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < clause.len; i++) count += clause.data[i].kind == NODE_WITH_ITEM;
  for (uint32_t i = kids_find(clause, NODE_WITH_ITEM, 0); i < clause.len;
       i = kids_find(clause, NODE_WITH_ITEM, i + 1)) {
    Kids item = lower_kids(low, &clause.data[i]);
    if (item.damaged || item.len != 1) {
      vec_push(&low->scratch, out, ((WithItem){.context = lower_opaque(low, &clause.data[i])}));
    } else {
      lower_with_value(low, &item.data[0], count == 1, out);
    }
  }
}

static void lower_with(Lower *low, Stmt *stmt, const Kid *kid, Kids kids) {
  WithItems items = {0};
  uint32_t clause = kids_find(kids, NODE_WITH_CLAUSE, 0);
  if (clause < kids.len) lower_with_items(low, lower_kids(low, &kids.data[clause]), &items);
  stmt->kind = STMT_WITH;
  stmt->header = lower_header(kids, kid->span.start);
  stmt->u.with.is_async = kids.data[0].kind == TOKEN_ASYNC;
  stmt->u.with.len = items.len;
  if (items.len > 0) {
    stmt->u.with.items = arena_array(low->arena, WithItem, items.len);
    memcpy(stmt->u.with.items, items.data, items.len * sizeof *items.data);
  }
  stmt->u.with.body = lower_body(low, kids, 0);
  stmt->span.end = block_end(stmt->u.with.body, stmt->header.end);
}

static bool looks_like_variable(Lower *low, const Kid *kid) {
  Str text = lower_text(low, kid->span);
  return kid->kind == NODE_IDENTIFIER && text.len > 0 && text.ptr[0] >= 'a' && text.ptr[0] <= 'z';
}

static void lower_handler_names(Lower *low, Kids kids, uint32_t stop, Handler *handler) {
  uint32_t first = 1, comma = kids_find(kids, TOKEN_COMMA, 0), as = kids_find(kids, TOKEN_AS, 0);
  if (first < stop && kids.data[first].kind == TOKEN_STAR) first++;
  bool names_follow = comma + 2 == stop && looks_like_variable(low, &kids.data[comma + 1]);
  if (first >= stop) return;
  if (kids.data[first].kind == NODE_AS_PATTERN) {
    Kids parts = lower_kids(low, &kids.data[first]);
    bool sound = parts.len == 3 && !parts.damaged;
    handler->type = sound ? lower_expr(low, &parts.data[0]) : lower_opaque(low, &kids.data[first]);
    if (sound) handler->name = lower_stored(lower_expr(low, &parts.data[2]));
  } else if (as + 1 < stop) {
    handler->type = header_expr(low, kids, first, as);
    handler->name = lower_stored(lower_expr(low, &kids.data[as + 1]));
  } else if (names_follow) {
    low->ast->looks_like_python2 = true;
    handler->type = header_expr(low, kids, first, comma);
    handler->name = lower_stored(lower_expr(low, &kids.data[comma + 1]));
  } else {
    handler->type = header_expr(low, kids, first, stop);
  }
}

static void lower_handler(Lower *low, const Kid *kid, Handler *handler) {
  Kids kids = lower_kids(low, kid);
  handler->header = lower_header(kids, kid->span.start);
  lower_handler_names(low, kids, header_stop(kids), handler);
  handler->body = lower_body(low, kids, 0);
}

static void lower_try(Lower *low, Stmt *stmt, const Kid *kid, Kids kids) {
  stmt->kind = STMT_TRY;
  stmt->header = lower_header(kids, kid->span.start);
  stmt->u.try_.body = lower_body(low, kids, 0);
  stmt->span.end = block_end(stmt->u.try_.body, stmt->header.end);
  stmt->u.try_.handlers = arena_array(low->arena, Handler, kids.len);
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind != NODE_EXCEPT_CLAUSE) continue;
    Handler *handler = &stmt->u.try_.handlers[stmt->u.try_.handler_len++];
    lower_handler(low, &kids.data[i], handler);
    stmt->span.end = block_end(handler->body, handler->header.end);
  }
  stmt->u.try_.orelse = lower_clause(low, kids, NODE_ELSE_CLAUSE, &stmt->span.end);
  stmt->u.try_.finally = lower_clause(low, kids, NODE_FINALLY_CLAUSE, &stmt->span.end);
}

void lower_compound(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.len == 0) return;
  switch (kid->kind) {
    case NODE_IF_STATEMENT:
      lower_if(low, stmt, kid, kids);
      break;
    case NODE_WHILE_STATEMENT:
      lower_while(low, stmt, kid, kids);
      break;
    case NODE_FOR_STATEMENT:
      lower_for(low, stmt, kid, kids);
      break;
    case NODE_WITH_STATEMENT:
      lower_with(low, stmt, kid, kids);
      break;
    default:
      lower_try(low, stmt, kid, kids);
      break;
  }
}

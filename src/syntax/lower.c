/* Opening concrete nodes, and what is recorded on the way: comments and error regions.
 *
 * Every comment of the file is a visible child of some node, so it is seen either by opening that node or by walking over a
 * node that is given up (lower_abandon). Both may see the same one; parse.c sorts and removes doubles.
 */
#include "syntax/lower.h"

#define ERROR_SYMBOL ((TSSymbol) - 1)

static NodeKind kind_of(const Lower *low, TSNode node) {
  TSSymbol symbol = ts_node_symbol(node);
  if (symbol == ERROR_SYMBOL) return NODE_ERROR;
  return symbol < low->kinds.len ? (NodeKind)low->kinds.by_symbol[symbol] : NODE_OTHER;
}

Kid lower_kid(const Lower *low, TSNode node) {
  return (Kid){node, {ts_node_start_byte(node), ts_node_end_byte(node)}, kind_of(low, node)};
}

void lower_note_python2(Lower *low, Span span) {
  Ast *ast = low->ast;
  if (!ast->looks_like_python2 || span.start < ast->python2.start) ast->python2 = span;
  ast->looks_like_python2 = true;
}

Str lower_text(const Lower *low, Span span) { return str_sub(low->source->text, span.start, span.end); }

Sym lower_symbol(Lower *low, Span span) { return sym_intern(low->symbols, lower_text(low, span)); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static void note_comment(Lower *low, Span span) {
  Str text = low->source->text;
  while (span.end > span.start && text.ptr[span.end - 1] == '\r') span.end--;
  uint32_t before = span.start;
  while (before > 0 && is_blank(text.ptr[before - 1])) before--;
  bool own_line = before == 0 || text.ptr[before - 1] == '\n' || text.ptr[before - 1] == '\r';
  vec_push(low->arena, &low->ast->comments, ((Comment){span, own_line}));
}

void lower_note_error(Lower *low, Span span, Str what) {
  vec_push(low->arena, &low->ast->errors, ((ErrorRegion){span, what}));
}

/* Only nodes with an error below them are asked whether a child is missing: the question costs a look at the subtree. */
static Kids open_node(Lower *low, const Kid *parent, bool note_errors) {
  Kids kids = {.data = arena_array(&low->scratch, Kid, ts_node_child_count(parent->node))};
  bool suspect = ts_node_has_error(parent->node);
  ts_tree_cursor_reset(&low->cursor, parent->node);
  if (!ts_tree_cursor_goto_first_child(&low->cursor)) return kids;
  do {
    Kid kid = lower_kid(low, ts_tree_cursor_current_node(&low->cursor));
    if (suspect && ts_node_is_missing(kid.node)) kid.kind = NODE_MISSING;
    if (kid.kind == NODE_COMMENT) note_comment(low, kid.span);
    if (kid.kind == NODE_COMMENT || kid.kind == NODE_CONTINUATION) continue;
    kids.data[kids.len++] = kid;
  } while (ts_tree_cursor_goto_next_sibling(&low->cursor));

  // Recorded after the loop because walking over an ERROR child moves the cursor.
  for (uint32_t i = 0; suspect && i < kids.len; i++) {
    const Kid *kid = &kids.data[i];
    if (kid->kind != NODE_ERROR && kid->kind != NODE_MISSING) continue;
    kids.damaged = true;
    if (note_errors || kid->kind == NODE_MISSING) lower_abandon(low, kid);
  }
  return kids;
}

Kids lower_kids(Lower *low, const Kid *parent) { return open_node(low, parent, true); }

Kids lower_container_kids(Lower *low, const Kid *parent) { return open_node(low, parent, false); }

uint32_t kids_find(Kids kids, NodeKind kind, uint32_t from) {
  while (from < kids.len && kids.data[from].kind != kind) from++;
  return from < kids.len ? from : kids.len;
}

static void abandon_one(Lower *low, TSNode node) {
  Kid kid = lower_kid(low, node);
  if (kid.kind == NODE_COMMENT) note_comment(low, kid.span);
  if (kid.kind == NODE_ERROR || ts_node_is_missing(node)) lower_note_error(low, kid.span, S("syntax error"));
}

/* A walk by cursor, not by recursion: this is where trees that are hundreds of thousands of levels deep come through. */
void lower_abandon(Lower *low, const Kid *kid) {
  TSTreeCursor *cursor = &low->cursor;
  ts_tree_cursor_reset(cursor, kid->node);
  for (uint32_t level = 0;;) {
    abandon_one(low, ts_tree_cursor_current_node(cursor));
    if (ts_tree_cursor_goto_first_child(cursor)) {
      level++;
      continue;
    }
    while (level > 0 && !ts_tree_cursor_goto_next_sibling(cursor)) {
      ts_tree_cursor_goto_parent(cursor);
      level--;
    }
    if (level == 0) return;
  }
}

Sym lower_dotted(Lower *low, const Kid *kid) {
  if (kid->kind != NODE_DOTTED_NAME) return lower_symbol(low, kid->span);
  Kids kids = lower_kids(low, kid);
  StrBuf buf = {.arena = &low->scratch};
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind != NODE_IDENTIFIER) continue;
    if (buf.len > 0) buf_char(&buf, '.');
    buf_str(&buf, lower_text(low, kids.data[i].span));
  }
  return sym_intern(low->symbols, buf_view(&buf));
}

void lower_push(Lower *low, ExprVec *vec, Expr *expr) { vec_push(&low->scratch, vec, expr); }

ExprList lower_list(Lower *low, const ExprVec *vec) {
  ExprList list = {NULL, vec->len};
  if (vec->len == 0) return list;
  list.data = arena_array(low->arena, Expr *, vec->len);
  memcpy(list.data, vec->data, vec->len * sizeof *vec->data);
  return list;
}

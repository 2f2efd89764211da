/* Simple statements, and blocks of statements with the errors in them.
 *
 * An ERROR node among statements is cut up: what tree-sitter recognised inside it as statements is lowered in place, the rest
 * becomes opaque statements with an error region each. So one broken line does not hide the file behind it.
 */
#include "syntax/lower.h"

typedef VEC(Stmt *) StmtVec;

Stmt *stmt_new(Lower *low, StmtKind kind, Span span) {
  Stmt *stmt = arena_new(low->arena, Stmt);
  stmt->kind = (uint8_t)kind;
  stmt->id = low->ast->stmt_count++;
  stmt->span = stmt->header = span;
  return stmt;
}

/* `a = b = value`: the concrete tree nests to the right, one level for each target. */
static void lower_assign_chain(Lower *low, Stmt *stmt, Kids kids) {
  ExprVec targets = {0};
  Kid right;
  for (;;) {
    lower_push(low, &targets, lower_stored(lower_expr(low, &kids.data[0])));
    right = kids.data[kids.len - 1];
    if (right.kind != NODE_ASSIGNMENT || kids.damaged) break;
    Kids next = lower_kids(low, &right);
    if (next.len < 3) break;
    kids = next;
  }
  stmt->kind = STMT_ASSIGN;
  stmt->u.assign.targets = lower_list(low, &targets);
  // The targets are bound even if what they are bound to makes no sense.
  stmt->u.assign.value = kids.damaged ? lower_opaque(low, &right) : lower_expr(low, &right);
}

static void lower_annotated(Lower *low, Stmt *stmt, Kids kids, uint32_t colon) {
  stmt->kind = STMT_ANNASSIGN;
  stmt->u.ann.target = lower_stored(lower_expr(low, &kids.data[0]));
  const Kid *annotation = &kids.data[colon + 1];
  stmt->u.ann.annotation = kids.damaged ? lower_opaque(low, annotation) : lower_expr(low, annotation);
  uint32_t assign = kids_find(kids, TOKEN_ASSIGN, colon);
  if (assign + 1 >= kids.len) return;
  const Kid *value = &kids.data[assign + 1];
  stmt->u.ann.value = kids.damaged ? lower_opaque(low, value) : lower_expr(low, value);
}

static void lower_assignment(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.len < 3) return;
  uint32_t colon = kids_find(kids, TOKEN_COLON, 0);
  if (colon + 1 < kids.len) lower_annotated(low, stmt, kids, colon);
  else lower_assign_chain(low, stmt, kids);
}

static void lower_augmented(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len != 3) return;
  Str operator = lower_text(low, kids.data[1].span);
  if (!binary_op_parse(str_sub(operator, 0, operator.len - 1), &stmt->u.aug.op)) return;
  stmt->kind = STMT_AUGASSIGN;
  stmt->u.aug.target = lower_stored(lower_expr(low, &kids.data[0]));
  stmt->u.aug.value = lower_expr(low, &kids.data[2]);
  stmt->u.aug.op_span = kids.data[1].span;
}

static void lower_expression_statement(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged || kids.len == 0) return;
  if (kids.data[0].kind == NODE_ASSIGNMENT) {
    lower_assignment(low, stmt, &kids.data[0]);
  } else if (kids.data[0].kind == NODE_AUGMENTED_ASSIGNMENT) {
    lower_augmented(low, stmt, &kids.data[0]);
  } else {
    stmt->u.expr = lower_expr_or_tuple(low, kids, 0, kids.len);
    if (stmt->u.expr) stmt->kind = STMT_EXPR;
  }
}

static void lower_return(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  stmt->kind = STMT_RETURN;
  stmt->u.expr = kids.damaged ? lower_opaque(low, kid) : lower_expr_or_tuple(low, kids, 1, kids.len);
}

static void push_operands(Lower *low, Kids kids, ExprVec *out) {
  for (uint32_t i = 0; i < kids.len; i++) {
    if (node_is_expr(kids.data[i].kind)) lower_push(low, out, lower_expr(low, &kids.data[i]));
  }
}

static void lower_delete(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.len == 2 && kids.data[1].kind == NODE_EXPRESSION_LIST) kids = lower_kids(low, &kids.data[1]);
  if (kids.damaged) return;
  ExprVec targets = {0};
  push_operands(low, kids, &targets);
  for (uint32_t i = 0; i < targets.len; i++) lower_stored(targets.data[i]);
  stmt->kind = STMT_DELETE;
  stmt->u.exprs = lower_list(low, &targets);
}

/* `print >>file, x` and `exec code in globals`. */
static void lower_print(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  lower_note_python2(low, kid->span);
  if (kids.damaged) return;
  ExprVec operands = {0};
  uint32_t chevron = kids_find(kids, NODE_CHEVRON, 0);
  if (chevron < kids.len) push_operands(low, lower_kids(low, &kids.data[chevron]), &operands);
  push_operands(low, (Kids){kids.data + 1, kids.len - 1, false}, &operands);
  stmt->kind = STMT_PRINT;
  stmt->u.exprs = lower_list(low, &operands);
}

/* `raise E, "message"` is Python 2: the message is dropped. */
static void lower_raise(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  stmt->kind = STMT_RAISE;
  uint32_t from = kids_find(kids, TOKEN_FROM, 0);
  if (kids.damaged) {
    stmt->u.raise.exc = lower_opaque(low, kid);
    return;
  }
  if (from > 1 && kids.len > 1) {
    Expr *exc = lower_expr(low, &kids.data[1]);
    bool python2 = kids.data[1].kind == NODE_EXPRESSION_LIST && exc->kind == EXPR_TUPLE && exc->u.items.len > 0;
    if (python2) lower_note_python2(low, kid->span);
    stmt->u.raise.exc = python2 ? exc->u.items.data[0] : exc;
  }
  if (from + 1 < kids.len) stmt->u.raise.cause = lower_expr(low, &kids.data[from + 1]);
}

static void lower_assert(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return;
  ExprVec operands = {0};
  push_operands(low, kids, &operands);
  if (operands.len == 0) return;
  stmt->kind = STMT_ASSERT;
  stmt->u.assertion.test = operands.data[0];
  stmt->u.assertion.message = operands.len > 1 ? operands.data[1] : NULL;
}

static void lower_names(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  Sym *names = arena_array(low->arena, Sym, kids.len);
  uint32_t len = 0;
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind == NODE_IDENTIFIER) names[len++] = lower_symbol(low, kids.data[i].span);
  }
  stmt->kind = kid->kind == NODE_GLOBAL_STATEMENT ? STMT_GLOBAL : STMT_NONLOCAL;
  stmt->u.names.data = names;
  stmt->u.names.len = len;
}

static void lower_keyword_only(Lower *low, Stmt *stmt, const Kid *kid) {
  (void)low;
  stmt->kind = kid->kind == NODE_PASS_STATEMENT    ? STMT_PASS
               : kid->kind == NODE_BREAK_STATEMENT ? STMT_BREAK
                                                   : STMT_CONTINUE;
}

typedef void LowerStmt(Lower *low, Stmt *stmt, const Kid *kid);

static LowerStmt *const LOWER_BY_KIND[NODE_KIND_COUNT] = {
    [NODE_EXPRESSION_STATEMENT] = lower_expression_statement,
    [NODE_RETURN_STATEMENT] = lower_return,
    [NODE_DELETE_STATEMENT] = lower_delete,
    [NODE_PASS_STATEMENT] = lower_keyword_only,
    [NODE_BREAK_STATEMENT] = lower_keyword_only,
    [NODE_CONTINUE_STATEMENT] = lower_keyword_only,
    [NODE_RAISE_STATEMENT] = lower_raise,
    [NODE_ASSERT_STATEMENT] = lower_assert,
    [NODE_GLOBAL_STATEMENT] = lower_names,
    [NODE_NONLOCAL_STATEMENT] = lower_names,
    [NODE_IMPORT_STATEMENT] = lower_import,
    [NODE_IMPORT_FROM_STATEMENT] = lower_import,
    [NODE_FUTURE_IMPORT_STATEMENT] = lower_import,
    [NODE_PRINT_STATEMENT] = lower_print,
    [NODE_EXEC_STATEMENT] = lower_print,
    [NODE_TYPE_ALIAS_STATEMENT] = lower_type_alias,
    [NODE_IF_STATEMENT] = lower_compound,
    [NODE_WHILE_STATEMENT] = lower_compound,
    [NODE_FOR_STATEMENT] = lower_compound,
    [NODE_WITH_STATEMENT] = lower_compound,
    [NODE_TRY_STATEMENT] = lower_compound,
    [NODE_MATCH_STATEMENT] = lower_match,
    [NODE_FUNCTION_DEFINITION] = lower_definition,
    [NODE_CLASS_DEFINITION] = lower_definition,
    [NODE_DECORATED_DEFINITION] = lower_definition,
};

/* A statement whose function did not give it a kind stays opaque. */
Stmt *lower_stmt(Lower *low, const Kid *kid) {
  LowerStmt *lower = LOWER_BY_KIND[kid->kind];
  if (!lower) return NULL;
  Stmt *stmt = stmt_new(low, STMT_OPAQUE, kid->span);
  if (low->depth >= AST_MAX_DEPTH) {
    lower_note_error(low, kid->span, S("nesting deeper than 256"));
    lower_abandon(low, kid);
    return stmt;
  }
  ArenaMark mark = arena_mark(&low->scratch);
  low->depth++;
  lower(low, stmt, kid);
  low->depth--;
  if (stmt->kind == STMT_OPAQUE) lower_abandon(low, kid);
  arena_reset(&low->scratch, mark);
  return stmt;
}

static void push_opaque(Lower *low, StmtVec *out, Span *junk) {
  if (junk->end > junk->start) {
    Stmt *stmt = stmt_new(low, STMT_OPAQUE, *junk);
    lower_note_error(low, *junk, S("syntax error"));
    vec_push(&low->scratch, out, stmt);
  }
  *junk = (Span){0, 0};
}

static void add_junk(Lower *low, const Kid *kid, Span *junk) {
  lower_abandon(low, kid);
  *junk = junk->end > junk->start ? span_join(*junk, kid->span) : kid->span;
}

/* A block, or what is left of one: an ERROR node, or a clause that lost its statement. */
static void lower_statements(Lower *low, const Kid *container, StmtVec *out) {
  bool sound = container->kind == NODE_BLOCK || container->kind == NODE_MODULE;
  Span junk = {0, 0};
  if (low->depth >= AST_MAX_DEPTH) {
    add_junk(low, container, &junk);
    push_opaque(low, out, &junk);
    return;
  }
  low->depth += !sound;
  Kids kids = lower_container_kids(low, container);
  if (container->kind == NODE_ERROR && kids.len == 0) add_junk(low, container, &junk);
  for (uint32_t i = 0; i < kids.len; i++) {
    const Kid *kid = &kids.data[i];
    bool nested = node_is_clause(kid->kind) || kid->kind == NODE_ERROR;
    if (nested || node_is_stmt(kid->kind)) push_opaque(low, out, &junk);
    if (nested) {
      lower_statements(low, kid, out);
    } else if (node_is_stmt(kid->kind)) {
      Stmt *stmt = lower_stmt(low, kid);
      vec_push(&low->scratch, out, stmt);
    } else if (!sound) {
      add_junk(low, kid, &junk);
    }
  }
  push_opaque(low, out, &junk);
  low->depth -= !sound;
}

Block lower_block(Lower *low, const Kid *kid) {
  StmtVec stmts = {0};
  lower_statements(low, kid, &stmts);
  Block block = {NULL, stmts.len};
  if (stmts.len == 0) return block;
  block.data = arena_array(low->arena, Stmt *, stmts.len);
  memcpy(block.data, stmts.data, stmts.len * sizeof *stmts.data);
  return block;
}

Block lower_body(Lower *low, Kids kids, uint32_t from) {
  uint32_t at = kids_find(kids, NODE_BLOCK, from);
  return at < kids.len ? lower_block(low, &kids.data[at]) : (Block){0};
}

uint32_t block_end(Block block, uint32_t otherwise) {
  return block.len > 0 ? block.data[block.len - 1]->span.end : otherwise;
}

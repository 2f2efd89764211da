/* Internal to this folder: the state of lowering, and what its files offer each other.
 *
 * Lowering walks tree-sitter's concrete tree top down. One node at a time is opened with lower_kids(), which gives its
 * visible children as an array, so that the code for each construct is free to look ahead. Comments are taken out of that
 * array and recorded; a child that tree-sitter marked as an error or had to invent makes the array `damaged`. Nothing here
 * recurses deeper than AST_MAX_DEPTH: every recursion goes through lower_expr(), lower_stmt(), lower_block(), lower_pattern()
 * or lower_interpolation(), which count.
 */
#ifndef TFCHECK_SYNTAX_LOWER_H
#define TFCHECK_SYNTAX_LOWER_H

#include <tree_sitter/api.h>

#include "base/panic.h"
#include "syntax/ast.h"
#include "syntax/node_kind.h"

/* Operators of one left-leaning chain that are kept; what follows them is opaque. Below AST_MAX_DEPTH, to leave room for
 * the statements around the chain and the operands in it. */
enum { LOWER_MAX_CHAIN = 200 };

typedef struct Kid {
  TSNode node;
  Span span;
  NodeKind kind;
} Kid;

typedef struct Kids {
  Kid *data;
  uint32_t len;
  bool damaged;  // has an ERROR or MISSING child
} Kids;

/* What a definition or a yield belongs to at this point of the walk. */
typedef struct LowerScope {
  Function *function;
  Class *owner;  // non-NULL directly inside a class body
  bool in_comprehension;  // of `function`: its yields are not the function's own
} LowerScope;

typedef struct Lower {
  Arena *arena;  // the module's: everything reachable from the Ast
  Arena scratch;  // dies with the concrete tree; cut back after each statement
  SymTable *symbols;
  const Source *source;
  Ast *ast;
  TSTreeCursor cursor;
  NodeKinds kinds;
  LowerScope scope;
  uint32_t depth;  // AST nodes around the one being lowered
} Lower;

/* ---- lower.c: nodes, lists, errors ---- */

Kid lower_kid(const Lower *low, TSNode node);
/* Visible children without comments and line continuations. ERROR and MISSING children are recorded as error regions. */
Kids lower_kids(Lower *low, const Kid *parent);
/* The same for containers of statements, which cut up their ERROR children themselves. */
Kids lower_container_kids(Lower *low, const Kid *parent);
/* First child of that kind at or after `from`; kids.len if there is none. */
uint32_t kids_find(Kids kids, NodeKind kind, uint32_t from);
/* Records comments and error regions below a node whose structure is given up. */
void lower_abandon(Lower *low, const Kid *kid);
void lower_note_error(Lower *low, Span span, Str what);
void lower_note_python2(Lower *low, Span span);  // only Python 2 is written like that

Str lower_text(const Lower *low, Span span);
Sym lower_symbol(Lower *low, Span span);
Sym lower_dotted(Lower *low,
                 const Kid *kid);  // identifiers of a dotted name joined by dots, whatever stands between them

/* An ExprList under construction. */
typedef VEC(Expr *) ExprVec;
void lower_push(Lower *low, ExprVec *vec, Expr *expr);
ExprList lower_list(Lower *low, const ExprVec *vec);

/* ---- lower_expr.c and its neighbours ---- */

Expr *expr_new(Lower *low, ExprKind kind, Span span);
Expr *lower_expr(Lower *low, const Kid *kid);
/* An opaque expression for a node that is given up as a syntax error. */
Expr *lower_opaque(Lower *low, const Kid *kid);
/* Marks names, attributes, subscripts and tuples of an assignment target. */
Expr *lower_stored(Expr *target);
/* Lowers kids[from..to) as one expression: itself if alone and without a comma, else a tuple. NULL if there is none. */
Expr *lower_expr_or_tuple(Lower *low, Kids kids, uint32_t from, uint32_t to);
Expr *lower_name(Lower *low, const Kid *kid);
/* Moves a star off the left operand of a new node: `*a.b` is `*(a.b)`, which the grammar sees the other way round outside
 * calls. `operand` is the node's own field. Returns what stands for the whole. */
Expr *lower_hoist_star(Expr *expr, Expr **operand);
bool binary_op_parse(Str text, BinaryOp *out);

Expr *lower_binary(Lower *low, const Kid *kid);  // lower_operator.c
Expr *lower_boolean(Lower *low, const Kid *kid);
Expr *lower_compare(Lower *low, const Kid *kid);
Expr *lower_unary(Lower *low, const Kid *kid);
Expr *lower_number(Lower *low, const Kid *kid);  // lower_number.c
Expr *lower_string(Lower *low, const Kid *kid);  // lower_string.c
Expr *lower_call(Lower *low, const Kid *kid);  // lower_call.c
Expr *lower_lambda(Lower *low, const Kid *kid);  // lower_def.c
Expr *lower_comprehension(Lower *low, const Kid *kid);
/* Positional arguments and keywords of a call or class header. False if the list is damaged. */
bool lower_arguments(Lower *low, const Kid *kid, ExprList *args, Keyword **keywords, uint32_t *keyword_len);

/* ---- lower_stmt.c and its neighbours ---- */

Stmt *stmt_new(Lower *low, StmtKind kind, Span span);
/* NULL if the node is no statement. */
Stmt *lower_stmt(Lower *low, const Kid *kid);
Block lower_block(Lower *low, const Kid *kid);
/* The body among the children of a compound statement or clause, from child `from` on; empty if there is none. */
Block lower_body(Lower *low, Kids kids, uint32_t from);
/* End of the last statement, or `otherwise` for an empty block: concrete blocks reach over trailing comments. */
uint32_t block_end(Block block, uint32_t otherwise);
/* From `start` to the colon. */
Span lower_header(Kids kids, uint32_t start);

void lower_compound(Lower *low, Stmt *stmt, const Kid *kid);  // lower_compound.c
void lower_match(Lower *low, Stmt *stmt, const Kid *kid);  // lower_match.c
void lower_import(Lower *low, Stmt *stmt, const Kid *kid);  // lower_import.c
void lower_type_alias(Lower *low, Stmt *stmt, const Kid *kid);  // lower_alias.c
void lower_definition(Lower *low, Stmt *stmt, const Kid *kid);  // lower_def.c
/* The function of index 0, whose body is the whole file. */
void lower_module(Lower *low, const Kid *root);

/* ---- string_decode.c: what a literal says, without the tree ---- */

typedef struct StringShape {
  bool is_bytes, is_raw, is_format, is_template;
  bool is_backtick;  // Python 2 repr
  Span body;  // between the quotes, relative to the literal
  uint32_t prefix;  // letters before the quotes
} StringShape;

StringShape string_shape(Str literal);
/* The value of a piece of a literal's body. Clears *exact if it holds an escape that is not resolved (a named character, a
 * lone surrogate). Returns a slice of `body` when nothing needed decoding. */
Str string_decode(Arena *arena, StringShape shape, Str body, bool *exact);

#endif

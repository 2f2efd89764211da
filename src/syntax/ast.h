/* Our own syntax tree: compact, typed, with spans for everything a message or a fix may point at.
 *
 * Made once per module by parse.c/lower*.c in the module's arena, then frozen: later floors take `const Ast *` (sema fills the
 * fields marked [sema] before that). Depth is bounded by AST_MAX_DEPTH, so walkers may recurse. `elif` chains, boolean chains,
 * comparison chains and left-leaning chains of one binary operator are flat or depth-limited. What the grammar or the bound
 * could not give is an OPAQUE node: it evaluates to unknown and binds nothing. Parentheses leave no node: an expression's span is
 * without the ones around it, but includes those around its operands.
 */
#ifndef TFCHECK_SYNTAX_AST_H
#define TFCHECK_SYNTAX_AST_H

#include "base/sym.h"
#include "base/vec.h"
#include "source/source.h"
#include "syntax/expr.h"

enum { AST_MAX_DEPTH = 256 };

typedef struct Stmt Stmt;
typedef struct Class Class;

typedef struct Block { Stmt **data; uint32_t len; } Block;

/* ---- statements ---- */

typedef enum StmtKind {
  STMT_OPAQUE, STMT_EXPR, STMT_ASSIGN, STMT_AUGASSIGN, STMT_ANNASSIGN, STMT_RETURN, STMT_DELETE, STMT_PASS, STMT_BREAK,
  STMT_CONTINUE, STMT_RAISE, STMT_ASSERT, STMT_GLOBAL, STMT_NONLOCAL, STMT_IMPORT, STMT_IMPORT_FROM, STMT_IF, STMT_WHILE,
  STMT_FOR, STMT_WITH, STMT_TRY, STMT_MATCH, STMT_FUNCTION, STMT_CLASS, STMT_TYPE_ALIAS,
  STMT_PRINT,  // Python 2 `print x` and `exec x`: `exprs` holds the operands
} StmtKind;

typedef struct ImportName {
  Sym name;    // dotted for `import a.b`; one identifier for `from m import name`; NULL for `*`
  Sym as;      // NULL when absent
  Span span;
} ImportName;

typedef struct IfArm {
  Expr *test;   // NULL for `else`
  Span header;  // `if`/`elif`/`else` to the colon
  Block body;
} IfArm;

typedef struct WithItem { Expr *context; Expr *target; } WithItem;  // target may be NULL

typedef struct Handler {
  Expr *type;      // NULL for a bare except
  Expr *name;      // EXPR_NAME with ctx_store, or NULL
  Span header;
  Block body;
} Handler;

typedef enum PatternKind {
  PAT_WILDCARD, PAT_CAPTURE, PAT_VALUE, PAT_SEQUENCE, PAT_MAPPING, PAT_CLASS, PAT_OR, PAT_AS, PAT_STAR,
} PatternKind;

typedef struct Pattern Pattern;
struct Pattern {
  PatternKind kind;
  Span span;
  Expr *value;          // VALUE; class expression of CLASS
  Expr *name;           // CAPTURE, AS, STAR: EXPR_NAME with ctx_store, may be NULL
  Pattern **parts;      // SEQUENCE, MAPPING (keys as VALUE, each before its value's pattern), CLASS, OR, AS (one)
  uint32_t part_len;
};

typedef struct MatchCase { Pattern *pattern; Expr *guard; Span header; Block body; } MatchCase;

struct Stmt {
  uint8_t kind;    // StmtKind
  uint32_t id;     // dense within the module
  Span span;       // whole statement, without trailing comment and line end
  Span header;     // compound statements: to the colon, which is in it, decorators too; simple ones: same as span
  union {
    Expr *expr;                                                       // EXPR, RETURN (may be NULL)
    struct { ExprList targets; Expr *value; } assign;                 // a = b = value
    struct { Expr *target; BinaryOp op; Expr *value; Span op_span; } aug;
    struct { Expr *target; Expr *annotation; Expr *value; } ann;      // value may be NULL
    ExprList exprs;                                                   // DELETE, PRINT
    struct { Expr *exc; Expr *cause; } raise;                         // both may be NULL
    struct { Expr *test; Expr *message; } assertion;                  // message may be NULL
    struct { Sym *data; uint32_t len; } names;                        // GLOBAL, NONLOCAL
    struct { ImportName *names; uint32_t len; Sym module; uint32_t dots; Span module_span; } import;
        // module (may be NULL for `from . import x`) and dots only for IMPORT_FROM
    struct { IfArm *arms; uint32_t len; } branch;                     // IF
    struct { Expr *test; Block body; Block orelse; } loop;            // WHILE
    struct { Expr *target; Expr *iter; Block body; Block orelse; bool is_async; } forloop;
    struct { WithItem *items; uint32_t len; Block body; bool is_async; } with;
    struct { Block body; Handler *handlers; uint32_t handler_len; Block orelse; Block finally; } try_;
    struct { Expr *subject; MatchCase *cases; uint32_t len; } match;
    Function *function;
    Class *class_;
    struct { Expr *name; Expr *value; } alias;
  } u;
};

/* ---- definitions ---- */

typedef enum ParamKind { PARAM_POSITIONAL_ONLY, PARAM_NORMAL, PARAM_VARARGS, PARAM_KEYWORD_ONLY, PARAM_KWARGS } ParamKind;

typedef struct Param {
  ParamKind kind;
  Expr *name;         // EXPR_NAME with ctx_store
  Expr *annotation;   // NULL when absent
  Expr *fallback;     // default value, NULL when absent
  Span span;
} Param;

struct Function {
  uint32_t index;          // in Ast.functions; 0 is the module body
  Sym name;                // NULL for lambdas, "<module>" for the module body
  Span name_span;
  Span span;               // from the first decorator (or `def`/`lambda`) to the end
  Span header;             // from `def`/`lambda` to the colon
  Expr **decorators;
  uint32_t decorator_len;
  Param *params;
  uint32_t param_len;
  Expr *returns;           // annotation or NULL
  Block body;              // functions
  Expr *lambda_body;       // lambdas: body is empty
  bool is_async;
  bool is_generator;       // has a yield of its own
  bool is_lambda, is_module;
  Expr *docstring;         // or NULL
  Function *parent;        // enclosing function; NULL for the module body
  Class *owner;            // the class whose body it stands in directly, or NULL
  Stmt *stmt;              // its STMT_FUNCTION; NULL for lambdas and the module body
  Scope *scope;            // [sema]
  Sym qualname;            // [sema] "Model.train.<locals>.step", "<lambda>", "<module>"
};

struct Class {
  uint32_t index;          // in Ast.classes
  Sym name;
  Span name_span, span, header;
  Expr **decorators;
  uint32_t decorator_len;
  ExprList bases;          // positional bases
  Keyword *keywords;
  uint32_t keyword_len;
  Block body;
  Function *parent;        // function in whose body it stands (the module body at top level)
  Class *owner;            // enclosing class if it stands directly in a class body
  Stmt *stmt;
  Scope *scope;            // [sema]
  Sym qualname;            // [sema]
};

typedef struct ErrorRegion {
  Span span;
  Str what;  // "syntax error", "nesting deeper than 256"
} ErrorRegion;

typedef struct Ast {
  const Source *source;
  Function *module;                 // == functions.data[0]
  VEC(Function *) functions;        // in source order of their `def`/`lambda`
  VEC(Class *) classes;
  uint32_t expr_count, stmt_count;  // ids are below these
  Comments comments;                // sorted
  VEC(ErrorRegion) errors;          // sorted
  bool looks_like_python2;
  Span python2;                     // what it is told by: the first such place
} Ast;

/* Parses and lowers. Never fails: what cannot be parsed is OPAQUE and listed in `errors`. Temporary memory (the concrete
 * tree) is freed before returning. Thread-safe for distinct arenas. */
Ast *ast_parse(Arena *arena, SymTable *symbols, const Source *source);

/* The innermost simple statement, or compound statement whose header holds the offset; NULL between statements. */
const Stmt *ast_stmt_at(const Ast *ast, uint32_t offset);
/* The statements around an offset, outermost first, at most `max` of them; how many they are. */
uint32_t ast_stmts_at(const Ast *ast, uint32_t offset, const Stmt **out, uint32_t max);
/* The innermost function whose span holds the offset; the module body at least. */
const Function *ast_function_at(const Ast *ast, uint32_t offset);
/* Text of a tree for `tfcheck debug ast`: one node a line, indented, with line:col ranges. */
Str ast_dump(Arena *arena, const Ast *ast);

/* Calls `visit` for each direct child expression, in evaluation order. Lambdas' bodies and comprehensions are not entered. */
typedef void ExprVisit(void *context, Expr *child);
void expr_children(Expr *expr, ExprVisit *visit, void *context);

/* True if the expression is built from names, attributes and constant subscripts only ("self.cache[0]"). */
bool expr_is_path(const Expr *expr);
bool expr_same_path(const Expr *a, const Expr *b);
bool expr_is_super_call(const Expr *expr);  // `super()`, `super(Base, self)`
bool expr_same_index(const Expr *a, const Expr *b);  // both are the same constant index: `"x"`, `0`, `-1`
/* Source text of an expression, blanks folded, cut to `max` bytes with "…". */
Str expr_text(Arena *arena, const Ast *ast, const Expr *expr, uint32_t max);

#endif

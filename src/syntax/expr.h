/* Expressions of the syntax tree (see ast.h, which includes this). */
#ifndef TFCHECK_SYNTAX_EXPR_H
#define TFCHECK_SYNTAX_EXPR_H

#include "base/sym.h"
#include "source/source.h"

typedef struct Expr Expr;
typedef struct Function Function;  // ast.h
typedef struct Scope Scope;        // sema/scope.h

typedef struct ExprList { Expr **data; uint32_t len; } ExprList;

typedef enum ExprKind {
  EXPR_OPAQUE,      // not understood (syntax error, too deep)
  EXPR_NAME,
  EXPR_CONST,
  EXPR_FSTRING,     // f"" and t"": parts in order, literal parts are EXPR_CONST strings
  EXPR_ATTR,
  EXPR_SUBSCRIPT,
  EXPR_SLICE,       // only inside a subscript (or a tuple in it)
  EXPR_CALL,
  EXPR_UNARY,
  EXPR_BINARY,
  EXPR_BOOL,        // a and b and c: one node
  EXPR_COMPARE,     // a < b < c: one node
  EXPR_TERNARY,
  EXPR_LAMBDA,
  EXPR_TUPLE,
  EXPR_LIST,
  EXPR_SET,
  EXPR_DICT,
  EXPR_COMP,        // list, set, dict comprehension or generator
  EXPR_STARRED,
  EXPR_YIELD,
  EXPR_AWAIT,
  EXPR_WALRUS,
} ExprKind;

typedef enum ConstKind {
  CONST_NONE, CONST_TRUE, CONST_FALSE, CONST_ELLIPSIS, CONST_INT, CONST_FLOAT, CONST_COMPLEX, CONST_STR, CONST_BYTES,
} ConstKind;

typedef enum BinaryOp {
  OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_FLOORDIV, OP_MOD, OP_POW, OP_MATMUL, OP_LSHIFT, OP_RSHIFT, OP_AND, OP_OR, OP_XOR,
} BinaryOp;
typedef enum UnaryOp { OP_NOT, OP_NEG, OP_POS, OP_INVERT } UnaryOp;
typedef enum CompareOp { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE, CMP_IS, CMP_IS_NOT, CMP_IN, CMP_NOT_IN } CompareOp;
typedef enum CompKind { COMP_LIST, COMP_SET, COMP_DICT, COMP_GENERATOR } CompKind;

typedef struct Keyword {
  Sym name;        // NULL for **value
  Span name_span;
  Span span;       // name=value
  Expr *value;
} Keyword;

/* How a name is looked up, decided by sema. */
typedef enum NameRef {
  REF_UNRESOLVED,  // before sema
  REF_LOCAL,       // slot of the function (or lambda/comprehension owner) it stands in
  REF_FREE,        // slot of an enclosing function: `up` functions outward
  REF_GLOBAL,      // module scope, by symbol
  REF_CLASS,       // name of the class body being executed
  REF_BUILTIN,     // bound nowhere in the module: a builtin or unknown (star import)
} NameRef;

struct Expr {
  uint8_t kind;        // ExprKind
  uint8_t ctx_store;   // 1 if this name/attr/subscript/tuple is assigned to or deleted here
  uint16_t depth;
  uint32_t id;         // dense within the module, in source order of creation
  Span span;
  union {
    struct { Sym id; uint8_t ref; uint16_t up; uint32_t slot; } name;  // ref, up, slot: [sema]
    struct { ConstKind kind; Str text; int64_t i; double f; bool exact; } constant;
        // text: source slice; for strings the *decoded* value (escapes resolved, implicit concatenation joined);
        // i/f: value of int/float when exact
    struct { ExprList parts; Span conversion_spec; bool has_spec; bool is_template; } fstring;
        // parts: EXPR_CONST or the interpolated expressions; has_spec: some interpolation has a `:spec`;
        // conversion_spec: the first `!r`, `:spec` or both
    struct { Expr *value; Sym name; Span name_span; } attr;
    struct { Expr *value; Expr *index; } subscript;  // index may be EXPR_SLICE or EXPR_TUPLE
    struct { Expr *lower, *upper, *step; } slice;    // any may be NULL
    struct { Expr *callee; ExprList args; Keyword *keywords; uint32_t keyword_len; Span paren; } call;
        // args in order, EXPR_STARRED among them; paren: from `(` to `)`
    struct { UnaryOp op; Expr *operand; } unary;
    struct { BinaryOp op; Expr *left, *right; Span op_span; } binary;
    struct { bool is_or; ExprList values; } boolean;
    struct { ExprList operands; uint8_t *ops; } compare;  // ops: operands.len - 1 of CompareOp
    struct { Expr *test, *then, *otherwise; } ternary;
    Function *lambda;
    ExprList items;                                        // tuple, list, set
    struct { ExprList keys; ExprList values; } dict;       // key NULL for **value
    struct Comprehension *comp;
    Expr *starred;                                         // starred, await
    struct { Expr *value; bool from; } yield;              // value may be NULL
    struct { Expr *target; Expr *value; } walrus;
  } u;
};

typedef struct CompClause {
  Expr *target, *iter;
  ExprList tests;
  bool is_async;
  Span span;  // from `for` to the last test
} CompClause;

typedef struct Comprehension {
  CompKind kind;
  Expr *element;   // key for a dict comprehension
  Expr *value;     // dict comprehension only
  CompClause *clauses;
  uint32_t clause_len;
  Scope *scope;    // [sema]; its names are slots of the enclosing function, renamed apart
} Comprehension;

#endif

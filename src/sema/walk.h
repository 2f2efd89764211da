/* Every expression below a block, statement or expression, nested functions and classes included: for questions that ask "anywhere in here?". */
#ifndef TFCHECK_SEMA_WALK_H
#define TFCHECK_SEMA_WALK_H

#include "syntax/ast.h"

/* Called for each expression before its children. `function` is the one it stands in, lambdas counting as functions. */
typedef void WalkVisit(void *context, Expr *expr, const Function *function);

typedef struct Walk {
  WalkVisit *visit;
  void *context;
  const Function *function;  // where the walk is
  bool shallow;              // do not enter bodies of functions, lambdas and classes
} Walk;

void walk_block(Walk *walk, const Block *block);
void walk_stmt(Walk *walk, const Stmt *stmt);
void walk_expr(Walk *walk, Expr *expr);
/* Body of a nested function or lambda. */
void walk_body(Walk *walk, const Function *function);

#endif

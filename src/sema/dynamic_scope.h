/* Set for a while, and put back: what a place holds then is the same before and behind. Asked of the text of functions. */
#ifndef TFCHECK_SEMA_DYNAMIC_SCOPE_H
#define TFCHECK_SEMA_DYNAMIC_SCOPE_H

#include "syntax/ast.h"

/* The function saves the place in a local name before it stores to it, and stores that name to it in the end; or it is one half
 * of a context manager whose other half takes the store back. */
bool is_dynamic_scope(const Function *function, const Expr *place);

/* The function opens or closes a context manager, `__enter__` and `__exit__` or the two sides of a `yield`, and what one side
 * does to places of this name the other one takes back: `depth += 1` and `depth -= 1`, or an assignment on either side. */
bool is_taken_back_at_exit(const Function *function, Sym name);

#endif

/* Set for the time of a call, and put back: what a place holds then is the same before and behind. */
#ifndef TFCHECK_RULES_DYNAMIC_SCOPE_H
#define TFCHECK_RULES_DYNAMIC_SCOPE_H

#include "rules/rule.h"

/* The function saves the place in a local name before it stores to it, and stores that name to it in the end. */
bool is_dynamic_scope(const Function *function, const Expr *place);

#endif

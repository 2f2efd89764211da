/* Whether the value that a trace froze is replaced later: the writes of a place, seen from one traced root. */
#ifndef TFCHECK_RULES_REBINDING_H
#define TFCHECK_RULES_REBINDING_H

#include "rules/rule.h"

/* Worth waiting for the whole program. */
bool rebinding_possible(const Flow *flow, Var var);
/* The first write that replaces what a trace of `root` has read; NULL if none does, as far as the project shows. */
const WriteRecord *rebinding_find(RuleContext *ctx, Var var, FuncRef root);

#endif

/* What the rules about retracing share: calls of traced functions from eager code, and what they pass. */
#ifndef TFCHECK_RULES_CALL_SITE_H
#define TFCHECK_RULES_CALL_SITE_H

#include "rules/rule.h"

/* A call that runs the function, unlike `step.get_concrete_function(...)`, outside of test code. */
bool call_site_runs(const CallRecord *call);
/* An eager call outside of test code, of a function whose traces depend on what is passed (no input signature), and that other
 * rounds of the loop call too. */
bool call_site_retraces(const Flow *flow, const CallRecord *call);
/* What is called, as written. */
Str call_site_callee(const Flow *flow, const CallRecord *call);
/* The text of argument number `at`; empty where no expression says it. */
Str call_site_argument(const Flow *flow, const CallRecord *call, uint32_t at);
/* "`step` is traced here", at the decorator or the `tf.function(...)` call. */
Label call_site_definition(RuleContext *ctx, const CallRecord *call);
/* How many values the name takes in the loop that binds it around the call: `for name in range(9)`; -1 if that is not plain. */
int64_t call_site_rounds(const Flow *flow, const CallRecord *call, const Expr *name);

#endif

/* Code that is chosen by the kind of something: `isinstance`, `hasattr`, `tf.nest.is_nested`, a helper that asks one of these. */
#ifndef TFCHECK_RULES_KIND_TEST_H
#define TFCHECK_RULES_KIND_TEST_H

#include "rules/rule.h"

/* The event stands behind a test of the kind of something, whose outcome is not known, in a helper: whether the value ever gets
 * there in this trace is not known. What a test finds out about a value that is known is in the value. NULL: no, such a finding
 * is about what the code does and not about what it does it to. */
bool kind_test_decides(RuleContext *ctx, const Event *event, const Value *value);

#endif

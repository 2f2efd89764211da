/* Code that is chosen by the kind of something: `isinstance`, `hasattr`, `tf.nest.is_nested`, a helper that asks one of these. */
#ifndef TFCHECK_RULES_KIND_TEST_H
#define TFCHECK_RULES_KIND_TEST_H

#include "rules/rule.h"

/* The event stands behind a test of the kind of something, whose outcome is not known, in a helper that its caller gave the
 * value: whether this value ever gets there is not known. What the test finds out about the value itself is in the value. */
bool kind_test_decides(RuleContext *ctx, const Event *event, const Value *value);

#endif

/* Why it is not known whether AutoGraph converts the code at hand. */
#ifndef TFCHECK_RULES_CONVERSION_H
#define TFCHECK_RULES_CONVERSION_H

#include "rules/rule.h"

/* It depends on the version of Keras: a warning is due. Else, as under a wrapper whose options cannot be read, nothing is. */
bool conversion_depends_on_keras(RuleContext *ctx, const Event *event);

#endif

/* Fixes that call something of TensorFlow instead: how the module at hand spells `tf.`. */
#ifndef TFCHECK_RULES_RENAME_H
#define TFCHECK_RULES_RENAME_H

#include "rules/rule.h"

/* "T.reduce_sum" for "tf.reduce_sum" in a module that says `import tensorflow as T`; empty if the module has no such import
 * that is certain to hold at this place. */
Str rename_to_tf(RuleContext *ctx, const Event *event, Str tf_name);
/* Replaces `expr` by that spelling. False, and no edit, if there is none. */
bool rename_edit(RuleContext *ctx, const Event *event, const Expr *expr, Str tf_name, FixSafety safety, Report *report);

#endif

/* Applications of `@tf.function` and its wrappers: what the rules about decorators share. */
#ifndef TFCHECK_RULES_DECORATION_H
#define TFCHECK_RULES_DECORATION_H

#include "rules/rule.h"

/* The call makes a traced function: `@tf.function`, `@tf.function(…)`, `@partial(tf.function, …)`, `tf.function(f)`. */
bool decoration_traces(const Event *event);
/* The `def` that is being decorated, and which of its decorators this is; NULL for calls and classes. */
const Function *decoration_function(const Event *event, uint32_t *index);
/* The class in whose body that `def` stands; NULL if there is none. */
const ClassInfo *decoration_class(const Event *event, const Function *function);

#endif

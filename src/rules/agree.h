/* Whether two values fit into one variable of the graph: what tf.cond demands of its branches and tf.while_loop of its iterations. */
#ifndef TFCHECK_RULES_AGREE_H
#define TFCHECK_RULES_AGREE_H

#include "rules/rule.h"

typedef enum Discord {
  AGREE,  // or nothing is known against it
  DISCORD_NONE,  // one is None, the other is not
  DISCORD_DTYPE,
  DISCORD_STRUCTURE,  // list lengths, tuple against list, keys, a list against a tensor
} Discord;

/* The first discord on the way down. Values nest at most VALUE_DEPTH deep. */
Discord values_agree(const Value *a, const Value *b);

/* "float32", "a list of 2", "None": what a message says that a value is. */
Str discord_text(Arena *arena, Discord discord, const Value *value);

#endif

/* What becomes of a host value inside its function: read from the text, by the names that hold what was computed from it.
 *
 *   noise = random.random()     the source
 *   y = x + noise * 0.1         y holds it too
 *   print(noise)                shows it: no use
 *   return y                    USE_RETURN
 */
#ifndef TFCHECK_RULES_USE_H
#define TFCHECK_RULES_USE_H

#include "rules/rule.h"

typedef enum UseBits {
  USE_RETURN = 1 << 0,  // returned or yielded
  USE_OP = 1 << 1,      // given to TensorFlow or Keras, or to a method that changes a variable
  USE_BRANCH = 1 << 2,  // decides a branch or loop that does more than print
  USE_MEASURE = 1 << 3, // returned as the outcome of a comparison or as a length: says something about it
  USE_HANDED_ON = 1 << 4, // an argument of other code of the project, or of nobody knows what; use_of() leaves it out
} UseBits;

/* What printing, logging and keeping a value on the host come to is 0. Calls of project code count by what they return. */
uint32_t use_in_function(Arena *scratch, const Project *project, const Module *module, const Function *function,
                         const Expr *source);
/* The same in the function of the event; what a helper returns counts by what its callers do with it. */
uint32_t use_of(RuleContext *ctx, const Event *event, const Expr *source);
/* The same for what a local name holds; what another place holds counts as returned, since it outlives the call. */
uint32_t use_of_place(RuleContext *ctx, const Event *event, const Expr *place);

#endif

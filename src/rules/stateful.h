/* Objects that create state when they are first used, and how the program uses them: what TF104 and TF105 share.
 *
 *   opt = Adam()                  makes it
 *   opt.build(vars), eager use    builds it, outside of every trace
 *   opt.apply_gradients(…)        in a trace: creates its slots if nothing has built it
 */
#ifndef TFCHECK_RULES_STATEFUL_H
#define TFCHECK_RULES_STATEFUL_H

#include "rules/rule.h"

typedef enum StatefulUse {
  STATEFUL_NONE,
  STATEFUL_BUILDS,   // gives the object its state outside of traced code
  STATEFUL_CREATES,  // in traced code: creates the state if it is the first use
} StatefulUse;

/* What the event does with the objects of *value. */
StatefulUse stateful_use(const Event *event, const Value **value);
/* May the object be without state until its first use? Optimizers always; models and layers of the project, and Keras' own that
 * are not made whole at once. */
bool stateful_is_lazy(const Project *project, const Value *value, const Obj *obj);

/* One allocation site, but certainly two objects: the names (or entries of a dict) are bound once each, by two calls of the
 * function that makes one. */
bool stateful_made_apart(RuleContext *ctx, const CallRecord *call, const Expr *a, const Expr *b, const Obj *obj);
/* A loop around the call makes the object anew in each round: `for k in range(3): opt = Adam(); step(x, opt)`. */
bool stateful_made_each_round(const Event *call, const Expr *argument, const Obj *obj);
/* The traced root above an instance, NULL if there is none. */
bool stateful_root(RuleContext *ctx, InstanceId instance, ChainStep *root);

#endif

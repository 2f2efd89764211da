/* What the rules about side effects share: does Python run here while tracing only, and does a place outlive the trace? */
#ifndef TFCHECK_RULES_EFFECT_H
#define TFCHECK_RULES_EFFECT_H

#include "rules/rule.h"

/* Traced code whose effects happen once for each trace. Not: setting up an object built outside of any trace, and v1 graph
 * building, whose Python is meant to run once. */
bool effect_frozen(const Event *event);

/* A container that is changed in place: by a method, by a function that gets it first, by an item, by `del`, by `+=`. */
typedef struct Mutation {
  const Value *container;
  const Expr *path;     // how the code calls it
  const Expr *by;       // the function that changes its argument, NULL for methods and statements
  const Value *key;     // of the item, NULL if it has none
  const Value *stored;  // what is put into it, NULL if nothing is (or it is not known what)
  const Expr *stored_expr;
  Var var;              // where it lives, VAR_NONE if that is not one place
  Span statement;       // reads inside it belong to the change itself
} Mutation;

/* False if the event changes no list, dict or set. */
bool effect_mutation(const Event *event, Mutation *out);

/* Surely something symbolic that is lost when the trace ends: a tensor, also a ragged or sparse one, a tensor array, a container
 * with a tensor in it. */
bool effect_is_symbolic(const Value *value);

/* How a place that traced code writes is read, judged by the whole program; test code does not count. */
typedef enum PlaceUse {
  USE_NONE,       // no visible read
  USE_SAME_CALL,  // only behind the write, in what runs in the same call, or in a relative of the class that nobody visible runs
  USE_ELSEWHERE,  // in a next call or somewhere else
} PlaceUse;
PlaceUse effect_use(RuleContext *ctx, const Event *event, Var var, Span statement, const ReadRecord **witness);

/* A cache is filled: below a test like `if key not in cache:` of the container that is changed. */
bool effect_fills_cache(const Event *event, const Expr *path);

/* Traced code gives the place a new value of its own in each call: `self.rows = []` before `self.rows.append(x)`. */
bool effect_is_reset(RuleContext *ctx, const Event *event, Var var);

#endif

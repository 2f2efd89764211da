/* What the files that implement values share; nobody outside of them needs it.
 *
 * Every walk over a value carries its depth: below VALUE_DEPTH a value has no structure and its objects have no contents,
 * whatever the memory says. That bounds the lattice, and every recursion over it, even for `f = partial(f, 1)` in a loop.
 */
#ifndef TFCHECK_FLOW_VALUE_INNER_H
#define TFCHECK_FLOW_VALUE_INNER_H

#include "flow/value.h"

/* Kinds that hold or yield other values. */
#define KINDS_STRUCTURED (KINDS_CONTAINER | KIND(DATASET) | KIND(ITERATOR) | KIND(HOST_ITERATOR))
/* Kinds whose objects are told apart: without a list of them, it may be any. */
#define KINDS_IDENTIFIED                                                                                         \
  (KINDS_TRACKABLE | KIND(VARIABLE) | KIND(FUNCTION) | KIND(TRACED) | KIND(CLASS) | KIND(INSTANCE) | KIND(MODULE) | \
   KIND(API) | KIND(OBJECT))

typedef enum Form {
  FORM_NONE,   // holds nothing
  FORM_EXACT,  // these parts
  FORM_ELEM,   // any number of these
  FORM_OPEN,   // holds something, nobody knows what
} Form;

Form value_form(const Value *v);
/* Identities are not known, or too many. */
bool value_is_open(const Value *v);

const Value *value_join_at(Arena *arena, const Value *a, const Value *b, int depth);
bool value_eq_at(const Value *a, const Value *b, int depth);
/* Join of all parts or elements; bottom for an empty container, NULL when not known. */
const Value *value_held_at(Arena *arena, const Value *v, int depth);

/* Objects with equal identity: the join, and equality, of what they carry. */
const Obj *obj_join(Arena *arena, const Obj *a, const Obj *b, int depth);
bool obj_eq_at(const Obj *a, const Obj *b, int depth);

#endif

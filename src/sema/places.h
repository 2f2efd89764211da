/* The places of a function: its plain locals and the composite names it writes, numbered.
 *
 * Composites form a trie over the names they hang on: `self.a.b` is below `self.a` below `self`. Only paths that the function
 * itself writes become places (AutoGraph threads nothing else); reading `self.a.b` also reads every place on its way.
 */
#ifndef TFCHECK_SEMA_PLACES_H
#define TFCHECK_SEMA_PLACES_H

#include "sema/facts.h"

enum { NO_PLACE = UINT32_MAX };

typedef struct PlaceNode {
  uint32_t place;  // NO_PLACE for a step on the way, or a root that is no local
  uint32_t root;   // node of the name it hangs on
  bool has_children;
} PlaceNode;

typedef struct PlaceTable {
  Arena *arena;
  const Function *function;
  VEC(PlaceNode) nodes;
  Map roots;                // slot, or symbol of a name that is no local -> node + 1
  Map children;             // node << 32 | label -> node + 1
  Map attributes;           // symbol -> label
  StrMap keys;              // "['k']" -> label
  uint32_t label_count;
  VEC(FlowPlace) places;
  VEC(uint32_t) node_of;    // by place
} PlaceTable;

/* Numbers the places of a function: locals in order of their bindings, then composites in order of their first write. */
PlaceTable *places_build(Arena *arena, const Function *function);

/* The place that an expression standing in `where` names, if it is one of the table's function; NO_PLACE else. */
uint32_t place_of(const PlaceTable *table, const Expr *expr, const Function *where);
/* The place of a local by name, for imports and definitions. */
uint32_t place_of_name(const PlaceTable *table, Sym name);
/* The place at the root of a composite; NO_PLACE if the root is no local of the function. */
uint32_t place_root(const PlaceTable *table, uint32_t place);

#endif

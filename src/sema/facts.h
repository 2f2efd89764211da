/* Definite assignment and liveness, as AutoGraph sees a function.
 *
 * Requires: scopes. Provides: for each `if`, `while`, `for` of a function, which places it modifies, which of them are live
 * afterwards, and which are surely set before. Context-independent: says nothing about which branches are on tensors.
 *
 *   def f(t):
 *     if t > 0:          # modified main {x}, else {}; live_after {x}; definite_before {t}: TF403's raw material
 *       x = 1
 *     return x
 *
 * A place is a local slot or one of AutoGraph's composite names (`self.x`, `d['k']` with a constant key) of the function.
 * Computed on the AutoGraph-normalised form: where a branch ends in `return`, the statements after the `if` count as its else
 * branch. Backward (liveness) and forward (assignment) passes, loop bodies twice, break/continue/return by a stack of exit
 * targets, `try` conservative: any statement of the body may jump to a handler. Module bodies have facts over global names.
 */
#ifndef TFCHECK_SEMA_FACTS_H
#define TFCHECK_SEMA_FACTS_H

#include "sema/scope.h"

typedef struct FlowPlace {
  const Expr *example;  // first expression that names the place; NULL for a name that only imports or definitions bind
  uint32_t slot;        // plain local: its slot; composite: UINT32_MAX
  Str text;             // "x", "self.count", "d['k']"
} FlowPlace;

typedef struct BitSet { uint64_t *words; uint32_t len; } BitSet;  // over place ids; len in words
static inline bool bitset_has(const BitSet *set, uint32_t id) {
  return id / 64 < set->len && (set->words[id / 64] >> (id % 64) & 1);
}

typedef enum BlockEnd { END_FALLS, END_RETURNS, END_LEAVES } BlockEnd;
    // every path falls off the end / some path falls off → FALLS; every path returns or raises → RETURNS;
    // every path leaves in some way including break/continue → LEAVES

typedef struct StmtFacts {
  const Stmt *stmt;        // IF, WHILE or FOR
  uint32_t arm;            // IF: facts are per test: arm i against everything after it
  BitSet modified;         // loops: by the body; if: by this arm's body
  BitSet modified_else;    // if: by the other arms (and, normalised, by what follows)
  BitSet live_after;       // live out of the whole statement (normalised: out of the joined continuation), also through
                           // break and continue; composites also when their root is live into it: AutoGraph carries them out
  BitSet live_in_body;     // loops: read before being set in an iteration
  BitSet definite_before;  // set on every path that reaches the statement
  BitSet maybe_before;     // set on some path (composites: always, the object may come with them)
  BitSet maybe_first;      // the same for paths that have not gone round a loop: what a first iteration may find
  BitSet definite_main;    // if: set at the end of this arm on every path (definite_before included); an arm that never
                           // falls off its end: where it leaves
  BitSet definite_else;    // if: the same for the alternative
  BlockEnd end_main, end_else;  // how the arm and the alternative end
  bool normalised;         // the rest of the block was taken as the else branch
} StmtFacts;

typedef struct FunctionFacts {
  const Function *function;
  VEC(FlowPlace) places;
  VEC(StmtFacts) stmts;
  Map by_stmt;            // stmt id << 32 | arm -> index + 1 of stmts
  const struct PlaceTable *table;  // places.h: from expressions to places
} FunctionFacts;

FunctionFacts *facts_build(Arena *arena, const Function *function);
const StmtFacts *facts_of(const FunctionFacts *facts, const Stmt *stmt, uint32_t arm);  // NULL if none
/* Id of the place an expression names, or UINT32_MAX. */
uint32_t facts_place(const FunctionFacts *facts, const Expr *expr);
/* Whether the name is read anywhere in the statements of `block` (nested functions included). */
bool block_reads(const Block *block, Sym name);

#endif

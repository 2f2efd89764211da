/* The equations over a flow graph, solved: per node which places are set, may be set, and are live when it is entered. */
#ifndef TFCHECK_SEMA_FLOW_SOLVE_H
#define TFCHECK_SEMA_FLOW_SOLVE_H

#include "sema/flow_graph.h"

typedef struct FlowRows {
  const FlowGraph *graph;
  uint32_t words;  // of one set
  uint64_t *definite;  // node * words: set on every path here; meaningless where not reached
  uint64_t *maybe;
  uint64_t *first;  // may be set on a path that has not gone round a loop
  uint64_t *captured;  // read by a nested function that is defined on some path here
  uint64_t *live;
  bool *reached;
  uint64_t **below;  // by place: composites that hang on it, NULL if none; writing the root makes them new
  uint64_t budget;  // words that may still be touched; 0 means that the function is too large to be worth it
} FlowRows;

/* False if the budget ran out. */
bool flow_solve(Arena *scratch, FlowRows *rows, const FlowGraph *graph);

/* What an iteration of a loop reads before it sets it, whatever came before and comes after. */
bool flow_solve_iteration(Arena *scratch, FlowRows *rows, const LoopFlow *loop, uint64_t *out);

static inline void bits_set(uint64_t *bits, uint32_t id) { bits[id / 64] |= (uint64_t)1 << (id % 64); }
static inline bool bits_has(const uint64_t *bits, uint32_t id) { return bits[id / 64] >> (id % 64) & 1; }
static inline void bits_or(uint64_t *bits, const uint64_t *more, uint32_t words) {
  for (uint32_t i = 0; i < words; i++) bits[i] |= more[i];
}
static inline void bits_and(uint64_t *bits, const uint64_t *mask, uint32_t words) {
  for (uint32_t i = 0; i < words; i++) bits[i] &= mask[i];
}
static inline uint64_t *row_of(const FlowRows *rows, uint64_t *sets, uint32_t node) {
  return sets + (size_t)node * rows->words;
}

#endif

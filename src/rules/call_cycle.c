/* Strongly connected components of the graph of traced functions, by reaching forward and backward from each function that is
 * not in one yet. The graph is small: one node for each traced function that traced code calls.
 */
#include "rules/call_cycle.h"

typedef struct Graph {
  const CycleCall *calls;
  uint32_t len;
  uint32_t *from, *to;  // by call: node
  uint32_t *next[2];  // by call: 1 + the next call that leaves (0) or enters (1) the same node
  uint32_t *first[2];  // by node
  FuncRef *functions;  // by node
  bool *entered;
  uint32_t nodes;
} Graph;

static uint32_t node_of(Graph *graph, Arena *arena, Map *numbers, FuncRef func) {
  bool fresh;
  uint64_t *number = map_put(arena, numbers, func_key(func), &fresh);
  if (fresh) {
    *number = graph->nodes;
    graph->functions[graph->nodes++] = func;
  }
  return (uint32_t)*number;
}

static Graph graph_of(Arena *arena, const CycleCall *calls, uint32_t len) {
  Graph graph = {.calls = calls, .len = len};
  graph.from = arena_array(arena, uint32_t, len + 1);
  graph.to = arena_array(arena, uint32_t, len + 1);
  graph.functions = arena_array(arena, FuncRef, 2 * len + 1);
  graph.entered = arena_array(arena, bool, 2 * len + 1);
  for (int side = 0; side < 2; side++) {
    graph.next[side] = arena_array(arena, uint32_t, len + 1);
    graph.first[side] = arena_array(arena, uint32_t, 2 * len + 1);
  }
  Map numbers = {0};
  for (uint32_t i = 0; i < len; i++) {
    uint32_t ends[2] = {node_of(&graph, arena, &numbers, calls[i].from), node_of(&graph, arena, &numbers, calls[i].to)};
    graph.from[i] = ends[0];
    graph.to[i] = ends[1];
    graph.entered[ends[1]] |= calls[i].is_entered;
    for (int side = 0; side < 2; side++) {
      graph.next[side][i] = graph.first[side][ends[side]];
      graph.first[side][ends[side]] = i + 1;
    }
  }
  return graph;
}

/* All nodes on a way out of `start` (side 0) or into it (side 1). A node counts itself only if a way leads back. */
static bool *reach(Arena *arena, const Graph *graph, uint32_t start, int side) {
  bool *reached = arena_array(arena, bool, graph->nodes + 1);
  VEC(uint32_t) stack = {0};
  vec_push(arena, &stack, start);
  while (stack.len) {
    uint32_t node = stack.data[--stack.len];
    for (uint32_t at = graph->first[side][node]; at; at = graph->next[side][at - 1]) {
      uint32_t other = side ? graph->from[at - 1] : graph->to[at - 1];
      if (reached[other]) continue;
      reached[other] = true;
      vec_push(arena, &stack, other);
    }
  }
  return reached;
}

/* Where the program enters the cycle: a function that eager code calls; of several, the first of the project. */
static bool enters_before(const Graph *graph, uint32_t a, uint32_t b) {
  if (graph->entered[a] != graph->entered[b]) return graph->entered[a];
  FuncRef left = graph->functions[a], right = graph->functions[b];
  return left.module != right.module ? left.module < right.module : left.index < right.index;
}

bool *cycle_closing_calls(Arena *arena, const CycleCall *calls, uint32_t len) {
  bool *closes = arena_array(arena, bool, len + 1);
  Graph graph = graph_of(arena, calls, len);
  bool *done = arena_array(arena, bool, graph.nodes + 1);
  for (uint32_t start = 0; start < graph.nodes; start++) {
    if (done[start]) continue;
    const bool *forward = reach(arena, &graph, start, 0), *backward = reach(arena, &graph, start, 1);
    uint32_t entry = start;
    for (uint32_t n = 0; n < graph.nodes; n++) {
      if (!forward[n] || !backward[n]) continue;
      done[n] = true;
      if (enters_before(&graph, n, entry)) entry = n;
    }
    bool on_tensor = false;
    for (uint32_t i = 0; i < len; i++) {
      bool inside = forward[graph.from[i]] && backward[graph.from[i]] && forward[graph.to[i]] && backward[graph.to[i]];
      on_tensor |= inside && calls[i].on_tensor;
      closes[i] |= inside && graph.to[i] == entry;
    }
    for (uint32_t i = 0; i < len; i++) closes[i] &= graph.to[i] != entry || on_tensor;
  }
  return closes;
}

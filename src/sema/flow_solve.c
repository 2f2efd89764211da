/* Two passes over the graph until nothing changes: forward for what is set, backward for what is live.
 *
 * Nodes are numbered in source order, so that a sweep settles everything but loops; loops take a sweep or two more. Sets only
 * grow (definite ones only shrink), so it ends. The work is counted: a function too large for its budget gets no facts.
 */
#include "sema/flow_solve.h"

enum { BUDGET_WORDS = 1 << 26, MOST_ROW_WORDS = 1 << 20 };

static bool spend(FlowRows *rows, uint64_t words) {
  rows->budget = rows->budget > words ? rows->budget - words : 0;
  return rows->budget > 0;
}

static uint32_t events_end(const FlowGraph *graph, uint32_t node) {
  return node + 1 < graph->nodes.len ? graph->nodes.data[node + 1].first_event : graph->events.len;
}

static void drop(uint64_t *bits, const FlowRows *rows, uint32_t place) {
  bits[place / 64] &= ~((uint64_t)1 << (place % 64));
  for (uint32_t i = 0; rows->below[place] && i < rows->words; i++) bits[i] &= ~rows->below[place][i];
}

/* ---- forward ---- */

typedef struct Forward {
  uint64_t *definite, *maybe, *first, *captured;  // one set each
} Forward;

static void pass_forward(const FlowRows *rows, uint32_t node, Forward *state) {
  const FlowGraph *graph = rows->graph;
  for (uint32_t i = graph->nodes.data[node].first_event; i < events_end(graph, node); i++) {
    FlowEvent event = graph->events.data[i];
    if (event.op == FLOW_WRITE) {
      drop(state->definite, rows, event.place);
      bits_set(state->definite, event.place);
      bits_set(state->maybe, event.place);
      bits_set(state->first, event.place);
    } else if (event.op == FLOW_DELETE) {
      drop(state->definite, rows, event.place);
      state->maybe[event.place / 64] &= ~((uint64_t)1 << (event.place % 64));
      state->first[event.place / 64] &= ~((uint64_t)1 << (event.place % 64));
    } else if (event.op == FLOW_CAPTURE) {
      bits_set(state->captured, event.place);
    }
  }
}

/* `back`: the edge goes back to the header of a loop. */
static bool merge_into(FlowRows *rows, uint32_t node, const Forward *state, bool back) {
  uint64_t *definite = row_of(rows, rows->definite, node), *maybe = row_of(rows, rows->maybe, node);
  uint64_t *captured = row_of(rows, rows->captured, node), *first = row_of(rows, rows->first, node);
  bool changed = !rows->reached[node];
  if (changed) memcpy(definite, state->definite, rows->words * sizeof *definite);
  rows->reached[node] = true;
  for (uint32_t i = 0; i < rows->words; i++) {
    uint64_t reaching = back ? 0 : state->first[i];
    changed |= (definite[i] & ~state->definite[i]) || (state->maybe[i] & ~maybe[i]) || (reaching & ~first[i]) ||
               (state->captured[i] & ~captured[i]);
    first[i] |= reaching;
    definite[i] &= state->definite[i];
    maybe[i] |= state->maybe[i];
    captured[i] |= state->captured[i];
  }
  return changed;
}

static void load(const FlowRows *rows, uint32_t node, Forward *state) {
  size_t bytes = rows->words * sizeof(uint64_t);
  memcpy(state->definite, row_of(rows, rows->definite, node), bytes);
  memcpy(state->maybe, row_of(rows, rows->maybe, node), bytes);
  memcpy(state->first, row_of(rows, rows->first, node), bytes);
  memcpy(state->captured, row_of(rows, rows->captured, node), bytes);
}

static bool solve_forward(Arena *scratch, FlowRows *rows) {
  const FlowGraph *graph = rows->graph;
  uint64_t *sets = arena_array(scratch, uint64_t, 4 * (size_t)rows->words);
  Forward state = {sets, sets + rows->words, sets + 2 * (size_t)rows->words, sets + 3 * (size_t)rows->words};
  bool *dirty = arena_array(scratch, bool, graph->nodes.len);
  dirty[EXIT_NODE + 1] = true;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t node = 0; node < graph->nodes.len; node++) {
      if (!dirty[node]) continue;
      dirty[node] = false;
      if (!spend(rows, 8 + 8 * (uint64_t)rows->words)) return false;
      const FlowNode *flow = &graph->nodes.data[node];
      load(rows, node, &state);
      // An exception leaves before the node has done anything.
      if (flow->handler != NO_NODE && merge_into(rows, flow->handler, &state, false))
        dirty[flow->handler] = again = true;
      pass_forward(rows, node, &state);
      for (uint32_t i = 0; i < flow->next.len; i++) {
        uint32_t next = flow->next.data[i];
        if (merge_into(rows, next, &state, next <= node)) dirty[next] = again = true;
      }
    }
  }
  return true;
}

/* ---- backward ---- */

static void pass_backward(const FlowRows *rows, uint32_t node, uint64_t *live) {
  const FlowGraph *graph = rows->graph;
  for (uint32_t i = events_end(graph, node); i-- > graph->nodes.data[node].first_event;) {
    FlowEvent event = graph->events.data[i];
    if (event.op == FLOW_READ) bits_set(live, event.place);
    else if (event.op != FLOW_CAPTURE) drop(live, rows, event.place);
  }
}

static bool store(FlowRows *rows, uint64_t *row, const uint64_t *live) {
  bool changed = memcmp(row, live, rows->words * sizeof *row) != 0;
  if (changed) memcpy(row, live, rows->words * sizeof *row);
  return changed;
}

static bool solve_backward(Arena *scratch, FlowRows *rows) {
  const FlowGraph *graph = rows->graph;
  uint64_t *live = arena_array(scratch, uint64_t, rows->words);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t node = graph->nodes.len; node-- > EXIT_NODE + 1;) {
      const FlowNode *flow = &graph->nodes.data[node];
      if (!spend(rows, 4 + (2 + flow->next.len) * (uint64_t)rows->words)) return false;
      memset(live, 0, rows->words * sizeof *live);
      for (uint32_t i = 0; i < flow->next.len; i++)
        bits_or(live, row_of(rows, rows->live, flow->next.data[i]), rows->words);
      pass_backward(rows, node, live);
      bits_or(live, row_of(rows, rows->captured, node), rows->words);
      if (flow->handler != NO_NODE) bits_or(live, row_of(rows, rows->live, flow->handler), rows->words);
      if (store(rows, row_of(rows, rows->live, node), live)) again = true;
    }
  }
  return true;
}

/* Edges that leave the loop, or begin its next iteration, are cut. */
bool flow_solve_iteration(Arena *scratch, FlowRows *rows, const LoopFlow *loop, uint64_t *out) {
  const FlowGraph *graph = rows->graph;
  uint32_t first = loop->body.first, count = loop->body.end - first;
  uint64_t *sets = arena_array(scratch, uint64_t, (size_t)count * rows->words);
  uint64_t *live = arena_array(scratch, uint64_t, rows->words);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = count; i-- > 0;) {
      const FlowNode *flow = &graph->nodes.data[first + i];
      if (!spend(rows, 4 + (2 + flow->next.len) * (uint64_t)rows->words)) return false;
      memset(live, 0, rows->words * sizeof *live);
      for (uint32_t k = 0; k < flow->next.len; k++) {
        uint32_t next = flow->next.data[k];
        if (next > first && next - first < count) bits_or(live, row_of(rows, sets, next - first), rows->words);
      }
      pass_backward(rows, first + i, live);
      if (flow->handler != NO_NODE && flow->handler > first && flow->handler - first < count) {
        bits_or(live, row_of(rows, sets, flow->handler - first), rows->words);
      }
      if (store(rows, row_of(rows, sets, i), live)) again = true;
    }
  }
  memcpy(out, sets, rows->words * sizeof *out);
  return true;
}

/* ---- where it starts and ends ---- */

static void find_below(Arena *scratch, FlowRows *rows) {
  const PlaceTable *table = rows->graph->places;
  rows->below = arena_array(scratch, uint64_t *, table->places.len);
  for (uint32_t place = 0; place < table->places.len; place++) {
    uint32_t root = place_root(table, place);
    if (root == place || root == NO_PLACE) continue;
    if (!rows->below[root]) rows->below[root] = arena_array(scratch, uint64_t, rows->words);
    bits_set(rows->below[root], place);
  }
}

/* Objects outlive the function and may come with their attributes set; a module's globals may be read by anybody later. */
static void set_bounds(FlowRows *rows) {
  const PlaceTable *table = rows->graph->places;
  const Function *function = table->function;
  uint32_t entry = EXIT_NODE + 1;
  rows->reached[entry] = true;
  for (uint32_t place = 0; place < table->places.len; place++) {
    bool composite = table->nodes.data[table->node_of.data[place]].root != table->node_of.data[place];
    if (composite) bits_set(row_of(rows, rows->maybe, entry), place);
    if (composite) bits_set(row_of(rows, rows->first, entry), place);
    if (composite || function->is_module) bits_set(row_of(rows, rows->live, EXIT_NODE), place);
  }
  const Scope *scope = function->scope;
  for (uint32_t i = 0; function->is_module && i < scope->bindings.len; i++) {
    uint32_t place = scope->bindings.data[i].captured ? place_of_name(table, scope->bindings.data[i].name) : NO_PLACE;
    if (place != NO_PLACE) bits_set(row_of(rows, rows->captured, entry), place);
  }
}

bool flow_solve(Arena *scratch, FlowRows *rows, const FlowGraph *graph) {
  rows->graph = graph;
  rows->words = graph->places->places.len / 64 + 1;
  rows->budget = BUDGET_WORDS;
  size_t size = (size_t)graph->nodes.len * rows->words;
  if (size > MOST_ROW_WORDS) return false;
  rows->definite = arena_array(scratch, uint64_t, size);
  rows->maybe = arena_array(scratch, uint64_t, size);
  rows->first = arena_array(scratch, uint64_t, size);
  rows->captured = arena_array(scratch, uint64_t, size);
  rows->live = arena_array(scratch, uint64_t, size);
  rows->reached = arena_array(scratch, bool, graph->nodes.len);
  find_below(scratch, rows);
  set_bounds(rows);
  return solve_forward(scratch, rows) && solve_backward(scratch, rows);
}

/* Facts about each `if`, `while` and `for`, read off the solved flow graph.
 *
 * What AutoGraph 2.21 does, tried: a variable that one branch sets is an output if it is live behind the statement, or where
 * a break or continue in it goes; composites are outputs whenever their root is live into the statement; a nested function
 * that was defined before keeps what it reads alive. Paths that `return` in the middle of an arm do not count against what
 * the arm sets, because they may depend on Python values; where no path falls off the end, those that leave do.
 */
#include "sema/facts.h"

#include "sema/flow_solve.h"
#include "sema/walk.h"

typedef struct FactsBuilder {
  Arena *arena;
  FunctionFacts *facts;
  FlowRows rows;
  const FlowGraph *graph;
} FactsBuilder;

/* ---- sets ---- */

static BitSet set_new(FactsBuilder *b) {
  return (BitSet){arena_array(b->arena, uint64_t, b->rows.words), b->rows.words};
}

static BitSet set_from(FactsBuilder *b, const uint64_t *row) {
  BitSet set = set_new(b);
  memcpy(set.words, row, set.len * sizeof *row);
  return set;
}

/* Places that the nodes of a range write or delete. */
static bool add_modified(FactsBuilder *b, uint32_t first, uint32_t end, BitSet *out) {
  const FlowGraph *graph = b->graph;
  uint32_t from = graph->nodes.data[first].first_event;
  uint32_t to = end < graph->nodes.len ? graph->nodes.data[end].first_event : graph->events.len;
  if (b->rows.budget <= to - from) return false;
  b->rows.budget -= to - from;
  for (uint32_t i = from; i < to; i++) {
    FlowEvent event = graph->events.data[i];
    if (event.op == FLOW_WRITE || event.op == FLOW_DELETE) bits_set(out->words, event.place);
  }
  return true;
}

/* ---- how a stretch ends ---- */

/* Is the jump about a loop around a statement with `loops` loops around it (or a return)? */
static bool jump_leaves(const Jump *jump, uint32_t loops) {
  return jump->kind == JUMP_RETURN || jump->kind == JUMP_RAISE || jump->loop <= loops;
}

/* Meets what is set over a group of ways out. Nothing met yet: `any` is false. */
typedef struct Meet {
  BitSet set;
  bool any;
} Meet;

static void meet_node(FactsBuilder *b, Meet *meet, uint32_t node) {
  if (!b->rows.reached[node]) return;
  const uint64_t *row = row_of(&b->rows, b->rows.definite, node);
  if (meet->any) bits_and(meet->set.words, row, b->rows.words);
  else memcpy(meet->set.words, row, b->rows.words * sizeof *row);
  meet->any = true;
}

static void meet_jumps(FactsBuilder *b, Meet *meet, const Stretch *stretch, uint32_t loops, uint32_t kinds) {
  for (uint32_t i = stretch->first_jump; i < stretch->end_jump; i++) {
    const Jump *jump = &b->graph->jumps.data[i];
    if ((kinds >> jump->kind & 1) && jump_leaves(jump, loops)) meet_node(b, meet, jump->node);
  }
}

/* One side of an `if`: some arms, and perhaps the rest of the block behind them. */
typedef struct Side {
  const Stretch *arms;
  uint32_t count;
  const Stretch *rest;  // or NULL
} Side;

static bool side_falls(const Side *side) {
  bool falls = false;
  for (uint32_t i = 0; i < side->count; i++) falls |= side->arms[i].falls;
  return falls && (!side->rest || side->rest->falls);
}

static BitSet side_definite(FactsBuilder *b, const Side *side, uint32_t loops) {
  static const uint32_t kinds[] = {1u << JUMP_BREAK | 1u << JUMP_CONTINUE, 1u << JUMP_RETURN, 1u << JUMP_RAISE};
  Meet meet = {set_new(b), false};
  if (side_falls(side)) {
    if (side->rest) meet_node(b, &meet, side->rest->last);
    for (uint32_t i = 0; !side->rest && i < side->count; i++) {
      if (side->arms[i].falls) meet_node(b, &meet, side->arms[i].last);
    }
  }
  for (uint32_t k = 0; k < 3 && !meet.any; k++) {
    for (uint32_t i = 0; i < side->count; i++) meet_jumps(b, &meet, &side->arms[i], loops, kinds[k]);
    if (side->rest) meet_jumps(b, &meet, side->rest, loops, kinds[k]);
  }
  return meet.set;
}

static bool stretch_jumps(const FactsBuilder *b, const Stretch *stretch, uint32_t loops) {
  for (uint32_t i = stretch->first_jump; i < stretch->end_jump; i++) {
    const Jump *jump = &b->graph->jumps.data[i];
    if ((jump->kind == JUMP_BREAK || jump->kind == JUMP_CONTINUE) && jump->loop <= loops) return true;
  }
  return false;
}

static BlockEnd side_end(const FactsBuilder *b, const Side *side, uint32_t loops) {
  if (side_falls(side)) return END_FALLS;
  bool jumps = side->rest && stretch_jumps(b, side->rest, loops);
  for (uint32_t i = 0; i < side->count; i++) jumps |= stretch_jumps(b, &side->arms[i], loops);
  return jumps ? END_LEAVES : END_RETURNS;
}

/* ---- live behind a statement ---- */

static void add_live_jumps(FactsBuilder *b, const Stretch *stretch, uint32_t loops, BitSet *live) {
  for (uint32_t i = stretch->first_jump; i < stretch->end_jump; i++) {
    const Jump *jump = &b->graph->jumps.data[i];
    if (jump->kind != JUMP_BREAK && jump->kind != JUMP_CONTINUE) continue;
    if (jump->loop <= loops) bits_or(live->words, row_of(&b->rows, b->rows.live, jump->node), b->rows.words);
  }
}

/* AutoGraph carries a modified composite out whenever the object it hangs on came from before. */
static void add_live_composites(FactsBuilder *b, StmtFacts *facts, uint32_t before) {
  const PlaceTable *table = b->graph->places;
  const uint64_t *live = row_of(&b->rows, b->rows.live, before);
  for (uint32_t place = 0; place < table->places.len; place++) {
    if (!bitset_has(&facts->modified, place) && !bitset_has(&facts->modified_else, place)) continue;
    uint32_t root = place_root(table, place);
    if (root == place) continue;
    if (root == NO_PLACE || bits_has(live, root)) bits_set(facts->live_after.words, place);
  }
}

static void set_before(FactsBuilder *b, StmtFacts *facts, uint32_t before) {
  facts->definite_before = set_from(b, row_of(&b->rows, b->rows.definite, before));
  facts->maybe_before = set_from(b, row_of(&b->rows, b->rows.maybe, before));
  facts->maybe_first = set_from(b, row_of(&b->rows, b->rows.first, before));
}

/* ---- statements ---- */

static void record(FactsBuilder *b, const StmtFacts *stmt) {
  vec_push(b->arena, &b->facts->stmts, *stmt);
  uint64_t key = (uint64_t)stmt->stmt->id << 32 | stmt->arm;
  *map_put(b->arena, &b->facts->by_stmt, key, NULL) = b->facts->stmts.len;
}

static bool if_facts(FactsBuilder *b, const IfFlow *flow) {
  if (!b->rows.reached[flow->before]) return true;
  const Stretch *arms = b->graph->arms.data;
  Side main = {&arms[flow->arms], 1, flow->rest_to == REST_MAIN ? &flow->rest : NULL};
  Side others = {&arms[flow->first_other], flow->end_other - flow->first_other,
                 flow->rest_to == REST_ELSE ? &flow->rest : NULL};
  StmtFacts facts = {.stmt = flow->stmt, .arm = flow->arm, .normalised = flow->rest_to != REST_NONE};
  facts.modified = set_new(b);
  facts.modified_else = set_new(b);
  if (!add_modified(b, main.arms->first, main.arms->end, &facts.modified)) return false;
  if (!add_modified(b, main.arms->end, flow->join, &facts.modified_else)) return false;
  BitSet *rest = flow->rest_to == REST_MAIN ? &facts.modified : &facts.modified_else;
  if (facts.normalised && !add_modified(b, flow->rest.first, flow->rest.end, rest)) return false;
  facts.live_in_body = set_new(b);
  facts.live_after = set_from(b, row_of(&b->rows, b->rows.live, facts.normalised ? flow->rest.last : flow->join));
  Stretch jumps = {.first_jump = main.arms->first_jump, .end_jump = flow->end_jump};
  add_live_jumps(b, &jumps, flow->loop, &facts.live_after);
  if (facts.normalised) add_live_jumps(b, &flow->rest, flow->loop, &facts.live_after);
  add_live_composites(b, &facts, flow->before);
  set_before(b, &facts, flow->before);
  facts.definite_main = side_definite(b, &main, flow->loop);
  facts.definite_else = side_definite(b, &others, flow->loop);
  facts.end_main = side_end(b, &main, flow->loop);
  facts.end_else = side_end(b, &others, flow->loop);
  record(b, &facts);
  return true;
}

static bool loop_facts(FactsBuilder *b, Arena *scratch, const LoopFlow *loop) {
  if (!b->rows.reached[loop->before]) return true;
  StmtFacts facts = {.stmt = loop->stmt};
  facts.modified = set_new(b);
  facts.modified_else = set_new(b);
  facts.live_in_body = set_new(b);
  if (!add_modified(b, loop->body.first, loop->body.end, &facts.modified)) return false;
  ArenaMark mark = arena_mark(scratch);
  bool solved = flow_solve_iteration(scratch, &b->rows, loop, facts.live_in_body.words);
  arena_reset(scratch, mark);
  if (!solved) return false;
  facts.live_after = set_from(b, row_of(&b->rows, b->rows.live, loop->exit));
  bits_or(facts.live_after.words, row_of(&b->rows, b->rows.live, loop->after), b->rows.words);
  add_live_composites(b, &facts, loop->before);
  set_before(b, &facts, loop->before);
  Side body = {&loop->body, 1, NULL};
  facts.definite_main = side_definite(b, &body, loop->loops);
  facts.definite_else = set_new(b);
  facts.end_main = side_end(b, &body, loop->loops);
  record(b, &facts);
  return true;
}

static bool all_facts(FactsBuilder *b, Arena *scratch) {
  if (!flow_solve(scratch, &b->rows, b->graph)) return false;
  b->facts->stmts.cap = b->graph->ifs.len + b->graph->loops.len;
  b->facts->stmts.data = arena_array(b->arena, StmtFacts, b->facts->stmts.cap);
  for (uint32_t i = 0; i < b->graph->ifs.len; i++) {
    if (!if_facts(b, &b->graph->ifs.data[i])) return false;
  }
  for (uint32_t i = 0; i < b->graph->loops.len; i++) {
    if (!loop_facts(b, scratch, &b->graph->loops.data[i])) return false;
  }
  return true;
}

FunctionFacts *facts_build(Arena *arena, const Function *function) {
  FunctionFacts *facts = arena_new(arena, FunctionFacts);
  facts->function = function;
  Arena scratch = {0};
  PlaceTable *table = places_build(arena, function);
  FactsBuilder builder = {.arena = arena, .facts = facts, .graph = flow_graph_build(&scratch, table, function)};
  facts->table = table;
  facts->places.data = table->places.data;
  facts->places.len = table->places.len;
  facts->places.cap = table->places.cap;
  if (!all_facts(&builder, &scratch)) {  // too large: half of the facts would be worse than none
    facts->stmts.len = 0;
    facts->by_stmt = (Map){0};
  }
  arena_release(&scratch);
  return facts;
}

const StmtFacts *facts_of(const FunctionFacts *facts, const Stmt *stmt, uint32_t arm) {
  uint64_t *index = map_get(&facts->by_stmt, (uint64_t)stmt->id << 32 | arm);
  return index ? &facts->stmts.data[*index - 1] : NULL;
}

/* ---- reading a name anywhere ---- */

typedef struct NameSearch {
  Sym name;
  bool found;
} NameSearch;

static void match_name(void *context, Expr *expr, const Function *function) {
  (void)function;
  NameSearch *search = context;
  if (expr->kind == EXPR_NAME && !expr->ctx_store && expr->u.name.id == search->name) search->found = true;
}

bool block_reads(const Block *block, Sym name) {
  NameSearch search = {name, false};
  Walk walk = {.visit = match_name, .context = &search};
  walk_block(&walk, block);
  return search.found;
}

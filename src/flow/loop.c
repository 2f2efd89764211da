/* Loops: iterated until what holds at the head is stable, then, for listeners, once more.
 *
 * Which kind of loop it becomes depends on the iterable or condition and on AutoGraph: over a tensor, a dataset or an iterator
 * of tf.data it is a TensorFlow loop, else Python runs it while tracing ("unrolled").
 */
#include "flow/walk.h"

typedef struct LoopWalk {
  const Stmt *stmt;
  const Block *body, *orelse;
  const Value *iterable;   // `for`
  const Value *element;
  LoopKind kind;
  int64_t trip_count;
  const Env *entry, *once;  // before the loop; after one iteration from there
  LoopFrame frame;
} LoopWalk;

/* ---- what kind of loop ---- */

static LoopKind loop_kind(const Walker *w, const Value *v) {
  if (value_is_unknown(v)) return LOOP_UNKNOWN;
  if (!ctx_traced(w->context) || (w->context & CTX_AUTOGRAPH_OFF)) return LOOP_PYTHON;
  if (value_is_tensor(v) || (v->kinds && value_is(v, KIND(VARIABLE) | KIND(COMPOSITE) | KIND(TENSOR))))
    return LOOP_TENSOR;
  if (v->kinds && value_is(v, KIND(DATASET) | KIND(ITERATOR))) return LOOP_DATASET;
  return LOOP_PYTHON;
}

static int64_t range_count(Walker *w, const Expr *iter) {
  bool is_range =
      iter->kind == EXPR_CALL && iter->u.call.callee->kind == EXPR_NAME &&
      (sym_is(iter->u.call.callee->u.name.id, S("range")) || sym_is(iter->u.call.callee->u.name.id, S("xrange")));
  if (!is_range || !iter->u.call.args.len || iter->u.call.args.len > 3) return -1;
  int64_t bounds[3] = {0, 0, 1};
  for (uint32_t i = 0; i < iter->u.call.args.len; i++) {
    const Value *arg = eval_quiet(w, iter->u.call.args.data[i]);
    if (arg->konst != KONST_INT) return -1;
    bounds[iter->u.call.args.len == 1 ? 1 : i] = arg->constant.i;
  }
  int64_t span;
  if (bounds[2] == 0 || __builtin_sub_overflow(bounds[1], bounds[0], &span)) return -1;
  int64_t step = bounds[2];
  if (step < 0 && (step == INT64_MIN || __builtin_mul_overflow(span, -1, &span))) return -1;
  if (step < 0) step = -step;
  return span <= 0 ? 0 : (span - 1) / step + 1;
}

int64_t trip_count(Walker *w, const Expr *iter, const Value *iterable) {
  if (iter->kind == EXPR_CALL && iter->u.call.args.len && iter->u.call.callee->kind == EXPR_NAME &&
      sym_is(iter->u.call.callee->u.name.id, S("enumerate"))) {
    return trip_count(w, iter->u.call.args.data[0], eval_quiet(w, iter->u.call.args.data[0]));
  }
  int64_t count = range_count(w, iter);
  if (count >= 0) return count;
  bool known = value_is(iterable, KIND(LIST) | KIND(TUPLE)) && iterable->parts_exact && iterable->kinds;
  return known ? iterable->part_len : -1;
}

enum { FEW_ROUNDS = 4 };

bool few_rounds(const Walker *w) {
  int64_t rounds = 1;
  for (uint32_t i = 0; i < w->regions.len; i++) {
    const Region *region = &w->regions.data[i];
    if (region->kind != REGION_PYTHON_LOOP) continue;
    if (region->trip_count < 0 || region->trip_count > FEW_ROUNDS) return false;
    rounds *= region->trip_count;
  }
  return rounds <= FEW_ROUNDS && !(w->context & CTX_IN_LOOP);
}

const Value *changing_element(Walker *w, const Value *element, int64_t rounds) {
  if (!element->kinds || (rounds >= 0 && rounds <= FEW_ROUNDS)) return element;
  if (value_is(element, KIND(NUMBER) | KIND(TEXT))) return value_with_flags(w->scratch, element, VF_CHANGING, 0);
  bool counted = value_is(element, KIND(TUPLE)) && element->parts_exact && element->part_len == 2 &&
                 value_is(element->parts[0], KIND(NUMBER));
  if (!counted) return element;
  const Value *pair[] = {value_with_flags(w->scratch, element->parts[0], VF_CHANGING, 0), element->parts[1]};
  return value_sequence(w->scratch, K_TUPLE, pair, 2);
}

static const Value *loop_element(Walker *w, const LoopWalk *walk, const Value *iterable) {
  const Value *element = iterate(w, iterable, walk->stmt->header);
  if (!ctx_traced(w->context)) element = to_eager(w->scratch, element);
  return walk->kind == LOOP_PYTHON ? changing_element(w, element, walk->trip_count) : element;
}

/* ---- one iteration ---- */

static Region loop_region(const LoopWalk *walk, const Value *value) {
  static const RegionKind kinds[] = {REGION_PYTHON_LOOP, REGION_TENSOR_LOOP, REGION_DATASET_LOOP, REGION_PYTHON_LOOP};
  const Expr *expr = walk->stmt->kind == STMT_FOR ? walk->stmt->u.forloop.iter : walk->stmt->u.loop.test;
  return (Region){
      .kind = kinds[walk->kind], .stmt = walk->stmt, .expr = expr, .value = value, .trip_count = walk->trip_count};
}

/* What a loop of TensorFlow carries from one iteration to the next is packed anew in each: a list or dict whose name the body
 * assigns is not the one that came in. */
static void repack(Walker *w, const LoopWalk *walk) {
  const StmtFacts *facts = w->facts ? facts_of(w->facts, walk->stmt, 0) : NULL;
  if (!facts || (walk->kind != LOOP_TENSOR && walk->kind != LOOP_DATASET)) return;
  for (uint32_t i = 0; i < w->facts->places.len; i++) {
    uint32_t slot = w->facts->places.data[i].slot;
    if (slot >= w->function->scope->slot_count || !bitset_has(&facts->modified, i)) continue;
    const Value *value = w->env->slots[slot];
    if (!value || !value->kinds || !value_is(value, KINDS_CONTAINER)) continue;
    Value *packed = value_copy(w->scratch, value);
    packed->origin = ORIGIN_FRESH;
    packed->home = (Var){0};
    w->env->slots[slot] = packed;
  }
}

/* Runs header and body once from w->env; leaves w->env as the join of the ways back to the head. */
static void iterate_once(Walker *w, LoopWalk *walk, Env **exits) {
  const Stmt *stmt = walk->stmt;
  const Value *value = walk->iterable;
  if (stmt->kind == STMT_WHILE) {
    w->stmt = stmt;
    Condition condition = eval_condition(w, stmt->u.loop.test, ASK_WHILE);
    value = condition.value;
    Env *leave = env_copy(w, w->env);
    Env *stay = w->env;
    w->env = leave;
    refine(w, stmt->u.loop.test, false);
    if (condition.constant != TRI_YES && !leave->dead) *exits = env_join(w, *exits, leave);
    w->env = stay;
    refine(w, stmt->u.loop.test, true);
    if (condition.constant == TRI_NO) w->env->dead = true;
  } else {
    *exits = env_join(w, *exits, w->env);
    assign(w, stmt->u.forloop.target, walk->element, STORE_FOR, NULL);
  }
  push_region(w, loop_region(walk, value));
  repack(w, walk);
  exec_block(w, walk->body);
  pop_region(w);
  w->env = env_join(w, w->env, walk->frame.continue_env);
}

typedef struct OutMark {
  uint32_t requests, cells, slots;
  Records records;
} OutMark;

static OutMark mark_out(const Walker *w) {
  return (OutMark){w->out->requests.len, w->out->cell_writes.len, w->out->slot_writes.len, w->out->records};
}

/* Forgets what an unstable iteration asked for and recorded. */
static void reset_out(Walker *w, const OutMark *mark) {
  w->out->requests.len = mark->requests;
  w->out->cell_writes.len = mark->cells;
  w->out->slot_writes.len = mark->slots;
  w->out->records = mark->records;
}

/* Repeats until the head is stable; gives the head's environment. */
static Env *stabilise(Walker *w, LoopWalk *walk, Env *entry, Env **exits) {
  Env *head = entry;
  uint32_t rounds = w->loop_depth > 2 ? 2 : LOOP_ROUNDS;
  const Value *returns = w->returns, *yields = w->yields;
  w->silent++;
  for (uint32_t round = 0; round < rounds; round++) {
    OutMark mark = mark_out(w);
    walk->frame.break_env = walk->frame.continue_env = NULL;
    w->returns = returns;
    w->yields = yields;
    *exits = NULL;
    w->env = env_copy(w, head);
    iterate_once(w, walk, exits);
    if (round == 0) walk->once = w->env;
    Env *next = env_join(w, head, w->env);
    if (walk->kind == LOOP_TENSOR || walk->kind == LOOP_DATASET) env_stage(w, head, next);
    next->dead = head->dead;
    bool stable = env_eq(w, head, next);
    head = next;
    if (stable || w->out->over_budget) break;
    if (round + 1 < rounds) reset_out(w, &mark);
  }
  w->silent--;
  return head;
}

static Event loop_event(Walker *w, const LoopWalk *walk, EventKind kind) {
  const Stmt *stmt = walk->stmt;
  return (Event){.kind = kind,
                 .expr = stmt->kind == STMT_FOR ? stmt->u.forloop.iter : stmt->u.loop.test,
                 .stmt = stmt,
                 .span = stmt->header,
                 .value = walk->iterable,
                 .loop = walk->kind,
                 .trip_count = walk->trip_count,
                 .var = changing_home(w, walk->iterable)};
}

static void announce(Walker *w, const LoopWalk *walk) {
  Event event = loop_event(w, walk, EV_LOOP);
  event.result = walk->element;
  emit_event(w, &event);
}

static void announce_end(Walker *w, const LoopWalk *walk, uint32_t ops_before) {
  Event event = loop_event(w, walk, EV_LOOP_END);
  event.makes_ops = w->ops != ops_before;
  event.sides[0] = walk->entry;
  event.sides[1] = walk->once;
  emit_event(w, &event);
}

static const Value *grown(Walker *w, const Value *before, const Value *after) {
  if (!after || !(after->flags & VF_GROWING) || !before || (before->flags & VF_GROWING)) return after;
  return value_with_flags(w->scratch, after, 0, VF_GROWING);
}

/* What grew in this loop is as long as it is when the loop is over. */
static void stop_growth(Walker *w, const Env *entry) {
  for (uint32_t i = 0; i < w->function->scope->slot_count; i++) {
    w->env->slots[i] = grown(w, entry->slots[i], w->env->slots[i]);
  }
  for (uint32_t i = 0; w->function->is_module && i < w->function->scope->bindings.len; i++) {
    w->env->globals[i] = grown(w, entry->globals[i], w->env->globals[i]);
  }
}

static void run_loop(Walker *w, LoopWalk *walk) {
  Env *entry = w->env, *exits = NULL;
  uint32_t ops_before = w->ops;
  walk->entry = entry;
  walk->frame.outer = w->loop;
  w->loop = &walk->frame;
  w->loop_depth++;
  Env *head = stabilise(w, walk, entry, &exits);
  if (w->listener && !w->silent) {
    walk->frame.break_env = walk->frame.continue_env = NULL;
    exits = NULL;
    w->env = env_copy(w, head);
    iterate_once(w, walk, &exits);
    announce_end(w, walk, ops_before);
  }
  w->loop_depth--;
  w->loop = walk->frame.outer;
  w->env = exits ? exits : env_copy(w, head);
  if (!exits) w->env->dead = true;
  if (walk->stmt->kind == STMT_FOR && exits) w->env = env_join(w, exits, head);
  if (!w->env->dead) exec_block(w, walk->orelse);
  w->env = w->env->dead && walk->frame.break_env ? walk->frame.break_env : env_join(w, w->env, walk->frame.break_env);
  stop_growth(w, entry);
}

static void exec_for(Walker *w, const Stmt *stmt) {
  LoopWalk walk = {.stmt = stmt, .body = &stmt->u.forloop.body, .orelse = &stmt->u.forloop.orelse};
  walk.iterable = eval(w, stmt->u.forloop.iter);
  walk.kind = loop_kind(w, walk.iterable);
  w->walks_dataset |= walk.iterable->kinds && value_is(walk.iterable, KIND(DATASET) | KIND(ITERATOR));
  walk.trip_count = trip_count(w, stmt->u.forloop.iter, walk.iterable);
  walk.element = loop_element(w, &walk, walk.iterable);
  if (iterates_dataset(w, walk.iterable, stmt->header)) {
    walk.iterable = value_with_flags(w->scratch, walk.iterable, VF_OVER_DATASET, 0);
  }
  announce(w, &walk);
  run_loop(w, &walk);
}

static void exec_while(Walker *w, const Stmt *stmt) {
  LoopWalk walk = {.stmt = stmt, .body = &stmt->u.loop.body, .orelse = &stmt->u.loop.orelse, .trip_count = -1};
  walk.iterable = eval_quiet(w, stmt->u.loop.test);
  walk.kind = loop_kind(w, walk.iterable);
  walk.element = &value_unknown;
  announce(w, &walk);
  run_loop(w, &walk);
}

void exec_loop(Walker *w, const Stmt *stmt) {
  if (stmt->kind == STMT_FOR) exec_for(w, stmt);
  else exec_while(w, stmt);
}

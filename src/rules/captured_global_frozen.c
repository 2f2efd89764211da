/* TF504: traced code reads a name or attribute that is rebound later; the graph keeps what it held while tracing.
 *
 *   RATE = 0.1                 # the initial value
 *   @tf.function
 *   def step(x): return x * RATE
 *   RATE = 0.2                 # not seen any more
 *
 * One finding for each traced root and name, at the first read. Contents that change are TF203, reads in conditions TF407, also
 * where a helper or a name stands between: `due = self.step % 10 == 0`, then `if due:`.
 */
#include "rules/effect.h"
#include "rules/rebinding.h"
#include "rules/use.h"

typedef struct Read {
  Var var;
  Span span;
  FuncRef root;
  uint32_t depth;  // steps from the root
  Confidence confidence;
  const Expr *test;  // of the `if` or `while` that reads: reaches the graph if that is on a tensor
  bool is_branch;  // no read: traced code branches on the place
  bool is_tensor_test;  // no read: `test` is on a tensor
  bool is_answer;  // what is read is, or is compared to give, a yes or no
} Read;

extern const RuleCheck rule_captured_global_frozen;

/* ---- which reads ---- */

/* Things whose identity the graph holds; code and tensors are other stories. */
static bool freezes(const Value *value) {
  KindSet frozen = KINDS_PYTHON_SCALAR | KINDS_CONTAINER | KINDS_TRACKABLE | KIND(ARRAY) | KIND(EAGER_TENSOR) |
                   KIND(NONE) | KIND(INSTANCE) | KIND(OBJECT) | KIND(LOSS) | KIND(DIM) | KIND(SHAPE);
  return value && value->kinds && value_is(value, frozen) && !value_is(value, KIND(NONE));
}

typedef struct TestSearch {
  Span read;
  bool found;
} TestSearch;

/* In the test of a ternary or comprehension, or in a call that only shows it. */
static void search_test(void *context, Expr *expr) {
  TestSearch *search = context;
  if (!expr || search->found || !span_holds(expr->span, search->read)) return;
  if (expr->kind == EXPR_TERNARY && span_holds(expr->u.ternary.test->span, search->read)) search->found = true;
  if (expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
      sym_is(expr->u.call.callee->u.name.id, S("print"))) {
    search->found = true;
  }
  if (!search->found) expr_children(expr, search_test, context);
}

/* `return self.step % 10 == 0`, `due = not self.done`: the statement makes a yes or no of what it reads. */
static bool makes_answer(const Event *event) {
  const Stmt *stmt = event->stmt;
  const Expr *whole = !stmt                       ? NULL
                      : stmt->kind == STMT_RETURN ? stmt->u.expr
                      : stmt->kind == STMT_ASSIGN ? stmt->u.assign.value
                                                  : NULL;
  if (!whole || !span_holds(whole->span, event->span)) return false;
  bool negated = whole->kind == EXPR_UNARY && whole->u.unary.op == OP_NOT;
  return negated || whole->kind == EXPR_COMPARE || whole->kind == EXPR_BOOL ||
         (whole == event->expr && value_is(event->value, KIND(BOOL)));
}

static bool is_own_update(const Stmt *stmt, const Expr *read) {
  if (stmt->kind == STMT_AUGASSIGN) return expr_same_path(stmt->u.aug.target, read);
  return stmt->kind == STMT_ASSIGN && expr_same_path(stmt->u.assign.targets.data[0], read);
}

/* The value does not reach the graph: a condition, an update of the name itself, a message. */
static bool stays_outside(const Event *event) {
  const Stmt *stmt = event->stmt;
  if (!stmt) return false;
  if (stmt->kind == STMT_ASSERT || stmt->kind == STMT_RAISE) return true;
  if (is_own_update(stmt, event->expr)) return true;
  TestSearch search = {event->span, false};
  if (stmt->kind == STMT_EXPR || stmt->kind == STMT_RETURN) search_test(&search, stmt->u.expr);
  if (stmt->kind == STMT_ASSIGN) search_test(&search, stmt->u.assign.value);
  if (stmt->kind == STMT_AUGASSIGN) search_test(&search, stmt->u.aug.value);
  return search.found;
}

static const Expr *test_around(const Stmt *stmt, Span span) {
  if (stmt && stmt->kind == STMT_WHILE) return stmt->u.loop.test;
  for (uint32_t i = 0; stmt && stmt->kind == STMT_IF && i < stmt->u.branch.len; i++) {
    const Expr *test = stmt->u.branch.arms[i].test;
    if (test && span_holds(test->span, span)) return test;
  }
  return NULL;
}

/* `if tf.random.uniform([]) < self.ratio:` */
static void on_tensor_test(RuleContext *ctx, const Event *event) {
  const Stmt *stmt = event->stmt;
  const Expr *test = !stmt                             ? NULL
                     : stmt->kind == STMT_WHILE        ? stmt->u.loop.test
                     : stmt->kind != STMT_IF           ? NULL
                     : event->arm < stmt->u.branch.len ? stmt->u.branch.arms[event->arm].test
                                                       : NULL;
  if (!test || !event->value || !value_is_one_tensor(event->value) || !ctx_traced(event->frame->context)) return;
  Read tested = {.test = test, .is_tensor_test = true};
  rule_defer(ctx, &rule_captured_global_frozen, event, &tested, sizeof tested);
}

static void on_branch(RuleContext *ctx, const Event *event) {
  on_tensor_test(ctx, event);
  if (event->kind == EV_LOOP) return;
  Var var = event->var.kind != VAR_NONE || !event->value ? event->var : event->value->home;
  if (var.kind == VAR_NONE || !ctx_traced(event->frame->context)) return;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  Read branch = {.var = var, .is_branch = true};
  if (!chain.len) return;
  branch.root = chain.steps[0].func;
  rule_defer(ctx, &rule_captured_global_frozen, event, &branch, sizeof branch);
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (event->kind != EV_READ) {
    on_branch(ctx, event);
    return;
  }
  if (event->var.kind == VAR_NONE || !effect_frozen(event) || frame_guarded(event->frame)) return;
  if (!freezes(event->value) || stays_outside(event)) return;
  bool is_statement = event->stmt && event->stmt->kind == STMT_EXPR && value_is(event->value, KINDS_PYTHON_SCALAR);
  if (is_statement && !use_of(ctx, event, event->expr)) return;  // logged
  if (!rebinding_possible(rule_flow(ctx), event->var)) return;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  if (!chain.len) return;
  Read read = {.var = event->var,
               .span = event->span,
               .root = chain.steps[0].func,
               .depth = chain.len,
               .confidence = frame_confidence(event->frame, event->value),
               .test = test_around(event->stmt, event->span),
               .is_answer = makes_answer(event)};
  rule_defer(ctx, &rule_captured_global_frozen, event, &read, sizeof read);
}

/* ---- one finding for each root and name ---- */

static bool made_anew(const Flow *flow, const Read *read) {
  MakeSet makes = flow_makes(flow, read->root);
  for (uint32_t i = 0; read->var.kind == VAR_LOCAL && i < makes.len; i++) {
    if (makes.data[i].in_loop) return true;
  }
  return false;
}

/* All candidates, looked up by what they are about. */
typedef struct Candidates {
  DeferredSet all;
  Map branched;      // places that a root branches on
  Map tensor_tests;  // Expr *
  Map first;         // place that a root reads -> 1 + the read that stands for all
} Candidates;

static uint64_t place_key(const Read *read) { return hash_mix(var_key(read->var), func_key(read->root)); }

static uint64_t test_key(const Read *read) { return (uint64_t)(uintptr_t)read->test; }

/* The same root branches on the place: the answer is told there. What a test that Python decides reads is TF407. */
static bool is_told_elsewhere(const Candidates *candidates, const Read *read) {
  if (read->is_answer && map_get(&candidates->branched, place_key(read))) return true;
  return read->test && !map_get(&candidates->tensor_tests, test_key(read));
}

static Candidates look_up(Arena *arena, DeferredSet all) {
  Candidates candidates = {.all = all};
  for (uint32_t i = 0; i < all.len; i++) {
    const Read *read = all.data[i].record;
    if (read->is_branch) map_put(arena, &candidates.branched, place_key(read), NULL);
    if (read->is_tensor_test) map_put(arena, &candidates.tensor_tests, test_key(read), NULL);
  }
  for (uint32_t i = 0; i < all.len; i++) {
    const Read *read = all.data[i].record;
    if (read->is_branch || read->is_tensor_test || is_told_elsewhere(&candidates, read)) continue;
    uint64_t *first = map_put(arena, &candidates.first, place_key(read), NULL);
    const Read *known = *first ? all.data[*first - 1].record : NULL;
    if (!known || read->depth < known->depth) *first = i + 1;
  }
  return candidates;
}

static bool comes_first(const Candidates *candidates, uint32_t at) {
  const uint64_t *first = map_get(&candidates->first, place_key(candidates->all.data[at].record));
  return first && *first == at + 1;
}

static void report_read(RuleContext *ctx, const Deferred *deferred, const WriteRecord *write) {
  const Read *read = deferred->record;
  const Project *project = flow_project(rule_flow(ctx));
  Report report = {.rule = RULE_TF504,
                   .variant = TF504_DEFAULT,
                   .span = read->span,
                   .confidence = read->confidence,
                   .subject = source_slice(&project_module(project, deferred->module)->source, read->span)};
  report_fill(&report, S("name"), report.subject);
  Str text = str_printf(rule_scratch(ctx), "`%.*s` is rebound here", STR_ARG(report.subject));
  report_label(&report, rule_label(ROLE_NOTE, write->module, write->span, text));
  rule_report_at(ctx, deferred->module, deferred->instance, &report);
}

static void at_end(RuleContext *ctx) {
  const Flow *flow = rule_flow(ctx);
  Candidates candidates = look_up(rule_scratch(ctx), rule_deferred(ctx, &rule_captured_global_frozen));
  for (uint32_t i = 0; i < candidates.all.len; i++) {
    const Deferred *deferred = &candidates.all.data[i];
    const Read *read = deferred->record;
    if (!comes_first(&candidates, i) || made_anew(flow, read)) continue;
    const WriteRecord *write = rebinding_find(ctx, read->var, read->root);
    if (write) report_read(ctx, deferred, write);
  }
}

const RuleCheck rule_captured_global_frozen = {
    .name = S_INIT("captured_global_frozen"),
    .events = ON_EVENT(EV_READ) | ON_EVENT(EV_BRANCH) | ON_EVENT(EV_LOOP),
    .event = on_event,
    .end = at_end,
};

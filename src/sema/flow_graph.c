/* Statements as a graph.
 *
 *   while c:        before -> header(c) -> body … last -> header
 *     if t: break            jump node -> after
 *   else: …         exit … -> after
 *
 * AutoGraph moves the statements behind `if t: return a` into its else branch, but only for an `if` that stands in their own
 * block: of an `elif` chain the first arm only, and nothing behind an enclosing `with` or loop (tried with TensorFlow 2.21:
 * "the else branch must also have a return statement"). `raise` is not `return` to it. That is recorded as `rest`; the graph
 * itself is the same either way.
 */
#include "sema/flow_graph.h"

struct FlowFrame {
  FlowFrame *outer;
  bool is_loop;           // else a `finally`, which jumps must pass
  uint32_t header;
  bool wants[JUMP_RAISE]; // finally: kinds of jumps that go on behind it
  VEC(uint32_t) pending;  // nodes of jumps: loops: breaks; finally: all
};

static bool build_block(FlowBuilder *b, const Block *block, bool *definite);

/* ---- nodes ---- */

static uint32_t node_new(FlowBuilder *b) {
  FlowGraph *graph = b->graph;
  b->at = graph->nodes.len;
  vec_push(b->arena, &graph->nodes, ((FlowNode){.first_event = graph->events.len, .handler = NO_NODE}));
  return b->at;
}

static void edge(FlowBuilder *b, uint32_t from, uint32_t to) {
  vec_push(b->arena, &b->graph->nodes.data[from].next, to);
}

static uint32_t node_after(FlowBuilder *b, uint32_t from) {
  uint32_t node = node_new(b);
  edge(b, from, node);
  return node;
}

static uint32_t step(FlowBuilder *b) { return node_after(b, b->at); }

static Stretch stretch_begin(const FlowBuilder *b, uint32_t first) {
  return (Stretch){.first = first, .first_jump = b->graph->jumps.len};
}

static void stretch_end(FlowBuilder *b, Stretch *stretch) {
  stretch->last = step(b);
  stretch->end = b->graph->nodes.len;
  stretch->end_jump = b->graph->jumps.len;
}

static Stretch stretch_of(FlowBuilder *b, uint32_t first, const Block *block) {
  Stretch stretch = stretch_begin(b, first);
  stretch.falls = build_block(b, block, &stretch.definite);
  stretch_end(b, &stretch);
  return stretch;
}

/* ---- jumps ---- */

static void leave(FlowBuilder *b, FlowFrame *frame, uint32_t node, JumpKind kind) {
  for (; frame; frame = frame->outer) {
    if (!frame->is_loop) {
      frame->wants[kind] = true;
      vec_push(b->arena, &frame->pending, node);
      return;
    }
    if (kind == JUMP_BREAK) {
      vec_push(b->arena, &frame->pending, node);
      return;
    }
    if (kind == JUMP_CONTINUE) {
      edge(b, node, frame->header);
      return;
    }
  }
  edge(b, node, EXIT_NODE);
}

static void jump(FlowBuilder *b, JumpKind kind) {
  uint32_t node = step(b);
  vec_push(b->arena, &b->graph->jumps, ((Jump){kind, node, b->loops}));
  if (kind != JUMP_RAISE) leave(b, b->frame, node, kind);
  node_new(b);  // what follows is not reached
}

/* ---- if ---- */

/* All arms that behave as one: does any reach its end, does AutoGraph see a return in all? */
static void join_arms(const FlowBuilder *b, uint32_t first, uint32_t end, bool *falls, bool *definite) {
  *falls = false;
  *definite = first < end;
  for (uint32_t i = first; i < end; i++) {
    *falls |= b->graph->arms.data[i].falls;
    *definite &= b->graph->arms.data[i].definite;
  }
}

static bool build_if(FlowBuilder *b, const Stmt *stmt, bool *definite) {
  FlowGraph *graph = b->graph;
  uint32_t count = stmt->u.branch.len;
  Stretch *arms = arena_array(b->arena, Stretch, count + 1);
  uint32_t *flows = arena_array(b->arena, uint32_t, count + 1);  // nested ifs are numbered in between
  uint32_t used = 0, tested = step(b);
  bool has_else = false;
  for (uint32_t i = 0; i < count; i++) {
    const IfArm *arm = &stmt->u.branch.arms[i];
    if (arm->test) {
      if (i > 0) tested = node_after(b, tested);
      flows[used] = graph->ifs.len;
      vec_push(b->arena, &graph->ifs, ((IfFlow){.stmt = stmt, .arm = i, .before = tested, .loop = b->loops}));
      flow_emit_expr(b, arm->test);
    }
    has_else = !arm->test;
    arms[used++] = stretch_of(b, node_after(b, tested), &arm->body);
  }
  if (!has_else) {
    static const Block nothing = {0};
    arms[used++] = stretch_of(b, node_after(b, tested), &nothing);
  }
  uint32_t first_arm = graph->arms.len, join = node_new(b);
  for (uint32_t i = 0; i < used; i++) {
    edge(b, arms[i].last, join);
    vec_push(b->arena, &graph->arms, arms[i]);
  }
  for (uint32_t i = 0; i + 1 < used; i++) {
    IfFlow *flow = &graph->ifs.data[flows[i]];
    flow->join = join;
    flow->end_jump = graph->jumps.len;
    flow->arms = first_arm + i;
    flow->first_other = first_arm + i + 1;
    flow->end_other = first_arm + used;
  }
  bool falls;
  join_arms(b, first_arm, first_arm + used, &falls, definite);
  return falls;
}

/* ---- loops ---- */

static bool never_ends(const Expr *test) {
  if (test->kind != EXPR_CONST) return false;
  return test->u.constant.kind == CONST_TRUE ||
         (test->u.constant.kind == CONST_INT && test->u.constant.exact && test->u.constant.i);
}

/* From the header on, which is the current node and has been given its events. `over`: the header can end the loop. */
static bool build_loop(FlowBuilder *b, LoopFlow *loop, Expr *target, const Block *body, const Block *orelse,
                       bool over) {
  FlowFrame frame = {.outer = b->frame, .is_loop = true, .header = loop->header};
  loop->body = stretch_begin(b, loop->header);
  b->frame = &frame;
  loop->loops = b->loops++;
  node_after(b, loop->header);
  if (target) flow_emit_target(b, target);
  loop->body.falls = build_block(b, body, &loop->body.definite);
  stretch_end(b, &loop->body);
  edge(b, loop->body.last, loop->header);
  b->loops--;
  b->frame = frame.outer;
  loop->exit = node_new(b);
  if (over) edge(b, loop->header, loop->exit);
  bool definite = false;
  bool falls = build_block(b, orelse, &definite) && over;
  loop->after = step(b);
  for (uint32_t i = 0; i < frame.pending.len; i++) edge(b, frame.pending.data[i], loop->after);
  vec_push(b->arena, &b->graph->loops, *loop);
  return falls || frame.pending.len > 0;
}

static bool build_while(FlowBuilder *b, const Stmt *stmt) {
  LoopFlow loop = {.stmt = stmt, .before = step(b)};
  loop.header = step(b);
  flow_emit_expr(b, stmt->u.loop.test);
  return build_loop(b, &loop, NULL, &stmt->u.loop.body, &stmt->u.loop.orelse, !never_ends(stmt->u.loop.test));
}

static bool build_for(FlowBuilder *b, const Stmt *stmt) {
  LoopFlow loop = {.stmt = stmt, .before = step(b)};
  flow_emit_expr(b, stmt->u.forloop.iter);
  loop.header = step(b);
  return build_loop(b, &loop, stmt->u.forloop.target, &stmt->u.forloop.body, &stmt->u.forloop.orelse, true);
}

/* ---- with, try, match ---- */

static bool build_with(FlowBuilder *b, const Stmt *stmt, bool *definite) {
  for (uint32_t i = 0; i < stmt->u.with.len; i++) {
    flow_emit_expr(b, stmt->u.with.items[i].context);
    if (stmt->u.with.items[i].target) flow_emit_target(b, stmt->u.with.items[i].target);
  }
  return build_block(b, &stmt->u.with.body, definite);
}

static void guard_nodes(FlowBuilder *b, uint32_t first, uint32_t end, uint32_t handler) {
  for (uint32_t i = first; i < end; i++) {
    FlowNode *node = &b->graph->nodes.data[i];
    if (node->handler == NO_NODE) node->handler = handler;
  }
}

typedef VEC(uint32_t) Nodes;

/* The `finally` block runs once for all ways into it; behind it, jumps that passed through go on. */
static bool build_finally(FlowBuilder *b, const Stmt *stmt, FlowFrame *frame, uint32_t dispatch, const Nodes *ends) {
  uint32_t entry = node_after(b, dispatch);
  guard_nodes(b, dispatch, entry, entry);
  for (uint32_t i = 0; i < ends->len; i++) edge(b, ends->data[i], entry);
  for (uint32_t i = 0; i < frame->pending.len; i++) edge(b, frame->pending.data[i], entry);
  bool definite = false, falls = build_block(b, &stmt->u.try_.finally, &definite);
  uint32_t end = step(b);
  for (int kind = 0; kind < JUMP_RAISE; kind++) {
    if (frame->wants[kind]) leave(b, b->frame, end, (JumpKind)kind);
  }
  step(b);
  return falls;
}

static bool build_try(FlowBuilder *b, const Stmt *stmt) {
  FlowFrame frame = {.outer = b->frame};
  bool has_finally = stmt->u.try_.finally.len > 0, ignored = false;
  if (has_finally) b->frame = &frame;
  uint32_t first = step(b);
  b->guarded++;
  bool falls = build_block(b, &stmt->u.try_.body, &ignored);
  b->guarded--;
  uint32_t body_end = b->at, dispatch = node_new(b);
  guard_nodes(b, first, dispatch, dispatch);
  node_after(b, body_end);
  falls &= build_block(b, &stmt->u.try_.orelse, &ignored);
  Nodes ends = {0};
  vec_push(b->arena, &ends, b->at);
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
    const Handler *handler = &stmt->u.try_.handlers[i];
    node_after(b, dispatch);
    if (handler->type) flow_emit_expr(b, handler->type);
    if (handler->name) flow_emit_target(b, handler->name);
    falls |= build_block(b, &handler->body, &ignored);
    vec_push(b->arena, &ends, b->at);
  }
  b->frame = frame.outer;
  if (has_finally) return build_finally(b, stmt, &frame, dispatch, &ends) && falls;
  uint32_t after = node_new(b);
  for (uint32_t i = 0; i < ends.len; i++) edge(b, ends.data[i], after);
  return falls;
}

static bool always_matches(const MatchCase *match_case) {
  const Pattern *pattern = match_case->pattern;
  return !match_case->guard && pattern && (pattern->kind == PAT_WILDCARD || pattern->kind == PAT_CAPTURE);
}

static bool build_match(FlowBuilder *b, const Stmt *stmt) {
  flow_emit_expr(b, stmt->u.match.subject);
  uint32_t tested = b->at;
  Nodes ends = {0};
  bool falls = false, all = false, ignored = false;
  for (uint32_t i = 0; i < stmt->u.match.len; i++) {
    const MatchCase *match_case = &stmt->u.match.cases[i];
    tested = node_after(b, tested);
    node_after(b, tested);  // captures are certain only where the case is taken
    flow_emit_pattern(b, match_case->pattern);
    if (match_case->guard) flow_emit_expr(b, match_case->guard);
    falls |= build_block(b, &match_case->body, &ignored);
    vec_push(b->arena, &ends, b->at);
    all |= always_matches(match_case);
  }
  uint32_t after = node_new(b);
  if (!all) edge(b, tested, after);
  for (uint32_t i = 0; i < ends.len; i++) edge(b, ends.data[i], after);
  return falls || !all;
}

/* ---- simple statements ---- */

static void emit_list(FlowBuilder *b, const ExprList *list, void (*emit)(FlowBuilder *, Expr *)) {
  for (uint32_t i = 0; i < list->len; i++) emit(b, list->data[i]);
}

static void emit_optional(FlowBuilder *b, Expr *expr) {
  if (expr) flow_emit_expr(b, expr);
}

/* `import a.b` binds `a`, which has no symbol at hand. */
static void emit_top_name(FlowBuilder *b, Str dotted) {
  const Scope *scope = b->function->scope;
  Str top = str_cut(&dotted, '.');
  for (uint32_t i = 0; i < scope->bindings.len; i++) {
    if (str_eq(scope->bindings.data[i].name->text, top)) flow_emit_name(b, scope->bindings.data[i].name);
  }
}

static void emit_imports(FlowBuilder *b, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.import.len; i++) {
    const ImportName *import = &stmt->u.import.names[i];
    if (!import->name) continue;
    bool dotted = str_find_char(import->name->text, '.') != STR_NONE;
    if (dotted && !import->as) emit_top_name(b, import->name->text);
    else flow_emit_name(b, import->as ? import->as : import->name);
  }
}

static void emit_simple(FlowBuilder *b, const Stmt *stmt) {
  switch (stmt->kind) {
    case STMT_EXPR:
      emit_optional(b, stmt->u.expr);
      break;
    case STMT_ASSIGN:
      flow_emit_expr(b, stmt->u.assign.value);
      emit_list(b, &stmt->u.assign.targets, flow_emit_target);
      break;
    case STMT_AUGASSIGN:
      flow_emit_expr(b, stmt->u.aug.target);
      flow_emit_expr(b, stmt->u.aug.value);
      flow_emit_target(b, stmt->u.aug.target);
      break;
    case STMT_ANNASSIGN:
      emit_optional(b, stmt->u.ann.value);
      if (stmt->u.ann.value) flow_emit_target(b, stmt->u.ann.target);
      break;
    case STMT_DELETE:
      emit_list(b, &stmt->u.exprs, flow_emit_delete);
      break;
    case STMT_PRINT:
      emit_list(b, &stmt->u.exprs, flow_emit_expr);
      break;
    case STMT_ASSERT:
      flow_emit_expr(b, stmt->u.assertion.test);
      emit_optional(b, stmt->u.assertion.message);
      break;
    case STMT_IMPORT:
    case STMT_IMPORT_FROM:
      emit_imports(b, stmt);
      break;
    case STMT_FUNCTION:
      flow_emit_function(b, stmt->u.function);
      flow_emit_name(b, stmt->u.function->name);
      break;
    case STMT_CLASS:
      flow_emit_class(b, stmt->u.class_);
      flow_emit_name(b, stmt->u.class_->name);
      break;
    case STMT_TYPE_ALIAS:
      flow_emit_target(b, stmt->u.alias.name);
      break;
    default:
      break;
  }
}

/* ---- blocks ---- */

static bool build_stmt(FlowBuilder *b, const Stmt *stmt, bool *definite) {
  if (b->guarded) step(b);
  switch (stmt->kind) {
    case STMT_IF:
      return build_if(b, stmt, definite);
    case STMT_WHILE:
      return build_while(b, stmt);
    case STMT_FOR:
      return build_for(b, stmt);
    case STMT_WITH:
      return build_with(b, stmt, definite);
    case STMT_TRY:
      return build_try(b, stmt);
    case STMT_MATCH:
      return build_match(b, stmt);
    case STMT_RETURN:
      emit_optional(b, stmt->u.expr);
      jump(b, JUMP_RETURN);
      *definite = true;
      return false;
    case STMT_RAISE:
      emit_optional(b, stmt->u.raise.exc);
      emit_optional(b, stmt->u.raise.cause);
      jump(b, JUMP_RAISE);
      return false;
    case STMT_BREAK:
    case STMT_CONTINUE:
      jump(b, stmt->kind == STMT_BREAK ? JUMP_BREAK : JUMP_CONTINUE);
      return false;
    default:
      emit_simple(b, stmt);
      return true;
  }
}

/* Which side of the `if` AutoGraph moves the statements behind it to. */
static RestTo rest_side(const FlowBuilder *b, const IfFlow *flow) {
  bool falls, definite;
  if (b->graph->arms.data[flow->arms].definite) return REST_ELSE;
  join_arms(b, flow->first_other, flow->end_other, &falls, &definite);
  return definite ? REST_MAIN : REST_NONE;
}

/* True if some path reaches the end of the block. */
static bool build_block(FlowBuilder *b, const Block *block, bool *definite) {
  Nodes early = {0};  // ifs whose rest ends where this block ends
  bool falls = true;
  for (uint32_t i = 0; i < block->len; i++) {
    const Stmt *stmt = block->data[i];
    uint32_t first_if = b->graph->ifs.len;
    bool returned = false;
    falls &= build_stmt(b, stmt, &returned);
    *definite |= returned;
    if (stmt->kind != STMT_IF || i + 1 == block->len) continue;
    IfFlow *flow = &b->graph->ifs.data[first_if];
    flow->rest_to = rest_side(b, flow);
    if (flow->rest_to == REST_NONE) continue;
    flow->rest = stretch_begin(b, step(b));
    vec_push(b->arena, &early, first_if);
  }
  if (early.len == 0) return falls;
  Stretch end = {.falls = falls};
  stretch_end(b, &end);
  for (uint32_t i = 0; i < early.len; i++) {
    Stretch *rest = &b->graph->ifs.data[early.data[i]].rest;
    end.first = rest->first;
    end.first_jump = rest->first_jump;
    *rest = end;
  }
  return falls;
}

FlowGraph *flow_graph_build(Arena *arena, PlaceTable *places, const Function *function) {
  FlowGraph *graph = arena_new(arena, FlowGraph);
  graph->places = places;
  FlowBuilder b = {.arena = arena, .graph = graph, .function = function};
  node_new(&b);  // EXIT_NODE
  node_new(&b);  // the entry
  for (uint32_t i = 0; i < function->param_len; i++) {
    if (function->params[i].name) flow_emit_target(&b, function->params[i].name);
  }
  bool definite = false;
  build_block(&b, &function->body, &definite);
  edge(&b, b.at, EXIT_NODE);
  return graph;
}

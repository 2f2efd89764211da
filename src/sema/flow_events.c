/* What evaluating an expression reads and writes, in order.
 *
 * The parts of `a and b` and of a ternary count as always evaluated: AutoGraph looks at whole statements, and so a read
 * anywhere in one is a read. A lambda reads where it stands; a nested function also wherever it may be called later.
 */
#include "sema/flow_graph.h"
#include "sema/walk.h"

static void emit(FlowBuilder *b, FlowOp op, uint32_t place, const Expr *example) {
  if (place == NO_PLACE) return;
  FlowPlace *entry = &b->graph->places->places.data[place];
  if (!entry->example) entry->example = example;
  vec_push(b->arena, &b->graph->events, ((FlowEvent){op, place}));
}

static uint32_t own_place(const FlowBuilder *b, const Expr *expr) {
  return place_of(b->graph->places, expr, b->function);
}

/* ---- nested code ---- */

typedef struct DeepReads {
  FlowBuilder *builder;
  bool captures;
} DeepReads;

static void read_deeply(void *context, Expr *expr, const Function *function) {
  DeepReads *reads = context;
  if (expr->ctx_store) return;
  uint32_t place = place_of(reads->builder->graph->places, expr, function);
  emit(reads->builder, FLOW_READ, place, NULL);
  if (reads->captures) emit(reads->builder, FLOW_CAPTURE, place, NULL);
}

void flow_emit_function(FlowBuilder *b, const Function *function) {
  for (uint32_t i = 0; i < function->decorator_len; i++) flow_emit_expr(b, function->decorators[i]);
  for (uint32_t i = 0; i < function->param_len; i++) {
    if (function->params[i].fallback) flow_emit_expr(b, function->params[i].fallback);
  }
  if (b->function->is_module) return;  // facts.c counts a module's captured globals as always live
  DeepReads reads = {b, !function->is_lambda};
  Walk walk = {.visit = read_deeply, .context = &reads};
  walk_body(&walk, function);
}

void flow_emit_class(FlowBuilder *b, const Class *class_) {
  for (uint32_t i = 0; i < class_->decorator_len; i++) flow_emit_expr(b, class_->decorators[i]);
  for (uint32_t i = 0; i < class_->bases.len; i++) flow_emit_expr(b, class_->bases.data[i]);
  for (uint32_t i = 0; i < class_->keyword_len; i++) flow_emit_expr(b, class_->keywords[i].value);
  DeepReads reads = {b, true};
  Walk walk = {.visit = read_deeply, .context = &reads, .function = b->function, .shallow = b->function->is_module};
  walk_block(&walk, &class_->body);
}

/* ---- expressions ---- */

static void emit_child(void *context, Expr *child) { flow_emit_expr(context, child); }

static void emit_comprehension(FlowBuilder *b, const Comprehension *comp) {
  for (uint32_t i = 0; i < comp->clause_len; i++) {
    const CompClause *clause = &comp->clauses[i];
    flow_emit_expr(b, clause->iter);
    flow_emit_target(b, clause->target);
    for (uint32_t t = 0; t < clause->tests.len; t++) flow_emit_expr(b, clause->tests.data[t]);
  }
  flow_emit_expr(b, comp->element);
  if (comp->value) flow_emit_expr(b, comp->value);
}

void flow_emit_expr(FlowBuilder *b, Expr *expr) {
  switch (expr->kind) {
    case EXPR_LAMBDA:
      flow_emit_function(b, expr->u.lambda);
      break;
    case EXPR_COMP:
      emit_comprehension(b, expr->u.comp);
      break;
    case EXPR_WALRUS:
      flow_emit_expr(b, expr->u.walrus.value);
      flow_emit_target(b, expr->u.walrus.target);
      break;
    default:
      expr_children(expr, emit_child, b);
      emit(b, FLOW_READ, own_place(b, expr), expr);
  }
}

void flow_emit_target(FlowBuilder *b, Expr *expr) {
  switch (expr->kind) {
    case EXPR_TUPLE:
    case EXPR_LIST:
      for (uint32_t i = 0; i < expr->u.items.len; i++) flow_emit_target(b, expr->u.items.data[i]);
      break;
    case EXPR_STARRED:
      flow_emit_target(b, expr->u.starred);
      break;
    default:
      expr_children(expr, emit_child, b);  // `self` of `self.x = …` is read
      emit(b, FLOW_WRITE, own_place(b, expr), expr);
  }
}

void flow_emit_delete(FlowBuilder *b, Expr *expr) {
  if (expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST) {
    for (uint32_t i = 0; i < expr->u.items.len; i++) flow_emit_delete(b, expr->u.items.data[i]);
    return;
  }
  expr_children(expr, emit_child, b);
  emit(b, FLOW_READ, own_place(b, expr), expr);
  emit(b, FLOW_DELETE, own_place(b, expr), expr);
}

void flow_emit_name(FlowBuilder *b, Sym name) { emit(b, FLOW_WRITE, place_of_name(b->graph->places, name), NULL); }

void flow_emit_pattern(FlowBuilder *b, const Pattern *pattern) {
  if (!pattern) return;
  if (pattern->value) flow_emit_expr(b, pattern->value);
  for (uint32_t i = 0; i < pattern->part_len; i++) flow_emit_pattern(b, pattern->parts[i]);
  if (pattern->name) flow_emit_target(b, pattern->name);
}

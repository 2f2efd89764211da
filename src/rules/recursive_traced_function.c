/* TF408: traced code calls itself, and nothing that Python can decide while tracing ends it.
 *
 *   if tf.shape(x)[0] <= 2: return f(x[:1])    # a tensor decides: both branches are traced, and tracing never ends
 *
 * Recursion that Python bounds (a counter, the depth of a nested structure) unrolls and works: silent for helpers, a warning for
 * traced functions, which are traced again for each value. Methods count when they are called on the same object.
 */
#include "rules/call_cycle.h"

/* The function of the project that a call enters, and whether through tf.function; false if that is not certain. After
 * `f = tf.function(f)` the name means both, and either way leads into the same body. */
static bool called_function(const Event *event, FuncRef *func, bool *traced) {
  const Value *callee = event->callee;
  if (!callee || !callee->obj_len || callee->obj_more || event->expr->kind != EXPR_CALL || event->decorates)
    return false;
  *traced = false;
  for (uint32_t i = 0; i < callee->obj_len; i++) {
    const Obj *obj = callee->objs[i];
    if (obj->kind == OBJ_TRACED) {
      *traced = true;
      obj = obj->target && obj->target->obj_len == 1 ? obj->target->objs[0] : obj;
    }
    if (obj->kind != OBJ_FUNCTION || (i && !func_eq(*func, obj->func))) return false;
    *func = obj->func;
  }
  return true;
}

/* A plain name, or a method of the object whose method runs. Another object's method is a step down a structure. */
static bool is_called_on_itself(const Event *event) {
  const Expr *callee = event->expr->u.call.callee;
  if (callee->kind == EXPR_NAME) return true;
  if (callee->kind != EXPR_ATTR || callee->u.attr.value->kind != EXPR_NAME) return false;
  for (const Function *f = event->frame->function; f; f = f->parent) {
    if (!f->owner || !f->param_len || !f->params[0].name) continue;
    return callee->u.attr.value->u.name.id == f->params[0].name->u.name.id;
  }
  return false;
}

/* What the functions of the cycle test: only those on the way from the function that is entered again to here. */
typedef struct Cycle {
  bool found, first_time;
  uint32_t between;  // functions on the way that are neither this one nor lambdas
} Cycle;

static bool is_on_chain(const Chain *chain, FuncRef func) {
  for (uint32_t i = 0; i < chain->len; i++)
    if (func_eq(chain->steps[i].func, func)) return true;
  return false;
}

/* Only asked about chains that do close a cycle: most do not, and long ones would take their time. */
static bool enters_once(const Chain *chain) {
  for (uint32_t i = 0; i < chain->len; i++)
    for (uint32_t k = 0; k < i; k++)
      if (func_eq(chain->steps[i].func, chain->steps[k].func)) return false;
  return true;
}

static Cycle find_cycle(RuleContext *ctx, const Event *event, FuncRef func) {
  Cycle cycle = {.first_time = true};
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  if (!chain.len && func_eq(event->frame->ref, func)) cycle.found = true;
  if (!is_on_chain(&chain, func)) return cycle;
  cycle.first_time = enters_once(&chain);
  for (uint32_t i = 0; i < chain.len; i++) {
    if (func_eq(chain.steps[i].func, func)) {
      cycle.found = true;
      cycle.between = 0;
    } else if (cycle.found && !project_function(event->frame->project, chain.steps[i].func)->is_lambda) {
      cycle.between += i + 1 < chain.len;
    }
  }
  return cycle;
}

/* ---- what bounds it ---- */

static bool block_returns(const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) {
    if (block->data[i]->kind == STMT_RETURN || block->data[i]->kind == STMT_RAISE) return true;
  }
  return false;
}

static bool is_tensor_branch(const Frame *frame, const Stmt *stmt) {
  for (uint32_t i = 0; i < frame->region_len; i++) {
    if (frame->regions[i].kind == REGION_TENSOR_BRANCH && frame->regions[i].stmt == stmt) return true;
  }
  return false;
}

/* An `if` that leaves the function before the call, or holds it, and is not on a tensor. Where its outcome is known while this
 * very value is traced, as in `if n == 0: return x`, no region tells of it. */
static bool has_python_exit(const Frame *frame, const Block *block, uint32_t call) {
  for (uint32_t i = 0; i < block->len && block->data[i]->span.start < call; i++) {
    const Stmt *stmt = block->data[i];
    if (stmt->kind == STMT_WITH && has_python_exit(frame, &stmt->u.with.body, call)) return true;
    if (stmt->kind != STMT_IF) continue;
    bool matters = stmt->span.end > call;
    for (uint32_t k = 0; k < stmt->u.branch.len; k++) {
      const Block *body = &stmt->u.branch.arms[k].body;
      matters |= block_returns(body);
      if (stmt->span.end > call && has_python_exit(frame, body, call)) return true;
    }
    if (matters && !is_tensor_branch(frame, stmt)) return true;
  }
  return false;
}

/* Something of Python's stands between the beginning of this function and the call. */
static bool is_bounded_by_python(const Frame *frame, uint32_t call) {
  for (const Function *f = frame->function; f && !f->is_module; f = f->is_lambda ? f->parent : NULL) {
    if (has_python_exit(frame, &f->body, call)) return true;
  }
  for (uint32_t i = 0; i < frame->region_len; i++) {
    switch (frame->regions[i].kind) {
      case REGION_PYTHON_BRANCH:
      case REGION_STATIC_BRANCH:
      case REGION_FROZEN_BRANCH:
      case REGION_GUARD:
      case REGION_AFTER_EXIT:
      case REGION_PYTHON_LOOP:
      case REGION_COMPREHENSION:
      case REGION_HANDLER:
        return true;
      default:
        break;
    }
  }
  return (frame->context & (CTX_SKIPPABLE | CTX_GUARDED)) != 0;
}

/* ---- traced functions that call each other ---- */

typedef struct Edge {
  CycleCall call;
  Span span, callee;
} Edge;

extern const RuleCheck rule_recursive_traced_function;

static void defer_edge(RuleContext *ctx, const Event *event, FuncRef to, bool on_tensor) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  FuncRef from = chain.len ? chain.steps[0].func : event->frame->ref;
  Edge edge = {.call = {.from = from, .to = to, .on_tensor = on_tensor},
               .span = event->span,
               .callee = event->expr->u.call.callee->span};
  if (!func_eq(from, to)) rule_defer(ctx, &rule_recursive_traced_function, event, &edge, sizeof edge);
}

static bool is_called_eagerly(RuleContext *ctx, FuncRef func) {
  CallSet calls = flow_traced_calls(rule_flow(ctx), func);
  for (uint32_t i = 0; i < calls.len; i++)
    if (!ctx_traced(calls.data[i].context)) return true;
  return false;
}

static void at_end(RuleContext *ctx) {
  DeferredSet edges = rule_deferred(ctx, &rule_recursive_traced_function);
  CycleCall *calls = arena_array(rule_scratch(ctx), CycleCall, edges.len + 1);
  for (uint32_t i = 0; i < edges.len; i++) {
    calls[i] = ((const Edge *)edges.data[i].record)->call;
    calls[i].is_entered = is_called_eagerly(ctx, calls[i].to);
  }
  const bool *closes = cycle_closing_calls(rule_scratch(ctx), calls, edges.len);
  for (uint32_t i = 0; i < edges.len; i++) {
    const Edge *edge = edges.data[i].record;
    if (!closes[i]) continue;
    const Module *module = project_module(flow_project(rule_flow(ctx)), edges.data[i].module);
    Str name = source_slice(&module->source, edge->callee);
    Report report = {
        .rule = RULE_TF408, .variant = TF408_DEFAULT, .span = edge->span, .confidence = CONF_LIKELY, .subject = name};
    report_fill(&report, S("callee"), name);
    rule_report_at(ctx, edges.data[i].module, edges.data[i].instance, &report);
  }
}

/* `apply(f, x)` in a function that `apply` was given: another function each time, so each step may well be the last. */
static bool passes_function(const Event *event) {
  for (uint32_t i = 0; event->args && i < event->args->len; i++) {
    if (value_has(event->args->values[i], KIND(FUNCTION) | KIND(TRACED)) && event->args->values[i]->kinds) return true;
  }
  return false;
}

/* The same for the other functions of the cycle, which no tensor decides about: `if isinstance(f, partial): return unwrap(f)`. */
static bool is_bounded_on_the_way(RuleContext *ctx, const Event *event, FuncRef func) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  uint32_t first = 0;
  while (first < chain.len && !func_eq(chain.steps[first].func, func)) first++;
  for (uint32_t i = first + 1; i < chain.len; i++) {
    const Function *caller = project_function(event->frame->project, chain.steps[i - 1].func);
    if (has_python_exit(event->frame, &caller->body, chain.steps[i].span.start)) return true;
  }
  return false;
}

static void on_call(RuleContext *ctx, const Event *event) {
  FuncRef func;
  bool traced;
  if (!ctx_traced(event->frame->context) || !called_function(event, &func, &traced) || !is_called_on_itself(event))
    return;
  bool on_tensor = frame_region(event->frame, REGION_TENSOR_BRANCH) || (event->frame->context & CTX_TENSOR_BRANCH);
  bool bounded =
      is_bounded_by_python(event->frame, event->span.start) || (!on_tensor && is_bounded_on_the_way(ctx, event, func));
  Cycle cycle = find_cycle(ctx, event, func);
  if (traced && !bounded && !cycle.found) defer_edge(ctx, event, func, on_tensor);
  if (!cycle.found || !cycle.first_time || passes_function(event)) return;
  if (bounded ? !traced || !func_eq(func, event->frame->ref) : !on_tensor && cycle.between) return;

  Str name = rule_text(ctx, event, event->expr->u.call.callee);
  Report report = {.rule = RULE_TF408,
                   .variant = bounded ? TF408_BOUNDED : TF408_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = name};
  report_fill(&report, S("callee"), name);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_recursive_traced_function = {
    .name = S_INIT("recursive_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
    .end = at_end,
};

/* TF604: Python inside a graph that is saved or served.
 *
 *   words = tf.py_function(count, [text], tf.int32)    # in a method with an input_signature
 *   tf.saved_model.save(module, path)                  # the graph holds a number, not the Python function
 *
 * Both halves must be seen: the call in a function that is exported, by itself or as a method of an exported object.
 */
#include "rules/rule.h"
#include "sema/walk.h"

typedef struct Half {
  bool exports;    // else a py_function
  bool as_object;  // exports: an object of `cls`; else the function `func`
  ClassRef cls;
  FuncRef func;    // py_function: the root of the trace it stands in
  Span span;
} Half;

extern const RuleCheck rule_py_function_exported;

/* ---- what is exported ---- */

static void defer_export(RuleContext *ctx, const Event *event, const Obj *obj) {
  Half half = {.exports = true, .span = event->span};
  if (obj->kind == OBJ_INSTANCE) {
    half.as_object = true;
    half.cls = obj->cls;
    rule_defer(ctx, &rule_py_function_exported, event, &half, sizeof half);
  }
  if (obj->kind == OBJ_TRACED && obj->target && obj->target->obj_len == 1) obj = obj->target->objs[0];
  if (obj->kind != OBJ_FUNCTION) return;
  half.func = obj->func;
  rule_defer(ctx, &rule_py_function_exported, event, &half, sizeof half);
}

/* Values nest at most VALUE_DEPTH deep: `signatures={"score": f}`. */
static void export_value(RuleContext *ctx, const Event *event, const Value *value) {
  if (!value) return;
  for (uint32_t i = 0; i < value->obj_len; i++) defer_export(ctx, event, value->objs[i]);
  for (uint32_t i = 0; i < value->part_len; i++) export_value(ctx, event, value->parts[i]);
  if (!value->part_len) export_value(ctx, event, value->elem);
}

/* `signatures=f.get_concrete_function()` exports `f`. */
typedef struct ConcreteSearch {
  RuleContext *ctx;
  const Event *event;
} ConcreteSearch;

static void note_concrete(void *context, Expr *expr, const Function *function) {
  (void)function;
  const ConcreteSearch *search = context;
  const Expr *callee = expr->kind == EXPR_CALL ? expr->u.call.callee : NULL;
  if (!callee || callee->kind != EXPR_ATTR || !sym_is(callee->u.attr.name, S("get_concrete_function"))) return;
  if (callee->u.attr.value->kind != EXPR_NAME) return;
  export_value(search->ctx, search->event, event_lookup(search->event, callee->u.attr.value->u.name.id));
}

/* Calls that save with signatures, whatever the object: `model.save(path, signatures=…)`. */
static bool exports(const Event *event) {
  if (event->api->tags & TAG(EXPORTS)) return true;
  if (!(event->api->tags & TAG(SAVE))) return false;
  const Value *signatures = args_get(event->args, UINT32_MAX, S("signatures"));
  return signatures && !value_is(signatures, KIND(NONE));
}

static void on_export(RuleContext *ctx, const Event *event) {
  ConcreteSearch search = {ctx, event};
  Walk walk = {.visit = note_concrete, .context = &search, .shallow = true};
  walk_expr(&walk, (Expr *)event->expr);
  export_value(ctx, event, event->receiver);
  for (uint32_t i = 0; i < event->args->len; i++) export_value(ctx, event, event->args->values[i]);
}

/* ---- Python in the graph ---- */

static bool has_signature(const Flow *flow, FuncRef func) {
  MakeSet makes = flow_makes(flow, func);
  for (uint32_t i = 0; i < makes.len; i++) {
    const Obj *obj = makes.data[i].obj;
    if (obj->kind == OBJ_TRACED && obj->trace && obj->trace->has_signature) return true;
  }
  return false;
}

static void on_py_function(RuleContext *ctx, const Event *event) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  if (!chain.len) return;
  Half half = {.func = chain.steps[0].func, .span = event->span};
  rule_defer(ctx, &rule_py_function_exported, event, &half, sizeof half);
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !event->args) return;
  bool traced = ctx_traced(event->frame->context);
  if ((event->api->tags & TAG(PY_FUNCTION)) && traced) on_py_function(ctx, event);
  if (!traced && !event->frame->module->is_test && exports(event)) on_export(ctx, event);
}

/* ---- both ---- */

static bool exports_it(const Project *project, const Half *exported, FuncRef root) {
  if (!exported->as_object) return func_eq(exported->func, root);
  const Class *owner = project_function(project, root)->owner;
  return owner && project_is_subclass(project, exported->cls, (ClassRef){root.module, owner->index});
}

static const Deferred *find_export(const Project *project, const DeferredSet *all, FuncRef root) {
  for (uint32_t i = 0; i < all->len; i++) {
    const Half *half = all->data[i].record;
    if (half->exports && exports_it(project, half, root)) return &all->data[i];
  }
  return NULL;
}

static void at_end(RuleContext *ctx) {
  const Project *project = flow_project(rule_flow(ctx));
  DeferredSet all = rule_deferred(ctx, &rule_py_function_exported);
  for (uint32_t i = 0; i < all.len; i++) {
    const Half *half = all.data[i].record;
    const Deferred *exported = half->exports ? NULL : find_export(project, &all, half->func);
    if (!exported || !has_signature(rule_flow(ctx), half->func)) continue;
    Str callee = source_slice(&project_module(project, all.data[i].module)->source, half->span);
    size_t paren = str_find_char(callee, '(');
    Report report = {.rule = RULE_TF604, .variant = TF604_DEFAULT, .span = half->span, .confidence = CONF_CERTAIN};
    report.subject = paren == STR_NONE ? callee : str_sub(callee, 0, paren);
    report_fill(&report, S("callee"), report.subject);
    const Half *other = exported->record;
    report_label(&report, rule_label(ROLE_NOTE, exported->module, other->span, S("saved here")));
    rule_report_at(ctx, all.data[i].module, all.data[i].instance, &report);
  }
}

const RuleCheck rule_py_function_exported = {
    .name = S_INIT("py_function_exported"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
    .end = at_end,
};

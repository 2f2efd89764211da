/* Tells uses from building by the facts' tags; a model that is called in eager code is built by that. A model that is made of
 * an input, or is constructed with its input's shape, is built from the start.
 */
#include "rules/stateful.h"

bool stateful_root(RuleContext *ctx, InstanceId instance, ChainStep *root) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), instance);
  if (!chain.len || chain.steps[0].root == ROOT_NONE) return false;
  *root = chain.steps[0];
  return true;
}

/* ---- models that are whole from the start ---- */

static void visit_input(void *context, Expr *expr) {
  bool *found = context;
  if (!expr || *found) return;
  static const Str words[] = {S_INIT("Input"), S_INIT("InputLayer")};
  Sym name = expr->kind == EXPR_ATTR ? expr->u.attr.name : expr->kind == EXPR_NAME ? expr->u.name.id : NULL;
  for (size_t i = 0; name && i < sizeof words / sizeof *words; i++) *found |= sym_is(name, words[i]);
  for (uint32_t i = 0; expr->kind == EXPR_CALL && i < expr->u.call.keyword_len; i++) {
    Sym keyword = expr->u.call.keywords[i].name;
    static const Str shapes[] = {S_INIT("input_shape"), S_INIT("input_dim"), S_INIT("batch_input_shape"),
                                 S_INIT("inputs")};
    for (size_t k = 0; keyword && k < sizeof shapes / sizeof *shapes; k++) *found |= sym_is(keyword, shapes[k]);
  }
  expr_children(expr, visit_input, context);
}

static bool any_keras_tensor(const Args *args) {
  for (uint32_t i = 0; args && i < args->len; i++) {
    if (value_has(args->values[i], KIND(KERAS_TENSOR))) return true;
    if (args->values[i]->elem && value_has(args->values[i]->elem, KIND(KERAS_TENSOR))) return true;
  }
  return false;
}

static bool makes_whole(const Event *event) {
  if (!event->result || !value_has(event->result, KIND(MODEL) | KIND(LAYER)) || !event->expr) return false;
  if (any_keras_tensor(event->args)) return true;
  bool found = false;
  visit_input(&found, (Expr *)event->expr);
  return found;
}

/* ---- uses ---- */

static bool is_model(const Value *value) {
  return value && value_is(value, KIND(MODEL) | KIND(LAYER)) && value->obj_len;
}

StatefulUse stateful_use(const Event *event, const Value **value) {
  bool traced = ctx_traced(event->frame->context);
  ApiTags tags = event->api ? event->api->tags : 0;
  *value = event->receiver;
  if ((tags & TAG(APPLIES_GRADIENTS)) && event->receiver && value_is(event->receiver, KIND(OPTIMIZER)))
    return traced ? STATEFUL_CREATES : STATEFUL_BUILDS;
  if ((tags & (TAG(BUILDS) | TAG(KERAS_LOOP))) && event->receiver) return traced ? STATEFUL_NONE : STATEFUL_BUILDS;
  *value = event->callee;
  if (is_model(event->callee)) return traced ? STATEFUL_CREATES : STATEFUL_BUILDS;
  *value = event->result;
  return makes_whole(event) ? STATEFUL_BUILDS : STATEFUL_NONE;
}

bool stateful_is_lazy(const Project *project, const Value *value, const Obj *obj) {
  if (value_is(value, KIND(OPTIMIZER))) return obj->kind == OBJ_API_INSTANCE || obj->kind == OBJ_INSTANCE;
  if (!value_is(value, KIND(MODEL) | KIND(LAYER))) return false;
  if (obj->kind == OBJ_INSTANCE) return !project_class_info(project, obj->cls)->unknown_base;
  if (obj->kind != OBJ_API_INSTANCE) return false;
  if (str_eq(sym_str(obj->api), S("keras.Sequential"))) return true;
  const ApiFact *fact = catalog_api(project->catalog, sym_str(obj->api));
  return fact && fact->creates == CREATES_LAYER && str_starts(fact->name, S("keras.layers."));
}

/* ---- two objects of one site ---- */

static const Expr *dict_entry(const Expr *dict, const Expr *key) {
  for (uint32_t i = 0; i < dict->u.dict.keys.len; i++) {
    const Expr *entry = dict->u.dict.keys.data[i];
    if (entry && expr_same_index(entry, key)) return dict->u.dict.values.data[i];
  }
  return NULL;
}

/* The one expression a name, or an entry of a dict under a constant key, is bound to. */
static const Expr *sole_value(const Module *module, const Function *function, const Expr *expr) {
  const Expr *key = NULL;
  if (expr->kind == EXPR_SUBSCRIPT) {
    key = expr->u.subscript.index;
    expr = expr->u.subscript.value;
  }
  if (expr->kind != EXPR_NAME) return NULL;
  const Function *owner = expr->u.name.ref == REF_GLOBAL ? module->ast->module : scope_owner(function, expr);
  const Binding *binding = owner ? scope_find(owner->scope, expr->u.name.id) : NULL;
  if (!binding || binding->sites.len != 1 || binding->written_by_inner) return NULL;
  const Stmt *stmt = binding->sites.data[0].stmt;
  const Expr *value = binding->sites.data[0].value;
  if (!value && stmt && stmt->kind == STMT_ANNASSIGN) value = stmt->u.ann.value;
  if (!value || !key) return value;
  return value->kind == EXPR_DICT ? dict_entry(value, key) : NULL;
}

bool stateful_made_apart(RuleContext *ctx, const CallRecord *call, const Expr *a, const Expr *b, const Obj *obj) {
  if (obj->many || obj->site.instance == NO_INSTANCE || !a || !b) return false;
  const Flow *flow = rule_flow(ctx);
  const Module *module = project_module(flow_project(flow), call->module);
  const Function *function = project_function(flow_project(flow), call->func);
  const Expr *first = sole_value(module, function, a), *second = sole_value(module, function, b);
  if (!first || !second || first == second || first->kind != EXPR_CALL || second->kind != EXPR_CALL) return false;
  InstanceInfo maker = flow_instance(flow, obj->site.instance);
  return !project_function(flow_project(flow), maker.func)->is_module && maker.result->origin == ORIGIN_FRESH &&
         maker.result->obj_len == 1 && site_eq(maker.result->objs[0]->site, obj->site);
}

/* ---- one object a round ---- */

/* A plain function of the project that makes an object and keeps none: a decorator may be a cache. */
static bool is_maker(const Flow *flow, InstanceInfo maker, const Expr *callee, const Obj *obj) {
  const Function *function = project_function(flow_project(flow), maker.func);
  Sym name = callee->kind == EXPR_NAME ? callee->u.name.id : callee->kind == EXPR_ATTR ? callee->u.attr.name : NULL;
  if (!name || name != function->name || function->is_module || function->decorator_len) return false;
  const Value *made = maker.result;
  return made && made->origin == ORIGIN_FRESH && made->obj_len == 1 && site_eq(made->objs[0]->site, obj->site);
}

static bool makes(const Frame *frame, const Expr *expr, const Obj *obj) {
  if (!expr || expr->kind != EXPR_CALL || obj->site.instance == NO_INSTANCE) return false;
  if (obj->site.instance == frame->instance) return obj->site.module == frame->module->id && obj->site.expr == expr->id;
  return is_maker(frame->flow, flow_instance(frame->flow, obj->site.instance), expr->u.call.callee, obj);
}

/* `name = …`, also as a member of `a, b = …, …`: what the name is bound to. */
static const Expr *bound_by(const Stmt *stmt, Sym name) {
  if (stmt->kind != STMT_ASSIGN || stmt->u.assign.targets.len != 1) return NULL;
  const Expr *target = stmt->u.assign.targets.data[0], *value = stmt->u.assign.value;
  if (target->kind == EXPR_NAME) return target->u.name.id == name ? value : NULL;
  if (target->kind != EXPR_TUPLE || value->kind != EXPR_TUPLE) return NULL;
  for (uint32_t i = 0; i < target->u.items.len && target->u.items.len == value->u.items.len; i++) {
    const Expr *item = target->u.items.data[i];
    if (item->kind == EXPR_NAME && item->u.name.id == name) return value->u.items.data[i];
  }
  return NULL;
}

/* Bound by a statement that each round executes; one `with` (a strategy's scope) may be around it. */
static bool block_makes(const Frame *frame, Block body, Sym name, const Obj *obj) {
  for (uint32_t i = 0; i < body.len; i++) {
    const Stmt *stmt = body.data[i];
    Block inner = stmt->kind == STMT_WITH ? stmt->u.with.body : (Block){0};
    if (makes(frame, bound_by(stmt, name), obj)) return true;
    for (uint32_t k = 0; k < inner.len; k++) {
      if (makes(frame, bound_by(inner.data[k], name), obj)) return true;
    }
  }
  return false;
}

bool stateful_made_each_round(const Event *call, const Expr *argument, const Obj *obj) {
  const Frame *frame = call->frame;
  for (uint32_t i = 0; argument && i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    bool repeats = region->kind == REGION_PYTHON_LOOP && region->stmt && region->trip_count != 1;
    if (!repeats) continue;
    if (makes(frame, argument, obj)) return true;
    Block body = region->stmt->kind == STMT_FOR     ? region->stmt->u.forloop.body
                 : region->stmt->kind == STMT_WHILE ? region->stmt->u.loop.body
                                                    : (Block){0};
    if (argument->kind == EXPR_NAME && block_makes(frame, body, argument->u.name.id, obj)) return true;
  }
  return false;
}

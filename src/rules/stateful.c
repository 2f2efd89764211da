/* Tells uses from building by the facts' tags; a model that is called in eager code is built by that. A model that is made of
 * an input, or is constructed with its input's shape, is built from the start.
 */
#include "rules/stateful.h"

bool site_eq(Site a, Site b) { return a.module == b.module && a.expr == b.expr && a.instance == b.instance; }

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

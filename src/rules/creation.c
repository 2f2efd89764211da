/* Judges the creation of state.
 *
 *   class Net(tf.Module):
 *     def __init__(self): self.v = tf.Variable(0.)   # the event
 *   @tf.function
 *   def step(x):
 *     return Net().v * x                             # the fault: constructed on every trace
 *
 * The chain of the event's instance tells: its first step into an `__init__` is the construction. A step into a `build` makes
 * it legal, because Keras calls that once and outside of the graph. Where such methods are the root themselves (a decorated
 * `__init__`) another rule speaks.
 */
#include "rules/creation.h"

static bool is_constructor(const Function *function) {
  return function->owner && (sym_is(function->name, S("__init__")) || sym_is(function->name, S("__new__")) ||
                             sym_is(function->name, S("__post_init__")));
}

static bool is_builder(const Function *function) {
  return function->owner && (sym_is(function->name, S("build")) || sym_is(function->name, S("setup")));
}

static bool is_module_api(Sym api) {
  Str name = sym_str(api);
  return str_eq(name, S("tensorflow.Module")) || str_starts(name, S("sonnet.")) || str_starts(name, S("keras."));
}

static MakerKind maker_kind(const Project *project, const Frame *frame, FuncRef constructor) {
  const Function *function = project_function(project, constructor);
  const ClassInfo *info = project_class_info(project, (ClassRef){constructor.module, function->owner->index});
  bool is_derived = frame->receiver && project_is_subclass(project, frame->receiver->ref, info->ref);
  if (is_derived) info = frame->receiver;
  KindSet kind = (KindSet)1 << info->instance_kind;
  if (kind & (KIND(METRIC) | KIND(OPTIMIZER))) return MAKER_METRIC_OR_OPTIMIZER;
  if (kind & (KIND(LAYER) | KIND(MODEL))) return MAKER_MODULE;
  for (uint32_t i = 0; i < info->apis.len; i++) {
    if (is_module_api(info->apis.data[i])) return MAKER_MODULE;
  }
  return MAKER_PLAIN;
}

/* "models.Net" of `models.Net(3)`. */
static Str constructed_text(const Project *project, const ChainStep *step) {
  Str call = source_slice(&project_module(project, step->module)->source, step->span);
  return str_trim(str_cut(&call, '('));
}

Creation creation_judge(RuleContext *ctx, const Event *event) {
  const Frame *frame = event->frame;
  Creation creation = {.verdict = CREATION_LEGAL};
  if (!ctx_traced(frame->context) || (frame->context & (CTX_GRAPH | CTX_SETUP))) return creation;
  if (frame_region(frame, REGION_GRAPH_SCOPE)) return creation;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), frame->instance);
  for (uint32_t i = 0; i < chain.len; i++) {
    const ChainStep *step = &chain.steps[i];
    const Function *function = project_function(frame->project, step->func);
    if (is_builder(function) || (!i && is_constructor(function))) return creation;
    if (!is_constructor(function) || creation.maker != MAKER_NONE) continue;
    creation.maker = maker_kind(frame->project, frame, step->func);
    creation.module = step->module;
    creation.span = step->span;
    creation.class_name = constructed_text(frame->project, step);
  }
  creation.verdict = frame_guarded(frame) ? CREATION_ONCE : CREATION_REPEATED;
  return creation;
}

bool creation_is_keras3(const Event *event) {
  const Frame *frame = event->frame;
  KerasFlavor flavor = frame->module->flavor == KERAS_UNKNOWN ? frame->project->flavor : frame->module->flavor;
  return flavor == KERAS_3;
}

/* `self.x = f(...)`, `self.x = [...]`: may hold layers. Constants and parameters are taken for settings. */
static bool may_keep_layer(const Stmt *stmt) {
  if (stmt->kind != STMT_ASSIGN || stmt->u.assign.targets.data[0]->kind != EXPR_ATTR) return false;
  ExprKind kind = (ExprKind)stmt->u.assign.value->kind;
  return kind != EXPR_CONST && kind != EXPR_NAME && kind != EXPR_BINARY && kind != EXPR_COMPARE;
}

/* Keras 3 builds a layer that has no `build` but unbuilt layers inside by running its `call` once before the lock, and a
 * guarded creation then happens there, legally. */
static bool is_built_by_call(const Project *project, const ClassInfo *info) {
  FuncRef method;
  ClassRef owner;
  if (project_method(project, info->ref, sym_intern(project->symbols, S("build")), &method, &owner)) return false;
  if (!project_method(project, info->ref, sym_intern(project->symbols, S("__init__")), &method, &owner)) return false;
  Block body = project_function(project, method)->body;
  for (uint32_t i = 0; i < body.len; i++) {
    if (may_keep_layer(body.data[i])) return true;
  }
  return false;
}

/* The parameter that stands for the object itself. */
static Sym self_name(const Function *function) {
  return function->owner && function->param_len ? function->params[0].name->u.name.id : NULL;
}

static const ClassInfo *class_of_param(RuleContext *ctx, const Frame *frame, Sym name) {
  InstanceInfo instance = flow_instance(rule_flow(ctx), frame->instance);
  for (uint32_t i = 0; i < frame->function->param_len && i < instance.param_len; i++) {
    const Value *given = instance.params[i];
    if (frame->function->params[i].name->u.name.id != name || !given) continue;
    bool is_object = given->obj_len == 1 && !given->obj_more && given->objs[0]->kind == OBJ_INSTANCE;
    return is_object ? project_class_info(frame->project, given->objs[0]->cls) : NULL;
  }
  return NULL;
}

/* `self` of `self.child = …` and of `self.add_weight(…)`; the object that a helper was handed: `layer.child = …`. */
static const Expr *holder_name(const Event *event) {
  const Expr *place = event->target;
  if (!place && event->expr->kind == EXPR_CALL) place = event->expr->u.call.callee;
  bool on_name = place && place->kind == EXPR_ATTR && place->u.attr.value->kind == EXPR_NAME;
  return on_name ? place->u.attr.value : NULL;
}

static const ClassInfo *holder_class(RuleContext *ctx, const Event *event) {
  const Frame *frame = event->frame;
  const Expr *holder = holder_name(event);
  bool is_self = !holder || holder->u.name.id == self_name(frame->function);
  return is_self ? frame->receiver : class_of_param(ctx, frame, holder->u.name.id);
}

bool creation_is_locked(RuleContext *ctx, const Event *event) {
  const Frame *frame = event->frame;
  if (!(frame->context & CTX_KERAS_CALL) || !creation_is_keras3(event)) return false;
  const ClassInfo *holder = holder_class(ctx, event);
  if (!holder) return false;
  bool is_layer = holder->instance_kind == K_LAYER || holder->instance_kind == K_MODEL;
  return is_layer && !holder->unknown_base && !is_built_by_call(frame->project, holder);
}

bool creation_is_kept_on_object(RuleContext *ctx, const Event *event) {
  return event->target && holder_name(event) && holder_class(ctx, event);
}

Str creation_place(RuleContext *ctx, const Event *event) {
  if (!event->target || !expr_is_path(event->target)) return S("");
  Str target = rule_text(ctx, event, event->target);
  Sym self = self_name(event->frame->function);
  if (event->target->kind != EXPR_NAME || event->target->u.name.ref != REF_LOCAL) return target;
  if (!self) return S("");
  Str owner = sym_str(self);
  return str_printf(rule_scratch(ctx), "%.*s.%.*s", STR_ARG(owner), STR_ARG(target));
}

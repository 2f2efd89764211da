/* Dispatch: what a call does, by what is called: project functions, traced functions, classes, objects, partials, APIs.
 *
 * Entering a project function files a request for an instance of it in the callee's context; the result so far comes back at
 * once. Entering a traced function starts a trace: arguments become what tf.function makes of them.
 */
#include "flow/walk.h"

/* ---- contexts ---- */

static Context region_bits(const Region *region) {
  switch (region->kind) {
    case REGION_TENSOR_BRANCH:
      return CTX_TENSOR_BRANCH;
    case REGION_TENSOR_LOOP:
    case REGION_DATASET_LOOP:
      return CTX_TENSOR_LOOP;
    case REGION_GUARD:
      return CTX_GUARDED;
    case REGION_INIT_SCOPE:
      return CTX_INIT_SCOPE;
    case REGION_FROZEN_BRANCH:
      return CTX_SKIPPABLE;
    case REGION_AFTER_EXIT:
      return region->exit_was_frozen ? CTX_SKIPPABLE : 0;
    default:
      return 0;
  }
}

Context walker_context(const Walker *w) {
  Context context = w->context;
  for (uint32_t i = 0; i < w->regions.len; i++) {
    const Region *region = &w->regions.data[i];
    if (region->kind == REGION_GRAPH_SCOPE) context |= CTX_GRAPH;
    if (ctx_traced(context)) {
      context |= region_bits(region);
    } else if (region->kind == REGION_PYTHON_LOOP || region->kind == REGION_COMPREHENSION) {
      context |= CTX_IN_LOOP;
    } else if (region->kind == REGION_GUARD) {
      context |= CTX_GUARDED;
    }
  }
  return context;
}

/* Methods that AutoGraph leaves alone: constructors and the protocols that Python itself calls. */
static bool is_unconverted_method(const Function *function) {
  if (!function->owner || sym_is(function->name, S("__call__"))) return false;
  return function->name && str_starts(function->name->text, S("__")) && str_ends(function->name->text, S("__"));
}

/* Packages whose code AutoGraph never converts, by prefix of the module name (its own list in core/config.py). */
static bool is_unconverted_module(const Module *module) {
  static const Str names[] = {S_INIT("keras"), S_INIT("tf_keras"), S_INIT("tensorflow_probability"),
                              S_INIT("tensorflow")};
  Str name = sym_str(module->name);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (str_starts(name, names[i]) && (name.len == names[i].len || name.ptr[names[i].len] == '.')) return true;
  }
  return false;
}

static bool is_converted_with_outer(const Walker *w, const Obj *obj) {
  if (obj->kind == OBJ_PARTIAL && obj->target && obj->target->obj_len == 1) obj = obj->target->objs[0];
  if (obj->kind != OBJ_FUNCTION || obj->env == NO_INSTANCE) return false;
  return ctx_autograph_on(w->flow->instances.data[obj->env]->context);
}

bool is_written_in_converted(const Walker *w, const Value *callable) {
  for (uint32_t i = 0; i < callable->obj_len; i++) {
    if (!is_converted_with_outer(w, callable->objs[i])) return false;
  }
  return callable->obj_len > 0;
}

/* Context of a callee that is entered from here. `root`: tf.function itself runs it, and converts whatever it was asked to. */
static Context callee_context(Walker *w, const Obj *obj, Context caller, RootKind root) {
  Context context = caller;
  const Function *function = project_function(w->project, obj->func);
  if (obj->once) context |= CTX_GUARDED;
  if (!ctx_traced(context)) return context & (CTX_IN_LOOP | CTX_GRAPH | CTX_SETUP | CTX_GUARDED);
  bool asked = root == ROOT_DECORATOR || root == ROOT_WRAPPED;
  bool listed = !asked && is_unconverted_module(project_module(w->project, obj->func.module));
  bool off = obj->no_autograph || obj->once || !is_convertible(w->flow, obj->func) || function->is_generator ||
             is_unconverted_method(function) || listed || (obj->gives_gradient && !is_converted_with_outer(w, obj));
  if (off) context = (context | CTX_AUTOGRAPH_OFF) & ~(Context)CTX_AUTOGRAPH_UNKNOWN;
  return context;
}

/* ---- binding arguments ---- */

static const Value *keyword_value(const Args *args, Sym name) {
  for (uint32_t i = args->positional; i < args->len; i++) {
    if (args->names[i] == name) return args->values[i];
  }
  return NULL;
}

static const Value *rest_tuple(Walker *w, const Value *self, const Args *args, uint32_t from) {
  Value *tuple = value_new(w->scratch, KIND(TUPLE));
  tuple->origin = ORIGIN_FRESH;
  uint32_t skip = self ? 1 : 0, first = from > skip ? from - skip : 0;
  if (args->has_star) {
    tuple->elem = &value_unknown;
    return tuple;
  }
  uint32_t count = args->positional > first ? args->positional - first : 0;
  const Value *sequence = value_sequence(w->scratch, K_TUPLE, args->values + (count ? first : 0), count);
  return value_with_flags(w->scratch, sequence, 0, 0);
}

/* Keywords that no parameter takes: a dict of them. */
static const Value *rest_keywords(Walker *w, const Function *function, const Args *args) {
  Value *dict = value_new(w->scratch, KIND(DICT));
  dict->origin = ORIGIN_FRESH;
  dict->parts = arena_array(w->scratch, const Value *, args->len + 1);
  dict->keys = arena_array(w->scratch, Sym, args->len + 1);
  dict->parts_exact = !args->has_kwstar;
  for (uint32_t i = args->positional; i < args->len && dict->part_len < VALUE_WIDTH; i++) {
    bool taken = false;
    for (uint32_t p = 0; p < function->param_len; p++) {
      const Param *param = &function->params[p];
      taken |= param->name && param->kind != PARAM_POSITIONAL_ONLY && param->name->u.name.id == args->names[i];
    }
    if (taken) continue;
    dict->parts[dict->part_len] = args->values[i];
    dict->keys[dict->part_len++] = args->names[i];
    dict->elem = value_join(w->scratch, dict->elem, args->values[i]);
  }
  if (args->has_kwstar) dict->elem = &value_unknown;
  return dict;
}

static const Value *param_value(Walker *w, const Module *module, const Param *param, uint32_t position, bool has_self,
                                const Args *args) {
  uint32_t skip = has_self ? 1 : 0;
  if (param->kind <= PARAM_NORMAL && position >= skip && position - skip < args->positional)
    return args->values[position - skip];
  const Value *named =
      param->kind != PARAM_POSITIONAL_ONLY && param->name ? keyword_value(args, param->name->u.name.id) : NULL;
  if (named) return named;
  if (param->kind <= PARAM_NORMAL && args->has_star) return &value_unknown;
  if (args->has_kwstar || !param->fallback) return &value_unknown;
  const Value *fallback = eval_constant(w, module, param->fallback);
  if (value_has(fallback, KINDS_CONTAINER)) {  // made once, when the function was defined
    Value *shared = value_copy(w->scratch, fallback);
    shared->origin = ORIGIN_OUTER;
    return shared;
  }
  return value_with_flags(w->scratch, fallback, VF_NULLED * value_is(fallback, KIND(NONE)), 0);
}

const Value **bind_args(Walker *w, const Module *module, const Function *function, const Value *self,
                        const Args *args) {
  const Value **params = arena_array(w->scratch, const Value *, function->param_len + 1);
  for (uint32_t i = 0; i < function->param_len; i++) {
    const Param *param = &function->params[i];
    if (i == 0 && self && param->kind <= PARAM_NORMAL) {
      params[i] = self;
    } else if (param->kind == PARAM_VARARGS) {
      params[i] = rest_tuple(w, self, args, i);
    } else if (param->kind == PARAM_KWARGS) {
      params[i] = rest_keywords(w, function, args);
    } else {
      params[i] = param_value(w, module, param, i, self != NULL, args);
    }
  }
  return params;
}

/* ---- project functions ---- */

static ClassRef receiver_of(Walker *w, const Obj *obj, const Function *function) {
  if (obj->self && obj->self->obj_len == 1 && function->owner) {
    const Obj *self = obj->self->objs[0];
    if (self->kind == OBJ_INSTANCE || self->kind == OBJ_CLASS) return self->cls;
  }
  if (function->owner) return (ClassRef){obj->func.module, function->owner->index};
  if (obj->env != NO_INSTANCE) return w->flow->instances.data[obj->env]->receiver;
  return (ClassRef){NO_MODULE, 0};
}

static Witness witness_of(Walker *w, const Call *call) {
  if (call->root != ROOT_NONE) {
    return (Witness){.caller = w->instance->id,
                     .module = call->root_module,
                     .span = call->root_span,
                     .root = call->root,
                     .api = call->root_api};
  }
  return (Witness){
      .caller = w->instance->id, .module = w->module->id, .span = call->span, .depth = w->instance->witness.depth + 1};
}

/* Inside a method `self` stands for any object of its class, wherever that was made. Eager methods are analysed for the class
 * that defines them where the object's own class makes no difference. */
static void settle_receiver(Walker *w, Request *request, const Function *function) {
  const Value *self = request->param_len ? request->params[0] : NULL;
  if (!function->owner || !self || self->obj_len != 1 || self->objs[0]->kind != OBJ_INSTANCE) return;
  ClassRef cls = self->objs[0]->cls;
  if (!ctx_traced(request->context)) cls = eager_receiver(w->flow, request->func, function, cls);
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_INSTANCE, .cls = cls, .env = NO_INSTANCE, .site = {cls.module, 0, NO_INSTANCE}};
  Value *as_owner = value_copy(w->scratch, self);
  as_owner->objs[0] = obj;
  request->params[0] = as_owner;
  request->receiver = cls;
}

/* What a partial holds does not cross into the trace: `ds.map(partial(f, names=array))` reads the array. Only tf.function makes
 * inputs of the keywords of a partial. */
static bool stays_outside(const Call *call, const Param *param, uint32_t position) {
  const Args *args = call->args;
  if (position < args->positional) return param->kind <= PARAM_NORMAL && position < args->bound;
  if (call->root != ROOT_DATASET && call->root != ROOT_CALLBACK) return false;
  for (uint32_t i = args->len - args->bound_named; param->name && i < args->len; i++) {
    if (args->names[i] == param->name->u.name.id) return true;
  }
  return false;
}

const Value *call_function(Walker *w, const Obj *obj, const Call *call) {
  static const Args unseen = {.has_star = true, .has_kwstar = true};  // test code decides nothing about other code
  const Module *module = project_module(w->project, obj->func.module);
  const Function *function = project_function(w->project, obj->func);
  Request request = {.func = obj->func,
                     .context = callee_context(w, obj, call->context, call->root),
                     .receiver = receiver_of(w, obj, function),
                     .env = obj->env,
                     .param_len = function->param_len,
                     .witness = witness_of(w, call)};
  request.params =
      bind_args(w, module, function, obj->self, w->module->is_test && !module->is_test ? &unseen : call->args);
  // What helps a constructor belongs to it: `def __init__(self): fill(self)`.
  bool helps_setup = call->root == ROOT_NONE && !ctx_traced(request.context) && is_own_setup(w->function);
  if (call->setup || helps_setup) request.context |= CTX_SETUP;
  settle_receiver(w, &request, function);
  if (call->root != ROOT_NONE) {
    uint32_t skip = obj->self ? 1 : 0;
    if (skip && request.param_len && !ctx_traced(w->context))
      request.params[0] = to_traced(w->scratch, request.params[0]);  // the receiver lives on outside
    for (uint32_t i = skip; i < function->param_len; i++) {
      if (stays_outside(call, &function->params[i], i - skip)) continue;
      request.params[i] =
          guess_param(w, module, function, &function->params[i], request.params[i], call->spec, i - skip);
    }
  }
  return instance_result(w, &request);
}

/* ---- traced functions ---- */

static Context traced_context(const TraceSpec *spec, Context caller) {
  Context context = CTX_TRACED;
  if (ctx_traced(caller)) {
    context |= caller & (CTX_JIT | CTX_JIT_UNKNOWN | CTX_GUARDED | CTX_SKIPPABLE | CTX_TENSOR_BRANCH | CTX_TENSOR_LOOP |
                         CTX_INIT_SCOPE);
  }
  context |= caller & CTX_GRAPH;
  if (spec->autograph == TRI_NO) context |= CTX_AUTOGRAPH_OFF;
  if (spec->autograph == TRI_UNKNOWN) context |= CTX_AUTOGRAPH_UNKNOWN;
  if (spec->jit == TRI_YES) context |= CTX_JIT;
  if (spec->jit == TRI_UNKNOWN) context |= CTX_JIT_UNKNOWN;
  return context;
}

static const Args *traced_args(Walker *w, const Args *args) {
  Args *traced = arena_new(w->scratch, Args);
  *traced = *args;
  traced->values = arena_array(w->scratch, const Value *, args->len + 1);
  for (uint32_t i = 0; i < args->len; i++) traced->values[i] = to_traced(w->scratch, args->values[i]);
  return traced;
}

static void record_call(Walker *w, const Obj *traced, const Call *call) {
  if (!call->expr) return;
  record_run(w, call->span.start);
  CallRecord record = {.traced = traced,
                       .module = w->module->id,
                       .func = w->instance->func,
                       .caller = w->instance->id,
                       .context = w->context,
                       .span = call->span,
                       .expr = call->expr,
                       .args = args_copy(w->out->arena, call->args),
                       .in_loop = (call->context & CTX_IN_LOOP) != 0,
                       .trip_count = -1,
                       .is_test = w->module->is_test};
  const Region *loop = frame_region_of(w, REGION_PYTHON_LOOP);
  if (loop) record.trip_count = loop->trip_count;
  vec_push(w->out->arena, &w->out->records.calls, record);
}

/* The wrapped callable with the receiver the traced function was found on. */
static const Value *traced_target(Walker *w, const Obj *traced) {
  if (!traced->target || traced->target->obj_len != 1) return traced->target;
  const Value *self = traced->target->objs[0]->self ? traced->target->objs[0]->self : traced->self;
  if (!self) return traced->target;
  Obj *bound = arena_new(w->scratch, Obj);
  *bound = *traced->target->objs[0];
  bound->self = self;
  return value_of_obj(w->scratch, traced->target->kinds, bound);
}

const Value *call_traced(Walker *w, const Obj *traced, const Call *call) {
  record_call(w, traced, call);
  const Value *target = traced_target(w, traced);
  if (!target || !target->obj_len) return &value_unknown;
  bool from_eager = !ctx_traced(call->context);
  Call inner = *call;
  inner.expr = NULL;
  inner.context = traced_context(traced->trace, call->context);
  inner.spec = traced->trace;
  if (from_eager) inner.args = traced_args(w, call->args);
  if (call->root == ROOT_NONE) {
    inner.root = traced->trace->is_decorator ? ROOT_DECORATOR : ROOT_WRAPPED;
    inner.root_module = traced->trace->module;
    inner.root_span = traced->trace->span;
    inner.root_api = traced->trace->api;
  }
  const Value *result = call_value(w, target, &inner);
  return from_eager ? from_traced(w->scratch, result) : result;
}

/* ---- classes and objects ---- */

static void record_make(Walker *w, const Obj *obj, const Call *call) {
  MakeRecord record = {.obj = obj,
                       .module = w->module->id,
                       .func = w->instance->func,
                       .context = w->context,
                       .span = call->span,
                       .in_loop = obj->many,
                       .is_test = w->module->is_test};
  vec_push(w->out->arena, &w->out->records.makes, record);
}

Site site_of(const Walker *w, const Call *call) {
  return (Site){w->module->id, call->expr ? call->expr->id : call->span.start, w->instance->id};
}

const Value *construct(Walker *w, const Obj *cls, const Call *call) {
  const ClassInfo *info = project_class_info(w->project, cls->cls);
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){
      .kind = OBJ_INSTANCE, .cls = cls->cls, .env = NO_INSTANCE, .site = site_of(w, call), .many = in_python_loop(w)};
  record_make(w, obj, call);
  Value *instance = value_copy(w->scratch, value_of_obj(w->scratch, (KindSet)1 << info->instance_kind, obj));
  instance->origin = ORIGIN_FRESH;
  instance->flags |= VF_FRESH;
  instance->why = (Why){WHY_CONSTRUCTED, w->module->id, call->span, info->class_->name};
  const Value *init = member_value(w, instance, sym_intern(w->project->symbols, S("__init__")), call->span, NULL, NULL);
  if (value_has(init, KIND(FUNCTION))) {
    Call inner = *call;
    inner.expr = NULL;
    inner.setup = !ctx_traced(call->context);
    call_value(w, init, &inner);
  } else {
    construct_fields(w, info, instance, call);
  }
  return instance;
}

static bool any_keras_tensor(const Args *args) {
  for (uint32_t i = 0; i < args->len; i++) {
    if (value_has(args->values[i], KIND(KERAS_TENSOR))) return true;
    const Value *elem = args->values[i]->elem;
    if (value_has(args->values[i], KINDS_CONTAINER) && elem && value_has(elem, KIND(KERAS_TENSOR))) return true;
    for (uint32_t p = 0; p < args->values[i]->part_len; p++) {
      if (value_has(args->values[i]->parts[p], KIND(KERAS_TENSOR))) return true;
    }
  }
  return false;
}

const Value *tensor_here(Walker *w, Span span) {
  Value *tensor = value_new(w->scratch, ctx_traced(w->context) ? KIND(TENSOR) : KIND(EAGER_TENSOR));
  tensor->origin = ORIGIN_FRESH;
  tensor->why = (Why){WHY_RESULT, w->module->id, span, NULL};
  return tensor;
}

/* What a layer gives whose code is not visible: a tensor, or a structure of them. Losses and metrics give one tensor. */
static const Value *open_result(Walker *w, const Value *object, const Call *call) {
  bool one = value_has(object, KIND(LOSS) | KIND(METRIC));
  return value_with_flags(w->scratch, tensor_here(w, call->span), one ? 0 : VF_PERHAPS_NEST, 0);
}

/* Keras 2 leaves its steps as they are without switching conversion off: layers called from them are converted again. */
static bool in_keras_step(const Walker *w) {
  return w->receiver && w->function->name && keras_method(w->receiver->instance_kind, w->function->name->text);
}

static Context keras_call_context(Walker *w, Context caller) {
  if (!ctx_traced(caller)) return caller;
  const KerasMethod *method = keras_method(K_LAYER, S("call"));
  Context context = keras_method_context(method, w->module->flavor ? w->module->flavor : w->project->flavor);
  Context keep = caller & ~(Context)(CTX_AUTOGRAPH_UNKNOWN);
  bool only_left_alone = in_keras_step(w) && !(context & CTX_AUTOGRAPH_OFF);
  if ((caller & CTX_AUTOGRAPH_OFF) && !only_left_alone) return keep | CTX_KERAS_CALL;
  if (only_left_alone) keep &= ~(Context)CTX_AUTOGRAPH_OFF;
  return keep | (context & (CTX_AUTOGRAPH_OFF | CTX_AUTOGRAPH_UNKNOWN)) | CTX_KERAS_CALL;
}

const Value *call_instance(Walker *w, const Value *object, const Obj *obj, const Call *call) {
  bool keras = value_has(object, KIND(LAYER) | KIND(MODEL) | KIND(LOSS));
  if (keras && any_keras_tensor(call->args)) return value_new(w->scratch, KIND(KERAS_TENSOR));
  Value *self = value_copy(w->scratch, value_of_obj(w->scratch, object->kinds & ~KIND(NONE), obj));
  self->origin = object->origin;
  Str fallbacks[] = {S("__call__"), S("call")};
  for (int i = 0; i < (keras ? 2 : 1); i++) {
    Sym name = sym_intern(w->project->symbols, fallbacks[i]);
    const Value *method = member_value(w, self, name, call->span, NULL, NULL);
    if (!value_has(method, KIND(FUNCTION) | KIND(TRACED))) continue;
    Call inner = *call;
    if (keras) inner.context = keras_call_context(w, call->context);
    return call_value(w, method, &inner);
  }
  return keras || value_has(object, KIND(METRIC)) ? open_result(w, object, call) : &value_unknown;
}

/* Keras' own layers leave the batch axis alone. */
static const Value *keep_batch_axis(Walker *w, const Value *object, const Call *call, const Value *result) {
  const Value *input = call->args->positional ? call->args->values[0] : NULL;
  if (!value_is(object, KIND(LAYER)) || !input || !value_is(input, KIND(TENSOR)) || input->dims[0] != DIM_NONE)
    return result;
  if (!value_is(result, KIND(TENSOR)) || result->rank != RANK_UNKNOWN) return result;
  Value *batched = value_copy(w->scratch, result);
  batched->dims[0] = DIM_NONE;
  return batched;
}

/* What a functional model gives, in the structure of its outputs. */
static const Value *model_result(Walker *w, const Value *model, const Call *call) {
  const Value *outputs = model->elem;
  if (value_is(outputs, KIND(KERAS_TENSOR))) return tensor_here(w, call->span);
  if (!value_is(outputs, KINDS_CONTAINER) || !outputs->parts_exact) return &value_unknown;
  Value *result = value_copy(w->scratch, outputs);
  result->parts = arena_array(w->scratch, const Value *, outputs->part_len + 1u);
  for (uint32_t i = 0; i < outputs->part_len; i++) {
    bool single = value_is(outputs->parts[i], KIND(KERAS_TENSOR));
    result->parts[i] = single ? tensor_here(w, call->span) : &value_unknown;
  }
  return result;
}

static const Value *call_api_instance(Walker *w, const Value *object, const Obj *obj, const Call *call) {
  Str found;
  const ApiFact *fact = catalog_api_member(w->project->catalog, obj->api->text, S("__call__"), &found);
  bool keras = value_has(object, KIND(LAYER) | KIND(MODEL) | KIND(LOSS));
  if (keras && any_keras_tensor(call->args)) return value_new(w->scratch, KIND(KERAS_TENSOR));
  if (value_is(object, KIND(MODEL)) && object->elem) return model_result(w, object, call);
  if (!fact) return keras || value_has(object, KIND(METRIC)) ? open_result(w, object, call) : &value_unknown;
  Call inner = *call;
  inner.receiver = object;
  return keep_batch_axis(w, object, call, call_api(w, sym_intern(w->project->symbols, found), fact, &inner));
}

/* ---- partials ---- */

const Value *call_partial(Walker *w, const Obj *partial, const Call *call) {
  static const Args unseen = {.has_star = true, .has_kwstar = true};
  const BoundArgs *bound = partial->bound;
  if (!bound) {  // several partials of one function: arguments not known
    Call open = *call;
    open.args = &unseen;
    return partial->target ? call_value(w, partial->target, &open) : &value_unknown;
  }
  const Args *given = call->args;
  Args *args = arena_new(w->scratch, Args);
  uint32_t most = bound->arg_len + bound->named_len + given->len + 1;
  const Value **values = arena_array(w->scratch, const Value *, most);
  const Expr **exprs = arena_array(w->scratch, const Expr *, most);
  Sym *names = arena_array(w->scratch, Sym, most);
  uint32_t len = 0;
  for (uint32_t i = 0; i < bound->arg_len; i++) values[len++] = bound->args[i];
  for (uint32_t i = 0; i < given->positional; i++, len++) {
    values[len] = given->values[i];
    exprs[len] = given->exprs[i];
  }
  *args = *given;
  args->positional = len;
  for (uint32_t i = given->positional; i < given->len; i++, len++) {
    values[len] = given->values[i];
    exprs[len] = given->exprs[i];
    names[len] = given->names[i];
  }
  for (uint32_t i = 0; i < bound->named_len; i++) {
    if (keyword_value(given, bound->names[i])) continue;
    values[len] = bound->named[i];
    names[len++] = bound->names[i];
  }
  args->values = values;
  args->exprs = exprs;
  args->names = names;
  args->bound_named = len - (bound->arg_len + given->len);
  args->bound = bound->arg_len;
  args->len = len;
  Call inner = *call;
  inner.args = args;
  return partial->target ? call_value(w, partial->target, &inner) : &value_unknown;
}

/* ---- dispatch ---- */

/* Variables are read before the function sees them. */
static const Args *args_read(Walker *w, const Args *args) {
  Args *read = arena_new(w->scratch, Args);
  *read = *args;
  read->values = arena_array(w->scratch, const Value *, args->len + 1);
  for (uint32_t i = 0; i < args->len; i++) read->values[i] = variables_read(w->scratch, args->values[i]);
  return read;
}

/* tf.custom_gradient: the function returns its result and a gradient function, which is traced where the function is. */
static const Value *call_with_gradient(Walker *w, const Obj *obj, const Call *call) {
  Call forward = *call;
  if (ctx_traced(call->context)) forward.args = args_read(w, call->args);
  const Value *returned = call_function(w, obj, &forward);
  if (!value_is(returned, KIND(TUPLE)) || !returned->parts_exact || returned->part_len != 2) return returned;
  const Value *gradient = returned->parts[1];
  const Args *upstream = repeat_args(w, tensor_here(w, call->span), callable_arity(w, gradient));
  Call backward = {.span = call->span, .args = upstream, .context = call->context};
  if (ctx_traced(call->context) && !is_written_in_converted(w, gradient))
    backward.context = (backward.context | CTX_AUTOGRAPH_OFF) & ~(Context)CTX_AUTOGRAPH_UNKNOWN;
  if (value_has(gradient, KIND(FUNCTION))) call_value(w, gradient, &backward);
  return returned->parts[0];
}

static const Value *call_obj(Walker *w, const Value *callee, const Obj *obj, const Call *call) {
  switch (obj->kind) {
    case OBJ_FUNCTION:
      return obj->gives_gradient ? call_with_gradient(w, obj, call) : call_function(w, obj, call);
    case OBJ_TRACED:
      return call_traced(w, obj, call);
    case OBJ_CLASS:
      return construct(w, obj, call);
    case OBJ_INSTANCE:
      return call_instance(w, callee, obj, call);
    case OBJ_API_INSTANCE:
      return call_api_instance(w, callee, obj, call);
    case OBJ_PARTIAL:
      return call_partial(w, obj, call);
    case OBJ_API:
    case OBJ_API_METHOD: {
      Call inner = *call;
      inner.receiver = obj->self;
      return call_api(w, obj->api, catalog_api(w->project->catalog, obj->api->text), &inner);
    }
    case OBJ_MODULE:
      return &value_unknown;
  }
  return &value_unknown;
}

const Value *call_value(Walker *w, const Value *callee, const Call *call) {
  if (!callee->kinds) return &value_bottom;
  const Value *join = value_is_unknown(callee) ? &value_unknown : NULL;
  for (uint32_t i = 0; i < callee->obj_len; i++) {
    join = value_join(w->scratch, join, call_obj(w, callee, callee->objs[i], call));
  }
  if (join) return join;
  if (value_is(callee, KIND(LAYER) | KIND(MODEL) | KIND(LOSS))) return open_result(w, callee, call);
  return &value_unknown;
}

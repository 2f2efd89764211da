/* Functions that need code: wrappers and decorators here, the rest in builtin.c, tensor.c, dataset.c and fields.c. */
#include "flow/special.h"

const Value *call_arg(const Call *call, uint32_t position, Str keyword) {
  return call->args ? args_get(call->args, position, keyword) : NULL;
}

/* ---- functools.partial, and decorators that wait for their function ---- */

static const Value *make_partial(Walker *w, const Value *target, const Args *args, uint32_t from) {
  BoundArgs *bound = arena_new(w->scratch, BoundArgs);
  uint32_t len = args->len + 1;
  bound->args = arena_array(w->scratch, const Value *, len);
  bound->named = arena_array(w->scratch, const Value *, len);
  bound->names = arena_array(w->scratch, Sym, len);
  for (uint32_t i = from; i < args->positional; i++) bound->args[bound->arg_len++] = args->values[i];
  for (uint32_t i = args->positional; i < args->len; i++) {
    bound->names[bound->named_len] = args->names[i];
    bound->named[bound->named_len++] = args->values[i];
  }
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_PARTIAL, .target = target, .bound = bound, .env = NO_INSTANCE};
  return value_of_obj(w->scratch, KIND(FUNCTION), obj);
}

static const Value *special_partial(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *target = call_arg(call, 0, S(""));
  return target && target->obj_len ? make_partial(w, target, call->args, 1) : &value_unknown;
}

/* `partialmethod(f, …)` in a class body: a partial that binds. */
static const Value *special_partialmethod(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *partial = special_partial(w, fact, call);
  if (partial->obj_len != 1) return partial;
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = *partial->objs[0];
  obj->binding = METHOD_PARTIAL;
  return value_of_obj(w->scratch, KIND(FUNCTION), obj);
}

/* ---- tf.function ---- */

static Tri tri_of(const Value *value, Tri absent) {
  if (!value || value_is(value, KIND(NONE))) return absent;
  if (value->konst != KONST_BOOL) return TRI_UNKNOWN;
  return value->constant.i ? TRI_YES : TRI_NO;
}

const TraceSpec *trace_spec(Walker *w, Sym api, const Args *args, Span span, bool is_decorator) {
  TraceSpec *spec = arena_new(w->scratch, TraceSpec);
  const Value *jit = args_get(args, 3, S("jit_compile"));
  if (!jit) jit = args_get(args, UINT32_MAX, S("experimental_compile"));
  bool wrapper_off = !str_eq(api->text, S("tensorflow.function"));  // tf_agents' wrapper defaults to autograph=False
  spec->autograph = tri_of(args_get(args, 2, S("autograph")), wrapper_off ? TRI_UNKNOWN : TRI_YES);
  spec->jit = tri_of(jit, TRI_NO);
  const Value *reduce = args_get(args, 4, S("reduce_retracing"));
  if (!reduce) reduce = args_get(args, UINT32_MAX, S("experimental_relax_shapes"));
  spec->reduce_retracing = tri_of(reduce, TRI_NO);
  const Value *signature = args_get(args, 1, S("input_signature"));
  spec->has_signature = (signature && !value_is(signature, KIND(NONE))) || args->has_kwstar;
  spec->signature = signature;
  spec->is_decorator = is_decorator;
  spec->module = w->module->id;
  spec->span = span;
  spec->api = api;
  return spec;
}

const Value *make_traced(Walker *w, const Value *target, const TraceSpec *spec, Site site) {
  Obj *obj = arena_new(w->scratch, Obj);
  bool many = in_python_loop(w);
  *obj = (Obj){.kind = OBJ_TRACED, .target = target, .trace = spec, .env = NO_INSTANCE, .site = site, .many = many};
  MakeRecord record = {.obj = obj,
                       .module = w->module->id,
                       .func = w->instance->func,
                       .context = w->context,
                       .span = spec->span,
                       .in_loop = many,
                       .is_test = w->module->is_test};
  vec_push(w->out->arena, &w->out->records.makes, record);
  Value *value = value_copy(w->scratch, value_of_obj(w->scratch, KIND(TRACED), obj));
  value->origin = ORIGIN_FRESH;
  value->flags |= VF_FRESH;
  return value;
}

static bool is_callable(const Value *v) {
  return v && value_has(v, KIND(FUNCTION) | KIND(TRACED) | KIND(API) | KIND(LAYER) | KIND(MODEL) | KIND(INSTANCE) |
                               KIND(CLASS));
}

static const Value *the_api(Walker *w, Sym name) {
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_API, .api = name, .env = NO_INSTANCE};
  return value_of_obj(w->scratch, KIND(API), obj);
}

/* The options of `tf.function(None, None, False)` by name, so that the function can still come first. */
static const Args *named_options(Walker *w, const Args *args) {
  static const Str names[] = {S_INIT("func"), S_INIT("input_signature"), S_INIT("autograph"), S_INIT("jit_compile"),
                              S_INIT("reduce_retracing")};
  Args *named = arena_new(w->scratch, Args);
  named->exprs = arena_array(w->scratch, const Expr *, args->len + 1);
  named->values = arena_array(w->scratch, const Value *, args->len + 1);
  Sym *keys = arena_array(w->scratch, Sym, args->len + 1);
  named->has_kwstar = args->has_kwstar;
  for (uint32_t i = 0; i < args->len; i++) {
    bool positional = i < args->positional;
    if (positional && (i == 0 || i >= sizeof names / sizeof *names)) continue;
    if (!positional && sym_is(args->names[i], S("func"))) continue;
    named->exprs[named->len] = args->exprs[i];
    named->values[named->len] = args->values[i];
    keys[named->len++] = positional ? sym_intern(w->project->symbols, names[i]) : args->names[i];
  }
  named->names = keys;
  return named;
}

static const Value *wrap_traced(Walker *w, Sym name, const Call *call) {
  const Value *target = call_arg(call, 0, S("func"));
  if (!target || value_is(target, KIND(NONE)))
    return make_partial(w, the_api(w, name), named_options(w, call->args), 0);
  if (!is_callable(target)) return &value_unknown;
  const TraceSpec *spec = trace_spec(w, name, call->args, call->span, call->decorates);
  return make_traced(w, target, spec, site_of(w, call));
}

/* ---- wrappers that give the function back ---- */

typedef enum WrapChange { WRAP_NO_AUTOGRAPH, WRAP_ONCE, WRAP_BINDING, WRAP_GRADIENT } WrapChange;

static const Value *changed_function(Walker *w, const Value *target, WrapChange change, uint8_t binding) {
  if (!target->obj_len) return target;
  const Value *join = NULL;
  for (uint32_t i = 0; i < target->obj_len; i++) {
    Obj *obj = arena_new(w->scratch, Obj);
    *obj = *target->objs[i];
    if (change == WRAP_NO_AUTOGRAPH) obj->no_autograph = true;
    if (change == WRAP_ONCE) obj->once = true;
    if (change == WRAP_GRADIENT) obj->gives_gradient = true;
    if (change == WRAP_BINDING) obj->binding = binding;
    join = value_join(w->scratch, join, value_of_obj(w->scratch, target->kinds, obj));
  }
  return join;
}

static const Value *wrap_same(Walker *w, Sym name, const ApiFact *fact, const Call *call) {
  const ApiCallable *how = fact->callable_len ? &fact->callables[0] : NULL;
  const Value *target = call_arg(call, how && how->arg >= 0 ? (uint32_t)how->arg : 0, how ? how->keyword : S(""));
  if (!is_callable(target)) return the_api(w, name);  // @lru_cache(maxsize=8): waits for the function
  if (fact->tags & TAG(NO_AUTOGRAPH)) return changed_function(w, target, WRAP_NO_AUTOGRAPH, 0);
  if (str_ends(name->text, S("cached_property"))) {
    return changed_function(w, target, WRAP_BINDING, METHOD_CACHED_PROPERTY);
  }
  if (fact->tags & TAG(ONCE)) return changed_function(w, target, WRAP_ONCE, 0);
  if (str_eq(name->text, S("tensorflow.custom_gradient"))) return changed_function(w, target, WRAP_GRADIENT, 0);
  return target;
}

static bool gives_same(const ApiFact *fact) {
  if (!fact) return false;
  if (fact->tags & (TAG(NO_AUTOGRAPH) | TAG(ONCE))) return true;
  return fact->callable_len && fact->callables[0].mode == RUN_SAME;
}

static const Value *special_binding(Walker *w, Str name, const Call *call) {
  static const struct {
    Str name;
    MethodBinding binding;
  } table[] = {
      {S_INIT("builtins.staticmethod"), METHOD_STATIC},
      {S_INIT("builtins.classmethod"), METHOD_CLASS},
      {S_INIT("builtins.property"), METHOD_PROPERTY},
      {S_INIT("abc.abstractproperty"), METHOD_PROPERTY},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (!str_eq(name, table[i].name)) continue;
    const Value *target = call_arg(call, 0, S("fget"));
    return is_callable(target) ? changed_function(w, target, WRAP_BINDING, table[i].binding) : &value_unknown;
  }
  return NULL;
}

/* ---- tests of the world ---- */

static const Value *world_test(Walker *w, const ApiFact *fact, const Call *call) {
  bool traced = ctx_traced(call->context) && !(call->context & CTX_INIT_SCOPE);
  return value_bool(w->scratch, (fact->tags & TAG(EAGER_TEST)) ? !traced : traced);
}

/* ---- the tables ---- */

static const Value *from_table(Walker *w, const Special *table, uint32_t len, Str name, const ApiFact *fact,
                               const Call *call) {
  for (uint32_t i = 0; i < len; i++) {
    if (str_eq(table[i].name, name)) return table[i].run(w, fact, call);
  }
  return NULL;
}

static const Value *find_special(Walker *w, Str name, const ApiFact *fact, const Call *call) {
  if (str_eq(name, S("functools.partial"))) return special_partial(w, fact, call);
  if (str_eq(name, S("functools.partialmethod"))) return special_partialmethod(w, fact, call);
  if (str_eq(name, S("functools.reduce"))) return special_fold(w, fact, call);
  if (str_eq(name, S("dataclasses.field"))) return special_field(w, fact, call);
  if (str_starts(name, S("builtins."))) {
    const Value *bound = special_binding(w, name, call);
    return bound ? bound : from_table(w, builtin_specials, builtin_special_len, name, fact, call);
  }
  if (str_starts(name, S("tensorflow.data.")))
    return from_table(w, dataset_specials, dataset_special_len, name, fact, call);
  return from_table(w, tensor_specials, tensor_special_len, name, fact, call);
}

bool call_special(Walker *w, Sym name, const ApiFact *fact, const Call *call, const Value **result) {
  *result = NULL;
  if (!call->args) return false;
  if (fact && (fact->tags & TAG(TRACING_DECORATOR))) {
    *result = wrap_traced(w, name, call);
  } else if (fact && (fact->tags & (TAG(EAGER_TEST) | TAG(TRACE_TEST)))) {
    *result = world_test(w, fact, call);
  } else if (gives_same(fact)) {
    *result = wrap_same(w, name, fact, call);
  } else {
    *result = find_special(w, name->text, fact, call);
  }
  return *result != NULL;
}

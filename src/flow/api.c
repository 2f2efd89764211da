/* Calls of the outside world, by facts: results from value specs, and the callables that an API runs.
 *
 * Requires: facts of rules/api. What needs more than a fact can say is in special.c.
 */
#include "flow/walk.h"

/* ---- values from specs ---- */

static const Value *arg_at(const Call *call, int32_t at) {
  if (!call->args || at < 0 || (uint32_t)at >= call->args->positional) return NULL;
  return call->args->values[at];
}

static const Value *spec_arg(Walker *w, const ValueSpec *spec, const Call *call, const ApiFact *fact) {
  const Value *arg = arg_at(call, spec->arg);
  if (!arg && call->args && fact && (uint32_t)spec->arg < fact->params.len) {
    arg = args_get(call->args, UINT32_MAX, fact->params.data[spec->arg]);
  }
  if (!arg) return &value_unknown;
  return spec->form == SPEC_ELEM_OF_ARG ? value_element(w->scratch, arg) : arg;
}

static DType dtype_of_arg(const Value *arg) {
  if (arg->konst == KONST_STR) {
    DType parsed;
    return dtype_parse(arg->constant.s, &parsed) ? parsed : DT_STRING;
  }
  return (DType)arg->dtype;
}

/* `dtype=`, `out_type=`, `output_type=` say it outright. */
static const Value *asked_dtype(const Call *call, const ApiFact *fact) {
  static const Str names[] = {S_INIT("dtype"), S_INIT("out_type"), S_INIT("output_type")};
  for (size_t n = 0; call->args && n < sizeof names / sizeof *names; n++) {
    uint32_t position = UINT32_MAX;
    for (uint32_t i = 0; fact && i < fact->params.len; i++) {
      if (str_eq(fact->params.data[i], names[n])) position = i;
    }
    const Value *given = args_get(call->args, position, names[n]);
    if (given && !value_is(given, KIND(NONE))) return given;
  }
  return NULL;
}

static void spec_dtype(Walker *w, const ValueSpec *spec, const Call *call, const ApiFact *fact, Value *value) {
  value->dtype = (uint8_t)spec->dtype;
  const Value *asked = asked_dtype(call, fact);
  if (asked) value->dtype = (uint8_t)dtype_of_arg(asked);
  if (asked || spec->dtype_like < 0) return;
  ValueSpec like = {.form = SPEC_ARG, .arg = spec->dtype_like};
  const Value *arg = spec_arg(w, &like, call, fact);
  DType dtype = dtype_of_arg(arg);
  if (dtype != DT_UNKNOWN) value->dtype = (uint8_t)dtype;
}

/* A fact says "tensor": symbolic inside a trace, concrete outside; Keras' symbolic inputs stay Keras tensors. */
static Kind tensor_kind_here(Walker *w, const Call *call) {
  if (frame_region_of(w, REGION_INIT_SCOPE) || (w->context & CTX_INIT_SCOPE)) return K_EAGER_TENSOR;
  for (uint32_t i = 0; call->args && i < call->args->len; i++) {
    if (value_is(call->args->values[i], KIND(KERAS_TENSOR))) return K_KERAS_TENSOR;
  }
  return ctx_traced(call->context) ? K_TENSOR : K_EAGER_TENSOR;
}

static const Value *spec_kind(Walker *w, const ValueSpec *spec, const Call *call, const ApiFact *fact) {
  Kind kind = spec->kind == K_TENSOR ? tensor_kind_here(w, call) : spec->kind;
  Value *value = value_new(w->scratch, (KindSet)1 << kind);
  value->origin = ORIGIN_FRESH;
  value->rank = (int8_t)spec->rank;
  spec_dtype(w, spec, call, fact, value);
  if (spec->dim0_none) {
    value->dims[0] = DIM_NONE;
    if (spec->rank == 1) value->dim_len = 1;
  }
  /* The default for all of TensorFlow: nobody has looked at this function, it may give several. */
  bool by_default = fact && str_eq(fact->name, S("tensorflow.**"));
  if (by_default && spec->kind == K_TENSOR) value->flags |= VF_PERHAPS_NEST;
  if (fact) {
    Sym name = by_default ? NULL : sym_intern(w->project->symbols, fact->name);
    value->why = (Why){WHY_RESULT, w->module->id, call->span, name};
  }
  if (!spec->part_len) return value;
  const Value **parts = arena_array(w->scratch, const Value *, spec->part_len);
  for (uint32_t i = 0; i < spec->part_len; i++) parts[i] = spec_value(w, &spec->parts[i], call, fact);
  if (kind == K_TUPLE && spec->part_len > 1) {
    value->parts = parts;
    value->part_len = (uint8_t)spec->part_len;
    value->parts_exact = true;
  } else {
    value->elem = parts[0];
  }
  return value;
}

/* What the container holds: of a dict its values, which iterating it does not give. One that is empty adds nothing to what a
 * default says: `rows.setdefault(name, [])`. */
static const Value *held_by_receiver(Walker *w, const Call *call, bool alone) {
  const Value *receiver = call->receiver;
  if (!receiver) return &value_unknown;
  if (!receiver->kinds || !value_is(receiver, KIND(DICT))) return value_element(w->scratch, receiver);
  bool empty = receiver->parts_exact && !receiver->part_len;
  return empty && !alone ? &value_bottom : value_held(w->scratch, receiver);
}

const Value *spec_value(Walker *w, const ValueSpec *spec, const Call *call, const ApiFact *fact) {
  const Value *join = NULL;
  for (; spec; spec = spec->other) {
    const Value *one = &value_unknown;
    switch (spec->form) {
      case SPEC_KIND:
        one = spec_kind(w, spec, call, fact);
        break;
      case SPEC_ARG:
      case SPEC_ELEM_OF_ARG:
        one = spec_arg(w, spec, call, fact);
        break;
      case SPEC_SELF:
        one = call->receiver ? call->receiver : &value_unknown;
        break;
      case SPEC_ELEM_OF_SELF:
        one = held_by_receiver(w, call, !spec->other && !join);
        break;
    }
    join = value_join(w->scratch, join, one);
  }
  return join;
}

const Value *api_value(Walker *w, Sym name) {
  const ApiFact *fact = catalog_api(w->project->catalog, name->text);
  if (fact && fact->what == API_VALUE && fact->value) {
    Call none = {.context = w->context};
    const Value *value = spec_value(w, fact->value, &none, fact);
    return (fact->tags & TAG(ENVIRONMENT)) ? value_with_flags(w->scratch, value, VF_CLOCK, 0) : value;
  }
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_API, .api = name, .env = NO_INSTANCE};
  Value *value = value_copy(w->scratch, value_of_obj(w->scratch, KIND(API), obj));
  DType dtype;
  Str tail = str_sub(name->text, str_rfind_char(name->text, '.') + 1, name->text.len);
  bool numeric = str_starts(name->text, S("tensorflow.")) || str_starts(name->text, S("numpy."));
  if (numeric && dtype_parse(tail, &dtype)) {  // np.float32 is a class and a dtype
    value->dtype = (uint8_t)dtype;
    if (str_starts(name->text, S("tensorflow."))) value->kinds = KIND(DTYPE);
  }
  return value;
}

/* `tqdm(ds)`: Python steps through it, and no symbolic element is the last. */
static uint32_t iteration_flags(const ApiFact *fact, const Call *call) {
  if (!(fact->tags & TAG(WRAPS_ITERABLE)) || !call->args) return 0;
  for (uint32_t i = 0; i < call->args->positional; i++) {
    const Value *arg = call->args->values[i];
    if (arg->kinds && value_is(arg, KIND(DATASET) | KIND(ITERATOR))) return VF_OVER_DATASET;
    if (arg->flags & VF_OVER_DATASET) return VF_OVER_DATASET;
  }
  return 0;
}

/* `enumerate(tqdm(ds))` */
static bool walks_wrapped(const ApiFact *fact, const Call *call) {
  bool walks = false;
  for (uint32_t i = 0; (fact->tags & TAG(WRAPS_ITERABLE)) && call->args && i < call->args->positional; i++) {
    walks |= (call->args->values[i]->flags & VF_OVER_DATASET) != 0;
  }
  return walks;
}

const Value *api_instance(Walker *w, Sym cls, const ApiFact *fact, const Call *call) {
  const Value *made = fact->returns ? spec_value(w, fact->returns, call, fact) : value_new(w->scratch, KIND(OBJECT));
  if (value_is(made, KIND(TENSOR) | KIND(EAGER_TENSOR) | KINDS_CONTAINER | KINDS_PYTHON_SCALAR | KIND(KERAS_TENSOR)))
    return made;
  Obj *obj = arena_new(w->scratch, Obj);
  bool many = in_python_loop(w);
  *obj = (Obj){.kind = OBJ_API_INSTANCE, .api = cls, .env = NO_INSTANCE, .site = site_of(w, call), .many = many};
  Value *instance = value_copy(w->scratch, made);
  instance->objs[0] = obj;
  instance->obj_len = 1;
  instance->flags |= VF_FRESH | iteration_flags(fact, call);
  instance->origin = ORIGIN_FRESH;
  return instance;
}

/* ---- callables ---- */

static bool always_traced(const ApiCallable *callable, const Call *call) {
  return callable->mode == RUN_TRACED || (callable->mode == RUN_IN_TRACE && ctx_traced(call->context));
}

static Context callable_context(Walker *w, const ApiCallable *callable, const Call *call) {
  Context context = call->context;
  switch (callable->mode) {
    case RUN_EAGER:
      return 0;
    case RUN_GRAPH:
      return CTX_GRAPH | CTX_TRACED | CTX_AUTOGRAPH_OFF;
    case RUN_NOW:
      return context;
    case RUN_LATER:
      return context & CTX_TRACED ? context : 0;
    default:
      break;
  }
  if (!always_traced(callable, call)) return context;
  bool fresh_trace = !ctx_traced(context);
  context |= CTX_TRACED;
  /* Keras leaves `call` as it is without switching conversion off: map_fn in it converts what it is given (tried with 2.21). */
  if (callable->autograph == CALL_AUTOGRAPH_ON && (context & CTX_KERAS_CALL))
    context &= ~(Context)(CTX_AUTOGRAPH_OFF | CTX_AUTOGRAPH_UNKNOWN);
  if (fresh_trace) context &= ~(Context)CTX_IN_LOOP;
  if (callable->autograph == CALL_AUTOGRAPH_INHERIT && fresh_trace && w->module->flavor != KERAS_2) {
    context |= w->module->flavor == KERAS_3 ? CTX_AUTOGRAPH_OFF : CTX_AUTOGRAPH_UNKNOWN;
  }
  return context;
}

/* One value for every parameter the callable may have. */
const Args *repeat_args(Walker *w, const Value *value, uint32_t count) {
  Args *args = arena_new(w->scratch, Args);
  args->values = arena_array(w->scratch, const Value *, count + 1);
  args->exprs = arena_array(w->scratch, const Expr *, count + 1);
  args->names = arena_array(w->scratch, Sym, count + 1);
  for (uint32_t i = 0; i < count; i++) args->values[i] = value;
  args->len = args->positional = count;
  return args;
}

static Value *plain_tensor(Walker *w, KindSet kind, const Call *call, const ApiFact *fact) {
  Value *value = value_new(w->scratch, kind);
  value->origin = ORIGIN_PARAM;
  value->why = (Why){WHY_ELEMENT, w->module->id, call->span, sym_intern(w->project->symbols, fact->name)};
  if (kind & KIND(TENSOR)) value->flags = VF_PERHAPS_NEST;
  return value;
}

static const Args *spread(Walker *w, const Value *value) {
  if (!value->parts_exact || value->keys || !value_is(value, KIND(TUPLE) | KIND(LIST))) return repeat_args(w, value, 1);
  Args *args = arena_new(w->scratch, Args);
  *args = *repeat_args(w, &value_unknown, value->part_len);
  for (uint32_t i = 0; i < value->part_len; i++) args->values[i] = value->parts[i];
  return args;
}

/* How many positional parameters without default the callable takes; `self` of a bound method excluded. */
uint32_t callable_arity(Walker *w, const Value *callable) {
  if (callable->obj_len != 1) return 1;
  const Obj *obj = callable->objs[0];
  uint32_t bound = 0;
  if (obj->kind == OBJ_PARTIAL && obj->target && obj->target->obj_len == 1) {
    bound = obj->bound ? obj->bound->arg_len + obj->bound->named_len : 0;
    obj = obj->target->objs[0];
  }
  if (obj->kind == OBJ_TRACED && obj->target && obj->target->obj_len == 1) obj = obj->target->objs[0];
  if (obj->kind != OBJ_FUNCTION) return 1;
  const Function *function = project_function(w->project, obj->func);
  uint32_t count = 0;
  for (uint32_t i = 0; i < function->param_len; i++) {
    count += function->params[i].kind <= PARAM_NORMAL && !function->params[i].fallback;
  }
  bound += obj->self != NULL;
  return count > bound ? count - bound : 1;
}

/* One row of what is mapped over, in the same structure: `tf.map_fn(f, (xs, ys))` gives f a pair of rows. */
static const Value *row_of(Walker *w, const Value *from) {
  if (value_is(from, KIND(TENSOR)) && (from->flags & VF_PERHAPS_NEST)) {  // a nest of tensors gives a nest of rows
    const Value *one = value_with_flags(w->scratch, from, 0, VF_PERHAPS_NEST);
    return value_with_flags(w->scratch, value_element(w->scratch, one), VF_PERHAPS_NEST, 0);
  }
  if (!from->kinds || !value_is(from, KIND(LIST) | KIND(TUPLE) | KIND(DICT))) return value_element(w->scratch, from);
  Value *row = value_copy(w->scratch, from);
  row->origin = ORIGIN_FRESH;
  row->elem = from->elem ? value_element(w->scratch, from->elem) : NULL;
  row->parts = arena_array(w->scratch, const Value *, from->part_len + 1u);
  for (uint32_t i = 0; i < from->part_len; i++) row->parts[i] = value_element(w->scratch, from->parts[i]);
  return row;
}

static const Value *given_from(const ApiCallable *callable, const Call *call) {
  return args_get(call->args, callable->from >= 0 ? (uint32_t)callable->from : UINT32_MAX, callable->from_keyword);
}

static const Obj *plain_function(const Value *callable, uint32_t *bound) {
  *bound = 0;
  while (callable && callable->obj_len == 1) {
    const Obj *obj = callable->objs[0];
    if (obj->kind == OBJ_FUNCTION) {
      *bound += obj->self != NULL;
      return obj;
    }
    if (obj->kind == OBJ_PARTIAL && obj->bound) *bound += obj->bound->arg_len;
    callable = obj->target;
  }
  return NULL;
}

/* A part of an element whose structure is not visible: a tensor, unless the function uses it like a dict or tuple. */
static const Value *as_used(Walker *w, const Value *callable, uint32_t position, const Value *tensor) {
  uint32_t bound;
  const Obj *obj = plain_function(callable, &bound);
  if (!obj) return tensor;
  const Function *function = project_function(w->project, obj->func);
  if (position + bound >= function->param_len) return tensor;
  const Module *module = project_module(w->project, obj->func.module);
  ParamUse use = param_use(w, module, function, &function->params[position + bound]);
  if (!use.as_mapping && !use.as_sequence) {
    return use.as_tensor || use.as_operand ? value_with_flags(w->scratch, tensor, 0, VF_PERHAPS_NEST) : tensor;
  }
  Value *structure = value_new(w->scratch, use.as_mapping ? KIND(DICT) : KIND(TUPLE) | KIND(TENSOR));
  structure->elem = tensor;
  structure->origin = ORIGIN_PARAM;
  return structure;
}

/* An element of the receiver dataset: a tuple is spread over the parameters, anything else is one argument. */
static const Args *element_args(Walker *w, const Value *callable, const Call *call, const ApiFact *fact) {
  const Value *element = call->receiver && call->receiver->elem ? call->receiver->elem : &value_unknown;
  if (value_is(element, KIND(TUPLE)) && element->parts_exact) return spread(w, to_traced(w->scratch, element));
  uint32_t arity = callable_arity(w, callable);
  if (value_is(element, KIND(DATASET))) return repeat_args(w, element, arity);
  if (!value_is_unknown(element) && arity == 1) return repeat_args(w, to_traced(w->scratch, element), 1);
  const Args *args = repeat_args(w, plain_tensor(w, KIND(TENSOR), call, fact), arity);
  for (uint32_t i = 0; i < arity; i++) args->values[i] = as_used(w, callable, i, args->values[i]);
  return args;
}

static const Args *rows_as_used(Walker *w, const Value *callable, const Value *row) {
  const Args *args = repeat_args(w, row, callable_arity(w, callable));
  bool open = value_is(row, KIND(TENSOR)) && (row->flags & VF_PERHAPS_NEST);
  for (uint32_t i = 0; open && i < args->len; i++) args->values[i] = as_used(w, callable, i, row);
  return args;
}

static const Args *callable_args(Walker *w, const Value *callable, const ApiCallable *how, const Call *call,
                                 const ApiFact *fact) {
  const Value *from = given_from(how, call);
  switch (how->gives) {
    case GIVES_NOTHING:
      return repeat_args(w, &value_unknown, 0);
    case GIVES_ELEMENT:
      return element_args(w, callable, call, fact);
    case GIVES_STATE_ELEMENT: {
      const Args *element = element_args(w, callable, call, fact);
      Args *args = arena_new(w->scratch, Args);
      *args = *repeat_args(w, to_traced(w->scratch, from ? from : &value_unknown), 2);
      const Value *whole = call->receiver && call->receiver->elem ? call->receiver->elem : NULL;
      args->values[1] = whole ? to_traced(w->scratch, whole) : element->values[0];
      return args;
    }
    case GIVES_ELEM_OF_ARG:
      if (!from) return repeat_args(w, &value_unknown, callable_arity(w, callable));
      from = how->mode == RUN_NOW ? value_element(w->scratch, from) : row_of(w, from);
      return rows_as_used(w, callable, always_traced(how, call) ? to_traced(w->scratch, from) : from);
    case GIVES_ARGS_OF:
      if (!from) return repeat_args(w, &value_unknown, callable_arity(w, callable));
      return spread(w, always_traced(how, call) ? to_traced(w->scratch, from) : from);
    case GIVES_TENSORS:
    case GIVES_BATCH:
    case GIVES_BATCHES: {
      KindSet kind = ctx_traced(call->context) || how->mode == RUN_TRACED ? KIND(TENSOR) : KIND(EAGER_TENSOR);
      Value *tensor = plain_tensor(w, kind, call, fact);
      if (how->gives != GIVES_TENSORS && kind == KIND(TENSOR)) tensor->dims[0] = DIM_NONE;
      if (how->gives == GIVES_BATCH) tensor->flags &= ~(uint32_t)VF_PERHAPS_NEST;
      const Args *args = repeat_args(w, tensor, callable_arity(w, callable));
      for (uint32_t i = 0; i < args->len; i++) args->values[i] = as_used(w, callable, i, args->values[i]);
      return args;
    }
    case GIVES_ARRAYS:
      return repeat_args(w, plain_tensor(w, KIND(ARRAY), call, fact), callable_arity(w, callable));
    case GIVES_EAGER:
      return repeat_args(w, plain_tensor(w, KIND(EAGER_TENSOR), call, fact), callable_arity(w, callable));
    case GIVES_UNKNOWN:
      break;
  }
  Args *unknown = arena_new(w->scratch, Args);
  *unknown = *repeat_args(w, &value_unknown, 0);
  unknown->has_star = unknown->has_kwstar = true;
  return unknown;
}

static RootKind callable_root(const ApiFact *fact, const ApiCallable *how, const Call *call) {
  if (how->mode == RUN_GRAPH) return ROOT_CALLBACK;
  if (how->mode != RUN_TRACED || ctx_traced(call->context)) return ROOT_NONE;
  if (str_starts(fact->name, S("tensorflow.data."))) return ROOT_DATASET;
  return str_starts(fact->name, S("keras.")) ? ROOT_KERAS_ARGUMENT : ROOT_CALLBACK;
}

/* TensorFlow's own code is not converted, and what it calls is not either, unless it asks for that (tried with 2.21: map_fn,
 * strategy.run and tf.data do, cond, while_loop, scan and foldl do not). */
static bool calls_as_is(const ApiCallable *how) {
  if (how->autograph == CALL_AUTOGRAPH_OFF) return true;
  return how->autograph == CALL_AUTOGRAPH_INHERIT && (how->mode == RUN_NOW || how->mode == RUN_IN_TRACE);
}

static const Value *run_one(Walker *w, const Value *callable, const ApiCallable *how, const Call *call,
                            const ApiFact *fact) {
  if (!value_has(callable, KIND(FUNCTION) | KIND(TRACED) | KIND(INSTANCE) | KIND(LAYER) | KIND(MODEL) | KIND(OBJECT)))
    return NULL;
  Call inner = {.span = call->span,
                .args = callable_args(w, callable, how, call, fact),
                .context = callable_context(w, how, call),
                .root = callable_root(fact, how, call),
                .root_module = w->module->id,
                .root_span = call->span,
                .root_api = sym_intern(w->project->symbols, fact->name)};
  if (calls_as_is(how) && ctx_autograph_on(inner.context) && !is_written_in_converted(w, callable)) {
    inner.context |= CTX_AUTOGRAPH_OFF;
  }
  return call_value(w, callable, &inner);
}

/* Functions inside a list, a dict, or (predicate, function) pairs. */
static const Value *run_many(Walker *w, const Value *holder, const ApiCallable *how, const Call *call,
                             const ApiFact *fact) {
  const Value *join = NULL;
  const Value *elements[VALUE_WIDTH] = {0};
  uint32_t count = 0;
  for (uint32_t i = 0; i < holder->part_len && count < VALUE_WIDTH; i++) elements[count++] = holder->parts[i];
  if (!count && holder->elem) elements[count++] = holder->elem;
  for (uint32_t i = 0; i < count; i++) {
    const Value *one = elements[i];
    if (value_is(one, KIND(TUPLE)) && one->parts_exact && one->part_len == 2) one = one->parts[1];
    join = value_join(w->scratch, join, run_one(w, one, how, call, fact));
  }
  return join;
}

/* Losses and metrics come alone, in a list or in a dict. */
static const Value *run_argument(Walker *w, const Value *arg, const ApiCallable *how, const Call *call,
                                 const ApiFact *fact) {
  if (arg->kinds && value_is(arg, KINDS_CONTAINER)) return run_many(w, arg, how, call, fact);
  return run_one(w, arg, how, call, fact);
}

/* What the callable returned becomes of the API's result, where that is the point of calling it. */
static const Value *with_callable_result(Walker *w, const ApiFact *fact, const ApiCallable *how, const Value *returned,
                                         const Value *result) {
  bool dataset = value_is(result, KIND(DATASET));
  if (dataset && how->gives == GIVES_ELEMENT && (str_ends(fact->name, S(".map")))) {
    Value *mapped = value_copy(w->scratch, result);
    mapped->elem = pack_element(w, returned);
    return mapped;
  }
  if (dataset && value_is(returned, KIND(DATASET))) return value_with_flags(w->scratch, returned, 0, 0);
  if (how->mode == RUN_IN_TRACE && (value_is_unknown(result) || value_is(result, KIND(TENSOR) | KIND(EAGER_TENSOR)))) {
    bool single = value_is(returned, KIND(TENSOR) | KIND(EAGER_TENSOR) | KINDS_PYTHON_SCALAR);
    return single && !value_is_unknown(result) ? result : returned;  // structures come back as they are
  }
  if (how->mode == RUN_NOW && value_is_unknown(result)) return returned;
  return result;
}

/* tf.data makes tuples of lists, and tensors of numbers and arrays. */
const Value *pack_element(Walker *w, const Value *returned) {
  const Value *element = to_traced(w->scratch, returned);
  if (value_is(element, KIND(LIST))) {
    Value *tuple = value_copy(w->scratch, element);
    tuple->kinds = KIND(TUPLE);
    return tuple;
  }
  if (!value_is(element, KIND(NUMBER) | KIND(BOOL) | KIND(TEXT)) || !element->kinds) return element;
  Value *tensor = value_new(w->scratch, KIND(TENSOR));
  tensor->dtype = element->dtype;
  return tensor;
}

void run_callables(Walker *w, const ApiFact *fact, const Call *call, const Value **result) {
  for (uint32_t i = 0; fact && i < fact->callable_len; i++) {
    const ApiCallable *how = &fact->callables[i];
    if (how->mode == RUN_WRAP || how->mode == RUN_SAME || !call->args) continue;
    const Value *arg = args_get(call->args, how->arg >= 0 ? (uint32_t)how->arg : UINT32_MAX, how->keyword);
    if (!arg) continue;
    const Value *returned = run_argument(w, arg, how, call, fact);
    if (returned) *result = with_callable_result(w, fact, how, returned, *result);
  }
}

/* ---- the call ---- */

static bool any_host_tensor(const Args *args) {
  for (uint32_t i = 0; i < args->len; i++) {
    if (value_is_host_tensor(args->values[i]) || value_holds_tensor(args->values[i])) return true;
  }
  return false;
}

/* NumPy and host libraries choke on a tensor inside a trace: what comes out is tainted, so that one fault is told once. */
static bool taints(const ApiFact *fact, const Call *call) {
  ApiTags hosts = TAG(NUMPY) | TAG(HOST_LIBRARY) | TAG(NUMPY_RANDOM);
  if (!ctx_traced(call->context) || !fact || (fact->tags & TAG(NO_CONVERT))) return false;
  if ((fact->tags & TAG(TO_HOST)) && call->receiver && value_is_host_tensor(call->receiver)) return true;
  bool needs_number = (fact->tags & TAG(PYTHON_NUMBER)) && !(fact->tags & TAG(AUTOGRAPH));
  if (needs_number && any_host_tensor(call->args)) return true;
  return (fact->tags & hosts) && any_host_tensor(call->args);
}

static uint32_t host_flags(const ApiFact *fact) {
  uint32_t flags = 0;
  if (fact->tags & (TAG(NUMPY_RANDOM) | TAG(RANDOM))) flags |= VF_RANDOM | VF_CHANGING;
  if (fact->tags & (TAG(CLOCK) | TAG(ENVIRONMENT))) flags |= VF_CLOCK;
  if (fact->tags & TAG(CLOCK)) flags |= VF_CHANGING;
  return flags;
}

/* `np.random.uniform(0, 1)`, `rng.normal()`: without a size NumPy draws one Python number. `integers` and `choice` may give a
 * scalar of NumPy's, the distributions of vectors an array. */
static bool draws_number(const ApiFact *fact, Sym name, const Call *call) {
  if (!(fact->tags & TAG(NUMPY_RANDOM)) || call->args->has_star || call->args->has_kwstar) return false;
  bool takes_size = false;
  for (uint32_t i = 0; i < fact->params.len; i++) {
    if (!str_eq(fact->params.data[i], S("size"))) continue;
    takes_size = !args_get(call->args, i, S("size"));
  }
  bool plain = str_ends(name->text, S(".rand")) || str_ends(name->text, S(".randn"));
  if (plain ? call->args->len > 0 : !takes_size) return false;
  static const Str others[] = {S_INIT("integers"), S_INIT("choice"), S_INIT("dirichlet"), S_INIT("multi")};
  Str last = str_sub(name->text, str_rfind_char(name->text, '.') + 1, name->text.len);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (str_starts(last, others[i])) return false;
  }
  for (uint32_t i = 0; i < call->args->len; i++) {
    if (!value_is(call->args->values[i], KINDS_PYTHON_SCALAR)) return false;
  }
  return true;
}

/* `loss.numpy().item()`: a Python number that nobody knows before. */
static bool gives_item(Sym name, const Call *call) {
  const Value *from = call->receiver;
  return from && from->kinds && value_is(from, KIND(ARRAY) | KIND(EAGER_TENSOR)) && str_ends(name->text, S(".item"));
}

static uint32_t travelling_flags(const Args *args) {
  uint32_t flags = 0;
  for (uint32_t i = 0; i < args->len; i++)
    flags |= args->values[i]->flags & (VF_RANDOM | VF_CLOCK | VF_CHANGING | VF_LIKELY);
  return flags;
}

/* `state.get("ready")`, `queue.count(x)`: read from a container that outlives the call, so decided by what it holds now. */
static const Value *part_of_receiver(Walker *w, const Value *result, const Call *call) {
  const Value *container = call->receiver;
  if (!container || !container->kinds || !value_is(container, KINDS_CONTAINER) || container->origin != ORIGIN_OUTER)
    return result;
  if (result->home.kind != VAR_NONE || container->home.kind == VAR_NONE || value_is(result, KIND(NONE))) return result;
  Value *part = value_copy(w->scratch, result);
  part->home = container->home;
  part->origin = ORIGIN_OUTER;
  if (value_is(result, KINDS_PYTHON_SCALAR | KIND(NONE))) part->flags |= VF_HOST_STATE;
  return part;
}

/* `self.call(x)`, `super().__call__(x)`, a call of something that is only known to be a layer: whatever it was written to give. */
static bool is_open_layer_call(Sym name, const Call *call) {
  const Value *layer = call->receiver;
  if (!layer || !value_is(layer, KIND(LAYER) | KIND(MODEL)) || !layer->kinds) return false;
  if (!str_ends(name->text, S(".call")) && !str_ends(name->text, S(".__call__"))) return false;
  for (uint32_t i = 0; i < layer->obj_len; i++) {
    const Obj *obj = layer->objs[i];
    bool any = obj->kind != OBJ_API_INSTANCE || sym_is(obj->api, S("keras.layers.Layer")) ||
               sym_is(obj->api, S("keras.Model"));
    if (any) return true;
  }
  return false;
}

/* An operation on an object of the project's own: if it works at all, the class says what comes out (an extension type). */
static bool is_dispatched(const Call *call) {
  const Value *first = call->args && call->args->positional ? call->args->values[0] : NULL;
  return first && first->kinds && value_is(first, KIND(INSTANCE));
}

static const Value *fact_result(Walker *w, Sym name, const ApiFact *fact, const Call *call) {
  if (!fact) return &value_unknown;
  if (taints(fact, call)) {
    Value *tainted = value_new(w->scratch, KIND(TENSOR));
    tainted->flags = VF_TAINTED;
    tainted->why = (Why){WHY_RESULT, w->module->id, call->span, name};
    return tainted;
  }
  if (fact->what == API_CLASS || fact->creates != CREATES_NOTHING) return api_instance(w, name, fact, call);
  if (!fact->returns) return &value_unknown;
  const Value *result = part_of_receiver(w, spec_value(w, fact->returns, call, fact), call);
  if (value_is(result, KIND(ARRAY)) && draws_number(fact, name, call)) {
    Value *number = value_copy(w->scratch, result);
    number->kinds = KIND(NUMBER);
    result = number;
  }
  uint32_t flags = host_flags(fact) | iteration_flags(fact, call) | (gives_item(name, call) ? VF_CHANGING : 0);
  if (value_is(result, KIND(TENSOR)) && is_open_layer_call(name, call)) flags |= VF_PERHAPS_NEST;
  if (value_is(result, KIND(TENSOR)) && is_dispatched(call)) return &value_unknown;
  bool host = value_is(result, KINDS_PYTHON_SCALAR | KIND(ARRAY) | KINDS_CONTAINER | KIND(DIM));
  if (host) flags |= travelling_flags(call->args) & ~(uint32_t)(fact->tags & TAG(COPIES) ? VF_CHANGING : 0);
  if ((fact->tags & TAG(COPIES)) && value_has(result, KINDS_CONTAINER)) {
    Value *copy = value_copy(w->scratch, result);
    copy->origin = ORIGIN_FRESH;
    result = copy;
  }
  return flags ? value_with_flags(w->scratch, result, flags, 0) : result;
}

/* Longer each time, or a list written around what is: `[ids]`. */
static bool grows_inside(const Value *value) {
  if (value->flags & VF_GROWING) return true;
  for (uint32_t i = 0; value_is(value, KIND(LIST) | KIND(TUPLE)) && i < value->part_len; i++) {
    if (value->parts[i]->flags & VF_GROWING) return true;
  }
  return false;
}

/* `tf.constant(rows)`, `np.stack(rows)`: as long as what it is made of. */
static const Value *with_growth(Walker *w, Sym name, const Call *call, const Value *result) {
  static const Str makers[] = {S_INIT("constant"), S_INIT("convert_to_tensor"),
                               S_INIT("stack"),    S_INIT("array"),
                               S_INIT("asarray"),  S_INIT("expand_dims"),
                               S_INIT("cast"),     S_INIT("concat"),
                               S_INIT("vstack"),   S_INIT("hstack"),
                               S_INIT("identity"), S_INIT("concatenate")};
  if (ctx_traced(call->context) || !call->args || !call->args->positional || !result->kinds) return result;
  if (!grows_inside(call->args->values[0]) || !value_is(result, KIND(EAGER_TENSOR) | KIND(ARRAY))) return result;
  Str last = str_sub(name->text, str_rfind_char(name->text, '.') + 1, name->text.len);
  return STR_IN(last, makers) ? value_with_flags(w->scratch, result, VF_GROWING, 0) : result;
}

const Value *call_api(Walker *w, Sym name, const ApiFact *fact, const Call *call) {
  const Value *result;
  if (call_special(w, name, fact, call, &result)) {
    const Value *ignored = &value_unknown;
    if (str_starts(name->text, S("builtins."))) run_callables(w, fact, call, &ignored);
    if (fact && walks_wrapped(fact, call)) result = value_with_flags(w->scratch, result, VF_OVER_DATASET, 0);
    return with_growth(w, name, call, result);
  }
  if (fact && (fact->tags & TAG(KERAS_LOOP))) record_run(w, call->span.start);
  result = fact_result(w, name, fact, call);
  run_callables(w, fact, call, &result);
  return with_growth(w, name, call, result);
}

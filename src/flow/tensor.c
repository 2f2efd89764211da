/* Shapes and dtypes of tensors that TensorFlow makes from Python values: literals, shape lists, casts, specs, Keras inputs.
 *
 * Only what is certain: a rank or a dimension that is not visible in the program stays unknown.
 */
#include "flow/special.h"

/* ---- shapes from Python values ---- */

static int32_t dim_from(const Value *v) {
  if (v->konst == KONST_INT && v->constant.i >= 0 && v->constant.i < INT32_MAX) return (int32_t)v->constant.i;
  if (value_is(v, KIND(NONE))) return DIM_NONE;
  if (value_is(v, KIND(DIM)) && (v->flags & VF_TENSOR_LEN)) return DIM_NONE;
  return DIM_UNKNOWN;
}

/* Fills rank and dims from a shape argument: [2, None], (3,), a TensorShape. */
static void set_shape(Value *tensor, const Value *shape, bool none_is_unknown) {
  if (!shape) return;
  if (value_is(shape, KIND(SHAPE))) {
    tensor->rank = shape->rank;
    tensor->dim_len = shape->dim_len;
    memcpy(tensor->dims, shape->dims, sizeof tensor->dims);
    return;
  }
  if (!value_is(shape, KIND(LIST) | KIND(TUPLE)) || !shape->parts_exact || shape->part_len > VALUE_DIMS) return;
  tensor->rank = (int8_t)shape->part_len;
  tensor->dim_len = shape->part_len;
  for (uint32_t i = 0; i < shape->part_len; i++) {
    int32_t dim = dim_from(shape->parts[i]);
    tensor->dims[i] = dim == DIM_NONE && none_is_unknown ? DIM_UNKNOWN : dim;
  }
}

/* `t.set_shape([None, 3])` adds what is known: a None says nothing about that dimension. */
const Value *tensor_with_shape(Walker *w, const Value *tensor, const Value *shape) {
  Value *fixed = value_copy(w->scratch, tensor);
  fixed->rank = RANK_UNKNOWN;
  fixed->dim_len = 0;
  memset(fixed->dims, 0, sizeof fixed->dims);
  set_shape(fixed, shape, false);
  for (uint32_t i = 0; i < fixed->dim_len; i++) {
    if (fixed->dims[i] != DIM_NONE) continue;
    bool known = i < tensor->dim_len || (i == 0 && tensor->rank == RANK_UNKNOWN && tensor->dims[0] == DIM_NONE);
    fixed->dims[i] = known ? tensor->dims[i] : DIM_UNKNOWN;
  }
  return fixed;
}

/* Rank and dims of a nested literal: [[1., 2.], [3., 4.]] is 2 x 2. */
static void set_literal_shape(Value *tensor, const Value *literal) {
  tensor->rank = 0;
  while (value_is(literal, KIND(LIST) | KIND(TUPLE))) {
    if (!literal->parts_exact || tensor->rank >= VALUE_DIMS) {
      tensor->rank = RANK_UNKNOWN;
      tensor->dim_len = 0;
      return;
    }
    tensor->dims[tensor->rank++] = literal->part_len;
    if (!literal->part_len) break;
    literal = literal->parts[0];
  }
  if (!value_is(literal, KINDS_PYTHON_SCALAR) && !(tensor->rank && value_is(literal, KINDS_CONTAINER))) {
    int8_t outer = tensor->rank;
    bool known =
        literal->rank != RANK_UNKNOWN && outer + literal->rank <= VALUE_DIMS && literal->dim_len == literal->rank;
    tensor->rank = known ? (int8_t)(outer + literal->rank) : RANK_UNKNOWN;
    for (int i = 0; known && i < literal->rank; i++) tensor->dims[outer + i] = literal->dims[i];
  }
  tensor->dim_len = tensor->rank > 0 ? (uint8_t)tensor->rank : 0;
}

static DType literal_dtype(const Value *literal) {
  while (value_is(literal, KIND(LIST) | KIND(TUPLE)) && literal->part_len) literal = literal->parts[0];
  if (value_is(literal, KIND(BOOL))) return DT_BOOL;
  if (value_is(literal, KIND(TEXT))) return DT_STRING;
  return (DType)literal->dtype;
}

static DType dtype_arg(const Value *dtype, DType fallback) {
  if (!dtype || value_is(dtype, KIND(NONE))) return fallback;
  DType parsed;
  if (dtype->konst == KONST_STR) return dtype_parse(dtype->constant.s, &parsed) ? parsed : DT_UNKNOWN;
  return (DType)dtype->dtype;
}

static Value *result_of(Walker *w, const ApiFact *fact, const Call *call) {
  if (!fact || !fact->returns) return NULL;
  return value_copy(w->scratch, spec_value(w, fact->returns, call, fact));
}

/* ---- handlers ---- */

static const Value *special_constant(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *value = call_arg(call, 0, S("value"));
  Value *tensor = result_of(w, fact, call);
  if (!tensor || !value) return tensor;
  const Value *dtype = call_arg(call, 1, S("dtype"));
  tensor->dtype = (uint8_t)dtype_arg(dtype, literal_dtype(value));
  set_literal_shape(tensor, value);
  set_shape(tensor, call_arg(call, 2, S("shape")), false);
  return tensor;
}

static const Value *with_shape_arg(Walker *w, const ApiFact *fact, const Call *call, uint32_t dtype_at,
                                   DType fallback) {
  Value *tensor = result_of(w, fact, call);
  if (!tensor) return NULL;
  set_shape(tensor, call_arg(call, 0, S("shape")), false);
  const Value *dtype = call_arg(call, dtype_at, S("dtype"));
  tensor->dtype = (uint8_t)dtype_arg(dtype, fallback);
  return tensor;
}

static const Value *special_zeros(Walker *w, const ApiFact *fact, const Call *call) {
  return with_shape_arg(w, fact, call, 1, DT_FLOAT32);
}
static const Value *special_random(Walker *w, const ApiFact *fact, const Call *call) {
  return with_shape_arg(w, fact, call, 3, DT_FLOAT32);
}

static const Value *special_fill(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *value = call_arg(call, 1, S("value"));
  if (!tensor) return NULL;
  set_shape(tensor, call_arg(call, 0, S("dims")), false);
  if (value) tensor->dtype = (uint8_t)literal_dtype(value);
  return tensor;
}

/* Elementwise: the shape of the first argument, the dtype of another one. */
static const Value *special_cast(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *from = call_arg(call, 0, S("x"));
  if (!tensor || !from) return tensor;
  tensor->dtype = (uint8_t)dtype_arg(call_arg(call, 1, S("dtype")), DT_UNKNOWN);
  tensor->rank = value_is(from, KINDS_PYTHON_SCALAR) ? 0 : from->rank;
  tensor->dim_len = from->dim_len;
  memcpy(tensor->dims, from->dims, sizeof tensor->dims);
  return tensor;
}

static const Value *special_ensure_shape(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *from = call_arg(call, 0, S("x")), *shape = call_arg(call, 1, S("shape"));
  Value *tensor = result_of(w, fact, call);
  if (!tensor || !from || !value_is(from, KIND(TENSOR) | KIND(EAGER_TENSOR))) return tensor;
  Value *given = value_copy(w->scratch, tensor);
  given->rank = from->rank;
  given->dim_len = from->dim_len;
  memcpy(given->dims, from->dims, sizeof given->dims);
  return tensor_with_shape(w, given, shape);
}

static const Value *special_like(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *from = call_arg(call, 0, S("input"));
  if (!tensor || !from) return tensor;
  if (value_is(from, KINDS_CONTAINER)) {
    set_literal_shape(tensor, from);
  } else {
    tensor->rank = value_is(from, KINDS_PYTHON_SCALAR) ? 0 : from->rank;
    tensor->dim_len = from->dim_len;
    memcpy(tensor->dims, from->dims, sizeof tensor->dims);
  }
  if (!tensor->dtype) tensor->dtype = (uint8_t)literal_dtype(from);
  return tensor;
}

static const Value *special_reshape(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *from = call_arg(call, 0, S("tensor")), *shape = call_arg(call, 1, S("shape"));
  if (!tensor) return NULL;
  set_shape(tensor, shape, true);
  if (from) tensor->dtype = from->dtype;
  for (int i = 0; shape && i < tensor->dim_len; i++) {
    if (tensor->dims[i] < 0) tensor->dims[i] = DIM_UNKNOWN;
  }
  return tensor;
}

/* The shape of `from` without one axis, where that is known. */
static void set_shape_without(Value *tensor, const Value *from, int64_t axis) {
  int rank = from->rank;
  if (rank <= 0 || axis < -rank || axis >= rank) return;
  if (axis < 0) axis += rank;
  tensor->rank = (int8_t)(rank - 1);
  if (from->dim_len != rank) return;
  tensor->dim_len = 0;
  for (int i = 0; i < rank; i++) {
    if (i != axis) tensor->dims[tensor->dim_len++] = from->dims[i];
  }
}

/* tf.argmax(x) and tf.argmin(x) take the first axis where none is given. */
static const Value *special_arg_reduce(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *from = call_arg(call, 0, S("input")), *axis = call_arg(call, 1, S("axis"));
  if (!tensor || !from) return tensor;
  bool known = !axis || axis->konst == KONST_INT;
  if (known) set_shape_without(tensor, from, axis ? axis->constant.i : 0);
  tensor->dtype = (uint8_t)dtype_arg(call_arg(call, 2, S("output_type")), (DType)tensor->dtype);
  return tensor;
}

/* tf.reduce_*(x) without axis is a scalar. */
static const Value *special_reduce(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *from = call_arg(call, 0, S("input_tensor")), *axis = call_arg(call, 1, S("axis"));
  const Value *keep = call_arg(call, 2, S("keepdims"));
  if (!tensor) return NULL;
  if (!axis && !keep) tensor->rank = 0;
  if (axis && axis->konst == KONST_INT && from && !keep) set_shape_without(tensor, from, axis->constant.i);
  if (from && !tensor->dtype)
    tensor->dtype = value_is(from, KINDS_CONTAINER) ? (uint8_t)literal_dtype(from) : from->dtype;
  return tensor;
}

static const Value *special_stack(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *values = call_arg(call, 0, S("values"));
  if (!tensor || !values) return tensor;
  const Value *element = value_element(w->scratch, values);
  if (element->rank != RANK_UNKNOWN && element->rank < VALUE_DIMS) tensor->rank = (int8_t)(element->rank + 1);
  tensor->dtype = element->dtype;
  return tensor;
}

static const Value *special_concat(Walker *w, const ApiFact *fact, const Call *call) {
  Value *tensor = result_of(w, fact, call);
  const Value *values = call_arg(call, 0, S("values")), *axis = call_arg(call, 1, S("axis"));
  if (!tensor || !values) return tensor;
  const Value *element = value_element(w->scratch, values);
  tensor->rank = element->rank;
  tensor->dtype = element->dtype;
  int64_t at = axis && axis->konst == KONST_INT ? axis->constant.i : INT64_MAX;
  if (element->rank == RANK_UNKNOWN || at >= element->rank || at < -element->rank) return tensor;
  if (at < 0) at += element->rank;
  int64_t sum = values->parts_exact ? 0 : DIM_UNKNOWN;
  for (uint32_t i = 0; i < values->part_len && sum >= 0; i++) {
    const Value *part = values->parts[i];
    sum = part->dim_len && part->dims[at] >= 0 ? sum + part->dims[at] : DIM_UNKNOWN;
  }
  tensor->dim_len = element->dim_len;
  memcpy(tensor->dims, element->dims, sizeof tensor->dims);
  if (tensor->dim_len && sum < INT32_MAX) tensor->dims[at] = (int32_t)sum;
  return tensor;
}

static const Value *special_variable(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *initial = call_arg(call, 0, S("initial_value"));
  Value *variable = value_copy(w->scratch, api_instance(w, sym_intern(w->project->symbols, fact->name), fact, call));
  if (!initial) return variable;
  variable->dtype = (uint8_t)dtype_arg(call_arg(call, 6, S("dtype")), literal_dtype(initial));
  if (value_is(initial, KINDS_PYTHON_SCALAR | KIND(LIST) | KIND(TUPLE))) {
    set_literal_shape(variable, initial);
  } else {
    variable->rank = initial->rank;
    variable->dim_len = initial->dim_len;
    memcpy(variable->dims, initial->dims, sizeof variable->dims);
  }
  return variable;
}

static const Value *special_spec(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  Value *spec = value_new(w->scratch, KIND(SPEC));
  spec->rank = RANK_UNKNOWN;
  set_shape(spec, call_arg(call, 0, S("shape")), false);
  spec->dtype = (uint8_t)dtype_arg(call_arg(call, 1, S("dtype")), DT_FLOAT32);
  spec->origin = ORIGIN_FRESH;
  return spec;
}

/* We speak of programs that run on TensorFlow: branches for other backends are not executed. */
static const Value *special_backend(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  (void)call;
  return value_str(w->scratch, S("tensorflow"));
}

static const Value *special_keras_input(Walker *w, const ApiFact *fact, const Call *call) {
  Value *input = result_of(w, fact, call);
  const Value *shape = call_arg(call, 0, S("shape"));
  if (!input) return NULL;
  Value inner = {.rank = RANK_UNKNOWN};
  set_shape(&inner, shape, false);
  if (inner.rank == RANK_UNKNOWN || inner.rank >= VALUE_DIMS) return input;
  input->rank = (int8_t)(inner.rank + 1);
  input->dim_len = (uint8_t)input->rank;
  input->dims[0] = DIM_NONE;
  memcpy(input->dims + 1, inner.dims, (size_t)inner.rank * sizeof *input->dims);
  return input;
}

/* t.shape and t.get_shape(): the static shape, as far as it is known. */
static const Value *special_shape_of(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return call->receiver ? shape_value(w, call->receiver) : NULL;
}

const Value *shape_value(Walker *w, const Value *tensor) {
  Value *shape = value_new(w->scratch, KIND(SHAPE));
  shape->rank = tensor->rank;
  shape->dim_len = tensor->dim_len;
  memcpy(shape->dims, tensor->dims, sizeof shape->dims);
  shape->origin = ORIGIN_FRESH;
  return shape;
}

static const Value *special_as_list(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  if (!call->receiver || !value_is(call->receiver, KIND(SHAPE))) return NULL;
  return value_with_flags(w->scratch, call->receiver, 0, 0);
}

/* keras.Model(inputs, outputs): a call gives the structure of `outputs`; kept as the model's element. */
static const Value *special_model(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *outputs = call_arg(call, 1, S("outputs"));
  if (!fact) return NULL;
  Value *model = value_copy(w->scratch, api_instance(w, sym_intern(w->project->symbols, fact->name), fact, call));
  model->elem = outputs ? outputs : &value_unknown;
  return model;
}

/* tf.while_loop gives back its loop variables, as tensors in the same structure. */
static const Value *special_while_loop(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *variables = call_arg(call, 2, S("loop_vars")), *ignored = &value_unknown;
  run_callables(w, fact, call, &ignored);
  if (!variables || !value_is(variables, KINDS_CONTAINER) || !variables->parts_exact) return &value_unknown;
  Value *result = value_copy(w->scratch, to_traced(w->scratch, variables));
  const Value **parts = arena_array(w->scratch, const Value *, result->part_len + 1u);
  for (uint32_t i = 0; i < result->part_len; i++) {
    bool number = value_is(result->parts[i], KIND(NUMBER) | KIND(BOOL));
    parts[i] = number || value_is(result->parts[i], KIND(TENSOR)) ? tensor_here(w, call->span) : result->parts[i];
  }
  result->parts = parts;
  return result;
}

/* `Tout` says what comes back: a dtype, one tensor; a list of dtypes, a list of tensors. */
static const Value *special_py_function(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *types = call_arg(call, 2, S("Tout"));
  if (!call_arg(call, 0, S("func"))) return NULL;
  const Value *ignored = &value_unknown;
  run_callables(w, fact, call, &ignored);
  Value *tensor = value_copy(w->scratch, tensor_here(w, call->span));
  tensor->why.name = sym_intern(w->project->symbols, fact->name);
  if (value_is(tensor, KIND(TENSOR))) tensor->dims[0] = DIM_NONE;
  if (!types || !value_is(types, KIND(LIST) | KIND(TUPLE))) {
    if (types) tensor->dtype = (uint8_t)dtype_arg(types, DT_UNKNOWN);
    if (types && value_is_unknown(types)) tensor->flags |= VF_PERHAPS_NEST;
    return tensor;
  }
  if (!types->parts_exact) return spec_value(w, fact->returns, call, fact);
  const Value **parts = arena_array(w->scratch, const Value *, types->part_len + 1u);
  for (uint32_t i = 0; i < types->part_len; i++) {
    Value *part = value_copy(w->scratch, tensor);
    part->dtype = (uint8_t)dtype_arg(types->parts[i], DT_UNKNOWN);
    parts[i] = part;
  }
  return value_sequence(w->scratch, K_LIST, parts, types->part_len);
}

/* compile(run_eagerly=True) takes the methods of the compiled model's class out of tracing. */
static const Value *special_compile(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *flag = call_arg(call, 5, S("run_eagerly"));
  for (uint32_t i = 0; flag && call->receiver && i < call->receiver->obj_len; i++) {
    const Obj *obj = call->receiver->objs[i];
    if (obj->kind == OBJ_INSTANCE) cell_write(w, run_eagerly_var(w, obj->cls), flag);
  }
  /* What is compiled with run_eagerly=True runs its losses and metrics eagerly too. */
  bool eagerly = flag && flag->konst == KONST_BOOL && flag->constant.i;
  return eagerly ? value_new(w->scratch, KIND(NONE)) : NULL;
}

#define TF(name) S_INIT("tensorflow." name)
const Special tensor_specials[] = {
    {TF("constant"), special_constant},
    {TF("convert_to_tensor"), special_constant},
    {TF("zeros"), special_zeros},
    {TF("ones"), special_zeros},
    {TF("fill"), special_fill},
    {TF("random.normal"), special_random},
    {TF("random.uniform"), special_random},
    {TF("random.truncated_normal"), special_random},
    {TF("cast"), special_cast},
    {TF("ensure_shape"), special_ensure_shape},
    {TF("zeros_like"), special_like},
    {TF("ones_like"), special_like},
    {TF("identity"), special_like},
    {TF("square"), special_like},
    {TF("abs"), special_like},
    {TF("exp"), special_like},
    {TF("sqrt"), special_like},
    {TF("tanh"), special_like},
    {TF("sigmoid"), special_like},
    {TF("stop_gradient"), special_like},
    {TF("nn.softmax"), special_like},
    {TF("nn.relu"), special_like},
    {TF("reshape"), special_reshape},
    {TF("reduce_sum"), special_reduce},
    {TF("reduce_mean"), special_reduce},
    {TF("reduce_max"), special_reduce},
    {TF("reduce_min"), special_reduce},
    {TF("reduce_prod"), special_reduce},
    {TF("reduce_any"), special_reduce},
    {TF("reduce_all"), special_reduce},
    {TF("argmax"), special_arg_reduce},
    {TF("argmin"), special_arg_reduce},
    {TF("stack"), special_stack},
    {TF("concat"), special_concat},
    {TF("Variable"), special_variable},
    {TF("TensorSpec"), special_spec},
    {TF("Tensor.get_shape"), special_shape_of},
    {TF("Variable.get_shape"), special_shape_of},
    {TF("TensorShape.as_list"), special_as_list},
    {TF("is_tensor"), special_is_tensor},
    {TF("py_function"), special_py_function},
    {TF("numpy_function"), special_py_function},
    {TF("py_func"), special_py_function},
    {TF("while_loop"), special_while_loop},
    {S_INIT("keras.backend.backend"), special_backend},
    {S_INIT("keras.config.backend"), special_backend},
    {S_INIT("keras.Model"), special_model},
    {S_INIT("keras.Model.compile"), special_compile},
    {S_INIT("keras.Input"), special_keras_input},
    {S_INIT("keras.layers.Input"), special_keras_input},
};
const uint32_t tensor_special_len = sizeof tensor_specials / sizeof *tensor_specials;

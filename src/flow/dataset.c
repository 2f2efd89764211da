/* Elements of tf.data pipelines: what `for x in ds` and `ds.map(f)` will see.
 *
 * A dataset's `elem` is the structure of one element, as symbolic tensors. Batching adds an unknown first dimension unless the
 * remainder is dropped.
 */
#include "flow/special.h"

static Value *dataset_of(Walker *w, const Value *element) {
  Value *dataset = value_new(w->scratch, KIND(DATASET));
  dataset->elem = element;
  dataset->origin = ORIGIN_FRESH;
  return dataset;
}

typedef const Value *TensorChange(Walker *w, const Value *tensor, int32_t dim);

/* Applies a change to every tensor of an element's structure (depth is bounded by VALUE_DEPTH). */
static const Value *change_element(Walker *w, const Value *element, TensorChange *change, int32_t dim) {
  if (value_is(element, KINDS_CONTAINER)) {
    Value *copy = value_copy(w->scratch, element);
    copy->parts = arena_array(w->scratch, const Value *, element->part_len + 1);
    for (uint32_t i = 0; i < element->part_len; i++) copy->parts[i] = change_element(w, element->parts[i], change, dim);
    if (element->elem) copy->elem = change_element(w, element->elem, change, dim);
    return copy;
  }
  return change(w, element, dim);
}

static Value *as_tensor(Walker *w, const Value *v) {
  Value *tensor = value_new(w->scratch, KIND(TENSOR));
  tensor->dtype = v->dtype;
  tensor->rank = value_is(v, KINDS_PYTHON_SCALAR) ? 0 : v->rank;
  tensor->dim_len = v->dim_len;
  memcpy(tensor->dims, v->dims, sizeof tensor->dims);
  tensor->why = v->why;
  return tensor;
}

static const Value *drop_first(Walker *w, const Value *v, int32_t dim) {
  (void)dim;
  if (value_is(v, KIND(COMPOSITE))) return v;
  Value *tensor = as_tensor(w, v);
  if (tensor->rank <= 0) {
    tensor->rank = RANK_UNKNOWN;
    tensor->dim_len = 0;
    return tensor;
  }
  tensor->rank--;
  if (tensor->dim_len) {
    tensor->dim_len--;
    memmove(tensor->dims, tensor->dims + 1, tensor->dim_len * sizeof *tensor->dims);
  }
  return tensor;
}

static const Value *add_first(Walker *w, const Value *v, int32_t dim) {
  if (!value_is(v, KIND(TENSOR))) return v;
  Value *tensor = as_tensor(w, v);
  if (tensor->rank == RANK_UNKNOWN || tensor->rank >= VALUE_DIMS) {
    tensor->dims[0] = dim;  // known even where the rank is not
    return tensor;
  }
  memmove(tensor->dims + 1, tensor->dims, (size_t)tensor->rank * sizeof *tensor->dims);
  if (!tensor->dim_len) {
    for (int i = 1; i <= tensor->rank; i++) tensor->dims[i] = DIM_UNKNOWN;
  }
  tensor->dims[0] = dim;
  tensor->rank++;
  tensor->dim_len = (uint8_t)tensor->rank;
  return tensor;
}

static const Value *whole_tensor(Walker *w, const Value *v, int32_t dim) {
  (void)dim;
  return value_is(v, KIND(COMPOSITE) | KIND(DATASET)) ? v : as_tensor(w, v);
}

/* A Python list among the slices is one tensor of its rows, not a structure. */
static const Value *slices_element(Walker *w, const Value *slices) {
  if (value_is(slices, KIND(LIST))) {
    Value *row = value_new(w->scratch, KIND(TENSOR));
    const Value *inner = value_element(w->scratch, slices);
    row->dtype = inner->dtype;
    if (value_is(inner, KINDS_PYTHON_SCALAR)) row->rank = 0;
    if (value_is(inner, KIND(TEXT))) row->dtype = DT_STRING;
    return row;
  }
  if (value_is(slices, KIND(TUPLE) | KIND(DICT)) && slices->parts_exact) {
    Value *copy = value_copy(w->scratch, slices);
    copy->parts = arena_array(w->scratch, const Value *, slices->part_len + 1);
    copy->elem = NULL;
    for (uint32_t i = 0; i < slices->part_len; i++) {
      copy->parts[i] = slices_element(w, slices->parts[i]);
      copy->elem = value_join(w->scratch, copy->elem, copy->parts[i]);
    }
    return copy;
  }
  if (value_is(slices, KIND(DICT))) {
    Value *dict = value_copy(w->scratch, slices);
    dict->elem = value_new(w->scratch, KIND(TENSOR));
    return dict;
  }
  if (value_is_unknown(slices)) return &value_unknown;  // a tensor, or a structure we cannot see
  return drop_first(w, slices, 0);
}

static const Value *special_slices(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *slices = call_arg(call, 0, S("tensors"));
  if (!slices) return NULL;
  return slices->kinds ? dataset_of(w, slices_element(w, slices)) : &value_bottom;
}

static const Value *special_from_tensors(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *tensors = call_arg(call, 0, S("tensors"));
  if (!tensors || value_is_unknown(tensors)) return NULL;
  if (value_is(tensors, KIND(LIST))) return dataset_of(w, value_new(w->scratch, KIND(TENSOR)));  // packed into one
  return dataset_of(w, change_element(w, tensors, whole_tensor, 0));
}

static const Value *spec_element(Walker *w, const Value *spec) {
  if (value_is(spec, KIND(SPEC))) return as_tensor(w, spec);
  if (!value_is(spec, KIND(TUPLE) | KIND(DICT)) || !spec->parts_exact) return &value_unknown;
  Value *copy = value_copy(w->scratch, spec);
  copy->parts = arena_array(w->scratch, const Value *, spec->part_len + 1);
  copy->elem = NULL;
  for (uint32_t i = 0; i < spec->part_len; i++) copy->parts[i] = spec_element(w, spec->parts[i]);
  return copy;
}

static const Value *special_generator(Walker *w, const ApiFact *fact, const Call *call) {
  const Value *signature = call_arg(call, 3, S("output_signature")), *result = dataset_of(w, &value_unknown);
  if (signature) result = dataset_of(w, spec_element(w, signature));
  const Value *ignored = &value_unknown;
  run_callables(w, fact, call, &ignored);
  return result;
}

static const Value *special_range(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  (void)call;
  Value *number = value_new(w->scratch, KIND(TENSOR));
  number->dtype = DT_INT64;
  number->rank = 0;
  return dataset_of(w, number);
}

static const Value *receiver_element(const Call *call) {
  return call->receiver && call->receiver->elem ? call->receiver->elem : &value_unknown;
}

static const Value *special_batch(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *size = call_arg(call, 0, S("batch_size")), *drop = NULL;
  drop = call_arg(call, str_ends(fact->name, S("padded_batch")) ? 3 : 1, S("drop_remainder"));
  bool dropped = drop && drop->konst == KONST_BOOL && drop->constant.i;
  int32_t dim = DIM_NONE;
  if (drop && !dropped && drop->konst != KONST_BOOL) dim = DIM_UNKNOWN;
  if (dropped)
    dim = size && size->konst == KONST_INT && size->constant.i < INT32_MAX ? (int32_t)size->constant.i : DIM_UNKNOWN;
  const Value *element = receiver_element(call);
  if (value_is_unknown(element)) return dataset_of(w, &value_unknown);
  return dataset_of(w, change_element(w, element, add_first, dim));
}

static const Value *window_of(Walker *w, const Value *v, int32_t dim) {
  (void)dim;
  return dataset_of(w, v);
}

/* Each component becomes a dataset of its own. */
static const Value *special_window(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return dataset_of(w, change_element(w, receiver_element(call), window_of, 0));
}

static const Value *special_unbatch(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return dataset_of(w, change_element(w, receiver_element(call), drop_first, 0));
}

static const Value *special_zip(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *given = call_arg(call, 0, S("datasets"));
  const Value **parts = arena_array(w->scratch, const Value *, call->args->len + VALUE_WIDTH);
  uint32_t count = 0;
  if (given && value_is(given, KIND(TUPLE)) && given->parts_exact) {
    for (; count < given->part_len; count++) parts[count] = value_element(w->scratch, given->parts[count]);
  } else if (call->args->positional > 1) {
    for (; count < call->args->positional; count++) parts[count] = value_element(w->scratch, call->args->values[count]);
  } else {
    return dataset_of(w, &value_unknown);
  }
  return dataset_of(w, value_sequence(w->scratch, K_TUPLE, parts, count));
}

static const Value *special_enumerate(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  Value *count = value_new(w->scratch, KIND(TENSOR));
  count->dtype = DT_INT64;
  count->rank = 0;
  const Value *pair[] = {count, receiver_element(call)};
  return dataset_of(w, value_sequence(w->scratch, K_TUPLE, pair, 2));
}

/* `ds.apply(f)`: f runs here, with the dataset itself. */
static const Value *special_apply(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *function = call_arg(call, 0, S("transformation_func"));
  if (!function || !value_is(function, KIND(FUNCTION) | KIND(TRACED)) || !call->receiver) return NULL;
  Call inner = {.span = call->span, .args = repeat_args(w, call->receiver, 1), .context = call->context};
  const Value *result = call_value(w, function, &inner);
  return value_is_unknown(result) ? NULL : result;
}

#define DATA(name) S_INIT("tensorflow.data.Dataset." name)
const Special dataset_specials[] = {
    {DATA("from_tensor_slices"), special_slices},
    {DATA("from_tensors"), special_from_tensors},
    {DATA("from_generator"), special_generator},
    {DATA("range"), special_range},
    {DATA("batch"), special_batch},
    {DATA("padded_batch"), special_batch},
    {DATA("window"), special_window},
    {DATA("unbatch"), special_unbatch},
    {DATA("zip"), special_zip},
    {DATA("enumerate"), special_enumerate},
    {DATA("apply"), special_apply},
};
const uint32_t dataset_special_len = sizeof dataset_specials / sizeof *dataset_specials;

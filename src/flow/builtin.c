/* Python's own functions: type tests, attribute access by name, iteration, conversions.
 *
 * Where AutoGraph dispatches a builtin on tensors (len, range, int, float, abs, sorted), the result inside a converted
 * function is a tensor; where it does not, Python raises and the result is tainted.
 */
#include "flow/special.h"

static const Value *tainted(Walker *w, const Call *call) {
  Value *value = value_new(w->scratch, KIND(TENSOR));
  value->flags = VF_TAINTED;
  value->why = (Why){WHY_RESULT, w->module->id, call->span, NULL};
  return value;
}

static const Value *host_number(Walker *w, const Value *from, DType dtype) {
  if (from && !from->kinds) return &value_bottom;  // nothing is known yet: what it comes from may have a place
  Value *number = value_new(w->scratch, KIND(NUMBER));
  number->dtype = (uint8_t)dtype;
  number->origin = ORIGIN_FRESH;
  if (!from) return number;
  number->flags = from->flags & (VF_CHANGING | VF_RANDOM | VF_CLOCK | VF_LIKELY | VF_MADE_BY_PARAM | VF_HOST_STATE);
  number->home = from->home;
  if (from->home.kind != VAR_NONE) number->flags |= VF_HOST_STATE;
  return number;
}

/* ---- type tests ---- */

static KindSet kinds_of_class(Walker *w, const Value *cls) {
  static const struct {
    Str name;
    KindSet kinds;
  } table[] = {
      {S_INIT("tensorflow.Tensor"), KIND(TENSOR) | KIND(EAGER_TENSOR)},
      {S_INIT("tensorflow.Variable"), KIND(VARIABLE)},
      {S_INIT("tensorflow.data.Dataset"), KIND(DATASET)},
      {S_INIT("tensorflow.RaggedTensor"), KIND(COMPOSITE)},
      {S_INIT("tensorflow.SparseTensor"), KIND(COMPOSITE)},
      {S_INIT("tensorflow.TensorShape"), KIND(SHAPE)},
      {S_INIT("numpy.ndarray"), KIND(ARRAY)},
      {S_INIT("builtins.list"), KIND(LIST)},
      {S_INIT("builtins.tuple"), KIND(TUPLE)},
      {S_INIT("builtins.dict"), KIND(DICT)},
      {S_INIT("builtins.set"), KIND(SET)},
      {S_INIT("builtins.str"), KIND(TEXT)},
      {S_INIT("builtins.bytes"), KIND(TEXT)},
      {S_INIT("builtins.int"), KIND(NUMBER) | KIND(BOOL) | KIND(DIM)},
      {S_INIT("builtins.float"), KIND(NUMBER)},
      {S_INIT("builtins.bool"), KIND(BOOL)},
      {S_INIT("keras.Model"), KIND(MODEL)},
      {S_INIT("keras.layers.Layer"), KIND(LAYER) | KIND(MODEL)},
  };
  (void)w;
  if (cls->obj_len != 1 || cls->objs[0]->kind != OBJ_API) return 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (str_eq(cls->objs[0]->api->text, table[i].name)) return table[i].kinds;
  }
  return 0;
}

/* Kinds that the classes of an isinstance() test stand for; `whole` is false when one of them is not known. */
KindSet isinstance_kinds(Walker *w, const Value *classes, bool *whole) {
  *whole = true;
  if (!value_is(classes, KIND(TUPLE)) || !classes->parts_exact) {
    KindSet kinds = kinds_of_class(w, classes);
    *whole = kinds != 0;
    return kinds;
  }
  KindSet all = 0;
  for (uint32_t i = 0; i < classes->part_len; i++) {
    KindSet kinds = kinds_of_class(w, classes->parts[i]);
    *whole &= kinds != 0;
    all |= kinds;
  }
  return all;
}

static bool overlaps(const Value *v, KindSet kinds) { return (v->kinds & kinds) != 0; }

static const Value *special_isinstance(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S("")), *classes = call_arg(call, 1, S(""));
  Value *flag = value_new(w->scratch, KIND(BOOL));
  flag->flags = VF_FLAG;
  if (!object || !classes || !object->kinds || value_is_unknown(object)) return flag;
  bool whole;
  KindSet kinds = isinstance_kinds(w, classes, &whole);
  KindSet exact = KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(VARIABLE) | KIND(ARRAY) | KINDS_CONTAINER | KIND(TEXT) |
                  KIND(NONE) | KIND(DATASET) | KIND(COMPOSITE);
  if (!overlaps(object, kinds) && whole && value_is(object, exact)) return value_bool(w->scratch, false);
  KindSet sure = kinds & ~(KIND(NUMBER) | KIND(DIM) | KIND(TEXT));
  if (sure && value_is(object, sure)) return value_bool(w->scratch, true);
  return flag;
}

static const Value *special_hasattr(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S("")), *name = call_arg(call, 1, S(""));
  Value *flag = value_new(w->scratch, KIND(BOOL));
  flag->flags = VF_FLAG;
  if (!object || !name || name->konst != KONST_STR) return flag;
  if (str_eq(name->constant.s, S("numpy"))) {
    if (value_is(object, KIND(TENSOR))) return value_bool(w->scratch, false);
    if (value_is(object, KIND(EAGER_TENSOR))) return value_bool(w->scratch, true);
  }
  return flag;
}

const Value *special_is_tensor(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S("x"));
  KindSet tensors = KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(VARIABLE) | KIND(COMPOSITE) | KIND(KERAS_TENSOR);
  if (object && object->kinds && value_is(object, tensors)) return value_bool(w->scratch, true);
  if (object && object->kinds && !value_may(object, tensors)) return value_bool(w->scratch, false);
  return value_new(w->scratch, KIND(BOOL));
}

/* ---- attributes by name ---- */

static const Value *special_getattr(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S("")), *name = call_arg(call, 1, S("")),
              *fallback = call_arg(call, 2, S(""));
  if (!object || !name || name->konst != KONST_STR) return &value_unknown;
  const Value *member =
      member_value(w, object, sym_intern(w->project->symbols, name->constant.s), call->span, NULL, NULL);
  return fallback ? value_join(w->scratch, member, fallback) : member;
}

static const Value *special_setattr(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S("")), *name = call_arg(call, 1, S("")), *value = call_arg(call, 2, S(""));
  if (object && name && value && name->konst == KONST_STR) {
    store_member(w, object, sym_intern(w->project->symbols, name->constant.s), value, call->span, WRITE_ASSIGN);
  }
  return value_new(w->scratch, KIND(NONE));
}

/* ---- lengths and ranges ---- */

static const Value *special_len(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S(""));
  if (!object || !object->kinds) return host_number(w, object, DT_INT32);
  const Value *own = call_dunder(w, object, S("__len__"), NULL, 0, call->span);
  if (own) return own;
  if (value_is_tensor(object) && (object->flags & VF_PERHAPS_NEST)) return &value_unknown;
  if (value_is_tensor(object) || value_is(object, KIND(DATASET) | KIND(TENSOR_ARRAY))) {
    if (object->dim_len && object->dims[0] >= 0) return value_int(w->scratch, object->dims[0]);
    if (!ctx_autograph_on(call->context)) return host_number(w, NULL, DT_INT32);
    Value *tensor = value_copy(w->scratch, tensor_here(w, call->span));
    tensor->dtype = DT_INT32;
    tensor->rank = 0;
    return tensor;
  }
  if (value_is(object, KINDS_CONTAINER) && object->parts_exact && object->origin == ORIGIN_FRESH) {
    return value_int(w->scratch, object->part_len);
  }
  if (value_is(object, KIND(SHAPE)) && object->dim_len) return value_int(w->scratch, object->dim_len);
  const Value *number = host_number(w, object, DT_INT32);
  return value_with_flags(w->scratch, number, object->flags & VF_GROWING ? VF_CHANGING : 0, 0);
}

static bool any_tensor(const Call *call) {
  for (uint32_t i = 0; i < call->args->len; i++) {
    if (value_is_host_tensor(call->args->values[i])) return true;
  }
  return false;
}

static const Value *special_range(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  if (ctx_traced(call->context) && any_tensor(call)) {
    if (!ctx_autograph_on(call->context)) return tainted(w, call);
    Value *tensor = value_copy(w->scratch, tensor_here(w, call->span));
    tensor->rank = 1;
    tensor->dtype = DT_INT32;
    return tensor;
  }
  Value *range = value_new(w->scratch, KIND(LIST));
  range->origin = ORIGIN_FRESH;
  Value *item = value_new(w->scratch, KIND(NUMBER));
  item->dtype = DT_INT32;
  range->elem = item;
  for (uint32_t i = 0; i < call->args->len; i++) {
    if (range->home.kind == VAR_NONE) range->home = call->args->values[i]->home;
    range->flags |= call->args->values[i]->flags & (VF_RANDOM | VF_HOST_STATE | VF_CHANGING | VF_TENSOR_LEN);
  }
  return range;
}

/* ---- iteration ---- */

static const Value *special_next(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *iterator = call_arg(call, 0, S(""));
  if (!iterator) return &value_unknown;
  const Value *element = value_element(w->scratch, iterator);
  return ctx_traced(call->context) ? element
                                   : value_with_flags(w->scratch, to_eager(w->scratch, element), VF_CHANGING, 0);
}

static const Value *special_iter(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *object = call_arg(call, 0, S(""));
  if (!object || value_is_unknown(object)) return &value_unknown;
  if (!object->kinds) return object;
  Value *iterator = value_new(w->scratch, value_is(object, KIND(DATASET)) ? KIND(ITERATOR) : KIND(HOST_ITERATOR));
  iterator->elem = value_element(w->scratch, object);
  iterator->origin = ORIGIN_FRESH;
  return iterator;
}

/* What a builtin hands on that iterates `from` in Python. A symbolic tensor refuses, so what comes of it is part of that fault. */
static const Value *iterated_element(Walker *w, const Call *call, const Value *from) {
  const Value *element = value_element(w->scratch, from);
  bool refuses = ctx_traced(call->context) && value_is_one_tensor(from);
  return refuses ? value_with_flags(w->scratch, element, VF_TAINTED, 0) : element;
}

static const Value *special_enumerate(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *iterable = call_arg(call, 0, S("iterable"));
  if (!iterable || !iterable->kinds) return iterable;
  bool dataset = value_is(iterable, KIND(DATASET));
  const Value *count =
      dataset ? value_with_flags(w->scratch, tensor_here(w, call->span), 0, 0) : host_number(w, NULL, DT_INT32);
  const Value *pair[] = {count, iterated_element(w, call, iterable)};
  if (dataset && !ctx_traced(call->context)) pair[0] = host_number(w, NULL, DT_INT32);
  Value *result = value_new(w->scratch, dataset ? KIND(DATASET) : KIND(HOST_ITERATOR));
  result->elem = value_sequence(w->scratch, K_TUPLE, pair, 2);
  result->origin = ORIGIN_FRESH;
  return result;
}

static const Value *special_zip(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  if (call->args->has_star) return value_new(w->scratch, KIND(HOST_ITERATOR));
  const Value **parts = arena_array(w->scratch, const Value *, call->args->len + 1);
  bool datasets = call->args->len > 0;
  for (uint32_t i = 0; i < call->args->len; i++) {
    if (!call->args->values[i]->kinds) return &value_bottom;
    parts[i] = iterated_element(w, call, call->args->values[i]);
    datasets = datasets && value_is(call->args->values[i], KIND(DATASET));
  }
  Value *result = value_new(w->scratch, datasets ? KIND(DATASET) : KIND(HOST_ITERATOR));
  result->elem = value_sequence(w->scratch, K_TUPLE, parts, call->args->len);
  result->origin = ORIGIN_FRESH;
  return result;
}

static const Value *special_map(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *function = call_arg(call, 0, S(""));
  if (!function || call->args->positional < 2) return NULL;
  Args inner = {.len = call->args->positional - 1, .positional = call->args->positional - 1};
  inner.values = arena_array(w->scratch, const Value *, inner.len);
  inner.exprs = arena_array(w->scratch, const Expr *, inner.len);
  inner.names = arena_array(w->scratch, Sym, inner.len);
  for (uint32_t i = 0; i < inner.len; i++) inner.values[i] = iterated_element(w, call, call->args->values[i + 1]);
  Call one = {.span = call->span, .args = &inner, .context = call->context};
  Value *result = value_new(w->scratch, KIND(HOST_ITERATOR));
  result->elem = call_value(w, function, &one);
  result->origin = ORIGIN_FRESH;
  return result;
}

/* `functools.reduce(f, items, start)`: two rounds show what f gets. */
const Value *special_fold(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *function = call_arg(call, 0, S("")), *items = call_arg(call, 1, S("")),
              *start = call_arg(call, 2, S(""));
  if (!function || !items || !function->obj_len) return NULL;
  if (!items->kinds || (start && !start->kinds)) return &value_bottom;
  const Value *element = iterated_element(w, call, items), *state = start ? start : element;
  for (int round = 0; round < 2; round++) {
    Args *inner = arena_new(w->scratch, Args);
    *inner = *repeat_args(w, element, 2);
    inner->values[0] = state;
    Call one = {.span = call->span, .args = inner, .context = call->context};
    state = value_join(w->scratch, state, call_value(w, function, &one));
  }
  return state;
}

static const Value *copy_sequence(Walker *w, const Call *call, Kind kind) {
  const Value *from = call_arg(call, 0, S(""));
  Value *result = value_new(w->scratch, (KindSet)1 << kind);
  result->origin = ORIGIN_FRESH;
  if (!from) {
    result->parts_exact = kind != K_SET;
    return result;
  }
  if (!from->kinds) return &value_bottom;
  if (ctx_traced(call->context) && value_is_tensor(from)) return tainted(w, call);
  if (value_is(from, KIND(LIST) | KIND(TUPLE)) && from->parts_exact && kind != K_SET) {
    result->parts = from->parts;
    result->part_len = from->part_len;
    result->parts_exact = true;
  }
  result->elem = value_element(w->scratch, from);
  result->home = from->home;
  result->flags = from->flags & (VF_GROWING | VF_CHANGING | VF_RANDOM);
  return result;
}

static const Value *special_list(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return copy_sequence(w, call, K_LIST);
}
static const Value *special_tuple(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return copy_sequence(w, call, K_TUPLE);
}
static const Value *special_set(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return copy_sequence(w, call, K_SET);
}
static const Value *special_reversed(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *from = call_arg(call, 0, S(""));
  if (!from || !from->kinds) return from;
  if (ctx_traced(call->context) && value_is_tensor(from)) return tainted(w, call);
  Value *result = value_new(w->scratch, KIND(HOST_ITERATOR));
  result->elem = value_element(w->scratch, from);
  result->origin = ORIGIN_FRESH;
  return result;
}

static const Value *special_dict(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *from = call_arg(call, 0, S(""));
  if (from && value_is(from, KIND(DICT)) && call->args->len == 1) {
    Value *copy = value_copy(w->scratch, from);
    copy->origin = ORIGIN_FRESH;
    return copy;
  }
  Value *dict = value_new(w->scratch, KIND(DICT));
  dict->origin = ORIGIN_FRESH;
  if (from) {
    dict->elem = &value_unknown;
    return dict;
  }
  dict->parts = arena_array(w->scratch, const Value *, call->args->len + 1);
  dict->keys = arena_array(w->scratch, Sym, call->args->len + 1);
  dict->parts_exact = !call->args->has_kwstar && call->args->len <= VALUE_WIDTH;
  for (uint32_t i = 0; i < call->args->len && dict->parts_exact; i++) {
    dict->parts[dict->part_len] = call->args->values[i];
    dict->keys[dict->part_len++] = call->args->names[i];
    dict->elem = value_join(w->scratch, dict->elem, call->args->values[i]);
  }
  return dict;
}

/* `kwargs.pop("autograph", False)` of a dict whose keys are all known. */
static const Value *special_dict_item(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *dict = call->receiver, *key = call_arg(call, 0, S("")), *fallback = call_arg(call, 1, S(""));
  if (!dict || !value_is(dict, KIND(DICT)) || !dict->parts_exact || (dict->part_len && !dict->keys)) return NULL;
  if (!key || key->konst != KONST_STR) return NULL;
  for (uint32_t i = 0; i < dict->part_len; i++) {
    if (sym_is(dict->keys[i], key->constant.s)) return item_of(w, dict, dict->parts[i]);
  }
  return fallback;
}

/* ---- numbers ---- */

static const Value *convert_number(Walker *w, const Call *call, DType dtype) {
  const Value *from = call_arg(call, 0, S(""));
  if (from && !from->kinds) return &value_bottom;
  if (!from || !ctx_traced(call->context) || !value_is_host_tensor(from)) {
    const Value *number = host_number(w, from, dtype);
    bool concrete = from && value_is(from, KIND(EAGER_TENSOR) | KIND(VARIABLE) | KIND(ARRAY));
    bool constant = from && value_is(from, KIND(NUMBER)) && from->konst == KONST_INT && dtype == DT_INT32;
    if (constant) return from;
    return concrete ? value_with_flags(w->scratch, number, VF_CHANGING, 0) : number;
  }
  if (!ctx_autograph_on(call->context)) return tainted(w, call);
  Value *tensor = value_copy(w->scratch, tensor_here(w, call->span));
  tensor->dtype = (uint8_t)dtype;
  tensor->rank = from->rank;
  tensor->flags |= from->flags & VF_TAINTED;
  return tensor;
}

static const Value *special_int(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return convert_number(w, call, DT_INT32);
}
static const Value *special_float(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  return convert_number(w, call, DT_FLOAT32);
}

static const Value *special_abs(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *from = call_arg(call, 0, S(""));
  return from ? binary_value(w, OP_MUL, from, value_int(w->scratch, 1), call->span) : NULL;
}

/* min, max, sum, round …: of tensors they raise; of numbers they give numbers that carry their operands' flags. */
static const Value *special_reduce(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *join = NULL;
  for (uint32_t i = 0; i < call->args->positional; i++) {
    const Value *arg = call->args->values[i];
    if (ctx_traced(call->context) && value_is_tensor(arg)) return tainted(w, call);
    bool inside = call->args->positional == 1;
    join = value_join(
        w->scratch, join,
        inside && value_is(arg, KINDS_CONTAINER | KIND(HOST_ITERATOR)) ? value_element(w->scratch, arg) : arg);
  }
  if (!join || value_is_unknown(join)) {
    return join ? value_with_flags(w->scratch, &value_unknown, join->flags & (VF_CHANGING | VF_RANDOM), 0) : NULL;
  }
  if (!value_is(join, KIND(NUMBER) | KIND(BOOL) | KIND(DIM))) return join;
  return host_number(w, join, (DType)join->dtype);
}

/* sum(list of tensors) adds them up in Python, which is fine; sum(tensor) iterates it. */
static const Value *special_sum(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *from = call_arg(call, 0, S(""));
  if (!from || !from->kinds) return from;
  if (ctx_traced(call->context) && value_is_tensor(from)) return tainted(w, call);
  const Value *element = value_element(w->scratch, from);
  return binary_value(w, OP_ADD, element, value_int(w->scratch, 0), call->span);
}

static const Value *special_bool(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *from = call_arg(call, 0, S(""));
  if (from && ctx_traced(call->context) && value_is_host_tensor(from)) return tainted(w, call);
  if (from && !from->kinds) return from;
  Value *flag = value_copy(w->scratch, host_number(w, from, DT_BOOL));
  flag->kinds = KIND(BOOL);
  flag->flags |= VF_FLAG;
  return flag;
}

/* `TABLE.values()`: one by one where they are known. */
static const Value *special_dict_values(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *dict = call->receiver;
  if (!dict || !value_is(dict, KIND(DICT)) || !dict->parts_exact || !dict->keys || !dict->part_len) return NULL;
  Value *values = value_new(w->scratch, KIND(LIST));
  values->origin = ORIGIN_FRESH;
  values->parts = dict->parts;
  values->part_len = dict->part_len;
  values->parts_exact = true;
  values->home = dict->home;
  return values;
}

const Special builtin_specials[] = {
    {S_INIT("builtins.isinstance"), special_isinstance},
    {S_INIT("builtins.hasattr"), special_hasattr},
    {S_INIT("builtins.getattr"), special_getattr},
    {S_INIT("builtins.setattr"), special_setattr},
    {S_INIT("builtins.len"), special_len},
    {S_INIT("builtins.range"), special_range},
    {S_INIT("builtins.next"), special_next},
    {S_INIT("builtins.iter"), special_iter},
    {S_INIT("builtins.enumerate"), special_enumerate},
    {S_INIT("builtins.zip"), special_zip},
    {S_INIT("builtins.map"), special_map},
    {S_INIT("builtins.list"), special_list},
    {S_INIT("builtins.tuple"), special_tuple},
    {S_INIT("builtins.set"), special_set},
    {S_INIT("builtins.frozenset"), special_set},
    {S_INIT("builtins.sorted"), special_list},
    {S_INIT("builtins.reversed"), special_reversed},
    {S_INIT("builtins.dict"), special_dict},
    {S_INIT("builtins.dict.values"), special_dict_values},
    {S_INIT("builtins.int"), special_int},
    {S_INIT("builtins.float"), special_float},
    {S_INIT("builtins.abs"), special_abs},
    {S_INIT("builtins.min"), special_reduce},
    {S_INIT("builtins.max"), special_reduce},
    {S_INIT("builtins.round"), special_reduce},
    {S_INIT("builtins.sum"), special_sum},
    {S_INIT("builtins.str"), special_str},
    {S_INIT("builtins.repr"), special_str},
    {S_INIT("builtins.bool"), special_bool},
    {S_INIT("builtins.ascii"), special_str},
    {S_INIT("builtins.format"), special_format},
    {S_INIT("builtins.str.format"), special_str_format},
    {S_INIT("builtins.dict.pop"), special_dict_item},
    {S_INIT("builtins.dict.get"), special_dict_item},
};
const uint32_t builtin_special_len = sizeof builtin_specials / sizeof *builtin_specials;

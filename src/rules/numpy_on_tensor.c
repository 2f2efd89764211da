/* TF201: NumPy is handed a symbolic tensor, or a tensor is stored into an ndarray.
 *
 * Every NumPy call that converts is meant, wherever the tensor stands: an argument, or inside a list or tuple that NumPy turns
 * into an array. Dictionaries and sets are not converted element by element and stay silent.
 */
#include "rules/rename.h"

/* ---- where the tensor is ---- */

static bool is_sequence(const Value *value) { return value_is(value, KIND(LIST) | KIND(TUPLE)); }

/* The tensor, variable, or tainted tensor in a value that NumPy converts; NULL if there is none for certain. Values nest at
 * most VALUE_DEPTH deep. */
static const Value *find_tensor(const Value *value) {
  if (!value) return NULL;
  if (value_is_host_tensor(value)) return value;
  if (!is_sequence(value)) return NULL;
  for (uint32_t i = 0; i < value->part_len; i++) {
    const Value *inside = find_tensor(value->parts[i]);
    if (inside) return inside;
  }
  return value->part_len ? NULL : find_tensor(value->elem);
}

static uint32_t tensor_argument(const Args *args, const Value **tensor) {
  for (uint32_t i = 0; i < args->len; i++) {
    *tensor = find_tensor(args->values[i]);
    if (*tensor) return i;
  }
  return UINT32_MAX;
}

/* ---- whether TensorFlow's counterpart does the same ---- */

static bool has_keyword(const Args *args, Str keyword) {
  for (uint32_t i = args->positional; i < args->len; i++) {
    if (sym_is(args->names[i], keyword)) return true;
  }
  return false;
}

/* Arguments that NumPy has and TensorFlow has not. */
static bool has_numpy_only_keyword(const Args *args) {
  static const Str words[] = {S_INIT("out"),  S_INIT("where"),   S_INIT("dtype"), S_INIT("order"), S_INIT("casting"),
                              S_INIT("copy"), S_INIT("initial"), S_INIT("subok"), S_INIT("ddof"),  S_INIT("like"),
                              S_INIT("mode"), S_INIT("kind"),    S_INIT("a"),     S_INIT("x")};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (has_keyword(args, words[i])) return true;
  }
  return false;
}

/* Every positional argument that has a dtype has one of these, and all the same. Python numbers adapt. */
static bool all_of_dtype(const Args *args, bool (*fits)(DType dtype)) {
  DType dtype = DT_UNKNOWN;
  for (uint32_t i = 0; i < args->positional; i++) {
    const Value *value = args->values[i];
    if (value_is(value, KIND(NUMBER) | KIND(NONE))) continue;
    if (!fits((DType)value->dtype) || (dtype != DT_UNKNOWN && dtype != value->dtype)) return false;
    dtype = (DType)value->dtype;
  }
  return dtype != DT_UNKNOWN;
}

static bool is_bool(DType dtype) { return dtype == DT_BOOL; }

static bool is_complex(DType dtype) { return dtype == DT_COMPLEX64 || dtype == DT_COMPLEX128; }

static bool is_known(DType dtype) { return dtype != DT_UNKNOWN; }

/* The argument that both call `axis`. */
static const Value *axis_of(const Event *event) {
  const StrList *params = &event->api->params;
  for (uint32_t i = 0; i < params->len; i++) {
    if (str_eq(params->data[i], S("axis"))) return args_get(event->args, i, params->data[i]);
  }
  return NULL;
}

static bool axis_is_int(const Event *event) {
  const Value *axis = axis_of(event);
  return axis && value_is(axis, KIND(NUMBER)) && axis->dtype == DT_INT32;
}

/* One condition that can be seen here, in the words of rules/api; others do not hold, as far as one can tell. */
static bool part_holds(Str part, const Event *event) {
  const Args *args = event->args;
  const Value *first = args->positional ? args->values[0] : &value_unknown;
  if (str_eq(part, S("float"))) return all_of_dtype(args, dtype_is_float);
  if (str_eq(part, S("bool"))) return all_of_dtype(args, is_bool);
  if (str_eq(part, S("complex"))) return all_of_dtype(args, is_complex);
  if (str_eq(part, S("same dtype"))) return all_of_dtype(args, is_known);
  if (str_eq(part, S("axis given")) || str_eq(part, S("axis is int"))) return axis_is_int(event);
  if (str_eq(part, S("both bounds given")) || str_eq(part, S("three arguments"))) return args->positional == 3;
  if (str_eq(part, S("no decimals")) || str_eq(part, S("n=1"))) return args->positional == 1;
  if (str_eq(part, S("ddof=0"))) return !has_keyword(args, S("ddof"));
  if (str_eq(part, S("rank at least 2"))) return first->rank >= 2;
  return str_eq(part, S("rank 2")) && first->rank == 2;
}

static bool condition_holds(Str condition, const Event *event) {
  while (condition.len) {
    if (!part_holds(str_trim(str_cut(&condition, ',')), event)) return false;
  }
  return true;
}

/* A name, not an expression to write instead. */
static bool is_plain_name(Str tf) {
  return tf.len && str_find_char(tf, '(') == STR_NONE && str_find_char(tf, ' ') == STR_NONE;
}

static bool is_same_in_tf(const Event *event, uint32_t argument) {
  const ApiFact *api = event->api;
  const Args *args = event->args;
  if (!is_plain_name(api->tf) || args->has_star || args->has_kwstar || has_numpy_only_keyword(args)) return false;
  if (argument >= args->positional || is_sequence(args->values[argument])) return false;
  return api->exact == EXACT_YES || (api->exact == EXACT_IF && condition_holds(api->condition, event));
}

/* ---- speaking ---- */

static uint32_t choose_variant(const Value *given, const Value *tensor) {
  if (given != tensor) return TF201_IN_SEQUENCE;
  return value_is(tensor, KIND(VARIABLE)) ? TF201_ON_VARIABLE : TF201_DEFAULT;
}

static void on_call(RuleContext *ctx, const Event *event) {
  const ApiFact *api = event->api;
  if (!api || !event->args || (api->tags & TAG(NO_CONVERT))) return;
  if (!(api->tags & (TAG(NUMPY) | TAG(NUMPY_RANDOM)))) return;
  const Value *tensor;
  uint32_t argument = tensor_argument(event->args, &tensor);
  if (argument == UINT32_MAX) return;

  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  Str callee_text = rule_text(ctx, event, callee), argument_text = rule_text(ctx, event, event->args->exprs[argument]);
  Report report = {.rule = RULE_TF201,
                   .variant = choose_variant(event->args->values[argument], tensor),
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, tensor),
                   .subject = callee_text,
                   .because = tensor,
                   .because_name = argument_text};
  report_fill(&report, S("callee"), callee_text);
  report_fill(&report, S("argument"), argument_text);
  report_fill(&report, S("tf"), api->tf);
  if (is_same_in_tf(event, argument))
    rename_edit(ctx, event, callee, api->tf, api->exact == EXACT_YES ? FIX_SAFE : FIX_UNSAFE, &report);
  rule_report(ctx, event, &report);
}

/* `canvas[i] = t`: assigning to an element converts the value. */
static void on_store(RuleContext *ctx, const Event *event) {
  bool is_item = event->target && event->target->kind == EXPR_SUBSCRIPT && event->store != STORE_DELETE;
  if (!is_item || !event->receiver || !value_is(event->receiver, KIND(ARRAY))) return;
  const Value *tensor = find_tensor(event->value);
  if (!tensor) return;
  Str array = rule_text(ctx, event, event->target->u.subscript.value);
  Report report = {.rule = RULE_TF201,
                   .variant = TF201_STORED_IN_ARRAY,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, tensor),
                   .subject = array,
                   .because = tensor};
  report_fill(&report, S("array"), array);
  rule_report(ctx, event, &report);
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context)) return;
  if (event->kind == EV_CALL) on_call(ctx, event);
  if (event->kind == EV_STORE) on_store(ctx, event);
}

const RuleCheck rule_numpy_on_tensor = {
    .name = S_INIT("numpy_on_tensor"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE),
    .event = on_event,
};

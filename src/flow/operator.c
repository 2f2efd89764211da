/* Operators: what arithmetic, comparisons and boolean operators give.
 *
 * A tensor operand makes the result a tensor, whatever the other side is (TensorFlow's operators win over NumPy's and
 * Python's). Python numbers fold when both are known. Flags that say "differs from call to call" or "drawn once" travel along.
 */
#include "flow/walk.h"

#define FLAGS_THAT_TRAVEL \
  (VF_LIKELY | VF_CHANGING | VF_RANDOM | VF_CLOCK | VF_HOST_STATE | VF_TENSOR_LEN | VF_MADE_BY_PARAM | VF_TAINTED)
#define KINDS_STATE (KIND(VARIABLE) | KIND(EAGER_TENSOR))

/* The place a computed Python value goes back to: of the operand whose place changes, once that is known. */
static Var better_home(const Walker *w, Var a, Var b) {
  if (a.kind == VAR_NONE) return b;
  if (b.kind == VAR_NONE || !w->flow->frozen) return a;
  Change change = flow_change(w->flow, a, NULL);
  return change == CHANGE_CONTENTS || change == CHANGE_REBOUND ? a : b;
}

static void derive(Walker *w, Value *result, const Value *a, const Value *b) {
  result->flags |= (a->flags | b->flags) & FLAGS_THAT_TRAVEL;
  if (value_is_one_tensor(a) || value_is_one_tensor(b)) result->flags &= ~(uint32_t)VF_TAINTED;  // a tensor in any case
  result->origin = ORIGIN_FRESH;
  if (!value_is(result, KINDS_PYTHON_SCALAR | KIND(NONE) | KIND(DIM))) return;
  result->home = better_home(w, a->home, b->home);
  if (result->home.kind != VAR_NONE) result->flags |= VF_HOST_STATE;
}

/* ---- shapes of elementwise results ---- */

static int32_t broadcast_dim(int32_t a, int32_t b) {
  if (a == 1) return b;
  if (b == 1 || a == b) return a;
  if (a < 0) return b >= 0 ? b : DIM_UNKNOWN;
  return b < 0 ? a : DIM_UNKNOWN;
}

static int8_t rank_of(const Value *v) { return value_is(v, KINDS_PYTHON_SCALAR | KIND(DIM)) ? 0 : v->rank; }

static void broadcast(Value *result, const Value *a, const Value *b) {
  int8_t left = rank_of(a), right = rank_of(b);
  if (left == RANK_UNKNOWN || right == RANK_UNKNOWN) return;
  result->rank = left > right ? left : right;
  if ((left && !a->dim_len) || (right && !b->dim_len) || result->rank > VALUE_DIMS) return;
  for (int i = 0; i < result->rank; i++) {
    int from_a = i - (result->rank - left), from_b = i - (result->rank - right);
    int32_t dim_a = from_a >= 0 ? a->dims[from_a] : 1, dim_b = from_b >= 0 ? b->dims[from_b] : 1;
    result->dims[i] = broadcast_dim(dim_a, dim_b);
  }
  result->dim_len = (uint8_t)result->rank;
}

/* ---- numbers ---- */

static double as_double(const Value *v) { return v->konst == KONST_FLOAT ? v->constant.f : (double)v->constant.i; }

static bool fold_int(BinaryOp op, int64_t a, int64_t b, int64_t *out) {
  switch (op) {
    case OP_ADD:
      return !__builtin_add_overflow(a, b, out);
    case OP_SUB:
      return !__builtin_sub_overflow(a, b, out);
    case OP_MUL:
      return !__builtin_mul_overflow(a, b, out);
    case OP_FLOORDIV:
      if (b <= 0 || a < 0) return false;
      *out = a / b;
      return true;
    case OP_MOD:
      if (b <= 0 || a < 0) return false;
      *out = a % b;
      return true;
    case OP_POW:
      *out = 1;
      if (b < 0 || b > 62) return false;
      for (int64_t i = 0; i < b; i++) {
        if (__builtin_mul_overflow(*out, a, out)) return false;
      }
      return true;
    default:
      return false;
  }
}

static bool is_number(const Value *v) { return v->konst == KONST_INT || v->konst == KONST_FLOAT; }

static bool fold_float(BinaryOp op, double a, double b, double *out) {
  switch (op) {
    case OP_ADD:
      *out = a + b;
      return true;
    case OP_SUB:
      *out = a - b;
      return true;
    case OP_MUL:
      *out = a * b;
      return true;
    case OP_DIV:
      *out = b != 0 ? a / b : 0;
      return b != 0;
    default:
      return false;
  }
}

static const Value *number_value(Walker *w, BinaryOp op, const Value *a, const Value *b) {
  Value *result = value_new(w->scratch, KIND(NUMBER));
  bool ints = dtype_is_int((DType)a->dtype) && dtype_is_int((DType)b->dtype);
  if (a->dtype && b->dtype) result->dtype = ints && op != OP_DIV ? DT_INT32 : DT_FLOAT32;
  if (a->konst == KONST_INT && b->konst == KONST_INT &&
      fold_int(op, a->constant.i, b->constant.i, &result->constant.i)) {
    result->konst = KONST_INT;
  } else if (is_number(a) && is_number(b) && fold_float(op, as_double(a), as_double(b), &result->constant.f)) {
    result->konst = KONST_FLOAT;
    result->dtype = DT_FLOAT32;
  }
  derive(w, result, a, b);
  return result;
}

/* ---- containers and text ---- */

static const Value *concat_value(Walker *w, const Value *a, const Value *b) {
  Value *result = value_new(w->scratch, a->kinds);
  result->origin = ORIGIN_FRESH;
  if (a->parts_exact && b->parts_exact && a->part_len + b->part_len <= VALUE_WIDTH) {
    const Value **parts = arena_array(w->scratch, const Value *, (size_t)a->part_len + b->part_len + 1);
    for (uint32_t i = 0; i < a->part_len; i++) parts[i] = a->parts[i];
    for (uint32_t i = 0; i < b->part_len; i++) parts[a->part_len + i] = b->parts[i];
    result->parts = parts;
    result->part_len = (uint8_t)(a->part_len + b->part_len);
    result->parts_exact = true;
  }
  result->elem = value_join(w->scratch, value_element(w->scratch, a), value_element(w->scratch, b));
  return result;
}

/* [0] * n: same elements, other length. */
static const Value *repeat_value(Walker *w, const Value *list) {
  Value *result = value_new(w->scratch, list->kinds);
  result->origin = ORIGIN_FRESH;
  result->elem = value_element(w->scratch, list);
  return result;
}

static const Value *text_value(Walker *w, const Value *a, const Value *b) {
  Value *text = value_new(w->scratch, KIND(TEXT));
  text->dtype = DT_STRING;
  derive(w, text, a, b);
  return text;
}

/* ---- binary ---- */

static const Value *tensor_value(Walker *w, Kind kind, BinaryOp op, const Value *a, const Value *b, Span span) {
  Value *result = value_new(w->scratch, (KindSet)1 << kind);
  bool a_array = value_has(a, KIND(TENSOR) | KINDS_STATE), b_array = value_has(b, KIND(TENSOR) | KINDS_STATE);
  if (a_array && b_array) result->dtype = a->dtype ? a->dtype : b->dtype;
  if (a_array != b_array) result->dtype = a_array ? a->dtype : b->dtype;
  if (op == OP_DIV && dtype_is_int((DType)result->dtype)) result->dtype = DT_FLOAT64;
  if (op != OP_MATMUL) broadcast(result, a, b);
  derive(w, result, a, b);
  result->why = (Why){WHY_OPERATOR, w->module->id, span, NULL};
  return result;
}

#define KINDS_ANY_TENSOR (KIND(TENSOR) | KINDS_STATE | KIND(KERAS_TENSOR) | KIND(COMPOSITE))

/* Kind of `a op b` where one side is some tensor: symbolic wins, then Keras', then composite ones, then what the context
 * makes of a variable or concrete tensor. */
static Kind tensor_kind(const Walker *w, const Value *a, const Value *b) {
  KindSet both = a->kinds | b->kinds;
  if (both & KIND(COMPOSITE)) return K_COMPOSITE;
  if (both & KIND(KERAS_TENSOR)) return K_KERAS_TENSOR;
  if (both & KIND(TENSOR)) return K_TENSOR;
  return ctx_traced(w->context) ? K_TENSOR : K_EAGER_TENSOR;
}

static bool certainly_tensor(const Value *v) { return v->kinds && value_is(v, KINDS_ANY_TENSOR); }

static bool may_be_list(const Value *v) {
  return value_is_unknown(v) || (v->flags & VF_PERHAPS_NEST) || (v->kinds && value_is(v, KIND(LIST) | KIND(TUPLE)));
}

/* Arithmetic on shapes stays static. On a dimension that is None it raises: what is left says nothing more. */
static const Value *dim_value(Walker *w, const Value *a, const Value *b) {
  Value *result = value_new(w->scratch, KIND(DIM));
  derive(w, result, a, b);
  result->flags &= ~(uint32_t)VF_TENSOR_LEN;
  return result;
}

const Value *binary_value(Walker *w, BinaryOp op, const Value *a, const Value *b, Span span) {
  if (!a->kinds || !b->kinds) return &value_bottom;
  if (certainly_tensor(a) || certainly_tensor(b)) {
    const Value *tensor = tensor_value(w, tensor_kind(w, a, b), op, a, b, span);
    bool lists = op == OP_ADD && may_be_list(a) && may_be_list(b);  // `inputs + conditional_inputs`
    return lists ? value_with_flags(w->scratch, tensor, VF_PERHAPS_NEST, 0) : tensor;
  }
  if (value_is_unknown(a) || value_is_unknown(b)) {
    return value_with_flags(w->scratch, &value_unknown, (a->flags | b->flags) & (VF_CHANGING | VF_RANDOM | VF_CLOCK),
                            0);
  }
  KindSet scalar = KIND(NUMBER) | KIND(BOOL);
  if (value_is(a, scalar) && value_is(b, scalar)) return number_value(w, op, a, b);
  if (value_is(a, scalar | KIND(DIM)) && value_is(b, scalar | KIND(DIM))) return dim_value(w, a, b);
  if (value_is(a, KIND(TEXT))) return text_value(w, a, b);
  KindSet sequence = KIND(LIST) | KIND(TUPLE);
  if (op == OP_ADD && value_is(a, sequence) && a->kinds == b->kinds) return concat_value(w, a, b);
  if (op == OP_MUL && value_is(a, sequence) && value_is(b, scalar | KIND(DIM))) return repeat_value(w, a);
  if (op == OP_MUL && value_is(b, sequence) && value_is(a, scalar | KIND(DIM))) return repeat_value(w, b);
  if (value_is(a, scalar | KIND(ARRAY)) && value_is(b, scalar | KIND(ARRAY))) {
    Value *array = value_new(w->scratch, KIND(ARRAY));
    derive(w, array, a, b);
    return array;
  }
  if (value_is(a, KIND(SHAPE)) && value_is(b, KIND(SHAPE) | sequence)) return value_new(w->scratch, KIND(SHAPE));
  return &value_unknown;
}

static void emit_operator(Walker *w, const Expr *expr, Event event, const Value *result) {
  event.kind = EV_OPERATOR;
  event.expr = expr;
  event.span = expr->span;
  event.result = result;
  event.value = event.operands[0];
  emit_event(w, &event);
}

static bool is_percent_format(const Value *left, BinaryOp op) { return op == OP_MOD && value_is(left, KIND(TEXT)); }

/* A chain `a + b + …` leans left as deep as the tree allows; evaluation follows it without recursion. */
const Value *eval_binary(Walker *w, const Expr *expr) {
  const Value *left = eval(w, expr->u.binary.left);
  const Value *right = eval(w, expr->u.binary.right);
  BinaryOp op = expr->u.binary.op;
  const Value *own = dunder_binary(w, op, left, right, expr->span);
  const Value *result = own ? own : binary_value(w, op, left, right, expr->span);
  if (is_percent_format(left, op)) {
    format_percent(w, expr, left, right);
    return result;
  }
  emit_operator(w, expr, (Event){.operands = {left, right}, .operand_len = 2, .op = op, .op_is = OPERATOR_BINARY},
                result);
  return result;
}

/* ---- unary ---- */

const Value *eval_unary(Walker *w, const Expr *expr) {
  const Expr *operand = expr->u.unary.operand;
  if (expr->u.unary.op == OP_NOT) {
    Condition condition = eval_condition(w, operand, ASK_NOT);
    if (condition.constant != TRI_UNKNOWN) return value_bool(w->scratch, condition.constant == TRI_NO);
    const Value *v = condition.value;
    Value *result =
        value_new(w->scratch, condition.is_tensor && ctx_autograph_on(w->context) ? KIND(TENSOR) : KIND(BOOL));
    if (condition.is_tensor) result->dtype = DT_BOOL;
    if (value_is_unknown(v)) result->kinds = KIND(UNKNOWN);
    derive(w, result, v, v);
    result->flags |= VF_FLAG;
    return result;
  }
  const Value *v = eval(w, operand);
  const Value *own = dunder_unary(w, expr->u.unary.op, v, expr->span);
  if (own) return own;
  if (value_is(v, KIND(NUMBER)) && expr->u.unary.op == OP_NEG) {
    return number_value(w, OP_MUL, value_int(w->scratch, -1), v);
  }
  emit_operator(w, expr,
                (Event){.operands = {v}, .operand_len = 1, .op = (int)expr->u.unary.op, .op_is = OPERATOR_UNARY}, v);
  if (value_has(v, KIND(VARIABLE))) return binary_value(w, OP_MUL, v, value_int(w->scratch, 1), expr->span);
  return v;
}

/* ---- and, or ---- */

const Value *eval_bool(Walker *w, const Expr *expr) {
  Env *outside = w->env;
  const ExprList *values = &expr->u.boolean.values;
  bool is_or = expr->u.boolean.is_or;
  const Value *join = NULL;
  bool tensor = false;
  Var home = {0};
  for (uint32_t i = 0; i < values->len; i++) {
    bool last = i + 1 == values->len;
    if (last) {
      const Value *value = eval(w, values->data[i]);
      join = value_join(w->scratch, join, value);
      home = better_home(w, home, value->home);
      break;
    }
    Condition condition = eval_condition(w, values->data[i], ASK_BOOL_OP);
    if (condition.constant == (is_or ? TRI_YES : TRI_NO)) {
      join = value_join(w->scratch, join, condition.value);
      break;
    }
    tensor |= condition.is_tensor;
    home = better_home(w, home, condition.value->home);
    if (condition.constant == TRI_UNKNOWN) join = value_join(w->scratch, join, condition.value);
    if (i == 0) w->env = env_copy(w, outside);
    refine(w, values->data[i], !is_or);
    if (w->env->dead) break;
  }
  w->env = outside;
  if (!tensor && join && value_is(join, KINDS_PYTHON_SCALAR | KIND(NONE)) && home.kind != VAR_NONE) {
    Value *decided = value_copy(w->scratch, join);
    decided->home = home;
    decided->flags |= VF_HOST_STATE;
    return decided;
  }
  if (!tensor || !join) return join ? join : &value_unknown;
  Value *result = value_new(w->scratch, KIND(TENSOR));
  result->dtype = DT_BOOL;
  derive(w, result, join, join);
  result->why = (Why){WHY_OPERATOR, w->module->id, expr->span, NULL};
  return result;
}

/* ---- comparisons ---- */

static const Value *bool_result(Walker *w, const Value *a, const Value *b, Tri known) {
  Value *result = value_new(w->scratch, KIND(BOOL));
  derive(w, result, a, b);
  result->flags |= VF_FLAG;
  if (known != TRI_UNKNOWN) {
    result->konst = KONST_BOOL;
    result->constant.i = known == TRI_YES;
  }
  return result;
}

static Tri compare_constants(CompareOp op, const Value *a, const Value *b) {
  int order;
  if (a->konst == KONST_STR && b->konst == KONST_STR) {
    order = str_cmp(a->constant.s, b->constant.s);
  } else if ((is_number(a) || a->konst == KONST_BOOL) && (is_number(b) || b->konst == KONST_BOOL)) {
    double x = as_double(a), y = as_double(b);
    order = x < y ? -1 : x > y;
  } else {
    return TRI_UNKNOWN;
  }
  bool holds[] = {order == 0, order != 0, order < 0, order <= 0, order > 0, order >= 0, order == 0, order != 0};
  return op <= CMP_IS_NOT ? (holds[op] ? TRI_YES : TRI_NO) : TRI_UNKNOWN;
}

/* `x is None`: known when x is None for certain, or for certain is not. */
static Tri compare_identity(const Value *a, const Value *b, bool negated) {
  const Value *other = a;
  if (value_is(a, KIND(NONE))) {
    other = b;
  } else if (!value_is(b, KIND(NONE))) {
    return TRI_UNKNOWN;
  }
  Tri same = TRI_UNKNOWN;
  if (value_is(other, KIND(NONE))) same = TRI_YES;
  if (other->kinds && !value_may(other, KIND(NONE) | KIND(DIM))) same = TRI_NO;
  if (same == TRI_UNKNOWN || !negated) return same;
  return same == TRI_YES ? TRI_NO : TRI_YES;
}

static const Value *compare_pair(Walker *w, CompareOp op, const Value *a, const Value *b, Span span) {
  if (!a->kinds || !b->kinds) return &value_bottom;
  if (op == CMP_IS || op == CMP_IS_NOT) return bool_result(w, a, b, compare_identity(a, b, op == CMP_IS_NOT));
  if (op == CMP_IN || op == CMP_NOT_IN) return bool_result(w, a, b, TRI_UNKNOWN);
  bool against_none = value_is(a, KIND(NONE)) || value_is(b, KIND(NONE));
  bool against_text =
      (a->konst == KONST_STR && b->dtype != DT_STRING) || (b->konst == KONST_STR && a->dtype != DT_STRING);
  if (against_text && (certainly_tensor(a) || certainly_tensor(b))) return &value_unknown;  // no tensor after all
  if (!against_none && (certainly_tensor(a) || certainly_tensor(b))) {
    Value *result = value_copy(w->scratch, tensor_value(w, tensor_kind(w, a, b), OP_ADD, a, b, span));
    result->dtype = DT_BOOL;
    return result;
  }
  if (against_none) return bool_result(w, a, b, compare_identity(a, b, op == CMP_NE));
  if (value_is_unknown(a) || value_is_unknown(b)) {
    return value_with_flags(w->scratch, &value_unknown, VF_FLAG | ((a->flags | b->flags) & VF_RANDOM), 0);
  }
  if (value_has(a, KIND(ARRAY)) || value_has(b, KIND(ARRAY))) return value_new(w->scratch, KIND(ARRAY));
  return bool_result(w, a, b, compare_constants(op, a, b));
}

static void emit_membership(Walker *w, const Expr *expr, const Value *item, const Value *container) {
  Event event = {
      .kind = EV_TRUTH, .expr = expr, .span = expr->span, .value = item, .receiver = container, .asker = ASK_IN};
  emit_event(w, &event);
}

const Value *eval_compare(Walker *w, const Expr *expr) {
  const ExprList *operands = &expr->u.compare.operands;
  const Value *left = eval(w, operands->data[0]), *result = NULL;
  for (uint32_t i = 1; i < operands->len; i++) {
    const Value *right = eval(w, operands->data[i]);
    CompareOp op = (CompareOp)expr->u.compare.ops[i - 1];
    const Value *own = dunder_compare(w, op, left, right, expr->span);
    const Value *pair = own ? own : compare_pair(w, op, left, right, expr->span);
    emit_operator(w, expr, (Event){.operands = {left, right}, .operand_len = 2, .op = op, .op_is = OPERATOR_COMPARE},
                  pair);
    if (op == CMP_IN || op == CMP_NOT_IN) emit_membership(w, expr, left, right);
    if (i + 1 < operands->len) {
      Event event = {.kind = EV_TRUTH, .expr = expr, .span = expr->span, .value = pair, .asker = ASK_CHAINED_COMPARE};
      emit_event(w, &event);
    }
    result = value_join(w->scratch, result, pair);
    left = right;
  }
  return result;
}

/* ---- ternary ---- */

const Value *eval_ternary(Walker *w, const Expr *expr) {
  const Expr *test = expr->u.ternary.test;
  Condition condition = eval_condition(w, test, ASK_TERNARY);
  Env *outside = w->env;
  const Value *arms[2] = {NULL, NULL};
  for (uint32_t arm = 0; arm < 2; arm++) {
    w->env = env_copy(w, outside);
    refine(w, test, arm == 0);
    if (condition.constant == (arm == 0 ? TRI_NO : TRI_YES) || w->env->dead) continue;
    RegionKind kind = condition.is_tensor && ctx_autograph_on(w->context) ? REGION_TENSOR_BRANCH : REGION_PYTHON_BRANCH;
    push_region(w, (Region){.kind = kind, .expr = test, .value = condition.value, .arm = arm, .trip_count = -1});
    arms[arm] = eval(w, arm == 0 ? expr->u.ternary.then : expr->u.ternary.otherwise);
    pop_region(w);
  }
  w->env = outside;
  const Value *join = value_join(w->scratch, arms[0], arms[1]);
  Event event = {.kind = EV_BRANCH,
                 .expr = expr,
                 .span = expr->span,
                 .value = condition.value,
                 .result = join,
                 .operands = {arms[0], arms[1]},
                 .operand_len = 2,
                 .var = changing_home(w, condition.value)};
  emit_event(w, &event);
  if (!condition.is_tensor || !ctx_autograph_on(w->context)) {
    uint32_t travel = condition.value->flags & (VF_RANDOM | VF_CLOCK);
    return travel && join->kinds ? value_with_flags(w->scratch, join, travel, 0) : join;
  }
  return join;
}

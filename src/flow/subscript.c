/* Subscripts: elements of containers, dimensions of shapes, slices of tensors and arrays. */
#include "flow/walk.h"

static bool index_constant(const Value *index, int64_t len, int64_t *at) {
  if (index->konst != KONST_INT) return false;
  *at = index->constant.i < 0 ? index->constant.i + len : index->constant.i;
  return *at >= 0 && *at < len;
}

/* ---- tensors ---- */

enum { DROPS_AXIS, KEEPS_AXIS, ADDS_AXIS, UNCLEAR };

/* What one index of a subscript does to the rank. */
static int axis_effect(Walker *w, const Expr *index) {
  if (index->kind == EXPR_SLICE) return KEEPS_AXIS;
  const Value *value = eval_quiet(w, index);
  if (value_is(value, KIND(NUMBER) | KIND(DIM))) return DROPS_AXIS;
  if (value_is(value, KIND(NONE))) return ADDS_AXIS;
  if (value_is(value, KIND(TENSOR) | KIND(EAGER_TENSOR)) && value->rank == 0 && value->dtype != DT_BOOL)
    return DROPS_AXIS;
  return UNCLEAR;
}

static bool is_full_slice(const Expr *index) {
  return index->kind == EXPR_SLICE && !index->u.slice.lower && !index->u.slice.upper && !index->u.slice.step;
}

/* Rank and dimensions of `tensor[index]`, as far as ints, None and plain slices tell. */
static void slice_shape(Walker *w, const Value *tensor, const Expr *index, Value *result) {
  ExprList one = {(Expr *[]){(Expr *)index}, 1};
  const ExprList *indices = index->kind == EXPR_TUPLE ? &index->u.items : &one;
  if (tensor->rank == RANK_UNKNOWN) return;
  int axis = 0, rank = 0;
  int32_t dims[VALUE_DIMS * 2] = {0};
  bool known = tensor->dim_len > 0;
  for (uint32_t i = 0; i < indices->len; i++) {
    if (indices->data[i]->kind == EXPR_CONST && indices->data[i]->u.constant.kind == CONST_ELLIPSIS) return;
    int effect = axis_effect(w, indices->data[i]);
    if (effect == UNCLEAR || rank >= VALUE_DIMS || axis > tensor->rank) return;
    if (effect == ADDS_AXIS) dims[rank++] = 1;
    if (effect == KEEPS_AXIS) {
      dims[rank++] =
          known && axis < tensor->dim_len && is_full_slice(indices->data[i]) ? tensor->dims[axis] : DIM_UNKNOWN;
    }
    if (effect != ADDS_AXIS) axis++;
  }
  for (; axis < tensor->rank && rank < VALUE_DIMS; axis++) dims[rank++] = known ? tensor->dims[axis] : DIM_UNKNOWN;
  if (axis < tensor->rank) return;
  result->rank = (int8_t)rank;
  result->dim_len = known ? (uint8_t)rank : 0;
  memcpy(result->dims, dims, sizeof result->dims);
}

/* `rows[:i]` in eager code, with another `i` each time: another length each time. */
static uint32_t slice_growth(Walker *w, const Expr *index) {
  if (index->kind == EXPR_TUPLE && index->u.items.len) index = index->u.items.data[0];
  if (ctx_traced(w->context) || index->kind != EXPR_SLICE || (index->u.slice.lower && index->u.slice.upper)) return 0;
  const Expr *bound = index->u.slice.lower ? index->u.slice.lower : index->u.slice.upper;
  return bound && (eval_quiet(w, bound)->flags & VF_CHANGING) ? VF_GROWING : 0;
}

static const Value *tensor_item(Walker *w, const Value *tensor, const Expr *index, Span span) {
  KindSet kinds = tensor->kinds;
  if (value_has(tensor, KIND(VARIABLE))) kinds = ctx_traced(w->context) ? KIND(TENSOR) : KIND(EAGER_TENSOR);
  Value *result = value_new(w->scratch, kinds);
  result->dtype = tensor->dtype;
  result->flags = (tensor->flags & (VF_TAINTED | VF_LIKELY)) | slice_growth(w, index);
  if (index->kind != EXPR_TUPLE) result->flags |= tensor->flags & VF_PERHAPS_NEST;
  result->origin = ORIGIN_FRESH;
  result->why = tensor->why.kind ? tensor->why : (Why){WHY_OPERATOR, w->module->id, span, NULL};
  slice_shape(w, tensor, index, result);
  return result;
}

/* ---- shapes ---- */

static const Value *dim_of(Walker *w, int32_t dim) {
  if (dim >= 0) return value_int(w->scratch, dim);
  Value *result = value_new(w->scratch, KIND(DIM));
  if (dim == DIM_NONE) result->flags |= VF_TENSOR_LEN;
  return result;
}

const Value *shape_dim(Walker *w, const Value *shape, uint32_t at) {
  return dim_of(w, at < shape->dim_len ? shape->dims[at] : at ? DIM_UNKNOWN : shape->dims[0]);
}

static const Value *shape_item(Walker *w, const Value *shape, const Value *index, const Expr *expr) {
  if (expr->kind == EXPR_SLICE) {
    Value *rest = value_new(w->scratch, KIND(SHAPE));
    bool from_one =
        expr->u.slice.lower && expr->u.slice.lower->kind == EXPR_CONST && expr->u.slice.lower->u.constant.i == 1;
    if (from_one && !expr->u.slice.upper && shape->dim_len) {
      rest->dim_len = (uint8_t)(shape->dim_len - 1);
      rest->rank = (int8_t)rest->dim_len;
      memcpy(rest->dims, shape->dims + 1, rest->dim_len * sizeof *rest->dims);
    }
    return rest;
  }
  int64_t at;
  if (shape->dim_len && index_constant(index, shape->dim_len, &at)) return dim_of(w, shape->dims[at]);
  /* The first dimension may be known even where the rank is not: Keras' batch axis. */
  if (index->konst == KONST_INT && index->constant.i == 0 && shape->rank == RANK_UNKNOWN &&
      shape->dims[0] == DIM_NONE) {
    return dim_of(w, DIM_NONE);
  }
  return dim_of(w, DIM_UNKNOWN);
}

/* ---- containers ---- */

static bool is_negative(const Expr *expr, const Value *value) {
  if (value->konst == KONST_INT) return value->constant.i < 0;
  return expr->kind == EXPR_UNARY && expr->u.unary.op == OP_NEG;
}

/* `rows[1:]` and `rows[:-1]` grow with the list, `rows[-8:]`, `rows[:8]` and `rows[2:8]` only as far as that. */
static bool slice_follows(Walker *w, const Expr *index) {
  const Expr *lower = index->u.slice.lower, *upper = index->u.slice.upper;
  const Value *from = lower ? eval_quiet(w, lower) : NULL, *to = upper ? eval_quiet(w, upper) : NULL;
  if (((from ? from->flags : 0) | (to ? to->flags : 0)) & VF_CHANGING) return true;
  bool from_end = from && is_negative(lower, from);
  return upper ? !from_end && is_negative(upper, to) : !from_end;
}

static const Value *sequence_slice(Walker *w, const Value *sequence, const Expr *index) {
  Value *result = value_new(w->scratch, sequence->kinds);
  result->elem = value_held(w->scratch, sequence);
  result->origin = ORIGIN_FRESH;
  result->home = sequence->home;
  if (sequence->flags & VF_GROWING && slice_follows(w, index)) result->flags = VF_GROWING;
  return result;
}

static const Value *container_item(Walker *w, const Value *container, const Value *index, const Expr *expr) {
  if (expr->kind == EXPR_SLICE) return sequence_slice(w, container, expr);
  int64_t at;
  if (container->parts_exact && !container->keys && index_constant(index, container->part_len, &at)) {
    return item_of(w, container, container->parts[at]);
  }
  if (container->parts_exact && container->keys && index->konst == KONST_STR) {
    for (uint32_t i = 0; i < container->part_len; i++) {
      if (sym_is(container->keys[i], index->constant.s)) return item_of(w, container, container->parts[i]);
    }
    return &value_unknown;
  }
  const Value *held = value_held(w->scratch, container);
  /* A dict used as a record: what its other entries are says nothing about this one. */
  if (value_is(container, KIND(DICT)) && value_is_unknown(held)) return &value_unknown;
  return item_of(w, container, held);
}

static const Value *item_value(Walker *w, const Value *object, const Value *index, const Expr *expr) {
  const Expr *index_expr = expr->u.subscript.index;
  if (!object->kinds) return &value_bottom;
  KindSet kinds = object->kinds & ~KIND(NONE);
  if (kinds & KIND(UNKNOWN)) return &value_unknown;
  KindSet tensors = KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(VARIABLE) | KIND(KERAS_TENSOR) | KIND(COMPOSITE);
  if (kinds && !(kinds & ~tensors)) return tensor_item(w, object, index_expr, expr->span);
  if (kinds == KIND(SHAPE)) return shape_item(w, object, index, index_expr);
  if (kinds && !(kinds & ~KINDS_CONTAINER)) return container_item(w, object, index, index_expr);
  if (kinds == KIND(TEXT)) return value_new(w->scratch, KIND(TEXT));
  if (kinds == KIND(ARRAY)) {
    Value *array = value_new(w->scratch, KIND(ARRAY));
    array->home = object->home;
    array->origin = object->origin;
    array->flags |= slice_growth(w, index_expr);
    return array;
  }
  const Value *own = call_dunder(w, object, S("__getitem__"), &index, 1, expr->span);
  if (own) return own;
  if (kinds == (KIND(TENSOR) | KIND(DICT)) || kinds == (KIND(TENSOR) | KIND(TUPLE))) {
    return object->elem ? object->elem
                        : &value_unknown;  // an element whose structure is not known: its parts are tensors
  }
  return &value_unknown;
}

static void slice_operands(Walker *w, const Expr *slice, Event *event) {
  const Expr *exprs[] = {slice->u.slice.lower, slice->u.slice.upper, slice->u.slice.step};
  for (int i = 0; i < 3; i++)
    event->operands[i] = exprs[i] ? eval_quiet(w, exprs[i]) : value_new(w->scratch, KIND(NONE));
  event->operand_len = 3;
}

const Value *eval_subscript(Walker *w, const Expr *expr) {
  const Value *object = eval(w, expr->u.subscript.value);
  const Expr *index_expr = expr->u.subscript.index;
  const Value *index = eval(w, index_expr);
  const Value *result = item_value(w, object, index, expr);
  Event event = {
      .kind = EV_SUBSCRIPT, .expr = expr, .span = expr->span, .value = index, .receiver = object, .result = result};
  if (index_expr->kind == EXPR_SLICE && listening(w)) slice_operands(w, index_expr, &event);
  emit_event(w, &event);
  return result;
}

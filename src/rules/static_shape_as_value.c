/* TF605: a static dimension that is None while tracing is used as a number or in a shape.
 *
 * Only dimensions that are None for certain count: the batch axis in Keras' methods, None in a signature, elements of a batched
 * dataset, results that have no static shape. The finding sits at the use. Code under a test of the shape, or of the
 * dimension against None, knows what it does.
 */
#include "rules/operand.h"

static bool is_none_dim(const Value *value) {
  return value && value_is(value, KIND(DIM)) && (value->flags & VF_TENSOR_LEN);
}

static bool has_none_dim(const Value *shape) {
  if (!value_is(shape, KIND(SHAPE))) return false;
  // The first dimension may be known to be None even where the rank is not: Keras' batch axis.
  if (shape->rank == RANK_UNKNOWN && shape->dims[0] == DIM_NONE) return true;
  for (uint32_t i = 0; i < shape->dim_len; i++) {
    if (shape->dims[i] == DIM_NONE) return true;
  }
  return false;
}

/* ---- tests of the shape around the use ---- */

static void visit_test(void *context, Expr *expr) {
  bool *found = context;
  if (!expr || *found) return;
  static const Str words[] = {S_INIT("shape"), S_INIT("is_fully_defined"), S_INIT("get_shape"), S_INIT("rank"),
                              S_INIT("ndims")};
  for (size_t i = 0; expr->kind == EXPR_ATTR && i < sizeof words / sizeof *words; i++)
    *found |= sym_is(expr->u.attr.name, words[i]);
  *found |= expr->kind == EXPR_CONST && expr->u.constant.kind == CONST_NONE;
  expr_children(expr, visit_test, context);
}

static bool under_shape_test(const Frame *frame) {
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    bool is_branch = region->kind == REGION_PYTHON_BRANCH || region->kind == REGION_STATIC_BRANCH ||
                     region->kind == REGION_FROZEN_BRANCH || region->kind == REGION_AFTER_EXIT;
    bool found = false;
    if (is_branch && region->expr) visit_test(&found, (Expr *)region->expr);
    if (found) return true;
  }
  return false;
}

/* ---- uses ---- */

static void report_use(RuleContext *ctx, const Event *event, uint32_t variant, const Value *value, const Expr *said) {
  if (under_shape_test(event->frame)) return;
  Str name = rule_text(ctx, event, said);
  Report report = {.rule = RULE_TF605,
                   .variant = variant,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, value),
                   .subject = name,
                   .because = value,
                   .because_name = name};
  report_fill(&report, S("dimension"), name);
  rule_report(ctx, event, &report);
}

/* None has no arithmetic and no order; equality with it is defined. */
static void on_operator(RuleContext *ctx, const Event *event) {
  bool compares = event->op_is == OPERATOR_COMPARE;
  bool orders = compares && event->op >= CMP_LT && event->op <= CMP_GE;
  if (compares && !orders) return;
  const Expr *expr = event->expr;
  for (uint32_t i = 0; i < event->operand_len; i++) {
    if (!is_none_dim(event->operands[i])) continue;
    const Expr *said = expr;
    if (expr->kind == EXPR_BINARY) said = i ? expr->u.binary.right : expr->u.binary.left;
    if (expr->kind == EXPR_COMPARE && expr->u.compare.operands.len == 2) said = expr->u.compare.operands.data[i];
    if (expr->kind == EXPR_UNARY) said = expr->u.unary.operand;
    report_use(ctx, event, TF605_DEFAULT, event->operands[i], said);
    return;
  }
}

/* The None dimension in a shape argument: itself, in a list, or a whole static shape. */
static const Value *none_in_shape(const Value *shape, const Expr *expr, const Expr **said) {
  *said = expr;
  if (is_none_dim(shape) || has_none_dim(shape)) return shape;
  if (!value_is(shape, KIND(LIST) | KIND(TUPLE)) || !shape->parts_exact) return NULL;
  for (uint32_t i = 0; i < shape->part_len; i++) {
    if (!is_none_dim(shape->parts[i])) continue;
    bool is_display = expr && (expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE) && i < expr->u.items.len;
    if (is_display) *said = expr->u.items.data[i];
    return shape->parts[i];
  }
  return NULL;
}

static bool needs_number(const Event *event) {
  return (event->api->tags & TAG(PYTHON_NUMBER)) || str_eq(event->api_name, S("builtins.range")) ||
         str_eq(event->api_name, S("builtins.int")) || str_eq(event->api_name, S("builtins.float"));
}

/* Shapes of Keras inputs and specs may say None; those are no operations on tensors. */
static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || !event->args) return;
  bool shapes = (event->api->tags & TAG(SHAPE_ARG)) != 0, number = needs_number(event);
  if (!shapes && !number) return;
  for (uint32_t i = 0; i < event->args->len; i++) {
    const Value *value = event->args->values[i];
    const Expr *said = event->args->exprs[i];
    const Value *none = shapes ? none_in_shape(value, said, &said) : is_none_dim(value) ? value : NULL;
    if (!none) continue;
    report_use(ctx, event, number ? TF605_DEFAULT : TF605_IN_SHAPE, none, said);
    return;
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context)) return;
  if (event->kind == EV_OPERATOR) on_operator(ctx, event);
  else on_call(ctx, event);
}

const RuleCheck rule_static_shape_as_value = {
    .name = S_INIT("static_shape_as_value"),
    .events = ON_EVENT(EV_OPERATOR) | ON_EVENT(EV_CALL),
    .event = on_event,
};

/* Conditions: what a test says about the branch that is taken, and what is known in each branch.
 *
 *   if x is None: A else: B        A: x is None; B: x is not
 *   if isinstance(x, np.ndarray)   with x a symbolic tensor: A is never executed
 */
#include "flow/walk.h"

static Tri constant_of(const Value *v) {
  if (v->home.kind != VAR_NONE)
    return TRI_UNKNOWN;  // a variable's present value is no reason to ignore the other branch
  switch (v->konst) {
    case KONST_BOOL:
    case KONST_INT:
      return v->constant.i ? TRI_YES : TRI_NO;
    case KONST_FLOAT:
      return v->constant.f != 0 ? TRI_YES : TRI_NO;
    case KONST_STR:
      return v->constant.s.len ? TRI_YES : TRI_NO;
    default:
      break;
  }
  if (value_is(v, KIND(NONE))) return TRI_NO;
  if (value_is(v, KIND(FUNCTION) | KIND(TRACED) | KIND(CLASS) | KIND(API) | KIND(MODULE)) && v->kinds) return TRI_YES;
  return TRI_UNKNOWN;
}

static bool from_host_state(const Value *v) {
  if (v->flags & (VF_HOST_STATE | VF_MADE_BY_PARAM)) return true;
  return v->home.kind != VAR_NONE && v->origin == ORIGIN_OUTER &&
         value_is(v, KINDS_PYTHON_SCALAR | KINDS_CONTAINER | KIND(NONE));
}

Condition eval_condition(Walker *w, const Expr *test, Asker asker) {
  const Value *value = eval(w, test);
  const Value *own = dunder_truth(w, value, test->span);
  if (own) value = own;
  Condition condition = {.value = value, .constant = constant_of(value)};
  condition.is_tensor =
      ctx_traced(w->context) && (value_is_one_tensor(value) || (value->kinds && value_is(value, KIND(VARIABLE))));
  condition.is_frozen = ctx_traced(w->context) && !condition.is_tensor && from_host_state(value);
  condition.is_static = !condition.is_tensor && !condition.is_frozen && !value_is_unknown(value);
  Event event = {.kind = EV_TRUTH, .expr = test, .span = test->span, .value = value, .asker = asker};
  emit_event(w, &event);
  return condition;
}

Var changing_home(const Walker *w, const Value *condition) {
  if (!w->flow->frozen || condition->home.kind == VAR_NONE) return (Var){0};
  Change change = flow_change(w->flow, condition->home, NULL);
  return change == CHANGE_CONTENTS || change == CHANGE_REBOUND ? condition->home : (Var){0};
}

/* ---- narrowing ---- */

static void set_path(Walker *w, const Expr *path, const Value *value) {
  uint64_t root, key;
  if (path->kind == EXPR_NAME && path->u.name.ref == REF_LOCAL) {
    w->env->slots[path->u.name.slot] = value;
  } else if (path_key(w, path, &root, &key)) {
    env_set_fact(w, root, key, value);
  }
}

static bool is_path(const Expr *expr) {
  while (expr->kind == EXPR_ATTR) expr = expr->u.attr.value;
  return expr->kind == EXPR_NAME;
}

/* Keeps only the kinds in `mask`. Nothing left: this branch is never executed. Of what has no name of its own, like
 * `args[0]`, only that can be said. */
static void narrow(Walker *w, const Expr *path, KindSet mask) {
  const Value *value = eval_quiet(w, path);
  if (!value->kinds) return;
  if (!is_path(path)) {
    w->env->dead |= value_is_one_tensor(value) && !(value->kinds & mask);
    return;
  }
  if (value_is_unknown(value)) {
    bool single = mask && !(mask & (mask - 1));
    if (!single || mask == KIND(TENSOR)) return;
    set_path(w, path, value_new(w->scratch, mask));
    return;
  }
  KindSet kinds = value->kinds & mask;
  if (kinds == value->kinds) return;
  if (!kinds) {
    w->env->dead = true;
    return;
  }
  Value *narrowed = value_copy(w->scratch, value);
  narrowed->kinds = kinds;
  if (kinds == KIND(NONE)) narrowed->obj_len = 0;
  set_path(w, path, narrowed);
}

static bool is_type_call(const Expr *expr) {
  return expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME && expr->u.call.args.len == 1 &&
         !expr->u.call.keyword_len && sym_is(expr->u.call.callee->u.name.id, S("type"));
}

/* `type(x) is tuple`. That it is not says nothing: there are subclasses. */
static void refine_type(Walker *w, const Expr *type, const Expr *classes, bool same) {
  bool whole;
  KindSet kinds = isinstance_kinds(w, eval_quiet(w, classes), &whole);
  if (whole && same) narrow(w, type->u.call.args.data[0], kinds);
}

static void refine_compare(Walker *w, const Expr *test, bool outcome) {
  if (test->u.compare.operands.len != 2) return;
  CompareOp op = (CompareOp)test->u.compare.ops[0];
  const Expr *left = test->u.compare.operands.data[0], *right = test->u.compare.operands.data[1];
  if (is_type_call(left)) {
    bool same = op == CMP_IS || op == CMP_EQ || op == CMP_IN;
    bool other = op == CMP_IS_NOT || op == CMP_NE || op == CMP_NOT_IN;
    if (same || other) refine_type(w, left, right, same == outcome);
    return;
  }
  bool against_none = right->kind == EXPR_CONST && right->u.constant.kind == CONST_NONE;
  if (!against_none) return;
  bool is_none = op == CMP_IS || op == CMP_EQ;
  if (!is_none && op != CMP_IS_NOT && op != CMP_NE) return;
  narrow(w, left, is_none == outcome ? KIND(NONE) | KIND(DIM) : ~KIND(NONE));
}

/* A symbolic tensor is no ndarray. `isinstance(x, tf.Tensor)` on something unknown makes it a tensor of this context, in code
 * that is traced itself; in a helper it says what x would be, not that x is ever a tensor in this trace. */
static void refine_isinstance(Walker *w, const Expr *call, bool outcome) {
  if (call->u.call.args.len != 2) return;
  bool whole;
  KindSet kinds = isinstance_kinds(w, eval_quiet(w, call->u.call.args.data[1]), &whole);
  KindSet tensors = KIND(TENSOR) | KIND(EAGER_TENSOR);
  const Expr *path = call->u.call.args.data[0];
  const Value *value = eval_quiet(w, path);
  if (!whole) {  // `isinstance(x, cirq.Circuit)`: then it is one of those, whatever they are
    if (outcome && value->kinds && is_path(path)) set_path(w, path, &value_unknown);
    return;
  }
  if (outcome && value_is_unknown(value) && kinds == tensors && is_path(path)) {
    if (ctx_traced(w->context) && w->instance->witness.root == ROOT_NONE) return;
    set_path(w, path, tensor_here(w, call->span));
    return;
  }
  narrow(w, path, outcome ? kinds : ~(kinds & ~KIND(NUMBER) & ~KIND(TEXT)));
}

static void refine_call(Walker *w, const Expr *test, bool outcome) {
  const Expr *callee = test->u.call.callee;
  if (callee->kind == EXPR_NAME && sym_is(callee->u.name.id, S("isinstance"))) refine_isinstance(w, test, outcome);
}

static void refine_bool(Walker *w, const Expr *test, bool outcome) {
  if (test->u.boolean.is_or == outcome) return;  // `a or b` true: one of them, we do not know which
  for (uint32_t i = 0; i < test->u.boolean.values.len; i++) refine(w, test->u.boolean.values.data[i], outcome);
}

void refine(Walker *w, const Expr *test, bool outcome) {
  switch ((ExprKind)test->kind) {
    case EXPR_UNARY:
      if (test->u.unary.op == OP_NOT) refine(w, test->u.unary.operand, !outcome);
      return;
    case EXPR_BOOL:
      refine_bool(w, test, outcome);
      return;
    case EXPR_COMPARE:
      refine_compare(w, test, outcome);
      return;
    case EXPR_CALL:
      refine_call(w, test, outcome);
      return;
    case EXPR_WALRUS:
      refine(w, test->u.walrus.target, outcome);
      return;
    case EXPR_NAME:
    case EXPR_ATTR:
      if (outcome) narrow(w, test, ~KIND(NONE));
      return;
    default:
      return;
  }
}

/* Special methods: what Python calls by itself on objects of project classes.
 *
 * Operators, len(), iteration, `in`, `with` and truth go to the class's own method when it has one; AutoGraph converts none of
 * these (dispatch.c knows).
 */
#include "flow/walk.h"

static bool is_project_object(const Value *v) {
  return v->obj_len && value_is(v, KIND(INSTANCE) | KINDS_TRACKABLE | KIND(LOSS) | KIND(NONE)) &&
         v->objs[0]->kind == OBJ_INSTANCE;
}

const Value *call_dunder(Walker *w, const Value *object, Str name, const Value *const *given, uint32_t count,
                         Span span) {
  if (!is_project_object(object)) return NULL;
  FuncRef method;
  ClassRef owner;
  Sym sym = sym_intern(w->project->symbols, name);
  if (!project_method(w->project, object->objs[0]->cls, sym, &method, &owner)) return NULL;
  const Value *bound = member_value(w, object, sym, span, NULL, NULL);
  if (!value_has(bound, KIND(FUNCTION) | KIND(TRACED))) return bound->kinds ? NULL : &value_bottom;
  Args args = {.exprs = arena_array(w->scratch, const Expr *, count + 1),
               .values = arena_array(w->scratch, const Value *, count + 1),
               .names = arena_array(w->scratch, Sym, count + 1),
               .len = count,
               .positional = count};
  for (uint32_t i = 0; i < count; i++) args.values[i] = given[i];
  Call call = {.span = span, .args = &args, .context = walker_context(w)};
  return call_value(w, bound, &call);
}

/* ---- operators ---- */

static const struct {
  Str plain, reflected;
} binary_names[] = {
    [OP_ADD] = {S_INIT("__add__"), S_INIT("__radd__")},
    [OP_SUB] = {S_INIT("__sub__"), S_INIT("__rsub__")},
    [OP_MUL] = {S_INIT("__mul__"), S_INIT("__rmul__")},
    [OP_DIV] = {S_INIT("__truediv__"), S_INIT("__rtruediv__")},
    [OP_FLOORDIV] = {S_INIT("__floordiv__"), S_INIT("__rfloordiv__")},
    [OP_MOD] = {S_INIT("__mod__"), S_INIT("__rmod__")},
    [OP_POW] = {S_INIT("__pow__"), S_INIT("__rpow__")},
    [OP_MATMUL] = {S_INIT("__matmul__"), S_INIT("__rmatmul__")},
    [OP_LSHIFT] = {S_INIT("__lshift__"), S_INIT("__rlshift__")},
    [OP_RSHIFT] = {S_INIT("__rshift__"), S_INIT("__rrshift__")},
    [OP_AND] = {S_INIT("__and__"), S_INIT("__rand__")},
    [OP_OR] = {S_INIT("__or__"), S_INIT("__ror__")},
    [OP_XOR] = {S_INIT("__xor__"), S_INIT("__rxor__")},
};

const Value *dunder_binary(Walker *w, BinaryOp op, const Value *left, const Value *right, Span span) {
  const Value *result = call_dunder(w, left, binary_names[op].plain, &right, 1, span);
  return result ? result : call_dunder(w, right, binary_names[op].reflected, &left, 1, span);
}

const Value *dunder_unary(Walker *w, UnaryOp op, const Value *operand, Span span) {
  static const Str names[] = {[OP_NOT] = S_INIT("__bool__"),
                              [OP_NEG] = S_INIT("__neg__"),
                              [OP_POS] = S_INIT("__pos__"),
                              [OP_INVERT] = S_INIT("__invert__")};
  return call_dunder(w, operand, names[op], NULL, 0, span);
}

const Value *dunder_compare(Walker *w, CompareOp op, const Value *left, const Value *right, Span span) {
  static const Str names[] = {[CMP_EQ] = S_INIT("__eq__"), [CMP_NE] = S_INIT("__ne__"), [CMP_LT] = S_INIT("__lt__"),
                              [CMP_LE] = S_INIT("__le__"), [CMP_GT] = S_INIT("__gt__"), [CMP_GE] = S_INIT("__ge__")};
  if (op == CMP_IN || op == CMP_NOT_IN) return call_dunder(w, right, S("__contains__"), &left, 1, span);
  if (op > CMP_GE) return NULL;
  return call_dunder(w, left, names[op], &right, 1, span);
}

/* ---- truth ---- */

const Value *dunder_truth(Walker *w, const Value *object, Span span) {
  const Value *result = call_dunder(w, object, S("__bool__"), NULL, 0, span);
  return result ? result : call_dunder(w, object, S("__len__"), NULL, 0, span);
}

/* ---- iteration ---- */

/* An element read from a container that outlives the call lives there too. */
const Value *item_of(Walker *w, const Value *container, const Value *item) {
  if (!item->kinds || container->origin != ORIGIN_OUTER || container->home.kind == VAR_NONE) return item;
  if (item->origin == ORIGIN_OUTER && item->home.kind != VAR_NONE) return item;
  Value *copy = value_copy(w->scratch, item);
  copy->origin = ORIGIN_OUTER;
  copy->home = container->home;
  return copy;
}

const Value *iterate(Walker *w, const Value *iterable, Span span) {
  const Value *iterator = call_dunder(w, iterable, S("__iter__"), NULL, 0, span);
  if (!iterator) return item_of(w, iterable, value_element(w->scratch, iterable));
  if (!iterator->kinds) return iterator;
  const Value *next = call_dunder(w, iterator, S("__next__"), NULL, 0, span);
  return next ? next : value_element(w->scratch, iterator);
}

bool iterates_dataset(Walker *w, const Value *iterable, Span span) {
  w->silent++;
  const Value *iterator = call_dunder(w, iterable, S("__iter__"), NULL, 0, span);
  w->silent--;
  return iterator && (iterator->flags & VF_OVER_DATASET);
}

/* ---- with ---- */

const Value *enter_context(Walker *w, const Value *manager, Span span) {
  const Value *entered = call_dunder(w, manager, S("__enter__"), NULL, 0, span);
  const Value *details[] = {&value_unknown, &value_unknown, &value_unknown};
  if (entered) call_dunder(w, manager, S("__exit__"), details, 3, span);
  return entered;
}

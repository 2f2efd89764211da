/* Objects and places: identity, order, equality, and the join of what two records of one object carry.
 *
 * Identity is what an object is and where it was made; what it carries (receiver, wrapped callable, bound arguments, options)
 * is joined when two records of the same identity meet. So a method bound to two receivers is one object with two possible
 * receivers, and the number of identities is bounded by the text of the program.
 */
#include "flow/value_inner.h"

bool var_eq(Var a, Var b) {
  if (a.kind != b.kind) return false;
  if (a.kind == VAR_NONE) return true;
  return a.module == b.module && a.name == b.name && (a.kind == VAR_GLOBAL || a.owner == b.owner);
}

uint64_t var_key(Var var) {
  if (var.kind == VAR_NONE) return 0;
  uint64_t place = (uint64_t)var.module << 32 | (var.kind == VAR_GLOBAL ? 0 : var.owner);
  return hash_mix(hash_mix(place, (uint64_t)var.kind), var.name ? var.name->hash : 0);
}

/* ---- identity ---- */

static int number_cmp(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int pair_cmp(uint32_t a1, uint32_t a2, uint32_t b1, uint32_t b2) {
  return number_cmp((uint64_t)a1 << 32 | a2, (uint64_t)b1 << 32 | b2);
}

static int sym_cmp(Sym a, Sym b) { return a == b ? 0 : str_cmp(sym_str(a), sym_str(b)); }

static int site_cmp(Site a, Site b) {
  int order = pair_cmp(a.module, a.expr, b.module, b.expr);
  return order ? order : number_cmp(a.instance, b.instance);
}

int obj_cmp(const Obj *a, const Obj *b) {
  if (a == b) return 0;
  int order = number_cmp(a->kind, b->kind);
  if (!order) order = pair_cmp(a->func.module, a->func.index, b->func.module, b->func.index);
  if (!order) order = pair_cmp(a->cls.module, a->cls.index, b->cls.module, b->cls.index);
  if (!order) order = pair_cmp(a->module, a->env, b->module, b->env);
  if (!order) order = sym_cmp(a->api, b->api);
  if (!order) order = site_cmp(a->site, b->site);
  if (!order) order = pair_cmp(a->self != NULL, a->no_autograph, b->self != NULL, b->no_autograph);
  if (!order) order = number_cmp(a->binding, b->binding);
  return order;
}

bool obj_eq(const Obj *a, const Obj *b) { return obj_cmp(a, b) == 0; }

/* ---- what objects carry: equality ---- */

static bool carried_eq(const Value *a, const Value *b, int depth) {
  if (a == b) return true;
  return a && b && value_eq_at(a, b, depth);
}

static bool trace_eq(const TraceSpec *a, const TraceSpec *b, int depth) {
  if (a == b) return true;
  if (!a || !b) return false;
  return a->autograph == b->autograph && a->jit == b->jit && a->reduce_retracing == b->reduce_retracing &&
         a->has_signature == b->has_signature && carried_eq(a->signature, b->signature, depth);
}

static bool bound_same_shape(const BoundArgs *a, const BoundArgs *b) {
  if (a->arg_len != b->arg_len || a->named_len != b->named_len) return false;
  for (uint32_t i = 0; i < a->named_len; i++) {
    if (a->names[i] != b->names[i]) return false;
  }
  return true;
}

static bool bound_eq(const BoundArgs *a, const BoundArgs *b, int depth) {
  if (a == b) return true;
  if (!a || !b || !bound_same_shape(a, b)) return false;
  for (uint32_t i = 0; i < a->arg_len; i++) {
    if (!carried_eq(a->args[i], b->args[i], depth)) return false;
  }
  for (uint32_t i = 0; i < a->named_len; i++) {
    if (!carried_eq(a->named[i], b->named[i], depth)) return false;
  }
  return true;
}

bool obj_eq_at(const Obj *a, const Obj *b, int depth) {
  if (a == b) return true;
  if (obj_cmp(a, b) != 0 || a->many != b->many) return false;
  if (depth >= VALUE_DEPTH) return true;
  return carried_eq(a->self, b->self, depth + 1) && carried_eq(a->target, b->target, depth + 1) &&
         trace_eq(a->trace, b->trace, depth + 1) && bound_eq(a->bound, b->bound, depth + 1);
}

/* ---- what objects carry: join ---- */

static const Value *carried_join(Arena *arena, const Value *a, const Value *b, int depth) {
  if (!a || !b) return a ? a : b;
  return value_join_at(arena, a, b, depth);
}

static Tri tri_join(Tri a, Tri b) { return a == b ? a : TRI_UNKNOWN; }

static const TraceSpec *trace_join(Arena *arena, const TraceSpec *a, const TraceSpec *b, int depth) {
  if (!a || !b || trace_eq(a, b, depth)) return a ? a : b;
  TraceSpec *spec = arena_new(arena, TraceSpec);
  *spec = *a;
  spec->autograph = tri_join(a->autograph, b->autograph);
  spec->jit = tri_join(a->jit, b->jit);
  spec->reduce_retracing = tri_join(a->reduce_retracing, b->reduce_retracing);
  spec->has_signature = a->has_signature || b->has_signature;
  spec->signature = carried_join(arena, a->signature, b->signature, depth);
  return spec;
}

static const Value **values_join(Arena *arena, const Value **a, const Value **b, uint32_t len, int depth) {
  const Value **joined = arena_array(arena, const Value *, len);
  for (uint32_t i = 0; i < len; i++) joined[i] = carried_join(arena, a[i], b[i], depth);
  return joined;
}

/* NULL, "arguments not known", when the two do not fit together. */
static const BoundArgs *bound_join(Arena *arena, const BoundArgs *a, const BoundArgs *b, int depth) {
  if (!a || !b || !bound_same_shape(a, b)) return NULL;
  if (bound_eq(a, b, depth)) return a;
  BoundArgs *bound = arena_new(arena, BoundArgs);
  *bound = *a;
  bound->args = values_join(arena, a->args, b->args, a->arg_len, depth);
  bound->named = values_join(arena, a->named, b->named, a->named_len, depth);
  return bound;
}

const Obj *obj_join(Arena *arena, const Obj *a, const Obj *b, int depth) {
  if (obj_eq_at(a, b, depth)) return a;
  Obj *obj = arena_new(arena, Obj);
  *obj = *a;
  obj->many = a->many || b->many;
  if (depth >= VALUE_DEPTH) return obj;
  obj->self = carried_join(arena, a->self, b->self, depth + 1);
  obj->target = carried_join(arena, a->target, b->target, depth + 1);
  obj->trace = trace_join(arena, a->trace, b->trace, depth + 1);
  obj->bound = bound_join(arena, a->bound, b->bound, depth + 1);
  return obj;
}

/* The join of two values, and equality.
 *
 * Kinds are a set. Everything else is flat (equal or unknown), under one twist that makes `self.v = None` harmless: a value
 * that is only None says nothing about dtype, identity, structure or home, so the other side keeps what it knows.
 *
 *   none            ⊔ variable[float32] {site 3}   =  none|variable[float32] {site 3}
 *   variable[int32] ⊔ variable[float32] {site 3}   =  variable
 *
 * In terms of lattices this is an ordinal sum of three tiers: nothing, only None, anything more. Within a tier attributes are
 * joined, across tiers the higher one wins; an ordinal sum of semilattices is one again. Structure is a small lattice of its
 * own: exact parts of one shape join part by part; different shapes fall to the join of all elements; unknown is above both.
 */
#include "flow/value_inner.h"

static int tier_of(const Value *v) { return !v->kinds ? 0 : v->kinds == KIND(NONE) ? 1 : 2; }

/* ---- equality ---- */

static bool constant_eq(const Value *a, const Value *b) {
  if (a->konst != b->konst) return false;
  switch ((ConstTag)a->konst) {
    case KONST_NONE:
      return true;
    case KONST_STR:
      return str_eq(a->constant.s, b->constant.s);
    case KONST_FLOAT:
      return memcmp(&a->constant.f, &b->constant.f, sizeof a->constant.f) == 0;  // NaN equals itself
    case KONST_BOOL:
    case KONST_INT:
      return a->constant.i == b->constant.i;
  }
  return false;
}

static bool dims_eq(const Value *a, const Value *b) {
  if (a->dim_len != b->dim_len) return false;
  for (uint32_t i = 0; i < a->dim_len; i++) {
    if (a->dims[i] != b->dims[i]) return false;
  }
  return true;
}

static bool keys_eq(const Value *a, const Value *b) {
  if (!a->keys || !b->keys) return a->keys == b->keys || a->part_len == 0;
  for (uint32_t i = 0; i < a->part_len; i++) {
    if (a->keys[i] != b->keys[i]) return false;
  }
  return true;
}

static bool same_shape(const Value *a, const Value *b) {
  return a->part_len == b->part_len && (a->kinds & KINDS_STRUCTURED) == (b->kinds & KINDS_STRUCTURED) && keys_eq(a, b);
}

static bool structure_eq(const Value *a, const Value *b, int depth) {
  if (depth >= VALUE_DEPTH) return true;
  Form form = value_form(a);
  if (form != value_form(b)) return false;
  if (form == FORM_ELEM) return value_eq_at(a->elem, b->elem, depth + 1);
  if (form != FORM_EXACT) return true;
  if (!same_shape(a, b)) return false;
  for (uint32_t i = 0; i < a->part_len; i++) {
    if (!value_eq_at(a->parts[i], b->parts[i], depth + 1)) return false;
  }
  return true;
}

static bool objs_eq(const Value *a, const Value *b, int depth) {
  bool open = value_is_open(a);
  if (open != value_is_open(b)) return false;
  if (open) return true;
  if (a->obj_len != b->obj_len) return false;
  for (uint32_t i = 0; i < a->obj_len; i++) {
    if (!obj_eq_at(a->objs[i], b->objs[i], depth)) return false;
  }
  return true;
}

bool value_eq_at(const Value *a, const Value *b, int depth) {
  if (a == b) return true;
  return a->kinds == b->kinds && a->flags == b->flags && a->dtype == b->dtype && a->rank == b->rank &&
         a->origin == b->origin && constant_eq(a, b) && dims_eq(a, b) && var_eq(a->home, b->home) &&
         objs_eq(a, b, depth) && structure_eq(a, b, depth);
}

bool value_eq(const Value *a, const Value *b) { return value_eq_at(a ? a : &value_bottom, b ? b : &value_bottom, 0); }

/* ---- the witness ---- */

static int why_cmp(const Why *a, const Why *b) {
  if (a->module != b->module) return a->module < b->module ? -1 : 1;
  if (a->span.start != b->span.start) return a->span.start < b->span.start ? -1 : 1;
  if (a->span.end != b->span.end) return a->span.end < b->span.end ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a->name == b->name ? 0 : str_cmp(sym_str(a->name), sym_str(b->name));
}

static Why why_join(const Value *a, const Value *b) {
  if (a->why.kind == WHY_NONE) return b->why;
  if (b->why.kind == WHY_NONE) return a->why;
  return why_cmp(&a->why, &b->why) <= 0 ? a->why : b->why;
}

/* ---- the join ---- */

static void join_shapes(Value *out, const Value *a, const Value *b) {
  if (a->rank != b->rank) out->rank = RANK_UNKNOWN;
  if (a->rank != b->rank || a->dim_len != b->dim_len) {
    out->dim_len = 0;
    memset(out->dims, 0, sizeof out->dims);
    return;
  }
  for (uint32_t i = 0; i < a->dim_len; i++) {
    if (a->dims[i] != b->dims[i]) out->dims[i] = DIM_UNKNOWN;
  }
}

static void objs_forget(Value *out) {
  memset(out->objs, 0, sizeof out->objs);
  out->obj_len = 0;
  out->obj_more = true;
}

/* Merges two sorted lists of identities. */
static void join_objs(Arena *arena, Value *out, const Value *a, const Value *b, int depth) {
  if (value_is_open(a) || value_is_open(b)) {
    objs_forget(out);
    return;
  }
  const Obj *merged[2 * VALUE_OBJS];
  uint32_t len = 0, i = 0, k = 0;
  while (i < a->obj_len || k < b->obj_len) {
    int order = i == a->obj_len ? 1 : k == b->obj_len ? -1 : obj_cmp(a->objs[i], b->objs[k]);
    if (order == 0) merged[len++] = obj_join(arena, a->objs[i++], b->objs[k++], depth);
    else merged[len++] = order < 0 ? a->objs[i++] : b->objs[k++];
  }
  if (len > VALUE_OBJS) {
    objs_forget(out);
    return;
  }
  for (uint32_t n = 0; n < len; n++) out->objs[n] = merged[n];
  out->obj_len = (uint8_t)len;
}

const Value *value_held_at(Arena *arena, const Value *v, int depth) {
  switch (value_form(v)) {
    case FORM_NONE:
    case FORM_OPEN:
      return NULL;
    case FORM_ELEM:
      return v->elem;
    case FORM_EXACT:
      break;
  }
  const Value *all = &value_bottom;
  for (uint32_t i = 0; i < v->part_len; i++) all = value_join_at(arena, all, v->parts[i], depth + 1);
  return all;
}

static void structure_forget(Value *out) {
  out->parts = NULL;
  out->keys = NULL;
  out->elem = NULL;
  out->part_len = 0;
  out->parts_exact = false;
}

static void structure_take(Value *out, const Value *from) {
  out->parts = from->parts;
  out->keys = from->keys;
  out->elem = from->elem;
  out->part_len = from->part_len;
  out->parts_exact = from->parts_exact;
}

static void join_parts(Arena *arena, Value *out, const Value *a, const Value *b, int depth) {
  const Value *parts[VALUE_WIDTH];
  bool is_a = true;
  for (uint32_t i = 0; i < a->part_len; i++) {
    parts[i] = value_join_at(arena, a->parts[i], b->parts[i], depth + 1);
    is_a = is_a && parts[i] == a->parts[i];
  }
  structure_take(out, a);
  out->elem = NULL;
  if (is_a) return;
  out->parts = arena_array(arena, const Value *, a->part_len);
  for (uint32_t i = 0; i < a->part_len; i++) out->parts[i] = parts[i];
}

static void join_structures(Arena *arena, Value *out, const Value *a, const Value *b, int depth) {
  Form form_a = value_form(a), form_b = value_form(b);
  if (depth >= VALUE_DEPTH || form_a == FORM_OPEN || form_b == FORM_OPEN) {
    structure_forget(out);
  } else if (form_a == FORM_NONE || form_b == FORM_NONE) {
    structure_take(out, form_a == FORM_NONE ? b : a);
  } else if (form_a == FORM_EXACT && form_b == FORM_EXACT && same_shape(a, b)) {
    join_parts(arena, out, a, b, depth);
  } else {
    const Value *held_a = value_held_at(arena, a, depth), *held_b = value_held_at(arena, b, depth);
    structure_forget(out);
    out->elem = value_join_at(arena, held_a, held_b, depth + 1);
  }
}

static void join_attributes(Arena *arena, Value *out, const Value *a, const Value *b, int depth) {
  if (a->dtype != b->dtype) out->dtype = DT_UNKNOWN;
  if (a->origin != b->origin) out->origin = ORIGIN_UNKNOWN;
  if (!var_eq(a->home, b->home)) out->home = (Var){0};
  if (!constant_eq(a, b)) {
    out->konst = KONST_NONE;
    memset(&out->constant, 0, sizeof out->constant);
  }
  join_shapes(out, a, b);
  join_objs(arena, out, a, b, depth);
  join_structures(arena, out, a, b, depth);
  out->why = why_join(a, b);
}

static bool is_already(const Value *result, const Value *v, int depth) {
  return result->parts == v->parts && result->elem == v->elem && why_cmp(&result->why, &v->why) == 0 &&
         value_eq_at(result, v, depth);
}

/* The argument itself if it already is the result, so that a stable fixpoint allocates nothing. */
static const Value *published(Arena *arena, const Value *result, const Value *a, const Value *b, int depth) {
  if (is_already(result, a, depth)) return a;
  return is_already(result, b, depth) ? b : value_copy(arena, result);
}

const Value *value_join_at(Arena *arena, const Value *a, const Value *b, int depth) {
  if (!a || !a->kinds) return b ? b : &value_bottom;
  if (!b || !b->kinds || a == b) return a;
  int tier_a = tier_of(a), tier_b = tier_of(b);
  const Value *high = tier_b > tier_a ? b : a;
  Value result = *high;
  result.kinds = a->kinds | b->kinds;
  result.flags = ((a->flags | b->flags) & ~(uint32_t)VF_FLAG) | (high->flags & VF_FLAG);
  if (tier_a == tier_b) {
    result.flags &= ~(uint32_t)VF_FLAG | (a->flags & b->flags);
    join_attributes(arena, &result, a, b, depth);
  }
  return published(arena, &result, a, b, depth);
}

const Value *value_join(Arena *arena, const Value *a, const Value *b) { return value_join_at(arena, a, b, 0); }

/* Values: the questions asked of them, and the ways to make them.
 *
 * Requires nothing but the catalogue's vocabulary. The join is in value_join.c, objects in object.c, the memo key in
 * value_key.c, texts in value_text.c and why.c.
 */
#include "flow/value_inner.h"

const Value value_bottom = {0};
const Value value_unknown = {.kinds = KIND(UNKNOWN), .rank = RANK_UNKNOWN};

/* ---- questions ---- */

/* A field that starts as None and is filled later holds None only where the program would fail anyway. */
static KindSet filled_kinds(const Value *v) {
  return v->flags & VF_NULLED && v->kinds != KIND(NONE) ? v->kinds & ~KIND(NONE) : v->kinds;
}

static bool filled_is(const Value *v, KindSet set) {
  KindSet kinds = filled_kinds(v);
  return kinds != 0 && (kinds & ~set) == 0;
}

bool value_is_tensor(const Value *v) { return filled_is(v, KIND(TENSOR)) && !(v->flags & VF_TAINTED); }

bool value_is_one_tensor(const Value *v) { return value_is_tensor(v) && !(v->flags & VF_PERHAPS_NEST); }

bool value_is_host_tensor(const Value *v) { return filled_is(v, KINDS_TENSOR_LIKE | KIND(VARIABLE)); }

static bool holds_tensor_at(const Value *v, int depth) {
  if (value_is_tensor(v)) return true;
  if (!filled_is(v, KINDS_CONTAINER) || depth >= VALUE_DEPTH) return false;
  if (!v->parts_exact) return v->elem && holds_tensor_at(v->elem, depth + 1);
  for (uint32_t i = 0; i < v->part_len; i++) {
    if (holds_tensor_at(v->parts[i], depth + 1)) return true;
  }
  return false;
}

bool value_holds_tensor(const Value *v) { return holds_tensor_at(v, 0); }

Form value_form(const Value *v) {
  if (v->parts_exact && v->part_len <= VALUE_WIDTH) return FORM_EXACT;
  if (v->elem) return FORM_ELEM;
  return v->kinds & KINDS_STRUCTURED ? FORM_OPEN : FORM_NONE;
}

bool value_is_open(const Value *v) { return v->obj_more || (v->obj_len == 0 && v->kinds & KINDS_IDENTIFIED); }

/* ---- making values ---- */

Value *value_new(Arena *arena, KindSet kinds) {
  Value *v = arena_new(arena, Value);
  v->kinds = kinds;
  v->rank = RANK_UNKNOWN;
  return v;
}

Value *value_copy(Arena *arena, const Value *v) {
  Value *copy = arena_new(arena, Value);
  *copy = *v;
  return copy;
}

const Value *value_int(Arena *arena, int64_t i) {
  Value *v = value_new(arena, KIND(NUMBER));
  v->dtype = DT_INT32;  // what TensorFlow makes of a Python int
  v->konst = KONST_INT;
  v->constant.i = i;
  return v;
}

const Value *value_bool(Arena *arena, bool b) {
  Value *v = value_new(arena, KIND(BOOL));
  v->dtype = DT_BOOL;
  v->flags = VF_FLAG;
  v->konst = KONST_BOOL;
  v->constant.i = b;
  return v;
}

const Value *value_str(Arena *arena, Str s) {
  Value *v = value_new(arena, KIND(TEXT));
  v->dtype = DT_STRING;
  v->konst = KONST_STR;
  v->constant.s = s;
  return v;
}

const Value *value_of_obj(Arena *arena, KindSet kind, const Obj *obj) {
  Value *v = value_new(arena, kind);
  v->objs[0] = obj;
  v->obj_len = 1;
  return v;
}

Value *value_any_object(Arena *arena, const ClassInfo *info) {
  Obj *obj = arena_new(arena, Obj);
  ClassRef cls = info->ref;
  *obj = (Obj){.kind = OBJ_INSTANCE, .cls = cls, .env = NO_INSTANCE, .site = {cls.module, 0, NO_INSTANCE}};
  return value_copy(arena, value_of_obj(arena, (KindSet)1 << info->instance_kind, obj));
}

const Value *value_sequence(Arena *arena, Kind kind, const Value **parts, uint32_t len) {
  Value *v = value_new(arena, (KindSet)1 << kind);
  if (len > VALUE_WIDTH) {
    const Value *all = &value_bottom;
    for (uint32_t i = 0; i < len; i++) all = value_join_at(arena, all, parts[i], 1);
    v->elem = all;
    return v;
  }
  v->parts = arena_array(arena, const Value *, len);
  for (uint32_t i = 0; i < len; i++) v->parts[i] = parts[i];
  v->part_len = (uint8_t)len;
  v->parts_exact = true;
  return v;
}

const Value *value_with_flags(Arena *arena, const Value *v, uint32_t set, uint32_t clear) {
  uint32_t flags = (v->flags & ~clear) | set;
  if (flags == v->flags || !v->kinds) return v;
  Value *copy = value_copy(arena, v);
  copy->flags = flags;
  return copy;
}

const Value *value_with_why(Arena *arena, const Value *v, Why why) {
  if (!v->kinds) return v;
  Value *copy = value_copy(arena, v);
  copy->why = why;
  return copy;
}

/* ---- elements ---- */

const Value *value_held(Arena *arena, const Value *v) {
  const Value *held = value_held_at(arena, v, 0);
  return held && !value_is_unknown(v) ? held : value_join(arena, held, &value_unknown);
}

/* A row of something with axes: same kind and dtype, one axis less. */
static const Value *row_of(Arena *arena, const Value *v, KindSet kind) {
  Value *row = value_new(arena, kind);
  row->flags = v->flags & (VF_TAINTED | VF_LIKELY | VF_RANDOM | VF_CLOCK | VF_HOST_STATE | VF_CHANGING);
  row->dtype = v->dtype;
  row->why = v->why;
  row->origin = v->origin;
  if (v->rank > 0) row->rank = (int8_t)(v->rank - 1);
  if (v->dim_len > 1) {
    row->dim_len = (uint8_t)(v->dim_len - 1);
    for (uint32_t i = 1; i < v->dim_len; i++) row->dims[i - 1] = v->dims[i];
  }
  return row;
}

static const Value *dict_keys_element(Arena *arena, const Value *v) {
  if (!v->parts_exact || (v->part_len > 0 && !v->keys)) return &value_unknown;
  if (v->part_len == 0) return &value_bottom;
  Value *key = value_new(arena, KIND(TEXT));
  key->dtype = DT_STRING;
  return key;
}

static const Value *element_of_kind(Arena *arena, const Value *v, Kind kind) {
  switch (kind) {
    case K_NONE:
    case K_BOOL:
    case K_NUMBER:
      return &value_bottom;  // cannot be iterated: no execution gets further
    case K_TEXT: {
      Value *text = value_new(arena, KIND(TEXT));
      text->dtype = DT_STRING;
      return text;
    }
    case K_SHAPE:
      return value_new(arena, KIND(DIM));
    case K_TENSOR:
    case K_VARIABLE:
      return v->flags & VF_PERHAPS_NEST ? &value_unknown : row_of(arena, v, KIND(TENSOR));  // a dict gives its keys
    case K_EAGER_TENSOR:
      return row_of(arena, v, KIND(EAGER_TENSOR));
    case K_ARRAY:
      return row_of(arena, v, KIND(ARRAY));
    case K_DICT:
      return dict_keys_element(arena, v);
    case K_LIST:
    case K_TUPLE:
    case K_SET:
    case K_DATASET:
    case K_ITERATOR:
    case K_HOST_ITERATOR: {
      const Value *held = value_held_at(arena, v, 0);
      return held ? held : &value_unknown;
    }
    default:
      return &value_unknown;
  }
}

const Value *value_element(Arena *arena, const Value *v) {
  const Value *all = &value_bottom;
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    if (v->kinds >> kind & 1) all = value_join(arena, all, element_of_kind(arena, v, (Kind)kind));
  }
  bool waits = v->parts_exact && v->part_len;  // its elements are not known yet
  return all->kinds || waits ? all : &value_unknown;
}

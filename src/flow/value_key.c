/* What of a value may tell two analyses of one function apart, and copies that outlive their arena.
 *
 * The memo key keeps kinds, flags, dtype, rank, which dimensions are None, identities, origin, boolean constants and the
 * structure of the same; a place only where it matters who else holds the value. value_shape_hash() and value_widen_key()
 * walk the same things, so that equal hashes stand for equal widened values.
 */
#include "flow/value_inner.h"

static bool keeps_constant(const Value *v) { return v->konst == KONST_BOOL; }

static bool keeps_home(const Value *v) {
  return v->origin == ORIGIN_OUTER || v->origin == ORIGIN_PARAM || v->flags & VF_HOST_STATE;
}

static bool keeps_dims(const Value *v) {
  for (uint32_t i = 0; i < v->dim_len; i++) {
    if (v->dims[i] == DIM_NONE) return true;
  }
  return false;
}

/* ---- hash ---- */

static uint64_t hash_value(uint64_t h, const Value *v, int depth);

static uint64_t hash_bound(uint64_t h, const BoundArgs *bound, int depth) {
  if (!bound) return hash_mix(h, 1);
  h = hash_mix(h, (uint64_t)bound->arg_len << 32 | bound->named_len);
  for (uint32_t i = 0; i < bound->arg_len; i++) h = hash_value(h, bound->args[i], depth);
  for (uint32_t i = 0; i < bound->named_len; i++) {
    h = hash_value(hash_mix(h, bound->names[i] ? bound->names[i]->hash : 0), bound->named[i], depth);
  }
  return h;
}

static uint64_t hash_trace(uint64_t h, const TraceSpec *trace, int depth) {
  if (!trace) return hash_mix(h, 2);
  uint32_t options = (uint32_t)trace->autograph | (uint32_t)trace->jit << 2 | (uint32_t)trace->reduce_retracing << 4 |
                     (uint32_t)trace->has_signature << 6;
  return hash_value(hash_mix(h, options), trace->signature, depth);
}

static uint64_t hash_obj(uint64_t h, const Obj *obj, int depth) {
  uint32_t bits =
      (uint32_t)obj->kind | (uint32_t)obj->many << 8 | (uint32_t)obj->no_autograph << 9 | (uint32_t)obj->binding << 10;
  h = hash_mix(h, bits);
  h = hash_mix(h, func_key(obj->func));
  h = hash_mix(h, (uint64_t)obj->cls.module << 32 | obj->cls.index);
  h = hash_mix(h, (uint64_t)obj->module << 32 | obj->env);
  h = hash_mix(h, (uint64_t)obj->site.module << 32 | obj->site.expr);
  h = hash_mix(h, obj->site.instance);
  h = hash_mix(h, obj->api ? obj->api->hash : 0);
  if (depth >= VALUE_DEPTH) return hash_mix(h, obj->self != NULL);
  h = hash_value(h, obj->self, depth + 1);
  h = hash_value(h, obj->target, depth + 1);
  h = hash_trace(h, obj->trace, depth + 1);
  return hash_bound(h, obj->bound, depth + 1);
}

static uint64_t hash_structure(uint64_t h, const Value *v, int depth) {
  Form form = value_form(v);
  h = hash_mix(h, (uint64_t)form);
  if (form == FORM_ELEM) return hash_value(h, v->elem, depth + 1);
  if (form != FORM_EXACT) return h;
  h = hash_mix(h, v->part_len);
  for (uint32_t i = 0; i < v->part_len; i++) {
    if (v->keys) h = hash_mix(h, v->keys[i] ? v->keys[i]->hash : 0);
    h = hash_value(h, v->parts[i], depth + 1);
  }
  return h;
}

static uint64_t hash_value(uint64_t h, const Value *v, int depth) {
  if (!v || !v->kinds) return hash_mix(h, 3);
  h = hash_mix(h, v->kinds);
  h = hash_mix(h, (uint64_t)v->flags << 32 | (uint64_t)v->dtype << 16 | (uint64_t)(uint8_t)v->rank << 8 | v->origin);
  h = hash_mix(h, keeps_constant(v) ? (uint64_t)v->constant.i + 1 : 0);
  if (keeps_dims(v)) {
    for (uint32_t i = 0; i < v->dim_len; i++) h = hash_mix(h, v->dims[i] == DIM_NONE ? 2 : 1);
  }
  h = hash_mix(h, keeps_home(v) ? var_key(v->home) : 0);
  if (value_is_open(v)) h = hash_mix(h, 4);
  for (uint32_t i = 0; i < v->obj_len; i++) h = hash_obj(h, v->objs[i], depth);
  return depth < VALUE_DEPTH ? hash_structure(h, v, depth) : h;
}

uint64_t value_shape_hash(const Value *v) { return hash_value(0, v, 0); }

/* ---- rewriting: one walk serves widening and copying ---- */

typedef struct Rewrite {
  Arena *arena;
  bool widen;  // else copy everything
} Rewrite;

static const Value *rewrite_value(Rewrite rw, const Value *v, int depth);

static const Value **rewrite_values(Rewrite rw, const Value **values, uint32_t len, int depth) {
  const Value **out = arena_array(rw.arena, const Value *, len);
  for (uint32_t i = 0; i < len; i++) out[i] = rewrite_value(rw, values[i], depth);
  return out;
}

static Sym *copy_syms(Arena *arena, const Sym *syms, uint32_t len) {
  if (!syms) return NULL;
  Sym *out = arena_array(arena, Sym, len);
  for (uint32_t i = 0; i < len; i++) out[i] = syms[i];
  return out;
}

static const BoundArgs *rewrite_bound(Rewrite rw, const BoundArgs *bound, int depth) {
  if (!bound) return NULL;
  BoundArgs *out = arena_new(rw.arena, BoundArgs);
  *out = *bound;
  out->args = rewrite_values(rw, bound->args, bound->arg_len, depth);
  out->names = copy_syms(rw.arena, bound->names, bound->named_len);
  out->named = rewrite_values(rw, bound->named, bound->named_len, depth);
  return out;
}

static const TraceSpec *rewrite_trace(Rewrite rw, const TraceSpec *trace, int depth) {
  if (!trace) return NULL;
  TraceSpec *out = arena_new(rw.arena, TraceSpec);
  *out = *trace;
  out->signature = rewrite_value(rw, trace->signature, depth);
  return out;
}

/* Objects that lie too deep keep that they have a receiver, because it is part of their identity. */
static const Obj *rewrite_obj(Rewrite rw, const Obj *obj, int depth) {
  Obj *out = arena_new(rw.arena, Obj);
  *out = *obj;
  bool deep = depth >= VALUE_DEPTH;
  out->self = deep && obj->self ? &value_unknown : rewrite_value(rw, obj->self, depth + 1);
  out->target = deep && obj->target ? &value_unknown : rewrite_value(rw, obj->target, depth + 1);
  out->trace = deep ? NULL : rewrite_trace(rw, obj->trace, depth + 1);
  out->bound = deep ? NULL : rewrite_bound(rw, obj->bound, depth + 1);
  return out;
}

static void rewrite_structure(Rewrite rw, Value *out, const Value *v, int depth) {
  Form form = depth < VALUE_DEPTH ? value_form(v) : FORM_OPEN;
  out->parts = NULL;
  out->keys = NULL;
  out->elem = NULL;
  out->part_len = 0;
  out->parts_exact = form == FORM_EXACT;
  if (form == FORM_ELEM) out->elem = rewrite_value(rw, v->elem, depth + 1);
  if (form != FORM_EXACT) return;
  out->part_len = v->part_len;
  out->keys = copy_syms(rw.arena, v->keys, v->part_len);
  out->parts = rewrite_values(rw, v->parts, v->part_len, depth + 1);
}

static void widen_attributes(Value *out, const Value *v) {
  if (!keeps_constant(v)) {
    out->konst = KONST_NONE;
    memset(&out->constant, 0, sizeof out->constant);
  }
  if (!keeps_home(v)) out->home = (Var){0};
  if (!keeps_dims(v)) out->dim_len = 0;
  for (uint32_t i = 0; i < VALUE_DIMS; i++) {
    out->dims[i] = i >= out->dim_len ? 0 : v->dims[i] == DIM_NONE ? DIM_NONE : DIM_UNKNOWN;
  }
}

static const Value *rewrite_value(Rewrite rw, const Value *v, int depth) {
  if (!v || v == &value_unknown || v == &value_bottom) return v;
  Value *out = value_copy(rw.arena, v);
  if (rw.widen) widen_attributes(out, v);
  if (out->konst == KONST_STR) out->constant.s = str_copy(rw.arena, v->constant.s);
  for (uint32_t i = 0; i < v->obj_len; i++) out->objs[i] = rewrite_obj(rw, v->objs[i], depth);
  rewrite_structure(rw, out, v, depth);
  return out;
}

const Value *value_deep_copy(Arena *arena, const Value *v) {
  return rewrite_value((Rewrite){.arena = arena, .widen = false}, v, 0);
}

static bool nests_beyond(const Value *v, int levels) {
  Form form = v ? value_form(v) : FORM_OPEN;
  if (form != FORM_EXACT && form != FORM_ELEM) return false;
  if (!levels) return true;
  if (form == FORM_ELEM) return nests_beyond(v->elem, levels - 1);
  for (uint32_t i = 0; i < v->part_len; i++) {
    if (nests_beyond(v->parts[i], levels - 1)) return true;
  }
  return false;
}

const Value *value_trim(Arena *arena, const Value *v) {
  return nests_beyond(v, VALUE_DEPTH) ? value_deep_copy(arena, v) : v;
}

const Obj *obj_deep_copy(Arena *arena, const Obj *obj) {
  return rewrite_obj((Rewrite){.arena = arena, .widen = false}, obj, 0);
}

const Value *value_widen_key(Arena *arena, const Value *v) {
  return rewrite_value((Rewrite){.arena = arena, .widen = true}, v, 0);
}

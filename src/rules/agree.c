/* Values that must fit into one variable of the graph.
 *
 * Python numbers count as the tensors they become: `0` is int32, `0.0` float32. Shapes are not looked at: branches may differ in
 * them, and for loops rule TF406 asks more. A value that may be several things agrees with everything.
 */
#include "rules/agree.h"

#define KINDS_SINGLE                                                                                           \
  (KIND(NUMBER) | KIND(BOOL) | KIND(TEXT) | KIND(ARRAY) | KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(VARIABLE) | \
   KIND(DIM))
#define KINDS_NESTED (KIND(LIST) | KIND(TUPLE) | KIND(DICT))

static bool is_single(const Value *v) { return v->kinds && value_is(v, KINDS_SINGLE); }

static bool is_nested(const Value *v) { return v->kinds && value_is(v, KINDS_NESTED) && !(v->kinds & (v->kinds - 1)); }

static bool is_none(const Value *v) { return v->kinds && value_is(v, KIND(NONE)); }

/* The dtype of the tensor that the value is or becomes; DT_UNKNOWN where mixed kinds leave it open. */
static DType graph_dtype(const Value *v) {
  if (value_is(v, KIND(BOOL))) return DT_BOOL;
  if (value_is(v, KIND(TEXT))) return DT_STRING;
  if (value_is(v, KIND(DIM))) return DT_INT32;
  return value_has(v, KIND(BOOL) | KIND(TEXT) | KIND(DIM)) ? DT_UNKNOWN : (DType)v->dtype;
}

/* `[]`, against a list of unknown length that something is known to be in. */
static bool is_empty_against(const Value *a, const Value *b) {
  return a->parts_exact && !a->part_len && !b->parts_exact && b->elem && b->elem->kinds &&
         value_is(b->elem, KINDS_SINGLE);
}

static Discord nested_agree(const Value *a, const Value *b) {
  if (a->kinds != b->kinds) return DISCORD_STRUCTURE;
  if (is_empty_against(a, b) || is_empty_against(b, a)) return DISCORD_STRUCTURE;
  if (!a->parts_exact || !b->parts_exact) return AGREE;
  if (a->part_len != b->part_len) return DISCORD_STRUCTURE;
  if ((a->keys == NULL) != (b->keys == NULL)) return AGREE;
  for (uint32_t i = 0; i < a->part_len; i++) {
    const Value *other = b->parts[i];
    for (uint32_t k = 0; a->keys && k < b->part_len; k++) {
      if (b->keys[k] == a->keys[i]) other = b->parts[k];
    }
    bool has_key = !a->keys;
    for (uint32_t k = 0; a->keys && k < b->part_len; k++) has_key |= b->keys[k] == a->keys[i];
    if (!has_key) return DISCORD_STRUCTURE;
    Discord inside = values_agree(a->parts[i], other);
    if (inside != AGREE) return inside;
  }
  return AGREE;
}

Discord values_agree(const Value *a, const Value *b) {
  if (!a || !b || ((a->flags | b->flags) & VF_TAINTED)) return AGREE;
  bool whole = (is_single(a) || is_nested(a) || is_none(a)) && (is_single(b) || is_nested(b) || is_none(b));
  if (!whole) return AGREE;
  if (is_none(a) != is_none(b)) return DISCORD_NONE;
  if (is_nested(a) != is_nested(b)) return DISCORD_STRUCTURE;
  if (is_nested(a)) return nested_agree(a, b);
  if (is_none(a)) return AGREE;
  DType one = graph_dtype(a), other = graph_dtype(b);
  return one != DT_UNKNOWN && other != DT_UNKNOWN && one != other ? DISCORD_DTYPE : AGREE;
}

static Str nested_text(Arena *arena, const Value *v) {
  Str noun = value_is(v, KIND(LIST)) ? S("a list") : value_is(v, KIND(TUPLE)) ? S("a tuple") : S("a dict");
  if (!v->parts_exact) return noun;
  return str_printf(arena, "%.*s of %u", STR_ARG(noun), (unsigned)v->part_len);
}

Str discord_text(Arena *arena, Discord discord, const Value *value) {
  if (is_none(value)) return S("None");
  if (is_nested(value)) return nested_text(arena, value);
  DType dtype = graph_dtype(value);
  if (discord == DISCORD_DTYPE && dtype != DT_UNKNOWN) return dtype_name(dtype);
  return S("a tensor");
}

/* The laws of the value lattice, over all triples of a sample that has every kind of attribute and structure in it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "flow/event.h"
#include "flow/value.h"

enum { SAMPLE_MAX = 96 };

typedef struct Sample {
  Arena arena;
  SymTable *symbols;
  const Value *values[SAMPLE_MAX];
  uint32_t len;
} Sample;

static void add(Sample *sample, const Value *v) {
  assert_true(sample->len < SAMPLE_MAX);
  sample->values[sample->len++] = v;
}

/* ---- the sample ---- */

static Value *tensor(Arena *arena, DType dtype, int8_t rank) {
  Value *v = value_new(arena, KIND(TENSOR));
  v->dtype = (uint8_t)dtype;
  v->rank = rank;
  return v;
}

static const Value *number(Arena *arena, double f) {
  Value *v = value_new(arena, KIND(NUMBER));
  v->dtype = DT_FLOAT32;
  v->konst = KONST_FLOAT;
  v->constant.f = f;
  return v;
}

static Obj *obj(Arena *arena, ObjKind kind, uint32_t expr) {
  Obj *o = arena_new(arena, Obj);
  o->kind = kind;
  o->env = NO_INSTANCE;
  o->site = (Site){.module = 1, .expr = expr, .instance = 0};
  return o;
}

static const Value *made(Arena *arena, KindSet kind, ObjKind obj_kind, uint32_t expr) {
  return value_of_obj(arena, kind, obj(arena, obj_kind, expr));
}

static const Value *list_of(Arena *arena, Kind kind, const Value *a, const Value *b) {
  const Value *parts[] = {a, b};
  return value_sequence(arena, kind, parts, b ? 2 : a ? 1 : 0);
}

static const Value *dict_of(Sample *s, const char *key, const Value *part) {
  Value *v = value_copy(&s->arena, list_of(&s->arena, K_DICT, part, NULL));
  v->keys = arena_array(&s->arena, Sym, 1);
  v->keys[0] = sym_intern(s->symbols, str_from(key));
  return v;
}

static void add_scalars(Sample *s) {
  Arena *arena = &s->arena;
  add(s, &value_bottom);
  add(s, &value_unknown);
  add(s, value_new(arena, KIND(NONE)));
  add(s, value_with_flags(arena, value_new(arena, KIND(NONE)), VF_NULLED, 0));
  add(s, value_bool(arena, true));
  add(s, value_bool(arena, false));
  add(s, value_int(arena, 3));
  add(s, value_int(arena, 4));
  add(s, number(arena, 0.5));
  add(s, number(arena, (double)NAN));
  add(s, value_with_flags(arena, value_int(arena, 3), VF_CHANGING | VF_RANDOM, 0));
  add(s, value_with_flags(arena, value_int(arena, 3), VF_FLAG, 0));
  add(s, value_str(arena, S("abc")));
  add(s, value_str(arena, S("")));
}

static void add_tensors(Sample *s) {
  Arena *arena = &s->arena;
  add(s, tensor(arena, DT_UNKNOWN, RANK_UNKNOWN));
  add(s, tensor(arena, DT_FLOAT32, RANK_UNKNOWN));
  add(s, tensor(arena, DT_FLOAT32, 0));
  add(s, tensor(arena, DT_INT32, 0));
  for (int32_t dim = 2; dim < 5; dim++) {
    Value *v = tensor(arena, DT_FLOAT32, 2);
    v->dim_len = 2;
    v->dims[0] = DIM_NONE;
    v->dims[1] = dim == 4 ? DIM_NONE : dim;
    add(s, v);
  }
  add(s, value_with_flags(arena, tensor(arena, DT_FLOAT32, 0), VF_TAINTED | VF_LIKELY, 0));
  Value *outer = tensor(arena, DT_FLOAT32, 0);
  outer->origin = ORIGIN_OUTER;
  outer->home = (Var){.kind = VAR_FIELD, .module = 1, .owner = 2, .name = sym_intern(s->symbols, S("cache"))};
  add(s, outer);
  Value *other = value_copy(arena, outer);
  other->home.owner = 3;
  add(s, other);
  Value *none_at_home = value_new(arena, KIND(NONE));
  none_at_home->home = other->home;
  none_at_home->origin = ORIGIN_OUTER;
  add(s, none_at_home);
}

static void add_objects(Sample *s) {
  Arena *arena = &s->arena;
  for (uint32_t expr = 1; expr <= 5; expr++) add(s, made(arena, KIND(LAYER), OBJ_API_INSTANCE, expr));
  add(s, value_new(arena, KIND(LAYER)));  // a layer, nobody knows which
  add(s, made(arena, KIND(FUNCTION), OBJ_FUNCTION, 9));
  Obj *many = obj(arena, OBJ_FUNCTION, 9);
  many->many = true;
  add(s, value_of_obj(arena, KIND(FUNCTION), many));
  for (uint32_t site = 1; site <= 2; site++) {  // one method, two receivers
    Obj *method = obj(arena, OBJ_FUNCTION, 0);
    method->self = made(arena, KIND(INSTANCE), OBJ_INSTANCE, site);
    add(s, value_of_obj(arena, KIND(FUNCTION), method));
  }
  for (int on = 0; on < 2; on++) {
    Obj *traced = obj(arena, OBJ_TRACED, 7);
    TraceSpec *spec = arena_new(arena, TraceSpec);
    spec->autograph = on ? TRI_YES : TRI_NO;
    traced->trace = spec;
    traced->target = on ? made(arena, KIND(FUNCTION), OBJ_FUNCTION, 9) : NULL;
    add(s, value_of_obj(arena, KIND(TRACED), traced));
  }
  for (uint32_t len = 0; len < 3; len++) {
    Obj *partial = obj(arena, OBJ_PARTIAL, 8);
    BoundArgs *bound = arena_new(arena, BoundArgs);
    bound->arg_len = len;
    bound->args = arena_array(arena, const Value *, len);
    for (uint32_t i = 0; i < len; i++) bound->args[i] = value_int(arena, i);
    partial->bound = bound;
    partial->target = made(arena, KIND(FUNCTION), OBJ_FUNCTION, len);
    add(s, value_of_obj(arena, KIND(FUNCTION), partial));
  }
}

static void add_structures(Sample *s) {
  Arena *arena = &s->arena;
  const Value *t = tensor(arena, DT_FLOAT32, 0), *three = value_int(arena, 3), *four = value_int(arena, 4);
  add(s, value_new(arena, KIND(LIST)));
  add(s, list_of(arena, K_LIST, NULL, NULL));
  add(s, list_of(arena, K_TUPLE, NULL, NULL));
  add(s, list_of(arena, K_LIST, t, NULL));
  add(s, list_of(arena, K_LIST, t, three));
  add(s, list_of(arena, K_LIST, t, four));
  add(s, list_of(arena, K_TUPLE, t, three));
  Value *either = value_copy(arena, list_of(arena, K_LIST, three, t));
  either->kinds |= KIND(TENSOR);
  add(s, either);
  Value *elements = value_new(arena, KIND(LIST));
  elements->elem = t;
  add(s, elements);
  Value *dataset = value_new(arena, KIND(DATASET));
  dataset->elem = list_of(arena, K_TUPLE, t, t);
  add(s, dataset);
  add(s, dict_of(s, "x", t));
  add(s, dict_of(s, "x", three));
  add(s, dict_of(s, "y", t));
  const Value *nested = t;
  for (int depth = 0; depth < VALUE_DEPTH; depth++) {
    nested = list_of(arena, K_LIST, nested, depth % 2 ? three : NULL);
    add(s, nested);
  }
  const Value *wide[VALUE_WIDTH + 1];
  for (uint32_t i = 0; i < VALUE_WIDTH + 1; i++) wide[i] = i % 2 ? t : three;
  add(s, value_sequence(arena, K_LIST, wide, VALUE_WIDTH));
  add(s, value_sequence(arena, K_LIST, wide, VALUE_WIDTH + 1));
}

static int sample_make(void **state) {
  Sample *s = calloc(1, sizeof *s);
  s->symbols = sym_table_new();
  add_scalars(s);
  add_tensors(s);
  add_objects(s);
  add_structures(s);
  *state = s;
  return 0;
}

static int sample_drop(void **state) {
  Sample *s = *state;
  sym_table_release(s->symbols);
  arena_release(&s->arena);
  free(s);
  return 0;
}

/* ---- laws ---- */

static void assert_same(const Sample *s, const Value *a, const Value *b, const char *law, uint32_t i, uint32_t k,
                        uint32_t n) {
  if (value_eq(a, b)) return;
  Arena arena = {0};
  Str left = value_text(&arena, NULL, a), right = value_text(&arena, NULL, b);
  Str x = value_text(&arena, NULL, s->values[i]), y = value_text(&arena, NULL, s->values[k]);
  Str z = value_text(&arena, NULL, s->values[n]);
  print_error("%s: %.*s | %.*s | %.*s\n  %.*s\n  %.*s\n", law, STR_ARG(x), STR_ARG(y), STR_ARG(z), STR_ARG(left),
              STR_ARG(right));
  arena_release(&arena);
  fail();
}

static void join__is_idempotent_with_bottom_as_zero(void **state) {
  Sample *s = *state;
  for (uint32_t i = 0; i < s->len; i++) {
    const Value *v = s->values[i], *copy = value_deep_copy(&s->arena, v);
    assert_same(s, v, copy, "copy", i, i, i);
    assert_same(s, value_join(&s->arena, v, copy), v, "idempotent", i, i, i);
    assert_same(s, value_join(&s->arena, v, &value_bottom), v, "bottom", i, i, i);
    assert_same(s, value_join(&s->arena, NULL, v), v, "bottom", i, i, i);
  }
}

static void join__is_commutative(void **state) {
  Sample *s = *state;
  for (uint32_t i = 0; i < s->len; i++) {
    for (uint32_t k = 0; k < i; k++) {
      const Value *a = s->values[i], *b = s->values[k];
      assert_same(s, value_join(&s->arena, a, b), value_join(&s->arena, b, a), "commutative", i, k, k);
    }
  }
}

static void join__is_associative(void **state) {
  Sample *s = *state;
  for (uint32_t i = 0; i < s->len; i++) {
    for (uint32_t k = 0; k < s->len; k++) {
      for (uint32_t n = 0; n < s->len; n++) {
        ArenaMark mark = arena_mark(&s->arena);
        const Value *a = s->values[i], *b = s->values[k], *c = s->values[n];
        const Value *left = value_join(&s->arena, value_join(&s->arena, a, b), c);
        const Value *right = value_join(&s->arena, a, value_join(&s->arena, b, c));
        assert_same(s, left, right, "associative", i, k, n);
        arena_reset(&s->arena, mark);
      }
    }
  }
}

/* a ⊔ b is above both, and joining once more changes nothing: the loop of a fixpoint ends. */
static void join__absorbs(void **state) {
  Sample *s = *state;
  for (uint32_t i = 0; i < s->len; i++) {
    for (uint32_t k = 0; k < s->len; k++) {
      const Value *both = value_join(&s->arena, s->values[i], s->values[k]);
      const Value *again = value_join(&s->arena, both, s->values[k]);
      assert_same(s, again, both, "absorbs", i, k, k);
      assert_ptr_equal(value_join(&s->arena, both, both), both);
    }
  }
}

/* `x = [x]` and `f = partial(f)` in a loop: without the bound on depth these would climb for ever. */
static void join__chains_end(void **state) {
  Sample *s = *state;
  Arena *arena = &s->arena;
  const Value *list = value_int(arena, 3), *function = made(arena, KIND(FUNCTION), OBJ_FUNCTION, 9);
  for (int round = 0;; round++) {
    assert_true(round < 12);
    Obj *partial = obj(arena, OBJ_PARTIAL, 8);
    partial->target = function;
    const Value *next_list = value_join(arena, list, list_of(arena, K_LIST, list, NULL));
    const Value *next_function = value_join(arena, function, value_of_obj(arena, KIND(FUNCTION), partial));
    if (value_eq(next_list, list) && value_eq(next_function, function)) break;
    list = next_list;
    function = next_function;
  }
}

static void join__of_none_keeps_what_the_other_side_knows(void **state) {
  Sample *s = *state;
  Value *variable = value_copy(&s->arena, made(&s->arena, KIND(VARIABLE), OBJ_API_INSTANCE, 4));
  variable->dtype = DT_INT64;
  variable->origin = ORIGIN_OUTER;
  variable->home = (Var){.kind = VAR_FIELD, .module = 1, .owner = 2, .name = sym_intern(s->symbols, S("v"))};
  const Value *both = value_join(&s->arena, value_new(&s->arena, KIND(NONE)), variable);
  assert_int_equal(both->kinds, KIND(NONE) | KIND(VARIABLE));
  assert_int_equal(both->dtype, DT_INT64);
  assert_int_equal(both->origin, ORIGIN_OUTER);
  assert_int_equal(both->obj_len, 1);
  assert_true(var_eq(both->home, variable->home));
}

static void join__of_too_many_objects_forgets_them(void **state) {
  Sample *s = *state;
  const Value *all = &value_bottom;
  for (uint32_t expr = 1; expr <= VALUE_OBJS + 1; expr++) {
    all = value_join(&s->arena, all, made(&s->arena, KIND(LAYER), OBJ_API_INSTANCE, expr));
    assert_int_equal(all->obj_len, expr <= VALUE_OBJS ? expr : 0);
  }
  assert_true(all->obj_more);
}

static void join__of_unlike_structures_keeps_the_elements(void **state) {
  Sample *s = *state;
  Arena *arena = &s->arena;
  const Value *t = tensor(arena, DT_FLOAT32, 0);
  const Value *one = list_of(arena, K_LIST, t, NULL), *two = list_of(arena, K_LIST, t, t);
  const Value *joined = value_join(arena, one, two);
  assert_false(joined->parts_exact);
  assert_true(value_eq(joined->elem, t));
  assert_true(value_is_unknown(value_held(arena, value_join(arena, one, value_new(arena, KIND(LIST))))));
  assert_true(value_join(arena, two, list_of(arena, K_LIST, t, value_int(arena, 1)))->parts_exact);
}

static void join__witness_is_the_first_place(void **state) {
  Sample *s = *state;
  Value *early = tensor(&s->arena, DT_FLOAT32, 0), *late = tensor(&s->arena, DT_FLOAT32, 0);
  early->why = (Why){.kind = WHY_RESULT, .module = 1, .span = {10, 20}};
  late->why = (Why){.kind = WHY_OPERATOR, .module = 1, .span = {30, 40}};
  assert_int_equal(value_join(&s->arena, early, late)->why.span.start, 10);
  assert_int_equal(value_join(&s->arena, late, early)->why.span.start, 10);
  assert_int_equal(value_join(&s->arena, late, tensor(&s->arena, DT_INT32, 0))->why.span.start, 30);
}

/* ---- the memo key ---- */

static void key__equal_hashes_stand_for_equal_widened_values(void **state) {
  Sample *s = *state;
  for (uint32_t i = 0; i < s->len; i++) {
    const Value *a = value_widen_key(&s->arena, s->values[i]);
    assert_int_equal(value_shape_hash(a), value_shape_hash(s->values[i]));
    assert_same(s, value_widen_key(&s->arena, a), a, "widening twice", i, i, i);
    for (uint32_t k = 0; k < i; k++) {
      const Value *b = value_widen_key(&s->arena, s->values[k]);
      assert_int_equal(value_shape_hash(s->values[i]) == value_shape_hash(s->values[k]), value_eq(a, b));
    }
  }
}

static void key__forgets_numbers_and_keeps_flags_and_bools(void **state) {
  Sample *s = *state;
  Arena *arena = &s->arena;
  assert_int_equal(value_shape_hash(value_int(arena, 3)), value_shape_hash(value_int(arena, 4)));
  assert_true(value_shape_hash(value_bool(arena, true)) != value_shape_hash(value_bool(arena, false)));
  assert_true(value_shape_hash(value_with_flags(arena, value_int(arena, 3), VF_RANDOM, 0)) !=
              value_shape_hash(value_int(arena, 3)));
}

static void copy__leaves_nothing_in_the_old_arena(void **state) {
  Sample *s = *state;
  for (uint32_t i = 0; i < s->len; i++) {
    Arena first = {0}, second = {0};
    const Value *moved = value_deep_copy(&second, value_deep_copy(&first, s->values[i]));
    arena_release(&first);  // the address sanitizer sees every read of it
    assert_same(s, moved, s->values[i], "copy", i, i, i);
    arena_release(&second);
  }
}

/* ---- questions and texts ---- */

static void assert_text(Arena *arena, const Value *v, const char *expected) {
  Str actual = value_text(arena, NULL, v);
  assert_string_equal(str_copy(arena, actual).ptr, expected);
}

static void text__of_values(void **state) {
  Sample *s = *state;
  Arena *arena = &s->arena;
  const Value *t = tensor(arena, DT_FLOAT32, RANK_UNKNOWN);
  assert_text(arena, &value_bottom, "nothing");
  assert_text(arena, &value_unknown, "unknown");
  assert_text(arena, t, "tensor[float32]");
  assert_text(arena, tensor(arena, DT_FLOAT32, 2), "tensor[float32,rank=2]");
  assert_text(arena, tensor(arena, DT_UNKNOWN, 2), "tensor[rank=2]");
  assert_text(arena, value_int(arena, 3), "number[int32]=3");
  assert_text(arena, value_str(arena, S("abc")), "text='abc'");
  assert_text(arena, list_of(arena, K_TUPLE, t, NULL), "tuple(tensor[float32],)");
  assert_text(arena, dict_of(s, "x", t), "dict(x: tensor[float32])");
  assert_text(arena, value_join(arena, value_new(arena, KIND(NONE)), t), "none|tensor[float32]");
  assert_text(arena, value_with_flags(arena, t, VF_TAINTED | VF_LIKELY, 0), "tensor[float32]{tainted,likely}");
}

static void why__names_the_api_as_people_write_it(void **state) {
  Sample *s = *state;
  Value *v = tensor(&s->arena, DT_FLOAT32, 0);
  assert_int_equal(why_text(&s->arena, NULL, v, S("x")).len, 0);
  v->why = (Why){.kind = WHY_RESULT, .name = sym_intern(s->symbols, S("tensorflow.reduce_mean"))};
  Str text = str_copy(&s->arena, why_text(&s->arena, NULL, v, S("x")));
  assert_string_equal(text.ptr, "`x` is a tensor: result of `tf.reduce_mean`");
  v->why.name = sym_intern(s->symbols, S("keras.layers.Layer.__call__"));
  text = str_copy(&s->arena, why_text(&s->arena, NULL, v, S("x")));
  assert_string_equal(text.ptr, "`x` is a tensor: result of calling a `keras.layers.Layer`");
}

static void tensor__is_one_even_if_a_field_starts_as_none(void **state) {
  Sample *s = *state;
  Arena *arena = &s->arena;
  const Value *t = tensor(arena, DT_FLOAT32, 0), *none = value_new(arena, KIND(NONE));
  assert_true(value_is_tensor(t));
  assert_false(value_is_tensor(value_join(arena, t, none)));
  assert_true(value_is_tensor(value_join(arena, t, value_with_flags(arena, none, VF_NULLED, 0))));
  assert_false(value_is_tensor(value_with_flags(arena, t, VF_TAINTED, 0)));
  assert_true(value_is_host_tensor(value_with_flags(arena, t, VF_TAINTED, 0)));
  assert_false(value_is_tensor(&value_unknown));
  assert_true(value_holds_tensor(list_of(arena, K_LIST, list_of(arena, K_TUPLE, value_int(arena, 1), t), NULL)));
}

static void element__of_iterables(void **state) {
  Sample *s = *state;
  Arena *arena = &s->arena;
  const Value *t = tensor(arena, DT_FLOAT32, 2);
  assert_text(arena, value_element(arena, t), "tensor[float32,rank=1]");
  assert_text(arena, value_element(arena, dict_of(s, "x", t)), "text");
  assert_text(arena, value_held(arena, dict_of(s, "x", t)), "tensor[float32,rank=2]");
  assert_true(value_is_unknown(value_element(arena, value_int(arena, 3))));
  assert_true(value_is_unknown(value_element(arena, value_new(arena, KIND(LIST)))));
}

/* ---- places and arguments ---- */

static void var__globals_have_no_owner(void **state) {
  Sample *s = *state;
  Sym name = sym_intern(s->symbols, S("v"));
  Var a = {.kind = VAR_GLOBAL, .module = 1, .owner = 0, .name = name}, b = a;
  b.owner = 7;
  assert_true(var_eq(a, b));
  assert_int_equal(var_key(a), var_key(b));
  a.kind = b.kind = VAR_FIELD;
  assert_false(var_eq(a, b));
  assert_true(var_key(a) != var_key(b));
}

static void args__behind_a_star_are_not_trusted(void **state) {
  Sample *s = *state;
  Expr plain = {.kind = EXPR_NAME}, star = {.kind = EXPR_STARRED};
  const Expr *exprs[] = {&plain, &star, &plain, &plain};
  const Value *values[] = {s->values[0], s->values[1], s->values[2], s->values[3]};
  Sym names[] = {NULL, NULL, NULL, sym_intern(s->symbols, S("axis"))};
  Args args = {.exprs = exprs, .values = values, .names = names, .len = 4, .positional = 3, .has_star = true};
  assert_ptr_equal(args_get(&args, 0, S("a")), values[0]);
  assert_null(args_get(&args, 2, S("b")));
  assert_ptr_equal(args_get(&args, 2, S("axis")), values[3]);
  assert_ptr_equal(args_expr(&args, 9, S("axis")), exprs[3]);
  assert_null(args_get(&args, 3, S("")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(join__is_idempotent_with_bottom_as_zero),
      cmocka_unit_test(join__is_commutative),
      cmocka_unit_test(join__is_associative),
      cmocka_unit_test(join__absorbs),
      cmocka_unit_test(join__chains_end),
      cmocka_unit_test(join__of_none_keeps_what_the_other_side_knows),
      cmocka_unit_test(join__of_too_many_objects_forgets_them),
      cmocka_unit_test(join__of_unlike_structures_keeps_the_elements),
      cmocka_unit_test(join__witness_is_the_first_place),
      cmocka_unit_test(key__equal_hashes_stand_for_equal_widened_values),
      cmocka_unit_test(key__forgets_numbers_and_keeps_flags_and_bools),
      cmocka_unit_test(copy__leaves_nothing_in_the_old_arena),
      cmocka_unit_test(text__of_values),
      cmocka_unit_test(why__names_the_api_as_people_write_it),
      cmocka_unit_test(tensor__is_one_even_if_a_field_starts_as_none),
      cmocka_unit_test(element__of_iterables),
      cmocka_unit_test(var__globals_have_no_owner),
      cmocka_unit_test(args__behind_a_star_are_not_trusted),
  };
  return cmocka_run_group_tests(tests, sample_make, sample_drop);
}

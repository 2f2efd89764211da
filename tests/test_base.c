/* Unit tests of the base floor, without the file system (test_fs.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/panic.h"
#include "base/par.h"
#include "base/str.h"
#include "base/sym.h"
#include "base/vec.h"

#define assert_str(actual, expected)                              \
  do {                                                            \
    Str actual_ = (actual), expected_ = S(expected);              \
    assert_int_equal(actual_.len, expected_.len);                 \
    assert_memory_equal(actual_.ptr, expected_.ptr, actual_.len); \
  } while (0)

static void arena__memory_is_zero_and_aligned(void **state) {
  (void)state;
  Arena arena = {0};
  for (size_t size = 1; size < 20000; size = size * 3 + 1) {
    unsigned char *bytes = arena_array(&arena, unsigned char, size);
    for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
    memset(bytes, 0xff, size);
    assert_int_equal((uintptr_t)arena_new(&arena, uint64_t) % _Alignof(uint64_t), 0);
  }
  assert_non_null(arena_array(&arena, int, 0));
  arena_release(&arena);
  assert_null(arena.block);
  assert_int_equal(arena.total, 0);
}

static void arena__reset_drops_what_came_after_the_mark(void **state) {
  (void)state;
  Arena arena = {0};
  char *kept = arena_array(&arena, char, 10);
  memset(kept, 'k', 10);
  ArenaMark mark = arena_mark(&arena);
  size_t total = arena.total;
  for (int round = 0; round < 3; round++) {
    for (size_t size = 10; size <= 100000; size *= 10) {
      char *bytes = arena_array(&arena, char, size);
      for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
      memset(bytes, 'x', size);
    }
    arena_reset(&arena, mark);
    assert_int_equal(arena.total, total);
  }
  for (int i = 0; i < 10; i++) assert_int_equal(kept[i], 'k');
  arena_release(&arena);
}

static void arena__reset_to_empty_keeps_one_block(void **state) {
  (void)state;
  Arena arena = {0};
  ArenaMark empty = arena_mark(&arena);
  arena_reset(&arena, empty);
  memset(arena_array(&arena, char, 100), 1, 100);
  ArenaBlock *first = arena.block;
  (void)arena_array(&arena, char, 100000);
  arena_reset(&arena, empty);
  assert_ptr_equal(arena.block, first);
  assert_int_equal(arena.used, 0);
  assert_int_equal(arena_array(&arena, char, 100)[99], 0);
  arena_release(&arena);
}

static void arena__grow_keeps_contents_and_zeroes_the_tail(void **state) {
  (void)state;
  Arena arena = {0};
  size_t bytes = 8;
  char *data = arena_grow(&arena, NULL, 0, bytes, 1);
  memset(data, 'a', bytes);
  for (int i = 0; i < 14; i++) {
    if (i % 3 == 0) (void)arena_new(&arena, int);  // now it is not the last object any more
    data = arena_grow(&arena, data, bytes, bytes * 2, 1);
    for (size_t k = 0; k < bytes; k++) assert_int_equal(data[k], 'a');
    for (size_t k = bytes; k < bytes * 2; k++) assert_int_equal(data[k], 0);
    bytes *= 2;
    memset(data, 'a', bytes);
  }
  assert_ptr_equal(arena_grow(&arena, data, bytes, bytes, 1), data);
  arena_release(&arena);
}

static void arena__impossible_size_raises(void **state) {
  (void)state;
  Arena arena = {0};
  Panic panic;
  if (panic_enter(&panic)) {
    assert_string_equal(panic.what, "out of memory");
  } else {
    (void)arena_array(&arena, uint64_t, SIZE_MAX / 2);
    panic_leave(&panic);
    fail_msg("the allocation returned");
  }
  arena_release(&arena);
}

static void panic__innermost_handler_gets_it(void **state) {
  (void)state;
  Panic outer, inner;
  volatile int caught = 0;
  if (panic_enter(&outer)) {
    assert_string_equal(outer.what, "outer");
    caught += 10;
  } else {
    if (panic_enter(&inner)) {
      assert_string_equal(inner.what, "caught == 1");
      assert_true(inner.line > 0);
      caught += 1;
    } else {
      tf_assert(caught == 1);
      panic_leave(&inner);
    }
    tf_assert(caught == 1);
    panic_raise(__FILE__, __LINE__, "outer");
  }
  assert_int_equal(caught, 11);
}

static void vec__grows(void **state) {
  (void)state;
  Arena arena = {0};
  VEC(uint32_t) small = {0};
  VEC(Str) large = {0};
  for (uint32_t i = 0; i < 10000; i++) {
    vec_push(&arena, &small, i * i);
    vec_push(&arena, &large, ((Str){"abc", i % 4}));
  }
  assert_int_equal(small.len, 10000);
  for (uint32_t i = 0; i < 10000; i++) {
    assert_int_equal(small.data[i], i * i);
    assert_int_equal(large.data[i].len, i % 4);
  }
  assert_int_equal(vec_last(&small), 9999 * 9999);
  arena_release(&arena);
}

static void str__compares(void **state) {
  (void)state;
  Str none = {0};
  assert_true(str_eq(none, S("")));
  assert_false(str_eq(S("a"), none));
  assert_int_equal(str_cmp(none, none), 0);
  assert_true(str_cmp(S("a"), S("ab")) < 0);
  assert_true(str_cmp(S("b"), S("ab")) > 0);
  assert_true(str_cmp(S("\xff"), S("a")) > 0);
  assert_true(str_starts(S("tensorflow.io"), S("tensorflow")));
  assert_false(str_starts(S("tens"), S("tensor")));
  assert_true(str_ends(S("a.py"), S(".py")));
  assert_false(str_ends(S("y"), S(".py")));
  assert_true(str_starts(none, none) && str_ends(none, none) && str_contains(none, none));
}

static void str__searches_and_cuts(void **state) {
  (void)state;
  assert_int_equal(str_find(S("abcabc"), S("ca")), 2);
  assert_int_equal(str_find(S("abc"), S("abcd")), STR_NONE);
  assert_int_equal(str_find(S("abc"), S("")), 0);
  assert_int_equal(str_find_char(S("a.b.c"), '.'), 1);
  assert_int_equal(str_rfind_char(S("a.b.c"), '.'), 3);
  assert_int_equal(str_rfind_char((Str){0}, '.'), STR_NONE);
  assert_str(str_trim(S(" \t a b\r\n")), "a b");
  assert_str(str_trim(S(" \n ")), "");
  assert_str(str_sub(S("abc"), 1, 99), "bc");
  assert_str(str_sub(S("abc"), 5, 2), "");
  assert_str(str_sub((Str){0}, 0, 1), "");
  Str rest = S("a=b=c");
  assert_str(str_cut(&rest, '='), "a");
  assert_str(str_cut(&rest, '='), "b");
  assert_str(str_cut(&rest, '='), "c");
  assert_int_equal(rest.len, 0);
  assert_str(str_from(NULL), "");
  assert_str(str_from("abc"), "abc");
}

static void str__reads_numbers(void **state) {
  (void)state;
  int64_t n = 7;
  assert_true(str_to_i64(S("0"), &n) && n == 0);
  assert_true(str_to_i64(S("-12"), &n) && n == -12);
  assert_true(str_to_i64(S("+12"), &n) && n == 12);
  assert_true(str_to_i64(S("9223372036854775807"), &n) && n == INT64_MAX);
  assert_true(str_to_i64(S("-9223372036854775808"), &n) && n == INT64_MIN);
  n = 7;
  assert_false(str_to_i64(S("9223372036854775808"), &n));
  assert_false(str_to_i64(S("-9223372036854775809"), &n));
  assert_false(str_to_i64(S(""), &n) || str_to_i64(S("-"), &n) || str_to_i64(S("1 "), &n) || str_to_i64(S("0x1"), &n));
  assert_int_equal(n, 7);
}

static void str__makes_text(void **state) {
  (void)state;
  Arena arena = {0};
  Str copy = str_copy(&arena, str_sub(S("abcdef"), 1, 3));
  assert_string_equal(copy.ptr, "bc");
  assert_str(str_concat(&arena, S("ab"), S("")), "ab");
  assert_str(str_join(&arena, (Str[]){S("a"), S(""), S("c")}, 3, S(", ")), "a, , c");
  assert_str(str_join(&arena, NULL, 0, S(", ")), "");
  assert_str(str_printf(&arena, "%d-%.*s", 5, STR_ARG(copy)), "5-bc");
  StrBuf buf = {.arena = &arena};
  assert_str(buf_view(&buf), "");
  buf_lit(&buf, "x");
  buf_repeat(&buf, '=', 1000);
  buf_char(&buf, '\n');
  buf_printf(&buf, "%05d%s", 42, "!");
  Str text = buf_view(&buf);
  assert_int_equal(text.len, 1008);
  assert_true(str_starts(text, S("x==")) && str_ends(text, S("=\n00042!")));
  assert_int_equal(text.ptr[text.len], 0);
  for (int i = 0; i < 5000; i++) buf_char(&buf, 'y');
  assert_int_equal(buf_view(&buf).len, 6008);
  arena_release(&arena);
}

static void str__hash_can_be_continued(void **state) {
  (void)state;
  assert_true(str_hash(S("")) == STR_HASH_EMPTY);
  assert_true(str_hash(S("a")) == UINT64_C(0xaf63dc4c8601ec8c));  // published FNV-1a test vector
  assert_true(str_hash_more(str_hash(S("ab")), S("c")) == str_hash(S("abc")));
}

static void str__globs(void **state) {
  (void)state;
  static const struct {
    Str pattern, text;
    bool match;
  } cases[] = {
      {S_INIT(""), S_INIT(""), true},
      {S_INIT(""), S_INIT("a"), false},
      {S_INIT("a.b"), S_INIT("a.b"), true},
      {S_INIT("a.b"), S_INIT("a.bc"), false},
      {S_INIT("logging.*"), S_INIT("logging.info"), true},
      {S_INIT("logging.*"), S_INIT("logging.handlers.X"), false},
      {S_INIT("logging.*"), S_INIT("logging"), false},
      {S_INIT("tensorflow.**"), S_INIT("tensorflow.math.add"), true},
      {S_INIT("tensorflow.**"), S_INIT("tensorflow_io.x"), false},
      {S_INIT("a.**.b"), S_INIT("a.b"), true},
      {S_INIT("a.**.b"), S_INIT("a.x.y.b"), true},
      {S_INIT("a.**.b"), S_INIT("a.xb"), false},
      {S_INIT("**.b"), S_INIT("b"), true},
      {S_INIT("**.b"), S_INIT("x.b"), true},
      {S_INIT("**.b"), S_INIT("xb"), false},
      {S_INIT("**b"), S_INIT("x.yb"), true},
      {S_INIT("*.fit"), S_INIT("model.fit"), true},
      {S_INIT("*.fit"), S_INIT("a.model.fit"), false},
      {S_INIT("?.x"), S_INIT("a.x"), true},
      {S_INIT("a?b"), S_INIT("a.b"), false},
      {S_INIT("*a*b*c"), S_INIT("xxaxxbxxbxxc"), true},
      {S_INIT("*a*b*c"), S_INIT("xxaxxbxxbxx"), false},
      {S_INIT("**.x*y.z"), S_INIT("x1.xaby.z"), true},
      {S_INIT("**.a.**.b*"), S_INIT("q.a.r.a.s.bb"), true},
      {S_INIT("**.a.**.b*"), S_INIT("q.a.r.a.s.cb"), false},
      {S_INIT("*"), S_INIT(""), true},
      {S_INIT("**"), S_INIT("a.b.c"), true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (str_glob(cases[i].pattern, cases[i].text, '.') != cases[i].match) {
      fail_msg("glob '%.*s' on '%.*s'", STR_ARG(cases[i].pattern), STR_ARG(cases[i].text));
    }
  }
}

/* All texts of up to five letters over {a, b, .}, all patterns of up to four over {a, ., *}: against the obvious recursion. */
static bool glob_by_definition(Str pattern, Str text) {
  if (!pattern.len) return !text.len;
  Str tail = str_sub(pattern, 1, pattern.len);
  if (pattern.ptr[0] != '*')
    return text.len && text.ptr[0] == pattern.ptr[0] && glob_by_definition(tail, str_sub(text, 1, text.len));
  bool deep = str_starts(pattern, S("**"));
  if (deep) tail = str_sub(pattern, 2, pattern.len);
  for (size_t n = 0; n <= text.len; n++) {
    if (glob_by_definition(tail, str_sub(text, n, text.len))) return true;
    if (!deep && n < text.len && text.ptr[n] == '.') return false;
  }
  return false;
}

static Str nth_word(char *space, size_t max, const char *letters, unsigned n) {
  size_t len = 0;
  for (; n && len < max; n /= 4) {
    if (n % 4) space[len++] = letters[n % 4 - 1];
  }
  return (Str){space, len};
}

static void str__glob_agrees_with_its_definition(void **state) {
  (void)state;
  char p[8], t[8];
  for (unsigned i = 0; i < 1024; i++) {
    Str pattern = nth_word(p, 5, "a.*", i);
    // A whole-segment `**` has its own meaning, tested above.
    if (str_starts(pattern, S("**.")) || str_contains(pattern, S(".**.")) || str_contains(pattern, S("***"))) continue;
    for (unsigned k = 0; k < 1024; k++) {
      Str text = nth_word(t, 5, "ab.", k);
      if (str_glob(pattern, text, '.') != glob_by_definition(pattern, text)) {
        fail_msg("glob '%.*s' on '%.*s'", STR_ARG(pattern), STR_ARG(text));
      }
    }
  }
}

static void map__holds_what_was_put(void **state) {
  (void)state;
  Arena arena = {0};
  Map map = {0};
  assert_null(map_get(&map, 0));
  bool fresh;
  for (uint64_t i = 0; i < 3000; i++) {
    *map_put(&arena, &map, i << 32, &fresh) = i;
    assert_true(fresh);
  }
  assert_int_equal(*map_put(&arena, &map, UINT64_C(77) << 32, &fresh), 77);
  assert_false(fresh);
  assert_int_equal(map.len, 3000);
  for (uint64_t i = 0; i < 3000; i++) {
    assert_int_equal(*map_get(&map, i << 32), i);
    assert_int_equal(map.entries[i].value, i);  // insertion order
  }
  assert_null(map_get(&map, 1));
  arena_release(&arena);
}

static void keyset__adds_once(void **state) {
  (void)state;
  Arena arena = {0};
  KeySet set = {0};
  for (uint64_t key = 0; key < 1000; key++) assert_true(keyset_add(&arena, &set, key << 32 | key % 7));
  for (uint64_t key = 0; key < 1000; key++) assert_false(keyset_add(&arena, &set, key << 32 | key % 7));
  assert_int_equal(set.len, 1000);
  arena_release(&arena);
}

static void map__strings(void **state) {
  (void)state;
  Arena arena = {0};
  StrMap map = {0};
  assert_null(strmap_get(&map, S("")));
  for (int i = 0; i < 1000; i++) *strmap_put(&arena, &map, str_printf(&arena, "name%d", i), NULL) = (uint64_t)i;
  assert_int_equal(*strmap_get(&map, S("name999")), 999);
  assert_null(strmap_get(&map, S("name")));
  bool fresh;
  assert_int_equal(*strmap_put(&arena, &map, S(""), &fresh), 0);
  assert_true(fresh);
  assert_str(map.entries[3].key, "name3");
  arena_release(&arena);
}

static void sym__one_pointer_a_name(void **state) {
  (void)state;
  SymTable *table = sym_table_new();
  char text[] = "tensorflow";
  Sym tf = sym_intern(table, (Str){text, 10});
  text[0] = 'X';
  assert_ptr_equal(tf, sym_intern(table, S("tensorflow")));
  assert_true(sym_is(tf, S("tensorflow")));
  Sym function = sym_dotted(table, tf, sym_intern(table, S("function")));
  assert_ptr_equal(function, sym_intern(table, S("tensorflow.function")));
  assert_ptr_equal(sym_dotted(table, tf, sym_intern(table, S("function"))), function);
  assert_true(function->hash == str_hash(S("tensorflow.function")));
  assert_ptr_equal(sym_dotted(table, NULL, tf), tf);
  assert_ptr_equal(sym_dotted(table, tf, NULL), tf);
  assert_false(sym_is(NULL, S("")));
  assert_str(sym_str(NULL), "");
  sym_table_release(table);
  sym_table_release(NULL);
}

enum { NAMES = 5000 };

typedef struct Interning {
  SymTable *table;
  Sym seen[4][NAMES];
} Interning;

static void intern_all(void *context, uint32_t item, uint32_t worker) {
  (void)worker;
  Interning *interning = context;
  Arena scratch = {0};
  for (int i = 0; i < NAMES; i++) {
    ArenaMark mark = arena_mark(&scratch);
    interning->seen[item][i] = sym_intern(interning->table, str_printf(&scratch, "n%d", i));
    arena_reset(&scratch, mark);
  }
  arena_release(&scratch);
}

static void sym__threads_agree(void **state) {
  (void)state;
  Interning *interning = calloc(1, sizeof *interning);
  interning->table = sym_table_new();
  par_for(4, 4, intern_all, interning);
  for (int i = 0; i < NAMES; i++) {
    for (int k = 1; k < 4; k++) assert_ptr_equal(interning->seen[0][i], interning->seen[k][i]);
  }
  sym_table_release(interning->table);
  free(interning);
}

static void count_item(void *context, uint32_t item, uint32_t worker) {
  assert_true(worker < 3);
  ((uint32_t *)context)[item] += item + 1;
}

static void par__every_item_once(void **state) {
  (void)state;
  for (uint32_t jobs = 0; jobs <= 3; jobs++) {
    uint32_t counts[500] = {0};
    par_for(500, jobs, count_item, counts);
    for (uint32_t i = 0; i < 500; i++) assert_int_equal(counts[i], i + 1);
  }
  par_for(0, 4, count_item, NULL);
  assert_true(par_default_jobs() >= 1);
}

static void fail_late(void *context, uint32_t item, uint32_t worker) {
  (void)worker;
  tf_assert(item < *(uint32_t *)context);
}

static bool par_for_panics(uint32_t jobs) {
  uint32_t limit = 50;
  Panic panic;
  if (panic_enter(&panic)) return strcmp(panic.what, "item < *(uint32_t *)context") == 0;
  par_for(1000, jobs, fail_late, &limit);
  panic_leave(&panic);
  return false;
}

static void par__panic_reaches_the_caller(void **state) {
  (void)state;
  for (uint32_t jobs = 1; jobs <= 3; jobs++) assert_true(par_for_panics(jobs));
}

/* Needs more stack than a thread has by default on any system. */
static uint32_t depth_of(uint32_t depth) {
  volatile char space[1024];
  space[0] = (char)depth;
  return depth ? depth_of(depth - 1) + (uint32_t)(space[0] == (char)depth) : 0;
}

static void recurse(void *context, uint32_t item, uint32_t worker) {
  (void)worker;
  ((uint32_t *)context)[item] = depth_of(20000);
}

static void par__workers_have_a_deep_stack(void **state) {
  (void)state;
  uint32_t depths[2];
  par_for(2, 2, recurse, depths);
  assert_int_equal(depths[0] + depths[1], 40000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena__memory_is_zero_and_aligned),
      cmocka_unit_test(arena__reset_drops_what_came_after_the_mark),
      cmocka_unit_test(arena__reset_to_empty_keeps_one_block),
      cmocka_unit_test(arena__grow_keeps_contents_and_zeroes_the_tail),
      cmocka_unit_test(arena__impossible_size_raises),
      cmocka_unit_test(panic__innermost_handler_gets_it),
      cmocka_unit_test(vec__grows),
      cmocka_unit_test(str__compares),
      cmocka_unit_test(str__searches_and_cuts),
      cmocka_unit_test(str__reads_numbers),
      cmocka_unit_test(str__makes_text),
      cmocka_unit_test(str__hash_can_be_continued),
      cmocka_unit_test(str__globs),
      cmocka_unit_test(str__glob_agrees_with_its_definition),
      cmocka_unit_test(map__holds_what_was_put),
      cmocka_unit_test(keyset__adds_once),
      cmocka_unit_test(map__strings),
      cmocka_unit_test(sym__one_pointer_a_name),
      cmocka_unit_test(sym__threads_agree),
      cmocka_unit_test(par__every_item_once),
      cmocka_unit_test(par__panic_reaches_the_caller),
      cmocka_unit_test(par__workers_have_a_deep_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

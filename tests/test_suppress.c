/* Suppression comments: what they cover, what they do not, and what is said about wrong and useless ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/directive.h"
#include "report/select.h"
#include "report/suppress.h"

/* Findings stand where `<CODE>` marks are; the marks are taken out of the text. */
typedef struct Case {
  const char *text;
  const char *expected;  // "TF201@3-" suppressed, "TF201@3" not, in order; directives' own findings among them
} Case;

typedef struct World {
  Arena arena;
  SymTable *symbols;
  Source source;
  Findings findings;
  StrBuf text;
} World;

static void add_finding(World *world, Str code) {
  uint32_t at = (uint32_t)world->text.len;
  Finding finding = {.code = str_copy(&world->arena, code), .level = LEVEL_WARNING, .place = {0, {at, at + 1}}};
  vec_push(&world->arena, &world->findings, finding);
}

static void read_marks(World *world, Str text) {
  for (size_t i = 0; i < text.len; i++) {
    Str rest = str_sub(text, i, text.len);
    size_t end = str_find_char(rest, '>');
    if (!str_starts(rest, S("<TF")) || end == STR_NONE) {
      buf_char(&world->text, text.ptr[i]);
      continue;
    }
    add_finding(world, str_sub(rest, 1, end));
    i += end;
  }
}

static Str outcome_of(World *world) {
  StrBuf out = {.arena = &world->arena};
  for (uint32_t i = 0; i < world->findings.len; i++) {
    const Finding *finding = &world->findings.data[i];
    uint32_t line = source_line_of(&world->source, finding->place.span.start);
    buf_printf(&out, "%s%.*s@%u%s", i ? " " : "", STR_ARG(finding->code), line, finding->suppressed ? "-" : "");
    if (str_starts(finding->code, S("TF90"))) buf_printf(&out, ":%.*s", STR_ARG(finding->variant));
  }
  return buf_view(&out);
}

static void apply(World *world, const char *text, const bool *enabled) {
  bool all[256], reported = true;
  for (size_t i = 0; i < sizeof all; i++) all[i] = true;
  world->text.arena = &world->arena;
  world->symbols = sym_table_new();
  read_marks(world, str_from(text));
  source_init(&world->arena, &world->source, S("a.py"), buf_view(&world->text));
  const Ast *ast = ast_parse(&world->arena, world->symbols, &world->source);
  const Source *source = &world->source;
  SuppressInput input = {.catalog = catalog_builtin(),
                         .enabled = enabled ? enabled : all,
                         .files = {&source, 1},
                         .asts = &ast,
                         .reported = &reported};
  findings_sort(&input.files, &world->findings);
  suppress_apply(&world->arena, &input, &world->findings);
}

static void release(World *world) {
  sym_table_release(world->symbols);
  arena_release(&world->arena);
}

static void check(const Case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    World world = {0};
    apply(&world, cases[i].text, NULL);
    Str actual = outcome_of(&world);
    if (!str_eq(actual, str_from(cases[i].expected)))
      fail_msg("%s\ngives    %.*s\nexpected %s", cases[i].text, STR_ARG(actual), cases[i].expected);
    release(&world);
  }
}

static void suppress__trailing(void **state) {
  (void)state;
  static const Case cases[] = {
      {"x = <TF201>f()  # tfcheck: ignore[TF201]\n", "TF201@1-"},
      {"x = <TF201>f()  # tfcheck: ignore\n", "TF201@1-"},
      {"x = <TF201>f()  # tfcheck: ignore[numpy-on-tensor]\n", "TF201@1-"},
      {"x = <TF201>f()  # tfcheck: ignore[TF2]\n", "TF201@1-"},
      {"x = <TF201>f()  # tfcheck: ignore[all]\n", "TF201@1-"},
      {"x = <TF201>f()  #tfcheck :  ignore [ TF201 , ]\n", "TF201@1-"},
      {"x = <TF201>f()  # tfcheck: ignore[TF101]\n", "TF201@1 TF901@1:default"},
      {"x = <TF201>f()  # tfcheck: ignore[TF201, TF101]\n", "TF201@1- TF901@1:default"},
      {"x = <TF201>f() + <TF301>g()  # tfcheck: ignore[TF201,TF301]\n", "TF201@1- TF301@1-"},
      {"x = <TF201>f(); y = <TF201>g()  # tfcheck: ignore[TF201]\n", "TF201@1- TF201@1-"},
      {"x = <TF201>f()  # noqa: E501  # tfcheck: ignore[TF201]\n", "TF201@1-"},
      {"x = <TF201>f()  # tfcheck: ignore[TF201]  # noqa: E501\n", "TF201@1-"},
      {"y = 1  # tfcheck: ignore[TF201]\nx = <TF201>f()\n", "TF901@1:default TF201@2"},
      {"x = 1  # TFCHECK: ignore[TF201]\n", ""},
      {"x = '# tfcheck: ignore'\n", ""},
      {"x = 1  # tfcheck is fine\n", ""},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__any_line_that_counts(void **state) {
  (void)state;
  static const Case cases[] = {
      // first, last and reported line of the statement, and no other
      {"x = f(  # tfcheck: ignore[TF201]\n  1,\n  <TF201>g(),\n  2)\n", "TF201@3-"},
      {"x = f(\n  1,\n  <TF201>g(),  # tfcheck: ignore[TF201]\n  2)\n", "TF201@3-"},
      {"x = f(\n  1,\n  <TF201>g(),\n  2)  # tfcheck: ignore[TF201]\n", "TF201@3-"},
      {"x = f(\n  1,  # tfcheck: ignore[TF201]\n  <TF201>g(),\n  2)\n", "TF901@2:default TF201@3"},
      {"x = <TF201>f('''a\nb\n''')  # tfcheck: ignore[TF201]\n", "TF201@1-"},
      // headers of compound statements, not their bodies
      {"if <TF407>f():  # tfcheck: ignore[TF407]\n  <TF301>g()\n", "TF407@1- TF301@2"},
      {"if 1:\n  pass\nelif <TF407>f(\n  2):  # tfcheck: ignore[TF407]\n  pass\n", "TF407@3-"},
      {"if 1:  # tfcheck: ignore[TF301]\n  <TF301>g()\n", "TF901@1:default TF301@2"},
      {"@d  # tfcheck: ignore[TF599]\ndef f(): pass\n", "TF902@1:unknown-rule"},
      {"@<TF301>d(1)\ndef f():  # tfcheck: ignore[TF301]\n  pass\n", "TF301@1-"},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__block(void **state) {
  (void)state;
  static const Case cases[] = {
      {"# tfcheck: ignore-block[TF301]\n@<TF301>d(1)\ndef f():\n  if 1:\n    <TF301>g()\n<TF301>h()\n",
       "TF301@2- TF301@5- TF301@6"},
      {"class A:\n  # tfcheck: ignore-block[TF301]\n\n  def f(self):\n    <TF301>g()\n  def h(self):\n    <TF301>g()\n",
       "TF301@5- TF301@7"},
      {"# tfcheck: ignore-block[TF3] -- why\nfor i in x:\n  <TF301>g()\n  <TF201>h()\n", "TF301@3- TF201@4"},
      {"# tfcheck: ignore-block[TF201]\nx = <TF201>f()\ny = <TF201>f()\n", "TF201@2- TF201@3"},
      {"# tfcheck: ignore-block[TF201]\ndef f():\n  pass\n", "TF901@1:default"},
      {"# tfcheck: ignore-block[TF201]\n", "TF901@1:default"},
      {"# tfcheck: ignore-block\ndef f():\n  <TF301>g()\n", "TF902@1:malformed TF301@3"},
      {"def f():  # tfcheck: ignore-block[TF301]\n  <TF301>g()\n", "TF902@1:malformed TF301@2"},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__own_line(void **state) {
  (void)state;
  static const Case cases[] = {
      {"# tfcheck: ignore[TF201]\nx = <TF201>f()\ny = <TF201>f()\n", "TF201@2- TF201@3"},
      {"# tfcheck: ignore[TF201]\n\n# and why\nx = f(\n  <TF201>g())\n", "TF201@5-"},
      {"x = f(\n  # tfcheck: ignore[TF201]\n  <TF201>g(),\n  <TF201>h())\n", "TF201@3- TF201@4"},
      {"# tfcheck: ignore[TF301]\n@<TF301>d(1)\ndef f():\n  <TF301>g()\n", "TF301@2- TF301@4"},
      {"# tfcheck: ignore[TF201]\n# tfcheck: ignore[TF301]\nx = <TF201>f(<TF301>g())\n", "TF201@3- TF301@3-"},
      {"x = <TF201>f()\n# tfcheck: ignore[TF201]\n", "TF201@1 TF901@2:default"},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__file(void **state) {
  (void)state;
  static const Case cases[] = {
      {"# tfcheck: ignore-file[TF201]\nx = <TF201>f()\ny = <TF301>f()\n", "TF201@2- TF301@3"},
      {"#!/usr/bin/python\n\"\"\"Doc.\"\"\"\n# tfcheck: ignore-file\nx = <TF201>f()\n", "TF201@4-"},
      {"import a\n# tfcheck: ignore-file[TF201]\nx = <TF201>f()\n", "TF902@2:misplaced TF201@3"},
      {"x = <TF201>f()  # tfcheck: ignore-file[TF201]\n", "TF201@1 TF902@1:misplaced"},
      {"# tfcheck: ignore-file[TF201]\nx = f()\n", "TF901@1:default"},
      {"# tfcheck: ignore-file\n", "TF901@1:whole"},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__noqa(void **state) {
  (void)state;
  static const Case cases[] = {
      {"x = <TF201>f()  # noqa: TF201\n", "TF201@1-"},
      {"x = <TF201>f()  # NOQA:E501,TF201\n", "TF201@1-"},
      {"x = <TF201>f()  # noqa: E501 TF201 because\n", "TF201@1-"},
      {"x = <TF201>f()  # noqa\n", "TF201@1"},
      {"x = <TF201>f()  # noqa: E501\n", "TF201@1"},
      {"x = <TF201>f()  # flake8: noqa: TF201\n", "TF201@1"},
      {"x = f()  # noqa: TF999\n", ""},
      {"x = f()  # noqa: TF201\n", "TF901@1:default"},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__wrong(void **state) {
  (void)state;
  static const Case cases[] = {
      {"x = <TF201>f()  # tfcheck: ignore[TF201\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck: ignore[]\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck: ignore[TF201 TF301]\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck: ignore TF201\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck: ignore[TF201] because\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck: disable=TF201\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck:\n", "TF201@1 TF902@1:malformed"},
      {"x = <TF201>f()  # tfcheck: ignore[TF201, TF999]\n", "TF201@1- TF902@1:unknown-rule"},
      {"x = <TF201>f()  # tfcheck: ignore[T]\n", "TF201@1 TF902@1:unknown-rule"},
      {"x = f()  # tfcheck: ignore[TF201, TF301]\n", "TF901@1:whole"},
  };
  check(cases, sizeof cases / sizeof *cases);
}

static void suppress__reasons(void **state) {
  (void)state;
  static const char *const texts[] = {
      "x = <TF201>f()  # tfcheck: ignore[TF201] -- it is an array\n",
      "x = <TF201>f()  # tfcheck: ignore[TF201]: it is an array\n",
      "x = <TF201>f()  # tfcheck: ignore[TF201]  # it is an array\n",
      "# tfcheck: ignore -- it is an array\nx = <TF201>f()\n",
      "# tfcheck: ignore-file[TF2]: it is an array\nx = <TF201>f()\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    World world = {0};
    apply(&world, texts[i], NULL);
    assert_int_equal(world.findings.len, 1);
    assert_true(world.findings.data[0].suppressed);
    assert_true(str_eq(world.findings.data[0].suppress_reason, S("it is an array")));
    assert_int_equal(world.findings.data[0].suppress_line, 1);
    release(&world);
  }
}

/* A rule that did not run cannot make its suppression useless. */
static void suppress__unselected_rules_are_not_judged(void **state) {
  (void)state;
  Arena arena = {0};
  Str words[] = {S("TF3"), S("TF9")};
  RuleChoice choice = {.select = {words, 2}};
  bool *enabled = selection_make(&arena, catalog_builtin(), &choice);
  static const Case cases[] = {
      {"x = f()  # tfcheck: ignore[TF201]\n", ""},
      {"x = f()  # tfcheck: ignore[TF301]\n", "TF901@1:default"},
      {"x = f()  # tfcheck: ignore\n", ""},
      {"x = f()  # tfcheck: ignore[TF201, TF301]\n", "TF901@1:default"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    World world = {0};
    apply(&world, cases[i].text, enabled);
    Str actual = outcome_of(&world);
    if (!str_eq(actual, str_from(cases[i].expected))) fail_msg("%s gives %.*s", cases[i].text, STR_ARG(actual));
    release(&world);
  }
  arena_release(&arena);
}

typedef struct FixCase {
  const char *text, *fixed;
} FixCase;

static void suppress__fixes_remove_only_our_part(void **state) {
  (void)state;
  static const FixCase cases[] = {
      {"x = 1  # tfcheck: ignore[TF201] -- why\ny = 2\n", "x = 1\ny = 2\n"},
      {"x = 1  # noqa: E501  # tfcheck: ignore[TF201]\n", "x = 1  # noqa: E501\n"},
      {"x = 1  # tfcheck: ignore[TF201]  # type: ignore\n", "x = 1  # type: ignore\n"},
      {"if x:\n    # tfcheck: ignore[TF201]\n    y = 2\n", "if x:\n    y = 2\n"},
      {"x = <TF201>f()  # tfcheck: ignore[TF101, TF201]\n", "x = f()  # tfcheck: ignore[TF201]\n"},
      {"x = <TF201>f()  # tfcheck: ignore[TF201, TF101]\n", "x = f()  # tfcheck: ignore[TF201]\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    World world = {0};
    apply(&world, cases[i].text, NULL);
    const Finding *finding = &world.findings.data[world.findings.len - 1];
    assert_int_equal(finding->fix_safety, FIX_SAFE);
    Span span = finding->edits.data[0].place.span;
    Str text = world.source.text, head = str_sub(text, 0, span.start), tail = str_sub(text, span.end, text.len);
    Str fixed = str_concat(&world.arena, head, tail);
    if (!str_eq(fixed, str_from(cases[i].fixed))) fail_msg("%s becomes %.*s", cases[i].text, STR_ARG(fixed));
    release(&world);
  }
}

static void select__closest_word_decides(void **state) {
  (void)state;
  Arena arena = {0};
  const Catalog *catalog = catalog_builtin();
  uint32_t tf201 = catalog_rule_index(catalog, S("TF201")), tf202 = catalog_rule_index(catalog, S("TF202"));
  Str tf2 = S("TF2"), exact = S("TF201"), name = S("numpy-on-tensor"), all = S("all");
  RuleChoice ignore_prefix = {.ignore = {&tf2, 1}, .extend = {&exact, 1}};
  bool *enabled = selection_make(&arena, catalog, &ignore_prefix);
  assert_true(enabled[tf201]);
  assert_false(enabled[tf202]);
  RuleChoice ignore_name = {.select = {&tf2, 1}, .ignore = {&name, 1}};
  enabled = selection_make(&arena, catalog, &ignore_name);
  assert_false(enabled[tf201]);
  assert_true(enabled[tf202]);
  RuleChoice tie = {.select = {&all, 1}, .ignore = {&all, 1}};
  assert_false(selection_make(&arena, catalog, &tie)[tf201]);
  assert_false(selector_known(catalog, S("T")));
  assert_false(selector_known(catalog, S("TF999")));
  assert_true(str_contains(selector_hint(&arena, catalog, S("tf201")), S("TF201")));
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(suppress__trailing),
      cmocka_unit_test(suppress__any_line_that_counts),
      cmocka_unit_test(suppress__own_line),
      cmocka_unit_test(suppress__block),
      cmocka_unit_test(suppress__file),
      cmocka_unit_test(suppress__noqa),
      cmocka_unit_test(suppress__wrong),
      cmocka_unit_test(suppress__reasons),
      cmocka_unit_test(suppress__unselected_rules_are_not_judged),
      cmocka_unit_test(suppress__fixes_remove_only_our_part),
      cmocka_unit_test(select__closest_word_decides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

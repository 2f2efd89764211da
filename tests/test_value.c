/* Unit tests of the value floor: the three readers, the schema checker, the JSON writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "value/doc.h"
#include "value/json.h"
#include "value/schema.h"

#define assert_str(actual, expected)                              \
  do {                                                            \
    Str actual_ = (actual);                                       \
    assert_string_equal(str_copy(&arena, actual_).ptr, expected); \
  } while (0)

static Arena arena;
static DocErrors errors;
static DocFile file;

static int setup(void **state) {
  (void)state;
  errors = (DocErrors){.arena = &arena};
  return 0;
}

static int teardown(void **state) {
  (void)state;
  arena_release(&arena);
  return 0;
}

static const Doc *yaml(const char *text) {
  assert_true(doc_read_yaml(&arena, S("t.yaml"), str_from(text), &file, &errors));
  assert_int_equal(errors.list.len, 0);
  return file.root;
}

static const Doc *toml(const char *text) {
  assert_true(doc_read_toml(&arena, S("t.toml"), str_from(text), S("tool.tfcheck"), &file, &errors));
  assert_int_equal(errors.list.len, 0);
  return file.root;
}

static const Doc *json(const char *text) {
  assert_true(doc_read_json(&arena, S("t.json"), str_from(text), 0, &file, &errors));
  assert_int_equal(errors.list.len, 0);
  return file.root;
}

/* The only error so far, as a person reads it; forgets it. */
static Str error_text(void) {
  assert_int_equal(errors.list.len, 1);
  errors.list.len = 0;
  return doc_error_text(&arena, &errors.list.data[0]);
}

#define assert_yaml_fails(text, expected)                                      \
  do {                                                                         \
    assert_false(doc_read_yaml(&arena, S("t.yaml"), S(text), &file, &errors)); \
    assert_str(error_text(), expected);                                        \
    assert_int_equal(file.root->kind, DOC_MAP);                                \
    assert_int_equal(file.root->len, 0);                                       \
  } while (0)

#define assert_toml_fails(text, expected)                                                         \
  do {                                                                                            \
    assert_false(doc_read_toml(&arena, S("t.toml"), S(text), S("tool.tfcheck"), &file, &errors)); \
    assert_str(error_text(), expected);                                                           \
  } while (0)

#define assert_json_fails(text, expected)                                         \
  do {                                                                            \
    assert_false(doc_read_json(&arena, S("t.json"), S(text), 0, &file, &errors)); \
    assert_str(error_text(), expected);                                           \
  } while (0)

static Str slice(const Doc *doc) { return str_sub(file.text, doc->span.start, doc->span.end); }

/* ---- YAML ---- */

static void yaml__keeps_order_text_and_spans(void **state) {
  (void)state;
  const Doc *root = yaml("b: 1\na: [on, 'off', 1e3]\nc:\n  d: \"x\\ty\"\ne:\nf: ~\n");
  assert_int_equal(root->len, 5);
  assert_str(root->entries[0].key, "b");
  assert_str(root->entries[1].key, "a");
  const Doc *list = doc_get(root, S("a"));
  assert_int_equal(list->kind, DOC_LIST);
  assert_str(list->entries[0].value->text, "on");
  assert_false(list->entries[0].value->quoted);
  assert_str(list->entries[1].value->text, "off");
  assert_true(list->entries[1].value->quoted);
  assert_str(list->entries[2].value->text, "1e3");
  const Doc *inner = doc_get(doc_get(root, S("c")), S("d"));
  assert_str(inner->text, "x\ty");
  assert_str(slice(inner), "\"x\\ty\"");
  assert_int_equal(doc_get(root, S("e"))->kind, DOC_NULL);
  assert_int_equal(doc_get(root, S("f"))->kind, DOC_NULL);
  assert_null(doc_get(doc_get(root, S("nothing")), S("at all")));
}

static void yaml__spans_are_bytes_behind_wide_characters_and_a_mark(void **state) {
  (void)state;
  const Doc *root = yaml("\xEF\xBB\xBF\xC3\xA4: \xE2\x82\xAC\nb: \xF0\x9F\x8D\x8E x\r\nc: z\r\n");
  assert_str(slice(root->entries[0].value), "\xE2\x82\xAC");
  assert_str(slice(root->entries[1].value), "\xF0\x9F\x8D\x8E x");
  assert_str(slice(root->entries[2].value), "z");
  doc_fail(&errors, &file, root->entries[2].value->span, "here");
  assert_str(error_text(), "t.yaml:3:4: here");
  doc_fail(&errors, &file, root->entries[0].value->span, "here");
  assert_str(error_text(), "t.yaml:1:4: here");
}

static void yaml__an_empty_document_is_an_empty_map(void **state) {
  (void)state;
  assert_int_equal(yaml("")->len, 0);
  assert_int_equal(yaml("# nothing but a comment\n")->kind, DOC_MAP);
  assert_int_equal(yaml("---\n")->kind, DOC_MAP);
}

static void yaml__what_has_two_readings_is_refused(void **state) {
  (void)state;
  assert_yaml_fails("a: &x [1]\n", "t.yaml:1:4: anchors (\"&name\") are not allowed");
  assert_yaml_fails("a: &x b\n", "t.yaml:1:4: anchors (\"&name\") are not allowed");
  assert_yaml_fails("a: *x\n", "t.yaml:1:4: aliases (\"*name\") are not allowed");
  assert_yaml_fails("a: !!int 3\n", "t.yaml:1:4: tags (\"!type\") are not allowed");
  assert_yaml_fails("a: !x {}\n", "t.yaml:1:4: tags (\"!type\") are not allowed");
  assert_yaml_fails("a: 1\nb: 2\na: 3\n", "t.yaml:3:1: duplicate key \"a\"");
  assert_yaml_fails("a: 1\n---\nb: 2\n", "t.yaml:2:1: only one document is allowed in a file");
  assert_yaml_fails("%YAML 1.1\n---\na: 1\n", "t.yaml:1:1: directives (\"%YAML\", \"%TAG\") are not allowed");
  assert_yaml_fails("? [a]\n: 1\n", "t.yaml:1:3: a key must be text, not a list or a map");
  assert_yaml_fails("? {a: b}\n: 1\n", "t.yaml:1:3: a key must be text, not a list or a map");
  assert_yaml_fails("'': 1\n", "t.yaml:1:1: a key must not be empty");
}

static void yaml__syntax_errors_have_a_place(void **state) {
  (void)state;
  assert_yaml_fails("a: 1\n b: 2\n", "t.yaml:2:3: bad YAML: mapping values are not allowed in this context");
  assert_yaml_fails("a: [1, 2\nb: 3\n",
                    "t.yaml:2:2: bad YAML: while parsing a flow sequence, did not find expected ',' or ']'");
  assert_yaml_fails("\xC3\xA4: 1\nb: \xFF\n", "t.yaml:2:4: bad YAML: invalid leading UTF-8 octet");
  assert_yaml_fails("a: \x01\n", "t.yaml:1:4: bad YAML: control characters are not allowed");
}

static void yaml__an_alias_bomb_costs_nothing(void **state) {
  (void)state;
  StrBuf bomb = {.arena = &arena};
  buf_lit(&bomb, "a0: &a0 [x, x]\n");
  for (int i = 1; i < 40; i++) buf_printf(&bomb, "a%d: &a%d [*a%d, *a%d]\n", i, i, i - 1, i - 1);
  assert_false(doc_read_yaml(&arena, S("t.yaml"), buf_view(&bomb), &file, &errors));
  assert_str(error_text(), "t.yaml:1:5: anchors (\"&name\") are not allowed");
}

static void yaml__depth_and_size_are_bounded(void **state) {
  (void)state;
  StrBuf deep = {.arena = &arena};
  buf_repeat(&deep, '[', DOC_MAX_DEPTH);
  buf_repeat(&deep, ']', DOC_MAX_DEPTH);
  assert_true(doc_read_yaml(&arena, S("t.yaml"), buf_view(&deep), &file, &errors));
  deep.len = 0;
  buf_repeat(&deep, '[', 300000);
  assert_false(doc_read_yaml(&arena, S("t.yaml"), buf_view(&deep), &file, &errors));
  assert_str(error_text(), "t.yaml:1:33: nested deeper than 32 levels");
  deep.len = 0;
  buf_repeat(&deep, '#', DOC_MAX_BYTES + 1);
  assert_false(doc_read_yaml(&arena, S("t.yaml"), buf_view(&deep), &file, &errors));
  assert_str(error_text(), "t.yaml:1:1: the document has 8388609 bytes, more than the limit of 8388608");
}

/* ---- TOML ---- */

static void toml__reads_the_wanted_table_only(void **state) {
  (void)state;
  const Doc *root = toml(
      "[tool.ruff]\nline-length = 88\nx = [1, {]\n"
      "[tool.tfcheck]\nfail-on = \"warning\" # comment\nexclude = [\n  'a/**', # why\n  \"b\",\n]\n"
      "[tool.tfcheck.rules]\nselect = ['all']\nTF409.unroll-limit = 0x40\n"
      "[[tool.tfcheck.overrides]]\npaths = ['t']\n[[tool.tfcheck.overrides]]\npaths = ['u']\nrules.ignore = ['TF101']\n"
      "[tool.tfcheckers]\na = 1\n");
  assert_int_equal(root->len, 4);
  const Doc *level = doc_get(root, S("fail-on"));
  assert_str(level->text, "warning");
  assert_true(level->quoted);
  assert_str(slice(level), "\"warning\"");
  const Doc *exclude = doc_get(root, S("exclude"));
  assert_int_equal(exclude->len, 2);
  assert_str(exclude->entries[0].value->text, "a/**");
  const Doc *limit = doc_get(doc_get(doc_get(root, S("rules")), S("TF409")), S("unroll-limit"));
  assert_str(limit->text, "64");
  assert_false(limit->quoted);
  const Doc *overrides = doc_get(root, S("overrides"));
  assert_int_equal(overrides->kind, DOC_LIST);
  assert_int_equal(overrides->len, 2);
  assert_int_equal(doc_get(doc_get(overrides->entries[1].value, S("rules")), S("ignore"))->len, 1);
}

static void toml__every_way_to_write_a_table(void **state) {
  (void)state;
  assert_str(doc_get(toml("tool.tfcheck.a = true\n"), S("a"))->text, "true");
  assert_str(doc_get(toml("tool = { tfcheck = { a = 1_000 } }\n"), S("a"))->text, "1000");
  assert_str(doc_get(toml("[tool]\n\"tfcheck\".a = 2.50\n"), S("a"))->text, "2.50");
  assert_str(doc_get(doc_get(toml("[tool.tfcheck.rules]\na = -7\n"), S("rules")), S("a"))->text, "-7");
  assert_int_equal(toml("[tool.other]\na = 1\n")->kind, DOC_NULL);
  assert_int_equal(toml("")->kind, DOC_NULL);
  assert_int_equal(toml("[tool.tfcheck]\n")->kind, DOC_MAP);
}

static void toml__strings_of_all_kinds(void **state) {
  (void)state;
  const Doc *root = toml(
      "[tool.tfcheck]\na = \"x\\u00e4\\U0001F34E\\\"\"\nb = 'C:\\x'\nc = \"\"\"\nline\nnext \\\n   joined\"\"\"\n"
      "d = '''\nraw \\n'''\n");
  assert_str(doc_get(root, S("a"))->text, "x\xC3\xA4\xF0\x9F\x8D\x8E\"");
  assert_str(doc_get(root, S("b"))->text, "C:\\x");
  assert_str(doc_get(root, S("c"))->text, "line\nnext joined");
  assert_str(doc_get(root, S("d"))->text, "raw \\n");
}

static void toml__faults_have_a_place(void **state) {
  (void)state;
  assert_toml_fails("[tool.tfcheck]\na = 1\na = 2\n", "t.toml:3:1: duplicate key \"a\"");
  assert_toml_fails("[tool.tfcheck]\n[tool.tfcheck]\n", "t.toml:2:7: duplicate key \"tfcheck\"");
  assert_toml_fails("[tool.tfcheck]\na = {b = 1, b = 2}\n", "t.toml:2:13: duplicate key \"b\"");
  assert_toml_fails("[tool.tfcheck]\na = 1\na.b = 2\n", "t.toml:3:1: \"a\" is already defined and cannot be added to");
  assert_toml_fails("[tool.tfcheck]\na = {}\n[tool.tfcheck.a.b]\n",
                    "t.toml:3:15: \"a\" is already defined and cannot be added to");
  assert_toml_fails("[tool.tfcheck]\na = [1]\n[[tool.tfcheck.a]]\n", "t.toml:3:16: duplicate key \"a\"");
  assert_toml_fails("[tool.tfcheck]\na = \n", "t.toml:2:1: bad TOML: syntax error");
  assert_toml_fails("[tool.ruff]\nx = [1\n[tool.tfcheck]\na = 1\n", "t.toml:3:1: bad TOML: syntax error");
  assert_toml_fails("[tool.tfcheck\na = 1\n", "t.toml:1:1: bad TOML: syntax error");
  assert_toml_fails("[tool.tfcheck]\na = \"\\uD800\"\n", "t.toml:2:5: bad TOML: bad escape in a string");
  assert_toml_fails("[tool.tfcheck]\na = 9223372036854775808\n", "t.toml:2:5: bad TOML: a number out of range");
}

static void toml__depth_is_bounded(void **state) {
  (void)state;
  StrBuf deep = {.arena = &arena};
  buf_lit(&deep, "[tool.tfcheck]\na = ");
  buf_repeat(&deep, '[', 100000);
  buf_repeat(&deep, ']', 100000);
  buf_char(&deep, '\n');
  assert_false(doc_read_toml(&arena, S("t.toml"), buf_view(&deep), S("tool.tfcheck"), &file, &errors));
  assert_str(error_text(), "t.toml:2:34: nested deeper than 32 levels");
  deep.len = 0;
  buf_lit(&deep, "tool");
  for (int i = 0; i < 10000; i++) buf_lit(&deep, ".tfcheck");
  buf_lit(&deep, " = 1\n");
  assert_false(doc_read_toml(&arena, S("t.toml"), buf_view(&deep), S("tool.tfcheck"), &file, &errors));
  assert_str(error_text(), "t.toml:1:1: bad TOML: a key with too many parts");
}

/* ---- JSON ---- */

static void json__reads_what_the_standard_allows(void **state) {
  (void)state;
  const Doc *root =
      json("{\"a\": [1, -0.5e+3, true, null, {}], \"b\\n\": \"\\u00e4\\ud83c\\udf4e\\/\\\"\\ud800x\", \"c\": []}\n");
  assert_int_equal(root->len, 3);
  const Doc *list = doc_get(root, S("a"));
  assert_str(list->entries[1].value->text, "-0.5e+3");
  assert_false(list->entries[1].value->quoted);
  assert_int_equal(list->entries[3].value->kind, DOC_NULL);
  assert_int_equal(list->entries[4].value->kind, DOC_MAP);
  assert_str(slice(list), "[1, -0.5e+3, true, null, {}]");
  assert_str(doc_get(root, S("b\n"))->text, "\xC3\xA4\xF0\x9F\x8D\x8E/\"\xEF\xBF\xBDx");
  assert_int_equal(doc_get(root, S("c"))->len, 0);
  assert_str(json("\"x\"")->text, "x");
}

static void json__refuses_the_rest_with_a_place(void **state) {
  (void)state;
  assert_json_fails("", "t.json:1:1: bad JSON: the document ends too early");
  assert_json_fails("[1,\n 2", "t.json:2:3: bad JSON: expected \",\" or \"]\"");
  assert_json_fails("[1,]", "t.json:1:4: bad JSON: expected a value");
  assert_json_fails("{\"a\":1,}", "t.json:1:8: bad JSON: expected a key in quotes");
  assert_json_fails("{\"a\" 1}", "t.json:1:6: bad JSON: expected \":\"");
  assert_json_fails("{\"a\":1,\"a\":2}", "t.json:1:8: duplicate key \"a\"");
  assert_json_fails("[01]", "t.json:1:2: bad JSON: bad number");
  assert_json_fails("[1.]", "t.json:1:2: bad JSON: bad number");
  assert_json_fails("\"a", "t.json:1:1: bad JSON: a string without an end");
  assert_json_fails("\"a\nb\"", "t.json:1:3: bad JSON: a control character in a string");
  assert_json_fails("\"\\x\"", "t.json:1:3: bad JSON: unknown escape");
  assert_json_fails("\"\\u12\"", "t.json:1:4: bad JSON: \\u needs four hexadecimal digits");
  assert_json_fails("\"\xC0\x80\"", "t.json:1:2: bad JSON: ill-formed UTF-8");
  assert_json_fails("1 2", "t.json:1:3: bad JSON: text after the end of the document");
  assert_json_fails("nul", "t.json:1:1: bad JSON: expected a value");
}

static void json__depth_is_bounded(void **state) {
  (void)state;
  StrBuf deep = {.arena = &arena};
  for (int i = 0; i < 100000; i++) buf_lit(&deep, "{\"a\":[");
  assert_false(doc_read_json(&arena, S("t.json"), buf_view(&deep), 0, &file, &errors));
  assert_str(error_text(), "t.json:1:97: nested deeper than 32 levels");
}

static void json__what_is_written_is_read_back(void **state) {
  (void)state;
  StrBuf out = {.arena = &arena};
  Json writer = {.buf = &out};
  json_open_object(&writer);
  json_key_string(&writer, S("te\"xt"), S("a\\b\n\x01\x7f\xE2\x80\xA8\xED\xA0\x80z\xF0\x9F\x8D"));
  json_key_int(&writer, S("min"), INT64_MIN);
  json_key_list(&writer, S("list"));
  json_bool(&writer, true);
  json_null(&writer);
  json_open_object(&writer);
  json_close(&writer);
  json_line(&writer);
  json_string(&writer, S(""));
  json_line(&writer);
  json_close(&writer);
  json_key_bool(&writer, S("no"), false);
  json_key_null(&writer, S("null"));
  json_key_object(&writer, S("o"));
  json_close(&writer);
  json_close(&writer);
  assert_str(
      buf_view(&out),
      "{\"te\\\"xt\":\"a\\\\b\\n\\u0001\\u007f\\u2028\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz\xEF\xBF\xBD\xEF\xBF\xBD"
      "\xEF\xBF\xBD\",\"min\":-9223372036854775808,\"list\":[true,null,{},\n\"\"\n],\"no\":false,\"null\":null,\"o\":{}}");
  assert_true(doc_read_json(&arena, S("t.json"), buf_view(&out), 0, &file, &errors));
  assert_int_equal(doc_int(doc_get(file.root, S("min")), 0), INT64_MIN);
}

/* ---- schemas ---- */

static const Str words[] = {S_INIT("error"), S_INIT("warning"), S_INIT("note")};
static const Shape shape_words = SHAPE_OF_WORDS(words);
static const Shape shape_number = {.kind = SHAPE_INT, .min = 1, .max = 9};
static const Field inner_fields[] = {{S_INIT("level"), &shape_words, true}, {S_INIT("limit"), &shape_number, false}};
static const Shape shape_inner = SHAPE_OF_FIELDS(inner_fields);
static const Shape shape_inner_map = SHAPE_MAP_OF(&shape_inner);
static const Field outer_fields[] = {
    {S_INIT("paths"), &shape_texts, false},
    {S_INIT("strict"), &shape_bool, false},
    {S_INIT("rules"), &shape_inner_map, false},
};
static bool is_extension(Str key) { return str_starts(key, S("x-")); }
static const Shape shape_outer = {.kind = SHAPE_OBJECT,
                                  .fields = outer_fields,
                                  .field_count = SCHEMA_COUNT(outer_fields),
                                  .element = &shape_text,
                                  .open_key = is_extension};

#define assert_schema_fails(text, expected)                               \
  do {                                                                    \
    assert_false(schema_check(&errors, &file, yaml(text), &shape_outer)); \
    assert_str(error_text(), expected);                                   \
  } while (0)

static void schema__accepts_what_it_describes(void **state) {
  (void)state;
  assert_true(schema_check(
      &errors, &file, yaml("paths: a\nstrict: true\nrules: {a: {level: note, limit: 9}}\nx-a: b\n"), &shape_outer));
  assert_true(schema_check(&errors, &file, yaml("paths: [a, '1', 2]\n"), &shape_outer));
  assert_true(schema_check(&errors, &file, yaml(""), &shape_outer));
}

static void schema__says_what_is_wrong(void **state) {
  (void)state;
  assert_schema_fails("pahts: [a]\n", "t.yaml:1:1: unknown key \"pahts\" (did you mean \"paths\"?)");
  assert_schema_fails("foo: 1\n", "t.yaml:1:1: unknown key \"foo\"; allowed: paths, strict, rules");
  assert_schema_fails("strict: yes\n", "t.yaml:1:9: \"strict\" must be true or false, got \"yes\"");
  assert_schema_fails("strict: 'true'\n", "t.yaml:1:9: \"strict\" must be true or false, got \"true\"");
  assert_schema_fails("paths: {a: b}\n", "t.yaml:1:8: \"paths\" must be text, got a map");
  assert_schema_fails("paths:\n", "t.yaml:1:7: \"paths\" must be text, got nothing");
  assert_schema_fails("paths: ['']\n", "t.yaml:1:9: \"paths\" must not be empty");
  assert_schema_fails("rules: [a]\n", "t.yaml:1:8: \"rules\" must be a map, got a list");
  assert_schema_fails("rules:\n  a: {limit: 3}\n", "t.yaml:2:6: missing key \"level\"");
  assert_schema_fails(
      "rules: {a: {level: eror}}\n",
      "t.yaml:1:20: unknown value \"eror\" for \"level\" (did you mean \"error\"?); allowed: error, warning, note");
  assert_schema_fails("rules: {a: {level: note, limit: 10}}\n",
                      "t.yaml:1:33: \"limit\" must be between 1 and 9, got 10");
  assert_schema_fails("rules: {a: {level: note, limit: many}}\n",
                      "t.yaml:1:33: \"limit\" must be a whole number, got \"many\"");
  assert_schema_fails("- a\n", "t.yaml:1:1: expected a map, got a list");
}

static void schema__collects_all_errors_up_to_a_limit(void **state) {
  (void)state;
  StrBuf text = {.arena = &arena};
  buf_lit(&text, "paths: 1\nstrict: 2\n");
  for (int i = 0; i < 2 * DOC_MAX_ERRORS; i++) buf_printf(&text, "k%d: 1\n", i);
  assert_true(doc_read_yaml(&arena, S("t.yaml"), buf_view(&text), &file, &errors));
  assert_false(schema_check(&errors, &file, file.root, &shape_outer));
  assert_int_equal(errors.list.len, DOC_MAX_ERRORS);
}

static void schema__the_nearest_word(void **state) {
  (void)state;
  assert_str(schema_nearest(S("wraning"), words, 3), "warning");
  assert_str(schema_nearest(S("notes"), words, 3), "note");
  assert_str(schema_nearest(S("x"), words, 3), "");
  assert_str(schema_nearest(S("something"), words, 3), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
      TEST(yaml__keeps_order_text_and_spans),
      TEST(yaml__spans_are_bytes_behind_wide_characters_and_a_mark),
      TEST(yaml__an_empty_document_is_an_empty_map),
      TEST(yaml__what_has_two_readings_is_refused),
      TEST(yaml__syntax_errors_have_a_place),
      TEST(yaml__an_alias_bomb_costs_nothing),
      TEST(yaml__depth_and_size_are_bounded),
      TEST(toml__reads_the_wanted_table_only),
      TEST(toml__every_way_to_write_a_table),
      TEST(toml__strings_of_all_kinds),
      TEST(toml__faults_have_a_place),
      TEST(toml__depth_is_bounded),
      TEST(json__reads_what_the_standard_allows),
      TEST(json__refuses_the_rest_with_a_place),
      TEST(json__depth_is_bounded),
      TEST(json__what_is_written_is_read_back),
      TEST(schema__accepts_what_it_describes),
      TEST(schema__says_what_is_wrong),
      TEST(schema__collects_all_errors_up_to_a_limit),
      TEST(schema__the_nearest_word),
#undef TEST
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

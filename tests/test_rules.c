/* Unit tests of what runs rules: placeholders, the declarative matcher, merging, precedence, and a user's rule beside ours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "catalog/tables.h"
#include "rules/match.h"
#include "rules/run.h"

static Arena arena;

static int teardown(void **state) {
  (void)state;
  arena_release(&arena);
  return 0;
}

#define assert_str(actual, expected)                              \
  do {                                                            \
    Str actual_ = (actual);                                       \
    assert_string_equal(str_copy(&arena, actual_).ptr, expected); \
  } while (0)

/* ---- placeholders ---- */

static void fill__replaces(void **state) {
  (void)state;
  static const struct {
    const char *text, *expected;
    FillResult result;
  } cases[] = {
      {"", "", FILL_DONE},
      {"plain", "plain", FILL_DONE},
      {"`{callee}` in `{function}`", "`np.sum` in `step`", FILL_DONE},
      {"{callee}{callee}", "np.sumnp.sum", FILL_DONE},
      {"{{callee}} and }}", "{callee} and }", FILL_DONE},
      {"{{{callee}}}", "{np.sum}", FILL_DONE},
      {"use `{tf}`", "use ``", FILL_EMPTY},
      {"{nobody} gave it", "{nobody} gave it", FILL_UNKNOWN},
      {"{tf}{nobody}", "{nobody}", FILL_UNKNOWN},
      {"open {callee", "open {callee", FILL_UNKNOWN},
  };
  Fill values[] = {{S("callee"), S("np.sum")}, {S("function"), S("step")}, {S("tf"), S("")}, {S("callee"), S("later")}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Str out;
    assert_int_equal(fill_text(&arena, str_from(cases[i].text), (Fills){values, 4}, &out), cases[i].result);
    assert_str(out, cases[i].expected);
  }
}

/* ---- the matcher ---- */

/* np.sum(x, axis=0) in a traced function, as an event. */
typedef struct World {
  Module module;
  Frame frame;
  ApiFact fact;
  Expr call, callee;
  const Expr *exprs[2];
  const Value *values[2];
  Sym names[2];
  Args args;
  Event event;
} World;

static const Symbol axis = {S_INIT("axis"), 0};

static const Value *kind_value(KindSet kinds, uint32_t flags) {
  Value *value = arena_new(&arena, Value);
  value->kinds = kinds;
  value->flags = flags;
  return value;
}

static World *world_new(void) {
  static const Str params[] = {S_INIT("a"), S_INIT("axis")};
  World *world = arena_new(&arena, World);
  world->frame = (Frame){.module = &world->module, .context = CTX_TRACED};
  world->fact = (ApiFact){.name = S("numpy.sum"), .tags = TAG(NUMPY), .params = {params, 2}};
  world->callee = (Expr){.kind = EXPR_NAME};
  world->call = (Expr){.kind = EXPR_CALL, .u.call = {.callee = &world->callee}};
  world->values[0] = kind_value(KIND(TENSOR), 0);
  world->values[1] = kind_value(KIND(NUMBER), 0);
  world->names[1] = &axis;
  world->args =
      (Args){.exprs = world->exprs, .values = world->values, .names = world->names, .len = 2, .positional = 1};
  world->event = (Event){.kind = EV_CALL,
                         .frame = &world->frame,
                         .expr = &world->call,
                         .args = &world->args,
                         .api = &world->fact,
                         .api_name = S("numpy.sum")};
  return world;
}

static bool matches(const World *world, Match match) {
  uint32_t argument;
  return match_event(&arena, &match, &world->event, &argument);
}

#define GLOBS(...) {(const Str[]){__VA_ARGS__}, sizeof((const Str[]){__VA_ARGS__}) / sizeof(Str)}

static void match__callee(void **state) {
  (void)state;
  World *world = world_new();
  assert_true(matches(world, (Match){.on = ON_CALL}));
  assert_true(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("numpy.*"))}));
  assert_true(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("scipy.**"), S("numpy.sum"))}));
  assert_true(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("!numpy.mean"))}));
  assert_false(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("numpy.*"), S("!numpy.s*"))}));
  assert_false(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("numpy"))}));
  assert_false(matches(world, (Match){.on = ON_ATTRIBUTE}));
  assert_false(matches(world, (Match){.on = ON_DECORATOR}));
  world->event.api_name = S("");  // an unknown callee satisfies nothing, not even an exclusion
  assert_false(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("**"))}));
  assert_false(matches(world, (Match){.on = ON_CALL, .callee = GLOBS(S("!numpy.mean"))}));
}

static void match__tags(void **state) {
  (void)state;
  World *world = world_new();
  assert_true(matches(world, (Match){.on = ON_CALL, .tags = TAG(NUMPY) | TAG(PRINT)}));
  assert_false(matches(world, (Match){.on = ON_CALL, .tags = TAG(PRINT)}));
  assert_false(matches(world, (Match){.on = ON_CALL, .tags = TAG(NUMPY), .not_tags = TAG(NUMPY)}));
  world->event.api = NULL;
  assert_false(matches(world, (Match){.on = ON_CALL, .tags = TAG(NUMPY)}));
  assert_true(matches(world, (Match){.on = ON_CALL, .not_tags = TAG(NUMPY)}));
}

static bool matches_arg(const World *world, ApiTags tags, MatchArg arg) {
  return matches(world, (Match){.on = ON_CALL, .tags = tags, .args = &arg, .arg_len = 1});
}

static void match__arguments(void **state) {
  (void)state;
  World *world = world_new();
  KindSet tensor = KIND(TENSOR), number = KIND(NUMBER);
  assert_true(matches_arg(world, 0, (MatchArg){.which = ARG_ANY, .kinds = tensor}));
  assert_false(matches_arg(world, 0, (MatchArg){.which = ARG_ANY, .kinds = KIND(LIST)}));
  assert_false(matches_arg(world, 0, (MatchArg){.which = ARG_ALL, .kinds = tensor}));
  assert_true(matches_arg(world, 0, (MatchArg){.which = ARG_ALL, .kinds = tensor | number}));
  assert_true(matches_arg(world, 0, (MatchArg){.which = ARG_AT, .index = 0, .kinds = tensor}));
  assert_false(matches_arg(world, 0, (MatchArg){.which = ARG_AT, .index = 0, .kinds = number}));
  assert_true(
      matches_arg(world, 0, (MatchArg){.which = ARG_AT, .index = 1, .kinds = number}));  // by its parameter's name
  assert_false(matches_arg(world, 0, (MatchArg){.which = ARG_AT, .index = 2, .kinds = number}));
  assert_true(matches_arg(world, 0, (MatchArg){.which = ARG_KEYWORD, .keyword = S("axis"), .kinds = number}));
  assert_false(matches_arg(world, 0, (MatchArg){.which = ARG_KEYWORD, .keyword = S("out"), .kinds = number}));
  world->args.has_star = true;
  assert_false(matches_arg(world, 0, (MatchArg){.which = ARG_ALL, .kinds = tensor | number}));
}

static void match__kinds_are_certain(void **state) {
  (void)state;
  World *world = world_new();
  MatchArg tensor = {.which = ARG_AT, .kinds = KIND(TENSOR)};
  world->values[0] = kind_value(KIND(TENSOR) | KIND(ARRAY), 0);
  assert_false(matches_arg(world, 0, tensor));
  world->values[0] = kind_value(KIND(TENSOR) | KIND(UNKNOWN), 0);
  assert_false(matches_arg(world, 0, tensor));
  world->values[0] = kind_value(0, 0);
  assert_false(matches_arg(world, 0, tensor));
  // What an earlier fault left behind is a tensor to those who would convert it only.
  world->values[0] = kind_value(KIND(TENSOR), VF_TAINTED);
  assert_false(matches_arg(world, 0, tensor));
  assert_true(matches_arg(world, TAG(NUMPY), tensor));
}

static void match__situations(void **state) {
  (void)state;
  World *world = world_new();
  SituationSet traced = SITUATION(TRACED), eager = SITUATION(EAGER), loop = SITUATION(TENSOR_LOOP);
  assert_true(matches(world, (Match){.on = ON_CALL, .within = traced}));
  assert_true(matches(world, (Match){.on = ON_CALL, .within = traced | loop}));
  assert_false(matches(world, (Match){.on = ON_CALL, .within = eager}));
  assert_true(matches(world, (Match){.on = ON_CALL, .unless = loop}));
  world->frame.context |= CTX_TENSOR_LOOP;
  assert_false(matches(world, (Match){.on = ON_CALL, .within = traced, .unless = loop}));
  world->frame.context = 0;
  assert_true(matches(world, (Match){.on = ON_CALL, .within = eager}));
}

static void match__other_events(void **state) {
  (void)state;
  World *world = world_new();
  KindSet variable = KIND(VARIABLE), tensor = KIND(TENSOR);
  world->event = (Event){.kind = EV_STORE,
                         .store = STORE_AUG,
                         .frame = &world->frame,
                         .operands = {kind_value(variable, 0), kind_value(tensor, 0)},
                         .operand_len = 2};
  MatchArg first = {.which = ARG_AT, .kinds = tensor};
  assert_true(matches(world, (Match){.on = ON_AUGASSIGN, .receiver = variable, .args = &first, .arg_len = 1}));
  assert_false(matches(world, (Match){.on = ON_AUGASSIGN, .receiver = tensor}));
  assert_false(matches(world, (Match){.on = ON_ASSIGN}));
  world->event = (Event){.kind = EV_BRANCH, .frame = &world->frame, .value = kind_value(tensor, 0)};
  assert_true(matches(world, (Match){.on = ON_BRANCH, .args = &first, .arg_len = 1}));
  world->event = (Event){
      .kind = EV_ATTR, .frame = &world->frame, .receiver = kind_value(tensor, 0), .api_name = S("tensorflow.Tensor.T")};
  assert_true(
      matches(world, (Match){.on = ON_ATTRIBUTE, .receiver = tensor, .callee = GLOBS(S("tensorflow.Tensor.*"))}));
  assert_false(matches(world, (Match){.on = ON_ATTRIBUTE, .receiver = variable}));
}

/* ---- merging and precedence ---- */

typedef struct Merge {
  SymTable *symbols;
  Module module;
  Module *modules[1];
  Project project;
  RulePage pages[3];
  CatalogOutrank outranks[2];
  Catalog catalog;
  bool enabled[3];
  FoundVec found;
} Merge;

static Merge *merge_new(const char *text) {
  Merge *merge = arena_new(&arena, Merge);
  merge->symbols = sym_table_new();
  source_init(&arena, &merge->module.source, S("a.py"), str_from(text));
  merge->module.ast = ast_parse(&arena, merge->symbols, &merge->module.source);
  merge->modules[0] = &merge->module;
  merge->project = (Project){.modules = merge->modules, .module_count = 1};
  const Str ids[] = {S("TF101"), S("TF202"), S("TF407")};
  for (uint32_t i = 0; i < 3; i++) {
    merge->pages[i].id = ids[i];
    merge->enabled[i] = true;
  }
  merge->outranks[0] = (CatalogOutrank){S("TF101"), S("TF202")};
  merge->outranks[1] = (CatalogOutrank){S("TF202"), S("TF407")};
  merge->catalog = (Catalog){.rules = merge->pages, .rule_len = 3, .outranks = merge->outranks, .outrank_len = 2};
  return merge;
}

/* A finding on the text `where`, which must occur in the source. */
static Found *add(Merge *merge, uint32_t rule, const char *where, Confidence confidence, InstanceId instance) {
  Str text = merge->module.source.text, needle = str_from(where);
  size_t at = str_find(text, needle);
  assert_true(at != STR_NONE);
  Found found = {.rule = rule, .instance = instance, .chain_len = 1};
  found.finding = (Finding){.code = merge->pages[rule].id,
                            .level = LEVEL_WARNING,
                            .confidence = confidence,
                            .place = {0, {(uint32_t)at, (uint32_t)(at + needle.len)}}};
  vec_push(&arena, &merge->found, found);
  return &vec_last(&merge->found);
}

/* "TF101@4x2 TF202@10": code, offset, number of contexts if more than one. */
static Str merged(Merge *merge) {
  MergeInput input = {&merge->project, &merge->catalog, {merge->enabled, 3}};
  Findings out = {0};
  merge_findings(&arena, &input, &merge->found, &out);
  StrBuf text = {.arena = &arena};
  for (uint32_t i = 0; i < out.len; i++) {
    const Finding *finding = &out.data[i];
    buf_printf(&text, "%s%.*s@%u", i ? " " : "", STR_ARG(finding->code), finding->place.span.start);
    if (finding->contexts > 1) buf_printf(&text, "x%u", finding->contexts);
    if (finding->message.len) buf_printf(&text, ":%.*s", STR_ARG(finding->message));
  }
  sym_table_release(merge->symbols);
  return buf_view(&text);
}

static void merge__contexts_become_one(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f(g())\n");
  add(merge, 0, "f(g())", CONF_LIKELY, 1)->finding.message = S("likely");
  add(merge, 0, "f(g())", CONF_CERTAIN, 7)->finding.message = S("certain");
  add(merge, 0, "f(g())", CONF_CERTAIN, 7)->finding.message = S("certain");
  assert_str(merged(merge), "TF101@4x2:certain");
}

static void merge__the_highest_level_speaks(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f(g())\n");
  add(merge, 0, "f(g())", CONF_CERTAIN, 1)->finding.message = S("warning");
  Found *error = add(merge, 0, "f(g())", CONF_LIKELY, 2);
  error->finding.level = LEVEL_ERROR;
  error->finding.message = S("error");
  assert_str(merged(merge), "TF101@4x2:error");
}

static void merge__the_shortest_chain_speaks(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f(g())\n");
  Found *longer = add(merge, 0, "f(g())", CONF_CERTAIN, 1);
  longer->chain_len = 3;
  longer->finding.message = S("long");
  add(merge, 0, "f(g())", CONF_CERTAIN, 2)->finding.message = S("short");
  assert_str(merged(merge), "TF101@4x2:short");
}

static void merge__subjects_and_spans_differ(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f(g())\n");
  add(merge, 0, "f(g())", CONF_CERTAIN, 1)->finding.subject = S("b");
  add(merge, 0, "f(g())", CONF_CERTAIN, 1)->finding.subject = S("a");
  add(merge, 0, "g()", CONF_CERTAIN, 1);
  assert_str(merged(merge), "TF101@4 TF101@4 TF101@6");
}

static void merge__order_of_arrival_is_nothing(void **state) {
  (void)state;
  for (uint32_t turn = 0; turn < 3; turn++) {
    Merge *merge = merge_new("x = f(g())\ny = h()\n");
    const char *where[] = {"h()", "g()", "f(g())"};
    for (uint32_t i = 0; i < 3; i++) add(merge, 2, where[(i + turn) % 3], CONF_CERTAIN, i);
    assert_str(merged(merge), "TF407@4 TF407@6 TF407@15");
  }
}

static void precedence__overlap_in_one_statement(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f(g())\n");
  add(merge, 1, "f(g())", CONF_CERTAIN, 1);
  add(merge, 0, "g()", CONF_CERTAIN, 1);  // the inner one outranks the outer one
  assert_str(merged(merge), "TF101@6");
}

static void precedence__side_by_side_is_two_faults(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f() + g()\n");
  add(merge, 0, "f()", CONF_CERTAIN, 1);
  add(merge, 1, "g()", CONF_CERTAIN, 1);
  assert_str(merged(merge), "TF101@4 TF202@10");
}

static void precedence__a_header_is_not_its_body(void **state) {
  (void)state;
  Merge *merge = merge_new("if f():\n  g()\n");
  add(merge, 1, "if f():\n  g()", CONF_CERTAIN, 1);
  add(merge, 0, "g()", CONF_CERTAIN, 1);
  assert_str(merged(merge), "TF202@0 TF101@10");
}

static void precedence__the_silenced_still_silence(void **state) {
  (void)state;
  Merge *merge = merge_new("if f(g()):\n  pass\n");
  add(merge, 2, "f(g())", CONF_CERTAIN, 1);
  add(merge, 1, "f(g())", CONF_CERTAIN, 1);
  add(merge, 0, "g()", CONF_CERTAIN, 1);
  assert_str(merged(merge), "TF101@5");
}

static void precedence__does_not_depend_on_selection(void **state) {
  (void)state;
  Merge *merge = merge_new("x = f(g())\n");
  add(merge, 1, "f(g())", CONF_CERTAIN, 1);
  add(merge, 0, "g()", CONF_CERTAIN, 1);
  merge->enabled[0] = false;
  assert_str(merged(merge), "");
}

/* ---- a whole run ---- */

#define PROGRAM                        \
  "import tensorflow as tf\n"          \
  "from mylib import legacy_op\n"      \
  "@tf.function\n"                     \
  "def step(x):\n"                     \
  "  print('x')\n"                     \
  "  return legacy_op(tf.square(x))\n" \
  "def eager(x):\n"                    \
  "  return legacy_op(x)\n"            \
  "step(tf.constant(1.0))\n"           \
  "eager(tf.constant(1.0))\n"

#define USER_RULES                                                  \
  "rules:\n"                                                        \
  "  AA-001:\n"                                                     \
  "    name: no-legacy-op\n"                                        \
  "    level: error\n"                                              \
  "    message: \"`{callee}` gets `{argument}` in `{function}`\"\n" \
  "    match: {on: call, callee: \"mylib.*\", args: {0: tensor}, within: traced}\n"

static Str run_program(const Catalog *catalog, const Fs *fs, uint32_t jobs) {
  SymTable *symbols = sym_table_new();
  const Str path = S("a.py");
  const StrList files = {&path, 1};
  ProjectOptions options = {.max_file_size = 1 << 20, .jobs = jobs};
  Project *project = project_load(symbols, catalog, fs, S("/"), &files, &options);
  FlowOptions flow_options = {.jobs = jobs};
  Flow *flow = flow_run(project, &flow_options);
  uint32_t count = catalog_rule_count(catalog);
  bool *enabled = arena_array(&arena, bool, count);
  for (uint32_t i = 0; i < count; i++) enabled[i] = true;
  Findings findings = {0};
  rules_run(&arena, flow, catalog, (RuleSelection){enabled, count}, &findings);
  StrBuf text = {.arena = &arena};
  for (uint32_t i = 0; i < findings.len; i++) {
    const Finding *finding = &findings.data[i];
    buf_printf(&text, "%.*s %s: %.*s\n", STR_ARG(finding->code), finding->level == LEVEL_ERROR ? "error" : "warning",
               STR_ARG(finding->message));
  }
  flow_release(flow);
  project_release(project);
  sym_table_release(symbols);
  return buf_view(&text);
}

/* The user's id sorts before ours, so that the indices of all built-in rules move. */
static void run__a_users_rule_beside_ours(void **state) {
  (void)state;
  const Str paths[] = {S("a.py"), S("tfcheck.yaml")}, texts[] = {S(PROGRAM), S(USER_RULES)};
  Fs fs = fs_memory(&arena, paths, texts, 2);
  CatalogError error = {0};
  const Catalog *catalog = catalog_extend(&arena, catalog_builtin(), &fs, S("tfcheck.yaml"), &error);
  assert_str(error.reason, "");
  assert_non_null(catalog);
  for (uint32_t jobs = 1; jobs <= 2; jobs++) {
    assert_str(run_program(catalog, &fs, jobs),
               "TF301 warning: `print` runs only while `step` is traced\n"
               "AA-001 error: `legacy_op` gets `tf.square(x)` in `step`\n");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(fill__replaces, teardown),
      cmocka_unit_test_teardown(match__callee, teardown),
      cmocka_unit_test_teardown(match__tags, teardown),
      cmocka_unit_test_teardown(match__arguments, teardown),
      cmocka_unit_test_teardown(match__kinds_are_certain, teardown),
      cmocka_unit_test_teardown(match__situations, teardown),
      cmocka_unit_test_teardown(match__other_events, teardown),
      cmocka_unit_test_teardown(merge__contexts_become_one, teardown),
      cmocka_unit_test_teardown(merge__the_highest_level_speaks, teardown),
      cmocka_unit_test_teardown(merge__the_shortest_chain_speaks, teardown),
      cmocka_unit_test_teardown(merge__subjects_and_spans_differ, teardown),
      cmocka_unit_test_teardown(merge__order_of_arrival_is_nothing, teardown),
      cmocka_unit_test_teardown(precedence__overlap_in_one_statement, teardown),
      cmocka_unit_test_teardown(precedence__side_by_side_is_two_faults, teardown),
      cmocka_unit_test_teardown(precedence__a_header_is_not_its_body, teardown),
      cmocka_unit_test_teardown(precedence__the_silenced_still_silence, teardown),
      cmocka_unit_test_teardown(precedence__does_not_depend_on_selection, teardown),
      cmocka_unit_test_teardown(run__a_users_rule_beside_ours, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

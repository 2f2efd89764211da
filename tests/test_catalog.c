/* Unit tests of the catalogue: what the loaders of rules/ accept, what they say about the rest, and looking things up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "catalog/catalog.h"
#include "catalog/load.h"
#include "catalog_ids.h"

#define assert_str(actual, expected)                              \
  do {                                                            \
    Str actual_ = (actual);                                       \
    assert_string_equal(str_copy(&arena, actual_).ptr, expected); \
  } while (0)

static Arena arena;
static DocErrors errors;

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

/* A page without faults; `%s` is what a test adds. */
#define PAGE                                                                                        \
  "id: TF150\nname: some-fault\nstatus: preview\nsince: \"0.1\"\nsummary: It is wrong.\nwhy: So.\n" \
  "how-to-fix: Thus.\n"
#define VARIANTS "variants:\n  default: {level: error, message: '`{callee}` is wrong', help: [mend it, or not]}\n"
#define OBSERVED "observed:\n  - {flavour: both, error: ValueError, text: no}\n"
#define EXAMPLES "examples:\n  - bad: |\n      f()  # expect: TF150\n    good: |\n      g()\n"
#define CHECK "check: some_fault\n"
#define WHOLE_PAGE PAGE VARIANTS OBSERVED EXAMPLES CHECK

/* Another rule, for what takes two of them. */
#define OTHER_PAGE                                                                                  \
  "id: TF950\nname: other-fault\nstatus: stable\nsince: \"0.1\"\nsummary: It is wrong.\nwhy: So.\n" \
  "how-to-fix: Thus.\n" VARIANTS "check: other_fault\n"

typedef struct Folder {
  const char *page, *api, *precedence, *other;
} Folder;

static const Catalog *load(Folder folder) {
  const Str paths[] = {S("rules/TF150-some-fault.yaml"), S("rules/api/a.yaml"), S("rules/precedence.yaml"),
                       S("rules/TF950-other-fault.yaml")};
  Str texts[] = {str_from(folder.page ? folder.page : WHOLE_PAGE), str_from(folder.api ? folder.api : ""),
                 str_from(folder.precedence ? folder.precedence : ""), str_from(folder.other ? folder.other : "")};
  Fs fs = fs_memory(&arena, paths, texts, folder.other ? 4 : 3);
  return load_folder(&arena, &fs, S("rules"), &errors);
}

static const Catalog *load_good(Folder folder) {
  const Catalog *catalog = load(folder);
  for (uint32_t i = 0; i < errors.list.len; i++) {
    Str text = doc_error_text(&arena, &errors.list.data[i]);
    print_message("# %.*s\n", STR_ARG(text));
  }
  assert_non_null(catalog);
  return catalog;
}

static Str load_error(Folder folder) {
  errors.list.len = 0;
  assert_null(load(folder));
  assert_true(errors.list.len > 0);
  return doc_error_text(&arena, &errors.list.data[0]);
}

#define assert_page_fails(text, expected) \
  assert_str(load_error((Folder){.page = text}), "rules/TF150-some-fault.yaml:" expected)
#define assert_api_fails(text, expected) assert_str(load_error((Folder){.api = text}), "rules/api/a.yaml:" expected)

/* ---- pages ---- */

static void page__is_read_whole(void **state) {
  (void)state;
  const Catalog *catalog = load_good((Folder){.page = WHOLE_PAGE "fix: safe\nlimits: none\nreferences: [a, b]\n"});
  assert_int_equal(catalog_rule_count(catalog), 1);
  const RulePage *rule = catalog_find_rule(catalog, S("some-fault"));
  assert_ptr_equal(rule, catalog_find_rule(catalog, S("TF150")));
  assert_ptr_equal(rule, catalog_rule(catalog, catalog_rule_index(catalog, S("TF150"))));
  assert_null(catalog_find_rule(catalog, S("TF151")));
  assert_str(rule->since, "0.1");
  assert_int_equal(rule->fix, FIX_SAFE);
  assert_int_equal(rule->status, RULE_PREVIEW);
  assert_true(rule->builtin);
  assert_str(rule->check, "some_fault");
  assert_int_equal(rule->limits.len, 1);
  assert_int_equal(rule->references.len, 2);
  assert_int_equal(rule->variant_len, 1);
  assert_str(rule->variants[0].key, "default");
  assert_int_equal(rule->variants[0].level, LEVEL_ERROR);
  assert_str(rule->variants[0].help.data[1], "or not");
  assert_str(rule->observed[0].error, "ValueError");
  assert_str(rule->examples[0].bad, "f()  # expect: TF150\n");
}

static void page__faults_have_a_place_and_a_reason(void **state) {
  (void)state;
  assert_page_fails(WHOLE_PAGE "foo: 1\n", "18:1: unknown key \"foo\"");
  assert_page_fails(WHOLE_PAGE "refernces: [a]\n", "18:1: unknown key \"refernces\" (did you mean \"references\"?)");
  assert_page_fails(WHOLE_PAGE "id: TF150\n", "18:1: duplicate key \"id\"");
  assert_page_fails(WHOLE_PAGE "limits: {a: b}\n", "18:9: \"limits\" must be text, got a map");
  assert_page_fails("id: TF150\nx: [\n",
                    "3:1: bad YAML: while parsing a flow node, did not find expected node content");
  assert_page_fails("id: TF150\n", "1:1: missing key \"name\"");
  assert_page_fails(PAGE "variants: {default: {level: fatal, message: m}}\n" OBSERVED EXAMPLES CHECK,
                    "8:29: unknown value \"fatal\" for \"level\"; allowed: off, note, warning, error");
  assert_page_fails(PAGE "variants: {}\n" OBSERVED EXAMPLES CHECK,
                    "8:11: at least one variant is needed, the first of them is usually \"default\"");
  assert_page_fails(PAGE "variants: {In Loop: {level: note, message: m}}\n" OBSERVED EXAMPLES CHECK,
                    "8:21: the key of a variant must be words with dashes, not \"In Loop\"");
  assert_page_fails(PAGE VARIANTS EXAMPLES CHECK, "1:1: missing key \"observed\"");
  assert_page_fails(PAGE VARIANTS OBSERVED CHECK, "1:1: missing key \"examples\"");
  assert_page_fails(PAGE VARIANTS OBSERVED EXAMPLES, "1:1: a rule has either \"check\" or \"match\": \"TF150\"");
  assert_page_fails(PAGE VARIANTS OBSERVED EXAMPLES "check: Some-Fault\n",
                    "17:8: \"check\" names a C file without its ending, not \"Some-Fault\"");
  assert_page_fails(
      "id: TF151\nname: some-fault\nstatus: stable\nsince: \"1\"\nsummary: S\nwhy: W\nhow-to-fix: H\n" VARIANTS OBSERVED
          EXAMPLES CHECK,
      "1:5: the file must be called \"TF151-some-fault.yaml\"");
}

static void page__messages_have_a_form(void **state) {
  (void)state;
#define WITH_MESSAGE(message) \
  PAGE "variants: {default: {level: note, message: \"" message "\"}}\n" OBSERVED EXAMPLES CHECK
  load_good((Folder){.page = WITH_MESSAGE("{a} and {b-c}, {{braces}} and so on...")});
  assert_page_fails(WITH_MESSAGE("it is wrong."), "8:44: must not end in a full stop: \"it is wrong.\"");
  assert_page_fails(WITH_MESSAGE("one\\ntwo"), "8:44: must be one line: \"one\ntwo\"");
  assert_page_fails(WITH_MESSAGE("a {b c}"), "8:44: a placeholder must be a word, not \"b c\"");
  assert_page_fails(WITH_MESSAGE("a {b"), "8:44: a brace without its partner in \"a {b\"");
  assert_page_fails(WITH_MESSAGE("a b}"), "8:44: a brace without its partner in \"a b}\"");
#undef WITH_MESSAGE
}

static void page__examples_must_expect_the_rule(void **state) {
  (void)state;
  assert_page_fails(PAGE VARIANTS OBSERVED "examples: [{bad: 'f()', good: 'g()'}]\n" CHECK,
                    "12:18: the bad example must have an \"# expect:\" comment for \"TF150\"");
  assert_page_fails(PAGE VARIANTS OBSERVED
                    "examples: [{bad: 'f() # expect: TF150', good: 'g() # expect: TF1'}]\n" CHECK,
                    "12:47: the good example must be silent, without \"# expect\"");
}

/* ---- match ---- */

#define WITH_MATCH(match) PAGE VARIANTS OBSERVED EXAMPLES "match: " match "\n"

static void match__is_read(void **state) {
  (void)state;
  const Catalog *catalog = load_good((Folder){
      .page = WITH_MATCH(
          "[{on: [call, attribute], callee: [\"logging.*\", \"!logging.getLogger\"], tags: [io, \"!path-arg\"], "
          "receiver: [tensor-like, variable], within: [traced, \"!jit\"], unless: guarded-once}, "
          "{on: call, args: {any: tensor, 2: [\"!tensor\"], axis: number}, subject: argument}]")});
  const RulePage *rule = catalog_rule(catalog, 0);
  assert_int_equal(rule->match_len, 2);
  const Match *first = &rule->matches[0], *second = &rule->matches[1];
  assert_int_equal(first->on, ON_CALL | ON_ATTRIBUTE);
  assert_int_equal(first->callee.len, 2);
  assert_true(first->tags == TAG(IO));
  assert_true(first->not_tags == TAG(PATH_ARG));
  assert_true(first->receiver == (KINDS_TENSOR_LIKE | KIND(VARIABLE)));
  assert_int_equal(first->within, SITUATION(TRACED));
  assert_int_equal(first->unless, SITUATION(JIT) | SITUATION(GUARDED_ONCE));
  assert_str(first->subject, "callee");
  assert_int_equal(second->arg_len, 3);
  assert_int_equal(second->args[0].which, ARG_ANY);
  assert_int_equal(second->args[1].index, 2);
  assert_false(second->args[1].kinds & KIND(TENSOR));
  assert_false(second->args[1].kinds & KIND(UNKNOWN));
  assert_true(second->args[1].kinds & KIND(OBJECT));
  assert_str(second->args[2].keyword, "axis");
  assert_str(second->subject, "argument");
}

static void match__faults_have_a_place_and_a_reason(void **state) {
  (void)state;
  assert_page_fails(WITH_MATCH("{callee: a}"), "17:8: missing key \"on\"");
  assert_page_fails(WITH_MATCH("[]"), "17:8: \"match\" must not be empty");
  assert_page_fails(WITH_MATCH("{on: call, receiver: tensr}"),
                    "17:29: unknown kind \"tensr\" (did you mean \"tensor\"?)");
  assert_page_fails(WITH_MATCH("{on: call, tags: [\"!nmpy\"]}"),
                    "17:26: unknown tag \"nmpy\" (did you mean \"numpy\"?)");
  assert_page_fails(WITH_MATCH("{on: call, within: nowhere}"), "17:27: unknown situation \"nowhere\"");
  assert_page_fails(WITH_MATCH("{on: loop, args: {axis: tensor}}"), "17:8: only calls have more than one argument");
  assert_page_fails(WITH_MATCH("{on: loop, callee: a}"),
                    "17:8: \"callee\" and \"tags\" are for calls, attributes, decorators and imports only");
  assert_page_fails(WITH_MATCH("{on: call, within: traced, unless: traced}"),
                    "17:8: \"within\" and \"unless\" name the same situation");
  assert_page_fails(PAGE "variants: {a: {level: note, message: m}, b: {level: note, message: m}}\n" OBSERVED EXAMPLES
                         "match: {on: call}\n",
                    "16:8: a declarative rule has exactly one variant: \"TF150\"");
}

/* ---- facts ---- */

static const char api_text[] =
    "aliases:\n"
    "  tensorflow.keras: keras\n"
    "  tf_keras: tensorflow.keras\n"
    "  tensorflow.compat.v1: tensorflow\n"
    "  \"tensorflow.math.{reduce_sum,abs}\": tensorflow.*\n"
    "\"tensorflow.**\": tensor\n"
    "tensorflow.raw_ops.*: {tags: pure}\n"
    "tensorflow.reduce_sum: {returns: \"tensor[like:0]\", params: [input_tensor, axis], tags: [pure]}\n"
    "tensorflow.compat.v1.get_variable: {returns: variable, creates: variable}\n"
    "\"numpy.{abs,floor}\": {returns: array, tags: [numpy, pure], tf: tf.*, exact: \"yes\"}\n"
    "numpy.argmax: {returns: array, tags: numpy, tf: tf.argmax, exact: if, condition: axis given}\n"
    "numpy.pi: {value: \"number[float64]\"}\n"
    "tensorflow.Tensor:\n"
    "  what: class\n"
    "  members:\n"
    "    shape: {value: shape}\n"
    "    numpy: {returns: array, tags: to-host}\n"
    "keras.layers.Layer: {what: class, returns: layer, members: {add_weight: {returns: variable, creates: variable}}}\n"
    "\"keras.layers.{Dense,Conv2D}\": {base: keras.layers.Layer, creates: layer}\n"
    "tensorflow.strings.join: {returns: \"tensor[string]\", list-args: 0}\n"
    "tensorflow.while_loop:\n"
    "  returns: arg:2\n"
    "  callables:\n"
    "    - {arg: 0, keyword: cond, run: in-trace, autograph: on, gives: args-of, from: 2, from-keyword: loop_vars}\n"
    "    - {arg: 1, keyword: body, run: in-trace, gives: args-of, from: 2}\n";

static void api__facts_are_read(void **state) {
  (void)state;
  const Catalog *catalog = load_good((Folder){.api = api_text});
  const ApiFact *sum = catalog_api(catalog, S("tensorflow.reduce_sum"));
  assert_int_equal(sum->returns->kind, K_TENSOR);
  assert_int_equal(sum->returns->dtype_like, 0);
  assert_int_equal(sum->returns->rank, RANK_UNKNOWN);
  assert_str(sum->params.data[1], "axis");
  assert_true(sum->tags == TAG(PURE));
  const ApiFact *floor_fact = catalog_api_exact(catalog, S("numpy.floor"));
  assert_str(floor_fact->tf, "tf.floor");
  assert_int_equal(floor_fact->exact, EXACT_YES);
  assert_str(catalog_api(catalog, S("numpy.argmax"))->condition, "axis given");
  const ApiFact *pi = catalog_api(catalog, S("numpy.pi"));
  assert_int_equal(pi->what, API_VALUE);
  assert_int_equal(pi->value->dtype, DT_FLOAT64);
  const ApiFact *dense = catalog_api(catalog, S("keras.layers.Conv2D"));
  assert_int_equal(dense->what, API_CLASS);
  assert_int_equal(dense->creates, CREATES_LAYER);
  assert_int_equal(dense->returns->kind, K_LAYER);
  const ApiFact *join = catalog_api(catalog, S("tensorflow.strings.join"));
  assert_true(join->tags == TAG(LIST_ARG));
  assert_int_equal(join->list_args[0], 0);
  const ApiFact *loop = catalog_api(catalog, S("tensorflow.while_loop"));
  assert_int_equal(loop->callable_len, 2);
  assert_int_equal(loop->callables[0].mode, RUN_IN_TRACE);
  assert_int_equal(loop->callables[0].autograph, CALL_AUTOGRAPH_ON);
  assert_int_equal(loop->callables[0].gives, GIVES_ARGS_OF);
  assert_int_equal(loop->callables[0].from, 2);
  assert_str(loop->callables[0].from_keyword, "loop_vars");
  assert_int_equal(loop->callables[1].autograph, CALL_AUTOGRAPH_INHERIT);
  assert_int_equal(loop->returns->form, SPEC_ARG);
}

static void api__names_are_found(void **state) {
  (void)state;
  const Catalog *catalog = load_good((Folder){.api = api_text});
  assert_str(catalog_api(catalog, S("tensorflow.linalg.inv"))->name, "tensorflow.**");
  assert_str(catalog_api(catalog, S("tensorflow.raw_ops.Add"))->name, "tensorflow.raw_ops.*");
  assert_str(catalog_api(catalog, S("tensorflow.raw_ops.a.b"))->name, "tensorflow.**");
  assert_null(catalog_api(catalog, S("torch.add")));
  assert_null(catalog_api_exact(catalog, S("tensorflow.linalg.inv")));
  Str found = S("");
  assert_non_null(catalog_api_member(catalog, S("keras.layers.Dense"), S("add_weight"), &found));
  assert_str(found, "keras.layers.Layer.add_weight");
  assert_null(catalog_api_member(catalog, S("keras.layers.Dense"), S("nothing"), NULL));
  assert_null(catalog_api_member(catalog, S(""), S("nothing"), NULL));
  const ApiFact *shape = catalog_api_member(catalog, catalog_class_of_kind(K_TENSOR), S("shape"), NULL);
  assert_int_equal(shape->what, API_ATTRIBUTE);
  assert_int_equal(shape->value->kind, K_SHAPE);
  assert_str(catalog_class_of_kind(K_LIST), "builtins.list");
  assert_str(catalog_class_of_kind(K_UNKNOWN), "");
}

static void api__names_become_canonical(void **state) {
  (void)state;
  const Catalog *catalog = load_good((Folder){.api = api_text});
  assert_str(catalog_canonical(&arena, catalog, S("tensorflow.keras.layers.Dense")), "keras.layers.Dense");
  assert_str(catalog_canonical(&arena, catalog, S("tf_keras.layers.Dense")), "keras.layers.Dense");
  assert_str(catalog_canonical(&arena, catalog, S("tf_keras")), "keras");
  assert_str(catalog_canonical(&arena, catalog, S("tensorflow.math.abs")), "tensorflow.abs");
  assert_str(catalog_canonical(&arena, catalog, S("tensorflow.math.abs.x")), "tensorflow.abs.x");
  assert_str(catalog_canonical(&arena, catalog, S("tensorflow.math.absolute")), "tensorflow.math.absolute");
  assert_str(catalog_canonical(&arena, catalog, S("tensorflow.compat.v1.reduce_sum")), "tensorflow.reduce_sum");
  assert_str(catalog_canonical(&arena, catalog, S("tensorflow.compat.v1.get_variable")),
             "tensorflow.compat.v1.get_variable");
  Str same = S("mylib.thing");
  assert_ptr_equal(catalog_canonical(&arena, catalog, same).ptr, same.ptr);
}

static const ValueSpec *spec(const char *text) {
  Str line = str_printf(&arena, "a.b: \"%s\"\n", text);
  const Catalog *catalog = load_good((Folder){.api = line.ptr});
  return catalog_api(catalog, S("a.b"))->returns;
}

static void spec__forms(void **state) {
  (void)state;
  const ValueSpec *tuple = spec("tuple(tensor[float32,rank=0], list(array[like:1]|none))|none");
  assert_int_equal(tuple->kind, K_TUPLE);
  assert_int_equal(tuple->part_len, 2);
  assert_int_equal(tuple->parts[0].dtype, DT_FLOAT32);
  assert_int_equal(tuple->parts[0].rank, 0);
  assert_int_equal(tuple->parts[1].parts[0].dtype_like, 1);
  assert_int_equal(tuple->parts[1].parts[0].other->kind, K_NONE);
  assert_int_equal(tuple->other->kind, K_NONE);
  assert_null(tuple->other->other);
  assert_true(spec("tensor[dim0=none,fresh]")->dim0_none);
  assert_true(spec("list[fresh]")->fresh);
  assert_int_equal(spec("self")->form, SPEC_SELF);
  assert_int_equal(spec("elem:self")->form, SPEC_ELEM_OF_SELF);
  assert_int_equal(spec("elem:3")->form, SPEC_ELEM_OF_ARG);
  assert_int_equal(spec("elem:3")->arg, 3);
}

static void spec__faults(void **state) {
  (void)state;
  assert_api_fails("a.b: tensr\n", "1:6: bad value \"tensr\": unknown kind \"tensr\" (did you mean \"tensor\"?)");
  assert_api_fails("a.b: \"tensor[flot32]\"\n", "1:6: bad value \"tensor[flot32]\": unknown attribute \"flot32\"");
  assert_api_fails("a.b: \"tensor[rank=x]\"\n", "1:6: bad value \"tensor[rank=x]\": bad number in \"rank=x\"");
  assert_api_fails("a.b: \"arg:\"\n", "1:6: bad value \"arg:\": bad number in \"arg:\"");
}

static void api__faults_have_a_place_and_a_reason(void **state) {
  (void)state;
  assert_api_fails("a.b: \"list(tensor\"\n", "1:6: bad value \"list(tensor\": expected \",\" or \")\" before \"\"");
  assert_api_fails("a.b: \"tensor)\"\n", "1:6: bad value \"tensor)\": unexpected \")\"");
  assert_api_fails("a.b: \"\"\n", "1:6: bad value \"\": expected a kind in \"\"");
  assert_api_fails("a.b: {retruns: tensor}\n", "1:7: unknown key \"retruns\" (did you mean \"returns\"?)");
  assert_api_fails("a.b: [tensor]\n", "1:6: expected a map, got a list");
  assert_api_fails("a.b: tensor\na.b: array\n", "2:1: duplicate key \"a.b\"");
  assert_api_fails("a.b: tensor\na: {members: {b: array}}\n",
                   "2:15: \"a.b\" is already described at rules/api/a.yaml:1");
  assert_api_fails("\"a.{b,c}\": tensor\na.c: tensor\n", "2:1: \"a.c\" is already described at rules/api/a.yaml:1");
  assert_api_fails("\"a.{b,c\": tensor\n", "1:1: bad braces in \"a.{b,c\"");
  assert_api_fails("\"a.{}\": tensor\n", "1:1: bad braces in \"a.{}\"");
  assert_api_fails("a..b: tensor\n", "1:1: \"a..b\" is no dotted name");
  assert_api_fails("a-b: tensor\n", "1:1: \"a-b\" is no dotted name");
  assert_api_fails("a.b: {base: c.d}\n", "1:13: unknown class \"c.d\"");
  assert_api_fails("c.d: tensor\na.b: {base: c.d}\n", "2:13: \"c.d\" is no class");
  assert_api_fails("a.b: {exact: yes}\n", "1:6: \"exact\" needs \"tf\"");
  assert_api_fails("a.b: {tf: c, exact: if}\n", "1:6: \"exact: if\" and \"condition\" go together");
  assert_api_fails("a.b: {callables: [{run: traced}]}\n", "1:19: a callable needs \"arg\" or \"keyword\"");
  assert_api_fails("a.b: {callables: [{arg: 0, run: traced, gives: args-of}]}\n",
                   "1:19: this \"gives\" needs \"from\" or \"from-keyword\"");
  assert_api_fails("a.b: {callables: [{arg: -1, run: traced}]}\n", "1:25: \"arg\" must be between 0 and 63, got -1");
  assert_api_fails("aliases: {a: b, b: a}\n", "1:11: \"a\" leads in a circle");
  assert_api_fails("aliases: {a: b, b: c, c: a}\n", "1:11: \"a\" leads in a circle");
}

/* ---- precedence ---- */

static void precedence__is_asymmetric(void **state) {
  (void)state;
  const Catalog *catalog = load_good((Folder){.other = OTHER_PAGE, .precedence = "TF950: [TF150]\n"});
  assert_true(catalog_outranks(catalog, S("TF950"), S("TF150")));
  assert_false(catalog_outranks(catalog, S("TF150"), S("TF950")));
  assert_false(catalog_outranks(catalog, S("TF150"), S("TF150")));
  assert_str(load_error((Folder){.other = OTHER_PAGE, .precedence = "TF950: TF150\nTF150: TF950\n"}),
             "rules/precedence.yaml:2:8: \"TF950\" already outranks this rule");
  assert_str(load_error((Folder){.precedence = "TF150: TF999\n"}),
             "rules/precedence.yaml:1:8: \"TF999\" is an unknown rule");
  assert_str(load_error((Folder){.precedence = "TF999: []\n"}),
             "rules/precedence.yaml:1:1: \"TF999\" is an unknown rule");
  assert_str(load_error((Folder){.precedence = "TF150: TF150\n"}),
             "rules/precedence.yaml:1:8: \"TF150\" cannot outrank itself");
}

/* ---- users' documents ---- */

static const Catalog *extend(const char *text, CatalogError *error) {
  const Str path = S("mine.yaml");
  Str content = str_from(text);
  Fs fs = fs_memory(&arena, &path, &content, 1);
  return catalog_extend(&arena, load_good((Folder){.api = api_text}), &fs, path, error);
}

static void user__rules_and_facts_lie_over_the_base(void **state) {
  (void)state;
  CatalogError error = {0};
  const Catalog *catalog = extend(
      "rules:\n"
      "  ZEB-002: {name: no-zebra, message: no zebra, match: {on: call, callee: zebra.*}}\n"
      "  ACME001: {name: no-print, level: error, message: \"`{callee}` prints\", match: {on: call, tags: print}}\n"
      "api:\n"
      "  aliases: {mylib.tf: tensorflow}\n"
      "  mylib.norm: \"tensor[like:0]\"\n"
      "  tensorflow.reduce_sum: array\n"
      "  tensorflow.keras.layers.Mine: {base: keras.layers.Layer, creates: layer}\n"
      "  mylib.**: {tags: [io]}\n",
      &error);
  assert_non_null(catalog);
  assert_int_equal(catalog_rule_count(catalog), 3);
  assert_str(catalog_rule(catalog, 0)->id, "TF150");
  assert_str(catalog_rule(catalog, 1)->id, "ACME001");
  assert_str(catalog_rule(catalog, catalog_rule_index(catalog, S("ZEB-002")))->name, "no-zebra");
  assert_int_equal(catalog_rule_index(catalog, S("TF150")), 0);
  assert_int_equal(catalog_find_rule(catalog, S("no-print"))->variants[0].level, LEVEL_ERROR);
  assert_int_equal(catalog_find_rule(catalog, S("no-zebra"))->variants[0].level, LEVEL_WARNING);
  assert_false(catalog_find_rule(catalog, S("no-print"))->builtin);
  assert_int_equal(catalog_api(catalog, S("tensorflow.reduce_sum"))->returns->kind, K_ARRAY);
  assert_int_equal(catalog_api(catalog, S("numpy.abs"))->returns->kind, K_ARRAY);
  assert_str(catalog_api(catalog, S("mylib.other"))->name, "mylib.**");
  assert_str(catalog_api(catalog, S("tensorflow.other"))->name, "tensorflow.**");
  assert_str(catalog_canonical(&arena, catalog, S("mylib.tf.keras.layers.Dense")), "keras.layers.Dense");
  const ApiFact *mine = catalog_api(catalog, S("keras.layers.Mine"));
  assert_int_equal(mine->returns->kind, K_LAYER);
  assert_non_null(catalog_api_member(catalog, mine->name, S("add_weight"), NULL));
}

static void assert_user_fails(const char *text, const char *expected) {
  CatalogError error = {0};
  assert_null(extend(text, &error));
  Str shown = str_printf(&arena, "%.*s:%u:%u: %.*s", STR_ARG(error.path), error.line, error.col, STR_ARG(error.reason));
  assert_str(shown, expected);
}

static void user__faults_have_a_place_and_a_reason(void **state) {
  (void)state;
#define RULE "{name: my-rule, message: m, match: {on: call}}"
  assert_user_fails("rule: {}\n", "mine.yaml:1:1: unknown key \"rule\" (did you mean \"rules\"?)");
  assert_user_fails("rules: []\n", "mine.yaml:1:8: rules must be a map from ids");
  assert_user_fails("api: 3\n", "mine.yaml:1:6: facts must be a map from names");
  assert_user_fails("rules: {TF199: " RULE "}\n",
                    "mine.yaml:1:9: the id of a rule is 2 to 8 capitals (not TF) and three digits, got \"TF199\"");
  assert_user_fails("rules: {A001: " RULE "}\n",
                    "mine.yaml:1:9: the id of a rule is 2 to 8 capitals (not TF) and three digits, got \"A001\"");
  assert_user_fails("rules: {AB001: " RULE ", AB002: " RULE "}\n",
                    "mine.yaml:1:64: there is already a rule called \"my-rule\"");
  assert_user_fails("rules: {AB001: {name: some-fault, message: m, match: {on: call}}}\n",
                    "mine.yaml:1:9: there is already a rule called \"some-fault\"");
  assert_user_fails(
      "rules: {AB001: {name: n, message: 'a {b}', match: {on: call}}}\n",
      "mine.yaml:1:35: a declarative rule can fill in callee, receiver, argument, subject, function, not \"b\"");
  assert_user_fails("rules: {AB001: {name: n, message: m}}\n", "mine.yaml:1:16: missing key \"match\"");
  assert_user_fails("rules: {AB001: {name: n, message: m, match: {on: call}, check: c}}\n",
                    "mine.yaml:1:57: unknown key \"check\"");
#undef RULE
  CatalogError error = {0};
  Fs none = fs_memory(&arena, NULL, NULL, 0);
  assert_null(catalog_extend(&arena, load_good((Folder){0}), &none, S("absent.yaml"), &error));
  assert_str(error.path, "absent.yaml");
  assert_str(error.reason, "no such file or directory");
}

static void user__settings_beside_rules_are_the_configurations(void **state) {
  (void)state;
  DocFile file;
  assert_true(doc_read_yaml(&arena, S("tfcheck.yaml"),
                            S("rules:\n  select: [default]\n  TF150: {level: error}\n  AB001: {level: note}\n"
                              "  AB002: {name: mine, message: m, match: {on: call}}\n"),
                            &file, &errors));
  CatalogError error = {0};
  const Catalog *base = load_good((Folder){0});
  const Catalog *catalog = catalog_extend_docs(&arena, base, &file, doc_get(file.root, S("rules")), NULL, &error);
  assert_non_null(catalog);
  assert_int_equal(catalog_rule_count(catalog), 2);
}

/* Every YAML block of a page, as a document of a user. */
static uint32_t check_page_examples(const char *path) {
  Fs disk = fs_disk();
  Str text;
  assert_int_equal(disk.read(&disk, &arena, str_from(path), 1 << 20, &text), FS_OK);
  Str fence = S("```yaml\n");
  uint32_t count = 0;
  for (size_t at; (at = str_find(text, fence)) != STR_NONE; count++) {
    text = str_sub(text, at + fence.len, text.len);
    Str block = str_copy(&arena, str_sub(text, 0, str_find(text, S("```"))));
    CatalogError error = {0};
    if (!extend(block.ptr, &error)) print_message("# %.*s\n", STR_ARG(error.reason));
    assert_int_equal(error.reason.len, 0);
  }
  return count;
}

static void user__the_examples_of_the_documentation_load(void **state) {
  (void)state;
  assert_true(check_page_examples("docs/api-facts.md") > 0);
  assert_true(check_page_examples("docs/custom-rules.md") > 0);
}

/* ---- what the program is built with ---- */

static void builtin__constants_are_indices(void **state) {
  (void)state;
  const Catalog *catalog = catalog_builtin();
  assert_int_equal(catalog_rule_count(catalog), RULE_COUNT);
  assert_str(catalog_rule(catalog, RULE_TF101)->id, "TF101");
  assert_str(catalog_rule(catalog, RULE_TF101)->variants[TF101_IN_LOOP].key, "in-loop");
  for (uint32_t i = 0; i < RULE_COUNT; i++) {
    const RulePage *rule = catalog_rule(catalog, i);
    assert_int_equal(catalog_rule_index(catalog, rule->id), i);
    assert_ptr_equal(catalog_find_rule(catalog, rule->name), rule);
  }
}

static void kinds__names_go_both_ways(void **state) {
  (void)state;
  for (int i = 0; i < KIND_COUNT; i++) {
    Kind kind;
    assert_true(kind_parse(kind_name((Kind)i), &kind));
    assert_int_equal(kind, i);
  }
  for (int i = DT_UNKNOWN + 1; i < DT_COUNT; i++) {
    DType dtype;
    assert_true(dtype_parse(dtype_name((DType)i), &dtype));
    assert_int_equal(dtype, i);
    assert_false(dtype_is_float(dtype) && dtype_is_int(dtype));
  }
  DType dtype;
  assert_true(dtype_parse(S("double"), &dtype));
  assert_int_equal(dtype, DT_FLOAT64);
  assert_false(dtype_parse(S("?"), &dtype));
}

int main(void) {
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
      TEST(page__is_read_whole),
      TEST(page__faults_have_a_place_and_a_reason),
      TEST(page__messages_have_a_form),
      TEST(page__examples_must_expect_the_rule),
      TEST(match__is_read),
      TEST(match__faults_have_a_place_and_a_reason),
      TEST(api__facts_are_read),
      TEST(api__names_are_found),
      TEST(api__names_become_canonical),
      TEST(spec__forms),
      TEST(spec__faults),
      TEST(api__faults_have_a_place_and_a_reason),
      TEST(precedence__is_asymmetric),
      TEST(user__rules_and_facts_lie_over_the_base),
      TEST(user__faults_have_a_place_and_a_reason),
      TEST(user__settings_beside_rules_are_the_configurations),
      TEST(user__the_examples_of_the_documentation_load),
      TEST(builtin__constants_are_indices),
      TEST(kinds__names_go_both_ways),
#undef TEST
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Renderers on findings made by hand: layout, escaping, caps, and that nothing dangerous reaches a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/fingerprint.h"
#include "report/report.h"
#include "report/text.h"
#include "value/doc.h"

#define assert_text(actual, expected)                                                                             \
  do {                                                                                                            \
    Str actual_ = (actual), expected_ = str_from(expected);                                                       \
    if (!str_eq(actual_, expected_)) fail_msg("got\n%.*s\nexpected\n%.*s", STR_ARG(actual_), STR_ARG(expected_)); \
  } while (0)

#define assert_has(text, part)                                                                    \
  do {                                                                                            \
    Str text_ = (text);                                                                           \
    if (!str_contains(text_, str_from(part))) fail_msg("no '%s' in\n%.*s", part, STR_ARG(text_)); \
  } while (0)

enum { MOST_FILES = 3 };

typedef struct World {
  Arena arena;
  Source sources[MOST_FILES];
  const Source *table[MOST_FILES];
  Outcome outcome;
} World;

static World world_new(void) { return (World){.outcome = {.version = S("1"), .root = S("/p"), .complete = true}}; }

static uint32_t add_file(World *world, const char *path, const char *text) {
  uint32_t file = world->outcome.files.len;
  Str copy = str_copy(&world->arena, str_from(text));
  source_init(&world->arena, &world->sources[file], str_from(path), copy);
  world->table[file] = NULL;
  world->outcome.files.len++;
  return file;
}

/* The `nth` occurrence (from 1) of a piece of text. */
static Place place_of(const World *world, uint32_t file, const char *piece, uint32_t nth) {
  Str text = world->sources[file].text, needle = str_from(piece);
  size_t from = 0, at = 0;
  for (uint32_t i = 0; i < nth; i++) {
    size_t found = str_find(str_sub(text, from, text.len), needle);
    if (found == STR_NONE) fail_msg("no '%s'", piece);
    at = from + found;
    from = at + 1;
  }
  return (Place){file, {(uint32_t)at, (uint32_t)(at + needle.len)}};
}

static Finding *add_finding(World *world, const char *code, Place place, const char *annotation) {
  Finding finding = {.code = str_from(code),
                     .name = S("some-rule"),
                     .variant = S("default"),
                     .level = LEVEL_ERROR,
                     .confidence = CONF_CERTAIN,
                     .place = place,
                     .message = S("`x` is wrong"),
                     .annotation = str_from(annotation),
                     .in = S("m.f"),
                     .contexts = 1};
  vec_push(&world->arena, &world->outcome.findings, finding);
  return &world->outcome.findings.data[world->outcome.findings.len - 1];
}

static void add_label(World *world, Finding *finding, LabelRole role, Place place, const char *text) {
  vec_push(&world->arena, &finding->labels, ((Label){role, place, str_from(text)}));
}

static Str render(World *world, Renderer *renderer, const RenderStyle *style) {
  StrBuf buf = {.arena = &world->arena};
  for (uint32_t i = 0; i < world->outcome.files.len; i++) world->table[i] = &world->sources[i];
  world->outcome.files.sources = world->table;
  world->outcome.fingerprints = fingerprints_make(&world->arena, &world->outcome.files, &world->outcome.findings);
  renderer(&world->outcome, style, &buf);
  return buf_view(&buf);
}

static Str plain(World *world, Renderer *renderer) { return render(world, renderer, &(RenderStyle){0}); }

/* ---- full ---- */

static void full__chain_over_two_files(void **state) {
  (void)state;
  World world = world_new();
  uint32_t train = add_file(&world, "src/train.py", "def train_step(x):\n    y = model(x)\n\n    print(y.shape)\n\n\n");
  uint32_t loop =
      add_file(&world, "src/loop.py",
               "import tensorflow as tf\n\n\n@tf.function\ndef loop(ds):\n    a = 1\n    b = 2\n    train_step(ds)\n");
  Finding *finding = add_finding(&world, "TF301", place_of(&world, train, "print(y.shape)", 1), "runs once per trace");
  finding->level = LEVEL_WARNING;
  add_label(&world, finding, ROLE_ROOT, place_of(&world, loop, "@tf.function", 1), "tracing starts here");
  add_label(&world, finding, ROLE_CALL, place_of(&world, loop, "train_step(ds)", 1), "and reaches `train_step`");
  vec_push(&world.arena, &finding->help, S("use `tf.print`"));
  assert_text(plain(&world, render_full),
              "warning[TF301]: `x` is wrong\n"
              " --> src/train.py:4:5\n"
              "  |\n"
              "2 |     y = model(x)\n"
              "3 |\n"
              "4 |     print(y.shape)\n"
              "  |     ^^^^^^^^^^^^^^ runs once per trace\n"
              "  |\n"
              " ::: src/loop.py:4:1\n"
              "  |\n"
              "4 | @tf.function\n"
              "  | ------------ tracing starts here\n"
              "  ...\n"
              "8 |     train_step(ds)\n"
              "  |     -------------- and reaches `train_step`\n"
              "  |\n"
              "  = help: use `tf.print`\n"
              "  = note: suppress with `# tfcheck: ignore[TF301]`; explain with `tfcheck rule TF301`\n"
              "\n");
  arena_release(&world.arena);
}

static void full__labels_on_one_line_are_stacked(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "y = alpha(beta, gamma)\n");
  Finding *finding = add_finding(&world, "TF201", place_of(&world, file, "beta", 1), "the fault");
  add_label(&world, finding, ROLE_VALUE, place_of(&world, file, "alpha", 1), "a function");
  add_label(&world, finding, ROLE_VALUE, place_of(&world, file, "gamma", 1), "a tensor");
  Str text = plain(&world, render_full);
  assert_has(text,
             "1 | y = alpha(beta, gamma)\n"
             "  |     ----- ^^^^  ----- a tensor\n"
             "  |     |     |\n"
             "  |     |     the fault\n"
             "  |     a function\n");
  arena_release(&world.arena);
}

static void full__several_lines(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "y = f(\n    a,\n    b)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(\n    a,\n    b)", 1), "all of this");
  assert_has(plain(&world, render_full),
             "1 |   y = f(\n"
             "  |  _____^\n"
             "2 | |     a,\n"
             "3 | |     b)\n"
             "  | |______^ all of this\n");
  world.outcome.findings.data[0].place = place_of(&world, file, "y = f(\n    a,\n    b)", 1);
  assert_has(plain(&world, render_full),
             "1 | / y = f(\n"
             "2 | |     a,\n"
             "3 | |     b)\n"
             "  | |______^ all of this\n");
  arena_release(&world.arena);
}

static void full__long_span_shows_its_ends(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "f(\n1,\n2,\n3,\n4,\n5,\n6,\n7,\n8,\n9,\n10)\n");
  Place all = {file, {0, (uint32_t)world.sources[file].text.len - 1}};
  add_finding(&world, "TF201", all, "long");
  Str text = plain(&world, render_full);
  assert_has(text, " 5 | | 4,\n   ...\n10 | | 9,\n11 | | 10)\n   | |___^ long\n");
  arena_release(&world.arena);
}

static void full__wide_characters_and_tabs(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "if x:\n\ts = \"日本\xCC\x81\"; f(x)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "here");
  Str text = plain(&world, render_full);
  assert_has(text, "a.py:2:13\n");
  assert_has(text,
             "2 |     s = \"日本\xCC\x81\"; f(x)\n"
             "  |                 ^^^^ here\n");
  arena_release(&world.arena);
}

static void full__terminals_are_safe(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a\x1b]0;b\x07\n.py", "x = '\x1b[31m\xE2\x80\xAE' + f(x)  # \xC2\x9B\x7F\n");
  Finding *finding = add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "note \x1b[1m");
  finding->message = S("bad \x1b[2J\r\nname");
  vec_push(&world.arena, &finding->help, S("help\n\x1b[0m"));
  Renderer *all[] = {render_full, render_concise, render_gcc};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Str text = plain(&world, all[i]);
    for (size_t at = 0; at < text.len; at++) {
      unsigned char c = (unsigned char)text.ptr[at];
      if ((c < 0x20 && c != '\n') || c == 0x7F) fail_msg("byte %02x in %.*s", c, STR_ARG(text));
    }
    assert_false(str_contains(text, S("\xE2\x80\xAE")));
    assert_false(str_contains(text, S("\xC2\x9B")));
  }
  assert_has(plain(&world, render_full), "\\u{1b}[31m\\u{202e}");
  Str line = plain(&world, render_concise);
  assert_int_equal(str_find_char(line, '\n'), line.len - 1);
  arena_release(&world.arena);
}

static void full__long_lines_are_cut_around_the_mark(void **state) {
  (void)state;
  World world = world_new();
  StrBuf text = {.arena = &world.arena};
  buf_lit(&text, "x = [");
  for (int i = 0; i < 200; i++) buf_printf(&text, "%d, ", i);
  buf_lit(&text, "np.sum(x), ");
  for (int i = 0; i < 200; i++) buf_printf(&text, "%d, ", i);
  buf_lit(&text, "]\n");
  uint32_t file = add_file(&world, "a.py", str_copy(&world.arena, buf_view(&text)).ptr);
  add_finding(&world, "TF201", place_of(&world, file, "np.sum(x)", 1), "here");
  Str out = render(&world, render_full, &(RenderStyle){.width = 80});
  bool seen = false;
  while (out.len) {
    Str line = str_cut(&out, '\n');
    if (str_contains(line, S("np.sum(x)"))) {
      seen = true;
      assert_true(str_starts(str_sub(line, 4, line.len), S("…")));
      assert_true(str_ends(line, S("…")));
      assert_true(text_width(line) <= 80);
      size_t at = str_find(line, S("np.sum")), col = text_width(str_sub(line, 0, at));
      Str under = str_cut(&out, '\n');
      assert_int_equal(str_find_char(under, '^'), col);
    }
  }
  assert_true(seen);
  arena_release(&world.arena);
}

static void full__long_chains_lose_their_middle_and_shared_ones_are_shown_once(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "one\ntwo\nthree\nfour\nfive\nsix\nfault fault2\n");
  static const char *const hops[] = {"one", "two", "three", "four", "five", "six"};
  for (int f = 0; f < 2; f++) {
    Finding *finding = add_finding(&world, "TF201", place_of(&world, file, f ? "fault2" : "fault", 1), "");
    for (int i = 0; i < 6; i++)
      add_label(&world, finding, i ? ROLE_CALL : ROLE_ROOT, place_of(&world, file, hops[i], 1), "hop");
  }
  Str text = plain(&world, render_full), second = text;
  size_t split = str_find(text, S("\n\n"));
  Str first = str_sub(text, 0, split);
  second = str_sub(text, split, text.len);
  assert_has(first, "2 more calls on the way, see `tfcheck why a.py:7`");
  assert_has(first, "--- hop");
  assert_false(str_contains(first, S("----- hop")));  // "three" is in the middle
  assert_has(second, "traced the same way as the finding above");
  assert_false(str_contains(second, S("hop")));
  arena_release(&world.arena);
}

static void full__colours_only_when_asked(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "f(x)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "here");
  assert_false(str_contains(plain(&world, render_full), S("\x1b")));
  assert_has(render(&world, render_full, &(RenderStyle){.color = true}), "\x1b[1;31merror[TF201]\x1b[0m");
  arena_release(&world.arena);
}

static void full__end_of_file_and_empty_spans(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "x");
  add_finding(&world, "TF900", (Place){file, {1, 1}}, "end");
  uint32_t empty = add_file(&world, "b.py", "");
  add_finding(&world, "TF900", (Place){empty, {0, 0}}, "nothing");
  Str text = plain(&world, render_full);
  assert_has(text, "1 | x\n  |  ^ end\n");
  assert_has(text, "  | ^ nothing\n");
  arena_release(&world.arena);
}

/* ---- one line ---- */

static void lines__concise_and_gcc(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "é = f(x)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "here")->message = S("two\nlines");
  assert_text(plain(&world, render_concise), "a.py:1:5: TF201 two lines\n");
  assert_text(plain(&world, render_gcc), "a.py:1:5: error: two lines [TF201]\n");
  arena_release(&world.arena);
}

/* ---- github ---- */

static void github__escapes(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a,b:c%.py", "f(x)\ng(\n)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "")->message = S("100%: a,b\nc");
  add_finding(&world, "TF202", place_of(&world, file, "g(\n)", 1), "")->level = LEVEL_WARNING;
  assert_text(plain(&world, render_github),
              "::error file=a%2Cb%3Ac%25.py,line=1,endLine=1,col=1,endColumn=5,title=TF201 some-rule::100%25: a,b%0Ac\n"
              "::warning file=a%2Cb%3Ac%25.py,line=2,endLine=3,title=TF202 some-rule::`x` is wrong\n");
  arena_release(&world.arena);
}

static void github__ten_of_each_level_then_a_notice(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "f(x)\n");
  Place place = place_of(&world, file, "f(x)", 1);
  for (int i = 0; i < 14; i++) add_finding(&world, "TF201", place, "");
  add_finding(&world, "TF101", place, "");
  for (int i = 0; i < 3; i++) add_finding(&world, "TF301", place, "")->level = LEVEL_WARNING;
  for (int i = 0; i < 12; i++) add_finding(&world, "TF901", place, "")->level = LEVEL_NOTE;
  Str text = plain(&world, render_github);
  uint32_t errors = 0, warnings = 0, notices = 0;
  Str rest = text, second = S("");
  while (rest.len) {
    Str line = str_cut(&rest, '\n');
    if (str_starts(line, S("::error")) && ++errors == 2) second = line;
    warnings += str_starts(line, S("::warning"));
    notices += str_starts(line, S("::notice"));
  }
  assert_int_equal(errors, 10);
  assert_int_equal(warnings, 3);
  assert_int_equal(notices, 10);
  assert_has(second, "TF101");  // every rule once before any repeats
  assert_has(text, "::notice title=tfcheck::8 more findings are not annotated");
  arena_release(&world.arena);
}

/* ---- JSON ---- */

static const Doc *parse(World *world, Str text) {
  DocErrors errors = {.arena = &world->arena};
  DocFile *file = arena_new(&world->arena, DocFile);
  if (!doc_read_json(&world->arena, S("out"), text, 0, file, &errors))
    fail_msg("%.*s in %.*s", STR_ARG(errors.list.data[0].reason), STR_ARG(text));
  return file->root;
}

static Str text_at(const Doc *doc, const char *key) { return doc_text(doc_get(doc, str_from(key)), S("absent")); }

static void json__fields(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "\xEF\xBB\xBFx = 1\né = f(x)\n");
  Finding *finding = add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "here");
  add_label(&world, finding, ROLE_ROOT, place_of(&world, file, "x", 1), "tracing \"starts\" here");
  finding->suppressed = SUPPRESS_LINE;
  finding->suppress_line = 2;
  const Doc *root = parse(&world, plain(&world, render_json));
  assert_text(text_at(root, "schema"), "tfcheck.report/1");
  assert_text(text_at(doc_get(root, S("tool")), "version"), "1");
  assert_text(text_at(root, "complete"), "true");
  const Doc *item = doc_get(root, S("findings"))->entries[0].value;
  static const char *const keys[] = {"code",       "name",     "level",  "confidence", "message", "path",
                                     "cell",       "range",    "labels", "help",       "fix",     "fingerprint",
                                     "suppressed", "baseline", "url",    "contexts",   "in"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!doc_get(item, str_from(keys[i]))) fail_msg("no %s", keys[i]);
  const Doc *start = doc_get(doc_get(item, S("range")), S("start"));
  assert_text(text_at(start, "line"), "2");
  assert_text(text_at(start, "col"), "5");
  assert_text(text_at(start, "byte"), "14");  // the byte order mark counts, it is in the file
  const Doc *label = doc_get(item, S("labels"))->entries[0].value;
  assert_text(text_at(label, "role"), "root");
  assert_text(text_at(label, "text"), "tracing \"starts\" here");
  assert_text(text_at(doc_get(item, S("suppressed")), "kind"), "line");
  assert_int_equal(text_at(item, "fingerprint").len, 16);
  arena_release(&world.arena);
}

static void json__empty_run_and_paths_that_are_no_text(void **state) {
  (void)state;
  World world = world_new();
  const Doc *root = parse(&world, plain(&world, render_json));
  assert_int_equal(doc_get(root, S("findings"))->len, 0);
  assert_non_null(doc_get(doc_get(root, S("stats")), S("by_rule")));
  uint32_t file = add_file(&world, "\xFF.py", "f(x)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "here");
  root = parse(&world, plain(&world, render_json));
  const Doc *item = doc_get(root, S("findings"))->entries[0].value;
  assert_text(text_at(item, "path"), "\xEF\xBF\xBD.py");
  assert_text(text_at(item, "path_bytes"), "/y5weQ==");
  arena_release(&world.arena);
}

static void jsonl__every_line_is_a_document(void **state) {
  (void)state;
  World world = world_new();
  uint32_t file = add_file(&world, "a.py", "f(x) f(x)\n");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 1), "here");
  add_finding(&world, "TF201", place_of(&world, file, "f(x)", 2), "here");
  Str text = plain(&world, render_jsonl);
  static const char *const types[] = {"header", "finding", "finding", "summary"};
  for (size_t i = 0; i < 4; i++) assert_text(text_at(parse(&world, str_cut(&text, '\n')), "type"), types[i]);
  assert_int_equal(text.len, 0);
  arena_release(&world.arena);
}

/* ---- fingerprints ---- */

static Str tokens(Arena *arena, const char *code) {
  StrBuf buf = {.arena = arena};
  fingerprint_tokens(&buf, str_from(code));
  return buf_view(&buf);
}

static void fingerprint__tokens(void **state) {
  (void)state;
  Arena arena = {0};
  assert_text(tokens(&arena, "np.sum( x,  # why\n   1.5e3 ** y)"), "np . sum ( x , 1.5e3 ** y )");
  assert_text(tokens(&arena, "f'a # b' + rb\"\"\"x\"y\"\"\""), "f'a # b' + rb\"\"\"x\"y\"\"\"");
  assert_text(tokens(&arena, "a \\\n + 'it\\'s'"), "a + 'it\\'s'");
  assert_text(tokens(&arena, "'open"), "'open");
  arena_release(&arena);
}

static void fingerprint__ignores_lines_and_numbers_equals(void **state) {
  (void)state;
  World one = world_new(), two = world_new();
  uint32_t a = add_file(&one, "a.py", "f(x)\nf( x)\n"), b = add_file(&two, "a.py", "# more\n\nf(x)\nf(x) # c\n");
  add_finding(&one, "TF201", place_of(&one, a, "f(x)", 1), "");
  add_finding(&one, "TF201", place_of(&one, a, "f( x)", 1), "");
  add_finding(&two, "TF201", place_of(&two, b, "f(x)", 1), "")->message = S("other words");
  add_finding(&two, "TF201", place_of(&two, b, "f(x)", 2), "");
  plain(&one, render_json);
  plain(&two, render_json);
  assert_true(str_eq(one.outcome.fingerprints[0], two.outcome.fingerprints[0]));
  assert_true(str_eq(one.outcome.fingerprints[1], two.outcome.fingerprints[1]));
  assert_false(str_eq(one.outcome.fingerprints[0], one.outcome.fingerprints[1]));
  arena_release(&one.arena);
  arena_release(&two.arena);
}

/* ---- text ---- */

static void text__width(void **state) {
  (void)state;
  assert_int_equal(text_width(S("abc")), 3);
  assert_int_equal(text_width(S("日本")), 4);
  assert_int_equal(text_width(S("e\xCC\x81")), 1);
  assert_int_equal(text_width(S("🚀")), 2);
  assert_int_equal(text_width(S("é")), 1);
  assert_int_equal(char_width(0x1160), 0);
  assert_int_equal(char_width(0x378), 1);
}

/* ---- the words below ---- */

static void summary__says_what_there_is(void **state) {
  (void)state;
  World world = world_new();
  world.outcome.stats = (RunStats){.files_seen = 310, .functions_traced = 41};
  StrBuf buf = {.arena = &world.arena};
  render_summary(&world.outcome, &(RenderStyle){0}, &buf);
  assert_text(buf_view(&buf), "no findings; 41 traced functions in 310 files\n");
  world.outcome.errors = 1;
  world.outcome.warnings = 2;
  world.outcome.hidden_notes = 1;
  world.outcome.files_with_findings = 2;
  vec_push(&world.arena, &world.outcome.skipped, ((SkippedFile){S("b.py"), S("gone")}));
  buf.len = 0;
  render_summary(&world.outcome, &(RenderStyle){0}, &buf);
  assert_text(buf_view(&buf),
              "3 findings (1 error, 2 warnings) in 2 files, 1 note not shown; 41 traced functions in 310 files; "
              "1 file skipped (run -v to see why)\n");
  arena_release(&world.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(full__chain_over_two_files),
      cmocka_unit_test(full__labels_on_one_line_are_stacked),
      cmocka_unit_test(full__several_lines),
      cmocka_unit_test(full__long_span_shows_its_ends),
      cmocka_unit_test(full__wide_characters_and_tabs),
      cmocka_unit_test(full__terminals_are_safe),
      cmocka_unit_test(full__long_lines_are_cut_around_the_mark),
      cmocka_unit_test(full__long_chains_lose_their_middle_and_shared_ones_are_shown_once),
      cmocka_unit_test(full__colours_only_when_asked),
      cmocka_unit_test(full__end_of_file_and_empty_spans),
      cmocka_unit_test(lines__concise_and_gcc),
      cmocka_unit_test(github__escapes),
      cmocka_unit_test(github__ten_of_each_level_then_a_notice),
      cmocka_unit_test(json__fields),
      cmocka_unit_test(json__empty_run_and_paths_that_are_no_text),
      cmocka_unit_test(jsonl__every_line_is_a_document),
      cmocka_unit_test(fingerprint__tokens),
      cmocka_unit_test(fingerprint__ignores_lines_and_numbers_equals),
      cmocka_unit_test(text__width),
      cmocka_unit_test(summary__says_what_there_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

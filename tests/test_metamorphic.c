/* Findings move with the code. Each fixture is rewritten in ways that do not change what the program does; the findings must
 * stay on the lines they were on. This is what catches an analysis that has learned its own examples by heart.
 *
 *   tests/test_metamorphic [TEXT]     only fixtures with TEXT in their name
 *
 * Single-file fixtures only. What counts is (line, rule, level) of warnings and errors; columns and texts may change with the
 * names in the code. One TAP line a fixture and rewriting.
 */
#include <stdio.h>

#include "support/tree.h"

/* ---- rewriting ---- */

typedef struct Rewritten {
  Tree tree;
  uint32_t file;  // where the fixture's text went
  uint32_t shift;  // by how many lines it moved
  bool applies;
} Rewritten;

static bool is_identifier_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Replaces `from` where it stands as a whole name that is not an attribute. */
static Str rename_all(Arena *arena, Str text, Str from, Str to) {
  StrBuf out = {.arena = arena};
  size_t at = 0;
  while (at < text.len) {
    size_t next = str_find(str_sub(text, at, text.len), from);
    if (next == STR_NONE) break;
    size_t start = at + next, end = start + from.len;
    bool inside = (start > 0 && (is_identifier_char(text.ptr[start - 1]) || text.ptr[start - 1] == '.')) ||
                  (end < text.len && is_identifier_char(text.ptr[end]));
    buf_str(&out, str_sub(text, at, start));
    buf_str(&out, inside ? from : to);
    at = end;
  }
  buf_str(&out, str_sub(text, at, text.len));
  return buf_view(&out);
}

static Str replace_all(Arena *arena, Str text, Str from, Str to) {
  StrBuf out = {.arena = arena};
  for (size_t at; (at = str_find(text, from)) != STR_NONE; text = str_sub(text, at + from.len, text.len)) {
    buf_str(&out, str_sub(text, 0, at));
    buf_str(&out, to);
  }
  buf_str(&out, text);
  return buf_view(&out);
}

static Rewritten with_text(Arena *arena, const Tree *tree, Str text) {
  return (Rewritten){.tree = tree_with(arena, tree, 0, text), .applies = !str_eq(text, tree->texts[0])};
}

static Rewritten other_aliases(Arena *arena, const Tree *tree) {
  Str text = tree->texts[0];
  bool plain = str_contains(text, S("import tensorflow as tf\n")) && !str_contains(text, S("_tf_"));
  if (!plain) return (Rewritten){0};
  return with_text(arena, tree, rename_all(arena, rename_all(arena, text, S("tf"), S("_tf_")), S("np"), S("_np_")));
}

static Rewritten windows_lines(Arena *arena, const Tree *tree) {
  if (str_contains(tree->texts[0], S("\r"))) return (Rewritten){0};
  return with_text(arena, tree, replace_all(arena, tree->texts[0], S("\n"), S("\r\n")));
}

static Rewritten byte_order_mark(Arena *arena, const Tree *tree) {
  if (str_starts(tree->texts[0], S("\xef\xbb\xbf"))) return (Rewritten){0};
  return with_text(arena, tree, str_concat(arena, S("\xef\xbb\xbf"), tree->texts[0]));
}

/* The fixture becomes a module of a package that somebody imports. */
static Rewritten in_a_package(Arena *arena, const Tree *tree) {
  static const Str paths[] = {S_INIT("main.py"), S_INIT("pkg/__init__.py"), S_INIT("pkg/sub/__init__.py"),
                              S_INIT("pkg/sub/mod.py")};
  const Str texts[] = {S("import tensorflow\nfrom pkg.sub import mod\n"), S(""), S("from . import mod\n"),
                       tree->texts[0]};
  enum { FILES = 4 };
  Rewritten out = {.tree = {.name = tree->name, .len = FILES}, .file = 3, .applies = true};
  out.tree.paths = arena_array(arena, Str, FILES);
  out.tree.texts = arena_array(arena, Str, FILES);
  for (int i = 0; i < FILES; i++) {
    out.tree.paths[i] = paths[i];
    out.tree.texts[i] = texts[i];
  }
  return out;
}

/* Code that has nothing to do with it stands before and behind. Directives for a whole file must stay at its top. */
static Rewritten with_neighbours(Arena *arena, const Tree *tree) {
  Str text = tree->texts[0];
  if (str_contains(text, S("ignore-file")) || str_contains(text, S("coding:")) || str_contains(text, S("__future__")))
    return (Rewritten){0};
  Str head = S("import os as _os_\n\n\ndef _unrelated_(x):\n    return _os_.path.join(x, 'y')\n\n\n");
  Str tail = S("\n\nclass _Unrelated_:\n    def step(self, x):\n        return [x]\n");
  Rewritten out = with_text(arena, tree, str_concat(arena, str_concat(arena, head, text), tail));
  out.shift = 7;
  return out;
}

/* Where the body ends whose `def` line begins at the start of `text`: behind its last indented line. */
static size_t body_end(Str text) {
  size_t end = 0;
  bool header = true;
  for (size_t at = 0; at < text.len;) {
    size_t len = str_find_char(str_sub(text, at, text.len), '\n');
    size_t next = len == STR_NONE ? text.len : at + len + 1;
    bool blank = str_trim(str_sub(text, at, next)).len == 0;
    bool body = text.ptr[at] == ' ' || text.ptr[at] == ')' || header;
    if (!blank && !body) break;
    if (!blank) end = next;
    header = false;
    at = next;
  }
  return end;
}

/* `@tf.function` above a function of the module becomes `f = tf.function(f)` in the empty line below it. */
static Rewritten wrapped_by_call(Arena *arena, const Tree *tree) {
  Str rest = tree->texts[0], decorator = S("\n@tf.function\ndef ");
  StrBuf out = {.arena = arena};
  for (size_t at; (at = str_find(rest, decorator)) != STR_NONE;) {
    buf_str(&out, str_sub(rest, 0, at));
    buf_lit(&out, "\n\n");
    rest = str_sub(rest, at + decorator.len - S("def ").len, rest.len);
    Str name = str_sub(rest, S("def ").len, str_find_char(rest, '('));
    size_t end = body_end(rest);
    buf_str(&out, str_sub(rest, 0, end));
    buf_printf(&out, "%.*s = tf.function(%.*s)", STR_ARG(name), STR_ARG(name));
    rest = str_sub(rest, end, rest.len);
    if (rest.len && rest.ptr[0] != '\n') return (Rewritten){0};
  }
  buf_str(&out, rest);
  return with_text(arena, tree, buf_view(&out));
}

static const struct {
  Str name;
  Rewritten (*rewrite)(Arena *arena, const Tree *tree);
} rewritings[] = {
    {S_INIT("other aliases"), other_aliases},     {S_INIT("CRLF"), windows_lines},
    {S_INIT("byte order mark"), byte_order_mark}, {S_INIT("in a package"), in_a_package},
    {S_INIT("with neighbours"), with_neighbours}, {S_INIT("wrapped by a call"), wrapped_by_call},
};

/* ---- comparing ---- */

/* "12 TF201 error" a line, in order of lines and codes. */
static Str summary_of(Arena *arena, const Tree *tree, uint32_t file, uint32_t shift) {
  TreeRun run;
  TreeOptions options = {.jobs = 1};
  tree_run(&run, tree, &options);
  StrBuf out = {.arena = arena};
  if (run.failure.len) buf_printf(&out, "internal error: %.*s\n", STR_ARG(run.failure));
  const Outcome *outcome = &run.analysis.outcome;
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    const Finding *finding = &outcome->findings.data[i];
    const Source *source = outcome->files.sources[finding->place.file];
    if (finding->level == LEVEL_NOTE || !str_eq(source->path, tree->paths[file])) continue;
    Str level = level_name(finding->level);
    uint32_t line = source_line_of(source, finding->place.span.start) - shift;
    buf_printf(&out, "%u %.*s %.*s\n", line, STR_ARG(finding->code), STR_ARG(level));
  }
  tree_run_release(&run);
  return buf_view(&out);
}

typedef struct Counts {
  uint32_t run, failed;
} Counts;

static void check_fixture(Counts *counts, const Tree *tree) {
  Arena arena = {0};
  Str expected = summary_of(&arena, tree, 0, 0);
  for (size_t i = 0; i < sizeof rewritings / sizeof *rewritings; i++) {
    Rewritten rewritten = rewritings[i].rewrite(&arena, tree);
    if (!rewritten.applies) continue;
    Str actual = summary_of(&arena, &rewritten.tree, rewritten.file, rewritten.shift);
    bool ok = str_eq(expected, actual);
    counts->failed += !ok;
    printf("%s %u - %.*s: %.*s\n", ok ? "ok" : "not ok", ++counts->run, STR_ARG(tree->name),
           STR_ARG(rewritings[i].name));
    if (!ok) printf("--- as it is\n%.*s--- rewritten\n%.*s", STR_ARG(expected), STR_ARG(actual));
  }
  fflush(stdout);
  arena_release(&arena);
}

int main(int argc, char **argv) {
  static const Str folders[] = {S_INIT("rules"), S_INIT("silent"), S_INIT("engine")};
  Arena arena = {0};
  Trees trees = {0};
  Counts counts = {0};
  Str only = argc > 1 ? str_from(argv[1]) : S("");
  trees_collect(&arena, S("fixtures"), folders, sizeof folders / sizeof *folders, &trees);
  for (uint32_t i = 0; i < trees.len; i++) {
    if (trees.data[i].len == 1 && str_contains(trees.data[i].name, only)) check_fixture(&counts, &trees.data[i]);
  }
  printf("1..%u\n", counts.run);
  arena_release(&arena);
  return counts.failed > 0 || counts.run == 0;
}

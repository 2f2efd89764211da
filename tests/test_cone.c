/* What is said about a file does not depend on which files were asked for, nor on the number of threads.
 *
 * For every file F of every project in fixtures/: analysing only what can influence F says exactly what analysing everything
 * says about F; and two threads say what one says, byte for byte. One TAP line a file.
 */
#include <stdio.h>

#include "support/tree.h"

typedef struct Counts {
  uint32_t run, failed;
} Counts;

static void report(Counts *counts, const Tree *tree, Str what, Str expected, Str actual) {
  bool ok = str_eq(expected, actual);
  counts->failed += !ok;
  printf("%s %u - %.*s: %.*s\n", ok ? "ok" : "not ok", ++counts->run, STR_ARG(tree->name), STR_ARG(what));
  if (!ok) printf("--- everything, one thread\n%.*s--- here\n%.*s", STR_ARG(expected), STR_ARG(actual));
  fflush(stdout);
}

/* A text of its own, because the analysis and its files are gone afterwards. */
static Str findings_of(Arena *arena, const Tree *tree, const TreeOptions *options, Str only_path) {
  TreeRun run;
  tree_run(&run, tree, options);
  Str text =
      run.failure.len ? str_concat(arena, S("internal error: "), run.failure) : tree_run_text(arena, &run, only_path);
  tree_run_release(&run);
  return text;
}

static void check_cones(Arena *arena, Counts *counts, const Tree *tree, const TreeRun *whole) {
  for (uint32_t i = 0; i < tree->len; i++) {
    Str path = tree->paths[i];
    if (!tree_is_python(path)) continue;
    TreeOptions options = {.jobs = 1, .only = {&path, 1}};
    Str alone = findings_of(arena, tree, &options, path);
    report(counts, tree, path, tree_run_text(arena, whole, path), alone);
  }
}

static void check_tree(Counts *counts, const Tree *tree) {
  Arena arena = {0};
  TreeRun whole;
  TreeOptions one = {.jobs = 1}, two = {.jobs = 2};
  tree_run(&whole, tree, &one);
  if (whole.failure.len) {
    report(counts, tree, S("the whole"), S(""), whole.failure);
  } else {
    report(counts, tree, S("two threads"), tree_run_text(&arena, &whole, S("")),
           findings_of(&arena, tree, &two, S("")));
    check_cones(&arena, counts, tree, &whole);
  }
  tree_run_release(&whole);
  arena_release(&arena);
}

int main(void) {
  static const Str folders[] = {S_INIT("projects"), S_INIT("rules"), S_INIT("silent"), S_INIT("engine")};
  Arena arena = {0};
  Trees trees = {0};
  Counts counts = {0};
  trees_collect(&arena, S("fixtures"), folders, sizeof folders / sizeof *folders, &trees);
  for (uint32_t i = 0; i < trees.len; i++) {
    if (trees.data[i].len > 1) check_tree(&counts, &trees.data[i]);
  }
  printf("1..%u\n", counts.run);
  arena_release(&arena);
  return counts.failed > 0 || counts.run == 0;
}

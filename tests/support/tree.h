/* Fixtures as trees of files in memory, and one analysis of such a tree.
 *
 * A fixture is a Python file, or a folder that is a project. Whatever it is, the analysis sees a file system that exists in
 * memory only and holds nothing else, so a fixture cannot depend on where it lies.
 */
#ifndef TFCHECK_TESTS_SUPPORT_TREE_H
#define TFCHECK_TESTS_SUPPORT_TREE_H

#include "cli/driver.h"

typedef struct Tree {
  Str name;       // "rules/TF101/fires.py", "projects/agent"
  uint32_t len;
  Str *paths;     // of all files, relative to the root of the project, sorted
  Str *texts;
} Tree;

typedef VEC(Tree) Trees;

/* Every fixture in the folders given, in order: files ending in .py, and folders one level below them. A folder named
 * TFnnn is looked into instead. Missing folders hold nothing. */
void trees_collect(Arena *arena, Str fixtures, const Str *folders, uint32_t count, Trees *out);

bool tree_is_python(Str path);
/* The same tree with one file replaced. */
Tree tree_with(Arena *arena, const Tree *tree, uint32_t file, Str text);

typedef struct TreeOptions {
  uint32_t jobs;
  StrList only;  // what is reported; empty: everything
} TreeOptions;

/* One run of the pipeline over a tree, all rules on, notes shown, with what is unlikely left out. A line
 * `# tfcheck-args: --select TF2 --rules own.yaml` in a file says otherwise; paths in it are those of the tree. `failure` is
 * set when the run unwound or its arguments are wrong; then nothing else is. */
typedef struct TreeRun {
  Arena arena;
  Fs fs;
  Analysis analysis;
  Str failure;
  bool panicked;  // the failure is a bug of ours
} TreeRun;

void tree_run(TreeRun *out, const Tree *tree, const TreeOptions *options);
void tree_run_release(TreeRun *run);
/* One line a finding, with everything in it that a renderer could show; those of one file if `only_path` is not empty. */
Str tree_run_text(Arena *arena, const TreeRun *run, Str only_path);

#endif

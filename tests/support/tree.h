/* Fixtures as trees of files in memory, and one analysis of such a tree.
 *
 * A fixture is a Python file, or a folder that is a project. Whatever it is, the analysis sees a file system that exists in
 * memory only and holds nothing else, so a fixture cannot depend on where it lies.
 */
#ifndef TFCHECK_TESTS_SUPPORT_TREE_H
#define TFCHECK_TESTS_SUPPORT_TREE_H

#include "base/fs.h"
#include "flow/engine.h"
#include "rules/rule.h"

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

typedef struct AnalysisOptions {
  uint32_t jobs;
  StrList only;   // report these files only: the influence cone
  KerasFlavor flavor;
} AnalysisOptions;

/* One run of the pipeline. `panic` is set when it unwound; then nothing else is. */
typedef struct Analysis {
  Arena arena;
  SymTable *symbols;
  Fs fs;
  Project *project;
  Flow *flow;
  FileTable files;
  Findings findings;  // those that would be shown or are suppressed, in order
  Str panic;
} Analysis;

void analysis_run(Analysis *out, const Tree *tree, const AnalysisOptions *options);
void analysis_release(Analysis *analysis);
/* One line a finding, with everything in it that a renderer could show. */
Str analysis_text(Arena *arena, const Analysis *analysis, Str only_path);

#endif

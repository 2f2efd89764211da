/* Which files there are, which of them are to be reported, and why others are not: from PATHs to sorted relative paths. */
#ifndef TFCHECK_CLI_FILES_H
#define TFCHECK_CLI_FILES_H

#include "base/fs.h"
#include "catalog/catalog.h"
#include "report/report.h"
#include "source/source.h"

typedef struct FileRequest {
  const Fs *fs;
  Str cwd;            // absolute; where the search starts when no path is given
  StrList paths;      // as given; empty: the project around cwd
  Str project_root;   // --project-root; empty: search for it
  bool force_exclude; // leave out excluded files even if they were named
  bool no_gitignore;
} FileRequest;

typedef struct FileSet {
  Str root;           // absolute, links resolved; empty after a fatal error
  StrVec files;       // all Python files of the project, relative to root, sorted, each once
  StrVec only;        // those that PATHs ask for, sorted; meaningful if `limited`
  StrVec named;       // of these, the files that were named themselves
  bool limited;       // PATHs leave out a part of the project
  VEC(SkippedFile) skipped;
  StrVec errors;      // each makes the exit code 2; the rest of the set is good nevertheless
  StrVec notices;     // for stderr
  bool fatal;         // nothing can be analysed
} FileSet;

void files_find(Arena *arena, const FileRequest *request, FileSet *out);

/* Binary search in a sorted list. */
bool files_hold(const StrVec *sorted, Str path);
void files_sort(StrVec *paths);  // and drops doubles

#endif

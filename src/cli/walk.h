/* Walking a project's folders: default excludes, .gitignore, links, things that are no files. */
#ifndef TFCHECK_CLI_WALK_H
#define TFCHECK_CLI_WALK_H

#include "base/map.h"
#include "cli/files.h"
#include "cli/ignore.h"

typedef struct FileWalk {
  Arena *arena;
  const Fs *fs;
  FileSet *set;
  Str root;
  Str ignore_top;     // the folder that ignore rules are relative to: the git work tree's, else the root
  Str ignore_prefix;  // path from there to the root with its `/`; empty if they are the same
  bool gitignore;
  IgnoreStack ignore;
  Map inodes;         // files seen, by device and inode
  StrMap entered;     // folders: each is listed once
} FileWalk;

void walk_init(FileWalk *walk, Arena *arena, const Fs *fs, FileSet *set, Str root, bool gitignore);
/* Adds the Python files at and below a folder ("." is the root) to `out`; what was not taken goes to set->skipped. */
void walk_folder(FileWalk *walk, Str dir, StrVec *out);
/* The same for one folder only; its folders are not entered but added to `folders`. */
void walk_one(FileWalk *walk, Str dir, StrVec *out, StrVec *folders);
/* Whether something at or above the path (relative to the root) is excluded. `why` says by what. */
bool walk_is_excluded(FileWalk *walk, Str path, bool is_dir, Str *why);

#endif

/* Where a project begins. */
#ifndef TFCHECK_CLI_ROOT_H
#define TFCHECK_CLI_ROOT_H

#include "base/fs.h"

/* Upward from an absolute path: the first folder with a configuration of ours, else with `.git`, else with `pyproject.toml`.
 * Empty if there is none. */
Str root_find(Arena *arena, const Fs *fs, Str path, bool is_dir);
/* The first folder upward, `dir` included, that holds `.git`. Empty if there is none. */
Str root_of_git(Arena *arena, const Fs *fs, Str dir);
/* The path below `root`, both absolute; "." for the root itself. False if it lies elsewhere. */
bool root_relative(Str root, Str path, Str *out);

#endif

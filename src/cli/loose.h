/* The files that go with a script which lies in no project. */
#ifndef TFCHECK_CLI_LOOSE_H
#define TFCHECK_CLI_LOOSE_H

#include "cli/walk.h"

/* Adds the Python files of `dirs` (relative to the root) and, below them, of the folders that are packages or that an import
 * in a file taken so far names. */
void loose_find(FileWalk *walk, const StrVec *dirs, StrVec *out);

#endif

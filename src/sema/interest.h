/* Which files matter, decided before anything is parsed.
 *
 * Provides: for each file whether it belongs to the interest set, and the bytes of those that were read anyway. Requires only
 * cheap scans: seed words and import lines.
 */
#ifndef TFCHECK_SEMA_INTEREST_H
#define TFCHECK_SEMA_INTEREST_H

#include "base/fs.h"
#include "sema/file_index.h"
#include "sema/project.h"

typedef struct ScannedFile {
  Arena arena;        // holds the bytes of a seed
  Str bytes;
  bool has_bytes;
  bool seed;          // mentions a seed word
  KerasHints hints;   // of a seed
  bool chosen;        // in the interest set (and in the cone, when there is one)
  FsStatus status;
} ScannedFile;

typedef struct InterestInput {
  const Fs *fs;
  Str root;
  const FileIndex *index;
  const ProjectOptions *options;
} InterestInput;

/* One ScannedFile for each path of the index, in its order; their arenas belong to the caller. */
ScannedFile *interest_find(Arena *arena, const InterestInput *input);

/* Reads a file into its arena unless the scan kept it. */
void interest_read(const InterestInput *input, ScannedFile *file, Str path);

#endif

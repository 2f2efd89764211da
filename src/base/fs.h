/* The file system as a parameter: a stack of layers behind one struct of functions.
 *
 * Every input of the pipeline goes through an Fs, so that tests and fuzzers run on files that exist in memory only, an
 * editor's unsaved buffer or --stdin-filename lies over the disk, and a git tree can come later. Paths are byte strings with
 * `/` separators; relative ones are relative to the layer's root. Errors are values, never messages on a terminal.
 */
#ifndef TFCHECK_BASE_FS_H
#define TFCHECK_BASE_FS_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef enum FsKind { FS_ABSENT, FS_FILE, FS_DIR, FS_LINK, FS_OTHER } FsKind;  // OTHER: FIFO, device, socket

typedef struct FsStat {
  FsKind kind;       // of the thing itself: a link is FS_LINK
  FsKind target;     // what a link leads to (FS_ABSENT if it dangles), else the same as kind
  uint64_t size;     // bytes, of the target
  uint64_t dev, ino; // identity of the target; 0,0 when the layer has none
  bool executable;
} FsStat;

typedef struct FsEntry {
  Str name;
  FsKind kind;  // FS_LINK for links
} FsEntry;

typedef VEC(FsEntry) FsEntries;

typedef enum FsStatus { FS_OK, FS_NOT_FOUND, FS_DENIED, FS_TOO_BIG, FS_NOT_A_FILE, FS_CHANGING, FS_FAILED } FsStatus;

typedef struct Fs Fs;
struct Fs {
  /* Never follows the last link. */
  FsStatus (*stat)(const Fs *fs, Str path, FsStat *out);
  /* Whole contents, NUL-terminated behind the end. Refuses what is no regular file without opening it in a way that blocks,
   * and more than `max_bytes` with FS_TOO_BIG. Never parts of two versions: a file that does not hold still is FS_CHANGING. */
  FsStatus (*read)(const Fs *fs, Arena *arena, Str path, uint64_t max_bytes, Str *out);
  /* Entries sorted by name in byte order, without `.` and `..`. */
  FsStatus (*list)(const Fs *fs, Arena *arena, Str path, FsEntries *out);
  /* Absolute path with every link resolved; empty if it does not exist. */
  Str (*real)(const Fs *fs, Arena *arena, Str path);
  const Fs *below;  // the layer under this one, NULL at the bottom
  void *data;
};

Fs fs_disk(void);
/* One in-memory file over `below` (stdin with a name, an editor's buffer). */
Fs fs_overlay(Arena *arena, const Fs *below, Str path, Str text);
/* A whole tree in memory, for tests and fuzzers: `paths[i]` holds `texts[i]`. */
Fs fs_memory(Arena *arena, const Str *paths, const Str *texts, size_t count);

Str fs_status_text(FsStatus status);  // "no such file or directory" …

/* Path arithmetic on `/`-separated byte strings; no file system access. */
Str path_join(Arena *arena, Str dir, Str name);
Str path_dir(Str path);       // "" when there is no slash
Str path_base(Str path);
Str path_normal(Arena *arena, Str path);  // "a/./b/../c" -> "a/c"; "." for the empty path; keeps a leading "/"

/* Writes a file whole or not at all: temporary beside it, then rename. Makes parent folders. */
FsStatus fs_write_atomic(Arena *scratch, Str path, Str text);

#endif

/* What reading from and writing to the disk share; nobody outside the file system needs it. */
#ifndef TFCHECK_BASE_FS_DISK_H
#define TFCHECK_BASE_FS_DISK_H

#include <limits.h>

#include "base/fs.h"

/* A path for the kernel, which takes none that is longer. */
typedef struct FsPath {
  char bytes[PATH_MAX];
} FsPath;

/* False for a path that no file can have: too long, or with a NUL in it. The empty path is the current folder. */
bool fs_path_c(Str path, FsPath *out);

FsStatus fs_status_of_errno(int code);

/* For qsort over FsEntry: byte order of names. */
int fs_entry_order(const void *a, const void *b);

#endif

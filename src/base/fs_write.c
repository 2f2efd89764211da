/* Writing a file whole or not at all.
 *
 * The text goes to a new file in the same folder, is flushed to the disk, and takes the old name in one step; a reader sees
 * the old text or the new. A link is followed, so that it stays a link. What exists and is no regular file is refused: the
 * last step would replace a device by a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/fs_disk.h"

enum { ATTEMPTS = 1000 };

/* Makes the folders that lead to `path`, by turning each slash into an end for a moment. */
static FsStatus make_parents(FsPath *path) {
  for (size_t i = 1; path->bytes[i - 1] && path->bytes[i]; i++) {
    if (path->bytes[i] != '/') continue;
    path->bytes[i] = '\0';
    int failed = mkdir(path->bytes, 0777) && errno != EEXIST ? errno : 0;
    path->bytes[i] = '/';
    if (failed && failed != EISDIR) return fs_status_of_errno(failed);
  }
  return FS_OK;
}

/* A file that did not exist before, beside the one to be replaced. Its name is short whatever the other's length. */
static FsStatus open_temporary(Arena *scratch, Str dir, FsPath *name, int *fd) {
  for (int i = 0; i < ATTEMPTS; i++) {
    Str path = path_join(scratch, dir, str_printf(scratch, ".tfcheck-%ld-%d.tmp", (long)getpid(), i));
    if (!fs_path_c(path, name)) return FS_NOT_FOUND;
    *fd = open(name->bytes, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (*fd >= 0) return FS_OK;
    if (errno != EEXIST) break;
  }
  return fs_status_of_errno(errno);
}

static FsStatus write_all(int fd, Str text) {
  while (text.len) {
    ssize_t put = write(fd, text.ptr, text.len);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fs_status_of_errno(errno);
    text = str_sub(text, (size_t)put, text.len);
  }
  return FS_OK;
}

static FsStatus fill(int fd, Str text, const struct stat *old) {
  FsStatus status = write_all(fd, text);
  if (status == FS_OK && old && fchmod(fd, old->st_mode & 07777)) status = fs_status_of_errno(errno);
  // Some file systems cannot flush and say EINVAL; that is no reason to refuse the write.
  if (status == FS_OK && fsync(fd) && errno != EINVAL) status = fs_status_of_errno(errno);
  if (close(fd) && status == FS_OK) status = fs_status_of_errno(errno);
  return status;
}

static FsStatus replace(Arena *scratch, Str path, Str text) {
  FsPath target, temporary;
  struct stat old;
  int fd;
  if (!fs_path_c(path, &target)) return FS_NOT_FOUND;
  bool exists = stat(target.bytes, &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return FS_NOT_A_FILE;
  FsStatus status = exists ? FS_OK : make_parents(&target);
  if (status == FS_OK) status = open_temporary(scratch, path_dir(path), &temporary, &fd);
  if (status != FS_OK) return status;
  status = fill(fd, text, exists ? &old : NULL);
  if (status == FS_OK && rename(temporary.bytes, target.bytes)) status = fs_status_of_errno(errno);
  if (status != FS_OK) unlink(temporary.bytes);
  return status;
}

FsStatus fs_write_atomic(Arena *scratch, Str path, Str text) {
  ArenaMark mark = arena_mark(scratch);
  Fs disk = fs_disk();
  Str real = disk.real(&disk, scratch, path);
  FsStatus status = replace(scratch, real.len ? real : path, text);
  arena_reset(scratch, mark);
  return status;
}

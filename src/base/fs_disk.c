/* The bottom layer: the POSIX file system, read with suspicion.
 *
 * What lies on disk is untrusted and may change under our hands. A thing is opened only after stat says that it is a regular
 * file, opened so that it cannot block if it has become a FIFO since, and asked again through its descriptor. Sizes are
 * hints: reading goes on to the end of the file or to the cap, whichever comes first. A file that somebody writes to
 * meanwhile is read again, a few times; what is rewritten within one tick of the file system's clock to the same size
 * cannot be told from what stood still.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/fs_disk.h"
#include "base/panic.h"

static FsKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FS_FILE;
  if (S_ISDIR(mode)) return FS_DIR;
  if (S_ISLNK(mode)) return FS_LINK;
  return FS_OTHER;
}

FsStatus fs_status_of_errno(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return FS_NOT_FOUND;
    case EACCES:
    case EPERM:
      return FS_DENIED;
    case EISDIR:
    case ENXIO:
      return FS_NOT_A_FILE;
    default:
      return FS_FAILED;
  }
}

bool fs_path_c(Str path, FsPath *out) {
  if (path.len == 0) path = S(".");
  if (path.len >= sizeof out->bytes || str_find_char(path, '\0') != STR_NONE) return false;
  memcpy(out->bytes, path.ptr, path.len);
  out->bytes[path.len] = '\0';
  return true;
}

static FsStatus disk_stat(const Fs *fs, Str path, FsStat *out) {
  (void)fs;
  FsPath c;
  struct stat own, target;
  *out = (FsStat){0};
  if (!fs_path_c(path, &c)) return FS_NOT_FOUND;
  if (lstat(c.bytes, &own)) return fs_status_of_errno(errno);
  out->kind = kind_of(own.st_mode);
  if (out->kind != FS_LINK) {
    target = own;
  } else if (stat(c.bytes, &target)) {
    return FS_OK;  // dangling, or a link to itself: there is a link, and it leads nowhere
  }
  out->target = kind_of(target.st_mode);
  out->size = target.st_size > 0 ? (uint64_t)target.st_size : 0;
  out->dev = target.st_dev;
  out->ino = target.st_ino;
  out->executable = (target.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
  return FS_OK;
}

/* Opens for reading what is, before and after, a thing of the wanted kind. Gives the status and, when that is FS_OK, *fd. */
static FsStatus open_checked(const FsPath *path, FsKind wanted, int *fd) {
  struct stat st;
  if (stat(path->bytes, &st)) return fs_status_of_errno(errno);
  if (kind_of(st.st_mode) != wanted) return wanted == FS_FILE ? FS_NOT_A_FILE : FS_NOT_FOUND;
  *fd = open(path->bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (*fd < 0) return fs_status_of_errno(errno);
  if (fstat(*fd, &st) || kind_of(st.st_mode) != wanted) {
    close(*fd);
    return FS_NOT_A_FILE;
  }
  return FS_OK;
}

/* The byte that is reserved beyond the expected size makes the end visible without growing, and is the NUL at the end. */
static FsStatus read_all(int fd, Arena *arena, uint64_t expected, uint64_t max_bytes, Str *out) {
  size_t cap = (size_t)expected + 1, len = 0;
  char *data = arena_array(arena, char, cap);
  for (;;) {
    if (len == cap) {
      data = arena_grow(arena, data, cap, cap * 2, 1);
      cap *= 2;
    }
    ssize_t got = read(fd, data + len, cap - len);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fs_status_of_errno(errno);
    if (got == 0) break;
    len += (size_t)got;
    if (len > max_bytes) return FS_TOO_BIG;
  }
  *out = (Str){data, len};
  return FS_OK;
}

static bool same_time(struct timespec a, struct timespec b) { return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec; }

/* One reading; FS_CHANGING if the file was not the same at its end as at its beginning. */
static FsStatus read_once(int fd, Arena *arena, uint64_t max_bytes, Str *out) {
  struct stat before, after;
  if (fstat(fd, &before)) return FS_FAILED;
  uint64_t size = before.st_size > 0 ? (uint64_t)before.st_size : 0;
  if (size > max_bytes) return FS_TOO_BIG;
  FsStatus status = read_all(fd, arena, size, max_bytes, out);
  if (status != FS_OK) return status;
  if (fstat(fd, &after)) return FS_FAILED;
  bool same = after.st_size == before.st_size && same_time(after.st_mtim, before.st_mtim) &&
              same_time(after.st_ctim, before.st_ctim);
  bool complete = size == 0 || size == out->len;  // the kernel's own files announce no size
  return same && complete ? FS_OK : FS_CHANGING;
}

static FsStatus read_steady(int fd, Arena *arena, uint64_t max_bytes, Str *out) {
  enum { ATTEMPTS = 4 };
  const struct timespec pause = {.tv_nsec = 5000000};  // longer than the clock's tick
  for (int attempt = 1;; attempt++) {
    ArenaMark mark = arena_mark(arena);
    FsStatus status = read_once(fd, arena, max_bytes, out);
    if (status != FS_CHANGING) return status;
    arena_reset(arena, mark);
    *out = S("");
    if (attempt == ATTEMPTS) return FS_CHANGING;
    nanosleep(&pause, NULL);
    if (lseek(fd, 0, SEEK_SET) < 0) return FS_FAILED;
  }
}

static FsStatus disk_read(const Fs *fs, Arena *arena, Str path, uint64_t max_bytes, Str *out) {
  (void)fs;
  FsPath c;
  int fd;
  *out = S("");
  if (!fs_path_c(path, &c)) return FS_NOT_FOUND;
  FsStatus status = open_checked(&c, FS_FILE, &fd);
  if (status != FS_OK) return status;
  status = read_steady(fd, arena, max_bytes, out);
  close(fd);
  return status;
}

static FsKind entry_kind(DIR *dir, const struct dirent *entry) {
  struct stat st;
  switch (entry->d_type) {
    case DT_REG:
      return FS_FILE;
    case DT_DIR:
      return FS_DIR;
    case DT_LNK:
      return FS_LINK;
    case DT_UNKNOWN:  // not every file system keeps kinds in its folders
      return fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ? FS_ABSENT : kind_of(st.st_mode);
    default:
      return FS_OTHER;
  }
}

int fs_entry_order(const void *a, const void *b) {
  return str_cmp(((const FsEntry *)a)->name, ((const FsEntry *)b)->name);
}

static FsStatus read_entries(DIR *dir, Arena *arena, FsEntries *out) {
  for (;;) {
    errno = 0;
    const struct dirent *entry = readdir(dir);
    if (!entry) break;
    Str name = str_from(entry->d_name);
    if (str_eq(name, S(".")) || str_eq(name, S(".."))) continue;
    FsKind kind = entry_kind(dir, entry);
    if (kind == FS_ABSENT) continue;  // removed meanwhile
    vec_push(arena, out, ((FsEntry){.name = str_copy(arena, name), .kind = kind}));
  }
  if (errno) return fs_status_of_errno(errno);
  if (out->len) qsort(out->data, out->len, sizeof *out->data, fs_entry_order);
  return FS_OK;
}

static FsStatus disk_list(const Fs *fs, Arena *arena, Str path, FsEntries *out) {
  (void)fs;
  FsPath c;
  int fd;
  *out = (FsEntries){0};
  if (!fs_path_c(path, &c)) return FS_NOT_FOUND;
  FsStatus status = open_checked(&c, FS_DIR, &fd);
  if (status != FS_OK) return status;
  DIR *dir = fdopendir(fd);
  if (!dir) {
    close(fd);
    return FS_FAILED;
  }
  status = read_entries(dir, arena, out);
  closedir(dir);
  return status;
}

static Str disk_real(const Fs *fs, Arena *arena, Str path) {
  (void)fs;
  FsPath c;
  if (!fs_path_c(path, &c)) return S("");
  char *real = realpath(c.bytes, NULL);
  Str copy = real ? str_copy(arena, str_from(real)) : S("");
  free(real);
  return copy;
}

Fs fs_disk(void) { return (Fs){.stat = disk_stat, .read = disk_read, .list = disk_list, .real = disk_real}; }

Str fs_status_text(FsStatus status) {
  switch (status) {
    case FS_OK:
      return S("no error");
    case FS_NOT_FOUND:
      return S("no such file or directory");
    case FS_DENIED:
      return S("permission denied");
    case FS_TOO_BIG:
      return S("file too large");
    case FS_NOT_A_FILE:
      return S("not a regular file");
    case FS_CHANGING:
      return S("changes while it is read");
    case FS_FAILED:
      return S("input/output error");
  }
  tf_unreachable("unknown FsStatus");
}

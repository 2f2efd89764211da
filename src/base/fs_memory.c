/* A tree of files that exists in memory only. Its root is both `/` and the current folder; there are no links.
 *
 * Files are few (tests, fuzzers), so every question walks the list.
 */
#include <stdlib.h>

#include "base/fs.h"
#include "base/fs_disk.h"

typedef struct MemoryFile {
  Str path;  // normal form, without the leading slash
  Str text;
} MemoryFile;

typedef struct Memory {
  MemoryFile *files;
  size_t count;
} Memory;

/* "" for the root. */
static Str key_of(Arena *arena, Str path) {
  Str normal = path_normal(arena, path);
  if (str_starts(normal, S("/"))) normal = str_sub(normal, 1, normal.len);
  return str_eq(normal, S(".")) ? S("") : normal;
}

/* The rest of `path` below the folder `dir`, or an empty slice if it does not lie there. */
static Str below_dir(Str path, Str dir) {
  if (dir.len == 0) return path;
  bool inside = str_starts(path, dir) && path.len > dir.len && path.ptr[dir.len] == '/';
  return inside ? str_sub(path, dir.len + 1, path.len) : S("");
}

static const MemoryFile *find_file(const Memory *memory, Str key) {
  for (size_t i = 0; i < memory->count; i++) {
    if (str_eq(memory->files[i].path, key)) return &memory->files[i];
  }
  return NULL;
}

static bool is_dir(const Memory *memory, Str key) {
  if (key.len == 0) return true;
  for (size_t i = 0; i < memory->count; i++) {
    if (below_dir(memory->files[i].path, key).len) return true;
  }
  return false;
}

static FsStatus memory_stat(const Fs *fs, Str path, FsStat *out) {
  const Memory *memory = fs->data;
  Arena scratch = {0};
  Str key = key_of(&scratch, path);
  const MemoryFile *file = find_file(memory, key);
  *out = (FsStat){0};
  out->kind = out->target = file ? FS_FILE : is_dir(memory, key) ? FS_DIR : FS_ABSENT;
  if (file) out->size = file->text.len;
  arena_release(&scratch);
  return out->kind == FS_ABSENT ? FS_NOT_FOUND : FS_OK;
}

static FsStatus memory_read(const Fs *fs, Arena *arena, Str path, uint64_t max_bytes, Str *out) {
  const Memory *memory = fs->data;
  Str key = key_of(arena, path);
  const MemoryFile *file = find_file(memory, key);
  *out = S("");
  if (!file) return is_dir(memory, key) ? FS_NOT_A_FILE : FS_NOT_FOUND;
  if (file->text.len > max_bytes) return FS_TOO_BIG;
  *out = str_copy(arena, file->text);
  return FS_OK;
}

static void add_entry(Arena *arena, FsEntries *entries, Str name, FsKind kind) {
  for (uint32_t i = 0; i < entries->len; i++) {
    if (str_eq(entries->data[i].name, name)) return;
  }
  vec_push(arena, entries, ((FsEntry){.name = name, .kind = kind}));
}

static FsStatus memory_list(const Fs *fs, Arena *arena, Str path, FsEntries *out) {
  const Memory *memory = fs->data;
  Str key = key_of(arena, path);
  *out = (FsEntries){0};
  if (find_file(memory, key) || !is_dir(memory, key)) return FS_NOT_FOUND;
  for (size_t i = 0; i < memory->count; i++) {
    Str rest = below_dir(memory->files[i].path, key);
    Str name = str_cut(&rest, '/');
    if (name.len) add_entry(arena, out, name, rest.len ? FS_DIR : FS_FILE);
  }
  if (out->len) qsort(out->data, out->len, sizeof *out->data, fs_entry_order);
  return FS_OK;
}

static Str memory_real(const Fs *fs, Arena *arena, Str path) {
  const Memory *memory = fs->data;
  Str key = key_of(arena, path);
  if (!find_file(memory, key) && !is_dir(memory, key)) return S("");
  return str_concat(arena, S("/"), key);
}

Fs fs_memory(Arena *arena, const Str *paths, const Str *texts, size_t count) {
  Memory *memory = arena_new(arena, Memory);
  memory->files = arena_array(arena, MemoryFile, count);
  memory->count = count;
  for (size_t i = 0; i < count; i++) memory->files[i] = (MemoryFile){key_of(arena, paths[i]), texts[i]};
  return (Fs){.stat = memory_stat, .read = memory_read, .list = memory_list, .real = memory_real, .data = memory};
}

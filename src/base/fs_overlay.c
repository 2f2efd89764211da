/* One file in memory laid over another layer.
 *
 * The file may be asked for by any spelling of its path: relative, absolute, through links of the layer below. Folders that
 * exist only because the file would lie in them are not invented, except that the file's own folder can be listed.
 */
#include <stdlib.h>

#include "base/fs.h"
#include "base/fs_disk.h"

typedef struct Overlay {
  Str path;  // normal form
  Str real;  // by the layer below; empty if its folder does not exist there
  Str text;
  uint64_t dev, ino;  // of its folder; 0, 0 if that does not exist or the layer below knows no identity
} Overlay;

static Str folder_of(Str path) {
  Str dir = path_dir(path);
  return dir.len ? dir : S(".");
}

/* The absolute path of what need not exist, if its folder does. */
static Str real_in_dir(const Fs *fs, Arena *arena, Str path) {
  Str real = fs->real(fs, arena, folder_of(path));
  return real.len ? path_join(arena, real, path_base(path)) : S("");
}

/* By identity where there is one: resolving each folder of a deep tree would take the square of its depth. */
static bool is_same_folder(const Fs *fs, Arena *scratch, Str path) {
  const Overlay *overlay = fs->data;
  FsStat st;
  if (!overlay->dev && !overlay->ino)
    return overlay->real.len && str_eq(real_in_dir(fs->below, scratch, path), overlay->real);
  return fs->below->stat(fs->below, folder_of(path), &st) == FS_OK && st.dev == overlay->dev && st.ino == overlay->ino;
}

static bool is_overlaid(const Fs *fs, Arena *scratch, Str path) {
  const Overlay *overlay = fs->data;
  Str normal = path_normal(scratch, path);
  if (!str_eq(path_base(normal), path_base(overlay->path))) return false;  // most paths, and cheap
  return str_eq(normal, overlay->path) || is_same_folder(fs, scratch, normal);
}

static bool is_overlay(const Fs *fs, Str path) {
  Arena scratch = {0};
  bool found = is_overlaid(fs, &scratch, path);
  arena_release(&scratch);
  return found;
}

static FsStatus overlay_stat(const Fs *fs, Str path, FsStat *out) {
  const Overlay *overlay = fs->data;
  if (!is_overlay(fs, path)) return fs->below->stat(fs->below, path, out);
  // Identity and mode stay those of the file underneath, if there is one.
  if (fs->below->stat(fs->below, path, out) != FS_OK) *out = (FsStat){0};
  out->kind = out->target = FS_FILE;
  out->size = overlay->text.len;
  return FS_OK;
}

static FsStatus overlay_read(const Fs *fs, Arena *arena, Str path, uint64_t max_bytes, Str *out) {
  const Overlay *overlay = fs->data;
  if (!is_overlay(fs, path)) return fs->below->read(fs->below, arena, path, max_bytes, out);
  bool fits = overlay->text.len <= max_bytes;
  *out = fits ? str_copy(arena, overlay->text) : S("");
  return fits ? FS_OK : FS_TOO_BIG;
}

static FsStatus overlay_list(const Fs *fs, Arena *arena, Str path, FsEntries *out) {
  const Overlay *overlay = fs->data;
  Str name = path_base(overlay->path);
  FsStatus status = fs->below->list(fs->below, arena, path, out);
  if (!is_overlay(fs, path_join(arena, path, name)) || (status != FS_OK && status != FS_NOT_FOUND)) return status;
  for (uint32_t i = 0; i < out->len; i++) {
    if (!str_eq(out->data[i].name, name)) continue;
    out->data[i].kind = FS_FILE;
    return FS_OK;
  }
  vec_push(arena, out, ((FsEntry){.name = name, .kind = FS_FILE}));
  qsort(out->data, out->len, sizeof *out->data, fs_entry_order);
  return FS_OK;
}

static Str overlay_real(const Fs *fs, Arena *arena, Str path) {
  const Overlay *overlay = fs->data;
  if (!is_overlay(fs, path)) return fs->below->real(fs->below, arena, path);
  return overlay->real.len ? overlay->real : overlay->path;
}

Fs fs_overlay(Arena *arena, const Fs *below, Str path, Str text) {
  Overlay *overlay = arena_new(arena, Overlay);
  overlay->path = path_normal(arena, path);
  overlay->real = real_in_dir(below, arena, overlay->path);
  overlay->text = text;
  FsStat folder;
  if (below->stat(below, folder_of(overlay->path), &folder) == FS_OK) {
    overlay->dev = folder.dev;
    overlay->ino = folder.ino;
  }
  return (Fs){.stat = overlay_stat,
              .read = overlay_read,
              .list = overlay_list,
              .real = overlay_real,
              .below = below,
              .data = overlay};
}

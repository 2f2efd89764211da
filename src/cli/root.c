/* Finding the root of a project by the files that mark it. */
#include "cli/root.h"

enum { LARGEST_PYPROJECT = 1 << 20 };

static bool exists(Arena *scratch, const Fs *fs, Str dir, Str name) {
  FsStat st;
  return fs->stat(fs, path_join(scratch, dir, name), &st) == FS_OK;
}

static bool has_own_table(Arena *scratch, const Fs *fs, Str dir) {
  Str text;
  if (fs->read(fs, scratch, path_join(scratch, dir, S("pyproject.toml")), LARGEST_PYPROJECT, &text) != FS_OK)
    return false;
  return str_contains(text, S("[tool.tfcheck"));
}

static bool has_configuration(Arena *scratch, const Fs *fs, Str dir) {
  return exists(scratch, fs, dir, S("tfcheck.yaml")) || exists(scratch, fs, dir, S(".tfcheck.yaml")) ||
         has_own_table(scratch, fs, dir);
}

static Str parent_of(Str dir) { return str_eq(dir, S("/")) ? S("") : path_dir(dir); }

Str root_find(Arena *arena, const Fs *fs, Str path, bool is_dir) {
  Str git = S(""), pyproject = S("");
  for (Str dir = is_dir ? path : path_dir(path); dir.len; dir = parent_of(dir)) {
    if (has_configuration(arena, fs, dir)) return dir;
    if (!git.len && exists(arena, fs, dir, S(".git"))) git = dir;
    if (!pyproject.len && exists(arena, fs, dir, S("pyproject.toml"))) pyproject = dir;
  }
  return git.len ? git : pyproject;
}

Str root_of_git(Arena *arena, const Fs *fs, Str dir) {
  for (; dir.len; dir = parent_of(dir))
    if (exists(arena, fs, dir, S(".git"))) return dir;
  return S("");
}

bool root_relative(Str root, Str path, Str *out) {
  if (str_eq(root, path)) {
    *out = S(".");
    return true;
  }
  size_t skip = str_eq(root, S("/")) ? 1 : root.len + 1;
  if (!str_starts(path, root) || path.len <= skip || path.ptr[skip - 1] != '/') return false;
  *out = str_sub(path, skip, path.len);
  return true;
}

#include "support/tree.h"

#include <stdlib.h>

bool tree_is_python(Str path) { return str_ends(path, S(".py")); }

/* ---- reading ---- */

typedef struct Reader {
  Arena *arena;
  const Fs *fs;
  VEC(Str) paths;
  VEC(Str) texts;
} Reader;

static void read_file(Reader *reader, Str path, Str relative) {
  Str text;
  if (reader->fs->read(reader->fs, reader->arena, path, UINT32_MAX, &text) != FS_OK) return;
  vec_push(reader->arena, &reader->paths, relative);
  vec_push(reader->arena, &reader->texts, text);
}

/* Depth is that of our own fixtures folder. */
static void read_folder(Reader *reader, Str folder, Str relative) {
  FsEntries entries = {0};
  if (reader->fs->list(reader->fs, reader->arena, folder, &entries) != FS_OK) return;
  for (uint32_t i = 0; i < entries.len; i++) {
    FsEntry entry = entries.data[i];
    Str below = relative.len ? path_join(reader->arena, relative, entry.name) : entry.name;
    Str path = path_join(reader->arena, folder, entry.name);
    if (entry.kind == FS_DIR) read_folder(reader, path, below);
    else if (entry.kind == FS_FILE) read_file(reader, path, below);
  }
}

static int path_order(const void *a, const void *b) {
  const Str *left = a, *right = b;
  return str_cmp(*left, *right);
}

/* Texts follow their paths by being looked up again: trees are small. */
static Tree tree_make(Arena *arena, Str name, Reader *reader) {
  Tree tree = {.name = name, .len = reader->paths.len};
  tree.paths = arena_array(arena, Str, tree.len);
  tree.texts = arena_array(arena, Str, tree.len);
  for (uint32_t i = 0; i < tree.len; i++) tree.paths[i] = reader->paths.data[i];
  qsort(tree.paths, tree.len, sizeof *tree.paths, path_order);
  for (uint32_t i = 0; i < tree.len; i++) {
    for (uint32_t k = 0; k < tree.len; k++) {
      if (str_eq(tree.paths[i], reader->paths.data[k])) tree.texts[i] = reader->texts.data[k];
    }
  }
  return tree;
}

static bool is_rule_folder(Str name) { return str_starts(name, S("TF")) && name.len == 5; }

static void collect_folder(Arena *arena, const Fs *fs, Str fixtures, Str folder, Trees *out) {
  FsEntries entries = {0};
  Str path = path_join(arena, fixtures, folder);
  if (fs->list(fs, arena, path, &entries) != FS_OK) return;
  for (uint32_t i = 0; i < entries.len; i++) {
    FsEntry entry = entries.data[i];
    Str name = path_join(arena, folder, entry.name), full = path_join(arena, fixtures, name);
    Reader reader = {.arena = arena, .fs = fs};
    if (entry.kind == FS_DIR && is_rule_folder(entry.name)) {
      collect_folder(arena, fs, fixtures, name, out);
    } else if (entry.kind == FS_DIR) {
      read_folder(&reader, full, S(""));
      vec_push(arena, out, tree_make(arena, name, &reader));
    } else if (tree_is_python(entry.name) && !str_ends(entry.name, S(".fixed.py"))) {
      read_file(&reader, full, entry.name);
      vec_push(arena, out, tree_make(arena, name, &reader));
    }
  }
}

void trees_collect(Arena *arena, Str fixtures, const Str *folders, uint32_t count, Trees *out) {
  Fs fs = fs_disk();
  for (uint32_t i = 0; i < count; i++) collect_folder(arena, &fs, fixtures, folders[i], out);
}

Tree tree_with(Arena *arena, const Tree *tree, uint32_t file, Str text) {
  Tree changed = *tree;
  changed.texts = arena_array(arena, Str, tree->len);
  for (uint32_t i = 0; i < tree->len; i++) changed.texts[i] = i == file ? text : tree->texts[i];
  return changed;
}

/* A script in a home folder or in /tmp: what lies below its folder is mostly not its program.
 *
 * Its own folder is taken, then every sub-folder that is a package (holds `__init__.py`), and every one whose name is part of
 * a module name that a taken file imports, until nothing is added. By name and not by path, so that it holds for relative
 * imports and for namespace packages alike; a folder too many costs time, one too few costs sight.
 *
 * Requires: a walk that has been started at the root.
 */
#include "cli/loose.h"

#include "source/source.h"

enum { LARGEST_SCANNED = 4 << 20 };

typedef struct Loose {
  FileWalk *walk;
  StrVec *files;
  StrVec ready;      // folders to be taken
  StrVec waiting;    // folders that nothing has named yet
  StrMap imported;   // parts of module names
  uint32_t scanned;  // files whose imports are in `imported`
} Loose;

static bool is_package(const Loose *loose, Str dir) {
  const FileWalk *walk = loose->walk;
  FsStat st;
  Str mark = path_join(walk->arena, path_join(walk->arena, walk->root, dir), S("__init__.py"));
  return walk->fs->stat(walk->fs, mark, &st) == FS_OK;
}

static void take_ready(Loose *loose) {
  Arena *arena = loose->walk->arena;
  while (loose->ready.len) {
    Str dir = loose->ready.data[--loose->ready.len];
    StrVec inner = {0};
    walk_one(loose->walk, dir, loose->files, &inner);
    for (uint32_t i = 0; i < inner.len; i++)
      vec_push(arena, is_package(loose, inner.data[i]) ? &loose->ready : &loose->waiting, inner.data[i]);
  }
}

static void add_names(Loose *loose, Str module) {
  while (module.len) {
    Str name = str_cut(&module, '.');
    bool fresh;
    if (name.len && !strmap_get(&loose->imported, name))
      strmap_put(loose->walk->arena, &loose->imported, str_copy(loose->walk->arena, name), &fresh);
  }
}

static void scan_new_files(Loose *loose) {
  const FileWalk *walk = loose->walk;
  for (; loose->scanned < loose->files->len; loose->scanned++) {
    Arena scratch = {0};
    Str text, path = path_join(&scratch, walk->root, loose->files->data[loose->scanned]);
    StrVec modules = {0};
    if (walk->fs->read(walk->fs, &scratch, path, LARGEST_SCANNED, &text) == FS_OK)
      source_scan_imports(&scratch, text, &modules);
    for (uint32_t i = 0; i < modules.len; i++) add_names(loose, modules.data[i]);
    arena_release(&scratch);
  }
}

static void release_named(Loose *loose) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < loose->waiting.len; i++) {
    Str dir = loose->waiting.data[i];
    if (strmap_get(&loose->imported, path_base(dir))) vec_push(loose->walk->arena, &loose->ready, dir);
    else loose->waiting.data[kept++] = dir;
  }
  loose->waiting.len = kept;
}

void loose_find(FileWalk *walk, const StrVec *dirs, StrVec *out) {
  Loose loose = {.walk = walk, .files = out};
  for (uint32_t i = 0; i < dirs->len; i++) vec_push(walk->arena, &loose.ready, dirs->data[i]);
  while (loose.ready.len) {
    take_ready(&loose);
    scan_new_files(&loose);
    release_named(&loose);
  }
}

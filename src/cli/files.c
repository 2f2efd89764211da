/* From PATHs to files.
 *
 * The whole project is always listed, because findings in one file follow from others; PATHs choose what is reported. The
 * root is searched for from the first PATH; a PATH with another root is an error that names both.
 */
#include "cli/files.h"

#include <stdlib.h>

#include "cli/loose.h"
#include "cli/root.h"
#include "cli/walk.h"
#include "report/text.h"

typedef struct Target {
  Str given;  // as on the command line
  Str path;   // absolute, links resolved
  bool is_dir;
} Target;

typedef VEC(Target) Targets;

typedef struct Search {
  Arena *arena;
  const FileRequest *request;
  FileSet *set;
  Targets targets;
  bool loose;  // nothing marks a project: the root is only the folder of a file
} Search;

static Str quoted(Arena *arena, Str path) {
  StrBuf buf = {.arena = arena};
  text_safe(&buf, path);
  return buf_view(&buf);
}

static void add_error(const Search *search, Str path, Str reason) {
  Str shown = quoted(search->arena, path);
  vec_push(search->arena, &search->set->errors,
           str_printf(search->arena, "%.*s: %.*s", STR_ARG(shown), STR_ARG(reason)));
}

/* ---- what the paths are ---- */

static Str absolute(const Search *search, Str path) {
  const Fs *fs = search->request->fs;
  Str real = fs->real(fs, search->arena, path);
  if (real.len && real.ptr[0] != '/')
    real = path_normal(search->arena, path_join(search->arena, search->request->cwd, real));
  return real;
}

static void add_target(Search *search, Str given) {
  const Fs *fs = search->request->fs;
  Target target = {.given = given, .path = given.len ? absolute(search, given) : S("")};
  FsStat st;
  FsStatus status = target.path.len ? fs->stat(fs, target.path, &st) : FS_NOT_FOUND;
  if (!target.path.len && given.len) {  // why it does not resolve: absent, dangling, or not to be looked at
    FsStatus own = fs->stat(fs, given, &st);
    status = own == FS_OK ? FS_NOT_FOUND : own;
  }
  if (status == FS_NOT_FOUND && str_eq(given, S("-"))) {
    add_error(search, given, S("standard input needs a name: --stdin-filename FILE"));
  } else if (status != FS_OK) {
    add_error(search, given, fs_status_text(status));
  } else if (st.kind != FS_DIR && st.kind != FS_FILE) {
    add_error(search, given, fs_status_text(FS_NOT_A_FILE));
  } else {
    target.is_dir = st.kind == FS_DIR;
    vec_push(search->arena, &search->targets, target);
  }
}

/* ---- the root ---- */

static Str own_folder(const Target *target) { return target->is_dir ? target->path : path_dir(target->path); }

static void fail_two_roots(Search *search, const Target *a, Str root_a, const Target *b, Str root_b) {
  Arena *arena = search->arena;
  Str texts[] = {quoted(arena, a->given), quoted(arena, root_a), quoted(arena, b->given), quoted(arena, root_b)};
  Str reason =
      str_printf(arena,
                 "the paths belong to two projects: %.*s to %.*s, %.*s to %.*s; check them one by one, or give "
                 "--project-root",
                 STR_ARG(texts[0]), STR_ARG(texts[1]), STR_ARG(texts[2]), STR_ARG(texts[3]));
  vec_push(arena, &search->set->errors, reason);
  search->set->fatal = true;
}

/* Paths without any mark of a project above them are one project if they lie in the folder of one of them. */
static Str search_root(Search *search) {
  Arena *arena = search->arena;
  const Target *first = &search->targets.data[0];
  Str root = root_find(arena, search->request->fs, first->path, first->is_dir);
  Str loose = own_folder(first), below;
  for (uint32_t i = 1; i < search->targets.len; i++) {
    const Target *target = &search->targets.data[i];
    Str other = root_find(arena, search->request->fs, target->path, target->is_dir), own = own_folder(target);
    bool same = str_eq(other, root);
    if (!root.len && same && root_relative(own, loose, &below)) loose = own;
    if (same && (root.len || root_relative(loose, own, &below))) continue;
    fail_two_roots(search, first, root.len ? root : own_folder(first), target, other.len ? other : own);
    return S("");
  }
  search->loose = !root.len;
  return root.len ? root : loose;
}

static void check_inside(Search *search, Str root) {
  Str below;
  for (uint32_t i = 0; i < search->targets.len; i++) {
    if (root_relative(root, search->targets.data[i].path, &below)) continue;
    Str shown = quoted(search->arena, root);
    add_error(search, search->targets.data[i].given,
              str_printf(search->arena, "not inside the project root %.*s", STR_ARG(shown)));
    search->set->fatal = true;
  }
}

static Str given_root(Search *search) {
  Str given = search->request->project_root, root = absolute(search, given);
  FsStat st;
  const Fs *fs = search->request->fs;
  if (root.len && fs->stat(fs, root, &st) == FS_OK && st.kind == FS_DIR) return root;
  add_error(search, str_concat(search->arena, S("--project-root "), given), S("not a folder"));
  search->set->fatal = true;
  return S("");
}

/* ---- the files ---- */

static int path_order(const void *a, const void *b) { return str_cmp(*(const Str *)a, *(const Str *)b); }

void files_sort(StrVec *paths) {
  if (!paths->len) return;
  qsort(paths->data, paths->len, sizeof *paths->data, path_order);
  uint32_t len = 1;
  for (uint32_t i = 1; i < paths->len; i++)
    if (!str_eq(paths->data[i], paths->data[len - 1])) paths->data[len++] = paths->data[i];
  paths->len = len;
}

bool files_hold(const StrVec *sorted, Str path) {
  return sorted->len && bsearch(&path, sorted->data, sorted->len, sizeof *sorted->data, path_order) != NULL;
}

static void add_below(const StrVec *files, Str dir, Arena *arena, StrVec *out) {
  Str prefix = str_concat(arena, dir, S("/"));
  for (uint32_t i = 0; i < files->len; i++)
    if (str_starts(files->data[i], prefix)) vec_push(arena, out, files->data[i]);
}

/* A target that the walk did not reach: excluded by name or rule, or no `.py` file. */
static void add_outlier(Search *search, FileWalk *walk, const Target *target, Str path, StrVec *extra) {
  Str why = S("");
  bool excluded = walk_is_excluded(walk, path, target->is_dir, &why);
  if (excluded && search->request->force_exclude) return;
  if (excluded) {
    Str shown = quoted(search->arena, target->given);
    vec_push(search->arena, &search->set->notices,
             str_printf(search->arena, "%.*s: %.*s, but it was named; --force-exclude leaves it out", STR_ARG(shown),
                        STR_ARG(why)));
  }
  FileSet *set = search->set;
  uint32_t first = extra->len;
  if (!target->is_dir) {
    vec_push(search->arena, extra, path);
    vec_push(search->arena, &set->named, path);
  } else if (excluded) {
    // Rules of the folders above do not apply to what was asked for; those inside do.
    IgnoreStack rules = walk->ignore;
    walk->ignore = (IgnoreStack){.arena = search->arena};
    walk_folder(walk, path, extra);
    walk->ignore = rules;
  }
  for (uint32_t i = first; i < extra->len; i++) vec_push(search->arena, &set->only, extra->data[i]);
}

static void choose_targets(Search *search, FileWalk *walk) {
  FileSet *set = search->set;
  StrVec extra = {0};
  for (uint32_t i = 0; i < search->targets.len; i++) {
    const Target *target = &search->targets.data[i];
    Str path;
    if (!root_relative(set->root, target->path, &path)) continue;
    if (str_eq(path, S("."))) {
      set->limited = false;
      return;
    }
    uint32_t before = set->only.len;
    if (target->is_dir) {
      add_below(&set->files, path, search->arena, &set->only);
    } else if (files_hold(&set->files, path)) {
      vec_push(search->arena, &set->only, path);
      vec_push(search->arena, &set->named, path);
    }
    if (set->only.len == before) add_outlier(search, walk, target, path, &extra);
  }
  for (uint32_t i = 0; i < extra.len; i++) vec_push(search->arena, &set->files, extra.data[i]);
  files_sort(&set->files);
  files_sort(&set->only);
  files_sort(&set->named);
}

/* Without a project: what was named, all of it below folders, and what goes with it. */
static void find_loose(Search *search, FileWalk *walk) {
  FileSet *set = search->set;
  StrVec dirs = {0};
  vec_push(search->arena, &dirs, S("."));
  for (uint32_t i = 0; i < search->targets.len; i++) {
    const Target *target = &search->targets.data[i];
    Str path, why;
    if (!root_relative(set->root, own_folder(target), &path) || walk_is_excluded(walk, path, true, &why)) continue;
    if (target->is_dir) walk_folder(walk, path, &set->files);
    else vec_push(search->arena, &dirs, path);
  }
  loose_find(walk, &dirs, &set->files);
}

void files_find(Arena *arena, const FileRequest *request, FileSet *out) {
  Search search = {.arena = arena, .request = request, .set = out};
  *out = (FileSet){0};
  for (uint32_t i = 0; i < request->paths.len; i++) add_target(&search, request->paths.data[i]);
  if (!request->paths.len) {
    Str cwd = absolute(&search, request->cwd);
    vec_push(arena, &search.targets, ((Target){.given = S("."), .path = cwd.len ? cwd : request->cwd, .is_dir = true}));
  }
  if (!search.targets.len) {
    out->fatal = true;
    return;
  }
  out->root = request->project_root.len ? given_root(&search) : search_root(&search);
  if (!out->fatal) check_inside(&search, out->root);
  if (out->fatal) return;
  out->limited = request->paths.len > 0;
  FileWalk walk;
  walk_init(&walk, arena, request->fs, out, out->root, !request->no_gitignore);
  if (search.loose) find_loose(&search, &walk);
  else walk_folder(&walk, S("."), &out->files);
  files_sort(&out->files);
  if (out->limited) choose_targets(&search, &walk);
}

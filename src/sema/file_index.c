/* Which file an import means.
 *
 * An absolute import is looked for below several folders, nearest to the importing file first, because we do not know what
 * sys.path will be: the file's own folder if it is no package (a script and its siblings), the source roots around the file,
 * the other source roots, and at last the own folder of a package and the folders above it (Python 2's implicit siblings,
 * projects inside projects; not for names of the standard library). Other source roots are equally far away: if they disagree the import is unclear. A folder without
 * __init__.py counts only if no file is found anywhere, so that `examples/tensorflow/` does not hide TensorFlow.
 */
#include "sema/file_index.h"

enum { NO_FILE = UINT32_MAX };

/* ---- the index ---- */

static Str root_normal(Str root) {
  while (str_starts(root, S("./"))) root = str_sub(root, 2, root.len);
  while (root.len > 1 && str_ends(root, S("/"))) root.len--;
  return str_eq(root, S(".")) ? S("") : root;
}

static void add_folders(Arena *arena, FileIndex *index, Str path) {
  bool fresh = true;
  for (Str folder = path_dir(path); fresh; folder = path_dir(folder)) {
    *strmap_put(arena, &index->folders, folder, &fresh) = 1;
    if (folder.len == 0) break;
  }
}

void file_index_init(Arena *arena, FileIndex *index, const StrList *files, const StrList *source_roots) {
  static const Str default_roots[] = {S_INIT("src"), S_INIT(".")};
  StrList roots = source_roots->len ? *source_roots : (StrList){default_roots, 2};
  *index = (FileIndex){.paths = files->data, .count = files->len};
  Str *normal = arena_array(arena, Str, roots.len);
  for (uint32_t i = 0; i < roots.len; i++) normal[i] = root_normal(roots.data[i]);
  index->roots = (StrList){normal, roots.len};
  for (uint32_t i = 0; i < files->len; i++) {
    *strmap_put(arena, &index->by_path, files->data[i], NULL) = i + 1;
    add_folders(arena, index, files->data[i]);
  }
}

static uint32_t find_path(const FileIndex *index, const StrBuf *path) {
  uint64_t *found = strmap_get(&index->by_path, buf_view(path));
  return found ? (uint32_t)*found - 1 : NO_FILE;
}

static bool is_package_folder(Arena *scratch, const FileIndex *index, Str folder) {
  StrBuf path = {.arena = scratch};
  buf_str(&path, folder);
  buf_str(&path, folder.len ? S("/__init__.py") : S("__init__.py"));
  return find_path(index, &path) != NO_FILE;
}

/* ---- looking below one folder ---- */

/* `base` + the dotted name as a path, without an ending. */
static void put_module_path(StrBuf *path, Str base, Str dotted) {
  buf_str(path, base);
  while (dotted.len) {
    if (path->len) buf_char(path, '/');
    buf_str(path, str_cut(&dotted, '.'));
  }
}

/* A package wins over a module of the same name, as in Python. */
static ImportTarget look_below(Arena *scratch, const FileIndex *index, Str base, Str dotted) {
  StrBuf path = {.arena = scratch};
  put_module_path(&path, base, dotted);
  size_t stem = path.len;
  buf_str(&path, stem ? S("/__init__.py") : S("__init__.py"));
  uint32_t file = find_path(index, &path);
  if (file == NO_FILE && dotted.len) {
    path.len = stem;
    buf_lit(&path, ".py");
    file = find_path(index, &path);
  }
  if (file != NO_FILE) return (ImportTarget){IMPORT_FILE, file};
  path.len = stem;
  bool folder = strmap_get(&index->folders, buf_view(&path)) != NULL;
  return (ImportTarget){folder ? IMPORT_NAMESPACE : IMPORT_OUTSIDE, NO_FILE};
}

/* ---- absolute imports ---- */

typedef struct Search {
  Arena *scratch;
  const FileIndex *index;
  Str dotted;
  bool namespace;  // some folder of that name exists
} Search;

static uint32_t search_below(Search *search, Str base) {
  ImportTarget target = look_below(search->scratch, search->index, base, search->dotted);
  if (target.found == IMPORT_NAMESPACE) search->namespace = true;
  return target.found == IMPORT_FILE ? target.file : NO_FILE;
}

static bool folder_holds(Str folder, Str path) {
  return folder.len == 0 || (str_starts(path, folder) && path.len > folder.len && path.ptr[folder.len] == '/');
}

/* The innermost source root around `path` that is shorter than `limit`. */
static bool next_root_around(const FileIndex *index, Str path, size_t limit, Str *root) {
  bool found = false;
  for (uint32_t i = 0; i < index->roots.len; i++) {
    Str candidate = index->roots.data[i];
    if (!folder_holds(candidate, path) || candidate.len >= limit || (found && candidate.len <= root->len)) continue;
    *root = candidate;
    found = true;
  }
  return found;
}

static uint32_t search_roots_around(Search *search, Str from) {
  Str root = {0};
  for (size_t limit = from.len + 1; next_root_around(search->index, from, limit, &root); limit = root.len) {
    uint32_t file = search_below(search, root);
    if (file != NO_FILE) return file;
    if (root.len == 0) break;
  }
  return NO_FILE;
}

static uint32_t search_other_roots(Search *search, Str from, bool *unclear) {
  uint32_t found = NO_FILE;
  for (uint32_t i = 0; i < search->index->roots.len; i++) {
    if (folder_holds(search->index->roots.data[i], from)) continue;
    uint32_t file = search_below(search, search->index->roots.data[i]);
    if (file == NO_FILE || file == found) continue;
    if (found != NO_FILE) *unclear = true;
    found = file;
  }
  return found;
}

/* Names that Python 3 never takes from a package's own folder, and that projects like to give to their modules. */
static bool belongs_outside(Str dotted) {
  static const Str names[] = {
      S_INIT("abc"),    S_INIT("ast"),         S_INIT("builtins"),   S_INIT("code"),       S_INIT("collections"),
      S_INIT("copy"),   S_INIT("dataclasses"), S_INIT("datetime"),   S_INIT("enum"),       S_INIT("functools"),
      S_INIT("io"),     S_INIT("inspect"),     S_INIT("json"),       S_INIT("keras"),      S_INIT("logging"),
      S_INIT("math"),   S_INIT("numbers"),     S_INIT("numpy"),      S_INIT("operator"),   S_INIT("os"),
      S_INIT("parser"), S_INIT("pickle"),      S_INIT("platform"),   S_INIT("profile"),    S_INIT("queue"),
      S_INIT("random"), S_INIT("re"),          S_INIT("signal"),     S_INIT("statistics"), S_INIT("string"),
      S_INIT("struct"), S_INIT("sys"),         S_INIT("tensorflow"), S_INIT("test"),       S_INIT("tf_keras"),
      S_INIT("time"),   S_INIT("token"),       S_INIT("torch"),      S_INIT("trace"),      S_INIT("types"),
      S_INIT("typing"), S_INIT("warnings"),
  };
  Str top = str_cut(&dotted, '.');
  return STR_IN(top, names);
}

static uint32_t search_folders_up(Search *search, Str folder) {
  if (belongs_outside(search->dotted)) return NO_FILE;
  for (;; folder = path_dir(folder)) {
    uint32_t file = search_below(search, folder);
    if (file != NO_FILE || folder.len == 0) return file;
  }
}

static ImportTarget import_absolute(Arena *scratch, const FileIndex *index, Str from, Str dotted) {
  Search search = {scratch, index, dotted, false};
  Str folder = path_dir(from);
  bool unclear = false;
  uint32_t file = NO_FILE;
  if (!is_package_folder(scratch, index, folder)) file = search_below(&search, folder);
  if (file == NO_FILE) file = search_roots_around(&search, from);
  if (file == NO_FILE) file = search_other_roots(&search, from, &unclear);
  if (file == NO_FILE) file = search_folders_up(&search, folder);
  if (unclear) return (ImportTarget){IMPORT_UNCLEAR, NO_FILE};
  if (file != NO_FILE) return (ImportTarget){IMPORT_FILE, file};
  return (ImportTarget){search.namespace ? IMPORT_NAMESPACE : IMPORT_OUTSIDE, NO_FILE};
}

/* ---- relative imports ---- */

static ImportTarget import_relative(Arena *scratch, const FileIndex *index, Str from, Str dotted, uint32_t dots) {
  const ImportTarget nowhere = {IMPORT_UNCLEAR, NO_FILE};
  Str folder = path_dir(from);
  for (uint32_t i = 1; i < dots; i++) {
    if (folder.len == 0) return nowhere;
    folder = path_dir(folder);
  }
  ImportTarget target = look_below(scratch, index, folder, dotted);
  return target.found == IMPORT_OUTSIDE ? nowhere : target;
}

ImportTarget file_index_import(const FileIndex *index, Str from, Str dotted, uint32_t dots) {
  Arena scratch = {0};
  ImportTarget target = {IMPORT_UNCLEAR, NO_FILE};
  if (dots > 0) target = import_relative(&scratch, index, from, dotted, dots);
  else if (dotted.len) target = import_absolute(&scratch, index, from, dotted);
  arena_release(&scratch);
  return target;
}

/* ---- what a path says ---- */

bool file_is_package(Str path) { return str_eq(path_base(path), S("__init__.py")); }

static Str without_ending(Str path) {
  static const Str endings[] = {S_INIT(".py"), S_INIT(".pyw"), S_INIT(".ipynb")};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    if (str_ends(path, endings[i])) return str_sub(path, 0, path.len - endings[i].len);
  }
  return path;
}

Str file_module_name(Arena *arena, const FileIndex *index, Str path) {
  Str root = {0};
  next_root_around(index, path, path.len, &root);
  Str rest = root.len ? str_sub(path, root.len + 1, path.len) : path;
  if (file_is_package(rest) && rest.len > S("__init__.py").len) rest = path_dir(rest);
  else rest = without_ending(rest);
  StrBuf name = {.arena = arena};
  while (rest.len) {
    if (name.len) buf_char(&name, '.');
    buf_str(&name, str_cut(&rest, '/'));
  }
  return buf_view(&name);
}

bool file_is_test(Str path) {
  Str base = path_base(path);
  if (str_eq(base, S("conftest.py")) || str_starts(base, S("test_")) || str_ends(base, S("_test.py"))) return true;
  Str rest = path_dir(path);
  while (rest.len) {
    Str folder = str_cut(&rest, '/');
    if (str_eq(folder, S("tests")) || str_eq(folder, S("test"))) return true;
  }
  return false;
}

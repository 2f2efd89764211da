/* The walk. Folders wait on an explicit stack, so depth costs memory only. Links to folders are not followed, hence there
 * are no loops; a link to a file stands for its target, once.
 */
#include "cli/walk.h"

#include "cli/root.h"

enum { LARGEST_IGNORE_FILE = 4 << 20 };

static bool is_default_exclude(Str name) {
  static const Str names[] = {
      S_INIT(".git"),          S_INIT(".hg"),
      S_INIT(".svn"),          S_INIT(".venv"),
      S_INIT("venv"),          S_INIT("env"),
      S_INIT(".tox"),          S_INIT(".nox"),
      S_INIT("node_modules"),  S_INIT("build"),
      S_INIT("dist"),          S_INIT("__pycache__"),
      S_INIT("site-packages"), S_INIT(".ipynb_checkpoints"),
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (str_eq(name, names[i])) return true;
  return str_ends(name, S(".egg-info"));
}

static Str child_of(Arena *arena, Str dir, Str name) { return path_join(arena, dir, name); }

static Str disk_path(const FileWalk *walk, Str path) {
  return str_eq(path, S(".")) ? walk->root : path_join(walk->arena, walk->root, path);
}

static Str ignore_path(const FileWalk *walk, Str path) {
  if (str_eq(path, S(".")))
    return str_sub(walk->ignore_prefix, 0, walk->ignore_prefix.len ? walk->ignore_prefix.len - 1 : 0);
  return walk->ignore_prefix.len ? str_concat(walk->arena, walk->ignore_prefix, path) : path;
}

static bool is_ignored(const FileWalk *walk, const IgnoreStack *stack, Str path, bool is_dir) {
  return walk->gitignore && stack->rules.len && ignore_match(stack, ignore_path(walk, path), is_dir);
}

/* ---- rules from above the root ---- */

static void push_file(const FileWalk *walk, IgnoreStack *stack, Str file, Str base) {
  Str text;
  if (walk->fs->read(walk->fs, walk->arena, file, LARGEST_IGNORE_FILE, &text) == FS_OK) ignore_push(stack, base, text);
}

/* The folder of git's own files: `.git`, or where a `.git` file of a linked work tree or submodule points. */
static Str git_folder(const FileWalk *walk) {
  Arena *arena = walk->arena;
  Str text, common, git = path_join(arena, walk->ignore_top, S(".git"));
  if (walk->fs->read(walk->fs, arena, git, LARGEST_IGNORE_FILE, &text) != FS_OK || !str_starts(text, S("gitdir:")))
    return git;
  git = path_join(arena, walk->ignore_top, str_trim(str_sub(text, 7, text.len)));
  if (walk->fs->read(walk->fs, arena, path_join(arena, git, S("commondir")), LARGEST_IGNORE_FILE, &common) != FS_OK)
    return git;
  return path_join(arena, git, str_trim(common));
}

/* `.git/info/exclude`, then each .gitignore from the work tree's top down to the folder above the root. If the root itself
 * is ignored, the rules above it have nothing to say: somebody asked for this folder. */
static void push_outer_rules(FileWalk *walk) {
  IgnoreStack *stack = &walk->ignore;
  push_file(walk, stack, path_join(walk->arena, git_folder(walk), S("info/exclude")), S(""));
  Str rest = walk->ignore_prefix, dir = S("");
  while (rest.len) {
    push_file(walk, stack, path_join(walk->arena, path_join(walk->arena, walk->ignore_top, dir), S(".gitignore")), dir);
    Str name = str_cut(&rest, '/');
    dir = dir.len ? path_join(walk->arena, dir, name) : name;
    if (ignore_match(stack, dir, true)) ignore_pop(stack, 0);
  }
}

void walk_init(FileWalk *walk, Arena *arena, const Fs *fs, FileSet *set, Str root, bool gitignore) {
  Str below;
  *walk = (FileWalk){
      .arena = arena, .fs = fs, .set = set, .root = root, .gitignore = gitignore, .ignore = {.arena = arena}};
  if (!gitignore) return;
  Str git = root_of_git(arena, fs, root);
  walk->ignore_top = git.len ? git : root;
  if (git.len && root_relative(git, root, &below) && !str_eq(below, S(".")))
    walk->ignore_prefix = str_concat(arena, below, S("/"));
  if (git.len) push_outer_rules(walk);
}

/* ---- one entry ---- */

static void skip(const FileWalk *walk, Str path, Str reason) {
  vec_push(walk->arena, &walk->set->skipped, ((SkippedFile){path, reason}));
}

/* A link to a file inside the project means that file; any other link is passed over. False if there is nothing to add. */
static bool resolve_link(const FileWalk *walk, const FsStat *st, Str *path) {
  if (st->target == FS_DIR) return false;
  Str real = st->target == FS_FILE ? walk->fs->real(walk->fs, walk->arena, disk_path(walk, *path)) : S("");
  Str inside;
  if (real.len && root_relative(walk->root, real, &inside)) {
    *path = inside;
    return true;
  }
  skip(walk, *path,
       real.len ? S("symbolic link to a file outside of the project") : S("symbolic link that leads to no file"));
  return false;
}

static void add_file(FileWalk *walk, Str path, FsKind kind, StrVec *out) {
  FsStat st;
  if (kind == FS_OTHER) {
    skip(walk, path, S("not a regular file"));
    return;
  }
  FsStatus status = walk->fs->stat(walk->fs, disk_path(walk, path), &st);
  if (status != FS_OK) {
    skip(walk, path, fs_status_text(status));
    return;
  }
  if (st.kind == FS_LINK && !resolve_link(walk, &st, &path)) return;
  bool fresh = true;
  if (st.dev || st.ino) map_put(walk->arena, &walk->inodes, hash_mix(st.dev, st.ino), &fresh);
  if (fresh) vec_push(walk->arena, out, path);
}

/* ---- folders ---- */

typedef struct FolderLevel {
  Str dir;
  FsEntries entries;
  uint32_t next;
  uint32_t ignore_before;
} FolderLevel;

typedef VEC(FolderLevel) FolderStack;

static bool has_entry(const FsEntries *entries, Str name) {
  for (uint32_t i = 0; i < entries->len; i++)
    if (str_eq(entries->data[i].name, name)) return true;
  return false;
}

static void enter(FileWalk *walk, FolderStack *stack, Str dir) {
  FolderLevel level = {.dir = dir, .ignore_before = walk->ignore.rules.len};
  bool fresh;
  strmap_put(walk->arena, &walk->entered, dir, &fresh);
  if (!fresh) return;
  FsStatus status = walk->fs->list(walk->fs, walk->arena, disk_path(walk, dir), &level.entries);
  if (status != FS_OK) {
    skip(walk, dir, fs_status_text(status));
    return;
  }
  if (walk->gitignore && has_entry(&level.entries, S(".gitignore")))
    push_file(walk, &walk->ignore, child_of(walk->arena, disk_path(walk, dir), S(".gitignore")),
              ignore_path(walk, dir));
  vec_push(walk->arena, stack, level);
}

/* The path of an entry that is to be looked at; empty if it is not. */
static Str wanted_path(const FileWalk *walk, Str dir, const FsEntry *entry) {
  bool is_dir = entry->kind == FS_DIR;
  if (is_dir ? is_default_exclude(entry->name) : !str_ends(entry->name, S(".py"))) return S("");
  Str path = child_of(walk->arena, dir, entry->name);
  return is_ignored(walk, &walk->ignore, path, is_dir) ? S("") : path;
}

static void visit(FileWalk *walk, FolderStack *stack, Str dir, const FsEntry *entry, StrVec *out) {
  Str path = wanted_path(walk, dir, entry);
  if (!path.len) return;
  if (entry->kind == FS_DIR) enter(walk, stack, path);
  else add_file(walk, path, entry->kind, out);
}

void walk_folder(FileWalk *walk, Str dir, StrVec *out) {
  FolderStack stack = {0};
  enter(walk, &stack, dir);
  while (stack.len) {
    FolderLevel *level = &vec_last(&stack);
    if (level->next == level->entries.len) {
      ignore_pop(&walk->ignore, level->ignore_before);
      stack.len--;
      continue;
    }
    const FsEntry *entry = &level->entries.data[level->next++];
    visit(walk, &stack, level->dir, entry, out);
  }
}

/* The rules of the folders from the root down to the one above `dir`. */
static void push_rules_above(FileWalk *walk, Str dir) {
  if (!walk->gitignore || str_eq(dir, S("."))) return;
  Str above = S("."), rest = dir;
  while (rest.len) {
    push_file(walk, &walk->ignore, child_of(walk->arena, disk_path(walk, above), S(".gitignore")),
              ignore_path(walk, above));
    above = child_of(walk->arena, above, str_cut(&rest, '/'));
  }
}

void walk_one(FileWalk *walk, Str dir, StrVec *out, StrVec *folders) {
  uint32_t before = walk->ignore.rules.len;
  FolderStack stack = {0};
  push_rules_above(walk, dir);
  enter(walk, &stack, dir);
  for (uint32_t i = 0; stack.len && i < stack.data[0].entries.len; i++) {
    const FsEntry *entry = &stack.data[0].entries.data[i];
    Str path = wanted_path(walk, dir, entry);
    if (!path.len) continue;
    if (entry->kind == FS_DIR) vec_push(walk->arena, folders, path);
    else add_file(walk, path, entry->kind, out);
  }
  ignore_pop(&walk->ignore, before);
}

bool walk_is_excluded(FileWalk *walk, Str path, bool is_dir, Str *why) {
  uint32_t before = walk->ignore.rules.len;
  Str rest = path, dir = S(".");
  bool excluded = false;
  while (rest.len && !excluded) {
    if (walk->gitignore)
      push_file(walk, &walk->ignore, child_of(walk->arena, disk_path(walk, dir), S(".gitignore")),
                ignore_path(walk, dir));
    Str name = str_cut(&rest, '/');
    bool name_is_dir = rest.len > 0 || is_dir;
    dir = child_of(walk->arena, dir, name);
    bool by_name = name_is_dir && is_default_exclude(name);
    excluded = by_name || is_ignored(walk, &walk->ignore, dir, name_is_dir);
    *why =
        by_name ? str_printf(walk->arena, "`%.*s` folders are excluded", STR_ARG(name)) : S(".gitignore excludes it");
  }
  ignore_pop(&walk->ignore, before);
  return excluded;
}

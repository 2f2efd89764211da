/* Which files a run sees: .gitignore against git itself on generated trees, roots, links, exclusions, hostile names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/files.h"
#include "cli/ignore.h"
#include "cli/root.h"

#define assert_str(actual, expected)                                                                         \
  do {                                                                                                       \
    Str actual_ = (actual), expected_ = S(expected);                                                         \
    if (!str_eq(actual_, expected_)) fail_msg("'%.*s' is not '%.*s'", STR_ARG(actual_), STR_ARG(expected_)); \
  } while (0)

typedef struct Disk {
  Arena arena;
  Fs fs;
  Str root;
} Disk;

static int disk_setup(void **state) {
  Disk *disk = calloc(1, sizeof *disk);
  char name[] = "/tmp/tfcheck-test-XXXXXX";
  if (!disk || !mkdtemp(name)) return -1;
  disk->fs = fs_disk();
  disk->root = disk->fs.real(&disk->fs, &disk->arena, str_from(name));
  *state = disk;
  return 0;
}

static void remove_tree(Disk *disk, Str path) {
  FsStat st;
  if (disk->fs.stat(&disk->fs, path, &st) != FS_OK) return;
  if (st.kind != FS_DIR) {
    unlink(str_copy(&disk->arena, path).ptr);
    return;
  }
  FsEntries entries;
  disk->fs.list(&disk->fs, &disk->arena, path, &entries);
  for (uint32_t i = 0; i < entries.len; i++)
    remove_tree(disk, str_printf(&disk->arena, "%.*s/%.*s", STR_ARG(path), STR_ARG(entries.data[i].name)));
  rmdir(str_copy(&disk->arena, path).ptr);
}

static int disk_teardown(void **state) {
  Disk *disk = *state;
  remove_tree(disk, disk->root);
  arena_release(&disk->arena);
  free(disk);
  return 0;
}

static Str at(Disk *disk, Str name) {
  return str_copy(&disk->arena, str_printf(&disk->arena, "%.*s/%.*s", STR_ARG(disk->root), STR_ARG(name)));
}

static void write_file(Disk *disk, Str name, Str text) {
  assert_int_equal(fs_write_atomic(&disk->arena, at(disk, name), text), FS_OK);
}

static void find(Disk *disk, const char *const *paths, uint32_t count, bool force_exclude, FileSet *set) {
  Str *given = arena_array(&disk->arena, Str, count);
  for (uint32_t i = 0; i < count; i++) given[i] = at(disk, str_from(paths[i]));
  FileRequest request = {.fs = &disk->fs, .cwd = disk->root, .paths = {given, count}, .force_exclude = force_exclude};
  files_find(&disk->arena, &request, set);
}

static Str joined(Disk *disk, const StrVec *paths) { return str_join(&disk->arena, paths->data, paths->len, S(" ")); }

/* ---- one pattern ---- */

typedef struct GlobCase {
  const char *pattern, *text;
  bool is_path, matches;
} GlobCase;

static void ignore__globs(void **state) {
  (void)state;
  static const GlobCase cases[] = {
      {"*.py", "a.py", false, true},
      {"*.py", "a.pyc", false, false},
      {"a*b*c", "aXbYbZc", false, true},
      {"a*b*c", "aXbYbZ", false, false},
      {"a/*", "a/b", true, true},
      {"a/*", "a/b/c", true, false},
      {"a/**", "a/b/c", true, true},
      {"**/c", "c", true, true},
      {"**/c", "a/b/c", true, true},
      {"a/**/c", "a/c", true, true},
      {"a/**/c", "a/b/x/c", true, true},
      {"a/**/c", "ab/c", true, false},
      {"a/x**/c", "a/xy/c", true, true},
      {"a/x**/c", "a/xy/z/c", true, false},
      {"a?c", "a/c", true, false},
      {"a[/]c", "a/c", true, false},
      {"[a-c]x", "bx", false, true},
      {"[!a-c]x", "bx", false, false},
      {"[^a-c]x", "dx", false, true},
      {"[]-]x", "]x", false, true},
      {"[[:digit:]]x", "7x", false, true},
      {"[[:alpha:]]x", "7x", false, false},
      {"[a-]x", "-x", false, true},
      {"[a", "[a", false, false},
      {"\\*x", "*x", false, true},
      {"\\*x", "ax", false, false},
      {"x\\", "x\\", false, false},
      {"**/a/**/b", "x/a/y/a/z/b", true, true},
      {"**/a/*/b", "a/x/a/y/b", true, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const GlobCase *c = &cases[i];
    if (ignore_glob(str_from(c->pattern), str_from(c->text), c->is_path) != c->matches)
      fail_msg("'%s' against '%s' should%s match", c->pattern, c->text, c->matches ? "" : " not");
  }
}

/* A pattern that makes naive matchers try every split. */
static void ignore__hostile_pattern_is_quick(void **state) {
  (void)state;
  Arena arena = {0};
  StrBuf pattern = {.arena = &arena}, text = {.arena = &arena};
  for (int i = 0; i < 40; i++) buf_lit(&pattern, "**/a*");
  buf_repeat(&text, 'a', 3000);
  assert_false(ignore_glob(str_concat(&arena, buf_view(&pattern), S("b")), buf_view(&text), true));
  arena_release(&arena);
}

/* ---- against git ---- */

typedef struct Random {
  uint64_t state;
} Random;

static uint32_t pick(Random *random, uint32_t below) {
  random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(random->state >> 33) % below;
}

#define PICK(random, list) list[pick(random, sizeof list / sizeof *list)]

static Str random_pattern(Disk *disk, Random *random) {
  static const char *const pieces[] = {"a",  "b",   "ab",          "x.py", "foo",  "*",    "*",   "?",   "**",  "/",
                                       "/",  "/",   "**/",         "/**",  "[ab]", "[!a]", ".py", "\\a", "\\*", "*.py",
                                       "#h", "[a-", "[[:alpha:]]", "b c",  " ",    "***",  "]",   "\t"};
  StrBuf buf = {.arena = &disk->arena};
  if (pick(random, 4) == 0) buf_char(&buf, '!');
  if (pick(random, 4) == 0) buf_char(&buf, '/');
  uint32_t count = 1 + pick(random, 4);
  for (uint32_t i = 0; i < count; i++) buf_str(&buf, str_from(PICK(random, pieces)));
  if (pick(random, 5) == 0) buf_char(&buf, '/');
  if (pick(random, 8) == 0) buf_lit(&buf, "  ");
  if (pick(random, 10) == 0) buf_char(&buf, '\r');
  buf_char(&buf, '\n');
  return buf_view(&buf);
}

static Str random_path(Disk *disk, Random *random, const char *name) {
  static const char *const folders[] = {"a", "b", "ab", "foo", "b c", "x.py", "a]"};
  Str path = S("");
  uint32_t depth = pick(random, 4);
  for (uint32_t i = 0; i < depth; i++) {
    Str folder = str_from(PICK(random, folders));
    path = path.len ? path_join(&disk->arena, path, folder) : folder;
  }
  return path_join(&disk->arena, path, str_from(name));
}

/* Files may want to be where folders are and the other way round: then they are not written. */
static void make_tree(Disk *disk, Random *random) {
  static const char *const names[] = {"x.py",  "a.py",   "foo.py", "ab.py", "#h.py",
                                      "!x.py", "b c.py", "[a-.py", "*a.py", "\ta.py"};
  for (int i = 0; i < 25; i++)
    fs_write_atomic(&disk->arena, at(disk, random_path(disk, random, PICK(random, names))), S(""));
  for (int i = 0; i < 4; i++) {
    Str rules = S("");
    for (uint32_t n = 1 + pick(random, 4); n > 0; n--)
      rules = str_concat(&disk->arena, rules, random_pattern(disk, random));
    Str name = i ? random_path(disk, random, ".gitignore") : S(".git/info/exclude");
    fs_write_atomic(&disk->arena, at(disk, name), rules);
  }
}

static void list_all(Disk *disk, Str dir, StrVec *out) {
  FsEntries entries;
  disk->fs.list(&disk->fs, &disk->arena, at(disk, dir), &entries);
  for (uint32_t i = 0; i < entries.len; i++) {
    Str path = path_join(&disk->arena, dir, entries.data[i].name);
    if (str_eq(path, S(".git"))) continue;
    if (entries.data[i].kind == FS_DIR) list_all(disk, path, out);
    else if (str_ends(path, S(".py"))) vec_push(&disk->arena, out, path);
  }
}

static bool shell(Disk *disk, const char *command) {
  Str line = str_printf(&disk->arena, "cd '%.*s' && HOME=$PWD XDG_CONFIG_HOME=$PWD GIT_CONFIG_NOSYSTEM=1 %s",
                        STR_ARG(disk->root), command);
  return system(line.ptr) == 0;
}

/* What git does not ignore of all Python files. */
static void ask_git(Disk *disk, StrVec *out) {
  StrVec all = {0}, ignored = {0};
  StrBuf list = {.arena = &disk->arena};
  list_all(disk, S("."), &all);
  for (uint32_t i = 0; i < all.len; i++) {
    buf_str(&list, all.data[i]);
    buf_char(&list, '\0');
  }
  write_file(disk, S(".git/list"), buf_view(&list));
  shell(disk, "git check-ignore --no-index -z --stdin <.git/list >.git/ignored");
  Str text;
  assert_int_equal(disk->fs.read(&disk->fs, &disk->arena, at(disk, S(".git/ignored")), 1 << 20, &text), FS_OK);
  while (text.len) {
    Str path = str_cut(&text, '\0');
    vec_push(&disk->arena, &ignored, path);
  }
  files_sort(&ignored);
  for (uint32_t i = 0; i < all.len; i++)
    if (!files_hold(&ignored, all.data[i])) vec_push(&disk->arena, out, all.data[i]);
  files_sort(out);
}

static void walk__agrees_with_git(void **state) {
  Disk *disk = *state;
  if (!shell(disk, "git --version >/dev/null 2>&1")) skip();
  uint32_t ignored_some = 0;
  for (uint64_t seed = 1; seed <= 80; seed++) {
    Random random = {seed};
    FileSet set;
    StrVec expected = {0};
    assert_true(shell(disk, "git init -q . >/dev/null 2>&1"));
    make_tree(disk, &random);
    find(disk, (const char *const[]){"."}, 1, false, &set);
    ask_git(disk, &expected);
    StrVec all = {0};
    list_all(disk, S("."), &all);
    ignored_some += expected.len < all.len && expected.len > 0;
    Str ours = joined(disk, &set.files), theirs = joined(disk, &expected);
    if (!str_eq(ours, theirs))
      fail_msg("seed %u:\nours: %.*s\ngit:  %.*s", (unsigned)seed, STR_ARG(ours), STR_ARG(theirs));
    shell(disk, "find . -mindepth 1 -delete");
  }
  assert_true(ignored_some > 15);  // or the trees test nothing
}

/* ---- the set ---- */

static void files__default_excludes_and_links(void **state) {
  Disk *disk = *state;
  FileSet set;
  static const char *const names[] = {"pkg/a.py", "pkg/venv/b.py",     "build/c.py",  "pkg/x.egg-info/d.py",
                                      "e.txt",    "node_modules/f.py", "pkg/build.py"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) write_file(disk, str_from(names[i]), S(""));
  assert_int_equal(symlink("pkg/a.py", at(disk, S("link.py")).ptr), 0);
  assert_int_equal(symlink("pkg", at(disk, S("linked")).ptr), 0);
  assert_int_equal(symlink("..", at(disk, S("pkg/loop")).ptr), 0);
  assert_int_equal(symlink("/etc/passwd", at(disk, S("out.py")).ptr), 0);
  assert_int_equal(symlink("nowhere", at(disk, S("dangling.py")).ptr), 0);
  assert_int_equal(mkfifo(at(disk, S("pipe.py")).ptr, 0600), 0);
  find(disk, (const char *const[]){"."}, 1, false, &set);
  assert_str(joined(disk, &set.files), "pkg/a.py pkg/build.py");
  assert_false(set.limited);
  assert_int_equal(set.skipped.len, 3);
  assert_str(set.skipped.data[0].path, "dangling.py");
  assert_str(set.skipped.data[2].reason, "not a regular file");
}

static void files__paths_limit_the_report(void **state) {
  Disk *disk = *state;
  FileSet set;
  write_file(disk, S("pyproject.toml"), S(""));
  write_file(disk, S("a.py"), S(""));
  write_file(disk, S("sub/b.py"), S(""));
  write_file(disk, S("sub/c.py"), S(""));
  find(disk, (const char *const[]){"sub"}, 1, false, &set);
  assert_str(joined(disk, &set.files), "a.py sub/b.py sub/c.py");
  assert_str(joined(disk, &set.only), "sub/b.py sub/c.py");
  assert_true(set.limited);
  find(disk, (const char *const[]){"sub/c.py", "a.py", "sub/c.py"}, 3, false, &set);
  assert_str(joined(disk, &set.only), "a.py sub/c.py");
  assert_str(joined(disk, &set.named), "a.py sub/c.py");
}

/* Where nothing marks a project: the script's folder, packages, and what imports name; not all that lies below. */
static void files__loose_script(void **state) {
  Disk *disk = *state;
  FileSet set;
  write_file(disk, S("q.py"), S("import near.inner\nfrom . import rel\n"));
  write_file(disk, S("other.py"), S("import tensorflow\n"));
  write_file(disk, S("pkg/__init__.py"), S(""));
  write_file(disk, S("pkg/sub/__init__.py"), S("from . import data_files\n"));
  write_file(disk, S("pkg/data_files/a.py"), S(""));
  write_file(disk, S("pkg/left/a.py"), S(""));
  write_file(disk, S("near/inner/a.py"), S("import far\n"));
  write_file(disk, S("near/outer/a.py"), S(""));
  write_file(disk, S("rel/a.py"), S(""));
  write_file(disk, S("far/.gitignore"), S("b.py\n"));
  write_file(disk, S("far/a.py"), S(""));
  write_file(disk, S("far/b.py"), S(""));
  write_file(disk, S("downloads/repo/a.py"), S(""));
  find(disk, (const char *const[]){"q.py"}, 1, false, &set);
  assert_str(joined(disk, &set.files),
             "far/a.py near/inner/a.py other.py pkg/__init__.py pkg/data_files/a.py pkg/sub/__init__.py q.py rel/a.py");
  assert_str(joined(disk, &set.only), "q.py");
  find(disk, (const char *const[]){"q.py", "downloads"}, 2, false, &set);
  assert_str(joined(disk, &set.only), "downloads/repo/a.py q.py");
  find(disk, (const char *const[]){"q.py", "near/outer/a.py"}, 2, false, &set);
  assert_str(joined(disk, &set.only), "near/outer/a.py q.py");
  find(disk, (const char *const[]){"."}, 1, false, &set);
  assert_int_equal(set.files.len, 11);
  write_file(disk, S("pyproject.toml"), S(""));
  find(disk, (const char *const[]){"q.py"}, 1, false, &set);
  assert_int_equal(set.files.len, 11);
}

static void files__named_but_excluded(void **state) {
  Disk *disk = *state;
  FileSet set;
  write_file(disk, S("pyproject.toml"), S(""));
  write_file(disk, S("build/gen.py"), S(""));
  write_file(disk, S("a.py"), S(""));
  find(disk, (const char *const[]){"build/gen.py"}, 1, false, &set);
  assert_str(joined(disk, &set.only), "build/gen.py");
  assert_int_equal(set.notices.len, 1);
  find(disk, (const char *const[]){"build/gen.py", "a.py"}, 2, true, &set);
  assert_str(joined(disk, &set.only), "a.py");
  find(disk, (const char *const[]){"build"}, 1, false, &set);
  assert_str(joined(disk, &set.only), "build/gen.py");
  find(disk, (const char *const[]){"build"}, 1, true, &set);
  assert_int_equal(set.only.len, 0);
  assert_true(set.limited);
}

static void files__two_roots(void **state) {
  Disk *disk = *state;
  FileSet set;
  write_file(disk, S("one/pyproject.toml"), S(""));
  write_file(disk, S("one/a.py"), S(""));
  write_file(disk, S("two/tfcheck.yaml"), S(""));
  write_file(disk, S("two/b.py"), S(""));
  find(disk, (const char *const[]){"one/a.py", "two/b.py"}, 2, false, &set);
  assert_true(set.fatal);
  assert_int_equal(set.errors.len, 1);
  assert_true(str_contains(set.errors.data[0], at(disk, S("one"))));
  assert_true(str_contains(set.errors.data[0], at(disk, S("two"))));
}

static void files__missing_ones_do_not_stop_others(void **state) {
  Disk *disk = *state;
  FileSet set;
  write_file(disk, S("a.py"), S(""));
  find(disk, (const char *const[]){"missing.py", "a.py"}, 2, false, &set);
  assert_int_equal(set.errors.len, 1);
  assert_true(str_contains(set.errors.data[0], S("missing.py: no such file or directory")));
  assert_str(joined(disk, &set.only), "a.py");
  find(disk, (const char *const[]){"missing.py"}, 1, false, &set);
  assert_true(set.fatal);
}

static void root__prefers_configuration_then_git(void **state) {
  Disk *disk = *state;
  write_file(disk, S("outer/.git/HEAD"), S(""));
  write_file(disk, S("outer/in/pyproject.toml"), S("[tool.black]\n"));
  write_file(disk, S("outer/in/deep/a.py"), S(""));
  Str file = at(disk, S("outer/in/deep/a.py"));
  assert_true(str_eq(root_find(&disk->arena, &disk->fs, file, false), at(disk, S("outer"))));
  write_file(disk, S("outer/in/pyproject.toml"), S("[tool.tfcheck]\n"));
  assert_true(str_eq(root_find(&disk->arena, &disk->fs, file, false), at(disk, S("outer/in"))));
}

static void files__hostile_names(void **state) {
  Disk *disk = *state;
  FileSet set;
  write_file(disk, S("new\nline.py"), S(""));
  write_file(disk, S("-rf.py"), S(""));
  write_file(disk, S("\xff\xfe.py"), S(""));
  write_file(disk, S("\x1b[31m.py"), S(""));
  find(disk, (const char *const[]){"."}, 1, false, &set);
  assert_int_equal(set.files.len, 4);
  find(disk, (const char *const[]){"gone\x1b[31m.py"}, 1, false, &set);
  assert_true(str_contains(set.errors.data[0], S("gone\\u{1b}[31m.py")));
}

static void files__memory(void **state) {
  (void)state;
  Arena arena = {0};
  Str paths[] = {S("p/tfcheck.yaml"), S("p/a.py"), S("p/sub/.gitignore"), S("p/sub/b.py"), S("p/sub/c.py")};
  Str texts[] = {S(""), S(""), S("b*\n"), S(""), S("")};
  Fs fs = fs_memory(&arena, paths, texts, 5);
  FileSet set;
  Str given = S("p");
  FileRequest request = {.fs = &fs, .cwd = S("/"), .paths = {&given, 1}};
  files_find(&arena, &request, &set);
  assert_str(set.root, "/p");
  assert_str(str_join(&arena, set.files.data, set.files.len, S(" ")), "a.py sub/c.py");
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ignore__globs),
      cmocka_unit_test(ignore__hostile_pattern_is_quick),
      cmocka_unit_test(files__memory),
      cmocka_unit_test_setup_teardown(walk__agrees_with_git, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__default_excludes_and_links, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__paths_limit_the_report, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__loose_script, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__named_but_excluded, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__two_roots, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__missing_ones_do_not_stop_others, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(root__prefers_configuration_then_git, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(files__hostile_names, disk_setup, disk_teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Unit tests of the file system layers: path arithmetic, memory, overlay, and the real disk in a temporary folder. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"

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
  disk->root = str_copy(&disk->arena, str_from(name));
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
  for (uint32_t i = 0; i < entries.len; i++) remove_tree(disk, path_join(&disk->arena, path, entries.data[i].name));
  rmdir(str_copy(&disk->arena, path).ptr);
}

static int disk_teardown(void **state) {
  Disk *disk = *state;
  remove_tree(disk, disk->root);
  arena_release(&disk->arena);
  free(disk);
  return 0;
}

static Str at(Disk *disk, const char *name) {
  return str_copy(&disk->arena, path_join(&disk->arena, disk->root, str_from(name)));
}

static FsStatus put(Disk *disk, const char *name, Str text) {
  return fs_write_atomic(&disk->arena, at(disk, name), text);
}

static Str get(Disk *disk, const Fs *fs, Str path) {
  Str text;
  assert_int_equal(fs->read(fs, &disk->arena, path, 1 << 20, &text), FS_OK);
  assert_int_equal(text.ptr[text.len], 0);
  return text;
}

static void path__arithmetic(void **state) {
  (void)state;
  Arena arena = {0};
  assert_str(path_join(&arena, S("a"), S("b")), "a/b");
  assert_str(path_join(&arena, S("a/"), S("b")), "a/b");
  assert_str(path_join(&arena, S(""), S("b")), "b");
  assert_str(path_join(&arena, S("."), S("b")), "b");
  assert_str(path_join(&arena, S("a"), S("/b")), "/b");
  assert_str(path_join(&arena, S("/"), S("b")), "/b");
  assert_str(path_join(&arena, S("a"), S("")), "a");
  assert_str(path_dir(S("a/b/c.py")), "a/b");
  assert_str(path_dir(S("c.py")), "");
  assert_str(path_dir(S("/c.py")), "/");
  assert_str(path_dir(S("a//b/")), "a");
  assert_str(path_base(S("a/b/c.py")), "c.py");
  assert_str(path_base(S("c.py")), "c.py");
  assert_str(path_base(S("a/b/")), "b");
  assert_str(path_base(S("")), "");
  arena_release(&arena);
}

static void path__normal_form(void **state) {
  (void)state;
  static const Str cases[][2] = {
      {S_INIT("a/./b/../c"), S_INIT("a/c")},
      {S_INIT(""), S_INIT(".")},
      {S_INIT("./"), S_INIT(".")},
      {S_INIT("a/.."), S_INIT(".")},
      {S_INIT("../a/.."), S_INIT("..")},
      {S_INIT("../../a"), S_INIT("../../a")},
      {S_INIT("/"), S_INIT("/")},
      {S_INIT("//a//b/"), S_INIT("/a/b")},
      {S_INIT("/../a"), S_INIT("/a")},
      {S_INIT("/a/.."), S_INIT("/")},
      {S_INIT("a/../../b"), S_INIT("../b")},
      {S_INIT("a../b"), S_INIT("a../b")},
      {S_INIT("x../.."), S_INIT(".")},
      {S_INIT("a/b../.."), S_INIT("a")},
  };
  Arena arena = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Str normal = path_normal(&arena, cases[i][0]);
    if (!str_eq(normal, cases[i][1])) fail_msg("'%.*s' became '%.*s'", STR_ARG(cases[i][0]), STR_ARG(normal));
  }
  arena_release(&arena);
}

static void memory__is_a_tree(void **state) {
  (void)state;
  Arena arena = {0};
  Str paths[] = {S("pkg/b.py"), S("/pkg/sub/c.py"), S("./a.py"), S("pkg.py")};
  Str texts[] = {S("B"), S("C"), S("A"), S("")};
  Fs fs = fs_memory(&arena, paths, texts, 4);
  Str text;
  assert_int_equal(fs.read(&fs, &arena, S("/a.py"), 10, &text), FS_OK);
  assert_str(text, "A");
  assert_int_equal(fs.read(&fs, &arena, S("pkg/sub/../b.py"), 0, &text), FS_TOO_BIG);
  assert_int_equal(fs.read(&fs, &arena, S("pkg"), 10, &text), FS_NOT_A_FILE);
  assert_int_equal(fs.read(&fs, &arena, S("pk"), 10, &text), FS_NOT_FOUND);
  FsStat st;
  assert_int_equal(fs.stat(&fs, S("pkg/sub"), &st), FS_OK);
  assert_int_equal(st.kind, FS_DIR);
  assert_int_equal(fs.stat(&fs, S("pkg.py"), &st), FS_OK);
  assert_int_equal(st.kind, FS_FILE);
  assert_int_equal(fs.stat(&fs, S("pkg/nothing"), &st), FS_NOT_FOUND);
  assert_int_equal(st.kind, FS_ABSENT);
  FsEntries entries;
  assert_int_equal(fs.list(&fs, &arena, S("."), &entries), FS_OK);
  assert_int_equal(entries.len, 3);
  assert_str(entries.data[0].name, "a.py");
  assert_str(entries.data[1].name, "pkg");
  assert_int_equal(entries.data[1].kind, FS_DIR);
  assert_str(entries.data[2].name, "pkg.py");
  assert_int_equal(fs.list(&fs, &arena, S("a.py"), &entries), FS_NOT_FOUND);
  assert_str(fs.real(&fs, &arena, S("pkg/../a.py")), "/a.py");
  assert_str(fs.real(&fs, &arena, S("nowhere")), "");
  arena_release(&arena);
}

static void overlay__lies_over_a_tree(void **state) {
  (void)state;
  Arena arena = {0};
  Fs memory = fs_memory(&arena, (Str[]){S("p/a.py"), S("p/c.py")}, (Str[]){S("old"), S("C")}, 2);
  Fs fs = fs_overlay(&arena, &memory, S("p/a.py"), S("newer"));
  Fs both = fs_overlay(&arena, &fs, S("./p/b.py"), S("B"));
  Str text;
  assert_int_equal(both.read(&both, &arena, S("/p/./a.py"), 10, &text), FS_OK);
  assert_str(text, "newer");
  assert_int_equal(both.read(&both, &arena, S("p/a.py"), 3, &text), FS_TOO_BIG);
  assert_int_equal(both.read(&both, &arena, S("/p/b.py"), 10, &text), FS_OK);
  assert_str(text, "B");
  assert_int_equal(both.read(&both, &arena, S("b.py"), 10, &text), FS_NOT_FOUND);
  FsStat st;
  assert_int_equal(both.stat(&both, S("p/b.py"), &st), FS_OK);
  assert_int_equal(st.kind, FS_FILE);
  assert_int_equal(st.size, 1);
  FsEntries entries;
  assert_int_equal(both.list(&both, &arena, S("/p"), &entries), FS_OK);
  assert_int_equal(entries.len, 3);
  assert_str(entries.data[1].name, "b.py");
  assert_str(both.real(&both, &arena, S("p/b.py")), "/p/b.py");
  assert_str(both.real(&both, &arena, S("p/c.py")), "/p/c.py");
  arena_release(&arena);
}

static void overlay__on_disk_by_any_spelling(void **state) {
  Disk *disk = *state;
  assert_int_equal(put(disk, "d/a.py", S("disk")), FS_OK);
  assert_int_equal(symlink("d", at(disk, "link").ptr), 0);
  Fs fs = fs_overlay(&disk->arena, &disk->fs, at(disk, "d/a.py"), S("buffer"));
  assert_str(get(disk, &fs, at(disk, "link/a.py")), "buffer");
  assert_str(get(disk, &disk->fs, at(disk, "link/a.py")), "disk");
  assert_true(str_eq(fs.real(&fs, &disk->arena, at(disk, "link/a.py")), at(disk, "d/a.py")));
}

static void disk__reads_files(void **state) {
  Disk *disk = *state;
  Arena *arena = &disk->arena;
  Str big = {arena_array(arena, char, 100000), 100000};
  assert_int_equal(put(disk, "empty", S("")), FS_OK);
  assert_int_equal(put(disk, "deep/er/big", big), FS_OK);
  assert_str(get(disk, &disk->fs, at(disk, "empty")), "");
  assert_true(str_eq(get(disk, &disk->fs, at(disk, "deep/er/big")), big));
  Str text;
  assert_int_equal(disk->fs.read(&disk->fs, arena, at(disk, "deep/er/big"), 99999, &text), FS_TOO_BIG);
  assert_int_equal(disk->fs.read(&disk->fs, arena, at(disk, "deep/er/big"), 100000, &text), FS_OK);
  assert_int_equal(disk->fs.read(&disk->fs, arena, at(disk, "deep"), 100, &text), FS_NOT_A_FILE);
  assert_int_equal(disk->fs.read(&disk->fs, arena, at(disk, "none"), 100, &text), FS_NOT_FOUND);
  assert_int_equal(disk->fs.read(&disk->fs, arena, at(disk, "empty/x"), 100, &text), FS_NOT_FOUND);
  assert_int_equal(disk->fs.read(&disk->fs, arena, S("a\0b"), 100, &text), FS_NOT_FOUND);
}

/* The kernel calls these regular files of size 0; their contents are longer than that. */
static void disk__reads_past_the_announced_size(void **state) {
  Disk *disk = *state;
  Str text;
  assert_int_equal(disk->fs.read(&disk->fs, &disk->arena, S("/proc/self/status"), 1 << 20, &text), FS_OK);
  assert_true(text.len > 100);
  assert_int_equal(disk->fs.read(&disk->fs, &disk->arena, S("/proc/self/status"), 100, &text), FS_TOO_BIG);
}

typedef struct Writer {
  const char *path;
  atomic_bool done;
} Writer;

enum { VERSION_BYTES = 2 << 20, VERSIONS = 60 };

/* In place, as shells and some editors do: version n is 'a' + n % 26, and its length is its own. */
static void *write_versions(void *context) {
  Writer *writer = context;
  char *bytes = malloc(VERSION_BYTES + VERSIONS);
  int fd = open(writer->path, O_WRONLY | O_CREAT, 0600);
  for (int n = 1; bytes && fd >= 0 && n < VERSIONS; n++) {
    size_t len = (size_t)(VERSION_BYTES + n);
    memset(bytes, 'a' + n % 26, len);
    if (ftruncate(fd, 0) || pwrite(fd, bytes, len, 0) != (ssize_t)len) break;
    nanosleep(&(struct timespec){.tv_nsec = 6000000}, NULL);
  }
  if (fd >= 0) close(fd);
  free(bytes);
  atomic_store(&writer->done, true);
  return NULL;
}

static void assert_one_version(Str text) {
  for (size_t i = 1; i < text.len; i++)
    if (text.ptr[i] != text.ptr[0]) fail_msg("'%c' and '%c' in one reading", text.ptr[0], text.ptr[i]);
}

static void disk__never_reads_two_versions(void **state) {
  Disk *disk = *state;
  Writer writer = {.path = at(disk, "changes").ptr};
  pthread_t thread;
  uint32_t whole = 0;
  assert_int_equal(pthread_create(&thread, NULL, write_versions, &writer), 0);
  while (!atomic_load(&writer.done)) {
    ArenaMark mark = arena_mark(&disk->arena);
    Str text;
    FsStatus status = disk->fs.read(&disk->fs, &disk->arena, str_from(writer.path), 1 << 24, &text);
    if (status == FS_OK) assert_one_version(text);
    else assert_true(text.len == 0 && (status == FS_CHANGING || status == FS_NOT_FOUND));
    whole += status == FS_OK && text.len >= VERSION_BYTES;
    arena_reset(&disk->arena, mark);
  }
  pthread_join(thread, NULL);
  assert_true(whole > 0);  // or nothing was tried
}

static void disk__never_blocks(void **state) {
  Disk *disk = *state;
  assert_int_equal(mkfifo(at(disk, "fifo").ptr, 0600), 0);
  assert_int_equal(symlink("fifo", at(disk, "link").ptr), 0);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", at(disk, "socket").ptr);
  int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
  close(fd);
  Str text;
  const char *names[] = {"fifo", "link", "socket", "/dev/zero"};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(disk->fs.read(&disk->fs, &disk->arena, at(disk, names[i]), 100, &text), FS_NOT_A_FILE);
    assert_int_equal(put(disk, names[i], S("x")), FS_NOT_A_FILE);
  }
  FsStat st;
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "link"), &st), FS_OK);
  assert_int_equal(st.kind, FS_LINK);
  assert_int_equal(st.target, FS_OTHER);
  FsEntries entries;
  assert_int_equal(disk->fs.list(&disk->fs, &disk->arena, at(disk, "fifo"), &entries), FS_NOT_FOUND);
}

static void disk__knows_links(void **state) {
  Disk *disk = *state;
  FsStat st, direct;
  assert_int_equal(put(disk, "file", S("text")), FS_OK);
  assert_int_equal(symlink("file", at(disk, "good").ptr), 0);
  assert_int_equal(symlink("gone", at(disk, "dangling").ptr), 0);
  assert_int_equal(symlink("loop", at(disk, "loop").ptr), 0);
  assert_int_equal(symlink(".", at(disk, "self").ptr), 0);
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "file"), &direct), FS_OK);
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "good"), &st), FS_OK);
  assert_true(st.kind == FS_LINK && st.target == FS_FILE && st.size == 4 && st.ino == direct.ino &&
              st.dev == direct.dev);
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "dangling"), &st), FS_OK);
  assert_true(st.kind == FS_LINK && st.target == FS_ABSENT);
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "loop"), &st), FS_OK);
  assert_true(st.kind == FS_LINK && st.target == FS_ABSENT);
  assert_true(str_eq(disk->fs.real(&disk->fs, &disk->arena, at(disk, "self/self/good")), at(disk, "file")));
  assert_str(disk->fs.real(&disk->fs, &disk->arena, at(disk, "dangling")), "");
  FsEntries entries;
  assert_int_equal(disk->fs.list(&disk->fs, &disk->arena, at(disk, "self"), &entries), FS_OK);
  assert_int_equal(entries.len, 5);
  assert_str(entries.data[0].name, "dangling");
  assert_int_equal(entries.data[0].kind, FS_LINK);
  assert_str(entries.data[4].name, "self");
}

static void disk__replaces_files_whole(void **state) {
  Disk *disk = *state;
  FsStat st;
  assert_int_equal(put(disk, "run.py", S("old")), FS_OK);
  assert_int_equal(chmod(at(disk, "run.py").ptr, 0755), 0);
  assert_int_equal(symlink("run.py", at(disk, "link.py").ptr), 0);
  assert_int_equal(put(disk, "link.py", S("new")), FS_OK);
  assert_str(get(disk, &disk->fs, at(disk, "run.py")), "new");
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "run.py"), &st), FS_OK);
  assert_true(st.executable);
  assert_int_equal(disk->fs.stat(&disk->fs, at(disk, "link.py"), &st), FS_OK);
  assert_int_equal(st.kind, FS_LINK);
  assert_int_equal(put(disk, "run.py/below", S("x")), FS_NOT_FOUND);
  FsEntries entries;
  assert_int_equal(disk->fs.list(&disk->fs, &disk->arena, disk->root, &entries), FS_OK);
  assert_int_equal(entries.len, 2);  // no temporary left
}

static void status__has_words(void **state) {
  (void)state;
  for (int i = FS_OK; i <= FS_FAILED; i++) assert_true(fs_status_text((FsStatus)i).len > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(path__arithmetic),
      cmocka_unit_test(path__normal_form),
      cmocka_unit_test(memory__is_a_tree),
      cmocka_unit_test(overlay__lies_over_a_tree),
      cmocka_unit_test_setup_teardown(overlay__on_disk_by_any_spelling, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(disk__reads_files, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(disk__reads_past_the_announced_size, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(disk__never_reads_two_versions, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(disk__never_blocks, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(disk__knows_links, disk_setup, disk_teardown),
      cmocka_unit_test_setup_teardown(disk__replaces_files_whole, disk_setup, disk_teardown),
      cmocka_unit_test(status__has_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

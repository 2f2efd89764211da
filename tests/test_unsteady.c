/* Files that do not hold still: they change, shrink, vanish or become folders between any two questions about them.
 *
 * Commands run in-process on a layer that answers truly for a while and then says something else about one path. Asked of
 * every run: it ends, its exit status is the one that its messages call for, and what it prints is what it would print about
 * the old tree or about the new one, never about a mixture. Whether the disk is read without mixing is in test_fs.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/panic.h"
#include "cli/cli.h"

typedef enum Trouble { VANISHES, IS_FOLDER, IS_CHANGING, IS_DENIED, IS_SHORT, IS_OTHER, TROUBLE_COUNT } Trouble;

typedef struct Unsteady {
  Fs below;
  Str path;
  Trouble trouble;
  uint32_t steady;  // questions about `path` that are answered truly
  Str other;        // its new text
  atomic_uint asked;
} Unsteady;

/* ---- the layer ---- */

static bool is_troubled(const Fs *fs, Str path) {
  Unsteady *unsteady = fs->data;
  Arena scratch = {0};
  Str normal = path_normal(&scratch, path);
  bool same = str_eq(str_starts(normal, S("/")) ? str_sub(normal, 1, normal.len) : normal, unsteady->path);
  arena_release(&scratch);
  return same && atomic_fetch_add(&unsteady->asked, 1) >= unsteady->steady;
}

static FsStatus unsteady_stat(const Fs *fs, Str path, FsStat *out) {
  Unsteady *unsteady = fs->data;
  FsStatus status = unsteady->below.stat(&unsteady->below, path, out);
  if (!is_troubled(fs, path)) return status;
  if (unsteady->trouble == VANISHES) {
    *out = (FsStat){0};
    return FS_NOT_FOUND;
  }
  if (unsteady->trouble == IS_FOLDER) out->kind = out->target = FS_DIR;
  return status;
}

static FsStatus unsteady_read(const Fs *fs, Arena *arena, Str path, uint64_t max_bytes, Str *out) {
  static const FsStatus statuses[TROUBLE_COUNT] = {
      [VANISHES] = FS_NOT_FOUND, [IS_FOLDER] = FS_NOT_A_FILE, [IS_CHANGING] = FS_CHANGING, [IS_DENIED] = FS_DENIED};
  Unsteady *unsteady = fs->data;
  FsStatus status = unsteady->below.read(&unsteady->below, arena, path, max_bytes, out);
  if (status != FS_OK || !is_troubled(fs, path)) return status;
  Str text = unsteady->trouble == IS_SHORT ? str_sub(*out, 0, out->len / 2) : unsteady->other;
  *out = statuses[unsteady->trouble] == FS_OK ? str_copy(arena, text) : S("");
  return statuses[unsteady->trouble];
}

static FsStatus unsteady_list(const Fs *fs, Arena *arena, Str path, FsEntries *out) {
  Unsteady *unsteady = fs->data;
  if (!is_troubled(fs, path)) return unsteady->below.list(&unsteady->below, arena, path, out);
  *out = (FsEntries){0};
  return unsteady->trouble == IS_DENIED ? FS_DENIED : FS_NOT_FOUND;
}

static Str unsteady_real(const Fs *fs, Arena *arena, Str path) {
  Unsteady *unsteady = fs->data;
  return unsteady->below.real(&unsteady->below, arena, path);
}

/* ---- runs ---- */

typedef struct Run {
  int status;
  Str out, err;
} Run;

static const Str paths[] = {S_INIT("pyproject.toml"), S_INIT(".gitignore"), S_INIT("train.py"),
                            S_INIT("lib/__init__.py"), S_INIT("lib/noise.py")};
static const Str texts[] = {
    S_INIT("[tool.tfcheck]\n"),
    S_INIT("build\n"),
    S_INIT("import tensorflow as tf\nfrom lib.noise import noise\n\n\n@tf.function\ndef step(x):\n  print(x)\n"
           "  return x + noise(3)\n"),
    S_INIT(""),
    S_INIT("import numpy as np\n\n\ndef noise(n):\n  m = n + 1\n  return np.random.normal(size=m)\n"),
};
static const Str others[] = {
    S_INIT("[tool.black]\n"),
    S_INIT("dist\n"),
    S_INIT("import tensorflow as tf\nfrom lib.noise import noise\n\n\n@tf.function\ndef step(x):\n"
           "  return x + noise(4)\n\n\n@tf.function\ndef late(x):\n  return tf.Variable(x)\n"),
    S_INIT("import os\n"),
    S_INIT("import numpy as np\nimport random\n\n\ndef noise(n):\n  return random.random()\n"),
};
enum { PATH_COUNT = sizeof paths / sizeof *paths };

static void run_guarded(Cli *cli, const Str *words, uint32_t count, Run *run) {
  Panic panic;
  if (panic_enter(&panic)) fail_msg("%s:%d: %s", panic.file, panic.line, panic.what);
  run->status = cli_run(cli, words, count);
  panic_leave(&panic);
}

/* `line` is a command line whose words have no spaces. */
static Run run_line(Arena *arena, const Fs *fs, const char *line) {
  Run run = {0};
  char *out = NULL, *err = NULL;
  size_t out_len, err_len;
  StrVec words = {0};
  for (Str rest = str_from(line); rest.len;) {
    Str word = str_cut(&rest, ' ');
    vec_push(arena, &words, word);
  }
  Cli cli = {.fs = fs, .cwd = S("/")};
  cli.streams = (CliStreams){.in = stdin, .out = open_memstream(&out, &out_len), .err = open_memstream(&err, &err_len)};
  run_guarded(&cli, words.data, words.len, &run);
  cli_release(&cli);
  fclose(cli.streams.out);
  fclose(cli.streams.err);
  run.out = str_copy(arena, (Str){out, out_len});
  run.err = str_copy(arena, (Str){err, err_len});
  free(out);
  free(err);
  return run;
}

static Run run_unsteady(Arena *arena, const char *path, Trouble trouble, uint32_t steady, const char *line) {
  Unsteady unsteady = {.below = fs_memory(arena, paths, texts, PATH_COUNT),
                       .path = str_from(path),
                       .trouble = trouble,
                       .steady = steady};
  for (int i = 0; i < PATH_COUNT; i++)
    if (str_eq(paths[i], unsteady.path)) unsteady.other = others[i];
  Fs fs = {.stat = unsteady_stat,
           .read = unsteady_read,
           .list = unsteady_list,
           .real = unsteady_real,
           .below = &unsteady.below,
           .data = &unsteady};
  return run_line(arena, &fs, line);
}

static void expect(Run run, int status, const char *out, const char *err) {
  if (run.status == status && str_contains(run.out, str_from(out)) && str_contains(run.err, str_from(err))) return;
  fail_msg("status %d\n--- out\n%.*s--- err\n%.*s", run.status, STR_ARG(run.out), STR_ARG(run.err));
}

/* ---- what is said ---- */

static void unsteady__steady_tree(void **state) {
  (void)state;
  Arena arena = {0};
  Run run = run_unsteady(&arena, "nothing", VANISHES, 0, "check -o concise .");
  expect(run, 1, "train.py:7:3: TF301", "");
  expect(run, 1, "lib/noise.py:6:10: TF202", "");
  arena_release(&arena);
}

/* Listed, then gone: the others are analysed, and it is said that something is missing. */
static void unsteady__found_file(void **state) {
  (void)state;
  static const struct {
    Trouble trouble;
    const char *skipped;
  } cases[] = {
      {VANISHES, "skipped lib/noise.py: no such file or directory"},
      {IS_FOLDER, "skipped lib/noise.py: not a regular file"},
      {IS_CHANGING, "skipped lib/noise.py: changes while it is read"},
      {IS_DENIED, "skipped lib/noise.py: permission denied"},
  };
  Arena arena = {0};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (uint32_t steady = 1; steady <= 2; steady++) {  // before the scan, and between scan and parsing
      Run run = run_unsteady(&arena, "lib/noise.py", cases[i].trouble, steady, "check -v -o concise .");
      expect(run, 1, "train.py:7:3: TF301", cases[i].skipped);
      expect(run, 1, "", "1 file skipped");
    }
  arena_release(&arena);
}

/* Asked for by name, a file that cannot be read is an error. */
static void unsteady__named_file(void **state) {
  (void)state;
  Arena arena = {0};
  expect(run_unsteady(&arena, "train.py", VANISHES, 0, "check train.py"), 2, "",
         "tfcheck: error: train.py: no such file or directory\n");
  expect(run_unsteady(&arena, "train.py", VANISHES, 2, "check train.py"), 2, "",
         "tfcheck: error: train.py: no such file or directory\n");
  expect(run_unsteady(&arena, "train.py", IS_FOLDER, 2, "check train.py"), 2, "",
         "tfcheck: error: train.py: not a regular file\n");
  expect(run_unsteady(&arena, "train.py", IS_CHANGING, 2, "check train.py"), 2, "",
         "tfcheck: error: train.py: changes while it is read\n");
  arena_release(&arena);
}

static void unsteady__folder(void **state) {
  (void)state;
  Arena arena = {0};
  Run run = run_unsteady(&arena, "lib", VANISHES, 0, "check -v -o concise .");
  expect(run, 1, "train.py:7:3: TF301", "skipped lib: no such file or directory");
  expect(run_unsteady(&arena, "lib", VANISHES, 1, "check lib"), 2, "", "no Python files in lib");
  arena_release(&arena);
}

/* ---- what is never said ---- */

/* Everything a run says but counts of files, which differ while nothing else does. */
static bool same_text(Run a, Run b) { return a.status == b.status && str_eq(a.out, b.out); }

static void check_moment(Arena *arena, int file, Trouble trouble, uint32_t steady, Run old, Run new) {
  static const char *const lines[] = {"check -q -j1 -o concise .", "check -q -j2 -o concise ."};
  for (int jobs = 0; jobs < 2; jobs++) {
    Run run = run_unsteady(arena, paths[file].ptr, trouble, steady, lines[jobs]);
    if (same_text(run, old) || same_text(run, new)) continue;
    fail_msg("%s, trouble %d after %u questions, -j%d: status %d\n%.*s%.*s", paths[file].ptr, trouble, steady, jobs + 1,
             run.status, STR_ARG(run.out), STR_ARG(run.err));
  }
}

/* Each file meets each trouble after each number of true answers. */
static void unsteady__old_or_new(void **state) {
  (void)state;
  enum { MOST_QUESTIONS = 8 };
  Arena arena = {0};
  for (int file = 0; file < PATH_COUNT; file++)
    for (int trouble = 0; trouble < TROUBLE_COUNT; trouble++) {
      ArenaMark mark = arena_mark(&arena);
      Run old = run_unsteady(&arena, "nothing", VANISHES, 0, "check -q -o concise .");
      Run new = run_unsteady(&arena, paths[file].ptr, (Trouble)trouble, 0, "check -q -o concise .");
      for (uint32_t steady = 0; steady < MOST_QUESTIONS; steady++)
        check_moment(&arena, file, (Trouble)trouble, steady, old, new);
      arena_reset(&arena, mark);
    }
  arena_release(&arena);
}

/* The other commands that read files: an end, and no failure without a word. */
static void unsteady__other_commands(void **state) {
  (void)state;
  enum { MOST_QUESTIONS = 6 };
  static const char *const lines[] = {"why train.py:7", "files -v .", "debug traced train.py",
                                      "debug ast lib/noise.py"};
  Arena arena = {0};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    for (int at = 0; at < PATH_COUNT * TROUBLE_COUNT * MOST_QUESTIONS; at++) {
      int file = at % PATH_COUNT, trouble = at / PATH_COUNT % TROUBLE_COUNT;
      Run run = run_unsteady(&arena, paths[file].ptr, (Trouble)trouble, (uint32_t)(at / PATH_COUNT / TROUBLE_COUNT),
                             lines[i]);
      assert_true(run.status == STATUS_ERROR ? run.err.len > 0 : run.out.len > 0);
    }
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unsteady__steady_tree), cmocka_unit_test(unsteady__found_file),
      cmocka_unit_test(unsteady__named_file),  cmocka_unit_test(unsteady__folder),
      cmocka_unit_test(unsteady__old_or_new),  cmocka_unit_test(unsteady__other_commands),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Feeds damaged fixtures to a fuzz target (fuzz_NAME.c defines LLVMFuzzerTestOneInput), without a fuzzing engine.
 *
 * Every file under the arguments, or under fixtures/ and rules/, goes in whole, cut short, with a line taken out, with two
 * lines swapped, and with bytes overwritten; where, is drawn from a generator seeded by the file's text, so that a failure
 * repeats. Nothing is asked of the target but to return: a sanitizer report or five seconds of silence ends the process.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROUNDS = 4, SECONDS = 5, LARGEST = 1 << 20 };

typedef struct Random {
  uint64_t state;
} Random;

static size_t random_below(Random *random, size_t bound) {
  random->state = hash_mix(random->state, 1);
  return bound ? (size_t)(random->state % bound) : 0;
}

/* A copy of exactly its size on the heap, so that a step beyond its end is seen. */
static void feed(Str text) {
  uint8_t *data = malloc(text.len ? text.len : 1);
  if (!data) abort();
  if (text.len) memcpy(data, text.ptr, text.len);
  alarm(SECONDS);
  LLVMFuzzerTestOneInput(data, text.len);
  alarm(0);
  free(data);
}

/* The line around a random place, with its end. */
static Str random_line(Random *random, Str text) {
  size_t at = random_below(random, text.len);
  size_t before = str_rfind_char(str_sub(text, 0, at), '\n');
  size_t behind = str_find_char(str_sub(text, at, text.len), '\n');
  return str_sub(text, before == STR_NONE ? 0 : before + 1, behind == STR_NONE ? text.len : at + behind + 1);
}

static size_t offset_in(Str text, Str part) { return (size_t)(part.ptr - text.ptr); }

static Str without_line(Arena *arena, Random *random, Str text) {
  Str line = random_line(random, text);
  size_t start = offset_in(text, line);
  return str_concat(arena, str_sub(text, 0, start), str_sub(text, start + line.len, text.len));
}

static Str with_lines_swapped(Arena *arena, Random *random, Str text) {
  Str a = random_line(random, text), b = random_line(random, text);
  if (offset_in(text, a) > offset_in(text, b)) {
    Str swap = a;
    a = b;
    b = swap;
  }
  size_t a_end = offset_in(text, a) + a.len, b_start = offset_in(text, b);
  if (a_end > b_start) return text;  // the same line twice
  Str parts[] = {str_sub(text, 0, offset_in(text, a)), b, str_sub(text, a_end, b_start), a,
                 str_sub(text, b_start + b.len, text.len)};
  return str_join(arena, parts, 5, S(""));
}

static Str with_noise(Arena *arena, Random *random, Str text) {
  static const char awkward[] = "\0\xff\xc3\"'([{\\\t\n \r#:%`f";
  StrBuf buf = {.arena = arena};
  buf_str(&buf, text);
  for (size_t i = 0; i < 1 + text.len / 200; i++) {
    buf.data[random_below(random, text.len)] = awkward[random_below(random, sizeof awkward)];
  }
  return buf_view(&buf);
}

static void damage(Arena *arena, Str text) {
  Random random = {str_hash(text)};
  feed(text);
  for (int i = 0; i < ROUNDS && text.len; i++) {
    feed(str_sub(text, 0, random_below(&random, text.len)));
    feed(without_line(arena, &random, text));
    feed(with_lines_swapped(arena, &random, text));
    feed(with_noise(arena, &random, text));
  }
}

typedef VEC(Str) Paths;

static void add_children(Arena *arena, const Fs *fs, Paths *paths, Str dir) {
  FsEntries entries;
  if (fs->list(fs, arena, dir, &entries) != FS_OK) return;
  for (uint32_t i = 0; i < entries.len; i++) {
    FsKind kind = entries.data[i].kind;
    if (kind == FS_DIR || kind == FS_FILE) vec_push(arena, paths, path_join(arena, dir, entries.data[i].name));
  }
}

int main(int argc, char **argv) {
  Arena names = {0}, scratch = {0};
  Fs fs = fs_disk();
  Paths paths = {0};
  for (int i = 1; i < argc; i++) vec_push(&names, &paths, str_from(argv[i]));
  if (argc < 2) {
    vec_push(&names, &paths, S("fixtures"));
    vec_push(&names, &paths, S("rules"));
  }
  int files = 0;
  for (uint32_t i = 0; i < paths.len; i++) {
    Str text;
    add_children(&names, &fs, &paths, paths.data[i]);
    if (fs.read(&fs, &scratch, paths.data[i], LARGEST, &text) == FS_OK) {
      fprintf(stderr, "%.*s\n", STR_ARG(paths.data[i]));  // the last line in the log is the file that failed
      damage(&scratch, text);
      files++;
    }
    arena_release(&scratch);
  }
  arena_release(&names);
  printf("ok 1 - %d files, %d inputs each\n", files, 1 + 4 * ROUNDS);
  return 0;
}

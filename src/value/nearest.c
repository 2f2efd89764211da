/* Words, and the one that was probably meant. */
#include "value/schema.h"

enum { LONGEST = 48 };  // longer words get no hint: nobody mistypes one into another of our keys

/* Edits (insert, delete, replace, swap of neighbours) from `a` to `b`; three rows of the usual table are enough. */
static uint32_t edits_between(Str a, Str b) {
  uint32_t rows[3][LONGEST + 1];
  for (uint32_t j = 0; j <= b.len; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= a.len; i++) {
    const uint32_t *above = rows[(i - 1) % 3], *above2 = rows[(i + 1) % 3];
    uint32_t *row = rows[i % 3];
    row[0] = i;
    for (uint32_t j = 1; j <= b.len; j++) {
      uint32_t best = above[j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]);
      if (above[j] + 1 < best) best = above[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1];
      if (swapped && above2[j - 2] + 1 < best) best = above2[j - 2] + 1;
      row[j] = best;
    }
  }
  return rows[a.len % 3][b.len];
}

Str schema_nearest(Str word, const Str *words, uint32_t count) {
  Str best = S("");
  if (word.len > LONGEST || word.len < 2) return best;
  uint32_t least = (uint32_t)(word.len < 6 ? 1 : word.len / 3) + 1;
  for (uint32_t i = 0; i < count; i++) {
    if (words[i].len > LONGEST) continue;
    uint32_t edits = edits_between(word, words[i]);
    if (edits >= least) continue;
    least = edits;
    best = words[i];
  }
  return best;
}

Str schema_hint(Arena *arena, Str word, const Str *words, uint32_t count) {
  Str near = schema_nearest(word, words, count);
  return near.len ? str_printf(arena, " (did you mean \"%.*s\"?)", STR_ARG(near)) : S("");
}

int schema_word(Str word, const Str *words, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (str_eq(words[i], word)) return (int)i;
  return -1;
}

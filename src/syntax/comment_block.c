/* Lines are told apart by their first character; strings that go over several lines are walked over.
 *
 * Nested quotes of one kind in a triple-quoted f-string are not followed: at worst a block of lines in it that all begin with
 * `#` is taken for comments.
 */
#include "syntax/comment_block.h"

enum { SHORTEST_BLOCK = 64 };

static size_t line_end(Str text, size_t at) {
  size_t length = str_find_char(str_sub(text, at, text.len), '\n');
  return length == STR_NONE ? text.len : at + length;
}

static bool is_quote_triple(Str text, size_t at) {
  return at + 2 < text.len && text.ptr[at + 1] == text.ptr[at] && text.ptr[at + 2] == text.ptr[at];
}

/* Behind the string whose opening quote is at `at`; a string of one line that is not closed ends with its line. */
static size_t skip_string(Str text, size_t at) {
  char quote = text.ptr[at];
  bool triple = is_quote_triple(text, at);
  for (at += triple ? 3 : 1; at < text.len; at++) {
    char c = text.ptr[at];
    if (c == '\\') at++;
    else if (c == '\n' && !triple) return at;
    else if (c == quote && !triple) return at + 1;
    else if (c == quote && is_quote_triple(text, at)) return at + 3;
  }
  return text.len;
}

/* To the end of the line on which the code ends that begins at `at`. */
static size_t skip_code(Str text, size_t at) {
  while (at < text.len && text.ptr[at] != '\n') {
    char c = text.ptr[at];
    if (c == '#') return line_end(text, at);
    at = c == '"' || c == '\'' ? skip_string(text, at) : at + 1;
  }
  return at;
}

static size_t skip_blanks(Str text, size_t at) {
  while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t' || text.ptr[at] == '\f' || text.ptr[at] == '\r'))
    at++;
  return at;
}

/* Blanks the comments on the lines from `start` to `end`. */
static void take_block(Arena *arena, char *copy, Str text, Span block, Comments *out) {
  for (size_t at = block.start, end; at < block.end; at = end + 1) {
    end = line_end(text, at);
    at = skip_blanks(text, at);
    if (at >= end) continue;
    size_t tail = end > at && text.ptr[end - 1] == '\r' ? end - 1 : end;
    vec_push(arena, out, ((Comment){{(uint32_t)at, (uint32_t)tail}, true}));
    memset(copy + at, ' ', tail - at);
  }
}

Str comment_blocks_take(Arena *arena, Arena *scratch, Str text, Comments *out) {
  char *copy = NULL;
  uint32_t comments = 0;
  Span block = {0};
  for (size_t at = 0, end; at <= text.len; at = end + 1) {
    size_t first = skip_blanks(text, at);
    char c = first < text.len ? text.ptr[first] : '\0';
    end = c == '#' || c == '\n' ? line_end(text, first) : skip_code(text, first);
    if (c == '\n') continue;
    if (c == '#') {
      if (comments++ == 0) block.start = (uint32_t)at;
      block.end = (uint32_t)end;
      continue;
    }
    if (comments >= SHORTEST_BLOCK) {
      if (!copy) copy = memcpy(arena_array(scratch, char, text.len), text.ptr, text.len);
      take_block(arena, copy, text, block, out);
    }
    comments = 0;
  }
  return copy ? (Str){copy, text.len} : text;
}

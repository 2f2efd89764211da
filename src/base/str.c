/* Slices: comparing, searching, cutting, and the few ways to make new text in an arena.
 *
 * Bytes are bytes here. What is a character, a column or a display width is the business of `source/` and `report/`.
 */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/panic.h"

Str str_from(const char *c_string) { return c_string ? (Str){c_string, strlen(c_string)} : S(""); }

Str str_sub(Str s, size_t start, size_t end) {
  if (end > s.len) end = s.len;
  if (start > end) start = end;
  return s.ptr ? (Str){s.ptr + start, end - start} : S("");
}

/* memcmp and memchr may not be handed NULL, which is what the zero Str holds. */
bool str_eq(Str a, Str b) { return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0); }

int str_cmp(Str a, Str b) {
  size_t common = a.len < b.len ? a.len : b.len;
  int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
  return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(Str s, Str prefix) { return s.len >= prefix.len && str_eq(str_sub(s, 0, prefix.len), prefix); }

bool str_ends(Str s, Str suffix) {
  return s.len >= suffix.len && str_eq(str_sub(s, s.len - suffix.len, s.len), suffix);
}

bool str_contains(Str s, Str needle) { return str_find(s, needle) != STR_NONE; }

bool str_in(Str s, const Str *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (str_eq(s, words[i])) return true;
  }
  return false;
}

size_t str_find(Str s, Str needle) {
  if (needle.len == 0) return 0;
  if (s.len < needle.len) return STR_NONE;
  const char *found = memmem(s.ptr, s.len, needle.ptr, needle.len);
  return found ? (size_t)(found - s.ptr) : STR_NONE;
}

size_t str_find_char(Str s, char c) {
  const char *found = s.len ? memchr(s.ptr, c, s.len) : NULL;
  return found ? (size_t)(found - s.ptr) : STR_NONE;
}

size_t str_rfind_char(Str s, char c) {
  const char *found = s.len ? memrchr(s.ptr, c, s.len) : NULL;
  return found ? (size_t)(found - s.ptr) : STR_NONE;
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

Str str_trim(Str s) {
  size_t start = 0, end = s.len;
  while (start < end && is_space(s.ptr[start])) start++;
  while (end > start && is_space(s.ptr[end - 1])) end--;
  return str_sub(s, start, end);
}

Str str_cut(Str *rest, char c) {
  Str whole = *rest;
  size_t at = str_find_char(whole, c);
  if (at == STR_NONE) {
    *rest = S("");
    return whole;
  }
  *rest = str_sub(whole, at + 1, whole.len);
  return str_sub(whole, 0, at);
}

uint64_t str_hash_more(uint64_t hash, Str s) {
  for (size_t i = 0; i < s.len; i++) hash = (hash ^ (unsigned char)s.ptr[i]) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t str_hash(Str s) { return str_hash_more(STR_HASH_EMPTY, s); }

bool str_to_i64(Str s, int64_t *out) {
  bool negative = s.len > 0 && s.ptr[0] == '-';
  size_t i = negative || (s.len > 0 && s.ptr[0] == '+');
  if (i == s.len) return false;
  int64_t value = 0;
  for (; i < s.len; i++) {
    int digit = s.ptr[i] - '0';
    if (digit < 0 || digit > 9) return false;
    // Counted downwards, because the most negative number has no positive twin.
    if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, digit, &value)) return false;
  }
  if (!negative && value == INT64_MIN) return false;
  *out = negative ? value : -value;
  return true;
}

Str str_copy(Arena *arena, Str s) { return str_concat(arena, s, S("")); }

Str str_concat(Arena *arena, Str a, Str b) {
  char *bytes = arena_array(arena, char, a.len + b.len + 1);
  if (a.len) memcpy(bytes, a.ptr, a.len);
  if (b.len) memcpy(bytes + a.len, b.ptr, b.len);
  return (Str){bytes, a.len + b.len};
}

Str str_join(Arena *arena, const Str *parts, size_t count, Str separator) {
  StrBuf buf = {.arena = arena};
  for (size_t i = 0; i < count; i++) {
    if (i) buf_str(&buf, separator);
    buf_str(&buf, parts[i]);
  }
  return buf_view(&buf);
}

Str str_printf(Arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  tf_assert(len >= 0);
  char *bytes = arena_array(arena, char, (size_t)len + 1);
  vsnprintf(bytes, (size_t)len + 1, format, again);
  va_end(again);
  return (Str){bytes, (size_t)len};
}

/* Text that grows in an arena. One spare byte is kept behind the end, so that every view ends in NUL. */
#include <stdarg.h>
#include <stdio.h>

#include "base/panic.h"
#include "base/str.h"

static void reserve(StrBuf *buf, size_t more) {
  if (more < buf->cap - buf->len) return;
  size_t cap = buf->cap ? buf->cap : 64;
  while (cap - buf->len <= more) {
    if (__builtin_mul_overflow(cap, (size_t)2, &cap)) panic_raise(__FILE__, __LINE__, "out of memory");
  }
  buf->data = arena_grow(buf->arena, buf->data, buf->cap, cap, 1);
  buf->cap = cap;
}

void buf_str(StrBuf *buf, Str s) {
  if (s.len == 0) return;
  reserve(buf, s.len);
  memcpy(buf->data + buf->len, s.ptr, s.len);
  buf->len += s.len;
}

void buf_char(StrBuf *buf, char c) {
  reserve(buf, 1);
  buf->data[buf->len++] = c;
}

void buf_repeat(StrBuf *buf, char c, size_t count) {
  if (count == 0) return;
  reserve(buf, count);
  memset(buf->data + buf->len, c, count);
  buf->len += count;
}

void buf_printf(StrBuf *buf, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int len = vsnprintf(NULL, 0, format, args);
  va_end(args);
  tf_assert(len >= 0);
  reserve(buf, (size_t)len);
  vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
  va_end(again);
  buf->len += (size_t)len;
}

Str buf_view(const StrBuf *buf) { return buf->data ? (Str){buf->data, buf->len} : S(""); }

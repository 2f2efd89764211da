/* The value of string and bytes literals: prefixes, quotes, escapes.
 *
 * Does not know the names of \N{…}: such a string is kept as written and marked inexact. A \x escape is a code point in a
 * string and a byte in a bytes literal.
 */
#include "syntax/lower.h"

static bool take_prefix_letter(StringShape *shape, char c) {
  switch (c | 0x20) {
    case 'b':
      return shape->is_bytes = true;
    case 'r':
      return shape->is_raw = true;
    case 'f':
      return shape->is_format = true;
    case 't':
      return shape->is_format = shape->is_template = true;
    case 'u':
      return true;
    default:
      return false;
  }
}

StringShape string_shape(Str literal) {
  StringShape shape = {0};
  while (shape.prefix < literal.len && take_prefix_letter(&shape, literal.ptr[shape.prefix])) shape.prefix++;
  Str rest = str_sub(literal, shape.prefix, literal.len);
  shape.is_backtick = str_starts(rest, S("`"));
  uint32_t quotes = str_starts(rest, S("\"\"\"")) || str_starts(rest, S("'''")) ? 3 : 1;
  uint32_t end = (uint32_t)literal.len;
  shape.body.start = shape.prefix + quotes < end ? shape.prefix + quotes : end;
  shape.body.end = end > shape.body.start + quotes ? end - quotes : shape.body.start;
  return shape;
}

static void put_code_point(StrBuf *buf, uint32_t c) {
  if (c < 0x80) {
    buf_char(buf, (char)c);
  } else if (c < 0x800) {
    buf_char(buf, (char)(0xC0 | (c >> 6)));
    buf_char(buf, (char)(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    buf_char(buf, (char)(0xE0 | (c >> 12)));
    buf_char(buf, (char)(0x80 | ((c >> 6) & 0x3F)));
    buf_char(buf, (char)(0x80 | (c & 0x3F)));
  } else {
    buf_char(buf, (char)(0xF0 | (c >> 18)));
    buf_char(buf, (char)(0x80 | ((c >> 12) & 0x3F)));
    buf_char(buf, (char)(0x80 | ((c >> 6) & 0x3F)));
    buf_char(buf, (char)(0x80 | (c & 0x3F)));
  }
}

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char lower = (char)(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/* Up to `most` digits of `base` from *at on; the number of digits taken. */
static uint32_t take_number(Str body, size_t *at, int base, uint32_t most, uint32_t *value) {
  uint32_t taken = 0;
  *value = 0;
  while (taken < most && *at < body.len && digit_of(body.ptr[*at]) < base) {
    *value = *value * (uint32_t)base + (uint32_t)digit_of(body.ptr[*at]);
    (*at)++;
    taken++;
  }
  return taken;
}

static bool is_scalar(uint32_t c) { return c <= 0x10FFFF && !(c >= 0xD800 && c <= 0xDFFF); }

/* \x41 \u0041 \U00000041. An incomplete one is an error to Python; it is kept as written. */
static void decode_hex(StrBuf *buf, StringShape shape, Str body, size_t *at, bool *exact) {
  size_t start = *at - 1;
  char letter = body.ptr[*at];
  uint32_t width = letter == 'x' ? 2 : letter == 'u' ? 4 : 8, value;
  (*at)++;
  bool complete = take_number(body, at, 16, width, &value) == width;
  if (complete && shape.is_bytes) {
    buf_char(buf, (char)value);
  } else if (complete && is_scalar(value)) {
    put_code_point(buf, value);
  } else {
    *exact = false;
    buf_str(buf, str_sub(body, start, *at));
  }
}

/* Escapes of one letter, as pairs of letter and value. */
static const char SIMPLE[] = "\\\\''\"\"a\ab\bf\fn\nr\rt\tv\v";

static bool decode_simple(StrBuf *buf, char letter) {
  for (size_t i = 0; i + 1 < sizeof SIMPLE; i += 2) {
    if (SIMPLE[i] != letter) continue;
    buf_char(buf, SIMPLE[i + 1]);
    return true;
  }
  return false;
}

/* At the character behind a backslash. Unknown escapes keep their backslash, as in Python. */
static void decode_escape(StrBuf *buf, StringShape shape, Str body, size_t *at, bool *exact) {
  char c = body.ptr[*at];
  if (c == '\n' || c == '\r') {
    *at += c == '\r' && *at + 1 < body.len && body.ptr[*at + 1] == '\n' ? 2 : 1;
  } else if (c >= '0' && c <= '7') {
    uint32_t value;
    take_number(body, at, 8, 3, &value);
    if (shape.is_bytes) buf_char(buf, (char)value);
    else put_code_point(buf, value);
  } else if (c == 'x' || (!shape.is_bytes && (c == 'u' || c == 'U'))) {
    decode_hex(buf, shape, body, at, exact);
  } else if (decode_simple(buf, c)) {
    (*at)++;
  } else {
    if (c == 'N' && !shape.is_bytes) *exact = false;
    buf_char(buf, '\\');
  }
}

/* Braces of a format string stand for themselves when doubled; line ends are `\n` whatever the file has. */
Str string_decode(Arena *arena, StringShape shape, Str body, bool *exact) {
  bool plain = str_find_char(body, '\r') == STR_NONE && (shape.is_raw || str_find_char(body, '\\') == STR_NONE);
  if (plain && !shape.is_format) return body;
  StrBuf buf = {.arena = arena};
  for (size_t at = 0; at < body.len;) {
    char c = body.ptr[at++], next = at < body.len ? body.ptr[at] : '\0';
    if (c == '\\' && !shape.is_raw && at < body.len) {
      decode_escape(&buf, shape, body, &at, exact);
    } else if (c == '\r') {
      buf_char(&buf, '\n');
      at += next == '\n';
    } else {
      buf_char(&buf, c);
      at += shape.is_format && (c == '{' || c == '}') && next == c;
    }
  }
  return buf_view(&buf);
}

/* See toml_scalar.h. The grammar has already checked the form, so only meaning is checked here. */
#include "value/toml_scalar.h"

#include <inttypes.h>

#include "value/utf8.h"

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* \uXXXX or \UXXXXXXXX at the start of `rest`, behind the letter. */
static bool read_code(StrBuf *out, Str *rest, size_t digits) {
  uint32_t code = 0;
  if (rest->len < digits) return false;
  for (size_t i = 0; i < digits; i++) {
    int digit = digit_of(rest->ptr[i]);
    if (digit < 0 || code > 0xFFFFFF) return false;
    code = code << 4 | (uint32_t)digit;
  }
  if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  char bytes[4];
  buf_str(out, (Str){bytes, utf8_encode(code, bytes)});
  *rest = str_sub(*rest, digits, rest->len);
  return true;
}

/* What follows a backslash. A backslash at the end of a line swallows it and all blanks and lines after it. */
static bool read_escape(StrBuf *out, Str *rest) {
  static const char letters[] = "btnfr\"\\";
  static const char meanings[] = "\b\t\n\f\r\"\\";
  if (!rest->len) return false;
  char c = rest->ptr[0];
  *rest = str_sub(*rest, 1, rest->len);
  if (c == 'u') return read_code(out, rest, 4);
  if (c == 'U') return read_code(out, rest, 8);
  for (size_t i = 0; i + 1 < sizeof letters; i++)
    if (c == letters[i]) return buf_char(out, meanings[i]), true;
  if (c != '\n' && c != '\r' && c != ' ' && c != '\t') return false;
  size_t skip = 0;
  while (skip < rest->len && str_find_char(S(" \t\r\n"), rest->ptr[skip]) != STR_NONE) skip++;
  *rest = str_sub(*rest, skip, rest->len);
  return true;
}

bool toml_string(Arena *arena, Str raw, Str *out) {
  bool literal = str_starts(raw, S("'"));
  bool lines = str_starts(raw, S("\"\"\"")) || str_starts(raw, S("'''"));
  size_t quotes = lines ? 3 : 1;
  if (raw.len < 2 * quotes) return false;
  Str rest = str_sub(raw, quotes, raw.len - quotes);
  if (lines && str_starts(rest, S("\r\n"))) rest = str_sub(rest, 2, rest.len);
  else if (lines && str_starts(rest, S("\n"))) rest = str_sub(rest, 1, rest.len);
  if (literal) {
    *out = str_copy(arena, rest);
    return true;
  }
  StrBuf text = {.arena = arena};
  for (size_t slash; (slash = str_find_char(rest, '\\')) != STR_NONE;) {
    buf_str(&text, str_sub(rest, 0, slash));
    rest = str_sub(rest, slash + 1, rest.len);
    if (!read_escape(&text, &rest)) return false;
  }
  buf_str(&text, rest);
  *out = str_copy(arena, buf_view(&text));
  return true;
}

bool toml_integer(Arena *arena, Str raw, Str *out) {
  bool negative = str_starts(raw, S("-"));
  if (negative || str_starts(raw, S("+"))) raw = str_sub(raw, 1, raw.len);
  int base = str_starts(raw, S("0x")) ? 16 : str_starts(raw, S("0o")) ? 8 : str_starts(raw, S("0b")) ? 2 : 10;
  uint64_t value = 0, limit = (uint64_t)INT64_MAX + negative;
  for (size_t i = base == 10 ? 0 : 2; i < raw.len; i++) {
    if (raw.ptr[i] == '_') continue;
    uint64_t digit = (uint64_t)digit_of(raw.ptr[i]);
    if (value > (limit - digit) / (uint64_t)base) return false;
    value = value * (uint64_t)base + digit;
  }
  *out = str_printf(arena, "%s%" PRIu64, negative && value ? "-" : "", value);
  return true;
}

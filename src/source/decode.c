/* Bytes to text: byte order mark, PEP 263 cookie, UTF-8, and the line table. Encodings other than UTF-8 are in transcode.c.
 *
 * Follows CPython: the cookie counts in the first line, and in the second if the first is blank or a comment; a mark with a
 * cookie that is not UTF-8 is refused, and so are encodings in which ASCII text is not ASCII. A file that CPython would not
 * read is an error with a reason, never a guess.
 */
#include "source/transcode.h"

static const Str UTF8_NAMES[] = {S_INIT("utf-8"), S_INIT("utf8"),      S_INIT("u8"),
                                 S_INIT("utf"),   S_INIT("utf-8-sig"), S_INIT("cp65001")};
static const Str ASCII_NAMES[] = {S_INIT("ascii"), S_INIT("us-ascii"), S_INIT("646")};
/* Prefixes of encodings that are no superset of ASCII. */
static const Str REFUSED[] = {S_INIT("utf-16"), S_INIT("utf16"), S_INIT("utf-32"), S_INIT("utf32"),
                              S_INIT("utf-7"),  S_INIT("utf7"),  S_INIT("ucs"),    S_INIT("unicode"),
                              S_INIT("ebcdic"), S_INIT("cp037"), S_INIT("cp500")};

static void fail(Source *source, Str why) {
  source->error = true;
  source->error_text = why;
  source->text = S("");
}

/* ---- the cookie ---- */

static Str first_line(Str text) {
  size_t end = 0;
  while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r') end++;
  return str_sub(text, 0, end);
}

static Str next_line(Str text, Str line) {
  size_t end = line.len;
  if (end < text.len && text.ptr[end] == '\r') end++;
  if (end < text.len && text.ptr[end] == '\n') end++;
  return first_line(str_sub(text, end, text.len));
}

static Str skip_blanks(Str s) {
  size_t at = 0;
  while (at < s.len && (s.ptr[at] == ' ' || s.ptr[at] == '\t' || s.ptr[at] == '\f')) at++;
  return str_sub(s, at, s.len);
}

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

/* `coding[:=] name` in a comment line. */
static Str cookie_of_line(Str line) {
  line = skip_blanks(line);
  if (!str_starts(line, S("#"))) return S("");
  for (size_t at; (at = str_find(line, S("coding"))) != STR_NONE;) {
    line = str_sub(line, at + 6, line.len);
    if (!str_starts(line, S(":")) && !str_starts(line, S("="))) continue;
    Str name = skip_blanks(str_sub(line, 1, line.len));
    size_t len = 0;
    while (len < name.len && is_name_char(name.ptr[len])) len++;
    if (len > 0) return str_sub(name, 0, len);
  }
  return S("");
}

static Str find_cookie(Str text) {
  Str line = first_line(text), cookie = cookie_of_line(line), code = skip_blanks(line);
  if (cookie.len > 0 || (code.len > 0 && code.ptr[0] != '#')) return cookie;
  return cookie_of_line(next_line(text, line));
}

static Str normal_name(Arena *arena, Str cookie) {
  StrBuf buf = {.arena = arena};
  for (size_t i = 0; i < cookie.len; i++) {
    char c = cookie.ptr[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c + ('a' - 'A'));
    buf_char(&buf, c == '_' ? '-' : c);
  }
  Str name = buf_view(&buf);
  // CPython takes `utf-8-unix`, as Emacs writes it, for UTF-8; likewise for Latin-1.
  if (str_starts(name, S("utf-8-"))) return S("utf-8");
  if (str_starts(name, S("latin-1-")) || str_starts(name, S("iso-8859-1-"))) return S("iso-8859-1");
  return name;
}

/* ---- decoding ---- */

/* Length of the well-formed UTF-8 character at the front, 0 if there is none: shortest form, no surrogates, to U+10FFFF. */
static size_t utf8_length(const unsigned char *s, size_t left) {
  unsigned char c = s[0];
  size_t len = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
  if (len > left) return 0;
  for (size_t i = 1; i < len; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
  }
  if (c == 0xE0 && s[1] < 0xA0) return 0;
  if (c == 0xED && s[1] > 0x9F) return 0;
  if (c == 0xF0 && s[1] < 0x90) return 0;
  if (c == 0xF4 && s[1] > 0x8F) return 0;
  return len;
}

/* Offset of the first byte that is not ASCII, at or after `from`; a word at a time, because source code is mostly ASCII. */
static size_t skip_ascii(Str text, size_t from) {
  const uint64_t high_bits = 0x8080808080808080u;
  uint64_t word;
  while (text.len - from >= sizeof word) {
    memcpy(&word, text.ptr + from, sizeof word);
    if (word & high_bits) break;
    from += sizeof word;
  }
  while (from < text.len && (unsigned char)text.ptr[from] < 0x80) from++;
  return from;
}

/* Offset of the first ill-formed byte, or text.len. */
static size_t utf8_valid_until(Str text) {
  size_t at = skip_ascii(text, 0);
  while (at < text.len) {
    size_t len = utf8_length((const unsigned char *)text.ptr + at, text.len - at);
    if (len == 0) return at;
    at = skip_ascii(text, at + len);
  }
  return text.len;
}

static uint32_t line_at(Str text, size_t offset) {
  uint32_t line = 1;
  for (size_t i = 0; i < offset; i++) {
    line += text.ptr[i] == '\n' || (text.ptr[i] == '\r' && (i + 1 == text.len || text.ptr[i + 1] != '\n'));
  }
  return line;
}

static void decode_utf8(Arena *arena, Source *source, Str bytes) {
  size_t valid = utf8_valid_until(bytes);
  source->text = bytes;
  if (valid < bytes.len) fail(source, str_printf(arena, "line %u is not valid UTF-8", line_at(bytes, valid)));
}

static void decode_other(Arena *arena, Source *source, Str cookie, Str name, Str bytes) {
  Str text = S("");
  switch (transcode(arena, name, bytes, &text)) {
    case TRANSCODE_UNKNOWN:
      fail(source, str_printf(arena, "unknown encoding '%.*s'", STR_ARG(cookie)));
      break;
    case TRANSCODE_INVALID:
      fail(source, str_printf(arena, "not valid in the declared encoding '%.*s'", STR_ARG(cookie)));
      break;
    case TRANSCODE_OK:
      source->transcoded = !str_eq(text, bytes);
      source->text = source->transcoded ? text : bytes;
      break;
  }
}

static void decode_ascii(Arena *arena, Source *source, Str bytes) {
  size_t ascii = skip_ascii(bytes, 0);
  source->text = bytes;
  if (ascii < bytes.len)
    fail(source, str_printf(arena, "line %u is not ASCII, as the file declares", line_at(bytes, ascii)));
}

static bool is_refused(Str name) {
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    if (str_starts(name, REFUSED[i])) return true;
  }
  return false;
}

static void decode(Arena *arena, Source *source, Str bytes) {
  if (str_starts(bytes, S("\xEF\xBB\xBF"))) {
    source->bom_bytes = 3;
    bytes = str_sub(bytes, 3, bytes.len);
  } else if (str_starts(bytes, S("\xFF\xFE")) || str_starts(bytes, S("\xFE\xFF"))) {
    fail(source, S("UTF-16 text"));
    return;
  }
  if (str_find_char(bytes, '\0') != STR_NONE) {
    fail(source, S("contains a NUL byte"));
    return;
  }
  Str cookie = find_cookie(bytes), name = normal_name(arena, cookie);
  bool utf8 = cookie.len == 0 || STR_IN(name, UTF8_NAMES);
  if (utf8) {
    decode_utf8(arena, source, bytes);
  } else if (source->bom_bytes > 0) {
    fail(source, str_printf(arena, "UTF-8 byte order mark, but declared encoding '%.*s'", STR_ARG(cookie)));
  } else if (STR_IN(name, ASCII_NAMES)) {
    decode_ascii(arena, source, bytes);
  } else if (is_refused(name)) {
    fail(source, str_printf(arena, "encoding '%.*s' is not allowed in source files", STR_ARG(cookie)));
  } else {
    decode_other(arena, source, cookie, name, bytes);
  }
}

/* ---- lines ---- */

static bool ends_line(Str text, size_t at) {
  return text.ptr[at] == '\n' || (text.ptr[at] == '\r' && (at + 1 == text.len || text.ptr[at + 1] != '\n'));
}

static void index_lines(Arena *arena, Source *source) {
  Str text = source->text;
  uint32_t count = 1;
  for (size_t i = 0; i < text.len; i++) count += ends_line(text, i);
  source->lines = arena_array(arena, uint32_t, count);
  source->line_count = 1;
  for (size_t i = 0; i < text.len; i++) {
    if (ends_line(text, i)) source->lines[source->line_count++] = (uint32_t)(i + 1);
  }
}

void source_init(Arena *arena, Source *out, Str path, Str bytes) {
  *out = (Source){.path = path, .text = S("")};
  // Offsets are 32 bits wide, and decoding may make four bytes of one.
  if (bytes.len > UINT32_MAX / 8) fail(out, S("larger than 512 MiB"));
  else decode(arena, out, bytes);
  if (out->error) out->transcoded = false;
  index_lines(arena, out);
}

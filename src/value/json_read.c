/* JSON to a document tree, strictly after RFC 8259, with byte spans: positions in baselines and notebooks must be exact.
 *
 * Iterative, depth-bounded. Numbers stay text. Strings must be well-formed UTF-8; an escaped lone surrogate, which notebooks
 * are known to contain, becomes U+FFFD.
 */
#include "value/build.h"
#include "value/utf8.h"

typedef struct JsonReader {
  DocBuilder build;
  Str text;
  size_t at;
} JsonReader;

static bool fail(JsonReader *reader, size_t at, const char *reason) {
  uint32_t offset = build_offset(at);
  doc_fail(reader->build.errors, reader->build.file, (DocSpan){offset, offset}, "bad JSON: %s", reason);
  return false;
}

static char peek(const JsonReader *reader) {
  return reader->at < reader->text.len ? reader->text.ptr[reader->at] : '\0';
}

static void skip_blanks(JsonReader *reader) {
  while (reader->at < reader->text.len && str_find_char(S(" \t\r\n"), reader->text.ptr[reader->at]) != STR_NONE)
    reader->at++;
}

/* Four digits at `at`; -1 if they are not there. */
static int32_t hex4(Str text, size_t at) {
  if (at + 4 > text.len) return -1;
  int32_t code = 0;
  for (size_t i = at; i < at + 4; i++) {
    char c = text.ptr[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return -1;
    code = code << 4 | digit;
  }
  return code;
}

/* Behind `\u`. Two escapes make one character where they are a surrogate pair. */
static bool read_unicode(JsonReader *reader, StrBuf *out) {
  int32_t code = hex4(reader->text, reader->at);
  if (code < 0) return fail(reader, reader->at, "\\u needs four hexadecimal digits");
  reader->at += 4;
  bool high = code >= 0xD800 && code < 0xDC00;
  if (high && str_starts(str_sub(reader->text, reader->at, reader->text.len), S("\\u"))) {
    int32_t low = hex4(reader->text, reader->at + 2);
    if (low >= 0xDC00 && low < 0xE000) {
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      reader->at += 6;
    }
  }
  if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
  char bytes[4];
  buf_str(out, (Str){bytes, utf8_encode((uint32_t)code, bytes)});
  return true;
}

static bool read_escape(JsonReader *reader, StrBuf *out) {
  static const Str letters = S_INIT("\"\\/bfnrt");
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  char c = peek(reader);
  size_t index = c ? str_find_char(letters, c) : STR_NONE;
  if (c != 'u' && index == STR_NONE) return fail(reader, reader->at, "unknown escape");
  reader->at++;
  if (c == 'u') return read_unicode(reader, out);
  buf_char(out, meanings[index]);
  return true;
}

static bool read_string(JsonReader *reader, Str *out) {
  StrBuf text = {.arena = reader->build.arena};
  size_t plain = ++reader->at;  // start of the run that is copied as it is
  for (;;) {
    if (reader->at >= reader->text.len) return fail(reader, plain - 1, "a string without an end");
    uint32_t code;
    size_t len = utf8_decode(reader->text, reader->at, &code);
    if (!len) return fail(reader, reader->at, "ill-formed UTF-8");
    if (code < 0x20) return fail(reader, reader->at, "a control character in a string");
    if (code != '"' && code != '\\') {
      reader->at += len;
      continue;
    }
    Str run = str_sub(reader->text, plain, reader->at++);
    bool whole = code == '"' && !text.len;  // no escapes: most strings, and all the large ones
    if (!whole) buf_str(&text, run);
    if (code == '"') {
      *out = str_copy(reader->build.arena, whole ? run : buf_view(&text));
      return true;
    }
    if (!read_escape(reader, &text)) return false;
    plain = reader->at;
  }
}

static size_t digits_at(const JsonReader *reader, size_t at) {
  size_t end = at;
  while (end < reader->text.len && reader->text.ptr[end] >= '0' && reader->text.ptr[end] <= '9') end++;
  return end - at;
}

static bool read_number(JsonReader *reader) {
  size_t start = reader->at;
  if (peek(reader) == '-') reader->at++;
  size_t digits = digits_at(reader, reader->at);
  if (!digits || (digits > 1 && peek(reader) == '0')) return fail(reader, start, "bad number");
  reader->at += digits;
  if (peek(reader) == '.') {
    digits = digits_at(reader, ++reader->at);
    if (!digits) return fail(reader, start, "bad number");
    reader->at += digits;
  }
  if (peek(reader) != 'e' && peek(reader) != 'E') return true;
  reader->at++;
  if (peek(reader) == '+' || peek(reader) == '-') reader->at++;
  digits = digits_at(reader, reader->at);
  reader->at += digits;
  return digits || fail(reader, start, "bad number");
}

static bool read_literal(JsonReader *reader) {
  static const Str words[] = {S_INIT("true"), S_INIT("false"), S_INIT("null")};
  Str rest = str_sub(reader->text, reader->at, reader->text.len);
  for (size_t i = 0; i < 3; i++) {
    if (!str_starts(rest, words[i])) continue;
    reader->at += words[i].len;
    return true;
  }
  return fail(reader, reader->at, reader->at < reader->text.len ? "expected a value" : "the document ends too early");
}

static bool read_leaf(JsonReader *reader) {
  char c = peek(reader);
  size_t start = reader->at;
  Doc leaf = {.kind = c == 'n' ? DOC_NULL : DOC_SCALAR, .quoted = c == '"'};
  bool number = c == '-' || (c >= '0' && c <= '9');
  if (leaf.quoted ? !read_string(reader, &leaf.text) : number ? !read_number(reader) : !read_literal(reader))
    return false;
  leaf.span = (DocSpan){build_offset(start), build_offset(reader->at)};
  if (!leaf.quoted) leaf.text = str_copy(reader->build.arena, str_sub(reader->text, start, reader->at));
  return build_value(&reader->build, &leaf);
}

static bool read_key(JsonReader *reader) {
  size_t start = reader->at;
  Str key;
  if (peek(reader) != '"') return fail(reader, start, "expected a key in quotes");
  if (!read_string(reader, &key)) return false;
  if (!build_key(&reader->build, key, (DocSpan){build_offset(start), build_offset(reader->at)})) return false;
  skip_blanks(reader);
  if (peek(reader) != ':') return fail(reader, reader->at, "expected \":\"");
  reader->at++;
  skip_blanks(reader);
  return true;
}

/* Behind a value: closes what ends here. *more tells that another item follows. */
static bool read_ends(JsonReader *reader, bool *more) {
  while (reader->build.depth) {
    skip_blanks(reader);
    char close = reader->build.frames[reader->build.depth - 1].doc->kind == DOC_MAP ? '}' : ']';
    char c = peek(reader);
    if (c == ',') {
      reader->at++;
      return *more = true;
    }
    if (c != close)
      return fail(reader, reader->at, close == '}' ? "expected \",\" or \"}\"" : "expected \",\" or \"]\"");
    build_close(&reader->build, build_offset(++reader->at));
  }
  *more = false;
  return true;
}

/* One value, or the opening of a container whose first item follows. */
static bool read_item(JsonReader *reader, bool *opened) {
  skip_blanks(reader);
  if (build_wants_key(&reader->build) && !read_key(reader)) return false;
  char c = peek(reader);
  *opened = false;
  if (c != '{' && c != '[') return read_leaf(reader);
  uint32_t at = build_offset(reader->at);
  if (!build_open(&reader->build, c == '{' ? DOC_MAP : DOC_LIST, (DocSpan){at, at})) return false;
  reader->at++;
  skip_blanks(reader);
  *opened = peek(reader) != (c == '{' ? '}' : ']');
  return true;
}

static bool read_document(JsonReader *reader) {
  for (bool more = true; more;) {
    bool opened;
    if (!read_item(reader, &opened)) return false;
    if (!opened && !read_ends(reader, &more)) return false;
  }
  skip_blanks(reader);
  return reader->at == reader->text.len || fail(reader, reader->at, "text after the end of the document");
}

bool doc_read_json(Arena *arena, Str path, Str text, uint64_t max_bytes, DocFile *file, DocErrors *errors) {
  JsonReader reader = {.text = text};
  if (!build_init(&reader.build, arena, path, text, max_bytes ? max_bytes : DOC_MAX_BYTES, file, errors)) return false;
  const Doc *empty = file->root;
  reader.at = str_starts(text, S("\xEF\xBB\xBF")) ? 3 : 0;
  bool good = read_document(&reader);
  if (!good) file->root = empty;
  return good;
}

/* Scans over bytes that are not parsed: whole words, and import lines.
 *
 * Both may say yes where a parser would say no (inside strings and comments), never the other way round: what they find
 * decides which files are parsed at all.
 */
#include "source/source.h"

/* Every byte of a character beyond ASCII counts as part of a name. */
static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

/* A byte order mark before the first word is no part of it. */
static bool follows_mark(Str text, size_t start) { return start == 3 && str_starts(text, S("\xEF\xBB\xBF")); }

static bool is_whole_word(Str text, size_t start, size_t len) {
  if (start > 0 && is_word_char(text.ptr[start - 1]) && !follows_mark(text, start)) return false;
  return start + len == text.len || !is_word_char(text.ptr[start + len]);
}

/* Offset of `word` as a whole identifier at or after `from`, or STR_NONE. */
static size_t find_word(Str text, Str word, size_t from) {
  while (word.len > 0 && from < text.len) {
    const char *hit = memmem(text.ptr + from, text.len - from, word.ptr, word.len);
    if (!hit) return STR_NONE;
    size_t at = (size_t)(hit - text.ptr);
    if (is_whole_word(text, at, word.len)) return at;
    from = at + 1;
  }
  return STR_NONE;
}

bool source_mentions(Str bytes, const Str *words, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (find_word(bytes, words[i], 0) != STR_NONE) return true;
  }
  return false;
}

/* ---- import lines ---- */

typedef struct Scan {
  Arena *arena;
  Str text;
  size_t at;
  bool in_parens;
  StrVec *out;
} Scan;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/* Length of a backslash and the line end behind it, 0 if there is none. */
static size_t continuation(Str text, size_t at) {
  if (text.ptr[at] != '\\' || at + 1 >= text.len || !is_line_end(text.ptr[at + 1])) return 0;
  return at + 2 < text.len && text.ptr[at + 1] == '\r' && text.ptr[at + 2] == '\n' ? 3 : 2;
}

static void skip_comment(Scan *scan) {
  while (scan->at < scan->text.len && !is_line_end(scan->text.ptr[scan->at])) scan->at++;
}

static void skip_blanks(Scan *scan) {
  while (scan->at < scan->text.len) {
    char c = scan->text.ptr[scan->at];
    size_t joined = continuation(scan->text, scan->at);
    if (joined > 0) scan->at += joined;
    else if (is_blank(c) || (scan->in_parens && is_line_end(c))) scan->at++;
    else if (scan->in_parens && c == '#') skip_comment(scan);
    else return;
  }
}

static bool take_char(Scan *scan, char c) {
  skip_blanks(scan);
  if (scan->at >= scan->text.len || scan->text.ptr[scan->at] != c) return false;
  scan->at++;
  return true;
}

static Str take_word(Scan *scan) {
  skip_blanks(scan);
  size_t start = scan->at;
  while (scan->at < scan->text.len && is_word_char(scan->text.ptr[scan->at])) scan->at++;
  return str_sub(scan->text, start, scan->at);
}

/* `a.b . c` or, for `from`, `..a.b`: a slice of the text unless blanks stand in it. */
static Str take_module(Scan *scan) {
  skip_blanks(scan);
  size_t start = scan->at;
  StrBuf buf = {.arena = scan->arena};
  while (take_char(scan, '.')) buf_char(&buf, '.');
  size_t end = scan->at;
  for (;;) {
    size_t before = scan->at;
    Str word = take_word(scan);
    if (str_eq(word, S("import"))) scan->at = before;  // `from . import a`
    if (word.len == 0 || scan->at == before) break;
    buf_str(&buf, word);
    end = scan->at;
    if (!take_char(scan, '.')) break;
    buf_char(&buf, '.');
  }
  Str slice = str_sub(scan->text, start, end);
  return str_eq(slice, buf_view(&buf)) ? slice : buf_view(&buf);
}

static void skip_alias(Scan *scan) {
  size_t before = scan->at;
  if (str_eq(take_word(scan), S("as"))) take_word(scan);
  else scan->at = before;
}

static void scan_import(Scan *scan) {
  do {
    Str module = take_module(scan);
    if (module.len == 0) return;
    vec_push(scan->arena, scan->out, module);
    skip_alias(scan);
  } while (take_char(scan, ','));
}

static void scan_from(Scan *scan) {
  Str module = take_module(scan);
  if (module.len == 0 || !str_eq(take_word(scan), S("import"))) return;
  vec_push(scan->arena, scan->out, module);
  scan->in_parens = take_char(scan, '(');
  Str dot = str_ends(module, S(".")) ? S("") : S(".");
  for (Str name = take_word(scan); name.len > 0; name = take_word(scan)) {
    vec_push(scan->arena, scan->out, str_join(scan->arena, (Str[]){module, dot, name}, 3, S("")));
    skip_alias(scan);
    if (!take_char(scan, ',')) break;
  }
  scan->in_parens = false;
}

/* A statement begins at the start of a line, and after `;`, `:` or a backslash that joins lines; `lazy` may stand before it. */
static bool starts_statement(Str text, size_t at) {
  while (at > 0 && (is_blank(text.ptr[at - 1]) || text.ptr[at - 1] == '\\')) at--;
  if (at >= 4 && str_eq(str_sub(text, at - 4, at), S("lazy")) && is_whole_word(text, at - 4, 4)) return true;
  if (at == 0 || text.ptr[at - 1] == ';' || text.ptr[at - 1] == ':') return true;
  return is_line_end(text.ptr[at - 1]) || follows_mark(text, at);
}

void source_scan_imports(Arena *arena, Str bytes, StrVec *out) {
  Scan scan = {.arena = arena, .text = bytes, .out = out};
  size_t import = find_word(bytes, S("import"), 0), from = find_word(bytes, S("from"), 0);
  while (import != STR_NONE || from != STR_NONE) {
    bool is_from = from < import;
    size_t at = is_from ? from : import;
    scan.at = at + (is_from ? S("from").len : S("import").len);
    if (starts_statement(bytes, at)) {
      if (is_from) scan_from(&scan);
      else scan_import(&scan);
    }
    // The `import` that belongs to a `from` must not be taken for a statement when it has a line of its own.
    if (import < scan.at) import = find_word(bytes, S("import"), scan.at);
    if (from < scan.at) from = find_word(bytes, S("from"), scan.at);
  }
}

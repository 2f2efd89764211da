/* FNV-1a over rule, path, enclosing function, the tokens of the primary span, and a number among equals. No line numbers, no
 * message, no chain: an edit elsewhere must not make a finding new.
 */
#include "report/fingerprint.h"

#include "base/map.h"

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         (unsigned char)c >= 0x80;
}

static bool is_layout(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\\'; }

/* Behind the string literal that opens at `at`; to the end if it is not closed. */
static size_t skip_string(Str code, size_t at) {
  char quote = code.ptr[at];
  bool triple = at + 2 < code.len && code.ptr[at + 1] == quote && code.ptr[at + 2] == quote;
  size_t width = triple ? 3 : 1;
  for (size_t i = at + width; i < code.len; i++) {
    if (code.ptr[i] == '\\') i++;
    else if (code.ptr[i] == quote &&
             (!triple || (i + 2 < code.len && code.ptr[i + 1] == quote && code.ptr[i + 2] == quote)))
      return i + width;
  }
  return code.len;
}

static size_t skip_operator(Str code, size_t at) {
  static const Str operators[] = {S_INIT("**="), S_INIT("//="), S_INIT(">>="), S_INIT("<<="), S_INIT("..."),
                                  S_INIT("**"),  S_INIT("//"),  S_INIT(">>"),  S_INIT("<<"),  S_INIT("<="),
                                  S_INIT(">="),  S_INIT("=="),  S_INIT("!="),  S_INIT("->"),  S_INIT(":="),
                                  S_INIT("+="),  S_INIT("-="),  S_INIT("*="),  S_INIT("/="),  S_INIT("%="),
                                  S_INIT("&="),  S_INIT("|="),  S_INIT("^="),  S_INIT("@="),  S_INIT("<>")};
  Str rest = str_sub(code, at, code.len);
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (str_starts(rest, operators[i])) return at + operators[i].len;
  return at + 1;
}

/* Words take in the numbers' points and, where one follows directly, the string they are a prefix of. */
static size_t skip_word(Str code, size_t at) {
  bool number = code.ptr[at] >= '0' && code.ptr[at] <= '9';
  while (at < code.len && (is_word(code.ptr[at]) || (number && code.ptr[at] == '.'))) at++;
  bool prefix = at < code.len && (code.ptr[at] == '"' || code.ptr[at] == '\'');
  return prefix && !number ? skip_string(code, at) : at;
}

static size_t skip_token(Str code, size_t at) {
  char c = code.ptr[at];
  if (is_word(c)) return skip_word(code, at);
  if (c == '"' || c == '\'') return skip_string(code, at);
  return skip_operator(code, at);
}

void fingerprint_tokens(StrBuf *out, Str code) {
  bool first = true;
  for (size_t at = 0; at < code.len;) {
    if (is_layout(code.ptr[at])) {
      at++;
      continue;
    }
    if (code.ptr[at] == '#') {
      while (at < code.len && code.ptr[at] != '\n' && code.ptr[at] != '\r') at++;
      continue;
    }
    size_t end = skip_token(code, at);
    if (!first) buf_char(out, ' ');
    buf_str(out, str_sub(code, at, end));
    first = false;
    at = end;
  }
}

const Str *fingerprints_make(Arena *arena, const FileTable *files, const Findings *findings) {
  Arena scratch = {0};
  Map seen = {0};
  Str *all = arena_array(arena, Str, findings->len);
  for (uint32_t i = 0; i < findings->len; i++) {
    const Finding *finding = &findings->data[i];
    const Source *source = files->sources[finding->place.file];
    StrBuf text = {.arena = &scratch};
    buf_printf(&text, "%.*s\n%.*s\n%.*s\n", STR_ARG(finding->code), STR_ARG(source->path), STR_ARG(finding->in));
    fingerprint_tokens(&text, source_slice(source, finding->place.span));
    uint64_t hash = str_hash(buf_view(&text));
    uint64_t ordinal = (*map_put(&scratch, &seen, hash, NULL))++;
    hash = str_hash_more(hash, str_printf(&scratch, "\n%llu", (unsigned long long)ordinal));
    all[i] = str_printf(arena, "%016llx", (unsigned long long)hash);
  }
  arena_release(&scratch);
  return all;
}

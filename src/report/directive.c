/* A comment is cut into parts at each `#`; a part that begins with `tfcheck:` or `noqa:` is read to its end. */
#include "report/directive.h"

#include "report/select.h"
#include "value/schema.h"

typedef struct Reader {
  Arena *arena;
  const Catalog *catalog;
  const Source *source;
  const Comment *comment;
  Directives *out;
  uint32_t part, end;  // of the part being read: offset of its `#`, offset behind it
  uint32_t at;
} Reader;

Str directive_name(DirectiveKind kind) {
  static const Str names[] = {[DIRECTIVE_IGNORE] = S_INIT("ignore"),
                              [DIRECTIVE_BLOCK] = S_INIT("ignore-block"),
                              [DIRECTIVE_FILE] = S_INIT("ignore-file"),
                              [DIRECTIVE_NOQA] = S_INIT("noqa"),
                              [DIRECTIVE_BROKEN] = S_INIT("tfcheck:")};
  return names[kind];
}

/* ---- characters ---- */

static char peek(const Reader *reader) {
  return reader->at < reader->end ? reader->source->text.ptr[reader->at] : '\0';
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

static void skip_blanks(Reader *reader) {
  while (is_blank(peek(reader))) reader->at++;
}

static Str take_word(Reader *reader) {
  uint32_t start = reader->at;
  while (is_word(peek(reader))) reader->at++;
  return source_slice(reader->source, (Span){start, reader->at});
}

static Str rest_of(const Reader *reader) {
  return str_trim(source_slice(reader->source, (Span){reader->at, reader->end}));
}

/* ---- lists of rules ---- */

static void add_rule(Reader *reader, Directive *directive, Str text) {
  uint32_t start = (uint32_t)(text.ptr - reader->source->text.ptr);
  DirectiveRule rule = {.text = text, .span = {start, start + (uint32_t)text.len}};
  rule.known = selector_known(reader->catalog, text);
  vec_push(reader->arena, &directive->rules, rule);
}

static bool fail(Reader *reader, Directive *directive, const char *reason, Str about) {
  directive->kind = DIRECTIVE_BROKEN;
  Str quote = about.len ? str_printf(reader->arena, " `%.*s`", STR_ARG(about)) : S("");
  directive->fault = str_printf(reader->arena, "%s%.*s", reason, STR_ARG(quote));
  reader->at = reader->end;
  return false;
}

/* `[TF101, numpy-on-tensor,]` */
static bool read_list(Reader *reader, Directive *directive) {
  reader->at++;
  for (;;) {
    skip_blanks(reader);
    if (peek(reader) == ']') break;
    Str word = take_word(reader);
    if (!word.len && reader->at == reader->end)
      return fail(reader, directive, "the list of rules is not closed with", S("]"));
    if (!word.len) return fail(reader, directive, "expected a rule or `]` before", rest_of(reader));
    add_rule(reader, directive, word);
    skip_blanks(reader);
    if (peek(reader) == ',') reader->at++;
    else if (reader->at == reader->end) return fail(reader, directive, "the list of rules is not closed with", S("]"));
    else if (peek(reader) != ']') return fail(reader, directive, "expected `,` or `]` before", rest_of(reader));
  }
  reader->at++;
  return directive->rules.len > 0 || fail(reader, directive, "the list of rules is empty", S(""));
}

/* `-- text` or `: text`; a `#` begins the next part, which may be the reason too. */
static bool read_reason(Reader *reader, Directive *directive) {
  skip_blanks(reader);
  Str rest = rest_of(reader);
  if (!rest.len) return true;
  size_t mark = str_starts(rest, S("--")) ? 2 : str_starts(rest, S(":")) ? 1 : 0;
  if (!mark && directive->blanket)
    return fail(reader, directive, "rules stand in brackets, as in `ignore[TF201]`, not", rest);
  if (!mark) return fail(reader, directive, "a reason begins with `--`, not", rest);
  directive->reason = str_trim(str_sub(rest, mark, rest.len));
  return true;
}

/* ---- parts ---- */

static void read_ours(Reader *reader, Directive *directive) {
  skip_blanks(reader);
  Str name = take_word(reader);
  directive->blanket = true;
  if (str_eq(name, S("ignore"))) directive->kind = DIRECTIVE_IGNORE;
  else if (str_eq(name, S("ignore-file"))) directive->kind = DIRECTIVE_FILE;
  else if (str_eq(name, S("ignore-block"))) directive->kind = DIRECTIVE_BLOCK;
  else {
    static const Str names[] = {S_INIT("ignore"), S_INIT("ignore-block"), S_INIT("ignore-file")};
    Str hint = schema_hint(reader->arena, name, names, sizeof names / sizeof *names);
    Str reason = str_printf(reader->arena, "there is no directive `%.*s`%.*s", STR_ARG(name), STR_ARG(hint));
    fail(reader, directive, name.len ? reason.ptr : "no directive behind `tfcheck:`", S(""));
    return;
  }
  skip_blanks(reader);
  if (peek(reader) == '[') {
    directive->blanket = false;
    if (!read_list(reader, directive)) return;
  }
  if (!read_reason(reader, directive) || directive->kind != DIRECTIVE_BLOCK) return;
  // A whole body is much to hide: what is hidden must be said.
  if (directive->blanket) fail(reader, directive, "the rules are missing, as in `ignore-block[TF301]`", S(""));
  else if (!directive->own_line) fail(reader, directive, "`ignore-block` stands on a line of its own", S(""));
}

/* Letters, then digits, as all linters' codes are. */
static bool looks_like_code(Str word) {
  size_t letters = 0, digits = 0;
  while (letters < word.len && word.ptr[letters] >= 'A' && word.ptr[letters] <= 'Z') letters++;
  while (letters + digits < word.len && word.ptr[letters + digits] >= '0' && word.ptr[letters + digits] <= '9')
    digits++;
  return letters >= 1 && digits >= 1 && letters + digits == word.len;
}

/* `noqa: E501, TF201`: only codes that mean rules of ours count; the others belong to other tools. */
static void read_noqa(Reader *reader, Directive *directive) {
  directive->kind = DIRECTIVE_NOQA;
  while (reader->at < reader->end) {
    while (is_blank(peek(reader)) || peek(reader) == ',') reader->at++;
    Str word = take_word(reader);
    if (!looks_like_code(word)) break;  // from here on it is prose
    if (selector_known(reader->catalog, word)) add_rule(reader, directive, word);
  }
}

/* `name` and a colon at the start of the part, blanks around the colon free. */
static bool at_keyword(Reader *reader, Str name, bool any_case) {
  uint32_t start = reader->at;
  skip_blanks(reader);
  Str word = take_word(reader);
  bool same = word.len == name.len;
  for (size_t i = 0; same && i < word.len; i++) {
    char c = word.ptr[i];
    if (any_case && c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    same = c == name.ptr[i];
  }
  skip_blanks(reader);
  if (same && peek(reader) == ':') {
    reader->at++;
    return true;
  }
  reader->at = start;
  return false;
}

static uint32_t trimmed_end(const Reader *reader) {
  Str text = source_slice(reader->source, (Span){reader->part, reader->end});
  while (text.len && (is_blank(text.ptr[text.len - 1]) || text.ptr[text.len - 1] == '\r')) text.len--;
  return reader->part + (uint32_t)text.len;
}

/* False if the part is none of a directive. */
static bool read_part(Reader *reader) {
  Directive directive = {.span = {reader->part, trimmed_end(reader)},
                         .comment = reader->comment->span,
                         .own_line = reader->comment->own_line};
  reader->at = reader->part + 1;
  if (at_keyword(reader, S("tfcheck"), false)) {
    read_ours(reader, &directive);
  } else if (at_keyword(reader, S("noqa"), true)) {
    read_noqa(reader, &directive);
    if (!directive.rules.len) return true;
  } else {
    return false;
  }
  vec_push(reader->arena, reader->out, directive);
  return true;
}

/* `type: ignore`, `pylint: disable=…`, `nosec`: another tool's part, no reason of ours. */
static bool is_other_tool(Str part) {
  size_t letters = 0;
  while (letters < part.len && part.ptr[letters] >= 'a' && part.ptr[letters] <= 'z') letters++;
  Str word = str_sub(part, 0, letters);
  return (letters && letters < part.len && part.ptr[letters] == ':') || str_eq(word, S("noqa")) ||
         str_eq(word, S("nosec"));
}

static void read_comment(Reader *reader) {
  Span comment = reader->comment->span;
  bool after_ours = false;
  for (reader->part = comment.start; reader->part < comment.end; reader->part = reader->end) {
    Str rest = source_slice(reader->source, (Span){reader->part + 1, comment.end});
    size_t next = str_find_char(rest, '#');
    reader->end = next == STR_NONE ? comment.end : reader->part + 1 + (uint32_t)next;
    uint32_t before = reader->out->len;
    bool directive = read_part(reader);
    Str text = str_trim(source_slice(reader->source, (Span){reader->part + 1, reader->end}));
    if (!directive && after_ours && !vec_last(reader->out).reason.len && !is_other_tool(text)) {
      vec_last(reader->out).reason = text;
      vec_last(reader->out).span.end = trimmed_end(reader);
    }
    after_ours = reader->out->len > before && vec_last(reader->out).kind != DIRECTIVE_NOQA;
  }
}

void directives_read(Arena *arena, const Catalog *catalog, const Source *source, const Comments *comments,
                     Directives *out) {
  Reader reader = {.arena = arena, .catalog = catalog, .source = source, .out = out};
  for (uint32_t i = 0; i < comments->len; i++) {
    reader.comment = &comments->data[i];
    read_comment(&reader);
  }
}

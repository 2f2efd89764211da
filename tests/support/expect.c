#include "support/expect.h"

#include <stdlib.h>

typedef struct Parser {
  Arena *arena;
  Expects *out;
  ExpectErrors *errors;
  uint32_t line;  // of the comment
} Parser;

static void wrong(Parser *parser, const char *reason) {
  vec_push(parser->arena, parser->errors, ((ExpectError){parser->line, str_from(reason)}));
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == '<' || c == '>';
}

/* Takes a word off the front. */
static Str take_word(Str *rest) {
  *rest = str_trim(*rest);
  size_t len = 0;
  while (len < rest->len && is_word_char(rest->ptr[len])) len++;
  Str word = str_sub(*rest, 0, len);
  *rest = str_trim(str_sub(*rest, len, rest->len));
  return word;
}

static bool take_char(Str *rest, char c) {
  if (rest->len == 0 || rest->ptr[0] != c) return false;
  *rest = str_sub(*rest, 1, rest->len);
  return true;
}

/* ---- expect ---- */

static bool parse_one_finding(Parser *parser, Str *rest, uint32_t line) {
  Expect expect = {.kind = EXPECT_FINDING, .line = line, .at = parser->line, .code = take_word(rest)};
  if (expect.code.len == 0) return false;
  if (take_char(rest, '@')) {
    int64_t col;
    if (!str_to_i64(take_word(rest), &col) || col < 1) return false;
    expect.col = (uint32_t)col;
  }
  while (rest->len && rest->ptr[0] != ',') {
    if (take_char(rest, '"')) {
      size_t end = str_find_char(*rest, '"');
      if (end == STR_NONE) return false;
      expect.text = str_sub(*rest, 0, end);
      *rest = str_trim(str_sub(*rest, end + 1, rest->len));
      continue;
    }
    Str word = take_word(rest);
    if (str_eq(word, S("via"))) expect.via = take_word(rest);
    else if (!level_parse(word, &expect.level)) return false;
  }
  vec_push(parser->arena, parser->out, expect);
  return true;
}

static void parse_findings(Parser *parser, Str rest, uint32_t line) {
  do {
    if (!parse_one_finding(parser, &rest, line)) {
      wrong(parser, "malformed `expect`");
      return;
    }
  } while (take_char(&rest, ','));
}

/* ---- the others ---- */

static void parse_not_yet(Parser *parser, Str rest, uint32_t line) {
  Expect expect = {.kind = EXPECT_NOT_YET, .line = line, .at = parser->line, .code = take_word(&rest), .text = rest};
  if (expect.code.len == 0 || rest.len == 0) wrong(parser, "`xfail` needs a rule and a reason");
  else vec_push(parser->arena, parser->out, expect);
}

static void parse_values(Parser *parser, Str rest, uint32_t line) {
  while (rest.len) {
    Str one = str_trim(str_cut(&rest, ';'));
    Expect expect = {.kind = EXPECT_VALUE, .line = line, .at = parser->line};
    expect.name = str_trim(str_cut(&one, '='));
    expect.value = str_trim(one);
    if (expect.name.len == 0 || expect.value.len == 0) wrong(parser, "malformed `kind`");
    else vec_push(parser->arena, parser->out, expect);
  }
}

static void parse_traced(Parser *parser, Str rest, uint32_t line) {
  Expect expect = {.kind = EXPECT_TRACED, .line = line, .at = parser->line};
  rest = str_trim(rest);
  if (str_starts(rest, S("via "))) {
    rest = str_sub(rest, 4, rest.len);
    expect.via = take_word(&rest);
    take_char(&rest, ',');
  }
  expect.words = str_trim(rest);
  vec_push(parser->arena, parser->out, expect);
}

static void parse_eager(Parser *parser, Str rest, uint32_t line) {
  (void)rest;
  vec_push(parser->arena, parser->out, ((Expect){.kind = EXPECT_EAGER, .line = line, .at = parser->line}));
}

static const struct {
  Str word;
  bool bare;  // means something without a colon
  void (*parse)(Parser *parser, Str rest, uint32_t line);
} directives[] = {
    {S_INIT("expect"), false, parse_findings}, {S_INIT("xfail"), false, parse_not_yet},
    {S_INIT("kind"), false, parse_values},     {S_INIT("traced"), true, parse_traced},
    {S_INIT("eager"), true, parse_eager},
};

/* `word`, `word: rest`, `word+N: rest`. Comments that merely begin with the word are prose. */
static void parse_comment(Parser *parser, Str comment) {
  Str rest = str_trim(str_sub(comment, 1, comment.len));
  for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
    if (!str_starts(rest, directives[i].word)) continue;
    Str tail = str_sub(rest, directives[i].word.len, rest.len);
    int64_t ahead = 0;
    if (take_char(&tail, '+')) {
      Str number = str_cut(&tail, ':');
      if (!str_to_i64(number, &ahead) || ahead < 1) return;
    } else if (tail.len == 0 ? !directives[i].bare : !take_char(&tail, ':')) {
      return;
    }
    directives[i].parse(parser, str_trim(tail), parser->line + (uint32_t)ahead);
    return;
  }
}

/* Several directives may share a comment: `# kind: x = tensor  # expect: TF201`. */
static void parse_line(Parser *parser, Str text) {
  while (text.len) {
    size_t next = str_find(str_sub(text, 1, text.len), S("# "));
    size_t end = next == STR_NONE ? text.len : next + 1;
    parse_comment(parser, str_sub(text, 0, end));
    text = str_sub(text, end, text.len);
  }
}

void expects_read(Arena *arena, const Ast *ast, Expects *out, ExpectErrors *errors) {
  for (uint32_t i = 0; i < ast->comments.len; i++) {
    Span span = ast->comments.data[i].span;
    Parser parser = {arena, out, errors, source_line_of(ast->source, span.start)};
    parse_line(&parser, source_slice(ast->source, span));
  }
}

/* ---- values ---- */

static char closing_of(char open) { return open == '[' ? ']' : open == '(' ? ')' : open == '{' ? '}' : 0; }

/* Length of the bracketed text at the start of `s`. */
static size_t bracketed(Str s) {
  size_t depth = 0;
  for (size_t i = 0; i < s.len; i++) {
    char c = s.ptr[i];
    if (closing_of(c)) depth++;
    else if (c == ']' || c == ')' || c == '}') depth--;
    if (depth == 0) return i + 1;
  }
  return s.len;
}

/* Length of what may be left unsaid at the start of `s`: a bracket, `=constant`, ` identity`. */
static size_t unsaid(Str s) {
  if (s.len == 0) return 0;
  if (closing_of(s.ptr[0])) return bracketed(s);
  if (s.ptr[0] != '=' && s.ptr[0] != ' ') return 0;
  size_t len = 1;
  while (len < s.len && !strchr(" ,;|()[]{}", s.ptr[len])) len++;
  return len;
}

/* Every attribute that is expected between the brackets stands there. */
static bool attributes_match(Str expected, Str actual) {
  while (expected.len) {
    Str one = str_cut(&expected, ','), rest = actual;
    bool found = false;
    while (rest.len && !found) found = str_eq(str_cut(&rest, ','), one);
    if (!found) return false;
  }
  return true;
}

bool value_text_matches(Str expected, Str actual) {
  while (expected.len || actual.len) {
    if (str_starts(expected, S("[?]"))) {
      if (actual.len && actual.ptr[0] == '[') return false;
      expected = str_sub(expected, 3, expected.len);
      continue;
    }
    char e = expected.len ? expected.ptr[0] : 0, a = actual.len ? actual.ptr[0] : 0;
    if (e == a && (e == '[' || e == '{')) {
      size_t expected_len = bracketed(expected), actual_len = bracketed(actual);
      if (!attributes_match(str_sub(expected, 1, expected_len - 1), str_sub(actual, 1, actual_len - 1))) return false;
      expected = str_sub(expected, expected_len, expected.len);
      actual = str_sub(actual, actual_len, actual.len);
    } else if (e == a) {
      expected = str_sub(expected, 1, expected.len);
      actual = str_sub(actual, 1, actual.len);
    } else {
      size_t skip = unsaid(actual);
      if (skip == 0) return false;
      actual = str_sub(actual, skip, actual.len);
    }
  }
  return true;
}

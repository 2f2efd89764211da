/* The mini language of values: `tensor[like:0,rank=0]|none`, `tuple(tensor, list(array))`, `elem:0` (grammar in catalog.h).
 *
 * Specs are shared: the same text gives the same object, which keeps the generated tables small.
 */
#include "catalog/load.h"
#include "catalog/words.h"

enum { MOST_NESTING = 6, MOST_ARGUMENT = 63 };

typedef struct SpecParser {
  Loader *loader;
  Str text;
  size_t at;
  Str reason;  // why it failed; empty while all is well
} SpecParser;

static bool parse_alternatives(SpecParser *parser, uint32_t nesting, ValueSpec *out);

static bool fail(SpecParser *parser, const char *what, Str about) {
  if (!parser->reason.len) parser->reason = str_printf(parser->loader->arena, "%s \"%.*s\"", what, STR_ARG(about));
  return false;
}

static void skip_blanks(SpecParser *parser) {
  while (parser->at < parser->text.len && parser->text.ptr[parser->at] == ' ') parser->at++;
}

static bool accept(SpecParser *parser, char c) {
  skip_blanks(parser);
  if (parser->at >= parser->text.len || parser->text.ptr[parser->at] != c) return false;
  parser->at++;
  return true;
}

static bool expect(SpecParser *parser, char c) {
  if (accept(parser, c)) return true;
  Str rest = str_sub(parser->text, parser->at, parser->text.len);
  return fail(parser, c == ']' ? "expected \",\" or \"]\" before" : "expected \",\" or \")\" before", rest);
}

static bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == ':' || c == '=';
}

static Str read_word(SpecParser *parser) {
  skip_blanks(parser);
  size_t start = parser->at;
  while (parser->at < parser->text.len && is_word_char(parser->text.ptr[parser->at])) parser->at++;
  return str_sub(parser->text, start, parser->at);
}

/* The number after `prefix`; false if the word does not start so. A bad number is an error. */
static bool read_number(SpecParser *parser, Str word, Str prefix, int32_t *out) {
  if (!str_starts(word, prefix)) return false;
  int64_t value;
  if (!str_to_i64(str_sub(word, prefix.len, word.len), &value) || value < 0 || value > MOST_ARGUMENT)
    return fail(parser, "bad number in", word), true;
  *out = (int32_t)value;
  return true;
}

static bool parse_attribute(SpecParser *parser, ValueSpec *out) {
  Str word = read_word(parser);
  if (read_number(parser, word, S("like:"), &out->dtype_like) || read_number(parser, word, S("rank="), &out->rank))
    return !parser->reason.len;
  if (str_eq(word, S("dim0=none"))) return out->dim0_none = true;
  if (str_eq(word, S("fresh"))) return out->fresh = true;
  return dtype_parse(word, &out->dtype) || fail(parser, "unknown attribute", word);
}

static bool parse_attributes(SpecParser *parser, ValueSpec *out) {
  if (!accept(parser, '[')) return true;
  do {
    if (!parse_attribute(parser, out)) return false;
  } while (accept(parser, ','));
  return expect(parser, ']');
}

static bool parse_parts(SpecParser *parser, uint32_t nesting, ValueSpec *out) {
  if (!accept(parser, '(')) return true;
  if (nesting == MOST_NESTING) return fail(parser, "nested too deeply:", parser->text);
  VEC(ValueSpec) parts = {0};
  do {
    ValueSpec part;
    if (!parse_alternatives(parser, nesting + 1, &part)) return false;
    vec_push(parser->loader->arena, &parts, part);
  } while (accept(parser, ','));
  out->parts = parts.data;
  out->part_len = parts.len;
  return expect(parser, ')');
}

static bool parse_kind(SpecParser *parser, Str word, uint32_t nesting, ValueSpec *out) {
  if (!kind_parse(word, &out->kind)) {
    Str hint = schema_hint(parser->loader->arena, word, words_kind.words, KIND_COUNT);
    fail(parser, "unknown kind", word);
    parser->reason = str_concat(parser->loader->arena, parser->reason, hint);
    return false;
  }
  return parse_attributes(parser, out) && parse_parts(parser, nesting, out);
}

static bool parse_one(SpecParser *parser, uint32_t nesting, ValueSpec *out) {
  *out = (ValueSpec){.form = SPEC_KIND, .arg = -1, .dtype_like = -1, .rank = RANK_UNKNOWN};
  Str word = read_word(parser);
  if (!word.len) return fail(parser, "expected a kind in", parser->text);
  if (str_eq(word, S("self"))) out->form = SPEC_SELF;
  else if (str_eq(word, S("elem:self"))) out->form = SPEC_ELEM_OF_SELF;
  else if (read_number(parser, word, S("arg:"), &out->arg)) out->form = SPEC_ARG;
  else if (read_number(parser, word, S("elem:"), &out->arg)) out->form = SPEC_ELEM_OF_ARG;
  else return parse_kind(parser, word, nesting, out);
  return !parser->reason.len;
}

static bool parse_alternatives(SpecParser *parser, uint32_t nesting, ValueSpec *out) {
  if (!parse_one(parser, nesting, out)) return false;
  for (ValueSpec *last = out; accept(parser, '|');) {
    ValueSpec *next = arena_new(parser->loader->arena, ValueSpec);
    if (!parse_one(parser, nesting, next)) return false;
    last->other = next;
    last = next;
  }
  return true;
}

const ValueSpec *load_spec(Loader *loader, const DocFile *file, const Doc *spec) {
  Str text = str_trim(doc_text(spec, S("")));
  const uint64_t *known = strmap_get(&loader->specs, text);
  if (known) return (const ValueSpec *)(uintptr_t)*known;

  SpecParser parser = {.loader = loader, .text = text};
  ValueSpec *out = arena_new(loader->arena, ValueSpec);
  bool good = parse_alternatives(&parser, 0, out);
  skip_blanks(&parser);
  if (good && parser.at < text.len) good = fail(&parser, "unexpected", str_sub(text, parser.at, text.len));
  if (!good) {
    doc_fail(loader->errors, file, spec->span, "bad value \"%.*s\": %.*s", STR_ARG(text), STR_ARG(parser.reason));
    return NULL;
  }
  *strmap_put(loader->arena, &loader->specs, text, NULL) = (uint64_t)(uintptr_t)out;
  return out;
}

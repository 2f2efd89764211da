/* Checks a document against shapes. Recursion is bounded by DOC_MAX_DEPTH: a shape only descends where the document does. */
#include "value/schema.h"

#include <inttypes.h>

const Shape shape_any = {.kind = SHAPE_ANY};
const Shape shape_text = {.kind = SHAPE_TEXT};
const Shape shape_bool = {.kind = SHAPE_BOOL};
const Shape shape_texts = SHAPE_ONE_OR_LIST_OF(&shape_text);

typedef struct Checker {
  DocErrors *errors;
  const DocFile *file;
} Checker;

static bool check(const Checker *checker, const Doc *doc, const Shape *shape, Str name);

static const char *shape_name(const Shape *shape) {
  if (shape->what) return shape->what;
  switch (shape->kind) {
    case SHAPE_ANY:
      return "a value";
    case SHAPE_TEXT:
      return "text";
    case SHAPE_INT:
      return "a whole number";
    case SHAPE_BOOL:
      return "true or false";
    case SHAPE_WORD:
      return "a word";
    case SHAPE_LIST:
      return "a list";
    case SHAPE_ONE_OR_LIST:
      return "one value or a list";
    case SHAPE_MAP:
    case SHAPE_OBJECT:
      return "a map";
  }
  return "a value";
}

/* `name` is the key the value stands under; a root has none. */
static bool fail_kind(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  Str got = doc_kind_name(doc);
  Str quote = name.len ? str_printf(checker->errors->arena, "\"%.*s\" must be ", STR_ARG(name)) : S("expected ");
  if (doc->kind == DOC_SCALAR && doc->text.len <= 40)
    doc_fail(checker->errors, checker->file, doc->span, "%.*s%s, got \"%.*s\"", STR_ARG(quote), shape_name(shape),
             STR_ARG(doc->text));
  else
    doc_fail(checker->errors, checker->file, doc->span, "%.*s%s, got %.*s", STR_ARG(quote), shape_name(shape),
             STR_ARG(got));
  return false;
}

static bool check_text(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  if (doc->kind != DOC_SCALAR) return fail_kind(checker, doc, shape, name);
  if (shape->allow_empty || str_trim(doc->text).len) return true;
  doc_fail(checker->errors, checker->file, doc->span, "\"%.*s\" must not be empty", STR_ARG(name));
  return false;
}

static bool check_int(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  int64_t value;
  if (doc->kind != DOC_SCALAR || doc->quoted || !str_to_i64(doc->text, &value))
    return fail_kind(checker, doc, shape, name);
  if (value >= shape->min && value <= shape->max) return true;
  doc_fail(checker->errors, checker->file, doc->span,
           "\"%.*s\" must be between %" PRId64 " and %" PRId64 ", got %" PRId64, STR_ARG(name), shape->min, shape->max,
           value);
  return false;
}

static bool check_bool(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  bool good =
      doc->kind == DOC_SCALAR && !doc->quoted && (str_eq(doc->text, S("true")) || str_eq(doc->text, S("false")));
  return good || fail_kind(checker, doc, shape, name);
}

static Str words_list(Arena *arena, const Str *words, uint32_t count) { return str_join(arena, words, count, S(", ")); }

static bool check_word(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  if (doc->kind != DOC_SCALAR) return fail_kind(checker, doc, shape, name);
  if (schema_word(doc->text, shape->words, shape->word_count) >= 0) return true;
  Arena *arena = checker->errors->arena;
  Str hint = schema_hint(arena, doc->text, shape->words, shape->word_count);
  Str all = words_list(arena, shape->words, shape->word_count);
  doc_fail(checker->errors, checker->file, doc->span, "unknown value \"%.*s\" for \"%.*s\"%.*s; allowed: %.*s",
           STR_ARG(doc->text), STR_ARG(name), STR_ARG(hint), STR_ARG(all));
  return false;
}

static bool check_elements(const Checker *checker, const Doc *doc, const Shape *element, Str name) {
  bool good = true;
  for (uint32_t i = 0; i < doc->len; i++) {
    Str key = doc->kind == DOC_MAP ? doc->entries[i].key : name;
    if (!check(checker, doc->entries[i].value, element, key)) good = false;
  }
  return good;
}

static const Field *find_field(const Shape *shape, Str name) {
  for (uint32_t i = 0; i < shape->field_count; i++)
    if (str_eq(shape->fields[i].name, name)) return &shape->fields[i];
  return NULL;
}

static bool fail_key(const Checker *checker, const DocEntry *entry, const Shape *shape) {
  Arena *arena = checker->errors->arena;
  Str *names = arena_array(arena, Str, shape->field_count);
  for (uint32_t i = 0; i < shape->field_count; i++) names[i] = shape->fields[i].name;
  Str hint = schema_hint(arena, entry->key, names, shape->field_count);
  if (!hint.len && shape->field_count <= 8) {
    Str all = words_list(arena, names, shape->field_count);
    hint = str_printf(arena, "; allowed: %.*s", STR_ARG(all));
  }
  doc_fail(checker->errors, checker->file, entry->key_span, "unknown key \"%.*s\"%.*s", STR_ARG(entry->key),
           STR_ARG(hint));
  return false;
}

static bool check_missing(const Checker *checker, const Doc *doc, const Shape *shape) {
  bool good = true;
  DocSpan at = {doc->span.start, doc->span.start};
  for (uint32_t i = 0; i < shape->field_count; i++) {
    const Field *field = &shape->fields[i];
    if (!field->required || doc_entry(doc, field->name)) continue;
    doc_fail(checker->errors, checker->file, at, "missing key \"%.*s\"", STR_ARG(field->name));
    good = false;
  }
  return good;
}

static bool check_object(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  if (doc->kind != DOC_MAP) return fail_kind(checker, doc, shape, name);
  bool good = true;
  for (uint32_t i = 0; i < doc->len; i++) {
    const DocEntry *entry = &doc->entries[i];
    const Field *field = find_field(shape, entry->key);
    const Shape *inner = field ? field->shape : shape->element;
    if (!inner || (!field && shape->open_key && !shape->open_key(entry->key))) good = fail_key(checker, entry, shape);
    else if (!check(checker, entry->value, inner, entry->key)) good = false;
  }
  return check_missing(checker, doc, shape) && good;
}

static bool check(const Checker *checker, const Doc *doc, const Shape *shape, Str name) {
  switch (shape->kind) {
    case SHAPE_ANY:
      return true;
    case SHAPE_TEXT:
      return check_text(checker, doc, shape, name);
    case SHAPE_INT:
      return check_int(checker, doc, shape, name);
    case SHAPE_BOOL:
      return check_bool(checker, doc, shape, name);
    case SHAPE_WORD:
      return check_word(checker, doc, shape, name);
    case SHAPE_LIST:
      return doc->kind == DOC_LIST ? check_elements(checker, doc, shape->element, name)
                                   : fail_kind(checker, doc, shape, name);
    case SHAPE_ONE_OR_LIST:
      return doc->kind == DOC_LIST ? check_elements(checker, doc, shape->element, name)
                                   : check(checker, doc, shape->element, name);
    case SHAPE_MAP:
      return doc->kind == DOC_MAP ? check_elements(checker, doc, shape->element, name)
                                  : fail_kind(checker, doc, shape, name);
    case SHAPE_OBJECT:
      return check_object(checker, doc, shape, name);
  }
  return true;
}

bool schema_check(DocErrors *errors, const DocFile *file, const Doc *doc, const Shape *shape) {
  Checker checker = {errors, file};
  return check(&checker, doc, shape, S(""));
}

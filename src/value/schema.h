/* Strict schemas as tables: what a document may say, and precise words for what it may not.
 *
 * A Shape describes one value; shapes refer to each other and are static const data of the code that reads the document.
 * After schema_check() has passed, the reader needs no further tests of kind, range or presence.
 */
#ifndef TFCHECK_VALUE_SCHEMA_H
#define TFCHECK_VALUE_SCHEMA_H

#include "value/doc.h"

typedef struct Shape Shape;

typedef struct Field {
  Str name;
  const Shape *shape;
  bool required;
} Field;

typedef enum ShapeKind {
  SHAPE_ANY,     // checked by the caller
  SHAPE_TEXT,    // a scalar, `allow_empty` tells whether it may be blank
  SHAPE_INT,     // an unquoted whole number in [min, max]
  SHAPE_BOOL,    // unquoted true or false
  SHAPE_WORD,    // one of `words`
  SHAPE_LIST,    // of `element`
  SHAPE_ONE_OR_LIST,  // an `element`, or a list of them
  SHAPE_MAP,     // any keys, values are `element`
  SHAPE_OBJECT,  // the keys in `fields`; others only if `element` is set, which then describes their values
} ShapeKind;

struct Shape {
  ShapeKind kind;
  const char *what;  // how messages call it ("a list of globs"); NULL: named after the kind
  const Shape *element;
  bool (*open_key)(Str key);  // object with `element`: which other keys are allowed; NULL is all
  const Field *fields;
  uint32_t field_count;
  const Str *words;
  uint32_t word_count;
  int64_t min, max;
  bool allow_empty;
};

#define SCHEMA_COUNT(array) (uint32_t)(sizeof(array) / sizeof *(array))
/* static const Shape page = SHAPE_OF_FIELDS(page_fields); */
#define SHAPE_OF_FIELDS(array) {.kind = SHAPE_OBJECT, .fields = (array), .field_count = SCHEMA_COUNT(array)}
#define SHAPE_OF_WORDS(array) {.kind = SHAPE_WORD, .words = (array), .word_count = SCHEMA_COUNT(array)}
#define SHAPE_LIST_OF(shape) {.kind = SHAPE_LIST, .element = (shape)}
#define SHAPE_MAP_OF(shape) {.kind = SHAPE_MAP, .element = (shape)}
#define SHAPE_ONE_OR_LIST_OF(shape) {.kind = SHAPE_ONE_OR_LIST, .element = (shape)}

extern const Shape shape_any, shape_text, shape_bool, shape_texts;  // texts: one or a list

/* True if nothing was wrong; else one error for each fault. */
bool schema_check(DocErrors *errors, const DocFile *file, const Doc *doc, const Shape *shape);

/* The word most like `word` within a third of its length in edits, or empty: for "did you mean". */
Str schema_nearest(Str word, const Str *words, uint32_t count);
/* ` (did you mean "x"?)`, or empty. */
Str schema_hint(Arena *arena, Str word, const Str *words, uint32_t count);

/* Position of `word` in `words`, or -1. Enumerations keep their words in the order of their constants. */
int schema_word(Str word, const Str *words, uint32_t count);

#endif

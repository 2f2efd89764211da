/* The words of the languages in rules/, in the order of the constants they stand for. */
#ifndef TFCHECK_CATALOG_WORDS_H
#define TFCHECK_CATALOG_WORDS_H

#include "catalog/catalog.h"
#include "value/schema.h"

typedef struct Words {
  const Str *words;
  uint32_t count;
} Words;

extern const Words words_what, words_creates, words_tags, words_mode, words_autograph, words_gives, words_exact;
extern const Words words_status, words_fix, words_level, words_flavour, words_on, words_situation, words_subject;
extern const Words words_kind;  // kinds, then the groups

/* The shapes of the same. */
extern const Shape shape_what, shape_creates, shape_mode, shape_autograph, shape_gives, shape_exact;
extern const Shape shape_status, shape_fix, shape_level, shape_flavour, shape_on, shape_subject;
extern const Shape shape_tags, shape_on_list;  // one or a list

/* The constant a checked scalar names, or `fallback` when it is absent. */
int word_index(const Words *words, const Doc *doc, int fallback);
/* The kinds a word of words_kind stands for. */
KindSet word_kinds(uint32_t index);

#endif

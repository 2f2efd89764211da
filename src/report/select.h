/* Which rules are meant by a word: on the command line, and in suppression comments.
 *
 *   selector := "all" | "default" | ID | PREFIX of an id (letters, perhaps digits) | name
 */
#ifndef TFCHECK_REPORT_SELECT_H
#define TFCHECK_REPORT_SELECT_H

#include "catalog/catalog.h"

/* Whether the word means any rule at all. */
bool selector_known(const Catalog *catalog, Str selector);
/* How closely it fits the rule: 0 not at all, more the more exactly it says which one it means. */
uint32_t selector_match(Str selector, const RulePage *rule);
/* ` (did you mean "TF201"?)`, or nothing. */
Str selector_hint(Arena *arena, const Catalog *catalog, Str selector);

typedef struct RuleChoice {
  StrList select;  // empty: "default"
  StrList extend;
  StrList ignore;
} RuleChoice;

/* One flag per rule of the catalogue. The closest word decides; between equally close ones `ignore` wins. */
bool *selection_make(Arena *arena, const Catalog *catalog, const RuleChoice *choice);

#endif

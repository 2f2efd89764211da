/* Selectors of rules. */
#include "report/select.h"

#include "value/schema.h"

enum { FIT_ALL = 1, FIT_PREFIX = 2, FIT_EXACT = 100 };

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* At least the letters of an id: a lone "T" would mean more than anyone intends. */
static bool is_prefix_word(Str word, Str id) {
  size_t letters = 0;
  while (letters < id.len && is_capital(id.ptr[letters])) letters++;
  return letters >= 2 && word.len >= letters && str_starts(id, word);
}

uint32_t selector_match(Str selector, const RulePage *rule) {
  if (str_eq(selector, S("all")) || str_eq(selector, S("default"))) return FIT_ALL;
  if (str_eq(selector, rule->id) || str_eq(selector, rule->name)) return FIT_EXACT;
  return is_prefix_word(selector, rule->id) ? FIT_PREFIX + (uint32_t)selector.len : 0;
}

bool selector_known(const Catalog *catalog, Str selector) {
  for (uint32_t i = 0; i < catalog_rule_count(catalog); i++)
    if (selector_match(selector, catalog_rule(catalog, i))) return true;
  return false;
}

static Str to_upper(Arena *arena, Str text) {
  char *bytes = arena_array(arena, char, text.len + 1);
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    bytes[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return (Str){bytes, text.len};
}

Str selector_hint(Arena *arena, const Catalog *catalog, Str selector) {
  uint32_t count = catalog_rule_count(catalog), len = 0;
  Str *words = arena_array(arena, Str, 2 * (size_t)count + 2), upper = to_upper(arena, selector);
  for (uint32_t i = 0; i < count; i++) {
    const RulePage *rule = catalog_rule(catalog, i);
    // "tf201" is several edits away from any id, and yet what people type.
    if (str_eq(rule->id, upper)) return str_printf(arena, " (did you mean \"%.*s\"?)", STR_ARG(rule->id));
    words[len++] = rule->id;
    words[len++] = rule->name;
  }
  words[len++] = S("all");
  words[len++] = S("default");
  return schema_hint(arena, selector, words, len);
}

static uint32_t best_match(const StrList *selectors, const RulePage *rule) {
  uint32_t best = 0;
  for (uint32_t i = 0; i < selectors->len; i++) {
    uint32_t fit = selector_match(selectors->data[i], rule);
    if (fit > best) best = fit;
  }
  return best;
}

bool *selection_make(Arena *arena, const Catalog *catalog, const RuleChoice *choice) {
  uint32_t count = catalog_rule_count(catalog);
  bool *enabled = arena_array(arena, bool, count);
  for (uint32_t i = 0; i < count; i++) {
    const RulePage *rule = catalog_rule(catalog, i);
    uint32_t chosen = choice->select.len ? best_match(&choice->select, rule) : FIT_ALL;
    uint32_t extended = best_match(&choice->extend, rule);
    if (extended > chosen) chosen = extended;
    enabled[i] = chosen > best_match(&choice->ignore, rule);
  }
  return enabled;
}

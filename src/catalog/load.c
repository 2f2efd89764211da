/* Brings together what the loaders collected: order, tables, and what can be checked only when everything is known. */
#include <stdlib.h>

#include "catalog/load.h"
#include "catalog/words.h"

/* ---- shared by the loaders ---- */

Str load_text(Loader *loader, const Doc *doc) {
  return doc && doc->kind == DOC_SCALAR ? str_copy(loader->arena, str_trim(doc->text)) : S("");
}

uint32_t load_count(const Doc *doc) { return !doc ? 0 : doc->kind == DOC_LIST ? doc->len : 1; }

const Doc *load_item(const Doc *doc, uint32_t i) { return doc->kind == DOC_LIST ? doc->entries[i].value : doc; }

StrList load_texts(Loader *loader, const Doc *doc) {
  uint32_t count = load_count(doc);
  if (!count) return (StrList){NULL, 0};
  Str *texts = arena_array(loader->arena, Str, count);
  for (uint32_t i = 0; i < count; i++) texts[i] = load_text(loader, load_item(doc, i));
  return (StrList){texts, count};
}

/* ---- precedence ---- */

static const Shape shape_precedence = SHAPE_MAP_OF(&shape_texts);

static bool is_rule(const Loader *loader, Str id) {
  for (uint32_t i = 0; i < loader->rules.len; i++)
    if (str_eq(loader->rules.data[i].id, id)) return true;
  return false;
}

/* True if `pair` may be added: two known rules, one above the other in no other way. */
static bool check_pair(Loader *loader, const DocFile *file, DocSpan span, CatalogOutrank pair) {
  const char *fault = NULL;
  if (!is_rule(loader, pair.loser)) fault = "is an unknown rule";
  else if (str_eq(pair.winner, pair.loser)) fault = "cannot outrank itself";
  for (uint32_t i = 0; i < loader->outranks.len && !fault; i++) {
    CatalogOutrank other = loader->outranks.data[i];
    if (str_eq(other.winner, pair.loser) && str_eq(other.loser, pair.winner)) fault = "already outranks this rule";
    else if (str_eq(other.winner, pair.winner) && str_eq(other.loser, pair.loser)) fault = "is named twice";
  }
  if (fault) doc_fail(loader->errors, file, span, "\"%.*s\" %s", STR_ARG(pair.loser), fault);
  return !fault;
}

static void load_losers(Loader *loader, const DocFile *file, const DocEntry *entry) {
  if (!is_rule(loader, entry->key))
    doc_fail(loader->errors, file, entry->key_span, "\"%.*s\" is an unknown rule", STR_ARG(entry->key));
  for (uint32_t i = 0; i < load_count(entry->value); i++) {
    const Doc *item = load_item(entry->value, i);
    CatalogOutrank pair = {str_copy(loader->arena, entry->key), load_text(loader, item)};
    if (check_pair(loader, file, item->span, pair)) vec_push(loader->arena, &loader->outranks, pair);
  }
}

void load_precedence(Loader *loader, const DocFile *file) {
  if (!schema_check(loader->errors, file, file->root, &shape_precedence)) return;
  for (uint32_t i = 0; i < file->root->len; i++) load_losers(loader, file, &file->root->entries[i]);
}

/* ---- checks across documents ---- */

static const ApiFact *own_fact(const Loader *loader, const Catalog *catalog, Str name) {
  const ApiFact *fact = catalog_api_exact(catalog, name);
  if (fact || !loader->base) return fact;
  return catalog_api_exact(loader->base, name);
}

static void check_bases(const Loader *loader, const Catalog *catalog) {
  for (uint32_t i = 0; i < loader->bases.len; i++) {
    const LoadName *base = &loader->bases.data[i];
    const ApiFact *fact = own_fact(loader, catalog, base->name);
    if (!fact) doc_fail(loader->errors, base->file, base->span, "unknown class \"%.*s\"", STR_ARG(base->name));
    else if (fact->what != API_CLASS)
      doc_fail(loader->errors, base->file, base->span, "\"%.*s\" is no class", STR_ARG(base->name));
  }
}

/* A class whose instances are not described gives what its base gives. A cycle of bases just ends. */
static void inherit_returns(const Loader *loader, const Catalog *catalog) {
  enum { MOST_BASES = 32 };
  for (uint32_t i = 0; i < loader->facts.len; i++) {
    ApiFact *fact = &loader->facts.data[i];
    const ApiFact *from = fact;
    for (int step = 0; step < MOST_BASES && from && !from->returns && from->base.len; step++)
      from = own_fact(loader, catalog, from->base);
    if (from && fact->what == API_CLASS) fact->returns = from->returns;
  }
}

/* Following aliases must come to an end. */
static void check_aliases(const Loader *loader, const Catalog *catalog) {
  for (uint32_t i = 0; i < loader->alias_names.len; i++) {
    const LoadName *alias = &loader->alias_names.data[i];
    Str end = catalog_canonical(loader->arena, catalog, alias->name);
    if (!catalog_is_aliased(catalog, end)) continue;
    doc_fail(loader->errors, alias->file, alias->span, "\"%.*s\" leads in a circle", STR_ARG(alias->name));
  }
}

/* ---- order and tables ---- */

static int cmp_rules(const void *a, const void *b) {
  return str_cmp(((const RulePage *)a)->id, ((const RulePage *)b)->id);
}

static int cmp_facts(const void *a, const void *b) {
  return str_cmp(((const ApiFact *)a)->name, ((const ApiFact *)b)->name);
}

/* Longest pattern first, so that the first match is the one that counts. */
static int cmp_globs(const void *a, const void *b) {
  Str left = ((const ApiFact *)a)->name, right = ((const ApiFact *)b)->name;
  if (left.len != right.len) return left.len < right.len ? 1 : -1;
  return str_cmp(left, right);
}

static int cmp_aliases(const void *a, const void *b) {
  return str_cmp(((const CatalogAlias *)a)->from, ((const CatalogAlias *)b)->from);
}

static int cmp_outranks(const void *a, const void *b) {
  const CatalogOutrank *left = a, *right = b;
  int order = str_cmp(left->winner, right->winner);
  return order ? order : str_cmp(left->loser, right->loser);
}

#define SORT(vec, cmp) ((vec).len ? qsort((vec).data, (vec).len, sizeof *(vec).data, (cmp)) : (void)0)

/* Own rules come behind those of the catalogue below, whose indices must not change. */
static void put_base_first(Loader *loader) {
  if (!loader->base) return;
  uint32_t own = loader->rules.len, below = loader->base->rule_len;
  for (uint32_t i = 0; i < below; i++) vec_push(loader->arena, &loader->rules, loader->base->rules[i]);
  RulePage *rules = loader->rules.data;
  memmove(rules + below, rules, own * sizeof *rules);
  for (uint32_t i = 0; i < below; i++) rules[i] = loader->base->rules[i];
}

const Catalog *load_finish(Loader *loader) {
  if (loader->errors->list.len) return NULL;
  SORT(loader->rules, cmp_rules);
  put_base_first(loader);
  SORT(loader->facts, cmp_facts);
  SORT(loader->globs, cmp_globs);
  SORT(loader->aliases, cmp_aliases);
  SORT(loader->outranks, cmp_outranks);
  Catalog *catalog = arena_new(loader->arena, Catalog);
  *catalog = (Catalog){
      .rules = loader->rules.data,
      .rule_len = loader->rules.len,
      .facts = loader->facts.data,
      .fact_len = loader->facts.len,
      .globs = loader->globs.data,
      .glob_len = loader->globs.len,
      .aliases = loader->aliases.data,
      .alias_len = loader->aliases.len,
      .outranks = loader->base ? loader->base->outranks : loader->outranks.data,
      .outrank_len = loader->base ? loader->base->outrank_len : loader->outranks.len,
      .fact_names = name_table_build(loader->arena, loader->facts.data, loader->facts.len, fact_name_at),
      .alias_names = name_table_build(loader->arena, loader->aliases.data, loader->aliases.len, alias_name_at),
      .below = loader->base,
  };
  check_bases(loader, catalog);
  check_aliases(loader, catalog);
  inherit_returns(loader, catalog);
  return loader->errors->list.len ? NULL : catalog;
}

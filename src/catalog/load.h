/* From documents to catalogue data: what the loaders of pages, facts and precedence share, and the generator's entry.
 *
 * A loader collects from any number of documents, then load_finish() sorts, checks what spans documents and builds the
 * tables. All text it hands out lives in the arena it was given, not in the documents.
 */
#ifndef TFCHECK_CATALOG_LOAD_H
#define TFCHECK_CATALOG_LOAD_H

#include "catalog/tables.h"
#include "value/doc.h"

/* A name whose meaning can be checked only when everything is known, and where it was written. */
typedef struct LoadName {
  Str name;
  const DocFile *file;
  DocSpan span;
} LoadName;

typedef struct Loader {
  Arena *arena;
  DocErrors *errors;
  const Catalog *base;  // NULL while the built-in catalogue is made
  VEC(RulePage) rules;
  VEC(ApiFact) facts;
  VEC(ApiFact) globs;
  VEC(CatalogAlias) aliases;
  VEC(CatalogOutrank) outranks;
  VEC(LoadName) bases;        // classes that were named as base
  VEC(LoadName) alias_names;  // the aliases once more
  StrMap specs;      // text -> const ValueSpec *
  StrMap names;      // facts, globs and aliases that were seen -> where, as const LoadName *
  StrMap rule_keys;  // ids and names of rules that were seen
} Loader;

/* Each adds to the loader, and to loader->errors what is wrong. */
void load_page(Loader *loader, const DocFile *file);                             // rules/TFnnn-name.yaml
void load_user_rules(Loader *loader, const DocFile *file, const Doc *rules, bool settings_allowed);
void load_facts(Loader *loader, const DocFile *file, const Doc *api);  // an `api:` block, or a file of rules/api
void load_precedence(Loader *loader, const DocFile *file);  // rules/precedence.yaml
const Catalog *load_finish(Loader *loader);  // NULL if there were errors

/* The parts of a page and of a fact that have a language of their own. */
bool load_match(Loader *loader, const DocFile *file, const Doc *match, RulePage *page);
const ValueSpec *load_spec(Loader *loader, const DocFile *file, const Doc *spec);  // NULL after an error

/* A whole folder: pages, api/, precedence.yaml. What the generator compiles and the tests load. */
const Catalog *load_folder(Arena *arena, const Fs *fs, Str folder, DocErrors *errors);

/* Text, and lists of text where a single one may stand for itself, copied out of the document. */
Str load_text(Loader *loader, const Doc *doc);
StrList load_texts(Loader *loader, const Doc *doc);

/* One or a list: how many, and the i-th. */
uint32_t load_count(const Doc *doc);
const Doc *load_item(const Doc *doc, uint32_t i);

#endif

/* The catalogue: rule pages and facts about the outside world, compiled from rules/ or loaded from a user's files.
 *
 * Everything here is immutable once built and shared by all threads. The built-in tables are static data written by
 * tools/gen_catalog.c; a user's `rules:` and `api:` documents pass the same loader and lie over them in the session arena.
 */
#ifndef TFCHECK_CATALOG_CATALOG_H
#define TFCHECK_CATALOG_CATALOG_H

#include "base/arena.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sym.h"
#include "catalog/api.h"
#include "catalog/kind.h"
#include "catalog/page.h"
#include "source/finding.h"

typedef struct Catalog Catalog;

const Catalog *catalog_builtin(void);

typedef struct CatalogError {
  Str path;
  uint32_t line, col;
  Str reason;
} CatalogError;

/* Lays the `rules:` and `api:` of user documents over `base`. Returns NULL and fills *error on the first fault. */
const Catalog *catalog_extend(Arena *arena, const Catalog *base, const Fs *fs, Str path, CatalogError *error);
struct Doc;
struct DocFile;
/* The same from a document that is already read: the `rules:` and `api:` nodes of a configuration; either may be NULL. In a
 * configuration `rules:` also holds settings; only keys that are ids of user rules and whose value has a `match` count. */
const Catalog *catalog_extend_docs(Arena *arena, const Catalog *base, const struct DocFile *file,
                                   const struct Doc *rules, const struct Doc *api, CatalogError *error);

uint32_t catalog_rule_count(const Catalog *catalog);
/* Built-in rules first, so that a RuleId of catalog_ids.h is an index, then users'; each group sorted by id. */
const RulePage *catalog_rule(const Catalog *catalog, uint32_t index);
/* By id or name; NULL if unknown. */
const RulePage *catalog_find_rule(const Catalog *catalog, Str id_or_name);
uint32_t catalog_rule_index(const Catalog *catalog, Str id);  // UINT32_MAX if unknown

/* The canonical name of a qualified name: aliases of modules and names resolved ("tensorflow.compat.v2.function" and
 * "tensorflow.python.eager.def_function.function" -> "tensorflow.function", "tensorflow.keras.X" and "tf_keras.X" ->
 * "keras.X"). Returns the text itself when nothing applies. Memory only when it changes. */
Str catalog_canonical(Arena *scratch, const Catalog *catalog, Str qualified);

/* The fact of a canonical name: exact entry, else the entry of the longest matching glob, else NULL. */
const ApiFact *catalog_api(const Catalog *catalog, Str canonical);
/* Only an exact entry. */
const ApiFact *catalog_api_exact(const Catalog *catalog, Str canonical);
/* A method or attribute of an API class, searched through `base:` chains. NULL if unknown. `found` (may be NULL) gets the
 * canonical name "keras.layers.Layer.add_weight" where it was found. */
const ApiFact *catalog_api_member(const Catalog *catalog, Str class_name, Str member, Str *found);
/* The API class that stands for objects of a kind: "tensorflow.Tensor" for K_TENSOR, "builtins.list" for K_LIST … */
Str catalog_class_of_kind(Kind kind);

/* Precedence (rules/precedence.yaml): true if, on one statement, a finding of `winner` silences one of `loser`. */
bool catalog_outranks(const Catalog *catalog, Str winner, Str loser);

#endif

/* How a catalogue is laid out: sorted arrays and open-addressing tables that the generator can write as static data. */
#ifndef TFCHECK_CATALOG_TABLES_H
#define TFCHECK_CATALOG_TABLES_H

#include "catalog/catalog.h"

typedef struct CatalogAlias {
  Str from, to;
} CatalogAlias;

typedef struct CatalogOutrank {
  Str winner, loser;
} CatalogOutrank;

/* Index + 1 into the array the table belongs to, 0 is free; `len` is a power of two, or 0 for the empty table. */
typedef struct NameTable {
  const uint32_t *slots;
  uint32_t len;
} NameTable;

struct Catalog {
  const RulePage *rules;  // those of the catalogue below, then its own, sorted by id
  const ApiFact *facts;  // exact names, sorted
  const ApiFact *globs;  // longest pattern first
  const CatalogAlias *aliases;
  const CatalogOutrank *outranks;  // sorted by winner, then loser
  uint32_t rule_len, fact_len, glob_len, alias_len, outrank_len;
  NameTable fact_names, alias_names;
  const Catalog *below;  // facts and aliases that are not found here are looked up there
};

/* True if catalog_canonical() would change the name. */
bool catalog_is_aliased(const Catalog *catalog, Str name);

/* FNV-1a over the bytes of a name. It can be continued, so "class.member" is hashed without being put together. */
#define NAME_HASH_START 0xcbf29ce484222325u
uint64_t name_hash(uint64_t hash, Str text);

/* Fills a table for `count` names; `name_at(array, i)` gives them. */
NameTable name_table_build(Arena *arena, const void *array, uint32_t count,
                           Str (*name_at)(const void *array, uint32_t i));
Str fact_name_at(const void *facts, uint32_t i);
Str alias_name_at(const void *aliases, uint32_t i);

#endif

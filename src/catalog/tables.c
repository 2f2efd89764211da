/* Building the name tables. Looking up is in lookup.c. */
#include "catalog/tables.h"

uint64_t name_hash(uint64_t hash, Str text) {
  for (size_t i = 0; i < text.len; i++) hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3u;
  return hash;
}

Str fact_name_at(const void *facts, uint32_t i) { return ((const ApiFact *)facts)[i].name; }

Str alias_name_at(const void *aliases, uint32_t i) { return ((const CatalogAlias *)aliases)[i].from; }

NameTable name_table_build(Arena *arena, const void *array, uint32_t count,
                           Str (*name_at)(const void *array, uint32_t i)) {
  if (!count) return (NameTable){NULL, 0};
  uint32_t len = 4;
  while (len < count * 2) len *= 2;
  uint32_t *slots = arena_array(arena, uint32_t, len);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = (uint32_t)name_hash(NAME_HASH_START, name_at(array, i)) & (len - 1);
    while (slots[at]) at = (at + 1) & (len - 1);
    slots[at] = i + 1;
  }
  return (NameTable){slots, len};
}

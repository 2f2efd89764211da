/* Hash map from 64-bit keys to 64-bit values, in an arena, open addressing, iteration in insertion order.
 *
 * Keys are pointers to interned things, packed ids or content hashes; a StrMap below compares whole strings. Iteration order
 * is insertion order, so that no output ever depends on hash values.
 */
#ifndef TFCHECK_BASE_MAP_H
#define TFCHECK_BASE_MAP_H

#include "base/arena.h"
#include "base/str.h"

typedef struct MapEntry {
  uint64_t key;
  uint64_t value;
} MapEntry;

typedef struct Map {
  MapEntry *entries;  // insertion order; `len` of them
  uint32_t *slots;    // index + 1 into entries, 0 = free
  uint32_t len, cap, nslots;
} Map;

/* The value's place, or NULL. The pointer holds until the next map_put. */
uint64_t *map_get(const Map *map, uint64_t key);
/* The value's place, newly made and zero if the key was absent (`*fresh` tells, may be NULL). */
uint64_t *map_put(Arena *arena, Map *map, uint64_t key, bool *fresh);

/* A set of keys; UINT64_MAX is none. */
typedef struct KeySet {
  uint64_t *slots;  // key + 1, 0 = free
  uint32_t len, nslots;
} KeySet;

/* True if the key was absent. */
bool keyset_add(Arena *arena, KeySet *set, uint64_t key);

typedef struct StrMapEntry {
  Str key;
  uint64_t hash;
  uint64_t value;
} StrMapEntry;

typedef struct StrMap {
  StrMapEntry *entries;
  uint32_t *slots;
  uint32_t len, cap, nslots;
} StrMap;

uint64_t *strmap_get(const StrMap *map, Str key);
uint64_t *strmap_put(Arena *arena, StrMap *map, Str key, bool *fresh);  // the key's bytes must outlive the map

/* Mixes two 64-bit values into one hash; the same on every machine. */
uint64_t hash_mix(uint64_t a, uint64_t b);

#endif

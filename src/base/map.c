/* Open addressing with linear probing over a table of indexes; the entries themselves lie in insertion order.
 *
 * There is no deletion, so a probe ends at the first free slot. The table is at most half full. When it grows, the old slots
 * stay behind in the arena: together they are smaller than the new ones.
 */
#include "base/map.h"

#include "base/panic.h"

uint64_t hash_mix(uint64_t a, uint64_t b) {
  uint64_t h = a ^ (b * UINT64_C(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2));
  h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
  return h ^ (h >> 31);
}

static uint32_t more_slots(uint32_t nslots) {
  tf_assert(nslots <= UINT32_MAX / 4);
  return nslots ? nslots * 2 : 8;
}

static void slot_fill(uint32_t *slots, uint32_t nslots, uint64_t hash, uint32_t index) {
  uint32_t at = (uint32_t)hash & (nslots - 1);
  while (slots[at]) at = (at + 1) & (nslots - 1);
  slots[at] = index + 1;
}

static MapEntry *map_find(const Map *map, uint64_t key) {
  if (!map->nslots) return NULL;
  uint32_t mask = map->nslots - 1;
  for (uint32_t at = (uint32_t)hash_mix(key, 0) & mask; map->slots[at]; at = (at + 1) & mask) {
    MapEntry *entry = &map->entries[map->slots[at] - 1];
    if (entry->key == key) return entry;
  }
  return NULL;
}

static void map_make_room(Arena *arena, Map *map) {
  if (map->len < map->nslots / 2) return;
  uint32_t nslots = more_slots(map->nslots), cap = nslots / 2;
  map->entries =
      arena_grow(arena, map->entries, map->cap * sizeof(MapEntry), cap * sizeof(MapEntry), _Alignof(MapEntry));
  map->cap = cap;
  map->slots = arena_array(arena, uint32_t, nslots);
  map->nslots = nslots;
  for (uint32_t i = 0; i < map->len; i++) slot_fill(map->slots, nslots, hash_mix(map->entries[i].key, 0), i);
}

uint64_t *map_get(const Map *map, uint64_t key) {
  MapEntry *entry = map_find(map, key);
  return entry ? &entry->value : NULL;
}

uint64_t *map_put(Arena *arena, Map *map, uint64_t key, bool *fresh) {
  MapEntry *entry = map_find(map, key);
  if (fresh) *fresh = !entry;
  if (entry) return &entry->value;
  map_make_room(arena, map);
  slot_fill(map->slots, map->nslots, hash_mix(key, 0), map->len);
  entry = &map->entries[map->len++];
  *entry = (MapEntry){.key = key};
  return &entry->value;
}

/* Where the key is, or the free slot for it. */
static uint32_t keyset_at(const KeySet *set, uint64_t key) {
  uint32_t mask = set->nslots - 1, at = (uint32_t)hash_mix(key, 0) & mask;
  while (set->slots[at] && set->slots[at] != key + 1) at = (at + 1) & mask;
  return at;
}

static void keyset_make_room(Arena *arena, KeySet *set) {
  if (set->len < set->nslots / 2) return;
  KeySet old = *set;
  set->nslots = more_slots(old.nslots);
  set->slots = arena_array(arena, uint64_t, set->nslots);
  for (uint32_t i = 0; i < old.nslots; i++) {
    if (old.slots[i]) set->slots[keyset_at(set, old.slots[i] - 1)] = old.slots[i];
  }
}

bool keyset_add(Arena *arena, KeySet *set, uint64_t key) {
  tf_assert(key != UINT64_MAX);
  keyset_make_room(arena, set);
  uint32_t at = keyset_at(set, key);
  if (set->slots[at]) return false;
  set->slots[at] = key + 1;
  set->len++;
  return true;
}

static StrMapEntry *strmap_find(const StrMap *map, Str key, uint64_t hash) {
  if (!map->nslots) return NULL;
  uint32_t mask = map->nslots - 1;
  for (uint32_t at = (uint32_t)hash & mask; map->slots[at]; at = (at + 1) & mask) {
    StrMapEntry *entry = &map->entries[map->slots[at] - 1];
    if (entry->hash == hash && str_eq(entry->key, key)) return entry;
  }
  return NULL;
}

static void strmap_make_room(Arena *arena, StrMap *map) {
  if (map->len < map->nslots / 2) return;
  uint32_t nslots = more_slots(map->nslots), cap = nslots / 2;
  map->entries =
      arena_grow(arena, map->entries, map->cap * sizeof(StrMapEntry), cap * sizeof(StrMapEntry), _Alignof(StrMapEntry));
  map->cap = cap;
  map->slots = arena_array(arena, uint32_t, nslots);
  map->nslots = nslots;
  for (uint32_t i = 0; i < map->len; i++) slot_fill(map->slots, nslots, map->entries[i].hash, i);
}

uint64_t *strmap_get(const StrMap *map, Str key) {
  StrMapEntry *entry = strmap_find(map, key, str_hash(key));
  return entry ? &entry->value : NULL;
}

uint64_t *strmap_put(Arena *arena, StrMap *map, Str key, bool *fresh) {
  uint64_t hash = str_hash(key);
  StrMapEntry *entry = strmap_find(map, key, hash);
  if (fresh) *fresh = !entry;
  if (entry) return &entry->value;
  strmap_make_room(arena, map);
  slot_fill(map->slots, map->nslots, hash, map->len);
  entry = &map->entries[map->len++];
  *entry = (StrMapEntry){.key = key, .hash = hash};
  return &entry->value;
}

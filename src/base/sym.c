/* The shared table of names: shards by hash, each with its lock, its arena and its open-addressed slots.
 *
 * A lookup compares pieces, so that a dotted name that exists already costs no copy. Symbols are never removed.
 */
#include "base/sym.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/panic.h"

enum { SHARDS = 32 };

typedef struct Shard {
  pthread_mutex_t lock;
  Arena arena;
  Symbol **slots;
  uint32_t len, nslots;
} Shard;

struct SymTable {
  Shard shards[SHARDS];
};

/* A name that need not lie in one piece: head + "." + tail, or head alone. */
typedef struct Name {
  Str head, dot, tail;
  uint64_t hash;
} Name;

SymTable *sym_table_new(void) {
  SymTable *table = calloc(1, sizeof *table);
  if (!table) panic_raise(__FILE__, __LINE__, "out of memory");
  for (int i = 0; i < SHARDS; i++) pthread_mutex_init(&table->shards[i].lock, NULL);
  return table;
}

void sym_table_release(SymTable *table) {
  if (!table) return;
  for (int i = 0; i < SHARDS; i++) {
    pthread_mutex_destroy(&table->shards[i].lock);
    arena_release(&table->shards[i].arena);
  }
  free(table);
}

static bool name_is(const Name *name, Str text) {
  size_t head = name->head.len, tail = head + name->dot.len;
  return text.len == tail + name->tail.len && str_starts(text, name->head) &&
         str_eq(str_sub(text, head, tail), name->dot) && str_ends(text, name->tail);
}

/* The top bits choose the shard, so the low bits are left for the slot. */
static Shard *shard_of(SymTable *table, uint64_t hash) { return &table->shards[hash_mix(hash, 0) >> 59]; }

static Symbol **slot_of(Symbol **slots, uint32_t nslots, const Name *name) {
  uint32_t mask = nslots - 1, at = (uint32_t)name->hash & mask;
  while (slots[at] && !(slots[at]->hash == name->hash && name_is(name, slots[at]->text))) at = (at + 1) & mask;
  return &slots[at];
}

static void shard_make_room(Shard *shard) {
  if (shard->len < shard->nslots / 2) return;
  tf_assert(shard->nslots <= UINT32_MAX / 4);
  uint32_t nslots = shard->nslots ? shard->nslots * 2 : 64;
  Symbol **slots = arena_array(&shard->arena, Symbol *, nslots);
  for (uint32_t i = 0; i < shard->nslots; i++) {
    Symbol *symbol = shard->slots[i];
    if (symbol) *slot_of(slots, nslots, &(Name){.head = symbol->text, .hash = symbol->hash}) = symbol;
  }
  shard->slots = slots;
  shard->nslots = nslots;
}

static Sym shard_intern(Shard *shard, const Name *name) {
  shard_make_room(shard);
  Symbol **slot = slot_of(shard->slots, shard->nslots, name);
  if (*slot) return *slot;
  Symbol *symbol = arena_new(&shard->arena, Symbol);
  symbol->text = str_join(&shard->arena, (Str[]){name->head, name->dot, name->tail}, 3, S(""));
  symbol->hash = name->hash;
  *slot = symbol;
  shard->len++;
  return symbol;
}

static Sym intern(SymTable *table, const Name *name) {
  Shard *shard = shard_of(table, name->hash);
  pthread_mutex_lock(&shard->lock);
  // Running out of memory must not leave the lock behind: the other workers would wait for it for ever.
  Panic panic;
  if (panic_enter(&panic)) {
    pthread_mutex_unlock(&shard->lock);
    panic_raise(panic.file, panic.line, panic.what);
  }
  Sym sym = shard_intern(shard, name);
  panic_leave(&panic);
  pthread_mutex_unlock(&shard->lock);
  return sym;
}

Sym sym_intern(SymTable *table, Str text) { return intern(table, &(Name){.head = text, .hash = str_hash(text)}); }

Sym sym_dotted(SymTable *table, Sym prefix, Sym name) {
  if (!prefix) return name;
  if (!name) return prefix;
  Name dotted = {.head = prefix->text, .dot = S("."), .tail = name->text};
  dotted.hash = str_hash_more(str_hash_more(prefix->hash, dotted.dot), dotted.tail);
  return intern(table, &dotted);
}

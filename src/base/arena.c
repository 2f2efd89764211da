/* Bump allocation in blocks that grow with the arena, up to 1 MiB: tens of thousands of arenas hold a few hundred bytes.
 *
 * Invariant: bytes of a block beyond `used` are zero, so that an allocation needs no clearing; arena_reset restores it for
 * what it drops. Under AddressSanitizer those bytes are also poisoned, and every object is followed by a poisoned gap, so
 * that a slice that runs over its end is caught although the block goes on.
 */
#include "base/arena.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GAP ((size_t)16)
#define POISON(ptr, size) ASAN_POISON_MEMORY_REGION(ptr, size)
#define UNPOISON(ptr, size) ASAN_UNPOISON_MEMORY_REGION(ptr, size)
#else
#define GAP ((size_t)0)
#define POISON(ptr, size) ((void)(ptr), (void)(size))
#define UNPOISON(ptr, size) ((void)(ptr), (void)(size))
#endif

struct ArenaBlock {
  ArenaBlock *older;
  size_t size;  // bytes of data
  _Alignas(max_align_t) char data[];
};

enum { FIRST_BLOCK = 512, LARGEST_BLOCK = 1 << 20 };

static _Noreturn void out_of_memory(void) { panic_raise(__FILE__, __LINE__, "out of memory"); }

/* Half as large as all blocks so far, so that a small arena stays small, and a large one has few blocks and little to spare. */
static size_t next_block_size(const Arena *arena, size_t need) {
  size_t size = arena->total / 2;
  if (size < FIRST_BLOCK) size = FIRST_BLOCK;
  if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
  return size < need ? need : size;
}

static void add_block(Arena *arena, size_t need) {
  size_t size = next_block_size(arena, need);
  if (size > PTRDIFF_MAX - sizeof(ArenaBlock)) out_of_memory();
  ArenaBlock *block = calloc(1, sizeof(ArenaBlock) + size);
  if (!block) out_of_memory();
  POISON(block->data, size);
  block->older = arena->block;
  block->size = size;
  arena->block = block;
  arena->used = 0;
  arena->total += size;
}

void *arena_alloc(Arena *arena, size_t size, size_t align, size_t count) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes) || bytes > PTRDIFF_MAX / 2) out_of_memory();
  if (bytes == 0) bytes = 1;
  tf_assert(align > 0 && align <= _Alignof(max_align_t));
  size_t start = (arena->used + align - 1) & ~(align - 1);
  if (!arena->block || start > arena->block->size || arena->block->size - start < bytes + GAP) {
    add_block(arena, bytes + GAP);
    start = 0;
  }
  char *object = arena->block->data + start;
  arena->used = start + bytes + GAP;
  UNPOISON(object, bytes);
  return object;
}

static void drop_newest(Arena *arena) {
  ArenaBlock *block = arena->block;
  arena->block = block->older;
  arena->total -= block->size;
  UNPOISON(block->data, block->size);
  free(block);
}

void arena_release(Arena *arena) {
  while (arena->block) drop_newest(arena);
  *arena = (Arena){0};
}

ArenaMark arena_mark(const Arena *arena) { return (ArenaMark){arena->block, arena->used}; }

static void clear_from(Arena *arena, size_t start, size_t end) {
  char *data = arena->block->data;
  UNPOISON(data + start, end - start);
  memset(data + start, 0, end - start);
  POISON(data + start, end - start);
  arena->used = start;
}

void arena_reset(Arena *arena, ArenaMark mark) {
  size_t dirty = arena->used;
  // A mark taken on the empty arena keeps the oldest block: a loop of mark and reset should not allocate each time round.
  while (arena->block && arena->block != mark.block && arena->block->older) {
    drop_newest(arena);
    dirty = arena->block->size;
  }
  if (!arena->block) return;
  tf_assert(arena->block == mark.block || !mark.block);
  clear_from(arena, mark.used, dirty);
}

static bool is_last_object(const Arena *arena, const char *object, size_t bytes) {
  return arena->block && object + bytes + GAP == arena->block->data + arena->used;
}

void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes, size_t align) {
  if (old && old_bytes >= new_bytes) return old;
  if (old && old_bytes && is_last_object(arena, old, old_bytes)) {
    size_t extra = new_bytes - old_bytes;
    if (arena->block->size - arena->used >= extra) {
      arena->used += extra;
      UNPOISON((char *)old + old_bytes, extra);
      return old;
    }
  }
  char *object = arena_alloc(arena, 1, align, new_bytes);
  if (old_bytes) memcpy(object, old, old_bytes);
  return object;
}

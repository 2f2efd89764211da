/* Arenas: all memory of the analyser, by lifetime.
 *
 * An Arena is a chain of blocks that only grows; everything in it dies together. A function that takes `Arena *` returns
 * memory that lives as long as that arena; a function that takes an Arena by the name `scratch` leaves nothing behind that
 * the caller may keep. Memory is zeroed, and zero is a valid empty value of every struct of this program. There is no free
 * for single objects. Running out of memory does not return: it raises (see panic.h).
 */
#ifndef TFCHECK_BASE_ARENA_H
#define TFCHECK_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
  ArenaBlock *block;  // newest block, NULL while empty
  size_t used;        // bytes used of the newest block
  size_t total;       // bytes of all blocks
} Arena;

typedef struct ArenaMark {
  ArenaBlock *block;
  size_t used;
} ArenaMark;

/* Zeroed memory for `count` objects of `size` bytes; never NULL (count 0 gives a unique-enough pointer). */
void *arena_alloc(Arena *arena, size_t size, size_t align, size_t count);

/* Gives every block back to the system; the arena is empty and usable again. */
void arena_release(Arena *arena);

/* Remembers where the arena stands, and drops all that was allocated since. */
ArenaMark arena_mark(const Arena *arena);
void arena_reset(Arena *arena, ArenaMark mark);

/* Like realloc for the array that `vec.h` keeps: old contents are copied, the tail is zeroed. */
void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes, size_t align);

#define arena_new(arena, T) ((T *)arena_alloc((arena), sizeof(T), _Alignof(T), 1))
#define arena_array(arena, T, count) ((T *)arena_alloc((arena), sizeof(T), _Alignof(T), (count)))

#endif

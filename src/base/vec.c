/* The one function behind vec_push. Doubles, so that a push costs a constant on average. */
#include "base/vec.h"

#include <string.h>

#include "base/panic.h"

void vec_reserve_raw(Arena *arena, void **data, uint32_t *cap, uint32_t need, size_t size, size_t align) {
  if (need <= *cap) return;
  tf_assert(need <= UINT32_MAX / 2);
  uint32_t wanted = *cap ? *cap * 2 : 4;
  if (wanted < need) wanted = need;
  // The caller's pointer is a T *, not a void *: it is read and written as bytes, which C's aliasing rules allow.
  void *old;
  memcpy(&old, data, sizeof old);
  void *grown = arena_grow(arena, old, *cap * size, wanted * size, align);
  memcpy(data, &grown, sizeof grown);
  *cap = wanted;
}

/* Growing arrays in an arena: VEC(T) is a struct {T *data; uint32_t len, cap}. Zero is the empty vector. */
#ifndef TFCHECK_BASE_VEC_H
#define TFCHECK_BASE_VEC_H

#include "base/arena.h"

#define VEC(T)          \
  struct {              \
    T *data;            \
    uint32_t len, cap;  \
  }

/* Room for one more at the end; returns its (zeroed) place by index arithmetic of vec_push. */
void vec_reserve_raw(Arena *arena, void **data, uint32_t *cap, uint32_t need, size_t size, size_t align);

/* Appends a value. Evaluates `vec` more than once. */
#define vec_push(arena, vec, value)                                                                        \
  (vec_reserve_raw((arena), (void **)&(vec)->data, &(vec)->cap, (vec)->len + 1, sizeof *(vec)->data,       \
                   _Alignof(max_align_t) < sizeof *(vec)->data ? _Alignof(max_align_t) : _Alignof(void *)), \
   (void)((vec)->data[(vec)->len++] = (value)))

#define vec_last(vec) ((vec)->data[(vec)->len - 1])

#endif

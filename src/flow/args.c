/* Arguments of a call, by position or keyword. */
#include "flow/event.h"

/* Index into the parallel arrays, or UINT32_MAX. A positional argument is trusted only in front of any `*rest`: behind it,
 * nobody knows which parameter it meets. */
static uint32_t args_index(const Args *args, uint32_t position, Str keyword) {
  for (uint32_t i = args->positional; i < args->len; i++) {
    if (keyword.len > 0 && sym_is(args->names[i], keyword)) return i;
  }
  if (position >= args->positional) return UINT32_MAX;
  for (uint32_t i = 0; args->has_star && i <= position; i++) {
    if (args->exprs[i] && args->exprs[i]->kind == EXPR_STARRED) return UINT32_MAX;
  }
  return position;
}

const Value *args_get(const Args *args, uint32_t position, Str keyword) {
  uint32_t i = args_index(args, position, keyword);
  return i == UINT32_MAX ? NULL : args->values[i];
}

const Expr *args_expr(const Args *args, uint32_t position, Str keyword) {
  uint32_t i = args_index(args, position, keyword);
  return i == UINT32_MAX ? NULL : args->exprs[i];
}

/* Values nest at most VALUE_DEPTH deep, so looking into containers may recurse. */
#include "rules/operand.h"

const Expr *operand_callee(const Event *event) {
  return event->expr && event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
}

bool operand_is_tensor(const Value *value) { return value && value_is_tensor(value) && !(value->flags & VF_TAINTED); }

bool operand_is_symbolic(const Value *value) {
  return operand_is_tensor(value) || (value && value_is(value, KIND(VARIABLE)));
}

const Value *operand_find_tensor(const Value *value) {
  if (!value) return NULL;
  if (value_is_host_tensor(value)) return value;
  if (!value_is(value, KIND(LIST) | KIND(TUPLE) | KIND(DICT))) return NULL;
  for (uint32_t i = 0; i < value->part_len; i++) {
    const Value *inside = operand_find_tensor(value->parts[i]);
    if (inside) return inside;
  }
  return value->part_len ? NULL : operand_find_tensor(value->elem);
}

uint32_t operand_tensor_argument(const Args *args, const Value **tensor) {
  for (uint32_t i = 0; i < args->len; i++) {
    *tensor = operand_find_tensor(args->values[i]);
    if (*tensor) return i;
  }
  return UINT32_MAX;
}

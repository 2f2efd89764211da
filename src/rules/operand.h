/* Questions that the rules about host code ask about the operands of an event. */
#ifndef TFCHECK_RULES_OPERAND_H
#define TFCHECK_RULES_OPERAND_H

#include "rules/rule.h"

/* What is called, as written: the callee of a call, or a decorator. */
const Expr *operand_callee(const Event *event);
/* Surely a symbolic tensor that no earlier fault left behind. */
bool operand_is_tensor(const Value *value);
/* … or a variable, which has no value while tracing either. */
bool operand_is_symbolic(const Value *value);
/* The tensor, variable or tainted tensor that a host library would meet in the value, itself or in a list, tuple or dict; NULL
 * if there is none for certain. */
const Value *operand_find_tensor(const Value *value);
/* The first argument with such a tensor; UINT32_MAX if there is none. */
uint32_t operand_tensor_argument(const Args *args, const Value **tensor);

#endif

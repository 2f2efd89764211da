/* Cycles of traced functions that call each other. A chain ends where tracing starts, and a traced function that traced code calls
 * starts its own; what leads from one to the next is joined here when all calls have been seen.
 */
#ifndef TFCHECK_RULES_CALL_CYCLE_H
#define TFCHECK_RULES_CALL_CYCLE_H

#include "rules/rule.h"

typedef struct CycleCall {
  FuncRef from, to;      // traced functions
  bool on_tensor;        // the call stands under a tensor's `if`
  bool is_entered;       // eager code calls `to`
} CycleCall;

/* For each call, whether it closes a cycle: it leads back to where the program enters the cycle, and somewhere on the way a tensor
 * decides. The result lives in the arena. */
bool *cycle_closing_calls(Arena *arena, const CycleCall *calls, uint32_t len);

#endif

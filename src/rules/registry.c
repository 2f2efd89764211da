/* Every coded rule, one line each, in no order that matters. */
#include "rules/rule.h"

#define RULE_CHECKS(X)            \
  X(host_condition_frozen)        \
  X(layer_in_traced_function)     \
  X(numpy_on_tensor)              \
  X(numpy_random_frozen)          \
  X(optimizer_in_traced_function) \
  X(print_in_traced_function)     \
  X(tensor_to_host)               \
  X(variable_in_traced_function)

#define X(name) extern const RuleCheck rule_##name;
RULE_CHECKS(X)
#undef X

const RuleCheck *const rule_registry[] = {
#define X(name) &rule_##name,
    RULE_CHECKS(X)
#undef X
};
const uint32_t rule_registry_len = sizeof rule_registry / sizeof *rule_registry;

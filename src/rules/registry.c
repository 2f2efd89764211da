/* Every coded rule, one line in each list, in no order that matters. */
#include "rules/rule.h"

extern const RuleCheck rule_host_condition_frozen;
extern const RuleCheck rule_layer_in_traced_function;
extern const RuleCheck rule_numpy_on_tensor;
extern const RuleCheck rule_numpy_random_frozen;
extern const RuleCheck rule_optimizer_in_traced_function;
extern const RuleCheck rule_print_in_traced_function;
extern const RuleCheck rule_tensor_to_host;
extern const RuleCheck rule_variable_in_traced_function;

const RuleCheck *const rule_registry[] = {
    &rule_host_condition_frozen, &rule_layer_in_traced_function,     &rule_numpy_on_tensor,
    &rule_numpy_random_frozen,   &rule_optimizer_in_traced_function, &rule_print_in_traced_function,
    &rule_tensor_to_host,        &rule_variable_in_traced_function,
};
const uint32_t rule_registry_len = sizeof rule_registry / sizeof *rule_registry;

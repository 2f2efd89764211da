/* Every coded rule, one line in each list, in no order that matters. */
#include "rules/rule.h"

extern const RuleCheck rule_argument_mutated;
extern const RuleCheck rule_branch_local_name;
extern const RuleCheck rule_branch_values_differ;
extern const RuleCheck rule_captured_global_frozen;
extern const RuleCheck rule_condition_not_boolean;
extern const RuleCheck rule_deprecated_option;
extern const RuleCheck rule_eager_debug_left_on;
extern const RuleCheck rule_exception_in_tensor_branch;
extern const RuleCheck rule_frozen_nondeterminism;
extern const RuleCheck rule_functional_result_dropped;
extern const RuleCheck rule_generator_traced;
extern const RuleCheck rule_growing_shape_retrace;
extern const RuleCheck rule_host_attribute_on_tensor;
extern const RuleCheck rule_host_condition_frozen;
extern const RuleCheck rule_host_io_in_traced_function;
extern const RuleCheck rule_host_iterator_advanced;
extern const RuleCheck rule_host_library_on_tensor;
extern const RuleCheck rule_host_state_frozen;
extern const RuleCheck rule_input_signature_mismatch;
extern const RuleCheck rule_late_variable_creation;
extern const RuleCheck rule_layer_in_traced_function;
extern const RuleCheck rule_list_append_in_tensor_loop;
extern const RuleCheck rule_loop_variable_changes;
extern const RuleCheck rule_misplaced_decorator;
extern const RuleCheck rule_numpy_on_tensor;
extern const RuleCheck rule_numpy_random_frozen;
extern const RuleCheck rule_optimizer_in_traced_function;
extern const RuleCheck rule_outer_container_mutation;
extern const RuleCheck rule_outer_state_assignment;
extern const RuleCheck rule_print_in_traced_function;
extern const RuleCheck rule_py_function_exported;
extern const RuleCheck rule_python_conversion_on_tensor;
extern const RuleCheck rule_python_object_retrace;
extern const RuleCheck rule_python_scalar_retrace;
extern const RuleCheck rule_recursive_traced_function;
extern const RuleCheck rule_redundant_decorator;
extern const RuleCheck rule_resource_in_traced_function;
extern const RuleCheck rule_return_in_one_branch;
extern const RuleCheck rule_seed_in_traced_function;
extern const RuleCheck rule_static_shape_as_value;
extern const RuleCheck rule_tensor_as_bool_unconverted;
extern const RuleCheck rule_tensor_as_key;
extern const RuleCheck rule_tensor_exit_from_python_loop;
extern const RuleCheck rule_tensor_formatted;
extern const RuleCheck rule_tensor_item_assignment;
extern const RuleCheck rule_tensor_iterated_unconverted;
extern const RuleCheck rule_tensor_leak;
extern const RuleCheck rule_tensor_to_host;
extern const RuleCheck rule_traced_function_recreated;
extern const RuleCheck rule_traced_function_shared;
extern const RuleCheck rule_unhashable_method_owner;
extern const RuleCheck rule_unrolled_loop;
extern const RuleCheck rule_unsupported_return;
extern const RuleCheck rule_variable_augmented_assign;
extern const RuleCheck rule_variable_in_traced_function;
extern const RuleCheck rule_variable_rebound;
extern const RuleCheck rule_xla_incompatible_op;

// clang-format off: one line each, so that rules are added without conflict
const RuleCheck *const rule_registry[] = {
    &rule_argument_mutated,
    &rule_branch_local_name,
    &rule_branch_values_differ,
    &rule_captured_global_frozen,
    &rule_condition_not_boolean,
    &rule_deprecated_option,
    &rule_eager_debug_left_on,
    &rule_exception_in_tensor_branch,
    &rule_frozen_nondeterminism,
    &rule_functional_result_dropped,
    &rule_generator_traced,
    &rule_growing_shape_retrace,
    &rule_host_attribute_on_tensor,
    &rule_host_condition_frozen,
    &rule_host_io_in_traced_function,
    &rule_host_iterator_advanced,
    &rule_host_library_on_tensor,
    &rule_host_state_frozen,
    &rule_input_signature_mismatch,
    &rule_late_variable_creation,
    &rule_layer_in_traced_function,
    &rule_list_append_in_tensor_loop,
    &rule_loop_variable_changes,
    &rule_misplaced_decorator,
    &rule_numpy_on_tensor,
    &rule_numpy_random_frozen,
    &rule_optimizer_in_traced_function,
    &rule_outer_container_mutation,
    &rule_outer_state_assignment,
    &rule_print_in_traced_function,
    &rule_py_function_exported,
    &rule_python_conversion_on_tensor,
    &rule_python_object_retrace,
    &rule_python_scalar_retrace,
    &rule_recursive_traced_function,
    &rule_redundant_decorator,
    &rule_resource_in_traced_function,
    &rule_return_in_one_branch,
    &rule_seed_in_traced_function,
    &rule_static_shape_as_value,
    &rule_tensor_as_bool_unconverted,
    &rule_tensor_as_key,
    &rule_tensor_exit_from_python_loop,
    &rule_tensor_formatted,
    &rule_tensor_item_assignment,
    &rule_tensor_iterated_unconverted,
    &rule_tensor_leak,
    &rule_tensor_to_host,
    &rule_traced_function_recreated,
    &rule_traced_function_shared,
    &rule_unhashable_method_owner,
    &rule_unrolled_loop,
    &rule_unsupported_return,
    &rule_variable_augmented_assign,
    &rule_variable_in_traced_function,
    &rule_variable_rebound,
    &rule_xla_incompatible_op,
};
// clang-format on
const uint32_t rule_registry_len = sizeof rule_registry / sizeof *rule_registry;

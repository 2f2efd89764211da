/* What Keras traces by convention, and whether AutoGraph converts it.
 *
 * Keras calls the methods below from inside a traced step of its own. That step is marked do_not_convert in Keras 3, so nothing
 * it reaches is converted. Keras 2 converts `call` of layers and losses and the methods of metrics one by one, but calls
 * `train_step` and its siblings as they are. Regularizers, constraints and schedules have no instance kind of their own and
 * are known by their base: their one method, `__call__`, is shared with initializers, which are host code.
 */
#include "trace/context.h"

static const KerasMethod methods[] = {
    {S_INIT("call"), KIND(LAYER) | KIND(MODEL), KERAS_PARAMS_INPUTS, true, {0}},
    {S_INIT("compute_mask"), KIND(LAYER) | KIND(MODEL), KERAS_PARAMS_INPUTS, false, {0}},
    {S_INIT("train_step"), KIND(MODEL), KERAS_PARAMS_DATA, false, {0}},
    {S_INIT("test_step"), KIND(MODEL), KERAS_PARAMS_DATA, false, {0}},
    {S_INIT("predict_step"), KIND(MODEL), KERAS_PARAMS_DATA, false, {0}},
    {S_INIT("compute_loss"), KIND(MODEL), KERAS_PARAMS_TENSORS, false, {0}},
    {S_INIT("compute_metrics"), KIND(MODEL), KERAS_PARAMS_TENSORS, false, {0}},
    {S_INIT("call"), KIND(LOSS), KERAS_PARAMS_TENSORS, true, {0}},
    {S_INIT("__call__"), KIND(LOSS), KERAS_PARAMS_TENSORS, false, {0}},
    {S_INIT("update_state"), KIND(METRIC), KERAS_PARAMS_TENSORS, true, {0}},
    {S_INIT("result"), KIND(METRIC), KERAS_PARAMS_NONE, true, {0}},
    // These take variables beside tensors, which the conventions for parameters cannot say.
    {S_INIT("update_step"), KIND(OPTIMIZER), KERAS_PARAMS_NONE, false, {0}},
    {S_INIT("_resource_apply_dense"), KIND(OPTIMIZER), KERAS_PARAMS_NONE, false, {0}},
    {S_INIT("_resource_apply_sparse"), KIND(OPTIMIZER), KERAS_PARAMS_NONE, false, {0}},
    {S_INIT("__call__"), 0, KERAS_PARAMS_STATE, false, S_INIT("keras.optimizers.schedules.LearningRateSchedule")},
    {S_INIT("__call__"), 0, KERAS_PARAMS_STATE, false, S_INIT("keras.regularizers.Regularizer")},
    {S_INIT("__call__"), 0, KERAS_PARAMS_STATE, false, S_INIT("keras.constraints.Constraint")},
};

static const Str host_methods[] = {
    S_INIT("__init__"),
    S_INIT("__new__"),
    S_INIT("build"),
    S_INIT("build_from_config"),
    S_INIT("get_build_config"),
    S_INIT("get_config"),
    S_INIT("from_config"),
    S_INIT("compile"),
    S_INIT("get_compile_config"),
    S_INIT("compile_from_config"),
    S_INIT("compute_output_shape"),
    S_INIT("compute_output_spec"),
    S_INIT("compute_output_signature"),
    S_INIT("fit"),
    S_INIT("evaluate"),
    S_INIT("predict"),
    S_INIT("make_train_function"),
    S_INIT("make_test_function"),
    S_INIT("make_predict_function"),
    S_INIT("reset_state"),
    S_INIT("reset_states"),
    S_INIT("adapt"),
    S_INIT("summary"),
    S_INIT("save"),
    S_INIT("save_weights"),
    S_INIT("load_weights"),
    S_INIT("export"),
    S_INIT("save_own_variables"),
    S_INIT("load_own_variables"),
    S_INIT("save_assets"),
    S_INIT("load_assets"),
    S_INIT("get_weights"),
    S_INIT("set_weights"),
};

const KerasMethod *keras_methods(uint32_t *count) {
  *count = sizeof methods / sizeof *methods;
  return methods;
}

const KerasMethod *keras_method(Kind owner, Str name) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    if ((methods[i].owners >> owner & 1) && str_eq(methods[i].name, name)) return &methods[i];
  }
  return NULL;
}

bool keras_is_host_method(Str name) {
  if (str_starts(name, S("on_"))) return true;  // callbacks
  return STR_IN(name, host_methods);
}

Context keras_method_context(const KerasMethod *method, KerasFlavor flavor) {
  Context context = CTX_TRACED;
  if (flavor == KERAS_3 || !method->converted_keras2) context |= CTX_AUTOGRAPH_OFF;
  else if (flavor == KERAS_UNKNOWN) context |= CTX_AUTOGRAPH_UNKNOWN;
  if (flavor != KERAS_2) context |= CTX_JIT_UNKNOWN;  // compile(jit_compile="auto"): on where a GPU is
  if (str_eq(method->name, S("call")) && !(method->owners & KIND(LOSS))) context |= CTX_KERAS_CALL;
  return context;
}

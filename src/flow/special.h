/* Handlers for functions that a fact cannot describe. Each file offers a table of (canonical name, handler). */
#ifndef TFCHECK_FLOW_SPECIAL_H
#define TFCHECK_FLOW_SPECIAL_H

#include "flow/walk.h"

/* The result, or NULL: "nothing special here, use the fact". */
typedef const Value *SpecialFn(Walker *w, const ApiFact *fact, const Call *call);
typedef struct Special { Str name; SpecialFn *run; } Special;

extern const Special builtin_specials[];   // builtin.c: Python's own functions
extern const uint32_t builtin_special_len;
extern const Special tensor_specials[];    // tensor.c: shapes and dtypes of TensorFlow's constructors
extern const uint32_t tensor_special_len;
extern const Special dataset_specials[];   // dataset.c: elements of tf.data
extern const uint32_t dataset_special_len;

SpecialFn special_is_tensor, special_str, special_str_format, special_format, special_field, special_fold;
const Value *call_arg(const Call *call, uint32_t position, Str keyword);  // NULL when absent

#endif

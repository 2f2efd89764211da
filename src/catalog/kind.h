/* The published vocabulary: kinds of values, dtypes, and the names by which YAML, JSON, fact comments and messages call them. */
#ifndef TFCHECK_CATALOG_KIND_H
#define TFCHECK_CATALOG_KIND_H

#include "base/str.h"

/* A value's kind is a set of these: the empty set is "no execution gets here", one bit is "certainly this", several are "one
 * of these, by path", and KIND_UNKNOWN in the set means that anything else is possible too. */
typedef uint64_t KindSet;

#define KIND_LIST(X)                                                                      \
  X(UNKNOWN, "unknown") /* nothing is known: rules are silent */                          \
  X(NONE, "none")                                                                         \
  X(BOOL, "bool") /* Python bool */                                                       \
  X(NUMBER, "number") /* Python int, float, complex; which: see dtype */                  \
  X(TEXT, "text") /* str, bytes */                                                        \
  X(ARRAY, "array") /* host array: ndarray, NumPy scalar */                               \
  X(SHAPE, "shape") /* static TensorShape or list of static dimensions */                 \
  X(DIM, "dim") /* one static dimension: a Python int, or None at trace time */           \
  X(DTYPE, "dtype")                                                                       \
  X(TENSOR, "tensor") /* symbolic dense tensor: exists only while tracing */              \
  X(EAGER_TENSOR, "eager-tensor") /* concrete tensor made outside of any trace */         \
  X(KERAS_TENSOR, "keras-tensor")                                                         \
  X(COMPOSITE, "composite-tensor") /* ragged, sparse, extension types */                  \
  X(TENSOR_ARRAY, "tensor-array")                                                         \
  X(VARIABLE, "variable")                                                                 \
  X(DATASET, "dataset")                                                                   \
  X(ITERATOR, "iterator") /* tf.data iterator */                                          \
  X(HOST_ITERATOR, "host-iterator") /* Python iterator, generator, open file */           \
  X(LAYER, "layer")                                                                       \
  X(MODEL, "model")                                                                       \
  X(OPTIMIZER, "optimizer")                                                               \
  X(METRIC, "metric")                                                                     \
  X(LOSS, "loss")                                                                         \
  X(TF_RNG, "tf-rng") /* tf.random.Generator */                                           \
  X(HOST_RNG, "host-rng") /* numpy Generator, RandomState, random.Random */               \
  X(TABLE, "table")                                                                       \
  X(WRITER, "writer")                                                                     \
  X(CHECKPOINT, "checkpoint")                                                             \
  X(STRATEGY, "strategy")                                                                 \
  X(TAPE, "tape")                                                                         \
  X(SPEC, "spec") /* TensorSpec and relatives */                                          \
  X(TF_OBJECT, "tf-object") /* any other object of TensorFlow */                          \
  X(LIST, "list")                                                                         \
  X(TUPLE, "tuple")                                                                       \
  X(DICT, "dict")                                                                         \
  X(SET, "set")                                                                           \
  X(FUNCTION, "function") /* function, lambda, bound method, partial of the project */    \
  X(TRACED, "traced-function") /* object made by tf.function */                           \
  X(CLASS, "class") /* class of the project */                                            \
  X(INSTANCE, "instance") /* object of a project class that is none of the kinds above */ \
  X(MODULE, "module") /* module of the project */                                         \
  X(API, "api") /* named thing of the outside world: module, function, class */           \
  X(OBJECT, "object") /* object of a class of the outside world */

typedef enum Kind {
#define X(id, text) K_##id,
  KIND_LIST(X)
#undef X
      KIND_COUNT
} Kind;

#define KIND(id) ((KindSet)1 << K_##id)

/* Sets with names of their own in rules. */
#define KINDS_TENSOR_LIKE (KIND(TENSOR) | KIND(COMPOSITE))
#define KINDS_TRACKABLE (KIND(LAYER) | KIND(MODEL) | KIND(OPTIMIZER) | KIND(METRIC))
#define KINDS_CONTAINER (KIND(LIST) | KIND(TUPLE) | KIND(DICT) | KIND(SET))
#define KINDS_PYTHON_SCALAR (KIND(BOOL) | KIND(NUMBER) | KIND(TEXT))

Str kind_name(Kind kind);
bool kind_parse(Str text, Kind *out);

typedef enum DType {
  DT_UNKNOWN,
  DT_BOOL,
  DT_INT8,
  DT_UINT8,
  DT_INT16,
  DT_UINT16,
  DT_INT32,
  DT_UINT32,
  DT_INT64,
  DT_UINT64,
  DT_FLOAT16,
  DT_BFLOAT16,
  DT_FLOAT32,
  DT_FLOAT64,
  DT_COMPLEX64,
  DT_COMPLEX128,
  DT_STRING,
  DT_COUNT,
} DType;

Str dtype_name(DType dtype);  // "float32"; "?" for unknown
bool dtype_parse(Str text, DType *out);  // also float, int, half, double, bool_, str
bool dtype_is_float(DType dtype);
bool dtype_is_int(DType dtype);

enum { RANK_UNKNOWN = -1 };

#endif

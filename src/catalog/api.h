/* Facts about APIs, as rules/api states them: what a name of the outside world gives, creates and does. */
#ifndef TFCHECK_CATALOG_API_H
#define TFCHECK_CATALOG_API_H

#include "base/str.h"
#include "catalog/kind.h"

typedef struct StrList {
  const Str *data;
  uint32_t len;
} StrList;

/* What a call or a name gives. Text form, in YAML:
 *   spec  := one ("|" one)*
 *   one   := kind [ "[" attr ("," attr)* "]" ] [ "(" spec ("," spec)* ")" ]      e.g. tuple(tensor, tensor)
 *          | "arg:N" | "elem:N" | "self" | "elem:self"
 *   attr  := dtype | "like:N" | "rank=R" | "dim0=none" | "fresh"
 * Parentheses give element kinds: list(tensor) every element, tuple(a, b) one by one. `tensor` means: symbolic inside a trace,
 * concrete outside. Inside a trace `arg:N` of an eager value stays what it was. */
typedef enum SpecForm { SPEC_KIND, SPEC_ARG, SPEC_ELEM_OF_ARG, SPEC_SELF, SPEC_ELEM_OF_SELF } SpecForm;

typedef struct ValueSpec ValueSpec;
struct ValueSpec {
  SpecForm form;
  Kind kind;                 // SPEC_KIND
  int32_t arg;               // SPEC_ARG, SPEC_ELEM_OF_ARG
  DType dtype;               // DT_UNKNOWN when not said
  int32_t dtype_like;        // argument whose dtype it takes, -1 none
  int32_t rank;              // RANK_UNKNOWN when not said
  bool dim0_none;            // first dimension is not known while tracing
  bool fresh;                // a new object at each call
  const ValueSpec *parts;    // element specs
  uint32_t part_len;
  const ValueSpec *other;    // alternative, or NULL
};

typedef enum ApiWhat { API_FUNCTION, API_CLASS, API_MODULE, API_VALUE, API_ATTRIBUTE } ApiWhat;

typedef enum ApiCreates {
  CREATES_NOTHING,
  CREATES_VARIABLE,     // TF101
  CREATES_LAYER,        // owns variables once built; TF102
  CREATES_SEEDED_LAYER, // Keras 3: seed state at construction (Dropout, Random*); stateless in Keras 2
  CREATES_PURE_LAYER,   // no variables at all (Flatten, ReLU layer)
  CREATES_MODEL,        // Sequential/Model containers: state only through what they hold
  CREATES_OPTIMIZER,    // TF103
  CREATES_METRIC,       // TF103
  CREATES_RNG,          // TF103: tf.random.Generator.from_*, SeedGenerator
  CREATES_AVERAGE,      // TF103: ExponentialMovingAverage, LossScaleOptimizer
  CREATES_TABLE,
  CREATES_WRITER,
  CREATES_CHECKPOINT,
  CREATES_QUEUE,
  CREATES_GENERATOR_DATASET,  // TF106
} ApiCreates;

/* How an argument that is a callable is run. */
typedef enum CallMode {
  RUN_TRACED,     // always traced: Dataset.map, vectorized_map
  RUN_IN_TRACE,   // traced when reached from traced code, plain Python otherwise: tf.cond, map_fn, strategy.run
  RUN_EAGER,      // really executes Python per call: py_function, numpy_function, from_generator
  RUN_NOW,        // called by Python right here, in the caller's context: nest.map_structure, sorted(key=), map()
  RUN_LATER,      // kept, called in an unknown context: callbacks; arguments unknown
  RUN_GRAPH,      // v1 graph building where variables are allowed: wrap_function, model_fn
  RUN_WRAP,       // result is a traced function object of it: tf.function(f)
  RUN_SAME,  // result is the callable itself, context flags changed or not: do_not_convert(f), custom_gradient(f)
} CallMode;

typedef enum CallAutograph { CALL_AUTOGRAPH_ON, CALL_AUTOGRAPH_OFF, CALL_AUTOGRAPH_INHERIT } CallAutograph;

/* What the parameters of the callable receive. */
typedef enum CallGives {
  GIVES_UNKNOWN,
  GIVES_ELEMENT,  // an element of the receiver dataset, tuples unpacked into positions
  GIVES_STATE_ELEMENT,  // (state = argument `from`, element)
  GIVES_ELEM_OF_ARG,  // an element (row) of argument `from`: map_fn
  GIVES_ARGS_OF,  // the tuple in argument `from` spread: strategy.run(fn, args=…), while_loop's loop_vars
  GIVES_TENSORS,  // every parameter is a tensor
  GIVES_BATCH,  // so is it, with a first dimension that is not known while tracing: Keras losses
  GIVES_BATCHES,  // so is it, or a structure of such tensors: Keras Lambda layers
  GIVES_ARRAYS,  // every parameter is a host array: numpy_function
  GIVES_EAGER,  // every parameter is a concrete tensor: py_function
  GIVES_NOTHING,  // called without arguments
} CallGives;

typedef struct ApiCallable {
  int32_t arg;  // position of the callable, receiver excluded; -1 keyword only
  Str keyword;  // its keyword name, may be empty
  bool many;  // the argument is a list/dict of callables, or of (pred, callable) pairs: tf.case, switch_case
  CallMode mode;
  CallAutograph autograph;
  CallGives gives;
  int32_t from;  // argument number for GIVES_*, -1
  Str from_keyword;
} ApiCallable;

/* Properties rules ask about. One bit each; the YAML name is the lower-case word with dashes. */
#define API_TAG_LIST(X)                                                                                 \
  X(PRINT, "print") /* TF301 */                                                                         \
  X(LOG, "log") /* logging, warnings.warn: TF302 */                                                     \
  X(IO, "io") /* files, sockets, stdout, input: TF302 */                                                \
  X(PATH_ARG, "path-arg") /* takes a path or host object; a tensor in it is TF206 */                    \
  X(SLEEP, "sleep")                                                                                     \
  X(DEBUGGER, "debugger")                                                                               \
  X(PLOT, "plot")                                                                                       \
  X(SUBPROCESS, "subprocess")                                                                           \
  X(SAVE, "save") /* checkpoint and model saving from Python */                                         \
  X(EXPERIMENT, "experiment") /* wandb, mlflow … */                                                     \
  X(RANDOM, "random") /* a host random draw other than NumPy's: TF207 */                                \
  X(NUMPY_RANDOM, "numpy-random") /* TF202 */                                                           \
  X(CLOCK, "clock") /* TF207 */                                                                         \
  X(ENVIRONMENT, "environment") /* os.environ, os.path.exists, cwd: TF207 */                            \
  X(SEED, "seed") /* TF213 */                                                                           \
  X(HOST_LIBRARY, "host-library") /* converts tensors to host arrays: TF206 */                          \
  X(NUMPY, "numpy") /* converts tensors to ndarrays: TF201 */                                           \
  X(NO_CONVERT, "no-convert") /* of those, harmless on tensors: np.shape */                             \
  X(TO_HOST, "to-host") /* .numpy() .item() .eval(), K.eval, K.get_value: TF204 */                      \
  X(PYTHON_NUMBER, "python-number") /* needs a Python number: bool round math.*: TF205 */               \
  X(PYTHON_ITERATES, "python-iterates") /* iterates its argument: sum list tuple set zip enumerate … */ \
  X(AUTOGRAPH, "autograph") /* dispatched by AutoGraph: abs float int len range sorted enumerate … */   \
  X(KERAS_LOOP, "keras-loop") /* fit evaluate predict …: TF208 */                                       \
  X(MUTATES, "mutates") /* changes its receiver: append pop; a function its first argument: heappush */  \
  X(GROWS, "grows") /* of those, makes it longer */                                                     \
  X(ADVANCES, "advances") /* consumes an iterator: next() */                                            \
  X(WRAPS_ITERABLE, "wraps-iterable") /* Python iterator over its argument: tqdm */                     \
  X(PURE, "pure") /* calling it as a statement does nothing: TF309 */                                   \
  X(STATIC, "static") /* gives a Python value while tracing */                                          \
  X(EAGER_TEST, "eager-test") /* true in eager mode only: executing_eagerly */                          \
  X(TRACE_TEST, "trace-test") /* true in a trace only: inside_function */                               \
  X(HOST_ATTRIBUTE, "host-attribute") /* attribute tensors do not have: .T .astype .decode: TF212 */    \
  X(APPLIES_GRADIENTS, "applies-gradients") /* creates slots at first call: TF104, TF105 */             \
  X(BUILDS, "builds") /* creates its receiver's state: build() */                                       \
  X(LEGAL_EFFECT, "legal-effect") /* Keras/TF tracks it: add_loss, assign, write to summary */          \
  X(LIST_ARG, "list-arg") /* iterates a list argument in Python: tf.strings.join: TF402 */              \
  X(XLA_NO, "xla-no") /* cannot be compiled by XLA: TF603 */                                            \
  X(XLA_DYNAMIC, "xla-dynamic") /* data-dependent result shape: TF603 */                                \
  X(PY_FUNCTION, "py-function") /* TF604 */                                                             \
  X(EXPORTS, "exports") /* saved_model.save, ExportArchive: TF604 */                                    \
  X(INIT_SCOPE, "init-scope")                                                                           \
  X(GRAPH_SCOPE, "graph-scope") /* tf.Graph().as_default() */                                           \
  X(ONCE, "once") /* memoises: lru_cache, cached_property */                                            \
  X(DEPRECATED, "deprecated") /* TF601, with `tf:` the new name */                                      \
  X(EAGER_SWITCH, "eager-switch") /* run_functions_eagerly: TF602 */                                    \
  X(NUMPY_BEHAVIOR, "numpy-behavior") /* experimental_enable_numpy_behavior */                          \
  X(FIXED_SHAPE, "fixed-shape") /* set_shape, ensure_shape */                                           \
  X(LOOP_OPTIONS, "loop-options") /* set_loop_options */                                                \
  X(TRACING_DECORATOR, "tracing-decorator") /* tf.function and its wrappers */                          \
  X(NO_AUTOGRAPH, "no-autograph") /* do_not_convert */                                                  \
  X(ASSERTS, "asserts") /* tf.debugging.assert_* */                                                     \
  X(SHAPE_ARG, "shape-arg") /* takes a static shape list: reshape zeros random.*: TF605 */              \
  X(COPIES, "copies") /* gives a new container with the same elements */

typedef enum ApiTagBit {
#define X(id, text) TAGBIT_##id,
  API_TAG_LIST(X)
#undef X
      TAG_COUNT
} ApiTagBit;
typedef uint64_t ApiTags;
#define TAG(id) ((ApiTags)1 << TAGBIT_##id)

typedef enum ApiExact { EXACT_NONE, EXACT_YES, EXACT_IF } ApiExact;  // autofix column of TF-SEMANTICS 7

typedef struct ApiFact {
  Str name;  // canonical qualified name, or a glob for defaults ("tensorflow.**")
  ApiWhat what;
  const ValueSpec *returns;  // calling it (API_CLASS: the instance); NULL: unknown
  const ValueSpec *value;  // the name itself (API_VALUE: np.pi; API_ATTRIBUTE: Tensor.shape); NULL: unknown
  Str base;  // API_CLASS: where methods are looked up next
  ApiCreates creates;
  ApiTags tags;
  const ApiCallable *callables;
  uint32_t callable_len;
  const int32_t *list_args;  // LIST_ARG: positions iterated in Python
  uint32_t list_arg_len;
  Str tf;  // what to write instead, in TensorFlow: "tf.reduce_sum"
  ApiExact exact;
  Str condition;  // EXACT_IF: when ("axis given", "float", "both bounds given")
  StrList params;  // positional parameter names, for keyword/position matching; empty: unknown
} ApiFact;

#endif

/* Contexts: in which world a function body runs, and how it came there.
 *
 * A context is part of the key under which a function is analysed; the chain that led to it is a witness beside it. The same
 * body may run in several contexts; each is analysed for itself, and silence in one never cancels another.
 */
#ifndef TFCHECK_TRACE_CONTEXT_H
#define TFCHECK_TRACE_CONTEXT_H

#include "sema/project.h"

typedef enum ContextBits {
  CTX_TRACED = 1 << 0,         // records operations; else Python really runs ("eager")
  CTX_AUTOGRAPH_OFF = 1 << 1,  // not converted
  CTX_AUTOGRAPH_UNKNOWN = 1 << 2,
  CTX_JIT = 1 << 3,            // compiled by XLA for certain
  CTX_JIT_UNKNOWN = 1 << 4,
  CTX_GUARDED = 1 << 5,        // under a create-once guard of a caller
  CTX_SKIPPABLE = 1 << 6,      // a caller reaches it on some traces only (frozen branch or early return)
  CTX_TENSOR_BRANCH = 1 << 7,  // under a tensor `if` of a caller
  CTX_TENSOR_LOOP = 1 << 8,    // in a tensor loop of a caller
  CTX_IN_LOOP = 1 << 9,        // eager: called again and again from a loop
  CTX_GRAPH = 1 << 10,         // v1 graph building: variables may be created
  CTX_SETUP = 1 << 11,         // dynamic extent of __init__/build of a tracked object built outside of any trace
  CTX_KERAS_CALL = 1 << 12,    // below a Keras `call`: state is locked in Keras 3
  CTX_UNSURE = 1 << 13,        // traced by convention only, nobody visible runs it: certain becomes likely
  CTX_INIT_SCOPE = 1 << 14,    // under tf.init_scope of a caller
} ContextBits;
typedef uint32_t Context;

static inline bool ctx_traced(Context c) { return (c & CTX_TRACED) != 0; }
static inline bool ctx_autograph_on(Context c) {
  return ctx_traced(c) && !(c & (CTX_AUTOGRAPH_OFF | CTX_AUTOGRAPH_UNKNOWN));
}

/* How a traced root came to be. */
typedef enum RootKind {
  ROOT_NONE,
  ROOT_DECORATOR,    // @tf.function on the def
  ROOT_WRAPPED,      // tf.function(f)
  ROOT_KERAS_METHOD, // call, train_step, Loss.call … by Keras convention
  ROOT_KERAS_ARGUMENT, // a loss or metric function handed to compile(), a Lambda layer's function
  ROOT_DATASET,      // Dataset.map and family
  ROOT_CALLBACK,     // other argument that an API traces
} RootKind;

Str root_kind_text(RootKind kind);  // "tracing starts here", "Keras traces this method" …

/* What Keras does with a method of a subclass. */
typedef enum KerasParams {
  KERAS_PARAMS_INPUTS,   // first parameter: tensor(s) with unknown batch dimension
  KERAS_PARAMS_DATA,     // one structure of tensors: train_step(data)
  KERAS_PARAMS_TENSORS,  // every parameter without default is a tensor
  KERAS_PARAMS_STATE,    // first parameter: a variable, of static shape; tensors are made of it
  KERAS_PARAMS_NONE,
} KerasParams;

typedef struct KerasMethod {
  Str name;
  KindSet owners;        // instance kinds of classes for which it is a convention; none where `base` says
  KerasParams params;
  bool converted_keras2; // AutoGraph converts it in Keras 2 (never in Keras 3)
  Str base;              // canonical name of the class whose subclasses follow it; empty: `owners` says
} KerasMethod;

/* The convention for a method name of a class of this instance kind; NULL if Keras does not trace it. */
const KerasMethod *keras_method(Kind owner, Str name);
/* All conventions, for registering the methods a class inherits or defines. */
const KerasMethod *keras_methods(uint32_t *count);
/* Methods of Keras classes and of tracked objects that are host code and never traced by convention: build, get_config … */
bool keras_is_host_method(Str name);

/* The context in which Keras runs a convention method. */
Context keras_method_context(const KerasMethod *method, KerasFlavor flavor);

/* "traced", "traced, autograph off, jit" … for dumps and JSON. */
Str context_text(Arena *arena, Context context);

#endif

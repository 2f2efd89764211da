/* Inside the walk: calls, and what outside names are known to do. */
#ifndef TFCHECK_FLOW_CALL_H
#define TFCHECK_FLOW_CALL_H

#include "flow/state.h"

/* ---- call.c: the expression; dispatch.c: by callee ---- */
const Value *eval_call(Walker *w, const Expr *expr);
typedef struct Call {
  const Expr *expr;          // NULL for calls that no expression makes (callbacks, drivers)
  Span span;
  const Args *args;
  Context context;           // of the caller at this point
  RootKind root;             // != NONE: tracing starts with this call
  ModuleId root_module;      // where the root's label sits
  Span root_span;
  Sym root_api;
  const TraceSpec *spec;     // of the traced function that is entered, or NULL
  bool decorates;            // applied as a decorator: `span` is the decorator's
  bool setup;                // an object's __init__ or build outside of any trace
  const Value *receiver;     // for API methods
} Call;
const Value *shape_value(Walker *w, const Value *tensor);  // its static shape
KindSet isinstance_kinds(Walker *w, const Value *classes, bool *whole);
Site site_of(const Walker *w, const Call *call);
const Value *tensor_with_shape(Walker *w, const Value *tensor, const Value *shape);  // after set_shape
const Value *tensor_here(Walker *w, Span span);  // a tensor as this context makes it
const Value *call_value(Walker *w, const Value *callee, const Call *call);
const Value *call_function(Walker *w, const Obj *function, const Call *call);
const Value *call_traced(Walker *w, const Obj *traced, const Call *call);
const Value *construct(Walker *w, const Obj *cls, const Call *call);
/* fields.c: binds the arguments to the fields of a class whose constructor Python generates; nothing for others. */
void construct_fields(Walker *w, const ClassInfo *info, const Value *instance, const Call *call);
const Value *call_instance(Walker *w, const Value *object, const Obj *obj, const Call *call);
const Value *call_partial(Walker *w, const Obj *partial, const Call *call);
/* Binds arguments to parameters; `self` may be NULL. Result: one value per Param. */
const Value **bind_args(Walker *w, const Module *module, const Function *function, const Value *self, const Args *args);
/* Functions and lambdas that stand inside of converted code have been converted with it, whoever calls them. */
bool is_written_in_converted(const Walker *w, const Value *callable);
Context walker_context(const Walker *w);  // the instance's context plus what the current regions add
const Value *to_traced(Arena *arena, const Value *v);    // as an argument of a traced function
const Value *to_eager(Arena *arena, const Value *v);     // an element of a dataset in eager code
const Value *variables_read(Arena *arena, const Value *v); // what operations see
const Value *from_traced(Arena *arena, const Value *v);  // as its result in eager code
/* How a function uses one of its parameters, by the text of its body. */
typedef struct ParamUse {
  bool as_tensor;    // first argument of a TensorFlow operation
  bool as_operand;   // of arithmetic or an order, or its shape is asked for: no structure can do that
  bool as_mapping, as_sequence;
  bool sets_shape;   // `image.set_shape(…)`: the caller's tensor has it too
} ParamUse;
bool is_static_method(const Function *function);  // by its decorators
/* An object of the project's class that the parameter is annotated with, or NULL. */
const Value *annotated_object(Walker *w, const Module *module, const Param *param);
/* What the annotation of a parameter of the walked function says; unknown if nothing that we know. */
const Value *annotated_value(Walker *w, const Param *param);
ParamUse param_use(Walker *w, const Module *module, const Function *function, const Param *param);
const Value *guess_param(Walker *w, const Module *module, const Function *function, const Param *param, const Value *given,
                         const TraceSpec *spec, uint32_t position);

/* ---- dunder.c: special methods of project classes; NULL when the object has none ---- */
const Value *call_dunder(Walker *w, const Value *object, Str name, const Value *const *given, uint32_t count, Span span);
const Value *dunder_binary(Walker *w, BinaryOp op, const Value *left, const Value *right, Span span);
const Value *dunder_unary(Walker *w, UnaryOp op, const Value *operand, Span span);
const Value *dunder_compare(Walker *w, CompareOp op, const Value *left, const Value *right, Span span);
const Value *dunder_truth(Walker *w, const Value *object, Span span);
const Value *enter_context(Walker *w, const Value *manager, Span span);  // what `with … as` binds
const Value *iterate(Walker *w, const Value *iterable, Span span);       // never NULL: what a loop over it gives
bool iterates_dataset(Walker *w, const Value *iterable, Span span);  // its own __iter__ walks one
const Value *item_of(Walker *w, const Value *container, const Value *item);  // an element, with the container's home

/* ---- api.c: facts; special.c: functions that need code ---- */
const Value *call_api(Walker *w, Sym name, const ApiFact *fact, const Call *call);
const Value *spec_value(Walker *w, const ValueSpec *spec, const Call *call, const ApiFact *fact);
const Value *api_value(Walker *w, Sym name);             // the name itself: constant, class, function
const Value *api_instance(Walker *w, Sym cls, const ApiFact *fact, const Call *call);
/* True if the name is one that needs code (partial, isinstance, getattr, super, range …); *result is its value. */
bool call_special(Walker *w, Sym name, const ApiFact *fact, const Call *call, const Value **result);
const Value *pack_element(Walker *w, const Value *returned);  // what tf.data makes of a function's result
const Args *repeat_args(Walker *w, const Value *value, uint32_t count);  // the same value for each of so many parameters
uint32_t callable_arity(Walker *w, const Value *callable);  // parameters without default that are still open; 1 if unknown
void run_callables(Walker *w, const ApiFact *fact, const Call *call, const Value **result);
const Value *container_method(Walker *w, Str method, const Call *call, const ApiFact *fact);
const TraceSpec *trace_spec(Walker *w, Sym api, const Args *args, Span span, bool is_decorator);
const Value *make_traced(Walker *w, const Value *target, const TraceSpec *spec, Site site);

#endif

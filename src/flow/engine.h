/* The engine: one fixpoint over (function, context, argument key), then one emit walk.
 *
 * Requires: a frozen Project. Provides: which functions run traced, in which contexts, with which values; call sites, writes
 * and constructions of the whole program; and the events rules live on. Deterministic for any number of jobs: a round reads
 * only earlier rounds' results, and results merge in instance order at the barrier.
 */
#ifndef TFCHECK_FLOW_ENGINE_H
#define TFCHECK_FLOW_ENGINE_H

#include "flow/event.h"
#include "flow/index.h"

typedef struct Flow Flow;

typedef struct FlowOptions {
  uint32_t jobs;
  KerasFlavor flavor;         // KERAS_UNKNOWN: the project's
  StrList trace_decorators;   // additional qualified names that trace what they decorate
  uint32_t step_budget;       // steps per function walk; 0: default
} FlowOptions;

typedef struct FlowStats {
  uint32_t instances, rounds, walks;
  uint32_t functions_traced;  // distinct functions and lambdas analysed in at least one traced context
  uint32_t roots;
  uint32_t calls_resolved, calls_unknown;  // call expressions in traced code
  uint32_t caps_hit;
} FlowStats;

Flow *flow_run(const Project *project, const FlowOptions *options);
void flow_release(Flow *flow);
FlowStats flow_stats(const Flow *flow);

/* Runs the emit walk: calls `sink` for every event, instances in id order within a worker. Different workers call it at the
 * same time with different `worker` numbers (below flow_jobs). */
typedef void EventSink(void *context, uint32_t worker, const Event *event);
void flow_emit(const Flow *flow, EventSink *sink, void *context);
uint32_t flow_jobs(const Flow *flow);

/* ---- chains ---- */

typedef struct ChainStep {
  ModuleId module;
  Span span;         // root: the decorator or the call that traces; else the call expression
  FuncRef func;      // function entered by this step
  RootKind root;     // of the first step
  Sym api;           // of the first step: what traces, "tensorflow.data.Dataset.map"; NULL if that is not known
} ChainStep;

/* From the traced root to the instance's function, root first. Length at least 1 for traced instances, 0 for eager ones that
 * nothing calls. */
typedef struct Chain { const ChainStep *steps; uint32_t len; } Chain;
Chain flow_chain(Arena *arena, const Flow *flow, InstanceId instance);

/* ---- inspection: debug dumps, `why`, fact comments ---- */

typedef struct InstanceInfo {
  InstanceId id;
  FuncRef func;
  Context context;
  const ClassInfo *receiver;
  const Value **params;
  uint32_t param_len;
  const Value *result;
} InstanceInfo;

InstanceInfo flow_instance(const Flow *flow, InstanceId id);
const Project *flow_project(const Flow *flow);
/* Whether visible code enters the function: not only walked because nothing calls it. */
bool flow_is_called(const Flow *flow, FuncRef func);
/* How code that reads what traced code has left behind comes to run, seen from the code that leaves it. */
typedef enum Meeting {
  MEET_UNSEEN,    // nobody visible starts it, neither beside the writer nor behind a trace of it
  MEET_TOGETHER,  // whoever starts it runs the writer as well: in one trace, or all of it in whatever calls them
  MEET_APART,     // in another trace, or in eager code when the trace is over
} Meeting;
Meeting flow_meet(Arena *arena, const Flow *flow, InstanceId reader, FuncRef writer);
/* All instances of a function, traced and eager, in id order, NO_INSTANCE-terminated. */
const InstanceId *flow_instances_of(Arena *arena, const Flow *flow, FuncRef func);

/* Values of local names at the end of each line, for `debug values` and `# kind:` comments: joined over contexts. */
typedef struct LineValue { ModuleId module; uint32_t line; Sym name; const Value *value; Context context; } LineValue;
typedef VEC(LineValue) LineValues;
void flow_line_values(Arena *arena, const Flow *flow, ModuleId module, LineValues *out);

/* Unresolved calls in traced code, by reason, for the blind-spot figure. */
typedef struct BlindSpot { ModuleId module; Span span; Str reason; } BlindSpot;
typedef VEC(BlindSpot) BlindSpots;
void flow_blind_spots(Arena *arena, const Flow *flow, BlindSpots *out);

/* Functions of which some walk was cut short because its steps ran out: in module and source order, each once. */
typedef VEC(FuncRef) FuncRefs;
void flow_over_budget(Arena *arena, const Flow *flow, FuncRefs *out);

#endif

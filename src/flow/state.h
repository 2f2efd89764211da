/* Shared state of the fixpoint: instances, cells, and what one walk hands to the barrier.
 *
 * A round reads all of it as const; only fixpoint.c writes, between rounds. Nothing outside flow/ includes this.
 */
#ifndef TFCHECK_FLOW_STATE_H
#define TFCHECK_FLOW_STATE_H

#include "flow/engine.h"

typedef struct Walker Walker;

/* ---- shared state ---- */

/* A variable that several functions share: module global, field, class attribute. Flow-insensitive: the join of all writes. */
typedef struct Cell {
  Var var;
  const Value *value;
  uint32_t number;
  struct Cell *next_of_name;  // VAR_FIELD: the next cell of a field of that name in another class
  VEC(InstanceId) readers;
  InstanceId latest_reader;   // once there are readers: the one whose read was noted last
} Cell;

/* The cells that a read of a field may mean: those of its class, the bases and the subclasses. */
typedef struct FieldCells { VEC(const Cell *) cells; } FieldCells;

typedef struct Witness {  // how an instance came to be walked; the least one wins
  InstanceId caller;      // NO_INSTANCE for roots of the fixpoint
  ModuleId module;
  Span span;
  RootKind root;          // != NONE: tracing starts with this step
  Sym api;                // of a root: what traces, NULL if that is not known
  uint32_t depth;         // steps from the root
} Witness;

typedef enum InstanceKind {
  INSTANCE_FUNCTION,
  INSTANCE_KERAS_DRIVER,   // makes the calls Keras makes on objects of `receiver`
  INSTANCE_TRACED_DRIVER,  // calls the traced functions that instance `env` made and nobody calls
} InstanceKind;

typedef struct Callee {
  InstanceId id;
  uint32_t at;               // offset of the call in the caller's file
} Callee;

typedef struct Records {
  VEC(WriteRecord) writes;
  VEC(ReadRecord) reads;
  VEC(CallRecord) calls;
  VEC(MakeRecord) makes;
  VEC(BlindSpot) blind;
  VEC(Callee) callees;       // instances this walk entered
  VEC(uint32_t) runs;        // eager: offsets of the calls that run traced code: of a traced function, fit() of a model
  uint32_t calls_resolved;
} Records;

typedef struct Instance {
  InstanceId id;
  InstanceKind kind;
  FuncRef func;
  Context context;
  ClassRef receiver;          // module NO_MODULE: none
  InstanceId env;             // whose locals its free variables are
  uint64_t key;               // argument key
  bool widened;               // stands for all keys beyond the limit
  const Value **params;       // one per Param, by position
  uint32_t param_len;
  const Value *result;        // join of what it returns; bottom until it returns
  const Value **cells;        // by slot: join of the writes, for captured variables only
  InstanceId next_of_func;    // another instance of the same function, NO_INSTANCE behind the last
  VEC(InstanceId) readers;    // instances that used result or cells
  Witness witness;
  Records records;            // of the last walk
  Arena arena;                // holds the records; reset before each walk
  bool queued, reachable, over_budget;
  bool seeded;                // nothing called it: reached by itself
  bool gave_up_waiting;       // what is still bottom counts as unknown for it
  bool saw_bottom;            // its last walk met something that was not known yet
  uint32_t walks;
} Instance;

/* Attribute names a method uses of its first parameter. */
typedef VEC(Sym) SelfNames;

struct Flow {
  const Project *project;
  FlowOptions options;
  Arena arena;
  VEC(Instance *) instances;
  Map families;               // (func, context, receiver, env) -> family index + 1
  VEC(struct Family) families_list;
  Map of_func;                // function -> newest instance + 1, the others through next_of_func
  Map cells;                  // var_key -> index + 1
  VEC(Cell *) cell_list;
  Map field_cells;            // attribute name -> first Cell of the list through next_of_name
  Map family_cells;           // key of a field -> FieldCells *
  KeySet cell_readers, instance_readers;  // source << 32 | reader
  VEC(InstanceId) queue;
  SelfNames **self_names;     // by module and function
  Map unconvertible;          // functions with a loop that has an `else`
  bool frozen;                // indexes are built, emit walks may run
  struct Index *index;
  FlowStats stats;
};

typedef struct Family {
  VEC(InstanceId) members;
  InstanceId widened;         // NO_INSTANCE until the limit is passed
} Family;

enum { FAMILY_LIMIT = 8, EAGER_FAMILY_LIMIT = 6, LOOP_ROUNDS = 4, STEP_BUDGET = 400000 };

/* ---- what one walk gives ---- */

typedef struct Request {  // "this function is called like that"
  InstanceKind kind;
  FuncRef func;
  Context context;
  ClassRef receiver;
  InstanceId env;
  const Value **params;
  uint32_t param_len;
  Witness witness;
} Request;

typedef struct CellWrite { Var var; const Value *value; } CellWrite;
typedef struct SlotWrite { InstanceId instance; uint32_t slot; const Value *value; } SlotWrite;

typedef struct WalkOut {
  Arena *arena;                // lives until the merge
  const Value *result;
  VEC(Request) requests;
  VEC(CellWrite) cell_writes;
  VEC(SlotWrite) slot_writes;
  VEC(Var) cell_reads;
  VEC(InstanceId) instance_reads;
  Records records;
  bool over_budget;
  bool saw_bottom;
} WalkOut;

/* Who listens to a walk: the emit walk's sink, or a collector of line values. */
typedef struct Listener {
  EventSink *sink;
  void *context;
  uint32_t worker;
  LineValues *lines;  // debug only, NULL else
} Listener;

/* ---- state.c: shared cells and instances, seen from a walk ---- */
const Value *cell_read(Walker *w, Var var);    // bottom while nothing was written, then see below
const Value *not_known_yet(Walker *w);          // bottom; unknown once the instance has given up waiting
bool flow_field_is_written(const struct Flow *flow, ClassRef cls, Sym name);  // by a class of its family
bool cell_exists(const struct Flow *flow, Var var);
void cell_write(Walker *w, Var var, const Value *value);
Var var_global(ModuleId module, Sym name);
Var var_field(ClassRef cls, Sym name);
Var var_any_field(Sym name);  // of an object that is not known
Var var_class(ClassRef cls, Sym name);
Var var_local(ModuleId module, const Function *function, Sym name);
/* The instance of this request if it exists: its result so far; else bottom, and the request is filed. */
const Value *instance_result(Walker *w, const Request *request);
uint64_t request_key(const Request *request);
uint64_t family_key(const Request *request);
/* In a method that makes its object: `__init__`, `build` and the like, or code inside of one. */
bool is_own_setup(const Function *function);
void record_write(Walker *w, Var var, WriteKind kind, Span span, const Value *value);
/* A change of the contents of what `path` leads to: of the place `var`, or of one item in it. */
void record_contents(Walker *w, Var var, const Expr *path, WriteKind kind, Span span, const Value *value);
void record_read(Walker *w, Var var, Span span);
/* Traced code runs below the call at this offset. */
void record_run(Walker *w, uint32_t at);
void record_blind(Walker *w, Span span, Str reason);

/* ---- receiver.c ---- */
void receivers_prepare(struct Flow *flow);
bool is_convertible(const struct Flow *flow, FuncRef ref);
/* The class for which a method called on an object of `cls` is analysed in eager code. */
ClassRef eager_receiver(const struct Flow *flow, FuncRef method, const Function *function, ClassRef cls);

/* ---- seed.c ---- */
void walk_driver(Walker *w);
bool is_called_elsewhere(const struct Flow *flow, const Obj *traced, InstanceId driver);
/* The pseudo attribute that compile(run_eagerly=True) sets on a class. */
Var run_eagerly_var(Walker *w, ClassRef cls);
void seed_modules(struct Flow *flow);
/* Adds instances for what nothing visible calls; false when there was nothing to add. */
bool seed_uncalled(struct Flow *flow);
void seed_drivers(struct Flow *flow);

/* ---- fixpoint.c ---- */
InstanceId instance_add(struct Flow *flow, const Request *request, bool *fresh);
/* The instances of one function, of any kind, from the newest to the oldest; NULL behind the last. */
const Instance *instance_of_func(const struct Flow *flow, FuncRef func);
const Instance *instance_next_of_func(const struct Flow *flow, const Instance *instance);
void instance_queue(struct Flow *flow, InstanceId id);

/* ---- index.c ---- */
void index_build(struct Flow *flow);
/* The writes to attributes of this name of objects that are not known, where one class alone has such an attribute. */
WriteSet index_writes_through_unknown(const struct Flow *flow, Sym name);

/* ---- timeline.c ---- */

/* When eager code runs, by instance. */
typedef struct Timeline {
  uint32_t *first_run;  // offset of the first call below which traced code runs; UINT32_MAX: none
  uint8_t *flags;
  uint32_t len;
} Timeline;

Timeline timeline_build(Arena *arena, const struct Flow *flow);
/* Does what stands at the offset run, on some way, behind a call that traced something? */
bool timeline_is_later(const Timeline *timeline, InstanceId instance, uint32_t at);
/* Is the instance entered from a function that nothing visible calls, or only tests do? */
bool timeline_is_open(const Timeline *timeline, InstanceId instance);

#endif

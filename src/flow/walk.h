/* Inside the walk: what the files of this folder share. Nothing outside flow/ includes it.
 *
 * A Walker executes one function body abstractly, in one instance. It reads shared state (cells, other instances' results) as
 * const and writes everything it finds out into its WalkOut; the fixpoint merges outs in instance order at the barrier, so a
 * round's result does not depend on threads. Values made during a walk live in the walk's scratch arena and are deep-copied
 * at the merge.
 */
#ifndef TFCHECK_FLOW_WALK_H
#define TFCHECK_FLOW_WALK_H

#include "flow/engine.h"

/* ---- shared state ---- */

/* A variable that several functions share: module global, field, class attribute. Flow-insensitive: the join of all writes. */
typedef struct Cell {
  Var var;
  const Value *value;
  VEC(InstanceId) readers;
} Cell;

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

typedef struct Records {
  VEC(WriteRecord) writes;
  VEC(ReadRecord) reads;
  VEC(CallRecord) calls;
  VEC(MakeRecord) makes;
  VEC(BlindSpot) blind;
  VEC(InstanceId) callees;   // instances this walk entered
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
  VEC(InstanceId) readers;    // instances that used result or cells
  Witness witness;
  Records records;            // of the last walk
  Arena arena;                // holds the records; reset before each walk
  bool queued, reachable, over_budget;
  bool seeded;                // nothing called it: reached by itself
  bool saw_bottom;            // its last walk met something that was not known yet
  uint32_t walks;
} Instance;

struct Flow {
  const Project *project;
  FlowOptions options;
  Arena arena;
  VEC(Instance *) instances;
  Map families;               // (func, context, receiver, env) -> family index + 1
  VEC(struct Family) families_list;
  Map cells;                  // var_key -> index + 1
  VEC(Cell *) cell_list;
  VEC(InstanceId) queue;
  bool settled;               // second phase: what is still bottom counts as unknown
  bool frozen;                // indexes are built, emit walks may run
  struct Index *index;
  FlowStats stats;
};

typedef struct Family {
  VEC(InstanceId) members;
  InstanceId widened;         // NO_INSTANCE until the limit is passed
} Family;

enum { FAMILY_LIMIT = 8, LOOP_ROUNDS = 4, STEP_BUDGET = 400000 };

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

/* ---- the environment ---- */

/* A flow-sensitive belief about an attribute path (`self.v` after `self.v = …` or `is None`), dropped at calls. */
typedef struct PathFact {
  uint64_t root;               // slot or global it starts from
  uint64_t key;                // whole path
  const Value *value;
} PathFact;

typedef struct Env {
  const Value **slots;         // locals of the function; NULL: unbound
  const Value **globals;       // module body only: by binding index of the module scope; NULL entries: unbound
  VEC(PathFact) facts;
  bool dead;                   // no execution reaches this point
} Env;

typedef struct LoopFrame {
  Env *break_env, *continue_env;  // joins so far, NULL while none
  struct LoopFrame *outer;
} LoopFrame;

typedef VEC(Region) Regions;

/* An arm on a tensor: told as EV_BRANCH_END when the block it stands in has been walked, because the rest of the block may
 * belong to one side. */
typedef struct OpenBranch {
  const Stmt *stmt;
  uint32_t arm;
  const Expr *test;
  const Value *condition;
  const Env *main, *other;
  const Value *main_returns, *other_returns;
  const Value *returns_before;  // what the function returned before the rest of the block
  bool told;                    // on a tensor, and somebody listens
} OpenBranch;

typedef struct Walker {
  struct Flow *flow;           // const in effect while a round runs
  const Project *project;
  Instance *instance;
  const Module *module;
  const Function *function;
  const FunctionFacts *facts;
  const ClassInfo *receiver;
  Context context;
  Arena *scratch;              // of this walk
  WalkOut *out;
  Env *env;
  Regions regions;
  LoopFrame *loop;
  const Value *returns;
  const Value *yields;         // join of what a generator yields
  const Class *class_body;     // the class whose body is being executed, or NULL
  Map class_names;             // its names so far: Sym -> Value*
  const Stmt *stmt;
  uint32_t steps;
  uint32_t silent;             // > 0 in unstable loop iterations: no events
  uint32_t loop_depth;
  uint32_t ops;                // operations recorded so far, while somebody listens
  VEC(struct OpenBranch) open_branches;  // tensor `if`s of the current blocks whose end is still to be told
  const Listener *listener;    // NULL in the fixpoint
  Frame frame;
  const Expr *direct_target;   // target of the assignment whose value is being evaluated
  const Expr *used_as_statement; // expression of the current expression statement
} Walker;

/* ---- env.c ---- */
Env *env_new(Walker *w);
Env *env_copy(Walker *w, const Env *env);
/* Either may be NULL or dead: the other is the join. */
Env *env_join(Walker *w, const Env *a, const Env *b);
bool env_eq(const Walker *w, const Env *a, const Env *b);
const Value *env_fact(const Env *env, uint64_t key);
void env_set_fact(Walker *w, uint64_t root, uint64_t key, const Value *value);
void env_drop_root(Env *env, uint64_t root);   // the root was rebound
void env_drop_facts(Env *env);                 // something unknown ran
/* Key of an attribute path rooted in a local or global name; false if the expression is no such path. */
bool path_key(const Walker *w, const Expr *expr, uint64_t *root, uint64_t *key);

/* ---- state.c: shared cells and instances, seen from a walk ---- */
const Value *cell_read(Walker *w, Var var);    // bottom while nothing was written; unknown then in the settled phase
const Value *not_known_yet(Walker *w);          // bottom, unknown in the settled phase; the walk will be repeated
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
void record_write(Walker *w, Var var, WriteKind kind, Span span, const Value *value);
void record_read(Walker *w, Var var, Span span);
void record_blind(Walker *w, Span span, Str reason);

/* ---- expr.c ---- */
const Value *eval(Walker *w, const Expr *expr);
const Value *eval_opt(Walker *w, const Expr *expr);  // NULL expression: None
const Value *eval_name(Walker *w, const Expr *expr);
const Value *eval_quiet(Walker *w, const Expr *expr); // without events and records
/* Value of a default or annotation-free constant expression standing at module level of another module. */
const Value *eval_constant(Walker *w, const Module *module, const Expr *expr);
const Value *entities_value(Walker *w, const EntitySet *set);

/* ---- operator.c ---- */
const Value *eval_binary(Walker *w, const Expr *expr);
const Value *binary_value(Walker *w, BinaryOp op, const Value *left, const Value *right, Span span);
const Value *eval_unary(Walker *w, const Expr *expr);
const Value *eval_bool(Walker *w, const Expr *expr);
const Value *eval_compare(Walker *w, const Expr *expr);
const Value *eval_ternary(Walker *w, const Expr *expr);

/* ---- member.c, subscript.c ---- */
const Value *eval_attr(Walker *w, const Expr *expr);
/* Attribute of a value: fields, methods bound to it, module members, API members. `quiet` suppresses records. */
const Value *member_value(Walker *w, const Value *object, Sym name, Span span, const ApiFact **fact, Str *api_name);
/* Member of an outside class; NULL if the catalogue knows none. */
const Value *api_member(Walker *w, Sym cls, Sym name, const Value *self, const ApiFact **fact, Str *api_name);
const Value *bind_method(Walker *w, const Value *found, const Value *self, ClassRef cls, Span span);
const Value *eval_subscript(Walker *w, const Expr *expr);
const Value *super_member(Walker *w, Sym name, Span span);

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
const Value *tensor_here(Walker *w, Span span);  // a tensor as this context makes it
const Value *call_value(Walker *w, const Value *callee, const Call *call);
const Value *call_function(Walker *w, const Obj *function, const Call *call);
const Value *call_traced(Walker *w, const Obj *traced, const Call *call);
const Value *construct(Walker *w, const Obj *cls, const Call *call);
const Value *call_instance(Walker *w, const Value *object, const Obj *obj, const Call *call);
const Value *call_partial(Walker *w, const Obj *partial, const Call *call);
/* Binds arguments to parameters; `self` may be NULL. Result: one value per Param. */
const Value **bind_args(Walker *w, const Module *module, const Function *function, const Value *self, const Args *args);
/* Context of a callee that is entered from here by a plain call. */
Context callee_context(Walker *w, const Obj *function, Context caller);
Context walker_context(const Walker *w);  // the instance's context plus what the current regions add
const Value *to_traced(Arena *arena, const Value *v);    // as an argument of a traced function
const Value *to_eager(Arena *arena, const Value *v);     // an element of a dataset in eager code
const Value *from_traced(Arena *arena, const Value *v);  // as its result in eager code
/* How a function uses one of its parameters, by the text of its body. */
typedef struct ParamUse { bool as_tensor, as_mapping, as_sequence; } ParamUse;
ParamUse param_use(Walker *w, const Module *module, const Function *function, const Param *param);
const Value *guess_param(Walker *w, const Module *module, const Function *function, const Param *param, const Value *given,
                         const TraceSpec *spec, uint32_t position);

/* ---- api.c: facts; special.c: functions that need code ---- */
const Value *call_api(Walker *w, Sym name, const ApiFact *fact, const Call *call);
const Value *spec_value(Walker *w, const ValueSpec *spec, const Call *call, const ApiFact *fact);
const Value *api_value(Walker *w, Sym name);             // the name itself: constant, class, function
const Value *api_instance(Walker *w, Sym cls, const ApiFact *fact, const Call *call);
/* True if the name is one that needs code (partial, isinstance, getattr, super, range …); *result is its value. */
bool call_special(Walker *w, Sym name, const ApiFact *fact, const Call *call, const Value **result);
const Value *pack_element(Walker *w, const Value *returned);  // what tf.data makes of a function's result
void run_callables(Walker *w, const ApiFact *fact, const Call *call, const Value **result);
const Value *container_method(Walker *w, Str method, const Call *call, const ApiFact *fact);
const TraceSpec *trace_spec(Walker *w, Sym api, const Args *args, Span span, bool is_decorator);
const Value *make_traced(Walker *w, const Value *target, const TraceSpec *spec, Site site);

/* ---- condition.c, guard.c ---- */
typedef struct Condition {
  const Value *value;
  Tri constant;              // known outcome
  bool is_tensor;            // symbolic tensor
  bool is_static;            // configuration: constants, shapes, flags
  bool is_frozen;            // host state or a Python argument of the root
} Condition;
/* The host state a condition was computed from, if it changes between calls; frozen phase only. */
Var changing_home(const Walker *w, const Value *condition);
Condition eval_condition(Walker *w, const Expr *test, Asker asker);
/* Narrows the current environment by the outcome of the test; marks it dead when the outcome is impossible. */
void refine(Walker *w, const Expr *test, bool outcome);
/* If the test is a create-once guard whose branch (the one taken on `outcome`) fills the tested place. */
bool guard_of(Walker *w, const Expr *test, bool outcome, const Block *fills, uint32_t from, Var *var);

/* `try: self.v` / `except AttributeError: self.v = …`: the handler fills what the body read. */
bool handler_guards(Walker *w, const Block *body, const Block *handler);

/* ---- stmt.c, loop.c, store.c, define.c ---- */
void exec_block(Walker *w, const Block *block);
void exec_stmt(Walker *w, const Stmt *stmt);
void exec_loop(Walker *w, const Stmt *stmt);
void exec_if(Walker *w, const Stmt *stmt, const Block *rest, uint32_t rest_from);
void exec_try(Walker *w, const Stmt *stmt);
void exec_with(Walker *w, const Stmt *stmt);
void exec_match(Walker *w, const Stmt *stmt);
void exec_import(Walker *w, const Stmt *stmt);
void exec_def(Walker *w, const Stmt *stmt);
void exec_class(Walker *w, const Stmt *stmt);
void assign(Walker *w, const Expr *target, const Value *value, StoreKind kind, const Expr *value_expr);
void assign_name(Walker *w, const Expr *target, const Value *value);
void assign_aug(Walker *w, const Expr *target, const Value *value, bool in_place);
void collect_line(Walker *w, const Stmt *stmt);  // inspect.c: what the local names hold behind the statement
void delete_target(Walker *w, const Expr *target);
/* Replaces what a name or path holds after its object was changed in place. */
void store_member(Walker *w, const Value *object, Sym name, const Value *value, Span span, WriteKind kind);
void store_back(Walker *w, const Expr *path, const Value *value);
Var expr_var(Walker *w, const Expr *expr);   // the shared place a name or path means, VAR_NONE if none
/* The function object a `def` or `lambda` standing in the walked function makes. */
const Value *function_value(Walker *w, const Function *function, uint32_t site);
void push_region(Walker *w, Region region);
void pop_region(Walker *w);

/* ---- event.c ---- */
bool listening(const Walker *w);
const Region *frame_region_of(const Walker *w, RegionKind kind);  // innermost, or NULL
void emit_event(Walker *w, Event *event);  // fills frame and stmt

/* ---- walk.c: one instance ---- */
void walk_instance(struct Flow *flow, Instance *instance, WalkOut *out, Arena *scratch, const Listener *listener);
const Args *args_deep_copy(Arena *arena, const Args *args);

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
void instance_queue(struct Flow *flow, InstanceId id);

/* ---- index.c ---- */
void index_build(struct Flow *flow);

#endif

/* Inside the walk: what the files of this folder share. Nothing outside flow/ includes it.
 *
 * A Walker executes one function body abstractly, in one instance. It reads shared state (cells, other instances' results) as
 * const and writes everything it finds out into its WalkOut; the fixpoint merges outs in instance order at the barrier, so a
 * round's result does not depend on threads. Values made during a walk live in the walk's scratch arena and are deep-copied
 * at the merge.
 */
#ifndef TFCHECK_FLOW_WALK_H
#define TFCHECK_FLOW_WALK_H

#include "flow/call.h"
#include "flow/state.h"

/* Values that are program text rather than state: reading them is no read of a variable. */
#define KINDS_CODE (KIND(FUNCTION) | KIND(TRACED) | KIND(CLASS) | KIND(MODULE) | KIND(API))

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
  bool followed;                // by another arm that is told
} OpenBranch;

struct Walker {
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
  bool walks_dataset;          // some loop of it iterates a dataset
  bool made_function, made_in_loop;  // inner functions were made: they may read what changes from here on
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
  bool in_argument;            // an argument of a call is being evaluated …
  const ApiFact *argument_of;  // … of this API, or of something else: NULL
};

/* ---- env.c ---- */
Env *env_new(Walker *w);
Env *env_copy(Walker *w, const Env *env);
/* Either may be NULL or dead: the other is the join. */
Env *env_join(Walker *w, const Env *a, const Env *b);
/* After a TensorFlow branch or loop: local numbers that it changed are tensors now. */
void env_stage(Walker *w, const Env *before, Env *after);
bool env_eq(const Walker *w, const Env *a, const Env *b);
const Value *env_fact(const Env *env, uint64_t key);
void env_set_fact(Walker *w, uint64_t root, uint64_t key, const Value *value);
void env_drop_root(Env *env, uint64_t root);   // the root was rebound
void env_drop_facts(Env *env);                 // something unknown ran
/* Key of an attribute path rooted in a local or global name; false if the expression is no such path. */
bool path_key(const Walker *w, const Expr *expr, uint64_t *root, uint64_t *key);

/* ---- expr.c ---- */
const Value *eval(Walker *w, const Expr *expr);
const Value *eval_opt(Walker *w, const Expr *expr);  // NULL expression: None
const Value *eval_name(Walker *w, const Expr *expr);
const Value *eval_quiet(Walker *w, const Expr *expr); // without events and records
/* Value of a default or annotation-free constant expression standing at module level of another module. */
const Value *eval_constant(Walker *w, const Module *module, const Expr *expr);
const Value *module_value(Walker *w, ModuleId module);
const Value *entities_value(Walker *w, const EntitySet *set);

/* ---- operator.c ---- */
const Value *eval_binary(Walker *w, const Expr *expr);
const Value *binary_value(Walker *w, BinaryOp op, const Value *left, const Value *right, Span span);
const Value *eval_unary(Walker *w, const Expr *expr);
const Value *eval_bool(Walker *w, const Expr *expr);
const Value *eval_compare(Walker *w, const Expr *expr);
const Value *eval_ternary(Walker *w, const Expr *expr);

/* ---- format.c ---- */
const Value *eval_fstring(Walker *w, const Expr *expr);
void format_percent(Walker *w, const Expr *expr, const Value *format, const Value *value);  // of a text with `%`

/* ---- member.c, subscript.c ---- */
const Value *eval_attr(Walker *w, const Expr *expr);
/* Attribute of a value: fields, methods bound to it, module members, API members. `quiet` suppresses records. */
const Value *member_value(Walker *w, const Value *object, Sym name, Span span, const ApiFact **fact, Str *api_name);
/* Member of an outside class; NULL if the catalogue knows none. */
const Value *api_member(Walker *w, Sym cls, Sym name, const Value *self, const ApiFact **fact, Str *api_name);
const Value *bind_method(Walker *w, const Value *found, const Value *self, ClassRef cls, Span span);
const Value *eval_subscript(Walker *w, const Expr *expr);
const Value *shape_dim(Walker *w, const Value *shape, uint32_t at);  // one dimension of a static shape
const Value *super_member(Walker *w, Sym name, Span span);

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
/* The same for a flag that starts up, and that the branch sets to False; there is nothing that runs in its stead. */
bool lowered_guard(Walker *w, const Stmt *stmt, Var *var);

/* The same for an early return on a flag of `self`, set elsewhere: what it reads, the rest of the block makes. */
bool fast_path_guard(Walker *w, const Stmt *stmt, const Block *rest, uint32_t from);

/* `try: self.v` / `except AttributeError: self.v = …`: the handler fills what the body read. */
bool handler_guards(Walker *w, const Block *body, const Block *handler);
/* `try: self.names.index(name)` / `except ValueError: self.rows.append(…)`, with names that a base out of sight keeps. */
bool lookup_guards(Walker *w, const Block *body, const Block *handler);

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
bool place_outlives(Walker *w, const Expr *target);  // the name or attribute is there when the trace is over
int64_t trip_count(Walker *w, const Expr *iter, const Value *iterable);  // rounds of a loop over it, -1 if not known
/* What the target of a Python loop holds: another number or text each time, if there are more than a few rounds. */
const Value *changing_element(Walker *w, const Value *element, int64_t rounds);
bool few_rounds(const Walker *w);  // the enclosing loops, if any, have fewer rounds than a trace for each could hurt
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
bool in_python_loop(const Walker *w);  // a loop that Python runs, here or around the call: what is made stands for several
void emit_event(Walker *w, Event *event);  // fills frame and stmt

/* ---- walk.c: one instance ---- */
void walk_instance(struct Flow *flow, Instance *instance, WalkOut *out, Arena *scratch, const Listener *listener);
const Args *args_copy(Arena *arena, const Args *args);       // the arrays; the values stay where they are
const Args *args_deep_copy(Arena *arena, const Args *args);

#endif

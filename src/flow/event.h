/* What rules are told: semantic events with operand values, in the order of execution, each in one traced or eager context.
 *
 * Events exist only in the emit walk, when everything the fixpoint could find out is known and frozen; loop bodies emit in
 * their stable iteration only. All pointers are valid during the call.
 */
#ifndef TFCHECK_FLOW_EVENT_H
#define TFCHECK_FLOW_EVENT_H

#include "flow/index.h"
#include "flow/value.h"
#include "trace/context.h"

typedef enum EventKind {
  EV_ENTER,     // a function starts in this context: `function`
  EV_LEAVE,     // … ends; `value` is its return value (joined)
  EV_CALL,      // expr: EXPR_CALL (or a decorator application); after arguments, before the result is used
  EV_ATTR,      // read of `receiver.name`
  EV_SUBSCRIPT, // read of receiver[index]: `value` is the index; keys of dict displays, members of set displays
  EV_READ,      // read of a variable (name or attribute path) with `var` set: global, free, field, class attribute
  EV_STORE,     // assignment, augmented assignment, deletion, `global x`; see `store`
  EV_TRUTH,     // the truth of `value` is asked: see `asker`
  EV_BRANCH,    // an `if`/`elif` arm or ternary: `value` is the condition; after EV_TRUTH; regions not yet pushed
  EV_BRANCH_END,// an `if`/`elif` arm on a tensor that AutoGraph converts, and all it decides about, have been walked: see
                // event_side(), `operands` are what the two sides return; bottom where they do not
  EV_LOOP,      // `for`/`while`: value is the iterable or the condition; `loop` says what kind it became
  EV_LOOP_END,  // … has been walked: see event_side(); `makes_ops`
  EV_ITERATE,   // Python iterates `value` outside of a `for` statement: see `iterator`
  EV_OPERATOR,  // binary, unary, comparison operator: operands[0..n)
  EV_FORMAT,    // text made of `value`: f-string part, %, .format, str(), repr(); `has_spec`, `in_call`, `api`
  EV_RETURN, EV_RAISE, EV_YIELD, EV_AWAIT,
  EV_JUMP,      // break or continue
  EV_TRY,       // a try statement with handlers: `value` is the join of the classes they catch, NULL if one catches all
  EV_IMPORT,
  EV_DEFINE,    // def or class statement, after decorators: `function` or `class_`, `value` is what gets bound
  EV_KINDS,
} EventKind;

typedef enum Asker { ASK_IF, ASK_WHILE, ASK_TERNARY, ASK_BOOL_OP, ASK_NOT, ASK_ASSERT, ASK_COMP_TEST, ASK_CHAINED_COMPARE, ASK_IN,
                     ASK_MATCH, ASK_BUILTIN } Asker;
typedef enum IteratorKind { ITER_UNPACK, ITER_STARRED, ITER_COMPREHENSION, ITER_YIELD_FROM, ITER_CALL } IteratorKind;
typedef enum LoopKind { LOOP_PYTHON, LOOP_TENSOR, LOOP_DATASET, LOOP_UNKNOWN } LoopKind;
typedef enum StoreKind { STORE_ASSIGN, STORE_AUG, STORE_DELETE, STORE_FOR, STORE_WITH, STORE_IMPORT, STORE_DEFINE, STORE_UNPACK } StoreKind;

/* What encloses the point of execution, innermost last: statements of this function only; what callers add is in the context
 * bits. */
typedef enum RegionKind {
  REGION_TENSOR_BRANCH,  // if/elif/ternary on a tensor, converted
  REGION_PYTHON_BRANCH,  // on a Python value that is not known to be constant
  REGION_STATIC_BRANCH,  // on static configuration: constants, shapes, never-changing flags
  REGION_FROZEN_BRANCH,  // on host state that changes between calls
  REGION_GUARD,          // create-once: the test reads the place the branch fills
  REGION_AFTER_EXIT,     // the rest of a block after an `if` that returned or raised in some branch; `value` is its condition
  REGION_TENSOR_LOOP, REGION_DATASET_LOOP, REGION_PYTHON_LOOP,
  REGION_COMPREHENSION, REGION_TRY, REGION_HANDLER, REGION_INIT_SCOPE, REGION_GRAPH_SCOPE, REGION_TAPE, REGION_STRATEGY,
} RegionKind;

typedef struct Region {
  RegionKind kind;
  const Stmt *stmt;       // NULL for expressions
  const Expr *expr;       // test, iterable, context expression
  const Value *value;     // of `expr`
  Var var;                // GUARD: the place that is tested and filled; FROZEN: the state it reads
  uint32_t arm;           // branches: which arm (0 = then)
  int64_t trip_count;     // loops: known number of rounds, else -1
  bool exit_was_frozen;   // AFTER_EXIT: the condition read host state or a Python argument
} Region;

typedef struct Args {
  const Expr **exprs;       // positional, then keyword values; parallel to values
  const Value **values;
  const Sym *names;         // NULL for positional ones
  uint32_t len;
  uint32_t positional;      // how many are positional
  bool has_star, has_kwstar; // more may follow that we cannot see
  uint32_t bound;           // how many of the positional ones a partial holds
  uint32_t bound_named;     // and how many of the last keyword values
} Args;

/* Argument by position or keyword; NULL when absent (or hidden behind a star). */
const Value *args_get(const Args *args, uint32_t position, Str keyword);
const Expr *args_expr(const Args *args, uint32_t position, Str keyword);

typedef struct Frame {
  const struct Flow *flow;
  const Project *project;
  const Module *module;
  const Function *function;
  FuncRef ref;
  InstanceId instance;
  Context context;
  const ClassInfo *receiver;   // concrete class of `self`, or NULL
  const Region *regions;       // outermost first
  uint32_t region_len;
  const Stmt *stmt;            // statement being executed
  Arena *scratch;              // dropped after the function has been walked
  struct Walker *walker;       // for event_lookup only
} Frame;

typedef struct Event {
  EventKind kind;
  const Frame *frame;
  const Expr *expr;
  const Stmt *stmt;            // same as frame->stmt unless the event is about another statement
  Span span;                   // where a finding about it sits
  const Value *value;          // main operand, see EventKind
  const Value *receiver;       // object of an attribute, subscript or method call
  const Value *result;         // CALL, ATTR, SUBSCRIPT, OPERATOR: what it gives
  const Value *callee;         // CALL
  const Args *args;            // CALL
  const ApiFact *api;          // CALL, ATTR: fact of the callee or attribute, NULL if none; FORMAT: of the call that takes the text
  Str api_name;                // canonical qualified name of the callee ("numpy.sum", "builtins.list.append"), empty if none
  Sym name;                    // attribute name; name of the variable
  Var var;                     // READ, STORE: the place; CALL of a mutating method: the receiver's home; BRANCH, LOOP: the host
                               // state that the condition reads and that changes between calls, VAR_NONE if there is none
  const Value *key;            // STORE to an item: which one; NULL otherwise
  const Expr *target;          // STORE: the expression assigned to; CALL: the target its result is assigned to, if directly
  StoreKind store;
  bool outlives;               // STORE to a name or attribute: the place is there when the trace is over
  Asker asker;
  IteratorKind iterator;
  LoopKind loop;
  int64_t trip_count;          // LOOP
  const Value *operands[3];    // OPERATOR; STORE with STORE_AUG: the old value, then the right-hand side; SUBSCRIPT with a
                               // slice: its bounds and step, None where absent
  uint32_t operand_len;
  int op;                      // OPERATOR: BinaryOp, UnaryOp or CompareOp; `op_is` tells
  enum { OPERATOR_BINARY, OPERATOR_UNARY, OPERATOR_COMPARE } op_is;
  bool has_spec;               // FORMAT: with a presentation that needs a number or another own format
  bool in_call;                // FORMAT: the text is (part of) an argument of a call; `api` NULL: of an unknown or project one
  const Expr *name_expr;       // FORMAT: what is formatted, NULL where no expression says it
  bool used;                   // CALL: its value is used (not an expression statement)
  bool decorates;              // CALL: the application of a decorator; expr is the decorator
  uint32_t arm;                // BRANCH
  bool is_guard;               // BRANCH: a create-once guard; its arm runs as REGION_GUARD
  bool followed;               // BRANCH_END: a later arm of the statement is on a tensor too
  bool makes_ops;              // LOOP_END: its body creates operations
  const struct Env *sides[2];  // BRANCH_END, LOOP_END: for event_side()
  const Function *function;    // ENTER, LEAVE, DEFINE
  const Class *class_;         // DEFINE
} Event;

/* The innermost region of a kind, or NULL. */
const Region *frame_region(const Frame *frame, RegionKind kind);
/* Whether a creation here happens once: a GUARD region, or CTX_GUARDED. */
bool frame_guarded(const Frame *frame);
/* Words of the declarative language that hold here. */
SituationSet frame_situations(const Frame *frame);
/* Confidence for a fault that follows from these facts, lowered by CTX_UNSURE, VF_LIKELY and unknown AutoGraph. */
Confidence frame_confidence(const Frame *frame, const Value *value);
/* Current value of a local name, for rules that need one; NULL when not bound. */
const Value *event_lookup(const Event *event, Sym local);
/* What a place holds at the end of one side. BRANCH_END: 0 is the arm, 1 the alternative. LOOP_END: 0 is before the loop, 1 after
 * one iteration from there. NULL where it is not bound or no execution reaches the end. */
const Value *event_side(const Event *event, uint32_t side, const FlowPlace *place);
/* The places of the enclosing function, which the sets of its facts are about. */
const FunctionFacts *event_function_facts(const Event *event);
/* Facts of the enclosing function's statement; NULL when there are none. */
const StmtFacts *event_facts(const Event *event, const Stmt *stmt, uint32_t arm);

#endif

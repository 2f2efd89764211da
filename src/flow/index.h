/* Project-wide indexes: who writes a place, who reads it, who calls a traced function, who makes objects, who enters an instance.
 *
 * Built from the records of the last walk of each instance when the fixpoint has been reached, sorted by (path, offset), frozen,
 * then queried by rules. Test code's writes and calls are marked, because they never decide for other code.
 */
#ifndef TFCHECK_FLOW_INDEX_H
#define TFCHECK_FLOW_INDEX_H

#include "flow/value.h"
#include "trace/context.h"

typedef enum WriteKind {
  WRITE_ASSIGN,     // name or attribute (re)bound
  WRITE_AUG,        // x += …
  WRITE_ITEM,       // x[k] = …, del x[k]
  WRITE_GROW,       // append, extend, add, update, insert …
  WRITE_SHRINK,     // pop, remove, clear, popleft …
  WRITE_DELETE,
  WRITE_DEFINE,     // def, class, import, for target
} WriteKind;

typedef struct WriteRecord {
  Var var;
  WriteKind kind;
  ModuleId module;
  FuncRef func;           // function that writes
  Span span;              // of the statement or call
  const Value *value;     // what is written, may be unknown
  Sym item;               // of a container: only what it holds under this text; NULL: anything
  Context context;
  bool in_init;           // `self.x = …` in __init__/__new__/build/setup of the object itself, or module body top level
  bool guarded;           // under a create-once guard
  bool in_loop;           // under a loop of its function, or function called in a loop
  bool is_test;
  bool top_level;         // module body
  InstanceId instance;    // of `func`, whose walk met the write
  bool later;             // runs behind a call that traced something; filled in by the index
  bool open;              // runs when somebody outside of the project says so; filled in by the index
} WriteRecord;

typedef struct ReadRecord {
  Var var;
  ModuleId module;
  FuncRef func;
  InstanceId instance;
  Span span;
  Context context;
} ReadRecord;

typedef struct CallRecord {
  const Obj *traced;      // OBJ_TRACED that is called
  ModuleId module;
  FuncRef func;           // function in which the call stands
  InstanceId caller;
  Context context;        // of the caller
  Span span;              // of the call expression
  const Expr *expr;
  const struct Args *args;
  bool in_loop;
  int64_t trip_count;     // of the innermost loop, -1 unknown
  bool is_test;
} CallRecord;

typedef struct MakeRecord {  // construction of a class or traced function object
  const Obj *obj;
  ModuleId module;
  FuncRef func;
  Context context;
  Span span;
  bool in_loop;
  bool is_test;
} MakeRecord;

typedef struct WriteSet { const WriteRecord *data; uint32_t len; } WriteSet;
typedef struct ReadSet { const ReadRecord *data; uint32_t len; } ReadSet;
typedef struct CallSet { const CallRecord *data; uint32_t len; } CallSet;
typedef struct InstanceSet { const InstanceId *data; uint32_t len; } InstanceSet;
typedef struct MakeSet { const MakeRecord *data; uint32_t len; } MakeSet;

struct Flow;
WriteSet flow_writes(const struct Flow *flow, Var var);
ReadSet flow_reads(const struct Flow *flow, Var var);
/* Calls of traced functions around this function (all objects made from it). */
CallSet flow_traced_calls(const struct Flow *flow, FuncRef func);
CallSet flow_all_traced_calls(const struct Flow *flow);
InstanceSet flow_callers(const struct Flow *flow, InstanceId callee);  // reachable ones, in id order
MakeSet flow_makes(const struct Flow *flow, FuncRef func);  // traced function objects made from it

/* Does the place change after construction, as far as the project shows? Test code does not count. The first write that
 * says so goes to *witness (may be NULL). */
typedef enum Change {
  CHANGE_NONE,      // never written, or only once at construction
  CHANGE_GUARDED,   // only filled once under a guard
  CHANGE_ONCE,      // set or filled by code that need not run again: a setter, a registry, a configuration
  CHANGE_CONTENTS,  // container contents change
  CHANGE_REBOUND,   // rebound or augmented after construction
} Change;
Change flow_change(const struct Flow *flow, Var var, const WriteRecord **witness);
/* The same for what a container holds under one constant text; NULL: for all of it. */
Change flow_item_change(const struct Flow *flow, Var var, Sym item, const WriteRecord **witness);

#endif

/* Scopes and bindings of one module.
 *
 * Requires: a lowered Ast. Provides: Function.scope, Class.scope, Comprehension.scope, Function/Class.qualname, and for every
 * EXPR_NAME how it is looked up (NameRef, slot, up). After scopes_build the tree is frozen.
 *
 * Slots number the local variables of a function, parameters first in order. Names of comprehensions live in the slots of the
 * function around them, under slots of their own (a comprehension's `x` is not the function's `x`). A lambda is a function.
 * At module level there are no slots: names of the module body are REF_GLOBAL. A class body's names are REF_CLASS while the
 * body runs, and are invisible to the functions in it, as in Python.
 */
#ifndef TFCHECK_SEMA_SCOPE_H
#define TFCHECK_SEMA_SCOPE_H

#include "base/map.h"
#include "syntax/ast.h"

typedef enum ScopeKind { SCOPE_MODULE, SCOPE_FUNCTION, SCOPE_CLASS, SCOPE_COMPREHENSION } ScopeKind;

typedef enum BindKind {
  BIND_PARAM = 1 << 0,
  BIND_ASSIGN = 1 << 1,   // also annotated with a value, walrus, match capture
  BIND_AUG = 1 << 2,
  BIND_FOR = 1 << 3,
  BIND_WITH = 1 << 4,
  BIND_IMPORT = 1 << 5,
  BIND_FUNCTION = 1 << 6,
  BIND_CLASS = 1 << 7,
  BIND_EXCEPT = 1 << 8,
  BIND_DELETE = 1 << 9,
  BIND_ANNOTATION = 1 << 10, // `x: int` without a value
  BIND_GLOBAL = 1 << 11,     // declared `global` here: not a local
  BIND_NONLOCAL = 1 << 12,
  BIND_STAR = 1 << 13,       // may come from a star import
} BindKind;

/* One place where a name gets bound: what the module table keeps for resolving names without walking. */
typedef struct BindSite {
  BindKind kind;
  Span span;
  const Stmt *stmt;               // statement that binds; NULL for parameters
  const ImportName *import_name;  // BIND_IMPORT
  const Function *function;       // BIND_FUNCTION
  const Class *class_;            // BIND_CLASS
  const Expr *value;              // BIND_ASSIGN with one plain target: the assigned expression, else NULL
  bool in_type_checking;          // under `if TYPE_CHECKING:`
  bool conditional;               // under if/try/loop/with
} BindSite;

typedef struct Binding {
  Sym name;
  uint32_t kinds;       // BindKind bits over all sites
  uint32_t slot;        // functions: index of the local; else UINT32_MAX
  bool captured;        // some inner function reads or writes it
  bool written_by_inner; // some inner function writes it (nonlocal), or any function writes this global
  VEC(BindSite) sites;  // in source order; for a module's globals including `global x` writes in functions
} Binding;

struct Scope {
  ScopeKind kind;
  Scope *parent;
  Function *function;    // function whose frame holds the names (for a class or comprehension: the enclosing one)
  Class *class_;
  VEC(Binding) bindings; // in order of first binding
  Map by_name;           // Sym -> index + 1, once there are many bindings; use scope_find
  uint32_t slot_count;   // SCOPE_FUNCTION: locals including those of comprehensions (SCOPE_MODULE: only those)
  VEC(Sym) slot_names;   // by slot
  bool has_star_import;  // module scope: unknown names may come from it; the imports are the sites of the binding `*`
};

void scopes_build(Arena *arena, SymTable *symbols, Ast *ast);
const Binding *scope_find(const Scope *scope, Sym name);  // this scope only, NULL if not bound here
/* The function whose slot a REF_LOCAL or REF_FREE name of `function` means. */
const Function *scope_owner(const Function *function, const Expr *name);
/* Name of a slot (for messages); NULL for nameless temporaries. */
Sym scope_slot_name(const Function *function, uint32_t slot);

#endif

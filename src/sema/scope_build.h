/* State of scopes_build, shared by its two halves: scope_declare.c walks the tree, makes scopes and bindings and notes every
 * name it meets with the scope it stands in; scope.c then looks each noted name up, once all bindings exist.
 */
#ifndef TFCHECK_SEMA_SCOPE_BUILD_H
#define TFCHECK_SEMA_SCOPE_BUILD_H

#include "sema/scope.h"

enum { SCOPE_MANY = 8 };  // up to so many bindings, looking at all of them is as fast as a map and a tenth of its size

typedef struct NameUse {
  Expr *name;
  Scope *scope;
} NameUse;

typedef struct ScopeBuilder {
  Arena *arena;
  Arena scratch;  // dies with the build
  SymTable *symbols;
  Ast *ast;
  Scope *module;
  VEC(NameUse) uses;
  VEC(Binding *) unsorted;  // bindings written from inner functions: their sites are not in source order yet

  /* Where the walk is. */
  Scope *scope;
  const Stmt *stmt;
  uint32_t conditional;    // enclosing if/try/loop/with/match within the same scope
  uint32_t type_checking;  // enclosing `if TYPE_CHECKING:`
} ScopeBuilder;

/* Makes the scopes of the whole tree and fills `uses`. */
void scope_declare_all(ScopeBuilder *builder);
Binding *scope_find_mutable(Scope *scope, Sym name);

#endif

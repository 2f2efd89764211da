/* Looking names up, once every binding of the module is known.
 *
 * Requires: scope_declare.c has made all scopes. Python decides per function body, not per line, whether a name is local, so
 * nothing can be resolved before the last statement has been seen. A class body sees its own names, but nothing nested in it
 * does; a comprehension sees the function around it and, in a class body, only its first iterable sees the class.
 */
#include "sema/scope.h"

#include <stdlib.h>

#include "base/panic.h"
#include "sema/scope_build.h"

const Binding *scope_find(const Scope *scope, Sym name) {
  if (scope->bindings.len > SCOPE_MANY) {
    uint64_t *index = map_get(&scope->by_name, (uintptr_t)name);
    return index ? &scope->bindings.data[*index - 1] : NULL;
  }
  for (uint32_t i = 0; i < scope->bindings.len; i++) {
    if (scope->bindings.data[i].name == name) return &scope->bindings.data[i];
  }
  return NULL;
}

Binding *scope_find_mutable(Scope *scope, Sym name) {
  const Binding *found = scope_find(scope, name);
  return found ? &scope->bindings.data[found - scope->bindings.data] : NULL;
}

const Function *scope_owner(const Function *function, const Expr *name) {
  const Function *owner = function;
  for (uint32_t i = 0; i < name->u.name.up && owner->scope->parent; i++) owner = owner->scope->parent->function;
  return owner;
}

Sym scope_slot_name(const Function *function, uint32_t slot) {
  const Scope *scope = function->scope;
  return scope && slot < scope->slot_names.len ? scope->slot_names.data[slot] : NULL;
}

static void settle(Expr *name, NameRef ref, uint32_t up, uint32_t slot) {
  name->u.name.ref = (uint8_t)ref;
  name->u.name.up = (uint16_t)up;
  name->u.name.slot = slot;
}

static void settle_global(const ScopeBuilder *builder, Expr *name, const Scope *from) {
  Binding *binding = scope_find_mutable(builder->module, name->u.name.id);
  if (binding && from->function != builder->module->function) binding->captured = true;
  settle(name, REF_GLOBAL, 0, UINT32_MAX);
}

static void settle_slot(Expr *name, Binding *binding, uint32_t up) {
  settle(name, up > 0 ? REF_FREE : REF_LOCAL, up, binding->slot);
  if (up == 0) return;
  binding->captured = true;
  if (name->ctx_store) binding->written_by_inner = true;
}

static void resolve_use(const ScopeBuilder *builder, const NameUse *use) {
  uint32_t up = 0;
  for (Scope *scope = use->scope; scope; scope = scope->parent) {
    bool visible = scope->kind != SCOPE_CLASS || scope == use->scope;
    Binding *found = visible ? scope_find_mutable(scope, use->name->u.name.id) : NULL;
    if (found && (scope->kind == SCOPE_MODULE || (found->kinds & BIND_GLOBAL))) {
      settle_global(builder, use->name, use->scope);
      return;
    }
    if (found && !(found->kinds & BIND_NONLOCAL)) {
      if (scope->kind == SCOPE_CLASS) settle(use->name, REF_CLASS, 0, UINT32_MAX);
      else settle_slot(use->name, found, up);
      return;
    }
    if (scope->kind == SCOPE_FUNCTION) up++;
  }
  settle(use->name, REF_BUILTIN, 0, UINT32_MAX);
}

static int site_cmp(const void *left, const void *right) {
  const BindSite *a = left, *b = right;
  if (a->span.start != b->span.start) return a->span.start < b->span.start ? -1 : 1;
  return (a->span.end > b->span.end) - (a->span.end < b->span.end);
}

void scopes_build(Arena *arena, SymTable *symbols, Ast *ast) {
  ScopeBuilder builder = {.arena = arena, .symbols = symbols, .ast = ast};
  scope_declare_all(&builder);
  for (uint32_t i = 0; i < builder.uses.len; i++) resolve_use(&builder, &builder.uses.data[i]);
  for (uint32_t i = 0; i < builder.unsorted.len; i++) {
    Binding *binding = builder.unsorted.data[i];
    qsort(binding->sites.data, binding->sites.len, sizeof *binding->sites.data, site_cmp);
  }
  arena_release(&builder.scratch);
}

/* Names and dotted expressions inside functions, and members of what they mean: by bindings alone.
 *
 * Requires: entity.c for module-level names. A local variable or parameter is unknown here, whatever is assigned to it: its
 * value is for the flow floor. Exceptions are local imports, and functions and classes defined in a function, because those
 * are how names of the module level are spelled locally.
 */
#include "sema/project_names.h"

/* ---- members ---- */

static EntitySet module_member(const Project *project, ModuleId module, Sym name) {
  EntitySet found = project_global(project, module, name);
  if (found.len || !project->modules[module]->is_package) return found;
  ModuleTarget target = project_import_target(project, module, name, 1);
  if (target.found != IMPORT_FILE) return found;
  return entity_one((Entity){.kind = ENTITY_MODULE, .module = target.module});
}

/* A folder without __init__.py is known by its name only, so its modules are found by their full names. */
static EntitySet api_member(const Project *project, Sym api, Sym name) {
  Sym dotted = sym_dotted(project->symbols, api, name);
  uint64_t *module = map_get(&project->by_name, (uintptr_t)dotted);
  if (module) return entity_one((Entity){.kind = ENTITY_MODULE, .module = (ModuleId)(*module - 1)});
  return entity_api(project, dotted);
}

EntitySet entity_class_name(const Project *project, ModuleId module, const Class *class_, Sym name) {
  const Binding *binding = class_->scope ? scope_find(class_->scope, name) : NULL;
  return binding ? entity_of_sites(project, module, binding, false) : (EntitySet){0};
}

static EntitySet inherited_from_api(const Project *project, const ClassInfo *info, Sym name) {
  for (uint32_t i = 0; i < info->apis.len; i++) {
    Str found = {0};
    if (!catalog_api_member(project->catalog, info->apis.data[i]->text, name->text, &found) || !found.len) continue;
    return entity_api(project, sym_intern(project->symbols, found));
  }
  return (EntitySet){0};
}

static EntitySet class_member(const Project *project, ClassRef ref, Sym name) {
  if (!project->classes) return entity_class_name(project, ref.module, project_class(project, ref), name);
  const ClassInfo *info = project_class_info(project, ref);
  for (uint32_t i = 0; i < info->mro.len; i++) {
    const Class *class_ = project_class(project, info->mro.data[i]);
    if (!class_->scope || !scope_find(class_->scope, name)) continue;
    FuncRef method;
    if (project_method(project, info->mro.data[i], name, &method, NULL)) {
      return entity_one((Entity){.kind = ENTITY_FUNCTION, .module = method.module, .index = method.index});
    }
    return entity_class_name(project, info->mro.data[i].module, class_, name);
  }
  return info->unknown_base ? (EntitySet){0} : inherited_from_api(project, info, name);
}

static EntitySet entity_member(const Project *project, const Entity *of, Sym name) {
  switch (of->kind) {
    case ENTITY_API:
      return api_member(project, of->api, name);
    case ENTITY_MODULE:
      return module_member(project, of->module, name);
    case ENTITY_CLASS:
      return class_member(project, (ClassRef){of->module, of->index}, name);
    default:
      return (EntitySet){0};
  }
}

EntitySet project_member(const Project *project, const EntitySet *of, Sym name) {
  EntitySet set = {.more = of->more};
  for (uint32_t i = 0; i < of->len; i++) {
    EntitySet found = entity_member(project, &of->items[i], name);
    entity_join(&set, &found);
  }
  return set;
}

/* ---- names ---- */

/* Neither bound in the module nor brought by a star import that we can read. */
static EntitySet builtin_name(const Project *project, ModuleId module, Sym name) {
  const Scope *scope = project->modules[module]->ast->module->scope;
  if (scope->has_star_import) {
    EntitySet found = project_global(project, module, name);
    if (found.len) return found;
  }
  EntitySet builtin = entity_api(project, sym_dotted(project->symbols, project->names->builtins, name));
  bool known = !scope->has_star_import || catalog_api_exact(project->catalog, builtin.items[0].api->text);
  return known ? builtin : (EntitySet){0};
}

static EntitySet local_name(const Project *project, ModuleId module, const Function *function, const Expr *name) {
  enum { KNOWN = BIND_IMPORT | BIND_FUNCTION | BIND_CLASS };
  const Function *owner = scope_owner(function, name);
  const Binding *binding = owner->scope ? scope_find(owner->scope, name->u.name.id) : NULL;
  if (!binding || binding->slot != name->u.name.slot || (binding->kinds & ~(uint32_t)KNOWN)) return (EntitySet){0};
  bool defined = (binding->kinds & (BIND_FUNCTION | BIND_CLASS)) != 0;
  if (binding->written_by_inner || (defined && binding->sites.len > 1)) return (EntitySet){0};
  return entity_of_sites(project, module, binding, false);
}

/* The innermost class of `function` in whose body the expression stands. */
static const Class *class_around(const Ast *ast, const Function *function, Span span) {
  const Class *inner = NULL;
  for (uint32_t i = 0; i < ast->classes.len; i++) {
    const Class *class_ = ast->classes.data[i];
    if (class_->parent == function && span_holds(class_->span, span)) inner = class_;
  }
  return inner;
}

static EntitySet class_name(const Project *project, ModuleId module, const Function *function, const Expr *name) {
  const Class *class_ = class_around(project->modules[module]->ast, function, name->span);
  for (; class_; class_ = class_->owner) {
    if (class_->scope && scope_find(class_->scope, name->u.name.id)) break;
  }
  return class_ ? entity_class_name(project, module, class_, name->u.name.id) : (EntitySet){0};
}

EntitySet project_resolve(const Project *project, ModuleId module, const Function *function, const Expr *expr) {
  if (expr->kind == EXPR_ATTR) {
    EntitySet of = project_resolve(project, module, function, expr->u.attr.value);
    return of.len ? project_member(project, &of, expr->u.attr.name) : (EntitySet){0};
  }
  if (expr->kind != EXPR_NAME) return (EntitySet){0};
  switch (expr->u.name.ref) {
    case REF_GLOBAL:
      return project_global(project, module, expr->u.name.id);
    case REF_BUILTIN:
      return builtin_name(project, module, expr->u.name.id);
    case REF_LOCAL:
    case REF_FREE:
      return local_name(project, module, function, expr);
    case REF_CLASS:
      return class_name(project, module, function, expr);
    default:
      return (EntitySet){0};
  }
}

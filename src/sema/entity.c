/* From a module-level name to what it means: through imports, re-exports, star imports and aliases.
 *
 *   try:                                   # two conditional sites: two candidates
 *     from keras.layers import Layer
 *   except ImportError:
 *     from .compat import Layer
 *   function = tf.function                 # an alias: followed
 *   step = function(step)                  # a call: ENTITY_GLOBAL, its value is for the flow floor
 *
 * Each name of each module is resolved once, on demand, while the project is built; a name that needs itself (circular
 * imports) is unknown there. Nothing is executed: what several sites say is joined, up to four candidates.
 */
#include "sema/project_names.h"

enum {
  MOST_HOPS = 48,        // modules in one chain of re-exports
  MOST_STAR_VISITS = 64, // modules looked at for one name through star imports
};

/* ---- sets ---- */

static bool entity_same(const Entity *a, const Entity *b) {
  return a->kind == b->kind && a->api == b->api && a->module == b->module && a->index == b->index && a->name == b->name;
}

void entity_add(EntitySet *set, Entity entity) {
  if (set->too_many) return;
  for (uint32_t i = 0; i < set->len; i++) {
    if (entity_same(&set->items[i], &entity)) return;
  }
  if (set->len == ENTITY_MAX) {
    *set = (EntitySet){.more = true, .too_many = true};
    return;
  }
  set->items[set->len++] = entity;
}

void entity_join(EntitySet *set, const EntitySet *more) {
  for (uint32_t i = 0; i < more->len; i++) entity_add(set, more->items[i]);
  if (more->more || more->len == 0) set->more = true;
  if (more->too_many) *set = (EntitySet){.more = true, .too_many = true};
}

EntitySet entity_one(Entity entity) { return (EntitySet){.items = {entity}, .len = 1}; }

EntitySet entity_api(const Project *project, Sym qualified) {
  Arena scratch = {0};
  Str canonical = catalog_canonical(&scratch, project->catalog, qualified->text);
  Sym api = canonical.ptr == qualified->text.ptr ? qualified : sym_intern(project->symbols, canonical);
  arena_release(&scratch);
  return entity_one((Entity){.kind = ENTITY_API, .api = api, .module = NO_MODULE});
}

/* ---- imports ---- */

ModuleTarget project_import_target(const Project *project, ModuleId from, Sym dotted, uint32_t dots) {
  const ProjectNames *names = project->names;
  ImportTarget target = file_index_import(&names->files, project->modules[from]->path, sym_str(dotted), dots);
  if (target.found != IMPORT_FILE) return (ModuleTarget){target.found, NO_MODULE};
  ModuleId module = names->module_of_file[target.file];
  return (ModuleTarget){module == NO_MODULE ? IMPORT_UNCLEAR : IMPORT_FILE, module};
}

ModuleId project_import(const Project *project, ModuleId from, Sym dotted, uint32_t dots) {
  return project_import_target(project, from, dotted, dots).module;
}

/* `import a.b`: a folder of modules and an outside module are both known by name only. */
static EntitySet import_module(const Project *project, ModuleId from, Sym dotted) {
  ModuleTarget target = project_import_target(project, from, dotted, 0);
  if (target.found == IMPORT_FILE) return entity_one((Entity){.kind = ENTITY_MODULE, .module = target.module});
  if (target.found == IMPORT_UNCLEAR) return (EntitySet){0};
  return entity_api(project, dotted);
}

/* `from package import name`: what the package binds, else its submodule, else a name of the outside world. */
static EntitySet import_from(const Project *project, ModuleId from, const Stmt *stmt, Sym name) {
  Sym package = stmt->u.import.module;
  uint32_t dots = stmt->u.import.dots;
  ModuleTarget target = project_import_target(project, from, package, dots);
  if (target.found == IMPORT_FILE) {
    EntitySet found = project_global(project, target.module, name);
    if (found.len) return found;
  }
  Sym dotted = package ? sym_dotted(project->symbols, package, name) : name;
  ModuleTarget module = project_import_target(project, from, dotted, dots);
  if (module.found == IMPORT_FILE) return entity_one((Entity){.kind = ENTITY_MODULE, .module = module.module});
  bool outside = dots == 0 && (target.found == IMPORT_OUTSIDE || target.found == IMPORT_NAMESPACE);
  return outside ? entity_api(project, dotted) : (EntitySet){0};
}

static EntitySet import_site(const Project *project, ModuleId module, const BindSite *site) {
  const ImportName *import = site->import_name;
  if (site->stmt->kind == STMT_IMPORT_FROM) return import_from(project, module, site->stmt, import->name);
  if (import->as) return import_module(project, module, import->name);
  Str rest = import->name->text;
  return import_module(project, module, sym_intern(project->symbols, str_cut(&rest, '.')));
}

/* ---- the sites of one binding ---- */

typedef struct SiteJoin {
  const Project *project;
  ModuleId module;
  const Binding *binding;
  bool aliases;
  EntitySet set;
  bool opaque;  // some site says nothing that could be followed
} SiteJoin;

/* `K = tf.keras`. In `tf = tf.compat.v1` the name itself stands at the root and means what was bound so far. */
static EntitySet alias_target(const SiteJoin *join, const Expr *value) {
  if (value->kind == EXPR_ATTR) {
    EntitySet of = alias_target(join, value->u.attr.value);
    return project_member(join->project, &of, value->u.attr.name);
  }
  if (value->kind != EXPR_NAME) return (EntitySet){0};
  if (value->u.name.id == join->binding->name) return join->set;
  const Function *body = join->project->modules[join->module]->ast->module;
  return project_resolve(join->project, join->module, body, value);
}

/* A second name of a variable is a variable of its own. */
static EntitySet alias_entity(const SiteJoin *join, const Expr *value) {
  EntitySet target = alias_target(join, value);
  for (uint32_t i = 0; i < target.len; i++) {
    if (target.items[i].kind == ENTITY_GLOBAL) return (EntitySet){0};
  }
  return target;
}

static EntitySet site_entity(const SiteJoin *join, const BindSite *site) {
  switch (site->kind) {
    case BIND_IMPORT:
      return import_site(join->project, join->module, site);
    case BIND_FUNCTION:
      return entity_one((Entity){.kind = ENTITY_FUNCTION, .module = join->module, .index = site->function->index});
    case BIND_CLASS:
      return entity_one((Entity){.kind = ENTITY_CLASS, .module = join->module, .index = site->class_->index});
    case BIND_ASSIGN:
      return join->aliases && site->value ? alias_entity(join, site->value) : (EntitySet){0};
    default:
      return (EntitySet){0};
  }
}

static void join_site(SiteJoin *join, const BindSite *site) {
  if (site->kind == BIND_ANNOTATION) return;
  EntitySet said = site_entity(join, site);
  if (!site->conditional) {
    join->set = (EntitySet){0};
    join->opaque = false;
  }
  if (site->kind == BIND_DELETE) return;
  if (said.len == 0) join->opaque = true;
  else entity_join(&join->set, &said);
}

EntitySet entity_of_sites(const Project *project, ModuleId module, const Binding *binding, bool aliases) {
  SiteJoin join = {.project = project, .module = module, .binding = binding, .aliases = aliases};
  for (uint32_t i = 0; i < binding->sites.len; i++) join_site(&join, &binding->sites.data[i]);
  if (join.opaque) join.set.more = true;
  return join.set;
}

/* ---- module-level names ---- */

static const Scope *module_scope(const Project *project, ModuleId module) {
  const Ast *ast = project->modules[module]->ast;
  return ast ? ast->module->scope : NULL;
}

/* A name that is written in ways that cannot be followed still is a global of this module, unless it is only an import. */
static EntitySet entity_of_global(const Project *project, ModuleId module, const Binding *binding) {
  EntitySet set = entity_of_sites(project, module, binding, true);
  bool written = (binding->kinds & ~(uint32_t)(BIND_IMPORT | BIND_DELETE | BIND_ANNOTATION)) != 0;
  if (set.len == 0 && written) {
    entity_add(&set, (Entity){.kind = ENTITY_GLOBAL, .module = module, .name = binding->name});
    set.more = false;
  }
  return set;
}

static EntitySet memo_global(const Project *project, ModuleId module, uint32_t index) {
  ProjectNames *names = project->names;
  GlobalMemo *memo = &names->globals[module][index];
  if (memo->state == MEMO_DONE) return memo->set;
  if (memo->state == MEMO_RUNNING || names->depth >= MOST_HOPS) return (EntitySet){0};
  memo->state = MEMO_RUNNING;
  names->depth++;
  memo->set = entity_of_global(project, module, &module_scope(project, module)->bindings.data[index]);
  names->depth--;
  memo->state = MEMO_DONE;
  return memo->set;
}

void entities_build(Project *project) {
  for (ModuleId module = 0; module < project->module_count; module++) {
    const Scope *scope = module_scope(project, module);
    for (uint32_t i = 0; scope && i < scope->bindings.len; i++) memo_global(project, module, i);
  }
}

/* ---- star imports ---- */

static bool list_holds(const Expr *list, Str text, bool *readable) {
  if (!list || (list->kind != EXPR_LIST && list->kind != EXPR_TUPLE)) {
    *readable = false;
    return false;
  }
  for (uint32_t i = 0; i < list->u.items.len; i++) {
    const Expr *item = list->u.items.data[i];
    if (item->kind != EXPR_CONST || item->u.constant.kind != CONST_STR) *readable = false;
    else if (str_eq(item->u.constant.text, text)) return true;
  }
  return false;
}

/* Whether `from module import *` brings the name: by `__all__` where it can be read, else unless it starts with `_`. */
static bool star_exports(const Project *project, const Scope *scope, Sym name) {
  const Binding *all = scope_find(scope, project->names->all);
  bool readable = all != NULL;
  for (uint32_t i = 0; all && i < all->sites.len; i++) {
    const BindSite *site = &all->sites.data[i];
    const Expr *list = site->kind == BIND_AUG ? site->stmt->u.aug.value : site->value;
    if (list_holds(list, name->text, &readable)) return true;
  }
  return !readable && !str_starts(name->text, S("_"));
}

typedef struct StarSearch {
  const Project *project;
  Sym name;
  uint32_t visits;
} StarSearch;

static EntitySet find_global(StarSearch *search, ModuleId module);

/* From a star import of the outside world only what the catalogue knows by name. */
static EntitySet star_from_outside(const StarSearch *search, const Stmt *stmt) {
  const Project *project = search->project;
  if (!stmt->u.import.module || stmt->u.import.dots > 0) return (EntitySet){0};
  EntitySet set = entity_api(project, sym_dotted(project->symbols, stmt->u.import.module, search->name));
  return catalog_api_exact(project->catalog, set.items[0].api->text) ? set : (EntitySet){0};
}

static EntitySet find_through_star(StarSearch *search, ModuleId module, const BindSite *site) {
  const Stmt *stmt = site->stmt;
  ModuleTarget target = project_import_target(search->project, module, stmt->u.import.module, stmt->u.import.dots);
  if (target.found == IMPORT_OUTSIDE) return star_from_outside(search, stmt);
  const Scope *scope = target.found == IMPORT_FILE ? module_scope(search->project, target.module) : NULL;
  if (!scope || !star_exports(search->project, scope, search->name)) return (EntitySet){0};
  return find_global(search, target.module);
}

/* The last star import that brings the name wins, as in Python. */
static EntitySet find_global(StarSearch *search, ModuleId module) {
  const Scope *scope = module_scope(search->project, module);
  if (!scope || ++search->visits > MOST_STAR_VISITS) return (EntitySet){0};
  const Binding *binding = scope_find(scope, search->name);
  if (binding) return memo_global(search->project, module, (uint32_t)(binding - scope->bindings.data));
  const Binding *stars = scope->has_star_import ? scope_find(scope, search->project->names->star) : NULL;
  for (uint32_t i = stars ? stars->sites.len : 0; i-- > 0;) {
    EntitySet found = find_through_star(search, module, &stars->sites.data[i]);
    if (found.len) return found;
  }
  return (EntitySet){0};
}

EntitySet project_global(const Project *project, ModuleId module, Sym name) {
  StarSearch search = {.project = project, .name = name};
  return find_global(&search, module);
}

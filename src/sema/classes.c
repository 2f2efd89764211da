/* Classes: what their bases are, in which order methods are looked up, what kind of object they make.
 *
 * Requires: module-level names. The order is Python's C3 linearisation over the classes of the project; bases of the outside
 * world are cut out of it and kept apart, because all that is known of them is in the catalogue. Where C3 fails (Python would
 * refuse the class) the order is depth-first. A base that stays unknown is remembered: then absence proves nothing.
 */
#include "sema/project_names.h"

enum {
  MOST_BASES_DEEP = 64,  // chain of bases; deeper ones count as unknown
  MOST_MRO = 256,
};

typedef VEC(ClassRef) ClassRefs;

typedef struct ClassBuild {
  Project *project;
  uint8_t *state;      // MemoState by class
  ClassRefs *direct;   // project bases by class
  Arena scratch;
} ClassBuild;

static uint32_t class_at(const Project *project, ClassRef ref) { return project->class_base[ref.module] + ref.index; }

/* ---- bases ---- */

static void add_api(Arena *arena, ClassInfo *info, Sym api) {
  for (uint32_t i = 0; i < info->apis.len; i++) {
    if (info->apis.data[i] == api) return;
  }
  vec_push(arena, &info->apis, api);
}

static void add_base(ClassBuild *build, ClassInfo *info, const EntitySet *meant) {
  if (meant->len == 0 || meant->more) info->unknown_base = true;
  ClassRefs *direct = &build->direct[class_at(build->project, info->ref)];
  for (uint32_t i = 0; i < meant->len; i++) {
    const Entity *entity = &meant->items[i];
    if (entity->kind == ENTITY_CLASS) {
      vec_push(&build->scratch, direct, ((ClassRef){entity->module, entity->index}));
    } else if (entity->kind == ENTITY_API) {
      add_api(&build->project->arena, info, entity->api);
    } else {
      info->unknown_base = true;
    }
  }
}

static void resolve_base(ClassBuild *build, ClassInfo *info, const Expr *base);

/* Calls that make a base and whose result is known: `six.with_metaclass(Meta, Base)`, `namedtuple("P", "x y")`. */
static void resolve_called_base(ClassBuild *build, ClassInfo *info, const Expr *call) {
  EntitySet callee = project_resolve(build->project, info->ref.module, info->class_->parent, call->u.call.callee);
  Str name = callee.len == 1 && callee.items[0].kind == ENTITY_API ? callee.items[0].api->text : S("");
  if (str_ends(name, S(".with_metaclass"))) {
    for (uint32_t i = 1; i < call->u.call.args.len; i++) resolve_base(build, info, call->u.call.args.data[i]);
  } else if (str_eq(name, S("collections.namedtuple")) || str_eq(name, S("typing.NamedTuple"))) {
    add_api(&build->project->arena, info, sym_intern(build->project->symbols, S("builtins.tuple")));
  } else {
    info->unknown_base = true;
  }
}

static void resolve_base(ClassBuild *build, ClassInfo *info, const Expr *base) {
  while (base->kind == EXPR_SUBSCRIPT) base = base->u.subscript.value;  // Generic[T]
  if (base->kind == EXPR_CALL) {
    resolve_called_base(build, info, base);
    return;
  }
  EntitySet meant = project_resolve(build->project, info->ref.module, info->class_->parent, base);
  add_base(build, info, &meant);
}

/* ---- the order of bases ---- */

static bool refs_hold(const ClassRefs *refs, uint32_t from, ClassRef ref) {
  for (uint32_t i = from; i < refs->len; i++) {
    if (class_eq(refs->data[i], ref)) return true;
  }
  return false;
}

/* The lists that C3 merges: the orders of the bases, then the bases themselves. `at` is how much of each is used up. */
typedef struct Merge {
  ClassRefs *lists;
  uint32_t *at;
  uint32_t count;
} Merge;

static Merge merge_new(ClassBuild *build, const ClassRefs *bases) {
  Merge merge = {arena_array(&build->scratch, ClassRefs, bases->len + 1),
                 arena_array(&build->scratch, uint32_t, bases->len + 1), bases->len + 1};
  for (uint32_t i = 0; i < bases->len; i++) {
    const ClassInfo *base = project_class_info(build->project, bases->data[i]);
    merge.lists[i].data = base->mro.data;
    merge.lists[i].len = base->mro.len;
  }
  merge.lists[bases->len] = *bases;
  return merge;
}

/* The next class that no list still holds behind its head; the first head if there is none. false when all are used up. */
static bool merge_next(const Merge *merge, ClassRef *next) {
  bool any = false;
  for (uint32_t i = 0; i < merge->count; i++) {
    if (merge->at[i] >= merge->lists[i].len) continue;
    ClassRef head = merge->lists[i].data[merge->at[i]];
    bool behind = false;
    for (uint32_t k = 0; k < merge->count && !behind; k++) behind = refs_hold(&merge->lists[k], merge->at[k] + 1, head);
    if (!any || !behind) *next = head;
    any = true;
    if (!behind) return true;
  }
  return any;
}

static void linearise(ClassBuild *build, ClassInfo *info) {
  ClassRefs order = {0};
  vec_push(&build->project->arena, &order, info->ref);
  Merge merge = merge_new(build, &build->direct[class_at(build->project, info->ref)]);
  ClassRef next;
  while (order.len < MOST_MRO && merge_next(&merge, &next)) {
    for (uint32_t i = 0; i < merge.count; i++) {
      bool head = merge.at[i] < merge.lists[i].len && class_eq(merge.lists[i].data[merge.at[i]], next);
      if (head) merge.at[i]++;
    }
    if (!refs_hold(&order, 0, next)) vec_push(&build->project->arena, &order, next);
  }
  info->mro.data = order.data;
  info->mro.len = order.len;
  info->mro.cap = order.cap;
}

/* ---- what the outside bases make of it ---- */

/* A kind that methods and rules treat specially; a class that is also a model is a model before anything else. */
static Kind kind_of_api(const Project *project, Sym api) {
  const ApiFact *fact = catalog_api(project->catalog, api->text);
  if (!fact || fact->what != API_CLASS || !fact->returns || fact->returns->form != SPEC_KIND) return K_INSTANCE;
  switch (fact->returns->kind) {
    case K_LAYER:
    case K_MODEL:
    case K_METRIC:
    case K_OPTIMIZER:
    case K_LOSS:
    case K_DATASET:
    case K_COMPOSITE:
      return fact->returns->kind;
    default:
      return K_INSTANCE;
  }
}

static void inherit_outside(ClassBuild *build, ClassInfo *info) {
  info->instance_kind = K_INSTANCE;
  for (uint32_t i = 1; i < info->mro.len; i++) {
    const ClassInfo *base = project_class_info(build->project, info->mro.data[i]);
    if (base->unknown_base) info->unknown_base = true;
    for (uint32_t k = 0; k < base->apis.len; k++) add_api(&build->project->arena, info, base->apis.data[k]);
  }
  for (uint32_t i = 0; i < info->apis.len; i++) {
    Kind kind = kind_of_api(build->project, info->apis.data[i]);
    if (info->instance_kind == K_INSTANCE || kind == K_MODEL) info->instance_kind = kind;
  }
}

/* ---- all classes ---- */

static void build_class(ClassBuild *build, uint32_t at, uint32_t depth);

/* A class that is its own base, or far too deep, loses that base. */
static void build_bases(ClassBuild *build, ClassInfo *info, uint32_t depth) {
  ClassRefs *direct = &build->direct[class_at(build->project, info->ref)];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < direct->len; i++) {
    uint32_t base = class_at(build->project, direct->data[i]);
    if (build->state[base] == MEMO_NONE && depth < MOST_BASES_DEEP) build_class(build, base, depth + 1);
    bool usable = build->state[base] == MEMO_DONE;
    if (!usable) info->unknown_base = true;
    if (usable && !refs_hold(&(ClassRefs){direct->data, kept, kept}, 0, direct->data[i])) {
      direct->data[kept++] = direct->data[i];
    }
  }
  direct->len = kept;
}

static void build_class(ClassBuild *build, uint32_t at, uint32_t depth) {
  ClassInfo *info = &build->project->classes[at];
  build->state[at] = MEMO_RUNNING;
  for (uint32_t i = 0; i < info->class_->bases.len; i++) resolve_base(build, info, info->class_->bases.data[i]);
  build_bases(build, info, depth);
  linearise(build, info);
  inherit_outside(build, info);
  build->state[at] = MEMO_DONE;
}

static void number_classes(Project *project) {
  project->class_base = arena_array(&project->arena, uint32_t, project->module_count + 1);
  for (ModuleId id = 0; id < project->module_count; id++) {
    project->class_base[id] = project->class_count;
    const Ast *ast = project->modules[id]->ast;
    project->class_count += ast ? ast->classes.len : 0;
  }
  project->class_base[project->module_count] = project->class_count;
}

static void fill_classes(Project *project, ClassInfo *classes) {
  for (ModuleId id = 0; id < project->module_count; id++) {
    const Ast *ast = project->modules[id]->ast;
    for (uint32_t i = 0; ast && i < ast->classes.len; i++) {
      ClassInfo *info = &classes[project->class_base[id] + i];
      info->ref = (ClassRef){id, i};
      info->class_ = ast->classes.data[i];
    }
  }
}

void classes_build(Project *project) {
  number_classes(project);
  ClassInfo *classes = arena_array(&project->arena, ClassInfo, project->class_count);
  fill_classes(project, classes);
  ClassBuild build = {.project = project};
  build.state = arena_array(&build.scratch, uint8_t, project->class_count);
  build.direct = arena_array(&build.scratch, ClassRefs, project->class_count);
  project->classes = classes;
  for (uint32_t at = 0; at < project->class_count; at++) {
    if (build.state[at] == MEMO_NONE) build_class(&build, at, 0);
  }
  for (uint32_t at = 0; at < project->class_count; at++) {
    for (uint32_t i = 0; i < build.direct[at].len; i++) {
      vec_push(&project->arena, &classes[class_at(project, build.direct[at].data[i])].subclasses, classes[at].ref);
    }
  }
  arena_release(&build.scratch);
}

/* ---- questions ---- */

static bool decorated_as(const Function *function, Str word) {
  for (uint32_t i = 0; i < function->decorator_len; i++) {
    const Expr *decorator = function->decorators[i];
    if (decorator->kind == EXPR_ATTR && sym_is(decorator->u.attr.name, word)) return true;
    if (decorator->kind == EXPR_NAME && sym_is(decorator->u.name.id, word)) return true;
  }
  return false;
}

/* The function a class body gives a name: the last definition that is no property setter or overload, or what a plain
 * `__call__ = forward` stands for. */
static const Function *function_in_class(const Class *class_, Sym name) {
  enum { MOST_ALIASES = 8 };
  for (int hop = 0; hop < MOST_ALIASES; hop++) {
    const Binding *binding = class_->scope ? scope_find(class_->scope, name) : NULL;
    if (!binding) return NULL;
    for (uint32_t i = binding->sites.len; i-- > 0;) {
      const Function *function = binding->sites.data[i].function;
      if (!function) continue;
      if (decorated_as(function, S("setter")) || decorated_as(function, S("deleter"))) continue;
      if (!decorated_as(function, S("overload"))) return function;
    }
    const Expr *alias = binding->sites.len == 1 ? binding->sites.data[0].value : NULL;
    if (!alias || alias->kind != EXPR_NAME || alias->u.name.ref != REF_CLASS) return NULL;
    name = alias->u.name.id;
  }
  return NULL;
}

bool project_method(const Project *project, ClassRef class_ref, Sym name, FuncRef *method, ClassRef *owner) {
  const ClassInfo *info = project_class_info(project, class_ref);
  for (uint32_t i = 0; i < info->mro.len; i++) {
    ClassRef ref = info->mro.data[i];
    const Class *class_ = project_class(project, ref);
    if (!class_->scope || !scope_find(class_->scope, name)) continue;
    const Function *function = function_in_class(class_, name);
    if (!function) return false;  // another kind of attribute hides what the bases have
    if (method) *method = (FuncRef){ref.module, function->index};
    if (owner) *owner = ref;
    return true;
  }
  return false;
}

bool project_is_subclass(const Project *project, ClassRef sub, ClassRef base) {
  const ClassInfo *info = project_class_info(project, sub);
  for (uint32_t i = 0; i < info->mro.len; i++) {
    if (class_eq(info->mro.data[i], base)) return true;
  }
  return false;
}

static bool makes_fields(Str api) {
  static const Str names[] = {S_INIT("dataclasses.dataclass"), S_INIT("attr.s"),
                              S_INIT("attr.dataclass"),        S_INIT("attrs.define"),
                              S_INIT("attr.define"),           S_INIT("attrs.frozen"),
                              S_INIT("typing.NamedTuple"),     S_INIT("tensorflow.experimental.ExtensionType")};
  return STR_IN(api, names);
}

bool project_has_fields(const Project *project, ClassRef class_ref) {
  const ClassInfo *info = project_class_info(project, class_ref);
  for (uint32_t i = 0; i < info->apis.len; i++) {
    if (makes_fields(sym_str(info->apis.data[i]))) return true;
  }
  for (uint32_t i = 0; i < info->mro.len; i++) {
    const Class *class_ = project_class(project, info->mro.data[i]);
    for (uint32_t k = 0; k < class_->decorator_len; k++) {
      const Expr *decorator = class_->decorators[k];
      if (decorator->kind == EXPR_CALL) decorator = decorator->u.call.callee;
      EntitySet set = project_resolve(project, info->mro.data[i].module, class_->parent, decorator);
      if (set.len == 1 && set.items[0].kind == ENTITY_API && makes_fields(sym_str(set.items[0].api))) return true;
    }
  }
  return false;
}

/* Members: what `object.name` gives, for every kind of object, and how functions found in classes bind.
 *
 * Fields are looked up in the cells of every class the object may belong to: the class, its bases, and its subclasses (the
 * receiver of a method may be any of them). Then class attributes through the bases, then what the external bases are known
 * to have. Several identities are joined.
 */
#include "flow/walk.h"

/* ---- methods ---- */

static const Value *bind_obj(Walker *w, const Value *found, const Obj *obj, const Value *self, ClassRef cls,
                             Span span) {
  if (obj->binding == METHOD_STATIC) return value_of_obj(w->scratch, found->kinds, obj);
  if (obj->binding == METHOD_PROPERTY || obj->binding == METHOD_CACHED_PROPERTY) {
    Obj *getter = arena_new(w->scratch, Obj);
    *getter = *obj;
    getter->self = self;
    getter->binding = METHOD_PLAIN;
    getter->no_autograph = true;  // AutoGraph does not see through attribute access
    Args none = {0};
    Call call = {.span = span, .args = &none, .context = walker_context(w)};
    if (obj->binding == METHOD_CACHED_PROPERTY) call.context |= CTX_GUARDED;
    return getter->kind == OBJ_TRACED ? call_traced(w, getter, &call) : call_function(w, getter, &call);
  }
  Obj *bound = arena_new(w->scratch, Obj);
  *bound = *obj;
  bound->self = self;
  if (obj->binding == METHOD_CLASS) {
    Obj *class_obj = arena_new(w->scratch, Obj);
    *class_obj = (Obj){.kind = OBJ_CLASS, .cls = cls, .env = NO_INSTANCE};
    bound->self = value_of_obj(w->scratch, KIND(CLASS), class_obj);
  }
  return value_of_obj(w->scratch, found->kinds & (KIND(FUNCTION) | KIND(TRACED)), bound);
}

/* What a `partialmethod` wraps gets the object first. */
static const Value *bind_partial(Walker *w, const Value *found, const Obj *obj, const Value *self, ClassRef cls,
                                 Span span) {
  bool wraps_function = obj->target && obj->target->obj_len == 1 && obj->target->objs[0]->kind != OBJ_PARTIAL;
  Obj *bound = arena_new(w->scratch, Obj);
  *bound = *obj;
  bound->binding = METHOD_PLAIN;
  bound->target = wraps_function ? bind_method(w, obj->target, self, cls, span) : &value_unknown;
  return value_of_obj(w->scratch, found->kinds, bound);
}

const Value *bind_method(Walker *w, const Value *found, const Value *self, ClassRef cls, Span span) {
  if (!value_has(found, KIND(FUNCTION) | KIND(TRACED)) || !found->obj_len) return found;
  const Value *join = NULL;
  for (uint32_t i = 0; i < found->obj_len; i++) {
    const Obj *obj = found->objs[i];
    bool binds = (obj->kind == OBJ_FUNCTION || obj->kind == OBJ_TRACED) && !obj->self;
    bool partial = obj->kind == OBJ_PARTIAL && obj->binding == METHOD_PARTIAL;
    const Value *one = binds     ? bind_obj(w, found, obj, self, cls, span)
                       : partial ? bind_partial(w, found, obj, self, cls, span)
                                 : value_of_obj(w->scratch, found->kinds, obj);
    join = value_join(w->scratch, join, one);
  }
  return join;
}

/* ---- objects of project classes ---- */

/* A field may have been written with the class itself, a base or a subclass as receiver. */
static const Value *field_value(Walker *w, const ClassInfo *info, Sym name) {
  Var own = var_field(info->ref, name);
  vec_push(w->out->arena, &w->out->cell_reads, own);
  const uint64_t *found = map_get(&w->flow->family_cells, var_key(own));
  const FieldCells *family = found ? (const FieldCells *)(uintptr_t)*found : NULL;
  const Value *join = NULL;
  for (uint32_t i = 0; family && i < family->cells.len; i++) {
    const Cell *cell = family->cells.data[i];
    if (!cell->value) continue;
    vec_push(w->out->arena, &w->out->cell_reads, cell->var);
    join = value_join(w->scratch, join, cell->value);
  }
  if (!join || !join->kinds || join->origin != ORIGIN_OUTER || join->home.kind == VAR_FIELD) return join;
  Value *homed = value_copy(w->scratch, join);  // from several classes of one family
  homed->home = own;
  return homed;
}

static const Value *class_attribute(Walker *w, const ClassInfo *info, Sym name, uint32_t from, const Value *self,
                                    Span span) {
  for (uint32_t i = from; i < info->mro.len; i++) {
    Var var = var_class(info->mro.data[i], name);
    vec_push(w->out->arena, &w->out->cell_reads, var);
    if (!cell_exists(w->flow, var)) continue;
    return bind_method(w, cell_read(w, var), self, self ? info->ref : info->mro.data[i], span);
  }
  return NULL;
}

/* The member an external base is known to have. */
static const Value *external_member(Walker *w, const ClassInfo *info, Sym name, const Value *self, const ApiFact **fact,
                                    Str *api_name) {
  for (uint32_t i = 0; i < info->apis.len; i++) {
    const Value *value = api_member(w, info->apis.data[i], name, self, fact, api_name);
    if (value) return value;
  }
  return NULL;
}

/* `warm = True` in the class and `config.warm = False` later: what changes is the object's own. */
static const Value *with_default(Walker *w, const Value *field, const Value *attribute) {
  const Value *join = value_join(w->scratch, field, attribute);
  if (!attribute || field->home.kind != VAR_FIELD || join->home.kind == VAR_FIELD) return join;
  if (attribute->origin != ORIGIN_OUTER || join->origin != ORIGIN_OUTER) return join;
  Value *homed = value_copy(w->scratch, join);
  homed->home = field->home;
  return homed;
}

static const Value *instance_member(Walker *w, const Obj *obj, Sym name, const Value *self, Span span,
                                    const ApiFact **fact, Str *api_name) {
  const ClassInfo *info = project_class_info(w->project, obj->cls);
  const Value *field = field_value(w, info, name);
  const Value *attribute = class_attribute(w, info, name, 0, self, span);
  if (field && field->kinds) return value_has(field, KIND(FUNCTION)) ? field : with_default(w, field, attribute);
  if (attribute) return attribute;
  const Value *external = external_member(w, info, name, self, fact, api_name);
  if (external) return external;
  return not_known_yet(w);  // nobody has written it so far
}

static const Value *class_member(Walker *w, const Obj *obj, Sym name, Span span, const ApiFact **fact, Str *api_name) {
  const ClassInfo *info = project_class_info(w->project, obj->cls);
  for (uint32_t i = 0; i < info->mro.len; i++) {
    Var var = var_class(info->mro.data[i], name);
    vec_push(w->out->arena, &w->out->cell_reads, var);
    if (!cell_exists(w->flow, var)) continue;
    const Value *found = cell_read(w, var);
    bool class_method = found->obj_len == 1 && found->objs[0]->binding == METHOD_CLASS;
    return class_method ? bind_method(w, found, &value_unknown, obj->cls, span) : found;
  }
  const Value *external = external_member(w, info, name, NULL, fact, api_name);
  return external ? external : not_known_yet(w);
}

/* ---- the outside world ---- */

const Value *api_member(Walker *w, Sym cls, Sym name, const Value *self, const ApiFact **fact, Str *api_name) {
  Str found;
  const ApiFact *member = catalog_api_member(w->project->catalog, cls->text, name->text, &found);
  if (!member) return NULL;
  if (fact) *fact = member;
  if (api_name) *api_name = found;
  if (self && sym_is(name, S("shape")) &&
      value_is(self, KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(VARIABLE) | KIND(KERAS_TENSOR))) {
    return shape_value(w, self);
  }
  if (member->what == API_ATTRIBUTE || member->what == API_VALUE) {
    Call call = {.receiver = self, .context = w->context};
    return member->value ? spec_value(w, member->value, &call, member) : &value_unknown;
  }
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_API_METHOD, .api = sym_intern(w->project->symbols, found), .self = self, .env = NO_INSTANCE};
  return value_of_obj(w->scratch, KIND(API), obj);
}

static const Value *api_attribute(Walker *w, const Obj *obj, Sym name, const ApiFact **fact, Str *api_name) {
  Sym dotted = sym_dotted(w->project->symbols, obj->api, name);
  Sym canonical = sym_intern(w->project->symbols, catalog_canonical(w->scratch, w->project->catalog, dotted->text));
  if (api_name) *api_name = canonical->text;
  if (fact) *fact = catalog_api(w->project->catalog, canonical->text);
  return api_value(w, canonical);
}

static const Value *module_member(Walker *w, ModuleId module, Sym name) {
  EntitySet self = {.items = {{.kind = ENTITY_MODULE, .module = module}}, .len = 1};
  EntitySet set = project_member(w->project, &self, name);
  Var var = var_global(module, name);
  if (!set.len || set.more || cell_exists(w->flow, var)) return cell_read(w, var);
  return entities_value(w, &set);
}

/* ---- by identity and by kind ---- */

static const Value *kind_member(Walker *w, Kind kind, const Value *object, Sym name, const ApiFact **fact,
                                Str *api_name) {
  Str cls = catalog_class_of_kind(kind);
  if (!cls.len) return &value_unknown;
  const Value *value = api_member(w, sym_intern(w->project->symbols, cls), name, object, fact, api_name);
  return value ? value : &value_unknown;
}

/* What any object of these kinds has: the result of `add_weight` is a variable, whatever it is made by. */
static const Value *kind_members(Walker *w, const Value *object, Sym name, const ApiFact **fact, Str *api_name) {
  const Value *join = NULL;
  for (int kind = 0; kind < KIND_COUNT; kind++) {  // an attribute of None raises: that path ends here
    if (kind == K_NONE || !(object->kinds >> kind & 1)) continue;
    join = value_join(w->scratch, join, kind_member(w, (Kind)kind, object, name, fact, api_name));
  }
  return join ? join : &value_unknown;
}

/* One of the objects that a value may be: a method is bound to that one, whose class it was found in. */
static const Value *only_object(Walker *w, const Value *object, const Obj *obj) {
  if (object->obj_len < 2) return object;
  Value *only = value_copy(w->scratch, object);
  only->kinds = (KindSet)1 << project_class_info(w->project, obj->cls)->instance_kind;
  memset(only->objs, 0, sizeof only->objs);
  only->objs[0] = obj;
  only->obj_len = 1;
  only->obj_more = false;
  return only;
}

static const Value *obj_member(Walker *w, const Obj *obj, const Value *object, Sym name, Span span,
                               const ApiFact **fact, Str *api_name) {
  switch (obj->kind) {
    case OBJ_MODULE:
      return module_member(w, obj->module, name);
    case OBJ_API:
      return api_attribute(w, obj, name, fact, api_name);
    case OBJ_INSTANCE:
      return instance_member(w, obj, name, only_object(w, object, obj), span, fact, api_name);
    case OBJ_CLASS:
      return class_member(w, obj, name, span, fact, api_name);
    case OBJ_API_INSTANCE: {
      const Value *value = api_member(w, obj->api, name, object, fact, api_name);
      return value ? value : kind_members(w, object, name, fact, api_name);
    }
    case OBJ_TRACED:
      if (sym_is(name, S("python_function")) && obj->target) return obj->target;
      if (sym_is(name, S("get_concrete_function"))) return value_of_obj(w->scratch, KIND(TRACED), obj);
      return &value_unknown;
    default:
      return &value_unknown;
  }
}

const Value *member_value(Walker *w, const Value *object, Sym name, Span span, const ApiFact **fact, Str *api_name) {
  if (!object->kinds) return &value_bottom;
  if (value_is_unknown(object)) return &value_unknown;
  if (object->obj_len && value_has(object, KIND(NONE))) {  // a method is never called on None
    Value *some = value_copy(w->scratch, object);
    some->kinds &= ~KIND(NONE);
    object = some;
  }
  const Value *join = NULL;
  for (uint32_t i = 0; i < object->obj_len; i++) {
    join = value_join(w->scratch, join, obj_member(w, object->objs[i], object, name, span, fact, api_name));
  }
  return join ? join : kind_members(w, object, name, fact, api_name);
}

const Value *super_member(Walker *w, Sym name, Span span) {
  const Function *function = w->function;
  while (function && !function->owner) function = function->parent;
  if (!function || !w->receiver) return &value_unknown;
  const Value *self = w->instance->param_len ? w->instance->params[0] : &value_unknown;
  uint32_t at = 0;
  while (at < w->receiver->mro.len && (w->receiver->mro.data[at].module != w->module->id ||
                                       w->receiver->mro.data[at].index != function->owner->index)) {
    at++;
  }
  const Value *found = class_attribute(w, w->receiver, name, at + 1, self, span);
  if (found) return found;
  found = external_member(w, w->receiver, name, self, NULL, NULL);
  return found ? found : &value_unknown;
}

/* ---- the expression ---- */

/* An object made during this trace: what it holds is no state that outlives the trace. */
static bool is_trace_local(const Walker *w, const Value *object) {
  return ctx_traced(w->context) && object->origin == ORIGIN_FRESH && object->obj_len &&
         object->objs[0]->kind == OBJ_INSTANCE;
}

static const Value *without_home(Walker *w, const Value *value) {
  if (value->home.kind != VAR_FIELD || value->origin != ORIGIN_OUTER) return value;
  Value *copy = value_copy(w->scratch, value);
  copy->home = (Var){0};
  copy->origin = ORIGIN_FRESH;
  return copy;
}

/* Objects of one class that were made at several places share their fields. */
static bool share_fields(const Value *object) {
  for (uint32_t i = 1; i < object->obj_len; i++) {
    const Obj *first = object->objs[0], *obj = object->objs[i];
    if (first->kind != OBJ_INSTANCE || obj->kind != OBJ_INSTANCE) return false;
    if (!class_eq(first->cls, obj->cls)) return false;
  }
  return object->obj_len > 0;
}

/* The field or module variable that `object.name` means, if one place only. */
static Var member_var(const Walker *w, const Value *object, Sym name) {
  if (!share_fields(object) || is_trace_local(w, object)) return (Var){0};
  const Obj *obj = object->objs[0];
  if (obj->kind == OBJ_INSTANCE) return var_field(obj->cls, name);
  if (obj->kind == OBJ_CLASS) return var_class(obj->cls, name);
  if (obj->kind == OBJ_MODULE) return var_global(obj->module, name);
  return (Var){0};
}

Var expr_var(Walker *w, const Expr *expr) {
  if (expr->kind == EXPR_ATTR) return member_var(w, eval_quiet(w, expr->u.attr.value), expr->u.attr.name);
  if (expr->kind == EXPR_NAME && expr->u.name.ref == REF_GLOBAL) return var_global(w->module->id, expr->u.name.id);
  if (expr->kind == EXPR_NAME && expr->u.name.ref == REF_FREE) {
    const Function *owner = scope_owner(w->function, expr);
    if (owner) return var_local(w->module->id, owner, expr->u.name.id);
  }
  if (expr->kind == EXPR_SUBSCRIPT) return expr_var(w, expr->u.subscript.value);
  return (Var){0};
}

const Value *eval_attr(Walker *w, const Expr *expr) {
  const Expr *base = expr->u.attr.value;
  Sym name = expr->u.attr.name;
  if (expr_is_super_call(base)) return super_member(w, name, expr->span);
  const Value *object = eval(w, base);
  const ApiFact *fact = NULL;
  Str api_name = {0};
  uint64_t root, key;
  const Value *belief = path_key(w, expr, &root, &key) ? env_fact(w->env, key) : NULL;
  const Value *value = belief ? belief : member_value(w, object, name, expr->span, &fact, &api_name);
  if (is_trace_local(w, object)) value = without_home(w, value);
  Var var = member_var(w, object, name);
  if (var.kind != VAR_NONE && (value->kinds & ~KINDS_CODE)) {
    record_read(w, var, expr->span);
    Event read = {.kind = EV_READ,
                  .expr = expr,
                  .span = expr->span,
                  .value = value,
                  .receiver = object,
                  .var = var,
                  .name = name};
    emit_event(w, &read);
  }
  Event event = {.kind = EV_ATTR,
                 .expr = expr,
                 .span = expr->span,
                 .receiver = object,
                 .result = value,
                 .name = name,
                 .api = fact,
                 .api_name = api_name,
                 .value = value};
  emit_event(w, &event);
  return value;
}

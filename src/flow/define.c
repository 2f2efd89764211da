/* Definitions and imports: functions with their decorators, classes with their bodies, and what import statements bind. */
#include "flow/walk.h"

/* ---- functions ---- */

/* `@x.setter`: adds to a property that is bound already. */
static bool is_accessor(const Expr *decorator) {
  if (decorator->kind != EXPR_ATTR) return false;
  Str name = decorator->u.attr.name->text;
  return str_eq(name, S("setter")) || str_eq(name, S("getter")) || str_eq(name, S("deleter"));
}

/* An outside decorator that we know nothing about gives the function back, as nearly all do. */
static bool is_unknown_api(const Walker *w, const Value *decorator) {
  if (!value_is(decorator, KIND(API)) || decorator->obj_len != 1 || !decorator->objs[0]->api)
    return value_is_unknown(decorator);
  const ApiFact *fact = catalog_api(w->project->catalog, decorator->objs[0]->api->text);
  return !fact || !(fact->tags & TAG(TRACING_DECORATOR));
}

/* What a decorator of the project gives back is not all known, and what was decorated is among it. Either an outside base
 * class has a word in it (`return super().__call__(symbol)`), or so many things are decorated that its calls share one
 * instance, and that instance returns any of them. */
static bool may_give_back(const Value *result, const Value *decorated) {
  if (!value_has(result, KIND(CLASS)) || !value_is(decorated, KIND(CLASS)) || decorated->obj_len != 1) return false;
  if (result->obj_more) return true;
  return value_is_unknown(result) && result->obj_len == 1 && obj_eq(result->objs[0], decorated->objs[0]);
}

static const Value *decorate(Walker *w, const Expr *decorator, const Value *function) {
  const Value *applied = eval(w, decorator);
  const Expr *exprs[] = {NULL};
  const Value *values[] = {function};
  Sym names[] = {NULL};
  Args args = {.exprs = exprs, .values = values, .names = names, .len = 1, .positional = 1};
  Call call = {
      .expr = decorator, .span = decorator->span, .args = &args, .context = walker_context(w), .decorates = true};
  const Value *result = call_value(w, applied, &call);
  Str name = {0};
  const ApiFact *fact = NULL;
  if (applied->obj_len == 1 && applied->objs[0]->api) {
    name = applied->objs[0]->api->text;
    fact = catalog_api(w->project->catalog, name);
  }
  Event event = {.kind = EV_CALL,
                 .expr = decorator,
                 .span = decorator->span,
                 .callee = applied,
                 .value = applied,
                 .result = result,
                 .args = &args,
                 .api = fact,
                 .api_name = name,
                 .used = true,
                 .decorates = true};
  emit_event(w, &event);
  if (value_is_unknown(result) && is_unknown_api(w, applied)) return function;
  if (may_give_back(result, function)) return function;
  return result;
}

static void bind_definition(Walker *w, Sym name, Span span, const Value *value) {
  Expr target = {.kind = EXPR_NAME, .ctx_store = 1, .span = span};
  target.u.name.id = name;
  Var var = {0};
  if (w->class_body) {
    target.u.name.ref = REF_CLASS;
    var = var_class((ClassRef){w->module->id, w->class_body->index}, name);
  } else {
    const Binding *binding = scope_find(w->function->scope, name);
    bool global = w->function->is_module || (binding && (binding->kinds & BIND_GLOBAL));
    target.u.name.ref = global ? REF_GLOBAL : REF_LOCAL;
    if (binding && !global) target.u.name.slot = binding->slot;
    if (global) var = var_global(w->module->id, name);
    if (!binding) return;
  }
  record_write(w, var, WRITE_DEFINE, span, value);
  assign_name(w, &target, value);
}

static void eval_signature(Walker *w, const Function *function) {
  for (uint32_t i = 0; i < function->param_len; i++) {
    if (function->params[i].fallback) eval(w, function->params[i].fallback);
  }
}

void exec_def(Walker *w, const Stmt *stmt) {
  const Function *function = stmt->u.function;
  eval_signature(w, function);
  const Value *value = function_value(w, function, stmt->id);
  for (uint32_t i = function->decorator_len; i > 0; i--) {
    const Expr *decorator = function->decorators[i - 1];
    if (is_accessor(decorator)) return;
    value = decorate(w, decorator, value);
  }
  Event event = {.kind = EV_DEFINE, .span = function->name_span, .function = function, .value = value};
  emit_event(w, &event);
  bind_definition(w, function->name, function->name_span, value);
}

/* ---- classes ---- */

static void walk_class_body(Walker *w, const Class *cls) {
  const Class *outer = w->class_body;
  Map names = w->class_names;
  w->class_body = cls;
  w->class_names = (Map){0};
  exec_block(w, &cls->body);
  w->class_body = outer;
  w->class_names = names;
}

void exec_class(Walker *w, const Stmt *stmt) {
  const Class *cls = stmt->u.class_;
  for (uint32_t i = 0; i < cls->bases.len; i++) eval(w, cls->bases.data[i]);
  walk_class_body(w, cls);
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_CLASS, .cls = {w->module->id, cls->index}, .env = NO_INSTANCE};
  const Value *value = value_of_obj(w->scratch, KIND(CLASS), obj);
  for (uint32_t i = cls->decorator_len; i > 0; i--) {
    const Value *decorated = decorate(w, cls->decorators[i - 1], value);
    if (value_has(decorated, KIND(CLASS) | KIND(TRACED))) value = decorated;
  }
  Event event = {.kind = EV_DEFINE, .span = cls->name_span, .class_ = cls, .value = value};
  emit_event(w, &event);
  bind_definition(w, cls->name, cls->name_span, value);
}

/* ---- imports ---- */

const Value *module_value(Walker *w, ModuleId module) {
  Obj *obj = arena_new(w->scratch, Obj);
  *obj = (Obj){.kind = OBJ_MODULE, .module = module, .env = NO_INSTANCE};
  return value_of_obj(w->scratch, KIND(MODULE), obj);
}

static const Value *outside_value(Walker *w, Sym dotted) {
  return api_value(w,
                   sym_intern(w->project->symbols, catalog_canonical(w->scratch, w->project->catalog, dotted->text)));
}

static Sym first_segment(Walker *w, Sym dotted) {
  size_t dot = str_find_char(dotted->text, '.');
  return dot == STR_NONE ? dotted : sym_intern(w->project->symbols, str_sub(dotted->text, 0, dot));
}

/* `import a.b` binds `a`, `import a.b as c` binds the submodule. */
static void import_module(Walker *w, const ImportName *name) {
  Sym bound = name->as ? name->as : first_segment(w, name->name);
  Sym meant = name->as ? name->name : bound;
  ModuleId module = project_import(w->project, w->module->id, meant, 0);
  bind_definition(w, bound, name->span, module != NO_MODULE ? module_value(w, module) : outside_value(w, meant));
}

static const Value *imported_member(Walker *w, const Stmt *stmt, const ImportName *name) {
  ModuleId module = project_import(w->project, w->module->id, stmt->u.import.module, stmt->u.import.dots);
  if (module != NO_MODULE) return member_value(w, module_value(w, module), name->name, name->span, NULL, NULL);
  if (!stmt->u.import.dots && stmt->u.import.module) {
    Sym dotted = sym_dotted(w->project->symbols, stmt->u.import.module, name->name);
    ModuleId submodule = project_import(w->project, w->module->id, dotted, 0);
    return submodule != NO_MODULE ? module_value(w, submodule) : outside_value(w, dotted);
  }
  ModuleId sibling = project_import(w->project, w->module->id, name->name, stmt->u.import.dots);
  return !stmt->u.import.module && sibling != NO_MODULE ? module_value(w, sibling) : &value_unknown;
}

void exec_import(Walker *w, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.import.len; i++) {
    const ImportName *name = &stmt->u.import.names[i];
    if (stmt->kind == STMT_IMPORT) {
      import_module(w, name);
    } else if (name->name) {
      bind_definition(w, name->as ? name->as : name->name, name->span, imported_member(w, stmt, name));
    }
  }
  Event event = {.kind = EV_IMPORT, .span = stmt->span};
  emit_event(w, &event);
}

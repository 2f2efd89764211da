/* Shared state as a walk sees it: cells of globals, fields and class attributes, and the results of other instances.
 *
 * Reads register the walk as a reader, so that it is repeated when what it read grows. Writes go to the walk's out and reach
 * the cells at the round's barrier.
 */
#include "flow/walk.h"

Var var_global(ModuleId module, Sym name) { return (Var){VAR_GLOBAL, module, 0, name}; }
Var var_field(ClassRef cls, Sym name) { return (Var){VAR_FIELD, cls.module, cls.index, name}; }
/* The attribute of an object that is not known: `self.model.apply_now = …` in a callback. */
Var var_any_field(Sym name) { return (Var){VAR_FIELD, NO_MODULE, UINT32_MAX, name}; }
Var var_class(ClassRef cls, Sym name) { return (Var){VAR_CLASS, cls.module, cls.index, name}; }
Var var_local(ModuleId module, const Function *function, Sym name) {
  return (Var){VAR_LOCAL, module, function->index, name};
}

static const Cell *find_cell(const struct Flow *flow, Var var) {
  const uint64_t *index = map_get(&flow->cells, var_key(var));
  return index ? flow->cell_list.data[*index - 1] : NULL;
}

bool cell_exists(const struct Flow *flow, Var var) {
  const Cell *cell = find_cell(flow, var);
  return cell && cell->value && cell->value->kinds;
}

bool flow_field_is_written(const struct Flow *flow, ClassRef cls, Sym name) {
  const uint64_t *first = map_get(&flow->field_cells, (uint64_t)(uintptr_t)name);
  for (const Cell *cell = first ? (const Cell *)(uintptr_t)*first : NULL; cell; cell = cell->next_of_name) {
    ClassRef owner = {cell->var.module, cell->var.owner};
    bool family = project_is_subclass(flow->project, cls, owner) || project_is_subclass(flow->project, owner, cls);
    if (family && cell->value && cell->value->kinds) return true;
  }
  return false;
}

const Value *not_known_yet(Walker *w) {
  w->out->saw_bottom = true;
  return w->instance->gave_up_waiting ? &value_unknown : &value_bottom;
}

static bool wraps(const Obj *obj, const Obj *function) {
  if (obj->kind != OBJ_TRACED || !obj->target || obj->target->obj_len != 1) return false;
  const Obj *target = obj->target->objs[0];
  return target->kind == OBJ_FUNCTION && func_eq(target->func, function->func);
}

/* After `f = tf.function(f)` the name means the traced function; the plain one it meant while the module was executed only. */
static const Value *without_wrapped(Walker *w, const Value *value) {
  if (value->obj_len < 2 || !value_has(value, KIND(TRACED)) || !value_has(value, KIND(FUNCTION))) return value;
  Value *copy = value_copy(w->scratch, value);
  bool plain = false;
  copy->obj_len = 0;
  for (uint32_t i = 0; i < value->obj_len; i++) {
    const Obj *obj = value->objs[i];
    bool wrapped = false;
    for (uint32_t k = 0; obj->kind == OBJ_FUNCTION && k < value->obj_len; k++) wrapped |= wraps(value->objs[k], obj);
    plain |= obj->kind == OBJ_FUNCTION && !wrapped;
    if (!wrapped) copy->objs[copy->obj_len++] = obj;
  }
  for (uint32_t i = copy->obj_len; i < value->obj_len; i++) copy->objs[i] = NULL;
  if (!plain && !value->obj_more) copy->kinds &= ~KIND(FUNCTION);
  return copy;
}

/* `tf = None` where the import failed: we speak of programs that have TensorFlow. */
static const Value *imported(Walker *w, const Value *value) {
  if (value->kinds != (KIND(API) | KIND(NONE)) || value->obj_len != 1 || value->obj_more) return value;
  const Obj *obj = value->objs[0];
  bool needed = obj->kind == OBJ_API && (sym_is(obj->api, S("tensorflow")) || sym_is(obj->api, S("keras")));
  return needed ? value_of_obj(w->scratch, KIND(API), obj) : value;
}

const Value *cell_read(Walker *w, Var var) {
  vec_push(w->out->arena, &w->out->cell_reads, var);
  const Cell *cell = find_cell(w->flow, var);
  const Value *value = cell ? cell->value : NULL;
  if (value && value->kinds) return imported(w, without_wrapped(w, value));
  return not_known_yet(w);
}

void cell_write(Walker *w, Var var, const Value *value) {
  if (w->listener || !value->kinds) return;
  vec_push(w->out->arena, &w->out->cell_writes, ((CellWrite){var, value}));
}

uint64_t family_key(const Request *request) {
  uint64_t key = hash_mix(func_key(request->func), (uint64_t)request->context << 32 | request->env);
  return hash_mix(key + request->kind, (uint64_t)request->receiver.module << 32 | request->receiver.index);
}

uint64_t request_key(const Request *request) {
  uint64_t key = request->param_len;
  for (uint32_t i = 0; i < request->param_len; i++) key = hash_mix(key, value_shape_hash(request->params[i]));
  return key;
}

static const Instance *find_instance(const struct Flow *flow, const Request *request) {
  const uint64_t *index = map_get(&flow->families, family_key(request));
  if (!index) return NULL;
  const Family *family = &flow->families_list.data[*index - 1];
  uint64_t key = request_key(request);
  for (uint32_t i = 0; i < family->members.len; i++) {
    const Instance *member = flow->instances.data[family->members.data[i]];
    if (!member->widened && member->key == key) return member;
  }
  return family->widened == NO_INSTANCE ? NULL : flow->instances.data[family->widened];
}

/* Would the call tell the instance anything new? */
static bool covers(Walker *w, const Instance *instance, const Request *request) {
  for (uint32_t i = 0; i < request->param_len && i < instance->param_len; i++) {
    const Value *join = value_join(w->scratch, instance->params[i], request->params[i]);
    if (!value_eq(join, instance->params[i])) return false;
  }
  return true;
}

const Value *instance_result(Walker *w, const Request *request) {
  for (uint32_t i = 0; i < request->param_len; i++) {
    if (!request->params[i]->kinds) return not_known_yet(w);
  }
  const Instance *instance = find_instance(w->flow, request);
  if (instance)
    vec_push(w->out->arena, &w->out->records.callees, ((Callee){instance->id, request->witness.span.start}));
  if (w->listener) return instance ? instance->result : &value_unknown;
  bool known = instance && covers(w, instance, request) && instance->witness.depth <= request->witness.depth;
  if (!known) vec_push(w->out->arena, &w->out->requests, *request);
  if (!instance) {
    w->out->saw_bottom = true;
    return &value_bottom;
  }
  vec_push(w->out->arena, &w->out->instance_reads, instance->id);
  if (instance->result->kinds || !instance->walks) return instance->result;
  return not_known_yet(w);
}

static bool at_top_level(const Walker *w) { return w->function->is_module && !w->class_body; }

bool is_own_setup(const Function *function) {
  while (function->parent && !function->owner) function = function->parent;
  Sym name = function->name;
  return function->owner && (sym_is(name, S("__init__")) || sym_is(name, S("__new__")) || sym_is(name, S("build")) ||
                             sym_is(name, S("__post_init__")) || sym_is(name, S("setup")) || sym_is(name, S("setUp")) ||
                             sym_is(name, S("compile")));
}

void record_write(Walker *w, Var var, WriteKind kind, Span span, const Value *value) {
  if (var.kind == VAR_NONE) return;
  WriteRecord record = {
      .var = var,
      .kind = kind,
      .module = w->module->id,
      .func = w->instance->func,
      .instance = w->instance->id,
      .span = span,
      .value = value,
      .context = w->context,
      .in_init = at_top_level(w) || w->class_body || is_own_setup(w->function) || (w->context & CTX_SETUP),
      .guarded = ((w->context & CTX_GUARDED) || frame_region_of(w, REGION_GUARD)),
      .in_loop = in_python_loop(w),
      .is_test = w->module->is_test,
      .top_level = at_top_level(w)};
  vec_push(w->out->arena, &w->out->records.writes, record);
}

/* "s" of `experience["s"]`, also below it: `experience["s"][0]`. NULL where no text says which item. */
static Sym constant_item(Walker *w, const Expr *path) {
  const Expr *index = NULL;
  for (; path->kind == EXPR_SUBSCRIPT; path = path->u.subscript.value) index = path->u.subscript.index;
  bool is_text = index && index->kind == EXPR_CONST && index->u.constant.kind == CONST_STR;
  return is_text ? sym_intern(w->project->symbols, index->u.constant.text) : NULL;
}

void record_contents(Walker *w, Var var, const Expr *path, WriteKind kind, Span span, const Value *value) {
  if (var.kind == VAR_NONE) return;
  record_write(w, var, kind, span, value);
  bool is_own = var_eq(expr_var(w, path), var);  // else `path` starts at an alias of some part of it
  vec_last(&w->out->records.writes).item = is_own ? constant_item(w, path) : NULL;
}

void record_read(Walker *w, Var var, Span span) {
  if (var.kind == VAR_NONE) return;
  ReadRecord record = {var, w->module->id, w->instance->func, w->instance->id, span, w->context};
  vec_push(w->out->arena, &w->out->records.reads, record);
}

void record_run(Walker *w, uint32_t at) {
  if (!ctx_traced(w->context)) vec_push(w->out->arena, &w->out->records.runs, at);
}

void record_blind(Walker *w, Span span, Str reason) {
  if (!ctx_traced(w->context)) return;
  vec_push(w->out->arena, &w->out->records.blind, ((BlindSpot){w->module->id, span, reason}));
}

/* Where the fixpoint starts: module bodies, Keras' conventions, and what nothing visible calls.
 *
 * A driver is an instance without a body of its own: it makes the calls that Keras would make on a class, or a first call of
 * traced functions that nobody visible calls, so that both run through the same code as a written call.
 */
#include "flow/walk.h"
#include "sema/walk.h"

enum { SUBCLASS_LIMIT = 16, SUBCLASS_DEPTH = 4 };

static const Witness seed_witness = {.caller = NO_INSTANCE};

static bool add(struct Flow *flow, const Request *request) {
  bool fresh;
  InstanceId id = instance_add(flow, request, &fresh);
  flow->instances.data[id]->seeded = true;
  return fresh;
}

void seed_modules(struct Flow *flow) {
  for (uint32_t i = 0; i < flow->project->module_count; i++) {
    if (!project_module(flow->project, i)->ast) continue;
    Request request = {.func = {i, 0}, .receiver = {NO_MODULE, 0}, .env = NO_INSTANCE, .witness = seed_witness};
    request.witness.module = i;
    add(flow, &request);
  }
}

static bool derives_from(const Project *project, const ClassInfo *info, Str base) {
  for (uint32_t i = 0; i < info->apis.len; i++) {
    const ApiFact *fact = catalog_api(project->catalog, info->apis.data[i]->text);
    if (fact && (str_eq(fact->name, base) || str_eq(fact->base, base))) return true;
  }
  return false;
}

static bool follows(const Project *project, const ClassInfo *info, const KerasMethod *method) {
  return method->base.len ? derives_from(project, info, method->base)
                          : (method->owners >> info->instance_kind & 1) != 0;
}

static bool has_conventions(const Project *project, const ClassInfo *info) {
  uint32_t count;
  const KerasMethod *methods = keras_methods(&count);
  for (uint32_t i = 0; i < count; i++) {
    if (follows(project, info, &methods[i])) return true;
  }
  return false;
}

void seed_drivers(struct Flow *flow) {
  for (uint32_t i = 0; i < flow->project->class_count; i++) {
    const ClassInfo *info = &flow->project->classes[i];
    if (!has_conventions(flow->project, info)) continue;
    Request request = {.kind = INSTANCE_KERAS_DRIVER,
                       .func = {info->ref.module, 0},
                       .receiver = info->ref,
                       .env = NO_INSTANCE,
                       .witness = seed_witness};
    request.witness.module = info->ref.module;
    add(flow, &request);
  }
}

/* ---- Keras ---- */

static const Value *self_of(Walker *w, ClassRef ref) {
  const ClassInfo *info = project_class_info(w->project, ref);
  Value *self = value_any_object(w->scratch, info);
  self->origin = ORIGIN_OUTER;
  self->why = (Why){WHY_KERAS, ref.module, info->class_->name_span, info->class_->name};
  return self;
}

/* A tensor whose first dimension is the batch: not known while tracing. Models also take structures of them. */
static const Value *batch_tensor(Walker *w, Span span, ModuleId module) {
  Value *tensor = value_new(w->scratch, KIND(TENSOR));
  tensor->flags = VF_PERHAPS_NEST;
  tensor->dims[0] = DIM_NONE;
  tensor->origin = ORIGIN_PARAM;
  tensor->why = (Why){WHY_KERAS, module, span, NULL};
  return tensor;
}

/* A weight or the step: a variable for Keras, but what may be asked of it is what may be asked of a tensor. */
static const Value *state_tensor(Walker *w, Span span, ModuleId module) {
  Value *tensor = value_new(w->scratch, KIND(TENSOR));
  tensor->origin = ORIGIN_PARAM;
  tensor->why = (Why){WHY_KERAS, module, span, NULL};
  return tensor;
}

static const Value *data_structure(Walker *w, Span span, ModuleId module) {
  Value *data = value_new(w->scratch, KIND(TUPLE));
  data->elem = batch_tensor(w, span, module);
  data->origin = ORIGIN_PARAM;
  return data;
}

static Value *flag_value(Walker *w) {
  Value *flag = value_new(w->scratch, KIND(BOOL) | KIND(NONE));
  flag->flags = VF_FLAG;
  return flag;
}

static bool is_bool_literal(const Expr *expr) {
  return expr && expr->kind == EXPR_CONST &&
         (expr->u.constant.kind == CONST_TRUE || expr->u.constant.kind == CONST_FALSE);
}

/* A class with a `__call__` of its own packs what its `call` gets: who knows which axis is the batch. */
static bool packs_inputs(Walker *w) {
  FuncRef found;
  ClassRef owner;
  return project_method(w->project, w->receiver->ref, sym_intern(w->project->symbols, S("__call__")), &found, &owner);
}

static const Value *input_tensor(Walker *w, Span span, ModuleId module) {
  const Value *tensor = batch_tensor(w, span, module);
  if (!packs_inputs(w)) return tensor;
  Value *packed = value_copy(w->scratch, tensor);
  packed->dims[0] = 0;  // as in any tensor whose shape is not known
  return packed;
}

static const Value *keras_param(Walker *w, const KerasMethod *method, const Module *module, const Param *param,
                                bool first) {
  Span span = param->span;
  if (param->name && sym_is(param->name->u.name.id, S("training"))) return flag_value(w);
  if (!first && is_bool_literal(param->fallback)) {  // Keras itself never passes `inverse=True`
    return value_bool(w->scratch, param->fallback->u.constant.kind == CONST_TRUE);
  }
  const Value *own = annotated_object(w, module, param);
  if (own) return own;  // `data: GraphTensor`
  switch (method->params) {
    case KERAS_PARAMS_INPUTS:
      return first ? input_tensor(w, span, module->id) : &value_unknown;
    case KERAS_PARAMS_DATA:
      return first ? data_structure(w, span, module->id) : &value_unknown;
    case KERAS_PARAMS_TENSORS:
      return param->fallback ? &value_unknown : batch_tensor(w, span, module->id);
    case KERAS_PARAMS_STATE:
      return first ? state_tensor(w, span, module->id) : &value_unknown;
    case KERAS_PARAMS_NONE:
      break;
  }
  return &value_unknown;
}

/* A parameter used like a structure is one: `inputs["x"]`, `a, b = inputs`, `inputs[0]` stay open. */
static const Value *keras_input(Walker *w, const Module *module, const Function *function, const Param *param,
                                const Value *tensor) {
  ParamUse use = param_use(w, module, function, param);
  if (!use.as_mapping && !use.as_sequence) {
    return use.as_tensor || use.as_operand ? value_with_flags(w->scratch, tensor, 0, VF_PERHAPS_NEST) : tensor;
  }
  Value *structure = value_new(w->scratch, use.as_mapping ? KIND(DICT) : KIND(TUPLE));
  structure->elem = tensor;
  structure->origin = ORIGIN_PARAM;
  return structure;
}

static void visit_super(void *context, Expr *expr, const Function *function) {
  (void)function;
  bool *found = context;
  *found |= expr_is_super_call(expr);
}

static bool calls_super(const Function *function) {
  bool found = false;
  Walk walk = {.visit = visit_super, .context = &found};
  walk_block(&walk, &function->body);
  return found;
}

/* A class with a loop of its own around its steps: that says how they are traced, and whether they are converted. */
static bool has_own_loop(const Walker *w, const KerasMethod *method) {
  static const struct {
    Str step, maker;
  } loops[] = {{S_INIT("train_step"), S_INIT("make_train_function")},
               {S_INIT("test_step"), S_INIT("make_test_function")},
               {S_INIT("predict_step"), S_INIT("make_predict_function")}};
  FuncRef own;
  ClassRef owner;
  for (size_t i = 0; w->receiver && i < sizeof loops / sizeof *loops; i++) {
    Sym maker = str_eq(method->name, loops[i].step) ? sym_intern(w->project->symbols, loops[i].maker) : NULL;
    if (maker && project_method(w->project, w->receiver->ref, maker, &own, &owner)) {
      return !calls_super(project_function(w->project, own));
    }
  }
  return false;
}

static void drive_method(Walker *w, const KerasMethod *method, const Value *callee) {
  const Obj *obj = callee->objs[0];
  const Obj *target = obj->kind == OBJ_TRACED && obj->target && obj->target->obj_len ? obj->target->objs[0] : obj;
  if (target->kind != OBJ_FUNCTION) return;
  const Module *module = project_module(w->project, target->func.module);
  const Function *function = project_function(w->project, target->func);
  Args args = {.exprs = arena_array(w->scratch, const Expr *, function->param_len + 1),
               .values = arena_array(w->scratch, const Value *, function->param_len + 1),
               .names = arena_array(w->scratch, Sym, function->param_len + 1)};
  for (uint32_t i = 1; i < function->param_len && function->params[i].kind <= PARAM_NORMAL; i++) {
    const Param *param = &function->params[i];
    const Value *value = keras_param(w, method, module, param, i == 1);
    if (value_is(value, KIND(TENSOR))) value = keras_input(w, module, function, param, value);
    args.values[args.len++] = value;
  }
  args.positional = args.len;
  KerasFlavor flavor = module->flavor ? module->flavor : w->project->flavor;
  Call call = {.span = function->name_span,
               .args = &args,
               .context = keras_method_context(method, flavor),
               .root = ROOT_KERAS_METHOD,
               .root_module = module->id,
               .root_span = function->name_span};
  call_value(w, callee, &call);
}

/* build() runs once, outside of any trace. */
static void drive_build(Walker *w, const Value *self) {
  const Value *build =
      member_value(w, self, sym_intern(w->project->symbols, S("build")), w->module->ast->module->span, NULL, NULL);
  if (!value_has(build, KIND(FUNCTION))) return;
  Args args = {.has_star = true, .has_kwstar = true};
  Call call = {.args = &args, .setup = true};
  call_value(w, build, &call);
}

/* compile(run_eagerly=True) takes the class out. */
static bool runs_eagerly(Walker *w) {
  const Value *flag = cell_exists(w->flow, run_eagerly_var(w, w->receiver->ref))
                          ? cell_read(w, run_eagerly_var(w, w->receiver->ref))
                          : NULL;
  if (!flag) vec_push(w->out->arena, &w->out->cell_reads, run_eagerly_var(w, w->receiver->ref));
  return flag && flag->konst == KONST_BOOL && flag->constant.i;
}

Var run_eagerly_var(Walker *w, ClassRef cls) {
  return var_class(cls, sym_intern(w->project->symbols, S("<run_eagerly>")));
}

static void walk_keras_driver(Walker *w) {
  const Value *self = self_of(w, w->receiver->ref);
  if (value_is(self, KIND(LAYER) | KIND(MODEL))) drive_build(w, self);
  if (runs_eagerly(w)) return;
  uint32_t count;
  const KerasMethod *methods = keras_methods(&count);
  for (uint32_t i = 0; i < count; i++) {
    if (!follows(w->project, w->receiver, &methods[i]) || has_own_loop(w, &methods[i])) continue;
    Sym name = sym_intern(w->project->symbols, methods[i].name);
    const Value *callee = member_value(w, self, name, w->receiver->class_->name_span, NULL, NULL);
    if (callee->obj_len == 1 && value_has(callee, KIND(FUNCTION) | KIND(TRACED))) drive_method(w, &methods[i], callee);
  }
}

/* ---- traced functions that nobody visible calls ---- */

static const Obj *function_in(const Obj *traced) {
  const Value *target = traced->target;
  while (target && target->obj_len == 1 && target->objs[0]->kind == OBJ_PARTIAL) target = target->objs[0]->target;
  if (!target || target->obj_len != 1 || target->objs[0]->kind != OBJ_FUNCTION) return NULL;
  return target->objs[0];
}

/* Calls a traced method on an object of the class, and on one of each subclass, which may override what it calls. */
static void drive_on_classes(Walker *w, const Obj *traced, const Call *call, ClassRef ref, uint32_t depth) {
  Obj *bound = arena_new(w->scratch, Obj);
  *bound = *traced;
  bound->self = self_of(w, ref);
  call_traced(w, bound, call);
  const ClassInfo *info = project_class_info(w->project, ref);
  for (uint32_t i = 0; i < info->subclasses.len && i < SUBCLASS_LIMIT && depth < SUBCLASS_DEPTH; i++) {
    drive_on_classes(w, traced, call, info->subclasses.data[i], depth + 1);
  }
}

static void drive_traced(Walker *w, const Obj *traced, const Call *call) {
  const Obj *function = function_in(traced);
  const Function *definition = function ? project_function(w->project, function->func) : NULL;
  bool method =
      definition && definition->owner && !function->self && traced->binding != METHOD_STATIC && definition->param_len;
  if (method) drive_on_classes(w, traced, call, (ClassRef){function->func.module, definition->owner->index}, 0);
  else call_traced(w, traced, call);
}

static void walk_traced_driver(Walker *w) {
  const Instance *maker = w->flow->instances.data[w->instance->env];
  Args args = {.has_star = true, .has_kwstar = true};
  for (uint32_t i = 0; i < maker->records.makes.len; i++) {
    const Obj *obj = maker->records.makes.data[i].obj;
    if (obj->kind != OBJ_TRACED || is_called_elsewhere(w->flow, obj, w->instance->id)) continue;
    Call call = {.span = obj->trace->span, .args = &args};
    drive_traced(w, obj, &call);
  }
}

/* Somebody else still calls the instance: an unstable walk may have asked for it that does so no more. Whoever calls it
 * is among its readers. */
static bool is_entered_elsewhere(const struct Flow *flow, const Instance *instance, InstanceId driver) {
  for (uint32_t i = 0; i < instance->readers.len; i++) {
    const Instance *caller = flow->instances.data[instance->readers.data[i]];
    if (caller->id == driver || !caller->reachable) continue;
    for (uint32_t c = 0; c < caller->records.callees.len; c++)
      if (caller->records.callees.data[c].id == instance->id) return true;
  }
  return false;
}

/* Has somebody else entered this traced function? */
bool is_called_elsewhere(const struct Flow *flow, const Obj *traced, InstanceId driver) {
  const Obj *function = function_in(traced);
  if (!function) return true;
  const Instance *instance = instance_of_func(flow, function->func);
  for (; instance; instance = instance_next_of_func(flow, instance)) {
    bool in_trace = instance->kind == INSTANCE_FUNCTION && ctx_traced(instance->context);
    if (in_trace && instance->witness.caller != driver && is_entered_elsewhere(flow, instance, driver)) return true;
  }
  return false;
}

void walk_driver(Walker *w) {
  if (w->instance->kind == INSTANCE_KERAS_DRIVER) walk_keras_driver(w);
  else walk_traced_driver(w);
}

static bool seed_traced(struct Flow *flow) {
  bool any = false;
  uint32_t count = flow->instances.len;
  for (uint32_t i = 0; i < count; i++) {
    Instance *maker = flow->instances.data[i];
    bool uncalled = false;
    for (uint32_t m = 0; m < maker->records.makes.len && !uncalled; m++) {
      const Obj *obj = maker->records.makes.data[m].obj;
      uncalled = obj->kind == OBJ_TRACED && !is_called_elsewhere(flow, obj, NO_INSTANCE);
    }
    if (!uncalled) continue;
    Request request = {.kind = INSTANCE_TRACED_DRIVER,
                       .func = maker->func,
                       .receiver = maker->receiver,
                       .env = maker->id,
                       .witness = seed_witness};
    request.witness.module = maker->func.module;
    any |= add(flow, &request);
  }
  return any;
}

/* ---- functions that nobody visible calls ---- */

/* First instance of every function that has one: who captures from whom. */
static Map entered_functions(struct Flow *flow, Arena *arena) {
  Map entered = {0};
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    const Instance *instance = flow->instances.data[i];
    if (instance->kind != INSTANCE_FUNCTION || !(instance->reachable || instance->seeded)) continue;
    bool fresh;
    uint64_t *place = map_put(arena, &entered, func_key(instance->func), &fresh);
    if (fresh) *place = i;
  }
  return entered;
}

static const Value *own_self(struct Flow *flow, Arena *arena, ClassRef ref) {
  Value *self = value_any_object(arena, project_class_info(flow->project, ref));
  self->origin = ORIGIN_OUTER;
  return self;
}

bool is_static_method(const Function *function) {
  for (uint32_t i = 0; i < function->decorator_len; i++) {
    const Expr *decorator = function->decorators[i];
    if (decorator->kind == EXPR_NAME && sym_is(decorator->u.name.id, S("staticmethod"))) return true;
  }
  return false;
}

static Request uncalled_request(struct Flow *flow, Arena *arena, FuncRef ref, const Function *function,
                                const Map *entered) {
  Request request = {.func = ref,
                     .receiver = {NO_MODULE, 0},
                     .env = NO_INSTANCE,
                     .param_len = function->param_len,
                     .witness = seed_witness};
  request.witness.module = ref.module;
  request.params = arena_array(arena, const Value *, function->param_len + 1);
  for (uint32_t i = 0; i < function->param_len; i++) request.params[i] = &value_unknown;
  if (function->owner) {
    request.receiver = (ClassRef){ref.module, function->owner->index};
    if (function->param_len && !is_static_method(function)) request.params[0] = own_self(flow, arena, request.receiver);
  }
  if (function->parent && !function->parent->is_module) {
    const uint64_t *parent = map_get(entered, func_key((FuncRef){ref.module, function->parent->index}));
    if (parent) request.env = (InstanceId)*parent;
    if (parent && !function->owner) request.receiver = flow->instances.data[*parent]->receiver;
  }
  return request;
}

static bool seed_plain(struct Flow *flow, bool setup) {
  Arena arena = {0};
  Map entered = entered_functions(flow, &arena);
  bool any = false;
  for (uint32_t m = 0; m < flow->project->module_count; m++) {
    const Module *module = project_module(flow->project, m);
    for (uint32_t f = 1; module->ast && f < module->ast->functions.len; f++) {
      FuncRef ref = {m, f};
      const Function *function = project_function(flow->project, ref);
      if (function->is_lambda || is_own_setup(function) != setup || map_get(&entered, func_key(ref))) continue;
      Request request = uncalled_request(flow, &arena, ref, function, &entered);
      any |= add(flow, &request);
    }
  }
  arena_release(&arena);
  return any;
}

bool seed_uncalled(struct Flow *flow) {
  if (seed_traced(flow)) return true;
  // Constructors first: what they call is then seen to be part of them, before it is taken for a function on its own.
  return seed_plain(flow, true) || seed_plain(flow, false);
}

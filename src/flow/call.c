/* The call expression: callee, arguments, dispatch by callee, effects on the receiver, the event.
 *
 *   self.buffer.append(x)      callee: API method builtins.list.append bound to the value of self.buffer; its home says which
 *                              place changes; store_back replaces what the path holds
 */
#include "flow/walk.h"

/* ---- arguments ---- */

typedef struct ArgBuilder {
  VEC(const Expr *) exprs;
  VEC(const Value *) values;
  VEC(Sym) names;
  uint32_t positional;
  bool has_star, has_kwstar;
} ArgBuilder;

static void add_arg(Walker *w, ArgBuilder *args, const Expr *expr, const Value *value, Sym name) {
  vec_push(w->scratch, &args->exprs, expr);
  vec_push(w->scratch, &args->values, value);
  vec_push(w->scratch, &args->names, name);
  if (!name) args->positional++;
}

static void add_starred(Walker *w, ArgBuilder *args, const Expr *expr) {
  const Value *value = eval(w, expr->u.starred);
  Event event = {
      .kind = EV_ITERATE, .expr = expr->u.starred, .span = expr->span, .value = value, .iterator = ITER_STARRED};
  emit_event(w, &event);
  if (!value->parts_exact || value->keys || args->has_star) {
    args->has_star = true;
    return;
  }
  for (uint32_t i = 0; i < value->part_len; i++) add_arg(w, args, expr, value->parts[i], NULL);
}

static void add_keywords(Walker *w, ArgBuilder *args, const Expr *expr) {
  for (uint32_t i = 0; i < expr->u.call.keyword_len; i++) {
    const Keyword *keyword = &expr->u.call.keywords[i];
    const Value *value = eval(w, keyword->value);
    if (keyword->name) {
      add_arg(w, args, keyword->value, value, keyword->name);
    } else if (value->parts_exact && value->keys) {
      for (uint32_t k = 0; k < value->part_len; k++) add_arg(w, args, keyword->value, value->parts[k], value->keys[k]);
    } else {
      args->has_kwstar = true;
    }
  }
}

static const Args *eval_args(Walker *w, const Expr *expr) {
  ArgBuilder builder = {0};
  for (uint32_t i = 0; i < expr->u.call.args.len; i++) {
    const Expr *arg = expr->u.call.args.data[i];
    if (arg->kind == EXPR_STARRED) {
      add_starred(w, &builder, arg);
    } else if (!builder.has_star) {
      add_arg(w, &builder, arg, eval(w, arg), NULL);
    } else {
      eval(w, arg);  // behind a star of unknown length: position unknown
    }
  }
  add_keywords(w, &builder, expr);
  Args *args = arena_new(w->scratch, Args);
  *args = (Args){.exprs = builder.exprs.data,
                 .values = builder.values.data,
                 .names = builder.names.data,
                 .len = builder.values.len,
                 .positional = builder.positional,
                 .has_star = builder.has_star,
                 .has_kwstar = builder.has_kwstar};
  return args;
}

static const Args *eval_args_of(Walker *w, const Expr *expr, const ApiFact *fact) {
  bool outer_in = w->in_argument;
  const ApiFact *outer = w->argument_of;
  w->in_argument = true;
  w->argument_of = fact;
  const Args *args = eval_args(w, expr);
  w->in_argument = outer_in;
  w->argument_of = outer;
  return args;
}

static Args *copy_args(Arena *arena, const Args *args, bool deep) {
  Args *copy = arena_new(arena, Args);
  *copy = *args;
  const Expr **exprs = arena_array(arena, const Expr *, args->len + 1);
  const Value **values = arena_array(arena, const Value *, args->len + 1);
  Sym *names = arena_array(arena, Sym, args->len + 1);
  for (uint32_t i = 0; i < args->len; i++) {
    exprs[i] = args->exprs[i];
    values[i] = deep ? value_deep_copy(arena, args->values[i]) : args->values[i];
    names[i] = args->names[i];
  }
  copy->exprs = exprs;
  copy->values = values;
  copy->names = names;
  return copy;
}

const Args *args_copy(Arena *arena, const Args *args) { return copy_args(arena, args, false); }
const Args *args_deep_copy(Arena *arena, const Args *args) { return copy_args(arena, args, true); }

/* ---- who is called ---- */

/* The one fact that says what an outside callee does; NULL for project code and mixtures. */
static const ApiFact *callee_fact(Walker *w, const Value *callee, Str *name, const Value **receiver) {
  if (callee->obj_len != 1 || !value_is(callee, KIND(API) | KIND(OBJECT) | KINDS_TRACKABLE | KIND(LOSS))) return NULL;
  const Obj *obj = callee->objs[0];
  if (obj->kind == OBJ_API || obj->kind == OBJ_API_METHOD) {
    *name = obj->api->text;
    *receiver = obj->self;
    return catalog_api(w->project->catalog, obj->api->text);
  }
  if (obj->kind == OBJ_API_INSTANCE) {
    *receiver = callee;
    return catalog_api_member(w->project->catalog, obj->api->text, S("__call__"), name);
  }
  return NULL;
}

static Str blind_reason(const Expr *callee) {
  switch ((ExprKind)callee->kind) {
    case EXPR_NAME:
      return callee->u.name.ref == REF_LOCAL ? S("a local or parameter of unknown value")
                                             : S("a name of unknown value");
    case EXPR_ATTR:
      return S("an attribute of an unknown object");
    case EXPR_CALL:
      return S("the result of a call");
    case EXPR_SUBSCRIPT:
      return S("an element of a container");
    default:
      return S("an expression");
  }
}

static bool runs_project_code(const Value *callee) {
  if (value_is_unknown(callee)) return true;
  return value_has(callee, KIND(FUNCTION) | KIND(TRACED) | KIND(CLASS) | KIND(INSTANCE) | KINDS_TRACKABLE);
}

static void count_call(Walker *w, const Expr *expr, const Value *callee) {
  if (!ctx_traced(w->context) || w->silent) return;
  if (value_is_unknown(callee)) {
    record_blind(w, expr->span, blind_reason(expr->u.call.callee));
  } else if (callee->kinds) {
    w->out->records.calls_resolved++;
  }
}

/* `random.shuffle(rows)`, `rng.shuffle(rows)`, `heapq.heappush(rows, x)`: the first argument changes, nobody follows how. That a
 * shuffle in a trace happens once is told there. */
static void change_argument(Walker *w, const Expr *expr, const Call *call, const ApiFact *fact) {
  const Value *container = args_get(call->args, 0, S(""));
  const Expr *path = args_expr(call->args, 0, S(""));
  bool draws = (fact->tags & (TAG(RANDOM) | TAG(NUMPY_RANDOM))) != 0;
  if (!container || !path || !value_is(container, KINDS_CONTAINER | KIND(ARRAY))) return;
  if (draws && ctx_traced(w->context)) return;
  Var var = expr_var(w, path);
  if (var.kind == VAR_NONE && container->origin == ORIGIN_OUTER) var = container->home;
  record_contents(w, var, path, (fact->tags & TAG(GROWS)) ? WRITE_GROW : WRITE_ITEM, expr->span, container);
}

/* In-place methods change what the receiver's path holds: `rows.append(t)`, `t.set_shape([3])`. */
static void apply_mutation(Walker *w, const Expr *expr, const Call *call, const ApiFact *fact, Str name) {
  if (fact && (fact->tags & TAG(MUTATES)) && (!call->receiver || value_is(call->receiver, KIND(HOST_RNG)))) {
    change_argument(w, expr, call, fact);
    return;
  }
  if (!fact || !(fact->tags & (TAG(MUTATES) | TAG(FIXED_SHAPE)))) return;
  if (!call->receiver || expr->u.call.callee->kind != EXPR_ATTR) return;
  const Expr *path = expr->u.call.callee->u.attr.value;
  if (fact->tags & TAG(FIXED_SHAPE)) {
    const Value *shape = args_get(call->args, 0, S("shape"));
    if (value_is(call->receiver, KIND(TENSOR) | KIND(EAGER_TENSOR)))
      store_back(w, path, tensor_with_shape(w, call->receiver, shape));
    return;
  }
  const Value *changed = container_method(w, name, call, fact);
  Var var = expr_var(w, path);
  if (var.kind == VAR_NONE && call->receiver->origin == ORIGIN_OUTER) var = call->receiver->home;
  WriteKind kind = (fact->tags & TAG(GROWS)) ? WRITE_GROW : WRITE_SHRINK;
  record_contents(w, var, path, kind, expr->span, call->receiver);
  if (changed) store_back(w, path, changed);
}

/* ---- shapes that a helper sets ---- */

/* The first dimension counts also where the rank is not known: a batch. */
static bool misses_dimension(const Value *v) {
  bool misses = v->dims[0] == DIM_NONE;
  for (uint32_t i = 1; i < v->dim_len; i++) misses |= v->dims[i] == DIM_NONE;
  return misses && value_is(v, KIND(TENSOR));
}

/* What is not known while tracing may be known from here on. */
static const Value *with_set_shape(Walker *w, const Value *tensor) {
  Value *shaped = value_copy(w->scratch, tensor);
  for (uint32_t i = 0; i < VALUE_DIMS; i++) {
    if (shaped->dims[i] == DIM_NONE) shaped->dims[i] = DIM_UNKNOWN;
  }
  return shaped;
}

/* `fix_shape(image)`, where the helper calls `set_shape` on its parameter. */
static void take_shapes(Walker *w, const Value *callee, const Args *args) {
  if (!ctx_traced(w->context) || callee->obj_len != 1) return;
  const Obj *obj = callee->objs[0];
  if (obj->kind != OBJ_FUNCTION) return;
  const Module *module = project_module(w->project, obj->func.module);
  const Function *function = project_function(w->project, obj->func);
  uint32_t skip = obj->self ? 1 : 0;
  for (uint32_t i = 0; i < args->positional && i + skip < function->param_len; i++) {
    if (!args->exprs[i] || !misses_dimension(args->values[i])) continue;
    if (param_use(w, module, function, &function->params[i + skip]).sets_shape)
      store_back(w, args->exprs[i], with_set_shape(w, args->values[i]));
  }
}

static Str method_name(Str qualified) {
  size_t dot = str_rfind_char(qualified, '.');
  return dot == STR_NONE ? qualified : str_sub(qualified, dot + 1, qualified.len);
}

const Value *eval_call(Walker *w, const Expr *expr) {
  const Expr *target = w->direct_target;
  bool used = w->used_as_statement != expr;
  w->direct_target = NULL;
  const Value *callee = eval(w, expr->u.call.callee);
  Call call = {.expr = expr, .span = expr->span};
  Str name = {0};
  const ApiFact *fact = callee_fact(w, callee, &name, &call.receiver);
  const Args *args = eval_args_of(w, expr, fact);
  call.args = args;
  call.context = walker_context(w);
  count_call(w, expr, callee);
  const Value *result = call_value(w, callee, &call);
  if (runs_project_code(callee)) env_drop_facts(w->env);
  take_shapes(w, callee, args);
  apply_mutation(w, expr, &call, fact, method_name(name));
  Event event = {.kind = EV_CALL,
                 .expr = expr,
                 .span = expr->span,
                 .callee = callee,
                 .value = callee,
                 .receiver = call.receiver,
                 .result = result,
                 .args = args,
                 .api = fact,
                 .api_name = name,
                 .target = target,
                 .used = used};
  if (call.receiver) event.var = call.receiver->home;
  emit_event(w, &event);
  return result;
}

/* Expressions: names, literals, containers, comprehensions, and the dispatch to the files for the rest.
 *
 * Every evaluation counts a step; past the budget everything is unknown and the instance is marked, so a monstrous function
 * costs a bounded amount of work.
 */
#include "flow/walk.h"

static const Value *none_value(Walker *w) { return value_new(w->scratch, KIND(NONE)); }

const Value *eval_opt(Walker *w, const Expr *expr) { return expr ? eval(w, expr) : none_value(w); }

const Value *eval_quiet(Walker *w, const Expr *expr) {
  Records records = w->out->records;
  w->silent++;
  const Value *value = eval(w, expr);
  w->silent--;
  w->out->records = records;
  return value;
}

/* ---- names ---- */

static void note_read(Walker *w, const Expr *expr, Var var, const Value *value) {
  if (value->kinds && !(value->kinds & ~KINDS_CODE)) return;
  record_read(w, var, expr->span);
  Event event = {.kind = EV_READ, .expr = expr, .span = expr->span, .value = value, .var = var, .name = var.name};
  emit_event(w, &event);
}

/* The value of a captured variable: the join of all writes in the instance of the function that owns it. */
static const Value *eval_free(Walker *w, const Expr *expr) {
  const Instance *owner = w->instance;
  for (uint32_t i = 0; i < expr->u.name.up; i++) {
    if (owner->env == NO_INSTANCE) return &value_unknown;
    owner = w->flow->instances.data[owner->env];
  }
  vec_push(w->out->arena, &w->out->instance_reads, owner->id);
  const Function *function = project_function(w->project, owner->func);
  if (expr->u.name.slot >= function->scope->slot_count) return &value_unknown;
  const Value *value = owner->cells[expr->u.name.slot];
  if (!value || !value->kinds) {
    return not_known_yet(w);
  }
  if (!ctx_traced(owner->context)) note_read(w, expr, var_local(owner->func.module, function, expr->u.name.id), value);
  return value;
}

static uint32_t global_index(const Walker *w, Sym name) {
  const Scope *scope = w->function->scope;
  const Binding *binding = scope_find(scope, name);
  return binding ? (uint32_t)(binding - scope->bindings.data) : UINT32_MAX;
}

static const Value *eval_global(Walker *w, const Expr *expr) {
  Var var = var_global(w->module->id, expr->u.name.id);
  if (w->function->is_module) {
    uint32_t index = global_index(w, expr->u.name.id);
    const Value *now = index != UINT32_MAX ? w->env->globals[index] : NULL;
    if (now) {
      if (now->kinds & ~KINDS_CODE) record_read(w, var, expr->span);
      return now;
    }
  }
  uint64_t root, key;
  const Value *fact = path_key(w, expr, &root, &key) ? env_fact(w->env, key) : NULL;
  const Value *value = fact ? fact : cell_read(w, var);
  note_read(w, expr, var, value);
  return value;
}

static const Value *entity_value(Walker *w, const Entity *entity) {
  switch (entity->kind) {
    case ENTITY_API:
      return api_value(w, entity->api);
    case ENTITY_MODULE:
      return module_value(w, entity->module);
    case ENTITY_FUNCTION: {
      const Function *function = project_function(w->project, (FuncRef){entity->module, entity->index});
      return cell_read(w, var_global(entity->module, function->name));
    }
    case ENTITY_CLASS:
      return cell_read(
          w, var_global(entity->module, project_class(w->project, (ClassRef){entity->module, entity->index})->name));
    case ENTITY_GLOBAL:
      return cell_read(w, var_global(entity->module, entity->name));
    default:
      return &value_unknown;
  }
}

const Value *entities_value(Walker *w, const EntitySet *set) {
  if (!set->len) return &value_unknown;
  const Value *join = NULL;
  for (uint32_t i = 0; i < set->len; i++) join = value_join(w->scratch, join, entity_value(w, &set->items[i]));
  return join;
}

static const Value *eval_builtin(Walker *w, const Expr *expr) {
  EntitySet set = project_resolve(w->project, w->module->id, w->function, expr);
  return entities_value(w, &set);
}

static const Value *eval_class_name(Walker *w, const Expr *expr) {
  const uint64_t *found = map_get(&w->class_names, (uint64_t)(uintptr_t)expr->u.name.id);
  if (found) return (const Value *)(uintptr_t)*found;
  if (scope_find(w->module->ast->module->scope, expr->u.name.id)) {
    return cell_read(w, var_global(w->module->id, expr->u.name.id));
  }
  return eval_builtin(w, expr);
}

const Value *eval_name(Walker *w, const Expr *expr) {
  switch (expr->u.name.ref) {
    case REF_LOCAL: {
      const Value *value = w->env->slots[expr->u.name.slot];
      return value ? value : &value_unknown;
    }
    case REF_FREE:
      return eval_free(w, expr);
    case REF_GLOBAL:
      return eval_global(w, expr);
    case REF_CLASS:
      return eval_class_name(w, expr);
    default:
      return eval_builtin(w, expr);
  }
}

/* ---- literals ---- */

static const Value *eval_const(Walker *w, const Expr *expr) {
  Value *value = value_new(w->scratch, KIND(NUMBER));
  value->origin = ORIGIN_FRESH;
  switch (expr->u.constant.kind) {
    case CONST_NONE:
      value->kinds = KIND(NONE);
      break;
    case CONST_ELLIPSIS:
      value->kinds = KIND(OBJECT);
      break;
    case CONST_TRUE:
    case CONST_FALSE:
      return value_bool(w->scratch, expr->u.constant.kind == CONST_TRUE);
    case CONST_STR:
      return value_str(w->scratch, expr->u.constant.text);
    case CONST_BYTES:
      value->kinds = KIND(TEXT);
      value->dtype = DT_STRING;
      break;
    case CONST_INT:
      if (expr->u.constant.exact) return value_int(w->scratch, expr->u.constant.i);
      value->dtype = DT_INT32;
      break;
    case CONST_FLOAT:
      value->dtype = DT_FLOAT32;
      value->konst = expr->u.constant.exact ? KONST_FLOAT : KONST_NONE;
      value->constant.f = expr->u.constant.f;
      break;
    case CONST_COMPLEX:
      value->dtype = DT_COMPLEX64;
      break;
  }
  return value;
}

/* A member of a set or a key of a dict that is being made. */
static void emit_hashed(Walker *w, const Expr *expr, Span span, const Value *key, KindSet of) {
  Event event = {.kind = EV_SUBSCRIPT,
                 .expr = expr,
                 .span = span,
                 .value = key,
                 .receiver = value_new(w->scratch, of),
                 .store = STORE_ASSIGN};
  emit_event(w, &event);
}

static const Value *eval_sequence(Walker *w, const Expr *expr, Kind kind) {
  const ExprList *items = &expr->u.items;
  const Value **parts = arena_array(w->scratch, const Value *, items->len + 1);
  bool exact = true;
  for (uint32_t i = 0; i < items->len; i++) {
    const Expr *item = items->data[i];
    if (item->kind == EXPR_STARRED) {
      exact = false;
      const Value *value = eval(w, item->u.starred);
      Event event = {
          .kind = EV_ITERATE, .expr = item->u.starred, .span = item->span, .value = value, .iterator = ITER_STARRED};
      emit_event(w, &event);
      parts[i] = value_element(w->scratch, value);
    } else {
      parts[i] = eval(w, item);
      if (kind == K_SET) emit_hashed(w, expr, item->span, parts[i], KIND(SET));
    }
  }
  const Value *sequence = value_sequence(w->scratch, exact ? kind : K_LIST, parts, items->len);
  Value *result = value_copy(w->scratch, sequence);
  result->kinds = (KindSet)1 << kind;
  result->origin = ORIGIN_FRESH;
  if (!exact || kind == K_SET) {
    result->elem = NULL;
    for (uint32_t i = 0; i < items->len; i++) result->elem = value_join(w->scratch, result->elem, parts[i]);
    result->parts_exact = false;
    result->part_len = 0;
  }
  return result;
}

static const Value *eval_dict(Walker *w, const Expr *expr) {
  const ExprList *keys = &expr->u.dict.keys, *values = &expr->u.dict.values;
  Value *dict = value_new(w->scratch, KIND(DICT));
  dict->origin = ORIGIN_FRESH;
  dict->parts = arena_array(w->scratch, const Value *, values->len + 1);
  dict->keys = arena_array(w->scratch, Sym, values->len + 1);
  bool exact = values->len <= VALUE_WIDTH;
  const Value *join = NULL;
  for (uint32_t i = 0; i < values->len; i++) {
    const Value *key = keys->data[i] ? eval(w, keys->data[i]) : NULL;
    const Value *value = eval(w, values->data[i]);
    if (key) emit_hashed(w, expr, keys->data[i]->span, key, KIND(DICT));
    bool named = key && key->konst == KONST_STR;
    exact = exact && named;
    join = value_join(w->scratch, join, key ? value : value_held(w->scratch, value));
    if (!exact) continue;
    dict->parts[i] = value;
    dict->keys[i] = sym_intern(w->project->symbols, key->constant.s);
  }
  dict->parts_exact = exact;
  dict->part_len = exact ? (uint8_t)values->len : 0;
  dict->elem = join;
  if (!exact) dict->keys = NULL;
  return dict;
}

/* ---- comprehensions ---- */

static void eval_clause(Walker *w, const CompClause *clause) {
  const Value *iterable = eval(w, clause->iter);
  Event event = {.kind = EV_ITERATE,
                 .expr = clause->iter,
                 .span = clause->iter->span,
                 .value = iterable,
                 .iterator = ITER_COMPREHENSION};
  emit_event(w, &event);
  push_region(w, (Region){.kind = REGION_COMPREHENSION, .expr = clause->iter, .value = iterable, .trip_count = -1});
  const Value *element = iterate(w, iterable, clause->iter->span);
  if (!ctx_traced(w->context))
    element = changing_element(w, to_eager(w->scratch, element), trip_count(w, clause->iter, iterable));
  assign(w, clause->target, element, STORE_FOR, NULL);
  for (uint32_t i = 0; i < clause->tests.len; i++) {
    eval_condition(w, clause->tests.data[i], ASK_COMP_TEST);
    refine(w, clause->tests.data[i], true);
  }
}

static const Value *eval_comp(Walker *w, const Expr *expr) {
  const Comprehension *comp = expr->u.comp;
  static const KindSet kinds[] = {KIND(LIST), KIND(SET), KIND(DICT), KIND(HOST_ITERATOR)};
  Env *outside = w->env;
  w->env = env_copy(w, outside);
  for (uint32_t i = 0; i < comp->clause_len; i++) eval_clause(w, &comp->clauses[i]);
  const Value *element = eval(w, comp->element);
  if (comp->kind == COMP_SET || comp->kind == COMP_DICT) {
    emit_hashed(w, expr, comp->element->span, element, comp->kind == COMP_SET ? KIND(SET) : KIND(DICT));
  }
  if (comp->kind == COMP_DICT) element = eval(w, comp->value);
  for (uint32_t i = 0; i < comp->clause_len; i++) pop_region(w);
  w->env = outside;
  Value *result = value_new(w->scratch, kinds[comp->kind]);
  result->elem = element;
  result->origin = ORIGIN_FRESH;
  return result;
}

/* ---- the rest ---- */

static const Value *eval_yield(Walker *w, const Expr *expr) {
  const Value *value = eval_opt(w, expr->u.yield.value);
  Event event = {.kind = EV_YIELD, .expr = expr, .span = expr->span, .value = value};
  emit_event(w, &event);
  if (expr->u.yield.from) {
    Event iterate = {.kind = EV_ITERATE,
                     .expr = expr->u.yield.value,
                     .span = expr->span,
                     .value = value,
                     .iterator = ITER_YIELD_FROM};
    emit_event(w, &iterate);
    value = value_element(w->scratch, value);
  }
  w->yields = value_join(w->scratch, w->yields, value);
  return &value_unknown;
}

static const Value *eval_await(Walker *w, const Expr *expr) {
  const Value *value = eval(w, expr->u.starred);
  Event event = {.kind = EV_AWAIT, .expr = expr, .span = expr->span, .value = value};
  emit_event(w, &event);
  return &value_unknown;
}

static const Value *eval_walrus(Walker *w, const Expr *expr) {
  const Value *value = eval(w, expr->u.walrus.value);
  assign(w, expr->u.walrus.target, value, STORE_ASSIGN, expr->u.walrus.value);
  return value;
}

const Value *function_value(Walker *w, const Function *function, uint32_t site) {
  w->made_function = true;
  w->made_in_loop |= w->loop_depth > 0;
  Obj *obj = arena_new(w->scratch, Obj);
  bool nested = !w->function->is_module;
  *obj = (Obj){.kind = OBJ_FUNCTION,
               .func = {w->module->id, function->index},
               .env = nested ? w->instance->id : NO_INSTANCE,
               .site = {w->module->id, site, w->instance->id}};
  Value *value = value_copy(w->scratch, value_of_obj(w->scratch, KIND(FUNCTION), obj));
  value->origin = ORIGIN_FRESH;
  return value;
}

static const Value *eval_lambda(Walker *w, const Expr *expr) {
  const Value *value = function_value(w, expr->u.lambda, expr->id);
  return value_with_flags(w->scratch, value, VF_FRESH, 0);
}

static void visit_slice(Walker *w, const Expr *expr) {
  if (expr->u.slice.lower) eval(w, expr->u.slice.lower);
  if (expr->u.slice.upper) eval(w, expr->u.slice.upper);
  if (expr->u.slice.step) eval(w, expr->u.slice.step);
}

/* flat table: one line per kind of expression */
static const Value *eval_kind(Walker *w, const Expr *expr) {
  switch ((ExprKind)expr->kind) {
    case EXPR_NAME:
      return eval_name(w, expr);
    case EXPR_CONST:
      return eval_const(w, expr);
    case EXPR_FSTRING:
      return eval_fstring(w, expr);
    case EXPR_ATTR:
      return eval_attr(w, expr);
    case EXPR_SUBSCRIPT:
      return eval_subscript(w, expr);
    case EXPR_SLICE:
      visit_slice(w, expr);
      return &value_unknown;
    case EXPR_CALL:
      return eval_call(w, expr);
    case EXPR_UNARY:
      return eval_unary(w, expr);
    case EXPR_BINARY:
      return eval_binary(w, expr);
    case EXPR_BOOL:
      return eval_bool(w, expr);
    case EXPR_COMPARE:
      return eval_compare(w, expr);
    case EXPR_TERNARY:
      return eval_ternary(w, expr);
    case EXPR_LAMBDA:
      return eval_lambda(w, expr);
    case EXPR_TUPLE:
      return eval_sequence(w, expr, K_TUPLE);
    case EXPR_LIST:
      return eval_sequence(w, expr, K_LIST);
    case EXPR_SET:
      return eval_sequence(w, expr, K_SET);
    case EXPR_DICT:
      return eval_dict(w, expr);
    case EXPR_COMP:
      return eval_comp(w, expr);
    case EXPR_STARRED:
      eval(w, expr->u.starred);
      return &value_unknown;
    case EXPR_YIELD:
      return eval_yield(w, expr);
    case EXPR_AWAIT:
      return eval_await(w, expr);
    case EXPR_WALRUS:
      return eval_walrus(w, expr);
    case EXPR_OPAQUE:
      return &value_unknown;
  }
  return &value_unknown;
}

const Value *eval(Walker *w, const Expr *expr) {
  if (++w->steps > w->flow->options.step_budget) {
    w->out->over_budget = true;
    return &value_unknown;
  }
  return eval_kind(w, expr);
}

const Value *eval_constant(Walker *w, const Module *module, const Expr *expr) {
  if (!expr) return &value_unknown;
  if (expr->kind == EXPR_CONST) return eval_const(w, expr);
  if (expr->kind == EXPR_UNARY && expr->u.unary.operand->kind == EXPR_CONST) {
    const Value *operand = eval_const(w, expr->u.unary.operand);
    return expr->u.unary.op == OP_NEG ? binary_value(w, OP_MUL, value_int(w->scratch, -1), operand, expr->span)
                                      : &value_unknown;
  }
  /* A list, dict or set that lives as long as the function: nobody knows what it holds by now. */
  if (expr->kind == EXPR_LIST) return value_new(w->scratch, KIND(LIST));
  if (expr->kind == EXPR_DICT) return value_new(w->scratch, KIND(DICT));
  if (expr->kind == EXPR_SET) return value_new(w->scratch, KIND(SET));
  if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTR) return &value_unknown;
  EntitySet set = project_resolve(w->project, module->id, module->ast->module, expr);
  return entities_value(w, &set);
}

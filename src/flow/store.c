/* Stores: binding names, writing attributes and items, deleting, unpacking.
 *
 * A local is rebound in the environment. A place that functions share (global, field, class attribute, captured local) gets a
 * weak write into its cell and a record for the index; the writing function itself goes on believing the new value.
 */
#include "flow/walk.h"

/* ---- names ---- */

static InstanceId owner_instance(const Walker *w, uint32_t up) {
  const Instance *owner = w->instance;
  for (uint32_t i = 0; i < up; i++) {
    if (owner->env == NO_INSTANCE) return NO_INSTANCE;
    owner = w->flow->instances.data[owner->env];
  }
  return owner->id;
}

static void write_slot(Walker *w, InstanceId owner, uint32_t slot, const Value *value) {
  if (w->listener || owner == NO_INSTANCE || !value->kinds) return;
  vec_push(w->out->arena, &w->out->slot_writes, ((SlotWrite){owner, slot, value}));
}

/* A captured local of an eager function that changes when an inner function may have read it. A function made in a loop is
 * made anew with the value, so nothing is stale there. */
static void record_captured(Walker *w, const Expr *target, WriteKind kind, const Value *value) {
  if (target->u.name.ref != REF_LOCAL || !w->made_function || w->made_in_loop || w->function->is_module ||
      ctx_traced(w->context))
    return;
  const Binding *binding = scope_find(w->function->scope, target->u.name.id);
  if (!binding || !binding->captured || binding->slot != target->u.name.slot) return;
  if (!w->env->slots[target->u.name.slot]) return;  // its first value
  record_write(w, var_local(w->module->id, w->function, target->u.name.id), kind, target->span, value);
}

static void assign_local(Walker *w, const Expr *target, const Value *value) {
  w->env->slots[target->u.name.slot] = value_trim(w->scratch, value);
  env_drop_root(w->env, (uint64_t)target->u.name.slot * 2 + 1);
  const Binding *binding = scope_find(w->function->scope, target->u.name.id);
  bool captured = !binding || binding->captured || binding->slot != target->u.name.slot;
  if (captured) write_slot(w, w->instance->id, target->u.name.slot, value);
}

static void assign_global(Walker *w, const Expr *target, const Value *value) {
  Var var = var_global(w->module->id, target->u.name.id);
  cell_write(w, var, value);
  uint64_t root, key;
  if (path_key(w, target, &root, &key)) env_drop_root(w->env, root);
  if (!w->function->is_module) {
    env_set_fact(w, root, key, value);
    return;
  }
  const Scope *scope = w->function->scope;
  const Binding *binding = scope_find(scope, target->u.name.id);
  if (!binding) return;
  w->env->globals[(uint32_t)(binding - scope->bindings.data)] =
      binding->written_by_inner ? NULL : value_trim(w->scratch, value);
}

static void assign_class_name(Walker *w, const Expr *target, const Value *value) {
  *map_put(w->scratch, &w->class_names, (uint64_t)(uintptr_t)target->u.name.id, NULL) = (uint64_t)(uintptr_t)value;
  ClassRef ref = {w->module->id, w->class_body->index};
  cell_write(w, var_class(ref, target->u.name.id), value);
}

void assign_name(Walker *w, const Expr *target, const Value *value) {
  switch (target->u.name.ref) {
    case REF_LOCAL:
      assign_local(w, target, value);
      return;
    case REF_GLOBAL:
      assign_global(w, target, value);
      return;
    case REF_CLASS:
      if (w->class_body) assign_class_name(w, target, value);
      return;
    case REF_FREE: {
      write_slot(w, owner_instance(w, target->u.name.up), target->u.name.slot, value);
      uint64_t root, key;
      if (path_key(w, target, &root, &key)) env_drop_root(w->env, root);
      return;
    }
    default:
      return;
  }
}

/* ---- attributes ---- */

void store_member(Walker *w, const Value *object, Sym name, const Value *value, Span span, WriteKind kind) {
  if (!object->obj_len && object->kinds) record_write(w, var_any_field(name), kind, span, value);
  for (uint32_t i = 0; i < object->obj_len; i++) {
    const Obj *obj = object->objs[i];
    Var var = {0};
    if (obj->kind == OBJ_INSTANCE) var = var_field(obj->cls, name);
    if (obj->kind == OBJ_CLASS) var = var_class(obj->cls, name);
    if (obj->kind == OBJ_MODULE) var = var_global(obj->module, name);
    if (var.kind == VAR_NONE) continue;
    cell_write(w, var, value);
    record_write(w, var, kind, span, value);
    WriteRecord *record = &vec_last(&w->out->records.writes);
    /* The object was made in this trace: that is its construction, wherever it stands. */
    if (ctx_traced(w->context) && object->origin == ORIGIN_FRESH) record->in_init = true;
    /* `for epoch in …: config.warm = epoch < 3`, of an object that is there before the loop. */
    if (record->top_level && record->in_loop && obj->kind == OBJ_INSTANCE && !obj->many) record->in_init = false;
  }
}

static void assign_attr(Walker *w, const Expr *target, const Value *value, WriteKind kind) {
  const Value *object = eval_quiet(w, target->u.attr.value);
  store_member(w, object, target->u.attr.name, value, target->span, kind);
  uint64_t root, key;
  if (path_key(w, target, &root, &key)) env_set_fact(w, root, key, value);
}

/* ---- items ---- */

static const Value *with_item(Walker *w, const Value *container, const Value *index, const Value *value) {
  Value *changed = value_copy(w->scratch, container);
  bool named = container->parts_exact && container->keys && index->konst == KONST_STR;
  for (uint32_t i = 0; named && i < container->part_len; i++) {
    if (!sym_is(container->keys[i], index->constant.s)) continue;
    changed->parts = arena_array(w->scratch, const Value *, container->part_len);
    memcpy(changed->parts, container->parts, container->part_len * sizeof *changed->parts);
    changed->parts[i] = value;
    return changed;
  }
  bool filled = container->part_len || container->elem;
  changed->elem = value_join(w->scratch, filled ? value_held(w->scratch, container) : NULL, value);
  changed->parts_exact = false;
  changed->part_len = 0;
  changed->keys = NULL;
  return changed;
}

static void assign_item(Walker *w, const Expr *target, const Value *value) {
  const Expr *path = target->u.subscript.value;
  const Value *container = eval_quiet(w, path), *index = eval_quiet(w, target->u.subscript.index);
  Var var = expr_var(w, path);
  if (var.kind == VAR_NONE && container->origin == ORIGIN_OUTER) var = container->home;
  record_contents(w, var, target, WRITE_ITEM, target->span, value);
  if (value_is(container, KINDS_CONTAINER) && container->kinds)
    store_back(w, path, with_item(w, container, index, value));
  if (value_is(container, KIND(SHAPE)) && container->kinds)
    store_back(w, path, &value_unknown);  // a list made of it: `dims[i] = tf.shape(x)[i]`
}

void store_back(Walker *w, const Expr *path, const Value *value) {
  uint64_t root, key;
  switch ((ExprKind)path->kind) {
    case EXPR_NAME:
      assign_name(w, path, value);
      return;
    case EXPR_ATTR: {
      const Value *object = eval_quiet(w, path->u.attr.value);
      for (uint32_t i = 0; i < object->obj_len; i++) {
        if (object->objs[i]->kind == OBJ_INSTANCE)
          cell_write(w, var_field(object->objs[i]->cls, path->u.attr.name), value);
      }
      if (path_key(w, path, &root, &key)) env_set_fact(w, root, key, value);
      return;
    }
    case EXPR_SUBSCRIPT: {
      const Value *outer = eval_quiet(w, path->u.subscript.value);
      if (!outer->kinds || !value_is(outer, KINDS_CONTAINER)) return;
      store_back(w, path->u.subscript.value, with_item(w, outer, eval_quiet(w, path->u.subscript.index), value));
      return;
    }
    default:
      return;
  }
}

/* ---- values that differ each time ---- */

typedef struct Mention {
  const Expr *path;
  bool found;
} Mention;

static void visit_mention(void *context, Expr *expr) {
  Mention *mention = context;
  if (!expr || mention->found) return;
  if (expr_same_path(expr, mention->path)) {
    mention->found = true;
    return;
  }
  expr_children(expr, visit_mention, context);
}

/* `tf.concat([rows, row], 0)`, `np.append(rows, row)`: longer than what goes in. */
static bool joins_arrays(Walker *w, const Expr *call) {
  static const Str names[] = {S_INIT("tensorflow.concat"),  S_INIT("numpy.concatenate"), S_INIT("numpy.append"),
                              S_INIT("numpy.hstack"),       S_INIT("numpy.vstack"),      S_INIT("numpy.insert"),
                              S_INIT("numpy.column_stack"), S_INIT("tensorflow.pad"),    S_INIT("numpy.pad")};
  const Value *callee = eval_quiet(w, call->u.call.callee);
  Str name = callee->obj_len == 1 ? sym_str(callee->objs[0]->api) : S("");
  return STR_IN(name, names);
}

/* `step = step + 1`, `eps = max(0.1, eps * 0.9)`: computed from its own old value, so another one at each execution. */
static const Value *mark_changing(Walker *w, const Expr *target, const Value *value, const Expr *from) {
  bool lasts = target->kind == EXPR_ATTR || (target->kind == EXPR_NAME && target->u.name.ref != REF_LOCAL);
  bool repeats = w->function->is_module || !lasts ? w->loop_depth && !few_rounds(w) : true;
  if (!from || !repeats || !(target->kind == EXPR_NAME || target->kind == EXPR_ATTR) || !value->kinds) return value;
  bool number = value_is(value, KIND(NUMBER) | KIND(TEXT));
  bool tensor = value_is(value, KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(ARRAY));
  bool list = value_is(value, KIND(LIST)) && from->kind == EXPR_BINARY && from->u.binary.op == OP_ADD;
  if (!number && !list && !(tensor && from->kind == EXPR_CALL)) return value;
  Mention mention = {target, false};
  visit_mention(&mention, (Expr *)from);
  if (!mention.found) return value;
  if (number) return value_with_flags(w->scratch, value, VF_CHANGING, 0);
  bool grows = w->loop_depth && (list || (!ctx_traced(w->context) && joins_arrays(w, from)));
  return grows ? value_with_flags(w->scratch, value, VF_GROWING, 0) : value;
}

/* ---- the statement's targets ---- */

/* A name of the module or of an eager function, an attribute of an object that was not made in this trace. */
bool place_outlives(Walker *w, const Expr *target) {
  if (target->kind == EXPR_NAME) {
    if (target->u.name.ref != REF_FREE) return target->u.name.ref == REF_GLOBAL;
    InstanceId owner = owner_instance(w, target->u.name.up);
    return owner != NO_INSTANCE && !ctx_traced(w->flow->instances.data[owner]->context);
  }
  if (target->kind != EXPR_ATTR) return false;
  const Value *object = eval_quiet(w, target->u.attr.value);
  if (!object->kinds || value_is_unknown(object)) return false;
  return object->origin == ORIGIN_OUTER || object->origin == ORIGIN_PARAM ||
         value_is(object, KIND(CLASS) | KIND(MODULE));
}

static void emit_store(Walker *w, const Expr *target, const Value *value, StoreKind kind) {
  Event event = {
      .kind = EV_STORE, .expr = target, .target = target, .span = target->span, .value = value, .store = kind};
  if (!listening(w)) return;
  event.var = expr_var(w, target);
  event.outlives = place_outlives(w, target);
  if (target->kind == EXPR_NAME) event.name = target->u.name.id;
  if (target->kind == EXPR_ATTR) {
    event.name = target->u.attr.name;
    event.receiver = eval_quiet(w, target->u.attr.value);
  }
  if (target->kind == EXPR_SUBSCRIPT) {
    event.receiver = eval_quiet(w, target->u.subscript.value);
    event.key = eval_quiet(w, target->u.subscript.index);
  }
  emit_event(w, &event);
}

/* What one plain target of an unpacking gets: `batch, width = x.shape` names the dimensions. */
static const Value *unpacked(Walker *w, const Value *value, uint32_t i, bool exact, const Value *element) {
  if (!exact) return element ? element : value_element(w->scratch, value);
  return value_is(value, KIND(SHAPE)) ? shape_dim(w, value, i) : value->parts[i];
}

/* The container of `rows[k] = v`: who writes an element has not read the others. */
static void eval_written(Walker *w, const Expr *container) {
  eval(w, container);
  uint32_t reads = w->out->records.reads.len;
  if (!reads) return;
  Span last = w->out->records.reads.data[reads - 1].span;
  if (last.start == container->span.start && last.end == container->span.end) w->out->records.reads.len--;
}

static void unpack(Walker *w, const Expr *target, const Value *value) {
  const ExprList *items = &target->u.items;
  Event event = {.kind = EV_ITERATE, .expr = target, .span = target->span, .value = value, .iterator = ITER_UNPACK};
  emit_event(w, &event);
  bool is_shape = value_is(value, KIND(SHAPE)) && (!value->dim_len || value->dim_len == items->len);
  bool exact = is_shape || (value->parts_exact && !value->keys && value->part_len == items->len);
  const Value *element = exact ? NULL : iterate(w, value, target->span);
  for (uint32_t i = 0; i < items->len; i++) {
    const Expr *item = items->data[i];
    if (item->kind == EXPR_STARRED) {
      Value *rest = value_new(w->scratch, KIND(LIST));
      rest->elem = element ? element : value_element(w->scratch, value);
      rest->origin = ORIGIN_FRESH;
      assign(w, item->u.starred, rest, STORE_UNPACK, NULL);
      exact = false;
    } else {
      assign(w, item, unpacked(w, value, i, exact, element), STORE_UNPACK, NULL);
    }
  }
}

void assign(Walker *w, const Expr *target, const Value *value, StoreKind kind, const Expr *from) {
  switch ((ExprKind)target->kind) {
    case EXPR_NAME: {
      value = mark_changing(w, target, value, from);
      emit_store(w, target, value, kind);
      if (target->u.name.ref == REF_GLOBAL || target->u.name.ref == REF_FREE) {
        record_write(w, expr_var(w, target), kind == STORE_ASSIGN || kind == STORE_UNPACK ? WRITE_ASSIGN : WRITE_DEFINE,
                     target->span, value);
      }
      if (target->u.name.ref == REF_CLASS && w->class_body) {
        record_write(w, var_class((ClassRef){w->module->id, w->class_body->index}, target->u.name.id), WRITE_ASSIGN,
                     target->span, value);
      }
      record_captured(w, target, kind == STORE_ASSIGN || kind == STORE_UNPACK ? WRITE_ASSIGN : WRITE_DEFINE, value);
      assign_name(w, target, value);
      return;
    }
    case EXPR_ATTR:
      value = mark_changing(w, target, value, from);
      eval(w, target->u.attr.value);
      emit_store(w, target, value, kind);
      assign_attr(w, target, value, WRITE_ASSIGN);
      return;
    case EXPR_SUBSCRIPT: {
      eval_written(w, target->u.subscript.value);
      const Value *index = eval(w, target->u.subscript.index);
      Event event = {.kind = EV_SUBSCRIPT,
                     .expr = target,
                     .span = target->span,
                     .value = index,
                     .receiver = eval_quiet(w, target->u.subscript.value),
                     .result = value,
                     .store = kind,
                     .target = target};
      emit_event(w, &event);
      emit_store(w, target, value, kind);
      assign_item(w, target, value);
      return;
    }
    case EXPR_TUPLE:
    case EXPR_LIST:
      unpack(w, target, value);
      return;
    case EXPR_STARRED:
      assign(w, target->u.starred, value, kind, from);
      return;
    default:
      return;
  }
}

void assign_aug(Walker *w, const Expr *target, const Value *value, bool in_place) {
  WriteKind kind = in_place ? WRITE_GROW : WRITE_AUG;
  if (target->kind == EXPR_ATTR) {
    assign_attr(w, target, value, kind);
  } else if (target->kind == EXPR_SUBSCRIPT) {
    assign_item(w, target, value);
  } else if (target->kind == EXPR_NAME) {
    if (target->u.name.ref == REF_GLOBAL || target->u.name.ref == REF_FREE)
      record_write(w, expr_var(w, target), kind, target->span, value);
    record_captured(w, target, kind, value);
    assign_name(w, target, value);
  }
}

void delete_target(Walker *w, const Expr *target) {
  if (target->kind == EXPR_SUBSCRIPT) {
    eval(w, target->u.subscript.value);
    eval(w, target->u.subscript.index);
  }
  emit_store(w, target, &value_unknown, STORE_DELETE);
  Var var = expr_var(w, target);
  if (target->kind == EXPR_SUBSCRIPT) record_contents(w, var, target, WRITE_ITEM, target->span, &value_unknown);
  else record_write(w, var, WRITE_DELETE, target->span, &value_unknown);
  if (target->kind == EXPR_NAME && target->u.name.ref == REF_LOCAL) w->env->slots[target->u.name.slot] = NULL;
  if (target->kind != EXPR_TUPLE && target->kind != EXPR_LIST) return;
  for (uint32_t i = 0; i < target->u.items.len; i++) delete_target(w, target->u.items.data[i]);
}

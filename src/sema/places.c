/* Numbering places, and finding them again. */
#include "sema/places.h"

#include "sema/walk.h"

/* ---- keys ---- */

/* A root is a slot of the function, or a symbol: a module's global, or a name from further out that `self` may be. */
static bool root_key(const PlaceTable *table, const Expr *name, const Function *where, uint64_t *key) {
  bool local = name->u.name.ref == REF_LOCAL || name->u.name.ref == REF_FREE;
  if (name->u.name.ref == REF_CLASS) return false;
  if (local && scope_owner(where, name) == table->function) *key = (uint64_t)1 << 63 | name->u.name.slot;
  else *key = (uintptr_t)name->u.name.id;
  return !local || where == table->function || *key >> 63;
}

static bool key_text(Arena *arena, const Expr *index, Str *label) {
  bool negative = index->kind == EXPR_UNARY && index->u.unary.op == OP_NEG;
  if (negative) index = index->u.unary.operand;
  if (index->kind != EXPR_CONST) return false;
  Str text = index->u.constant.text;
  switch (index->u.constant.kind) {
    case CONST_STR:
      *label = str_printf(arena, "['%.*s']", STR_ARG(text));
      return true;
    case CONST_BYTES:
      *label = str_printf(arena, "[b'%.*s']", STR_ARG(text));
      return true;
    case CONST_INT:
      if (index->u.constant.exact) text = str_printf(arena, "%lld", (long long)index->u.constant.i);
      *label = str_printf(arena, "[%s%.*s]", negative ? "-" : "", STR_ARG(text));
      return true;
    default:
      return false;
  }
}

static const Expr *step_base(const Expr *expr) {
  return expr->kind == EXPR_ATTR ? expr->u.attr.value : expr->u.subscript.value;
}

/* ---- finding ---- */

static uint64_t *find_key_label(Arena *scratch, const PlaceTable *table, const Expr *index) {
  Str text;
  return key_text(scratch, index, &text) ? strmap_get(&table->keys, text) : NULL;
}

static uint32_t find_node(Arena *scratch, const PlaceTable *table, const Expr *expr, const Function *where) {
  uint64_t key, *found = NULL;
  if (expr->kind == EXPR_NAME) {
    if (root_key(table, expr, where, &key)) found = map_get(&table->roots, key);
  } else if (expr->kind == EXPR_ATTR || expr->kind == EXPR_SUBSCRIPT) {
    uint32_t base = find_node(scratch, table, step_base(expr), where);
    if (base == NO_PLACE || !table->nodes.data[base].has_children) return NO_PLACE;
    uint64_t *label = expr->kind == EXPR_ATTR ? map_get(&table->attributes, (uintptr_t)expr->u.attr.name)
                                              : find_key_label(scratch, table, expr->u.subscript.index);
    if (label) found = map_get(&table->children, (uint64_t)base << 32 | *label);
  }
  return found ? (uint32_t)*found - 1 : NO_PLACE;
}

uint32_t place_of(const PlaceTable *table, const Expr *expr, const Function *where) {
  if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTR && expr->kind != EXPR_SUBSCRIPT) return NO_PLACE;
  Arena scratch = {0};
  uint32_t node = find_node(&scratch, table, expr, where);
  arena_release(&scratch);
  return node == NO_PLACE ? NO_PLACE : table->nodes.data[node].place;
}

uint32_t place_of_name(const PlaceTable *table, Sym name) {
  const Binding *binding = scope_find(table->function->scope, name);
  if (!binding) return NO_PLACE;
  uint64_t key = table->function->is_module ? (uintptr_t)name : (uint64_t)1 << 63 | binding->slot;
  uint64_t *node = map_get(&table->roots, key);
  return node ? table->nodes.data[*node - 1].place : NO_PLACE;
}

uint32_t place_root(const PlaceTable *table, uint32_t place) {
  return table->nodes.data[table->nodes.data[table->node_of.data[place]].root].place;
}

uint32_t facts_place(const FunctionFacts *facts, const Expr *expr) {
  return place_of(facts->table, expr, facts->function);
}

/* ---- building ---- */

static uint32_t add_node(PlaceTable *table, uint32_t root) {
  uint32_t node = table->nodes.len;
  vec_push(table->arena, &table->nodes, ((PlaceNode){NO_PLACE, root == NO_PLACE ? node : root, false}));
  return node;
}

static void add_place(PlaceTable *table, uint32_t node, FlowPlace place) {
  table->nodes.data[node].place = table->places.len;
  vec_push(table->arena, &table->node_of, node);
  vec_push(table->arena, &table->places, place);
}

static uint64_t *make_label(PlaceTable *table, const Expr *expr) {
  bool fresh;
  Str text;
  uint64_t *label;
  if (expr->kind == EXPR_ATTR) label = map_put(table->arena, &table->attributes, (uintptr_t)expr->u.attr.name, &fresh);
  else if (key_text(table->arena, expr->u.subscript.index, &text))
    label = strmap_put(table->arena, &table->keys, text, &fresh);
  else return NULL;
  if (fresh) *label = table->label_count++;
  return label;
}

static uint32_t make_node(PlaceTable *table, const Expr *expr, const Function *where) {
  uint64_t key, *found;
  bool fresh;
  if (expr->kind == EXPR_NAME) {
    if (!root_key(table, expr, where, &key)) return NO_PLACE;
    found = map_put(table->arena, &table->roots, key, &fresh);
    if (fresh) *found = add_node(table, NO_PLACE) + 1;
    return (uint32_t)*found - 1;
  }
  uint32_t base = make_node(table, step_base(expr), where);
  uint64_t *label = base == NO_PLACE ? NULL : make_label(table, expr);
  if (!label) return NO_PLACE;
  table->nodes.data[base].has_children = true;
  found = map_put(table->arena, &table->children, (uint64_t)base << 32 | *label, &fresh);
  if (fresh) *found = add_node(table, table->nodes.data[base].root) + 1;
  return (uint32_t)*found - 1;
}

static void put_path(StrBuf *buf, const Expr *expr) {
  if (expr->kind == EXPR_NAME) {
    buf_str(buf, expr->u.name.id->text);
    return;
  }
  put_path(buf, step_base(expr));
  Str key = {0};
  if (expr->kind == EXPR_ATTR) {
    buf_char(buf, '.');
    buf_str(buf, expr->u.attr.name->text);
  } else if (key_text(buf->arena, expr->u.subscript.index, &key)) {
    buf_str(buf, key);
  }
}

static void note_write(void *context, Expr *expr, const Function *function) {
  PlaceTable *table = context;
  if (!expr->ctx_store || (expr->kind != EXPR_ATTR && expr->kind != EXPR_SUBSCRIPT) || !expr_is_path(expr)) return;
  uint32_t node = make_node(table, expr, function);
  if (node == NO_PLACE || table->nodes.data[node].place != NO_PLACE) return;
  StrBuf text = {.arena = table->arena};
  put_path(&text, expr);
  add_place(table, node, (FlowPlace){.example = expr, .slot = UINT32_MAX, .text = buf_view(&text)});
}

static const Expr *param_named(const Function *function, Sym name) {
  for (uint32_t i = 0; i < function->param_len; i++) {
    const Expr *param = function->params[i].name;
    if (param && param->kind == EXPR_NAME && param->u.name.id == name) return param;
  }
  return NULL;
}

static void add_locals(PlaceTable *table) {
  const Scope *scope = table->function->scope;
  for (uint32_t i = 0; i < scope->bindings.len; i++) {
    const Binding *binding = &scope->bindings.data[i];
    bool is_module = scope->kind == SCOPE_MODULE;
    if (binding->kinds & (BIND_GLOBAL | BIND_NONLOCAL | BIND_STAR)) continue;
    uint64_t key = is_module ? (uintptr_t)binding->name : (uint64_t)1 << 63 | binding->slot;
    uint32_t node = add_node(table, NO_PLACE);
    *map_put(table->arena, &table->roots, key, NULL) = node + 1;
    add_place(table, node,
              (FlowPlace){param_named(table->function, binding->name), binding->slot, binding->name->text});
  }
}

PlaceTable *places_build(Arena *arena, const Function *function) {
  PlaceTable *table = arena_new(arena, PlaceTable);
  table->arena = arena;
  table->function = function;
  add_locals(table);
  Walk walk = {.visit = note_write, .context = table, .function = function, .shallow = true};
  walk_body(&walk, function);
  return table;
}

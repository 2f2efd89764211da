/* One walk over the tree that makes the scopes, their bindings and the list of all names met.
 *
 * Function bodies are walked in the order of Ast.functions, which puts a function before those nested in it: so when a body
 * says `nonlocal x`, the binding it means is there. Class bodies are walked in place, because they run in place. Defaults,
 * decorators and annotations belong to the scope around the definition.
 */
#include "sema/scope_build.h"

static void walk_expr(ScopeBuilder *b, Expr *expr);
static void walk_block(ScopeBuilder *b, const Block *block);

/* ---- scopes and bindings ---- */

static Scope *scope_new(ScopeBuilder *b, ScopeKind kind, Function *function, Class *class_) {
  Scope *scope = arena_new(b->arena, Scope);
  scope->kind = kind;
  scope->parent = b->scope;
  scope->function = function;
  scope->class_ = class_;
  return scope;
}

static uint32_t slot_new(ScopeBuilder *b, Scope *scope, Sym name) {
  if (scope->kind == SCOPE_MODULE || scope->kind == SCOPE_CLASS) return UINT32_MAX;
  Scope *frame = scope->function->scope;
  vec_push(b->arena, &frame->slot_names, name);
  return frame->slot_count++;
}

static void index_bindings(ScopeBuilder *b, Scope *scope) {
  if (scope->bindings.len <= SCOPE_MANY) return;
  for (uint32_t i = scope->by_name.len; i < scope->bindings.len; i++) {
    *map_put(b->arena, &scope->by_name, (uintptr_t)scope->bindings.data[i].name, NULL) = i + 1;
  }
}

static Binding *binding_at(ScopeBuilder *b, Scope *scope, Sym name, bool with_slot) {
  Binding *binding = scope_find_mutable(scope, name);
  if (binding) return binding;
  uint32_t slot = with_slot ? slot_new(b, scope, name) : UINT32_MAX;
  vec_push(b->arena, &scope->bindings, ((Binding){.name = name, .slot = slot}));
  index_bindings(b, scope);
  return &vec_last(&scope->bindings);
}

/* Most names are bound once: no room is kept for more. */
static void add_site(ScopeBuilder *b, Binding *binding, BindSite site) {
  if (!binding->sites.cap) {
    binding->sites.data = arena_new(b->arena, BindSite);
    binding->sites.cap = 1;
  }
  vec_push(b->arena, &binding->sites, site);
}

/* The scope that a write to `name` in `scope` reaches, after `global` and `nonlocal`. */
static Scope *landing_scope(ScopeBuilder *b, Scope *scope, Sym name) {
  const Binding *here = scope_find(scope, name);
  if (!here) return scope;
  if (here->kinds & BIND_GLOBAL) return b->module;
  if (!(here->kinds & BIND_NONLOCAL)) return scope;
  for (Scope *outer = scope->parent; outer; outer = outer->parent) {
    const Binding *there = outer->kind == SCOPE_FUNCTION ? scope_find(outer, name) : NULL;
    if (there && !(there->kinds & (BIND_GLOBAL | BIND_NONLOCAL))) return outer;
  }
  return scope;
}

static void bind(ScopeBuilder *b, Scope *scope, Sym name, BindSite site) {
  if (!name) return;
  Scope *target = landing_scope(b, scope, name);
  bool from_inside = target != scope;
  site.stmt = site.kind == BIND_PARAM ? NULL : b->stmt;
  site.in_type_checking = b->type_checking > 0;
  site.conditional = b->conditional > 0 || from_inside;
  Binding *binding = binding_at(b, target, name, true);
  binding->kinds |= site.kind;
  if (from_inside) binding->written_by_inner = true;
  add_site(b, binding, site);
}

static void note_use(ScopeBuilder *b, Expr *name, Scope *scope) {
  vec_push(&b->scratch, &b->uses, ((NameUse){name, scope}));
}

/* ---- targets ---- */

static Expr *paired_value(const Expr *value, uint32_t index, uint32_t count) {
  if (!value || (value->kind != EXPR_TUPLE && value->kind != EXPR_LIST) || value->u.items.len != count) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (value->u.items.data[i]->kind == EXPR_STARRED) return NULL;
  }
  return value->u.items.data[index];
}

static bool has_star(const ExprList *items) {
  for (uint32_t i = 0; i < items->len; i++) {
    if (items->data[i]->kind == EXPR_STARRED) return true;
  }
  return false;
}

/* Binds what `target` names. `value` is the expression whose value it gets, NULL when there is none of its own. */
static void bind_target(ScopeBuilder *b, Expr *target, BindKind kind, const Expr *value) {
  switch (target->kind) {
    case EXPR_NAME:
      bind(b, b->scope, target->u.name.id, (BindSite){.kind = kind, .span = target->span, .value = value});
      note_use(b, target, b->scope);
      break;
    case EXPR_TUPLE:
    case EXPR_LIST: {
      const Expr *paired = has_star(&target->u.items) ? NULL : value;
      for (uint32_t i = 0; i < target->u.items.len; i++) {
        bind_target(b, target->u.items.data[i], kind, paired_value(paired, i, target->u.items.len));
      }
      break;
    }
    case EXPR_STARRED:
      bind_target(b, target->u.starred, kind, NULL);
      break;
    default:
      walk_expr(b, target);
  }
}

static void bind_pattern(ScopeBuilder *b, const Pattern *pattern) {
  if (!pattern) return;
  if (pattern->value) walk_expr(b, pattern->value);
  for (uint32_t i = 0; i < pattern->part_len; i++) bind_pattern(b, pattern->parts[i]);
  if (pattern->name) bind_target(b, pattern->name, BIND_ASSIGN, NULL);
}

/* ---- definitions ---- */

/* Python's __qualname__ of a definition that stands in the current scope. */
static Sym qualname_of(ScopeBuilder *b, Sym name) {
  const Scope *around = b->scope;
  while (around->kind == SCOPE_COMPREHENSION) around = around->parent;
  const Binding *declared = scope_find(around, name);
  if (around->kind == SCOPE_MODULE || (declared && (declared->kinds & BIND_GLOBAL))) return name;
  if (around->kind == SCOPE_CLASS) return sym_dotted(b->symbols, around->class_->qualname, name);
  Sym locals = sym_intern(b->symbols, S("<locals>"));
  return sym_dotted(b->symbols, sym_dotted(b->symbols, around->function->qualname, locals), name);
}

static void walk_optional(ScopeBuilder *b, Expr *expr) {
  if (expr) walk_expr(b, expr);
}

static void meet_function(ScopeBuilder *b, Function *function) {
  for (uint32_t i = 0; i < function->decorator_len; i++) walk_expr(b, function->decorators[i]);
  for (uint32_t i = 0; i < function->param_len; i++) {
    walk_optional(b, function->params[i].fallback);
    walk_optional(b, function->params[i].annotation);
  }
  walk_optional(b, function->returns);
  Sym name = function->name ? function->name : sym_intern(b->symbols, S("<lambda>"));
  function->qualname = qualname_of(b, name);
  function->scope = scope_new(b, SCOPE_FUNCTION, function, NULL);
}

static void meet_class(ScopeBuilder *b, Class *class_) {
  for (uint32_t i = 0; i < class_->decorator_len; i++) walk_expr(b, class_->decorators[i]);
  for (uint32_t i = 0; i < class_->bases.len; i++) walk_expr(b, class_->bases.data[i]);
  for (uint32_t i = 0; i < class_->keyword_len; i++) walk_expr(b, class_->keywords[i].value);
  class_->qualname = qualname_of(b, class_->name);
  class_->scope = scope_new(b, SCOPE_CLASS, b->scope->function, class_);
  Scope *outer = b->scope;
  uint32_t conditional = b->conditional;
  b->scope = class_->scope;
  b->conditional = 0;
  walk_block(b, &class_->body);
  b->scope = outer;
  b->conditional = conditional;
}

/* ---- expressions ---- */

static void walk_comprehension(ScopeBuilder *b, Comprehension *comp) {
  Scope *outer = b->scope;
  comp->scope = scope_new(b, SCOPE_COMPREHENSION, outer->function, NULL);
  for (uint32_t i = 0; i < comp->clause_len; i++) {
    CompClause *clause = &comp->clauses[i];
    walk_expr(b, clause->iter);  // the first one still in the scope around
    b->scope = comp->scope;
    bind_target(b, clause->target, BIND_FOR, NULL);
    for (uint32_t t = 0; t < clause->tests.len; t++) walk_expr(b, clause->tests.data[t]);
  }
  b->scope = comp->scope;
  walk_expr(b, comp->element);
  walk_optional(b, comp->value);
  b->scope = outer;
}

/* `(n := v)` binds in the function, also from inside comprehensions. */
static void walk_walrus(ScopeBuilder *b, const Expr *expr) {
  walk_expr(b, expr->u.walrus.value);
  Scope *inner = b->scope;
  while (b->scope->kind == SCOPE_COMPREHENSION) b->scope = b->scope->parent;
  bind_target(b, expr->u.walrus.target, BIND_ASSIGN, expr->u.walrus.value);
  b->scope = inner;
}

static void visit_child(void *context, Expr *child) { walk_expr(context, child); }

static void walk_expr(ScopeBuilder *b, Expr *expr) {
  switch (expr->kind) {
    case EXPR_NAME:
      note_use(b, expr, b->scope);
      break;
    case EXPR_LAMBDA:
      meet_function(b, expr->u.lambda);
      break;
    case EXPR_COMP:
      walk_comprehension(b, expr->u.comp);
      break;
    case EXPR_WALRUS:
      walk_walrus(b, expr);
      break;
    default:
      expr_children(expr, visit_child, b);
  }
}

static void walk_list(ScopeBuilder *b, const ExprList *list) {
  for (uint32_t i = 0; i < list->len; i++) walk_expr(b, list->data[i]);
}

/* ---- statements ---- */

static void declare_names(ScopeBuilder *b, const Stmt *stmt) {
  bool is_global = stmt->kind == STMT_GLOBAL;
  if (b->scope->kind == SCOPE_MODULE) return;
  for (uint32_t i = 0; i < stmt->u.names.len; i++) {
    Sym name = stmt->u.names.data[i];
    binding_at(b, b->scope, name, false)->kinds |= is_global ? BIND_GLOBAL : BIND_NONLOCAL;
    if (is_global) binding_at(b, b->module, name, false);
  }
}

static void walk_import(ScopeBuilder *b, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.import.len; i++) {
    const ImportName *import = &stmt->u.import.names[i];
    BindSite site = {.kind = BIND_IMPORT, .span = import->span, .import_name = import};
    Sym name = import->as ? import->as : import->name;
    if (!import->name) {
      site.kind = BIND_STAR;
      name = sym_intern(b->symbols, S("*"));
      b->scope->has_star_import = true;
    } else if (stmt->kind == STMT_IMPORT && !import->as) {
      Str rest = import->name->text;
      name = sym_intern(b->symbols, str_cut(&rest, '.'));
    }
    bind(b, b->scope, name, site);
  }
}

static bool tests_type_checking(const Expr *test) {
  if (!test) return false;
  if (test->kind == EXPR_NAME) return sym_is(test->u.name.id, S("TYPE_CHECKING"));
  return test->kind == EXPR_ATTR && sym_is(test->u.attr.name, S("TYPE_CHECKING"));
}

static void walk_if(ScopeBuilder *b, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
    const IfArm *arm = &stmt->u.branch.arms[i];
    walk_optional(b, arm->test);
    bool typing = tests_type_checking(arm->test);
    b->type_checking += typing;
    walk_block(b, &arm->body);
    b->type_checking -= typing;
  }
}

static void walk_with(ScopeBuilder *b, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.with.len; i++) {
    const WithItem *item = &stmt->u.with.items[i];
    walk_expr(b, item->context);
    if (item->target) bind_target(b, item->target, BIND_WITH, NULL);
  }
  walk_block(b, &stmt->u.with.body);
}

static void walk_try(ScopeBuilder *b, const Stmt *stmt) {
  walk_block(b, &stmt->u.try_.body);
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
    const Handler *handler = &stmt->u.try_.handlers[i];
    walk_optional(b, handler->type);
    b->stmt = stmt;
    if (handler->name) bind_target(b, handler->name, BIND_EXCEPT, NULL);
    walk_block(b, &handler->body);
  }
  walk_block(b, &stmt->u.try_.orelse);
  walk_block(b, &stmt->u.try_.finally);
}

static void walk_match(ScopeBuilder *b, const Stmt *stmt) {
  walk_expr(b, stmt->u.match.subject);
  for (uint32_t i = 0; i < stmt->u.match.len; i++) {
    const MatchCase *match_case = &stmt->u.match.cases[i];
    b->stmt = stmt;
    bind_pattern(b, match_case->pattern);
    walk_optional(b, match_case->guard);
    walk_block(b, &match_case->body);
  }
}

static void walk_for(ScopeBuilder *b, const Stmt *stmt) {
  walk_expr(b, stmt->u.forloop.iter);
  bind_target(b, stmt->u.forloop.target, BIND_FOR, NULL);
  walk_block(b, &stmt->u.forloop.body);
  walk_block(b, &stmt->u.forloop.orelse);
}

/* Statements whose parts may run never or more than once. */
static void walk_compound(ScopeBuilder *b, const Stmt *stmt) {
  b->conditional++;
  switch (stmt->kind) {
    case STMT_IF:
      walk_if(b, stmt);
      break;
    case STMT_WHILE:
      walk_expr(b, stmt->u.loop.test);
      walk_block(b, &stmt->u.loop.body);
      walk_block(b, &stmt->u.loop.orelse);
      break;
    case STMT_FOR:
      walk_for(b, stmt);
      break;
    case STMT_WITH:
      walk_with(b, stmt);
      break;
    case STMT_TRY:
      walk_try(b, stmt);
      break;
    default:
      walk_match(b, stmt);
  }
  b->conditional--;
}

static void walk_annotated(ScopeBuilder *b, const Stmt *stmt) {
  walk_optional(b, stmt->u.ann.value);
  walk_optional(b, stmt->u.ann.annotation);
  bind_target(b, stmt->u.ann.target, stmt->u.ann.value ? BIND_ASSIGN : BIND_ANNOTATION, stmt->u.ann.value);
}

static void walk_stmt(ScopeBuilder *b, Stmt *stmt) {
  switch (stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
      walk_optional(b, stmt->u.expr);
      break;
    case STMT_ASSIGN:
      walk_expr(b, stmt->u.assign.value);
      for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) {
        bind_target(b, stmt->u.assign.targets.data[i], BIND_ASSIGN, stmt->u.assign.value);
      }
      break;
    case STMT_AUGASSIGN:
      walk_expr(b, stmt->u.aug.value);
      bind_target(b, stmt->u.aug.target, BIND_AUG, NULL);
      break;
    case STMT_ANNASSIGN:
      walk_annotated(b, stmt);
      break;
    case STMT_DELETE:
      for (uint32_t i = 0; i < stmt->u.exprs.len; i++) bind_target(b, stmt->u.exprs.data[i], BIND_DELETE, NULL);
      break;
    case STMT_PRINT:
      walk_list(b, &stmt->u.exprs);
      break;
    case STMT_RAISE:
      walk_optional(b, stmt->u.raise.exc);
      walk_optional(b, stmt->u.raise.cause);
      break;
    case STMT_ASSERT:
      walk_expr(b, stmt->u.assertion.test);
      walk_optional(b, stmt->u.assertion.message);
      break;
    case STMT_GLOBAL:
    case STMT_NONLOCAL:
      declare_names(b, stmt);
      break;
    case STMT_IMPORT:
    case STMT_IMPORT_FROM:
      walk_import(b, stmt);
      break;
    case STMT_IF:
    case STMT_WHILE:
    case STMT_FOR:
    case STMT_WITH:
    case STMT_TRY:
    case STMT_MATCH:
      walk_compound(b, stmt);
      break;
    case STMT_FUNCTION: {
      Function *function = stmt->u.function;
      meet_function(b, function);
      bind(b, b->scope, function->name,
           (BindSite){.kind = BIND_FUNCTION, .span = function->name_span, .function = function});
      break;
    }
    case STMT_CLASS: {
      Class *class_ = stmt->u.class_;
      meet_class(b, class_);
      b->stmt = stmt;
      bind(b, b->scope, class_->name, (BindSite){.kind = BIND_CLASS, .span = class_->name_span, .class_ = class_});
      break;
    }
    case STMT_TYPE_ALIAS:
      walk_expr(b, stmt->u.alias.value);
      bind_target(b, stmt->u.alias.name, BIND_ASSIGN, NULL);
      break;
    default:
      break;
  }
}

static void walk_block(ScopeBuilder *b, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) {
    b->stmt = block->data[i];
    walk_stmt(b, block->data[i]);
  }
}

/* ---- functions ---- */

static void declare_body(ScopeBuilder *b, Function *function) {
  b->scope = function->scope;
  b->stmt = NULL;
  b->conditional = 0;
  b->type_checking = 0;
  for (uint32_t i = 0; i < function->param_len; i++) {
    if (function->params[i].name) bind_target(b, function->params[i].name, BIND_PARAM, NULL);
  }
  if (function->is_lambda) walk_expr(b, function->lambda_body);
  else walk_block(b, &function->body);
}

static void note_unsorted(ScopeBuilder *b, Scope *scope) {
  for (uint32_t i = 0; i < scope->bindings.len; i++) {
    Binding *binding = &scope->bindings.data[i];
    if (binding->written_by_inner) vec_push(&b->scratch, &b->unsorted, binding);
  }
}

void scope_declare_all(ScopeBuilder *b) {
  Function *module = b->ast->module;
  b->module = module->scope = scope_new(b, SCOPE_MODULE, module, NULL);
  module->qualname = module->name;
  for (uint32_t i = 0; i < b->ast->functions.len; i++) {
    Function *function = b->ast->functions.data[i];
    if (!function->scope) {  // part of an opaque region: nothing is known of its surroundings
      b->scope = b->module;
      meet_function(b, function);
    }
    declare_body(b, function);
  }
  for (uint32_t i = 0; i < b->ast->functions.len; i++) note_unsorted(b, b->ast->functions.data[i]->scope);
}

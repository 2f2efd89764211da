/* The statements of the function are read again until no name is added: values go around in loops. Nested functions and lambdas
 * are read as part of the function that makes them, since they capture its names. Requires no values, so it knows callees by
 * name only.
 */
#include "rules/use.h"

#include "rules/taker.h"

enum { PASSES = 8 };

typedef struct Search {
  const Project *project;
  const Module *module;
  const Function *function;
  const Expr *source;
  Arena *scratch;
  VEC(Sym) names;
  uint32_t bits;
} Search;

/* ---- names ---- */

static bool holds_name(const Search *search, Sym name) {
  for (uint32_t i = 0; i < search->names.len; i++) {
    if (search->names.data[i] == name) return true;
  }
  return false;
}

/* A tuple of targets gets the value in each; an element of a local container makes the container hold it. */
static void add_target(Search *search, const Expr *target) {
  if (target->kind == EXPR_SUBSCRIPT) {
    const Expr *base = target->u.subscript.value;
    if (base->kind == EXPR_NAME) add_target(search, base);
  } else if (target->kind == EXPR_NAME) {
    bool is_local = target->u.name.ref == REF_LOCAL || target->u.name.ref == REF_FREE;
    if (is_local && !holds_name(search, target->u.name.id))
      vec_push(search->scratch, &search->names, target->u.name.id);
  } else if (target->kind == EXPR_STARRED) {
    add_target(search, target->u.starred);
  } else if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
    for (uint32_t i = 0; i < target->u.items.len; i++) add_target(search, target->u.items.data[i]);
  }
}

/* ---- expressions ---- */

static bool mentions(Search *search, Expr *expr);

typedef struct Children {
  Search *search;
  bool found;
} Children;

static void visit_child(void *context, Expr *child) {
  Children *children = context;
  children->found |= mentions(children->search, child);
}

static bool mentions_below(Search *search, Expr *expr) {
  Children children = {search, false};
  expr_children(expr, visit_child, &children);
  return children.found;
}

static bool mentions_call(Search *search, Expr *expr) {
  Expr *callee = expr->u.call.callee;
  bool in_callee = mentions(search, callee), in_args = false;
  for (uint32_t i = 0; i < expr->u.call.args.len; i++) in_args |= mentions(search, expr->u.call.args.data[i]);
  for (uint32_t i = 0; i < expr->u.call.keyword_len; i++) in_args |= mentions(search, expr->u.call.keywords[i].value);
  if (!in_args) return in_callee;
  Taker taker = taker_of(search->project, search->module->id, search->function, callee);
  if (taker == TAKER_SHOWS) return false;
  if (taker == TAKER_TENSORFLOW) search->bits |= USE_OP;
  if (taker == TAKER_PROJECT) search->bits |= USE_HANDED_ON;
  bool fills = callee->kind == EXPR_ATTR && taker_fills_container(sym_str(callee->u.attr.name));
  if (fills) add_target(search, callee->u.attr.value);
  return true;
}

static bool mentions_comprehension(Search *search, const Comprehension *comp) {
  bool found = false;
  for (uint32_t i = 0; i < comp->clause_len; i++) {
    bool in_iter = mentions(search, comp->clauses[i].iter);
    if (in_iter) add_target(search, comp->clauses[i].target);
    found |= in_iter;
    for (uint32_t k = 0; k < comp->clauses[i].tests.len; k++) found |= mentions(search, comp->clauses[i].tests.data[k]);
  }
  found |= mentions(search, comp->element);
  return (comp->value && mentions(search, comp->value)) || found;
}

/* Visits all of the expression, because what its calls take is noted on the way. */
static bool mentions(Search *search, Expr *expr) {
  if (!expr) return false;
  if (expr == search->source) return true;
  switch ((ExprKind)expr->kind) {
    case EXPR_NAME:
      return holds_name(search, expr->u.name.id);
    case EXPR_CALL:
      return mentions_call(search, expr);
    case EXPR_COMP:
      return mentions_comprehension(search, expr->u.comp);
    case EXPR_LAMBDA:
      return mentions(search, expr->u.lambda->lambda_body);
    case EXPR_TERNARY: {
      if (mentions(search, expr->u.ternary.test)) search->bits |= USE_BRANCH;
      bool then = mentions(search, expr->u.ternary.then);
      return mentions(search, expr->u.ternary.otherwise) || then;
    }
    case EXPR_WALRUS: {
      bool found = mentions(search, expr->u.walrus.value);
      if (found) add_target(search, expr->u.walrus.target);
      return found;
    }
    case EXPR_YIELD: {
      bool found = mentions(search, expr->u.yield.value);
      if (found) search->bits |= USE_RETURN;
      return found;
    }
    default:
      return mentions_below(search, expr);
  }
}

/* ---- statements ---- */

/* Whether a block does anything but show values. */
static bool only_shows(const Search *search, Block block) {
  for (uint32_t i = 0; i < block.len; i++) {
    const Stmt *stmt = block.data[i];
    if (stmt->kind == STMT_PASS || stmt->kind == STMT_PRINT) continue;
    bool shows =
        stmt->kind == STMT_EXPR && stmt->u.expr->kind == EXPR_CALL &&
        taker_of(search->project, search->module->id, search->function, stmt->u.expr->u.call.callee) == TAKER_SHOWS;
    if (!shows) return false;
  }
  return true;
}

static void read_block(Search *search, Block block);

static void read_if(Search *search, const Stmt *stmt) {
  bool found = false, decides = false;
  for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
    found |= mentions(search, stmt->u.branch.arms[i].test);
    decides |= !only_shows(search, stmt->u.branch.arms[i].body);
    read_block(search, stmt->u.branch.arms[i].body);
  }
  if (found && decides) search->bits |= USE_BRANCH;
}

static void read_for(Search *search, const Stmt *stmt) {
  if (mentions(search, stmt->u.forloop.iter)) {
    add_target(search, stmt->u.forloop.target);
    if (!only_shows(search, stmt->u.forloop.body)) search->bits |= USE_BRANCH;  // the number of rounds
  }
  read_block(search, stmt->u.forloop.body);
}

static void read_assign(Search *search, const Stmt *stmt) {
  if (!mentions(search, stmt->u.assign.value)) return;
  for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) add_target(search, stmt->u.assign.targets.data[i]);
}

static void read_try(Search *search, const Stmt *stmt) {
  read_block(search, stmt->u.try_.body);
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) read_block(search, stmt->u.try_.handlers[i].body);
  read_block(search, stmt->u.try_.orelse);
  read_block(search, stmt->u.try_.finally);
}

static void read_with(Search *search, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.with.len; i++) {
    bool found = mentions(search, stmt->u.with.items[i].context);
    if (found && stmt->u.with.items[i].target) add_target(search, stmt->u.with.items[i].target);
  }
  read_block(search, stmt->u.with.body);
}

/* `len(rows)`, `len(rows) > 3`, `not rows`: no data of it. */
static bool is_measure(const Expr *expr) {
  if (expr->kind == EXPR_COMPARE) return true;
  if (expr->kind == EXPR_UNARY) return expr->u.unary.op == OP_NOT;
  if (expr->kind == EXPR_BOOL) return is_measure(expr->u.boolean.values.data[0]);
  if (expr->kind != EXPR_CALL || expr->u.call.callee->kind != EXPR_NAME) return false;
  return sym_is(expr->u.call.callee->u.name.id, S("len")) || sym_is(expr->u.call.callee->u.name.id, S("bool"));
}

static void read_return(Search *search, Expr *expr) {
  if (expr && mentions(search, expr)) search->bits |= is_measure(expr) ? USE_MEASURE : USE_RETURN;
}

static void read_stmt(Search *search, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
      mentions(search, stmt->u.expr);
      return;
    case STMT_RETURN:
      read_return(search, stmt->u.expr);
      return;
    case STMT_ASSIGN:
      read_assign(search, stmt);
      return;
    case STMT_AUGASSIGN:
      if (mentions(search, stmt->u.aug.value)) add_target(search, stmt->u.aug.target);
      return;
    case STMT_ANNASSIGN:
      if (mentions(search, stmt->u.ann.value)) add_target(search, stmt->u.ann.target);
      return;
    case STMT_IF:
      read_if(search, stmt);
      return;
    case STMT_WHILE:
      if (mentions(search, stmt->u.loop.test) && !only_shows(search, stmt->u.loop.body)) search->bits |= USE_BRANCH;
      read_block(search, stmt->u.loop.body);
      return;
    case STMT_FOR:
      read_for(search, stmt);
      return;
    case STMT_WITH:
      read_with(search, stmt);
      return;
    case STMT_TRY:
      read_try(search, stmt);
      return;
    case STMT_MATCH:
      if (mentions(search, stmt->u.match.subject)) search->bits |= USE_BRANCH;
      for (uint32_t i = 0; i < stmt->u.match.len; i++) read_block(search, stmt->u.match.cases[i].body);
      return;
    case STMT_FUNCTION:
      read_block(search, stmt->u.function->body);
      return;
    default:
      return;
  }
}

static void read_block(Search *search, Block block) {
  for (uint32_t i = 0; i < block.len; i++) read_stmt(search, block.data[i]);
}

/* Reads the function until no name is added. */
static uint32_t search_function(Search *search) {
  const Function *function = search->function;
  for (uint32_t pass = 0, known = UINT32_MAX; pass < PASSES && known != search->names.len; pass++) {
    known = search->names.len;
    if (!function->is_lambda) read_block(search, function->body);
    else read_return(search, function->lambda_body);
  }
  return search->bits;
}

static Search search_in(RuleContext *ctx, const Event *event) {
  return (Search){.project = event->frame->project,
                  .module = event->frame->module,
                  .function = event->frame->function,
                  .scratch = rule_scratch(ctx)};
}

uint32_t use_in_function(Arena *scratch, const Project *project, const Module *module, const Function *function,
                         const Expr *source) {
  Search search = {.project = project, .module = module, .function = function, .source = source, .scratch = scratch};
  return search_function(&search);
}

uint32_t use_of_place(RuleContext *ctx, const Event *event, const Expr *place) {
  Search search = search_in(ctx, event);
  add_target(&search, place);
  return search.names.len ? search_function(&search) & ~(uint32_t)USE_HANDED_ON : USE_RETURN;
}

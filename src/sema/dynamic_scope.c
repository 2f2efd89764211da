/* Read from the text of one function, with its nested blocks:
 *
 *   was = self.mode          saves
 *   self.mode = "fast"
 *   try: return self.run(x)
 *   finally: self.mode = was restores
 *
 * or of both halves of a context manager:
 *
 *   def __enter__(self): self.depth += 1     # or before the `yield` of a generator
 *   def __exit__(self, *_): self.depth -= 1  # or behind it
 */
#include "sema/dynamic_scope.h"

#include "sema/walk.h"

/* ---- assignments ---- */

typedef void StoreVisit(void *context, const Stmt *stmt);

/* Every `=` and `+=` of the block that is not in a loop, a handler or an inner function. */
static void each_store(const Block *block, StoreVisit *visit, void *context) {
  for (uint32_t i = 0; i < block->len; i++) {
    const Stmt *stmt = block->data[i];
    switch ((StmtKind)stmt->kind) {
      case STMT_ASSIGN:
      case STMT_AUGASSIGN:
        visit(context, stmt);
        break;
      case STMT_IF:
        for (uint32_t k = 0; k < stmt->u.branch.len; k++) each_store(&stmt->u.branch.arms[k].body, visit, context);
        break;
      case STMT_WITH:
        each_store(&stmt->u.with.body, visit, context);
        break;
      case STMT_TRY:
        each_store(&stmt->u.try_.body, visit, context);
        each_store(&stmt->u.try_.orelse, visit, context);
        each_store(&stmt->u.try_.finally, visit, context);
        break;
      default:
        break;
    }
  }
}

/* ---- saved and restored in one function ---- */

typedef struct Scan {
  const Expr *place;
  Sym saved;      // looked for: NULL while looking for what restores
  Sym restoring;  // name that some statement stores to the place
  bool found;
} Scan;

/* `self.mode`, or `getattr(self, "mode", …)`. */
static bool reads_place(const Expr *value, const Expr *place) {
  if (expr_same_path(value, place)) return true;
  bool by_name = value->kind == EXPR_CALL && value->u.call.callee->kind == EXPR_NAME &&
                 sym_is(value->u.call.callee->u.name.id, S("getattr")) && value->u.call.args.len >= 2;
  if (!by_name || place->kind != EXPR_ATTR) return false;
  const Expr *name = value->u.call.args.data[1];
  return expr_same_path(value->u.call.args.data[0], place->u.attr.value) && name->kind == EXPR_CONST &&
         name->u.constant.kind == CONST_STR && str_eq(place->u.attr.name->text, name->u.constant.text);
}

static void scan_store(void *context, const Stmt *stmt) {
  Scan *scan = context;
  if (stmt->kind != STMT_ASSIGN) return;
  const Expr *value = stmt->u.assign.value;
  for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) {
    const Expr *target = stmt->u.assign.targets.data[i];
    if (scan->saved) {
      scan->found |= target->kind == EXPR_NAME && target->u.name.id == scan->saved && reads_place(value, scan->place);
    } else if (value->kind == EXPR_NAME && expr_same_path(target, scan->place)) {
      scan->restoring = value->u.name.id;
    }
  }
}

static bool is_saved_and_restored(const Function *function, const Expr *place) {
  Scan scan = {.place = place};
  each_store(&function->body, scan_store, &scan);
  if (!scan.restoring) return false;
  scan.saved = scan.restoring;
  each_store(&function->body, scan_store, &scan);
  return scan.found;
}

/* ---- the two halves of a context manager ---- */

enum { DOES_SET = 1, DOES_RAISE = 2, DOES_LOWER = 4 };

typedef struct Half {
  Sym name;
  uint32_t from, to;  // statements that start in between
  unsigned does;
} Half;

static bool has_name(const Expr *target, Sym name) {
  return target->kind == EXPR_ATTR ? target->u.attr.name == name
                                   : target->kind == EXPR_NAME && target->u.name.id == name;
}

static void half_store(void *context, const Stmt *stmt) {
  Half *half = context;
  if (stmt->span.start < half->from || stmt->span.start >= half->to) return;
  if (stmt->kind == STMT_AUGASSIGN) {
    bool counts = has_name(stmt->u.aug.target, half->name);
    if (counts && stmt->u.aug.op == OP_ADD) half->does |= DOES_RAISE;
    if (counts && stmt->u.aug.op == OP_SUB) half->does |= DOES_LOWER;
    return;
  }
  for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) {
    if (has_name(stmt->u.assign.targets.data[i], half->name)) half->does |= DOES_SET;
  }
}

static bool takes_back(Half opening, Half closing) {
  return ((opening.does & DOES_RAISE) && (closing.does & DOES_LOWER)) ||
         ((opening.does & DOES_LOWER) && (closing.does & DOES_RAISE)) ||
         ((opening.does & DOES_SET) && (closing.does & DOES_SET));
}

static const Function *method_named(const Class *owner, Str name) {
  for (uint32_t i = 0; i < owner->body.len; i++) {
    const Stmt *stmt = owner->body.data[i];
    if (stmt->kind == STMT_FUNCTION && sym_is(stmt->u.function->name, name)) return stmt->u.function;
  }
  return NULL;
}

static void visit_yield(void *context, Expr *expr, const Function *function) {
  uint32_t *at = context;
  (void)function;
  if (expr->kind == EXPR_YIELD && expr->span.start < *at) *at = expr->span.start;
}

static bool yield_takes_back(const Function *function, Sym name) {
  uint32_t at = UINT32_MAX;
  Walk walk = {.visit = visit_yield, .context = &at, .function = function, .shallow = true};
  walk_block(&walk, &function->body);
  Half opening = {.name = name, .from = 0, .to = at}, closing = {.name = name, .from = at, .to = UINT32_MAX};
  each_store(&function->body, half_store, &opening);
  each_store(&function->body, half_store, &closing);
  return takes_back(opening, closing);
}

bool is_taken_back_at_exit(const Function *function, Sym name) {
  if (function->is_generator) return yield_takes_back(function, name);
  bool enters = sym_is(function->name, S("__enter__")), leaves = sym_is(function->name, S("__exit__"));
  if (!function->owner || (!enters && !leaves)) return false;
  const Function *opens = enters ? function : method_named(function->owner, S("__enter__"));
  const Function *closes = leaves ? function : method_named(function->owner, S("__exit__"));
  if (!opens || !closes) return false;
  Half opening = {.name = name, .to = UINT32_MAX}, closing = opening;
  each_store(&opens->body, half_store, &opening);
  each_store(&closes->body, half_store, &closing);
  return takes_back(opening, closing);
}

bool is_dynamic_scope(const Function *function, const Expr *place) {
  Sym name = place->kind == EXPR_ATTR ? place->u.attr.name : place->kind == EXPR_NAME ? place->u.name.id : NULL;
  return is_saved_and_restored(function, place) || (name && is_taken_back_at_exit(function, name));
}

/* Create-once guards: a test that reads a place, around a branch that fills it.
 *
 *   if self.v is None:            the test reads `self.v`, the branch fills it: what is created here is created once
 *     self.v = tf.Variable(0.)
 *
 *   if self.ready:                the rest of the block fills `self.ready`: guarded by the early return
 *     return
 *   self.ready = True
 *
 *   if self.first:                a flag that starts up: the branch sets it to False
 *     self.first = False
 *
 *   if self.built:                the early return reads `self.concat`, the rest of the block makes it; who sets the flag
 *     return self.concat(x)       stands elsewhere
 *   self.concat = Concatenate()
 *
 * A test that reads something else is no guard, whatever it is called. Filling is assignment, item assignment, a mutating
 * method, setattr, or a call of a method or function that does one of these.
 */
#include "flow/walk.h"
#include "sema/walk.h"

enum { FILL_DEPTH = 3 };

/* A place as text knows it: the path, and for `hasattr(o, "n")` the attribute that no expression spells. */
typedef struct Tested {
  const Expr *path;   // self.v, cache, or the object of hasattr
  Sym attribute;      // hasattr's name, or NULL
  Var home;           // place that a tested local was read from, or VAR_NONE
  bool contents;      // a local container from somewhere: only changing what it holds fills it
  bool lowered;       // a flag that is up at first: only setting it to False fills it
  bool assigned;      // only an assignment, to the place or to an item of it, fills it
} Tested;

/* ---- does a block fill the place? ---- */

typedef struct Search {
  Walker *w;
  const Tested *tested;
  Sym field;          // inside another function: the attribute of its own first parameter, or the global's name
  bool foreign;       // searching another function's body
  uint32_t depth;
  bool found;
} Search;

static bool block_fills(Search *search, const Block *block, uint32_t from);

/* Last name of the tested place: `v` of self.v, of a global v, of hasattr(o, "v"). */
static Sym tested_name(const Tested *tested) {
  if (tested->attribute) return tested->attribute;
  if (tested->path->kind == EXPR_ATTR) return tested->path->u.attr.name;
  return tested->path->kind == EXPR_NAME ? tested->path->u.name.id : NULL;
}

static bool same_place(const Search *search, const Expr *target) {
  const Tested *tested = search->tested;
  if (search->foreign) {
    if (target->kind == EXPR_ATTR) return target->u.attr.name == search->field && expr_is_path(target->u.attr.value);
    return target->kind == EXPR_NAME && target->u.name.ref == REF_GLOBAL && target->u.name.id == search->field;
  }
  if (tested->attribute) {
    return target->kind == EXPR_ATTR && target->u.attr.name == tested->attribute &&
           expr_same_path(target->u.attr.value, tested->path);
  }
  if (expr_same_path(target, tested->path)) return tested->home.kind == VAR_NONE;
  return tested->home.kind != VAR_NONE && var_eq(expr_var(search->w, target), tested->home);
}

static bool target_fills(Search *search, const Expr *target) {
  if (search->tested->lowered) return false;
  if (!search->tested->contents && same_place(search, target)) return true;
  if (search->tested->contents && target->kind == EXPR_SUBSCRIPT) return same_place(search, target->u.subscript.value);
  if (target->kind == EXPR_SUBSCRIPT) return target_fills(search, target->u.subscript.value);
  if (target->kind == EXPR_TUPLE || target->kind == EXPR_LIST) {
    for (uint32_t i = 0; i < target->u.items.len; i++) {
      if (target_fills(search, target->u.items.data[i])) return true;
    }
  }
  return false;
}

static bool is_mutator(Str name) {
  static const Str names[] = {S_INIT("append"), S_INIT("add"),        S_INIT("extend"),    S_INIT("update"),
                              S_INIT("insert"), S_INIT("setdefault"), S_INIT("appendleft")};
  return STR_IN(name, names);
}

/* The project function that a call in the searched body means: by names, and where the test stands by values too. */
static const Function *called_function(const Search *search, const Expr *callee) {
  Walker *w = search->w;
  FuncRef ref;
  ClassRef owner;
  if (callee->kind == EXPR_ATTR && callee->u.attr.value->kind == EXPR_NAME && w->receiver &&
      project_method(w->project, w->receiver->ref, callee->u.attr.name, &ref, &owner)) {
    return project_function(w->project, ref);
  }
  if (callee->kind == EXPR_ATTR && !search->foreign) {
    const Value *value = eval_quiet(w, callee);
    bool is_method = value->obj_len == 1 && !value->obj_more && value->objs[0]->kind == OBJ_FUNCTION;
    return is_method ? project_function(w->project, value->objs[0]->func) : NULL;
  }
  if (callee->kind != EXPR_NAME) return NULL;
  EntitySet set = project_resolve(w->project, w->module->id, w->function, callee);
  if (set.len != 1 || set.items[0].kind != ENTITY_FUNCTION) return NULL;
  return project_function(w->project, (FuncRef){set.items[0].module, set.items[0].index});
}

static bool call_fills(Search *search, const Expr *call) {
  const Expr *callee = call->u.call.callee;
  bool any_way = !search->tested->lowered && !search->tested->assigned;
  if (any_way && callee->kind == EXPR_ATTR && is_mutator(callee->u.attr.name->text) &&
      same_place(search, callee->u.attr.value))
    return true;
  if (any_way && callee->kind == EXPR_NAME && sym_is(callee->u.name.id, S("setattr")) && call->u.call.args.len >= 2) {
    const Expr *name = call->u.call.args.data[1];
    Sym home = search->tested->home.kind == VAR_FIELD ? search->tested->home.name : NULL;
    if (name->kind != EXPR_CONST) return false;
    return sym_is(tested_name(search->tested), name->u.constant.text) || sym_is(home, name->u.constant.text);
  }
  if (search->depth >= FILL_DEPTH) return false;
  const Function *function = called_function(search, callee);
  if (!function || function->is_lambda) return false;
  Search inner = *search;
  inner.foreign = true;
  inner.field = tested_name(search->tested);
  inner.depth++;
  return inner.field && block_fills(&inner, &function->body, 0);
}

static void visit_expr(void *context, Expr *expr) {
  Search *search = context;
  if (!expr || search->found) return;
  if (expr->kind == EXPR_CALL && call_fills(search, expr)) search->found = true;
  if (expr->kind == EXPR_WALRUS && target_fills(search, expr->u.walrus.target)) search->found = true;
  if (!search->found) expr_children(expr, visit_expr, context);
}

static bool expr_fills(Search *search, const Expr *expr) {
  visit_expr(search, (Expr *)expr);
  return search->found;
}

/* `self.first = False` */
static bool lowers(const Search *search, const Stmt *stmt) {
  const Expr *value = stmt->u.assign.value;
  if (value->kind != EXPR_CONST || value->u.constant.kind != CONST_FALSE) return false;
  for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) {
    if (same_place(search, stmt->u.assign.targets.data[i])) return true;
  }
  return false;
}

static bool stmt_fills(Search *search, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_ASSIGN:
      if (search->tested->lowered) return lowers(search, stmt);
      for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) {
        if (target_fills(search, stmt->u.assign.targets.data[i])) return true;
      }
      return expr_fills(search, stmt->u.assign.value);
    case STMT_ANNASSIGN:
      return stmt->u.ann.value && target_fills(search, stmt->u.ann.target);
    case STMT_AUGASSIGN:
      return target_fills(search, stmt->u.aug.target);
    case STMT_EXPR:
    case STMT_RETURN:
      return stmt->u.expr && expr_fills(search, stmt->u.expr);
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
        if (block_fills(search, &stmt->u.branch.arms[i].body, 0)) return true;
      }
      return false;
    case STMT_FOR:
      return block_fills(search, &stmt->u.forloop.body, 0);
    case STMT_WHILE:
      return block_fills(search, &stmt->u.loop.body, 0);
    case STMT_WITH:
      return block_fills(search, &stmt->u.with.body, 0);
    case STMT_TRY:
      for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
        if (block_fills(search, &stmt->u.try_.handlers[i].body, 0)) return true;
      }
      return block_fills(search, &stmt->u.try_.body, 0) || block_fills(search, &stmt->u.try_.orelse, 0) ||
             block_fills(search, &stmt->u.try_.finally, 0);
    default:
      return false;
  }
}

static bool block_fills(Search *search, const Block *block, uint32_t from) {
  for (uint32_t i = from; i < block->len; i++) {
    if (stmt_fills(search, block->data[i])) return true;
  }
  return false;
}

/* ---- what does a test read? ---- */

static bool is_empty_literal(const Expr *expr) {
  if (expr->kind == EXPR_CONST) {
    return expr->u.constant.kind == CONST_NONE || expr->u.constant.kind == CONST_FALSE ||
           (expr->u.constant.kind == CONST_INT && expr->u.constant.exact && expr->u.constant.i == 0);
  }
  return (expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE)
             ? expr->u.items.len == 0
             : expr->kind == EXPR_DICT && expr->u.dict.values.len == 0;
}

/* `hasattr(o, "n")`, and `getattr(o, "n", None)`, which is empty where there is no such attribute. */
static bool tested_attribute(Walker *w, const Expr *call, Str function, uint32_t args, Tested *out) {
  if (call->kind != EXPR_CALL || call->u.call.args.len != args || call->u.call.callee->kind != EXPR_NAME) return false;
  const Expr *name = call->u.call.args.data[1];
  if (!sym_is(call->u.call.callee->u.name.id, function)) return false;
  if (name->kind != EXPR_CONST || name->u.constant.kind != CONST_STR) return false;
  if (args == 3 && !is_empty_literal(call->u.call.args.data[2])) return false;
  *out =
      (Tested){.path = call->u.call.args.data[0], .attribute = sym_intern(w->project->symbols, name->u.constant.text)};
  return expr_is_path(out->path);
}

static bool tested_path(Walker *w, const Expr *expr, Tested *out) {
  if (tested_attribute(w, expr, S("getattr"), 3, out)) return true;
  *out = (Tested){.path = expr};
  if (expr->kind == EXPR_SUBSCRIPT) {
    out->path = expr->u.subscript.value;
    return expr_is_path(out->path);
  }
  if (expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_ATTR &&
      sym_is(expr->u.call.callee->u.attr.name, S("get"))) {
    out->path = expr->u.call.callee->u.attr.value;  // cache.get(k) is None
    return expr_is_path(out->path);
  }
  if (!expr_is_path(expr)) return false;
  if (expr->kind == EXPR_NAME && expr->u.name.ref == REF_LOCAL) {
    const Value *value = eval_quiet(w, expr);
    out->home = value->home;
    if (value_is_unknown(value)) return true;  // `if kernel is None: kernel = …`: it may well be given, always
    out->contents = value->home.kind == VAR_NONE;
    if (out->contents && value->origin == ORIGIN_FRESH) return false;  // it outlives nothing
  }
  return true;
}

static const Expr *len_operand(const Expr *expr) {
  bool is_len = expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
                sym_is(expr->u.call.callee->u.name.id, S("len")) && expr->u.call.args.len == 1;
  return is_len ? expr->u.call.args.data[0] : expr;
}

/* `absent`: the branch runs when the place is empty. */
static bool tested_by_compare(Walker *w, const Expr *test, bool absent, Tested *out) {
  if (test->u.compare.operands.len != 2) return false;
  const Expr *left = test->u.compare.operands.data[0], *right = test->u.compare.operands.data[1];
  switch ((CompareOp)test->u.compare.ops[0]) {
    case CMP_IS:
    case CMP_EQ:
      return absent && is_empty_literal(right) && tested_path(w, len_operand(left), out);
    case CMP_IS_NOT:
    case CMP_NE:
    case CMP_GT:
      return !absent && is_empty_literal(right) && tested_path(w, len_operand(left), out);
    case CMP_NOT_IN:
      return absent && tested_path(w, right, out);
    case CMP_IN:
      return !absent && tested_path(w, right, out);
    default:
      return false;
  }
}

static bool tested_by_call(Walker *w, const Expr *test, bool absent, Tested *out) {
  return !absent &&
         (tested_attribute(w, test, S("hasattr"), 2, out) || tested_attribute(w, test, S("getattr"), 3, out));
}

/* What `self.needs_build()` returns, where that is all the method does. */
static const Expr *returned_by_own_method(Walker *w, const Expr *call) {
  const Expr *callee = call->u.call.callee;
  FuncRef ref;
  ClassRef owner;
  bool own = callee->kind == EXPR_ATTR && callee->u.attr.value->kind == EXPR_NAME && w->receiver &&
             w->function->owner && w->function->param_len && call->u.call.args.len == 0 &&
             callee->u.attr.value->u.name.id == w->function->params[0].name->u.name.id;
  if (!own || !project_method(w->project, w->receiver->ref, callee->u.attr.name, &ref, &owner)) return NULL;
  const Function *method = project_function(w->project, ref);
  const Stmt *last = method->body.len ? method->body.data[method->body.len - 1] : NULL;
  bool plain = last && last->kind == STMT_RETURN && last->u.expr && method->body.len <= 2 && method->param_len == 1 &&
               method->params[0].name->u.name.id == callee->u.attr.value->u.name.id;
  if (!plain) return NULL;
  const Expr *said = last->u.expr, *inner = said->kind == EXPR_UNARY ? said->u.unary.operand : said;
  return inner->kind == EXPR_COMPARE || inner->kind == EXPR_ATTR ? said : NULL;  // no calls: it may call itself
}

/* Tries every place the test reads: in `a is None or b is None` each of them. */
static bool any_tested(Walker *w, const Expr *test, bool outcome, bool (*use)(Walker *, const Tested *, void *),
                       void *context) {
  Tested tested;
  const Expr *returned = test->kind == EXPR_CALL ? returned_by_own_method(w, test) : NULL;
  if (returned) test = returned;
  switch ((ExprKind)test->kind) {
    case EXPR_UNARY:
      return test->u.unary.op == OP_NOT && any_tested(w, test->u.unary.operand, !outcome, use, context);
    case EXPR_BOOL:
      for (uint32_t i = 0; i < test->u.boolean.values.len; i++) {
        if (any_tested(w, test->u.boolean.values.data[i], outcome, use, context)) return true;
      }
      return false;
    case EXPR_COMPARE:
      return tested_by_compare(w, test, outcome, &tested) && use(w, &tested, context);
    case EXPR_CALL:
      return tested_by_call(w, test, outcome, &tested) && use(w, &tested, context);
    case EXPR_NAME:
    case EXPR_ATTR:
    case EXPR_SUBSCRIPT:
      if (!tested_path(w, test, &tested)) return false;
      tested.lowered = outcome;
      return use(w, &tested, context);
    default:
      return false;
  }
}

typedef struct GuardQuery {
  const Block *fills;
  uint32_t from;
  bool lowering;  // asks for a flag that the branch lowers
  Var var;
} GuardQuery;

static void visit_call(void *context, Expr *expr) {
  bool *found = context;
  if (!expr || *found) return;
  *found = expr->kind == EXPR_CALL;
  if (!*found) expr_children(expr, visit_call, context);
}

/* `self.x` */
static bool is_on_self(const Walker *w, const Expr *path) {
  const Function *function = w->function;
  bool on_name = path->kind == EXPR_ATTR && path->u.attr.value->kind == EXPR_NAME && w->receiver;
  return on_name && function->param_len && path->u.attr.value->u.name.id == function->params[0].name->u.name.id;
}

/* `self.x` that no visible code writes, in a class with bases out of sight. */
static bool is_kept_out_of_sight(const Walker *w, const Expr *path) {
  if (!is_on_self(w, path) || (!w->receiver->apis.len && !w->receiver->unknown_base)) return false;
  return !flow_field_is_written(w->flow, w->receiver->ref, path->u.attr.name);
}

/* What the branch calls may well set such a flag. */
static bool filled_out_of_sight(Walker *w, const Tested *tested, const GuardQuery *query) {
  if (tested->lowered || tested->attribute || !is_kept_out_of_sight(w, tested->path)) return false;
  bool calls = false;
  for (uint32_t i = query->from; i < query->fills->len && !calls; i++) {
    if (query->fills->data[i]->kind == STMT_EXPR) visit_call(&calls, query->fills->data[i]->u.expr);
  }
  return calls;
}

static bool try_guard(Walker *w, const Tested *tested, void *context) {
  GuardQuery *query = context;
  if (tested->lowered != query->lowering) return false;
  Search search = {.w = w, .tested = tested};
  bool filled = block_fills(&search, query->fills, query->from) || filled_out_of_sight(w, tested, query);
  if (!filled) return false;
  query->var = tested->home.kind != VAR_NONE ? tested->home : expr_var(w, tested->path);
  return true;
}

bool guard_of(Walker *w, const Expr *test, bool outcome, const Block *fills, uint32_t from, Var *var) {
  GuardQuery query = {.fills = fills, .from = from};
  if (!any_tested(w, test, outcome, try_guard, &query)) return false;
  *var = query.var;
  return true;
}

bool lowered_guard(Walker *w, const Stmt *stmt, Var *var) {
  const IfArm *arm = &stmt->u.branch.arms[0];
  const Block *body = &arm->body;
  bool alternative = stmt->u.branch.len > 1 || (body->len && body->data[body->len - 1]->kind == STMT_RETURN);
  GuardQuery query = {.fills = body, .lowering = true};
  if (alternative || !any_tested(w, arm->test, true, try_guard, &query)) return false;
  *var = query.var;
  return true;
}

/* ---- a fast path: what it reads, the slow path behind it makes ---- */

typedef struct FastPath {
  Walker *w;
  const Expr *self;
  const Block *slow;
  uint32_t from;
  Sym found;
  bool in_helper;  // looking at what a function reads that the fast path calls: `scaled(self, x)`
} FastPath;

static void visit_fast_read(void *context, Expr *expr, const Function *function) {
  FastPath *fast = context;
  (void)function;
  if (fast->found) return;
  if (expr->kind == EXPR_CALL && !fast->in_helper) {
    Search here = {.w = fast->w, .tested = &(Tested){.path = fast->self}};
    const Function *called = called_function(&here, expr->u.call.callee);
    if (!called || called->is_lambda) return;
    fast->in_helper = true;
    walk_body(&(Walk){.visit = visit_fast_read, .context = fast, .shallow = true}, called);
    fast->in_helper = false;
    return;
  }
  bool reads = expr->kind == EXPR_ATTR && expr->u.attr.value->kind == EXPR_NAME &&
               (fast->in_helper || expr_same_path(expr->u.attr.value, fast->self));
  if (!reads) return;
  Tested tested = {.path = fast->self, .attribute = expr->u.attr.name, .assigned = true};
  Search search = {.w = fast->w, .tested = &tested};
  if (block_fills(&search, fast->slow, fast->from)) fast->found = tested.attribute;
}

bool fast_path_guard(Walker *w, const Stmt *stmt, const Block *rest, uint32_t from) {
  const IfArm *arm = &stmt->u.branch.arms[0];
  bool by_flag = stmt->u.branch.len == 1 && is_on_self(w, arm->test);
  if (!by_flag || !flow_field_is_written(w->flow, w->receiver->ref, arm->test->u.attr.name)) return false;
  FastPath fast = {.w = w, .self = arm->test->u.attr.value, .slow = rest, .from = from};
  walk_block(&(Walk){.visit = visit_fast_read, .context = &fast, .function = w->function, .shallow = true}, &arm->body);
  return fast.found != NULL;
}

/* ---- try: self.v / except AttributeError: self.v = … ---- */

typedef struct ReadSearch {
  Walker *w;
  const Block *handler;
  bool found;
} ReadSearch;

static void visit_read(void *context, Expr *expr) {
  ReadSearch *search = context;
  if (!expr || search->found) return;
  Tested tested = {.path = expr};
  bool place = expr->kind == EXPR_ATTR || expr->kind == EXPR_NAME;
  if (expr->kind == EXPR_SUBSCRIPT) {
    tested.path = expr->u.subscript.value;
    place = true;
  }
  if (place && expr_is_path(tested.path)) {
    Search fills = {.w = search->w, .tested = &tested};
    search->found = block_fills(&fills, search->handler, 0);
  }
  if (!search->found) expr_children(expr, visit_read, context);
}

/* `self.metrics_names.index(name)` where the base keeps the names: what the handler adds to `self` may well be named there. */
static bool looked_up_out_of_sight(Walker *w, const Expr *call) {
  const Expr *callee = call->u.call.callee;
  if (callee->kind != EXPR_ATTR || !sym_is(callee->u.attr.name, S("index"))) return false;
  return is_kept_out_of_sight(w, callee->u.attr.value);
}

/* `self._metrics.append(…)` */
static void visit_growth(void *context, Expr *expr, const Function *function) {
  ReadSearch *search = context;
  (void)function;
  if (expr->kind != EXPR_CALL || expr->u.call.callee->kind != EXPR_ATTR) return;
  const Expr *callee = expr->u.call.callee;
  search->found |= is_mutator(callee->u.attr.name->text) && is_on_self(search->w, callee->u.attr.value);
}

static void visit_lookup(void *context, Expr *expr, const Function *function) {
  ReadSearch *search = context;
  if (search->found || expr->kind != EXPR_CALL || !looked_up_out_of_sight(search->w, expr)) return;
  Walk walk = {.visit = visit_growth, .context = search, .function = function, .shallow = true};
  walk_block(&walk, search->handler);
}

bool lookup_guards(Walker *w, const Block *body, const Block *handler) {
  ReadSearch search = {w, handler, false};
  Walk walk = {.visit = visit_lookup, .context = &search, .function = w->function, .shallow = true};
  walk_block(&walk, body);
  return search.found;
}

bool handler_guards(Walker *w, const Block *body, const Block *handler) {
  ReadSearch search = {w, handler, false};
  for (uint32_t i = 0; i < body->len && !search.found; i++) {
    const Stmt *stmt = body->data[i];
    if (stmt->kind == STMT_EXPR || stmt->kind == STMT_RETURN) visit_read(&search, stmt->u.expr);
    if (stmt->kind == STMT_ASSIGN) visit_read(&search, stmt->u.assign.value);
  }
  return search.found;
}

/* Statements: blocks, branches, try, with, match; loops, stores and definitions have files of their own.
 *
 * A branch is walked on a copy of the environment, narrowed by its test, and the copies are joined behind it. Where a branch
 * leaves the function, the rest of the block runs under a region that says on what condition it is reached.
 */
#include "flow/walk.h"

void push_region(Walker *w, Region region) { vec_push(w->scratch, &w->regions, region); }
void pop_region(Walker *w) { w->regions.len--; }

/* ---- if ---- */

static Region branch_region(Walker *w, const Stmt *stmt, const Condition *condition, const Expr *test, uint32_t arm) {
  Region region = {.kind = REGION_PYTHON_BRANCH,
                   .stmt = stmt,
                   .expr = test,
                   .value = condition->value,
                   .arm = arm,
                   .trip_count = -1};
  if (condition->is_tensor && !(w->context & CTX_AUTOGRAPH_OFF)) region.kind = REGION_TENSOR_BRANCH;
  if (condition->is_static) region.kind = REGION_STATIC_BRANCH;
  if (condition->is_frozen) {
    region.kind = REGION_FROZEN_BRANCH;
    region.var = condition->value->home;
  }
  return region;
}

typedef struct IfWalk {
  const Stmt *stmt;
  const Block *rest;      // block the `if` stands in, and where it goes on
  uint32_t rest_from;
  Env *staged_from;       // environment before the first condition on a tensor, NULL while there is none
  Env *out;               // join of the arms that fall through
  bool some_left;
  Condition left_on;      // condition of the first arm that left
  const Expr *left_test;
  bool left_outcome;
  VEC(OpenBranch) arms;   // those that were walked, the else arm too
  uint32_t pushed;
} IfWalk;

static void emit_branch(Walker *w, const IfWalk *walk, const Condition *condition, const Expr *test, uint32_t arm) {
  if (!listening(w)) return;
  const IfArm *taken = &walk->stmt->u.branch.arms[arm];
  Var filled;
  Event event = {
      .kind = EV_BRANCH, .expr = test, .stmt = walk->stmt, .span = test->span, .value = condition->value, .arm = arm};
  event.var = changing_home(w, condition->value);
  event.is_guard = guard_of(w, test, true, &taken->body, 0, &filled) || lowered_guard(w, walk->stmt, &filled) ||
                   guard_of(w, test, false, walk->rest, walk->rest_from, &filled);
  emit_event(w, &event);
}

static void finish_arm(Walker *w, IfWalk *walk, const Condition *condition, const Expr *test, bool outcome) {
  if (w->env->dead) {
    if (!walk->some_left) {
      walk->left_on = *condition;
      walk->left_test = test;
      walk->left_outcome = outcome;
    }
    walk->some_left = true;
  } else {
    walk->out = env_join(w, walk->out, w->env);
  }
}

static void walk_arm_body(Walker *w, IfWalk *walk, const Block *body, OpenBranch open) {
  const Value *returns = w->returns;
  w->returns = &value_bottom;
  exec_block(w, body);
  open.stmt = walk->stmt;
  open.main = listening(w) ? env_copy(w, w->env) : w->env;  // exec_if goes on with it
  open.main_returns = w->returns;
  vec_push(w->scratch, &walk->arms, open);
  w->returns = value_join(w->scratch, returns, w->returns);
}

static void walk_arm(Walker *w, IfWalk *walk, uint32_t i, const Condition *condition) {
  const IfArm *arm = &walk->stmt->u.branch.arms[i];
  Region region = branch_region(w, walk->stmt, condition, arm->test, i);
  Var var;
  if (guard_of(w, arm->test, true, &arm->body, 0, &var) || lowered_guard(w, walk->stmt, &var)) {
    region.kind = REGION_GUARD;
    region.var = var;
  }
  push_region(w, region);
  OpenBranch open = {.arm = i, .test = arm->test, .condition = condition->value};
  open.told = listening(w) && region.kind == REGION_TENSOR_BRANCH;
  walk_arm_body(w, walk, &arm->body, open);
  pop_region(w);
  finish_arm(w, walk, condition, arm->test, true);
}

/* The else branch, under the regions that the failed tests pushed. */
static void walk_else(Walker *w, IfWalk *walk, const IfArm *arm, const Condition *condition, const Expr *test) {
  Var var;
  bool guard = guard_of(w, test, false, &arm->body, 0, &var);
  if (guard)
    push_region(w, (Region){.kind = REGION_GUARD, .stmt = walk->stmt, .expr = test, .var = var, .trip_count = -1});
  walk_arm_body(w, walk, &arm->body, (OpenBranch){0});
  if (guard) pop_region(w);
  finish_arm(w, walk, condition, test, false);
}

static void walk_arms(Walker *w, IfWalk *walk) {
  const Stmt *stmt = walk->stmt;
  Condition condition = {0};
  const Expr *test = NULL;
  for (uint32_t i = 0; i < stmt->u.branch.len && !w->env->dead; i++) {
    const IfArm *arm = &stmt->u.branch.arms[i];
    if (!arm->test) {
      walk_else(w, walk, arm, &condition, test);
      w->env->dead = true;
      break;
    }
    test = arm->test;
    w->stmt = stmt;  // the arm before was somewhere else
    condition = eval_condition(w, test, ASK_IF);
    if (!condition.value->kinds)
      w->env->dead = true;  // nothing is known yet: which arm is taken comes with a later round
    if (w->env->dead) break;
    if (condition.is_tensor && ctx_autograph_on(w->context) && !walk->staged_from)
      walk->staged_from = env_copy(w, w->env);
    emit_branch(w, walk, &condition, test, i);
    Env *failed = env_copy(w, w->env);
    refine(w, test, true);
    if (condition.constant != TRI_NO && !w->env->dead) walk_arm(w, walk, i, &condition);
    w->env = failed;
    refine(w, test, false);
    if (condition.constant == TRI_YES) w->env->dead = true;
    push_region(w, branch_region(w, stmt, &condition, test, i + 1));
    walk->pushed++;
  }
}

/* The rest of the block is reached only where no arm left: under the same tensor branch, guard or frozen condition. */
static void push_rest_region(Walker *w, const IfWalk *walk) {
  if (!walk->some_left || w->env->dead) return;
  const Condition *condition = &walk->left_on;
  Region region = branch_region(w, walk->stmt, condition, walk->left_test, 1);
  Var var;
  if (guard_of(w, walk->left_test, !walk->left_outcome, walk->rest, walk->rest_from, &var)) {
    region.kind = REGION_GUARD;
    region.var = var;
  } else if (fast_path_guard(w, walk->stmt, walk->rest, walk->rest_from)) {
    region.kind = REGION_GUARD;
  } else if (region.kind != REGION_TENSOR_BRANCH) {
    region.exit_was_frozen = condition->is_frozen;
    region.kind = REGION_AFTER_EXIT;
  }
  push_region(w, region);
}

/* Arms on tensors wait for the end of the block. The alternative of each are the arms behind it, and falling through. */
static void open_arms(Walker *w, IfWalk *walk) {
  const Env *other = w->env;
  const Value *other_returns = &value_bottom;
  bool followed = false;
  for (uint32_t i = walk->arms.len; i > 0; i--) {
    OpenBranch *arm = &walk->arms.data[i - 1];
    arm->other = other;
    arm->other_returns = other_returns;
    arm->returns_before = w->returns;
    arm->followed = followed;
    followed |= arm->told;
    if (arm->told) {
      vec_push(w->scratch, &w->open_branches, *arm);
      w->returns = &value_bottom;
    }
    other = env_join(w, other, arm->main);
    other_returns = value_join(w->scratch, other_returns, arm->main_returns);
  }
}

/* The block is over: what it returned since belongs to the side that goes on. */
static void close_arms(Walker *w, uint32_t first) {
  while (w->open_branches.len > first) {
    OpenBranch arm = w->open_branches.data[--w->open_branches.len];
    const StmtFacts *facts = w->facts ? facts_of(w->facts, arm.stmt, arm.arm) : NULL;
    if (facts && facts->normalised) {
      const Value **side = arm.main->dead ? &arm.other_returns : &arm.main_returns;
      *side = value_join(w->scratch, *side, w->returns);
    }
    Event event = {.kind = EV_BRANCH_END,
                   .expr = arm.test,
                   .stmt = arm.stmt,
                   .span = arm.test->span,
                   .value = arm.condition,
                   .arm = arm.arm,
                   .followed = arm.followed,
                   .sides = {arm.main, arm.other},
                   .operands = {arm.main_returns, arm.other_returns},
                   .operand_len = 2};
    emit_event(w, &event);
    w->returns = value_join(w->scratch, arm.returns_before, w->returns);
  }
}

void exec_if(Walker *w, const Stmt *stmt, const Block *rest, uint32_t rest_from) {
  IfWalk walk = {.stmt = stmt, .rest = rest, .rest_from = rest_from};
  walk_arms(w, &walk);
  open_arms(w, &walk);
  w->regions.len -= walk.pushed;
  if (!w->env->dead) walk.out = env_join(w, walk.out, w->env);
  if (walk.out && walk.staged_from) env_stage(w, walk.staged_from, walk.out);
  if (walk.out) w->env = walk.out;
  else w->env->dead = true;
  push_rest_region(w, &walk);
}

/* ---- try ---- */

static bool catches_absence(const Expr *type) {
  static const Str names[] = {S_INIT("AttributeError"), S_INIT("NameError"), S_INIT("KeyError"),
                              S_INIT("UnboundLocalError")};
  if (!type) return true;
  if (type->kind == EXPR_TUPLE) return type->u.items.len && catches_absence(type->u.items.data[0]);
  for (size_t i = 0; type->kind == EXPR_NAME && i < sizeof names / sizeof *names; i++) {
    if (sym_is(type->u.name.id, names[i])) return true;
  }
  return false;
}

/* What `rows.index(x)` raises. */
static bool catches_failed_lookup(const Expr *type) {
  return !type || (type->kind == EXPR_NAME && sym_is(type->u.name.id, S("ValueError")));
}

static void exec_handler(Walker *w, const Stmt *stmt, const Handler *handler, const Env *start) {
  w->env = env_copy(w, start);
  w->env->dead = false;
  if (handler->type) eval(w, handler->type);
  if (handler->name) assign_name(w, handler->name, &value_unknown);
  const Block *body = &stmt->u.try_.body;
  bool guard = (catches_absence(handler->type) && handler_guards(w, body, &handler->body)) ||
               (catches_failed_lookup(handler->type) && lookup_guards(w, body, &handler->body));
  push_region(w, (Region){.kind = guard ? REGION_GUARD : REGION_HANDLER, .stmt = stmt, .trip_count = -1});
  exec_block(w, &handler->body);
  pop_region(w);
}

static const Value *caught_classes(Walker *w, const Stmt *stmt) {
  const Value *classes = &value_bottom;
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
    const Expr *type = stmt->u.try_.handlers[i].type;
    if (!type) return NULL;
    const Value *caught = eval_quiet(w, type);
    if (value_is(caught, KIND(TUPLE)) && caught->kinds) caught = value_held(w->scratch, caught);
    classes = value_join(w->scratch, classes, caught);
  }
  return classes;
}

void exec_try(Walker *w, const Stmt *stmt) {
  Env *before = env_copy(w, w->env);
  Event event = {.kind = EV_TRY, .stmt = stmt, .span = stmt->header, .value = caught_classes(w, stmt)};
  emit_event(w, &event);
  push_region(w, (Region){.kind = REGION_TRY, .stmt = stmt, .trip_count = -1});
  exec_block(w, &stmt->u.try_.body);
  pop_region(w);
  Env *middle = env_join(w, before, w->env);  // an exception may come from anywhere in the body
  if (!w->env->dead) exec_block(w, &stmt->u.try_.orelse);
  Env *out = w->env->dead ? NULL : w->env;
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
    exec_handler(w, stmt, &stmt->u.try_.handlers[i], middle);
    out = env_join(w, out, w->env);
  }
  w->env = out ? out : w->env;
  bool dead = !out || out->dead;
  if (stmt->u.try_.finally.len) {
    w->env->dead = false;
    exec_block(w, &stmt->u.try_.finally);
    dead = dead || w->env->dead;
  }
  w->env->dead = dead;
}

/* ---- with ---- */

static RegionKind context_region(Walker *w, const Expr *expr, const Value *value) {
  if (value_is(value, KIND(TAPE))) return REGION_TAPE;
  const Expr *call = expr;
  if (call->kind == EXPR_CALL && call->u.call.callee->kind == EXPR_ATTR) {
    const Value *object = eval_quiet(w, call->u.call.callee->u.attr.value);
    if (value_is(object, KIND(STRATEGY))) return REGION_STRATEGY;
  }
  const Value *callee = call->kind == EXPR_CALL ? eval_quiet(w, call->u.call.callee) : value;
  if (callee->obj_len != 1 || !callee->objs[0]->api) return REGION_TRY;
  const ApiFact *fact = catalog_api(w->project->catalog, callee->objs[0]->api->text);
  if (fact && (fact->tags & TAG(INIT_SCOPE))) return REGION_INIT_SCOPE;
  if (fact && (fact->tags & TAG(GRAPH_SCOPE))) return REGION_GRAPH_SCOPE;
  return REGION_TRY;
}

void exec_with(Walker *w, const Stmt *stmt) {
  uint32_t pushed = 0;
  for (uint32_t i = 0; i < stmt->u.with.len; i++) {
    const WithItem *item = &stmt->u.with.items[i];
    const Value *value = eval(w, item->context);
    RegionKind kind = context_region(w, item->context, value);
    bool itself = value_is(value, KIND(TAPE) | KIND(OBJECT) | KIND(HOST_ITERATOR) | KIND(TF_OBJECT) | KIND(WRITER)) &&
                  value->kinds;
    const Value *entered = enter_context(w, value, item->context->span);
    if (!entered) entered = itself ? value : &value_unknown;
    if (item->target) assign(w, item->target, entered, STORE_WITH, NULL);
    if (kind == REGION_TRY) continue;
    push_region(w, (Region){.kind = kind, .stmt = stmt, .expr = item->context, .value = value, .trip_count = -1});
    pushed++;
  }
  exec_block(w, &stmt->u.with.body);
  w->regions.len -= pushed;
}

/* ---- match ---- */

static void bind_pattern(Walker *w, const Pattern *pattern, const Value *subject) {
  if (pattern->value) eval(w, pattern->value);
  if (pattern->name)
    assign_name(w, pattern->name, pattern->kind == PAT_CAPTURE || pattern->kind == PAT_AS ? subject : &value_unknown);
  for (uint32_t i = 0; i < pattern->part_len; i++) {
    bind_pattern(w, pattern->parts[i], pattern->kind == PAT_OR || pattern->kind == PAT_AS ? subject : &value_unknown);
  }
}

/* Does the pattern match? Known for patterns that match anything, and for constants: `match keras.backend.backend():`. */
static Tri pattern_matches(Walker *w, const Pattern *pattern, const Value *subject) {
  switch ((PatternKind)pattern->kind) {
    case PAT_WILDCARD:
      return TRI_YES;
    case PAT_CAPTURE:
      return pattern->name ? TRI_YES : TRI_UNKNOWN;
    case PAT_VALUE: {
      const Value *value = eval_quiet(w, pattern->value);
      bool known = subject->konst == KONST_STR && value->konst == KONST_STR && subject->home.kind == VAR_NONE;
      if (!known) return TRI_UNKNOWN;
      return str_eq(subject->constant.s, value->constant.s) ? TRI_YES : TRI_NO;
    }
    case PAT_OR: {
      Tri best = TRI_NO;
      for (uint32_t i = 0; i < pattern->part_len && best != TRI_YES; i++) {
        Tri one = pattern_matches(w, pattern->parts[i], subject);
        if (one != TRI_NO) best = one;
      }
      return best;
    }
    default:
      return TRI_UNKNOWN;
  }
}

void exec_match(Walker *w, const Stmt *stmt) {
  const Value *subject = eval(w, stmt->u.match.subject);
  Env *before = w->env, *out = NULL;
  bool exhaustive = false;
  for (uint32_t i = 0; i < stmt->u.match.len && !exhaustive; i++) {
    const MatchCase *one = &stmt->u.match.cases[i];
    Tri matches = pattern_matches(w, one->pattern, subject);
    if (matches == TRI_NO) continue;
    w->env = env_copy(w, before);
    bind_pattern(w, one->pattern, subject);
    Event event = {
        .kind = EV_TRUTH, .expr = stmt->u.match.subject, .span = one->header, .value = subject, .asker = ASK_MATCH};
    emit_event(w, &event);
    if (one->guard) eval_condition(w, one->guard, ASK_MATCH);
    push_region(w, (Region){.kind = REGION_PYTHON_BRANCH,
                            .stmt = stmt,
                            .expr = stmt->u.match.subject,
                            .value = subject,
                            .arm = i,
                            .trip_count = -1});
    exec_block(w, &one->body);
    pop_region(w);
    out = env_join(w, out, w->env);
    exhaustive = matches == TRI_YES && !one->guard;
  }
  w->env = exhaustive ? out : env_join(w, out, before);
}

/* ---- simple statements ---- */

static void exec_return(Walker *w, const Stmt *stmt) {
  const Value *value = eval_opt(w, stmt->u.expr);
  Event event = {.kind = EV_RETURN, .expr = stmt->u.expr, .span = stmt->span, .value = value};
  emit_event(w, &event);
  w->returns = value_join(w->scratch, w->returns, value);
  w->env->dead = true;
}

static void exec_raise(Walker *w, const Stmt *stmt) {
  const Value *value = stmt->u.raise.exc ? eval(w, stmt->u.raise.exc) : &value_unknown;
  if (stmt->u.raise.cause) eval(w, stmt->u.raise.cause);
  Event event = {.kind = EV_RAISE, .expr = stmt->u.raise.exc, .span = stmt->span, .value = value};
  emit_event(w, &event);
  w->env->dead = true;
}

static void exec_assert(Walker *w, const Stmt *stmt) {
  eval_condition(w, stmt->u.assertion.test, ASK_ASSERT);
  if (stmt->u.assertion.message) eval(w, stmt->u.assertion.message);
  Env *before = env_copy(w, w->env);
  refine(w, stmt->u.assertion.test, true);
  if (w->env->dead) w->env = before;  // an assertion that we think always fails tells more about us
}

static void exec_jump(Walker *w, const Stmt *stmt) {
  Event event = {.kind = EV_JUMP, .span = stmt->span};
  emit_event(w, &event);
  if (w->loop) {
    Env **into = stmt->kind == STMT_BREAK ? &w->loop->break_env : &w->loop->continue_env;
    *into = env_join(w, *into, w->env);
  }
  w->env->dead = true;
}

static void exec_aug(Walker *w, const Stmt *stmt) {
  const Expr *target = stmt->u.aug.target;
  const Value *old = eval(w, target);
  const Value *operand = eval(w, stmt->u.aug.value);
  const Value *result = binary_value(w, stmt->u.aug.op, old, operand, stmt->span);
  bool lasts = target->kind != EXPR_NAME || target->u.name.ref != REF_LOCAL;
  bool repeats = w->function->is_module || !lasts ? w->loop_depth && !few_rounds(w) : true;
  if (value_is(result, KIND(NUMBER)) && repeats) result = value_with_flags(w->scratch, result, VF_CHANGING, 0);
  bool in_place = value_is(old, KIND(LIST) | KIND(SET) | KIND(DICT)) && old->kinds;
  if (in_place && w->loop_depth) result = value_with_flags(w->scratch, result, VF_GROWING, 0);
  if (value_is(old, KIND(VARIABLE))) result = old;  // raises, so that nothing is stored
  else assign_aug(w, target, result, in_place);
  Event event = {.kind = EV_STORE,
                 .expr = target,
                 .target = target,
                 .span = stmt->span,
                 .value = operand,
                 .result = result,
                 .operands = {old, operand},
                 .operand_len = 2,
                 .op = stmt->u.aug.op,
                 .store = STORE_AUG,
                 .var = expr_var(w, target)};
  if (listening(w)) {
    event.outlives = place_outlives(w, target);
    if (target->kind == EXPR_ATTR) event.receiver = eval_quiet(w, target->u.attr.value);
    if (target->kind == EXPR_SUBSCRIPT) event.receiver = eval_quiet(w, target->u.subscript.value);
  }
  emit_event(w, &event);
}

static void exec_delete(Walker *w, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.exprs.len; i++) delete_target(w, stmt->u.exprs.data[i]);
}

static void exec_assign(Walker *w, const Stmt *stmt) {
  const ExprList *targets = &stmt->u.assign.targets;
  if (targets->len == 1) w->direct_target = targets->data[0];
  const Expr *direct = stmt->u.assign.value;
  if (direct->kind != EXPR_CALL) w->direct_target = NULL;
  const Value *value = eval(w, direct);
  w->direct_target = NULL;
  for (uint32_t i = 0; i < targets->len; i++) assign(w, targets->data[i], value, STORE_ASSIGN, direct);
}

static void exec_ann(Walker *w, const Stmt *stmt) {
  if (!stmt->u.ann.value) return;
  if (stmt->u.ann.value->kind == EXPR_CALL) w->direct_target = stmt->u.ann.target;
  const Value *value = eval(w, stmt->u.ann.value);
  w->direct_target = NULL;
  assign(w, stmt->u.ann.target, value, STORE_ASSIGN, stmt->u.ann.value);
}

/* Python 2's print statement: a call of print by another spelling. */
static void exec_print(Walker *w, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.exprs.len; i++) eval(w, stmt->u.exprs.data[i]);
}

/* flat table: one line per kind of statement */
void exec_stmt(Walker *w, const Stmt *stmt) {
  w->stmt = stmt;
  switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
      w->used_as_statement = stmt->u.expr;
      eval(w, stmt->u.expr);
      w->used_as_statement = NULL;
      break;
    case STMT_ASSIGN:
      exec_assign(w, stmt);
      break;
    case STMT_AUGASSIGN:
      exec_aug(w, stmt);
      break;
    case STMT_ANNASSIGN:
      exec_ann(w, stmt);
      break;
    case STMT_RETURN:
      exec_return(w, stmt);
      break;
    case STMT_DELETE:
      exec_delete(w, stmt);
      break;
    case STMT_RAISE:
      exec_raise(w, stmt);
      break;
    case STMT_ASSERT:
      exec_assert(w, stmt);
      break;
    case STMT_BREAK:
    case STMT_CONTINUE:
      exec_jump(w, stmt);
      break;
    case STMT_IMPORT:
    case STMT_IMPORT_FROM:
      exec_import(w, stmt);
      break;
    case STMT_FOR:
    case STMT_WHILE:
      exec_loop(w, stmt);
      break;
    case STMT_WITH:
      exec_with(w, stmt);
      break;
    case STMT_TRY:
      exec_try(w, stmt);
      break;
    case STMT_MATCH:
      exec_match(w, stmt);
      break;
    case STMT_FUNCTION:
      exec_def(w, stmt);
      break;
    case STMT_CLASS:
      exec_class(w, stmt);
      break;
    case STMT_PRINT:
      exec_print(w, stmt);
      break;
    case STMT_IF:  // needs its block: exec_block
    case STMT_OPAQUE:
    case STMT_PASS:
    case STMT_GLOBAL:
    case STMT_NONLOCAL:
    case STMT_TYPE_ALIAS:
      break;
  }
}

static void note_line(Walker *w, const Stmt *stmt) {
  if (w->listener && w->listener->lines && !w->silent && !w->env->dead) collect_line(w, stmt);
}

/* ---- beyond the budget ---- */

static void sweep_block(Walker *w, const Block *block);

static void sweep_try(Walker *w, const Stmt *stmt) {
  sweep_block(w, &stmt->u.try_.body);
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) sweep_block(w, &stmt->u.try_.handlers[i].body);
  sweep_block(w, &stmt->u.try_.orelse);
  sweep_block(w, &stmt->u.try_.finally);
}

static void sweep_stmt(Walker *w, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) sweep_block(w, &stmt->u.branch.arms[i].body);
      break;
    case STMT_FOR:
      sweep_block(w, &stmt->u.forloop.body);
      sweep_block(w, &stmt->u.forloop.orelse);
      break;
    case STMT_WHILE:
      sweep_block(w, &stmt->u.loop.body);
      sweep_block(w, &stmt->u.loop.orelse);
      break;
    case STMT_WITH:
      sweep_block(w, &stmt->u.with.body);
      break;
    case STMT_TRY:
      sweep_try(w, stmt);
      break;
    case STMT_MATCH:
      for (uint32_t i = 0; i < stmt->u.match.len; i++) sweep_block(w, &stmt->u.match.cases[i].body);
      break;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RAISE:
      break;
    default:
      exec_stmt(w, stmt);
      break;
  }
}

/* Every value is unknown by now. What is left is executed once, in one environment, for the places that it writes to. */
static void sweep_block(Walker *w, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) {
    sweep_stmt(w, block->data[i]);
    w->env->dead = false;  // after a return
  }
}

static bool is_over_budget(Walker *w) {
  w->out->over_budget |= w->steps > w->flow->options.step_budget;
  return w->out->over_budget;
}

void exec_block(Walker *w, const Block *block) {
  uint32_t regions = w->regions.len, open = w->open_branches.len;
  for (uint32_t i = 0; i < block->len && !w->env->dead; i++) {
    const Stmt *stmt = block->data[i];
    if (is_over_budget(w)) {
      sweep_stmt(w, stmt);
    } else if (stmt->kind == STMT_IF) {
      w->stmt = stmt;
      exec_if(w, stmt, block, i + 1);
    } else {
      exec_stmt(w, stmt);
    }
    note_line(w, stmt);
  }
  w->regions.len = regions;
  close_arms(w, open);
}

/* TF406: a variable of a tensor loop is something else after an iteration than before the loop.
 *
 *   total = 0                   # int32
 *   for x in t: total += 0.5    # float32 after one iteration
 *
 * tf.while_loop carries its variables from one iteration to the next, so their dtype, structure and shape are fixed. Names that
 * live within one iteration are free. Loops over datasets do not check shapes; set_loop_options can allow them to change.
 */
#include "rules/agree.h"
#include "sema/walk.h"

/* ---- the statement that changes it ---- */

typedef struct LastStore {
  const Expr *place, *found;
} LastStore;

static void note_store(void *context, Expr *expr, const Function *function) {
  (void)function;
  LastStore *search = context;
  if (expr->ctx_store && expr_same_path(expr, search->place)) search->found = expr;
}

static const Stmt *last_store(const Event *event, const Block *body, const FlowPlace *place) {
  LastStore search = {place->example, NULL};
  Walk walk = {.visit = note_store, .context = &search, .shallow = true};
  if (place->example) walk_block(&walk, body);
  return search.found ? ast_stmt_at(event->frame->module->ast, search.found->span.start) : NULL;
}

static void note_none_test(void *context, Expr *expr, const Function *function) {
  (void)function;
  LastStore *search = context;
  if (search->found || expr->kind != EXPR_COMPARE || expr->u.compare.operands.len != 2) return;
  if (expr->u.compare.ops[0] != CMP_IS && expr->u.compare.ops[0] != CMP_IS_NOT) return;
  const Expr *other = expr->u.compare.operands.data[1];
  bool none = other->kind == EXPR_CONST && other->u.constant.kind == CONST_NONE;
  if (none && expr_same_path(expr->u.compare.operands.data[0], search->place)) search->found = expr;
}

/* The block that `if place is None:` runs while it is; NULL if nothing asks. */
static const Block *none_block(const Event *event, const Block *body, const FlowPlace *place) {
  LastStore search = {place->example, NULL};
  Walk walk = {.visit = note_none_test, .context = &search, .shallow = true};
  if (place->example) walk_block(&walk, body);
  const Stmt *stmt = search.found ? ast_stmt_at(event->frame->module->ast, search.found->span.start) : NULL;
  for (uint32_t i = 0; stmt && stmt->kind == STMT_IF && i < stmt->u.branch.len; i++) {
    if (stmt->u.branch.arms[i].test != search.found) continue;
    uint32_t at = search.found->u.compare.ops[0] == CMP_IS ? i : i + 1;
    return at < stmt->u.branch.len ? &stmt->u.branch.arms[at].body : NULL;
  }
  return NULL;
}

/* The last one that sets the place, from None where it was None; the loop itself if there is none. */
static const Stmt *changing_stmt(const Event *event, const Block *body, const FlowPlace *place, const Value *before) {
  const Block *first = value_is(before, KIND(NONE)) ? none_block(event, body, place) : NULL;
  const Stmt *stmt = first ? last_store(event, first, place) : NULL;
  if (!stmt) stmt = last_store(event, body, place);
  return stmt ? stmt : event->stmt;
}

/* ---- shapes ---- */

static void note_options(void *context, Expr *expr, const Function *function) {
  (void)function;
  bool *found = context;
  if (expr->kind != EXPR_CALL || expr->u.call.callee->kind != EXPR_ATTR) return;
  *found |= sym_is(expr->u.call.callee->u.attr.name, S("set_loop_options"));
}

static bool sets_options(const Block *body) {
  bool found = false;
  Walk walk = {.visit = note_options, .context = &found, .shallow = true};
  walk_block(&walk, body);
  return found;
}

static bool is_concat(const Event *event, const Expr *callee) {
  if (callee->kind != EXPR_NAME && callee->kind != EXPR_ATTR) return false;
  const Frame *frame = event->frame;
  EntitySet set = project_resolve(frame->project, frame->module->id, frame->function, callee);
  return set.len == 1 && set.items[0].kind == ENTITY_API && sym_is(set.items[0].api, S("tensorflow.concat"));
}

/* `x = tf.concat([x, more], axis)`, whatever more is. */
static bool concats_itself(const Event *event, const Stmt *stmt, const Expr *place, const Expr **axis) {
  const Expr *call = stmt->kind == STMT_ASSIGN ? stmt->u.assign.value : NULL;
  if (!call || call->kind != EXPR_CALL || !call->u.call.args.len || !is_concat(event, call->u.call.callee))
    return false;
  const Expr *list = call->u.call.args.data[0];
  if (list->kind != EXPR_LIST && list->kind != EXPR_TUPLE) return false;
  *axis = call->u.call.args.len > 1 ? call->u.call.args.data[1] : NULL;
  for (uint32_t i = 0; i < call->u.call.keyword_len; i++) {
    if (sym_is(call->u.call.keywords[i].name, S("axis"))) *axis = call->u.call.keywords[i].value;
  }
  bool itself = false;
  for (uint32_t i = 0; i < list->u.items.len; i++) itself |= expr_same_path(list->u.items.data[i], place);
  return itself && list->u.items.len > 1;
}

/* The dimension that grows was known before. */
static bool grows_by_concat(const Event *event, const Stmt *stmt, const FlowPlace *place, const Value *before) {
  const Expr *axis = NULL;
  if (!before->dim_len || !place->example || !concats_itself(event, stmt, place->example, &axis) || !axis) return false;
  bool negative = axis->kind == EXPR_UNARY && axis->u.unary.op == OP_NEG;
  if (negative) axis = axis->u.unary.operand;
  if (axis->kind != EXPR_CONST || axis->u.constant.kind != CONST_INT || !axis->u.constant.exact) return false;
  int64_t at = negative ? before->dim_len - axis->u.constant.i : axis->u.constant.i;
  return at >= 0 && at < before->dim_len && before->dims[at] >= 0;
}

static bool shape_differs(const Value *before, const Value *after) {
  if (!before->dim_len || before->dim_len != after->dim_len) return false;
  for (uint32_t i = 0; i < before->dim_len; i++) {
    if (before->dims[i] < 0) continue;
    if (after->dims[i] == DIM_NONE || (after->dims[i] >= 0 && after->dims[i] != before->dims[i])) return true;
  }
  return false;
}

/* ---- speaking ---- */

static bool is_any_tensor(const Value *v) {
  return v->kinds && value_is(v, KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(ARRAY)) && !(v->flags & VF_TAINTED);
}

static bool choose_variant(const Event *event, const Value *before, const Value *after, uint32_t *variant) {
  bool dataset = event->loop == LOOP_DATASET;
  switch (values_agree(before, after)) {
    case DISCORD_DTYPE:
      *variant = TF406_DTYPE;
      return true;
    case DISCORD_STRUCTURE:
      *variant = TF406_STRUCTURE;
      return true;
    case DISCORD_NONE:
      *variant = !value_is(before, KIND(NONE)) ? TF406_NONE_AFTER
                 : dataset                     ? TF406_NONE_FIRST_DATASET
                                               : TF406_NONE_FIRST;
      return true;
    case AGREE:
      break;
  }
  *variant = TF406_SHAPE;
  return !dataset && is_any_tensor(before) && is_any_tensor(after);
}

static void on_loop_end(RuleContext *ctx, const Event *event) {
  if (event->loop != LOOP_TENSOR && event->loop != LOOP_DATASET) return;
  if (!ctx_autograph_on(event->frame->context)) return;
  const StmtFacts *facts = event_facts(event, event->stmt, 0);
  const FunctionFacts *function = event_function_facts(event);
  if (!facts) return;
  const Block *body = event->stmt->kind == STMT_FOR ? &event->stmt->u.forloop.body : &event->stmt->u.loop.body;
  for (uint32_t i = 0; i < function->places.len; i++) {
    const FlowPlace *place = &function->places.data[i];
    bool carried = bitset_has(&facts->live_in_body, i) || bitset_has(&facts->live_after, i);
    if (!carried || !bitset_has(&facts->modified, i)) continue;
    const Value *before = event_side(event, 0, place), *after = event_side(event, 1, place);
    uint32_t variant;
    if (!before || !after || !choose_variant(event, before, after, &variant)) continue;
    const Stmt *changing = changing_stmt(event, body, place, before);
    bool reshaped = shape_differs(before, after) || grows_by_concat(event, changing, place, before);
    if (variant == TF406_SHAPE && (!reshaped || sets_options(body))) continue;
    Discord discord = variant == TF406_DTYPE ? DISCORD_DTYPE : DISCORD_STRUCTURE;
    Report report = {.rule = RULE_TF406,
                     .variant = variant,
                     .span = changing->header,
                     .confidence = frame_confidence(event->frame, after),
                     .subject = place->text};
    report_fill(&report, S("name"), place->text);
    report_fill(&report, S("before"), discord_text(rule_scratch(ctx), discord, before));
    report_fill(&report, S("after"), discord_text(rule_scratch(ctx), discord, after));
    Str label = str_printf(rule_scratch(ctx), "`%.*s` is a variable of this loop", STR_ARG(place->text));
    report_label(&report, rule_label(ROLE_NOTE, event->frame->module->id, event->stmt->header, label));
    rule_report(ctx, event, &report);
  }
}

const RuleCheck rule_loop_variable_changes = {
    .name = S_INIT("loop_variable_changes"),
    .events = ON_EVENT(EV_LOOP_END),
    .event = on_loop_end,
};

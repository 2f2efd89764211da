/* TF403: a name that only one branch of a tensor `if` sets, or only a tensor loop, is used where the other way reaches.
 *
 *   if t > 0:          # AutoGraph traces both branches; `x` must come out of both
 *     x = 1
 *   return x
 *
 * Whether a name is set, and used behind, are facts of the function alone (sema/facts.h). Names that may have been set before are
 * not meant, nor are attributes and items, which may have come with their object, unless it is a dict whose keys are known.
 */
#include "rules/rule.h"
#include "sema/walk.h"

static bool is_converted_tensor(const Event *event) {
  const Value *value = event->value;
  if (!value || !ctx_autograph_on(event->frame->context)) return false;
  return value_is_tensor(value) || (value->kinds && value_is(value, KIND(VARIABLE)));
}

static bool is_plain_name(const FlowPlace *place) { return place->slot != UINT32_MAX; }

static void say(RuleContext *ctx, const Event *event, uint32_t variant, Span span, Str name) {
  Report report = {.rule = RULE_TF403,
                   .variant = variant,
                   .span = span,
                   .confidence = frame_confidence(event->frame, event->value),
                   .subject = name};
  report_fill(&report, S("name"), name);
  if (event->kind == EV_BRANCH) {
    report.because = event->value;
    report.because_name = rule_text(ctx, event, event->expr);
  }
  rule_report(ctx, event, &report);
}

/* ---- branches ---- */

/* `d["k"]`, where `d` is a dict whose keys are known, and "k" is none of them. */
static bool is_missing_key(const Event *event, const FlowPlace *place) {
  const Expr *item = place->example;
  if (!item || item->kind != EXPR_SUBSCRIPT || item->u.subscript.value->kind != EXPR_NAME) return false;
  const Expr *key = item->u.subscript.index;
  const Value *dict = event_lookup(event, item->u.subscript.value->u.name.id);
  if (!dict || !dict->kinds || !value_is(dict, KIND(DICT)) || !dict->parts_exact) return false;
  if (key->kind != EXPR_CONST || key->u.constant.kind != CONST_STR) return false;
  for (uint32_t i = 0; i < dict->part_len; i++) {
    if (!dict->keys || sym_is(dict->keys[i], key->u.constant.text)) return false;
  }
  return true;
}

static bool is_unset_before(const Event *event, const StmtFacts *facts, const FlowPlace *place, uint32_t i) {
  return is_plain_name(place) ? !bitset_has(&facts->maybe_first, i) : is_missing_key(event, place);
}

static void on_branch(RuleContext *ctx, const Event *event) {
  if (event->expr->kind == EXPR_TERNARY || !event->stmt || event->stmt->kind != STMT_IF || !is_converted_tensor(event))
    return;
  const StmtFacts *facts = event_facts(event, event->stmt, event->arm);
  const FunctionFacts *function = event_function_facts(event);
  if (!facts) return;
  for (uint32_t i = 0; i < function->places.len; i++) {
    bool in_main = bitset_has(&facts->modified, i), in_else = bitset_has(&facts->modified_else, i);
    if (in_main == in_else || !bitset_has(&facts->live_after, i)) continue;
    if (!is_unset_before(event, facts, &function->places.data[i], i)) continue;
    if ((in_main ? facts->end_else : facts->end_main) == END_RETURNS) continue;  // that side is TF404's or TF412's
    uint32_t variant = in_main ? TF403_DEFAULT : TF403_MAIN;
    say(ctx, event, variant, event->stmt->u.branch.arms[event->arm].header, function->places.data[i].text);
  }
}

/* ---- loops ---- */

typedef struct Mentions {
  Sym name;
  uint32_t first_read, first_write;
} Mentions;

static void note_mention(void *context, Expr *expr, const Function *function) {
  (void)function;
  Mentions *mentions = context;
  if (expr->kind != EXPR_NAME || expr->u.name.id != mentions->name) return;
  uint32_t *first = expr->ctx_store ? &mentions->first_write : &mentions->first_read;
  if (expr->span.start < *first) *first = expr->span.start;
}

/* The body reads the name in or before the statement that first sets it. */
static bool reads_first(const Event *event, const Block *body, Sym name) {
  Mentions mentions = {name, UINT32_MAX, UINT32_MAX};
  Walk walk = {.visit = note_mention, .context = &mentions};
  walk_block(&walk, body);
  if (mentions.first_write == UINT32_MAX) return false;
  const Stmt *setting = ast_stmt_at(event->frame->module->ast, mentions.first_write);
  return setting && setting->kind != STMT_FOR && mentions.first_read < setting->span.end;
}

static void on_loop(RuleContext *ctx, const Event *event) {
  if (event->loop != LOOP_TENSOR && event->loop != LOOP_DATASET) return;
  if (!ctx_autograph_on(event->frame->context)) return;
  const StmtFacts *facts = event_facts(event, event->stmt, 0);
  const FunctionFacts *function = event_function_facts(event);
  if (!facts) return;
  const Block *body = event->stmt->kind == STMT_FOR ? &event->stmt->u.forloop.body : &event->stmt->u.loop.body;
  for (uint32_t i = 0; i < function->places.len; i++) {
    const FlowPlace *place = &function->places.data[i];
    if (!bitset_has(&facts->modified, i) || bitset_has(&facts->maybe_first, i) || !is_plain_name(place)) continue;
    bool carried = bitset_has(&facts->live_in_body, i), used = bitset_has(&facts->live_after, i);
    const Expr *example = place->example;
    if (carried && example && example->kind == EXPR_NAME && reads_first(event, body, example->u.name.id)) {
      say(ctx, event, TF403_READ_FIRST, event->stmt->header, place->text);
    } else if (used && !carried) {
      uint32_t variant = event->loop == LOOP_DATASET ? TF403_DATASET_LOOP : TF403_LOOP;
      say(ctx, event, variant, event->stmt->header, place->text);
    }
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (event->kind == EV_BRANCH) on_branch(ctx, event);
  if (event->kind == EV_LOOP) on_loop(ctx, event);
}

const RuleCheck rule_branch_local_name = {
    .name = S_INIT("branch_local_name"),
    .events = ON_EVENT(EV_BRANCH) | ON_EVENT(EV_LOOP),
    .event = on_event,
};

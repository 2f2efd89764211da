/* TF207: a random draw, a clock or the environment is read while tracing, once, and what it gave becomes part of the graph.
 *
 * Only what is used counts: it reaches an operation, decides a branch, or is returned. A time that is taken for a message is
 * TF301's. NumPy's draws are TF202. What stands behind a create-once guard, in `__init__` or in `build` is meant to happen once.
 */
#include "rules/operand.h"
#include "rules/use.h"

static bool runs_once_by_intention(const Frame *frame) {
  bool is_setup = frame->function->owner &&
                  (sym_is(frame->function->name, S("__init__")) || sym_is(frame->function->name, S("build")));
  return is_setup || (frame->context & (CTX_SETUP | CTX_GRAPH)) || frame_guarded(frame);
}

/* `os.environ[k]`, `os.environ.get(k)`: reading from the environment's own dict. */
static bool reads_environment(const Event *event) {
  const Value *object = event->receiver;
  if (!object || !value_is(object, KIND(DICT)) || !(object->flags & VF_CLOCK)) return false;
  if (event->kind == EV_SUBSCRIPT)
    return event->store == STORE_ASSIGN && !event->target && event->expr->kind == EXPR_SUBSCRIPT;
  return str_eq(event->api_name, S("builtins.dict.get"));
}

static bool choose_variant(const Event *event, uint32_t *variant) {
  ApiTags tags = event->kind == EV_CALL && event->api ? event->api->tags : 0;
  *variant = (tags & TAG(RANDOM)) ? TF207_DEFAULT : (tags & TAG(CLOCK)) ? TF207_CLOCK : TF207_ENVIRONMENT;
  return (tags & (TAG(RANDOM) | TAG(CLOCK) | TAG(ENVIRONMENT))) || reads_environment(event);
}

/* What is shuffled in place is used when its container is. */
static bool is_used(RuleContext *ctx, const Event *event) {
  bool in_place = event->api && (event->api->tags & TAG(MUTATES)) && event->kind == EV_CALL;
  if (!in_place) return use_of(ctx, event, event->expr) != 0;
  const Expr *container = event->args ? args_expr(event->args, 0, S("x")) : NULL;
  return container && use_of_place(ctx, event, container);
}

static void on_event(RuleContext *ctx, const Event *event) {
  uint32_t variant;
  if (!ctx_traced(event->frame->context) || !choose_variant(event, &variant)) return;
  if (runs_once_by_intention(event->frame)) return;
  const Value *tensor;
  if (event->args && operand_tensor_argument(event->args, &tensor) != UINT32_MAX) return;
  if (!is_used(ctx, event)) return;
  const Expr *said = event->kind == EV_SUBSCRIPT ? event->expr->u.subscript.value : operand_callee(event);
  Report report = {.rule = RULE_TF207,
                   .variant = variant,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = rule_text(ctx, event, said)};
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("tf"), event->api ? event->api->tf : S(""));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_frozen_nondeterminism = {
    .name = S_INIT("frozen_nondeterminism"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_SUBSCRIPT),
    .event = on_event,
};

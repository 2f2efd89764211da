/* TF413: the two sides of a tensor `if`, or of a ternary on a tensor, give one name (or the expression, or the return value)
 * different dtypes, structures, or None.
 *
 *   rows = tf.unstack(x) if t > 0 else []
 *
 * tf.cond has one set of outputs. Names that only one side sets count with what they held before; shapes may differ; names used
 * only inside do not come out at all.
 */
#include "rules/agree.h"

static uint32_t variant_of(Discord discord) {
  switch (discord) {
    case DISCORD_DTYPE:
      return TF413_DEFAULT;
    case DISCORD_STRUCTURE:
      return TF413_STRUCTURE;
    default:
      return TF413_NONE;
  }
}

static void say(RuleContext *ctx, const Event *event, Span span, Str name, const Value *main, const Value *other) {
  Discord discord = values_agree(main, other);
  if (discord == AGREE) return;
  Report report = {.rule = RULE_TF413,
                   .variant = variant_of(discord),
                   .span = span,
                   .confidence = frame_confidence(event->frame, event->value),
                   .subject = name,
                   .because = event->value,
                   .because_name = event->expr->kind == EXPR_TERNARY
                                       ? rule_text(ctx, event, event->expr->u.ternary.test)
                                       : rule_text(ctx, event, event->expr)};
  report_fill(&report, S("name"), name);
  report_fill(&report, S("main"), discord_text(rule_scratch(ctx), discord, main));
  report_fill(&report, S("other"), discord_text(rule_scratch(ctx), discord, other));
  rule_report(ctx, event, &report);
}

static bool is_on_tensor(const Event *event) {
  const Value *value = event->value;
  return value && (value_is_tensor(value) || (value->kinds && value_is(value, KIND(VARIABLE))));
}

static void on_ternary(RuleContext *ctx, const Event *event) {
  if (event->operand_len < 2 || !event->operands[0] || !event->operands[1]) return;
  say(ctx, event, event->span, rule_text(ctx, event, event->expr), event->operands[0], event->operands[1]);
}

/* None against a value is TF412's, and so are sides that do not return. */
static void on_returns(RuleContext *ctx, const Event *event, const StmtFacts *facts, Span span) {
  if (facts->end_main != END_RETURNS || facts->end_else != END_RETURNS) return;
  const Value *main = event->operands[0], *other = event->operands[1];
  if (values_agree(main, other) != DISCORD_NONE) say(ctx, event, span, S("return"), main, other);
}

static void on_branch_end(RuleContext *ctx, const Event *event) {
  const StmtFacts *facts = event_facts(event, event->stmt, event->arm);
  const FunctionFacts *function = event_function_facts(event);
  if (!facts) return;
  Span span = event->stmt->u.branch.arms[event->arm].header;
  on_returns(ctx, event, facts, span);
  for (uint32_t i = 0; i < function->places.len && !facts->normalised; i++) {
    bool decided = bitset_has(&facts->modified, i) || bitset_has(&facts->modified_else, i);
    if (!decided || !bitset_has(&facts->live_after, i)) continue;
    const FlowPlace *place = &function->places.data[i];
    const Value *main = event_side(event, 0, place), *other = event_side(event, 1, place);
    if (main && other) say(ctx, event, span, place->text, main, other);
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_autograph_on(event->frame->context) || !is_on_tensor(event)) return;
  if (event->kind == EV_BRANCH && event->expr->kind == EXPR_TERNARY) on_ternary(ctx, event);
  if (event->kind == EV_BRANCH_END) on_branch_end(ctx, event);
}

const RuleCheck rule_branch_values_differ = {
    .name = S_INIT("branch_values_differ"),
    .events = ON_EVENT(EV_BRANCH) | ON_EVENT(EV_BRANCH_END),
    .event = on_event,
};

/* TF209: text is made of a symbolic tensor: it shows the symbol, not the value. With a format that needs a number it raises.
 *
 * What becomes of the text decides: printed or logged it is TF301 and TF302, in an error message it is only less helpful than
 * it could be, kept for oneself it is nothing. Where unknown code takes it, nothing is said.
 */
#include "rules/operand.h"
#include "rules/use.h"

static bool is_message(const Event *event) {
  StmtKind kind = event->stmt ? (StmtKind)event->stmt->kind : STMT_EXPR;
  return kind == STMT_RAISE || kind == STMT_ASSERT;
}

/* A text that is assigned to a name is used where the name is. */
static bool is_used(RuleContext *ctx, const Event *event) {
  ApiTags shows = TAG(PRINT) | TAG(LOG) | TAG(IO) | TAG(PLOT) | TAG(EXPERIMENT);
  if (event->stmt && event->stmt->kind == STMT_PRINT) return false;
  if (event->in_call) return event->api && !(event->api->tags & shows);
  if (event->stmt && event->stmt->kind == STMT_EXPR) return false;
  bool is_kept =
      event->stmt && event->stmt->kind == STMT_ASSIGN && span_holds(event->stmt->u.assign.value->span, event->span);
  return !is_kept || use_of(ctx, event, event->expr);
}

static void on_format(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || !operand_is_tensor(event->value)) return;
  if (!event->has_spec && !is_message(event) && !is_used(ctx, event)) return;
  Str name = event->name_expr ? rule_text(ctx, event, event->name_expr) : rule_text(ctx, event, event->expr);
  Report report = {.rule = RULE_TF209,
                   .variant = event->has_spec     ? TF209_WITH_SPEC
                              : is_message(event) ? TF209_IN_MESSAGE
                                                  : TF209_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->value),
                   .subject = name,
                   .because = event->value,
                   .because_name = name};
  report_fill(&report, S("tensor"), name);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_tensor_formatted = {
    .name = S_INIT("tensor_formatted"),
    .events = ON_EVENT(EV_FORMAT),
    .event = on_format,
};

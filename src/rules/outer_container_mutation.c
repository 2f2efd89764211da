/* TF303: Python changes a container that outlives the call, but only while tracing.
 *
 * Putting a tensor into it is TF307, changing an argument of the traced function TF308. Not meant are containers made in the
 * call, those that traced code makes anew in each call, and caches filled under a create-once guard.
 */
#include "rules/effect.h"

/* State that is made in the trace and put away: that it is made there is the fault (TF101, TF102, TF103). What failed before it
 * could be stored has been told too. */
static bool is_told(const Value *stored) {
  if (!stored || !stored->kinds) return false;
  if (stored->flags & VF_TAINTED) return true;
  return stored->origin == ORIGIN_FRESH && value_is(stored, KINDS_TRACKABLE | KIND(VARIABLE));
}

/* `push` and `pop` of a stack that the trace itself keeps, `__enter__` and `__exit__`. */
static bool keeps_balance(const Function *function) {
  static const Str names[] = {S_INIT("push"), S_INIT("pop"), S_INIT("__enter__"), S_INIT("__exit__")};
  return STR_IN(sym_str(function->name), names);
}

static void on_event(RuleContext *ctx, const Event *event) {
  Mutation mutation;
  if (!effect_frozen(event) || !effect_mutation(event, &mutation)) return;
  if (mutation.container->origin != ORIGIN_OUTER || frame_guarded(event->frame)) return;
  if (effect_is_symbolic(mutation.stored) || is_told(mutation.stored)) return;
  if (keeps_balance(event->frame->function)) return;
  if (event->kind == EV_STORE && effect_fills_cache(event, mutation.path)) return;
  if (mutation.var.kind != VAR_NONE && effect_is_reset(ctx, event, mutation.var)) return;
  Report report = {.rule = RULE_TF303,
                   .variant = mutation.by                    ? TF303_ARGUMENT
                              : event->kind == EV_CALL       ? TF303_DEFAULT
                              : event->store == STORE_DELETE ? TF303_DELETE
                                                             : TF303_ITEM,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, mutation.container),
                   .subject = rule_text(ctx, event, mutation.path)};
  report_fill(&report, S("container"), report.subject);
  bool is_method = event->kind == EV_CALL && !mutation.by;
  report_fill(&report, S("method"), is_method ? sym_str(event->expr->u.call.callee->u.attr.name) : S(""));
  report_fill(&report, S("callee"), rule_text(ctx, event, mutation.by));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_outer_container_mutation = {
    .name = S_INIT("outer_container_mutation"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE),
    .event = on_event,
};

/* TF601: options of tf.function that were renamed or taken away, and old names of the same kind.
 *
 * The finding sits on the option where the call spells it, else on the call: `tf.function(**OPTIONS)`.
 * `experimental_run_functions_eagerly(True)` is TF602 besides, which speaks for both.
 */
#include "rules/operand.h"

typedef struct Renamed {
  Str old, now;
} Renamed;

static const Renamed options[] = {
    {S_INIT("experimental_compile"), S_INIT("jit_compile")},
    {S_INIT("experimental_relax_shapes"), S_INIT("reduce_retracing")},
    {S_INIT("experimental_follow_type_hints"), S_INIT("")},
};

/* tf.function, a wrapper that hands its options on, or a partial of one. */
static bool takes_options(const Event *event) {
  if (event->decorates || !event->args) return false;
  if (event->api && (event->api->tags & TAG(TRACING_DECORATOR))) return true;
  if (!str_eq(event->api_name, S("functools.partial")) || !event->args->positional) return false;
  const Value *target = event->args->values[0];
  return target->obj_len == 1 && target->objs[0]->kind == OBJ_API &&
         str_eq(sym_str(target->objs[0]->api), S("tensorflow.function"));
}

static const Keyword *find_keyword(const Expr *call, Sym name) {
  for (uint32_t i = 0; call->kind == EXPR_CALL && i < call->u.call.keyword_len; i++) {
    if (call->u.call.keywords[i].name == name) return &call->u.call.keywords[i];
  }
  return NULL;
}

static void report_option(RuleContext *ctx, const Event *event, Sym name, const Renamed *option) {
  const Keyword *keyword = find_keyword(event->expr, name);
  Report report = {.rule = RULE_TF601,
                   .variant = option->now.len ? TF601_DEFAULT : TF601_REMOVED,
                   .span = keyword ? keyword->span : event->span,
                   .confidence = CONF_CERTAIN,
                   .subject = option->old};
  report_fill(&report, S("old"), option->old);
  report_fill(&report, S("new"), option->now);
  if (keyword && option->now.len) {
    report.edits[report.edit_len++] = (Edit){{event->frame->module->id, keyword->name_span}, option->now};
    report.fix = FIX_SAFE;
  }
  rule_report(ctx, event, &report);
}

static bool is_old_name(const Event *event) {
  if (!event->api || !(event->api->tags & TAG(DEPRECATED))) return false;
  ApiTags about_tracing = TAG(TRACING_DECORATOR) | TAG(EAGER_SWITCH);
  return (event->api->tags & about_tracing) || str_ends(event->api_name, S(".experimental_run_v2"));
}

/* "run" of `.run`, "run_functions_eagerly" of `tf.config.run_functions_eagerly`. */
static Str last_word(Str name) {
  size_t dot = str_rfind_char(name, '.');
  return dot == STR_NONE ? name : str_sub(name, dot + 1, name.len);
}

static void report_name(RuleContext *ctx, const Event *event) {
  const Expr *callee = operand_callee(event);
  Report report = {.rule = RULE_TF601,
                   .variant = TF601_NAME,
                   .span = event->span,
                   .confidence = CONF_CERTAIN,
                   .subject = rule_text(ctx, event, callee)};
  report_fill(&report, S("old"), report.subject);
  report_fill(&report, S("new"), event->api->tf);
  bool same_owner = callee->kind == EXPR_ATTR && str_starts(last_word(report.subject), S("experimental_"));
  if (same_owner) {
    report.edits[report.edit_len++] =
        (Edit){{event->frame->module->id, callee->u.attr.name_span}, last_word(event->api->tf)};
    report.fix = FIX_SAFE;
  }
  rule_report(ctx, event, &report);
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (is_old_name(event)) report_name(ctx, event);
  if (!takes_options(event)) return;
  for (uint32_t i = event->args->positional; i < event->args->len; i++) {
    for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
      if (sym_is(event->args->names[i], options[o].old)) report_option(ctx, event, event->args->names[i], &options[o]);
    }
  }
}

const RuleCheck rule_deprecated_option = {
    .name = S_INIT("deprecated_option"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

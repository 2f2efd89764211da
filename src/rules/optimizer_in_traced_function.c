/* TF103: an optimizer, metric, random generator or moving average is constructed whenever the function is traced. All of them
 * create variables when they are constructed, so no use is needed. Losses are stateless and never meant.
 */
#include "rules/creation.h"

static bool choose_variant(const Event *event, uint32_t *variant) {
  ApiCreates creates = event->api ? event->api->creates : CREATES_NOTHING;
  if (!event->api && event->callee && event->callee->obj_len == 1 && event->callee->objs[0]->kind == OBJ_CLASS) {
    const ClassInfo *info = project_class_info(event->frame->project, event->callee->objs[0]->cls);
    if (info && info->instance_kind == K_OPTIMIZER) creates = CREATES_OPTIMIZER;
    if (info && info->instance_kind == K_METRIC) creates = CREATES_METRIC;
  }
  switch (creates) {
    case CREATES_OPTIMIZER:
      *variant = TF103_DEFAULT;
      return true;
    case CREATES_METRIC:
      *variant = TF103_METRIC;
      return true;
    case CREATES_RNG:
      *variant = TF103_GENERATOR;
      return true;
    case CREATES_AVERAGE:
      *variant = TF103_AVERAGE;
      return true;
    default:
      return false;
  }
}

/* In a constructor the object belongs to the one that is constructed; what kind that is decides where the finding sits. */
static void report_construction(RuleContext *ctx, const Event *event, const Creation *creation, Report *report) {
  report->span = creation->span;
  report->subject = creation->class_name;
  report_fill(report, S("callee"), creation->class_name);
  report_label(report, rule_label(ROLE_DEFINITION, event->frame->module->id, event->span, S("state is created here")));
  rule_report_at(ctx, creation->module, event->frame->instance, report);
}

static void on_call(RuleContext *ctx, const Event *event) {
  Report report = {.rule = RULE_TF103};
  if (!choose_variant(event, &report.variant)) return;
  Creation creation = creation_judge(ctx, event);
  if (creation.verdict != CREATION_REPEATED) return;
  report.confidence = frame_confidence(event->frame, event->result);
  if (creation.maker != MAKER_NONE) {
    report_construction(ctx, event, &creation, &report);
    return;
  }
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  report.span = event->span;
  report.subject = rule_text(ctx, event, callee);
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("place"), creation_place(ctx, event));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_optimizer_in_traced_function = {
    .name = S_INIT("optimizer_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

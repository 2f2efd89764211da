/* TF101: a variable is created whenever the function is traced.
 *
 * Speaks about variables created by name (`tf.Variable`, `add_weight` …) in traced code and in the constructors of plain
 * classes. Layers, tf.Modules and what their constructors create are TF102; optimizers, metrics and generators are TF103.
 */
#include "rules/creation.h"

/* The test of a branch around the creation that looks like a create-once guard of another place: `x is None`, `not x`. */
static const Expr *foreign_guard(const Event *event) {
  const Frame *frame = event->frame;
  if (!event->target || event->target->kind == EXPR_NAME) return NULL;
  for (uint32_t i = frame->region_len; i > 0; i--) {
    const Region *region = &frame->regions[i - 1];
    bool is_branch = region->kind == REGION_PYTHON_BRANCH || region->kind == REGION_STATIC_BRANCH ||
                     region->kind == REGION_FROZEN_BRANCH;
    const Expr *test = region->expr, *tested = NULL;
    if (!is_branch || !test || region->arm) continue;
    if (test->kind == EXPR_UNARY && test->u.unary.op == OP_NOT) tested = test->u.unary.operand;
    if (test->kind == EXPR_COMPARE && test->u.compare.operands.len == 2 && test->u.compare.ops[0] == CMP_IS)
      tested = test->u.compare.operands.data[0];
    if (tested && tested->kind == EXPR_ATTR && expr_is_path(tested) && !expr_same_path(tested, event->target))
      return tested;
  }
  return NULL;
}

static bool in_loop(const Frame *frame) {
  return frame_region(frame, REGION_PYTHON_LOOP) || frame_region(frame, REGION_TENSOR_LOOP) ||
         frame_region(frame, REGION_DATASET_LOOP) || frame_region(frame, REGION_COMPREHENSION);
}

static bool in_init_scope(const Frame *frame) {
  return (frame->context & CTX_INIT_SCOPE) || frame_region(frame, REGION_INIT_SCOPE);
}

static bool adds_weight(const Event *event) {
  return str_ends(event->api_name, S(".add_weight")) || str_ends(event->api_name, S(".add_variable"));
}

static void report_construction(RuleContext *ctx, const Event *event, const Creation *creation, Str callee) {
  Report report = {.rule = RULE_TF101,
                   .variant = TF101_IN_CONSTRUCTOR,
                   .span = creation->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = creation->class_name};
  report_fill(&report, S("class"), creation->class_name);
  Str text = str_printf(rule_scratch(ctx), "`%.*s` creates a variable here", STR_ARG(callee));
  report_label(&report, rule_label(ROLE_DEFINITION, event->frame->module->id, event->span, text));
  rule_report_at(ctx, creation->module, event->frame->instance, &report);
}

static uint32_t choose_variant(RuleContext *ctx, const Event *event, Str tracer, const Expr *guard) {
  if (adds_weight(event) && creation_is_locked(ctx, event)) return TF101_LOCKED_LAYER;
  if (guard) return TF101_WRONG_GUARD;
  if (in_init_scope(event->frame)) return TF101_IN_INIT_SCOPE;
  if (in_loop(event->frame)) return TF101_IN_LOOP;
  return tracer.len ? TF101_IN_CALLBACK : TF101_DEFAULT;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->api || event->api->creates != CREATES_VARIABLE) return;
  Creation creation = creation_judge(ctx, event);
  bool locked = creation.verdict == CREATION_ONCE && adds_weight(event) && creation_is_locked(ctx, event);
  if (creation.verdict != CREATION_REPEATED && !locked) return;
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  Str callee_text = rule_text(ctx, event, callee);
  if (creation.maker == MAKER_PLAIN) report_construction(ctx, event, &creation, callee_text);
  if (creation.maker != MAKER_NONE) return;

  const Expr *guard = foreign_guard(event);
  Str tracer = rule_tracer(ctx, event->frame->instance);
  Report report = {.rule = RULE_TF101,
                   .variant = choose_variant(ctx, event, tracer, guard),
                   .span = event->span,
                   .confidence = locked ? CONF_LIKELY : frame_confidence(event->frame, NULL),
                   .subject = callee_text};
  report_fill(&report, S("callee"), callee_text);
  report_fill(&report, S("place"), creation_place(ctx, event));
  report_fill(&report, S("guard"), rule_text(ctx, event, guard));
  report_fill(&report, S("caller"), tracer);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_variable_in_traced_function = {
    .name = S_INIT("variable_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

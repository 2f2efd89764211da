/* TF505: an input signature does not fit the function it is given for, or a call does not fit the signature.
 *
 * Requires: the values of `tf.TensorSpec(...)`. What a signature of unknown parts says, and Python numbers, which TensorFlow
 * converts where it can, are left alone. NumPy arrays are converted to the dtype of the signature.
 */
#include "rules/call_site.h"

/* ---- the function under the signature ---- */

typedef struct Shape {
  const Function *function;
  uint32_t first;       // parameters before it are bound: self
  uint32_t positional;  // parameters that a signature covers
  uint32_t required;    // of these, without default
  const Param *keyword_only;  // one without default, or NULL
  bool varargs;
} Shape;

static bool shape_of(const Project *project, const Obj *traced, Shape *out) {
  const Value *target = traced->target;
  if (!target || target->obj_len != 1 || target->obj_more || target->objs[0]->kind != OBJ_FUNCTION) return false;
  const Obj *obj = target->objs[0];
  const Function *function = project_function(project, obj->func);
  *out = (Shape){.function = function};
  bool self = function->param_len && function->params[0].name && sym_is(function->params[0].name->u.name.id, S("self"));
  out->first = obj->self || (self && function->owner) ? 1 : 0;
  for (uint32_t i = out->first; i < function->param_len; i++) {
    const Param *param = &function->params[i];
    if (param->kind == PARAM_VARARGS) out->varargs = true;
    if (param->kind == PARAM_KEYWORD_ONLY && !param->fallback) out->keyword_only = param;
    if (param->kind > PARAM_NORMAL) continue;
    out->positional++;
    out->required += !param->fallback;
  }
  return true;
}

static bool is_sequence(const Value *signature) {
  return signature && signature->kinds && value_is(signature, KIND(LIST) | KIND(TUPLE)) && signature->parts_exact;
}

/* ---- the declaration ---- */

static void report_declaration(RuleContext *ctx, const Event *event, uint32_t variant, const Shape *shape,
                               uint32_t specs) {
  Arena *arena = rule_scratch(ctx);
  Report report = {.rule = RULE_TF505,
                   .variant = variant,
                   .span = event->span,
                   .confidence = CONF_CERTAIN,
                   .subject = shape ? sym_str(shape->function->name) : S("input_signature")};
  report_fill(&report, S("name"), report.subject.len ? report.subject : S("lambda"));
  if (shape) {
    report_fill(&report, S("specs"), str_printf(arena, "%u", specs));
    report_fill(&report, S("params"),
                str_printf(arena, "%u", variant == TF505_TOO_FEW ? shape->required : shape->positional));
    if (shape->keyword_only) report_fill(&report, S("argument"), sym_str(shape->keyword_only->name->u.name.id));
  }
  rule_report(ctx, event, &report);
}

static void on_making(RuleContext *ctx, const Event *event) {
  bool partial = event->callee && event->callee->obj_len == 1 && event->callee->objs[0]->kind == OBJ_PARTIAL;
  bool decorator = event->decorates || partial || (event->api && (event->api->tags & TAG(TRACING_DECORATOR)));
  if (!decorator || !event->result || event->result->obj_len != 1 || event->result->objs[0]->kind != OBJ_TRACED) return;
  const Obj *traced = event->result->objs[0];
  const Value *signature = traced->trace ? traced->trace->signature : NULL;
  if (!signature || !traced->trace->has_signature) return;
  if (signature->kinds && value_is(signature, KIND(SPEC) | KIND(DTYPE))) {
    report_declaration(ctx, event, TF505_NO_SEQUENCE, NULL, 0);
    return;
  }
  Shape shape;
  if (!is_sequence(signature) || !shape_of(event->frame->project, traced, &shape)) return;
  uint32_t specs = signature->part_len;
  if (specs > shape.positional && !shape.varargs) report_declaration(ctx, event, TF505_TOO_MANY, &shape, specs);
  else if (specs < shape.required) report_declaration(ctx, event, TF505_TOO_FEW, &shape, specs);
  else if (shape.keyword_only) report_declaration(ctx, event, TF505_KEYWORD_ONLY, &shape, specs);
}

/* ---- the calls ---- */

#define KINDS_NO_TENSOR                                                                                  \
  (KIND(INSTANCE) | KIND(FUNCTION) | KIND(TRACED) | KIND(DICT) | KIND(SET) | KIND(NONE) | KIND(OBJECT) | \
   KINDS_TRACKABLE | KIND(DATASET))

static bool dims_clash(const Value *spec, const Value *value) {
  for (uint32_t i = 0; i < spec->dim_len && i < value->dim_len; i++) {
    if (spec->dims[i] >= 0 && value->dims[i] >= 0 && spec->dims[i] != value->dims[i]) return true;
  }
  return false;
}

static bool find_fault(const Value *spec, const Value *value, uint32_t *variant) {
  if (!spec->kinds || !value_is(spec, KIND(SPEC)) || !value->kinds) return false;
  if (value_is(value, KINDS_NO_TENSOR)) {
    *variant = TF505_OBJECT;
    return true;
  }
  bool tensor = value_is(value, KIND(EAGER_TENSOR) | KIND(TENSOR) | KIND(VARIABLE));
  if (!tensor && !value_is(value, KIND(ARRAY))) return false;
  if (spec->rank != RANK_UNKNOWN && value->rank != RANK_UNKNOWN &&
      (spec->rank != value->rank || dims_clash(spec, value))) {
    *variant = spec->rank != value->rank ? TF505_RANK : TF505_SHAPE;
    return true;
  }
  *variant = TF505_DTYPE;
  return tensor && spec->dtype != DT_UNKNOWN && value->dtype != DT_UNKNOWN && spec->dtype != value->dtype;
}

static Str described(Arena *arena, uint32_t variant, const Value *value) {
  if (variant == TF505_RANK) return str_printf(arena, "%d", value->rank);
  return variant == TF505_DTYPE ? dtype_name((DType)value->dtype) : S("");
}

static void report_call(RuleContext *ctx, const CallRecord *call, uint32_t variant, uint32_t at, const Value *spec) {
  const Flow *flow = rule_flow(ctx);
  Arena *arena = rule_scratch(ctx);
  Report report = {
      .rule = RULE_TF505,
      .variant = variant,
      .span = call->span,
      .confidence = at < call->args->len && call->args->values[at]->flags & VF_LIKELY ? CONF_LIKELY : CONF_CERTAIN};
  report.subject = at < call->args->len ? call_site_argument(flow, call, at) : call_site_callee(flow, call);
  report_fill(&report, S("callee"), call_site_callee(flow, call));
  report_fill(&report, S("argument"), report.subject);
  if (spec) {
    report_fill(&report, S("given"), described(arena, variant, call->args->values[at]));
    report_fill(&report, S("wanted"), described(arena, variant, spec));
  }
  report_label(&report, call_site_definition(ctx, call));
  rule_report_at(ctx, call->module, call->caller, &report);
}

/* Which spec an argument meets: by position, or by the name of the parameter. */
static uint32_t spec_index(const Shape *shape, const CallRecord *call, uint32_t at) {
  if (!call->args->names[at]) return at;
  for (uint32_t i = shape->first; i < shape->function->param_len; i++) {
    const Param *param = &shape->function->params[i];
    if (param->name && param->name->u.name.id == call->args->names[at]) return i - shape->first;
  }
  return UINT32_MAX;
}

static void check_call(RuleContext *ctx, const CallRecord *call) {
  Shape shape;
  const Value *signature = call->traced->trace->signature;
  if (!is_sequence(signature) || !shape_of(flow_project(rule_flow(ctx)), call->traced, &shape)) return;
  bool open = call->args->has_star || call->args->has_kwstar || shape.varargs;
  if (!open && (call->args->positional > shape.positional || call->args->len < shape.required)) {
    report_call(ctx, call, TF505_ARITY, UINT32_MAX, NULL);
    return;
  }
  for (uint32_t i = 0; i < call->args->len; i++) {
    uint32_t index = spec_index(&shape, call, i), variant;
    if (index >= signature->part_len || !find_fault(signature->parts[index], call->args->values[i], &variant)) continue;
    report_call(ctx, call, variant, i, signature->parts[index]);
    return;
  }
}

static void at_end(RuleContext *ctx) {
  CallSet calls = flow_all_traced_calls(rule_flow(ctx));
  for (uint32_t i = 0; i < calls.len; i++) {
    const CallRecord *call = &calls.data[i];
    if (call_site_runs(call) && call->traced->trace->has_signature && call->traced->trace->signature)
      check_call(ctx, call);
  }
}

const RuleCheck rule_input_signature_mismatch = {
    .name = S_INIT("input_signature_mismatch"),
    .events = ON_EVENT(EV_CALL),
    .event = on_making,
    .end = at_end,
};

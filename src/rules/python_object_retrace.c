/* TF503: a call in a loop passes a traced function an object that is made for the call.
 *
 * TensorFlow keeps a trace for each object that it was called with, by identity: a fresh instance, lambda, closure, set or bound
 * method never meets its trace again. Objects that describe themselves to TensorFlow, tuples with names and classes with
 * bases that we do not know are left alone.
 */
#include "rules/call_site.h"

typedef enum Freshness { NOT_FRESH, FRESH_OBJECT, FRESH_FUNCTION, FRESH_METHOD, FRESH_SET, GROWING_LIST } Freshness;

/* `__tf_tracing_type__`, or a base that may have it. */
static bool describes_itself(const Project *project, const Obj *obj) {
  const ClassInfo *info = project_class_info(project, obj->cls);
  if (info->apis.len || info->class_->decorator_len) return true;
  for (uint32_t i = 0; i < info->class_->body.len; i++) {
    const Stmt *stmt = info->class_->body.data[i];
    if (stmt->kind == STMT_FUNCTION && sym_is(stmt->u.function->name, S("__tf_tracing_type__"))) return true;
  }
  return false;
}

static bool is_fresh_object(const Project *project, const Value *value) {
  if (value->obj_len != 1 || value->obj_more || !value_is(value, KIND(INSTANCE)) || value->home.kind != VAR_NONE)
    return false;
  const Obj *obj = value->objs[0];
  return obj->kind == OBJ_INSTANCE && obj->many && (value->flags & VF_FRESH) && !describes_itself(project, obj);
}

static Freshness freshness(const Project *project, const CallRecord *call, uint32_t at) {
  const Value *value = call->args->values[at];
  const Expr *expr = call->args->exprs[at];
  if (!expr || !value->kinds) return NOT_FRESH;
  if (is_fresh_object(project, value)) return FRESH_OBJECT;
  if (value_is(value, KIND(FUNCTION)) && value->obj_len == 1) {
    const Obj *obj = value->objs[0];
    if (expr->kind == EXPR_LAMBDA) return FRESH_FUNCTION;
    if (expr->kind == EXPR_CALL && (obj->kind == OBJ_PARTIAL || obj->env != NO_INSTANCE)) return FRESH_FUNCTION;
    bool method = expr->kind == EXPR_ATTR && obj->kind == OBJ_FUNCTION && obj->self && value->home.kind == VAR_NONE;
    return method ? FRESH_METHOD : NOT_FRESH;
  }
  if (value_is(value, KIND(SET)) && (expr->kind == EXPR_SET || expr->kind == EXPR_CALL)) return FRESH_SET;
  return value_is(value, KIND(LIST)) && (value->flags & VF_GROWING) ? GROWING_LIST : NOT_FRESH;
}

static uint32_t choose_variant(Freshness fresh) {
  switch (fresh) {
    case FRESH_FUNCTION:
      return TF503_FUNCTION;
    case FRESH_METHOD:
      return TF503_METHOD;
    case FRESH_SET:
      return TF503_SET;
    case GROWING_LIST:
      return TF503_LIST;
    default:
      return TF503_DEFAULT;
  }
}

/* A few rounds make a few traces. */
static bool loops_enough(const CallRecord *call) {
  return call->in_loop && (call->trip_count < 0 || call->trip_count >= 5);
}

static void at_end(RuleContext *ctx) {
  const Flow *flow = rule_flow(ctx);
  CallSet calls = flow_all_traced_calls(flow);
  for (uint32_t c = 0; c < calls.len; c++) {
    const CallRecord *call = &calls.data[c];
    if (!call_site_retraces(flow, call) || !loops_enough(call)) continue;
    for (uint32_t i = 0; i < call->args->len; i++) {
      Freshness fresh = freshness(flow_project(flow), call, i);
      if (fresh == NOT_FRESH) continue;
      Report report = {.rule = RULE_TF503,
                       .variant = choose_variant(fresh),
                       .span = call->span,
                       .confidence = CONF_CERTAIN,
                       .subject = call_site_argument(flow, call, i)};
      report_fill(&report, S("argument"), report.subject);
      report_fill(&report, S("callee"), call_site_callee(flow, call));
      report_label(&report, call_site_definition(ctx, call));
      rule_report_at(ctx, call->module, call->caller, &report);
      break;
    }
  }
}

const RuleCheck rule_python_object_retrace = {
    .name = S_INIT("python_object_retrace"),
    .end = at_end,
};

/* Looks at calls of traced functions. Requires: the index of calls. */
#include "rules/call_site.h"

bool call_site_runs(const CallRecord *call) {
  if (call->is_test || !call->expr || !call->args || !call->traced->trace) return false;
  const Expr *callee = call->expr->kind == EXPR_CALL ? call->expr->u.call.callee : call->expr;
  return callee->kind != EXPR_ATTR || !sym_is(callee->u.attr.name, S("get_concrete_function"));
}

static Str text_at(const Flow *flow, ModuleId module, Span span) {
  return source_slice(&project_module(flow_project(flow), module)->source, span);
}

Str call_site_callee(const Flow *flow, const CallRecord *call) {
  bool plain = call->expr->kind == EXPR_CALL;
  return text_at(flow, call->module, plain ? call->expr->u.call.callee->span : call->span);
}

Str call_site_argument(const Flow *flow, const CallRecord *call, uint32_t at) {
  const Expr *expr = call->args->exprs[at];
  return expr ? text_at(flow, call->module, expr->span) : S("");
}

Label call_site_definition(RuleContext *ctx, const CallRecord *call) {
  const TraceSpec *spec = call->traced->trace;
  Str callee = call_site_callee(rule_flow(ctx), call);
  Str text = str_printf(rule_scratch(ctx), "`%.*s` is traced by this", STR_ARG(callee));
  return rule_label(ROLE_DEFINITION, spec->module, spec->span, text);
}

/* ---- rounds of a loop ---- */

static bool binds(const Expr *target, Sym name) {
  if (target->kind == EXPR_NAME) return target->u.name.id == name;
  if (target->kind != EXPR_TUPLE) return false;
  for (uint32_t i = 0; i < target->u.items.len; i++) {
    if (binds(target->u.items.data[i], name)) return true;
  }
  return false;
}

/* The innermost loop around the call, or the innermost one that binds `name`. */
static const Stmt *find_loop(const Block *block, Span call, Sym name);

static const Stmt *find_inside(const Stmt *stmt, Span call, Sym name) {
  switch ((StmtKind)stmt->kind) {
    case STMT_FOR: {
      const Stmt *inner = find_loop(&stmt->u.forloop.body, call, name);
      if (inner) return inner;
      return !name || binds(stmt->u.forloop.target, name) ? stmt : NULL;
    }
    case STMT_WHILE: {
      const Stmt *inner = find_loop(&stmt->u.loop.body, call, name);
      return inner || name ? inner : stmt;
    }
    case STMT_WITH:
      return find_loop(&stmt->u.with.body, call, name);
    case STMT_TRY:
      return find_loop(&stmt->u.try_.body, call, name);
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
        const Stmt *inner = find_loop(&stmt->u.branch.arms[i].body, call, name);
        if (inner) return inner;
      }
      return NULL;
    default:
      return NULL;
  }
}

static const Stmt *find_loop(const Block *block, Span call, Sym name) {
  for (uint32_t i = 0; i < block->len; i++) {
    const Stmt *stmt = block->data[i];
    if (span_holds(stmt->span, call)) return find_inside(stmt, call, name);
  }
  return NULL;
}

int64_t call_site_rounds(const Flow *flow, const CallRecord *call, const Expr *name) {
  if (!name || name->kind != EXPR_NAME) return -1;
  const Function *function = project_function(flow_project(flow), call->func);
  const Stmt *loop = function->is_lambda ? NULL : find_loop(&function->body, call->span, name->u.name.id);
  if (!loop) return -1;
  const Expr *iter = loop->u.forloop.iter;
  if (iter->kind == EXPR_LIST || iter->kind == EXPR_TUPLE) return iter->u.items.len;
  bool range = iter->kind == EXPR_CALL && iter->u.call.callee->kind == EXPR_NAME && iter->u.call.args.len == 1 &&
               sym_is(iter->u.call.callee->u.name.id, S("range"));
  if (!range) return -1;
  const Expr *count = iter->u.call.args.data[0];
  return count->kind == EXPR_CONST && count->u.constant.kind == CONST_INT && count->u.constant.exact
             ? count->u.constant.i
             : -1;
}

/* ---- traces that pile up ---- */

/* `for x in data: step = tf.function(f); step(x)`: each function is called with one value only. */
static bool is_made_for_round(const Flow *flow, const CallRecord *call) {
  const TraceSpec *spec = call->traced->trace;
  const Function *function = project_function(flow_project(flow), call->func);
  if (!call->traced->many || spec->module != call->module || function->is_lambda) return false;
  const Stmt *loop = find_loop(&function->body, call->span, NULL);
  return loop && span_holds(loop->span, spec->span);
}

bool call_site_retraces(const Flow *flow, const CallRecord *call) {
  if (!call_site_runs(call) || ctx_traced(call->context)) return false;
  return !call->traced->trace->has_signature && !is_made_for_round(flow, call);
}

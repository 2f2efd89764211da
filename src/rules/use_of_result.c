/* What becomes of a value that a helper returns: read from the text of its callers.
 *
 *   def ready(self): return self.rows                    # USE_RETURN, of a helper
 *   def step(self, x): return x if self.ready() else -x  # USE_BRANCH: all that it comes to
 *
 * Callers are known by instance, the calls in them by the helper's name. What is returned further is followed a few callers up.
 */
#include "rules/use.h"
#include "sema/walk.h"

enum { DEPTH = 3 };

typedef struct Where {
  Arena *scratch;
  const Project *project;
  const Module *module;
  const Function *function;
  Sym helper;
  uint32_t bits;
  bool found;
} Where;

static bool is_named(const Expr *expr, Sym name) {
  if (expr->kind == EXPR_NAME) return expr->u.name.id == name;
  return expr->kind == EXPR_ATTR && expr->u.attr.name == name;
}

static void note_call(void *context, Expr *expr, const Function *function) {
  Where *where = context;
  (void)function;
  bool calls = expr->kind == EXPR_CALL && is_named(expr->u.call.callee, where->helper);
  if (!calls) return;
  where->found = true;
  where->bits |= use_in_function(where->scratch, where->project, where->module, where->function, expr);
}

static bool is_root(RuleContext *ctx, InstanceId instance) {
  return flow_chain(rule_scratch(ctx), rule_flow(ctx), instance).len <= 1;
}

/* In all callers of the helper; USE_RETURN stays where one of them cannot be read, or hands it on to other code. */
static uint32_t use_by_callers(RuleContext *ctx, InstanceId helper, const Function *function, int depth) {
  if (depth >= DEPTH || is_root(ctx, helper) || function->is_lambda || !function->name) return USE_RETURN;
  const Flow *flow = rule_flow(ctx);
  const Project *project = flow_project(flow);
  InstanceSet callers = flow_callers(flow, helper);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < callers.len; i++) {
    FuncRef ref = flow_instance(flow, callers.data[i]).func;
    Where where = {.scratch = rule_scratch(ctx),
                   .project = project,
                   .module = project_module(project, ref.module),
                   .function = project_function(project, ref),
                   .helper = function->name};
    Walk walk = {.visit = note_call, .context = &where, .function = where.function};
    if (!where.function->is_lambda) walk_block(&walk, &where.function->body);
    if (!where.found || (where.bits & USE_HANDED_ON)) return USE_RETURN;
    if (where.bits & USE_RETURN)
      where.bits =
          (where.bits & ~(uint32_t)USE_RETURN) | use_by_callers(ctx, callers.data[i], where.function, depth + 1);
    bits |= where.bits;
  }
  return callers.len ? bits : USE_RETURN;
}

uint32_t use_of(RuleContext *ctx, const Event *event, const Expr *source) {
  const Frame *frame = event->frame;
  uint32_t bits = use_in_function(rule_scratch(ctx), frame->project, frame->module, frame->function, source);
  bits &= ~(uint32_t)USE_HANDED_ON;
  if (!(bits & USE_RETURN)) return bits;
  return (bits & ~(uint32_t)USE_RETURN) | use_by_callers(ctx, frame->instance, frame->function, 0);
}

/* TF307: a symbolic tensor is stored where it outlives the trace it belongs to.
 *
 * An error where the place is read in a next call or elsewhere, and where a create-once guard keeps it as a cache; a warning
 * where no read is visible. Read only behind the store, in the same call, it does no harm. A root's own argument that takes a
 * tensor is TF308, an element of an ndarray TF201.
 */
#include "rules/effect.h"

typedef struct Leak {
  const Value *value;
  const Expr *value_expr;
  const Expr *place;
  Var var;
  Span statement;
  bool into_container;
} Leak;

/* `cache[tf.compat.v1.get_default_graph()] = t`: each trace has a graph of its own and finds only its own tensors. */
static bool kept_for_each_graph(const Mutation *mutation) {
  return mutation->key && mutation->key->kinds && value_is(mutation->key, KIND(TF_OBJECT));
}

static bool stored_in_container(RuleContext *ctx, const Event *event, Leak *leak) {
  Mutation mutation;
  if (!effect_mutation(event, &mutation) || mutation.container->origin != ORIGIN_OUTER) return false;
  if (kept_for_each_graph(&mutation)) return false;
  *leak = (Leak){mutation.stored, mutation.stored_expr, mutation.path, mutation.var, mutation.statement, true};
  return mutation.var.kind == VAR_NONE || !effect_is_reset(ctx, event, mutation.var);
}

static bool stored_in_place(const Event *event, Leak *leak) {
  if (event->kind != EV_STORE || !event->outlives || event->store == STORE_DELETE) return false;
  if (event->target->kind != EXPR_NAME && event->target->kind != EXPR_ATTR) return false;
  const Value *value = event->store == STORE_AUG ? event->result : event->value;
  if (event->store == STORE_AUG && value_has(event->operands[0], KIND(VARIABLE))) return false;
  *leak = (Leak){value, NULL, event->target, event->var, event->stmt ? event->stmt->span : event->span, false};
  return true;
}

static bool created_eagerly(const Event *event) {
  return frame_region(event->frame, REGION_INIT_SCOPE) || (event->frame->context & CTX_INIT_SCOPE);
}

/* The place is also set without a guard, by `reset()` or before anything is traced: the guarded store need not be a cache. */
static bool is_set_elsewhere(RuleContext *ctx, Var var) {
  WriteSet writes = flow_writes(rule_flow(ctx), var);
  for (uint32_t i = 0; i < writes.len; i++) {
    const WriteRecord *write = &writes.data[i];
    if (write->kind == WRITE_ASSIGN && !write->guarded && !write->in_init && !write->is_test) return true;
  }
  return false;
}

static void on_event(RuleContext *ctx, const Event *event) {
  Leak leak;
  if (!effect_frozen(event) || created_eagerly(event)) return;
  if (!stored_in_container(ctx, event, &leak) && !stored_in_place(event, &leak)) return;
  if (!effect_is_symbolic(leak.value)) return;
  const ReadRecord *read = NULL;
  PlaceUse use = leak.var.kind == VAR_NONE ? USE_NONE : effect_use(ctx, event, leak.var, leak.statement, &read);
  bool cached = frame_guarded(event->frame);
  if (cached ? is_set_elsewhere(ctx, leak.var) : use == USE_SAME_CALL) return;
  Report report = {.rule = RULE_TF307,
                   .variant = cached                 ? TF307_CACHED
                              : use == USE_ELSEWHERE ? TF307_DEFAULT
                                                     : TF307_UNREAD,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, leak.value),
                   .subject = rule_text(ctx, event, leak.place),
                   .because = leak.value,
                   .because_name = rule_text(ctx, event, leak.value_expr)};
  report_fill(&report, S("place"), report.subject);
  if (read)
    report_label(&report,
                 rule_label(ROLE_NOTE, read->module, read->span, S("read here, where the tensor is out of scope")));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_tensor_leak = {
    .name = S_INIT("tensor_leak"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE),
    .event = on_event,
};

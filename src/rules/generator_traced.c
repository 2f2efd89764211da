/* TF306: a generator or coroutine runs while tracing, unconverted.
 *
 * A helper generator whose control flow is all Python unrolls and works. It does not where it tests or iterates tensors, walks
 * a dataset, or is what is traced itself. A decorated one is TF606; a context manager's `yield` is no iteration.
 */
#include "rules/rule.h"

typedef enum NoteKind { NOTE_YIELD, NOTE_AWAIT, NOTE_CONTROL } NoteKind;

/* What a traced generator was seen to do. */
typedef struct Note {
  NoteKind kind;
  bool is_root;
  Span span;
} Note;

extern const RuleCheck rule_generator_traced;

static bool manages_context(const Function *function) {
  for (uint32_t i = 0; i < function->decorator_len; i++) {
    const Expr *decorator = function->decorators[i];
    Sym name = decorator->kind == EXPR_ATTR   ? decorator->u.attr.name
               : decorator->kind == EXPR_NAME ? decorator->u.name.id
                                              : NULL;
    if (name && str_ends(name->text, S("contextmanager"))) return true;
  }
  return false;
}

/* Control flow on what is not there yet while tracing. */
static bool decides_on_tensors(const Event *event) {
  const Value *value = event->value;
  if (!value || !value->kinds) return false;
  bool loops = event->kind == EV_LOOP || event->kind == EV_ITERATE;
  KindSet symbolic = KIND(TENSOR) | KIND(VARIABLE) | KIND(COMPOSITE);
  if (event->kind == EV_TRUTH && (value->flags & VF_TAINTED)) return false;
  return value_is(value, loops ? symbolic | KIND(DATASET) | KIND(ITERATOR) : symbolic);
}

static void on_event(RuleContext *ctx, const Event *event) {
  const Function *function = event->frame->function;
  if (!ctx_traced(event->frame->context) || (event->frame->context & CTX_GRAPH)) return;
  if (!function->is_generator && !function->is_async) return;
  bool yields = event->kind == EV_YIELD || event->kind == EV_AWAIT;
  if (!yields && !decides_on_tensors(event)) return;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  if (!chain.len || (chain.len == 1 && chain.steps[0].root == ROOT_DECORATOR) || manages_context(function)) return;
  Note note = {yields ? event->kind == EV_YIELD ? NOTE_YIELD : NOTE_AWAIT : NOTE_CONTROL, chain.len == 1, event->span};
  rule_defer(ctx, &rule_generator_traced, event, &note, sizeof note);
}

static bool has_control(const DeferredSet *all, InstanceId instance) {
  for (uint32_t i = 0; i < all->len; i++) {
    const Note *note = all->data[i].record;
    if (note->kind == NOTE_CONTROL && all->data[i].instance == instance) return true;
  }
  return false;
}

static void at_end(RuleContext *ctx) {
  DeferredSet all = rule_deferred(ctx, &rule_generator_traced);
  for (uint32_t i = 0; i < all.len; i++) {
    const Note *note = all.data[i].record;
    if (note->kind == NOTE_CONTROL) continue;
    if (note->kind == NOTE_YIELD && !note->is_root && !has_control(&all, all.data[i].instance)) continue;
    InstanceInfo info = flow_instance(rule_flow(ctx), all.data[i].instance);
    const Function *function = project_function(flow_project(rule_flow(ctx)), info.func);
    Report report = {.rule = RULE_TF306,
                     .variant = note->kind == NOTE_AWAIT ? TF306_AWAIT
                                : note->is_root          ? TF306_ROOT
                                                         : TF306_DEFAULT,
                     .span = note->span,
                     .confidence = info.context & CTX_UNSURE ? CONF_LIKELY : CONF_CERTAIN,
                     .subject = sym_str(function->name)};
    report_fill(&report, S("generator"), report.subject);
    rule_report_at(ctx, all.data[i].module, all.data[i].instance, &report);
  }
}

const RuleCheck rule_generator_traced = {
    .name = S_INIT("generator_traced"),
    .events = ON_EVENT(EV_YIELD) | ON_EVENT(EV_AWAIT) | ON_EVENT(EV_TRUTH) | ON_EVENT(EV_LOOP) | ON_EVENT(EV_ITERATE),
    .event = on_event,
    .end = at_end,
};

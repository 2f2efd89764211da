/* TF104: state that may be created once is not reached by the first trace.
 *
 *   if len(self.buffer) < 100: return 0          decided while tracing; the first trace leaves here
 *   self.optimizer.apply_gradients(…)            a later trace creates the slots, which only the first one may do
 *
 * What creates at its first use: optimizers, models that are called for the first time, and what stands behind a create-once
 * guard. What lets a trace pass it by: a branch or an early return on host state that changes, or on a Python argument, around
 * the use or around a call that leads to it. Whether there is another trace at all is asked of the parameters of the root.
 *
 * Notes are joined at the end: an object that something builds elsewhere is not meant.
 */
#include "rules/creation.h"
#include "rules/late_state.h"
#include "rules/stateful.h"

extern const RuleCheck rule_late_variable_creation;

/* ---- noting ---- */

static bool runs_for_keras(RuleContext *ctx, const Event *event) {
  ChainStep root;
  return !stateful_root(ctx, event->frame->instance, &root) || root.root == ROOT_KERAS_METHOD ||
         root.root == ROOT_KERAS_ARGUMENT;
}

static void note_objects(RuleContext *ctx, const Event *event, const Value *value, LateNote note) {
  for (uint32_t i = 0; i < value->obj_len; i++) {
    if (note.kind == LATE_CREATES && !stateful_is_lazy(event->frame->project, value, value->objs[i])) continue;
    note.site = value->objs[i]->site;
    rule_defer(ctx, &rule_late_variable_creation, event, &note, sizeof note);
  }
}

static bool is_guarded_creation(RuleContext *ctx, const Event *event) {
  bool creates = event->api && event->api->creates >= CREATES_VARIABLE && event->api->creates <= CREATES_AVERAGE &&
                 event->api->creates != CREATES_PURE_LAYER;
  if (!creates || !ctx_traced(event->frame->context) || !frame_guarded(event->frame)) return false;
  return creation_judge(ctx, event).verdict == CREATION_ONCE;
}

static void on_call(RuleContext *ctx, const Event *event) {
  LateNote note = {.span = event->span, .confidence = frame_confidence(event->frame, NULL)};
  if (ctx_traced(event->frame->context)) note.skip = late_skip(ctx, event);
  const Value *value;
  StatefulUse use = stateful_use(event, &value);
  if (is_guarded_creation(ctx, event)) {
    note.kind = LATE_CREATES_GUARDED;
    rule_defer(ctx, &rule_late_variable_creation, event, &note, sizeof note);
  } else if (use == STATEFUL_BUILDS) {
    note.kind = LATE_BUILDS;
    note_objects(ctx, event, value, note);
  } else if (use == STATEFUL_CREATES && !runs_for_keras(ctx, event)) {
    note.kind = LATE_CREATES;
    note.is_optimizer = value_is(value, KIND(OPTIMIZER));
    note_objects(ctx, event, value, note);
  }
  if (!note.skip.stmt) return;
  note.kind = LATE_CALL;  // whatever it leads to is passed by as well
  rule_defer(ctx, &rule_late_variable_creation, event, &note, sizeof note);
}

/* ---- joining ---- */

static const LateNote *note_at(const DeferredSet *notes, uint32_t i) { return notes->data[i].record; }

static bool is_built(const DeferredSet *notes, const LateNote *creation) {
  if (creation->kind == LATE_CREATES_GUARDED) return false;
  for (uint32_t i = 0; i < notes->len; i++) {
    if (note_at(notes, i)->kind == LATE_BUILDS && site_eq(note_at(notes, i)->site, creation->site)) return true;
  }
  return false;
}

/* The skip of the creation itself, or of the nearest call that leads to it. */
static LateSkip find_skip(RuleContext *ctx, const DeferredSet *notes, uint32_t at) {
  LateSkip skip = note_at(notes, at)->skip;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), notes->data[at].instance);
  for (uint32_t step = chain.len; step > 1 && !skip.stmt; step--) {
    for (uint32_t i = 0; i < notes->len && !skip.stmt; i++) {
      const LateNote *note = note_at(notes, i);
      bool leads = note->kind == LATE_CALL && notes->data[i].module == chain.steps[step - 1].module &&
                   note->span.start == chain.steps[step - 1].span.start &&
                   note->span.end == chain.steps[step - 1].span.end;
      if (leads) skip = note->skip;
    }
  }
  return skip;
}

/* The same object is also used where every trace comes by, of this traced function or of another one, whose first trace then
 * gives it its state. Which comes first is not known. */
static bool is_reached_anyway(RuleContext *ctx, const DeferredSet *notes, const LateNote *creation) {
  if (creation->kind == LATE_CREATES_GUARDED) return false;
  for (uint32_t i = 0; i < notes->len; i++) {
    const LateNote *other = note_at(notes, i);
    if (other->kind == LATE_CREATES && site_eq(other->site, creation->site) && !find_skip(ctx, notes, i).stmt)
      return true;
  }
  return false;
}

/* A layer inside of a model that is called: the model is what is told. */
static bool is_part_of_model(RuleContext *ctx, const Deferred *deferred, const LateNote *creation) {
  if (creation->kind != LATE_CREATES || creation->is_optimizer) return false;
  const Project *project = flow_project(rule_flow(ctx));
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), deferred->instance);
  for (uint32_t i = 1; i < chain.len; i++) {
    const Function *function = project_function(project, chain.steps[i].func);
    if (!function->owner) continue;
    Kind kind =
        project_class_info(project, (ClassRef){chain.steps[i].func.module, function->owner->index})->instance_kind;
    if (kind == K_LAYER || kind == K_MODEL) return true;
  }
  return false;
}

static Str function_name(RuleContext *ctx, FuncRef func) {
  const Function *function = project_function(flow_project(rule_flow(ctx)), func);
  if (function->is_lambda) return S("lambda");
  Str name = sym_str(function->name);
  if (!function->owner) return name;
  Str owner = sym_str(function->owner->name);
  return str_printf(rule_scratch(ctx), "%.*s.%.*s", STR_ARG(owner), STR_ARG(name));
}

static void report_late(RuleContext *ctx, const Deferred *deferred, const LateNote *creation, const LateSkip *skip,
                        LateCause cause, FuncRef root) {
  const Project *project = flow_project(rule_flow(ctx));
  const Module *module = project_module(project, deferred->module);
  Str what = str_copy(rule_scratch(ctx), source_slice(&module->source, creation->span));
  Str callee = str_trim(str_cut(&what, '('));
  bool is_certain = skip->is_state && cause.kind == CAUSE_NUMBER;
  Report report = {.rule = RULE_TF104,
                   .variant = skip->by_calls ? TF104_OTHER_CALL
                              : creation->kind == LATE_CREATES_GUARDED
                                  ? (is_certain ? TF104_GUARDED : TF104_GUARDED_MAYBE)
                              : is_certain ? TF104_DEFAULT
                                           : TF104_MAYBE,
                   .span = creation->span,
                   .confidence = creation->confidence,
                   .subject = callee};
  report_fill(&report, S("callee"), callee);
  report_fill(&report, S("root"), function_name(ctx, root));
  report_fill(&report, S("state"),
              creation->kind == LATE_CREATES_GUARDED ? S("a variable")
              : creation->is_optimizer               ? S("the optimizer's slots")
                                                     : S("the model's variables"));
  if (skip->stmt) {
    Str text = skip->is_exit ? S("a trace that leaves here creates nothing")
                             : S("a trace that takes another way creates nothing");
    report_label(&report, rule_label(ROLE_NOTE, skip->module, skip->stmt->header, text));
  }
  if (cause.text.len) report_label(&report, rule_label(ROLE_NOTE, cause.module, cause.span, cause.text));
  rule_report_at(ctx, deferred->module, deferred->instance, &report);
}

static bool is_creation(const LateNote *note) {
  return note->kind == LATE_CREATES || note->kind == LATE_CREATES_GUARDED;
}

/* The instances differ in Python arguments, and in nothing else. */
static bool differ_in_python(InstanceInfo a, InstanceInfo b) {
  KindSet python = KIND(NUMBER) | KIND(TEXT) | KIND(BOOL) | KIND(NONE);
  bool differ = false;
  if (a.context != b.context || a.receiver != b.receiver || a.param_len != b.param_len) return false;
  for (uint32_t i = 0; i < a.param_len; i++) {
    if (value_shape_hash(a.params[i]) == value_shape_hash(b.params[i])) continue;
    if (!value_is(a.params[i], python) || !value_is(b.params[i], python)) return false;
    differ = true;
  }
  return differ;
}

/* Another instance of the root, met before this one, that does not come by: it was called with other Python arguments. */
static bool passed_by_earlier(RuleContext *ctx, const DeferredSet *notes, uint32_t at, FuncRef root) {
  const LateNote *creation = note_at(notes, at);
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), notes->data[at].instance);
  if (chain.len != 1) return false;
  const InstanceId *ids = flow_instances_of(rule_scratch(ctx), rule_flow(ctx), root);
  InstanceInfo own = flow_instance(rule_flow(ctx), notes->data[at].instance);
  for (; *ids != NO_INSTANCE && *ids < notes->data[at].instance; ids++) {
    InstanceInfo other = flow_instance(rule_flow(ctx), *ids);
    if (!ctx_traced(other.context) || !differ_in_python(own, other)) continue;
    bool comes_by = false;
    for (uint32_t i = 0; i < notes->len; i++) {
      const LateNote *note = note_at(notes, i);
      comes_by |= is_creation(note) && notes->data[i].instance == *ids && note->span.start == creation->span.start;
    }
    if (!comes_by) return true;
  }
  return false;
}

static void judge(RuleContext *ctx, const DeferredSet *notes, uint32_t at) {
  const LateNote *creation = note_at(notes, at);
  ChainStep root;
  if (!is_creation(creation) || !stateful_root(ctx, notes->data[at].instance, &root) || is_built(notes, creation))
    return;
  if (is_part_of_model(ctx, &notes->data[at], creation)) return;
  LateSkip skip = find_skip(ctx, notes, at);
  LateCause cause = {0};
  if (skip.stmt) {
    if (is_reached_anyway(ctx, notes, creation)) return;
    cause = late_cause(ctx, &skip, root.func);
    if (cause.kind == CAUSE_NOTHING) return;
  } else if (passed_by_earlier(ctx, notes, at, root.func)) {
    skip.by_calls = true;
  } else {
    return;
  }
  report_late(ctx, &notes->data[at], creation, &skip, cause, root.func);
}

static void on_end(RuleContext *ctx) {
  DeferredSet notes = rule_deferred(ctx, &rule_late_variable_creation);
  for (uint32_t i = 0; i < notes.len; i++) judge(ctx, &notes, i);
}

const RuleCheck rule_late_variable_creation = {
    .name = S_INIT("late_variable_creation"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
    .end = on_end,
};

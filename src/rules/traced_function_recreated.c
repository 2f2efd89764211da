/* TF502: a traced function is made again and again, and each one starts without any trace.
 *
 * Made in a loop, in a function that a loop calls, or made to be called once in place. Not meant are functions that somebody
 * keeps (stored, returned, put into a container, handed to code out of sight), those made under a create-once guard, and those
 * that capture a model, optimizer or variable made beside them: each of these needs a function of its own. What a factory
 * returns is kept unless a loop rebinds one name to it and it was made for a number that could have been an argument. A maker
 * that calls what it made in a loop of its own reuses the trace there: then the loop around the maker must be in plain sight. A
 * dataset traces what it is given in any case.
 */
#include "rules/effect.h"

enum { FEW = 4, DEPTH = 2 };

typedef enum NoteKind {
  NOTE_MADE,
  NOTE_RETURNED,  // by what made it: its caller decides
  NOTE_DROPPED,   // a loop calls what made it, and binds the result to one name over and over
  NOTE_KEPT,
  NOTE_REUSED,    // called in a loop of the function that made it: `span` is the loop's
} NoteKind;

typedef struct Note {
  NoteKind kind;
  /* Made: all that it captures of the maker's parameters are numbers and the like, which could be arguments. */
  bool for_number;
  Site site;
  Span span;
  Str name;  // lives as long as the source
} Note;

extern const RuleCheck rule_traced_function_recreated;

/* ---- made ---- */

/* Rounds of the loops around this point are many, or nobody knows. */
static bool runs_often(const Frame *frame) {
  if (frame->context & CTX_IN_LOOP) return true;
  int64_t rounds = 1;
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    if (region->kind != REGION_PYTHON_LOOP) continue;
    if (region->trip_count < 0 || region->trip_count > FEW) return true;
    rounds *= region->trip_count;
  }
  return rounds > FEW;
}

/* Made where this point is: in the same round, if there is a loop around it. */
static bool is_made_here(const Frame *frame, const Value *state) {
  if (!(state->flags & VF_FRESH) || state->origin != ORIGIN_FRESH) return false;
  return !frame_region(frame, REGION_PYTHON_LOOP) || !state->obj_len || state->objs[0]->many;
}

/* A local of the maker that inner functions capture holds state made just here. */
static bool captures_own_state(const Event *event) {
  const Scope *scope = event->frame->function->scope;
  for (uint32_t i = 0; scope && i < scope->bindings.len; i++) {
    const Binding *binding = &scope->bindings.data[i];
    bool own = binding->captured && !(binding->kinds & BIND_PARAM);
    const Value *value = own ? event_lookup(event, binding->name) : NULL;
    bool state = value && value->kinds && value_is(value, KINDS_TRACKABLE | KIND(VARIABLE) | KIND(INSTANCE));
    if (state && is_made_here(event->frame, value)) return true;
  }
  return false;
}

/* What is captured of the parameters is some number, and nothing that a function may have to be made for. */
static bool captures_numbers(const Event *event) {
  const Scope *scope = event->frame->function->scope;
  bool any = false;
  for (uint32_t i = 0; scope && i < scope->bindings.len; i++) {
    const Binding *binding = &scope->bindings.data[i];
    const Value *value = binding->captured && (binding->kinds & BIND_PARAM) ? event_lookup(event, binding->name) : NULL;
    if (!value) continue;
    if (!value->kinds || !value_is(value, KINDS_PYTHON_SCALAR | KIND(EAGER_TENSOR) | KIND(ARRAY))) return false;
    any |= value_is(value, KIND(NUMBER) | KIND(EAGER_TENSOR));
  }
  return any;
}

static Str made_name(const Event *event) {
  if (event->decorates && event->stmt && event->stmt->kind == STMT_FUNCTION)
    return sym_str(event->stmt->u.function->name);
  if (event->target && event->target->kind == EXPR_NAME) return sym_str(event->target->u.name.id);
  return S("tf.function");
}

static void defer(RuleContext *ctx, const Event *event, NoteKind kind, Site site) {
  Note note = {.kind = kind, .site = site, .span = event->span};
  if (kind == NOTE_MADE) {
    note.name = made_name(event);
    note.for_number = captures_numbers(event);
  }
  rule_defer(ctx, &rule_traced_function_recreated, event, &note, sizeof note);
}

static bool is_making(const Event *event) {
  bool partial = event->callee && event->callee->obj_len == 1 && event->callee->objs[0]->kind == OBJ_PARTIAL;
  bool decorator = partial || (event->api && (event->api->tags & TAG(TRACING_DECORATOR)));
  bool made = event->result && event->result->obj_len == 1 && event->result->objs[0]->kind == OBJ_TRACED;
  return made && (decorator || event->decorates) && event->result->objs[0]->target;
}

static void on_making(RuleContext *ctx, const Event *event) {
  if (event->frame->module->is_test || ctx_traced(event->frame->context) || frame_guarded(event->frame)) return;
  if (frame_region(event->frame, REGION_COMPREHENSION) || !runs_often(event->frame) || captures_own_state(event))
    return;
  defer(ctx, event, NOTE_MADE, event->result->objs[0]->site);
}

/* `step = make_step(0.9 ** epoch)` in a loop. */
static void on_factory(RuleContext *ctx, const Event *event) {
  if (event->decorates || !event->target || event->target->kind != EXPR_NAME) return;
  if (ctx_traced(event->frame->context) || !frame_region(event->frame, REGION_PYTHON_LOOP)) return;
  if (frame_region(event->frame, REGION_COMPREHENSION) || !event->result || event->result->obj_len != 1) return;
  const Obj *made = event->result->objs[0];
  if (made->kind == OBJ_TRACED && made->site.instance != event->frame->instance)
    defer(ctx, event, NOTE_DROPPED, made->site);
}

/* The callee is the traced function that this very expression makes. */
static bool is_made_by(const Event *event, const Expr *maker) {
  if (!event->callee || event->callee->obj_len != 1 || event->callee->objs[0]->kind != OBJ_TRACED) return false;
  Site site = event->callee->objs[0]->site;
  return site_eq(site, (Site){event->frame->module->id, maker->id, event->frame->instance});
}

/* `tf.function(lambda x: x + 1)(x)` */
static void on_call_in_place(RuleContext *ctx, const Event *event) {
  const Expr *inner = event->expr->u.call.callee;
  if (event->frame->module->is_test || ctx_traced(event->frame->context) || frame_guarded(event->frame)) return;
  bool lambda = inner->u.call.args.len && inner->u.call.args.data[0]->kind == EXPR_LAMBDA;
  if (event->frame->function->is_module ? !runs_often(event->frame) : !lambda && !runs_often(event->frame)) return;
  Report report = {.rule = RULE_TF502,
                   .variant = TF502_IN_PLACE,
                   .span = inner->span,
                   .confidence = CONF_CERTAIN,
                   .subject = S("tf.function")};
  rule_report(ctx, event, &report);
}

/* ---- kept ---- */

static void keep(RuleContext *ctx, const Event *event, const Value *value, int depth) {
  if (!value || !value->kinds) return;
  for (uint32_t i = 0; i < value->obj_len; i++) {
    if (value->objs[i]->kind == OBJ_TRACED) defer(ctx, event, NOTE_KEPT, value->objs[i]->site);
  }
  if (depth >= DEPTH || !value_has(value, KINDS_CONTAINER)) return;
  if (value->elem && !value->parts_exact) keep(ctx, event, value->elem, depth + 1);
  for (uint32_t i = 0; i < value->part_len; i++) keep(ctx, event, value->parts[i], depth + 1);
}

/* Datasets trace what they are given, whoever made it; what code out of sight does with it, nobody knows. */
static void keep_arguments(RuleContext *ctx, const Event *event) {
  bool dataset = event->result && event->result->kinds && value_is(event->result, KIND(DATASET));
  bool out_of_sight = !event->api && event->callee && value_is_unknown(event->callee);
  bool mutates = event->api && (event->api->tags & TAG(MUTATES));
  if ((!dataset && !out_of_sight && !mutates) || !event->args) return;
  for (uint32_t i = 0; i < event->args->len; i++) keep(ctx, event, event->args->values[i], 0);
}

/* `for batch in batches: step(batch)` in the function that made `step`. */
static void note_reuse(RuleContext *ctx, const Event *event) {
  const Value *callee = event->callee;
  if (!callee || callee->obj_len != 1 || callee->objs[0]->kind != OBJ_TRACED) return;
  if (callee->objs[0]->site.instance != event->frame->instance) return;
  for (uint32_t i = 0; i < event->frame->region_len; i++) {
    const Region *region = &event->frame->regions[i];
    bool few = region->trip_count >= 0 && region->trip_count <= FEW;
    if (region->kind != REGION_PYTHON_LOOP || few || !region->stmt) continue;
    Note note = {.kind = NOTE_REUSED, .site = callee->objs[0]->site, .span = region->stmt->span};
    rule_defer(ctx, &rule_traced_function_recreated, event, &note, sizeof note);
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (event->kind == EV_RETURN) {
    const Obj *own = event->value->obj_len == 1 ? event->value->objs[0] : NULL;
    bool made_here = own && own->kind == OBJ_TRACED && own->site.instance == event->frame->instance;
    if (made_here) defer(ctx, event, NOTE_RETURNED, own->site);
    else keep(ctx, event, event->value, 0);
    return;
  }
  if (event->kind == EV_STORE) {
    bool local = event->target->kind == EXPR_NAME && event->target->u.name.ref == REF_LOCAL;
    if (!local && event->target->kind != EXPR_NAME) keep(ctx, event, event->value, 0);
    return;
  }
  keep_arguments(ctx, event);
  note_reuse(ctx, event);
  if (is_making(event)) on_making(ctx, event);
  else on_factory(ctx, event);
  bool in_place = !event->decorates && event->expr->kind == EXPR_CALL && event->expr->u.call.callee->kind == EXPR_CALL;
  if (in_place && is_made_by(event, event->expr->u.call.callee)) on_call_in_place(ctx, event);
}

/* ---- the whole program decides ---- */

static bool has_note(const DeferredSet *all, NoteKind kind, Site site) {
  for (uint32_t i = 0; i < all->len; i++) {
    const Note *note = all->data[i].record;
    if (note->kind == kind && site_eq(note->site, site)) return true;
  }
  return false;
}

/* The loop around the maker is in the text of a function that calls it, not somewhere further up. */
static bool is_called_in_loop(RuleContext *ctx, InstanceId maker) {
  const Flow *flow = rule_flow(ctx);
  if (!(flow_instance(flow, maker).context & CTX_IN_LOOP)) return false;
  InstanceSet callers = flow_callers(flow, maker);
  for (uint32_t i = 0; i < callers.len; i++) {
    if (!(flow_instance(flow, callers.data[i]).context & CTX_IN_LOOP)) return true;
  }
  return false;
}

static bool is_reused(const DeferredSet *all, const Note *made) {
  for (uint32_t i = 0; i < all->len; i++) {
    const Note *note = all->data[i].record;
    bool made_outside = made->span.start < note->span.start || made->span.end > note->span.end;
    if (note->kind == NOTE_REUSED && site_eq(note->site, made->site) && made_outside) return true;
  }
  return false;
}

static bool is_kept(const DeferredSet *all, const Note *made) {
  if (has_note(all, NOTE_KEPT, made->site)) return true;
  bool dropped = made->for_number && has_note(all, NOTE_DROPPED, made->site);
  return has_note(all, NOTE_RETURNED, made->site) && !dropped;
}

static void at_end(RuleContext *ctx) {
  DeferredSet all = rule_deferred(ctx, &rule_traced_function_recreated);
  for (uint32_t i = 0; i < all.len; i++) {
    const Note *note = all.data[i].record;
    if (note->kind != NOTE_MADE || is_kept(&all, note)) continue;
    if (is_reused(&all, note) && !is_called_in_loop(ctx, all.data[i].instance)) continue;
    Report report = {.rule = RULE_TF502,
                     .variant = TF502_DEFAULT,
                     .span = note->span,
                     .confidence = CONF_CERTAIN,
                     .subject = note->name};
    report_fill(&report, S("name"), note->name);
    rule_report_at(ctx, all.data[i].module, all.data[i].instance, &report);
  }
}

const RuleCheck rule_traced_function_recreated = {
    .name = S_INIT("traced_function_recreated"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE) | ON_EVENT(EV_RETURN),
    .event = on_event,
    .end = at_end,
};

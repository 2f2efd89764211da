/* TF105: one traced function is called with a second model or optimizer, which creates its state when the function has been
 * traced before.
 *
 *   step(x, adam)      first trace: creates the slots of adam
 *   step(x, sgd)       another trace, and not the first one: the slots of sgd are refused
 *
 * Uses in traced code and what builds objects elsewhere are noted by allocation site; the call sites of each traced function are
 * compared at the end. The same goes for a global that is rebound to another object between two calls, and for one call in a loop
 * over several objects, or that makes one for each round. Otherwise an object that stands for several (made in a loop) cannot be
 * told apart from itself and is not meant, nor are methods called on different objects.
 */
#include "rules/stateful.h"

extern const RuleCheck rule_traced_function_shared;

typedef struct Note {
  StatefulUse use;  // NONE: a call in a loop over such objects
  Site site;
  FuncRef root;  // CREATES: the traced function
  bool is_optimizer;
  Var home;  // CREATES: the global it was read from, else VAR_NONE
  Span span;  // NONE: the call …
  const Expr *argument;  // … and what differs from round to round
  ModuleId spec_module;  // … and where the traced function was made
  Span spec_span;
} Note;

/* ---- noting ---- */

static bool names(const Expr *target, Sym name) {
  if (target->kind == EXPR_NAME) return target->u.name.id == name;
  if (target->kind != EXPR_TUPLE && target->kind != EXPR_LIST) return false;
  for (uint32_t i = 0; i < target->u.items.len; i++) {
    if (names(target->u.items.data[i], name)) return true;
  }
  return false;
}

/* The name is the target of a Python loop around the call. */
static bool is_loop_target(const Frame *frame, const Expr *expr) {
  if (!expr || expr->kind != EXPR_NAME) return false;
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Stmt *stmt = frame->regions[i].kind == REGION_PYTHON_LOOP ? frame->regions[i].stmt : NULL;
    if (stmt && stmt->kind == STMT_FOR && names(stmt->u.forloop.target, expr->u.name.id)) return true;
  }
  return false;
}

/* The argument is another object in each round of a loop around the call. */
static bool differs_by_round(const Event *event, const Obj *traced, uint32_t at) {
  const Value *value = event->args->values[at];
  if (!value_is(value, KIND(OPTIMIZER) | KIND(MODEL) | KIND(LAYER)) || !value->obj_len) return false;
  bool several = value->obj_len > 1 || value->objs[0]->many;
  if (several && is_loop_target(event->frame, event->args->exprs[at])) return true;
  InstanceId env = traced->target->objs[0]->env;
  bool stays = !traced->self && (env == NO_INSTANCE || env == event->frame->instance);
  return stays && value->obj_len == 1 && !value->obj_more &&
         stateful_made_each_round(event, event->args->exprs[at], value->objs[0]);
}

/* `for opt in optimizers: step(x, opt)`: the second round is the second use. */
static void note_looped(RuleContext *ctx, const Event *event) {
  const Value *callee = event->callee;
  if (ctx_traced(event->frame->context) || !event->args || !callee || callee->obj_len != 1 || callee->objs[0]->many)
    return;
  const Obj *traced = callee->objs[0];
  bool known = traced->kind == OBJ_TRACED && traced->target && traced->target->obj_len == 1;
  if (!known || traced->target->objs[0]->kind != OBJ_FUNCTION) return;
  for (uint32_t i = 0; i < event->args->len; i++) {
    const Value *value = event->args->values[i];
    if (!differs_by_round(event, traced, i)) continue;
    Note note = {.site = value->objs[value->obj_len - 1]->site,
                 .root = traced->target->objs[0]->func,
                 .span = event->span,
                 .argument = event->args->exprs[i],
                 .spec_module = traced->trace->module,
                 .spec_span = traced->trace->span};
    rule_defer(ctx, &rule_traced_function_shared, event, &note, sizeof note);
  }
}

static void on_call(RuleContext *ctx, const Event *event) {
  note_looped(ctx, event);
  const Value *value;
  StatefulUse use = stateful_use(event, &value);
  if (use == STATEFUL_NONE || !value) return;
  ChainStep root = {0};
  if (use == STATEFUL_CREATES && (!stateful_root(ctx, event->frame->instance, &root) || root.root == ROOT_KERAS_METHOD))
    return;
  for (uint32_t i = 0; i < value->obj_len; i++) {
    if (use == STATEFUL_CREATES && !stateful_is_lazy(event->frame->project, value, value->objs[i])) continue;
    Note note = {
        .use = use, .site = value->objs[i]->site, .root = root.func, .is_optimizer = value_is(value, KIND(OPTIMIZER))};
    if (value->home.kind == VAR_GLOBAL) note.home = value->home;
    rule_defer(ctx, &rule_traced_function_shared, event, &note, sizeof note);
  }
}

/* ---- what the notes say ---- */

static const Note *note_at(const DeferredSet *notes, uint32_t i) { return notes->data[i].record; }

static bool is_built(const DeferredSet *notes, Site site) {
  for (uint32_t i = 0; i < notes->len; i++) {
    if (note_at(notes, i)->use == STATEFUL_BUILDS && site_eq(note_at(notes, i)->site, site)) return true;
  }
  return false;
}

/* The traced function `root` may be where the object gets its state. */
static const Note *creation_in(const DeferredSet *notes, FuncRef root, Site site) {
  for (uint32_t i = 0; i < notes->len; i++) {
    const Note *note = note_at(notes, i);
    bool here = note->use == STATEFUL_CREATES && func_eq(note->root, root);
    if (here && site_eq(note->site, site)) return is_built(notes, site) ? NULL : note;
  }
  return NULL;
}

static bool creates_state(const DeferredSet *notes, FuncRef root) {
  for (uint32_t i = 0; i < notes->len; i++) {
    const Note *note = note_at(notes, i);
    if (note->use == STATEFUL_CREATES && func_eq(note->root, root)) return true;
  }
  return false;
}

/* ---- call sites ---- */

static const Obj *single_object(const Value *value) {
  bool stateful = value_is(value, KIND(OPTIMIZER) | KIND(MODEL) | KIND(LAYER));
  return stateful && value->obj_len == 1 && !value->obj_more && !value->objs[0]->many ? value->objs[0] : NULL;
}

static FuncRef target_of(const CallRecord *call) {
  const Value *target = call->traced->target;
  bool known = target && target->obj_len == 1 && target->objs[0]->kind == OBJ_FUNCTION;
  return known ? target->objs[0]->func : (FuncRef){NO_MODULE, 0};
}

/* One traced function: the same wrapper around the same function, and for a method on the same object. */
static bool same_traced(const CallRecord *a, const CallRecord *b) {
  FuncRef f = target_of(a), g = target_of(b);
  if (f.module == NO_MODULE || !func_eq(f, g)) return false;
  if (a->traced->target->objs[0]->env != b->traced->target->objs[0]->env) return false;
  const Value *self = a->traced->self, *other = b->traced->self;
  if (!self && !other) return site_eq(a->traced->site, b->traced->site);
  if (!self || !other || self->obj_len != 1 || other->obj_len != 1 || self->objs[0]->many) return false;
  return site_eq(self->objs[0]->site, other->objs[0]->site);
}

static bool same_call(const CallRecord *a, const CallRecord *b) {
  return a->module == b->module && a->span.start == b->span.start && a->span.end == b->span.end;
}

/* The argument in which the later call differs from the earlier one, by position or keyword; NULL if there is none. */
static const Expr *different_argument(RuleContext *ctx, const DeferredSet *notes, const CallRecord *earlier,
                                      const CallRecord *later, const Note **creation) {
  for (uint32_t i = 0; i < later->args->len; i++) {
    Sym name = later->args->names[i];
    uint32_t position = name ? UINT32_MAX : i;
    const Value *before = args_get(earlier->args, position, name ? sym_str(name) : S(""));
    const Obj *first = before ? single_object(before) : NULL, *second = single_object(later->args->values[i]);
    if (!first || !second || later->args->exprs[i]->kind == EXPR_STARRED) continue;
    if (same_call(earlier, later) && first->site.module == second->site.module && first->site.expr == second->site.expr)
      continue;  // one piece of code for two objects that never meet
    const Expr *expr_before = args_expr(earlier->args, position, name ? sym_str(name) : S(""));
    bool apart = !site_eq(first->site, second->site) ||
                 (func_eq(earlier->func, later->func) &&
                  stateful_made_apart(ctx, later, expr_before, later->args->exprs[i], second));
    if (!apart) continue;
    *creation = creation_in(notes, target_of(later), second->site);
    if (*creation) return later->args->exprs[i];
  }
  return NULL;
}

static void report_call(RuleContext *ctx, const CallRecord *earlier, const CallRecord *later, uint32_t variant,
                        Str what, const Note *creation) {
  const Project *project = flow_project(rule_flow(ctx));
  Str function = sym_str(project_function(project, target_of(later))->name);
  Report report = {
      .rule = RULE_TF105, .variant = variant, .span = later->span, .confidence = CONF_LIKELY, .subject = what};
  report_fill(&report, S("called"), function);
  report_fill(&report, S("object"), what);
  report_fill(&report, S("noun"), creation->is_optimizer ? S("optimizer") : S("model"));
  report_fill(&report, S("state"), creation->is_optimizer ? S("its slots") : S("its variables"));
  report_label(&report, rule_label(ROLE_NOTE, earlier->module, earlier->span,
                                   S("the first call, which created state in the first trace")));
  const TraceSpec *spec = later->traced->trace;
  report_label(&report, rule_label(ROLE_DEFINITION, spec->module, spec->span, S("one traced function for all calls")));
  rule_report_at(ctx, later->module, NO_INSTANCE, &report);
}

static void judge_arguments(RuleContext *ctx, const DeferredSet *notes, const CallSet *calls, uint32_t at) {
  const CallRecord *later = &calls->data[at];
  if (ctx_traced(later->context)) return;
  for (uint32_t i = 0; i < at; i++) {
    const CallRecord *earlier = &calls->data[i];
    if (ctx_traced(earlier->context) || earlier->is_test != later->is_test || !same_traced(earlier, later)) continue;
    const Note *creation;
    const Expr *argument = different_argument(ctx, notes, earlier, later, &creation);
    if (!argument) continue;
    const Ast *ast = project_module(flow_project(rule_flow(ctx)), later->module)->ast;
    report_call(ctx, earlier, later, TF105_DEFAULT, expr_text(rule_scratch(ctx), ast, argument, 60), creation);
    return;
  }
}

/* ---- globals ---- */

/* The write that binds the global to the object, in the code that makes the call. */
static bool bound_between(RuleContext *ctx, const Note *creation, const CallRecord *earlier, const CallRecord *later) {
  WriteSet writes = flow_writes(rule_flow(ctx), creation->home);
  for (uint32_t i = 0; i < writes.len; i++) {
    const WriteRecord *write = &writes.data[i];
    const Obj *obj = write->value ? single_object(write->value) : NULL;
    bool here = func_eq(write->func, later->func) && write->kind == WRITE_ASSIGN;
    if (!here || !obj || !site_eq(obj->site, creation->site)) continue;
    if (write->span.start > earlier->span.end && write->span.end <= later->span.start) return true;
  }
  return false;
}

/* A global is no part of what decides about another trace: the arguments are. */
static bool traces_again(const CallRecord *earlier, const CallRecord *later) {
  if (earlier->args->len != later->args->len) return true;
  for (uint32_t i = 0; i < later->args->len; i++) {
    const Value *a = earlier->args->values[i], *b = later->args->values[i];
    if (value_is_unknown(a) || value_is_unknown(b)) continue;
    if (a->kinds != b->kinds || a->dtype != b->dtype || a->rank != b->rank || ((a->flags | b->flags) & VF_CHANGING))
      return true;
    if (a->dim_len && a->dim_len == b->dim_len && memcmp(a->dims, b->dims, a->dim_len * sizeof *a->dims) != 0)
      return true;
    bool numbers = value_is(a, KIND(NUMBER)) && a->konst == KONST_INT && b->konst == KONST_INT;
    if (numbers && a->constant.i != b->constant.i) return true;
  }
  return false;
}

static void judge_globals(RuleContext *ctx, const DeferredSet *notes, const CallSet *calls, uint32_t at) {
  const CallRecord *later = &calls->data[at], *earlier = NULL;
  if (ctx_traced(later->context)) return;
  for (uint32_t i = at; i > 0 && !earlier; i--) {
    const CallRecord *call = &calls->data[i - 1];
    bool before = func_eq(call->func, later->func) && same_traced(call, later);
    if (before) earlier = call;
  }
  if (!earlier || !traces_again(earlier, later)) return;
  for (uint32_t i = 0; i < notes->len; i++) {
    const Note *note = note_at(notes, i);
    if (note->use != STATEFUL_CREATES || note->home.kind != VAR_GLOBAL) continue;
    if (!creation_in(notes, target_of(later), note->site) || !bound_between(ctx, note, earlier, later)) continue;
    report_call(ctx, earlier, later, TF105_REBOUND, sym_str(note->home.name), note);
    return;
  }
}

/* ---- loops ---- */

static void judge_looped(RuleContext *ctx, const DeferredSet *notes, const Deferred *deferred) {
  const Note *note = deferred->record;
  const Note *creation = note->use == STATEFUL_NONE ? creation_in(notes, note->root, note->site) : NULL;
  if (!creation) return;
  const Project *project = flow_project(rule_flow(ctx));
  Str object = expr_text(rule_scratch(ctx), project_module(project, deferred->module)->ast, note->argument, 60);
  Str function = sym_str(project_function(project, note->root)->name);
  Report report = {
      .rule = RULE_TF105, .variant = TF105_LOOPED, .span = note->span, .confidence = CONF_LIKELY, .subject = object};
  report_fill(&report, S("called"), function);
  report_fill(&report, S("object"), object);
  report_fill(&report, S("noun"), creation->is_optimizer ? S("optimizer") : S("model"));
  report_fill(&report, S("state"), creation->is_optimizer ? S("its slots") : S("its variables"));
  report_label(&report,
               rule_label(ROLE_DEFINITION, note->spec_module, note->spec_span, S("one traced function for all calls")));
  rule_report_at(ctx, deferred->module, NO_INSTANCE, &report);
}

static void on_end(RuleContext *ctx) {
  DeferredSet notes = rule_deferred(ctx, &rule_traced_function_shared);
  for (uint32_t i = 0; i < notes.len; i++) judge_looped(ctx, &notes, &notes.data[i]);
  CallSet calls = flow_all_traced_calls(rule_flow(ctx));
  for (uint32_t i = 1; i < calls.len; i++) {
    if (!creates_state(&notes, target_of(&calls.data[i]))) continue;
    judge_arguments(ctx, &notes, &calls, i);
    judge_globals(ctx, &notes, &calls, i);
  }
}

const RuleCheck rule_traced_function_shared = {
    .name = S_INIT("traced_function_shared"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
    .end = on_end,
};

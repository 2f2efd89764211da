/* TF102: a layer, or another object that will own variables, is made whenever the function is traced.
 *
 * Making a layer creates nothing yet; calling it does. So constructions and uses (a call, a store where it stays, `build`,
 * being part of a model that is used) are noted during the walk and joined at the end by allocation site:
 *
 *   def step(x):
 *     block = Dense(3)     # made; harmless alone
 *     return block(x)      # used: the construction is the fault
 *
 * Variables and layers in the constructor of a project's layer, model or tf.Module belong to the construction of that object.
 */
#include <stdlib.h>

#include "rules/creation.h"

extern const RuleCheck rule_layer_in_traced_function;

typedef enum NoteKind { NOTE_MADE, NOTE_USED, NOTE_PART } NoteKind;

typedef struct Note {
  NoteKind kind;
  Site site;          // the layer
  Site whole;         // PART: the model that holds it
  uint32_t variant;   // MADE
  Confidence confidence;
  ModuleId module;    // MADE: where the finding goes …
  Span span;
  const Expr *callee; // … and what is constructed, if it is not in a constructor
  Span creation;      // IN_CONSTRUCTOR: the creation itself
  bool is_kept;       // MADE: stored where it stays, which is a use, or with state from the start
} Note;

/* ---- what owns variables ---- */

static bool is_super_build(const Expr *call) {
  const Expr *callee = call->u.call.callee;
  return callee->kind == EXPR_ATTR && sym_is(callee->u.attr.name, S("build")) &&
         expr_is_super_call(callee->u.attr.value);
}

static void visit_build(void *context, Expr *expr) {
  bool *creates = context;
  if (!expr || *creates) return;
  *creates = expr->kind == EXPR_CALL && !is_super_build(expr);
  if (!*creates && expr->kind != EXPR_CALL) expr_children(expr, visit_build, context);
}

/* Anything but `super().build(shape)`, `self.built = True` and the like: some call may create a weight. */
static bool builds_something(const Function *build) {
  bool creates = false;
  for (uint32_t i = 0; i < build->body.len && !creates; i++) {
    const Stmt *stmt = build->body.data[i];
    if (stmt->kind == STMT_EXPR) visit_build(&creates, stmt->u.expr);
    else if (stmt->kind == STMT_ASSIGN) visit_build(&creates, stmt->u.assign.value);
    else creates = stmt->kind != STMT_PASS && stmt->kind != STMT_RETURN;
  }
  return creates;
}

static bool has_builder(const Project *project, const ClassInfo *info, Sym build) {
  FuncRef method;
  ClassRef owner;
  if (!build || !project_method(project, info->ref, build, &method, &owner)) return false;
  return builds_something(project_function(project, method));
}

/* A project's own layer creates state if it has a `build`, or inherits from a layer that has. */
static bool class_owns_state(const Event *event, const ClassInfo *info) {
  const Project *project = event->frame->project;
  if (info->unknown_base || (info->instance_kind != K_LAYER && info->instance_kind != K_MODEL)) return false;
  for (uint32_t i = 0; i < info->apis.len; i++) {
    const ApiFact *fact = catalog_api_exact(project->catalog, info->apis.data[i]->text);
    if (fact && fact->creates == CREATES_LAYER && !str_eq(fact->name, S("keras.layers.Layer"))) return true;
  }
  return has_builder(project, info, sym_intern(project->symbols, S("build")));
}

static bool constructs_layer(const Event *event, bool *seeded) {
  *seeded = false;
  if (event->api) {
    *seeded = event->api->creates == CREATES_SEEDED_LAYER && creation_is_keras3(event);
    return event->api->creates == CREATES_LAYER || *seeded;
  }
  const Value *callee = event->callee;
  if (!callee || callee->obj_len != 1 || callee->obj_more || callee->objs[0]->kind != OBJ_CLASS) return false;
  const ClassInfo *info = project_class_info(event->frame->project, callee->objs[0]->cls);
  return info && class_owns_state(event, info);
}

/* `VGG16()` and `load_model(...)` hand out a model whose weights exist already. */
static bool arrives_built(const Event *event) {
  if (!event->api || event->api->creates != CREATES_LAYER || event->api->what == API_CLASS) return false;
  return event->api->returns && event->api->returns->form == SPEC_KIND && event->api->returns->kind == K_MODEL;
}

static const Obj *single_object(const Value *value) {
  bool is_object = value && value->obj_len == 1 && !value->obj_more;
  if (!is_object) return NULL;
  ObjKind kind = value->objs[0]->kind;
  return kind == OBJ_API_INSTANCE || kind == OBJ_INSTANCE ? value->objs[0] : NULL;
}

/* ---- notes ---- */

static void note(RuleContext *ctx, const Event *event, const Note *what) {
  rule_defer(ctx, &rule_layer_in_traced_function, event, what, sizeof *what);
}

/* Objects made outside of any trace cannot be at fault, and they are the rule. */
static bool made_in_trace(RuleContext *ctx, const Obj *obj) {
  if (obj->kind != OBJ_API_INSTANCE && obj->kind != OBJ_INSTANCE) return false;
  if (obj->site.instance == NO_INSTANCE) return false;
  return ctx_traced(flow_instance(rule_flow(ctx), obj->site.instance).context);
}

static void note_used(RuleContext *ctx, const Event *event, const Value *value) {
  if (!value || !value_has(value, KIND(LAYER) | KIND(MODEL))) return;
  for (uint32_t i = 0; i < value->obj_len; i++) {
    const Obj *obj = value->objs[i];
    if (made_in_trace(ctx, obj)) note(ctx, event, &(Note){.kind = NOTE_USED, .site = obj->site});
  }
}

static void note_held(RuleContext *ctx, const Event *event, const Value *held, Site whole) {
  if (!held) return;
  const Obj *obj = single_object(held);
  if (obj && value_has(held, KIND(LAYER) | KIND(MODEL)))
    note(ctx, event, &(Note){.kind = NOTE_PART, .site = obj->site, .whole = whole});
  if (!value_is(held, KIND(LIST) | KIND(TUPLE))) return;
  for (uint32_t i = 0; i < held->part_len; i++) {
    const Obj *part = single_object(held->parts[i]);
    if (part) note(ctx, event, &(Note){.kind = NOTE_PART, .site = part->site, .whole = whole});
  }
}

static bool outlives_call(const Event *event, const Expr *target) {
  if (!target || target->kind == EXPR_SUBSCRIPT) return target != NULL;
  if (target->kind == EXPR_ATTR) return true;
  return target->kind == EXPR_NAME && target->u.name.ref != REF_LOCAL && !event->frame->function->is_module;
}

static void note_made(RuleContext *ctx, const Event *event, bool seeded) {
  const Obj *obj = event->result ? single_object(event->result) : NULL;
  if (!obj) return;
  Creation creation = creation_judge(ctx, event);
  bool locked =
      creation_is_locked(ctx, event) && creation_is_kept_on_object(ctx, event) && creation.maker == MAKER_NONE;
  if (creation.verdict == CREATION_LEGAL || (creation.verdict == CREATION_ONCE && !locked)) return;
  Note made = {.kind = NOTE_MADE,
               .site = obj->site,
               .variant = locked   ? TF102_LOCKED_LAYER
                          : seeded ? TF102_SEED_STATE
                                   : TF102_DEFAULT,
               .confidence = locked ? CONF_LIKELY : frame_confidence(event->frame, event->result),
               .module = event->frame->module->id,
               .span = event->span,
               .callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr,
               .is_kept = seeded || arrives_built(event) || outlives_call(event, event->target)};
  if (creation.maker != MAKER_NONE) {
    made.variant = TF102_IN_CONSTRUCTOR;
    made.module = creation.module;
    made.span = creation.span;
    made.creation = event->span;
  }
  note(ctx, event, &made);
}

/* ---- events ---- */

static void report_made(RuleContext *ctx, const Note *made, const Deferred *where);

/* A variable in the constructor of a layer or module exists as soon as that is constructed: no use is needed. */
static void on_variable(RuleContext *ctx, const Event *event) {
  Creation creation = creation_judge(ctx, event);
  if (creation.verdict != CREATION_REPEATED || creation.maker != MAKER_MODULE) return;
  Note made = {.variant = TF102_IN_CONSTRUCTOR,
               .confidence = frame_confidence(event->frame, NULL),
               .module = creation.module,
               .span = creation.span,
               .creation = event->span};
  Deferred where = {.module = event->frame->module->id, .instance = event->frame->instance};
  report_made(ctx, &made, &where);
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context)) return;
  if (event->api && event->api->creates == CREATES_VARIABLE) on_variable(ctx, event);
  bool seeded;
  if (constructs_layer(event, &seeded)) note_made(ctx, event, seeded);
  note_used(ctx, event, event->callee);
  if (event->api && (event->api->tags & TAG(BUILDS))) note_used(ctx, event, event->receiver);

  bool is_model = event->api && event->api->creates == CREATES_MODEL;
  const Obj *whole = is_model ? single_object(event->result) : event->receiver ? single_object(event->receiver) : NULL;
  bool adds = event->api && (event->api->tags & TAG(MUTATES));
  for (uint32_t i = 0; event->args && i < event->args->len; i++) {
    const Value *given = event->args->values[i];
    if (whole && (is_model || str_ends(event->api_name, S(".add")))) note_held(ctx, event, given, whole->site);
    else if (adds && event->receiver && event->receiver->origin == ORIGIN_OUTER) note_used(ctx, event, given);
  }
}

static void on_store(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || (event->frame->context & CTX_SETUP)) return;
  if (event->value && outlives_call(event, event->target)) note_used(ctx, event, event->value);
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (event->kind == EV_CALL) on_call(ctx, event);
  if (event->kind == EV_STORE) on_store(ctx, event);
}

/* ---- joining ---- */

static uint64_t site_key(Site site) { return hash_mix(hash_mix(site.module, site.expr), site.instance); }

/* Sites that are used, also as parts of something that is. Parts nest as deep as the program text. */
static Map used_sites(Arena *arena, DeferredSet notes) {
  Map used = {0};
  for (uint32_t i = 0; i < notes.len; i++) {
    const Note *one = notes.data[i].record;
    if (one->kind == NOTE_USED) *map_put(arena, &used, site_key(one->site), NULL) = 1;
  }
  for (bool grown = true; grown;) {
    grown = false;
    for (uint32_t i = 0; i < notes.len; i++) {
      const Note *one = notes.data[i].record;
      if (one->kind != NOTE_PART || !map_get(&used, site_key(one->whole))) continue;
      bool fresh;
      *map_put(arena, &used, site_key(one->site), &fresh) = 1;
      grown |= fresh;
    }
  }
  return used;
}

static Str constructed(RuleContext *ctx, const Note *made) {
  const Module *module = project_module(flow_project(rule_flow(ctx)), made->module);
  if (made->callee && made->variant != TF102_IN_CONSTRUCTOR)
    return expr_text(rule_scratch(ctx), module->ast, made->callee, 60);
  Str call = source_slice(&module->source, made->span);
  return str_trim(str_cut(&call, '('));
}

static void report_made(RuleContext *ctx, const Note *made, const Deferred *where) {
  Str callee = constructed(ctx, made);
  Report report = {.rule = RULE_TF102,
                   .variant = made->variant,
                   .span = made->span,
                   .confidence = made->confidence,
                   .subject = callee};
  report_fill(&report, S("callee"), callee);
  if (made->variant == TF102_IN_CONSTRUCTOR)
    report_label(&report, rule_label(ROLE_DEFINITION, where->module, made->creation, S("state is created here")));
  rule_report_at(ctx, made->module, where->instance, &report);
}

static void on_end(RuleContext *ctx) {
  DeferredSet notes = rule_deferred(ctx, &rule_layer_in_traced_function);
  Arena arena = {0};
  Map used = used_sites(&arena, notes);
  for (uint32_t i = 0; i < notes.len; i++) {
    const Note *made = notes.data[i].record;
    if (made->kind != NOTE_MADE) continue;
    if (made->is_kept || map_get(&used, site_key(made->site))) report_made(ctx, made, &notes.data[i]);
  }
  arena_release(&arena);
}

const RuleCheck rule_layer_in_traced_function = {
    .name = S_INIT("layer_in_traced_function"),
    .events = ON_EVENT(EV_CALL) | ON_EVENT(EV_STORE),
    .event = on_event,
    .end = on_end,
};

/* TF606: tf.function stands where it cannot work: above `staticmethod`, `classmethod` or `property`, on a class, a generator or a
 * coroutine, on `__init__`, or on the methods of a Keras model that run the training loop in Python.
 */
#include "rules/decoration.h"
#include "sema/walk.h"

/* ---- decorators below ---- */

/* What an outside name is called where it comes from, whatever it is imported as; empty for names of the project. */
static Str outside_name(const Frame *frame, const Function *function, const Expr *expr) {
  if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTR) return S("");
  EntitySet set = project_resolve(frame->project, frame->module->id, function, expr);
  return set.len == 1 && set.items[0].kind == ENTITY_API ? sym_str(set.items[0].api) : S("");
}

/* The descriptor that a decorator below this one has made of the function; empty if there is none. */
static Str descriptor_below(const Event *event, const Function *function, uint32_t index) {
  static const Str names[] = {S_INIT("staticmethod"), S_INIT("classmethod"), S_INIT("property"),
                              S_INIT("cached_property")};
  for (uint32_t i = index + 1; i < function->decorator_len; i++) {
    const Expr *decorator = function->decorators[i];
    Str name = outside_name(event->frame, function->parent, decorator);
    if (!name.len && decorator->kind == EXPR_ATTR) name = sym_str(decorator->u.attr.name);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      bool ends = str_ends(name, names[k]);
      if (ends && (name.len == names[k].len || name.ptr[name.len - names[k].len - 1] == '.')) return names[k];
    }
  }
  return S("");
}

/* ---- methods that are no place for it ---- */

static bool runs_python_loop(Str name) {
  static const Str names[] = {
      S_INIT("fit"),           S_INIT("evaluate"),         S_INIT("predict"), S_INIT("train_on_batch"),
      S_INIT("test_on_batch"), S_INIT("predict_on_batch"), S_INIT("compile")};
  return STR_IN(name, names);
}

typedef struct Creations {
  const Frame *frame;
  const Function *function;
  bool found;
} Creations;

static void note_creation(void *context, Expr *expr, const Function *function) {
  (void)function;
  Creations *creations = context;
  if (expr->kind != EXPR_CALL) return;
  const Expr *callee = expr->u.call.callee;
  Str name = outside_name(creations->frame, creations->function, callee);
  const ApiFact *fact = name.len ? catalog_api(creations->frame->project->catalog, name) : NULL;
  creations->found |= fact && fact->creates == CREATES_VARIABLE;
  creations->found |= callee->kind == EXPR_ATTR && sym_is(callee->u.attr.name, S("add_weight"));
}

static bool creates_variables(const Event *event, const Function *function) {
  Creations creations = {event->frame, function, false};
  Walk walk = {.visit = note_creation, .context = &creations, .shallow = true};
  walk_block(&walk, &function->body);
  return creations.found;
}

static bool choose_variant(const Event *event, const Function *function, uint32_t index, Str *word, uint32_t *variant) {
  *word = descriptor_below(event, function, index);
  if (word->len) {
    *variant = str_ends(*word, S("property")) ? TF606_PROPERTY : TF606_DEFAULT;
    return true;
  }
  *word = sym_str(function->name);
  if (function->is_async || function->is_generator) {
    *variant = function->is_async ? TF606_ASYNC : TF606_GENERATOR;
    return true;
  }
  const ClassInfo *owner = decoration_class(event, function);
  if (owner && str_eq(*word, S("__init__"))) {
    *variant = creates_variables(event, function) ? TF606_INIT_CREATES : TF606_INIT;
    return true;
  }
  *variant = TF606_PYTHON_LOOP;
  return owner && owner->instance_kind == K_MODEL && runs_python_loop(*word);
}

/* ---- `tf.function(thing)` and `@tf.function` on a class ---- */

static bool judge_target(const Event *event, uint32_t *variant, Str *word) {
  const Value *target = event->args ? args_get(event->args, 0, S("func")) : NULL;
  if (!target || target->obj_len != 1 || target->obj_more) return false;
  const Obj *obj = target->objs[0];
  if (obj->kind == OBJ_CLASS) {
    *word = sym_str(project_class(event->frame->project, obj->cls)->name);
    *variant = TF606_CLASS;
    return true;
  }
  if (obj->kind != OBJ_FUNCTION) return false;
  const Function *function = project_function(event->frame->project, obj->func);
  if (function->is_lambda || (!function->is_async && !function->is_generator)) return false;
  *word = sym_str(function->name);
  *variant = function->is_async ? TF606_ASYNC : TF606_GENERATOR;
  return true;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!decoration_traces(event)) return;
  uint32_t index = 0, variant = TF606_DEFAULT;
  Str word = {0};
  const Function *function = decoration_function(event, &index);
  bool faulty =
      function ? choose_variant(event, function, index, &word, &variant) : judge_target(event, &variant, &word);
  if (!faulty) return;
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  Report report = {
      .rule = RULE_TF606, .variant = variant, .span = event->span, .confidence = CONF_CERTAIN, .subject = word};
  report_fill(&report, S("decorator"), rule_text(ctx, event, callee));
  report_fill(&report, S("name"), word);
  report_fill(&report, S("method"), function ? sym_str(function->name) : word);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_misplaced_decorator = {
    .name = S_INIT("misplaced_decorator"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

/* TF606: tf.function stands where it cannot work: above `staticmethod`, `classmethod` or `property`, on a class, a generator or a
 * coroutine, on `__init__`, or on the methods of a Keras model that run the training loop in Python.
 */
#include "rules/decoration.h"
#include "sema/walk.h"

/* ---- decorators below ---- */

/* The descriptor that a decorator below this one has made of the function; empty if there is none. */
static Str descriptor_below(const Function *function, uint32_t index) {
  static const Str names[] = {S_INIT("staticmethod"), S_INIT("classmethod"), S_INIT("property"),
                              S_INIT("cached_property")};
  for (uint32_t i = index + 1; i < function->decorator_len; i++) {
    const Expr *decorator = function->decorators[i];
    bool plain = decorator->kind == EXPR_NAME && decorator->u.name.ref != REF_LOCAL;
    Sym name = plain ? decorator->u.name.id : decorator->kind == EXPR_ATTR ? decorator->u.attr.name : NULL;
    for (size_t k = 0; name && k < sizeof names / sizeof *names; k++) {
      if (sym_is(name, names[k])) return names[k];
    }
  }
  return S("");
}

/* ---- methods that are no place for it ---- */

static bool runs_python_loop(Str name) {
  static const Str names[] = {
      S_INIT("fit"),           S_INIT("evaluate"),         S_INIT("predict"), S_INIT("train_on_batch"),
      S_INIT("test_on_batch"), S_INIT("predict_on_batch"), S_INIT("compile")};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (str_eq(name, names[i])) return true;
  }
  return false;
}

static void note_creation(void *context, Expr *expr, const Function *function) {
  (void)function;
  bool *creates = context;
  if (expr->kind != EXPR_CALL || expr->u.call.callee->kind != EXPR_ATTR) return;
  Sym name = expr->u.call.callee->u.attr.name;
  *creates |= sym_is(name, S("Variable")) || sym_is(name, S("add_weight"));
}

static bool creates_variables(const Function *function) {
  bool creates = false;
  Walk walk = {.visit = note_creation, .context = &creates, .shallow = true};
  walk_block(&walk, &function->body);
  return creates;
}

static bool choose_variant(const Event *event, const Function *function, uint32_t index, Str *word, uint32_t *variant) {
  *word = descriptor_below(function, index);
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
    *variant = creates_variables(function) ? TF606_INIT_CREATES : TF606_INIT;
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

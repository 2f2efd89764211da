/* TF607: a traced function returns what no graph can return: a function, a layer, an object of a class, a generator, a set.
 *
 * Meant are functions that tf.function or tf.data call themselves; what a helper returns to traced code is Python's own business.
 * Tensors, variables, numbers, text, arrays, shapes, datasets, None, and lists, tuples and dicts of them are fine.
 */
#include "rules/rule.h"

#define KINDS_UNSUPPORTED                                                                                     \
  (KIND(FUNCTION) | KIND(TRACED) | KIND(CLASS) | KIND(MODULE) | KIND(LAYER) | KIND(MODEL) | KIND(OPTIMIZER) | \
   KIND(METRIC) | KIND(LOSS) | KIND(SET) | KIND(HOST_ITERATOR) | KIND(DTYPE) | KIND(TAPE) | KIND(SPEC) |      \
   KIND(INSTANCE))

/* An object of a plain class of the project. Subclasses of what we do not see may be structures or extension types. */
static bool is_plain_object(const Project *project, const Value *value) {
  if (!value_has(value, KIND(INSTANCE))) return true;
  if (!value->obj_len || value->obj_more) return false;
  for (uint32_t i = 0; i < value->obj_len; i++) {
    if (value->objs[i]->kind != OBJ_INSTANCE) return false;
    const ClassInfo *info = project_class_info(project, value->objs[i]->cls);
    bool tracked_only = info->apis.len == 1 && str_eq(sym_str(info->apis.data[0]), S("tensorflow.Module"));
    if (info->unknown_base || (info->apis.len && !tracked_only) || info->class_->decorator_len) return false;
  }
  return true;
}

/* The part of a value that cannot be returned; NULL if there is none for certain. Values nest at most VALUE_DEPTH deep. */
static const Value *find_unsupported(const Project *project, const Value *value) {
  if (!value || !value->kinds || (value->flags & VF_TAINTED)) return NULL;
  if (value_is(value, KINDS_UNSUPPORTED)) return is_plain_object(project, value) ? value : NULL;
  if (!value_is(value, KIND(LIST) | KIND(TUPLE) | KIND(DICT))) return NULL;
  for (uint32_t i = 0; i < value->part_len; i++) {
    const Value *inside = find_unsupported(project, value->parts[i]);
    if (inside) return inside;
  }
  return value->part_len ? NULL : find_unsupported(project, value->elem);
}

static Str noun_of(const Value *value) {
  static const struct {
    KindSet kind;
    Str noun;
  } nouns[] = {
      {KIND(FUNCTION) | KIND(TRACED), S_INIT("a function")},
      {KIND(CLASS), S_INIT("a class")},
      {KIND(LAYER) | KIND(MODEL), S_INIT("a layer")},
      {KIND(SET), S_INIT("a set")},
      {KIND(HOST_ITERATOR), S_INIT("a Python iterator")},
      {KIND(DTYPE), S_INIT("a dtype")},
      {KIND(TAPE), S_INIT("a gradient tape")},
      {KIND(SPEC), S_INIT("a type specification")},
  };
  for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
    if (value_is(value, nouns[i].kind)) return nouns[i].noun;
  }
  return S("a Python object");
}

/* `@tf.function` above `@tf.custom_gradient`: the gradient function goes no further than that. */
static bool gives_gradient(const MakeSet *makes) {
  for (uint32_t i = 0; i < makes->len; i++) {
    const Value *target = makes->data[i].obj->target;
    if (target && target->obj_len == 1 && target->objs[0]->gives_gradient) return true;
  }
  return false;
}

/* tf.function or tf.data takes the result of this very function. */
static bool result_is_taken(RuleContext *ctx, const Event *event) {
  MakeSet makes = flow_makes(rule_flow(ctx), event->frame->ref);
  if (gives_gradient(&makes)) return false;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  if (chain.len == 1) {
    RootKind root = chain.steps[0].root;
    return root == ROOT_DECORATOR || root == ROOT_WRAPPED || root == ROOT_DATASET;
  }
  return makes.len && makes.data[0].obj->kind == OBJ_TRACED && makes.data[0].obj->trace->is_decorator;
}

static void on_return(RuleContext *ctx, const Event *event) {
  const Function *function = event->frame->function;
  if (!ctx_traced(event->frame->context) || function->is_generator || function->is_async) return;
  const Value *part = find_unsupported(event->frame->project, event->value);
  if (!part || !result_is_taken(ctx, event)) return;
  Report report = {.rule = RULE_TF607,
                   .variant = TF607_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, part),
                   .subject = rule_text(ctx, event, event->expr),
                   .because = part};
  report_fill(&report, S("what"), noun_of(part));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_unsupported_return = {
    .name = S_INIT("unsupported_return"),
    .events = ON_EVENT(EV_RETURN),
    .event = on_return,
};

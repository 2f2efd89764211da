/* TF211: a symbolic tensor is the key of a dict, the member of a set, or the index or slice bound of a list, tuple, text or
 * array. Keys are hashed and indices converted, and both need the value. `tensor.ref()` is a key; tensors index tensors.
 */
#include "rules/operand.h"

/* What is a tensor or a ragged one, as `tf.strings.split` gives: neither is hashable, nor an index. */
static bool is_perhaps_ragged(const Value *value) {
  return value_has(value, KIND(TENSOR)) && value_is(value, KIND(TENSOR) | KIND(COMPOSITE)) &&
         !(value->flags & VF_TAINTED);
}

/* Iterating over what may be a dict gives its keys. */
static bool is_symbolic(const Value *value) {
  return (operand_is_symbolic(value) || is_perhaps_ragged(value)) && !(value->flags & VF_PERHAPS_NEST);
}

#define KINDS_HASHED (KIND(DICT) | KIND(SET))
#define KINDS_INDEXED (KIND(LIST) | KIND(TUPLE) | KIND(TEXT) | KIND(ARRAY))

static void report_key(RuleContext *ctx, const Event *event, uint32_t variant, Span span, const Value *key,
                       const Expr *key_expr, Str container) {
  Str name = rule_text(ctx, event, key_expr);
  Report report = {.rule = RULE_TF211,
                   .variant = variant,
                   .span = span,
                   .confidence = frame_confidence(event->frame, key),
                   .subject = name,
                   .because = key,
                   .because_name = name};
  report_fill(&report, S("key"), name);
  report_fill(&report, S("container"), container);
  rule_report(ctx, event, &report);
}

static const Value *symbolic_bound(const Event *event, const Expr *slice, const Expr **bound) {
  const Expr *exprs[] = {slice->u.slice.lower, slice->u.slice.upper, slice->u.slice.step};
  for (uint32_t i = 0; i < event->operand_len; i++) {
    *bound = exprs[i];
    if (exprs[i] && is_symbolic(event->operands[i])) return event->operands[i];
  }
  return NULL;
}

/* Keys of a display or comprehension stand alone: `{t: 1}`, `{t}`; there is no object that a reader could see. */
static void on_display(RuleContext *ctx, const Event *event) {
  if (!is_symbolic(event->value)) return;
  Str text = source_slice(&event->frame->module->source, event->span);
  Report report = {.rule = RULE_TF211,
                   .variant = value_is(event->receiver, KIND(SET)) ? TF211_MEMBER : TF211_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->value),
                   .subject = text,
                   .because = event->value,
                   .because_name = text};
  report_fill(&report, S("key"), text);
  rule_report(ctx, event, &report);
}

static void on_subscript(RuleContext *ctx, const Event *event) {
  const Value *object = event->receiver;
  if (event->expr->kind != EXPR_SUBSCRIPT) {
    on_display(ctx, event);
    return;
  }
  if (!object || !object->kinds) return;
  const Expr *index = event->expr->u.subscript.index;
  Str container = rule_text(ctx, event, event->expr->u.subscript.value);
  if (value_is(object, KINDS_INDEXED) && index->kind == EXPR_SLICE) {
    const Expr *bound = NULL;
    const Value *value = symbolic_bound(event, index, &bound);
    if (value) report_key(ctx, event, TF211_BOUND, event->span, value, bound, container);
  } else if (is_symbolic(event->value) && value_is(object, KINDS_INDEXED)) {
    report_key(ctx, event, TF211_INDEX, event->span, event->value, index, container);
  } else if (is_symbolic(event->value) && value_is(object, KIND(DICT))) {
    report_key(ctx, event, TF211_DEFAULT, event->span, event->value, index, container);
  }
}

/* Methods that hash their first argument. */
static bool hashes_argument(Str name) {
  static const Str names[] = {
      S_INIT("builtins.dict.get"), S_INIT("builtins.dict.pop"),   S_INIT("builtins.dict.setdefault"),
      S_INIT("builtins.set.add"),  S_INIT("builtins.set.remove"), S_INIT("builtins.set.discard"),
      S_INIT("builtins.hash")};
  return STR_IN(name, names);
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->args || !event->args->positional || !is_symbolic(event->args->values[0])) return;
  const Expr *callee = operand_callee(event);
  bool is_set = event->receiver && value_is(event->receiver, KIND(SET));
  bool is_list = event->receiver && value_is(event->receiver, KIND(LIST));
  bool indexes = is_list && (str_eq(event->api_name, S("builtins.list.pop")) ||
                             str_eq(event->api_name, S("builtins.list.insert")));
  if (!indexes && !hashes_argument(event->api_name)) return;
  bool is_method = event->receiver && callee->kind == EXPR_ATTR;
  Str container = is_method ? rule_text(ctx, event, callee->u.attr.value) : S("");
  report_key(ctx, event,
             indexes  ? TF211_INDEX
             : is_set ? TF211_MEMBER
                      : TF211_DEFAULT,
             event->span, event->args->values[0], event->args->exprs[0], container);
}

/* `t in seen`: hashed where `seen` is a dict or set; a list compares instead, which asks for a truth value. */
static void on_truth(RuleContext *ctx, const Event *event) {
  if (event->asker != ASK_IN || !is_symbolic(event->value)) return;
  if (!event->receiver || !value_is(event->receiver, KINDS_HASHED) || !event->receiver->kinds) return;
  const ExprList *operands = &event->expr->u.compare.operands;
  report_key(ctx, event, value_is(event->receiver, KIND(SET)) ? TF211_MEMBER : TF211_DEFAULT, event->span, event->value,
             operands->data[0], rule_text(ctx, event, operands->data[operands->len - 1]));
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context)) return;
  if (event->kind == EV_SUBSCRIPT) on_subscript(ctx, event);
  if (event->kind == EV_CALL) on_call(ctx, event);
  if (event->kind == EV_TRUTH) on_truth(ctx, event);
}

const RuleCheck rule_tensor_as_key = {
    .name = S_INIT("tensor_as_key"),
    .events = ON_EVENT(EV_SUBSCRIPT) | ON_EVENT(EV_CALL) | ON_EVENT(EV_TRUTH),
    .event = on_event,
};

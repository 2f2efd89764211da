/* TF402: Python iterates over a symbolic tensor, which has no known number of elements while tracing.
 *
 * AutoGraph converts the `for` statement and nothing else: unpacking, `*t`, comprehensions, `zip` and the like iterate in Python.
 * `sum`, `list`, `min` and others that reduce or collect are TF205.
 */
#include "rules/conversion.h"

/* What is only guessed to be a tensor is more likely a list where it is iterated. */
static bool is_iterated_tensor(const Value *value) {
  return value && value_is_one_tensor(value) && !(value->flags & VF_LIKELY);
}

static void say(RuleContext *ctx, const Event *event, uint32_t variant, const Expr *expr, const Value *tensor,
                Str callee) {
  Str text = rule_text(ctx, event, expr);
  Report report = {.rule = RULE_TF402,
                   .variant = variant,
                   .span = event->kind == EV_LOOP ? expr->span : event->span,
                   .confidence = frame_confidence(event->frame, tensor),
                   .subject = text,
                   .because = tensor,
                   .because_name = text};
  report_fill(&report, S("tensor"), text);
  report_fill(&report, S("callee"), callee);
  rule_report(ctx, event, &report);
}

/* The value side of `a, b = t`. */
static const Expr *unpacked_expr(const Event *event) {
  const Stmt *stmt = event->stmt;
  if (!stmt) return event->expr;
  bool whole = stmt->kind == STMT_ASSIGN && stmt->u.assign.targets.len && stmt->u.assign.targets.data[0] == event->expr;
  if (whole) return stmt->u.assign.value;
  if (stmt->kind == STMT_FOR && stmt->u.forloop.target == event->expr) return stmt->u.forloop.iter;
  return event->expr;
}

/* Layers give a tensor as a rule, but cells and attention may give several in a tuple. */
static bool may_be_several(const Value *value) {
  if (value->why.kind != WHY_RESULT) return false;
  Str name = sym_str(value->why.name);
  return !name.len || str_ends(name, S(".__call__")) || str_ends(name, S(".call"));
}

static void on_iterate(RuleContext *ctx, const Event *event) {
  if (!is_iterated_tensor(event->value)) return;
  if (event->iterator != ITER_COMPREHENSION && may_be_several(event->value)) return;
  if (event->iterator == ITER_UNPACK) {
    say(ctx, event, TF402_UNPACKED, unpacked_expr(event), event->value, S(""));
    return;
  }
  uint32_t variant = event->iterator == ITER_STARRED ? TF402_STARRED : TF402_COMPREHENSION;
  say(ctx, event, variant, event->expr, event->value, S(""));
}

/* A `for` statement that AutoGraph does not convert. */
static void on_loop(RuleContext *ctx, const Event *event) {
  if (event->stmt->kind != STMT_FOR || !is_iterated_tensor(event->value)) return;
  if (ctx_autograph_on(event->frame->context)) return;
  bool perhaps = (event->frame->context & CTX_AUTOGRAPH_UNKNOWN) != 0;
  if (perhaps && !conversion_depends_on_keras(ctx, event)) return;
  say(ctx, event, perhaps ? TF402_PERHAPS : TF402_LOOP, event->stmt->u.forloop.iter, event->value, S(""));
}

/* Builtins that iterate their arguments one by one; `map` and `filter` take a function first. */
static bool iterates(Str name, uint32_t *first) {
  static const struct {
    Str name;
    uint32_t first;
  } builtins[] = {
      {S_INIT("builtins.zip"), 0},    {S_INIT("builtins.enumerate"), 0}, {S_INIT("builtins.map"), 1},
      {S_INIT("builtins.filter"), 1}, {S_INIT("builtins.any"), 0},       {S_INIT("builtins.all"), 0},
  };
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
    if (!str_eq(name, builtins[i].name)) continue;
    *first = builtins[i].first;
    return true;
  }
  return false;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!event->args || event->expr->kind != EXPR_CALL) return;
  Str callee = rule_text(ctx, event, event->expr->u.call.callee);
  uint32_t first;
  if (iterates(event->api_name, &first)) {
    for (uint32_t i = first; i < event->args->positional; i++) {
      if (!is_iterated_tensor(event->args->values[i])) continue;
      say(ctx, event, TF402_BUILTIN, event->args->exprs[i], event->args->values[i], callee);
      return;
    }
  }
  for (uint32_t i = 0; event->api && i < event->api->list_arg_len; i++) {
    int32_t position = event->api->list_args[i];
    Str keyword =
        position >= 0 && (uint32_t)position < event->api->params.len ? event->api->params.data[position] : S("");
    const Value *value = args_get(event->args, (uint32_t)position, keyword);
    if (!is_iterated_tensor(value)) continue;
    say(ctx, event, TF402_LIST_ARGUMENT, args_expr(event->args, (uint32_t)position, keyword), value, callee);
    return;
  }
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context)) return;
  if (event->kind == EV_ITERATE) on_iterate(ctx, event);
  if (event->kind == EV_LOOP) on_loop(ctx, event);
  if (event->kind == EV_CALL) on_call(ctx, event);
}

const RuleCheck rule_tensor_iterated_unconverted = {
    .name = S_INIT("tensor_iterated_unconverted"),
    .events = ON_EVENT(EV_ITERATE) | ON_EVENT(EV_LOOP) | ON_EVENT(EV_CALL),
    .event = on_event,
};

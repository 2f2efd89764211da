/* TF205: Python needs a number or a sequence and is given a symbolic tensor.
 *
 *   round(t), math.sqrt(t), sum(t), max(a, b)   never work
 *   int(t), len(t), range(t), sorted(t)         work where AutoGraph converts the code, and fail where it does not
 *
 * `enumerate`, `zip`, `map`, `filter`, `any` and `all` are about iterating: TF402. Lists and tuples of tensors may be summed
 * and copied, but not compared, which is what `min`, `max` and `sorted` do.
 */
#include "rules/operand.h"

static bool is_iteration(Str name) {
  static const Str names[] = {S_INIT("builtins.enumerate"), S_INIT("builtins.zip"), S_INIT("builtins.map"),
                              S_INIT("builtins.filter"),    S_INIT("builtins.any"), S_INIT("builtins.all")};
  return STR_IN(name, names);
}

static bool compares(Str name) {
  static const Str names[] = {S_INIT("builtins.min"), S_INIT("builtins.max"), S_INIT("builtins.sorted")};
  return STR_IN(name, names);
}

static bool has_key(const Args *args) {
  for (uint32_t i = args->positional; i < args->len; i++) {
    if (sym_is(args->names[i], S("key"))) return true;
  }
  return false;
}

/* A list, tuple or generator of at least two elements, some of which are tensors: they get compared, which asks for a truth value. */
static const Value *compared_tensor(const Value *list) {
  if (!list->kinds || !value_is(list, KIND(LIST) | KIND(TUPLE) | KIND(HOST_ITERATOR))) return NULL;
  if (list->parts_exact && list->part_len < 2) return NULL;
  for (uint32_t i = 0; i < list->part_len; i++) {
    if (operand_is_tensor(list->parts[i])) return list->parts[i];
  }
  return !list->part_len && list->elem && operand_is_tensor(list->elem) ? list->elem : NULL;
}

/* `len(inputs)`, `list(inputs)`, where `inputs` may be a structure; a number cannot be made of one. */
static bool takes_structure(const Event *event, const Value *value) {
  if (!(value->flags & VF_PERHAPS_NEST)) return false;
  return !(event->api->tags & TAG(PYTHON_NUMBER)) || str_eq(event->api_name, S("builtins.bool"));
}

/* The argument that Python cannot take; NULL if all are fine. */
static const Value *find_fault(const Event *event, uint32_t *at, uint32_t *variant) {
  const Args *args = event->args;
  ApiTags tags = event->api->tags;
  bool iterates = (tags & TAG(PYTHON_ITERATES)) != 0;
  uint32_t len = iterates && !compares(event->api_name) ? 1 : args->positional;
  for (*at = 0; *at < len && *at < args->positional; ++*at) {
    const Value *value = args->values[*at];
    *variant = !iterates ? TF205_DEFAULT : args->positional > 1 ? TF205_COMPARED : TF205_ITERATED;
    if (operand_is_symbolic(value) && !takes_structure(event, value)) return value;
    *variant = TF205_COMPARED;
    const Value *inside = compares(event->api_name) && !has_key(args) ? compared_tensor(value) : NULL;
    if (inside) return inside;
  }
  return NULL;
}

static bool is_converted(const Event *event) {
  return (event->api->tags & TAG(AUTOGRAPH)) && ctx_autograph_on(event->frame->context);
}

static bool is_meant(const Event *event) {
  if (!event->api || !event->args || !ctx_traced(event->frame->context)) return false;
  if (is_iteration(event->api_name) || str_eq(event->api_name, S("builtins.abs"))) return false;
  return (event->api->tags & (TAG(PYTHON_NUMBER) | TAG(PYTHON_ITERATES) | TAG(AUTOGRAPH))) != 0;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!is_meant(event)) return;
  uint32_t at, variant;
  const Value *value = find_fault(event, &at, &variant);
  if (!value) return;
  if (is_converted(event) && value == event->args->values[at]) return;
  bool depends = (event->api->tags & TAG(AUTOGRAPH)) && value == event->args->values[at];
  bool unknown = depends && (event->frame->context & CTX_AUTOGRAPH_UNKNOWN);
  const Expr *callee = operand_callee(event);
  Report report = {.rule = RULE_TF205,
                   .variant = unknown   ? TF205_MAYBE_UNCONVERTED
                              : depends ? TF205_UNCONVERTED
                                        : variant,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, value),
                   .subject = rule_text(ctx, event, callee),
                   .because = value,
                   .because_name = rule_text(ctx, event, event->args->exprs[at])};
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("argument"), report.because_name);
  report_fill(&report, S("tf"), event->api->tf);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_python_conversion_on_tensor = {
    .name = S_INIT("python_conversion_on_tensor"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

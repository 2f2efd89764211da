/* TF302: logging, files, waiting, plotting and other effects on the outside world happen while tracing only.
 *
 * `print` is TF301, a tensor handed to `open` and relatives TF206. What is done to a file that was opened in the same trace
 * belongs to the finding on opening it. What is said at trace time about the configuration is what people mean: a note.
 */
#include "rules/effect.h"
#include "rules/operand.h"

static bool choose_variant(const Event *event, uint32_t *variant) {
  ApiTags tags = event->api->tags;
  if (tags & (TAG(PRINT) | TAG(LEGAL_EFFECT))) return false;
  if (tags & TAG(LOG)) *variant = TF302_LOG;
  else if (tags & TAG(SLEEP)) *variant = TF302_SLEEP;
  else if (tags & TAG(DEBUGGER)) *variant = TF302_DEBUGGER;
  else if (tags & (TAG(SAVE) | TAG(EXPERIMENT))) *variant = TF302_SAVE;
  else if (tags & (TAG(IO) | TAG(PLOT) | TAG(SUBPROCESS))) *variant = TF302_DEFAULT;
  else return false;
  return true;
}

/* How far Python decides whether a statement runs: not at all, by something unknown, or by configuration only. */
typedef enum Decided { DECIDED_BY_NOBODY, DECIDED_BY_PYTHON, DECIDED_BY_CONFIGURATION } Decided;

static Decided decided_by(RuleContext *ctx, const Frame *frame) {
  bool sets_up = sym_is(frame->function->name, S("__init__")) || (frame->context & CTX_GUARDED);
  Decided decided = sets_up ? DECIDED_BY_CONFIGURATION : DECIDED_BY_NOBODY;
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Region *region = &frame->regions[i];
    bool fixed = region->kind == REGION_STATIC_BRANCH || region->kind == REGION_GUARD ||
                 (region->kind == REGION_FROZEN_BRANCH && region->var.kind != VAR_NONE &&
                  flow_change(rule_flow(ctx), region->var, NULL) <= CHANGE_ONCE);
    bool by_argument = region->kind == REGION_FROZEN_BRANCH && region->var.kind == VAR_NONE;
    bool open = region->kind == REGION_PYTHON_BRANCH || region->kind == REGION_HANDLER || by_argument ||
                (region->kind == REGION_AFTER_EXIT && region->value && !effect_is_symbolic(region->value));
    if (region->kind == REGION_TENSOR_BRANCH || region->kind == REGION_TENSOR_LOOP) return DECIDED_BY_NOBODY;
    if (fixed) decided = DECIDED_BY_CONFIGURATION;
    if (open && decided == DECIDED_BY_NOBODY) decided = DECIDED_BY_PYTHON;
  }
  return decided;
}

/* `warnings.warn(text, DeprecationWarning)`: said to whoever wrote the call, so once is enough. */
static bool is_deprecation(const Event *event) {
  const Value *category = args_get(event->args, 1, S("category"));
  bool named = category && category->obj_len == 1 && category->objs[0]->kind == OBJ_API;
  return named && (str_ends(category->objs[0]->api->text, S("DeprecationWarning")) ||
                   str_ends(category->objs[0]->api->text, S("FutureWarning")));
}

static bool raises_behind(const Block *block, const Stmt *stmt) {
  for (uint32_t i = 0; i + 1 < block->len; i++) {
    if (block->data[i] == stmt) return block->data[i + 1]->kind == STMT_RAISE;
  }
  return false;
}

/* The next statement raises: what is logged is why tracing fails. */
static bool raises_next(const Event *event) {
  const Frame *frame = event->frame;
  if (raises_behind(&frame->function->body, event->stmt)) return true;
  for (uint32_t i = 0; i < frame->region_len; i++) {
    const Stmt *branch = frame->regions[i].stmt;
    bool in_arm = branch && branch->kind == STMT_IF && frame->regions[i].arm < branch->u.branch.len;
    if (in_arm && raises_behind(&branch->u.branch.arms[frame->regions[i].arm].body, event->stmt)) return true;
  }
  return false;
}

/* Python's ways to speak while tracing: a warning about the configuration, about old names, before an exception, and any line of a
 * log that configuration asks for and that shows no tensor. */
static bool is_trace_time_notice(RuleContext *ctx, const Event *event, bool shows_tensor) {
  bool python = str_starts(event->api_name, S("warnings."));
  bool warns = python || str_starts(event->api_name, S("absl.logging.")) || str_ends(event->api_name, S(".warning")) ||
               str_ends(event->api_name, S(".warn")) || str_ends(event->api_name, S(".error"));
  Decided decided = decided_by(ctx, event->frame);
  if (warns && decided != DECIDED_BY_NOBODY) return true;
  if (raises_next(event) || (python && is_deprecation(event))) return true;
  return decided == DECIDED_BY_CONFIGURATION && !shows_tensor;
}

static bool is_own_file(const Value *value) {
  bool file = value && value->kinds && value_is(value, KIND(HOST_ITERATOR) | KIND(OBJECT));
  return file && value->origin == ORIGIN_FRESH && (value->obj_len || value_is(value, KIND(HOST_ITERATOR)));
}

/* `fh.read()`, `Image.open(io.BytesIO(raw))`: a file or buffer that was opened in this trace. */
static bool opened_here(const Event *event) {
  if (!(event->api->tags & TAG(IO))) return false;
  return is_own_file(event->receiver) || (event->args->positional && is_own_file(event->args->values[0]));
}

/* What it opens may be a tensor, or what an earlier fault left of one: not this rule's business then. */
static bool opens_unknown(const Event *event) {
  if (!(event->api->tags & TAG(PATH_ARG)) || !event->args->len) return false;
  const Value *path = event->args->values[0];
  return !path->kinds || value_is_unknown(path) || (path->flags & VF_TAINTED);
}

static void on_call(RuleContext *ctx, const Event *event) {
  uint32_t variant;
  if (!event->api || event->decorates || !choose_variant(event, &variant)) return;
  if (!effect_frozen(event) || opened_here(event) || opens_unknown(event)) return;
  const Value *tensor = NULL;
  uint32_t argument = operand_tensor_argument(event->args, &tensor);
  bool is_notice = variant == TF302_LOG && is_trace_time_notice(ctx, event, tensor != NULL);
  Report report = {.rule = RULE_TF302,
                   .variant = is_notice ? TF302_NOTICE : variant,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->receiver),
                   .subject = rule_text(ctx, event, operand_callee(event))};
  report_fill(&report, S("callee"), report.subject);
  if (tensor) {
    report.because = tensor;
    report.because_name = rule_text(ctx, event, event->args->exprs[argument]);
  }
  rule_report(ctx, event, &report);
}

const RuleCheck rule_host_io_in_traced_function = {
    .name = S_INIT("host_io_in_traced_function"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

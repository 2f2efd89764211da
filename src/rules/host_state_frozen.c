/* TF203: traced code reads data out of a container that changes between calls, and what it read becomes a constant.
 *
 *   batch = np.asarray(self.buffer["s"])    # the buffer grows; the graph keeps the batch that was there while tracing
 *
 * The project tells whether contents change after construction. Only data that reaches an operation or is returned counts; a
 * length that decides a branch is TF407, a header of a `for` TF409, a name that is rebound TF504. Containers of layers,
 * variables or functions are structure, not data; what an array of constants gives for a frozen random index is frozen too.
 */
#include "rules/operand.h"
#include "rules/use.h"
#include "sema/walk.h"

#define KINDS_STRUCTURE                                                                                            \
  (KINDS_TRACKABLE | KIND(VARIABLE) | KIND(FUNCTION) | KIND(TRACED) | KIND(CLASS) | KIND(TENSOR) | KIND(DATASET) | \
   KIND(SPEC) | KIND(API))

static bool holds_data(RuleContext *ctx, const Value *value) {
  if (!value->kinds || !value_is(value, KINDS_CONTAINER | KIND(ARRAY) | KIND(NONE))) return false;
  if (value_is(value, KIND(ARRAY))) return true;
  const Value *held = value_held(rule_scratch(ctx), value);
  bool by_key = value_is(value, KIND(DICT));
  for (int depth = 0; depth < VALUE_DEPTH && held->kinds && value_is(held, KINDS_CONTAINER); depth++) {
    by_key = by_key && value_is(held, KIND(DICT));
    held = value_held(rule_scratch(ctx), held);
  }
  /* A registry of objects, or as likely that as data. */
  bool some_number = value_has(held, KIND(NUMBER) | KIND(ARRAY));
  bool objects = held->kinds && value_is(held, KIND(INSTANCE) | KIND(OBJECT) | KIND(NONE));
  if (by_key && (objects || (value_is_unknown(held) && !some_number))) return false;
  return !value_has(held, KINDS_STRUCTURE);
}

/* The value of a `for` header is judged by another rule. */
static bool is_loop_header(const Event *event) {
  const Stmt *stmt = event->stmt;
  return stmt && stmt->kind == STMT_FOR && span_holds(stmt->u.forloop.iter->span, event->span);
}

static Str change_text(WriteKind kind) {
  switch (kind) {
    case WRITE_GROW:
      return S("grows here");
    case WRITE_SHRINK:
      return S("shrinks here");
    default:
      return S("is changed here");
  }
}

static void report_frozen(RuleContext *ctx, const Event *event, uint32_t variant, Str name, const WriteRecord *write) {
  Report report = {.rule = RULE_TF203,
                   .variant = variant,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, NULL),
                   .subject = name};
  report_fill(&report, S("state"), name);
  if (write) {
    Str what = change_text(write->kind);
    Str text = str_printf(rule_scratch(ctx), "`%.*s` %.*s", STR_ARG(name), STR_ARG(what));
    report_label(&report, rule_label(ROLE_NOTE, write->module, write->span, text));
  }
  rule_report(ctx, event, &report);
}

typedef struct ItemSearch {
  const Expr *container;
  const Expr *index;
} ItemSearch;

static void visit_item(void *context, Expr *expr, const Function *function) {
  ItemSearch *search = context;
  (void)function;
  bool found = expr->kind == EXPR_SUBSCRIPT && expr->u.subscript.value == search->container;
  if (found) search->index = expr->u.subscript.index;
}

/* "s" where the read is one of `experience["s"]`. */
static Sym read_item(const Event *event) {
  ItemSearch search = {event->expr, NULL};
  Walk walk = {.visit = visit_item, .context = &search, .function = event->frame->function};
  if (event->stmt) walk_stmt(&walk, event->stmt);
  if (!search.index || search.index->kind != EXPR_CONST || search.index->u.constant.kind != CONST_STR) return NULL;
  return sym_intern(event->frame->project->symbols, search.index->u.constant.text);
}

/* Under this name, or under the one it was first kept by. */
static bool contents_change(RuleContext *ctx, const Event *event, const WriteRecord **write) {
  Sym item = value_is(event->value, KIND(DICT)) ? read_item(event) : NULL;
  if (flow_item_change(rule_flow(ctx), event->var, item, write) == CHANGE_CONTENTS) return true;
  Var first = event->value->home;
  return first.kind != VAR_NONE && flow_item_change(rule_flow(ctx), first, item, write) == CHANGE_CONTENTS;
}

static void on_read(RuleContext *ctx, const Event *event) {
  if (event->var.kind == VAR_NONE || !event->value || !holds_data(ctx, event->value) || is_loop_header(event)) return;
  const WriteRecord *write = NULL;
  if (!contents_change(ctx, event, &write)) return;
  if (!(use_of(ctx, event, event->expr) & (USE_RETURN | USE_OP))) return;
  report_frozen(ctx, event, TF203_DEFAULT, var_text(rule_scratch(ctx), event->frame->project, event->var), write);
}

/* `table[i]` with `i` drawn by NumPy or `random` in an earlier statement. */
static void on_subscript(RuleContext *ctx, const Event *event) {
  const Value *object = event->receiver;
  if (event->expr->kind != EXPR_SUBSCRIPT || event->target || !object || object->home.kind == VAR_NONE) return;
  if (event->expr->u.subscript.index->kind != EXPR_NAME || !(event->value->flags & VF_RANDOM)) return;
  if (value_has(event->value, KIND(TENSOR)) || !holds_data(ctx, object)) return;
  if (flow_change(rule_flow(ctx), object->home, NULL) == CHANGE_CONTENTS) return;  // said where it is read
  if (!(use_of(ctx, event, event->expr) & (USE_RETURN | USE_OP))) return;
  report_frozen(ctx, event, TF203_DRAWN, rule_text(ctx, event, event->expr->u.subscript.value), NULL);
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || (event->frame->context & (CTX_SETUP | CTX_GRAPH)) ||
      frame_guarded(event->frame))
    return;
  if (event->kind == EV_READ) on_read(ctx, event);
  else on_subscript(ctx, event);
}

const RuleCheck rule_host_state_frozen = {
    .name = S_INIT("host_state_frozen"),
    .events = ON_EVENT(EV_READ) | ON_EVENT(EV_SUBSCRIPT),
    .event = on_event,
};

/* TF414: a local name that holds a tf.Variable is bound to a tensor under a tensor branch or in a tensor loop, and used as a
 * variable again.
 *
 *   if t > 0:
 *     v = v.assign_add(1.0)   # what tf.cond gives back is a tensor
 *   v.assign(0.0)             # AttributeError
 */
#include "rules/rule.h"
#include "sema/walk.h"

static const Region *tensor_region(const Frame *frame) {
  for (uint32_t i = frame->region_len; i > 0; i--) {
    const Region *region = &frame->regions[i - 1];
    bool in_graph = region->kind == REGION_TENSOR_BRANCH || region->kind == REGION_TENSOR_LOOP ||
                    region->kind == REGION_DATASET_LOOP;
    if (in_graph) return region;
  }
  return NULL;
}

/* The outermost loop of the function around here, whose kind does not matter: all of it runs again. */
static const Region *outer_loop(const Frame *frame) {
  for (uint32_t i = 0; i < frame->region_len; i++) {
    RegionKind kind = frame->regions[i].kind;
    bool loops = kind == REGION_TENSOR_LOOP || kind == REGION_DATASET_LOOP || kind == REGION_PYTHON_LOOP;
    if (loops && frame->regions[i].stmt) return &frame->regions[i];
  }
  return NULL;
}

/* ---- later uses as a variable ---- */

static bool is_variable_only(Str name) {
  static const Str names[] = {
      S_INIT("assign"),    S_INIT("assign_add"),        S_INIT("assign_sub"),  S_INIT("read_value"), S_INIT("value"),
      S_INIT("trainable"), S_INIT("initialized_value"), S_INIT("sparse_read"), S_INIT("count_up_to")};
  return STR_IN(name, names) || str_starts(name, S("scatter_")) || str_starts(name, S("batch_scatter_"));
}

typedef struct UseSearch {
  Sym name;
  uint32_t after;  // the end of the region that rebinds
  Span again;  // the loop whose next iteration has a tensor
  const Expr *found;
} UseSearch;

static void note_use(void *context, Expr *expr, const Function *function) {
  (void)function;
  UseSearch *search = context;
  if (search->found || expr->kind != EXPR_ATTR || expr->u.attr.value->kind != EXPR_NAME) return;
  if (expr->u.attr.value->u.name.id != search->name || !is_variable_only(sym_str(expr->u.attr.name))) return;
  if (expr->span.start >= search->after || span_holds(search->again, expr->span)) search->found = expr;
}

static const Expr *find_use(const Event *event, const Region *region) {
  const Region *loop = outer_loop(event->frame);
  UseSearch search = {.name = event->target->u.name.id,
                      .after = region->stmt ? region->stmt->span.end : event->stmt->span.end};
  if (loop) search.again = loop->stmt->span;
  Walk walk = {.visit = note_use, .context = &search, .shallow = true};
  walk_block(&walk, &event->frame->function->body);
  return search.found;
}

static void on_store(RuleContext *ctx, const Event *event) {
  if (event->store != STORE_ASSIGN || !event->target || event->target->kind != EXPR_NAME) return;
  if (!ctx_autograph_on(event->frame->context) || event->target->u.name.ref != REF_LOCAL) return;
  const Value *held = event_lookup(event, event->target->u.name.id);
  if (!held || !value_has(held, KIND(VARIABLE)) || value_is_unknown(held) || !event->value) return;
  const Expr *from = event->stmt && event->stmt->kind == STMT_ASSIGN ? event->stmt->u.assign.value : NULL;
  if (!from || (from->kind != EXPR_CALL && from->kind != EXPR_BINARY)) return;
  if (!value_is(event->value, KIND(TENSOR) | KIND(VARIABLE)) || !event->value->kinds) return;
  const Region *region = tensor_region(event->frame);
  const Expr *use = region ? find_use(event, region) : NULL;
  if (!use) return;

  Str name = rule_text(ctx, event, event->target);
  Report report = {.rule = RULE_TF414,
                   .variant = TF414_DEFAULT,
                   .span = event->stmt->span,
                   .confidence = frame_confidence(event->frame, held),
                   .subject = name,
                   .because = held,
                   .because_name = name};
  report_fill(&report, S("name"), name);
  Str label = str_printf(rule_scratch(ctx), "`%.*s` is used as a variable here", STR_ARG(name));
  report_label(&report, rule_label(ROLE_NOTE, event->frame->module->id, use->span, label));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_variable_rebound = {
    .name = S_INIT("variable_rebound"),
    .events = ON_EVENT(EV_STORE),
    .event = on_store,
};

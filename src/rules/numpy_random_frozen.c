/* TF202: NumPy draws a random number while tracing, and every later call uses the same one.
 *
 * Meant are draws of `numpy.random` and of its generator objects, by their facts; making a generator and seeding it are not.
 * A draw under a create-once guard is meant to happen once. A draw that gets a tensor fails instead: TF201.
 */
#include "rules/rule.h"

enum { NAMES_MAX = 4 };

/* ---- names computed from the draw, in the same function ---- */

typedef struct Names {
  Sym data[NAMES_MAX];
  uint32_t len;
  bool more;
} Names;

static bool names_have(const Names *names, Sym name) {
  for (uint32_t i = 0; i < names->len; i++) {
    if (names->data[i] == name) return true;
  }
  return false;
}

static void names_add(Names *names, Sym name) {
  if (names_have(names, name)) return;
  if (names->len == NAMES_MAX) names->more = true;
  else names->data[names->len++] = name;
}

typedef struct Search {
  const Names *names;
  bool found;
} Search;

static void search_expr(void *context, Expr *expr) {
  Search *search = context;
  if (!expr || search->found) return;
  search->found = expr->kind == EXPR_NAME && names_have(search->names, expr->u.name.id);
  if (!search->found) expr_children(expr, search_expr, search);
}

static bool uses_draw(const Names *names, const Expr *draw, Expr *value) {
  Search search = {names, span_holds(value->span, draw->span)};
  search_expr(&search, value);
  return search.found;
}

static void add_target(Names *names, const Expr *target) {
  if (target->kind == EXPR_NAME) names_add(names, target->u.name.id);
  if (target->kind != EXPR_TUPLE && target->kind != EXPR_LIST) return;
  for (uint32_t i = 0; i < target->u.items.len; i++) add_target(names, target->u.items.data[i]);
}

/* Bodies of a compound statement; at most four. Loops and branches are read once, in order of the text. */
static void collect_block(Names *names, const Expr *draw, Block block);

static void collect_bodies(Names *names, const Expr *draw, const Stmt *stmt) {
  switch (stmt->kind) {
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) collect_block(names, draw, stmt->u.branch.arms[i].body);
      return;
    case STMT_FOR:
      collect_block(names, draw, stmt->u.forloop.body);
      return;
    case STMT_WHILE:
      collect_block(names, draw, stmt->u.loop.body);
      return;
    case STMT_WITH:
      collect_block(names, draw, stmt->u.with.body);
      return;
    case STMT_TRY:
      collect_block(names, draw, stmt->u.try_.body);
      return;
    default:
      return;
  }
}

static void collect_block(Names *names, const Expr *draw, Block block) {
  for (uint32_t i = 0; i < block.len; i++) {
    const Stmt *stmt = block.data[i];
    if (stmt->kind == STMT_ASSIGN && uses_draw(names, draw, stmt->u.assign.value)) {
      for (uint32_t j = 0; j < stmt->u.assign.targets.len; j++) add_target(names, stmt->u.assign.targets.data[j]);
    } else if (stmt->kind == STMT_AUGASSIGN && uses_draw(names, draw, stmt->u.aug.value)) {
      add_target(names, stmt->u.aug.target);
    } else {
      collect_bodies(names, draw, stmt);
    }
  }
}

/* "`i`, `batch` and more" */
static Str names_text(RuleContext *ctx, const Names *names) {
  StrBuf buf = {.arena = rule_scratch(ctx)};
  for (uint32_t i = 0; i < names->len; i++) {
    Str name = sym_str(names->data[i]);
    if (i) buf_str(&buf, i + 1 < names->len || names->more ? S(", ") : S(" and "));
    buf_printf(&buf, "`%.*s`", STR_ARG(name));
  }
  if (names->more) buf_lit(&buf, " and more");
  return buf_view(&buf);
}

/* ---- the draw ---- */

static bool is_numpy_rng(const Value *receiver) {
  if (!receiver || !value_is(receiver, KIND(HOST_RNG)) || receiver->obj_len != 1) return false;
  return str_starts(sym_str(receiver->objs[0]->api), S("numpy.random."));
}

static bool is_draw(const Event *event) {
  if (event->api && (event->api->tags & TAG(SEED))) return false;
  if (event->api && (event->api->tags & TAG(NUMPY_RANDOM))) return true;
  return !event->api && is_numpy_rng(event->receiver);
}

static bool takes_tensor(const Args *args) {
  for (uint32_t i = 0; args && i < args->len; i++) {
    if (value_is_host_tensor(args->values[i])) return true;
  }
  return false;
}

static bool runs_once_by_intention(const Frame *frame) {
  bool is_setup = frame->function->owner &&
                  (sym_is(frame->function->name, S("__init__")) || sym_is(frame->function->name, S("build")));
  return is_setup || (frame->context & (CTX_SETUP | CTX_GRAPH)) || frame_guarded(frame);
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!ctx_traced(event->frame->context) || !is_draw(event) || takes_tensor(event->args)) return;
  if (runs_once_by_intention(event->frame)) return;
  const Expr *callee = event->expr->kind == EXPR_CALL ? event->expr->u.call.callee : event->expr;
  Names names = {0};
  collect_block(&names, event->expr, event->frame->function->body);
  Report report = {.rule = RULE_TF202,
                   .variant = TF202_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, event->receiver),
                   .subject = rule_text(ctx, event, callee)};
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("names"), names_text(ctx, &names));
  report_fill(&report, S("tf"), event->api ? event->api->tf : S(""));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_numpy_random_frozen = {
    .name = S_INIT("numpy_random_frozen"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

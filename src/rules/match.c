/* Declarative rules. A match looks at one event alone: at the callee's name and fact, the kinds of receiver and arguments, and
 * the situation. "Kind" is a must-property: every kind the value may have is among those asked for, so an unknown value
 * satisfies nothing. What is the receiver and what are the arguments, by kind of event:
 *
 *   call         the object of a method call; the arguments        attribute    the object
 *   subscript    the object; the index                              assign       the object stored into; the value
 *   augassign    what is changed in place; the right-hand side      branch, loop the condition or iterable
 *   return       the value                                          raise        the exception
 */
#include "rules/match.h"
#include "rules/kind_test.h"
#include "rules/run.h"

enum { NO_ARGUMENT = UINT32_MAX };

/* ---- which events ---- */

static bool is_decorator(const Event *event) {
  const Stmt *stmt = event->stmt;
  if (!stmt || !event->expr) return false;
  bool is_class = stmt->kind == STMT_CLASS;
  if (!is_class && stmt->kind != STMT_FUNCTION) return false;
  Expr **decorators = is_class ? stmt->u.class_->decorators : stmt->u.function->decorators;
  uint32_t len = is_class ? stmt->u.class_->decorator_len : stmt->u.function->decorator_len;
  for (uint32_t i = 0; i < len; i++) {
    if (decorators[i] == event->expr) return true;
  }
  return false;
}

/* The words of `on:` that an event of a kind may answer to. */
static uint32_t kind_words(EventKind kind) {
  switch (kind) {
    case EV_CALL:
      return ON_CALL | ON_DECORATOR;
    case EV_ATTR:
      return ON_ATTRIBUTE;
    case EV_SUBSCRIPT:
      return ON_SUBSCRIPT;
    case EV_STORE:
      return ON_ASSIGN | ON_AUGASSIGN;
    case EV_BRANCH:
      return ON_BRANCH;
    case EV_LOOP:
      return ON_LOOP;
    case EV_RETURN:
      return ON_RETURN;
    case EV_RAISE:
      return ON_RAISE;
    case EV_IMPORT:
      return ON_IMPORT;
    default:
      return 0;
  }
}

bool match_wants(const Match *match, EventKind kind) { return (match->on & kind_words(kind)) != 0; }

static uint32_t event_words(const Event *event) {
  if (event->kind == EV_CALL) {
    uint32_t call = event->expr && event->expr->kind == EXPR_CALL ? ON_CALL : 0;
    return is_decorator(event) ? call | ON_DECORATOR : call;
  }
  if (event->kind == EV_STORE) {
    if (event->store == STORE_AUG) return ON_AUGASSIGN;
    return event->store == STORE_ASSIGN || event->store == STORE_UNPACK ? ON_ASSIGN : 0;
  }
  return kind_words(event->kind);
}

/* ---- names ---- */

/* The canonical name of what is called, read or imported; of the project's own functions their qualified name. */
static Str event_name(Arena *scratch, const Event *event) {
  if (event->api_name.len) return event->api_name;
  if (event->kind == EV_IMPORT) return sym_str(event->name);
  const Value *callee = event->callee;
  if (!callee || callee->obj_len != 1 || callee->obj_more) return S("");
  const Obj *obj = callee->objs[0];
  return obj->kind == OBJ_FUNCTION ? project_qualified(scratch, event->frame->project, obj->func) : S("");
}

static bool match_name(StrList globs, Str name) {
  if (!globs.len) return true;
  if (!name.len) return false;
  bool wanted = false, has_wanted = false;
  for (uint32_t i = 0; i < globs.len; i++) {
    Str glob = globs.data[i];
    bool excludes = str_starts(glob, S("!"));
    bool fits = str_glob(excludes ? str_sub(glob, 1, glob.len) : glob, name, '.');
    if (excludes && fits) return false;
    if (!excludes) {
      has_wanted = true;
      wanted |= fits;
    }
  }
  return wanted || !has_wanted;
}

static bool match_tags(const Match *match, const Event *event) {
  ApiTags tags = event->api ? event->api->tags : 0;
  if (match->tags && !(tags & match->tags)) return false;
  return !(tags & match->not_tags);
}

/* ---- kinds ---- */

/* Who converts tensors to host values chokes on them even after a first fault was reported. */
static bool match_kinds(const Match *match, const Value *value, KindSet kinds) {
  if (!value) return false;
  bool host = (match->tags & (TAG(NUMPY) | TAG(HOST_LIBRARY) | TAG(PATH_ARG))) != 0;
  if ((value->flags & VF_TAINTED) && !host) return false;
  return value_is(value, kinds);
}

static const Value *event_receiver(const Event *event) {
  if (event->kind == EV_STORE && event->store == STORE_AUG) return event->operand_len ? event->operands[0] : NULL;
  return event->receiver;
}

/* The one argument of events that are not calls. */
static const Value *single_argument(const Event *event) {
  if (event->kind == EV_STORE && event->store == STORE_AUG)
    return event->operand_len > 1 ? event->operands[1] : event->value;
  return event->value;
}

typedef struct Values {
  const Value *const *data;
  uint32_t len;
} Values;

static bool match_some(const Match *match, Values values, KindSet kinds, uint32_t *argument) {
  for (uint32_t i = 0; i < values.len; i++) {
    if (!match_kinds(match, values.data[i], kinds)) continue;
    *argument = i;
    return true;
  }
  return false;
}

static bool match_all(const Match *match, const Event *event, Values values, KindSet kinds) {
  bool hidden = event->args && (event->args->has_star || event->args->has_kwstar);
  for (uint32_t i = 0; i < values.len; i++) {
    if (!match_kinds(match, values.data[i], kinds)) return false;
  }
  return values.len && !hidden;
}

static uint32_t index_of(Values values, const Value *value) {
  for (uint32_t i = 0; i < values.len; i++) {
    if (values.data[i] == value) return i;
  }
  return NO_ARGUMENT;
}

/* Argument number N, also if it is given by its keyword. */
static const Value *argument_at(const Event *event, Values values, const MatchArg *arg) {
  bool by_keyword = arg->which == ARG_KEYWORD;
  uint32_t index = by_keyword ? UINT32_MAX : (uint32_t)arg->index;
  if (!event->args) return !by_keyword && index < values.len ? values.data[index] : NULL;
  bool named = !by_keyword && event->api && index < event->api->params.len;
  return args_get(event->args, index, named ? event->api->params.data[index] : arg->keyword);
}

static bool match_arg(const Match *match, const Event *event, Values values, const MatchArg *arg, uint32_t *argument) {
  if (arg->which == ARG_ANY) return match_some(match, values, arg->kinds, argument);
  if (arg->which == ARG_ALL) return match_all(match, event, values, arg->kinds);
  const Value *value = argument_at(event, values, arg);
  if (!match_kinds(match, value, arg->kinds)) return false;
  *argument = index_of(values, value);
  return true;
}

bool match_event(Arena *scratch, const Match *match, const Event *event, uint32_t *argument) {
  if (!(match->on & event_words(event))) return false;
  if (!match_tags(match, event) || !match_name(match->callee, match->callee.len ? event_name(scratch, event) : S("")))
    return false;
  if (match->receiver && !match_kinds(match, event_receiver(event), match->receiver)) return false;
  const Value *single = single_argument(event);
  Values values = event->args ? (Values){event->args->values, event->args->len} : (Values){&single, single ? 1 : 0};
  *argument = values.len ? 0 : NO_ARGUMENT;
  for (uint32_t i = 0; i < match->arg_len; i++) {
    if (!match_arg(match, event, values, &match->args[i], argument)) return false;
  }
  if (!match->within && !match->unless) return true;
  SituationSet here = frame_situations(event->frame);
  return (!match->within || (here & match->within)) && !(here & match->unless);
}

/* ---- speaking ---- */

static const Expr *callee_expr(const Event *event) {
  const Expr *expr = event->expr;
  return expr && expr->kind == EXPR_CALL ? expr->u.call.callee : expr;
}

static const Expr *receiver_expr(const Event *event) {
  if (event->kind == EV_STORE && event->store == STORE_AUG) return event->target;
  const Expr *expr = event->kind == EV_STORE ? event->target : callee_expr(event);
  if (!expr) return NULL;
  if (expr->kind == EXPR_ATTR) return expr->u.attr.value;
  return expr->kind == EXPR_SUBSCRIPT ? expr->u.subscript.value : NULL;
}

static const Expr *argument_expr(const Event *event, uint32_t argument) {
  if (event->args) return argument < event->args->len ? event->args->exprs[argument] : NULL;
  if (event->kind == EV_SUBSCRIPT && event->expr && event->expr->kind == EXPR_SUBSCRIPT)
    return event->expr->u.subscript.index;
  return event->kind == EV_BRANCH || event->kind == EV_LOOP || event->kind == EV_RETURN ? event->expr : NULL;
}

static Str subject_of(const Match *match, Str callee, Str receiver, Str argument) {
  if (str_eq(match->subject, S("receiver"))) return receiver;
  return str_eq(match->subject, S("argument")) ? argument : callee;
}

void match_report(RuleContext *ctx, uint32_t rule, const Event *event) {
  const RulePage *page = catalog_rule(ctx->plan->catalog, rule);
  for (uint32_t i = 0; i < page->match_len; i++) {
    const Match *match = &page->matches[i];
    uint32_t argument;
    if (!match_event(&ctx->scratch, match, event, &argument)) continue;
    Str callee = rule_text(ctx, event, callee_expr(event)), receiver = rule_text(ctx, event, receiver_expr(event));
    Str given = rule_text(ctx, event, argument_expr(event, argument));
    const Value *because = match->receiver ? event_receiver(event) : NULL;
    Str because_name = receiver;
    if (!because && match->arg_len && event->args && argument < event->args->len) {
      because = event->args->values[argument];
      because_name = given;
    }
    if (kind_test_decides(ctx, event, because)) return;
    Report report = {.span = event->span,
                     .confidence = frame_confidence(event->frame, because),
                     .subject = subject_of(match, callee, receiver, given),
                     .because = because,
                     .because_name = because_name};
    report_fill(&report, S("callee"), callee);
    report_fill(&report, S("receiver"), receiver);
    report_fill(&report, S("argument"), given);
    report_fill(&report, S("subject"), report.subject);
    run_report(ctx, rule, event->frame->module->id, event->frame->instance, &report);
    return;
  }
}

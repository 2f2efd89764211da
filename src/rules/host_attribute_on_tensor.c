/* TF212: a symbolic tensor or a variable is asked for an attribute of another type: NumPy's `.T` and `.reshape`, a text's
 * `.decode`.
 *
 * Once the program calls `experimental_enable_numpy_behavior`, wherever that is, tensors have NumPy's attributes. Which ones
 * remain foreign is known at the end only, so everything waits until then.
 */
#include "rules/kind_test.h"
#include "rules/operand.h"
#include "sema/walk.h"

extern const RuleCheck rule_host_attribute_on_tensor;

typedef struct Note {
  bool enables;  // the call of the switch; nothing else is set
  Span span;
  const Expr *expr;  // the attribute
  Confidence confidence;
  bool is_variable;
  Value because;  // for its provenance; what it points to is never looked at
} Note;

static bool is_text_method(Str name) {
  static const Str names[] = {
      S_INIT("decode"),   S_INIT("encode"),     S_INIT("split"),        S_INIT("strip"),        S_INIT("lstrip"),
      S_INIT("rstrip"),   S_INIT("lower"),      S_INIT("upper"),        S_INIT("title"),        S_INIT("capitalize"),
      S_INIT("format"),   S_INIT("startswith"), S_INIT("endswith"),     S_INIT("replace"),      S_INIT("join"),
      S_INIT("find"),     S_INIT("rfind"),      S_INIT("index"),        S_INIT("count"),        S_INIT("isdigit"),
      S_INIT("isalpha"),  S_INIT("isnumeric"),  S_INIT("splitlines"),   S_INIT("rpartition"),   S_INIT("zfill"),
      S_INIT("swapcase"), S_INIT("isspace"),    S_INIT("removeprefix"), S_INIT("removesuffix"), S_INIT("partition")};
  return STR_IN(name, names);
}

static bool is_container_method(Str name) {
  static const Str names[] = {S_INIT("append"), S_INIT("extend"), S_INIT("insert"), S_INIT("pop"),
                              S_INIT("keys"),   S_INIT("values"), S_INIT("items"),  S_INIT("update")};
  return STR_IN(name, names);
}

/* What lists, tuples, dicts, sparse and ragged tensors and distributions have too, or a field of a record may be called. */
static bool is_structure_member(Str name) {
  static const Str names[] = {S_INIT("copy"), S_INIT("count"), S_INIT("index"), S_INIT("sort"), S_INIT("mean"),
                              S_INIT("mode"), S_INIT("data"),  S_INIT("size"),  S_INIT("real"), S_INIT("imag"),
                              S_INIT("base"), S_INIT("flat"),  S_INIT("std"),   S_INIT("var")};
  return STR_IN(name, names) || is_container_method(name);
}

typedef struct CallSearch {
  const Expr *attribute;
  bool called;
} CallSearch;

static void search_call(void *context, Expr *expr, const Function *function) {
  (void)function;
  CallSearch *search = context;
  search->called |= expr->kind == EXPR_CALL && expr->u.call.callee == search->attribute;
}

/* Something handed over by a framework may be a record: `instruction.take` is one of its fields, `x.reshape(…)` and `x.T` are not. */
static bool may_be_field(const Event *event) {
  Str name = sym_str(event->expr->u.attr.name);
  if (is_structure_member(name)) return true;
  if (str_eq(name, S("T")) || !event->stmt) return false;
  CallSearch search = {event->expr, false};
  Walk walk = {.visit = search_call, .context = &search, .shallow = true};
  walk_stmt(&walk, event->stmt);
  return !search.called;
}

/* What to write instead, as far as one name says it. */
static Str instead_of(Str name) {
  static const struct {
    Str name, tf;
  } table[] = {{S_INIT("T"), S_INIT("tf.transpose(t)")},
               {S_INIT("transpose"), S_INIT("tf.transpose")},
               {S_INIT("astype"), S_INIT("tf.cast")},
               {S_INIT("ravel"), S_INIT("tf.reshape(t, [-1])")},
               {S_INIT("flatten"), S_INIT("tf.reshape(t, [-1])")},
               {S_INIT("reshape"), S_INIT("tf.reshape")},
               {S_INIT("clip"), S_INIT("tf.clip_by_value")},
               {S_INIT("size"), S_INIT("tf.size(t)")},
               {S_INIT("copy"), S_INIT("tf.identity")},
               {S_INIT("mean"), S_INIT("tf.reduce_mean")},
               {S_INIT("sum"), S_INIT("tf.reduce_sum")},
               {S_INIT("max"), S_INIT("tf.reduce_max")},
               {S_INIT("min"), S_INIT("tf.reduce_min")},
               {S_INIT("std"), S_INIT("tf.math.reduce_std")},
               {S_INIT("var"), S_INIT("tf.math.reduce_variance")},
               {S_INIT("prod"), S_INIT("tf.reduce_prod")},
               {S_INIT("any"), S_INIT("tf.reduce_any")},
               {S_INIT("all"), S_INIT("tf.reduce_all")},
               {S_INIT("argmax"), S_INIT("tf.argmax")},
               {S_INIT("argmin"), S_INIT("tf.argmin")},
               {S_INIT("argsort"), S_INIT("tf.argsort")},
               {S_INIT("sort"), S_INIT("tf.sort")},
               {S_INIT("dot"), S_INIT("tf.tensordot")},
               {S_INIT("fill"), S_INIT("tf.fill")},
               {S_INIT("cumsum"), S_INIT("tf.cumsum")},
               {S_INIT("repeat"), S_INIT("tf.repeat")},
               {S_INIT("round"), S_INIT("tf.round")},
               {S_INIT("squeeze"), S_INIT("tf.squeeze")},
               {S_INIT("take"), S_INIT("tf.gather")},
               {S_INIT("split"), S_INIT("tf.strings.split")},
               {S_INIT("strip"), S_INIT("tf.strings.strip")},
               {S_INIT("lower"), S_INIT("tf.strings.lower")},
               {S_INIT("upper"), S_INIT("tf.strings.upper")},
               {S_INIT("format"), S_INIT("tf.strings.format")},
               {S_INIT("replace"), S_INIT("tf.strings.regex_replace")},
               {S_INIT("startswith"), S_INIT("tf.strings.regex_full_match")},
               {S_INIT("endswith"), S_INIT("tf.strings.regex_full_match")},
               {S_INIT("join"), S_INIT("tf.strings.join")},
               {S_INIT("append"), S_INIT("tf.concat")}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (str_eq(name, table[i].name)) return table[i].tf;
  }
  return S("");
}

static void on_event(RuleContext *ctx, const Event *event) {
  if (!event->api) return;
  if (event->kind == EV_CALL && (event->api->tags & TAG(NUMPY_BEHAVIOR)))
    rule_defer(ctx, &rule_host_attribute_on_tensor, event, &(Note){.enables = true}, sizeof(Note));
  if (event->kind != EV_ATTR || !(event->api->tags & TAG(HOST_ATTRIBUTE)) || !ctx_traced(event->frame->context)) return;
  if (!operand_is_symbolic(event->receiver)) return;
  if ((event->receiver->flags & VF_PERHAPS_NEST) && may_be_field(event)) return;
  if (kind_test_decides(ctx, event, event->receiver)) return;
  Note note = {.span = event->span,
               .expr = event->expr,
               .confidence = frame_confidence(event->frame, event->receiver),
               .is_variable = value_is(event->receiver, KIND(VARIABLE)),
               .because = *event->receiver};
  rule_defer(ctx, &rule_host_attribute_on_tensor, event, &note, sizeof note);
}

static void report_note(RuleContext *ctx, const Deferred *deferred, const Note *note, bool numpy_behavior) {
  Str name = sym_str(note->expr->u.attr.name);
  bool is_text = is_text_method(name) && !note->is_variable;
  if (numpy_behavior && !is_text && !is_container_method(name)) return;
  const Ast *ast = project_module(flow_project(rule_flow(ctx)), deferred->module)->ast;
  Str tensor = expr_text(rule_scratch(ctx), ast, note->expr->u.attr.value, 60);
  Report report = {.rule = RULE_TF212,
                   .variant = is_text                     ? TF212_TEXT
                              : is_container_method(name) ? TF212_CONTAINER
                                                          : TF212_DEFAULT,
                   .span = note->span,
                   .confidence = note->confidence,
                   .subject = name,
                   .because = &note->because,
                   .because_name = tensor};
  report_fill(&report, S("tensor"), tensor);
  report_fill(&report, S("attribute"), name);
  report_fill(&report, S("noun"), note->is_variable ? S("variable") : S("symbolic tensor"));
  report_fill(&report, S("tf"), instead_of(name));
  rule_report_at(ctx, deferred->module, deferred->instance, &report);
}

static void on_end(RuleContext *ctx) {
  DeferredSet notes = rule_deferred(ctx, &rule_host_attribute_on_tensor);
  bool numpy_behavior = false;
  for (uint32_t i = 0; i < notes.len; i++) numpy_behavior |= ((const Note *)notes.data[i].record)->enables;
  for (uint32_t i = 0; i < notes.len; i++) {
    const Note *note = notes.data[i].record;
    if (!note->enables) report_note(ctx, &notes.data[i], note, numpy_behavior);
  }
}

const RuleCheck rule_host_attribute_on_tensor = {
    .name = S_INIT("host_attribute_on_tensor"),
    .events = ON_EVENT(EV_ATTR) | ON_EVENT(EV_CALL),
    .event = on_event,
    .end = on_end,
};

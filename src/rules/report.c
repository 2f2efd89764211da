/* Makes a finding of what a rule says: texts from the rule's page, labels from the chain that led to the place.
 *
 * All texts are copied into the worker's arena, since what a report points to is gone after the event.
 */
#include "base/panic.h"
#include "rules/kind_test.h"
#include "rules/run.h"

enum { FILLS_MAX = 8, TEXT_MAX = 60 };

const Flow *rule_flow(const RuleContext *ctx) { return ctx->plan->flow; }

Arena *rule_scratch(RuleContext *ctx) { return &ctx->scratch; }

Str rule_text(RuleContext *ctx, const Event *event, const Expr *expr) {
  return expr ? expr_text(&ctx->scratch, event->frame->module->ast, expr, TEXT_MAX) : S("");
}

Label rule_label(LabelRole role, ModuleId module, Span span, Str text) {
  return (Label){.role = role, .place = {module, span}, .text = text};
}

void report_fill(Report *report, Str key, Str value) {
  for (uint32_t i = 0; i < FILLS_MAX; i++) {
    if (report->fills[i].key.len) continue;
    report->fills[i] = (Fill){key, value};
    return;
  }
  tf_unreachable("more values than a report has room for");
}

void report_label(Report *report, Label label) {
  tf_assert(report->label_len < sizeof report->labels / sizeof *report->labels);
  report->labels[report->label_len++] = label;
}

/* ---- names of functions and APIs, as a reader knows them ---- */

static Str function_text(Arena *arena, const Function *function) {
  if (function->is_lambda) return S("lambda");
  if (function->owner) {
    Str owner = sym_str(function->owner->name), name = sym_str(function->name);
    return str_printf(arena, "%.*s.%.*s", STR_ARG(owner), STR_ARG(name));
  }
  return sym_str(function->name);
}

static const Function *function_at(const Project *project, ModuleId module, Span span) {
  const Ast *ast = project_module(project, module)->ast;
  return ast ? ast_function_at(ast, span.start) : NULL;
}

/* "tensorflow.data.Dataset.map" -> "Dataset.map": a method goes by its class. */
static Str tracer_text(Arena *arena, Str name) {
  size_t dot = str_rfind_char(name, '.');
  size_t before = dot == STR_NONE ? STR_NONE : str_rfind_char(str_sub(name, 0, dot), '.');
  if (before == STR_NONE) return api_text(arena, name);
  char first = name.ptr[before + 1];
  return first >= 'A' && first <= 'Z' ? str_sub(name, before + 1, name.len) : api_text(arena, name);
}

static Str step_tracer(Arena *arena, const ChainStep *step) {
  bool hands_over = step->root == ROOT_DATASET || step->root == ROOT_CALLBACK;
  return hands_over && step->api ? tracer_text(arena, step->api->text) : S("");
}

Str rule_tracer(RuleContext *ctx, InstanceId instance) {
  Chain chain = flow_chain(&ctx->scratch, ctx->plan->flow, instance);
  return chain.len ? step_tracer(&ctx->scratch, &chain.steps[0]) : S("");
}

static Str root_text(Arena *arena, const ChainStep *step) {
  Str tracer = step_tracer(arena, step);
  return tracer.len ? str_printf(arena, "`%.*s` traces this function", STR_ARG(tracer)) : root_kind_text(step->root);
}

static Str step_text(Arena *arena, const Project *project, const ChainStep *step) {
  const Function *function = project_function(project, step->func);
  if (function->is_lambda) return S("and reaches a lambda");
  bool constructs = function->owner && sym_is(function->name, S("__init__"));
  if (constructs) {
    Str name = sym_str(function->owner->name);
    return str_printf(arena, "and constructs `%.*s`", STR_ARG(name));
  }
  Str name = sym_str(function->name);
  return str_printf(arena, "and reaches `%.*s`", STR_ARG(name));
}

/* ---- labels ---- */

static void add_label(RuleContext *ctx, Finding *finding, Label label) {
  label.text = str_copy(&ctx->arena, label.text);
  vec_push(&ctx->arena, &finding->labels, label);
}

/* The steps to be shown. Stops at the call that the finding itself sits on: what follows lies behind the fault. */
static Chain chain_to(RuleContext *ctx, const Finding *finding, InstanceId instance) {
  Chain chain = {0};
  if (instance != NO_INSTANCE) chain = flow_chain(&ctx->scratch, ctx->plan->flow, instance);
  if (!chain.len || chain.steps[0].root == ROOT_NONE) return (Chain){0};
  for (uint32_t len = 1; len < chain.len; len++) {
    const ChainStep *step = &chain.steps[len];
    Span own = finding->place.span;
    bool is_own = step->module == finding->place.file && step->span.start == own.start && step->span.end == own.end;
    if (is_own) chain.len = len;
  }
  return chain;
}

static void add_chain(RuleContext *ctx, Finding *finding, Chain chain) {
  for (uint32_t i = 0; i < chain.len; i++) {
    const ChainStep *step = &chain.steps[i];
    Str text = i ? step_text(&ctx->scratch, ctx->plan->project, step) : root_text(&ctx->scratch, step);
    add_label(ctx, finding, rule_label(i ? ROLE_CALL : ROLE_ROOT, step->module, step->span, text));
  }
}

static void add_value(RuleContext *ctx, Finding *finding, const Report *report) {
  const Value *value = report->because;
  if (!value || value->why.kind == WHY_NONE) return;
  Str text = why_text(&ctx->scratch, ctx->plan->project, value, report->because_name);
  if (text.len) add_label(ctx, finding, rule_label(ROLE_VALUE, value->why.module, value->why.span, text));
}

/* ---- texts ---- */

typedef struct AllFills {
  Fill data[FILLS_MAX + 1];
  uint32_t len;
} AllFills;

static AllFills collect_fills(const Report *report, Str function) {
  AllFills all = {0};
  for (uint32_t i = 0; i < FILLS_MAX && report->fills[i].key.len; i++) all.data[all.len++] = report->fills[i];
  all.data[all.len++] = (Fill){S("function"), function};
  return all;
}

static void add_help(RuleContext *ctx, Finding *finding, StrList help, const Report *report, Fills fills) {
  if (report->help.len) vec_push(&ctx->arena, &finding->help, str_copy(&ctx->arena, report->help));
  for (uint32_t i = 0; i < help.len; i++) {
    Str text;
    if (fill_text(&ctx->arena, help.data[i], fills, &text) != FILL_EMPTY) vec_push(&ctx->arena, &finding->help, text);
  }
}

static void add_edits(RuleContext *ctx, Finding *finding, const Report *report) {
  if (!report->edit_len || report->fix == FIX_NONE) return;
  finding->fix_safety = report->fix;
  for (uint32_t i = 0; i < report->edit_len; i++) {
    Edit edit = report->edits[i];
    edit.text = str_copy(&ctx->arena, edit.text);
    vec_push(&ctx->arena, &finding->edits, edit);
  }
}

/* Our pages and the code that speaks through them must agree on the names of values; a user's slip stays visible. */
static Str fill_whole(RuleContext *ctx, const RulePage *page, Str text, Fills fills) {
  Str out;
  FillResult result = fill_text(&ctx->arena, text, fills, &out);
  tf_assert(result != FILL_UNKNOWN || !page->builtin);
  return out;
}

/* The same has been said with more weight (merge.c): then this one is only counted, and needs none of what explains it.
 * A method that 250 subclasses reach through each other would explain itself in thirty thousand chains. */
static bool is_outdone(RuleContext *ctx, const Found *found) {
  const Finding *finding = &found->finding;
  Place place = finding->place;
  uint64_t key = hash_mix((uint64_t)place.file << 32 | place.span.start, (uint64_t)place.span.end << 32 | found->rule);
  uint64_t weight =
      (uint64_t)finding->level << 40 | (uint64_t)finding->confidence << 32 | (UINT32_MAX - found->chain_len);
  uint64_t *most = map_put(&ctx->arena, &ctx->weights, hash_mix(key, str_hash(finding->subject)), NULL);
  if (weight < *most) return true;
  *most = weight;
  return false;
}

void run_report(RuleContext *ctx, uint32_t rule, ModuleId module, InstanceId instance, const Report *report) {
  const RulePage *page = catalog_rule(ctx->plan->catalog, rule);
  tf_assert(report->variant < page->variant_len);
  const RuleVariant *variant = &page->variants[report->variant];
  const Function *function = function_at(ctx->plan->project, module, report->span);
  AllFills values = collect_fills(report, function ? function_text(&ctx->scratch, function) : S(""));
  Fills fills = {values.data, values.len};
  Found found = {.rule = rule, .instance = instance};
  Finding *finding = &found.finding;
  *finding = (Finding){
      .code = page->id,
      .name = page->name,
      .variant = variant->key,
      .level = variant->level,
      .confidence = report->confidence,
      .place = {module, report->span},
      .subject = str_copy(&ctx->arena, report->subject),
      .message = fill_whole(ctx, page, variant->message, fills),
      .annotation = fill_whole(ctx, page, variant->annotation, fills),
      .in = function ? sym_str(function->qualname) : S(""),
      .contexts = 1,
  };
  Chain chain = chain_to(ctx, finding, instance);
  found.chain_len = chain.len;
  if (!is_outdone(ctx, &found)) {
    add_chain(ctx, finding, chain);
    add_value(ctx, finding, report);
    for (uint32_t i = 0; i < report->label_len; i++) add_label(ctx, finding, report->labels[i]);
    add_help(ctx, finding, variant->help, report, fills);
    add_edits(ctx, finding, report);
  }
  vec_push(&ctx->arena, &ctx->found, found);
}

void rule_report_at(RuleContext *ctx, ModuleId module, InstanceId instance, const Report *report) {
  run_report(ctx, ctx->plan->rule_index[report->rule], module, instance, report);
}

void rule_report(RuleContext *ctx, const Event *event, const Report *report) {
  if (kind_test_decides(ctx, event, report->because)) return;
  rule_report_at(ctx, event->frame->module->id, event->frame->instance, report);
}

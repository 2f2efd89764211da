/* Runs the analysis over every fixture and compares what it says with the comments on the lines (support/expect.h).
 *
 *   tests/test_fixtures [TEXT]     only fixtures with TEXT in their name
 *
 * All rules run on all fixtures, so that overlaps and noise show up at once. Any finding without an expectation fails, and
 * any expectation without a finding; notes count too, but not in silent/, which promises no warning and no error. One TAP
 * line a fixture; what is wrong is printed as `file:line: …`.
 */
#include <stdio.h>

#include "support/expect.h"
#include "support/tree.h"

typedef struct Check {
  Arena arena;
  const Tree *tree;
  TreeRun run;
  uint32_t wrong;
  bool is_silent;
} Check;

static void complain(Check *check, Str path, uint32_t line, Str what) {
  check->wrong++;
  bool single = check->tree->len == 1 && str_ends(check->tree->name, S(".py"));
  if (single) printf("fixtures/%.*s:%u: %.*s\n", STR_ARG(check->tree->name), line, STR_ARG(what));
  else printf("fixtures/%.*s/%.*s:%u: %.*s\n", STR_ARG(check->tree->name), STR_ARG(path), line, STR_ARG(what));
}

/* ---- findings ---- */

static bool mentions(const Finding *finding, Str text) {
  if (str_contains(finding->message, text) || str_contains(finding->annotation, text)) return true;
  for (uint32_t i = 0; i < finding->labels.len; i++) {
    if (str_contains(finding->labels.data[i].text, text)) return true;
  }
  for (uint32_t i = 0; i < finding->help.len; i++) {
    if (str_contains(finding->help.data[i], text)) return true;
  }
  for (uint32_t i = 0; i < finding->notes.len; i++) {
    if (str_contains(finding->notes.data[i], text)) return true;
  }
  return false;
}

/* The chain names a function in the text or the code of a label, or has a label inside of it (decorators included). */
static bool goes_through(const Check *check, const Finding *finding, Str name) {
  for (uint32_t i = 0; i < finding->labels.len; i++) {
    const Label *label = &finding->labels.data[i];
    if (label->role != ROLE_ROOT && label->role != ROLE_CALL) continue;
    const Module *module = project_module(check->run.analysis.project, label->place.file);
    Str code = source_slice(&module->source, label->place.span);
    if (str_contains(label->text, name) || str_contains(code, name)) return true;
    if (sym_is(ast_function_at(module->ast, label->place.span.start)->name, name)) return true;
  }
  return false;
}

static bool finding_fits(const Check *check, const Expect *expect, const Finding *finding, Position place) {
  return expect->line == place.line && str_eq(expect->code, finding->code) &&
         (!expect->col || expect->col == place.col) && (!expect->level || expect->level == finding->level) &&
         (!expect->text.len || mentions(finding, expect->text)) &&
         (!expect->via.len || goes_through(check, finding, expect->via));
}

static void check_finding(Check *check, const Finding *finding, Str path, Expects *expects) {
  Position place = source_position(check->run.analysis.files.sources[finding->place.file], finding->place.span.start);
  for (uint32_t i = 0; i < expects->len; i++) {
    Expect *expect = &expects->data[i];
    if (expect->kind == EXPECT_FINDING && !expect->met && finding_fits(check, expect, finding, place)) {
      expect->met = true;
      return;
    }
    if (expect->kind == EXPECT_NOT_YET && expect->line == place.line && str_eq(expect->code, finding->code)) {
      expect->met = true;
    }
  }
  Str level = level_name(finding->level);
  complain(check, path, place.line,
           str_printf(&check->arena, "unexpected %.*s@%u %.*s: %.*s", STR_ARG(finding->code), place.col, STR_ARG(level),
                      STR_ARG(finding->message)));
}

static void check_findings(Check *check, Str path, Expects *expects) {
  for (uint32_t i = 0; i < check->run.analysis.outcome.findings.len; i++) {
    const Finding *finding = &check->run.analysis.outcome.findings.data[i];
    if (check->is_silent && finding->level <= LEVEL_NOTE) continue;
    if (str_eq(check->run.analysis.files.sources[finding->place.file]->path, path))
      check_finding(check, finding, path, expects);
  }
}

/* ---- what the engine believes ---- */

static void check_value(Check *check, Str path, ModuleId module, const Expect *expect) {
  LineValues values = {0};
  flow_line_values(&check->arena, check->run.analysis.flow, module, &values);
  StrBuf seen = {.arena = &check->arena};
  for (uint32_t i = 0; i < values.len; i++) {
    if (values.data[i].line != expect->line || !sym_is(values.data[i].name, expect->name)) continue;
    Str actual = value_text(&check->arena, check->run.analysis.project, values.data[i].value);
    if (value_text_matches(expect->value, actual)) return;
    buf_printf(&seen, "%s%.*s", seen.len ? " or " : "", STR_ARG(actual));
  }
  Str got = seen.len ? buf_view(&seen) : S("nothing");
  complain(check, path, expect->at,
           str_printf(&check->arena, "expected %.*s = %.*s, got %.*s", STR_ARG(expect->name), STR_ARG(expect->value),
                      STR_ARG(got)));
}

/* The functions that start on the line, lambdas only if no `def` does; else the one around it. */
static uint32_t functions_at(const Ast *ast, uint32_t line, const Function **out, uint32_t max) {
  uint32_t len = 0, defs = 0;
  for (uint32_t i = 0; i < ast->functions.len && len < max; i++) {
    const Function *function = ast->functions.data[i];
    if (function->is_module || source_line_of(ast->source, function->header.start) != line) continue;
    if (function->is_lambda && defs) continue;
    if (!function->is_lambda && defs++ == 0) len = 0;
    out[len++] = function;
  }
  if (len == 0) {
    Span span = source_line_span(ast->source, line);
    while (span.start < span.end && ast->source->text.ptr[span.start] == ' ') span.start++;
    out[len++] = ast_function_at(ast, span.start);
  }
  return len;
}

static bool chain_names(Check *check, InstanceId instance, Str name) {
  Chain chain = flow_chain(&check->arena, check->run.analysis.flow, instance);
  for (uint32_t i = 0; i < chain.len; i++) {
    const Function *function = project_function(check->run.analysis.project, chain.steps[i].func);
    if (sym_is(function->name, name) || (!function->name && str_eq(name, S("<lambda>")))) return true;
  }
  return false;
}

/* Every word between commas is a part of the context's text; `autograph on` and `no jit` say that one is missing. */
static bool context_fits(Check *check, Context context, Str words) {
  Str text = context_text(&check->arena, context);
  while (words.len) {
    Str word = str_trim(str_cut(&words, ','));
    bool fits = str_eq(word, S("autograph on")) ? ctx_autograph_on(context)
                : str_starts(word, S("no "))    ? !str_contains(text, str_sub(word, 3, word.len))
                                                : str_contains(text, word);
    if (!fits) return false;
  }
  return true;
}

static void check_tracing(Check *check, Str path, const Module *module, const Expect *expect) {
  const Function *functions[8];
  uint32_t len = functions_at(module->ast, expect->line, functions, 8);
  StrBuf seen = {.arena = &check->arena};
  for (uint32_t i = 0; i < len; i++) {
    FuncRef ref = {module->id, functions[i]->index};
    const InstanceId *ids = flow_instances_of(&check->arena, check->run.analysis.flow, ref);
    for (; *ids != NO_INSTANCE; ids++) {
      Context context = flow_instance(check->run.analysis.flow, *ids).context;
      if (!ctx_traced(context)) continue;
      bool fits = expect->kind == EXPECT_TRACED && context_fits(check, context, expect->words) &&
                  (!expect->via.len || chain_names(check, *ids, expect->via));
      if (fits) return;
      Str text = context_text(&check->arena, context);
      buf_printf(&seen, "%s%.*s", seen.len ? " / " : "", STR_ARG(text));
    }
  }
  if (expect->kind == EXPECT_EAGER && seen.len == 0) return;
  Str got = seen.len ? buf_view(&seen) : S("never traced");
  const char *wanted = expect->kind == EXPECT_EAGER ? "never traced" : "traced";
  complain(check, path, expect->at,
           str_printf(&check->arena, "expected %s %.*s %.*s, got %.*s", wanted, STR_ARG(expect->via),
                      STR_ARG(expect->words), STR_ARG(got)));
}

static void check_expect(Check *check, Str path, const Expect *expect) {
  const uint64_t *id = strmap_get(&check->run.analysis.project->by_path, path);
  const Module *module = id && *id ? project_module(check->run.analysis.project, (ModuleId)(*id - 1)) : NULL;
  bool needs_module = expect->kind == EXPECT_VALUE || expect->kind == EXPECT_TRACED;
  if (needs_module && (!module || !module->ast)) {
    complain(check, path, expect->at, S("the file is not analysed"));
    return;
  }
  switch (expect->kind) {
    case EXPECT_FINDING:
      if (expect->met) return;
      complain(check, path, expect->line,
               str_printf(&check->arena, "expected %.*s%s%.*s%s%.*s, got nothing that fits", STR_ARG(expect->code),
                          expect->text.len ? " " : "", STR_ARG(expect->text), expect->via.len ? " via " : "",
                          STR_ARG(expect->via)));
      return;
    case EXPECT_NOT_YET:
      if (!expect->met) return;
      complain(check, path, expect->line, S("known failure is reported now: make its `xfail` an `expect`"));
      return;
    case EXPECT_VALUE:
      check_value(check, path, module->id, expect);
      return;
    case EXPECT_TRACED:
      check_tracing(check, path, module, expect);
      return;
    case EXPECT_EAGER:
      if (module && module->ast) check_tracing(check, path, module, expect);
      return;
  }
}

/* ---- fixtures ---- */

/* The comments are read from a tree of our own: a file that the analysis overlooks must not take its expectations along. */
static void check_file(Check *check, uint32_t file) {
  Str path = check->tree->paths[file];
  Source source;
  source_init(&check->arena, &source, path, check->tree->texts[file]);
  SymTable *symbols = sym_table_new();
  const Ast *ast = ast_parse(&check->arena, symbols, &source);
  Expects expects = {0};
  ExpectErrors errors = {0};
  expects_read(&check->arena, ast, &expects, &errors);
  for (uint32_t i = 0; i < errors.len; i++) complain(check, path, errors.data[i].line, errors.data[i].reason);
  check_findings(check, path, &expects);
  for (uint32_t i = 0; i < expects.len; i++) check_expect(check, path, &expects.data[i]);
  sym_table_release(symbols);
}

static bool check_tree(const Tree *tree) {
  Check check = {.tree = tree, .is_silent = str_starts(tree->name, S("silent/"))};
  TreeOptions options = {.jobs = 1};
  tree_run(&check.run, tree, &options);
  if (check.run.failure.len) complain(&check, S(""), 0, check.run.failure);
  for (uint32_t i = 0; i < tree->len && !check.run.failure.len; i++) {
    if (tree_is_python(tree->paths[i])) check_file(&check, i);
  }
  tree_run_release(&check.run);
  arena_release(&check.arena);
  return check.wrong == 0;
}

int main(int argc, char **argv) {
  static const Str folders[] = {S_INIT("rules"), S_INIT("silent"), S_INIT("engine"), S_INIT("projects")};
  Arena arena = {0};
  Trees trees = {0};
  Str only = argc > 1 ? str_from(argv[1]) : S("");
  trees_collect(&arena, S("fixtures"), folders, sizeof folders / sizeof *folders, &trees);
  uint32_t failed = 0, run = 0;
  for (uint32_t i = 0; i < trees.len; i++) {
    const Tree *tree = &trees.data[i];
    if (!str_contains(tree->name, only)) continue;
    bool ok = check_tree(tree);
    failed += !ok;
    printf("%s %u - %.*s\n", ok ? "ok" : "not ok", ++run, STR_ARG(tree->name));
    fflush(stdout);
  }
  printf("1..%u\n", run);
  arena_release(&arena);
  return failed > 0 || run == 0;
}

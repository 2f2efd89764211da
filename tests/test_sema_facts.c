/* Scopes of single files, and facts about their branches and loops.
 *
 * What is expected of facts was derived from AutoGraph's documentation and from running such functions under TensorFlow 2.21:
 * the comments quote its errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sema/facts.h"
#include "sema/scope.h"

/* ---- one file ---- */

typedef struct File {
  Arena arena;
  SymTable *symbols;
  Source source;
  Ast *ast;
} File;

static File file_of(const char *text) {
  File file = {.symbols = sym_table_new()};
  Source *source = arena_new(&file.arena, Source);
  source_init(&file.arena, source, S("a.py"), str_from(text));
  file.ast = ast_parse(&file.arena, file.symbols, source);
  scopes_build(&file.arena, file.symbols, file.ast);
  return file;
}

static void file_release(File *file) {
  sym_table_release(file->symbols);
  arena_release(&file->arena);
}

static const Function *function_named(const File *file, const char *qualname) {
  for (uint32_t i = 0; i < file->ast->functions.len; i++) {
    if (sym_is(file->ast->functions.data[i]->qualname, str_from(qualname))) return file->ast->functions.data[i];
  }
  fail_msg("no function %s", qualname);
  return NULL;
}

static const Binding *binding_of(const File *file, const Scope *scope, const char *name) {
  return scope_find(scope, sym_intern(file->symbols, str_from(name)));
}

/* ---- scopes ---- */

/* How each reading `NAME` that is an argument of `use(…)` is looked up: "local 0", "free 1:0", "global", "class", "builtin". */
typedef struct Uses {
  StrBuf text;
} Uses;

static void note_uses(void *context, Expr *expr);

static void note_comprehension(Uses *uses, const Comprehension *comp) {
  for (uint32_t i = 0; i < comp->clause_len; i++) {
    note_uses(uses, comp->clauses[i].iter);
    for (uint32_t t = 0; t < comp->clauses[i].tests.len; t++) note_uses(uses, comp->clauses[i].tests.data[t]);
  }
  note_uses(uses, comp->element);
}

static void note_uses(void *context, Expr *expr) {
  Uses *uses = context;
  bool is_use = expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
                sym_is(expr->u.call.callee->u.name.id, S("use"));
  if (is_use) {
    const Expr *name = expr->u.call.args.data[0];
    assert_int_equal(name->kind, EXPR_NAME);
    if (uses->text.len) buf_lit(&uses->text, ", ");
    switch (name->u.name.ref) {
      case REF_LOCAL:
        buf_printf(&uses->text, "local %u", name->u.name.slot);
        break;
      case REF_FREE:
        buf_printf(&uses->text, "free %u:%u", name->u.name.up, name->u.name.slot);
        break;
      case REF_GLOBAL:
        buf_lit(&uses->text, "global");
        break;
      case REF_CLASS:
        buf_lit(&uses->text, "class");
        break;
      default:
        buf_lit(&uses->text, "builtin");
    }
    return;
  }
  if (expr->kind == EXPR_COMP) note_comprehension(uses, expr->u.comp);
  else if (expr->kind == EXPR_LAMBDA) note_uses(uses, expr->u.lambda->lambda_body);
  else expr_children(expr, note_uses, uses);
}

static void note_block(Uses *uses, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) {
    Stmt *stmt = block->data[i];
    if (stmt->kind == STMT_EXPR) note_uses(uses, stmt->u.expr);
    else if (stmt->kind == STMT_ASSIGN) note_uses(uses, stmt->u.assign.value);
    else if (stmt->kind == STMT_FUNCTION) note_block(uses, &stmt->u.function->body);
    else if (stmt->kind == STMT_CLASS) note_block(uses, &stmt->u.class_->body);
    else if (stmt->kind == STMT_TRY) note_block(uses, &stmt->u.try_.handlers[0].body);
    else if (stmt->kind == STMT_MATCH) note_block(uses, &stmt->u.match.cases[0].body);
  }
}

static void looks_up(const char *text, const char *expected) {
  File file = file_of(text);
  Uses uses = {{.arena = &file.arena}};
  note_block(&uses, &file.ast->module->body);
  buf_char(&uses.text, 0);
  assert_string_equal(buf_view(&uses.text).ptr, expected);
  file_release(&file);
}

static void scopes__functions(void **state) {
  (void)state;
  looks_up("def f(a, b=1, *c, d, **e):\n  x = 1\n  use(a)\n  use(e)\n  use(x)\n", "local 0, local 4, local 5");
  looks_up("x = 1\ndef f():\n  use(x)\n", "global");
  looks_up("def f():\n  use(x)\n  x = 1\n", "local 0");  // local although read before
  looks_up("def f():\n  use(x)\n", "builtin");
  looks_up("def f():\n  x = 1\n  def g():\n    def h():\n      use(x)\n", "free 2:0");
  looks_up("def f(a):\n  return_ = lambda b: use(a)\n", "free 1:0");
  looks_up("f = lambda a: use(a)\n", "local 0");
  looks_up("def f():\n  import a.b\n  use(a)\n", "local 0");
  looks_up("def f():\n  import a.b as c\n  use(c)\n  use(a)\n", "local 0, builtin");
  looks_up("def f():\n  del x\n  use(x)\n", "local 0");
  looks_up("def f():\n  x: int\n  use(x)\n", "local 0");
}

static void scopes__global_and_nonlocal(void **state) {
  (void)state;
  looks_up("def f():\n  global x\n  x = 1\n  use(x)\n", "global");
  looks_up("def f():\n  x = 0\n  def g():\n    nonlocal x\n    x = 1\n    use(x)\n", "free 1:0");
  looks_up("def f():\n  def g():\n    nonlocal x\n    use(x)\n  x = 0\n", "free 1:1");
  looks_up("x = 1\ndef f():\n  x = 0\n  def g():\n    global x\n    use(x)\n", "global");
  looks_up("class A:\n  global y\n  y = 1\n  use(y)\n", "global");
}

static void scopes__comprehensions(void **state) {
  (void)state;
  looks_up("def f(x):\n  [use(x) for x in y]\n", "local 1");  // a slot of its own
  looks_up("def f(x):\n  [0 for x in use(x)]\n", "local 0");  // first iterable: outside
  looks_up("def f(x):\n  [0 for y in x for x in use(x)]\n", "local 2");  // the second: inside
  looks_up("def f():\n  [0 for y in z if (w := y)]\n  use(w)\n", "local 1");
  looks_up("[use(x) for x in y]\n", "local 0");  // a slot of the module body
  looks_up("[(w := x) for x in y]\nuse(w)\n", "global");
  looks_up("def f():\n  [lambda: use(x) for x in y]\n", "free 1:0");
  looks_up("class A:\n  n = 1\n  [use(n) for _ in y]\n", "builtin");  // classes are invisible in there
  looks_up("class A:\n  n = 1\n  [0 for _ in use(n)]\n", "class");
}

static void scopes__classes(void **state) {
  (void)state;
  looks_up("class A:\n  n = 1\n  use(n)\n  def m(self):\n    use(n)\n", "class, builtin");
  looks_up("n = 0\nclass A:\n  n = 1\n  def m(self):\n    use(n)\n", "global");
  looks_up("def f(n):\n  class A:\n    use(n)\n    def m(self):\n      use(n)\n", "local 0, free 1:0");
  looks_up("class A:\n  n = 1\n  class B:\n    use(n)\n", "builtin");
}

static void scopes__other_binders(void **state) {
  (void)state;
  looks_up("def f():\n  try: pass\n  except E as e:\n    use(e)\n", "local 0");
  looks_up("def f(v):\n  match v:\n    case [a, *rest]:\n      use(a)\n      use(rest)\n", "local 1, local 2");
  looks_up("def f(v):\n  match v:\n    case {'k': a} as whole:\n      use(a)\n      use(whole)\n", "local 1, local 2");
  looks_up("from m import *\nuse(x)\n", "builtin");
}

static void scopes__qualnames(void **state) {
  (void)state;
  File file = file_of(
      "class A:\n  class B:\n    def m(self):\n      def g(): pass\n      return lambda: 0\n"
      "def f():\n  class C:\n    def n(self): pass\n  global top\n  def top(): pass\n");
  function_named(&file, "A.B.m");
  function_named(&file, "A.B.m.<locals>.g");
  function_named(&file, "A.B.m.<locals>.<lambda>");
  function_named(&file, "f.<locals>.C.n");
  function_named(&file, "top");
  file_release(&file);
}

static void scopes__binding_sites(void **state) {
  (void)state;
  File file = file_of(
      "import typing\n"
      "if typing.TYPE_CHECKING:\n  import a\n"
      "def f():\n  global counter\n  counter = 1\n"
      "counter = 0\n"
      "for i in y: pass\n"
      "k = v = w.z\n"
      "def g(): return counter\n");
  const Scope *module = file.ast->module->scope;
  const Binding *a = binding_of(&file, module, "a");
  assert_true(a->sites.data[0].in_type_checking && a->sites.data[0].conditional);
  const Binding *counter = binding_of(&file, module, "counter");
  assert_int_equal(counter->sites.len, 2);
  assert_true(counter->sites.data[0].conditional);  // in source order: the one in the function first
  assert_false(counter->sites.data[1].conditional);
  assert_true(counter->written_by_inner && counter->captured);
  assert_int_equal(binding_of(&file, module, "i")->kinds, BIND_FOR);
  assert_int_equal(binding_of(&file, module, "v")->sites.data[0].value->kind, EXPR_ATTR);
  const Scope *f = function_named(&file, "f")->scope;
  assert_int_equal(f->slot_count, 0);
  file_release(&file);
}

static void scopes__slot_names_and_owners(void **state) {
  (void)state;
  File file = file_of("def f(a):\n  b = [c for c in a]\n  def g():\n    return b\n");
  const Function *f = function_named(&file, "f"), *g = function_named(&file, "f.<locals>.g");
  assert_true(sym_is(scope_slot_name(f, 0), S("a")));
  assert_true(sym_is(scope_slot_name(f, 1), S("c")));
  assert_true(sym_is(scope_slot_name(f, 2), S("b")));
  assert_null(scope_slot_name(f, 9));
  assert_ptr_equal(scope_owner(g, g->body.data[0]->u.expr), f);
  assert_true(binding_of(&file, f->scope, "b")->captured);
  file_release(&file);
}

/* ---- facts ---- */

typedef struct FactsCase {
  File file;
  FunctionFacts *facts;
} FactsCase;

static FactsCase facts_of_text(const char *text) {
  FactsCase test = {.file = file_of(text)};
  const Function *function =
      test.file.ast->functions.len > 1 ? test.file.ast->functions.data[1] : test.file.ast->module;
  test.facts = facts_build(&test.file.arena, function);
  return test;
}

static const char *set_text(FactsCase *test, const BitSet *set) {
  StrBuf buf = {.arena = &test->file.arena};
  for (uint32_t i = 0; i < test->facts->places.len; i++) {
    if (!bitset_has(set, i)) continue;
    if (buf.len) buf_char(&buf, ' ');
    buf_str(&buf, test->facts->places.data[i].text);
  }
  buf_char(&buf, 0);
  return buf_view(&buf).ptr;
}

/* The nth recorded statement: ifs in source order, then loops, inner ones first. */
typedef struct Expected {
  const char *modified, *modified_else, *live_after, *definite_before, *definite_main, *definite_else;
  BlockEnd end_main, end_else;
  bool normalised;
} Expected;

static void expect_if(const char *text, uint32_t nth, Expected expected) {
  FactsCase test = facts_of_text(text);
  uint32_t at = 0;
  for (; at < test.facts->stmts.len; at++) {
    if (test.facts->stmts.data[at].stmt->kind == STMT_IF && nth-- == 0) break;
  }
  assert_true(at < test.facts->stmts.len);
  const StmtFacts *facts = &test.facts->stmts.data[at];
  assert_ptr_equal(facts_of(test.facts, facts->stmt, facts->arm), facts);
  assert_string_equal(set_text(&test, &facts->modified), expected.modified);
  assert_string_equal(set_text(&test, &facts->modified_else), expected.modified_else);
  assert_string_equal(set_text(&test, &facts->live_after), expected.live_after);
  assert_string_equal(set_text(&test, &facts->definite_before), expected.definite_before);
  assert_string_equal(set_text(&test, &facts->definite_main), expected.definite_main);
  assert_string_equal(set_text(&test, &facts->definite_else), expected.definite_else);
  assert_int_equal(facts->end_main, expected.end_main);
  assert_int_equal(facts->end_else, expected.end_else);
  assert_int_equal(facts->normalised, expected.normalised);
  file_release(&test.file);
}

static void expect_loop(const char *text, const char *modified, const char *live_after, const char *live_in_body,
                        const char *definite_before) {
  FactsCase test = facts_of_text(text);
  const StmtFacts *facts = NULL;
  for (uint32_t i = 0; i < test.facts->stmts.len; i++) {
    if (test.facts->stmts.data[i].stmt->kind != STMT_IF)
      facts = &test.facts->stmts.data[i];  // the outermost is the last
  }
  assert_non_null(facts);
  assert_string_equal(set_text(&test, &facts->modified), modified);
  assert_string_equal(set_text(&test, &facts->live_after), live_after);
  assert_string_equal(set_text(&test, &facts->live_in_body), live_in_body);
  assert_string_equal(set_text(&test, &facts->definite_before), definite_before);
  file_release(&test.file);
}

static void facts__branch_local_name(void **state) {
  (void)state;
  expect_if("def f(t):\n  if t > 0:\n    x = 1\n  return x\n", 0,
            (Expected){"x", "", "x", "t", "t x", "t", END_FALLS, END_FALLS, false});
  expect_if("def f(t):\n  if t > 0:\n    x = 1\n    y = x\n  return t\n", 0,
            (Expected){"x y", "", "t", "t", "t x y", "t", END_FALLS, END_FALLS, false});
  expect_if("def f(t):\n  x = 0\n  if t > 0:\n    x = 1\n  else:\n    z = 2\n  return x\n", 0,
            (Expected){"x", "z", "x", "t x", "t x", "t x z", END_FALLS, END_FALLS, false});
}

static void facts__early_return_takes_the_rest_as_else(void **state) {
  (void)state;
  expect_if("def f(t):\n  if t > 0:\n    return 1\n  x = 2\n  return x\n", 0,
            (Expected){"", "x", "", "t", "t", "t x", END_RETURNS, END_RETURNS, true});
  expect_if("def f(t):\n  if t > 0:\n    x = 1\n  else:\n    return 2\n  x += 1\n  return x\n", 0,
            (Expected){"x", "", "", "t", "t x", "t", END_RETURNS, END_RETURNS, true});
  expect_if("def f(t):\n  if t > 0:\n    return 1\n", 0,
            (Expected){"", "", "", "t", "t", "t", END_RETURNS, END_FALLS, false});
  expect_if("def f(t):\n  if t > 0:\n    return 1\n  g(t)\n", 0,
            (Expected){"", "", "", "t", "t", "t", END_RETURNS, END_FALLS, true});
}

static void facts__only_the_first_arm_gets_the_rest(void **state) {
  (void)state;
  // "the else branch must also have a return statement", of the second test.
  const char *chain = "def f(t):\n  if t > 5:\n    return 1\n  elif t > 2:\n    return 2\n  return 3\n";
  expect_if(chain, 0, (Expected){"", "", "", "t", "t", "t", END_RETURNS, END_RETURNS, true});
  expect_if(chain, 1, (Expected){"", "", "", "t", "t", "t", END_RETURNS, END_FALLS, false});
  // The same for an if whose rest stands outside of a with.
  expect_if("def f(t):\n  with s:\n    if t:\n      return 1\n  return 2\n", 0,
            (Expected){"", "", "", "t", "t", "t", END_RETURNS, END_FALLS, false});
  // "'x' must also be initialized in the main branch", of the inner if.
  expect_if("def f(t):\n  if t > 5:\n    if t > 7:\n      return 1\n    x = 2\n  else:\n    x = 3\n  return x\n", 0,
            (Expected){"x", "x", "x", "t", "t x", "t x", END_FALLS, END_FALLS, false});
  expect_if("def f(t):\n  if t > 5:\n    if t > 7:\n      return 1\n    x = 2\n  else:\n    x = 3\n  return x\n", 1,
            (Expected){"", "x", "x", "t", "t", "t x", END_RETURNS, END_FALLS, true});
}

static void facts__raise_is_no_return(void **state) {
  (void)state;
  expect_if("def f(t):\n  if t > 0:\n    raise E\n  x = 1\n  return x\n", 0,
            (Expected){"", "", "", "t", "t", "t", END_RETURNS, END_FALLS, false});
}

static void facts__break_and_continue_carry_names_out(void **state) {
  (void)state;
  // "'x' must also be initialized in the else branch".
  expect_if("def f(t):\n  while True:\n    if t > 2:\n      x = 1\n      break\n    x = 2\n  return x\n", 0,
            (Expected){"x", "", "t x", "t", "t x", "t", END_LEAVES, END_FALLS, false});
  expect_if("def f(t):\n  for i in t:\n    if i > 1:\n      continue\n    x = 1\n    g(x)\n", 0,
            (Expected){"", "", "", "t i", "t i", "t i", END_LEAVES, END_FALLS, false});
  expect_if("def f(t):\n  for i in t:\n    if i > 1:\n      for j in t:\n        break\n      x = 1\n  return t\n", 0,
            (Expected){"j x", "", "t", "t i", "t i x", "t i", END_FALLS, END_FALLS, false});
}

static void facts__composites(void **state) {
  (void)state;
  // "'self.y' must also be initialized in the main branch": composites are always outputs.
  expect_if("def f(self, t):\n  if t:\n    self.x = 1\n  else:\n    self.d['k'] = 2\n  return t\n", 0,
            (Expected){"self.x", "self.d['k']", "t self.x self.d['k']", "self t", "self t self.x", "self t self.d['k']",
                       END_FALLS, END_FALLS, false});
  // The object is made in the branch: nothing to carry out.
  expect_if("def f(t):\n  if t:\n    o = A()\n    o.x = 1\n  return t\n", 0,
            (Expected){"o o.x", "", "t o.x", "t", "t o o.x", "t", END_FALLS, END_FALLS, false});
  // A key that is not constant names no place.
  expect_if("def f(d, k, t):\n  if t:\n    d[k] = 1\n  return d\n", 0,
            (Expected){"", "", "d", "d k t", "d k t", "d k t", END_FALLS, END_FALLS, false});
}

static void facts__nested_functions_keep_names_alive(void **state) {
  (void)state;
  // "'y' must also be initialized in the else branch": g may be called later.
  expect_if("def f(t):\n  def g(): return y\n  if t:\n    y = 1\n  return t\n", 0,
            (Expected){"y", "", "t y", "t g", "t g y", "t g", END_FALLS, END_FALLS, false});
  // A lambda reads where it stands only.
  expect_if("def f(t):\n  g = lambda: y\n  if t:\n    y = 1\n  return t\n", 0,
            (Expected){"y", "", "t", "t g", "t g y", "t g", END_FALLS, END_FALLS, false});
  expect_if("def f(t):\n  if t:\n    y = 1\n  def g(): return y\n  return g\n", 0,
            (Expected){"y", "", "y", "t", "t y", "t", END_FALLS, END_FALLS, false});
}

static void facts__loops(void **state) {
  (void)state;
  expect_loop("def f(n):\n  i = 0\n  while i < n:\n    i += 1\n    x = i\n  return x\n", "i x", "x", "n i", "n i");
  expect_loop("def f(xs):\n  s = 0\n  for x in xs:\n    s += x\n  return s\n", "s x", "s", "s", "xs s");
  expect_loop("def f(xs):\n  for x in xs:\n    y = 1\n    g(y)\n", "x y", "", "", "xs");
  expect_loop("def f(xs):\n  for x in xs:\n    g(y)\n    y = x\n", "x y", "", "y", "xs");
  expect_loop("def f(xs):\n  for x in xs:\n    if x:\n      y = 1\n    g(y)\n", "x y", "", "y", "xs");
  expect_loop("def f(xs):\n  for x in xs:\n    [y for y in x]\n", "x", "", "", "xs");
  expect_loop("def f(xs):\n  for x in xs:\n    with a as b:\n      import c.d\n      def g(): pass\n", "x b c g", "",
              "", "xs");
  expect_loop("def f(xs):\n  for x in xs:\n    break\n  else:\n    y = 1\n  return y\n", "x", "y", "", "xs");
  expect_loop("def f(self, xs):\n  for x in xs:\n    self.n += 1\n", "x self.n", "self.n", "self self.n", "self xs");
}

static void facts__try_and_finally(void **state) {
  (void)state;
  // The handler may be entered before anything was set.
  expect_if("def f(t):\n  try:\n    x = g()\n    y = h()\n  except E:\n    z = 1\n  if t:\n    pass\n  return t\n", 0,
            (Expected){"", "", "t", "t", "t", "t", END_FALLS, END_FALLS, false});
  expect_if("def f(t):\n  x = 0\n  try:\n    x = g()\n  finally:\n    y = 1\n  if t:\n    pass\n  return t\n", 0,
            (Expected){"", "", "t", "t x y", "t x y", "t x y", END_FALLS, END_FALLS, false});
  // What the handler reads is live wherever the body may fail.
  expect_if("def f(t):\n  try:\n    if t:\n      x = 1\n    g()\n  except E:\n    h(x)\n", 0,
            (Expected){"x", "", "x", "t", "t x", "t", END_FALLS, END_FALLS, false});
}

static void facts__match_and_delete(void **state) {
  (void)state;
  expect_if(
      "def f(t, v):\n  match v:\n    case [a]:\n      b = 1\n    case _:\n      b = 2\n  if t:\n    del b\n  return t\n",
      0, (Expected){"b", "", "t", "t v b", "t v", "t v b", END_FALLS, END_FALLS, false});
}

static void facts__module_globals(void **state) {
  (void)state;
  expect_if("x = 1\nif x:\n  y = 2\n", 0, (Expected){"y", "", "x y", "x", "x y", "x", END_FALLS, END_FALLS, false});
}

static void facts__dead_code_has_none(void **state) {
  (void)state;
  FactsCase test = facts_of_text("def f(t):\n  return t\n  if t:\n    pass\n");
  assert_int_equal(test.facts->stmts.len, 0);
  file_release(&test.file);
}

static void facts__places(void **state) {
  (void)state;
  FactsCase test =
      facts_of_text("def f(self, d):\n  self.a = d['k']\n  if d:\n    d['k'] = self.a\n  d[-1] = self.b\n");
  const Block *body = &test.facts->function->body;
  const Expr *target = body->data[0]->u.assign.targets.data[0], *value = body->data[0]->u.assign.value;
  const Expr *last = body->data[2]->u.assign.value;
  assert_true(str_eq(test.facts->places.data[facts_place(test.facts, target)].text, S("self.a")));
  assert_true(str_eq(test.facts->places.data[facts_place(test.facts, value)].text, S("d['k']")));
  assert_int_equal(facts_place(test.facts, last), UINT32_MAX);
  const Expr *negative = body->data[2]->u.assign.targets.data[0];
  assert_true(str_eq(test.facts->places.data[facts_place(test.facts, negative)].text, S("d[-1]")));
  file_release(&test.file);
}

static void facts__block_reads(void **state) {
  (void)state;
  File file = file_of("def f(a):\n  b = 1\n  def g():\n    return [c for c in a]\n");
  const Block *body = &function_named(&file, "f")->body;
  assert_true(block_reads(body, sym_intern(file.symbols, S("a"))));
  assert_true(block_reads(body, sym_intern(file.symbols, S("c"))));
  assert_false(block_reads(body, sym_intern(file.symbols, S("b"))));
  file_release(&file);
}

/* Twenty nested loops: doubling the work with each of them would take forever. */
static void facts__deep_nests_are_cheap(void **state) {
  (void)state;
  Arena arena = {0};
  StrBuf text = {.arena = &arena};
  buf_lit(&text, "def f(t):\n");
  for (uint32_t i = 1; i <= 60; i++) {
    buf_repeat(&text, ' ', i);
    buf_printf(&text, "for i%u in t:\n", i);
  }
  buf_repeat(&text, ' ', 61);
  buf_lit(&text, "x = 1\n");
  buf_char(&text, 0);
  FactsCase test = facts_of_text(buf_view(&text).ptr);
  assert_int_equal(test.facts->stmts.len, 60);
  file_release(&test.file);
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scopes__functions),
      cmocka_unit_test(scopes__global_and_nonlocal),
      cmocka_unit_test(scopes__comprehensions),
      cmocka_unit_test(scopes__classes),
      cmocka_unit_test(scopes__other_binders),
      cmocka_unit_test(scopes__qualnames),
      cmocka_unit_test(scopes__binding_sites),
      cmocka_unit_test(scopes__slot_names_and_owners),
      cmocka_unit_test(facts__branch_local_name),
      cmocka_unit_test(facts__early_return_takes_the_rest_as_else),
      cmocka_unit_test(facts__only_the_first_arm_gets_the_rest),
      cmocka_unit_test(facts__raise_is_no_return),
      cmocka_unit_test(facts__break_and_continue_carry_names_out),
      cmocka_unit_test(facts__composites),
      cmocka_unit_test(facts__nested_functions_keep_names_alive),
      cmocka_unit_test(facts__loops),
      cmocka_unit_test(facts__try_and_finally),
      cmocka_unit_test(facts__match_and_delete),
      cmocka_unit_test(facts__module_globals),
      cmocka_unit_test(facts__dead_code_has_none),
      cmocka_unit_test(facts__places),
      cmocka_unit_test(facts__block_reads),
      cmocka_unit_test(facts__deep_nests_are_cheap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

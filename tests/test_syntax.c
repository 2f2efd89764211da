/* Unit tests of the syntax floor. Shapes are compared through ast_dump without its spans; spans have tests of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "syntax/ast.h"
#include "syntax/node_kind.h"

const TSLanguage *tree_sitter_python(void);

typedef struct Parsed {
  Arena arena;
  SymTable *symbols;
  Source source;
  Ast *ast;
} Parsed;

static void parse(Parsed *parsed, Str text) {
  *parsed = (Parsed){.symbols = sym_table_new()};
  source_init(&parsed->arena, &parsed->source, S("a.py"), text);
  assert_false(parsed->source.error);
  parsed->ast = ast_parse(&parsed->arena, parsed->symbols, &parsed->source);
}

static void done(Parsed *parsed) {
  arena_release(&parsed->arena);
  sym_table_release(parsed->symbols);
}

/* The dump with each line cut at its span and lines joined by `|`, indentation by `>`: "expr|>name a". */
static Str shape_of(Parsed *parsed) {
  Str rest = ast_dump(&parsed->arena, parsed->ast);
  StrBuf buf = {.arena = &parsed->arena};
  while (rest.len > 0) {
    Str line = str_cut(&rest, '\n');
    if (buf.len > 0) buf_char(&buf, '|');
    for (; str_starts(line, S("  ")); line = str_sub(line, 2, line.len)) buf_char(&buf, '>');
    size_t space = str_rfind_char(line, ' ');
    bool has_span = space != STR_NONE && str_contains(str_sub(line, space, line.len), S("-")) &&
                    line.ptr[space + 1] >= '0' && line.ptr[space + 1] <= '9';
    buf_str(&buf, has_span ? str_sub(line, 0, space) : line);
  }
  return buf_view(&buf);
}

static void assert_shape(const char *text, const char *expected) {
  Parsed parsed;
  parse(&parsed, str_from(text));
  assert_string_equal(str_copy(&parsed.arena, shape_of(&parsed)).ptr, expected);
  done(&parsed);
}

static Expr *first_expr(Parsed *parsed) { return parsed->ast->module->body.data[0]->u.expr; }

static void assert_span(Parsed *parsed, Span span, const char *expected) {
  assert_string_equal(str_copy(&parsed->arena, source_slice(&parsed->source, span)).ptr, expected);
}

static void grammar__has_every_name(void **state) {
  (void)state;
  Arena arena = {0};
  NodeKinds kinds;
  node_kinds_init(&arena, &kinds, tree_sitter_python());
  assert_string_equal(str_copy(&arena, node_kinds_unknown(&kinds)).ptr, "");
  arena_release(&arena);
}

static void expr__operators(void **state) {
  (void)state;
  assert_shape("a + b - c", "expr|>binary -|>>binary +|>>>name a|>>>name b|>>name c");
  assert_shape("a ** b ** c", "expr|>binary **|>>name a|>>binary **|>>>name b|>>>name c");
  assert_shape("(a @ b)", "expr|>binary @|>>name a|>>name b");
  assert_shape("a and b and c or d", "expr|>bool or|>>bool and|>>>name a|>>>name b|>>>name c|>>name d");
  assert_shape("a and (b and c)", "expr|>bool and|>>name a|>>bool and|>>>name b|>>>name c");
  assert_shape("a < b not  in c is not d", "expr|>compare < not in is not|>>name a|>>name b|>>name c|>>name d");
  assert_shape("not -a", "expr|>unary not|>>unary -|>>>name a");
  assert_shape("x if c else y", "expr|>ternary|>>name c|>>name x|>>name y");
  assert_shape("(n := f())", "expr|>walrus|>>call|>>>name f|>>name n store");
}

static void expr__calls_and_places(void **state) {
  (void)state;
  assert_shape(
      "f(a, *b, k=c, **d)",
      "expr|>call|>>name f|>>args:|>>>name a|>>>starred|>>>>name b|>>keyword k|>>>name c|>>keyword **|>>>name d");
  assert_shape(
      "f(x for x in y)",
      "expr|>call|>>name f|>>args:|>>>comp generator|>>>>element:|>>>>>name x|>>>>for|>>>>>name x store|>>>>>name y");
  assert_shape("a.b[0]", "expr|>subscript|>>attr b|>>>name a|>>const int 0");
  assert_shape(
      "a[1:, ::2]",
      "expr|>subscript|>>name a|>>tuple|>>>slice|>>>>lower:|>>>>>const int 1|>>>slice|>>>>step:|>>>>>const int 2");
  assert_shape("a[b,]", "expr|>subscript|>>name a|>>tuple|>>>name b");
  assert_shape("a[*b]", "expr|>subscript|>>name a|>>tuple|>>>starred|>>>>name b");
  assert_shape("*a.b, *c + d",
               "expr|>tuple|>>starred|>>>attr b|>>>>name a|>>starred|>>>binary +|>>>>name c|>>>>name d");
}

static void expr__displays(void **state) {
  (void)state;
  assert_shape("()", "expr|>tuple");
  assert_shape("a,", "expr|>tuple|>>name a");
  assert_shape("[(a)]", "expr|>list|>>name a");
  assert_shape("{a, *b}", "expr|>set|>>name a|>>starred|>>>name b");
  assert_shape("{a: b, **c}", "expr|>dict|>>key:|>>>name a|>>value:|>>>name b|>>unpack:|>>>name c");
  assert_shape(
      "{k: v for k, v in d if k for w in v}",
      "expr|>comp dict|>>key:|>>>name k|>>value:|>>>name v|>>for|>>>tuple store|>>>>name k store|>>>>name v store|>>>name d|"
      ">>>if:|>>>>name k|>>for|>>>name w store|>>>name v");
  assert_shape("[a async for a in b]", "expr|>comp list|>>element:|>>>name a|>>for async|>>>name a store|>>>name b");
  assert_shape(
      "lambda a, *b, c=d, **e: a",
      "expr|>lambda|>>param normal a|>>param varargs b|>>param keyword-only c|>>>default:|>>>>name d|>>param kwargs e|>>name a");
}

static void expr__numbers(void **state) {
  (void)state;
  assert_shape("1_000", "expr|>const int 1000");
  assert_shape("0xFF_ff", "expr|>const int 65535");
  assert_shape("0o17", "expr|>const int 15");
  assert_shape("0b101", "expr|>const int 5");
  assert_shape("00", "expr|>const int 0");
  assert_shape("1.5e3", "expr|>const float 1500");
  assert_shape("2j", "expr|>const complex 2");
  assert_shape("9223372036854775807", "expr|>const int 9223372036854775807");
  assert_shape("9223372036854775808", "expr|>const int inexact");
  assert_shape("0777", "expr|>const int 511|python2");
  assert_shape("10L", "expr|>const int 10|python2");
}

static void expr__strings(void **state) {
  (void)state;
  assert_shape("'a\\x41\\n\\101\\q'", "expr|>const str \"aA\\nA\\\\q\"");
  assert_shape("r'\\n'", "expr|>const str \"\\\\n\"");
  assert_shape("'\\u00e9' 'x'  \"y\"", "expr|>const str \"éxy\"");
  assert_shape("b'\\x41'", "expr|>const bytes \"A\"");
  assert_shape("'''a\r\nb\\\nc'''", "expr|>const str \"a\\nbc\"");
  assert_shape("'\\N{DASH}'", "expr|>const str \"\\\\N{DASH}\" inexact");
  assert_shape("f'a{b}{{c}}' 'd{e}'",
               "expr|>fstring|>>const str \"a\"|>>name b|>>const str \"{c}\"|>>const str \"d{e}\"");
  assert_shape("f'{a!r:>{b}}'", "expr|>fstring spec|>>name a|>>name b");
  assert_shape("f'{f'{a}'}'", "expr|>fstring|>>fstring|>>>name a");
  assert_shape("t'{a}'", "expr|>fstring template|>>name a");
  assert_shape("`a`", "expr|>opaque|python2");
}

static void stmt__simple(void **state) {
  (void)state;
  assert_shape("a = b.c = d", "assign|>targets:|>>name a store|>>attr c store|>>>name b|>value:|>>name d");
  assert_shape(
      "(a), [b, *c] = d",
      "assign|>targets:|>>tuple store|>>>name a store|>>>list store|>>>>name b store|>>>>starred store|>>>>>name c store|>value:|>>name d");
  assert_shape("a //= b", "augassign //|>name a store|>name b");
  assert_shape("a: list[int] = b",
               "annassign|>name a store|>annotation:|>>subscript|>>>name list|>>>name int|>value:|>>name b");
  assert_shape("del a, b[c]", "delete|>name a store|>subscript store|>>name b|>>name c");
  assert_shape("raise A from b", "raise|>exc:|>>name A|>cause:|>>name b");
  assert_shape("raise", "raise");
  assert_shape("assert a, b", "assert|>name a|>message:|>>name b");
  assert_shape("global a, b; pass", "global a b|pass");
  assert_shape("x = yield from y", "assign|>targets:|>>name x store|>value:|>>yield from|>>>name y");
  assert_shape("type X[T] = int", "type|>name X store|>name int");
  assert_shape("type(a).b = c",
               "assign|>targets:|>>attr b store|>>>call|>>>>name type|>>>>args:|>>>>>name a|>value:|>>name c");
  assert_shape("type = match = 1", "assign|>targets:|>>name type store|>>name match store|>value:|>>const int 1");
}

static void stmt__imports(void **state) {
  (void)state;
  assert_shape("import a.b as c, d", "import|>import-name a.b as c|>import-name d");
  assert_shape("from ..a import (b as c, d,)", "from-import ..a|>import-name b as c|>import-name d");
  assert_shape("from . import *", "from-import .|>import-name *");
  assert_shape("from __future__ import annotations", "from-import __future__|>import-name annotations");
}

static void stmt__compound(void **state) {
  (void)state;
  assert_shape(
      "if a: b\nelif c: d\nelse: e",
      "if|>arm|>>test:|>>>name a|>>body:|>>>expr|>>>>name b|>arm|>>test:|>>>name c|>>body:|>>>expr|>>>>name d|>arm|>>body:|>>>expr|>>>>name e");
  assert_shape(
      "for a, in *b, c: pass\nelse: d",
      "for|>target:|>>tuple store|>>>name a store|>iter:|>>tuple|>>>starred|>>>>name b|>>>name c|>body:|>>pass|>else:|>>expr|>>>name d");
  assert_shape("while a: break", "while|>test:|>>name a|>body:|>>break");
  assert_shape("with (a as b, c): pass",
               "with|>context:|>>name a|>target:|>>name b store|>context:|>>name c|>body:|>>pass");
  assert_shape("with (a, b) as c: pass",
               "with|>context:|>>tuple|>>>name a|>>>name b|>target:|>>name c store|>body:|>>pass");
  assert_shape(
      "try: a\nexcept (A, B) as e: b\nexcept: c\nelse: d\nfinally: f",
      "try|>body:|>>expr|>>>name a|>handler|>>type:|>>>tuple|>>>>name A|>>>>name B|>>name:|>>>name e store|>>body:|>>>expr|>>>>name b|"
      ">handler|>>body:|>>>expr|>>>>name c|>else:|>>expr|>>>name d|>finally:|>>expr|>>>name f");
  assert_shape("try: pass\nexcept* A: pass", "try|>body:|>>pass|>handler|>>type:|>>>name A|>>body:|>>>pass");
  assert_shape("try: pass\nexcept A, B: pass",
               "try|>body:|>>pass|>handler|>>type:|>>>tuple|>>>>name A|>>>>name B|>>body:|>>>pass");
}

static void stmt__match(void **state) {
  (void)state;
  assert_shape(
      "match a:\n  case [1, *r] | {'k': v, **w}: pass\n",
      "match|>subject:|>>name a|>case|>>or-pattern|>>>sequence|>>>>value|>>>>>const int 1|>>>>star-pattern r|>>>mapping|"
      ">>>>value|>>>>>const str \"k\"|>>>>capture v|>>>>star-pattern w|>>body:|>>>pass");
  assert_shape(
      "match a, b:\n  case C(x, k=-1) as y if z: pass\n  case m.n, _: pass\n",
      "match|>subject:|>>tuple|>>>name a|>>>name b|>case|>>as-pattern y|>>>class-pattern|>>>>name C|>>>>capture x|>>>>value|"
      ">>>>>unary -|>>>>>>const int 1|>>guard:|>>>name z|>>body:|>>>pass|>case|>>sequence|>>>value|>>>>attr n|>>>>>name m|"
      ">>>wildcard|>>body:|>>>pass");
}

static void def__functions_and_classes(void **state) {
  (void)state;
  assert_shape(
      "@d\nasync def f(a, /, b: T = 1, *, c) -> R:\n  'doc'\n  yield\n",
      "function f async generator docstring|>decorators:|>>name d|>param positional-only a|>param normal b|>>annotation:|>>>name T|"
      ">>default:|>>>const int 1|>param keyword-only c|>returns:|>>name R|>body:|>>expr|>>>const str \"doc\"|>>expr|>>>yield");
  assert_shape("class A[T](B, metaclass=M): pass",
               "class A|>bases:|>>name B|>keyword metaclass|>>name M|>body:|>>pass");
  assert_shape("def f[T: int, *Ts, **P](x: T): ...",
               "function f|>param normal x|>>annotation:|>>>name T|>body:|>>expr|>>>const ...");
  assert_shape("def f((a, b), c): pass", "function f|>param normal -|>param normal c|>body:|>>pass|python2");
}

static void def__own_yields_only(void **state) {
  (void)state;
  Parsed parsed;
  parse(&parsed, S("def a():\n  def b(): yield\n  lambda: (yield)\n  [(yield) for x in y]\n"
                   "def c(): return [x for x in (yield)]\n"));
  static const bool GENERATOR[] = {false, false, true, true, true};  // module, a, b, lambda, c
  assert_int_equal(parsed.ast->functions.len, 5);
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(parsed.ast->functions.data[i]->is_generator, GENERATOR[i]);
  done(&parsed);
}

static void def__parents_owners_and_order(void **state) {
  (void)state;
  Parsed parsed;
  parse(&parsed, S("class A:\n  x = lambda: 1\n  @d(lambda: 2)\n  def m(self, k=lambda: 3):\n    class B: pass\n"));
  Ast *ast = parsed.ast;
  assert_int_equal(ast->functions.len, 5);
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(ast->functions.data[i]->index, i);
  Function *method = ast->functions.data[3];
  assert_true(sym_is(method->name, S("m")));
  assert_true(ast->functions.data[2]->is_lambda && ast->functions.data[4]->is_lambda);
  assert_ptr_equal(ast->functions.data[4]->parent, ast->module);  // a default belongs to where the function stands
  assert_ptr_equal(method->owner, ast->classes.data[0]);
  assert_ptr_equal(ast->classes.data[1]->parent, method);
  assert_null(ast->classes.data[1]->owner);
  assert_ptr_equal(method->stmt->u.function, method);
  done(&parsed);
}

static void spans__of_definitions(void **state) {
  (void)state;
  Parsed parsed;
  parse(&parsed, S("@a.b(c)\n@d\ndef f(x):  # one\n  return x  # two\n  # three\n\ny = 1\n"));
  Stmt *stmt = parsed.ast->module->body.data[0];
  assert_span(&parsed, stmt->span, "@a.b(c)\n@d\ndef f(x):  # one\n  return x");
  assert_span(&parsed, stmt->header, "@a.b(c)\n@d\ndef f(x):");
  assert_span(&parsed, stmt->u.function->header, "def f(x):");
  assert_span(&parsed, stmt->u.function->name_span, "f");
  assert_span(&parsed, stmt->u.function->decorators[0]->span, "a.b(c)");
  assert_span(&parsed, stmt->u.function->decorators[0]->u.call.paren, "(c)");
  assert_int_equal(parsed.ast->comments.len, 3);
  assert_span(&parsed, parsed.ast->comments.data[1].span, "# two");
  assert_false(parsed.ast->comments.data[1].own_line);
  assert_true(parsed.ast->comments.data[2].own_line);
  done(&parsed);
}

static void spans__of_clauses_and_operands(void **state) {
  (void)state;
  Parsed parsed;
  parse(&parsed, S("if (a) + b: c  # x\nelif d: e\nfor i in j: k\nelse: l  # y\n"));
  Stmt *branch = parsed.ast->module->body.data[0], *loop = parsed.ast->module->body.data[1];
  assert_span(&parsed, branch->span, "if (a) + b: c  # x\nelif d: e");
  assert_span(&parsed, branch->u.branch.arms[0].header, "if (a) + b:");
  assert_span(&parsed, branch->u.branch.arms[1].header, "elif d:");
  Expr *sum = branch->u.branch.arms[0].test;
  assert_span(&parsed, sum->span, "(a) + b");
  assert_span(&parsed, sum->u.binary.left->span, "a");
  assert_span(&parsed, sum->u.binary.op_span, "+");
  assert_span(&parsed, loop->span, "for i in j: k\nelse: l");
  done(&parsed);
}

static void lookup__statement_and_function(void **state) {
  (void)state;
  Parsed parsed;
  Str text = S("def f():\n  if a:\n    b\n\n  else:\n    c = lambda: d\n\nx\n");
  parse(&parsed, text);
  Ast *ast = parsed.ast;
  assert_int_equal(ast_stmt_at(ast, (uint32_t)str_find(text, S("f()")))->kind, STMT_FUNCTION);
  assert_int_equal(ast_stmt_at(ast, (uint32_t)str_find(text, S("a:")))->kind, STMT_IF);
  assert_int_equal(ast_stmt_at(ast, (uint32_t)str_find(text, S("else")))->kind, STMT_IF);
  assert_int_equal(ast_stmt_at(ast, (uint32_t)str_find(text, S("b\n")))->kind, STMT_EXPR);
  assert_null(ast_stmt_at(ast, (uint32_t)str_find(text, S("\n\n  else")) + 1));
  assert_null(ast_stmt_at(ast, (uint32_t)text.len));
  assert_true(ast_function_at(ast, (uint32_t)str_find(text, S("d\n")))->is_lambda);
  assert_int_equal(ast_function_at(ast, (uint32_t)str_find(text, S("a:")))->index, 1);
  assert_int_equal(ast_function_at(ast, (uint32_t)str_find(text, S("x\n")))->index, 0);
  done(&parsed);
}

static void expr__paths_and_text(void **state) {
  (void)state;
  Parsed parsed;
  parse(&parsed, S("self.cache[0]['k'], self . cache[ 0 ][\"k\"], self.cache[i], f(  # note\n  'é' ,\n b)\n"));
  ExprList items = first_expr(&parsed)->u.items;
  assert_true(expr_is_path(items.data[0]));
  assert_true(expr_same_path(items.data[0], items.data[1]));
  assert_false(expr_is_path(items.data[2]));
  assert_false(expr_same_path(items.data[0], items.data[2]));
  Str whole = expr_text(&parsed.arena, parsed.ast, items.data[3], 80);
  assert_true(str_eq(whole, S("f( 'é' , b)")));
  assert_true(str_eq(expr_text(&parsed.arena, parsed.ast, items.data[3], 8), S("f( '…")));
  done(&parsed);
}

static void python2__leftovers(void **state) {
  (void)state;
  assert_shape("print 'a', b", "print|>const str \"a\"|>name b|python2");
  assert_shape("print >>f, x", "print|>name f|>name x|python2");
  assert_shape("print(a)", "expr|>call|>>name print|>>args:|>>>name a");
  assert_shape("exec a in b", "print|>name a|>name b|python2");
  assert_shape("try: pass\nexcept E, e: pass",
               "try|>body:|>>pass|>handler|>>type:|>>>name E|>>name:|>>>name e store|>>body:|>>>pass|python2");
  assert_shape("a <> b", "expr|>compare !=|>>name a|>>name b|python2");
  assert_shape("raise E, 'm'", "raise|>exc:|>>name E|python2");
}

static bool binds(const Ast *ast, Str name) {
  for (uint32_t i = 0; i < ast->module->body.len; i++) {
    const Stmt *stmt = ast->module->body.data[i];
    if (stmt->kind != STMT_ASSIGN) continue;
    const Expr *target = stmt->u.assign.targets.data[0];
    if (target->kind == EXPR_NAME && sym_is(target->u.name.id, name)) return true;
  }
  return false;
}

/* One broken statement between two sound ones: both must survive, and the break must be listed. */
static void assert_recovers(const char *broken) {
  Parsed parsed;
  Arena arena = {0};
  parse(&parsed, str_printf(&arena, "before = 1\n%s\nafter = 2\n", broken));
  assert_true(parsed.ast->errors.len > 0);
  assert_true(binds(parsed.ast, S("before")));
  assert_true(binds(parsed.ast, S("after")));
  done(&parsed);
  arena_release(&arena);
}

static void errors__leave_the_rest_alone(void **state) {
  (void)state;
  assert_recovers("%matplotlib inline");
  assert_recovers("lazy import a");
  assert_recovers("def f[T = int](x): return x");
  assert_recovers("x = foo(a b)");
  assert_recovers("$");
  assert_recovers("if x = 3:\n  y");
  assert_shape("x = f(a b)", "assign|>targets:|>>name x store|>value:|>>opaque|error \"syntax error\"");
}

/* A prefix, a piece repeated, a middle, another piece repeated. */
static Str repeated(Arena *arena, const char *head, const char *open, const char *middle, const char *close,
                    uint32_t count) {
  StrBuf buf = {.arena = arena};
  buf_str(&buf, str_from(head));
  for (uint32_t i = 0; i < count; i++) buf_str(&buf, str_from(open));
  buf_str(&buf, str_from(middle));
  for (uint32_t i = 0; i < count; i++) buf_str(&buf, str_from(close));
  buf_lit(&buf, "\nafter = 1\n");
  return buf_view(&buf);
}

static void assert_bounded(const Expr *expr);
static void assert_bounded_child(void *context, Expr *child) {
  (void)context;
  assert_bounded(child);
}
static void assert_bounded(const Expr *expr) {
  assert_true(expr->depth <= AST_MAX_DEPTH);
  expr_children((Expr *)expr, assert_bounded_child, NULL);
}

static void depth__is_bounded(void **state) {
  (void)state;
  static const char *const DEEP[][3] = {
      {"[", "a", "]"},       {"f(", "a", ")"},          {"", "a", ".b()"},  {"", "a", " + b"},
      {"", "a", "[0]"},      {"not ", "a", ""},         {"-", "a", ""},     {"a ** ", "b", ""},
      {"lambda: ", "a", ""}, {"a if b else ", "c", ""}, {"{a: ", "b", "}"},
  };
  for (size_t i = 0; i < sizeof DEEP / sizeof *DEEP; i++) {
    Arena arena = {0};
    Parsed parsed;
    parse(&parsed, repeated(&arena, "x = ", DEEP[i][0], DEEP[i][1], DEEP[i][2], 50000));
    assert_true(parsed.ast->errors.len > 0);
    assert_true(str_eq(parsed.ast->errors.data[0].what, S("nesting deeper than 256")));
    assert_true(binds(parsed.ast, S("x")) && binds(parsed.ast, S("after")));
    assert_bounded(parsed.ast->module->body.data[0]->u.assign.value);
    done(&parsed);
    arena_release(&arena);
  }
}

static void depth__flat_chains_are_not_deep(void **state) {
  (void)state;
  static const char *const FLAT[][3] = {
      {"(", "a", ")"}, {"", "a", " and b"}, {"", "a", " < b"}, {"y = ", "a", ""}, {"", "'a'", " 'b'"}};
  for (size_t i = 0; i < sizeof FLAT / sizeof *FLAT; i++) {
    Arena arena = {0};
    Parsed parsed;
    parse(&parsed, repeated(&arena, "x = ", FLAT[i][0], FLAT[i][1], FLAT[i][2], 20000));
    assert_int_equal(parsed.ast->errors.len, 0);
    assert_bounded(parsed.ast->module->body.data[0]->u.assign.value);
    done(&parsed);
    arena_release(&arena);
  }
}

static void depth__long_sum_keeps_its_first_operands(void **state) {
  (void)state;
  Arena arena = {0};
  Parsed parsed;
  parse(&parsed, repeated(&arena, "x = ", "", "first", " + b", 1000));
  Expr *sum = parsed.ast->module->body.data[0]->u.assign.value;
  assert_int_equal(sum->u.binary.right->kind, EXPR_OPAQUE);
  uint32_t operators = 0;
  for (sum = sum->u.binary.left; sum->kind == EXPR_BINARY; sum = sum->u.binary.left) operators++;
  assert_int_equal(operators, 200);
  assert_true(sym_is(sum->u.name.id, S("first")));
  done(&parsed);
  arena_release(&arena);
}

static void source__lone_carriage_returns_end_lines(void **state) {
  (void)state;
  assert_shape("if a:\r  b\rc", "if|>arm|>>test:|>>>name a|>>body:|>>>expr|>>>>name b|expr|>name c");
  assert_shape("", "");
}

/* `@` stands for a block of comments. */
static Str with_comments(Arena *arena, Str text, uint32_t lines, const char *comment) {
  StrBuf buf = {.arena = arena};
  for (size_t i = 0; i < text.len; i++) {
    for (uint32_t n = 0; text.ptr[i] == '@' && n < lines; n++) buf_str(&buf, str_from(comment));
    if (text.ptr[i] != '@') buf_char(&buf, text.ptr[i]);
  }
  return buf_view(&buf);
}

static void assert_same_with_long_block(const char *text, const char *comment, bool in_string) {
  Arena arena = {0};
  Parsed few, many;
  parse(&few, with_comments(&arena, str_from(text), 2, comment));
  parse(&many, with_comments(&arena, str_from(text), 100, comment));
  const Comments *comments = &many.ast->comments;
  assert_int_equal(comments->len, few.ast->comments.len * 50);
  assert_true(in_string ? comments->len == 0 : comments->len >= 100);
  for (uint32_t i = 0; i < comments->len; i++) {
    assert_true(comments->data[i].own_line);
    assert_span(&many, comments->data[i].span, "# \"'''(");
  }
  if (!in_string)
    assert_string_equal(str_copy(&few.arena, shape_of(&few)).ptr, str_copy(&many.arena, shape_of(&many)).ptr);
  assert_int_equal(few.ast->module->body.len, many.ast->module->body.len);
  done(&few);
  done(&many);
  arena_release(&arena);
}

/* Blocks too long for the grammar are read by us: same tree, same comments. */
static void comments__long_blocks(void **state) {
  (void)state;
  static const char *const texts[] = {
      "def f(a):\n  b\n@  c\nd\n",           "x = [\n  1,\n@  2]\n",
      "if a:\n  b\n@else:\n  c\n@",          "class A:\n  def f(self):\n    b\n@  def g(self): c\n",
      "@\"\"\"Doc.\"\"\"\na = 'it\\'s'\n@b", "a = f('#', \"'''\")\n@c"};
  static const char *const comments[] = {"# \"'''(\n", "    # \"'''(\r\n", " \t# \"'''(\n\n"};
  for (size_t k = 0; k < sizeof comments / sizeof *comments; k++)
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_same_with_long_block(texts[i], comments[k], false);
  assert_same_with_long_block("a = r\"\"\"\\\n@\"\"\"\nb", "# '''\n", true);
  assert_same_with_long_block("a = '\\\n@'\nb", "# a\\\n", true);
}

static const char SAMPLE[] =
    "# -*- coding: utf-8 -*-\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\nimport os, sys as system\nfrom .a import (b as c,  # why\n"
    "                d)\n\n@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True)\n"
    "def step(self, x: tf.Tensor, /, *args: int, k=lambda q, *r: (q, *r), **kw) -> dict[str, int]:\n  'doc'\n"
    "  y = x[..., 1:2, ::-1] @ self.w + -1.5e3j ** 2 // 0x1F\n  if y > 0 and not x is None or z not in (1, 2,):\n    return {**a, 'b': [i for i, in y if i]}\n"
    "  elif (n := len(y)) > 10: pass\n  else:\n    raise E(f'{x!r:>{n}} {{}}' 'é\\u00e9' \"\"\"\nmulti\\\nline\"\"\") from None\n"
    "  for i, (j, *k) in enumerate(y, start=1):\n    with open(i) as f, (g): yield from f\n    try:\n      del a.b, c[d]\n    except (A, B) as e: continue\n"
    "    except* C: break\n    else: global q\n    finally: assert x, 'm'\n  while True: x += 1; y: int = 2\n  async with a as b: await c\n"
    "  match y, z:\n    case [1, -2, *rest] | {'k': v, **o} if v: pass\n    case C(p, q=1) as w: ...\n    case _: pass\n\n"
    "class M[T](Base, metaclass=Meta):\n  x = {k: v async for k, v in d}; y = `a` <> 10L\n  print >>f, 'x'\n  exec code in ns\n\n"
    "type X[T] = list[T]\ntype(a).b = t'{c}'\n";

/* No prefix of a program may do worse than give error regions. */
static void damage__every_prefix(void **state) {
  (void)state;
  for (size_t len = 0; len < sizeof SAMPLE; len++) {
    Arena arena = {0};
    SymTable *symbols = sym_table_new();
    char *copy = malloc(len + 1);  // an allocation of its own, so that the sanitizer sees a read behind the end
    assert_non_null(copy);
    memcpy(copy, SAMPLE, len);
    Source source;
    source_init(&arena, &source, S("a.py"), (Str){copy, len});
    Ast *ast = ast_parse(&arena, symbols, &source);
    ast_dump(&arena, ast);
    for (uint32_t i = 0; i < len; i += 7) {
      ast_stmt_at(ast, i);
      assert_non_null(ast_function_at(ast, i));
    }
    free(copy);
    arena_release(&arena);
    sym_table_release(symbols);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grammar__has_every_name),
      cmocka_unit_test(expr__operators),
      cmocka_unit_test(expr__calls_and_places),
      cmocka_unit_test(expr__displays),
      cmocka_unit_test(expr__numbers),
      cmocka_unit_test(expr__strings),
      cmocka_unit_test(stmt__simple),
      cmocka_unit_test(stmt__imports),
      cmocka_unit_test(stmt__compound),
      cmocka_unit_test(stmt__match),
      cmocka_unit_test(def__functions_and_classes),
      cmocka_unit_test(def__own_yields_only),
      cmocka_unit_test(def__parents_owners_and_order),
      cmocka_unit_test(spans__of_definitions),
      cmocka_unit_test(spans__of_clauses_and_operands),
      cmocka_unit_test(lookup__statement_and_function),
      cmocka_unit_test(expr__paths_and_text),
      cmocka_unit_test(python2__leftovers),
      cmocka_unit_test(errors__leave_the_rest_alone),
      cmocka_unit_test(depth__is_bounded),
      cmocka_unit_test(depth__flat_chains_are_not_deep),
      cmocka_unit_test(depth__long_sum_keeps_its_first_operands),
      cmocka_unit_test(source__lone_carriage_returns_end_lines),
      cmocka_unit_test(comments__long_blocks),
      cmocka_unit_test(damage__every_prefix),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The tree as text, for people and for tests: one node a line, two blanks a level, `kind details line:col-line:col`.
 *
 * Columns count code points from 1, ends are exclusive. Lines that begin with a word and a colon name the role of what is
 * indented below them.
 */
#include "syntax/ast.h"
#include "value/json.h"

typedef struct Dump {
  StrBuf buf;
  const Ast *ast;
  uint32_t level;
} Dump;

static const char *const EXPR_NAMES[] = {
    [EXPR_OPAQUE] = "opaque",   [EXPR_NAME] = "name",           [EXPR_CONST] = "const",   [EXPR_FSTRING] = "fstring",
    [EXPR_ATTR] = "attr",       [EXPR_SUBSCRIPT] = "subscript", [EXPR_SLICE] = "slice",   [EXPR_CALL] = "call",
    [EXPR_UNARY] = "unary",     [EXPR_BINARY] = "binary",       [EXPR_BOOL] = "bool",     [EXPR_COMPARE] = "compare",
    [EXPR_TERNARY] = "ternary", [EXPR_LAMBDA] = "lambda",       [EXPR_TUPLE] = "tuple",   [EXPR_LIST] = "list",
    [EXPR_SET] = "set",         [EXPR_DICT] = "dict",           [EXPR_COMP] = "comp",     [EXPR_STARRED] = "starred",
    [EXPR_YIELD] = "yield",     [EXPR_AWAIT] = "await",         [EXPR_WALRUS] = "walrus",
};

static const char *const STMT_NAMES[] = {
    [STMT_OPAQUE] = "opaque",
    [STMT_EXPR] = "expr",
    [STMT_ASSIGN] = "assign",
    [STMT_AUGASSIGN] = "augassign",
    [STMT_ANNASSIGN] = "annassign",
    [STMT_RETURN] = "return",
    [STMT_DELETE] = "delete",
    [STMT_PASS] = "pass",
    [STMT_BREAK] = "break",
    [STMT_CONTINUE] = "continue",
    [STMT_RAISE] = "raise",
    [STMT_ASSERT] = "assert",
    [STMT_GLOBAL] = "global",
    [STMT_NONLOCAL] = "nonlocal",
    [STMT_IMPORT] = "import",
    [STMT_IMPORT_FROM] = "from-import",
    [STMT_IF] = "if",
    [STMT_WHILE] = "while",
    [STMT_FOR] = "for",
    [STMT_WITH] = "with",
    [STMT_TRY] = "try",
    [STMT_MATCH] = "match",
    [STMT_FUNCTION] = "function",
    [STMT_CLASS] = "class",
    [STMT_TYPE_ALIAS] = "type",
    [STMT_PRINT] = "print",
};

static const char *const PATTERN_NAMES[] = {
    [PAT_WILDCARD] = "wildcard", [PAT_CAPTURE] = "capture", [PAT_VALUE] = "value",
    [PAT_SEQUENCE] = "sequence", [PAT_MAPPING] = "mapping", [PAT_CLASS] = "class-pattern",
    [PAT_OR] = "or-pattern",     [PAT_AS] = "as-pattern",   [PAT_STAR] = "star-pattern",
};

static const char *const CONST_NAMES[] = {
    [CONST_NONE] = "None",       [CONST_TRUE] = "True", [CONST_FALSE] = "False",
    [CONST_ELLIPSIS] = "...",    [CONST_INT] = "int",   [CONST_FLOAT] = "float",
    [CONST_COMPLEX] = "complex", [CONST_STR] = "str",   [CONST_BYTES] = "bytes",
};

static const char *const BINARY_NAMES[] = {
    [OP_ADD] = "+", [OP_SUB] = "-",  [OP_MUL] = "*",    [OP_DIV] = "/",     [OP_FLOORDIV] = "//",
    [OP_MOD] = "%", [OP_POW] = "**", [OP_MATMUL] = "@", [OP_LSHIFT] = "<<", [OP_RSHIFT] = ">>",
    [OP_AND] = "&", [OP_OR] = "|",   [OP_XOR] = "^",
};

static const char *const UNARY_NAMES[] = {[OP_NOT] = "not", [OP_NEG] = "-", [OP_POS] = "+", [OP_INVERT] = "~"};

static const char *const COMPARE_NAMES[] = {
    [CMP_EQ] = "==", [CMP_NE] = "!=", [CMP_LT] = "<",          [CMP_LE] = "<=", [CMP_GT] = ">",
    [CMP_GE] = ">=", [CMP_IS] = "is", [CMP_IS_NOT] = "is not", [CMP_IN] = "in", [CMP_NOT_IN] = "not in",
};

static const char *const COMP_NAMES[] = {
    [COMP_LIST] = "list", [COMP_SET] = "set", [COMP_DICT] = "dict", [COMP_GENERATOR] = "generator"};

static const char *const PARAM_NAMES[] = {
    [PARAM_POSITIONAL_ONLY] = "positional-only", [PARAM_NORMAL] = "normal", [PARAM_VARARGS] = "varargs",
    [PARAM_KEYWORD_ONLY] = "keyword-only",       [PARAM_KWARGS] = "kwargs",
};

static void dump_expr(Dump *dump, const Expr *expr);
static void dump_stmt(Dump *dump, const Stmt *stmt);

static void indent(Dump *dump) { buf_repeat(&dump->buf, ' ', 2 * (size_t)dump->level); }

static void end_line(Dump *dump, Span span) {
  Position start = source_position(dump->ast->source, span.start), end = source_position(dump->ast->source, span.end);
  buf_printf(&dump->buf, " %u:%u-%u:%u\n", start.line, start.col, end.line, end.col);
}

static void put_word(Dump *dump, const char *word) {
  buf_char(&dump->buf, ' ');
  buf_str(&dump->buf, str_from(word));
}

static void put_sym(Dump *dump, Sym sym) {
  buf_char(&dump->buf, ' ');
  buf_str(&dump->buf, sym ? sym->text : S("-"));
}

static void open_role(Dump *dump, const char *role) {
  indent(dump);
  buf_printf(&dump->buf, "%s:\n", role);
  dump->level++;
}

static void dump_role(Dump *dump, const char *role, const Expr *expr) {
  if (!expr) return;
  open_role(dump, role);
  dump_expr(dump, expr);
  dump->level--;
}

static void dump_list(Dump *dump, const char *role, ExprList list) {
  if (list.len == 0) return;
  open_role(dump, role);
  for (uint32_t i = 0; i < list.len; i++) dump_expr(dump, list.data[i]);
  dump->level--;
}

static void dump_block(Dump *dump, const char *role, Block block) {
  if (block.len == 0) return;
  open_role(dump, role);
  for (uint32_t i = 0; i < block.len; i++) dump_stmt(dump, block.data[i]);
  dump->level--;
}

/* Text between quotes, with what could break the line or the terminal written as an escape. */
static void put_quoted(Dump *dump, Str text) {
  buf_lit(&dump->buf, " \"");
  json_escape(&dump->buf, text);
  buf_char(&dump->buf, '"');
}

static void put_constant(Dump *dump, const Expr *expr) {
  ConstKind kind = expr->u.constant.kind;
  put_word(dump, CONST_NAMES[kind]);
  if (kind == CONST_STR || kind == CONST_BYTES) put_quoted(dump, expr->u.constant.text);
  if (kind == CONST_INT && expr->u.constant.exact) buf_printf(&dump->buf, " %lld", (long long)expr->u.constant.i);
  if (kind == CONST_FLOAT || kind == CONST_COMPLEX) buf_printf(&dump->buf, " %.17g", expr->u.constant.f);
  if (!expr->u.constant.exact) put_word(dump, "inexact");
}

/* What stands on the node's own line. */
static void put_details(Dump *dump, const Expr *expr) {
  switch ((ExprKind)expr->kind) {
    case EXPR_NAME:
      put_sym(dump, expr->u.name.id);
      break;
    case EXPR_CONST:
      put_constant(dump, expr);
      break;
    case EXPR_FSTRING:
      if (expr->u.fstring.is_template) put_word(dump, "template");
      if (expr->u.fstring.has_spec) put_word(dump, "spec");
      break;
    case EXPR_ATTR:
      put_sym(dump, expr->u.attr.name);
      break;
    case EXPR_UNARY:
      put_word(dump, UNARY_NAMES[expr->u.unary.op]);
      break;
    case EXPR_BINARY:
      put_word(dump, BINARY_NAMES[expr->u.binary.op]);
      break;
    case EXPR_BOOL:
      put_word(dump, expr->u.boolean.is_or ? "or" : "and");
      break;
    case EXPR_COMPARE:
      for (uint32_t i = 0; i + 1 < expr->u.compare.operands.len; i++)
        put_word(dump, COMPARE_NAMES[expr->u.compare.ops[i]]);
      break;
    case EXPR_COMP:
      put_word(dump, COMP_NAMES[expr->u.comp->kind]);
      break;
    case EXPR_YIELD:
      if (expr->u.yield.from) put_word(dump, "from");
      break;
    default:
      break;
  }
  if (expr->ctx_store) put_word(dump, "store");
}

static void dump_keywords(Dump *dump, const Keyword *keywords, uint32_t len) {
  for (uint32_t i = 0; i < len; i++) {
    indent(dump);
    buf_lit(&dump->buf, "keyword");
    if (keywords[i].name) put_sym(dump, keywords[i].name);
    else put_word(dump, "**");
    end_line(dump, keywords[i].span);
    dump->level++;
    dump_expr(dump, keywords[i].value);
    dump->level--;
  }
}

static void dump_params(Dump *dump, const Function *function) {
  for (uint32_t i = 0; i < function->param_len; i++) {
    const Param *param = &function->params[i];
    indent(dump);
    buf_lit(&dump->buf, "param");
    put_word(dump, PARAM_NAMES[param->kind]);
    put_sym(dump, param->name->kind == EXPR_NAME ? param->name->u.name.id : NULL);
    end_line(dump, param->span);
    dump->level++;
    dump_role(dump, "annotation", param->annotation);
    dump_role(dump, "default", param->fallback);
    dump->level--;
  }
}

static void dump_comprehension(Dump *dump, const Comprehension *comp) {
  dump_role(dump, comp->value ? "key" : "element", comp->element);
  dump_role(dump, "value", comp->value);
  for (uint32_t i = 0; i < comp->clause_len; i++) {
    const CompClause *clause = &comp->clauses[i];
    indent(dump);
    buf_str(&dump->buf, clause->is_async ? S("for async") : S("for"));
    end_line(dump, clause->span);
    dump->level++;
    dump_expr(dump, clause->target);
    dump_expr(dump, clause->iter);
    dump_list(dump, "if", clause->tests);
    dump->level--;
  }
}

static void dump_child(void *context, Expr *child) { dump_expr(context, child); }

static void dump_dict(Dump *dump, const Expr *expr) {
  for (uint32_t i = 0; i < expr->u.dict.keys.len; i++) {
    dump_role(dump, "key", expr->u.dict.keys.data[i]);
    dump_role(dump, expr->u.dict.keys.data[i] ? "value" : "unpack", expr->u.dict.values.data[i]);
  }
}

static void dump_parts(Dump *dump, const Expr *expr) {
  switch ((ExprKind)expr->kind) {
    case EXPR_CALL:
      dump_expr(dump, expr->u.call.callee);
      dump_list(dump, "args", expr->u.call.args);
      dump_keywords(dump, expr->u.call.keywords, expr->u.call.keyword_len);
      break;
    case EXPR_SLICE:
      dump_role(dump, "lower", expr->u.slice.lower);
      dump_role(dump, "upper", expr->u.slice.upper);
      dump_role(dump, "step", expr->u.slice.step);
      break;
    case EXPR_LAMBDA:
      dump_params(dump, expr->u.lambda);
      dump_expr(dump, expr->u.lambda->lambda_body);
      break;
    case EXPR_DICT:
      dump_dict(dump, expr);
      break;
    case EXPR_COMP:
      dump_comprehension(dump, expr->u.comp);
      break;
    default:
      expr_children((Expr *)expr, dump_child, dump);  // read only: dump_child takes it as const again
      break;
  }
}

static void dump_expr(Dump *dump, const Expr *expr) {
  indent(dump);
  buf_str(&dump->buf, str_from(EXPR_NAMES[expr->kind]));
  put_details(dump, expr);
  end_line(dump, expr->span);
  dump->level++;
  dump_parts(dump, expr);
  dump->level--;
}

static void dump_pattern(Dump *dump, const Pattern *pattern) {
  indent(dump);
  buf_str(&dump->buf, str_from(PATTERN_NAMES[pattern->kind]));
  if (pattern->name) put_sym(dump, pattern->name->u.name.id);
  end_line(dump, pattern->span);
  dump->level++;
  if (pattern->value) dump_expr(dump, pattern->value);
  for (uint32_t i = 0; i < pattern->part_len; i++) dump_pattern(dump, pattern->parts[i]);
  dump->level--;
}

static void dump_imports(Dump *dump, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.import.len; i++) {
    const ImportName *name = &stmt->u.import.names[i];
    indent(dump);
    buf_lit(&dump->buf, "import-name");
    if (name->name) put_sym(dump, name->name);
    else put_word(dump, "*");
    if (name->as) {
      put_word(dump, "as");
      put_sym(dump, name->as);
    }
    end_line(dump, name->span);
  }
}

static void dump_arms(Dump *dump, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
    const IfArm *arm = &stmt->u.branch.arms[i];
    indent(dump);
    buf_lit(&dump->buf, "arm");
    end_line(dump, arm->header);
    dump->level++;
    dump_role(dump, "test", arm->test);
    dump_block(dump, "body", arm->body);
    dump->level--;
  }
}

static void dump_try(Dump *dump, const Stmt *stmt) {
  dump_block(dump, "body", stmt->u.try_.body);
  for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
    const Handler *handler = &stmt->u.try_.handlers[i];
    indent(dump);
    buf_lit(&dump->buf, "handler");
    end_line(dump, handler->header);
    dump->level++;
    dump_role(dump, "type", handler->type);
    dump_role(dump, "name", handler->name);
    dump_block(dump, "body", handler->body);
    dump->level--;
  }
  dump_block(dump, "else", stmt->u.try_.orelse);
  dump_block(dump, "finally", stmt->u.try_.finally);
}

static void dump_match(Dump *dump, const Stmt *stmt) {
  dump_role(dump, "subject", stmt->u.match.subject);
  for (uint32_t i = 0; i < stmt->u.match.len; i++) {
    const MatchCase *match_case = &stmt->u.match.cases[i];
    indent(dump);
    buf_lit(&dump->buf, "case");
    end_line(dump, match_case->header);
    dump->level++;
    dump_pattern(dump, match_case->pattern);
    dump_role(dump, "guard", match_case->guard);
    dump_block(dump, "body", match_case->body);
    dump->level--;
  }
}

static void dump_function(Dump *dump, const Function *function) {
  dump_list(dump, "decorators", (ExprList){function->decorators, function->decorator_len});
  dump_params(dump, function);
  dump_role(dump, "returns", function->returns);
  dump_block(dump, "body", function->body);
}

static void dump_class(Dump *dump, const Class *class_) {
  dump_list(dump, "decorators", (ExprList){class_->decorators, class_->decorator_len});
  dump_list(dump, "bases", class_->bases);
  dump_keywords(dump, class_->keywords, class_->keyword_len);
  dump_block(dump, "body", class_->body);
}

static void put_function_flags(Dump *dump, const Function *function) {
  put_sym(dump, function->name);
  if (function->is_async) put_word(dump, "async");
  if (function->is_generator) put_word(dump, "generator");
  if (function->docstring) put_word(dump, "docstring");
}

static void put_stmt_details(Dump *dump, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_AUGASSIGN:
      put_word(dump, BINARY_NAMES[stmt->u.aug.op]);
      break;
    case STMT_GLOBAL:
    case STMT_NONLOCAL:
      for (uint32_t i = 0; i < stmt->u.names.len; i++) put_sym(dump, stmt->u.names.data[i]);
      break;
    case STMT_IMPORT_FROM:
      buf_char(&dump->buf, ' ');
      buf_repeat(&dump->buf, '.', stmt->u.import.dots);
      buf_str(&dump->buf, sym_str(stmt->u.import.module));
      break;
    case STMT_FOR:
      if (stmt->u.forloop.is_async) put_word(dump, "async");
      break;
    case STMT_WITH:
      if (stmt->u.with.is_async) put_word(dump, "async");
      break;
    case STMT_FUNCTION:
      put_function_flags(dump, stmt->u.function);
      break;
    case STMT_CLASS:
      put_sym(dump, stmt->u.class_->name);
      break;
    default:
      break;
  }
}

static void dump_simple(Dump *dump, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
      if (stmt->u.expr) dump_expr(dump, stmt->u.expr);
      break;
    case STMT_ASSIGN:
      dump_list(dump, "targets", stmt->u.assign.targets);
      dump_role(dump, "value", stmt->u.assign.value);
      break;
    case STMT_AUGASSIGN:
      dump_expr(dump, stmt->u.aug.target);
      dump_expr(dump, stmt->u.aug.value);
      break;
    case STMT_ANNASSIGN:
      dump_expr(dump, stmt->u.ann.target);
      dump_role(dump, "annotation", stmt->u.ann.annotation);
      dump_role(dump, "value", stmt->u.ann.value);
      break;
    case STMT_DELETE:
    case STMT_PRINT:
      for (uint32_t i = 0; i < stmt->u.exprs.len; i++) dump_expr(dump, stmt->u.exprs.data[i]);
      break;
    case STMT_RAISE:
      dump_role(dump, "exc", stmt->u.raise.exc);
      dump_role(dump, "cause", stmt->u.raise.cause);
      break;
    case STMT_ASSERT:
      dump_expr(dump, stmt->u.assertion.test);
      dump_role(dump, "message", stmt->u.assertion.message);
      break;
    case STMT_IMPORT:
    case STMT_IMPORT_FROM:
      dump_imports(dump, stmt);
      break;
    case STMT_TYPE_ALIAS:
      dump_expr(dump, stmt->u.alias.name);
      dump_expr(dump, stmt->u.alias.value);
      break;
    default:
      break;
  }
}

static void dump_loop(Dump *dump, const Stmt *stmt) {
  bool is_for = stmt->kind == STMT_FOR;
  if (is_for) {
    dump_role(dump, "target", stmt->u.forloop.target);
    dump_role(dump, "iter", stmt->u.forloop.iter);
  } else {
    dump_role(dump, "test", stmt->u.loop.test);
  }
  dump_block(dump, "body", is_for ? stmt->u.forloop.body : stmt->u.loop.body);
  dump_block(dump, "else", is_for ? stmt->u.forloop.orelse : stmt->u.loop.orelse);
}

static void dump_with(Dump *dump, const Stmt *stmt) {
  for (uint32_t i = 0; i < stmt->u.with.len; i++) {
    dump_role(dump, "context", stmt->u.with.items[i].context);
    dump_role(dump, "target", stmt->u.with.items[i].target);
  }
  dump_block(dump, "body", stmt->u.with.body);
}

static void dump_stmt_parts(Dump *dump, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_IF:
      dump_arms(dump, stmt);
      break;
    case STMT_WHILE:
    case STMT_FOR:
      dump_loop(dump, stmt);
      break;
    case STMT_WITH:
      dump_with(dump, stmt);
      break;
    case STMT_TRY:
      dump_try(dump, stmt);
      break;
    case STMT_MATCH:
      dump_match(dump, stmt);
      break;
    case STMT_FUNCTION:
      dump_function(dump, stmt->u.function);
      break;
    case STMT_CLASS:
      dump_class(dump, stmt->u.class_);
      break;
    default:
      dump_simple(dump, stmt);
      break;
  }
}

static void dump_stmt(Dump *dump, const Stmt *stmt) {
  indent(dump);
  buf_printf(&dump->buf, "%s", STMT_NAMES[stmt->kind]);
  put_stmt_details(dump, stmt);
  end_line(dump, stmt->span);
  dump->level++;
  dump_stmt_parts(dump, stmt);
  dump->level--;
}

Str ast_dump(Arena *arena, const Ast *ast) {
  Dump dump = {.buf = {.arena = arena}, .ast = ast};
  for (uint32_t i = 0; i < ast->module->body.len; i++) dump_stmt(&dump, ast->module->body.data[i]);
  for (uint32_t i = 0; i < ast->errors.len; i++) {
    buf_lit(&dump.buf, "error");
    put_quoted(&dump, ast->errors.data[i].what);
    end_line(&dump, ast->errors.data[i].span);
  }
  if (ast->looks_like_python2) buf_lit(&dump.buf, "python2\n");
  return buf_view(&dump.buf);
}

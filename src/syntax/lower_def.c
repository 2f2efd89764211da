/* Functions, lambdas, classes, their parameters and decorators.
 *
 * Decorators, defaults and annotations belong to the enclosing function; only the body belongs to the new one. A damaged
 * parameter list or class header loses the damaged part only: the body is worth more than the header.
 */
#include "syntax/lower.h"

typedef VEC(Param) ParamVec;

static Function *function_new(Lower *low, Span span, Span header) {
  Function *function = arena_new(low->arena, Function);
  function->index = low->ast->functions.len;
  function->span = span;
  function->header = header;
  function->parent = low->scope.function;
  function->owner = low->scope.owner;
  vec_push(low->arena, &low->ast->functions, function);
  return function;
}

static Expr *first_expr(Lower *low, Kids kids, uint32_t from) {
  for (uint32_t i = from; i < kids.len; i++) {
    if (node_is_expr(kids.data[i].kind)) return lower_expr(low, &kids.data[i]);
  }
  return NULL;
}

/* `x`, `*x`, `**x`, or Python 2's `(a, b)`, which has no name. */
static void lower_param_target(Lower *low, const Kid *kid, Param *param) {
  Kid name = *kid;
  if (kid->kind == NODE_LIST_SPLAT_PATTERN || kid->kind == NODE_DICTIONARY_SPLAT_PATTERN) {
    param->kind = kid->kind == NODE_LIST_SPLAT_PATTERN ? PARAM_VARARGS : PARAM_KWARGS;
    Kids kids = lower_kids(low, kid);
    if (kids.len == 2) name = kids.data[1];
  }
  if (name.kind == NODE_IDENTIFIER) {
    param->name = lower_stored(lower_name(low, &name));
    return;
  }
  if (name.kind == NODE_TUPLE_PATTERN) lower_note_python2(low, name.span);
  param->name = lower_opaque(low, &name);
}

/* The children of a parameter with annotation or default: target [`:` type] [`=` value]. */
static void lower_param_parts(Lower *low, const Kid *kid, Param *param) {
  Kids kids = lower_kids(low, kid);
  if (kids.len == 0) return;
  lower_param_target(low, &kids.data[0], param);
  if (kids.damaged) return;
  uint32_t colon = kids_find(kids, TOKEN_COLON, 0), assign = kids_find(kids, TOKEN_ASSIGN, 0);
  if (colon < assign && colon + 1 < kids.len) param->annotation = lower_expr(low, &kids.data[colon + 1]);
  if (assign + 1 < kids.len) param->fallback = lower_expr(low, &kids.data[assign + 1]);
}

static bool lower_param(Lower *low, const Kid *kid, Param *param) {
  param->kind = PARAM_NORMAL;
  param->span = kid->span;
  switch (kid->kind) {
    case NODE_IDENTIFIER:
    case NODE_LIST_SPLAT_PATTERN:
    case NODE_DICTIONARY_SPLAT_PATTERN:
    case NODE_TUPLE_PATTERN:
      lower_param_target(low, kid, param);
      return true;
    case NODE_TYPED_PARAMETER:
    case NODE_DEFAULT_PARAMETER:
    case NODE_TYPED_DEFAULT_PARAMETER:
      lower_param_parts(low, kid, param);
      return param->name != NULL;
    default:
      return false;
  }
}

/* `/` makes all before it positional-only; `*` and `*args` make all after them keyword-only. */
static void lower_params(Lower *low, const Kid *kid, Function *function) {
  Kids kids = lower_kids(low, kid);
  ParamVec params = {0};
  bool keyword_only = false;
  for (uint32_t i = 0; i < kids.len; i++) {
    Param param = {0};
    if (kids.data[i].kind == NODE_POSITIONAL_SEPARATOR) {
      for (uint32_t k = 0; k < params.len; k++) params.data[k].kind = PARAM_POSITIONAL_ONLY;
    } else if (kids.data[i].kind == NODE_KEYWORD_SEPARATOR) {
      keyword_only = true;
    } else if (lower_param(low, &kids.data[i], &param)) {
      if (keyword_only && param.kind == PARAM_NORMAL) param.kind = PARAM_KEYWORD_ONLY;
      keyword_only |= param.kind == PARAM_VARARGS;
      vec_push(&low->scratch, &params, param);
    }
  }
  function->param_len = params.len;
  if (params.len == 0) return;
  function->params = arena_array(low->arena, Param, params.len);
  memcpy(function->params, params.data, params.len * sizeof *params.data);
}

Expr *lower_lambda(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  uint32_t colon = kids_find(kids, TOKEN_COLON, 0);
  if (kids.damaged || colon + 1 >= kids.len) return lower_opaque(low, kid);
  Function *function = function_new(low, kid->span, (Span){kid->span.start, kids.data[colon].span.end});
  function->is_lambda = true;
  uint32_t parameters = kids_find(kids, NODE_LAMBDA_PARAMETERS, 0);
  if (parameters < kids.len) lower_params(low, &kids.data[parameters], function);
  LowerScope outer = low->scope;
  low->scope = (LowerScope){.function = function};
  function->lambda_body = lower_expr(low, &kids.data[colon + 1]);
  low->scope = outer;
  Expr *expr = expr_new(low, EXPR_LAMBDA, kid->span);
  expr->u.lambda = function;
  return expr;
}

/* The docstring is a plain string that stands first. */
static Expr *docstring_of(Block body) {
  if (body.len == 0 || body.data[0]->kind != STMT_EXPR) return NULL;
  Expr *expr = body.data[0]->u.expr;
  return expr->kind == EXPR_CONST && expr->u.constant.kind == CONST_STR ? expr : NULL;
}

static void lower_function_body(Lower *low, Function *function, Kids kids) {
  LowerScope outer = low->scope;
  low->scope = (LowerScope){.function = function};
  function->body = lower_body(low, kids, 0);
  low->scope = outer;
  function->docstring = docstring_of(function->body);
}

/* Type parameters bind names that only annotations use: they are passed over. */
static void skip_type_parameters(Lower *low, Kids kids) {
  uint32_t at = kids_find(kids, NODE_TYPE_PARAMETER, 0);
  if (at < kids.len) lower_abandon(low, &kids.data[at]);
}

static void lower_function(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  stmt->kind = STMT_FUNCTION;
  Span header = lower_header(kids, kid->span.start);
  Function *function = function_new(low, stmt->span, header);
  stmt->u.function = function;
  function->stmt = stmt;
  function->is_async = kids.len > 0 && kids.data[0].kind == TOKEN_ASYNC;
  uint32_t name = kids_find(kids, NODE_IDENTIFIER, 0), parameters = kids_find(kids, NODE_PARAMETERS, 0);
  if (name < kids.len) {
    function->name_span = kids.data[name].span;
    function->name = lower_symbol(low, function->name_span);
  }
  skip_type_parameters(low, kids);
  if (parameters < kids.len) lower_params(low, &kids.data[parameters], function);
  uint32_t returns = kids_find(kids, NODE_TYPE, 0);
  if (returns < kids.len) function->returns = lower_expr(low, &kids.data[returns]);
  lower_function_body(low, function, kids);
  stmt->header.end = header.end;
  stmt->span.end = block_end(function->body, header.end);
  function->span = stmt->span;
}

static void lower_class(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  stmt->kind = STMT_CLASS;
  Class *class_ = arena_new(low->arena, Class);
  class_->index = low->ast->classes.len;
  vec_push(low->arena, &low->ast->classes, class_);
  stmt->u.class_ = class_;
  class_->stmt = stmt;
  class_->header = lower_header(kids, kid->span.start);
  class_->parent = low->scope.function;
  class_->owner = low->scope.owner;
  uint32_t name = kids_find(kids, NODE_IDENTIFIER, 0), bases = kids_find(kids, NODE_ARGUMENT_LIST, 0);
  if (name < kids.len) {
    class_->name_span = kids.data[name].span;
    class_->name = lower_symbol(low, class_->name_span);
  }
  skip_type_parameters(low, kids);
  if (bases < kids.len &&
      !lower_arguments(low, &kids.data[bases], &class_->bases, &class_->keywords, &class_->keyword_len)) {
    ExprVec unknown = {0};
    lower_push(low, &unknown, lower_opaque(low, &kids.data[bases]));
    class_->bases = lower_list(low, &unknown);
  }
  LowerScope outer = low->scope;
  low->scope = (LowerScope){.function = outer.function, .owner = class_};
  class_->body = lower_body(low, kids, 0);
  low->scope = outer;
  stmt->header.end = class_->header.end;
  stmt->span.end = block_end(class_->body, class_->header.end);
  class_->span = stmt->span;
}

/* Decorators come before the definition that they decorate, also in the order of functions and ids. */
static ExprList lower_decorators(Lower *low, Kids kids) {
  ExprVec decorators = {0};
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind != NODE_DECORATOR) continue;
    Kids parts = lower_kids(low, &kids.data[i]);
    Expr *expr = parts.damaged ? lower_opaque(low, &kids.data[i]) : first_expr(low, parts, 0);
    if (expr) lower_push(low, &decorators, expr);
  }
  return lower_list(low, &decorators);
}

void lower_definition(Lower *low, Stmt *stmt, const Kid *kid) {
  const Kid *definition = kid;
  ExprList decorators = {0};
  if (kid->kind == NODE_DECORATED_DEFINITION) {
    Kids kids = lower_kids(low, kid);
    decorators = lower_decorators(low, kids);
    uint32_t at = kids_find(kids, NODE_FUNCTION_DEFINITION, 0);
    if (at == kids.len) at = kids_find(kids, NODE_CLASS_DEFINITION, 0);
    if (at == kids.len) return;  // stays opaque: decorators of nothing
    definition = &kids.data[at];
  }
  if (definition->kind == NODE_FUNCTION_DEFINITION) {
    lower_function(low, stmt, definition);
    stmt->u.function->decorators = decorators.data;
    stmt->u.function->decorator_len = decorators.len;
  } else {
    lower_class(low, stmt, definition);
    stmt->u.class_->decorators = decorators.data;
    stmt->u.class_->decorator_len = decorators.len;
  }
}

void lower_module(Lower *low, const Kid *root) {
  Function *module = function_new(low, (Span){0, (uint32_t)low->source->text.len}, (Span){0, 0});
  module->is_module = true;
  module->name = sym_intern(low->symbols, S("<module>"));
  low->ast->module = module;
  low->scope.function = module;
  module->body = lower_block(low, root);
  module->docstring = docstring_of(module->body);
}

/* How a function uses one of its parameters, by the text of its body: `inputs["x"]`, `a, b = inputs`, `tf.exp(x)`.
 *
 * What is used like a structure may be one, and so may what is handed whole to a function of the project that uses it so:
 *
 *   def call(self, inputs): return self.sample(inputs)
 *   def sample(self, pair): mean, spread = pair        # `inputs` is a pair
 *
 * Helpers are followed a few calls deep, where names alone say which function is meant. Use as a tensor counts in the function
 * itself only: a helper may be called with other things by others.
 */
#include "flow/walk.h"

enum { USE_DEPTH = 4, USE_HELPERS = 64 };  // functions looked at for one parameter

typedef struct UseSearch {
  Walker *w;
  const Module *module;
  const Function *function;
  const Param *param;
  ParamUse use;
  uint32_t depth;
  uint32_t *helpers;  // how many have been looked into
} UseSearch;

static ParamUse use_of(const UseSearch *search);

static bool is_param(const UseSearch *search, const Expr *expr) {
  return expr && expr->kind == EXPR_NAME && expr->u.name.id == search->param->name->u.name.id &&
         expr->u.name.ref == REF_LOCAL;
}

/* `tf.zeros(shape)`, `tf.linspace(start, …)`; `tf.tile(input, multiples)` takes a tensor first. */
static bool takes_shape_first(const ApiFact *fact) {
  static const Str tensors[] = {S_INIT("tensor"), S_INIT("input"), S_INIT("input_"), S_INIT("value"), S_INIT("data")};
  return !fact->params.len || !STR_IN(fact->params.data[0], tensors);
}

/* A TensorFlow function that makes a tensor of a tensor: not one that takes shapes, numbers or structures. */
static bool is_tensor_op(UseSearch *search, const Expr *callee) {
  if (callee->kind != EXPR_ATTR && callee->kind != EXPR_NAME) return false;
  EntitySet set = project_resolve(search->w->project, search->module->id, search->function, callee);
  if (set.len != 1 || set.items[0].kind != ENTITY_API) return false;
  Str name = set.items[0].api->text;
  const ApiFact *fact = catalog_api(search->w->project->catalog, name);
  if (!fact || !fact->returns || fact->returns->kind != K_TENSOR || !str_starts(name, S("tensorflow."))) return false;
  static const Str open[] = {S_INIT("tensorflow.constant"),  S_INIT("tensorflow.convert_to_tensor"),
                             S_INIT("tensorflow.range"),     S_INIT("tensorflow.fill"),
                             S_INIT("tensorflow.eye"),       S_INIT("tensorflow.one_hot"),
                             S_INIT("tensorflow.stack"),     S_INIT("tensorflow.concat"),
                             S_INIT("tensorflow.cast"),      S_INIT("tensorflow.cond"),
                             S_INIT("tensorflow.while_loop")};
  if (STR_IN(name, open)) return false;
  return !fact->callable_len && !(fact->tags & TAG(SHAPE_ARG) && takes_shape_first(fact));
}

/* ---- handed on ---- */

/* `self.method` inside of a method, or a function of the project by name; `first` is the parameter of the first argument. */
static bool resolve_helper(const UseSearch *search, const Expr *callee, FuncRef *helper, uint32_t *first) {
  const Project *project = search->w->project;
  const Function *method = search->function;
  while (method->parent && !method->owner) method = method->parent;
  *first = 0;
  if (callee->kind == EXPR_ATTR && callee->u.attr.value->kind == EXPR_NAME && method->owner && method->param_len &&
      method->params[0].name && callee->u.attr.value->u.name.id == method->params[0].name->u.name.id) {
    ClassRef owner;
    if (!project_method(project, (ClassRef){search->module->id, method->owner->index}, callee->u.attr.name, helper,
                        &owner))
      return false;
    *first = !is_static_method(project_function(project, *helper));
    return true;
  }
  if (callee->kind != EXPR_NAME && callee->kind != EXPR_ATTR) return false;
  EntitySet set = project_resolve(project, search->module->id, search->function, callee);
  if (set.len != 1 || set.items[0].kind != ENTITY_FUNCTION) return false;
  *helper = (FuncRef){set.items[0].module, set.items[0].index};
  return true;
}

static void follow(UseSearch *search, FuncRef helper, const Param *param) {
  const Project *project = search->w->project;
  if ((*search->helpers)++ >= USE_HELPERS) return;
  UseSearch deeper = {.w = search->w,
                      .module = project_module(project, helper.module),
                      .function = project_function(project, helper),
                      .param = param,
                      .depth = search->depth + 1,
                      .helpers = search->helpers};
  ParamUse use = use_of(&deeper);
  search->use.as_mapping |= use.as_mapping;
  search->use.as_sequence |= use.as_sequence;
  search->use.sets_shape |= use.sets_shape;
}

static void visit_handed_on(UseSearch *search, const Expr *call) {
  FuncRef helper;
  uint32_t first;
  if (search->depth >= USE_DEPTH || !resolve_helper(search, call->u.call.callee, &helper, &first)) return;
  const Function *function = project_function(search->w->project, helper);
  for (uint32_t i = 0; i < call->u.call.args.len && i + first < function->param_len; i++) {
    if (call->u.call.args.data[i]->kind == EXPR_STARRED) break;
    if (is_param(search, call->u.call.args.data[i])) follow(search, helper, &function->params[i + first]);
  }
  for (uint32_t k = 0; k < call->u.call.keyword_len; k++) {
    if (!is_param(search, call->u.call.keywords[k].value)) continue;
    for (uint32_t i = 0; i < function->param_len; i++) {
      const Expr *name = function->params[i].name;
      if (name && name->u.name.id == call->u.call.keywords[k].name) follow(search, helper, &function->params[i]);
    }
  }
}

/* ---- the body ---- */

/* `+` and `*` also join and repeat lists. */
static bool is_operand(const UseSearch *search, const Expr *expr) {
  switch (expr->kind) {
    case EXPR_BINARY: {
      BinaryOp op = expr->u.binary.op;
      if (op == OP_ADD || op == OP_MUL) return false;
      return is_param(search, expr->u.binary.left) || is_param(search, expr->u.binary.right);
    }
    case EXPR_ATTR: {
      Str name = expr->u.attr.name->text;
      bool asks = str_eq(name, S("shape")) || str_eq(name, S("dtype")) || str_eq(name, S("get_shape"));
      return asks && is_param(search, expr->u.attr.value);
    }
    default:
      return false;
  }
}

static void visit_use(void *context, Expr *expr) {
  UseSearch *search = context;
  if (!expr) return;
  if (expr->kind == EXPR_CALL && expr->u.call.args.len && is_param(search, expr->u.call.args.data[0])) {
    search->use.as_tensor |= is_tensor_op(search, expr->u.call.callee);
  }
  if (expr->kind == EXPR_CALL) visit_handed_on(search, expr);
  if (expr->kind == EXPR_SUBSCRIPT && is_param(search, expr->u.subscript.value)) {
    const Expr *index = expr->u.subscript.index;
    bool text = index->kind == EXPR_CONST && index->u.constant.kind == CONST_STR;
    search->use.as_mapping |= text;
    search->use.as_sequence |= index->kind == EXPR_CONST && index->u.constant.kind == CONST_INT;
  }
  search->use.as_operand |= is_operand(search, expr);
  if (expr->kind == EXPR_COMPARE && expr->u.compare.operands.len == 2) {
    bool membership = expr->u.compare.ops[0] == CMP_IN || expr->u.compare.ops[0] == CMP_NOT_IN;
    search->use.as_mapping |= membership && is_param(search, expr->u.compare.operands.data[1]);
  }
  if (expr->kind == EXPR_ATTR && is_param(search, expr->u.attr.value)) {
    Str name = expr->u.attr.name->text;
    search->use.as_mapping |= str_eq(name, S("items")) || str_eq(name, S("keys")) || str_eq(name, S("values")) ||
                              str_eq(name, S("get")) || str_eq(name, S("pop")) || str_eq(name, S("update"));
    search->use.sets_shape |= str_eq(name, S("set_shape"));
  }
  expr_children(expr, visit_use, context);
}

static void visit_block(UseSearch *search, const Block *block);

static void visit_stmt(UseSearch *search, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
      visit_use(search, stmt->u.expr);
      return;
    case STMT_ASSIGN: {
      visit_use(search, stmt->u.assign.value);
      const Expr *target = stmt->u.assign.targets.data[0];
      bool unpacks = target->kind == EXPR_TUPLE || target->kind == EXPR_LIST;
      search->use.as_sequence |= unpacks && is_param(search, stmt->u.assign.value);
      for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) visit_use(search, stmt->u.assign.targets.data[i]);
      return;
    }
    case STMT_AUGASSIGN:
      visit_use(search, stmt->u.aug.value);
      return;
    case STMT_ANNASSIGN:
      visit_use(search, stmt->u.ann.value);
      return;
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) {
        visit_use(search, stmt->u.branch.arms[i].test);
        visit_block(search, &stmt->u.branch.arms[i].body);
      }
      return;
    case STMT_FOR:
      visit_use(search, stmt->u.forloop.iter);
      visit_block(search, &stmt->u.forloop.body);
      return;
    case STMT_WHILE:
      visit_use(search, stmt->u.loop.test);
      visit_block(search, &stmt->u.loop.body);
      return;
    case STMT_WITH:
      for (uint32_t i = 0; i < stmt->u.with.len; i++) visit_use(search, stmt->u.with.items[i].context);
      visit_block(search, &stmt->u.with.body);
      return;
    case STMT_TRY:
      visit_block(search, &stmt->u.try_.body);
      return;
    default:
      return;
  }
}

static void visit_block(UseSearch *search, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) visit_stmt(search, block->data[i]);
}

static ParamUse use_of(const UseSearch *given) {
  UseSearch search = *given;
  if (!search.param->name) return search.use;
  if (search.function->is_lambda) visit_use(&search, search.function->lambda_body);
  else visit_block(&search, &search.function->body);
  return search.use;
}

ParamUse param_use(Walker *w, const Module *module, const Function *function, const Param *param) {
  uint32_t helpers = 0;
  UseSearch search = {.w = w, .module = module, .function = function, .param = param, .helpers = &helpers};
  return use_of(&search);
}

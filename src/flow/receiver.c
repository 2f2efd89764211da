/* For which class a method is analysed, and which functions AutoGraph cannot convert, by their text.
 *
 * In traced code always for the object's own class. In eager code for the class that defines the method, unless the object's
 * class overrides something the method uses of `self`: deep hierarchies would otherwise walk every inherited method once per
 * class and learn nothing new, because fields are looked up through the whole family.
 *
 * Provides: the attribute names each method uses of its first parameter, collected once per analysis.
 */
#include "flow/walk.h"
#include "sema/walk.h"

typedef struct Collect {
  struct Flow *flow;
  Sym self;
  SelfNames *names;
} Collect;

static void collect_name(void *context, Expr *expr, const Function *function) {
  (void)function;
  Collect *collect = context;
  if (expr->kind != EXPR_ATTR || expr->u.attr.value->kind != EXPR_NAME) return;
  if (expr->u.attr.value->u.name.id != collect->self) return;
  for (uint32_t i = 0; i < collect->names->len; i++) {
    if (collect->names->data[i] == expr->u.attr.name) return;
  }
  vec_push(&collect->flow->arena, collect->names, expr->u.attr.name);
}

static void collect_method(struct Flow *flow, const Function *function, SelfNames *names) {
  if (!function->owner || !function->param_len || !function->params[0].name) return;
  Collect collect = {flow, function->params[0].name->u.name.id, names};
  Walk walk = {.visit = collect_name, .context = &collect, .function = function};
  walk_block(&walk, &function->body);
}

/* AutoGraph gives up on a whole function when one of its loops has an `else`, or when there is a `match`. */
static bool stops_conversion(const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) {
    const Stmt *stmt = block->data[i];
    switch ((StmtKind)stmt->kind) {
      case STMT_FOR:
        if (stmt->u.forloop.orelse.len || stops_conversion(&stmt->u.forloop.body)) return true;
        break;
      case STMT_WHILE:
        if (stmt->u.loop.orelse.len || stops_conversion(&stmt->u.loop.body)) return true;
        break;
      case STMT_MATCH:
        return true;
      case STMT_WITH:
        if (stops_conversion(&stmt->u.with.body)) return true;
        break;
      case STMT_TRY:
        if (stops_conversion(&stmt->u.try_.body) || stops_conversion(&stmt->u.try_.finally)) return true;
        break;
      case STMT_IF:
        for (uint32_t a = 0; a < stmt->u.branch.len; a++) {
          if (stops_conversion(&stmt->u.branch.arms[a].body)) return true;
        }
        break;
      default:
        break;
    }
  }
  return false;
}

bool is_convertible(const struct Flow *flow, FuncRef ref) { return !map_get(&flow->unconvertible, func_key(ref)); }

void receivers_prepare(struct Flow *flow) {
  flow->self_names = arena_array(&flow->arena, SelfNames *, flow->project->module_count + 1);
  for (uint32_t m = 0; m < flow->project->module_count; m++) {
    const Module *module = project_module(flow->project, m);
    if (!module->ast) continue;
    flow->self_names[m] = arena_array(&flow->arena, SelfNames, module->ast->functions.len);
    for (uint32_t f = 1; f < module->ast->functions.len; f++) {
      const Function *function = project_function(flow->project, (FuncRef){m, f});
      collect_method(flow, function, &flow->self_names[m][f]);
      if (stops_conversion(&function->body))
        map_put(&flow->arena, &flow->unconvertible, func_key((FuncRef){m, f}), NULL);
    }
  }
}

static bool same_method(const Project *project, ClassRef a, ClassRef b, Sym name) {
  FuncRef in_a = {0}, in_b = {0};
  ClassRef owner;
  bool has_a = project_method(project, a, name, &in_a, &owner), has_b = project_method(project, b, name, &in_b, &owner);
  return has_a == has_b && (!has_a || func_eq(in_a, in_b));
}

/* Methods that make the object: their writes belong to the class that is made. */
static bool is_setup(const Function *function) {
  return sym_is(function->name, S("__init__")) || sym_is(function->name, S("build")) ||
         sym_is(function->name, S("__new__"));
}

ClassRef eager_receiver(const struct Flow *flow, FuncRef method, const Function *function, ClassRef cls) {
  ClassRef owner = {method.module, function->owner->index};
  if (class_eq(owner, cls) || is_setup(function)) return cls;
  const SelfNames *names = &flow->self_names[method.module][method.index];
  for (uint32_t i = 0; i < names->len; i++) {
    if (!same_method(flow->project, owner, cls, names->data[i])) return cls;
  }
  return owner;
}

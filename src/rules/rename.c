/* Looks for `import tensorflow as NAME` at the top of the module. An import under a condition, a name that is bound twice and
 * a function's own import are not used: a fix must not depend on which of them ran.
 */
#include "rules/rename.h"

static bool is_tensorflow(Sym name) { return sym_is(name, S("tensorflow")) || sym_is(name, S("tensorflow.compat.v2")); }

/* The name that one binding gives to TensorFlow, NULL if it does not. */
static Sym alias_of(const Binding *binding) {
  if (binding->sites.len != 1 || binding->kinds != BIND_IMPORT) return NULL;
  const BindSite *site = &binding->sites.data[0];
  if (site->conditional || site->in_type_checking || !site->stmt || site->stmt->kind != STMT_IMPORT) return NULL;
  const ImportName *name = site->import_name;
  if (!name || !is_tensorflow(name->name)) return NULL;
  if (name->as) return name->as;
  return sym_is(name->name, S("tensorflow")) ? name->name : NULL;
}

Str rename_to_tf(RuleContext *ctx, const Event *event, Str tf_name) {
  Str prefix = S("tf.");
  if (!str_starts(tf_name, prefix)) return S("");
  const Scope *scope = event->frame->module->ast->module->scope;
  for (uint32_t i = 0; i < scope->bindings.len; i++) {
    Sym alias = alias_of(&scope->bindings.data[i]);
    // A local of the same name would be meant instead.
    if (!alias || scope_find(event->frame->function->scope, alias)) continue;
    Str rest = str_sub(tf_name, prefix.len, tf_name.len), spelled = sym_str(alias);
    return str_printf(rule_scratch(ctx), "%.*s.%.*s", STR_ARG(spelled), STR_ARG(rest));
  }
  return S("");
}

bool rename_edit(RuleContext *ctx, const Event *event, const Expr *expr, Str tf_name, FixSafety safety,
                 Report *report) {
  Str name = rename_to_tf(ctx, event, tf_name);
  if (!name.len) return false;
  report->edits[report->edit_len++] = (Edit){{event->frame->module->id, expr->span}, name};
  report->fix = safety;
  return true;
}

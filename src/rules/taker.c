/* By the name of the callee: facts tell about outside functions, the word of a method about objects nobody knows. */
#include "rules/taker.h"

static bool changes_variable(Str method) {
  static const Str names[] = {S_INIT("assign"),         S_INIT("assign_add"),        S_INIT("assign_sub"),
                              S_INIT("scatter_update"), S_INIT("scatter_nd_update"), S_INIT("update_state"),
                              S_INIT("apply_gradients")};
  return STR_IN(method, names);
}

bool taker_fills_container(Str method) {
  static const Str names[] = {S_INIT("append"), S_INIT("extend"), S_INIT("insert"), S_INIT("add"), S_INIT("update")};
  return STR_IN(method, names);
}

static bool looks_like_logging(Str method) {
  static const Str names[] = {S_INIT("debug"), S_INIT("info"),  S_INIT("warning"),
                              S_INIT("warn"),  S_INIT("error"), S_INIT("critical")};
  return STR_IN(method, names);
}

Taker taker_of(const Project *project, ModuleId module, const Function *function, const Expr *callee) {
  EntitySet set = {0};
  if (callee->kind == EXPR_NAME || callee->kind == EXPR_ATTR) set = project_resolve(project, module, function, callee);
  if (set.len == 1 && set.items[0].kind == ENTITY_API) {
    Str name = set.items[0].api->text;
    const ApiFact *fact = catalog_api(project->catalog, name);
    ApiTags shows = TAG(PRINT) | TAG(LOG) | TAG(IO) | TAG(PLOT) | TAG(EXPERIMENT) | TAG(SLEEP);
    bool is_tensorflow = str_starts(name, S("tensorflow.")) || str_starts(name, S("keras."));
    if (fact && (fact->tags & shows)) return TAKER_SHOWS;
    return is_tensorflow ? TAKER_TENSORFLOW : TAKER_GIVES;
  }
  if (callee->kind == EXPR_NAME && sym_is(callee->u.name.id, S("print"))) return TAKER_SHOWS;
  if (callee->kind != EXPR_ATTR) return TAKER_PROJECT;
  Str method = sym_str(callee->u.attr.name);
  if (looks_like_logging(method)) return TAKER_SHOWS;
  return changes_variable(method) ? TAKER_TENSORFLOW : taker_fills_container(method) ? TAKER_GIVES : TAKER_PROJECT;
}

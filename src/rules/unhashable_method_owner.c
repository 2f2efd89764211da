/* TF506: a traced method belongs to a class whose objects cannot be keys of a weak dictionary.
 *
 * tf.function keeps one traced function for each object, in a dictionary with weak keys. An object is such a key if it can be
 * hashed and weakly referenced: a class with `__eq__` and no `__hash__` loses the first (a dataclass has one by itself), `__slots__`
 * without `__weakref__` the second.
 */
#include "rules/decoration.h"

/* ---- what a class body binds ---- */

static bool binds(const Class *cls, Str name) {
  for (uint32_t i = 0; cls->scope && i < cls->scope->bindings.len; i++) {
    const Binding *binding = &cls->scope->bindings.data[i];
    if (sym_is(binding->name, name) && (binding->kinds & ~(uint32_t)BIND_ANNOTATION)) return true;
  }
  return false;
}

/* `__slots__ = ("a", "b")` names `__weakref__`, or something that cannot be read. */
static bool slots_keep_weakref(const Class *cls) {
  for (uint32_t i = 0; i < cls->body.len; i++) {
    const Stmt *stmt = cls->body.data[i];
    if (stmt->kind != STMT_ASSIGN || !stmt->u.assign.targets.len) continue;
    const Expr *target = stmt->u.assign.targets.data[0], *value = stmt->u.assign.value;
    if (target->kind != EXPR_NAME || !sym_is(target->u.name.id, S("__slots__"))) continue;
    if (value->kind == EXPR_CONST)
      return value->u.constant.kind != CONST_STR || str_eq(value->u.constant.text, S("__weakref__"));
    if (value->kind != EXPR_TUPLE && value->kind != EXPR_LIST) return true;
    for (uint32_t k = 0; k < value->u.items.len; k++) {
      const Expr *item = value->u.items.data[k];
      if (item->kind != EXPR_CONST || str_eq(item->u.constant.text, S("__weakref__"))) return true;
    }
    return false;
  }
  return true;
}

/* ---- dataclasses ---- */

typedef struct DataClass {
  bool is, eq, frozen, hash, slots, weakref_slot, unclear;
} DataClass;

static void read_option(DataClass *data, const Keyword *keyword) {
  if (!keyword->name || keyword->value->kind != EXPR_CONST) {
    data->unclear = true;
    return;
  }
  bool on = keyword->value->u.constant.kind == CONST_TRUE;
  if (sym_is(keyword->name, S("eq"))) data->eq = on;
  if (sym_is(keyword->name, S("frozen"))) data->frozen = on;
  if (sym_is(keyword->name, S("unsafe_hash"))) data->hash = on;
  if (sym_is(keyword->name, S("slots"))) data->slots = on;
  if (sym_is(keyword->name, S("weakref_slot"))) data->weakref_slot = on;
}

static bool names_dataclass(const Project *project, ModuleId module, const Class *cls, const Expr *expr) {
  EntitySet set = project_resolve(project, module, cls->parent, expr);
  return set.len == 1 && set.items[0].kind == ENTITY_API &&
         str_eq(sym_str(set.items[0].api), S("dataclasses.dataclass"));
}

static DataClass read_dataclass(const Project *project, ClassRef ref) {
  const Class *cls = project_class(project, ref);
  DataClass data = {.eq = true};
  for (uint32_t i = 0; i < cls->decorator_len; i++) {
    const Expr *decorator = cls->decorators[i];
    bool called = decorator->kind == EXPR_CALL;
    if (!names_dataclass(project, ref.module, cls, called ? decorator->u.call.callee : decorator)) {
      data.unclear = true;
      continue;
    }
    data.is = true;
    for (uint32_t k = 0; called && k < decorator->u.call.keyword_len; k++)
      read_option(&data, &decorator->u.call.keywords[k]);
  }
  return data;
}

/* ---- the verdict ---- */

typedef enum Verdict { FINE, UNHASHABLE, UNHASHABLE_DATACLASS, NO_WEAKREF } Verdict;

/* Python looks for `__hash__` along the bases; a class that defines `__eq__` only has `__hash__ = None`. */
static Verdict judge_hash(const Project *project, const ClassInfo *info) {
  for (uint32_t i = 0; i < info->mro.len; i++) {
    const Class *cls = project_class(project, info->mro.data[i]);
    DataClass data = read_dataclass(project, info->mro.data[i]);
    if (binds(cls, S("__hash__")) || data.unclear) return FINE;
    if (binds(cls, S("__eq__"))) return data.is && (data.hash || data.frozen) ? FINE : UNHASHABLE;
    if (data.is && data.eq) return data.hash || data.frozen ? FINE : UNHASHABLE_DATACLASS;
  }
  return FINE;
}

/* Only where every class of the chain, and nothing else, has slots. */
static Verdict judge_weakref(const Project *project, const ClassInfo *info) {
  if (info->unknown_base || info->apis.len) return FINE;
  for (uint32_t i = 0; i < info->mro.len; i++) {
    const Class *cls = project_class(project, info->mro.data[i]);
    DataClass data = read_dataclass(project, info->mro.data[i]);
    bool made = data.is && data.slots && !data.weakref_slot && !data.unclear;
    if (!made && (!binds(cls, S("__slots__")) || slots_keep_weakref(cls))) return FINE;
  }
  return NO_WEAKREF;
}

static bool is_static(const Function *function) {
  for (uint32_t i = 0; i < function->decorator_len; i++) {
    const Expr *decorator = function->decorators[i];
    if (decorator->kind != EXPR_NAME) continue;
    Sym name = decorator->u.name.id;
    if (sym_is(name, S("staticmethod")) || sym_is(name, S("classmethod")) || sym_is(name, S("property"))) return true;
  }
  return false;
}

/* Extension types are arguments like others, not owners. */
static bool is_extension_type(const ClassInfo *info) {
  for (uint32_t i = 0; i < info->apis.len; i++) {
    if (str_ends(sym_str(info->apis.data[i]), S("ExtensionType"))) return true;
  }
  return false;
}

static void on_call(RuleContext *ctx, const Event *event) {
  uint32_t index;
  const Function *function = decoration_traces(event) ? decoration_function(event, &index) : NULL;
  const ClassInfo *owner = function ? decoration_class(event, function) : NULL;
  if (!owner || is_static(function) || is_extension_type(owner)) return;
  Verdict verdict = judge_hash(event->frame->project, owner);
  if (verdict == FINE) verdict = judge_weakref(event->frame->project, owner);
  if (verdict == FINE) return;
  Str name = sym_str(owner->class_->name);
  Report report = {.rule = RULE_TF506,
                   .variant = verdict == UNHASHABLE             ? TF506_DEFAULT
                              : verdict == UNHASHABLE_DATACLASS ? TF506_DATACLASS
                                                                : TF506_SLOTS,
                   .span = event->span,
                   .confidence = CONF_CERTAIN,
                   .subject = name};
  report_fill(&report, S("class"), name);
  report_fill(&report, S("method"), sym_str(function->name));
  report_label(&report,
               rule_label(ROLE_DEFINITION, event->frame->module->id, owner->class_->name_span, S("this class")));
  rule_report(ctx, event, &report);
}

const RuleCheck rule_unhashable_method_owner = {
    .name = S_INIT("unhashable_method_owner"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

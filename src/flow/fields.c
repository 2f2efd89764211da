/* Constructors that nobody wrote: dataclasses, `NamedTuple`s and extension types, whose fields are their annotations.
 *
 *   @dataclass
 *   class Smoother:
 *     size: int                                          # Smoother(5): size = 5 …
 *     def __post_init__(self): self.mean = tf.Variable(tf.zeros([self.size]))   # … and then this
 *
 * Fields are bound by position and keyword, bases first. What is left to its default stays a class attribute. Not handled:
 * `field(init=False)` in positions, and fields behind a base that is not visible.
 */
#include "flow/special.h"

enum { MOST_FIELDS = 64 };

typedef struct Fields {
  Sym names[MOST_FIELDS];
  bool only_init[MOST_FIELDS];  // `InitVar`: for `__post_init__` only
  uint32_t len;
  uint32_t positional;          // those in front of `_: KW_ONLY`
} Fields;

/* The last word of `ClassVar[int]`, `dataclasses.KW_ONLY`. */
static Sym annotation_word(const Expr *annotation) {
  while (annotation->kind == EXPR_SUBSCRIPT) annotation = annotation->u.subscript.value;
  if (annotation->kind == EXPR_NAME) return annotation->u.name.id;
  return annotation->kind == EXPR_ATTR ? annotation->u.attr.name : NULL;
}

static bool is_known(const Fields *fields, Sym name) {
  for (uint32_t i = 0; i < fields->len; i++) {
    if (fields->names[i] == name) return true;
  }
  return false;
}

static void add_fields(Fields *fields, const Class *cls) {
  for (uint32_t i = 0; i < cls->body.len && fields->len < MOST_FIELDS; i++) {
    const Stmt *stmt = cls->body.data[i];
    if (stmt->kind != STMT_ANNASSIGN || stmt->u.ann.target->kind != EXPR_NAME) continue;
    Sym name = stmt->u.ann.target->u.name.id, word = annotation_word(stmt->u.ann.annotation);
    if (sym_is(word, S("KW_ONLY"))) fields->positional = fields->len;
    if (sym_is(word, S("ClassVar")) || sym_is(word, S("KW_ONLY")) || is_known(fields, name)) continue;
    fields->names[fields->len] = name;
    fields->only_init[fields->len++] = sym_is(word, S("InitVar"));
    if (fields->positional == fields->len - 1) fields->positional++;
  }
}

static Fields fields_of(const Project *project, const ClassInfo *info) {
  Fields fields = {0};
  for (uint32_t i = info->mro.len; i-- > 0;) add_fields(&fields, project_class(project, info->mro.data[i]));
  return fields;
}

static const Value *given_value(const Fields *fields, uint32_t at, const Call *call) {
  const Args *args = call->args;
  const Value *given = args_get(args, at < fields->positional ? at : UINT32_MAX, sym_str(fields->names[at]));
  return !given && (args->has_star || args->has_kwstar) ? &value_unknown : given;
}

/* `__post_init__`, which gets what only the constructor takes. */
static void finish(Walker *w, const Fields *fields, const Value *instance, const Call *call) {
  const Value *post =
      member_value(w, instance, sym_intern(w->project->symbols, S("__post_init__")), call->span, NULL, NULL);
  if (!value_has(post, KIND(FUNCTION))) return;
  Args *args = arena_new(w->scratch, Args);
  args->values = arena_array(w->scratch, const Value *, fields->len + 1);
  args->exprs = arena_array(w->scratch, const Expr *, fields->len + 1);
  args->names = arena_array(w->scratch, Sym, fields->len + 1);
  for (uint32_t i = 0; i < fields->len; i++) {
    if (!fields->only_init[i]) continue;
    const Value *given = given_value(fields, i, call);
    args->values[args->len++] = given ? given : &value_unknown;
  }
  args->positional = args->len;
  Call inner = *call;
  inner.expr = NULL;
  inner.args = args;
  inner.setup = !ctx_traced(call->context);
  call_value(w, post, &inner);
}

void construct_fields(Walker *w, const ClassInfo *info, const Value *instance, const Call *call) {
  if (!project_has_fields(w->project, info->ref)) return;
  Fields fields = fields_of(w->project, info);
  bool unseen = w->module->is_test && !project_module(w->project, info->ref.module)->is_test;
  for (uint32_t i = 0; i < fields.len; i++) {
    const Value *given = fields.only_init[i] ? NULL : given_value(&fields, i, call);
    if (!given || !given->kinds) continue;
    store_member(w, instance, fields.names[i], unseen ? &value_unknown : given, call->span, WRITE_ASSIGN);
    vec_last(&w->out->records.writes).in_init = true;
  }
  finish(w, &fields, instance, call);
}

/* `field(default=0)`, `field(default_factory=list)`: what an object holds that was given nothing. */
const Value *special_field(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *fallback = args_get(call->args, UINT32_MAX, S("default"));
  const Value *factory = args_get(call->args, UINT32_MAX, S("default_factory"));
  if (!factory || !factory->obj_len) return fallback ? fallback : &value_unknown;
  Args none = {0};
  Call made = {.span = call->span, .args = &none, .context = call->context, .setup = true};
  return call_value(w, factory, &made);
}

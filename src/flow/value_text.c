/* Values as text, for dumps and for the `# kind:` comments of fixtures.
 *
 *   tensor[float32,rank=2]      attributes in brackets behind the kind they belong to
 *   none|variable[float32]      several kinds in the order of the published list
 *   number=3  text='abc'        constants
 *   list(tensor)                any number of elements;  tuple(tensor,) exactly one;  dict(x: tensor, y: number)  by key
 *   function helper             identities; `?` when there are too many or they are not known
 *   number{changing,likely}     flags
 */
#include "flow/value_inner.h"

static const struct {
  uint32_t flag;
  Str text;
} flag_texts[] = {
    {VF_TAINTED, S_INIT("tainted")},
    {VF_LIKELY, S_INIT("likely")},
    {VF_CHANGING, S_INIT("changing")},
    {VF_FRESH, S_INIT("fresh")},
    {VF_RANDOM, S_INIT("random")},
    {VF_CLOCK, S_INIT("clock")},
    {VF_HOST_STATE, S_INIT("host-state")},
    {VF_GROWING, S_INIT("growing")},
    {VF_FLAG, S_INIT("flag")},
    {VF_NULLED, S_INIT("nulled")},
    {VF_TENSOR_LEN, S_INIT("tensor-len")},
    {VF_MADE_BY_PARAM, S_INIT("by-param")},
};

#define KINDS_WITH_DTYPE                                                                                   \
  (KIND(NUMBER) | KIND(ARRAY) | KIND(TENSOR) | KIND(EAGER_TENSOR) | KIND(KERAS_TENSOR) | KIND(COMPOSITE) | \
   KIND(TENSOR_ARRAY) | KIND(VARIABLE))

typedef struct Printer {
  StrBuf buf;
  const Project *project;
} Printer;

static void print_value(Printer *out, const Value *v, int depth);

static void print_attributes(Printer *out, const Value *v) {
  if (!v->dtype && v->rank == RANK_UNKNOWN) return;
  buf_char(&out->buf, '[');
  if (v->dtype) buf_str(&out->buf, dtype_name((DType)v->dtype));
  if (v->rank != RANK_UNKNOWN) buf_printf(&out->buf, "%srank=%d", v->dtype ? "," : "", v->rank);
  buf_char(&out->buf, ']');
}

static void print_constant(Printer *out, const Value *v) {
  switch ((ConstTag)v->konst) {
    case KONST_NONE:
      break;
    case KONST_BOOL:
      buf_printf(&out->buf, "=%s", v->constant.i ? "True" : "False");
      break;
    case KONST_INT:
      buf_printf(&out->buf, "=%lld", (long long)v->constant.i);
      break;
    case KONST_FLOAT:
      buf_printf(&out->buf, "=%g", v->constant.f);
      break;
    case KONST_STR:
      buf_printf(&out->buf, "='%.*s'", STR_ARG(v->constant.s));
      break;
  }
}

static void print_parts(Printer *out, const Value *v, int depth) {
  for (uint32_t i = 0; i < v->part_len; i++) {
    if (i > 0) buf_lit(&out->buf, ", ");
    if (v->keys) buf_printf(&out->buf, "%.*s: ", STR_ARG(sym_str(v->keys[i])));
    print_value(out, v->parts[i], depth + 1);
  }
  if (v->part_len == 1 && !v->keys) buf_char(&out->buf, ',');
}

static void print_structure(Printer *out, const Value *v, int depth) {
  Form form = depth < VALUE_DEPTH ? value_form(v) : FORM_OPEN;
  if (form != FORM_EXACT && form != FORM_ELEM) return;
  buf_char(&out->buf, '(');
  if (form == FORM_EXACT) print_parts(out, v, depth);
  else print_value(out, v->elem, depth + 1);
  buf_char(&out->buf, ')');
}

static Str obj_text(Printer *out, const Obj *obj) {
  Arena *arena = out->buf.arena;
  if (obj->api) return api_text(arena, obj->api->text);
  if (!out->project) return S("?");
  switch (obj->kind) {
    case OBJ_FUNCTION: {
      const Function *function = project_function(out->project, obj->func);
      return function->name ? function->name->text : S("<lambda>");
    }
    case OBJ_CLASS:
    case OBJ_INSTANCE:
      return sym_str(project_class(out->project, obj->cls)->name);
    case OBJ_MODULE:
      return sym_str(project_module(out->project, obj->module)->name);
    case OBJ_TRACED:
    case OBJ_PARTIAL: {
      const Value *target = obj->target;
      return target && target->obj_len == 1 && target->objs[0]->kind == OBJ_FUNCTION ? obj_text(out, target->objs[0])
                                                                                     : S("?");
    }
    default:
      return S("?");
  }
}

static void print_objs(Printer *out, const Value *v) {
  if (v->obj_more) buf_lit(&out->buf, " ?");
  for (uint32_t i = 0; i < v->obj_len; i++) {
    buf_char(&out->buf, i == 0 ? ' ' : '/');
    buf_str(&out->buf, obj_text(out, v->objs[i]));
  }
}

static void print_flags(Printer *out, const Value *v) {
  bool any = false;
  for (size_t i = 0; i < sizeof flag_texts / sizeof *flag_texts; i++) {
    if (!(v->flags & flag_texts[i].flag)) continue;
    buf_char(&out->buf, any ? ',' : '{');
    buf_str(&out->buf, flag_texts[i].text);
    any = true;
  }
  if (any) buf_char(&out->buf, '}');
}

/* Dtype and rank stand behind the last kind that has them, structure behind the last that holds something. */
static void print_value(Printer *out, const Value *v, int depth) {
  if (!v->kinds) {
    buf_lit(&out->buf, "nothing");
    return;
  }
  KindSet with_dtype = v->kinds & KINDS_WITH_DTYPE, with_structure = v->kinds & KINDS_STRUCTURED;
  bool first = true;
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    KindSet bit = (KindSet)1 << kind;
    if (!(v->kinds & bit)) continue;
    if (!first) buf_char(&out->buf, '|');
    first = false;
    buf_str(&out->buf, kind_name((Kind)kind));
    if (bit & with_dtype && !(with_dtype >> kind >> 1)) print_attributes(out, v);
    if (bit & with_structure && !(with_structure >> kind >> 1)) print_structure(out, v, depth);
  }
  print_constant(out, v);
  print_objs(out, v);
  print_flags(out, v);
}

Str value_text(Arena *arena, const Project *project, const Value *v) {
  Printer out = {.buf = {.arena = arena}, .project = project};
  print_value(&out, v, 0);
  return buf_view(&out.buf);
}

Str var_text(Arena *arena, const Project *project, Var var) {
  switch (var.kind) {
    case VAR_NONE:
      return S("");
    case VAR_LOCAL:
    case VAR_GLOBAL:
    case VAR_PARAM:
    case VAR_API:
      return sym_str(var.name);
    case VAR_FIELD:
      return str_concat(arena, S("self."), sym_str(var.name));
    case VAR_CLASS:
      break;
  }
  const Class *owner = project_class(project, (ClassRef){var.module, var.owner});
  return str_printf(arena, "%.*s.%.*s", STR_ARG(sym_str(owner->name)), STR_ARG(sym_str(var.name)));
}

/* What a parameter of a traced root is, and how values change when they cross from eager code into a trace and back.
 *
 * In order: the input signature, the annotation, what the call passes (arrays and concrete tensors become symbolic), the
 * default; last, for roots only, its use in a TensorFlow operation, which is a good guess and marked as such.
 */
#include "flow/walk.h"

/* ---- crossing ---- */

typedef const Value *LeafChange(Arena *arena, const Value *v);

static const Value *change_leaves(Arena *arena, const Value *v, LeafChange *change) {
  if (!value_has(v, KINDS_CONTAINER)) return change(arena, v);
  Value *copy = value_copy(arena, change(arena, v));  // it may be a tensor instead
  copy->parts = arena_array(arena, const Value *, v->part_len + 1u);
  for (uint32_t i = 0; i < v->part_len; i++) copy->parts[i] = change_leaves(arena, v->parts[i], change);
  if (v->elem) copy->elem = change_leaves(arena, v->elem, change);
  if (copy->origin == ORIGIN_FRESH) copy->origin = ORIGIN_PARAM;
  return copy;
}

/* Given to get_concrete_function, a specification stands for a tensor of its type; one of ragged tensors for none. */
static const Value *specified(Arena *arena, const Value *spec) {
  if (spec->obj_len != 1 || !sym_is(spec->objs[0]->api, S("tensorflow.TensorSpec"))) return &value_unknown;
  Value *tensor = value_copy(arena, spec);
  tensor->kinds = KIND(TENSOR);
  tensor->objs[0] = NULL;
  tensor->obj_len = 0;
  tensor->flags = 0;
  tensor->origin = ORIGIN_PARAM;
  tensor->home = (Var){0};
  tensor->why.kind = WHY_SIGNATURE;
  return tensor;
}

static const Value *leaf_to_traced(Arena *arena, const Value *v) {
  if (v->kinds && value_is(v, KIND(SPEC))) return specified(arena, v);
  KindSet becomes = KIND(EAGER_TENSOR) | KIND(ARRAY);
  bool number = v->kinds && value_is(v, KINDS_PYTHON_SCALAR | KIND(NONE));
  if (!(v->kinds & becomes) && !number && v->origin != ORIGIN_FRESH) return v;
  Value *copy = value_copy(arena, v);
  if (v->kinds & becomes) {
    copy->kinds = (v->kinds & ~becomes) | KIND(TENSOR);
    copy->flags &= ~(uint32_t)(VF_CHANGING | VF_FRESH | VF_RANDOM | VF_CLOCK | VF_HOST_STATE | VF_GROWING);
  } else if (number && !value_is(v, KIND(NONE))) {
    copy->flags |= VF_MADE_BY_PARAM;
    if (v->konst != KONST_BOOL) copy->konst = KONST_NONE;
  }
  if (number || (v->kinds & becomes)) copy->home = (Var){0};
  copy->origin = ORIGIN_PARAM;
  return copy;
}

/* A container belongs to the caller then, wherever it lives: what it holds is part of what selects the trace. */
const Value *to_traced(Arena *arena, const Value *v) {
  const Value *traced = change_leaves(arena, v, leaf_to_traced);
  if (!value_has(v, KINDS_CONTAINER) || v->origin != ORIGIN_OUTER) return traced;
  Value *copy = value_copy(arena, traced);
  copy->origin = ORIGIN_PARAM;
  copy->home = (Var){0};
  return copy;
}

static const Value *leaf_from_traced(Arena *arena, const Value *v) {
  bool number = v->kinds && value_is(v, KINDS_PYTHON_SCALAR | KIND(ARRAY));
  if (!value_has(v, KIND(TENSOR)) && !number) return v;
  Value *copy = value_copy(arena, v);
  copy->kinds = (v->kinds & ~(KIND(TENSOR) | KINDS_PYTHON_SCALAR | KIND(ARRAY))) | KIND(EAGER_TENSOR);
  copy->flags &= ~(uint32_t)(VF_TAINTED | VF_MADE_BY_PARAM | VF_HOST_STATE | VF_RANDOM | VF_CLOCK);
  copy->konst = KONST_NONE;
  copy->home = (Var){0};
  copy->origin = ORIGIN_FRESH;
  return copy;
}

const Value *from_traced(Arena *arena, const Value *v) { return change_leaves(arena, v, leaf_from_traced); }

static const Value *leaf_to_eager(Arena *arena, const Value *v) {
  if (!value_has(v, KIND(TENSOR))) return v;
  Value *copy = value_copy(arena, v);
  copy->kinds = (v->kinds & ~KIND(TENSOR)) | KIND(EAGER_TENSOR);
  return copy;
}

const Value *to_eager(Arena *arena, const Value *v) { return change_leaves(arena, v, leaf_to_eager); }

static const Value *leaf_read(Arena *arena, const Value *v) {
  if (!value_has(v, KIND(VARIABLE))) return v;
  Value *copy = value_copy(arena, v);
  copy->kinds = (v->kinds & ~KIND(VARIABLE)) | KIND(TENSOR);
  copy->home = (Var){0};
  copy->obj_len = 0;
  return copy;
}

const Value *variables_read(Arena *arena, const Value *v) { return change_leaves(arena, v, leaf_read); }

/* ---- guessing ---- */

/* Values of an input signature: TensorSpecs in the structure of the arguments. */
static const Value *from_spec(Walker *w, const Value *spec, const Param *param, const Module *module) {
  if (value_is(spec, KIND(SPEC))) {
    Value *tensor = value_new(w->scratch, KIND(TENSOR));
    tensor->dtype = spec->dtype;
    tensor->rank = spec->rank;
    tensor->dim_len = spec->dim_len;
    memcpy(tensor->dims, spec->dims, sizeof tensor->dims);
    tensor->origin = ORIGIN_PARAM;
    tensor->why = (Why){WHY_SIGNATURE, module->id, param->span, NULL};
    return tensor;
  }
  if (!value_is(spec, KIND(LIST) | KIND(TUPLE) | KIND(DICT)) || !spec->parts_exact) return NULL;
  Value *structure = value_copy(w->scratch, spec);
  structure->parts = arena_array(w->scratch, const Value *, spec->part_len + 1u);
  structure->elem = NULL;
  structure->origin = ORIGIN_PARAM;
  for (uint32_t i = 0; i < spec->part_len; i++) {
    const Value *part = from_spec(w, spec->parts[i], param, module);
    structure->parts[i] = part ? part : &value_unknown;
  }
  return structure;
}

static const Value *from_signature(Walker *w, const TraceSpec *spec, uint32_t position, const Param *param,
                                   const Module *module) {
  const Value *signature = spec && spec->has_signature ? spec->signature : NULL;
  if (!signature || !value_is(signature, KIND(LIST) | KIND(TUPLE)) || !signature->parts_exact) return NULL;
  return position < signature->part_len ? from_spec(w, signature->parts[position], param, module) : NULL;
}

static bool annotated_tensor(Walker *w, const Module *module, const Param *param) {
  if (!param->annotation) return false;
  EntitySet set = project_resolve(w->project, module->id, module->ast->module, param->annotation);
  return set.len == 1 && set.items[0].kind == ENTITY_API && sym_is(set.items[0].api, S("tensorflow.Tensor"));
}

static const Value *guessed_tensor(Walker *w, const Module *module, const Param *param, WhyKind why, uint32_t flags) {
  Value *tensor = value_new(w->scratch, KIND(TENSOR));
  tensor->flags = flags;
  tensor->origin = ORIGIN_PARAM;
  tensor->why = (Why){why, module->id, param->span, NULL};
  return tensor;
}

const Value *guess_param(Walker *w, const Module *module, const Function *function, const Param *param,
                         const Value *given, const TraceSpec *spec, uint32_t position) {
  if (param->kind == PARAM_VARARGS || param->kind == PARAM_KWARGS) {
    Value *collected = value_copy(w->scratch, to_traced(w->scratch, given));
    collected->origin = given->origin;  // the tuple or dict itself is made by the call
    return collected;
  }
  const Value *signed_value = from_signature(w, spec, position, param, module);
  if (signed_value) return signed_value;
  if (!value_is_unknown(given)) return to_traced(w->scratch, given);
  if (annotated_tensor(w, module, param)) return guessed_tensor(w, module, param, WHY_ANNOTATION, 0);
  if (param->fallback) return given;
  ParamUse use = param_use(w, module, function, param);
  if (use.as_tensor && !use.as_mapping) return guessed_tensor(w, module, param, WHY_USE, VF_LIKELY);
  return given;
}

/* ---- annotations of functions that are no roots ---- */

/* `Optional[T]` holds T or None. */
static const Expr *unwrap_optional(const Expr *annotation, bool *optional) {
  *optional = annotation->kind == EXPR_SUBSCRIPT && annotation->u.subscript.value->kind != EXPR_SUBSCRIPT;
  if (!*optional) return annotation;
  const Expr *base = annotation->u.subscript.value;
  Sym name = base->kind == EXPR_NAME ? base->u.name.id : base->kind == EXPR_ATTR ? base->u.attr.name : NULL;
  return sym_is(name, S("Optional")) ? annotation->u.subscript.index : NULL;
}

/* An object of an outside class that matters: a model, a variable … Python's own types are often only meant loosely. */
static const Value *annotated_api(Walker *w, Sym name, const Param *param) {
  const ApiFact *fact = catalog_api_exact(w->project->catalog, name->text);
  KindSet objects = KIND(VARIABLE) | KIND(DATASET) | KIND(STRATEGY) | KIND(LOSS) | KINDS_TRACKABLE;
  if (sym_is(name, S("tensorflow.Tensor"))) {
    Value *tensor = value_copy(w->scratch, tensor_here(w, param->span));
    tensor->flags |= VF_LIKELY;
    tensor->why = (Why){WHY_ANNOTATION, w->module->id, param->span, NULL};
    return tensor;
  }
  bool known = fact && fact->what == API_CLASS && fact->returns && fact->returns->form == SPEC_KIND;
  if (!known || !((KindSet)1 << fact->returns->kind & objects)) return &value_unknown;
  Value *object = value_new(w->scratch, (KindSet)1 << fact->returns->kind);
  object->flags |= VF_LIKELY;
  object->why = (Why){WHY_ANNOTATION, w->module->id, param->span, name};
  return object;
}

static const Value *annotated_instance(Walker *w, ClassRef cls, const Param *param) {
  const ClassInfo *info = project_class_info(w->project, cls);
  Value *object = value_any_object(w->scratch, info);
  object->flags |= VF_LIKELY;
  object->why = (Why){WHY_ANNOTATION, w->module->id, param->span, info->class_->name};
  return object;
}

const Value *annotated_object(Walker *w, const Module *module, const Param *param) {
  if (!param->annotation) return NULL;
  EntitySet set = project_resolve(w->project, module->id, module->ast->module, param->annotation);
  if (set.len != 1 || set.more || set.items[0].kind != ENTITY_CLASS) return NULL;
  return annotated_instance(w, (ClassRef){set.items[0].module, set.items[0].index}, param);
}

const Value *annotated_value(Walker *w, const Param *param) {
  bool optional;
  const Expr *annotation = unwrap_optional(param->annotation, &optional);
  if (!annotation || (annotation->kind != EXPR_NAME && annotation->kind != EXPR_ATTR)) return &value_unknown;
  EntitySet set = project_resolve(w->project, w->module->id, w->module->ast->module, annotation);
  if (set.len != 1 || set.more) return &value_unknown;
  const Value *value = &value_unknown;
  if (set.items[0].kind == ENTITY_API) value = annotated_api(w, set.items[0].api, param);
  if (set.items[0].kind == ENTITY_CLASS)
    value = annotated_instance(w, (ClassRef){set.items[0].module, set.items[0].index}, param);
  if (!optional || value_is_unknown(value)) return value;
  return value_join(w->scratch, value, value_new(w->scratch, KIND(NONE)));
}

/* Provenance in words: what a value is, and why it is believed to be that. */
#include "flow/value_inner.h"

/* In order of what a reader cares about first when a value may be several things. */
static const struct {
  KindSet kinds;
  Str noun;
} nouns[] = {
    {KIND(TENSOR), S_INIT("a tensor")},
    {KIND(VARIABLE), S_INIT("a variable")},
    {KIND(COMPOSITE), S_INIT("a ragged or sparse tensor")},
    {KIND(EAGER_TENSOR), S_INIT("a concrete tensor")},
    {KIND(KERAS_TENSOR), S_INIT("a Keras tensor")},
    {KIND(TENSOR_ARRAY), S_INIT("a TensorArray")},
    {KIND(DATASET), S_INIT("a dataset")},
    {KIND(ITERATOR), S_INIT("a dataset iterator")},
    {KIND(HOST_ITERATOR), S_INIT("a Python iterator")},
    {KIND(MODEL), S_INIT("a model")},
    {KIND(LAYER), S_INIT("a layer")},
    {KIND(OPTIMIZER), S_INIT("an optimizer")},
    {KIND(METRIC), S_INIT("a metric")},
    {KIND(LOSS), S_INIT("a loss")},
    {KIND(TF_RNG), S_INIT("a random generator")},
    {KIND(HOST_RNG), S_INIT("a NumPy random generator")},
    {KIND(TABLE), S_INIT("a lookup table")},
    {KIND(WRITER), S_INIT("a summary writer")},
    {KIND(CHECKPOINT), S_INIT("a checkpoint")},
    {KIND(STRATEGY), S_INIT("a distribution strategy")},
    {KIND(TAPE), S_INIT("a gradient tape")},
    {KIND(SPEC), S_INIT("a tensor specification")},
    {KIND(TF_OBJECT), S_INIT("a TensorFlow object")},
    {KIND(ARRAY), S_INIT("a NumPy array")},
    {KIND(SHAPE), S_INIT("a static shape")},
    {KIND(DIM), S_INIT("a static dimension")},
    {KIND(DTYPE), S_INIT("a dtype")},
    {KIND(LIST), S_INIT("a list")},
    {KIND(TUPLE), S_INIT("a tuple")},
    {KIND(DICT), S_INIT("a dict")},
    {KIND(SET), S_INIT("a set")},
    {KIND(TRACED), S_INIT("a traced function")},
    {KIND(FUNCTION), S_INIT("a function")},
    {KIND(CLASS), S_INIT("a class")},
    {KIND(NUMBER), S_INIT("a Python number")},
    {KIND(BOOL), S_INIT("a Python bool")},
    {KIND(TEXT), S_INIT("a string")},
    {KIND(NONE), S_INIT("None")},
    {KIND(MODULE), S_INIT("a module")},
    {KIND(INSTANCE) | KIND(OBJECT), S_INIT("an object")},
};

Str why_noun(const Value *v) {
  for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
    if (v->kinds & nouns[i].kinds) return nouns[i].noun;
  }
  return S("a value");
}

static const struct {
  Str prefix, replacement;
} api_prefixes[] = {
    {S_INIT("tensorflow."), S_INIT("tf.")},
    {S_INIT("numpy."), S_INIT("np.")},
    {S_INIT("builtins."), S_INIT("")},
};

Str api_text(Arena *arena, Str canonical) {
  for (size_t i = 0; i < sizeof api_prefixes / sizeof *api_prefixes; i++) {
    if (!str_starts(canonical, api_prefixes[i].prefix)) continue;
    return str_concat(arena, api_prefixes[i].replacement,
                      str_sub(canonical, api_prefixes[i].prefix.len, canonical.len));
  }
  return canonical;
}

/* What stands around the name, and what to say when there is none. */
static const struct {
  Str before, after;
  Str nameless;
} why_phrases[] = {
    [WHY_NONE] = {S_INIT(""), S_INIT(""), S_INIT("")},
    [WHY_RESULT] = {S_INIT("result of `"), S_INIT("`"), S_INIT("result of a call")},
    [WHY_OPERATOR] = {S_INIT(""), S_INIT(""), S_INIT("result of an operation on tensors")},
    [WHY_PARAMETER] = {S_INIT("parameter `"), S_INIT("` of the traced function"),
                       S_INIT("parameter of the traced function")},
    [WHY_SIGNATURE] = {S_INIT("parameter `"), S_INIT("`, by the `input_signature`"),
                       S_INIT("by the `input_signature`")},
    [WHY_ANNOTATION] = {S_INIT("parameter `"), S_INIT("`, by its annotation"), S_INIT("by its annotation")},
    [WHY_DEFAULT] = {S_INIT("parameter `"), S_INIT("`, by its default value"), S_INIT("by its default value")},
    [WHY_CALL_SITE] = {S_INIT("parameter `"), S_INIT("`, as it is called"), S_INIT("as it is called")},
    [WHY_ELEMENT] = {S_INIT("element that `"), S_INIT("` hands over"), S_INIT("element of a dataset")},
    [WHY_ITERATION] = {S_INIT(""), S_INIT(""), S_INIT("taken from a loop over tensors")},
    [WHY_KERAS] = {S_INIT("Keras calls `"), S_INIT("` with tensors"), S_INIT("Keras passes tensors")},
    [WHY_USE] = {S_INIT("used in `"), S_INIT("`"), S_INIT("used as a tensor")},
    [WHY_ATTRIBUTE] = {S_INIT("attribute `"), S_INIT("`"), S_INIT("attribute of a tensor")},
    [WHY_CONSTRUCTED] = {S_INIT("made by `"), S_INIT("`"), S_INIT("made here")},
    [WHY_ASSIGNED] = {S_INIT("assigned to `"), S_INIT("`"), S_INIT("assigned here")},
};

/* `keras.layers.Layer.__call__` is what the catalogue calls it; people call a layer. */
static bool is_call_of_object(const Why *why) {
  return why->kind == WHY_RESULT && why->name && str_ends(why->name->text, S(".__call__"));
}

static void append_reason(StrBuf *buf, const Why *why, Str name) {
  bool repeats = why->name && str_eq(why->name->text, name);
  if (is_call_of_object(why)) {
    Str api = api_text(buf->arena, why->name->text);
    Str owner = str_sub(api, 0, api.len - S(".__call__").len);
    buf_printf(buf, "result of calling a `%.*s`", STR_ARG(owner));
  } else if (why->name && !repeats && why_phrases[why->kind].before.len > 0) {
    buf_str(buf, why_phrases[why->kind].before);
    buf_str(buf, api_text(buf->arena, why->name->text));
    buf_str(buf, why_phrases[why->kind].after);
  } else {
    buf_str(buf, why_phrases[why->kind].nameless);
  }
}

static void append_line(StrBuf *buf, const Project *project, const Why *why) {
  if (!project || why->module >= project->module_count) return;
  buf_printf(buf, ", line %u", source_line_of(&project_module(project, why->module)->source, why->span.start));
}

Str why_text(Arena *arena, const Project *project, const Value *v, Str name) {
  if (v->why.kind == WHY_NONE) return S("");
  StrBuf buf = {.arena = arena};
  if (name.len > 0) buf_printf(&buf, "`%.*s` is ", STR_ARG(name));
  else buf_lit(&buf, "this is ");
  buf_str(&buf, why_noun(v));
  buf_lit(&buf, ": ");
  append_reason(&buf, &v->why, name);
  append_line(&buf, project, &v->why);
  return buf_view(&buf);
}

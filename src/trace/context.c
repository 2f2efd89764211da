/* Contexts and roots in words. */
#include "trace/context.h"

Str root_kind_text(RootKind kind) {
  switch (kind) {
    case ROOT_NONE:
      return S("");
    case ROOT_DECORATOR:
    case ROOT_WRAPPED:
      return S("tracing starts here");
    case ROOT_KERAS_METHOD:
      return S("Keras traces this method");
    case ROOT_KERAS_ARGUMENT:
      return S("Keras traces the function given here");
    case ROOT_DATASET:
      return S("tf.data traces the function given here");
    case ROOT_CALLBACK:
      return S("the function given here is traced");
  }
  return S("");
}

static const struct {
  Context bit;
  Str text;
} context_words[] = {
    {CTX_AUTOGRAPH_OFF, S_INIT("autograph off")},
    {CTX_AUTOGRAPH_UNKNOWN, S_INIT("autograph unknown")},
    {CTX_JIT, S_INIT("jit")},
    {CTX_JIT_UNKNOWN, S_INIT("jit unknown")},
    {CTX_GUARDED, S_INIT("guarded")},
    {CTX_SKIPPABLE, S_INIT("skippable")},
    {CTX_TENSOR_BRANCH, S_INIT("in a tensor branch")},
    {CTX_TENSOR_LOOP, S_INIT("in a tensor loop")},
    {CTX_IN_LOOP, S_INIT("in a loop")},
    {CTX_GRAPH, S_INIT("graph building")},
    {CTX_SETUP, S_INIT("setup")},
    {CTX_KERAS_CALL, S_INIT("keras call")},
    {CTX_UNSURE, S_INIT("by convention")},
    {CTX_INIT_SCOPE, S_INIT("init scope")},
};

Str context_text(Arena *arena, Context context) {
  StrBuf buf = {.arena = arena};
  buf_str(&buf, ctx_traced(context) ? S("traced") : S("eager"));
  for (size_t i = 0; i < sizeof context_words / sizeof *context_words; i++) {
    if (!(context & context_words[i].bit)) continue;
    buf_lit(&buf, ", ");
    buf_str(&buf, context_words[i].text);
  }
  return buf_view(&buf);
}

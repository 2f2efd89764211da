/* See words.h. */
#include "catalog/words.h"

static const Str what_words[] = {S_INIT("function"), S_INIT("class"), S_INIT("module"), S_INIT("value"),
                                 S_INIT("attribute")};
static const Str creates_words[] = {
    S_INIT("nothing"), S_INIT("variable"),  S_INIT("layer"),      S_INIT("seeded-layer"), S_INIT("pure-layer"),
    S_INIT("model"),   S_INIT("optimizer"), S_INIT("metric"),     S_INIT("rng"),          S_INIT("average"),
    S_INIT("table"),   S_INIT("writer"),    S_INIT("checkpoint"), S_INIT("queue"),        S_INIT("generator-dataset")};
static const Str tag_words[] = {
#define X(id, text) S_INIT(text),
    API_TAG_LIST(X)
#undef X
};
static const Str mode_words[] = {S_INIT("traced"), S_INIT("in-trace"), S_INIT("eager"), S_INIT("now"),
                                 S_INIT("later"),  S_INIT("graph"),    S_INIT("wrap"),  S_INIT("same")};
static const Str autograph_words[] = {S_INIT("on"), S_INIT("off"), S_INIT("inherit")};
static const Str gives_words[] = {S_INIT("unknown"), S_INIT("element"), S_INIT("state-element"), S_INIT("elem-of-arg"),
                                  S_INIT("args-of"), S_INIT("tensors"), S_INIT("batch"),         S_INIT("batches"),
                                  S_INIT("arrays"),  S_INIT("eager"),   S_INIT("nothing")};
static const Str exact_words[] = {S_INIT("none"), S_INIT("yes"), S_INIT("if")};
static const Str status_words[] = {S_INIT("preview"), S_INIT("stable")};
static const Str fix_words[] = {S_INIT("none"), S_INIT("display"), S_INIT("unsafe"), S_INIT("safe")};
static const Str level_words[] = {S_INIT("off"), S_INIT("note"), S_INIT("warning"), S_INIT("error")};
static const Str flavour_words[] = {S_INIT("both"), S_INIT("keras3"), S_INIT("keras2")};
static const Str on_words[] = {S_INIT("call"),      S_INIT("attribute"), S_INIT("subscript"), S_INIT("assign"),
                               S_INIT("augassign"), S_INIT("branch"),    S_INIT("loop"),      S_INIT("return"),
                               S_INIT("raise"),     S_INIT("decorator"), S_INIT("import")};
static const Str situation_words[] = {
#define X(id, text) S_INIT(text),
    SITUATION_LIST(X)
#undef X
};
static const Str subject_words[] = {S_INIT("callee"), S_INIT("receiver"), S_INIT("argument")};
static const Str kind_words[] = {
#define X(id, text) S_INIT(text),
    KIND_LIST(X)
#undef X
        S_INIT("tensor-like"),
    S_INIT("trackable"), S_INIT("container"), S_INIT("python-scalar")};
static const KindSet kind_groups[] = {KINDS_TENSOR_LIKE, KINDS_TRACKABLE, KINDS_CONTAINER, KINDS_PYTHON_SCALAR};

_Static_assert(TAG_COUNT <= 64, "ApiTags has 64 bits");
_Static_assert(SITUATION_COUNT <= 32, "SituationSet has 32 bits");
_Static_assert(SCHEMA_COUNT(creates_words) == CREATES_GENERATOR_DATASET + 1, "one word for each constant");
_Static_assert(SCHEMA_COUNT(mode_words) == RUN_SAME + 1, "one word for each constant");
_Static_assert(SCHEMA_COUNT(gives_words) == GIVES_NOTHING + 1, "one word for each constant");

#define WORDS(name) const Words words_##name = {name##_words, SCHEMA_COUNT(name##_words)};
#define WORDS_AND_SHAPE(name) WORDS(name) const Shape shape_##name = SHAPE_OF_WORDS(name##_words);

WORDS_AND_SHAPE(what)
WORDS_AND_SHAPE(creates)
WORDS_AND_SHAPE(mode)
WORDS_AND_SHAPE(autograph)
WORDS_AND_SHAPE(gives)
WORDS_AND_SHAPE(exact)
WORDS_AND_SHAPE(status)
WORDS_AND_SHAPE(fix)
WORDS_AND_SHAPE(level)
WORDS_AND_SHAPE(flavour)
WORDS_AND_SHAPE(on)
WORDS_AND_SHAPE(subject)
WORDS(situation)
WORDS(kind)

const Words words_tags = {tag_words, SCHEMA_COUNT(tag_words)};
static const Shape shape_tag = SHAPE_OF_WORDS(tag_words);
const Shape shape_tags = SHAPE_ONE_OR_LIST_OF(&shape_tag);
const Shape shape_on_list = SHAPE_ONE_OR_LIST_OF(&shape_on);

int word_index(const Words *words, const Doc *doc, int fallback) {
  int index = doc && doc->kind == DOC_SCALAR ? schema_word(doc->text, words->words, words->count) : -1;
  return index >= 0 ? index : fallback;
}

KindSet word_kinds(uint32_t index) {
  return index < KIND_COUNT ? (KindSet)1 << index : kind_groups[index - KIND_COUNT];
}

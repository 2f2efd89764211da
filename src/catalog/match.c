/* Loads the `match:` block of a declarative rule (language: rules/README.md). */
#include "catalog/load.h"
#include "catalog/words.h"

static const Shape shape_situations = {.kind = SHAPE_ONE_OR_LIST, .element = &shape_text};
static const Shape shape_args = {.kind = SHAPE_MAP, .what = "a map from arguments to kinds", .element = &shape_texts};

static const Field match_fields[] = {
    {S_INIT("on"), &shape_on_list, true},         {S_INIT("callee"), &shape_texts, false},
    {S_INIT("tags"), &shape_texts, false},        {S_INIT("receiver"), &shape_texts, false},
    {S_INIT("args"), &shape_args, false},         {S_INIT("within"), &shape_situations, false},
    {S_INIT("unless"), &shape_situations, false}, {S_INIT("subject"), &shape_subject, false},
};
static const Shape shape_match = SHAPE_OF_FIELDS(match_fields);

typedef struct MatchLoader {
  Loader *loader;
  const DocFile *file;
} MatchLoader;

/* The index of a word that may start with `!`; -1 after an error. */
static int read_word(const MatchLoader *match, const Doc *doc, const Words *words, const char *what, bool *negated) {
  Str word = doc->text;
  *negated = str_starts(word, S("!"));
  if (*negated) word = str_sub(word, 1, word.len);
  int index = schema_word(word, words->words, words->count);
  if (index >= 0) return index;
  Str hint = schema_hint(match->loader->arena, word, words->words, words->count);
  doc_fail(match->loader->errors, match->file, doc->span, "unknown %s \"%.*s\"%.*s", what, STR_ARG(word),
           STR_ARG(hint));
  return -1;
}

/* `!` alone means anything known but this. Unknown is never matched, unless a rule asks for it by name. */
static bool read_kinds(const MatchLoader *match, const Doc *doc, KindSet *out) {
  KindSet with = 0, without = 0;
  for (uint32_t i = 0; i < load_count(doc); i++) {
    bool negated;
    int index = read_word(match, load_item(doc, i), &words_kind, "kind", &negated);
    if (index < 0) return false;
    if (negated) without |= word_kinds((uint32_t)index);
    else with |= word_kinds((uint32_t)index);
  }
  KindSet all = (((KindSet)1 << (KIND_COUNT - 1) << 1) - 1) & ~KIND(UNKNOWN);
  *out = (with ? with : all) & ~without;
  return true;
}

static bool read_tags(const MatchLoader *match, const Doc *doc, Match *out) {
  for (uint32_t i = 0; i < load_count(doc); i++) {
    bool negated;
    int index = read_word(match, load_item(doc, i), &words_tags, "tag", &negated);
    if (index < 0) return false;
    if (negated) out->not_tags |= (ApiTags)1 << index;
    else out->tags |= (ApiTags)1 << index;
  }
  return true;
}

/* `within: ["!eager"]` is `unless: [eager]`, and the other way round. */
static bool read_situations(const MatchLoader *match, const Doc *doc, SituationSet *wanted, SituationSet *refused) {
  for (uint32_t i = 0; i < load_count(doc); i++) {
    bool negated;
    int index = read_word(match, load_item(doc, i), &words_situation, "situation", &negated);
    if (index < 0) return false;
    *(negated ? refused : wanted) |= (SituationSet)1 << index;
  }
  return true;
}

static bool read_args(const MatchLoader *match, const Doc *doc, Match *out) {
  if (!doc) return true;
  MatchArg *args = arena_array(match->loader->arena, MatchArg, doc->len);
  for (uint32_t i = 0; i < doc->len; i++) {
    Str key = doc->entries[i].key;
    int64_t position;
    if (str_eq(key, S("any"))) args[i].which = ARG_ANY;
    else if (str_eq(key, S("all"))) args[i].which = ARG_ALL;
    else if (str_to_i64(key, &position) && position >= 0 && position < 64) {
      args[i].which = ARG_AT;
      args[i].index = (int32_t)position;
    } else {
      args[i].which = ARG_KEYWORD;
      args[i].keyword = str_copy(match->loader->arena, key);
    }
    if (!read_kinds(match, doc->entries[i].value, &args[i].kinds)) return false;
  }
  out->args = args;
  out->arg_len = doc->len;
  return true;
}

/* Only calls have more than one argument; what other events have is argument 0: the value, the condition, the index. */
static bool needs_call(const MatchArg *arg) {
  return arg->which == ARG_KEYWORD || (arg->which == ARG_AT && arg->index > 0);
}

/* A pattern that can never match is a mistake that would otherwise stay silent for ever. */
static bool check_sense(const MatchLoader *match, const Doc *doc, const Match *out) {
  bool many = false;
  for (uint32_t i = 0; i < out->arg_len; i++) many |= needs_call(&out->args[i]);
  const char *fault = NULL;
  uint32_t named = ON_CALL | ON_ATTRIBUTE | ON_DECORATOR | ON_IMPORT;
  if (many && !(out->on & (ON_CALL | ON_DECORATOR))) fault = "only calls have more than one argument";
  else if ((out->callee.len || out->tags || out->not_tags) && (out->on & ~named))
    fault = "\"callee\" and \"tags\" are for calls, attributes, decorators and imports only";
  else if (out->within & out->unless) fault = "\"within\" and \"unless\" name the same situation";
  if (fault) doc_fail(match->loader->errors, match->file, doc->span, "%s", fault);
  return !fault;
}

static bool read_match(const MatchLoader *match, const Doc *doc, Match *out) {
  if (!schema_check(match->loader->errors, match->file, doc, &shape_match)) return false;
  const Doc *on = doc_get(doc, S("on"));
  for (uint32_t i = 0; i < load_count(on); i++) out->on |= 1u << word_index(&words_on, load_item(on, i), 0);
  out->callee = load_texts(match->loader, doc_get(doc, S("callee")));
  out->subject = words_subject.words[word_index(&words_subject, doc_get(doc, S("subject")), 0)];
  const Doc *receiver = doc_get(doc, S("receiver"));
  return read_tags(match, doc_get(doc, S("tags")), out) && (!receiver || read_kinds(match, receiver, &out->receiver)) &&
         read_args(match, doc_get(doc, S("args")), out) &&
         read_situations(match, doc_get(doc, S("within")), &out->within, &out->unless) &&
         read_situations(match, doc_get(doc, S("unless")), &out->unless, &out->within) && check_sense(match, doc, out);
}

bool load_match(Loader *loader, const DocFile *file, const Doc *match, RulePage *page) {
  uint32_t count = load_count(match);
  if (!count) {
    doc_fail(loader->errors, file, match->span, "\"match\" must not be empty");
    return false;
  }
  MatchLoader context = {loader, file};
  Match *matches = arena_array(loader->arena, Match, count);
  for (uint32_t i = 0; i < count; i++)
    if (!read_match(&context, load_item(match, i), &matches[i])) return false;
  page->matches = matches;
  page->match_len = count;
  return true;
}

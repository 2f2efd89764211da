/* Loads facts about APIs: an `api:` block, which is also what a file of rules/api is (language: docs/api-facts.md).
 *
 * An entry is read once, whatever number of names its braces stand for; the facts then share specs, callables and lists.
 * What spans documents (are bases known, is an alias a cycle) is for load_finish().
 */
#include "catalog/names.h"
#include "catalog/words.h"

/* ---- shapes ---- */

static const Shape shape_position = {.kind = SHAPE_INT, .what = "the number of an argument", .min = 0, .max = 63};
static const Shape shape_positions = SHAPE_ONE_OR_LIST_OF(&shape_position);
static const Shape shape_free_map = SHAPE_MAP_OF(&shape_any);

static const Field callable_fields[] = {
    {S_INIT("arg"), &shape_position, false},        {S_INIT("keyword"), &shape_text, false},
    {S_INIT("many"), &shape_bool, false},           {S_INIT("run"), &shape_mode, true},
    {S_INIT("autograph"), &shape_autograph, false}, {S_INIT("gives"), &shape_gives, false},
    {S_INIT("from"), &shape_position, false},       {S_INIT("from-keyword"), &shape_text, false},
};
static const Shape shape_callable = SHAPE_OF_FIELDS(callable_fields);
static const Shape shape_callables = SHAPE_LIST_OF(&shape_callable);
static const Shape shape_names = SHAPE_LIST_OF(&shape_text);

static const Field fact_fields[] = {
    {S_INIT("what"), &shape_what, false},
    {S_INIT("returns"), &shape_text, false},
    {S_INIT("value"), &shape_text, false},
    {S_INIT("params"), &shape_names, false},
    {S_INIT("base"), &shape_text, false},
    {S_INIT("members"), &shape_free_map, false},
    {S_INIT("creates"), &shape_creates, false},
    {S_INIT("tags"), &shape_tags, false},
    {S_INIT("callables"), &shape_callables, false},
    {S_INIT("list-args"), &shape_positions, false},
    {S_INIT("tf"), &shape_text, false},
    {S_INIT("exact"), &shape_exact, false},
    {S_INIT("condition"), &shape_text, false},
};
static const Shape shape_fact = SHAPE_OF_FIELDS(fact_fields);
static const Shape shape_alias_map = SHAPE_MAP_OF(&shape_text);

/* ---- parts of a fact ---- */

static ApiTags read_tags(const Doc *doc) {
  ApiTags tags = 0;
  for (uint32_t i = 0; i < load_count(doc); i++) tags |= (ApiTags)1 << word_index(&words_tags, load_item(doc, i), 0);
  return tags;
}

static bool read_callable(Loader *loader, const DocFile *file, const Doc *doc, ApiCallable *out) {
  *out = (ApiCallable){
      .arg = (int32_t)doc_int(doc_get(doc, S("arg")), -1),
      .keyword = load_text(loader, doc_get(doc, S("keyword"))),
      .many = doc_bool(doc_get(doc, S("many")), false),
      .mode = (CallMode)word_index(&words_mode, doc_get(doc, S("run")), RUN_LATER),
      .autograph = (CallAutograph)word_index(&words_autograph, doc_get(doc, S("autograph")), CALL_AUTOGRAPH_INHERIT),
      .gives = (CallGives)word_index(&words_gives, doc_get(doc, S("gives")), GIVES_UNKNOWN),
      .from = (int32_t)doc_int(doc_get(doc, S("from")), -1),
      .from_keyword = load_text(loader, doc_get(doc, S("from-keyword"))),
  };
  bool needs_from = out->gives == GIVES_STATE_ELEMENT || out->gives == GIVES_ELEM_OF_ARG || out->gives == GIVES_ARGS_OF;
  bool has_from = out->from >= 0 || out->from_keyword.len;
  const char *fault = NULL;
  if (out->arg < 0 && !out->keyword.len) fault = "a callable needs \"arg\" or \"keyword\"";
  else if (needs_from && !has_from) fault = "this \"gives\" needs \"from\" or \"from-keyword\"";
  else if (!needs_from && has_from) fault = "this \"gives\" has no use for \"from\"";
  if (fault) doc_fail(loader->errors, file, doc->span, "%s", fault);
  return !fault;
}

static bool read_callables(Loader *loader, const DocFile *file, const Doc *doc, ApiFact *fact) {
  uint32_t count = load_count(doc);
  ApiCallable *callables = count ? arena_array(loader->arena, ApiCallable, count) : NULL;
  for (uint32_t i = 0; i < count; i++)
    if (!read_callable(loader, file, load_item(doc, i), &callables[i])) return false;
  fact->callables = callables;
  fact->callable_len = count;
  return true;
}

static void read_list_args(Loader *loader, const Doc *doc, ApiFact *fact) {
  uint32_t count = load_count(doc);
  if (!count) return;
  int32_t *args = arena_array(loader->arena, int32_t, count);
  for (uint32_t i = 0; i < count; i++) args[i] = (int32_t)doc_int(load_item(doc, i), 0);
  fact->list_args = args;
  fact->list_arg_len = count;
  fact->tags |= TAG(LIST_ARG);
}

static ApiWhat guess_what(const Doc *doc, bool member) {
  if (doc_get(doc, S("base")) || doc_get(doc, S("members"))) return API_CLASS;
  if (doc_get(doc, S("value")) && !doc_get(doc, S("returns"))) return member ? API_ATTRIBUTE : API_VALUE;
  return API_FUNCTION;
}

static bool read_exact(Loader *loader, const DocFile *file, const Doc *doc, ApiFact *fact) {
  fact->tf = load_text(loader, doc_get(doc, S("tf")));
  fact->exact = (ApiExact)word_index(&words_exact, doc_get(doc, S("exact")), EXACT_NONE);
  fact->condition = load_text(loader, doc_get(doc, S("condition")));
  const char *fault = NULL;
  if (fact->exact && !fact->tf.len) fault = "\"exact\" needs \"tf\"";
  else if ((fact->exact == EXACT_IF) != (fact->condition.len > 0))
    fault = "\"exact: if\" and \"condition\" go together";
  if (fault) doc_fail(loader->errors, file, doc->span, "%s", fault);
  return !fault;
}

static bool read_specs(Loader *loader, const DocFile *file, const Doc *doc, ApiFact *fact) {
  const Doc *returns = doc->kind == DOC_SCALAR ? doc : doc_get(doc, S("returns"));
  const Doc *value = doc_get(doc, S("value"));
  if (returns && !(fact->returns = load_spec(loader, file, returns))) return false;
  return !value || (fact->value = load_spec(loader, file, value));
}

/* All of a fact but its name. A scalar is short for `returns`. */
static bool read_fact(Loader *loader, const DocFile *file, const Doc *doc, bool member, ApiFact *fact) {
  *fact = (ApiFact){.what = API_FUNCTION};
  if (doc->kind == DOC_SCALAR) return read_specs(loader, file, doc, fact);
  if (!schema_check(loader->errors, file, doc, &shape_fact)) return false;
  fact->what = (ApiWhat)word_index(&words_what, doc_get(doc, S("what")), (int)guess_what(doc, member));
  fact->creates = (ApiCreates)word_index(&words_creates, doc_get(doc, S("creates")), CREATES_NOTHING);
  fact->tags = read_tags(doc_get(doc, S("tags")));
  fact->params = load_texts(loader, doc_get(doc, S("params")));
  read_list_args(loader, doc_get(doc, S("list-args")), fact);
  const Doc *base = doc_get(doc, S("base"));
  if (base) {
    fact->base = load_text(loader, base);
    LoadName name = {fact->base, file, base->span};
    vec_push(loader->arena, &loader->bases, name);
  }
  return read_specs(loader, file, doc, fact) && read_exact(loader, file, doc, fact) &&
         read_callables(loader, file, doc_get(doc, S("callables")), fact);
}

/* ---- entries ---- */

static bool claim(Loader *loader, const DocFile *file, DocSpan span, Str name) {
  bool fresh;
  uint64_t *place = strmap_put(loader->arena, &loader->names, name, &fresh);
  if (!fresh) {
    const LoadName *first = (const LoadName *)(uintptr_t)*place;
    Str where = doc_place_text(loader->arena, first->file, first->span);
    doc_fail(loader->errors, file, span, "\"%.*s\" is already described at %.*s", STR_ARG(name), STR_ARG(where));
    return false;
  }
  LoadName *seen = arena_new(loader->arena, LoadName);
  *seen = (LoadName){name, file, span};
  *place = (uint64_t)(uintptr_t)seen;
  return true;
}

static void add_fact(Loader *loader, const DocFile *file, const DocEntry *entry, const ApiFact *shared, Str name) {
  /* A user may write `tensorflow.keras.layers.X`, although facts about it are kept under `keras.layers.X`. */
  if (loader->base && !name_is_glob(name)) name = catalog_canonical(loader->arena, loader->base, name);
  if (!claim(loader, file, entry->key_span, name)) return;
  ApiFact fact = *shared;
  fact.name = name;
  fact.tf = name_fill(loader->arena, shared->tf, name);
  if (name_is_glob(name)) vec_push(loader->arena, &loader->globs, fact);
  else vec_push(loader->arena, &loader->facts, fact);
}

static void load_entries(Loader *loader, const DocFile *file, const Doc *map, Str prefix, bool members);

static void load_entry(Loader *loader, const DocFile *file, const DocEntry *entry, Str prefix, bool member) {
  const Doc *doc = entry->value;
  ApiFact shared;
  NameList names = {0};
  Str key = prefix.len ? str_printf(loader->arena, "%.*s.%.*s", STR_ARG(prefix), STR_ARG(entry->key)) : entry->key;
  if (!read_fact(loader, file, doc, member, &shared) || !names_expand(loader, file, entry->key_span, key, &names))
    return;
  const Doc *members = doc_get(doc, S("members"));
  for (uint32_t i = 0; i < names.len; i++) {
    add_fact(loader, file, entry, &shared, names.data[i]);
    if (members) load_entries(loader, file, members, names.data[i], shared.what == API_CLASS);
  }
}

/* Recursion is bounded by the depth of the document. */
static void load_entries(Loader *loader, const DocFile *file, const Doc *map, Str prefix, bool members) {
  for (uint32_t i = 0; i < map->len; i++)
    if (prefix.len || !str_eq(map->entries[i].key, S("aliases")))
      load_entry(loader, file, &map->entries[i], prefix, members);
}

static void load_alias(Loader *loader, const DocFile *file, const DocEntry *entry) {
  NameList names = {0};
  if (!names_expand(loader, file, entry->key_span, entry->key, &names)) return;
  for (uint32_t i = 0; i < names.len; i++) {
    CatalogAlias alias = {names.data[i], name_fill(loader->arena, load_text(loader, entry->value), names.data[i])};
    if (name_is_glob(alias.from) || name_is_glob(alias.to)) {
      doc_fail(loader->errors, file, entry->key_span, "an alias must not be a pattern");
      return;
    }
    if (!claim(loader, file, entry->key_span, alias.from)) continue;
    LoadName name = {alias.from, file, entry->key_span};
    vec_push(loader->arena, &loader->aliases, alias);
    vec_push(loader->arena, &loader->alias_names, name);
  }
}

void load_facts(Loader *loader, const DocFile *file, const Doc *api) {
  if (api->kind != DOC_MAP) {
    doc_fail(loader->errors, file, api->span, "facts must be a map from names");
    return;
  }
  const Doc *aliases = doc_get(api, S("aliases"));
  if (aliases && schema_check(loader->errors, file, aliases, &shape_alias_map))
    for (uint32_t i = 0; i < aliases->len; i++) load_alias(loader, file, &aliases->entries[i]);
  load_entries(loader, file, api, S(""), false);
}

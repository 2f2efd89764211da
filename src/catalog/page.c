/* Loads rule pages: ours, with all that a page must say, and users' rules, which are declarative and short. */
#include "catalog/load.h"
#include "catalog/names.h"
#include "catalog/words.h"

/* ---- shapes ---- */

static const Field variant_fields[] = {
    {S_INIT("level"), &shape_level, true},
    {S_INIT("message"), &shape_text, true},
    {S_INIT("annotation"), &shape_text, false},
    {S_INIT("help"), &shape_texts, false},
};
static const Shape shape_variant = SHAPE_OF_FIELDS(variant_fields);
static const Shape shape_variants = SHAPE_MAP_OF(&shape_variant);

static const Field observed_fields[] = {
    {S_INIT("flavour"), &shape_flavour, true},
    {S_INIT("error"), &shape_text, false},
    {S_INIT("text"), &shape_text, false},
    {S_INIT("behaviour"), &shape_text, false},
};
static const Shape shape_observed = SHAPE_OF_FIELDS(observed_fields);
static const Shape shape_observed_list = SHAPE_LIST_OF(&shape_observed);

static const Field example_fields[] = {
    {S_INIT("bad"), &shape_text, true},
    {S_INIT("good"), &shape_text, true},
    {S_INIT("prints"), &shape_text, false},
};
static const Shape shape_example = SHAPE_OF_FIELDS(example_fields);
static const Shape shape_examples = SHAPE_LIST_OF(&shape_example);

static const Field page_fields[] = {
    {S_INIT("id"), &shape_text, true},
    {S_INIT("name"), &shape_text, true},
    {S_INIT("status"), &shape_status, true},
    {S_INIT("since"), &shape_text, true},
    {S_INIT("fix"), &shape_fix, false},
    {S_INIT("summary"), &shape_text, true},
    {S_INIT("why"), &shape_text, true},
    {S_INIT("how-to-fix"), &shape_text, true},
    {S_INIT("limits"), &shape_texts, false},
    {S_INIT("references"), &shape_texts, false},
    {S_INIT("variants"), &shape_variants, true},
    {S_INIT("observed"), &shape_observed_list, false},
    {S_INIT("examples"), &shape_examples, false},
    {S_INIT("check"), &shape_text, false},
    {S_INIT("match"), &shape_any, false},
};
static const Shape shape_page = SHAPE_OF_FIELDS(page_fields);

static const Field user_fields[] = {
    {S_INIT("name"), &shape_text, true},          {S_INIT("level"), &shape_level, false},
    {S_INIT("message"), &shape_text, true},       {S_INIT("annotation"), &shape_text, false},
    {S_INIT("help"), &shape_texts, false},        {S_INIT("summary"), &shape_text, false},
    {S_INIT("why"), &shape_text, false},          {S_INIT("how-to-fix"), &shape_text, false},
    {S_INIT("limits"), &shape_texts, false},      {S_INIT("references"), &shape_texts, false},
    {S_INIT("examples"), &shape_examples, false}, {S_INIT("match"), &shape_any, true},
};
static const Shape shape_user_rule = SHAPE_OF_FIELDS(user_fields);

/* ---- text that has rules of its own ---- */

typedef struct PageLoader {
  Loader *loader;
  const DocFile *file;
  bool declarative;
} PageLoader;

/* What the matcher of declarative rules fills in; a coded rule gives values of its own. */
static const Str match_values[] = {S_INIT("callee"), S_INIT("receiver"), S_INIT("argument"), S_INIT("subject"),
                                   S_INIT("function")};

static bool fail(const PageLoader *page, const Doc *doc, const char *reason, Str about) {
  doc_fail(page->loader->errors, page->file, doc->span, "%s \"%.*s\"", reason, STR_ARG(about));
  return false;
}

/* `{word}` is a placeholder, `{{` and `}}` are braces. */
static bool check_placeholders(const PageLoader *page, const Doc *doc) {
  Str text = doc->text;
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    if (c != '{' && c != '}') continue;
    bool doubled = i + 1 < text.len && text.ptr[i + 1] == c;
    if (doubled) {
      i++;
      continue;
    }
    size_t len = str_find_char(str_sub(text, i, text.len), '}');
    if (c == '}' || len == STR_NONE) return fail(page, doc, "a brace without its partner in", text);
    Str word = str_sub(text, i + 1, i + len);
    if (!name_is_kebab(word)) return fail(page, doc, "a placeholder must be a word, not", word);
    if (page->declarative && schema_word(word, match_values, SCHEMA_COUNT(match_values)) < 0)
      return fail(page, doc, "a declarative rule can fill in callee, receiver, argument, subject, function, not", word);
    i += len;
  }
  return true;
}

static bool check_line(const PageLoader *page, const Doc *doc) {
  if (!doc) return true;
  Str text = doc->text;
  if (str_find_char(text, '\n') != STR_NONE) return fail(page, doc, "must be one line:", text);
  if (str_ends(text, S(".")) && !str_ends(text, S(".."))) return fail(page, doc, "must not end in a full stop:", text);
  return check_placeholders(page, doc);
}

static bool read_variant(const PageLoader *page, Str key, const Doc *doc, Level level, RuleVariant *out) {
  Loader *loader = page->loader;
  const Doc *help = doc_get(doc, S("help"));
  *out = (RuleVariant){
      .key = str_copy(loader->arena, key),
      .level = (Level)word_index(&words_level, doc_get(doc, S("level")), (int)level),
      .message = load_text(loader, doc_get(doc, S("message"))),
      .annotation = load_text(loader, doc_get(doc, S("annotation"))),
      .help = load_texts(loader, help),
  };
  bool good = check_line(page, doc_get(doc, S("message"))) && check_line(page, doc_get(doc, S("annotation")));
  for (uint32_t i = 0; i < load_count(help); i++) good = check_line(page, load_item(help, i)) && good;
  return good;
}

static bool read_variants(const PageLoader *page, const Doc *doc, RulePage *out) {
  RuleVariant *variants = arena_array(page->loader->arena, RuleVariant, doc->len);
  bool good =
      doc->len > 0 || fail(page, doc, "at least one variant is needed, the first of them is usually", S("default"));
  for (uint32_t i = 0; i < doc->len; i++) {
    const DocEntry *entry = &doc->entries[i];
    good = read_variant(page, entry->key, entry->value, LEVEL_WARNING, &variants[i]) && good;
    if (!name_is_kebab(entry->key))
      good = fail(page, entry->value, "the key of a variant must be words with dashes, not", entry->key);
    if (variants[i].level == LEVEL_OFF) good = fail(page, entry->value, "a variant must not be off:", entry->key);
  }
  out->variants = variants;
  out->variant_len = doc->len;
  return good;
}

static bool read_observed(const PageLoader *page, const Doc *doc, RulePage *out) {
  uint32_t count = load_count(doc);
  RuleObserved *observed = arena_array(page->loader->arena, RuleObserved, count);
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    const Doc *item = load_item(doc, i);
    observed[i] = (RuleObserved){
        .flavour = load_text(page->loader, doc_get(item, S("flavour"))),
        .error = load_text(page->loader, doc_get(item, S("error"))),
        .text = load_text(page->loader, doc_get(item, S("text"))),
        .behaviour = load_text(page->loader, doc_get(item, S("behaviour"))),
    };
    if (!observed[i].error.len && !observed[i].behaviour.len)
      good = fail(page, item, "say what TensorFlow did, by \"error\" or", S("behaviour"));
    if (observed[i].text.len && !observed[i].error.len) good = fail(page, item, "\"text\" needs", S("error"));
  }
  out->observed = observed;
  out->observed_len = count;
  return good;
}

static bool read_examples(const PageLoader *page, const Doc *doc, RulePage *out) {
  uint32_t count = load_count(doc);
  RuleExample *examples = arena_array(page->loader->arena, RuleExample, count);
  bool good = true;
  for (uint32_t i = 0; i < count; i++) {
    const Doc *bad = doc_get(load_item(doc, i), S("bad")), *fine = doc_get(load_item(doc, i), S("good"));
    examples[i] = (RuleExample){
        .bad = str_copy(page->loader->arena, bad->text),
        .good = str_copy(page->loader->arena, fine->text),
        .prints = load_text(page->loader, doc_get(load_item(doc, i), S("prints"))),
    };
    if (!str_contains(bad->text, S("# expect")) || !str_contains(bad->text, out->id))
      good = fail(page, bad, "the bad example must have an \"# expect:\" comment for", out->id);
    if (str_contains(fine->text, S("# expect")))
      good = fail(page, fine, "the good example must be silent, without", S("# expect"));
  }
  out->examples = examples;
  out->example_len = count;
  return good;
}

/* ---- pages ---- */

static bool is_digits(Str text) {
  for (size_t i = 0; i < text.len; i++)
    if (text.ptr[i] < '0' || text.ptr[i] > '9') return false;
  return true;
}

static bool is_own_id(Str id) { return id.len == 5 && str_starts(id, S("TF")) && is_digits(str_sub(id, 2, 5)); }

/* [A-Z]{2,8}-?[0-9]{3}, but not TF. */
static bool is_user_id(Str id) {
  if (id.len < 5 || !is_digits(str_sub(id, id.len - 3, id.len))) return false;
  Str letters = str_sub(id, 0, id.len - 3);
  if (str_ends(letters, S("-"))) letters = str_sub(letters, 0, letters.len - 1);
  if (letters.len < 2 || letters.len > 8 || str_eq(letters, S("TF"))) return false;
  for (size_t i = 0; i < letters.len; i++)
    if (letters.ptr[i] < 'A' || letters.ptr[i] > 'Z') return false;
  return true;
}

static bool claim(const PageLoader *page, DocSpan span, Str key) {
  bool fresh;
  strmap_put(page->loader->arena, &page->loader->rule_keys, key, &fresh);
  if (fresh && page->loader->base) fresh = !catalog_find_rule(page->loader->base, key);
  if (!fresh) doc_fail(page->loader->errors, page->file, span, "there is already a rule called \"%.*s\"", STR_ARG(key));
  return fresh;
}

static bool check_names(const PageLoader *page, const Doc *id, const Doc *name, const RulePage *rule) {
  if (!is_own_id(rule->id)) return fail(page, id, "an id is TF and three digits, not", rule->id);
  if (!name_is_kebab(rule->name)) return fail(page, name, "a name is words with dashes, not", rule->name);
  Str file_name = str_printf(page->loader->arena, "%.*s-%.*s.yaml", STR_ARG(rule->id), STR_ARG(rule->name));
  if (!str_eq(path_base(page->file->path), file_name)) return fail(page, id, "the file must be called", file_name);
  return claim(page, id->span, rule->id) && claim(page, name->span, rule->name);
}

static void read_prose(Loader *loader, const Doc *root, RulePage *rule) {
  rule->since = load_text(loader, doc_get(root, S("since")));
  rule->summary = load_text(loader, doc_get(root, S("summary")));
  rule->why = load_text(loader, doc_get(root, S("why")));
  rule->how_to_fix = load_text(loader, doc_get(root, S("how-to-fix")));
  rule->limits = load_texts(loader, doc_get(root, S("limits")));
  rule->references = load_texts(loader, doc_get(root, S("references")));
}

static bool is_c_name(Str text) {
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    if (!(c >= 'a' && c <= 'z') && c != '_' && (i == 0 || c < '0' || c > '9')) return false;
  }
  return text.len > 0;
}

static bool read_check(const PageLoader *page, const Doc *root, RulePage *rule) {
  const Doc *check = doc_get(root, S("check")), *match = doc_get(root, S("match"));
  if (!check == !match) return fail(page, root, "a rule has either \"check\" or \"match\":", rule->id);
  rule->check = load_text(page->loader, check);
  if (!match)
    return is_c_name(rule->check) || fail(page, check, "\"check\" names a C file without its ending, not", rule->check);
  if (rule->variant_len != 1) return fail(page, match, "a declarative rule has exactly one variant:", rule->id);
  return load_match(page->loader, page->file, match, rule);
}

/* What is true of all our rules that are about users' code: TensorFlow was asked, and there is something to run. */
static bool check_proof(const PageLoader *page, const Doc *root, const RulePage *rule) {
  if (str_starts(rule->id, S("TF9"))) return true;
  if (!rule->observed_len) return fail(page, root, "missing key", S("observed"));
  return rule->example_len > 0 || fail(page, root, "missing key", S("examples"));
}

void load_page(Loader *loader, const DocFile *file) {
  const Doc *root = file->root;
  if (!schema_check(loader->errors, file, root, &shape_page)) return;
  PageLoader page = {loader, file, doc_get(root, S("match")) != NULL};
  RulePage rule = {
      .id = load_text(loader, doc_get(root, S("id"))),
      .name = load_text(loader, doc_get(root, S("name"))),
      .status = (RuleStatus)word_index(&words_status, doc_get(root, S("status")), RULE_PREVIEW),
      .fix = (FixSafety)word_index(&words_fix, doc_get(root, S("fix")), FIX_NONE),
      .builtin = true,
  };
  read_prose(loader, root, &rule);
  bool good = check_names(&page, doc_get(root, S("id")), doc_get(root, S("name")), &rule);
  good = read_variants(&page, doc_get(root, S("variants")), &rule) && good;
  good = read_observed(&page, doc_get(root, S("observed")), &rule) && good;
  good = read_examples(&page, doc_get(root, S("examples")), &rule) && good;
  good = read_check(&page, root, &rule) && good;
  if (good && check_proof(&page, root, &rule)) vec_push(loader->arena, &loader->rules, rule);
}

static void load_user_rule(Loader *loader, const DocFile *file, const DocEntry *entry) {
  const Doc *doc = entry->value;
  if (!schema_check(loader->errors, file, doc, &shape_user_rule)) return;
  PageLoader page = {loader, file, true};
  RulePage rule = {
      .id = str_copy(loader->arena, entry->key),
      .name = load_text(loader, doc_get(doc, S("name"))),
      .status = RULE_STABLE,
      .fix = FIX_NONE,
  };
  read_prose(loader, doc, &rule);
  RuleVariant *variant = arena_new(loader->arena, RuleVariant);
  rule.variants = variant;
  rule.variant_len = 1;
  bool good = claim(&page, entry->key_span, rule.id) && claim(&page, entry->key_span, rule.name);
  if (!name_is_kebab(rule.name)) good = fail(&page, doc, "a name is words with dashes, not", rule.name);
  good = read_variant(&page, S("default"), doc, LEVEL_WARNING, variant) && good;
  good = read_examples(&page, doc_get(doc, S("examples")), &rule) && good;
  if (!rule.summary.len) rule.summary = variant->message;
  if (load_match(loader, file, doc_get(doc, S("match")), &rule) && good) vec_push(loader->arena, &loader->rules, rule);
}

void load_user_rules(Loader *loader, const DocFile *file, const Doc *rules, bool settings_allowed) {
  if (rules->kind != DOC_MAP) {
    doc_fail(loader->errors, file, rules->span, "rules must be a map from ids");
    return;
  }
  for (uint32_t i = 0; i < rules->len; i++) {
    const DocEntry *entry = &rules->entries[i];
    bool is_rule = is_user_id(entry->key) && (!settings_allowed || doc_get(entry->value, S("match")));
    if (is_rule) load_user_rule(loader, file, entry);
    else if (!settings_allowed)
      doc_fail(loader->errors, file, entry->key_span,
               "the id of a rule is 2 to 8 capitals (not TF) and three digits, got \"%.*s\"", STR_ARG(entry->key));
  }
}

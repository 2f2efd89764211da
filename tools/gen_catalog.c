/* Compiles the folder rules/ into C: `gen_catalog RULES OUT` writes OUT/catalog_data.c and OUT/catalog_ids.h.
 *
 * It checks the folder with the loader that users' files go through, prints each error as path:line:col and exits with 1. The
 * output depends on the contents of the folder only: names are numbered in the order in which sorted tables mention them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/fs.h"
#include "base/map.h"
#include "catalog/load.h"

typedef struct Emitter {
  Arena *arena;
  StrBuf shared;  // arrays that the tables point to
  StrBuf tables;
  Map ids;        // address of an array that was written -> its number + 1
  uint32_t next;
} Emitter;

/* ---- literals ---- */

static void put_char(StrBuf *out, unsigned char c) {
  if (c == '"' || c == '\\' || c == '?') buf_printf(out, "\\%c", c);  // `?`: trigraphs
  else if (c >= 0x20 && c < 0x7F) buf_char(out, (char)c);
  else if (c == '\n') buf_lit(out, "\\n");
  else buf_printf(out, "\\%03o", c);
}

/* Long text goes on in a new literal after each line. */
static void put_str(StrBuf *out, Str text) {
  buf_lit(out, "S_INIT(\"");
  for (size_t i = 0; i < text.len; i++) {
    put_char(out, (unsigned char)text.ptr[i]);
    if (text.ptr[i] == '\n' && i + 1 < text.len) buf_lit(out, "\"\n      \"");
  }
  buf_lit(out, "\")");
}

/* `.name = "text", ` and so on: nothing at all for what is zero, which is most of a fact. */
static void put_field(StrBuf *out, const char *name, Str text) {
  if (!text.len) return;
  buf_printf(out, ".%s = ", name);
  put_str(out, text);
  buf_lit(out, ", ");
}

static void put_number(StrBuf *out, const char *name, int64_t value) {
  if (value) buf_printf(out, ".%s = %" PRId64 ", ", name, value);
}

static void put_bits(StrBuf *out, const char *name, uint64_t bits) {
  if (bits) buf_printf(out, ".%s = UINT64_C(0x%" PRIx64 "), ", name, bits);
}

static void put_array(StrBuf *out, const char *name, const char *kind, uint32_t id, const char *len_name,
                      uint32_t len) {
  if (len) buf_printf(out, ".%s = %s_%u, .%s = %u, ", name, kind, id, len_name, len);
}

/* ---- shared arrays ---- */

/* The number of an array; *fresh when it has to be written first. */
static uint32_t array_id(Emitter *emit, const void *address, bool *fresh) {
  uint64_t *id = map_put(emit->arena, &emit->ids, (uint64_t)(uintptr_t)address, fresh);
  if (*fresh) *id = ++emit->next;
  return (uint32_t)*id;
}

static uint32_t emit_strs(Emitter *emit, StrList list) {
  if (!list.len) return 0;
  bool fresh;
  uint32_t id = array_id(emit, list.data, &fresh);
  if (!fresh) return id;
  buf_printf(&emit->shared, "static const Str strs_%u[] = {", id);
  for (uint32_t i = 0; i < list.len; i++) {
    buf_lit(&emit->shared, "\n    ");
    put_str(&emit->shared, list.data[i]);
    buf_char(&emit->shared, ',');
  }
  buf_lit(&emit->shared, "};\n");
  return id;
}

static void put_strs(StrBuf *out, const char *name, uint32_t id, StrList list) {
  if (list.len) buf_printf(out, ".%s = {strs_%u, %u}, ", name, id, list.len);
}

/* Specs nest as deep as the loader allows. What a spec points to is written before it. */
static uint32_t emit_specs(Emitter *emit, const ValueSpec *specs, uint32_t count) {
  if (!count) return 0;
  bool fresh;
  uint32_t id = array_id(emit, specs, &fresh);
  if (!fresh) return id;
  StrBuf body = {.arena = emit->arena};
  for (uint32_t i = 0; i < count; i++) {
    const ValueSpec *spec = &specs[i];
    uint32_t parts = emit_specs(emit, spec->parts, spec->part_len);
    uint32_t other = emit_specs(emit, spec->other, spec->other ? 1 : 0);
    buf_lit(&body, "{");
    put_number(&body, "form", spec->form);
    put_number(&body, "kind", spec->kind);
    put_number(&body, "dtype", spec->dtype);
    put_number(&body, "dim0_none", spec->dim0_none);
    put_number(&body, "fresh", spec->fresh);
    put_array(&body, "parts", "spec", parts, "part_len", spec->part_len);
    if (other) buf_printf(&body, ".other = spec_%u, ", other);
    buf_printf(&body, ".arg = %d, .dtype_like = %d, .rank = %d}, ", spec->arg, spec->dtype_like, spec->rank);
  }
  Str text = buf_view(&body);
  buf_printf(&emit->shared, "static const ValueSpec spec_%u[] = {%.*s};\n", id, STR_ARG(text));
  return id;
}

static void put_spec(StrBuf *out, const char *name, uint32_t id) {
  if (id) buf_printf(out, ".%s = spec_%u, ", name, id);
}

static uint32_t emit_callables(Emitter *emit, const ApiFact *fact) {
  if (!fact->callable_len) return 0;
  bool fresh;
  uint32_t id = array_id(emit, fact->callables, &fresh);
  if (!fresh) return id;
  StrBuf *out = &emit->shared;
  buf_printf(out, "static const ApiCallable callables_%u[] = {", id);
  for (uint32_t i = 0; i < fact->callable_len; i++) {
    const ApiCallable *callable = &fact->callables[i];
    buf_lit(out, "\n    {");
    put_field(out, "keyword", callable->keyword);
    put_number(out, "many", callable->many);
    put_number(out, "mode", callable->mode);
    put_number(out, "autograph", callable->autograph);
    put_number(out, "gives", callable->gives);
    put_field(out, "from_keyword", callable->from_keyword);
    buf_printf(out, ".arg = %d, .from = %d},", callable->arg, callable->from);
  }
  buf_lit(out, "};\n");
  return id;
}

static uint32_t emit_list_args(Emitter *emit, const ApiFact *fact) {
  if (!fact->list_arg_len) return 0;
  bool fresh;
  uint32_t id = array_id(emit, fact->list_args, &fresh);
  if (!fresh) return id;
  buf_printf(&emit->shared, "static const int32_t args_%u[] = {", id);
  for (uint32_t i = 0; i < fact->list_arg_len; i++) buf_printf(&emit->shared, "%d, ", fact->list_args[i]);
  buf_lit(&emit->shared, "};\n");
  return id;
}

/* ---- facts ---- */

static void emit_fact(Emitter *emit, const ApiFact *fact) {
  uint32_t returns = emit_specs(emit, fact->returns, fact->returns ? 1 : 0);
  uint32_t value = emit_specs(emit, fact->value, fact->value ? 1 : 0);
  uint32_t callables = emit_callables(emit, fact);
  uint32_t list_args = emit_list_args(emit, fact);
  uint32_t params = emit_strs(emit, fact->params);
  StrBuf *out = &emit->tables;
  buf_lit(out, "    {");
  put_field(out, "name", fact->name);
  put_number(out, "what", fact->what);
  put_spec(out, "returns", returns);
  put_spec(out, "value", value);
  put_field(out, "base", fact->base);
  put_number(out, "creates", fact->creates);
  put_bits(out, "tags", fact->tags);
  put_array(out, "callables", "callables", callables, "callable_len", fact->callable_len);
  put_array(out, "list_args", "args", list_args, "list_arg_len", fact->list_arg_len);
  put_field(out, "tf", fact->tf);
  put_number(out, "exact", fact->exact);
  put_field(out, "condition", fact->condition);
  put_strs(out, "params", params, fact->params);
  buf_lit(out, "},\n");
}

static void emit_facts(Emitter *emit, const char *name, const ApiFact *facts, uint32_t count) {
  if (!count) return;
  buf_printf(&emit->tables, "static const ApiFact %s[] = {\n", name);
  for (uint32_t i = 0; i < count; i++) emit_fact(emit, &facts[i]);
  buf_lit(&emit->tables, "};\n\n");
}

static void emit_names(Emitter *emit, const char *name, NameTable table) {
  if (!table.len) return;
  buf_printf(&emit->tables, "static const uint32_t %s[] = {", name);
  for (uint32_t i = 0; i < table.len; i++) buf_printf(&emit->tables, "%s%u,", i % 24 ? "" : "\n    ", table.slots[i]);
  buf_lit(&emit->tables, "};\n\n");
}

static void emit_pair(StrBuf *out, Str a, Str b) {
  buf_lit(out, "    {");
  put_str(out, a);
  buf_lit(out, ", ");
  put_str(out, b);
  buf_lit(out, "},\n");
}

static void emit_pairs(Emitter *emit, const Catalog *catalog) {
  StrBuf *out = &emit->tables;
  if (catalog->alias_len) buf_lit(out, "static const CatalogAlias aliases[] = {\n");
  for (uint32_t i = 0; i < catalog->alias_len; i++) emit_pair(out, catalog->aliases[i].from, catalog->aliases[i].to);
  if (catalog->alias_len) buf_lit(out, "};\n\n");
  if (catalog->outrank_len) buf_lit(out, "static const CatalogOutrank outranks[] = {\n");
  for (uint32_t i = 0; i < catalog->outrank_len; i++)
    emit_pair(out, catalog->outranks[i].winner, catalog->outranks[i].loser);
  if (catalog->outrank_len) buf_lit(out, "};\n\n");
}

/* ---- rules ---- */

static uint32_t emit_variants(Emitter *emit, const RulePage *rule) {
  StrBuf body = {.arena = emit->arena};
  for (uint32_t i = 0; i < rule->variant_len; i++) {
    const RuleVariant *variant = &rule->variants[i];
    uint32_t help = emit_strs(emit, variant->help);
    buf_lit(&body, "    {");
    put_field(&body, "key", variant->key);
    put_number(&body, "level", variant->level);
    put_field(&body, "message", variant->message);
    put_field(&body, "annotation", variant->annotation);
    put_strs(&body, "help", help, variant->help);
    buf_lit(&body, "},\n");
  }
  uint32_t id = ++emit->next;
  Str text = buf_view(&body);
  buf_printf(&emit->shared, "static const RuleVariant variants_%u[] = {\n%.*s};\n", id, STR_ARG(text));
  return id;
}

static uint32_t emit_observed(Emitter *emit, const RulePage *rule) {
  if (!rule->observed_len) return 0;
  uint32_t id = ++emit->next;
  StrBuf *out = &emit->shared;
  buf_printf(out, "static const RuleObserved observed_%u[] = {\n", id);
  for (uint32_t i = 0; i < rule->observed_len; i++) {
    buf_lit(out, "    {");
    put_field(out, "flavour", rule->observed[i].flavour);
    put_field(out, "error", rule->observed[i].error);
    put_field(out, "text", rule->observed[i].text);
    put_field(out, "behaviour", rule->observed[i].behaviour);
    buf_lit(out, "},\n");
  }
  buf_lit(out, "};\n");
  return id;
}

static uint32_t emit_examples(Emitter *emit, const RulePage *rule) {
  if (!rule->example_len) return 0;
  uint32_t id = ++emit->next;
  buf_printf(&emit->shared, "static const RuleExample examples_%u[] = {\n", id);
  for (uint32_t i = 0; i < rule->example_len; i++) {
    buf_lit(&emit->shared, "    {");
    put_field(&emit->shared, "bad", rule->examples[i].bad);
    put_field(&emit->shared, "good", rule->examples[i].good);
    put_field(&emit->shared, "prints", rule->examples[i].prints);
    buf_lit(&emit->shared, "},\n");
  }
  buf_lit(&emit->shared, "};\n");
  return id;
}

static uint32_t emit_args(Emitter *emit, const Match *match) {
  if (!match->arg_len) return 0;
  uint32_t id = ++emit->next;
  StrBuf *out = &emit->shared;
  buf_printf(out, "static const MatchArg match_args_%u[] = {", id);
  for (uint32_t i = 0; i < match->arg_len; i++) {
    buf_lit(out, "{");
    put_number(out, "which", (int64_t)match->args[i].which);
    put_number(out, "index", match->args[i].index);
    put_field(out, "keyword", match->args[i].keyword);
    put_bits(out, "kinds", match->args[i].kinds);
    buf_lit(out, "}, ");
  }
  buf_lit(out, "};\n");
  return id;
}

static uint32_t emit_matches(Emitter *emit, const RulePage *rule) {
  if (!rule->match_len) return 0;
  StrBuf body = {.arena = emit->arena};
  for (uint32_t i = 0; i < rule->match_len; i++) {
    const Match *match = &rule->matches[i];
    uint32_t callee = emit_strs(emit, match->callee), args = emit_args(emit, match);
    buf_lit(&body, "    {");
    put_bits(&body, "on", match->on);
    put_strs(&body, "callee", callee, match->callee);
    put_bits(&body, "tags", match->tags);
    put_bits(&body, "not_tags", match->not_tags);
    put_bits(&body, "receiver", match->receiver);
    put_array(&body, "args", "match_args", args, "arg_len", match->arg_len);
    put_bits(&body, "within", match->within);
    put_bits(&body, "unless", match->unless);
    put_field(&body, "subject", match->subject);
    buf_lit(&body, "},\n");
  }
  uint32_t id = ++emit->next;
  Str text = buf_view(&body);
  buf_printf(&emit->shared, "static const Match matches_%u[] = {\n%.*s};\n", id, STR_ARG(text));
  return id;
}

static void emit_rule(Emitter *emit, const RulePage *rule) {
  uint32_t limits = emit_strs(emit, rule->limits), references = emit_strs(emit, rule->references);
  uint32_t variants = emit_variants(emit, rule), observed = emit_observed(emit, rule);
  uint32_t examples = emit_examples(emit, rule), matches = emit_matches(emit, rule);
  StrBuf *out = &emit->tables;
  buf_lit(out, "    {");
  put_field(out, "id", rule->id);
  put_field(out, "name", rule->name);
  put_number(out, "status", rule->status);
  put_field(out, "since", rule->since);
  put_number(out, "fix", rule->fix);
  put_field(out, "summary", rule->summary);
  put_field(out, "why", rule->why);
  put_field(out, "how_to_fix", rule->how_to_fix);
  put_strs(out, "limits", limits, rule->limits);
  put_strs(out, "references", references, rule->references);
  put_array(out, "variants", "variants", variants, "variant_len", rule->variant_len);
  put_array(out, "observed", "observed", observed, "observed_len", rule->observed_len);
  put_array(out, "examples", "examples", examples, "example_len", rule->example_len);
  put_field(out, "check", rule->check);
  put_array(out, "matches", "matches", matches, "match_len", rule->match_len);
  buf_lit(out, ".builtin = true},\n");
}

/* ---- the two files ---- */

static Str data_file(Arena *arena, const Catalog *catalog) {
  Emitter emit = {.arena = arena, .shared = {.arena = arena}, .tables = {.arena = arena}};
  if (catalog->rule_len) buf_lit(&emit.tables, "static const RulePage rules[] = {\n");
  for (uint32_t i = 0; i < catalog->rule_len; i++) emit_rule(&emit, &catalog->rules[i]);
  if (catalog->rule_len) buf_lit(&emit.tables, "};\n\n");
  emit_facts(&emit, "facts", catalog->facts, catalog->fact_len);
  emit_facts(&emit, "globs", catalog->globs, catalog->glob_len);
  emit_names(&emit, "fact_slots", catalog->fact_names);
  emit_names(&emit, "alias_slots", catalog->alias_names);
  emit_pairs(&emit, catalog);

  StrBuf out = {.arena = arena};
  buf_lit(&out, "/* Written by tools/gen_catalog.c from rules/: do not edit. */\n#include \"catalog/tables.h\"\n\n");
  buf_str(&out, buf_view(&emit.shared));
  buf_char(&out, '\n');
  buf_str(&out, buf_view(&emit.tables));
  buf_lit(&out, "static const Catalog catalog = {\n    ");
  if (catalog->rule_len) buf_printf(&out, ".rules = rules, .rule_len = %u, ", catalog->rule_len);
  if (catalog->fact_len)
    buf_printf(&out, ".facts = facts, .fact_len = %u, .fact_names = {fact_slots, %u}, ", catalog->fact_len,
               catalog->fact_names.len);
  if (catalog->glob_len) buf_printf(&out, ".globs = globs, .glob_len = %u, ", catalog->glob_len);
  if (catalog->alias_len)
    buf_printf(&out, ".aliases = aliases, .alias_len = %u, .alias_names = {alias_slots, %u}, ", catalog->alias_len,
               catalog->alias_names.len);
  if (catalog->outrank_len) buf_printf(&out, ".outranks = outranks, .outrank_len = %u, ", catalog->outrank_len);
  buf_lit(&out, ".below = NULL};\n\nconst Catalog *catalog_builtin(void) { return &catalog; }\n");
  return buf_view(&out);
}

/* TF101 and "in-loop" -> TF101_IN_LOOP */
static void put_constant(StrBuf *out, Str id, Str key) {
  buf_printf(out, "%.*s_", STR_ARG(id));
  for (size_t i = 0; i < key.len; i++) {
    char c = key.ptr[i];
    buf_char(out, c == '-' ? '_' : c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
  }
}

static Str ids_file(Arena *arena, const Catalog *catalog) {
  StrBuf out = {.arena = arena};
  buf_lit(
      &out,
      "/* Written by tools/gen_catalog.c from rules/: do not edit.\n *\n"
      " * A rule's constant is its index in the built-in catalogue, a variant's its index in the rule's page, so that code\n"
      " * which names a rule or a variant that no page describes does not compile. CATALOG_CHECKS lists the coded rules\n"
      " * with the name of their C file.\n */\n"
      "#ifndef TFCHECK_CATALOG_IDS_H\n#define TFCHECK_CATALOG_IDS_H\n\ntypedef enum RuleId {\n");
  for (uint32_t i = 0; i < catalog->rule_len; i++) buf_printf(&out, "  RULE_%.*s,\n", STR_ARG(catalog->rules[i].id));
  buf_lit(&out, "  RULE_COUNT\n} RuleId;\n");
  for (uint32_t i = 0; i < catalog->rule_len; i++) {
    const RulePage *rule = &catalog->rules[i];
    buf_printf(&out, "\nenum {  // %.*s\n", STR_ARG(rule->name));
    for (uint32_t j = 0; j < rule->variant_len; j++) {
      buf_lit(&out, "  ");
      put_constant(&out, rule->id, rule->variants[j].key);
      buf_lit(&out, ",\n");
    }
    buf_lit(&out, "};\n");
  }
  buf_lit(&out, "\n#define CATALOG_CHECKS(X)");
  for (uint32_t i = 0; i < catalog->rule_len; i++) {
    const RulePage *rule = &catalog->rules[i];
    if (rule->check.len) buf_printf(&out, " \\\n  X(%.*s, %.*s)", STR_ARG(rule->id), STR_ARG(rule->check));
  }
  buf_lit(&out, "\n\n#endif\n");
  return buf_view(&out);
}

static bool write_file(Arena *arena, Str folder, Str name, Str text) {
  Str path = path_join(arena, folder, name);
  FsStatus status = fs_write_atomic(arena, path, text);
  if (status == FS_OK) return true;
  Str reason = fs_status_text(status);
  fprintf(stderr, "%.*s: %.*s\n", STR_ARG(path), STR_ARG(reason));
  return false;
}

static bool generate(Arena *arena, Str rules, Str folder) {
  Fs disk = fs_disk();
  DocErrors errors = {.arena = arena};
  const Catalog *catalog = load_folder(arena, &disk, rules, &errors);
  for (uint32_t i = 0; i < errors.list.len; i++) {
    Str text = doc_error_text(arena, &errors.list.data[i]);
    fprintf(stderr, "%.*s\n", STR_ARG(text));
  }
  return catalog && write_file(arena, folder, S("catalog_data.c"), data_file(arena, catalog)) &&
         write_file(arena, folder, S("catalog_ids.h"), ids_file(arena, catalog));
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: gen_catalog RULES OUT\n");
    return 2;
  }
  Arena arena = {0};
  bool good = generate(&arena, str_from(argv[1]), str_from(argv[2]));
  arena_release(&arena);
  return good ? 0 : 1;
}

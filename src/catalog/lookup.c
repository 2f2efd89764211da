/* Questions to a catalogue. Everything here is read-only and allocates nothing, except for a canonical name that changed. */
#include "catalog/tables.h"

/* ---- facts and aliases by name ---- */

/* The name is `head`, or `head.tail` when tail is not empty; `hash` is that of the whole. */
static bool name_is(Str name, Str head, Str tail) {
  if (!tail.len) return str_eq(name, head);
  return name.len == head.len + 1 + tail.len && str_starts(name, head) && name.ptr[head.len] == '.' &&
         str_ends(name, tail);
}

static const ApiFact *find_fact(const Catalog *catalog, uint64_t hash, Str head, Str tail) {
  for (; catalog; catalog = catalog->below) {
    NameTable table = catalog->fact_names;
    if (!table.len) continue;
    for (uint32_t at = (uint32_t)hash & (table.len - 1); table.slots[at]; at = (at + 1) & (table.len - 1)) {
      const ApiFact *fact = &catalog->facts[table.slots[at] - 1];
      if (name_is(fact->name, head, tail)) return fact;
    }
  }
  return NULL;
}

static const CatalogAlias *find_alias(const Catalog *catalog, uint64_t hash, Str name) {
  for (; catalog; catalog = catalog->below) {
    NameTable table = catalog->alias_names;
    if (!table.len) continue;
    for (uint32_t at = (uint32_t)hash & (table.len - 1); table.slots[at]; at = (at + 1) & (table.len - 1)) {
      const CatalogAlias *alias = &catalog->aliases[table.slots[at] - 1];
      if (str_eq(alias->from, name)) return alias;
    }
  }
  return NULL;
}

/* The alias that is the longest known prefix of `name`; NULL also when a longer prefix is the name of a fact. */
static const CatalogAlias *alias_for(const Catalog *catalog, Str name) {
  const CatalogAlias *best = NULL;
  uint64_t hash = NAME_HASH_START;
  for (size_t start = 0; start <= name.len;) {
    size_t end = start;
    while (end < name.len && name.ptr[end] != '.') end++;
    hash = name_hash(hash, str_sub(name, start, end));
    Str prefix = str_sub(name, 0, end);
    const CatalogAlias *alias = find_alias(catalog, hash, prefix);
    if (alias) best = alias;
    else if (best && find_fact(catalog, hash, prefix, S(""))) best = NULL;
    hash = name_hash(hash, S("."));
    start = end + 1;
  }
  return best;
}

bool catalog_is_aliased(const Catalog *catalog, Str name) { return alias_for(catalog, name) != NULL; }

Str catalog_canonical(Arena *scratch, const Catalog *catalog, Str qualified) {
  enum { MOST_HOPS = 8 };  // the loader refuses cycles within one catalogue; two layers could still make one
  Str name = qualified;
  for (int hop = 0; hop < MOST_HOPS; hop++) {
    const CatalogAlias *alias = alias_for(catalog, name);
    if (!alias) break;
    name = str_concat(scratch, alias->to, str_sub(name, alias->from.len, name.len));
  }
  return name;
}

const ApiFact *catalog_api_exact(const Catalog *catalog, Str canonical) {
  return find_fact(catalog, name_hash(NAME_HASH_START, canonical), canonical, S(""));
}

/* Most patterns fail on the letters before their first wildcard: no need to match them. */
static bool could_match(Str pattern, Str text) {
  for (size_t i = 0; i < pattern.len; i++) {
    char c = pattern.ptr[i];
    if (c == '*' || c == '?') return true;
    if (i >= text.len) return c == '.';  // `a.**` also matches `a` itself
    if (text.ptr[i] != c) return false;
  }
  return true;
}

static const ApiFact *find_glob(const Catalog *catalog, Str canonical) {
  const ApiFact *best = NULL;
  for (; catalog; catalog = catalog->below)
    for (uint32_t i = 0; i < catalog->glob_len; i++) {
      const ApiFact *glob = &catalog->globs[i];
      if (best && glob->name.len <= best->name.len) break;
      if (!could_match(glob->name, canonical) || !str_glob(glob->name, canonical, '.')) continue;
      best = glob;
      break;
    }
  return best;
}

const ApiFact *catalog_api(const Catalog *catalog, Str canonical) {
  const ApiFact *fact = catalog_api_exact(catalog, canonical);
  return fact ? fact : find_glob(catalog, canonical);
}

const ApiFact *catalog_api_member(const Catalog *catalog, Str class_name, Str member, Str *found) {
  enum { MOST_BASES = 32 };
  for (int i = 0; i < MOST_BASES && class_name.len; i++) {
    uint64_t hash = name_hash(NAME_HASH_START, class_name);
    const ApiFact *fact = find_fact(catalog, name_hash(name_hash(hash, S(".")), member), class_name, member);
    if (fact) {
      if (found) *found = fact->name;
      return fact;
    }
    const ApiFact *class_fact = find_fact(catalog, hash, class_name, S(""));
    class_name = class_fact ? class_fact->base : S("");
  }
  return NULL;
}

/* ---- classes of kinds ---- */

static const Str kind_classes[KIND_COUNT] = {
    [K_NONE] = S_INIT("builtins.NoneType"),
    [K_BOOL] = S_INIT("builtins.bool"),
    [K_NUMBER] = S_INIT("builtins.float"),
    [K_TEXT] = S_INIT("builtins.str"),
    [K_ARRAY] = S_INIT("numpy.ndarray"),
    [K_SHAPE] = S_INIT("tensorflow.TensorShape"),
    [K_DTYPE] = S_INIT("tensorflow.DType"),
    [K_TENSOR] = S_INIT("tensorflow.Tensor"),
    [K_EAGER_TENSOR] = S_INIT("tensorflow.Tensor"),
    [K_KERAS_TENSOR] = S_INIT("keras.KerasTensor"),
    [K_COMPOSITE] = S_INIT("tensorflow.RaggedTensor"),
    [K_TENSOR_ARRAY] = S_INIT("tensorflow.TensorArray"),
    [K_VARIABLE] = S_INIT("tensorflow.Variable"),
    [K_DATASET] = S_INIT("tensorflow.data.Dataset"),
    [K_ITERATOR] = S_INIT("tensorflow.data.Iterator"),
    [K_HOST_ITERATOR] = S_INIT("builtins.iterator"),
    [K_LAYER] = S_INIT("keras.layers.Layer"),
    [K_MODEL] = S_INIT("keras.Model"),
    [K_OPTIMIZER] = S_INIT("keras.optimizers.Optimizer"),
    [K_METRIC] = S_INIT("keras.metrics.Metric"),
    [K_LOSS] = S_INIT("keras.losses.Loss"),
    [K_TF_RNG] = S_INIT("tensorflow.random.Generator"),
    [K_HOST_RNG] = S_INIT("numpy.random.Generator"),
    [K_TABLE] = S_INIT("tensorflow.lookup.StaticHashTable"),
    [K_WRITER] = S_INIT("tensorflow.summary.SummaryWriter"),
    [K_CHECKPOINT] = S_INIT("tensorflow.train.Checkpoint"),
    [K_STRATEGY] = S_INIT("tensorflow.distribute.Strategy"),
    [K_TAPE] = S_INIT("tensorflow.GradientTape"),
    [K_SPEC] = S_INIT("tensorflow.TensorSpec"),
    [K_LIST] = S_INIT("builtins.list"),
    [K_TUPLE] = S_INIT("builtins.tuple"),
    [K_DICT] = S_INIT("builtins.dict"),
    [K_SET] = S_INIT("builtins.set"),
    [K_TRACED] = S_INIT("tensorflow.types.experimental.PolymorphicFunction"),
};

Str catalog_class_of_kind(Kind kind) { return kind_classes[kind].ptr ? kind_classes[kind] : S(""); }

/* ---- rules ---- */

uint32_t catalog_rule_count(const Catalog *catalog) { return catalog->rule_len; }

const RulePage *catalog_rule(const Catalog *catalog, uint32_t index) { return &catalog->rules[index]; }

static uint32_t search_rules(const RulePage *rules, uint32_t low, uint32_t high, Str id) {
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = str_cmp(rules[middle].id, id);
    if (!order) return middle;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return UINT32_MAX;
}

uint32_t catalog_rule_index(const Catalog *catalog, Str id) {
  for (const Catalog *layer = catalog; layer; layer = layer->below) {
    uint32_t start = layer->below ? layer->below->rule_len : 0;
    uint32_t index = search_rules(layer->rules, start, layer->rule_len, id);
    if (index != UINT32_MAX) return index;
  }
  return UINT32_MAX;
}

const RulePage *catalog_find_rule(const Catalog *catalog, Str id_or_name) {
  uint32_t index = catalog_rule_index(catalog, id_or_name);
  if (index != UINT32_MAX) return &catalog->rules[index];
  for (uint32_t i = 0; i < catalog->rule_len; i++)
    if (str_eq(catalog->rules[i].name, id_or_name)) return &catalog->rules[i];
  return NULL;
}

bool catalog_outranks(const Catalog *catalog, Str winner, Str loser) {
  uint32_t low = 0, high = catalog->outrank_len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = str_cmp(catalog->outranks[middle].winner, winner);
    if (!order) order = str_cmp(catalog->outranks[middle].loser, loser);
    if (!order) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}

/* Keras 2 or Keras 3? Guessed from what a module imports and from the versions pinned at the project's root.
 *
 * `tf.keras` is Keras 2 up to TensorFlow 2.15 and Keras 3 from 2.16 on, so it says nothing by itself; `tf_keras` is Keras 2;
 * `keras` alone is whatever is pinned, else Keras 3; what Keras 3 has no longer (`keras.engine`, `_resource_apply_dense`) is
 * Keras 2. Files that say different things make the answer unknown. The scan of
 * requirement files is textual: names with version conditions, wherever they stand.
 */
#include "sema/project_names.h"

/* ---- imports ---- */

static bool top_is(Sym dotted, Str top) {
  Str rest = sym_str(dotted);
  return str_eq(str_cut(&rest, '.'), top);
}

static bool is_below(Sym dotted, Str package) {
  Str name = sym_str(dotted);
  return str_starts(name, package) && (name.len == package.len || name.ptr[package.len] == '.');
}

typedef struct Seen {
  bool standalone, legacy;
  bool internals;  // modules that are gone in Keras 3
} Seen;

typedef void ImportVisit(void *context, Sym module);

static void scope_imports(const Scope *scope, ImportVisit *visit, void *context) {
  for (uint32_t b = 0; b < scope->bindings.len; b++) {
    const Binding *binding = &scope->bindings.data[b];
    for (uint32_t i = 0; i < binding->sites.len; i++) {
      const BindSite *site = &binding->sites.data[i];
      if (!(site->kind & (BIND_IMPORT | BIND_STAR))) continue;
      bool from = site->stmt->kind == STMT_IMPORT_FROM;
      if (from && site->stmt->u.import.dots > 0) continue;
      visit(context, from ? site->stmt->u.import.module : site->import_name->name);
    }
  }
}

/* Every module that is imported by its whole name, wherever in the file. */
static void each_import(const Module *module, ImportVisit *visit, void *context) {
  for (uint32_t i = 0; i < module->ast->functions.len; i++)
    scope_imports(module->ast->functions.data[i]->scope, visit, context);
}

static void see_import(void *context, Sym module) {
  Seen *seen = context;
  bool internals = is_below(module, S("keras.engine")) || is_below(module, S("keras.src.engine")) ||
                   is_below(module, S("tensorflow.python.keras"));
  seen->internals |= internals;
  seen->legacy |= internals || top_is(module, S("tf_keras"));
  seen->standalone |= !internals && top_is(module, S("keras"));
}

typedef struct ImportSearch {
  Str package;
  bool found;
} ImportSearch;

static void search_import(void *context, Sym module) {
  ImportSearch *search = context;
  search->found |= top_is(module, search->package);
}

bool module_imports(const Module *module, Str package) {
  ImportSearch search = {package, false};
  if (module->ast) each_import(module, search_import, &search);
  return search.found;
}

/* `os.environ["TF_USE_LEGACY_KERAS"] = "1"`, `setdefault("TF_USE_LEGACY_KERAS", "True")` … */
static bool asks_for_legacy(Str text) {
  const Str word = S("TF_USE_LEGACY_KERAS");
  size_t at = str_find(text, word);
  if (at == STR_NONE) return false;
  Str rest = str_sub(text, at + word.len, text.len);
  size_t skip = 0;
  while (skip < rest.len && rest.ptr[skip] != '\n' && memchr("'\"]), =", rest.ptr[skip], 7)) skip++;
  rest = str_sub(rest, skip, rest.len);
  return str_starts(rest, S("1")) || str_starts(rest, S("True")) || str_starts(rest, S("true"));
}

/* Methods that only optimizers of Keras 2 have: Keras 3 never calls them. */
static bool writes_old_optimizer(Str text) {
  return str_find(text, S("def _resource_apply_dense(")) != STR_NONE || str_find(text, S("._set_hyper(")) != STR_NONE;
}

bool needs_keras2(const Module *module) {
  if (!module->ast) return false;
  if (writes_old_optimizer(module->source.text)) return true;
  Seen seen = {0};
  each_import(module, see_import, &seen);
  return seen.internals;
}

KerasFlavor flavor_of_module(const Module *module, KerasFlavor standalone) {
  if (!module->ast) return KERAS_UNKNOWN;
  if (asks_for_legacy(module->source.text) || writes_old_optimizer(module->source.text)) return KERAS_2;
  Seen seen = {0};
  each_import(module, see_import, &seen);
  if (seen.legacy) return seen.standalone ? KERAS_UNKNOWN : KERAS_2;
  return seen.standalone ? standalone : KERAS_UNKNOWN;
}

/* ---- pinned versions ---- */

/* Which Keras a set of conditions leaves: `first_new` is the first version with Keras 3, as major * 1000 + minor. */
typedef struct Pins {
  bool old, new;
} Pins;

static int64_t take_number(Str *text) {
  int64_t number = 0;
  size_t digits = 0;
  while (digits < text->len && digits < 6 && text->ptr[digits] >= '0' && text->ptr[digits] <= '9') {
    number = number * 10 + (text->ptr[digits++] - '0');
  }
  *text = str_sub(*text, digits, text->len);
  return digits ? number : -1;
}

static bool take(Str *text, Str word) {
  if (!str_starts(*text, word)) return false;
  *text = str_sub(*text, word.len, text->len);
  return true;
}

static void skip_blanks(Str *text) {
  while (text->len && (text->ptr[0] == ' ' || text->ptr[0] == '\t')) *text = str_sub(*text, 1, text->len);
}

/* One condition, `>=2.16`. False if there is none. */
static bool take_condition(Str *text, int64_t first_new, Pins *pins) {
  skip_blanks(text);
  bool exact = take(text, S("===")) || take(text, S("==")) || take(text, S("~="));
  bool most = !exact && take(text, S("<="));
  bool less = !exact && !most && take(text, S("<"));
  bool least = !exact && !most && !less && (take(text, S(">=")) || take(text, S(">")) || take(text, S("^")));
  bool other = !exact && !most && !less && !least && take(text, S("!="));
  if (!exact && !most && !less && !least && !other) return false;
  skip_blanks(text);
  int64_t major = take_number(text), minor = 0;
  if (major < 0) return false;
  if (take(text, S("."))) minor = take_number(text);
  int64_t version = major * 1000 + (minor < 0 ? 0 : minor);
  if ((exact || most) && version < first_new) pins->old = true;
  if (less && version <= first_new) pins->old = true;
  if ((exact || least) && version >= first_new) pins->new = true;
  size_t rest = 0;  // .post1, .*, rc2
  while (rest < text->len && !memchr(", \t\r\n\"';#]", text->ptr[rest], 10)) rest++;
  *text = str_sub(*text, rest, text->len);
  return true;
}

/* What follows a package's name: `[and-cuda]>=2.12,<2.16`, or ` = "^2.13"` as Poetry writes it. */
static void read_conditions(Str text, int64_t first_new, Pins *pins) {
  if (take(&text, S("["))) {
    size_t close = str_find_char(text, ']');
    if (close == STR_NONE) return;
    text = str_sub(text, close + 1, text.len);
  }
  skip_blanks(&text);
  if (!str_starts(text, S("==")) && take(&text, S("="))) {
    skip_blanks(&text);
    if (!take(&text, S("\"")) && !take(&text, S("'"))) return;
  }
  take(&text, S("("));
  while (take_condition(&text, first_new, pins)) {
    skip_blanks(&text);
    if (!take(&text, S(","))) break;
  }
}

static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}

static void read_pins(Str text, Pins *pins) {
  static const struct {
    Str name;
    int64_t first_new;
  } packages[] = {
      {S_INIT("tensorflow"), 2016},       {S_INIT("tensorflow-cpu"), 2016}, {S_INIT("tensorflow-gpu"), 2016},
      {S_INIT("tensorflow-macos"), 2016}, {S_INIT("tensorflow_cpu"), 2016}, {S_INIT("keras"), 3000},
  };
  size_t at = 0;
  while (at < text.len) {
    size_t start = at;
    while (at < text.len && is_name_char(text.ptr[at])) at++;
    Str word = str_sub(text, start, at);
    for (size_t i = 0; word.len && i < sizeof packages / sizeof *packages; i++) {
      if (str_eq(word, packages[i].name)) read_conditions(str_sub(text, at, text.len), packages[i].first_new, pins);
    }
    if (at == start && text.ptr[at] == '#') {
      while (at < text.len && text.ptr[at] != '\n') at++;
    } else if (at == start) {
      at++;
    }
  }
}

static bool holds_requirements(Str name) {
  if (str_starts(name, S("requirements")) && str_ends(name, S(".txt"))) return true;
  return str_eq(name, S("pyproject.toml")) || str_eq(name, S("setup.py")) || str_eq(name, S("setup.cfg"));
}

KerasFlavor flavor_of_pins(const Fs *fs, Str root) {
  enum { MOST_BYTES = 1 << 20 };
  Arena scratch = {0};
  FsEntries entries = {0};
  Pins pins = {0};
  if (fs->list(fs, &scratch, root.len ? root : S("."), &entries) != FS_OK) entries.len = 0;
  for (uint32_t i = 0; i < entries.len; i++) {
    Str text;
    if (!holds_requirements(entries.data[i].name)) continue;
    if (fs->read(fs, &scratch, path_join(&scratch, root, entries.data[i].name), MOST_BYTES, &text) == FS_OK) {
      read_pins(text, &pins);
    }
  }
  arena_release(&scratch);
  if (pins.old == pins.new) return KERAS_UNKNOWN;
  return pins.old ? KERAS_2 : KERAS_3;
}

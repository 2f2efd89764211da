/* Keras 2 or Keras 3? Guessed from what a module imports and from the versions pinned at the project's root.
 *
 * `tf.keras` is Keras 2 up to TensorFlow 2.15 and Keras 3 from 2.16 on, so it says nothing by itself; `tf_keras` is Keras 2;
 * `keras` alone is whatever is pinned, else Keras 3; what Keras 3 has no longer (`keras.engine`, `_resource_apply_dense`) is
 * Keras 2. Files that say different things make the answer unknown. All files of the project are asked, also those that are
 * never parsed: which Keras a file means must not depend on which files are reported on. The scan of requirement files is
 * textual: names with version conditions, wherever they stand.
 */
#include "sema/project_names.h"

/* ---- what a file says ---- */

static bool top_is(Str dotted, Str top) { return str_eq(str_cut(&dotted, '.'), top); }

static bool is_below(Str dotted, Str package) {
  return str_starts(dotted, package) && (dotted.len == package.len || dotted.ptr[package.len] == '.');
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

KerasHints keras_hints(Str text, const StrVec *imports) {
  KerasHints hints = {.asks_legacy = asks_for_legacy(text), .old_optimizer = writes_old_optimizer(text)};
  for (uint32_t i = 0; i < imports->len; i++) {
    Str module = imports->data[i];
    bool internals = is_below(module, S("keras.engine")) || is_below(module, S("keras.src.engine")) ||
                     is_below(module, S("tensorflow.python.keras"));
    hints.tensorflow |= top_is(module, S("tensorflow"));
    hints.internals |= internals;
    hints.legacy |= internals || top_is(module, S("tf_keras"));
    hints.standalone |= !internals && top_is(module, S("keras"));
  }
  return hints;
}

bool needs_keras2(const KerasHints *hints) { return hints->old_optimizer || hints->internals; }

KerasFlavor flavor_of_hints(const KerasHints *hints, KerasFlavor standalone) {
  if (hints->asks_legacy || hints->old_optimizer) return KERAS_2;
  if (hints->legacy) return hints->standalone ? KERAS_UNKNOWN : KERAS_2;
  return hints->standalone ? standalone : KERAS_UNKNOWN;
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

/* TOML to a document tree, by the tree-sitter grammar: one table of the file and what is below it.
 *
 * The grammar knows the syntax; what it leaves to us is decoding and the rules about which table may be defined where and
 * how often. Not handled: syntax errors outside of the wanted table, which are other tools' business, as long as they do not
 * mention it. Recursion follows values only, and is bounded by DOC_MAX_DEPTH.
 */
#include <tree_sitter/api.h>

#include "base/panic.h"
#include "value/build.h"
#include "value/toml_scalar.h"

const TSLanguage *tree_sitter_toml(void);

/* What made a table decides who may add to it. */
typedef enum TomlOrigin {
  MADE_BY_PATH,    // on the way to another table's header: may still get a header of its own
  MADE_BY_HEADER,  // [table]: complete after its section
  MADE_BY_DOTS,    // a.b = 1: may grow by dots only
  MADE_BY_ARRAY,   // [[table]]: a list, its last element is the open one
} TomlOrigin;

typedef struct TomlTable {
  Doc doc;  // first: a Doc of kind map or list that stands for a table is the head of one of these
  VEC(DocEntry) entries;
  StrMap keys;  // key -> TomlTable * where tables may be added to, 0 for finished values
  TomlOrigin origin;
} TomlTable;

typedef struct TomlKey {
  Str text;
  DocSpan span;
} TomlKey;

typedef struct TomlPath {
  TomlKey keys[DOC_MAX_DEPTH];
  uint32_t len;
} TomlPath;

typedef struct TomlReader {
  Arena *arena;
  DocFile *file;
  DocErrors *errors;
  TomlTable *root;
  TomlPath wanted;
} TomlReader;

static DocSpan span_of(TSNode node) { return (DocSpan){ts_node_start_byte(node), ts_node_end_byte(node)}; }

static Str text_of(const TomlReader *reader, TSNode node) {
  return str_sub(reader->file->text, ts_node_start_byte(node), ts_node_end_byte(node));
}

static Str type_of(TSNode node) { return str_from(ts_node_type(node)); }

static bool fail(const TomlReader *reader, DocSpan span, const char *reason) {
  doc_fail(reader->errors, reader->file, span, "bad TOML: %s", reason);
  return false;
}

/* Points at the first place the grammar could not read, below `node`. */
static bool fail_syntax(const TomlReader *reader, TSNode node) {
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  TSNode found = node;
  while (!ts_node_is_error(found) && !ts_node_is_missing(found) && ts_tree_cursor_goto_first_child(&cursor)) {
    do found = ts_tree_cursor_current_node(&cursor);
    while (!ts_node_has_error(found) && !ts_node_is_missing(found) && ts_tree_cursor_goto_next_sibling(&cursor));
  }
  ts_tree_cursor_delete(&cursor);
  return fail(reader, span_of(found), "syntax error");
}

/* ---- tables ---- */

static TomlTable *new_table(const TomlReader *reader, DocKind kind, TomlOrigin origin, DocSpan span) {
  TomlTable *table = arena_new(reader->arena, TomlTable);
  table->doc = (Doc){.kind = kind, .span = span};
  table->origin = origin;
  return table;
}

static void append(const TomlReader *reader, TomlTable *table, TomlKey key, const Doc *value) {
  DocEntry entry = {key.text, key.span, value};
  vec_push(reader->arena, &table->entries, entry);
  table->doc.entries = table->entries.data;
  table->doc.len = table->entries.len;
}

/* False if the key is taken. `open` is the table that later headers or dots may add to, NULL for a finished value. */
static bool put(const TomlReader *reader, TomlTable *table, TomlKey key, const Doc *value, TomlTable *open) {
  bool fresh;
  uint64_t *place = strmap_put(reader->arena, &table->keys, key.text, &fresh);
  if (!fresh) {
    doc_fail(reader->errors, reader->file, key.span, "duplicate key \"%.*s\"", STR_ARG(key.text));
    return false;
  }
  *place = (uint64_t)(uintptr_t)open;
  append(reader, table, key, value);
  return true;
}

/* The table under `key`; *taken tells that the key exists, if only with a finished value. */
static TomlTable *child(const TomlTable *table, TomlKey key, bool *taken) {
  const uint64_t *place = strmap_get(&table->keys, key.text);
  *taken = place != NULL;
  return place ? (TomlTable *)(uintptr_t)*place : NULL;
}

static TomlTable *last_element(TomlTable *list) {
  return (TomlTable *)(uintptr_t)vec_last(&list->entries).value;  // every element of such a list is a table
}

/* Goes one step down, making the table if there is none. NULL after an error. */
static TomlTable *step(const TomlReader *reader, TomlTable *table, TomlKey key, TomlOrigin origin) {
  bool taken;
  TomlTable *next = child(table, key, &taken);
  if (!taken) {
    next = new_table(reader, DOC_MAP, origin, key.span);
    return put(reader, table, key, &next->doc, next) ? next : NULL;
  }
  bool allowed = next && (origin == MADE_BY_DOTS ? next->origin == MADE_BY_DOTS : true);
  if (!allowed) {
    doc_fail(reader->errors, reader->file, key.span, "\"%.*s\" is already defined and cannot be added to",
             STR_ARG(key.text));
    return NULL;
  }
  return next->origin == MADE_BY_ARRAY ? last_element(next) : next;
}

static TomlTable *open_header(const TomlReader *reader, const TomlPath *path, DocSpan span) {
  TomlTable *table = reader->root;
  for (uint32_t i = 0; table && i + 1 < path->len; i++) table = step(reader, table, path->keys[i], MADE_BY_PATH);
  if (!table) return NULL;
  TomlKey key = path->keys[path->len - 1];
  bool taken;
  TomlTable *old = child(table, key, &taken);
  if (old && old->origin == MADE_BY_PATH) {
    old->origin = MADE_BY_HEADER;
    old->doc.span = span;
    return old;
  }
  TomlTable *fresh = new_table(reader, DOC_MAP, MADE_BY_HEADER, span);
  return put(reader, table, key, &fresh->doc, fresh) ? fresh : NULL;
}

static TomlTable *open_element(const TomlReader *reader, const TomlPath *path, DocSpan span) {
  TomlTable *table = reader->root;
  for (uint32_t i = 0; table && i + 1 < path->len; i++) table = step(reader, table, path->keys[i], MADE_BY_PATH);
  if (!table) return NULL;
  TomlKey key = path->keys[path->len - 1];
  bool taken;
  TomlTable *list = child(table, key, &taken);
  if (!list || list->origin != MADE_BY_ARRAY) {
    list = new_table(reader, DOC_LIST, MADE_BY_ARRAY, span);
    if (!put(reader, table, key, &list->doc, list)) return NULL;
  }
  TomlTable *element = new_table(reader, DOC_MAP, MADE_BY_HEADER, span);
  append(reader, list, (TomlKey){S(""), span}, &element->doc);
  return element;
}

/* ---- keys ---- */

static bool read_key(const TomlReader *reader, TSNode node, TomlKey *out) {
  out->span = span_of(node);
  Str text = text_of(reader, node);
  if (str_eq(type_of(node), S("bare_key"))) out->text = text;
  else if (!toml_string(reader->arena, text, &out->text)) return fail(reader, out->span, "bad escape in a key");
  return true;
}

/* A dotted key nests to the left: the last part is the outermost. */
static bool read_path(const TomlReader *reader, TSNode node, TomlPath *out) {
  TomlKey reversed[DOC_MAX_DEPTH];
  uint32_t len = 0;
  for (;;) {
    bool dotted = str_eq(type_of(node), S("dotted_key"));
    if (len == DOC_MAX_DEPTH) return fail(reader, span_of(node), "a key with too many parts");
    if (!read_key(reader, dotted ? ts_node_named_child(node, 1) : node, &reversed[len++])) return false;
    if (!dotted) break;
    node = ts_node_named_child(node, 0);
  }
  out->len = len;
  for (uint32_t i = 0; i < len; i++) out->keys[i] = reversed[len - 1 - i];
  return true;
}

/* Whether what stands at `head` followed by `tail` leads to the wanted table, or lies in it. */
static bool is_wanted(const TomlReader *reader, const TomlPath *head, const TomlPath *tail) {
  const TomlPath *wanted = &reader->wanted;
  uint32_t len = head->len + (tail ? tail->len : 0);
  for (uint32_t i = 0; i < len && i < wanted->len; i++) {
    TomlKey key = i < head->len ? head->keys[i] : tail->keys[i - head->len];
    if (!str_eq(key.text, wanted->keys[i].text)) return false;
  }
  return true;
}

/* ---- values ---- */

static const Doc *read_value(const TomlReader *reader, TSNode node, uint32_t depth);
static bool read_pair(const TomlReader *reader, TSNode pair, TomlTable *table, const TomlPath *head, uint32_t depth);

static const Doc *read_scalar(const TomlReader *reader, TSNode node, Str type) {
  Doc *doc = arena_new(reader->arena, Doc);
  *doc = (Doc){.kind = DOC_SCALAR, .span = span_of(node), .text = text_of(reader, node)};
  doc->quoted = str_eq(type, S("string"));
  bool good = true;
  if (doc->quoted) good = toml_string(reader->arena, doc->text, &doc->text);
  else if (str_eq(type, S("integer"))) good = toml_integer(reader->arena, doc->text, &doc->text);
  else doc->text = str_copy(reader->arena, doc->text);
  if (good) return doc;
  fail(reader, doc->span, doc->quoted ? "bad escape in a string" : "a number out of range");
  return NULL;
}

/* Arrays and inline tables are finished where they end: nothing can be added to them later. */
static const Doc *read_container(const TomlReader *reader, TSNode node, DocKind kind, uint32_t depth) {
  TomlTable *table = new_table(reader, kind, MADE_BY_HEADER, span_of(node));
  static const TomlPath inside = {.len = 0};
  TSTreeCursor cursor = ts_tree_cursor_new(node);
  bool good = true;
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more && good;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    TSNode item = ts_tree_cursor_current_node(&cursor);
    if (!ts_node_is_named(item) || str_eq(type_of(item), S("comment"))) continue;
    if (kind == DOC_MAP) {
      good = read_pair(reader, item, table, &inside, depth + 1);
      continue;
    }
    const Doc *value = read_value(reader, item, depth + 1);
    if (value) append(reader, table, (TomlKey){S(""), value->span}, value);
    good = value != NULL;
  }
  ts_tree_cursor_delete(&cursor);
  return good ? &table->doc : NULL;
}

static const Doc *read_value(const TomlReader *reader, TSNode node, uint32_t depth) {
  if (depth >= DOC_MAX_DEPTH) {
    doc_fail(reader->errors, reader->file, span_of(node), "nested deeper than %d levels", DOC_MAX_DEPTH);
    return NULL;
  }
  Str type = type_of(node);
  if (str_eq(type, S("array"))) return read_container(reader, node, DOC_LIST, depth);
  if (str_eq(type, S("inline_table"))) return read_container(reader, node, DOC_MAP, depth);
  return read_scalar(reader, node, type);
}

/* `head` is where the table stands in the file; pairs that lead elsewhere than to the wanted table are skipped. */
static bool read_pair(const TomlReader *reader, TSNode pair, TomlTable *table, const TomlPath *head, uint32_t depth) {
  TomlPath path;
  if (!read_path(reader, ts_node_named_child(pair, 0), &path)) return false;
  if (head->len + path.len > 0 && depth == head->len && !is_wanted(reader, head, &path)) return true;
  if (ts_node_has_error(pair)) return fail_syntax(reader, pair);
  const Doc *value = read_value(reader, ts_node_named_child(pair, 1), depth + path.len);
  for (uint32_t i = 0; table && i + 1 < path.len; i++) table = step(reader, table, path.keys[i], MADE_BY_DOTS);
  return value && table && put(reader, table, path.keys[path.len - 1], value, NULL);
}

/* ---- the document ---- */

static bool read_section(const TomlReader *reader, TSNode section, bool element) {
  TomlPath head = {.len = 0};
  TomlTable *table = NULL;
  TSTreeCursor cursor = ts_tree_cursor_new(section);
  bool good = true;
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more && good;
       more = ts_tree_cursor_goto_next_sibling(&cursor)) {
    TSNode item = ts_tree_cursor_current_node(&cursor);
    Str type = type_of(item);
    if (str_eq(type, S("pair"))) {
      good = !table || read_pair(reader, item, table, &head, head.len);
    } else if (str_ends(type, S("_key"))) {
      good = read_path(reader, item, &head);
      if (!good || !is_wanted(reader, &head, NULL)) break;
      table = (element ? open_element : open_header)(reader, &head, span_of(item));
      good = table != NULL;
    }
  }
  ts_tree_cursor_delete(&cursor);
  return good;
}

/* An error ends where the grammar finds its feet again, which may be far behind our table. */
static bool is_broken(const TomlReader *reader, TSNode node) {
  Str ours = reader->wanted.keys[reader->wanted.len - 1].text;
  return ts_node_has_error(node) && str_contains(text_of(reader, node), ours);
}

static bool read_statement(const TomlReader *reader, TSNode node) {
  static const TomlPath top = {.len = 0};
  Str type = type_of(node);
  if (is_broken(reader, node)) return fail_syntax(reader, node);
  if (str_eq(type, S("pair"))) return read_pair(reader, node, reader->root, &top, 0);
  if (str_eq(type, S("table"))) return read_section(reader, node, false);
  return !str_eq(type, S("table_array_element")) || read_section(reader, node, true);
}

static bool read_document(const TomlReader *reader, TSNode document) {
  TSTreeCursor cursor = ts_tree_cursor_new(document);
  bool good = true;
  for (bool more = ts_tree_cursor_goto_first_child(&cursor); more && good;
       more = ts_tree_cursor_goto_next_sibling(&cursor))
    good = read_statement(reader, ts_tree_cursor_current_node(&cursor));
  ts_tree_cursor_delete(&cursor);
  return good;
}

/* What the wanted path leads to. Tables on the way were made only if the file mentions them. */
static const Doc *find_wanted(const TomlReader *reader) {
  const Doc *doc = &reader->root->doc;
  for (uint32_t i = 0; i < reader->wanted.len; i++) doc = doc_get(doc, reader->wanted.keys[i].text);
  if (doc) return doc;
  return arena_new(reader->arena, Doc);
}

bool doc_read_toml(Arena *arena, Str path, Str text, Str table, DocFile *file, DocErrors *errors) {
  DocBuilder limits;
  if (!build_init(&limits, arena, path, text, DOC_MAX_BYTES, file, errors)) return false;
  TomlReader reader = {.arena = arena, .file = file, .errors = errors};
  reader.root = new_table(&reader, DOC_MAP, MADE_BY_PATH, (DocSpan){0, 0});
  while (table.len) {
    tf_assert(reader.wanted.len < DOC_MAX_DEPTH);
    reader.wanted.keys[reader.wanted.len++].text = str_cut(&table, '.');
  }

  TSParser *parser = ts_parser_new();
  if (!ts_parser_set_language(parser, tree_sitter_toml())) tf_unreachable("the TOML grammar does not fit the runtime");
  TSTree *tree = ts_parser_parse_string(parser, NULL, text.ptr, build_offset(text.len));
  bool good = read_document(&reader, ts_tree_root_node(tree));
  ts_tree_delete(tree);
  ts_parser_delete(parser);
  if (good) file->root = find_wanted(&reader);
  return good;
}

/* A document as a tree, whatever it was written in, and what can be wrong with it.
 *
 * Scalars are text: they get their type from the schema that reads them, never from how they look, so that `on`, `no`, `1e3`
 * and `2.10` mean what the reader of the key expects. `quoted` tells text that was surely meant as text. Positions are byte
 * offsets into DocFile.text; lines and columns exist only in error messages. A tree is at most DOC_MAX_DEPTH deep, so code
 * may recurse over it. It lives in the arena it was read into and is not changed afterwards.
 */
#ifndef TFCHECK_VALUE_DOC_H
#define TFCHECK_VALUE_DOC_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

enum { DOC_MAX_DEPTH = 32, DOC_MAX_BYTES = 8 << 20 };

typedef struct DocSpan {
  uint32_t start, end;  // byte offsets into DocFile.text, end exclusive
} DocSpan;

typedef enum DocKind { DOC_NULL, DOC_SCALAR, DOC_LIST, DOC_MAP } DocKind;

typedef struct Doc Doc;

/* One element of a list (empty key) or one entry of a map, in the order of the file. Keys of a map are unique. */
typedef struct DocEntry {
  Str key;
  DocSpan key_span;
  const Doc *value;
} DocEntry;

struct Doc {
  DocKind kind;
  bool quoted;  // scalar: written as a string ('…', "…", a YAML block, a TOML or JSON string)
  DocSpan span;
  Str text;  // scalar: decoded; NUL-terminated
  DocEntry *entries;
  uint32_t len;
};

typedef struct DocFile {
  Str path;  // as it is to be shown
  Str text;  // the bytes that were read
  const Doc *root;
} DocFile;

typedef struct DocError {
  Str path;
  uint32_t line, col;  // 1-based, columns in code points; 0 if the document could not be read
  DocSpan span;        // for a caret line
  Str reason;          // lower case, no full stop
} DocError;

/* Where errors go. Readers stop at the first, checkers collect; after DOC_MAX_ERRORS nothing more is added. */
typedef struct DocErrors {
  Arena *arena;
  VEC(DocError) list;
} DocErrors;

enum { DOC_MAX_ERRORS = 50 };

void doc_fail(DocErrors *errors, const DocFile *file, DocSpan span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "path:line", to point at a second place from a reason. */
Str doc_place_text(Arena *arena, const DocFile *file, DocSpan span);
/* "path:line:col: reason" */
Str doc_error_text(Arena *arena, const DocError *error);

/* Readers. `path` is for messages only; `text` is kept by *file. False: one error was added and file->root is an empty map.
 * An empty YAML document is an empty map. What they share: UTF-8 only, DOC_MAX_DEPTH, DOC_MAX_BYTES, no duplicate keys. */

/* The subset of YAML that has one reading: no anchors, aliases, tags, directives; text keys; a single document. */
bool doc_read_yaml(Arena *arena, Str path, Str text, DocFile *file, DocErrors *errors);
/* One table of a TOML 1.0 file, given by its dotted name; the rest of the file is other tools' business, errors included.
 * The root is DOC_NULL where the file has no such table. Dates and floats stay unquoted text, integers become decimal. */
bool doc_read_toml(Arena *arena, Str path, Str text, Str table, DocFile *file, DocErrors *errors);
/* RFC 8259. `max_bytes` because notebooks are larger than configurations; 0 is DOC_MAX_BYTES. */
bool doc_read_json(Arena *arena, Str path, Str text, uint64_t max_bytes, DocFile *file, DocErrors *errors);

/* The value of `key`, or NULL: also when `doc` is NULL or no map. Chains of lookups need no checks between them. */
const Doc *doc_get(const Doc *doc, Str key);
const DocEntry *doc_entry(const Doc *doc, Str key);
/* For documents that a schema has passed: the text, number or truth of a scalar, or the fallback when it is absent. */
Str doc_text(const Doc *doc, Str fallback);
int64_t doc_int(const Doc *doc, int64_t fallback);
bool doc_bool(const Doc *doc, bool fallback);

/* "text", "a list", "a map", "nothing", as messages call it. */
Str doc_kind_name(const Doc *doc);

#endif

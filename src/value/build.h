/* Building a document tree from a stream of events, shared by the readers: depth, keys in order, no key twice. */
#ifndef TFCHECK_VALUE_BUILD_H
#define TFCHECK_VALUE_BUILD_H

#include "base/map.h"
#include "value/doc.h"

typedef struct DocFrame {
  Doc *doc;
  VEC(DocEntry) entries;
  StrMap keys;  // key -> index of its entry + 1
  Str key;      // map: the key that waits for its value
  DocSpan key_span;
  bool has_key;
} DocFrame;

typedef struct DocBuilder {
  Arena *arena;
  DocFile *file;
  DocErrors *errors;
  DocFrame frames[DOC_MAX_DEPTH];
  uint32_t depth;
} DocBuilder;

/* Sets up *file with an empty map as root, and refuses text that is too large. */
bool build_init(DocBuilder *builder, Arena *arena, Str path, Str text, uint64_t max_bytes, DocFile *file,
                DocErrors *errors);

/* Each returns false after adding an error. `build_value` is for leaves; a list or map is opened, filled and closed. */
bool build_key(DocBuilder *builder, Str key, DocSpan span);
bool build_value(DocBuilder *builder, const Doc *leaf);
bool build_open(DocBuilder *builder, DocKind kind, DocSpan span);
void build_close(DocBuilder *builder, uint32_t end);

/* True where a map is open and its next scalar is a key. */
bool build_wants_key(const DocBuilder *builder);

/* A byte offset as the 32 bits of a span; texts are smaller than that. */
static inline uint32_t build_offset(size_t offset) { return (uint32_t)offset; }

#endif

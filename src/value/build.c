/* See build.h. The stack of open containers is explicit, so a hostile nesting depth costs one comparison. */
#include "value/build.h"

bool build_init(DocBuilder *builder, Arena *arena, Str path, Str text, uint64_t max_bytes, DocFile *file,
                DocErrors *errors) {
  *builder = (DocBuilder){.arena = arena, .file = file, .errors = errors};
  Doc *empty = arena_new(arena, Doc);
  empty->kind = DOC_MAP;
  *file = (DocFile){.path = path, .text = text, .root = empty};
  if (max_bytes > INT32_MAX) max_bytes = INT32_MAX;
  if (text.len <= max_bytes) return true;
  doc_fail(errors, file, (DocSpan){0, 0}, "the document has %zu bytes, more than the limit of %llu", text.len,
           (unsigned long long)max_bytes);
  return false;
}

bool build_wants_key(const DocBuilder *builder) {
  if (!builder->depth) return false;
  const DocFrame *top = &builder->frames[builder->depth - 1];
  return top->doc->kind == DOC_MAP && !top->has_key;
}

bool build_key(DocBuilder *builder, Str key, DocSpan span) {
  DocFrame *top = &builder->frames[builder->depth - 1];
  bool fresh;
  *strmap_put(builder->arena, &top->keys, key, &fresh) = top->entries.len + 1;
  if (!fresh) {
    doc_fail(builder->errors, builder->file, span, "duplicate key \"%.*s\"", STR_ARG(key));
    return false;
  }
  top->key = key;
  top->key_span = span;
  top->has_key = true;
  return true;
}

static void attach(DocBuilder *builder, const Doc *doc) {
  if (!builder->depth) {
    builder->file->root = doc;
    return;
  }
  DocFrame *top = &builder->frames[builder->depth - 1];
  DocEntry entry = {.key = top->key, .key_span = top->key_span, .value = doc};
  if (!top->has_key) entry = (DocEntry){.key = S(""), .key_span = doc->span, .value = doc};
  top->has_key = false;
  vec_push(builder->arena, &top->entries, entry);
}

bool build_value(DocBuilder *builder, const Doc *leaf) {
  Doc *doc = arena_new(builder->arena, Doc);
  *doc = *leaf;
  attach(builder, doc);
  return true;
}

bool build_open(DocBuilder *builder, DocKind kind, DocSpan span) {
  if (builder->depth == DOC_MAX_DEPTH) {
    doc_fail(builder->errors, builder->file, span, "nested deeper than %d levels", DOC_MAX_DEPTH);
    return false;
  }
  Doc *doc = arena_new(builder->arena, Doc);
  doc->kind = kind;
  doc->span = span;
  attach(builder, doc);
  builder->frames[builder->depth++] = (DocFrame){.doc = doc};
  return true;
}

void build_close(DocBuilder *builder, uint32_t end) {
  DocFrame *top = &builder->frames[--builder->depth];
  top->doc->span.end = end;
  top->doc->entries = top->entries.data;
  top->doc->len = top->entries.len;
}

/* Access to document trees and their errors. Knows nothing of any format: the readers are in yaml.c, toml.c and json_read.c. */
#include "value/doc.h"

#include <stdarg.h>
#include <stdio.h>

static Str format_text(Arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int need = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (need < 0) return S("error");
  char *text = arena_array(arena, char, (size_t)need + 1);
  vsnprintf(text, (size_t)need + 1, format, args);
  return (Str){text, (size_t)need};
}

/* Lines end as everywhere in this program: `\n`, `\r\n` or a lone `\r`. A byte order mark takes no column. */
static void locate(Str text, size_t offset, uint32_t *line, uint32_t *col) {
  size_t start = str_starts(text, S("\xEF\xBB\xBF")) ? 3 : 0;
  if (offset > text.len) offset = text.len;
  *line = 1;
  for (size_t i = start; i < offset; i++) {
    bool ends = text.ptr[i] == '\n' || (text.ptr[i] == '\r' && !(i + 1 < text.len && text.ptr[i + 1] == '\n'));
    if (!ends) continue;
    ++*line;
    start = i + 1;
  }
  *col = 1;
  for (size_t i = start; i < offset; i++)
    if (((unsigned char)text.ptr[i] & 0xC0) != 0x80) ++*col;
}

void doc_fail(DocErrors *errors, const DocFile *file, DocSpan span, const char *format, ...) {
  if (errors->list.len >= DOC_MAX_ERRORS) return;
  DocError error = {.path = file->path, .span = span};
  if (file->text.ptr) locate(file->text, span.start, &error.line, &error.col);
  va_list args;
  va_start(args, format);
  error.reason = format_text(errors->arena, format, args);
  va_end(args);
  vec_push(errors->arena, &errors->list, error);
}

Str doc_place_text(Arena *arena, const DocFile *file, DocSpan span) {
  uint32_t line, col;
  locate(file->text, span.start, &line, &col);
  return str_printf(arena, "%.*s:%u", STR_ARG(file->path), line);
}

Str doc_error_text(Arena *arena, const DocError *error) {
  Str at = error->line ? str_printf(arena, ":%u:%u", error->line, error->col) : S("");
  return str_printf(arena, "%.*s%.*s: %.*s", STR_ARG(error->path), STR_ARG(at), STR_ARG(error->reason));
}

const DocEntry *doc_entry(const Doc *doc, Str key) {
  if (!doc || doc->kind != DOC_MAP) return NULL;
  for (uint32_t i = 0; i < doc->len; i++)
    if (str_eq(doc->entries[i].key, key)) return &doc->entries[i];
  return NULL;
}

const Doc *doc_get(const Doc *doc, Str key) {
  const DocEntry *entry = doc_entry(doc, key);
  return entry ? entry->value : NULL;
}

Str doc_text(const Doc *doc, Str fallback) { return doc && doc->kind == DOC_SCALAR ? doc->text : fallback; }

int64_t doc_int(const Doc *doc, int64_t fallback) {
  int64_t value;
  return doc && doc->kind == DOC_SCALAR && str_to_i64(doc->text, &value) ? value : fallback;
}

bool doc_bool(const Doc *doc, bool fallback) {
  return doc && doc->kind == DOC_SCALAR ? str_eq(doc->text, S("true")) : fallback;
}

Str doc_kind_name(const Doc *doc) {
  switch (doc->kind) {
    case DOC_NULL:
      return S("nothing");
    case DOC_SCALAR:
      return S("text");
    case DOC_LIST:
      return S("a list");
    case DOC_MAP:
      return S("a map");
  }
  return S("nothing");
}

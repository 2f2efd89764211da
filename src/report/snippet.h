/* Source lines with underlined spans and texts under them, as compilers show them. */
#ifndef TFCHECK_REPORT_SNIPPET_H
#define TFCHECK_REPORT_SNIPPET_H

#include "report/paint.h"

typedef struct SnippetMark {
  Span span;
  bool primary;
  Str text;  // may be empty
} SnippetMark;

typedef struct Snippet {
  const Source *source;
  const SnippetMark *marks;  // at most one is primary
  uint32_t len;
  uint32_t digits;           // width of the line numbers
  Paint primary;             // colour of the primary mark
} Snippet;

/* Largest line number that the snippet will show. */
uint32_t snippet_last_line(Arena *scratch, const Snippet *snippet);
/* An empty gutter line first, then the lines. */
void snippet_render(Arena *scratch, const RenderStyle *style, const Snippet *snippet, StrBuf *out);
/* `    |` and a line end. */
void snippet_gutter(const RenderStyle *style, uint32_t digits, StrBuf *out);

#endif

/* Draws a snippet.
 *
 *   11 |   @tf.function               marks on one line: `^` is the primary one, `-` the others; the rightmost text stands
 *      |   ------------ here          beside its mark, the others below, tied to it by `|`
 *      ...
 *   40 |       y = np.sum(            a primary span over several lines has a margin of its own
 *      |  _________^
 *   41 | |         x)
 *      | |__________^ text
 *
 * Only the primary mark may span lines; others are cut to their first. Lines too wide for the terminal show the part around
 * their first mark. Everything that comes from a file passes text_lay_out() or text_safe().
 */
#include "report/snippet.h"

#include <stdlib.h>

#include "report/text.h"

enum { CONTEXT_LINES = 2, LONG_SPAN = 8, WIDEST = 200, NARROWEST = 40 };

typedef VEC(uint32_t) LineList;

/* A mark on one line, in display columns. */
typedef struct Underline {
  uint32_t start, end;
  bool primary;
  Str text;
} Underline;

typedef VEC(Underline) Underlines;

typedef struct Drawing {
  Arena *scratch;
  const RenderStyle *style;
  const Snippet *snippet;
  StrBuf *out;
  uint32_t multi_first, multi_last;  // lines of a primary span over several lines; 0, 0 if there is none
  bool multi_late;                   // it starts behind other code on its first line
  Span multi;
  Str multi_text;
} Drawing;

static uint32_t first_line(const Snippet *snippet, const SnippetMark *mark) {
  return source_line_of(snippet->source, mark->span.start);
}

/* The end is exclusive: a span that ends right behind a line end ends on the line before. */
static uint32_t last_line(const Snippet *snippet, const SnippetMark *mark) {
  Span span = mark->span;
  return source_line_of(snippet->source, span.end > span.start ? span.end - 1 : span.start);
}

static bool is_blank(const Source *source, uint32_t line) {
  return str_trim(source_slice(source, source_line_span(source, line))).len == 0;
}

static int line_order(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return (left > right) - (left < right);
}

/* The primary span with some lines around it; a long one only its ends. */
static void add_primary_lines(Arena *scratch, const Snippet *snippet, const SnippetMark *mark, LineList *lines) {
  uint32_t first = first_line(snippet, mark), last = last_line(snippet, mark);
  uint32_t from = first > CONTEXT_LINES ? first - CONTEXT_LINES : 1;
  uint32_t to = last + CONTEXT_LINES < snippet->source->line_count ? last + CONTEXT_LINES : snippet->source->line_count;
  while (from < first && is_blank(snippet->source, from)) from++;
  while (to > last && is_blank(snippet->source, to)) to--;
  bool is_long = last - first >= LONG_SPAN;
  for (uint32_t line = from; line <= to; line++) {
    if (is_long && line > first + LONG_SPAN / 2 && line + 1 < last) continue;
    vec_push(scratch, lines, line);
  }
}

/* Lines to show: sorted, each once, with single missing lines filled in. */
static LineList lines_of(Arena *scratch, const Snippet *snippet) {
  LineList all = {0}, lines = {0};
  for (uint32_t i = 0; i < snippet->len; i++) {
    const SnippetMark *mark = &snippet->marks[i];
    if (mark->primary) add_primary_lines(scratch, snippet, mark, &all);
    else vec_push(scratch, &all, first_line(snippet, mark));
  }
  if (all.len) qsort(all.data, all.len, sizeof *all.data, line_order);
  for (uint32_t i = 0; i < all.len; i++) {
    uint32_t line = all.data[i];
    if (lines.len && vec_last(&lines) == line) continue;
    if (lines.len && vec_last(&lines) + 2 == line) vec_push(scratch, &lines, line - 1);
    vec_push(scratch, &lines, line);
  }
  return lines;
}

uint32_t snippet_last_line(Arena *scratch, const Snippet *snippet) {
  LineList lines = lines_of(scratch, snippet);
  return lines.len ? vec_last(&lines) : 1;
}

/* ---- the left side ---- */

void snippet_gutter(const RenderStyle *style, uint32_t digits, StrBuf *out) {
  buf_repeat(out, ' ', digits + 1);
  paint_text(out, style, PAINT_GUTTER, S("|"));
  buf_char(out, '\n');
}

static void open_row(const Drawing *drawing, uint32_t line) {
  Str number = line ? str_printf(drawing->scratch, "%u", line) : S("");
  paint_on(drawing->out, drawing->style, PAINT_GUTTER);
  buf_repeat(drawing->out, ' ', drawing->snippet->digits - number.len);
  buf_str(drawing->out, number);
  buf_lit(drawing->out, " |");
  paint_off(drawing->out, drawing->style, PAINT_GUTTER);
}

/* The margin of a span over several lines, two columns wide; none if the block has no such span. */
static void draw_margin(const Drawing *drawing, char c) {
  if (!drawing->multi_first) return;
  buf_char(drawing->out, ' ');
  paint_text(drawing->out, drawing->style, c == ' ' ? PAINT_NONE : drawing->snippet->primary, (Str){&c, 1});
}

/* Rows have no blanks at their end. */
static void close_row(const Drawing *drawing) {
  StrBuf *out = drawing->out;
  while (out->len && out->data[out->len - 1] == ' ') out->len--;
  buf_char(out, '\n');
}

/* ---- long lines ---- */

typedef struct Window {
  uint32_t from, to;  // display columns that are shown
} Window;

static Window window_of(const Drawing *drawing, const TextLine *line, const Underlines *marks) {
  uint32_t width = drawing->style->width ? drawing->style->width : WIDEST;
  uint32_t side = drawing->snippet->digits + 6;
  uint32_t room = width > side + NARROWEST ? width - side : NARROWEST;
  if (line->width <= room) return (Window){0, line->width};
  const Underline *focus = marks->len ? &marks->data[0] : NULL;
  for (uint32_t i = 0; i < marks->len; i++)
    if (marks->data[i].primary) focus = &marks->data[i];
  uint32_t start = focus ? focus->start : 0;
  // As much of the line's beginning as possible, as long as the mark starts in the first two thirds.
  uint32_t from = start > room * 2 / 3 ? start - room / 3 : 0;
  if (from + room > line->width) from = line->width - room;
  return (Window){from, from + room};
}

/* Offset into the printed text at which the display column starts (or the character that covers it). */
static uint32_t byte_at_col(const TextLine *line, size_t len, uint32_t col) {
  size_t low = 0, high = len;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (line->cols[middle] < col) low = middle + 1;
    else high = middle;
  }
  return line->bytes[low];
}

static void draw_text(const Drawing *drawing, const TextLine *line, size_t len, Window window) {
  uint32_t from = window.from ? byte_at_col(line, len, window.from + 1) : 0;
  uint32_t to = window.to < line->width ? byte_at_col(line, len, window.to - 1) : (uint32_t)line->text.len;
  if (window.from) buf_lit(drawing->out, "…");
  buf_str(drawing->out, str_sub(line->text, from, to));
  if (window.to < line->width) buf_lit(drawing->out, "…");
}

/* ---- marks ---- */

static int underline_order(const void *a, const void *b) {
  const Underline *left = a, *right = b;
  if (left->start != right->start) return left->start < right->start ? -1 : 1;
  return (int)right->primary - (int)left->primary;
}

static void mark_line(const Drawing *drawing, uint32_t number, Span line, const TextLine *layout, Underlines *out) {
  const Snippet *snippet = drawing->snippet;
  for (uint32_t i = 0; i < snippet->len; i++) {
    const SnippetMark *mark = &snippet->marks[i];
    if (first_line(snippet, mark) != number || (mark->primary && drawing->multi_first)) continue;
    uint32_t start = mark->span.start < line.end ? mark->span.start : line.end;
    uint32_t end = mark->span.end < line.end ? mark->span.end : line.end;
    Underline underline = {.primary = mark->primary, .text = mark->text};
    underline.start = layout->cols[start - line.start];
    underline.end = end > start ? layout->cols[end - line.start] : underline.start;
    if (underline.end == underline.start) underline.end++;
    vec_push(drawing->scratch, out, underline);
  }
  if (out->len) qsort(out->data, out->len, sizeof *out->data, underline_order);
}

/* Into the window; what is left of a mark outside of it is one column at the edge. */
static void clip_marks(Underlines *marks, Window window) {
  uint32_t room = window.to - window.from;
  for (uint32_t i = 0; i < marks->len; i++) {
    Underline *mark = &marks->data[i];
    mark->start = mark->start > window.from ? mark->start - window.from : 0;
    mark->end = mark->end > window.from ? mark->end - window.from : 0;
    if (mark->start >= room) mark->start = room - 1;
    if (mark->end > room) mark->end = room;
    if (mark->end <= mark->start) mark->end = mark->start + 1;
  }
}

static Paint paint_of(const Drawing *drawing, const Underline *mark) {
  return mark->primary ? drawing->snippet->primary : PAINT_GUTTER;
}

static const Underline *mark_at(const Underlines *marks, uint32_t col) {
  const Underline *top = NULL;
  for (uint32_t i = 0; i < marks->len; i++) {
    const Underline *mark = &marks->data[i];
    if (mark->start <= col && col < mark->end && (!top || mark->primary)) top = mark;
  }
  return top;
}

/* The row of `^^^^` and `----`; where marks overlap, the primary one is seen. Returns the column behind the last one. */
static uint32_t draw_underlines(const Drawing *drawing, const Underlines *marks) {
  uint32_t end = 0, col = 0;
  for (uint32_t i = 0; i < marks->len; i++)
    if (marks->data[i].end > end) end = marks->data[i].end;
  while (col < end) {
    const Underline *mark = mark_at(marks, col);
    Paint paint = mark ? paint_of(drawing, mark) : PAINT_NONE;
    paint_on(drawing->out, drawing->style, paint);
    for (; col < end && mark_at(marks, col) == mark; col++)
      buf_char(drawing->out, !mark ? ' ' : mark->primary ? '^' : '-');
    paint_off(drawing->out, drawing->style, paint);
  }
  return end;
}

static void draw_label(const Drawing *drawing, const Underline *mark) {
  paint_on(drawing->out, drawing->style, paint_of(drawing, mark));
  text_safe(drawing->out, mark->text);
  paint_off(drawing->out, drawing->style, paint_of(drawing, mark));
}

/* A row below the underlines: `|` under marks 0..count-1, then, if `labelled`, the text of mark `count`. */
static void draw_ties(const Drawing *drawing, const Underlines *marks, uint32_t count, bool labelled, char margin) {
  uint32_t col = 0;
  open_row(drawing, 0);
  draw_margin(drawing, margin);
  buf_char(drawing->out, ' ');
  for (uint32_t i = 0; i < count; i++) {
    const Underline *mark = &marks->data[i];
    if (!mark->text.len || mark->start < col || (labelled && mark->start >= marks->data[count].start)) continue;
    buf_repeat(drawing->out, ' ', mark->start - col);
    paint_text(drawing->out, drawing->style, paint_of(drawing, mark), S("|"));
    col = mark->start + 1;
  }
  if (labelled) {
    if (marks->data[count].start > col) buf_repeat(drawing->out, ' ', marks->data[count].start - col);
    draw_label(drawing, &marks->data[count]);
  }
  close_row(drawing);
}

static void draw_marks(const Drawing *drawing, const Underlines *marks, char margin) {
  if (!marks->len) return;
  open_row(drawing, 0);
  draw_margin(drawing, margin);
  buf_char(drawing->out, ' ');
  uint32_t end = draw_underlines(drawing, marks);
  uint32_t below = marks->len;  // marks before this one have their text below
  const Underline *last = &vec_last(marks);
  if (last->text.len && last->end == end) {
    buf_char(drawing->out, ' ');
    draw_label(drawing, last);
    below--;
  }
  close_row(drawing);
  bool tied = false;
  for (uint32_t i = below; i-- > 0;) {
    if (!marks->data[i].text.len) continue;
    if (!tied) draw_ties(drawing, marks, i + 1, false, margin);
    tied = true;
    draw_ties(drawing, marks, i, true, margin);
  }
}

/* ---- a primary span over several lines ---- */

static void draw_corner(const Drawing *drawing, char margin, uint32_t col, Window window, Str text) {
  Paint paint = drawing->snippet->primary;
  if (col >= window.to) col = window.to ? window.to - 1 : 0;
  col = col > window.from ? col - window.from : 0;
  open_row(drawing, 0);
  draw_margin(drawing, margin);
  paint_on(drawing->out, drawing->style, paint);
  buf_repeat(drawing->out, '_', col + 1);
  buf_char(drawing->out, '^');
  if (text.len) buf_char(drawing->out, ' ');
  text_safe(drawing->out, text);
  paint_off(drawing->out, drawing->style, paint);
  close_row(drawing);
}

static void find_multi(Drawing *drawing) {
  const Snippet *snippet = drawing->snippet;
  for (uint32_t i = 0; i < snippet->len; i++) {
    const SnippetMark *mark = &snippet->marks[i];
    uint32_t first = first_line(snippet, mark), last = last_line(snippet, mark);
    if (!mark->primary || first == last) continue;
    Span line = source_line_span(snippet->source, first);
    drawing->multi_first = first;
    drawing->multi_last = last;
    drawing->multi = mark->span;
    drawing->multi_text = mark->text;
    drawing->multi_late = str_trim(source_slice(snippet->source, (Span){line.start, mark->span.start})).len > 0;
  }
}

static char margin_of(const Drawing *drawing, uint32_t line) {
  if (!drawing->multi_first || line < drawing->multi_first || line > drawing->multi_last) return ' ';
  if (line > drawing->multi_first) return '|';
  return drawing->multi_late ? ' ' : '/';
}

static void draw_line(const Drawing *drawing, uint32_t number) {
  const Source *source = drawing->snippet->source;
  Span line = source_line_span(source, number);
  TextLine layout;
  Underlines marks = {0};
  text_lay_out(drawing->scratch, source_slice(source, line), &layout);
  mark_line(drawing, number, line, &layout, &marks);
  Window window = window_of(drawing, &layout, &marks);
  open_row(drawing, number);
  draw_margin(drawing, margin_of(drawing, number));
  buf_char(drawing->out, ' ');
  draw_text(drawing, &layout, line.end - line.start, window);
  close_row(drawing);
  if (window.to - window.from < layout.width) clip_marks(&marks, window);
  bool inside = drawing->multi_first && number >= drawing->multi_first && number < drawing->multi_last;
  draw_marks(drawing, &marks, inside && !(drawing->multi_late && number == drawing->multi_first) ? '|' : ' ');
  if (number == drawing->multi_first && drawing->multi_late)
    draw_corner(drawing, ' ', layout.cols[drawing->multi.start - line.start], window, S(""));
  if (drawing->multi_last && number == drawing->multi_last) {
    uint32_t last = (drawing->multi.end < line.end ? drawing->multi.end : line.end) - line.start;
    draw_corner(drawing, '|', last ? layout.cols[last - 1] : 0, window, drawing->multi_text);
  }
}

void snippet_render(Arena *scratch, const RenderStyle *style, const Snippet *snippet, StrBuf *out) {
  Drawing drawing = {.scratch = scratch, .style = style, .snippet = snippet, .out = out};
  LineList lines = lines_of(scratch, snippet);
  find_multi(&drawing);
  snippet_gutter(style, snippet->digits, out);
  for (uint32_t i = 0; i < lines.len; i++) {
    if (i && lines.data[i] != lines.data[i - 1] + 1) {
      buf_repeat(out, ' ', snippet->digits + 1);
      paint_text(out, style, PAINT_GUTTER, S("..."));
      buf_char(out, '\n');
    }
    draw_line(&drawing, lines.data[i]);
  }
}

/* One finding, one line: for grep, and for everything that parses compilers' messages. */
#include "report/paint.h"
#include "report/text.h"

static void write_place(const Outcome *outcome, const RenderStyle *style, const Finding *finding, StrBuf *out) {
  const Source *source = outcome->files.sources[finding->place.file];
  Position at = source_position(source, finding->place.span.start);
  paint_on(out, style, PAINT_STRONG);
  text_safe(out, source->path);
  buf_printf(out, ":%u:%u:", at.line, at.col);
  paint_off(out, style, PAINT_STRONG);
  buf_char(out, ' ');
}

void render_concise(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    const Finding *finding = &outcome->findings.data[i];
    write_place(outcome, style, finding, out);
    paint_text(out, style, paint_of_level(finding->level), finding->code);
    buf_char(out, ' ');
    text_safe(out, finding->message);
    if (finding->suppressed) buf_lit(out, " (suppressed)");
    buf_char(out, '\n');
  }
}

/* The spelling of GCC, which editors and problem matchers understand. */
void render_gcc(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    const Finding *finding = &outcome->findings.data[i];
    write_place(outcome, style, finding, out);
    paint_text(out, style, paint_of_level(finding->level), level_name(finding->level));
    buf_lit(out, ": ");
    text_safe(out, finding->message);
    buf_printf(out, " [%.*s]\n", STR_ARG(finding->code));
  }
}

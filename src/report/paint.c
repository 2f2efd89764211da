/* ANSI colours. Only the sixteen that every terminal lets its user choose. */
#include "report/paint.h"

Paint paint_of_level(Level level) {
  switch (level) {
    case LEVEL_ERROR:
      return PAINT_ERROR;
    case LEVEL_WARNING:
      return PAINT_WARNING;
    case LEVEL_NOTE:
    case LEVEL_OFF:
      break;
  }
  return PAINT_NOTE;
}

void paint_on(StrBuf *out, const RenderStyle *style, Paint paint) {
  static const Str codes[] = {
      [PAINT_NONE] = S_INIT(""),
      [PAINT_STRONG] = S_INIT("\x1b[1m"),
      [PAINT_GUTTER] = S_INIT("\x1b[1;34m"),
      [PAINT_ERROR] = S_INIT("\x1b[1;31m"),
      [PAINT_WARNING] = S_INIT("\x1b[1;33m"),
      [PAINT_NOTE] = S_INIT("\x1b[1;36m"),
  };
  if (style->color) buf_str(out, codes[paint]);
}

void paint_off(StrBuf *out, const RenderStyle *style, Paint paint) {
  if (style->color && paint != PAINT_NONE) buf_lit(out, "\x1b[0m");
}

void paint_text(StrBuf *out, const RenderStyle *style, Paint paint, Str text) {
  paint_on(out, style, paint);
  buf_str(out, text);
  paint_off(out, style, paint);
}

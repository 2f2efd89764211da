/* Colours of human output, by meaning. */
#ifndef TFCHECK_REPORT_PAINT_H
#define TFCHECK_REPORT_PAINT_H

#include "report/report.h"

typedef enum Paint { PAINT_NONE, PAINT_STRONG, PAINT_GUTTER, PAINT_ERROR, PAINT_WARNING, PAINT_NOTE } Paint;

Paint paint_of_level(Level level);
/* Starts and ends a stretch of colour; nothing at all when the style has no colour. */
void paint_on(StrBuf *out, const RenderStyle *style, Paint paint);
void paint_off(StrBuf *out, const RenderStyle *style, Paint paint);
void paint_text(StrBuf *out, const RenderStyle *style, Paint paint, Str text);

#endif

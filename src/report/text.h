/* Text for terminals: width, and making untrusted bytes harmless. */
#ifndef TFCHECK_REPORT_TEXT_H
#define TFCHECK_REPORT_TEXT_H

#include "base/str.h"

enum { TAB_WIDTH = 4 };

/* Columns that a terminal gives to a character: 0, 1 or 2. */
uint32_t char_width(uint32_t code);
/* Of text that is safe already. */
uint32_t text_width(Str text);

/* Appends the text without anything that a terminal would obey: controls and bidirectional overrides as `\u{1b}`, line ends
 * and tabs as a blank, ill-formed UTF-8 as U+FFFD. */
void text_safe(StrBuf *out, Str text);
/* The same for the character at `at`, line ends included; returns its length in bytes. */
size_t text_safe_char(StrBuf *out, Str text, size_t at);

/* One source line as it is printed, and where each of its bytes went. */
typedef struct TextLine {
  Str text;
  const uint32_t *cols;   // display column, from 0, of byte i of the line; [len] is the width
  const uint32_t *bytes;  // offset into `text` of the same
  uint32_t width;
} TextLine;

void text_lay_out(Arena *arena, Str line, TextLine *out);

#endif

/* Lines, positions and slices of one source. All searches are by halving over the line table. */
#include "source/source.h"

/* Offset where the line that holds `offset` starts; *line is its 0-based number. */
static uint32_t line_start(const Source *source, uint32_t offset, uint32_t *line) {
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines[middle] <= offset) low = middle;
    else high = middle;
  }
  *line = low;
  return source->line_count > 0 ? source->lines[low] : 0;
}

static uint32_t clamp(const Source *source, uint32_t offset) {
  return offset < source->text.len ? offset : (uint32_t)source->text.len;
}

Position source_position_bytes(const Source *source, uint32_t offset) {
  uint32_t line, start = line_start(source, clamp(source, offset), &line);
  return (Position){line + 1, clamp(source, offset) - start + 1};
}

static bool starts_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

Position source_position(const Source *source, uint32_t offset) {
  uint32_t line, end = clamp(source, offset), start = line_start(source, end, &line);
  Position position = {line + 1, 1};
  for (uint32_t i = start; i < end; i++) position.col += starts_character(source->text.ptr[i]);
  return position;
}

/* Characters of four UTF-8 bytes are two UTF-16 units. */
Position source_position_utf16(const Source *source, uint32_t offset) {
  uint32_t line, end = clamp(source, offset), start = line_start(source, end, &line);
  Position position = {line, 0};
  for (uint32_t i = start; i < end; i++) {
    char c = source->text.ptr[i];
    if (starts_character(c)) position.col += (unsigned char)c >= 0xF0 ? 2 : 1;
  }
  return position;
}

uint32_t source_line_of(const Source *source, uint32_t offset) {
  uint32_t line;
  line_start(source, clamp(source, offset), &line);
  return line + 1;
}

Span source_line_span(const Source *source, uint32_t line) {
  uint32_t size = (uint32_t)source->text.len;
  if (line == 0 || line > source->line_count) return (Span){size, size};
  Span span = {source->lines[line - 1], line < source->line_count ? source->lines[line] : size};
  const char *text = source->text.ptr;
  if (line == source->line_count) return span;
  if (text[span.end - 1] == '\n' && span.end - span.start > 1 && text[span.end - 2] == '\r') span.end--;
  span.end--;
  return span;
}

Str source_slice(const Source *source, Span span) { return str_sub(source->text, span.start, span.end); }

/* One file: its text as UTF-8, the way back to the original bytes, lines, and positions.
 *
 * Inside the program a position is a byte offset into `text`; lines and columns exist only at the edge, computed here, one
 * function per unit, because output formats count differently. `\n`, `\r\n` and a lone `\r` each end a line; a form feed
 * does not; a byte order mark is not part of `text`.
 */
#ifndef TFCHECK_SOURCE_SOURCE_H
#define TFCHECK_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/fs.h"
#include "base/str.h"
#include "base/vec.h"

typedef struct Span {
  uint32_t start, end;  // byte offsets into Source.text, end exclusive
} Span;

static inline Span span_join(Span a, Span b) {
  return (Span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}
static inline bool span_holds(Span outer, Span inner) { return outer.start <= inner.start && inner.end <= outer.end; }

typedef struct Comment {
  Span span;       // from `#` to the end of the line, without the line end
  bool own_line;   // nothing but blanks before it
} Comment;

typedef VEC(Comment) Comments;

typedef struct Source {
  Str path;            // project-relative, `/` separators
  Str text;            // UTF-8, valid (ill-formed input was decoded per the encoding cookie or refused)
  uint32_t *lines;     // byte offset at which line i (0-based) starts
  uint32_t line_count;
  uint32_t bom_bytes;  // 3 if the file began with a UTF-8 byte order mark: added to byte positions shown to machines
  bool transcoded;     // text is not the file's bytes (latin-1, cp125x …): fixes must refuse it
  bool error;          // could not be decoded; text is empty
  Str error_text;      // why
} Source;

/* Decodes `bytes` (BOM, PEP 263 cookie, UTF-8) into *out. Never fails hard: an undecodable file sets error and error_text. */
void source_init(Arena *arena, Source *out, Str path, Str bytes);

typedef struct Position {
  uint32_t line;  // 1-based
  uint32_t col;   // 1-based, unit by the function that made it
} Position;

Position source_position(const Source *source, uint32_t offset);        // column in Unicode code points
Position source_position_bytes(const Source *source, uint32_t offset);  // column in UTF-8 bytes
Position source_position_utf16(const Source *source, uint32_t offset);  // 0-based line and UTF-16 column, as editors count
uint32_t source_line_of(const Source *source, uint32_t offset);         // 1-based
Span source_line_span(const Source *source, uint32_t line);             // 1-based; without the line end
Str source_slice(const Source *source, Span span);

/* A cheap scan over bytes that are not parsed: does the text contain one of the words as a whole identifier? */
bool source_mentions(Str bytes, const Str *words, uint32_t count);

/* The import lines of unparsed text, as a superset of what a parser would find: every logical line that starts (after
 * blanks) with `import` or `from`, with parenthesised and backslash-continued lists. Module names only, with leading dots
 * for relative ones; for `from M import a, b` also `M.a`, `M.b` (they may be submodules). */
typedef VEC(Str) StrVec;
void source_scan_imports(Arena *arena, Str bytes, StrVec *out);

#endif

/* Workflow commands of GitHub Actions: annotations on the lines of a pull request.
 *
 * The runner shows ten annotations of each level per step and drops the rest without a word, in the order of printing. So
 * the worst come first, one of each rule before any rule repeats, and a last notice says how many are not shown.
 */
#include "report/report.h"
#include "report/text.h"

enum { MOST_PER_LEVEL = 10 };

/* In a property `:` and `,` are separators too. Logs are read on terminals, so what those would obey is made harmless. */
static void write_escaped(StrBuf *out, Str text, bool property) {
  for (size_t i = 0; i < text.len;) {
    char c = text.ptr[i];
    bool reserved = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    if (reserved) buf_printf(out, "%%%02X", (unsigned)c);
    i += reserved ? 1 : text_safe_char(out, text, i);
  }
}

static void write_property(StrBuf *out, const char *separator, Str name, Str value) {
  if (!value.len) return;
  buf_printf(out, "%s%.*s=", separator, STR_ARG(name));
  write_escaped(out, value, true);
}

/* Columns are allowed only on a single line; with others the runner would throw the region away. */
static void write_region(StrBuf *out, const Source *source, Span span) {
  Position start = source_position(source, span.start), end = source_position(source, span.end);
  if (end.line < start.line) end = start;
  buf_printf(out, ",line=%u,endLine=%u", start.line, end.line);
  if (start.line == end.line && end.col > start.col) buf_printf(out, ",col=%u,endColumn=%u", start.col, end.col);
  else if (start.line == end.line) buf_printf(out, ",col=%u", start.col);
}

static void write_command(const Outcome *outcome, const Finding *finding, StrBuf *out) {
  const Source *source = outcome->files.sources[finding->place.file];
  Str level = finding->level == LEVEL_NOTE ? S("notice") : level_name(finding->level);
  Arena scratch = {0};
  Str title = str_printf(&scratch, "%.*s %.*s", STR_ARG(finding->code), STR_ARG(finding->name));
  buf_printf(out, "::%.*s", STR_ARG(level));
  write_property(out, " ", S("file"), source->path);
  write_region(out, source, finding->place.span);
  write_property(out, ",", S("title"), title);
  buf_lit(out, "::");
  write_escaped(out, finding->message, false);
  for (uint32_t i = 0; i < finding->help.len; i++) {
    buf_lit(out, "%0Ahelp: ");
    write_escaped(out, finding->help.data[i], false);
  }
  buf_char(out, '\n');
  arena_release(&scratch);
}

/* How many findings of the same rule and level come before each finding. */
static void count_repeats(Arena *arena, const Findings *findings, uint32_t *repeats) {
  StrMap seen = {0};
  for (uint32_t i = 0; i < findings->len; i++) {
    const Finding *finding = &findings->data[i];
    Str key = str_printf(arena, "%d%.*s", (int)finding->level, STR_ARG(finding->code));
    repeats[i] = (uint32_t)(*strmap_put(arena, &seen, key, NULL))++;
  }
}

/* The worst of one level: first every rule's first finding, then the second ones. Returns how many were written. */
static uint32_t write_level(const Outcome *outcome, Level level, const uint32_t *repeats, uint32_t room, StrBuf *out) {
  uint32_t shown = 0;
  for (uint32_t turn = 0; turn < MOST_PER_LEVEL; turn++) {
    for (uint32_t i = 0; i < outcome->findings.len && shown < room; i++) {
      const Finding *finding = &outcome->findings.data[i];
      if (finding->level != level || finding->suppressed || repeats[i] != turn) continue;
      write_command(outcome, finding, out);
      shown++;
    }
  }
  return shown;
}

void render_github(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  (void)style;
  Arena scratch = {0};
  const Findings *findings = &outcome->findings;
  uint32_t *repeats = arena_array(&scratch, uint32_t, findings->len);
  uint32_t wanted = 0, shown = 0;
  count_repeats(&scratch, findings, repeats);
  for (uint32_t i = 0; i < findings->len; i++) wanted += !findings->data[i].suppressed;
  shown += write_level(outcome, LEVEL_ERROR, repeats, MOST_PER_LEVEL, out);
  shown += write_level(outcome, LEVEL_WARNING, repeats, MOST_PER_LEVEL, out);
  // The closing notice needs a place among the notices.
  shown += write_level(outcome, LEVEL_NOTE, repeats, MOST_PER_LEVEL - 1, out);
  if (shown < wanted)
    buf_printf(out, "::notice title=tfcheck::%u more findings are not annotated; see the log or the report file\n",
               wanted - shown);
  arena_release(&scratch);
}

/* The format for people: what is wrong, the lines it is about, how tracing gets there, how to mend it.
 *
 * One block per file a finding speaks of, its own file first. A long chain of calls loses its middle, and findings of one
 * function that share their chain show it once: the reader has just seen it.
 */
#include "report/paint.h"
#include "report/snippet.h"
#include "report/text.h"

enum { LONGEST_CHAIN = 4 };

typedef struct FullRender {
  const Outcome *outcome;
  const RenderStyle *style;
  StrBuf *out;
  Arena *arena;
  StrMap explained;  // codes whose "how to suppress" line has been printed
} FullRender;

typedef VEC(Label) LabelList;

static bool is_chain(const Label *label) { return label->role == ROLE_ROOT || label->role == ROLE_CALL; }

static bool same_label(const Label *a, const Label *b) {
  return a->role == b->role && a->place.file == b->place.file && a->place.span.start == b->place.span.start &&
         a->place.span.end == b->place.span.end && str_eq(a->text, b->text);
}

static LabelList chain_of(Arena *arena, const Finding *finding) {
  LabelList chain = {0};
  for (uint32_t i = 0; i < finding->labels.len; i++)
    if (is_chain(&finding->labels.data[i])) vec_push(arena, &chain, finding->labels.data[i]);
  return chain;
}

static bool shares_chain(Arena *arena, const Finding *a, const Finding *b) {
  if (a->place.file != b->place.file || !str_eq(a->in, b->in)) return false;
  LabelList left = chain_of(arena, a), right = chain_of(arena, b);
  if (left.len != right.len || !left.len) return false;
  for (uint32_t i = 0; i < left.len; i++)
    if (!same_label(&left.data[i], &right.data[i])) return false;
  return true;
}

/* Labels to draw: without the chain if it has just been shown, without its middle if it is long. */
static LabelList labels_of(const FullRender *render, const Finding *finding, bool shared, uint32_t *left_out) {
  LabelList labels = {0};
  uint32_t hops = chain_of(render->arena, finding).len, hop = 0;
  for (uint32_t i = 0; i < finding->labels.len; i++) {
    const Label *label = &finding->labels.data[i];
    if (is_chain(label)) {
      hop++;
      bool middle = hops > LONGEST_CHAIN && hop > LONGEST_CHAIN / 2 && hop + LONGEST_CHAIN / 2 <= hops;
      *left_out += middle && !shared;
      if (shared || middle) continue;
    }
    vec_push(render->arena, &labels, *label);
  }
  return labels;
}

/* The snippet of one file: the finding itself if it is there, and the labels that are. */
static Snippet snippet_of(const FullRender *render, const Finding *finding, const LabelList *labels, uint32_t file) {
  SnippetMark *marks = arena_array(render->arena, SnippetMark, labels->len + 1);
  Snippet snippet = {.source = render->outcome->files.sources[file], .primary = paint_of_level(finding->level)};
  if (finding->place.file == file) marks[snippet.len++] = (SnippetMark){finding->place.span, true, finding->annotation};
  for (uint32_t i = 0; i < labels->len; i++) {
    const Label *label = &labels->data[i];
    if (label->place.file == file) marks[snippet.len++] = (SnippetMark){label->place.span, false, label->text};
  }
  snippet.marks = marks;
  return snippet;
}

static void write_location(const FullRender *render, uint32_t digits, Str arrow, Place place) {
  const Source *source = render->outcome->files.sources[place.file];
  Position at = source_position(source, place.span.start);
  buf_repeat(render->out, ' ', digits);
  paint_text(render->out, render->style, PAINT_GUTTER, arrow);
  text_safe(render->out, source->path);
  buf_printf(render->out, ":%u:%u\n", at.line, at.col);
}

static void write_footer(const FullRender *render, uint32_t digits, Str kind, Str text) {
  buf_repeat(render->out, ' ', digits + 1);
  paint_text(render->out, render->style, PAINT_GUTTER, S("= "));
  paint_text(render->out, render->style, PAINT_STRONG, kind);
  buf_lit(render->out, ": ");
  text_safe(render->out, text);
  buf_char(render->out, '\n');
}

static void write_footers(FullRender *render, const Finding *finding, uint32_t digits, bool shared, uint32_t left_out) {
  const Source *source = render->outcome->files.sources[finding->place.file];
  uint32_t line = source_line_of(source, finding->place.span.start);
  bool fresh;
  snippet_gutter(render->style, digits, render->out);
  if (left_out)
    write_footer(render, digits, S("note"),
                 str_printf(render->arena, "%u more call%s on the way, see `tfcheck why %.*s:%u`", left_out,
                            left_out == 1 ? "" : "s", STR_ARG(source->path), line));
  if (shared) write_footer(render, digits, S("note"), S("traced the same way as the finding above"));
  for (uint32_t i = 0; i < finding->notes.len; i++) write_footer(render, digits, S("note"), finding->notes.data[i]);
  for (uint32_t i = 0; i < finding->help.len; i++) write_footer(render, digits, S("help"), finding->help.data[i]);
  if (finding->suppressed) {
    Str reason = finding->suppress_reason.len ? finding->suppress_reason : S("no reason given");
    write_footer(render, digits, S("suppressed"),
                 str_printf(render->arena, "by line %u: %.*s", finding->suppress_line, STR_ARG(reason)));
  }
  strmap_put(render->arena, &render->explained, finding->code, &fresh);
  if (!fresh) return;
  Str explain = str_printf(render->arena, "explain with `tfcheck rule %.*s`", STR_ARG(finding->code));
  bool about_comments = str_eq(finding->code, S("TF901")) || str_eq(finding->code, S("TF902"));
  if (!about_comments)
    explain = str_printf(render->arena, "suppress with `# tfcheck: ignore[%.*s]`; %.*s", STR_ARG(finding->code),
                         STR_ARG(explain));
  write_footer(render, digits, S("note"), explain);
}

static void write_headline(const FullRender *render, const Finding *finding) {
  Str level = level_name(finding->level);
  paint_on(render->out, render->style, paint_of_level(finding->level));
  buf_printf(render->out, "%.*s[%.*s]", STR_ARG(level), STR_ARG(finding->code));
  paint_off(render->out, render->style, paint_of_level(finding->level));
  paint_on(render->out, render->style, PAINT_STRONG);
  buf_lit(render->out, ": ");
  text_safe(render->out, finding->message);
  paint_off(render->out, render->style, PAINT_STRONG);
  buf_char(render->out, '\n');
}

/* Files in the order in which they are shown: the finding's own, then as the labels come. */
static void files_of(Arena *arena, const Finding *finding, const LabelList *labels, Map *files) {
  map_put(arena, files, finding->place.file, NULL);
  for (uint32_t i = 0; i < labels->len; i++) map_put(arena, files, labels->data[i].place.file, NULL);
}

static Place place_of_block(const Finding *finding, const LabelList *labels, uint32_t file) {
  if (finding->place.file == file) return finding->place;
  for (uint32_t i = 0; i < labels->len; i++)
    if (labels->data[i].place.file == file) return labels->data[i].place;
  return finding->place;
}

static uint32_t digits_of(const FullRender *render, const Snippet *snippets, uint32_t count) {
  uint32_t last = 1, digits = 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t line = snippet_last_line(render->arena, &snippets[i]);
    if (line > last) last = line;
  }
  while (last >= 10) last /= 10, digits++;
  return digits;
}

static void write_finding(FullRender *render, const Finding *finding, bool shared) {
  uint32_t left_out = 0;
  Map files = {0};
  LabelList labels = labels_of(render, finding, shared, &left_out);
  files_of(render->arena, finding, &labels, &files);
  Snippet *snippets = arena_array(render->arena, Snippet, files.len);
  for (uint32_t i = 0; i < files.len; i++)
    snippets[i] = snippet_of(render, finding, &labels, (uint32_t)files.entries[i].key);
  uint32_t digits = digits_of(render, snippets, files.len);
  write_headline(render, finding);
  for (uint32_t i = 0; i < files.len; i++) {
    if (i) snippet_gutter(render->style, digits, render->out);
    snippets[i].digits = digits;
    Place place = place_of_block(finding, &labels, (uint32_t)files.entries[i].key);
    write_location(render, digits, i ? S("::: ") : S("--> "), place);
    snippet_render(render->arena, render->style, &snippets[i], render->out);
  }
  write_footers(render, finding, digits, shared, left_out);
  buf_char(render->out, '\n');
}

void render_full(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  Arena scratch = {0};
  FullRender render = {.outcome = outcome, .style = style, .out = out, .arena = &scratch};
  for (uint32_t i = 0; i < outcome->findings.len; i++) {
    const Finding *finding = &outcome->findings.data[i];
    bool shared = i && shares_chain(&scratch, finding - 1, finding);
    write_finding(&render, finding, shared);
  }
  arena_release(&scratch);
}

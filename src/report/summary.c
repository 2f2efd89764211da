/* The words below the findings: what was found, how much was looked at, and what could not be seen. */
#include "report/paint.h"
#include "report/text.h"

static void write_count(StrBuf *out, uint32_t count, const char *noun) {
  buf_printf(out, "%u %s%s", count, noun, count == 1 ? "" : "s");
}

/* "(1 error, 2 warnings)" with only what there is. */
static void write_levels(const Outcome *outcome, StrBuf *out) {
  const struct {
    uint32_t count;
    const char *noun;
  } parts[] = {{outcome->errors, "error"}, {outcome->warnings, "warning"}, {outcome->notes, "note"}};
  const char *separator = " (";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (!parts[i].count) continue;
    buf_str(out, str_from(separator));
    write_count(out, parts[i].count, parts[i].noun);
    separator = ", ";
  }
  buf_char(out, ')');
}

static void write_hidden(const Outcome *outcome, StrBuf *out) {
  if (outcome->suppressed) buf_printf(out, ", %u suppressed", outcome->suppressed);
  if (outcome->hidden_notes) {
    buf_lit(out, ", ");
    write_count(out, outcome->hidden_notes, "note");
    buf_lit(out, " not shown");
  }
  if (outcome->hidden_others) buf_printf(out, ", %u below the chosen level or confidence", outcome->hidden_others);
}

void render_summary(const Outcome *outcome, const RenderStyle *style, StrBuf *out) {
  uint32_t total = outcome->errors + outcome->warnings + outcome->notes;
  Paint paint = outcome->errors ? PAINT_ERROR : total ? PAINT_WARNING : PAINT_STRONG;
  paint_on(out, style, paint);
  if (total) write_count(out, total, "finding");
  else buf_lit(out, "no findings");
  paint_off(out, style, paint);
  if (total) {
    write_levels(outcome, out);
    buf_lit(out, " in ");
    write_count(out, outcome->files_with_findings, "file");
  }
  write_hidden(outcome, out);
  buf_lit(out, "; ");
  write_count(out, outcome->stats.functions_traced, "traced function");
  buf_lit(out, " in ");
  write_count(out, outcome->stats.files_seen, "file");
  if (outcome->skipped.len) {
    buf_lit(out, "; ");
    write_count(out, outcome->skipped.len, "file");
    buf_lit(out, " skipped (run -v to see why)");
  }
  buf_char(out, '\n');
}

void render_statistics(const Outcome *outcome, StrBuf *out) {
  const RunStats *stats = &outcome->stats;
  for (uint32_t i = 0; i < outcome->by_rule.len; i++) {
    const RuleCount *rule = &outcome->by_rule.data[i];
    buf_printf(out, "%6u  %.*s  %.*s\n", rule->count, STR_ARG(rule->code), STR_ARG(rule->name));
  }
  buf_printf(out, "files: %u seen, %u parsed, %u skipped\n", stats->files_seen, stats->files_parsed,
             stats->files_skipped);
  buf_lit(out, "traced: ");
  write_count(out, stats->functions_traced, "function");
  buf_lit(out, " from ");
  write_count(out, stats->roots, "root");
  buf_char(out, '\n');
  buf_printf(out, "calls in traced code: %u resolved, %u unknown\n", stats->calls_resolved, stats->calls_unknown);
  for (uint32_t i = 0; i < outcome->blind_spots.len; i++) {
    const BlindCount *spot = &outcome->blind_spots.data[i];
    buf_printf(out, "%6u  %.*s\n", spot->count, STR_ARG(spot->reason));
  }
  if (!stats->caps_hit) return;
  buf_lit(out, "analysis limits reached: ");
  write_count(out, stats->caps_hit, "time");
  buf_char(out, '\n');
}

void render_skipped(const Outcome *outcome, StrBuf *out) {
  for (uint32_t i = 0; i < outcome->skipped.len; i++) {
    buf_lit(out, "skipped ");
    text_safe(out, outcome->skipped.data[i].path);
    buf_lit(out, ": ");
    text_safe(out, outcome->skipped.data[i].reason);
    buf_char(out, '\n');
  }
}

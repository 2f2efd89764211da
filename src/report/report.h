/* What a run found, ready to be rendered, and the renderers.
 *
 * An Outcome is complete before the first renderer sees it: filtered, ordered, counted. Renderers are pure functions from an
 * Outcome to a text; they may be called in any order, any number of times, and give the same bytes each time.
 */
#ifndef TFCHECK_REPORT_REPORT_H
#define TFCHECK_REPORT_REPORT_H

#include "catalog/catalog.h"
#include "source/finding.h"

typedef struct SkippedFile {
  Str path;
  Str reason;
} SkippedFile;

/* What was looked at, for the summary and for machines. */
typedef struct RunStats {
  uint32_t files_seen;     // Python files of the project
  uint32_t files_parsed;   // those that matter to TensorFlow code
  uint32_t files_skipped;
  uint32_t functions_traced, roots;
  uint32_t calls_resolved, calls_unknown;  // in traced code
  uint32_t caps_hit;
} RunStats;

typedef struct RuleCount {
  Str code, name;
  uint32_t count;
} RuleCount;

/* Calls in traced code that led nowhere, by what their callee is. */
typedef struct BlindCount {
  Str reason;
  uint32_t count;
} BlindCount;

typedef struct Outcome {
  Str version;            // of tfcheck
  Str root;               // absolute path of the project
  FileTable files;        // what Place.file means
  Findings findings;      // to be shown, in order
  const Str *fingerprints;  // one per finding
  VEC(SkippedFile) skipped;
  RunStats stats;
  VEC(RuleCount) by_rule;   // of the findings to be shown that are not suppressed, by code
  VEC(BlindCount) blind_spots;  // most frequent first; their sum is stats.calls_unknown
  uint32_t errors, warnings, notes;  // as in by_rule
  uint32_t hidden_notes;    // below --min-level; suppressed ones are not counted
  uint32_t hidden_others;   // other findings that --min-level or --min-confidence hides
  uint32_t suppressed;
  uint32_t files_with_findings;
  bool complete;            // all that was asked for was analysed
} Outcome;

typedef struct RenderStyle {
  bool color;
  uint32_t width;  // of a line; 0: 200
} RenderStyle;

typedef void Renderer(const Outcome *outcome, const RenderStyle *style, StrBuf *out);

Renderer render_full, render_concise, render_gcc, render_json, render_jsonl, render_github;

typedef struct ReportFormat {
  Str name;
  Renderer *render;
  bool human;  // the summary line belongs below it, on the same stream
  Str help;
} ReportFormat;

extern const ReportFormat report_formats[];
extern const uint32_t report_format_count;
const ReportFormat *report_format(Str name);  // NULL if unknown

/* "3 findings (1 error, 2 warnings) in 2 files; 41 traced functions in 310 files" and a line end. */
void render_summary(const Outcome *outcome, const RenderStyle *style, StrBuf *out);
/* The table of --statistics: findings by rule, then what the analysis saw and did not see. */
void render_statistics(const Outcome *outcome, StrBuf *out);
/* One line per skipped file, for -v. */
void render_skipped(const Outcome *outcome, StrBuf *out);

#endif

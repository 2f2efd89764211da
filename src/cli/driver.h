/* The pipeline in one call: files in, an Outcome out. Usable in-process with any file system, so tests and fuzzers run it on
 * files in memory; nothing here prints.
 */
#ifndef TFCHECK_CLI_DRIVER_H
#define TFCHECK_CLI_DRIVER_H

#include "flow/engine.h"
#include "report/report.h"

typedef struct AnalysisRequest {
  const Fs *fs;
  const Catalog *catalog;
  Str root;              // absolute
  StrList files;         // all Python files, relative to root, sorted
  bool limited;          // only `only` is reported
  StrList only;          // sorted
  struct {
    const SkippedFile *data;
    uint32_t len;
  } skipped;             // passed over when the files were listed
  const bool *enabled;   // per rule of the catalogue; NULL: all
  Level min_level;
  Confidence min_confidence;
  bool show_suppressed;
  uint64_t max_file_size;
  uint32_t jobs;
  Str version;
  void (*progress)(void *context, const char *what);  // before each phase; may be NULL
  void *progress_context;
} AnalysisRequest;

/* Zero is a valid empty analysis. */
typedef struct Analysis {
  Arena arena;
  SymTable *symbols;
  Project *project;
  Flow *flow;
  FileTable files;     // by ModuleId
  Findings all;        // before filtering, suppressed ones included
  Outcome outcome;
} Analysis;

/* Up to the fixpoint: project and flow; what `why` and `debug` need. */
void analysis_trace(Analysis *analysis, const AnalysisRequest *request);
/* The same, then rules, suppressions, filters and counts: `outcome` is complete. */
void analysis_run(Analysis *analysis, const AnalysisRequest *request);
void analysis_release(Analysis *analysis);

/* A module by its path relative to the root; NULL if it is not among those that matter. */
const Module *analysis_module(const Analysis *analysis, Str path);

#endif

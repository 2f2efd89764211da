/* The whole pipeline over one file that may be anything. Asks only for an end: no crash, no failed assertion, no hang. */
#include <stdio.h>
#include <stdlib.h>

#include "support/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Str path = S("input.py"), text = {(const char *)data, size};
  Tree tree = {.name = path, .len = 1, .paths = &path, .texts = &text};
  AnalysisOptions options = {.jobs = 1};
  Analysis analysis;
  analysis_run(&analysis, &tree, &options);
  if (analysis.panic.len) {
    fprintf(stderr, "%.*s\n", STR_ARG(analysis.panic));
    abort();
  }
  analysis_release(&analysis);
  return 0;
}

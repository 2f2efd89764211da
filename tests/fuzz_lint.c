/* The whole pipeline over one file that may be anything. Asks only for an end: no crash, no failed assertion, no hang. */
#include <stdio.h>
#include <stdlib.h>

#include "support/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Str path = S("input.py"), text = {(const char *)data, size};
  Tree tree = {.name = path, .len = 1, .paths = &path, .texts = &text};
  TreeOptions options = {.jobs = 1};
  TreeRun run;
  tree_run(&run, &tree, &options);
  if (run.panicked) {
    fprintf(stderr, "%.*s\n", STR_ARG(run.failure));
    abort();
  }
  tree_run_release(&run);
  return 0;
}

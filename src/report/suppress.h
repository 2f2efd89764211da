/* Suppressions: which findings a comment hides, and which comments are wrong or hide nothing.
 *
 * A trailing directive covers a finding if it stands on the first, the last or the reported line of the innermost simple
 * statement, or header of a compound one, that holds the finding. One on a line of its own covers what begins on the next
 * line of code, or is reported there.
 */
#ifndef TFCHECK_REPORT_SUPPRESS_H
#define TFCHECK_REPORT_SUPPRESS_H

#include "catalog/catalog.h"
#include "syntax/ast.h"

typedef struct SuppressInput {
  const Catalog *catalog;
  const bool *enabled;  // per rule: one that did not run makes no suppression unused
  FileTable files;
  const Ast *const *asts;  // per file; NULL where there is none
  const bool *reported;    // per file: whether its comments are judged
} SuppressInput;

/* Marks the suppressed ones of `findings`, which are sorted, and appends findings about the directives themselves; sorts
 * again. */
void suppress_apply(Arena *arena, const SuppressInput *input, Findings *findings);

#endif

/* Fingerprints `tfcheck/v1`: the identity of a finding over time, whatever lines are added around it. */
#ifndef TFCHECK_REPORT_FINGERPRINT_H
#define TFCHECK_REPORT_FINGERPRINT_H

#include "source/finding.h"

/* One per finding, 16 hex digits. Findings must be in their final order and complete: equal ones are numbered. */
const Str *fingerprints_make(Arena *arena, const FileTable *files, const Findings *findings);

/* The tokens of a piece of Python joined by one blank; comments, layout and line continuations are dropped. */
void fingerprint_tokens(StrBuf *out, Str code);

#endif

/* Findings: what a rule said, where, and why. The common currency of rules, suppressions and renderers. */
#ifndef TFCHECK_SOURCE_FINDING_H
#define TFCHECK_SOURCE_FINDING_H

#include "base/vec.h"
#include "source/source.h"

typedef enum Level { LEVEL_OFF, LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } Level;
typedef enum Confidence { CONF_POSSIBLE, CONF_LIKELY, CONF_CERTAIN } Confidence;
typedef enum LabelRole { ROLE_ROOT, ROLE_CALL, ROLE_VALUE, ROLE_DEFINITION, ROLE_NOTE } LabelRole;

/* A place in any file of the run: `file` indexes the run's table of sources (FileTable below). */
typedef struct Place {
  uint32_t file;
  Span span;
} Place;

typedef struct Label {
  LabelRole role;
  Place place;
  Str text;  // "tracing starts here", "`x` is a tensor: result of `tf.reduce_mean`"
} Label;

typedef VEC(Label) Labels;

typedef enum FixSafety { FIX_NONE, FIX_DISPLAY, FIX_UNSAFE, FIX_SAFE } FixSafety;

typedef struct Edit {
  Place place;  // the span that is replaced
  Str text;
} Edit;

typedef VEC(Edit) Edits;

typedef enum SuppressKind { SUPPRESS_NONE, SUPPRESS_LINE, SUPPRESS_FILE, SUPPRESS_NOQA, SUPPRESS_BLOCK } SuppressKind;

typedef struct Finding {
  Str code;             // "TF201", or a user's id
  Str name;             // "numpy-on-tensor"
  Str variant;          // key of the variant that spoke
  Level level;
  Confidence confidence;
  Place place;          // primary
  Str subject;          // the name or value it is about: part of the identity, may be empty
  Str message;          // one line, no full stop
  Str annotation;       // short text under the carets, may be empty
  Str in;               // qualified name of the enclosing function or class, "<module>" at top level
  Labels labels;        // root → fault order
  StrVec help;          // how to mend it
  StrVec notes;
  FixSafety fix_safety;
  Edits edits;
  uint32_t contexts;    // traced contexts in which it was seen
  SuppressKind suppressed;
  Str suppress_reason;
  uint32_t suppress_line;  // 1-based line of the directive
} Finding;

typedef VEC(Finding) Findings;

/* Total order: path (byte order), start offset, code, end, variant, subject. */
typedef struct FileTable {
  const Source **sources;
  uint32_t len;
} FileTable;

int finding_cmp(const FileTable *files, const Finding *a, const Finding *b);
void findings_sort(const FileTable *files, Findings *findings);
Str level_name(Level level);  // "error" …
bool level_parse(Str text, Level *out);
Str confidence_name(Confidence confidence);
bool confidence_parse(Str text, Confidence *out);
Str role_name(LabelRole role);  // "root" …

#endif

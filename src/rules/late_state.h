/* What TF104 asks: can a trace pass this point by, and will there be another one? */
#ifndef TFCHECK_RULES_LATE_STATE_H
#define TFCHECK_RULES_LATE_STATE_H

#include "rules/rule.h"

/* Why a trace may not come by. */
typedef struct LateSkip {
  const Stmt *stmt;   // the `if`; NULL: every trace comes by
  ModuleId module;
  bool is_exit;       // an early return before the point, else a branch around it
  bool is_state;      // host state that changes, else a Python argument
  bool by_calls;      // no `if` of its own: another call passes it by with other arguments
} LateSkip;

typedef enum LateNoteKind { LATE_BUILDS, LATE_CREATES, LATE_CREATES_GUARDED, LATE_CALL } LateNoteKind;

typedef struct LateNote {
  LateNoteKind kind;
  Site site;          // BUILDS, CREATES: the object
  Span span;
  LateSkip skip;
  bool is_optimizer;
  Confidence confidence;
} LateNote;

/* What makes the traced function trace again. */
typedef enum LateCauseKind { CAUSE_NOTHING, CAUSE_SHAPE, CAUSE_NUMBER } LateCauseKind;
typedef struct LateCause {
  LateCauseKind kind;
  ModuleId module;
  Span span;
  Str text;           // of a label, may be empty
} LateCause;

LateSkip late_skip(RuleContext *ctx, const Event *event);
LateCause late_cause(RuleContext *ctx, const LateSkip *skip, FuncRef root);

#endif

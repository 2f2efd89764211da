/* The contract between the engine and a rule.
 *
 * A coded rule is one file src/rules/NAME.c that defines `const RuleCheck rule_NAME`, listed once in registry.c. It subscribes to
 * event kinds and, when it sees a fault, emits (variant, span, named values), never a sentence: the words are in the rule's
 * page. A rule keeps no state of its own between events: what must wait for the whole program is deferred (rule_defer).
 */
#ifndef TFCHECK_RULES_RULE_H
#define TFCHECK_RULES_RULE_H

#include "catalog_ids.h"
#include "flow/engine.h"
#include "rules/fill.h"
#include "source/finding.h"

typedef struct RuleContext RuleContext;  // one per worker; see run.h

typedef struct RuleCheck {
  Str name;          // as in the page's `check:`
  uint32_t events;   // 1 << EventKind bits
  void (*event)(RuleContext *ctx, const Event *event);
  void (*end)(RuleContext *ctx);  // after the emit walk, on one thread; may be NULL
} RuleCheck;

#define ON_EVENT(kind) (1u << (kind))

/* A finding under construction; all texts are copied. `{function}` is filled by itself. */
typedef struct Report {
  RuleId rule;
  uint32_t variant;          // TFnnn_… of catalog_ids.h
  Span span;
  Confidence confidence;     // usually frame_confidence()
  Str subject;               // identity: the name it is about
  Fill fills[8];             // {placeholders} of the message, ended by an empty key; a help line whose value is empty is left out
  const Value *because;      // its provenance becomes a label ("`x` is a tensor: result of …"), may be NULL
  Str because_name;          // how the code calls it
  Label labels[6];           // additional ones; len below
  uint32_t label_len;
  Edit edits[4];             // a fix
  uint32_t edit_len;
  FixSafety fix;
  Str help;                  // one more help line, specific to the place; may be empty
} Report;

/* Names a value of the report. */
void report_fill(Report *report, Str key, Str value);
void report_label(Report *report, Label label);

/* Emits in the event's context: the chain from the root is added, suppressions and merging come later. */
void rule_report(RuleContext *ctx, const Event *event, const Report *report);
/* Emits without an event, or away from it: the place and, if any (else NO_INSTANCE), the instance whose chain explains it.
 * The chain is shown up to the call that the finding sits on. */
void rule_report_at(RuleContext *ctx, ModuleId module, InstanceId instance, const Report *report);

const Flow *rule_flow(const RuleContext *ctx);
Arena *rule_scratch(RuleContext *ctx);     // dropped after the event
/* Text of an expression for {placeholders}. */
Str rule_text(RuleContext *ctx, const Event *event, const Expr *expr);
/* What traces the root of the instance, if an API takes the function ("Dataset.map"); empty for decorators and Keras. */
Str rule_tracer(RuleContext *ctx, InstanceId instance);
/* A label at a span of a module. */
Label rule_label(LabelRole role, ModuleId module, Span span, Str text);

/* Candidates that can only be judged when everything has been seen: an opaque record per rule and worker, kept in emit order,
 * handed to `end` merged in deterministic order. */
void rule_defer(RuleContext *ctx, const RuleCheck *rule, const Event *event, const void *record, size_t size);
typedef struct Deferred { const void *record; ModuleId module; InstanceId instance; Context context; } Deferred;
typedef struct DeferredSet { const Deferred *data; uint32_t len; } DeferredSet;
DeferredSet rule_deferred(RuleContext *ctx, const RuleCheck *rule);

/* ---- running (runner.c) ---- */

typedef struct RuleSelection { const bool *enabled; uint32_t len; } RuleSelection;  // by catalog index

/* Runs every selected rule, coded and declarative, over the emit walk. Findings are merged by (rule, span, subject): the
 * highest level speaks, then confidence, then the shortest chain; precedence is applied; sorted. What is said does not depend
 * on the selection: a rule that is not selected still silences those it outranks. FileTable index == ModuleId. */
void rules_run(Arena *arena, const Flow *flow, const Catalog *catalog, RuleSelection selection, Findings *out);

extern const RuleCheck *const rule_registry[];
extern const uint32_t rule_registry_len;

#endif

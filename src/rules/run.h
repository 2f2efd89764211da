/* Inside of running rules: what runner.c, report.c and merge.c share. Rules see rule.h only. */
#ifndef TFCHECK_RULES_RUN_H
#define TFCHECK_RULES_RUN_H

#include "rules/rule.h"

/* One finding in one context, before merging. */
typedef struct Found {
  Finding finding;
  uint32_t rule;        // catalogue index
  InstanceId instance;  // NO_INSTANCE if no context explains it
  uint32_t chain_len;
} Found;

typedef VEC(Found) FoundVec;

typedef struct DeferredRecord {
  const RuleCheck *rule;
  Deferred deferred;
} DeferredRecord;

typedef VEC(DeferredRecord) DeferredVec;

typedef struct RunPlan {
  const Flow *flow;
  const Project *project;
  const Catalog *catalog;
  uint32_t rule_index[RULE_COUNT];               // RuleId -> catalogue index
  VEC(const RuleCheck *) coded[EV_KINDS];        // who listens to what
  VEC(uint32_t) declarative[EV_KINDS];           // catalogue indices
} RunPlan;

struct RuleContext {
  const RunPlan *plan;
  Arena arena;    // what was found by this worker
  Arena scratch;  // dropped after each event
  FoundVec found;
  Map weights;    // finding, whatever its context -> how much its weightiest voice weighs
  DeferredVec deferred;
};

/* Emits a finding of any page, built-in or a user's; `report->rule` is not looked at. */
void run_report(RuleContext *ctx, uint32_t rule, ModuleId module, InstanceId instance, const Report *report);

/* Merges what all contexts found into `out`, in `arena`: one finding for each (rule, span, subject), without those that
 * another rule outranks on the same statement, without rules that are not selected, in final order. */
typedef struct MergeInput {
  const Project *project;
  const Catalog *catalog;
  RuleSelection selection;
} MergeInput;
void merge_findings(Arena *arena, const MergeInput *input, FoundVec *all, Findings *out);

#endif

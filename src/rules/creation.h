/* What the rules about state created in a trace (TF101, TF102, TF103) share: does it happen on every trace, and where is it to
 * be reported? Creation inside a constructor belongs to whoever constructs the object in the trace. */
#ifndef TFCHECK_RULES_CREATION_H
#define TFCHECK_RULES_CREATION_H

#include "rules/rule.h"

typedef enum CreationVerdict {
  CREATION_LEGAL,     // eager, v1 graph, `build`, set-up of an object made outside
  CREATION_ONCE,      // under a create-once guard
  CREATION_REPEATED,  // on every trace
} CreationVerdict;

/* What kind of object the constructor builds: decides which rule speaks. */
typedef enum MakerKind { MAKER_NONE, MAKER_PLAIN, MAKER_MODULE, MAKER_METRIC_OR_OPTIMIZER } MakerKind;

typedef struct Creation {
  CreationVerdict verdict;
  MakerKind maker;      // NONE: created in the traced code itself
  ModuleId module;      // maker: the construction, outermost one of the trace
  Span span;
  Str class_name;       // as the construction says it
} Creation;

Creation creation_judge(RuleContext *ctx, const Event *event);

/* Keras 3 for certain, and below a layer's `call`: the state of the layer that is to keep what is created is locked. */
bool creation_is_locked(RuleContext *ctx, const Event *event);
bool creation_is_keras3(const Event *event);
/* An attribute of the object whose method runs, or that a helper was handed, is assigned the result of the call. */
bool creation_is_kept_on_object(RuleContext *ctx, const Event *event);
/* Where the code keeps, or could keep, what it creates: "self.v", "v"; empty if nothing suggests itself. */
Str creation_place(RuleContext *ctx, const Event *event);

#endif

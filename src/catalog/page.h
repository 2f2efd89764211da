/* Rule pages, as rules/TFnnn-name.yaml states them, and the declarative language that a rule may be written in. */
#ifndef TFCHECK_CATALOG_PAGE_H
#define TFCHECK_CATALOG_PAGE_H

#include "catalog/api.h"
#include "source/finding.h"

typedef enum RuleStatus { RULE_PREVIEW, RULE_STABLE } RuleStatus;

typedef struct RuleVariant {
  Str key;         // "default" or a word
  Level level;
  Str message;     // with {placeholders}
  Str annotation;  // short text under the carets, with placeholders, may be empty
  StrList help;    // with placeholders
} RuleVariant;

typedef struct RuleObserved {
  Str flavour;
  Str error;
  Str text;
  Str behaviour;
} RuleObserved;
    // flavour "keras3" | "keras2" | "both"; error: exception type, empty for silent faults

typedef struct RuleExample {
  Str bad;
  Str good;
  Str prints;  // what `bad` must print under TensorFlow, may be empty
} RuleExample;

/* The declarative language (DESIGN section 3). */
typedef enum MatchOn {
  ON_CALL = 1 << 0,
  ON_ATTRIBUTE = 1 << 1,
  ON_SUBSCRIPT = 1 << 2,
  ON_ASSIGN = 1 << 3,
  ON_AUGASSIGN = 1 << 4,
  ON_BRANCH = 1 << 5,
  ON_LOOP = 1 << 6,
  ON_RETURN = 1 << 7,
  ON_RAISE = 1 << 8,
  ON_DECORATOR = 1 << 9,
  ON_IMPORT = 1 << 10,
} MatchOn;

/* Words of `within:` and `unless:`; a set. */
// clang-format off
#define SITUATION_LIST(X)           \
  X(TRACED, "traced")               \
  X(EAGER, "eager")                 \
  X(JIT, "jit")                     \
  X(AUTOGRAPH_OFF, "autograph-off") \
  X(TENSOR_BRANCH, "tensor-branch") \
  X(TENSOR_LOOP, "tensor-loop")     \
  X(PYTHON_LOOP, "python-loop")     \
  X(COMPREHENSION, "comprehension") \
  X(GUARDED_ONCE, "guarded-once")   \
  X(TEST_CODE, "test-code")         \
  X(INIT_SCOPE_BODY, "init-scope")  \
  X(STATIC_BRANCH, "static-branch")
// clang-format on
typedef enum Situation {
#define X(id, text) SITUATIONBIT_##id,
  SITUATION_LIST(X)
#undef X
      SITUATION_COUNT
} Situation;
typedef uint32_t SituationSet;
#define SITUATION(id) ((SituationSet)1 << SITUATIONBIT_##id)

typedef struct MatchArg {
  enum { ARG_ANY, ARG_ALL, ARG_AT, ARG_KEYWORD } which;
  int32_t index;
  Str keyword;
  KindSet kinds;  // must-kinds: every possible kind of the argument is in this set
} MatchArg;

typedef struct Match {
  uint32_t on;               // MatchOn bits
  StrList callee;            // globs; a leading `!` excludes
  ApiTags tags;              // callee's fact must carry one of these; 0: no demand
  ApiTags not_tags;
  KindSet receiver;          // 0: no demand
  const MatchArg *args;
  uint32_t arg_len;
  SituationSet within, unless;
  Str subject;               // placeholder text for {subject}: "callee" (default) | "receiver" | "argument"
} Match;

typedef struct RulePage {
  Str id, name;
  RuleStatus status;
  Str since;
  FixSafety fix;
  Str summary, why, how_to_fix;
  StrList limits, references;
  const RuleVariant *variants;
  uint32_t variant_len;
  const RuleObserved *observed;
  uint32_t observed_len;
  const RuleExample *examples;
  uint32_t example_len;
  Str check;             // coded rule: name of its C file; empty when declarative
  const Match *matches;  // declarative rule: any of these
  uint32_t match_len;
  bool builtin;
} RulePage;

#endif

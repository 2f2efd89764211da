/* The declarative matcher: `match:` blocks of rule pages, ours and users', over semantic events. */
#ifndef TFCHECK_RULES_MATCH_H
#define TFCHECK_RULES_MATCH_H

#include "rules/rule.h"

/* Whether events of this kind can satisfy the match at all. */
bool match_wants(const Match *match, EventKind kind);
/* Keys are ANDed, lists ORed, `!` excludes; what is unknown never matches. `argument` gets the index of the argument that
 * satisfied `args`, the first one if there is no demand, UINT32_MAX if there is none. */
bool match_event(Arena *scratch, const Match *match, const Event *event, uint32_t *argument);
/* Reports the declarative rule with this catalogue index if any of its matches holds. Its page may name `{callee}`,
 * `{receiver}`, `{argument}`, `{subject}` and `{function}`. */
void match_report(RuleContext *ctx, uint32_t rule, const Event *event);

#endif

/* Two places of one function that the configuration of the object keeps apart: only one of them runs, in whatever call. */
#ifndef TFCHECK_RULES_APART_H
#define TFCHECK_RULES_APART_H

#include "rules/rule.h"

/* `if self.mode == "fixed":` around the offset, `if self.mode == "learned":` around what the frame is at. */
bool is_kept_apart(RuleContext *ctx, const Frame *frame, uint32_t offset);

#endif

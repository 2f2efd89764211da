/* Code that Keras calls is converted by Keras 2 and not by Keras 3; which one `tf.keras` means is often not to be seen. */
#include "rules/conversion.h"

bool conversion_depends_on_keras(RuleContext *ctx, const Event *event) {
  Context context = event->frame->context;
  if (!(context & CTX_AUTOGRAPH_UNKNOWN)) return false;
  if (context & CTX_KERAS_CALL) return true;
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  if (!chain.len) return false;
  return chain.steps[0].root == ROOT_KERAS_METHOD || chain.steps[0].root == ROOT_KERAS_ARGUMENT;
}

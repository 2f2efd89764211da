/* TF206: a symbolic tensor is handed to a library that works on host values, or as a path to code that opens files.
 *
 * Which libraries, and which functions take paths, is told by their facts. NumPy is TF201. Libraries without facts are not
 * meant, since they may know about tensors.
 */
#include "rules/operand.h"

static bool is_meant(const ApiFact *api) {
  if (!api || (api->tags & (TAG(NO_CONVERT) | TAG(NUMPY) | TAG(NUMPY_RANDOM)))) return false;
  return (api->tags & (TAG(HOST_LIBRARY) | TAG(PATH_ARG) | TAG(PLOT))) != 0;
}

/* What another host library gave has been told where it was called. */
static bool is_told(const Event *event, const Value *tensor) {
  if (!(tensor->flags & VF_TAINTED) || !tensor->why.name) return false;
  const ApiFact *origin = catalog_api(event->frame->project->catalog, sym_str(tensor->why.name));
  return origin && (origin->tags & TAG(HOST_LIBRARY));
}

/* PyTorch in a layer of Keras 3, or in a file that imports neither TensorFlow nor Keras, is another backend of the program: with
 * TensorFlow's it does not get there. */
static bool is_other_backend(const Event *event) {
  bool torch = str_starts(event->api_name, S("torch.")) || str_starts(event->api_name, S("jax."));
  const Module *module = event->frame->module;
  if (!torch) return false;
  if ((event->frame->context & CTX_KERAS_CALL) && module->flavor == KERAS_3) return true;
  return !module->hints.tensorflow && !module->hints.standalone && !module->hints.legacy;
}

static void on_call(RuleContext *ctx, const Event *event) {
  if (!is_meant(event->api) || !event->args || !ctx_traced(event->frame->context)) return;
  const Value *tensor;
  uint32_t argument = operand_tensor_argument(event->args, &tensor);
  if (argument == UINT32_MAX) return;
  if (is_told(event, tensor) || is_other_backend(event)) return;
  bool is_path = !(event->api->tags & (TAG(HOST_LIBRARY) | TAG(PLOT)));
  if (is_path && (tensor->flags & VF_TAINTED)) return;
  Report report = {.rule = RULE_TF206,
                   .variant = is_path                                   ? TF206_PATH
                              : tensor != event->args->values[argument] ? TF206_IN_CONTAINER
                                                                        : TF206_DEFAULT,
                   .span = event->span,
                   .confidence = frame_confidence(event->frame, tensor),
                   .subject = rule_text(ctx, event, operand_callee(event)),
                   .because = tensor,
                   .because_name = rule_text(ctx, event, event->args->exprs[argument])};
  report_fill(&report, S("callee"), report.subject);
  report_fill(&report, S("argument"), report.because_name);
  report_fill(&report, S("tf"), event->api->tf);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_host_library_on_tensor = {
    .name = S_INIT("host_library_on_tensor"),
    .events = ON_EVENT(EV_CALL),
    .event = on_call,
};

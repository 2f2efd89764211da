/* TF107: `v += x` on a `tf.Variable`, which raises wherever it runs.
 *
 * TensorFlow refuses the operators + - * / ** in place. The other ones are not defined in place, so Python rebinds the name,
 * and a variable of Keras 3 does so with all of them: neither is meant.
 */
#include "rules/operand.h"

static bool is_keras3(const Event *event) {
  const Frame *frame = event->frame;
  KerasFlavor flavor = frame->module->flavor == KERAS_UNKNOWN ? frame->project->flavor : frame->module->flavor;
  return flavor == KERAS_3;
}

/* Made by TensorFlow. What `add_weight` gives is one only before Keras 3. */
static bool is_tf_variable(const Event *event, const Value *value, Confidence *confidence) {
  *confidence = frame_confidence(event->frame, value);
  if (!value_is(value, KIND(VARIABLE)) || value->obj_more || !value->obj_len) return false;
  for (uint32_t i = 0; i < value->obj_len; i++) {
    const Obj *obj = value->objs[i];
    if (obj->kind != OBJ_API_INSTANCE) return false;
    if (sym_is(obj->api, S("tensorflow.get_variable"))) return false;  // TensorFlow 1's variables took it
    if (str_starts(sym_str(obj->api), S("tensorflow."))) continue;
    if (!str_starts(sym_str(obj->api), S("keras.")) || is_keras3(event)) return false;
    if (str_ends(sym_str(obj->api), S("keras.Variable"))) return false;
    *confidence = CONF_LIKELY;
  }
  return true;
}

static Str method_for(BinaryOp op) {
  if (op == OP_ADD) return S("assign_add");
  return op == OP_SUB ? S("assign_sub") : S("assign");
}

static bool is_refused(BinaryOp op) {
  return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV || op == OP_POW;
}

/* `v += x` becomes `v.assign_add(x)`; the others would need the variable twice and are left to the reader. */
static void add_fix(RuleContext *ctx, const Event *event, Str method, Report *report) {
  const Stmt *stmt = event->stmt;
  if (stmt->u.aug.op != OP_ADD && stmt->u.aug.op != OP_SUB) return;
  const Source *source = &event->frame->module->source;
  Span behind = {stmt->u.aug.value->span.start, stmt->span.end};
  Str target = source_slice(source, stmt->u.aug.target->span), value = source_slice(source, behind);
  if (source->text.ptr[stmt->u.aug.value->span.start - 1] == '(') return;  // parentheses leave no node
  Str text = str_printf(rule_scratch(ctx), "%.*s.%.*s(%.*s)", STR_ARG(target), STR_ARG(method), STR_ARG(value));
  report->edits[report->edit_len++] = (Edit){{event->frame->module->id, stmt->span}, text};
  report->fix = FIX_SAFE;
}

static void on_store(RuleContext *ctx, const Event *event) {
  if (event->store != STORE_AUG || !event->stmt || event->stmt->kind != STMT_AUGASSIGN || !event->operands[0]) return;
  bool is_item = event->target->kind == EXPR_SUBSCRIPT;
  if (is_item && (!event->receiver || !value_is(event->receiver, KINDS_CONTAINER))) return;
  if (!is_refused(event->stmt->u.aug.op)) return;
  Confidence confidence;
  if (!is_tf_variable(event, event->operands[0], &confidence)) return;
  Str method = method_for(event->stmt->u.aug.op), name = rule_text(ctx, event, event->target);
  Report report = {.rule = RULE_TF107,
                   .variant = TF107_DEFAULT,
                   .span = event->stmt->span,
                   .confidence = confidence,
                   .subject = name,
                   .because = event->operands[0],
                   .because_name = name};
  report_fill(&report, S("variable"), name);
  report_fill(&report, S("method"), method);
  add_fix(ctx, event, method, &report);
  rule_report(ctx, event, &report);
}

const RuleCheck rule_variable_augmented_assign = {
    .name = S_INIT("variable_augmented_assign"),
    .events = ON_EVENT(EV_STORE),
    .event = on_store,
};

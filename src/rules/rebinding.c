/* Judges the writes of a place that traced code reads. Requires: the indexes of writes, calls and makes.
 *
 * Rebound means: updated from its own value (`+=`), written in a loop, set by a function that traces nothing itself and has a
 * value to replace, or written before and behind a call of the root. A single write that fills a None is an initialisation.
 */
#include "rules/rebinding.h"

/* A method that sets things up whatever its name is exactly: `_build_from_signature`, `_init_weights`, `initialize`. */
static bool sets_up(const Flow *flow, FuncRef func) {
  static const Str words[] = {S_INIT("build"),   S_INIT("init"), S_INIT("setup"),  S_INIT("set_up"),
                              S_INIT("prepare"), S_INIT("load"), S_INIT("restore")};
  const Function *function = project_function(flow_project(flow), func);
  Str name = sym_str(function->name);
  for (size_t w = 0; !function->is_module && w < sizeof words / sizeof *words; w++) {
    if (str_find(name, words[w]) != STR_NONE) return true;
  }
  return false;
}

/* The same statement runs while the object is made: a setter that `__init__` calls. */
static bool runs_in_init(const WriteSet *writes, const WriteRecord *write) {
  for (uint32_t i = 0; i < writes->len; i++) {
    const WriteRecord *other = &writes->data[i];
    if (other->in_init && !other->top_level && other->module == write->module && other->span.start == write->span.start)
      return true;
  }
  return false;
}

static bool is_binding(const WriteRecord *write) {
  bool binds = write->kind == WRITE_ASSIGN || write->kind == WRITE_AUG;
  bool counts = write->kind == WRITE_DEFINE && write->value && (write->value->flags & VF_CHANGING);  // a loop's target
  return (binds || counts) && !write->is_test && !write->guarded;
}

bool rebinding_possible(const Flow *flow, Var var) {
  if (flow_change(flow, var, NULL) >= CHANGE_ONCE) return true;
  WriteSet writes = flow_writes(flow, var);
  for (uint32_t i = 0; i < writes.len; i++) {
    if (is_binding(&writes.data[i]) && writes.data[i].kind == WRITE_DEFINE) return true;
  }
  return false;
}

/* There is a value to replace, set where the place was made. */
static bool has_initial(const WriteSet *writes, const WriteRecord *but) {
  for (uint32_t i = 0; i < writes->len; i++) {
    const WriteRecord *write = &writes->data[i];
    if (write == but || !is_binding(write) || !(write->in_init || write->top_level)) continue;
    if (write->value && write->value->kinds && !value_is(write->value, KIND(NONE))) return true;
  }
  return false;
}

static bool calls_root(const Flow *flow, FuncRef root, FuncRef from) {
  CallSet calls = flow_traced_calls(flow, root);
  for (uint32_t i = 0; i < calls.len; i++) {
    if (func_eq(calls.data[i].func, from)) return true;
  }
  return false;
}

/* `self.lens = a; self.focus(x); self.lens = b`: a call of the root between two writes. */
static bool brackets_call(const Flow *flow, const WriteSet *writes, const WriteRecord *last, FuncRef root) {
  CallSet calls = flow_traced_calls(flow, root);
  for (uint32_t c = 0; c < calls.len; c++) {
    const CallRecord *call = &calls.data[c];
    if (!func_eq(call->func, last->func) || call->span.start > last->span.start) continue;
    for (uint32_t i = 0; i < writes->len; i++) {
      const WriteRecord *first = &writes->data[i];
      if (is_binding(first) && func_eq(first->func, last->func) && first->span.start < call->span.start) return true;
    }
  }
  return false;
}

static bool traces_anything(const Flow *flow, FuncRef func) {
  CallSet calls = flow_all_traced_calls(flow);
  for (uint32_t i = 0; i < calls.len; i++) {
    if (func_eq(calls.data[i].func, func)) return true;
  }
  return false;
}

/* Somebody visible runs the function, other than tests. */
static bool is_run(RuleContext *ctx, FuncRef func) {
  const Flow *flow = rule_flow(ctx);
  const InstanceId *ids = flow_instances_of(rule_scratch(ctx), flow, func);
  for (; *ids != NO_INSTANCE; ids++) {
    Chain chain = flow_chain(rule_scratch(ctx), flow, *ids);
    if (chain.len && !project_module(flow_project(flow), chain.steps[chain.len - 1].module)->is_test) return true;
  }
  return false;
}

/* A loop makes the root anew behind the write: `for width in sizes: kernel = …; @tf.function def run(x): …`. */
static bool made_behind(const Flow *flow, const WriteRecord *write, FuncRef root) {
  MakeSet makes = flow_makes(flow, root);
  for (uint32_t i = 0; i < makes.len; i++) {
    const MakeRecord *make = &makes.data[i];
    bool behind = func_eq(make->func, write->func) && make->span.start > write->span.start;
    if (!make->in_loop || !behind) return false;
  }
  return makes.len > 0;
}

static bool rebinds(RuleContext *ctx, const WriteSet *writes, const WriteRecord *write, FuncRef root) {
  const Flow *flow = rule_flow(ctx);
  if (!is_binding(write) || made_behind(flow, write, root)) return false;
  if (write->kind == WRITE_DEFINE) return true;
  bool updates = write->kind == WRITE_AUG || (write->value && (write->value->flags & VF_CHANGING));
  if (updates) return !write->in_init || write->in_loop || calls_root(flow, root, write->func);
  if (ctx_traced(write->context)) return false;  // TF304, and the same in each trace
  if (write->in_loop && !(write->in_init && !write->top_level)) return true;
  if (brackets_call(flow, writes, write, root)) return true;
  bool empties = write->value && write->value->kinds && value_is(write->value, KIND(NONE));
  bool sets =
      !write->in_init && !write->top_level && !empties && has_initial(writes, write) && !runs_in_init(writes, write);
  return sets && !sets_up(flow, write->func) && is_run(ctx, write->func) && !traces_anything(flow, write->func);
}

const WriteRecord *rebinding_find(RuleContext *ctx, Var var, FuncRef root) {
  const Flow *flow = rule_flow(ctx);
  WriteSet writes = flow_writes(flow, var);
  for (uint32_t i = 0; i < writes.len; i++) {
    if (rebinds(ctx, &writes, &writes.data[i], root)) return &writes.data[i];
  }
  const WriteRecord *other = NULL;  // through an object that is not known: a callback's `self.model.rate = …`
  flow_change(flow, var, &other);
  return other && other->var.module == NO_MODULE ? other : NULL;
}

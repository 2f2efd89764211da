/* Does a place change between calls? What a write proves depends on how often and when it runs.
 *
 * An update from the old value, a write in a loop, in a hook that Keras calls for every batch or epoch, or behind a call that
 * traced something makes later calls see something else than the trace did. A write that need not run again, a setter, a
 * registry that is filled on import, proves nothing: it may well be done before anything is traced. Contents are believed to
 * change a little sooner than names: `remember()` of a class that nobody visible uses is there to be called again and again.
 */
#include "flow/walk.h"
#include "sema/dynamic_scope.h"

/* Hooks of callbacks that run between the batches or epochs of one fit(). */
static bool is_repeated_hook(const Function *function) {
  static const Str ends[] = {S_INIT("batch_begin"), S_INIT("batch_end"), S_INIT("epoch_begin"), S_INIT("epoch_end")};
  Str name = sym_str(function->name);
  if (!function->owner || !str_starts(name, S("on_"))) return false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    if (str_ends(name, ends[i])) return true;
  }
  return false;
}

static const Function *function_of(const struct Flow *flow, const WriteRecord *write) {
  return project_function(flow->project, write->func);
}

/* The name of the writer, or of a function around it, says that it sets something up. */
static bool is_registration(const struct Flow *flow, const WriteRecord *write) {
  static const Str words[] = {S_INIT("set"),   S_INIT("register"), S_INIT("init"),
                              S_INIT("build"), S_INIT("setup"),    S_INIT("configure")};
  for (const Function *function = function_of(flow, write); function && !function->is_module;
       function = function->parent) {
    Str rest = sym_str(function->name);
    while (rest.len) {
      if (STR_IN(str_cut(&rest, '_'), words)) return true;
    }
  }
  return false;
}

static bool runs_again(const struct Flow *flow, const WriteRecord *write) {
  return write->in_loop || write->later || is_repeated_hook(function_of(flow, write));
}

static Change change_by_binding(const struct Flow *flow, const WriteRecord *write) {
  bool changing = write->value && (write->value->flags & VF_CHANGING);
  if (write->guarded) return CHANGE_GUARDED;
  if (ctx_traced(write->context) && !changing) return CHANGE_NONE;          // set while tracing
  if (write->in_init && write->var.kind == VAR_FIELD) return CHANGE_NONE;   // another object each time
  if (write->in_init && !write->in_loop) return CHANGE_NONE;
  return changing || runs_again(flow, write) ? CHANGE_REBOUND : CHANGE_ONCE;
}

static Change change_by_contents(const struct Flow *flow, const WriteRecord *write) {
  if (write->guarded) return CHANGE_GUARDED;
  if (write->in_init && !(write->top_level && (write->in_loop || write->later))) return CHANGE_NONE;
  if (ctx_traced(write->context)) return CHANGE_CONTENTS;
  if (is_registration(flow, write)) {  // a loop of its own fills the container, once
    bool again = (write->context & CTX_IN_LOOP) || write->later;
    return again ? CHANGE_CONTENTS : CHANGE_ONCE;
  }
  return runs_again(flow, write) || write->open ? CHANGE_CONTENTS : CHANGE_ONCE;
}

/* A write that makes later calls see something else than the first trace did. */
static Change change_by(const struct Flow *flow, const WriteRecord *write) {
  if (write->is_test) return CHANGE_NONE;
  switch (write->kind) {
    case WRITE_DEFINE:
      return CHANGE_NONE;
    case WRITE_ASSIGN:
    case WRITE_DELETE:
      return change_by_binding(flow, write);
    case WRITE_AUG:
      return write->in_init && !write->in_loop && !write->top_level ? CHANGE_NONE : CHANGE_REBOUND;
    case WRITE_ITEM:
    case WRITE_GROW:
    case WRITE_SHRINK:
      return change_by_contents(flow, write);
  }
  return CHANGE_NONE;
}

/* One binding at the top level of a module is its construction; a second one behind a call that traces rebinds it. */
static bool rebinds_top_level(const WriteSet *writes, uint32_t at) {
  const WriteRecord *write = &writes->data[at];
  if (write->kind != WRITE_ASSIGN || !write->top_level || write->is_test || !write->later) return false;
  for (uint32_t i = 0; i < at; i++) {
    const WriteRecord *earlier = &writes->data[i];
    bool same_place = earlier->span.start == write->span.start && earlier->module == write->module;
    if (earlier->kind == WRITE_ASSIGN && earlier->top_level && !same_place) return true;
  }
  return false;
}

/* `stack.append(scope)` … `stack.pop()` while tracing: the call leaves the container as it found it. So does a context manager
 * that counts up when it is entered and down when it is left. */
static bool is_undone(const struct Flow *flow, const WriteSet *writes, const WriteRecord *write) {
  if (!ctx_traced(write->context)) return false;
  if (write->kind == WRITE_ASSIGN || write->kind == WRITE_AUG)
    return write->var.name && is_taken_back_at_exit(function_of(flow, write), write->var.name);
  if (write->kind != WRITE_GROW && write->kind != WRITE_SHRINK) return false;
  WriteKind opposite = write->kind == WRITE_GROW ? WRITE_SHRINK : WRITE_GROW;
  for (uint32_t i = 0; i < writes->len; i++) {
    if (writes->data[i].kind == opposite && ctx_traced(writes->data[i].context)) return true;
  }
  return false;
}

/* `self.mode = mode`, a call that traces, `self.mode = None`: set for that one call, and taken back behind it. */
static bool is_taken_back(const WriteSet *writes, const WriteRecord *write) {
  if (write->kind != WRITE_ASSIGN || write->in_loop || !write->value || write->value->kinds != KIND(NONE)) return false;
  for (uint32_t i = 0; i < writes->len; i++) {
    const WriteRecord *other = &writes->data[i];
    bool before = other->instance == write->instance && other->span.start < write->span.start;
    if (before && other->kind == WRITE_ASSIGN) return true;
  }
  return false;
}

/* It changes another item of the container. */
static bool is_elsewhere(const WriteRecord *write, Sym item) {
  bool contents = write->kind == WRITE_ITEM || write->kind == WRITE_GROW || write->kind == WRITE_SHRINK;
  return contents && item && write->item && write->item != item;
}

static Change worst_change(const struct Flow *flow, WriteSet writes, Sym item, Change worst,
                           const WriteRecord **witness) {
  for (uint32_t i = 0; i < writes.len; i++) {
    if (is_elsewhere(&writes.data[i], item)) continue;
    if (is_undone(flow, &writes, &writes.data[i]) || is_taken_back(&writes, &writes.data[i])) continue;
    Change change = rebinds_top_level(&writes, i) ? CHANGE_REBOUND : change_by(flow, &writes.data[i]);
    if (change <= worst) continue;
    worst = change;
    if (witness) *witness = &writes.data[i];
  }
  return worst;
}

Change flow_item_change(const struct Flow *flow, Var var, Sym item, const WriteRecord **witness) {
  Change worst = worst_change(flow, flow_writes(flow, var), item, CHANGE_NONE, witness);
  if (var.kind != VAR_FIELD) return worst;
  return worst_change(flow, index_writes_through_unknown(flow, var.name), item, worst, witness);
}

Change flow_change(const struct Flow *flow, Var var, const WriteRecord **witness) {
  return flow_item_change(flow, var, NULL, witness);
}

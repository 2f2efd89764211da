/* Do two functions run in one go? Answered from the calls that the last walks made.
 *
 *   def train_step(self, x, y):
 *     loss = self.loss_fn(y, x)       # runs the writer …
 *     self.log(self.loss_fn.parts())  # … and then the reader: whatever traces train_step, both see one trace
 *
 * A call that starts a trace separates: what runs before it, in eager code, and what it runs are never one go. Requires: the
 * indexes, which hold the callers of each instance.
 */
#include "flow/walk.h"

typedef VEC(InstanceId) Pile;

typedef struct Climb {
  Arena *arena;
  const Flow *flow;
  FuncRef writer;
  Map above, below;  // instances seen so far
  Pile pile;         // callers still to be looked at
} Climb;

static const Instance *instance_at(const Climb *climb, InstanceId id) { return climb->flow->instances.data[id]; }

static bool is_function(const Instance *instance, FuncRef func) {
  return instance->kind == INSTANCE_FUNCTION && func_eq(instance->func, func);
}

/* Whether the writer runs below an instance without another trace in between. `enters`: below a trace that starts there. */
static bool runs_writer(Climb *climb, InstanceId from, Map *seen, bool *enters) {
  Pile pile = {0};
  vec_push(climb->arena, &pile, from);
  bool traced = ctx_traced(instance_at(climb, from)->context);
  while (pile.len) {
    InstanceId id = pile.data[--pile.len];
    const Instance *instance = instance_at(climb, id);
    bool fresh;
    map_put(climb->arena, seen, id, &fresh);
    if (!fresh) continue;
    if (is_function(instance, climb->writer)) return true;
    for (uint32_t i = 0; i < instance->records.callees.len; i++) {
      InstanceId callee = instance->records.callees.data[i].id;
      if (ctx_traced(instance_at(climb, callee)->context) == traced) vec_push(climb->arena, &pile, callee);
      else if (enters && !*enters) *enters = runs_writer(climb, callee, seen, NULL);
    }
  }
  return false;
}

/* The callers of the same kind, traced or eager; whether there are any. */
static bool climb_on(Climb *climb, InstanceId id) {
  bool traced = ctx_traced(instance_at(climb, id)->context), any = false;
  InstanceSet callers = flow_callers(climb->flow, id);
  for (uint32_t i = 0; i < callers.len; i++) {
    const Instance *caller = instance_at(climb, callers.data[i]);
    if (caller->kind != INSTANCE_FUNCTION || ctx_traced(caller->context) != traced) continue;
    vec_push(climb->arena, &climb->pile, caller->id);
    any = true;
  }
  return any;
}

static bool next_above(Climb *climb, InstanceId *id) {
  while (climb->pile.len) {
    bool fresh;
    *id = climb->pile.data[--climb->pile.len];
    map_put(climb->arena, &climb->above, *id, &fresh);
    if (fresh) return true;
  }
  return false;
}

/* Every trace that runs the reader runs the writer too. */
static Meeting meet_in_trace(Climb *climb) {
  InstanceId id;
  while (next_above(climb, &id)) {
    Map below = {0};
    if (!climb_on(climb, id) && !runs_writer(climb, id, &below, NULL)) return MEET_APART;
  }
  return MEET_TOGETHER;
}

/* Eager code that nobody visible calls may well be traced by whoever does: then it counts by what else it runs. */
static Meeting meet_in_eager_code(Climb *climb) {
  InstanceId id;
  bool enters = false, together = false;
  while (next_above(climb, &id)) {
    if (instance_at(climb, id)->func.index == 0) return MEET_APART;  // a module's body
    climb_on(climb, id);
    together = together || runs_writer(climb, id, &climb->below, &enters);
  }
  return together ? MEET_TOGETHER : enters ? MEET_APART : MEET_UNSEEN;
}

Meeting flow_meet(Arena *arena, const Flow *flow, InstanceId reader, FuncRef writer) {
  Climb climb = {.arena = arena, .flow = flow, .writer = writer};
  vec_push(arena, &climb.pile, reader);
  return ctx_traced(instance_at(&climb, reader)->context) ? meet_in_trace(&climb) : meet_in_eager_code(&climb);
}

/* The fixpoint: rounds of walks with a barrier between them.
 *
 * A round walks every queued instance against the state that earlier rounds left, on any number of threads. At the barrier
 * the outs are merged in instance order: new instances are made, cells and results grow, and whoever read something that
 * grew is queued again. Lattices are finite and joins only climb, so this ends; a cap on walks per instance bounds it all the
 * same and is counted. When nothing is queued, a walk that met something nobody has written stops waiting for it and takes it
 * for unknown; then functions that nothing visible calls are added with unknown arguments.
 *
 * Requires: a frozen Project. Provides: instances with results and records, cells; then the frozen indexes.
 */
#include "base/par.h"
#include "flow/walk.h"

enum { WALK_CAP = 40, ROUND_LIMIT = 64 };

void instance_queue(struct Flow *flow, InstanceId id) {
  Instance *instance = flow->instances.data[id];
  if (instance->queued) return;
  if (instance->walks >= WALK_CAP) {
    flow->stats.caps_hit++;
    return;
  }
  instance->queued = true;
  vec_push(&flow->arena, &flow->queue, id);
}

/* ---- instances ---- */

static Family *family_of(struct Flow *flow, const Request *request) {
  bool fresh;
  uint64_t key = family_key(request);
  uint64_t *index = map_put(&flow->arena, &flow->families, key, &fresh);
  if (fresh) {
    Family family = {.widened = NO_INSTANCE};
    vec_push(&flow->arena, &flow->families_list, family);
    *index = flow->families_list.len;
  }
  return &flow->families_list.data[*index - 1];
}

const Instance *instance_of_func(const struct Flow *flow, FuncRef func) {
  const uint64_t *newest = map_get(&flow->of_func, func_key(func));
  return newest ? flow->instances.data[*newest - 1] : NULL;
}

const Instance *instance_next_of_func(const struct Flow *flow, const Instance *instance) {
  return instance->next_of_func == NO_INSTANCE ? NULL : flow->instances.data[instance->next_of_func];
}

static void add_to_func(struct Flow *flow, Instance *instance) {
  uint64_t *newest = map_put(&flow->arena, &flow->of_func, func_key(instance->func), NULL);
  instance->next_of_func = *newest ? (InstanceId)*newest - 1 : NO_INSTANCE;
  *newest = (uint64_t)instance->id + 1;
}

static Instance *instance_make(struct Flow *flow, const Request *request, uint64_t key) {
  Instance *instance = arena_new(&flow->arena, Instance);
  instance->id = flow->instances.len;
  instance->kind = request->kind;
  instance->func = request->func;
  instance->context = request->context;
  instance->receiver = request->receiver;
  instance->env = request->env;
  instance->key = key;
  instance->param_len = request->param_len;
  instance->params = arena_array(&flow->arena, const Value *, request->param_len + 1);
  for (uint32_t i = 0; i < request->param_len; i++) {
    instance->params[i] = value_deep_copy(&flow->arena, request->params[i]);
  }
  instance->result = &value_bottom;
  instance->witness = request->witness;
  const Function *function = project_function(flow->project, request->func);
  instance->cells = arena_array(&flow->arena, const Value *, function->scope->slot_count + 1);
  vec_push(&flow->arena, &flow->instances, instance);
  add_to_func(flow, instance);
  return instance;
}

static bool witness_better(const struct Flow *flow, const Witness *a, const Witness *b) {
  if (a->depth != b->depth) return a->depth < b->depth;
  if (a->module != b->module) {
    return str_cmp(project_module(flow->project, a->module)->path, project_module(flow->project, b->module)->path) < 0;
  }
  return a->span.start < b->span.start;
}

/* Joins the arguments of another call into the instance; queues it when it learns something. */
static void instance_absorb(struct Flow *flow, Instance *instance, const Request *request) {
  Arena scratch = {0};
  bool grew = false;
  for (uint32_t i = 0; i < request->param_len && i < instance->param_len; i++) {
    const Value *join = value_join(&scratch, instance->params[i], request->params[i]);
    if (value_eq(join, instance->params[i])) continue;
    instance->params[i] = value_deep_copy(&flow->arena, join);
    grew = true;
  }
  arena_release(&scratch);
  if (witness_better(flow, &request->witness, &instance->witness)) instance->witness = request->witness;
  if (grew) instance_queue(flow, instance->id);
}

InstanceId instance_add(struct Flow *flow, const Request *request, bool *fresh) {
  Family *family = family_of(flow, request);
  uint64_t key = request_key(request);
  Instance *found = NULL;
  for (uint32_t i = 0; i < family->members.len && !found; i++) {
    Instance *member = flow->instances.data[family->members.data[i]];
    if (!member->widened && member->key == key) found = member;
  }
  if (!found && family->widened != NO_INSTANCE) found = flow->instances.data[family->widened];
  *fresh = !found;
  if (found) {
    instance_absorb(flow, found, request);
    return found->id;
  }
  Instance *instance = instance_make(flow, request, key);
  uint32_t limit = ctx_traced(request->context) ? FAMILY_LIMIT : EAGER_FAMILY_LIMIT;
  instance->widened = family->members.len >= limit;
  vec_push(&flow->arena, &family->members, instance->id);
  if (instance->widened) family->widened = instance->id;
  instance_queue(flow, instance->id);
  return instance->id;
}

/* ---- merging at the barrier ---- */

/* `source` is a cell's or an instance's number; both kinds have a table of pairs that are known already. */
static bool is_new_reader(struct Flow *flow, KeySet *known, uint32_t source, InstanceId reader) {
  return keyset_add(&flow->arena, known, (uint64_t)source << 32 | reader);
}

/* One walk reads the same few cells over and over. */
static void add_cell_reader(struct Flow *flow, Cell *cell, InstanceId reader) {
  if (cell->readers.len && cell->latest_reader == reader) return;
  cell->latest_reader = reader;
  if (is_new_reader(flow, &flow->cell_readers, cell->number, reader)) vec_push(&flow->arena, &cell->readers, reader);
}

static void add_instance_reader(struct Flow *flow, Instance *source, InstanceId reader) {
  if (is_new_reader(flow, &flow->instance_readers, source->id, reader))
    vec_push(&flow->arena, &source->readers, reader);
}

static void add_to_class(struct Flow *flow, ClassRef cls, const Cell *cell) {
  bool fresh;
  uint64_t *place = map_put(&flow->arena, &flow->family_cells, var_key(var_field(cls, cell->var.name)), &fresh);
  if (fresh) *place = (uint64_t)(uintptr_t)arena_new(&flow->arena, FieldCells);
  vec_push(&flow->arena, &((FieldCells *)(uintptr_t)*place)->cells, cell);
}

/* A field may be read with the class that writes it as receiver, a base or a subclass. */
static void add_to_family(struct Flow *flow, const Cell *cell) {
  Arena arena = {0};
  Map seen = {0};
  VEC(ClassRef) waiting = {0};
  ClassRef own = {cell->var.module, cell->var.owner};
  const ClassInfo *info = project_class_info(flow->project, own);
  for (uint32_t i = 0; i < info->mro.len; i++) {
    bool is_own = class_eq(info->mro.data[i], own);
    if (!is_own) add_to_class(flow, info->mro.data[i], cell);
  }
  vec_push(&arena, &waiting, own);
  while (waiting.len) {
    ClassRef cls = waiting.data[--waiting.len];
    bool fresh;
    map_put(&arena, &seen, (uint64_t)cls.module << 32 | cls.index, &fresh);
    if (!fresh) continue;
    add_to_class(flow, cls, cell);
    const ClassInfo *below = project_class_info(flow->project, cls);
    for (uint32_t i = 0; i < below->subclasses.len; i++) vec_push(&arena, &waiting, below->subclasses.data[i]);
  }
  arena_release(&arena);
}

/* All fields of one name, whatever the class. */
static void add_field_cell(struct Flow *flow, Cell *cell) {
  add_to_family(flow, cell);
  bool fresh;
  uint64_t *first = map_put(&flow->arena, &flow->field_cells, (uint64_t)(uintptr_t)cell->var.name, &fresh);
  cell->next_of_name = fresh ? NULL : (Cell *)(uintptr_t)*first;
  *first = (uint64_t)(uintptr_t)cell;
}

static Cell *cell_of(struct Flow *flow, Var var) {
  bool fresh;
  uint64_t *index = map_put(&flow->arena, &flow->cells, var_key(var), &fresh);
  if (fresh) {
    Cell *cell = arena_new(&flow->arena, Cell);
    cell->var = var;
    cell->number = flow->cell_list.len;
    if (var.kind == VAR_FIELD) add_field_cell(flow, cell);
    vec_push(&flow->arena, &flow->cell_list, cell);
    *index = flow->cell_list.len;
  }
  return flow->cell_list.data[*index - 1];
}

static void queue_all(struct Flow *flow, const InstanceId *ids, uint32_t len) {
  for (uint32_t i = 0; i < len; i++) instance_queue(flow, ids[i]);
}

static Var slot_var(const struct Flow *flow, const Instance *owner, uint32_t slot) {
  const Function *function = project_function(flow->project, owner->func);
  Sym name = scope_slot_name(function, slot);
  return name ? var_local(owner->func.module, function, name) : (Var){0};
}

/* A value in a shared place says where it lives: that is how a reader knows that it outlives the call. */
static void merge_cells(struct Flow *flow, Arena *scratch, const WalkOut *out) {
  for (uint32_t i = 0; i < out->cell_writes.len; i++) {
    const CellWrite *write = &out->cell_writes.data[i];
    Cell *cell = cell_of(flow, write->var);
    const Value *join = value_join(scratch, cell->value, write->value);
    Value homed = *join;
    homed.home = write->var;
    homed.origin = ORIGIN_OUTER;
    if (cell->value && value_eq(&homed, cell->value)) continue;
    cell->value = value_deep_copy(&flow->arena, &homed);
    queue_all(flow, cell->readers.data, cell->readers.len);
  }
  for (uint32_t i = 0; i < out->slot_writes.len; i++) {
    const SlotWrite *write = &out->slot_writes.data[i];
    Instance *owner = flow->instances.data[write->instance];
    const Value *old = owner->cells[write->slot];
    const Value *join = value_join(scratch, old, write->value);
    Value homed = *join;
    if (!ctx_traced(owner->context)) {  // a captured local of an eager function outlives the trace
      homed.home = slot_var(flow, owner, write->slot);
      homed.origin = ORIGIN_OUTER;
    }
    if (old && value_eq(&homed, old)) continue;
    owner->cells[write->slot] = value_deep_copy(&flow->arena, &homed);
    queue_all(flow, owner->readers.data, owner->readers.len);
  }
}

static void merge_reads(struct Flow *flow, const Instance *instance, const WalkOut *out) {
  for (uint32_t i = 0; i < out->cell_reads.len; i++) {
    Cell *cell = cell_of(flow, out->cell_reads.data[i]);
    add_cell_reader(flow, cell, instance->id);
  }
  for (uint32_t i = 0; i < out->instance_reads.len; i++) {
    Instance *read = flow->instances.data[out->instance_reads.data[i]];
    add_instance_reader(flow, read, instance->id);
  }
}

static void merge_requests(struct Flow *flow, Instance *instance, const WalkOut *out) {
  for (uint32_t i = 0; i < out->requests.len; i++) {
    bool fresh;
    const Request *request = &out->requests.data[i];
    InstanceId callee = instance_add(flow, request, &fresh);
    Instance *made = flow->instances.data[callee];
    add_instance_reader(flow, made, instance->id);
    vec_push(&instance->arena, &instance->records.callees, ((Callee){callee, request->witness.span.start}));
  }
}

/* Room for exactly what there is: there are many instances. */
#define COPY_RECORDS(field)                                                                        \
  if (from->field.len) {                                                                           \
    size_t bytes = from->field.len * sizeof *from->field.data;                                     \
    instance->records.field.data = arena_alloc(&instance->arena, bytes, _Alignof(max_align_t), 1); \
    memcpy(instance->records.field.data, from->field.data, bytes);                                 \
    instance->records.field.len = instance->records.field.cap = from->field.len;                   \
  }

/* The records of the newest walk replace those of the one before: only a stable walk's records count. */
static void keep_records(Instance *instance, const Records *from) {
  arena_release(&instance->arena);
  instance->records = (Records){.calls_resolved = from->calls_resolved};
  COPY_RECORDS(writes)
  COPY_RECORDS(reads)
  COPY_RECORDS(calls)
  COPY_RECORDS(makes)
  COPY_RECORDS(blind)
  COPY_RECORDS(callees)
  COPY_RECORDS(runs)
  for (uint32_t i = 0; i < instance->records.writes.len; i++) {
    WriteRecord *write = &instance->records.writes.data[i];
    write->value = value_deep_copy(&instance->arena, write->value ? write->value : &value_unknown);
  }
  for (uint32_t i = 0; i < instance->records.calls.len; i++) {
    CallRecord *call = &instance->records.calls.data[i];
    call->args = args_deep_copy(&instance->arena, call->args);
    call->traced = obj_deep_copy(&instance->arena, call->traced);
  }
  for (uint32_t i = 0; i < instance->records.makes.len; i++) {
    instance->records.makes.data[i].obj = obj_deep_copy(&instance->arena, instance->records.makes.data[i].obj);
  }
}

/* Joins are made in `scratch`; what is kept of them is copied. */
static void merge_out(struct Flow *flow, Arena *scratch, Instance *instance, const WalkOut *out) {
  keep_records(instance, &out->records);
  instance->over_budget |= out->over_budget;
  instance->saw_bottom = out->saw_bottom;
  merge_cells(flow, scratch, out);
  merge_requests(flow, instance, out);
  const Value *join = value_join(scratch, instance->result, out->result);
  if (value_eq(join, instance->result)) return;
  instance->result = value_deep_copy(&flow->arena, join);
  queue_all(flow, instance->readers.data, instance->readers.len);
}

/* ---- rounds ---- */

typedef struct Round {
  struct Flow *flow;
  const InstanceId *ids;
  WalkOut *outs;
  Arena *arenas;  // per worker: all that the round's walks make, until the merge
} Round;

static void round_work(void *context, uint32_t item, uint32_t worker) {
  Round *round = context;
  WalkOut *out = &round->outs[item];
  out->arena = &round->arenas[worker];
  walk_instance(round->flow, round->flow->instances.data[round->ids[item]], out, out->arena, NULL);
}

/* Takes the first instances off the queue. Rounds are bounded so that their memory is. */
static uint32_t take_batch(struct Flow *flow, Arena *arena, InstanceId **ids) {
  uint32_t count = flow->queue.len < ROUND_LIMIT ? flow->queue.len : ROUND_LIMIT;
  *ids = arena_array(arena, InstanceId, count);
  memcpy(*ids, flow->queue.data, count * sizeof **ids);
  flow->queue.len -= count;
  memmove(flow->queue.data, flow->queue.data + count, flow->queue.len * sizeof *flow->queue.data);
  for (uint32_t i = 0; i < count; i++) {
    flow->instances.data[(*ids)[i]]->queued = false;
    flow->instances.data[(*ids)[i]]->walks++;
  }
  return count;
}

static void run_round(struct Flow *flow) {
  Arena arena = {0};
  uint32_t jobs = flow->options.jobs;
  InstanceId *ids;
  uint32_t count = take_batch(flow, &arena, &ids);
  Round round = {flow, ids, arena_array(&arena, WalkOut, count), arena_array(&arena, Arena, jobs)};
  par_for(count, jobs, round_work, &round);
  /* All readers first: a walk of this round may have read what another one has just written. */
  for (uint32_t i = 0; i < count; i++) merge_reads(flow, flow->instances.data[ids[i]], &round.outs[i]);
  for (uint32_t i = 0; i < count; i++) merge_out(flow, &arena, flow->instances.data[ids[i]], &round.outs[i]);
  for (uint32_t i = 0; i < jobs; i++) arena_release(&round.arenas[i]);
  arena_release(&arena);
  flow->stats.rounds++;
  flow->stats.walks += count;
}

/* Who is reached by the last walks, from the instances that nothing calls: what only an unstable walk asked for is dropped. */
static void mark_reachable(struct Flow *flow) {
  VEC(InstanceId) stack = {0};
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    Instance *instance = flow->instances.data[i];
    instance->reachable = instance->seeded;
    if (instance->seeded) vec_push(&flow->arena, &stack, i);
  }
  while (stack.len) {
    const Instance *instance = flow->instances.data[stack.data[--stack.len]];
    for (uint32_t i = 0; i < instance->records.callees.len; i++) {
      Instance *callee = flow->instances.data[instance->records.callees.data[i].id];
      if (callee->reachable) continue;
      callee->reachable = true;
      vec_push(&flow->arena, &stack, callee->id);
    }
  }
}

static void count_stats(struct Flow *flow) {
  Map traced = {0};
  for (uint32_t i = 0; i < flow->instances.len; i++) {
    const Instance *instance = flow->instances.data[i];
    if (!instance->reachable || !ctx_traced(instance->context) || instance->kind != INSTANCE_FUNCTION) continue;
    bool fresh;
    map_put(&flow->arena, &traced, func_key(instance->func), &fresh);
    flow->stats.functions_traced += fresh;
    flow->stats.roots += instance->witness.root != ROOT_NONE;
    flow->stats.calls_resolved += instance->records.calls_resolved;
    flow->stats.calls_unknown += instance->records.blind.len;
    flow->stats.caps_hit += instance->over_budget;
  }
  flow->stats.instances = flow->instances.len;
}

/* Runs until nothing more comes by itself. Then who still waits for something goes on with "unknown", and so on. */
static void run_to_rest(struct Flow *flow) {
  bool waiting = true;
  while (waiting) {
    while (flow->queue.len) run_round(flow);
    waiting = false;
    for (uint32_t i = 0; i < flow->instances.len; i++) {
      Instance *instance = flow->instances.data[i];
      if (!instance->saw_bottom || instance->gave_up_waiting) continue;
      instance->gave_up_waiting = true;
      instance_queue(flow, i);
      waiting = true;
    }
  }
}

Flow *flow_run(const Project *project, const FlowOptions *options) {
  Arena arena = {0};
  Flow *flow = arena_new(&arena, Flow);
  flow->arena = arena;
  flow->project = project;
  flow->options = *options;
  if (!flow->options.jobs) flow->options.jobs = 1;
  if (!flow->options.step_budget) flow->options.step_budget = STEP_BUDGET;
  receivers_prepare(flow);
  seed_modules(flow);
  seed_drivers(flow);
  run_to_rest(flow);
  mark_reachable(flow);
  while (seed_uncalled(flow)) {
    run_to_rest(flow);
    mark_reachable(flow);
  }
  count_stats(flow);
  index_build(flow);
  flow->frozen = true;
  return flow;
}

void flow_release(Flow *flow) {
  for (uint32_t i = 0; i < flow->instances.len; i++) arena_release(&flow->instances.data[i]->arena);
  Arena arena = flow->arena;  // the Flow itself lies in it
  arena_release(&arena);
}

FlowStats flow_stats(const Flow *flow) { return flow->stats; }
uint32_t flow_jobs(const Flow *flow) { return flow->options.jobs; }
const Project *flow_project(const Flow *flow) { return flow->project; }

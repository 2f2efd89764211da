/* Project-wide indexes, built once from the records of the last walks when the fixpoint has been reached.
 *
 * One sorted array per kind of record, and a table from place or function to its range. Sorting is by (path, offset), so that
 * "the first write that changes it" means the same on every run.
 */
#include <stdlib.h>

#include "flow/walk.h"

typedef struct Range {
  uint32_t start, len;
} Range;

struct Index {
  VEC(WriteRecord) writes;
  VEC(ReadRecord) reads;
  VEC(CallRecord) calls;
  VEC(MakeRecord) makes;
  InstanceId *callers;
  Range *callers_by;  // by callee
  Map writes_by, reads_by, calls_by, makes_by;  // key -> start << 32 | len
  Map field_owner;  // attribute name -> 1 + the one class whose objects have it, or OWNED_BY_MANY
};

/* Every record starts with what it is sorted by once this is filled in beside it. */
typedef struct SortKey {
  uint64_t group;
  Str path;
  uint32_t start, end, order;
} SortKey;

static int compare_keys(const void *left, const void *right) {
  const SortKey *a = left, *b = right;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  int by_path = str_cmp(a->path, b->path);
  if (by_path) return by_path;
  if (a->start != b->start) return a->start < b->start ? -1 : 1;
  if (a->end != b->end) return a->end < b->end ? -1 : 1;
  return a->order < b->order ? -1 : a->order > b->order;
}

/* The function a traced object runs, through partials. */
static uint64_t traced_key(const Obj *obj) {
  while (obj && (obj->kind == OBJ_TRACED || obj->kind == OBJ_PARTIAL)) {
    obj = obj->target && obj->target->obj_len == 1 ? obj->target->objs[0] : NULL;
  }
  if (!obj || obj->kind != OBJ_FUNCTION) return UINT64_MAX;
  return func_key(obj->func);
}

#define DEFINE_COLLECT(name, Type, field, group_of)                                                       \
  static void collect_##name(struct Flow *flow, struct Index *index) {                                    \
    VEC(SortKey) keys = {0};                                                                              \
    VEC(Type) all = {0};                                                                                  \
    Arena arena = {0};                                                                                    \
    for (uint32_t i = 0; i < flow->instances.len; i++) {                                                  \
      const Instance *instance = flow->instances.data[i];                                                 \
      for (uint32_t r = 0; instance->reachable && r < instance->records.field.len; r++) {                 \
        const Type *record = &instance->records.field.data[r];                                            \
        SortKey key = {group_of, project_module(flow->project, record->module)->path, record->span.start, \
                       record->span.end, all.len};                                                        \
        vec_push(&arena, &keys, key);                                                                     \
        vec_push(&arena, &all, *record);                                                                  \
      }                                                                                                   \
    }                                                                                                     \
    if (keys.len) qsort(keys.data, keys.len, sizeof *keys.data, compare_keys);                            \
    for (uint32_t i = 0; i < keys.len; i++) {                                                             \
      bool fresh;                                                                                         \
      uint64_t *range = map_put(&flow->arena, &index->name##_by, keys.data[i].group, &fresh);             \
      if (fresh) *range = (uint64_t)index->name.len << 32;                                                \
      (*range)++;                                                                                         \
      vec_push(&flow->arena, &index->name, all.data[keys.data[i].order]);                                 \
    }                                                                                                     \
    arena_release(&arena);                                                                                \
  }

DEFINE_COLLECT(writes, WriteRecord, writes, var_key(record->var))
DEFINE_COLLECT(reads, ReadRecord, reads, var_key(record->var))
DEFINE_COLLECT(calls, CallRecord, calls, traced_key(record->traced))
DEFINE_COLLECT(makes, MakeRecord, makes, traced_key(record->obj))

/* ---- who enters an instance ---- */

static void collect_callers(struct Flow *flow, struct Index *index) {
  uint32_t count = flow->instances.len, total = 0;
  index->callers_by = arena_array(&flow->arena, Range, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    const Instance *caller = flow->instances.data[i];
    for (uint32_t c = 0; caller->reachable && c < caller->records.callees.len; c++, total++)
      index->callers_by[caller->records.callees.data[c].id].start++;
  }
  for (uint32_t i = 0, start = 0; i < count; i++) {
    uint32_t len = index->callers_by[i].start;
    index->callers_by[i].start = start;
    start += len;
  }
  index->callers = arena_array(&flow->arena, InstanceId, total + 1);
  for (uint32_t i = 0; i < count; i++) {
    const Instance *caller = flow->instances.data[i];
    for (uint32_t c = 0; caller->reachable && c < caller->records.callees.len; c++) {
      Range *range = &index->callers_by[caller->records.callees.data[c].id];
      InstanceId *known = index->callers + range->start;
      if (!range->len || known[range->len - 1] != i) known[range->len++] = i;
    }
  }
}

/* ---- fields of a class and its relatives ---- */

enum { RELATIVE_LIMIT = 64 };

/* The classes whose methods may write a field of objects of this class: its bases, and its subclasses. */
static uint32_t relatives(const Project *project, ClassRef ref, ClassRef *out) {
  const ClassInfo *info = project_class_info(project, ref);
  uint32_t len = 0;
  for (uint32_t i = 0; i < info->mro.len && len < RELATIVE_LIMIT; i++) out[len++] = info->mro.data[i];
  for (uint32_t i = 0; i < info->subclasses.len && len < RELATIVE_LIMIT; i++) out[len++] = info->subclasses.data[i];
  for (uint32_t next = info->mro.len; next < len; next++) {
    const ClassInfo *sub = project_class_info(project, out[next]);
    for (uint32_t i = 0; i < sub->subclasses.len && len < RELATIVE_LIMIT; i++) out[len++] = sub->subclasses.data[i];
  }
  return len;
}

static Range range_of(const Map *map, uint64_t key) {
  const uint64_t *packed = map_get(map, key);
  return packed ? (Range){(uint32_t)(*packed >> 32), (uint32_t)*packed} : (Range){0, 0};
}

/* Gives the field of one class all the writes that its relatives make to it. */
static void unite_field(struct Flow *flow, struct Index *index, const Map *own, Var var) {
  ClassRef classes[RELATIVE_LIMIT];
  uint32_t len = relatives(flow->project, (ClassRef){var.module, var.owner}, classes), others = 0;
  uint32_t start = index->writes.len;
  for (uint32_t c = 0; c < len; c++) {
    Range range = range_of(own, var_key(var_field(classes[c], var.name)));
    others += range.len && c > 0;
    for (uint32_t i = 0; i < range.len; i++)
      vec_push(&flow->arena, &index->writes, index->writes.data[range.start + i]);
  }
  if (!others) {
    index->writes.len = start;
    return;
  }
  *map_put(&flow->arena, &index->writes_by, var_key(var), NULL) = (uint64_t)start << 32 | (index->writes.len - start);
}

/* Every field that is read anywhere. */
static void unite_fields(struct Flow *flow, struct Index *index) {
  Arena arena = {0};
  Map own = {0}, done = {0};
  for (uint32_t i = 0; i < index->writes_by.len; i++) {
    *map_put(&arena, &own, index->writes_by.entries[i].key, NULL) = index->writes_by.entries[i].value;
  }
  for (uint32_t i = 0; i < index->reads.len; i++) {
    Var var = index->reads.data[i].var;
    bool fresh;
    map_put(&arena, &done, var_key(var), &fresh);
    if (fresh && var.kind == VAR_FIELD && var.module != NO_MODULE) unite_field(flow, index, &own, var);
  }
  arena_release(&arena);
}

#define OWNED_BY_MANY UINT64_MAX

/* Attribute names that one class only writes: a write through an unknown object can mean nothing else. */
static void collect_owners(struct Flow *flow, struct Index *index) {
  for (uint32_t i = 0; i < index->writes.len; i++) {
    Var var = index->writes.data[i].var;
    if ((var.kind != VAR_FIELD && var.kind != VAR_CLASS) || var.module == NO_MODULE) continue;
    uint64_t *owner = map_put(&flow->arena, &index->field_owner, (uint64_t)(uintptr_t)var.name, NULL);
    uint64_t key = ((uint64_t)var.module << 32 | var.owner) + 1;
    *owner = !*owner || *owner == key ? key : OWNED_BY_MANY;
  }
}

static void place_writes(struct Flow *flow, struct Index *index) {
  Arena arena = {0};
  Timeline timeline = timeline_build(&arena, flow);
  for (uint32_t i = 0; i < index->writes.len; i++) {
    WriteRecord *write = &index->writes.data[i];
    write->later = timeline_is_later(&timeline, write->instance, write->span.start);
    write->open = timeline_is_open(&timeline, write->instance);
  }
  arena_release(&arena);
}

void index_build(struct Flow *flow) {
  flow->index = arena_new(&flow->arena, struct Index);
  collect_writes(flow, flow->index);
  place_writes(flow, flow->index);
  collect_reads(flow, flow->index);
  collect_calls(flow, flow->index);
  collect_makes(flow, flow->index);
  collect_callers(flow, flow->index);
  collect_owners(flow, flow->index);
  unite_fields(flow, flow->index);
}

WriteSet flow_writes(const struct Flow *flow, Var var) {
  Range range = range_of(&flow->index->writes_by, var_key(var));
  return (WriteSet){flow->index->writes.data + range.start, range.len};
}

ReadSet flow_reads(const struct Flow *flow, Var var) {
  Range range = range_of(&flow->index->reads_by, var_key(var));
  return (ReadSet){flow->index->reads.data + range.start, range.len};
}

CallSet flow_traced_calls(const struct Flow *flow, FuncRef func) {
  Range range = range_of(&flow->index->calls_by, func_key(func));
  return (CallSet){flow->index->calls.data + range.start, range.len};
}

CallSet flow_all_traced_calls(const struct Flow *flow) {
  return (CallSet){flow->index->calls.data, flow->index->calls.len};
}

InstanceSet flow_callers(const struct Flow *flow, InstanceId callee) {
  Range range = flow->index->callers_by[callee];
  return (InstanceSet){flow->index->callers + range.start, range.len};
}

MakeSet flow_makes(const struct Flow *flow, FuncRef func) {
  Range range = range_of(&flow->index->makes_by, func_key(func));
  return (MakeSet){flow->index->makes.data + range.start, range.len};
}

WriteSet index_writes_through_unknown(const struct Flow *flow, Sym name) {
  const uint64_t *owner = map_get(&flow->index->field_owner, (uint64_t)(uintptr_t)name);
  return owner && *owner != OWNED_BY_MANY ? flow_writes(flow, var_any_field(name)) : (WriteSet){0};
}

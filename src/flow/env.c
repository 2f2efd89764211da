/* Environments: what the local names, and in a module body the global ones, hold at a point of execution.
 *
 * Locals are flow-sensitive. Attribute paths (`self.v`) get a flow-sensitive belief on top of their shared cell, which lasts
 * until their root is rebound or something unknown runs. Joins keep only beliefs that both sides hold.
 */
#include "flow/walk.h"

/* A copy is work too: functions with thousands of names and branches spend their budget on it. */
enum { SLOTS_PER_STEP = 16 };

static uint32_t slot_count(const Walker *w) { return w->function->scope->slot_count; }

static uint32_t global_count(const Walker *w) { return w->function->is_module ? w->function->scope->bindings.len : 0; }

Env *env_new(Walker *w) {
  Env *env = arena_new(w->scratch, Env);
  w->steps += (slot_count(w) + global_count(w)) / SLOTS_PER_STEP;
  env->slots = arena_array(w->scratch, const Value *, slot_count(w) + 1);
  env->globals = arena_array(w->scratch, const Value *, global_count(w) + 1);
  return env;
}

Env *env_copy(Walker *w, const Env *env) {
  Env *copy = env_new(w);
  memcpy(copy->slots, env->slots, slot_count(w) * sizeof *copy->slots);
  memcpy(copy->globals, env->globals, global_count(w) * sizeof *copy->globals);
  for (uint32_t i = 0; i < env->facts.len; i++) vec_push(w->scratch, &copy->facts, env->facts.data[i]);
  copy->dead = env->dead;
  return copy;
}

static void join_values(Walker *w, const Value **into, const Value *const *other, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (into[i] != other[i]) into[i] = value_join(w->scratch, into[i], other[i]);
  }
}

Env *env_join(Walker *w, const Env *a, const Env *b) {
  if (!a || a->dead) return b ? env_copy(w, b) : (a ? env_copy(w, a) : NULL);
  Env *join = env_copy(w, a);
  if (!b || b->dead) return join;
  join_values(w, join->slots, b->slots, slot_count(w));
  join_values(w, join->globals, b->globals, global_count(w));
  uint32_t kept = 0;
  for (uint32_t i = 0; i < join->facts.len; i++) {
    PathFact fact = join->facts.data[i];
    const Value *other = env_fact(b, fact.key);
    if (!other) continue;
    fact.value = value_join(w->scratch, fact.value, other);
    join->facts.data[kept++] = fact;
  }
  join->facts.len = kept;
  return join;
}

/* What a tf.cond or tf.while_loop hands on: a Python number among its outputs has become a tensor. */
static const Value *staged_value(Walker *w, const Value *v) {
  KindSet numbers = KIND(NUMBER) | KIND(BOOL);
  if (!v || !value_is(v, numbers | KIND(TENSOR)) || !value_has(v, numbers)) return v;
  Value *tensor = value_copy(w->scratch, v);
  tensor->kinds = KIND(TENSOR);
  tensor->konst = KONST_NONE;
  tensor->flags &= ~(uint32_t)(VF_CHANGING | VF_HOST_STATE | VF_MADE_BY_PARAM | VF_FLAG);
  tensor->origin = ORIGIN_FRESH;
  tensor->home = (Var){0};
  if (value_has(v, KIND(BOOL)) && !value_has(v, KIND(NUMBER))) tensor->dtype = DT_BOOL;
  if (value_is(v, numbers)) tensor->rank = 0;
  tensor->why = (Why){WHY_ASSIGNED, w->module->id, w->stmt->span, NULL};
  return tensor;
}

void env_stage(Walker *w, const Env *before, Env *after) {
  for (uint32_t i = 0; i < slot_count(w); i++) {
    if (before->slots[i] != after->slots[i]) after->slots[i] = staged_value(w, after->slots[i]);
  }
}

static bool same(const Value *a, const Value *b) {
  return a == b || value_eq(a ? a : &value_bottom, b ? b : &value_bottom);
}

bool env_eq(const Walker *w, const Env *a, const Env *b) {
  if (a->dead != b->dead || a->facts.len != b->facts.len) return false;
  for (uint32_t i = 0; i < slot_count(w); i++) {
    if (!same(a->slots[i], b->slots[i])) return false;
  }
  for (uint32_t i = 0; i < global_count(w); i++) {
    if (!same(a->globals[i], b->globals[i])) return false;
  }
  for (uint32_t i = 0; i < a->facts.len; i++) {
    const Value *other = env_fact(b, a->facts.data[i].key);
    if (!other || !same(a->facts.data[i].value, other)) return false;
  }
  return true;
}

const Value *env_fact(const Env *env, uint64_t key) {
  for (uint32_t i = 0; i < env->facts.len; i++) {
    if (env->facts.data[i].key == key) return env->facts.data[i].value;
  }
  return NULL;
}

void env_set_fact(Walker *w, uint64_t root, uint64_t key, const Value *value) {
  Env *env = w->env;
  value = value_trim(w->scratch, value);
  for (uint32_t i = 0; i < env->facts.len; i++) {
    if (env->facts.data[i].key != key) continue;
    env->facts.data[i].value = value;
    return;
  }
  vec_push(w->scratch, &env->facts, ((PathFact){root, key, value}));
}

void env_drop_root(Env *env, uint64_t root) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < env->facts.len; i++) {
    if (env->facts.data[i].root != root) env->facts.data[kept++] = env->facts.data[i];
  }
  env->facts.len = kept;
}

void env_drop_facts(Env *env) { env->facts.len = 0; }

/* A name's root key: its slot, or the symbol of a global. Odd for slots, even for symbols (pointers are aligned). */
static bool root_key(const Walker *w, const Expr *name, uint64_t *root) {
  switch (name->u.name.ref) {
    case REF_LOCAL:
      *root = (uint64_t)name->u.name.slot * 2 + 1;
      return true;
    case REF_GLOBAL:
      *root = name->u.name.id->hash & ~1ull;
      return true;
    case REF_FREE:
      *root = hash_mix(name->u.name.id->hash, name->u.name.up) & ~1ull;
      return true;
    default:
      (void)w;
      return false;
  }
}

bool path_key(const Walker *w, const Expr *expr, uint64_t *root, uint64_t *key) {
  uint64_t names = 0;
  while (expr->kind == EXPR_ATTR) {
    names = hash_mix(names, expr->u.attr.name->hash);
    expr = expr->u.attr.value;
  }
  if (expr->kind != EXPR_NAME || !root_key(w, expr, root)) return false;
  *key = hash_mix(*root, names);
  return true;
}

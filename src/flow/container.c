/* Containers changed in place: what a list, dict or set holds after `append`, `update`, `pop` …
 *
 * Values are immutable, so a change makes a new value, which goes back to the path that held the old one.
 */
#include "flow/walk.h"

static Value *loosened(Walker *w, const Value *container) {
  Value *changed = value_copy(w->scratch, container);
  changed->elem = container->part_len || container->elem ? value_held(w->scratch, container) : NULL;
  changed->parts_exact = false;
  changed->part_len = 0;
  changed->keys = NULL;
  return changed;
}

static bool outside_loop(const Walker *w) {
  return !frame_region_of(w, REGION_PYTHON_LOOP) && !frame_region_of(w, REGION_TENSOR_LOOP) &&
         !frame_region_of(w, REGION_DATASET_LOOP);
}

/* A list of known elements stays known while it grows outside of loops and branches. */
static const Value *append_exact(Walker *w, const Value *list, const Value *item) {
  const Value **parts = arena_array(w->scratch, const Value *, list->part_len + 1u);
  for (uint32_t i = 0; i < list->part_len; i++) parts[i] = list->parts[i];
  parts[list->part_len] = item;
  Value *grown = value_copy(w->scratch, list);
  grown->parts = parts;
  grown->part_len++;
  return grown;
}

static const Value *with_element(Walker *w, const Value *container, const Value *item) {
  Value *grown = loosened(w, container);
  grown->elem = value_join(w->scratch, grown->elem, item);
  if (!outside_loop(w)) grown->flags |= VF_GROWING;
  return grown;
}

const Value *container_method(Walker *w, Str qualified, const Call *call, const ApiFact *fact) {
  const Value *container = call->receiver;
  Str method = str_sub(qualified, str_rfind_char(qualified, '.') + 1, qualified.len);
  if (!value_is(container, KINDS_CONTAINER)) return NULL;
  const Value *first = args_get(call->args, 0, S("")), *last = first;
  if (call->args->positional > 1) last = call->args->values[call->args->positional - 1];
  bool one = str_eq(method, S("append")) || str_eq(method, S("add")) || str_eq(method, S("appendleft"));
  if (one && first) {
    bool exact = container->parts_exact && value_is(container, KIND(LIST)) && container->part_len < VALUE_WIDTH;
    return exact && outside_loop(w) ? append_exact(w, container, first) : with_element(w, container, first);
  }
  if (str_eq(method, S("insert")) || str_eq(method, S("setdefault")))
    return with_element(w, container, last ? last : &value_unknown);
  if (str_eq(method, S("extend")) || str_eq(method, S("update"))) {
    return with_element(w, container, first ? value_held(w->scratch, first) : &value_unknown);
  }
  if (str_eq(method, S("clear"))) {
    Value *empty = value_copy(w->scratch, container);
    empty->part_len = 0;
    empty->parts_exact = false;
    return empty;
  }
  (void)fact;
  return loosened(w, container);
}

/* One instance: binds its parameters, walks the body, collects the result. */
#include "flow/walk.h"

static void init_walker(Walker *w, struct Flow *flow, Instance *instance, WalkOut *out, Arena *scratch,
                        const Listener *listener) {
  const Project *project = flow->project;
  *w = (Walker){.flow = flow,
                .project = project,
                .instance = instance,
                .module = project_module(project, instance->func.module),
                .function = project_function(project, instance->func),
                .facts = project_facts(project, instance->func),
                .context = instance->context,
                .scratch = scratch,
                .out = out,
                .returns = &value_bottom,
                .listener = listener};
  if (instance->receiver.module != NO_MODULE) w->receiver = project_class_info(project, instance->receiver);
  w->env = env_new(w);
  w->frame = (Frame){.flow = flow,
                     .project = project,
                     .module = w->module,
                     .function = w->function,
                     .ref = instance->func,
                     .instance = instance->id,
                     .context = instance->context,
                     .receiver = w->receiver,
                     .scratch = scratch,
                     .walker = w};
}

static void bind_params(Walker *w) {
  const Function *function = w->function;
  for (uint32_t i = 0; i < function->param_len; i++) {
    const Param *param = &function->params[i];
    if (!param->name) continue;
    const Value *value = i < w->instance->param_len ? w->instance->params[i] : &value_unknown;
    if (value_is_unknown(value) && param->annotation) value = annotated_value(w, param);
    assign_name(w, param->name, value);
  }
}

static void walk_body(Walker *w) {
  const Function *function = w->function;
  if (function->is_lambda) {
    w->returns = eval(w, function->lambda_body);
    Event event = {
        .kind = EV_RETURN, .expr = function->lambda_body, .span = function->lambda_body->span, .value = w->returns};
    emit_event(w, &event);
    return;
  }
  exec_block(w, &function->body);
  if (!w->env->dead) w->returns = value_join(w->scratch, w->returns, value_new(w->scratch, KIND(NONE)));
}

/* A generator function gives a host iterator over what it yields; a coroutine something we do not follow. */
static const Value *call_result(Walker *w) {
  if (w->function->is_async) return &value_unknown;
  if (!w->function->is_generator) return w->returns;
  Value *generator = value_new(w->scratch, KIND(HOST_ITERATOR));
  generator->origin = ORIGIN_FRESH;
  generator->elem = w->yields ? w->yields : &value_unknown;
  if (w->walks_dataset) generator->flags |= VF_OVER_DATASET;
  return generator;
}

void walk_instance(struct Flow *flow, Instance *instance, WalkOut *out, Arena *scratch, const Listener *listener) {
  Walker walker;
  init_walker(&walker, flow, instance, out, scratch, listener);
  if (instance->kind != INSTANCE_FUNCTION) {
    walk_driver(&walker);
    out->result = &value_bottom;
    return;
  }
  bind_params(&walker);
  Event enter = {.kind = EV_ENTER, .span = walker.function->header, .function = walker.function};
  emit_event(&walker, &enter);
  walk_body(&walker);
  out->result = out->over_budget ? &value_unknown : call_result(&walker);
  Event leave = {.kind = EV_LEAVE, .span = walker.function->header, .function = walker.function, .value = out->result};
  emit_event(&walker, &leave);
}

/* Recognises the application of a tracing decorator from what is called. */
#include "rules/decoration.h"

static bool is_tracing_api(const Event *event, const Obj *obj) {
  if (obj->kind == OBJ_PARTIAL && obj->target && obj->target->obj_len == 1) obj = obj->target->objs[0];
  if (!obj->api) return false;
  const ApiFact *fact = catalog_api(event->frame->project->catalog, obj->api->text);
  return fact && (fact->tags & TAG(TRACING_DECORATOR));
}

bool decoration_traces(const Event *event) {
  const Value *callee = event->callee;
  return callee && callee->obj_len == 1 && !callee->obj_more && is_tracing_api(event, callee->objs[0]);
}

const Function *decoration_function(const Event *event, uint32_t *index) {
  const Stmt *stmt = event->frame->stmt;
  if (!event->decorates || !stmt || stmt->kind != STMT_FUNCTION) return NULL;
  const Function *function = stmt->u.function;
  for (uint32_t i = 0; i < function->decorator_len; i++) {
    if (function->decorators[i] != event->expr) continue;
    *index = i;
    return function;
  }
  return NULL;
}

const ClassInfo *decoration_class(const Event *event, const Function *function) {
  if (!function->owner) return NULL;
  return project_class_info(event->frame->project, (ClassRef){event->frame->module->id, function->owner->index});
}

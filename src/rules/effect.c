/* Judges effects of traced code on places that outlive the trace. Requires: the indexes of reads and writes.
 *
 *   @tf.function
 *   def step(self, x):
 *     self.loss = tf.reduce_sum(x)    # the write
 *     return self.loss                # read behind it in the same function: the same call
 *   def report(self): return self.loss  # elsewhere
 *
 * A read in another function counts as the same call if whoever runs it runs the writer too; the order of the two is not known
 * then.
 */
#include "rules/effect.h"

#include "rules/apart.h"

bool effect_frozen(const Event *event) {
  Context context = event->frame->context;
  if (!ctx_traced(context) || (context & (CTX_SETUP | CTX_GRAPH))) return false;
  return !frame_region(event->frame, REGION_GRAPH_SCOPE);
}

/* ---- what is changed ---- */

static void last_argument(const Args *args, Mutation *out) {
  if (!args || !args->len) return;
  out->stored = args->values[args->len - 1];
  out->stored_expr = args->exprs[args->len - 1];
}

/* The container is the receiver of a method, or the first argument of a function: `heapq.heappush(rows, x)`. */
static bool mutating_call(const Event *event, Mutation *out) {
  if (!event->api || !(event->api->tags & TAG(MUTATES)) || event->expr->kind != EXPR_CALL) return false;
  const Expr *callee = event->expr->u.call.callee;
  if (event->receiver && callee->kind == EXPR_ATTR) {
    out->container = event->receiver;
    out->path = callee->u.attr.value;
  } else if (!event->receiver && event->args && event->args->positional && event->args->exprs[0]) {
    out->container = event->args->values[0];
    out->path = event->args->exprs[0];
    out->by = callee;
  } else {
    return false;
  }
  out->var = out->container->home;
  if (event->api->tags & TAG(GROWS)) last_argument(event->args, out);
  if (event->receiver && value_is(event->receiver, KIND(DICT))) out->key = args_get(event->args, 0, S("key"));
  return true;
}

static bool mutating_store(const Event *event, Mutation *out) {
  const Expr *target = event->target;
  bool in_place = event->store == STORE_AUG && event->operand_len == 2 && event->operands[0]->kinds &&
                  value_is(event->operands[0], KIND(LIST) | KIND(DICT) | KIND(SET));
  if (in_place) {
    out->container = event->operands[0];
    out->path = target;
    out->stored = event->operands[1];
    out->var = event->operands[0]->home;
    return true;
  }
  if (target->kind != EXPR_SUBSCRIPT || !event->receiver) return false;
  out->container = event->receiver;
  out->path = target->u.subscript.value;
  out->var = event->receiver->home;
  out->key = event->key;
  out->stored = event->store == STORE_DELETE ? NULL : event->store == STORE_AUG ? event->result : event->value;
  return true;
}

bool effect_mutation(const Event *event, Mutation *out) {
  *out = (Mutation){.statement = event->stmt ? event->stmt->span : event->span};
  bool found =
      event->kind == EV_CALL ? mutating_call(event, out) : event->kind == EV_STORE && mutating_store(event, out);
  if (!found || !out->container->kinds) return false;
  return value_is(out->container, KIND(LIST) | KIND(DICT) | KIND(SET) | KIND(OBJECT));
}

bool effect_is_symbolic(const Value *value) {
  if (!value || !value->kinds) return false;
  if (value_is(value, KIND(TENSOR_ARRAY)) && value->origin != ORIGIN_OUTER) return true;
  if (value->flags & VF_TAINTED) return false;
  bool ragged_or_sparse = value_is(value, KIND(TENSOR) | KIND(COMPOSITE)) && value->origin != ORIGIN_OUTER;
  return ragged_or_sparse || value_is_tensor(value) || value_holds_tensor(value);
}

/* ---- who reads it ---- */

/* Some write of the same function stands before the read: what is read was stored in this call. */
static bool written_before(RuleContext *ctx, Var var, const ReadRecord *read) {
  WriteSet writes = flow_writes(rule_flow(ctx), var);
  for (uint32_t i = 0; i < writes.len; i++) {
    const WriteRecord *write = &writes.data[i];
    bool binds = write->kind == WRITE_ASSIGN && !write->guarded;
    if (binds && func_eq(write->func, read->func) && write->span.start < read->span.start) return true;
  }
  return false;
}

/* The function of a Lambda layer is traced by itself, and again by whoever calls the layer. */
static bool is_of_lambda_layer(RuleContext *ctx, const ReadRecord *read) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), read->instance);
  return chain.len && chain.steps[0].root == ROOT_KERAS_ARGUMENT;
}

/* Some other traced statement writes the place too: what was written last is not known then. */
static bool is_only_write(RuleContext *ctx, Var var, Span statement) {
  WriteSet writes = flow_writes(rule_flow(ctx), var);
  for (uint32_t i = 0; i < writes.len; i++) {
    const WriteRecord *write = &writes.data[i];
    if (ctx_traced(write->context) && !span_holds(statement, write->span)) return false;
  }
  return true;
}

/* `if self.last is not None: x += self.last`, then `self.remember(x)`, which writes it: what is read is of an earlier call. */
static bool reads_before_call(RuleContext *ctx, const Event *event, Var var, const ReadRecord *read, Span statement) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), event->frame->instance);
  for (uint32_t i = 0; i + 1 < chain.len; i++) {
    const ChainStep *call = &chain.steps[i + 1];
    if (!func_eq(chain.steps[i].func, read->func) || call->module != read->module) continue;
    return read->span.start < call->span.start && is_only_write(ctx, var, statement);
  }
  return false;
}

static Meeting meeting_of(RuleContext *ctx, const Event *event, Var var, const ReadRecord *read, Span statement) {
  if (is_of_lambda_layer(ctx, read)) return MEET_UNSEEN;
  if (!func_eq(read->func, event->frame->ref)) {
    Meeting meeting = flow_meet(rule_scratch(ctx), rule_flow(ctx), read->instance, event->frame->ref);
    bool earlier = meeting == MEET_TOGETHER && reads_before_call(ctx, event, var, read, statement);
    return earlier ? MEET_APART : meeting;
  }
  if (read->span.start > statement.end || written_before(ctx, var, read)) return MEET_TOGETHER;
  if (is_kept_apart(ctx, event->frame, read->span.start))
    return MEET_TOGETHER;  // whoever runs the one never runs the other
  return flow_is_called(rule_flow(ctx), read->func) ? MEET_APART : MEET_UNSEEN;
}

static bool shares_base(const Project *project, ClassRef cls, const ClassInfo *info) {
  for (uint32_t i = 0; i < info->mro.len; i++)
    if (project_is_subclass(project, cls, info->mro.data[i])) return true;
  return false;
}

/* What `__call__` of a base stores, the `run` that it calls reads in some subclass, maybe one that nobody visible makes. */
static bool is_read_in_family(const Project *project, const Flow *flow, Var var) {
  if (var.kind != VAR_FIELD || var.module == NO_MODULE) return false;
  ClassRef own = {var.module, var.owner};
  const ClassInfo *info = project_class_info(project, own);
  for (uint32_t i = 0; i < project->class_count; i++) {
    ClassRef other = project->classes[i].ref;
    if (class_eq(other, own) || project_module(project, other.module)->is_test) continue;
    Var field = var;
    field.module = other.module;
    field.owner = other.index;
    if (flow_reads(flow, field).len && shares_base(project, other, info)) return true;
  }
  return false;
}

PlaceUse effect_use(RuleContext *ctx, const Event *event, Var var, Span statement, const ReadRecord **witness) {
  PlaceUse use = USE_NONE;
  ReadSet reads = flow_reads(rule_flow(ctx), var);
  for (uint32_t i = 0; i < reads.len; i++) {
    const ReadRecord *read = &reads.data[i];
    if (project_module(event->frame->project, read->module)->is_test && !event->frame->module->is_test) continue;
    if (read->module == event->frame->module->id && span_holds(statement, read->span) &&
        !written_before(ctx, var, read))
      continue;
    Meeting meeting = meeting_of(ctx, event, var, read, statement);
    if (meeting == MEET_UNSEEN) continue;
    if (use == USE_NONE) use = USE_SAME_CALL;
    if (meeting == MEET_TOGETHER) continue;
    if (witness) *witness = read;
    return USE_ELSEWHERE;
  }
  return use == USE_NONE && is_read_in_family(event->frame->project, rule_flow(ctx), var) ? USE_SAME_CALL : use;
}

typedef struct CacheSearch {
  const Expr *path;
  bool found;
} CacheSearch;

static void search_membership(void *context, Expr *expr) {
  CacheSearch *search = context;
  if (!expr || search->found) return;
  if (expr->kind == EXPR_COMPARE && expr->u.compare.operands.len == 2) {
    bool membership = expr->u.compare.ops[0] == CMP_IN || expr->u.compare.ops[0] == CMP_NOT_IN;
    search->found = membership && expr_same_path(expr->u.compare.operands.data[1], search->path);
  }
  if (!search->found) expr_children(expr, search_membership, context);
}

bool effect_fills_cache(const Event *event, const Expr *path) {
  CacheSearch search = {path, false};
  for (uint32_t i = 0; i < event->frame->region_len && !search.found; i++) {
    search_membership(&search, (Expr *)event->frame->regions[i].expr);
  }
  return search.found;
}

static FuncRef root_of(RuleContext *ctx, InstanceId instance) {
  Chain chain = flow_chain(rule_scratch(ctx), rule_flow(ctx), instance);
  return chain.len ? chain.steps[0].func : (FuncRef){NO_MODULE, 0};
}

bool effect_is_reset(RuleContext *ctx, const Event *event, Var var) {
  FuncRef root = root_of(ctx, event->frame->instance);
  WriteSet writes = flow_writes(rule_flow(ctx), var);
  for (uint32_t i = 0; i < writes.len; i++) {
    const WriteRecord *write = &writes.data[i];
    bool binds = write->kind == WRITE_ASSIGN && ctx_traced(write->context) && !write->guarded && !write->in_init;
    if (binds && (func_eq(write->func, root) || func_eq(write->func, event->frame->ref))) return true;
  }
  return false;
}

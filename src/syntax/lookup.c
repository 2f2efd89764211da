/* From a byte offset to the statement or function around it. */
#include "syntax/ast.h"

static bool holds(Span span, uint32_t offset) { return span.start <= offset && offset < span.end; }

/* The statement of a block whose span holds the offset. Spans of a block's statements are sorted and disjoint. */
static const Stmt *in_block(Block block, uint32_t offset) {
  uint32_t low = 0, high = block.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (block.data[middle]->span.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low < block.len && holds(block.data[low]->span, offset) ? block.data[low] : NULL;
}

/* One step down: the statement itself if one of its headers holds the offset, else the statement below that does. */
typedef struct Step {
  uint32_t offset;
  bool in_header;
  const Stmt *below;
} Step;

static void look_at(Step *step, Span header, Block body) {
  if (holds(header, step->offset)) step->in_header = true;
  if (!step->below) step->below = in_block(body, step->offset);
}

static void look_into(Step *step, const Stmt *stmt) {
  Span none = {0, 0};
  switch ((StmtKind)stmt->kind) {
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++)
        look_at(step, stmt->u.branch.arms[i].header, stmt->u.branch.arms[i].body);
      break;
    case STMT_WHILE:
      look_at(step, none, stmt->u.loop.body);
      look_at(step, none, stmt->u.loop.orelse);
      break;
    case STMT_FOR:
      look_at(step, none, stmt->u.forloop.body);
      look_at(step, none, stmt->u.forloop.orelse);
      break;
    case STMT_WITH:
      look_at(step, none, stmt->u.with.body);
      break;
    case STMT_TRY:
      look_at(step, none, stmt->u.try_.body);
      for (uint32_t i = 0; i < stmt->u.try_.handler_len; i++) {
        look_at(step, stmt->u.try_.handlers[i].header, stmt->u.try_.handlers[i].body);
      }
      look_at(step, none, stmt->u.try_.orelse);
      look_at(step, none, stmt->u.try_.finally);
      break;
    case STMT_MATCH:
      for (uint32_t i = 0; i < stmt->u.match.len; i++)
        look_at(step, stmt->u.match.cases[i].header, stmt->u.match.cases[i].body);
      break;
    case STMT_FUNCTION:
      look_at(step, none, stmt->u.function->body);
      break;
    case STMT_CLASS:
      look_at(step, none, stmt->u.class_->body);
      break;
    default:
      break;
  }
}

uint32_t ast_stmts_at(const Ast *ast, uint32_t offset, const Stmt **out, uint32_t max) {
  uint32_t len = 0;
  const Stmt *stmt = in_block(ast->module->body, offset);
  while (stmt && len < max) {
    out[len++] = stmt;
    Step step = {.offset = offset};
    if (!holds(stmt->header, offset)) look_into(&step, stmt);
    stmt = step.in_header ? NULL : step.below;
  }
  return len;
}

const Stmt *ast_stmt_at(const Ast *ast, uint32_t offset) {
  const Stmt *stmt = in_block(ast->module->body, offset);
  while (stmt && !holds(stmt->header, offset)) {
    Step step = {.offset = offset};
    look_into(&step, stmt);
    if (step.in_header) return stmt;
    stmt = step.below;
  }
  return stmt;
}

/* Functions that hold one offset lie inside each other, so the innermost is the shortest. */
const Function *ast_function_at(const Ast *ast, uint32_t offset) {
  const Function *best = ast->module;
  for (uint32_t i = 1; i < ast->functions.len; i++) {
    const Function *function = ast->functions.data[i];
    if (!holds(function->span, offset)) continue;
    if (best == ast->module || function->span.end - function->span.start < best->span.end - best->span.start)
      best = function;
  }
  return best;
}

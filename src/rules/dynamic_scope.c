/* Read from the text of one function, with its nested blocks:
 *
 *   was = self.mode          saves
 *   self.mode = "fast"
 *   try: return self.run(x)
 *   finally: self.mode = was restores
 */
#include "rules/dynamic_scope.h"

typedef struct Scan {
  const Expr *place;
  Sym saved;      // looked for: NULL while looking for what restores
  Sym restoring;  // name that some statement stores to the place
  bool found;
} Scan;

static void scan_block(Scan *scan, const Block *block);

/* `self.mode`, or `getattr(self, "mode", …)`. */
static bool reads_place(const Expr *value, const Expr *place) {
  if (expr_same_path(value, place)) return true;
  bool by_name = value->kind == EXPR_CALL && value->u.call.callee->kind == EXPR_NAME &&
                 sym_is(value->u.call.callee->u.name.id, S("getattr")) && value->u.call.args.len >= 2;
  if (!by_name || place->kind != EXPR_ATTR) return false;
  const Expr *name = value->u.call.args.data[1];
  return expr_same_path(value->u.call.args.data[0], place->u.attr.value) && name->kind == EXPR_CONST &&
         name->u.constant.kind == CONST_STR && str_eq(place->u.attr.name->text, name->u.constant.text);
}

static void scan_assign(Scan *scan, const Stmt *stmt) {
  const Expr *value = stmt->u.assign.value;
  for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++) {
    const Expr *target = stmt->u.assign.targets.data[i];
    if (scan->saved) {
      scan->found |= target->kind == EXPR_NAME && target->u.name.id == scan->saved && reads_place(value, scan->place);
    } else if (value->kind == EXPR_NAME && expr_same_path(target, scan->place)) {
      scan->restoring = value->u.name.id;
    }
  }
}

static void scan_stmt(Scan *scan, const Stmt *stmt) {
  switch ((StmtKind)stmt->kind) {
    case STMT_ASSIGN:
      scan_assign(scan, stmt);
      return;
    case STMT_IF:
      for (uint32_t i = 0; i < stmt->u.branch.len; i++) scan_block(scan, &stmt->u.branch.arms[i].body);
      return;
    case STMT_WITH:
      scan_block(scan, &stmt->u.with.body);
      return;
    case STMT_TRY:
      scan_block(scan, &stmt->u.try_.body);
      scan_block(scan, &stmt->u.try_.orelse);
      scan_block(scan, &stmt->u.try_.finally);
      return;
    default:
      return;
  }
}

static void scan_block(Scan *scan, const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) scan_stmt(scan, block->data[i]);
}

bool is_dynamic_scope(const Function *function, const Expr *place) {
  Scan scan = {.place = place};
  scan_block(&scan, &function->body);
  if (!scan.restoring) return false;
  scan.saved = scan.restoring;
  scan_block(&scan, &function->body);
  return scan.found;
}

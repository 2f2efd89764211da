/* Import statements. */
#include "syntax/lower.h"

static ImportName lower_import_name(Lower *low, const Kid *kid) {
  ImportName name = {.span = kid->span};
  if (kid->kind == NODE_WILDCARD_IMPORT) return name;
  if (kid->kind == NODE_DOTTED_NAME) {
    name.name = lower_dotted(low, kid);
    return name;
  }
  Kids kids = lower_kids(low, kid);  // name `as` alias
  uint32_t dotted = kids_find(kids, NODE_DOTTED_NAME, 0), alias = kids_find(kids, NODE_IDENTIFIER, 0);
  if (dotted < kids.len) name.name = lower_dotted(low, &kids.data[dotted]);
  if (alias < kids.len) name.as = lower_symbol(low, kids.data[alias].span);
  return name;
}

/* `m`, `.m`, `..`: what stands between `from` and `import`. */
static void lower_module_name(Lower *low, Stmt *stmt, const Kid *kid) {
  stmt->u.import.module_span = kid->span;
  if (kid->kind != NODE_RELATIVE_IMPORT) {
    // The grammar gives `__future__` no node but a token.
    bool dotted = kid->kind == NODE_DOTTED_NAME;
    stmt->u.import.module = dotted ? lower_dotted(low, kid) : lower_symbol(low, kid->span);
    return;
  }
  Kids kids = lower_kids(low, kid);
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind == NODE_DOTTED_NAME) stmt->u.import.module = lower_dotted(low, &kids.data[i]);
    if (kids.data[i].kind != NODE_IMPORT_PREFIX) continue;
    Str dots = lower_text(low, kids.data[i].span);
    for (size_t k = 0; k < dots.len; k++) stmt->u.import.dots += dots.ptr[k] == '.';
  }
}

void lower_import(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  uint32_t from = 0;
  if (kids.damaged || kids.len < 2) return;
  stmt->kind = STMT_IMPORT;
  if (kid->kind != NODE_IMPORT_STATEMENT) {
    stmt->kind = STMT_IMPORT_FROM;
    lower_module_name(low, stmt, &kids.data[1]);
    from = 2;
  }
  stmt->u.import.names = arena_array(low->arena, ImportName, kids.len);
  for (uint32_t i = from; i < kids.len; i++) {
    NodeKind kind = kids.data[i].kind;
    if (kind != NODE_DOTTED_NAME && kind != NODE_ALIASED_IMPORT && kind != NODE_WILDCARD_IMPORT) continue;
    stmt->u.import.names[stmt->u.import.len++] = lower_import_name(low, &kids.data[i]);
  }
}

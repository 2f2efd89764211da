/* Text to Ast: runs tree-sitter, lowers, frees what is foreign.
 *
 * tree-sitter aborts the program when it runs out of memory, so it is given an allocator that panics instead. That is a write
 * to a global which all threads share: it is done once, and the memory is the C library's before and after. If lowering runs
 * out of memory, the concrete tree is released before the panic goes on; if the parser itself does, it is left as it is,
 * because nobody knows in what state.
 */
#include <stdlib.h>

#include "base/panic.h"
#include "base/par.h"
#include "syntax/comment_block.h"
#include "syntax/lower.h"

const TSLanguage *tree_sitter_python(void);

/* What must be released by hand, reachable from the panic handler. */
typedef struct Foreign {
  TSParser *parser;
  TSTree *tree;
  bool has_cursor;
  bool parsing;
} Foreign;

static void *in_memory(void *memory, size_t size) {
  if (!memory && size) panic_raise(__FILE__, __LINE__, "out of memory");
  return memory;
}

static void *foreign_malloc(size_t size) { return in_memory(malloc(size), size); }
static void *foreign_calloc(size_t count, size_t size) { return in_memory(calloc(count, size), count && size); }
static void *foreign_realloc(void *old, size_t size) { return in_memory(realloc(old, size), size); }
static void set_allocator(void) { ts_set_allocator(foreign_malloc, foreign_calloc, foreign_realloc, free); }

static void release(Lower *low, Foreign *foreign) {
  arena_release(&low->scratch);
  if (foreign->parsing) return;
  if (foreign->has_cursor) ts_tree_cursor_delete(&low->cursor);
  ts_tree_delete(foreign->tree);
  ts_parser_delete(foreign->parser);
}

/* The grammar knows no lone carriage return as a line end: each becomes a line feed, which moves no offset. */
static Str with_line_feeds(Arena *scratch, Str text) {
  size_t at = str_find_char(text, '\r');
  while (at < text.len && at + 1 < text.len && text.ptr[at + 1] == '\n') {
    size_t next = str_find_char(str_sub(text, at + 2, text.len), '\r');
    at = next == STR_NONE ? text.len : at + 2 + next;
  }
  if (at >= text.len) return text;
  char *copy = arena_array(scratch, char, text.len);
  for (size_t i = 0; i < text.len; i++) {
    bool lone = text.ptr[i] == '\r' && (i + 1 == text.len || text.ptr[i + 1] != '\n');
    copy[i] = lone ? '\n' : text.ptr[i];
  }
  return (Str){copy, text.len};
}

static void parse(Lower *low, Foreign *foreign) {
  Str text = with_line_feeds(&low->scratch, low->source->text);
  text = comment_blocks_take(low->arena, &low->scratch, text, &low->ast->comments);
  foreign->parsing = true;
  foreign->parser = ts_parser_new();
  bool accepted = ts_parser_set_language(foreign->parser, tree_sitter_python());
  tf_assert(accepted);
  node_kinds_init(&low->scratch, &low->kinds, tree_sitter_python());
  foreign->tree = ts_parser_parse_string(foreign->parser, NULL, text.len > 0 ? text.ptr : "", (uint32_t)text.len);
  foreign->parsing = false;
  tf_assert(foreign->tree);
  TSNode root = ts_tree_root_node(foreign->tree);
  low->cursor = ts_tree_cursor_new(root);
  foreign->has_cursor = true;
  Kid kid = lower_kid(low, root);
  lower_module(low, &kid);
}

static int comment_cmp(const void *a, const void *b) {
  const Comment *x = a, *y = b;
  return x->span.start < y->span.start ? -1 : x->span.start > y->span.start;
}

/* By start, the larger first, so that what lies inside another region follows it. */
static int region_cmp(const void *a, const void *b) {
  const ErrorRegion *x = a, *y = b;
  if (x->span.start != y->span.start) return x->span.start < y->span.start ? -1 : 1;
  if (x->span.end != y->span.end) return x->span.end > y->span.end ? -1 : 1;
  return str_cmp(x->what, y->what);
}

static void sort_comments(Ast *ast) {
  uint32_t kept = 0;
  if (ast->comments.len > 1) qsort(ast->comments.data, ast->comments.len, sizeof *ast->comments.data, comment_cmp);
  for (uint32_t i = 0; i < ast->comments.len; i++) {
    Comment comment = ast->comments.data[i];
    if (kept > 0 && ast->comments.data[kept - 1].span.start == comment.span.start) continue;
    ast->comments.data[kept++] = comment;
  }
  ast->comments.len = kept;
}

static void sort_errors(Ast *ast) {
  uint32_t kept = 0;
  if (ast->errors.len > 1) qsort(ast->errors.data, ast->errors.len, sizeof *ast->errors.data, region_cmp);
  for (uint32_t i = 0; i < ast->errors.len; i++) {
    ErrorRegion region = ast->errors.data[i];
    if (kept > 0 && span_holds(ast->errors.data[kept - 1].span, region.span)) continue;
    ast->errors.data[kept++] = region;
  }
  ast->errors.len = kept;
}

Ast *ast_parse(Arena *arena, SymTable *symbols, const Source *source) {
  Ast *ast = arena_new(arena, Ast);
  static ParOnce once;
  par_once(&once, set_allocator);
  ast->source = source;
  // Reached through a pointer, so that the handler sees them as they were when the panic was raised.
  Lower *low = arena_new(arena, Lower);
  Foreign *foreign = arena_new(arena, Foreign);
  *low = (Lower){.arena = arena, .symbols = symbols, .source = source, .ast = ast};
  Panic panic;
  if (panic_enter(&panic)) {
    release(low, foreign);
    panic_raise(panic.file, panic.line, panic.what);
  }
  parse(low, foreign);
  panic_leave(&panic);
  release(low, foreign);
  sort_comments(ast);
  sort_errors(ast);
  return ast;
}

/* `match` and its patterns.
 *
 * A bare name captures, a dotted one is compared; a pattern that is damaged or too deep is a wildcard that binds nothing.
 * MAPPING keeps its keys as VALUE parts, each before the pattern of its value.
 */
#include "syntax/lower.h"

static Pattern *lower_pattern(Lower *low, const Kid *kid);

typedef VEC(Pattern *) PatternVec;

static Pattern *pattern_new(Lower *low, PatternKind kind, Span span) {
  Pattern *pattern = arena_new(low->arena, Pattern);
  pattern->kind = kind;
  pattern->span = span;
  return pattern;
}

static void set_parts(Lower *low, Pattern *pattern, const PatternVec *parts) {
  pattern->part_len = parts->len;
  if (parts->len == 0) return;
  pattern->parts = arena_array(low->arena, Pattern *, parts->len);
  memcpy(pattern->parts, parts->data, parts->len * sizeof *parts->data);
}

static Pattern *lower_lost(Lower *low, const Kid *kid) {
  lower_abandon(low, kid);
  return pattern_new(low, PAT_WILDCARD, kid->span);
}

static Pattern *lower_capture(Lower *low, PatternKind kind, Span span, const Kid *name) {
  Pattern *pattern = pattern_new(low, kind, span);
  if (str_eq(lower_text(low, name->span), S("_"))) {
    if (kind == PAT_CAPTURE) pattern->kind = PAT_WILDCARD;
  } else {
    pattern->name = lower_stored(lower_name(low, name));
  }
  return pattern;
}

/* `-1`, `1+2j`: the sign or sum is one literal to Python; only a lone positive number has a value here. */
static Pattern *lower_value(Lower *low, const Kid *kid, bool negative, Span span) {
  Pattern *pattern = pattern_new(low, PAT_VALUE, span);
  if (kid->kind == NODE_COMPLEX_PATTERN) {
    pattern->value = lower_opaque(low, kid);
    return pattern;
  }
  Expr *value = lower_expr(low, kid);
  pattern->value = value;
  if (negative) {
    pattern->value = expr_new(low, EXPR_UNARY, span);
    pattern->value->u.unary.op = OP_NEG;
    pattern->value->u.unary.operand = value;
  }
  return pattern;
}

static bool is_pattern(NodeKind kind) {
  switch (kind) {
    case NODE_CASE_PATTERN:
    case NODE_AS_PATTERN:
    case NODE_KEYWORD_PATTERN:
    case NODE_CLASS_PATTERN:
    case NODE_SPLAT_PATTERN:
    case NODE_UNION_PATTERN:
    case NODE_LIST_PATTERN:
    case NODE_TUPLE_PATTERN:
    case NODE_DICT_PATTERN:
    case NODE_COMPLEX_PATTERN:
    case NODE_DOTTED_NAME:
    case NODE_STRING:
    case NODE_CONCATENATED_STRING:
    case NODE_INTEGER:
    case NODE_FLOAT:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NONE:
    case TOKEN_UNDERSCORE:
      return true;
    default:
      return false;
  }
}

/* The patterns among kids[from..to), signs taken together with their numbers. */
static void lower_patterns(Lower *low, Kids kids, uint32_t from, uint32_t to, PatternVec *out) {
  for (uint32_t i = from; i < to && i < kids.len; i++) {
    const Kid *kid = &kids.data[i];
    if (!is_pattern(kid->kind)) continue;
    bool negative = i > 0 && kids.data[i - 1].kind == TOKEN_MINUS;
    Pattern *pattern =
        negative ? lower_value(low, kid, true, span_join(kids.data[i - 1].span, kid->span)) : lower_pattern(low, kid);
    vec_push(&low->scratch, out, pattern);
  }
}

static Pattern *lower_group(Lower *low, const Kid *kid, Kids kids, PatternKind kind, uint32_t from) {
  PatternVec parts = {0};
  lower_patterns(low, kids, from, kids.len, &parts);
  bool grouping = kid->kind == NODE_TUPLE_PATTERN && parts.len == 1 && kids_find(kids, TOKEN_COMMA, 0) == kids.len;
  if (grouping && parts.data[0]->kind != PAT_STAR) return parts.data[0];
  Pattern *pattern = pattern_new(low, kind, kid->span);
  set_parts(low, pattern, &parts);
  return pattern;
}

static Pattern *lower_class_pattern(Lower *low, const Kid *kid, Kids kids) {
  Expr *class_ = lower_expr(low, &kids.data[0]);
  Pattern *pattern = lower_group(low, kid, kids, PAT_CLASS, 1);
  pattern->value = class_;
  return pattern;
}

/* `pattern as name` */
static Pattern *lower_as(Lower *low, const Kid *kid, Kids kids) {
  if (kids.len < 3) return lower_lost(low, kid);
  Pattern *pattern = lower_capture(low, PAT_AS, kid->span, &kids.data[kids.len - 1]);
  PatternVec parts = {0};
  lower_patterns(low, kids, 0, kids.len - 2, &parts);
  set_parts(low, pattern, &parts);
  return pattern;
}

/* A keyword of a class pattern binds through its value alone. */
static Pattern *lower_keyword_pattern(Lower *low, const Kid *kid, Kids kids) {
  PatternVec parts = {0};
  lower_patterns(low, kids, kids_find(kids, TOKEN_ASSIGN, 0), kids.len, &parts);
  return parts.len == 1 ? parts.data[0] : lower_lost(low, kid);
}

static Pattern *lower_opened(Lower *low, const Kid *kid, Kids kids) {
  PatternVec parts = {0};
  switch (kid->kind) {
    case NODE_CASE_PATTERN:
      lower_patterns(low, kids, 0, kids.len, &parts);
      return parts.len == 1 ? parts.data[0] : lower_lost(low, kid);
    case NODE_AS_PATTERN:
      return lower_as(low, kid, kids);
    case NODE_KEYWORD_PATTERN:
      return lower_keyword_pattern(low, kid, kids);
    case NODE_CLASS_PATTERN:
      return kids.len > 1 ? lower_class_pattern(low, kid, kids) : lower_lost(low, kid);
    case NODE_SPLAT_PATTERN:
      return kids.len == 2 ? lower_capture(low, PAT_STAR, kid->span, &kids.data[1]) : lower_lost(low, kid);
    case NODE_UNION_PATTERN:
      return lower_group(low, kid, kids, PAT_OR, 0);
    case NODE_DICT_PATTERN:
      return lower_group(low, kid, kids, PAT_MAPPING, 0);
    default:
      return lower_group(low, kid, kids, PAT_SEQUENCE, 0);
  }
}

static Pattern *lower_dotted_pattern(Lower *low, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  if (kids.damaged) return lower_lost(low, kid);
  if (kids.len == 1) return lower_capture(low, PAT_CAPTURE, kid->span, &kids.data[0]);
  return lower_value(low, kid, false, kid->span);
}

static Pattern *lower_pattern_here(Lower *low, const Kid *kid) {
  if (kid->kind == TOKEN_UNDERSCORE) return pattern_new(low, PAT_WILDCARD, kid->span);
  if (kid->kind == NODE_DOTTED_NAME) return lower_dotted_pattern(low, kid);
  bool is_literal = node_is_expr(kid->kind) && kid->kind != NODE_LIST_PATTERN && kid->kind != NODE_TUPLE_PATTERN &&
                    kid->kind != NODE_AS_PATTERN;
  if (is_literal || kid->kind == NODE_COMPLEX_PATTERN) return lower_value(low, kid, false, kid->span);
  Kids kids = lower_kids(low, kid);
  return kids.damaged ? lower_lost(low, kid) : lower_opened(low, kid, kids);
}

static Pattern *lower_pattern(Lower *low, const Kid *kid) {
  if (low->depth >= AST_MAX_DEPTH) {
    lower_note_error(low, kid->span, S("nesting deeper than 256"));
    return lower_lost(low, kid);
  }
  low->depth++;
  Pattern *pattern = lower_pattern_here(low, kid);
  low->depth--;
  return pattern;
}

/* `case a, b:` is a sequence without brackets. */
static Pattern *lower_case_pattern(Lower *low, Kids kids, uint32_t stop) {
  PatternVec parts = {0};
  lower_patterns(low, kids, 0, stop, &parts);
  uint32_t comma = kids_find(kids, TOKEN_COMMA, 0);
  if (parts.len == 0) return pattern_new(low, PAT_WILDCARD, kids.data[0].span);
  if (parts.len == 1 && comma >= stop && parts.data[0]->kind != PAT_STAR) return parts.data[0];
  Pattern *pattern = pattern_new(low, PAT_SEQUENCE, span_join(parts.data[0]->span, vec_last(&parts)->span));
  set_parts(low, pattern, &parts);
  return pattern;
}

static void lower_case(Lower *low, const Kid *kid, MatchCase *out) {
  Kids kids = lower_kids(low, kid);
  out->header = lower_header(kids, kid->span.start);
  uint32_t colon = kids_find(kids, TOKEN_COLON, 0), guard = kids_find(kids, NODE_IF_CLAUSE, 0);
  out->pattern = lower_case_pattern(low, kids, guard < colon ? guard : colon);
  if (guard < kids.len) {
    Kids parts = lower_kids(low, &kids.data[guard]);
    bool sound = !parts.damaged && parts.len == 2;
    out->guard = sound ? lower_expr(low, &parts.data[1]) : lower_opaque(low, &kids.data[guard]);
  }
  out->body = lower_body(low, kids, 0);
}

void lower_match(Lower *low, Stmt *stmt, const Kid *kid) {
  Kids kids = lower_kids(low, kid);
  uint32_t block = kids_find(kids, NODE_BLOCK, 0), colon = kids_find(kids, TOKEN_COLON, 0);
  if (kids.damaged || block == kids.len) return;
  stmt->u.match.subject = lower_expr_or_tuple(low, kids, 1, colon);
  if (!stmt->u.match.subject) return;
  stmt->kind = STMT_MATCH;
  stmt->header = lower_header(kids, kid->span.start);
  stmt->span.end = stmt->header.end;
  Kids cases = lower_kids(low, &kids.data[block]);
  stmt->u.match.cases = arena_array(low->arena, MatchCase, cases.len);
  for (uint32_t i = 0; i < cases.len; i++) {
    if (cases.data[i].kind != NODE_CASE_CLAUSE) continue;
    MatchCase *match_case = &stmt->u.match.cases[stmt->u.match.len++];
    lower_case(low, &cases.data[i], match_case);
    stmt->span.end = block_end(match_case->body, match_case->header.end);
  }
}

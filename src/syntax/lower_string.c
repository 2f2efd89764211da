/* String literals: constants, implicit concatenation, f-strings and t-strings.
 *
 * A run of adjacent literals is one expression: a constant if no piece of it interpolates, else one EXPR_FSTRING whose parts
 * are the pieces in order, with nested `{…}` of format specifications among them.
 */
#include "syntax/lower.h"

/* The literals of a run; one for a lone string. */
static Kids pieces_of(Lower *low, const Kid *kid) {
  if (kid->kind == NODE_CONCATENATED_STRING) return lower_kids(low, kid);
  Kids one = {.data = arena_new(&low->scratch, Kid), .len = 1};
  one.data[0] = *kid;
  return one;
}

static Expr *literal_new(Lower *low, Span span, StringShape shape, Str value, bool exact) {
  Expr *expr = expr_new(low, EXPR_CONST, span);
  expr->u.constant.kind = shape.is_bytes ? CONST_BYTES : CONST_STR;
  expr->u.constant.text = value;
  expr->u.constant.exact = exact;
  return expr;
}

static Str decode_literal(Lower *low, Span span, StringShape shape, bool *exact) {
  Str literal = lower_text(low, span);
  return string_decode(low->arena, shape, str_sub(literal, shape.body.start, shape.body.end), exact);
}

static Expr *lower_constant(Lower *low, const Kid *kid, Kids pieces) {
  bool exact = true;
  StringShape shape = string_shape(lower_text(low, pieces.data[0].span));
  Str value = decode_literal(low, pieces.data[0].span, shape, &exact);
  if (pieces.len > 1) {
    StrBuf buf = {.arena = low->arena};
    buf_str(&buf, value);
    for (uint32_t i = 1; i < pieces.len; i++) {
      Span span = pieces.data[i].span;
      buf_str(&buf, decode_literal(low, span, string_shape(lower_text(low, span)), &exact));
    }
    value = buf_view(&buf);
  }
  return literal_new(low, kid->span, shape, value, exact);
}

typedef struct Format {
  ExprVec parts;
  Span conversion_spec;
  bool has_spec, damaged;
} Format;

static void lower_interpolation(Lower *low, const Kid *kid, Format *format);

/* `:…` may hold interpolations itself, and those may hold more: counted as depth. */
static void lower_spec(Lower *low, const Kid *kid, Format *format) {
  Kids kids = lower_kids(low, kid);
  format->damaged |= kids.damaged;
  for (uint32_t i = 0; i < kids.len; i++) {
    if (kids.data[i].kind == NODE_FORMAT_EXPRESSION || kids.data[i].kind == NODE_INTERPOLATION) {
      lower_interpolation(low, &kids.data[i], format);
    }
  }
}

static void note_conversion(Format *format, Span span) {
  Span *first = &format->conversion_spec;
  if (first->end == 0) *first = span;
  else if (first->end == span.start) first->end = span.end;  // `!r` and the `:…` behind it
}

static void lower_interpolation(Lower *low, const Kid *kid, Format *format) {
  if (low->depth >= AST_MAX_DEPTH) {
    lower_note_error(low, kid->span, S("nesting deeper than 256"));
    lower_push(low, &format->parts, lower_opaque(low, kid));
    return;
  }
  low->depth++;
  Kids kids = lower_kids(low, kid);
  format->damaged |= kids.damaged;
  for (uint32_t i = 0; i < kids.len; i++) {
    Kid *part = &kids.data[i];
    if (node_is_expr(part->kind)) lower_push(low, &format->parts, lower_expr(low, part));
    if (part->kind == NODE_TYPE_CONVERSION || part->kind == NODE_FORMAT_SPECIFIER) note_conversion(format, part->span);
    if (part->kind == NODE_FORMAT_SPECIFIER) {
      format->has_spec = true;
      lower_spec(low, part, format);
    }
  }
  low->depth--;
}

static void lower_format_piece(Lower *low, const Kid *kid, StringShape shape, Format *format) {
  Kids kids = lower_kids(low, kid);
  format->damaged |= kids.damaged;
  for (uint32_t i = 0; i < kids.len; i++) {
    Kid *part = &kids.data[i];
    if (part->kind == NODE_INTERPOLATION) lower_interpolation(low, part, format);
    if (part->kind != NODE_STRING_CONTENT) continue;
    bool exact = true;
    Str value = string_decode(low->arena, shape, lower_text(low, part->span), &exact);
    lower_push(low, &format->parts, literal_new(low, part->span, shape, value, exact));
  }
}

static Expr *lower_format(Lower *low, const Kid *kid, Kids pieces) {
  Format format = {0};
  bool is_template = false;
  for (uint32_t i = 0; i < pieces.len; i++) {
    Kid *piece = &pieces.data[i];
    StringShape shape = string_shape(lower_text(low, piece->span));
    is_template |= shape.is_template;
    if (shape.is_format) {
      lower_format_piece(low, piece, shape, &format);
    } else {
      bool exact = true;
      Str value = decode_literal(low, piece->span, shape, &exact);
      lower_push(low, &format.parts, literal_new(low, piece->span, shape, value, exact));
    }
  }
  if (format.damaged) return lower_opaque(low, kid);
  Expr *expr = expr_new(low, EXPR_FSTRING, kid->span);
  expr->u.fstring.parts = lower_list(low, &format.parts);
  expr->u.fstring.conversion_spec = format.conversion_spec;
  expr->u.fstring.has_spec = format.has_spec;
  expr->u.fstring.is_template = is_template;
  return expr;
}

Expr *lower_string(Lower *low, const Kid *kid) {
  Kids pieces = pieces_of(low, kid);
  if (pieces.damaged || pieces.len == 0) return lower_opaque(low, kid);
  bool is_format = false;
  for (uint32_t i = 0; i < pieces.len; i++) {
    StringShape shape = string_shape(lower_text(low, pieces.data[i].span));
    if (pieces.data[i].kind != NODE_STRING || (!shape.is_format && ts_node_has_error(pieces.data[i].node))) {
      return lower_opaque(low, kid);
    }
    if (shape.is_backtick) {
      lower_note_python2(low, kid->span);
      return lower_opaque(low, kid);
    }
    is_format |= shape.is_format;
  }
  return is_format ? lower_format(low, kid, pieces) : lower_constant(low, kid, pieces);
}

/* Number literals of Python 3, and Python 2's `10L` and `0777`. A value that does not fit is not exact, and not a guess. */
#include <stdlib.h>

#include "syntax/lower.h"

/* The literal without `_`; the copy ends in NUL for strtod. */
static Str digits_only(Lower *low, Str text) {
  StrBuf buf = {.arena = &low->scratch};
  for (size_t i = 0; i < text.len; i++) {
    if (text.ptr[i] != '_') buf_char(&buf, text.ptr[i]);
  }
  return buf_view(&buf);
}

static bool drop_suffix(Str *digits, char lower, char upper) {
  if (digits->len == 0) return false;
  char last = digits->ptr[digits->len - 1];
  if (last != lower && last != upper) return false;
  digits->len--;
  return true;
}

static uint32_t take_base(Lower *low, const Kid *kid, Str *digits) {
  if (digits->len < 2 || digits->ptr[0] != '0') return 10;
  char letter = (char)(digits->ptr[1] | 0x20);
  uint32_t base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  if (base) {
    *digits = str_sub(*digits, 2, digits->len);
    return base;
  }
  bool all_zero = true;
  for (size_t i = 0; i < digits->len; i++) all_zero &= digits->ptr[i] == '0';
  if (all_zero) return 10;
  lower_note_python2(low, kid->span);
  return 8;
}

static uint32_t digit_value(char c) {
  if (c >= '0' && c <= '9') return (uint32_t)(c - '0');
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10) : 99;
}

static bool parse_integer(Str digits, uint32_t base, int64_t *out) {
  int64_t value = 0;
  for (size_t i = 0; i < digits.len; i++) {
    uint32_t digit = digit_value(digits.ptr[i]);
    if (digit >= base) return false;
    if (__builtin_mul_overflow(value, (int64_t)base, &value)) return false;
    if (__builtin_add_overflow(value, (int64_t)digit, &value)) return false;
  }
  *out = value;
  return digits.len > 0;
}

/* The lexer has accepted the text as a float, so only its size can be wrong; 1e999 is infinity in Python, too. */
static void set_float(Lower *low, Expr *expr, Str digits) {
  expr->u.constant.f = strtod(str_copy(&low->scratch, digits).ptr, NULL);
  expr->u.constant.exact = true;
}

Expr *lower_number(Lower *low, const Kid *kid) {
  Expr *expr = expr_new(low, EXPR_CONST, kid->span);
  expr->u.constant.text = lower_text(low, kid->span);
  Str digits = digits_only(low, expr->u.constant.text);
  bool hex = digits.len > 1 && (digits.ptr[1] | 0x20) == 'x';
  bool complex = !hex && drop_suffix(&digits, 'j', 'J');
  if (complex || kid->kind == NODE_FLOAT) {
    expr->u.constant.kind = complex ? CONST_COMPLEX : CONST_FLOAT;
    set_float(low, expr, digits);
    return expr;
  }
  expr->u.constant.kind = CONST_INT;
  if (drop_suffix(&digits, 'l', 'L')) lower_note_python2(low, kid->span);
  uint32_t base = take_base(low, kid, &digits);
  expr->u.constant.exact = parse_integer(digits, base, &expr->u.constant.i);
  if (expr->u.constant.exact) expr->u.constant.f = (double)expr->u.constant.i;
  return expr;
}

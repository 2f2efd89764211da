/* Fills placeholders. Where a key occurs twice among the values, the first one counts: a rule may override what is always given. */
#include "rules/fill.h"

static const Fill *find_value(Fills values, Str key) {
  for (uint32_t i = 0; i < values.len; i++) {
    if (str_eq(values.data[i].key, key)) return &values.data[i];
  }
  return NULL;
}

static FillResult worse(FillResult a, FillResult b) { return a > b ? a : b; }

/* The placeholder at text[at]; returns the offset behind it. */
static size_t put_placeholder(StrBuf *out, Str text, size_t at, Fills values, FillResult *result) {
  Str rest = str_sub(text, at + 1, text.len);
  size_t end = str_find_char(rest, '}');
  const Fill *value = end == STR_NONE ? NULL : find_value(values, str_sub(rest, 0, end));
  if (!value) {
    *result = FILL_UNKNOWN;
    buf_char(out, text.ptr[at]);
    return at + 1;
  }
  if (!value->value.len) *result = worse(*result, FILL_EMPTY);
  buf_str(out, value->value);
  return at + 1 + end + 1;
}

FillResult fill_text(Arena *arena, Str text, Fills values, Str *out) {
  StrBuf buf = {.arena = arena};
  FillResult result = FILL_DONE;
  for (size_t i = 0; i < text.len;) {
    char c = text.ptr[i];
    bool brace = c == '{' || c == '}';
    if (brace && i + 1 < text.len && text.ptr[i + 1] == c) {
      buf_char(&buf, c);
      i += 2;
    } else if (c == '{') {
      i = put_placeholder(&buf, text, i, values, &result);
    } else {
      buf_char(&buf, c);
      i++;
    }
  }
  *out = buf_view(&buf);
  return result;
}

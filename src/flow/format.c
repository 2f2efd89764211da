/* Text made of values: f-strings, `%`, `str.format`, `format`, `str` and `repr`. Tells listeners each value that goes into a text
 * and whether its presentation is the value's own affair ("{:.2f}", "%d"), which a symbolic tensor does not know.
 */
#include "flow/special.h"

static void emit_formatted(Walker *w, const Expr *text, const Expr *said, const Value *value, bool has_spec) {
  Event event = {.kind = EV_FORMAT,
                 .expr = text,
                 .span = text->span,
                 .value = value,
                 .has_spec = has_spec,
                 .in_call = w->in_argument,
                 .api = w->argument_of,
                 .name_expr = said};
  emit_event(w, &event);
}

/* ---- f-strings ---- */

/* Behind `{x` come closing parentheses, `=`, `!r`, `:spec`. A conversion makes a text first, which takes any presentation. */
static bool part_has_spec(const Walker *w, const Expr *part) {
  Str text = w->module->source.text;
  size_t at = part->span.end;
  while (at < text.len && memchr(" \t)=", text.ptr[at], 4)) at++;
  return at + 1 < text.len && text.ptr[at] == ':' && text.ptr[at + 1] != '}';
}

const Value *eval_fstring(Walker *w, const Expr *expr) {
  uint32_t flags = 0;
  for (uint32_t i = 0; i < expr->u.fstring.parts.len; i++) {
    const Expr *part = expr->u.fstring.parts.data[i];
    const Value *value = eval(w, part);
    if (part->kind == EXPR_CONST) continue;
    flags |= value->flags & (VF_CHANGING | VF_RANDOM | VF_CLOCK);
    emit_formatted(w, part, part, value, expr->u.fstring.has_spec && part_has_spec(w, part));
  }
  Value *text = value_new(w->scratch, KIND(TEXT));
  text->dtype = DT_STRING;
  text->flags = flags;
  text->origin = ORIGIN_FRESH;
  return text;
}

/* ---- "%s" % value ---- */

/* "%.2f" has a presentation type that needs a number. */
static bool needs_number(Str text, size_t at) {
  size_t end = at + 1;
  while (end < text.len && memchr("0123456789.+- #", text.ptr[end], 15)) end++;
  return end < text.len && memchr("dioxXeEfFgGc", text.ptr[end], 12);
}

/* Where the next conversion begins, from `at` on; STR_NONE at the end. `%%` is none. */
static size_t next_conversion(Str text, size_t at) {
  for (; at + 1 < text.len; at++) {
    if (text.ptr[at] != '%') continue;
    if (text.ptr[at + 1] != '%') return at;
    at++;
  }
  return STR_NONE;
}

void format_percent(Walker *w, const Expr *expr, const Value *format, const Value *value) {
  Str text = format->konst == KONST_STR ? format->constant.s : S("");
  bool spread = value->parts_exact && value_is(value, KIND(TUPLE));
  const Expr *right = expr->u.binary.right;
  size_t at = 0;
  for (uint32_t i = 0; i < (spread ? value->part_len : 1u); i++) {
    at = at == STR_NONE ? STR_NONE : next_conversion(text, at);
    bool spec = at != STR_NONE && needs_number(text, at);
    bool display = spread && right->kind == EXPR_TUPLE && i < right->u.items.len;
    emit_formatted(w, expr,
                   display  ? right->u.items.data[i]
                   : spread ? NULL
                            : right,
                   spread ? value->parts[i] : value, spec);
    if (at != STR_NONE) at++;
  }
}

/* ---- "{}".format(value), format(value, spec) ---- */

/* Whether the replacement field that takes argument `index` or `name` has a presentation. Automatic numbers count up; attributes
 * and items of the argument are formatted instead of it. */
static bool field_has_spec(Str text, uint32_t index, Str name) {
  uint32_t automatic = 0;
  for (size_t i = 0; i < text.len; i++) {
    if (text.ptr[i] != '{') continue;
    if (i + 1 < text.len && text.ptr[i + 1] == '{') {
      i++;
      continue;
    }
    Str field = str_sub(text, i + 1, text.len);
    size_t end = str_find_char(field, '}');
    if (end == STR_NONE) return false;
    field = str_sub(field, 0, end);
    size_t colon = str_find_char(field, ':');
    Str key = colon == STR_NONE ? field : str_sub(field, 0, colon);
    bool spec = colon != STR_NONE && colon + 1 < field.len;
    uint32_t number = automatic;
    if (!key.len) automatic++;
    else if (key.len == 1 && key.ptr[0] >= '0' && key.ptr[0] <= '9') number = (uint32_t)(key.ptr[0] - '0');
    else number = UINT32_MAX;
    bool takes = name.len ? str_eq(key, name) : number == index;
    if (takes && spec) return true;
  }
  return false;
}

const Value *special_str_format(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  if (!call->expr || !call->receiver) return NULL;
  Str text = call->receiver->konst == KONST_STR ? call->receiver->constant.s : S("");
  for (uint32_t i = 0; i < call->args->len; i++) {
    Str name = call->args->names[i] ? sym_str(call->args->names[i]) : S("");
    emit_formatted(w, call->expr, call->args->exprs[i], call->args->values[i], field_has_spec(text, i, name));
  }
  return NULL;
}

const Value *special_format(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *value = call_arg(call, 0, S("value")), *spec = call_arg(call, 1, S("format_spec"));
  if (!call->expr || !value) return NULL;
  bool has_spec = spec && !(spec->konst == KONST_STR && !spec->constant.s.len);
  emit_formatted(w, call->expr, call->args->positional ? call->args->exprs[0] : NULL, value, has_spec);
  return NULL;
}

const Value *special_str(Walker *w, const ApiFact *fact, const Call *call) {
  (void)fact;
  const Value *from = call_arg(call, 0, S("object"));
  Value *text = value_new(w->scratch, KIND(TEXT));
  text->dtype = DT_STRING;
  text->origin = ORIGIN_FRESH;
  if (!from) return text;
  text->flags = from->flags & (VF_CHANGING | VF_RANDOM | VF_CLOCK);
  if (call->expr) emit_formatted(w, call->expr, call->args->positional ? call->args->exprs[0] : NULL, from, false);
  return text;
}

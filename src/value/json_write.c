/* See json.h. */
#include <inttypes.h>

#include "base/panic.h"
#include "value/json.h"
#include "value/utf8.h"

/* Controls, and what reorders text on a terminal: documents are looked at there too. */
static bool is_unsafe(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void json_escape(StrBuf *buf, Str text) {
  size_t plain = 0;  // start of the run that is copied as it is
  for (size_t i = 0; i < text.len;) {
    uint32_t code;
    size_t len = utf8_decode(text, i, &code);
    bool ill = !len;
    bool escape = ill || is_unsafe(code) || code == '"' || code == '\\';
    if (!escape) {
      i += len;
      continue;
    }
    buf_str(buf, str_sub(text, plain, i));
    i += ill ? 1 : len;
    plain = i;
    if (ill) buf_lit(buf, "\xEF\xBF\xBD");
    else if (code == '"' || code == '\\') buf_printf(buf, "\\%c", (char)code);
    else if (code == '\n') buf_lit(buf, "\\n");
    else if (code == '\t') buf_lit(buf, "\\t");
    else if (code == '\r') buf_lit(buf, "\\r");
    else buf_printf(buf, "\\u%04x", code);
  }
  buf_str(buf, str_sub(text, plain, text.len));
}

/* Comma and line break before an item; nothing between a key and its value. */
static void begin_item(Json *json) {
  if (json->after_key) {
    json->after_key = false;
    return;
  }
  if (json->depth) {
    if (json->filled[json->depth - 1]) buf_char(json->buf, ',');
    json->filled[json->depth - 1] = true;
  }
  if (json->line) buf_char(json->buf, '\n');
  json->line = false;
}

static void open_with(Json *json, char open, char close) {
  tf_assert(json->depth < JSON_MAX_DEPTH);
  begin_item(json);
  buf_char(json->buf, open);
  json->close[json->depth] = close;
  json->filled[json->depth++] = false;
}

void json_open_object(Json *json) { open_with(json, '{', '}'); }

void json_open_list(Json *json) { open_with(json, '[', ']'); }

void json_close(Json *json) {
  tf_assert(json->depth && !json->after_key);
  if (json->line) buf_char(json->buf, '\n');
  json->line = false;
  buf_char(json->buf, json->close[--json->depth]);
}

static void quoted(Json *json, Str text) {
  buf_char(json->buf, '"');
  json_escape(json->buf, text);
  buf_char(json->buf, '"');
}

void json_key(Json *json, Str key) {
  tf_assert(json->depth && json->close[json->depth - 1] == '}' && !json->after_key);
  begin_item(json);
  quoted(json, key);
  buf_char(json->buf, ':');
  json->after_key = true;
}

void json_string(Json *json, Str text) {
  begin_item(json);
  quoted(json, text);
}

void json_int(Json *json, int64_t value) {
  begin_item(json);
  buf_printf(json->buf, "%" PRId64, value);
}

void json_bool(Json *json, bool value) {
  begin_item(json);
  buf_str(json->buf, value ? S("true") : S("false"));
}

void json_null(Json *json) {
  begin_item(json);
  buf_lit(json->buf, "null");
}

void json_key_string(Json *json, Str key, Str text) {
  json_key(json, key);
  json_string(json, text);
}

void json_key_int(Json *json, Str key, int64_t value) {
  json_key(json, key);
  json_int(json, value);
}

void json_key_bool(Json *json, Str key, bool value) {
  json_key(json, key);
  json_bool(json, value);
}

void json_key_null(Json *json, Str key) {
  json_key(json, key);
  json_null(json);
}

void json_key_object(Json *json, Str key) {
  json_key(json, key);
  json_open_object(json);
}

void json_key_list(Json *json, Str key) {
  json_key(json, key);
  json_open_list(json);
}

void json_line(Json *json) { json->line = true; }

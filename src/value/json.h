/* Writing JSON: commas, nesting and escaping are the writer's business, the order of keys is the caller's.
 *
 * Escapes `"`, `\`, U+0000–U+001F, DEL and U+2028/2029 (which end lines in some consumers); ill-formed UTF-8 becomes U+FFFD,
 * so the output is valid UTF-8 whatever went in. Compact by default; `json_line` puts a line break before the next item,
 * for files that people merge.
 */
#ifndef TFCHECK_VALUE_JSON_H
#define TFCHECK_VALUE_JSON_H

#include "base/str.h"

enum { JSON_MAX_DEPTH = 64 };

/* Zero-initialise and set `buf`. */
typedef struct Json {
  StrBuf *buf;
  uint32_t depth;
  char close[JSON_MAX_DEPTH];   // what ends the container at each depth
  bool filled[JSON_MAX_DEPTH];  // it has an item already
  bool after_key;
  bool line;
} Json;

void json_open_object(Json *json);
void json_open_list(Json *json);
void json_close(Json *json);  // the innermost open object or list

void json_key(Json *json, Str key);
void json_string(Json *json, Str text);
void json_int(Json *json, int64_t value);
void json_bool(Json *json, bool value);
void json_null(Json *json);

/* Key and value in one. */
void json_key_string(Json *json, Str key, Str text);
void json_key_int(Json *json, Str key, int64_t value);
void json_key_bool(Json *json, Str key, bool value);
void json_key_null(Json *json, Str key);
void json_key_object(Json *json, Str key);  // opens it
void json_key_list(Json *json, Str key);    // opens it

void json_line(Json *json);

/* The escaping alone, without the quotes. */
void json_escape(StrBuf *buf, Str text);

#endif

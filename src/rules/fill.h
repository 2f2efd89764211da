/* Page texts with named values put in: `{key}` becomes its value, `{{` and `}}` become braces. */
#ifndef TFCHECK_RULES_FILL_H
#define TFCHECK_RULES_FILL_H

#include "base/arena.h"
#include "base/str.h"

typedef struct Fill {
  Str key, value;
} Fill;

typedef struct Fills {
  const Fill *data;
  uint32_t len;
} Fills;

typedef enum FillResult {
  FILL_DONE,
  FILL_EMPTY,    // some value is empty: the text would read badly
  FILL_UNKNOWN,  // a key that nobody gave; it stands in the text as it is
} FillResult;

FillResult fill_text(Arena *arena, Str text, Fills values, Str *out);

#endif

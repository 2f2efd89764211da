/* Globs over segmented names, without recursion.
 *
 * Two places to return to are enough. When a `*` has been reached, all before it has matched as early as it can, and going
 * back to an earlier star could only give it bytes that the later one can swallow as well: neither crosses a separator. A
 * `**` does cross it, so when the `*` of this segment is exhausted, the last `**` takes one step more.
 */
#include "base/str.h"

typedef struct Retry {
  size_t pattern, text;  // where to go on: pattern behind the star, text not yet swallowed by it
  bool set, whole;       // whole: the star stands for whole segments and steps from one to the next
} Retry;

static bool is_at(Str s, size_t at, char c) { return at < s.len && s.ptr[at] == c; }

static bool starts_segment(Str s, size_t at, char separator) { return at == 0 || s.ptr[at - 1] == separator; }

/* `*` gives way by one byte of its own segment. */
static bool step_within(Retry *star, Str text, char separator) {
  if (!star->set || star->text >= text.len || text.ptr[star->text] == separator) return false;
  star->text++;
  return true;
}

/* `**` gives way by one byte, `**` with a separator behind it by one segment. */
static bool step_across(Retry *deep, Str text, char separator) {
  if (!deep->set || deep->text >= text.len) return false;
  size_t skip = 1;
  if (deep->whole) {
    size_t at = str_find_char(str_sub(text, deep->text, text.len), separator);
    if (at == STR_NONE) return false;
    skip = at + 1;
  }
  deep->text += skip;
  return true;
}

static Retry open_deep(Str pattern, size_t p, size_t t, char separator) {
  bool whole = starts_segment(pattern, p, separator) && is_at(pattern, p + 2, separator);
  return (Retry){.pattern = p + 2 + whole, .text = t, .set = true, .whole = whole};
}

bool str_glob(Str pattern, Str text, char separator) {
  Retry star = {0}, deep = {0};
  size_t p = 0, t = 0;
  while (p < pattern.len || t < text.len) {
    if (is_at(pattern, p, '*') && is_at(pattern, p + 1, '*')) {
      deep = open_deep(pattern, p, t, separator);
      star.set = false;
      p = deep.pattern;
    } else if (is_at(pattern, p, '*')) {
      star = (Retry){.pattern = ++p, .text = t, .set = true};
    } else if (p < pattern.len && t < text.len &&
               (pattern.ptr[p] == text.ptr[t] || (pattern.ptr[p] == '?' && text.ptr[t] != separator))) {
      p++, t++;
    } else if (step_within(&star, text, separator)) {
      p = star.pattern, t = star.text;
    } else if (step_across(&deep, text, separator)) {
      star.set = false;
      p = deep.pattern, t = deep.text;
    } else {
      return false;
    }
  }
  return true;
}

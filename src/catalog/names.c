/* See names.h. */
#include "catalog/names.h"

enum { MOST_NAMES = 4096 };

bool name_is_glob(Str name) { return str_find_char(name, '*') != STR_NONE || str_find_char(name, '?') != STR_NONE; }

Str name_last(Str name) {
  size_t dot = str_rfind_char(name, '.');
  return dot == STR_NONE ? name : str_sub(name, dot + 1, name.len);
}

Str name_fill(Arena *arena, Str pattern, Str name) {
  size_t star = str_find_char(pattern, '*');
  if (star == STR_NONE) return pattern;
  Str parts[] = {str_sub(pattern, 0, star), name_last(name), str_sub(pattern, star + 1, pattern.len)};
  return str_join(arena, parts, 3, S(""));
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* One segment: an identifier, in which a glob may have wildcards anywhere. */
static bool is_segment(Str segment) {
  if (!segment.len || is_digit(segment.ptr[0])) return false;
  for (size_t i = 0; i < segment.len; i++) {
    char c = segment.ptr[i];
    if (!is_letter(c) && !is_digit(c) && c != '*' && c != '?') return false;
  }
  return true;
}

static bool is_dotted(Str name) {
  for (Str rest = name; rest.len;)
    if (!is_segment(str_cut(&rest, '.'))) return false;
  return name.len && name.ptr[name.len - 1] != '.';
}

bool name_is_kebab(Str text) {
  char before = '-';
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    bool letter = (c >= 'a' && c <= 'z') || is_digit(c);
    if (!letter && (c != '-' || before == '-')) return false;
    before = c;
  }
  return before != '-';
}

/* Appends `text` with its first brace replaced, once for each word, to `out`; text without braces is finished. */
static bool expand_once(Loader *loader, Str text, NameList *out) {
  size_t open = str_find_char(text, '{');
  size_t close = str_find_char(text, '}');
  if (open == STR_NONE || close == STR_NONE || close < open) return false;
  Str head = str_sub(text, 0, open), tail = str_sub(text, close + 1, text.len);
  Str words = str_sub(text, open + 1, close);
  if (!words.len) return false;
  while (words.len) {
    Str parts[] = {head, str_trim(str_cut(&words, ',')), tail};
    if (!parts[1].len) return false;
    Str one = str_join(loader->arena, parts, 3, S(""));
    vec_push(loader->arena, out, one);
    if (out->len > MOST_NAMES) return false;
  }
  return true;
}

bool names_expand(Loader *loader, const DocFile *file, DocSpan span, Str key, NameList *out) {
  NameList names = {0};
  vec_push(loader->arena, &names, key);
  /* All names of a round have the same braces left, so one test decides for all. */
  while (str_find_char(names.data[0], '{') != STR_NONE || str_find_char(names.data[0], '}') != STR_NONE) {
    NameList next = {0};
    for (uint32_t i = 0; i < names.len; i++) {
      if (expand_once(loader, names.data[i], &next)) continue;
      doc_fail(loader->errors, file, span, "bad braces in \"%.*s\"", STR_ARG(key));
      return false;
    }
    names = next;
  }
  for (uint32_t i = 0; i < names.len; i++) {
    if (!is_dotted(names.data[i])) {
      doc_fail(loader->errors, file, span, "\"%.*s\" is no dotted name", STR_ARG(names.data[i]));
      return false;
    }
    Str copy = str_copy(loader->arena, names.data[i]);
    vec_push(loader->arena, out, copy);
  }
  return true;
}

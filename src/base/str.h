/* String slices. A Str never owns its bytes and need not end in NUL; nothing in the analyser calls strlen on input. */
#ifndef TFCHECK_BASE_STR_H
#define TFCHECK_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"

typedef struct Str {
  const char *ptr;
  size_t len;
} Str;

#define S(literal) ((Str){(literal), sizeof(literal) - 1})
#define S_INIT(literal) {(literal), sizeof(literal) - 1}  // for static tables
/* For printf("%.*s"). */
#define STR_ARG(s) (int)(s).len, (s).ptr

Str str_from(const char *c_string);  // the only place that measures a C string (argv, getenv, errno texts)
Str str_sub(Str s, size_t start, size_t end);  // clamped
bool str_eq(Str a, Str b);
int str_cmp(Str a, Str b);  // byte order
bool str_starts(Str s, Str prefix);
bool str_ends(Str s, Str suffix);
bool str_contains(Str s, Str needle);
bool str_in(Str s, const Str *words, size_t count);  // equal to one of them
#define STR_IN(s, table) str_in((s), (table), sizeof(table) / sizeof *(table))
#define STR_NONE ((size_t)-1)
size_t str_find(Str s, Str needle);       // offset of the first occurrence or STR_NONE
size_t str_find_char(Str s, char c);
size_t str_rfind_char(Str s, char c);
Str str_trim(Str s);                      // spaces, tabs, CR, LF off both ends
/* Cuts at the first `c`: returns what is before it, leaves what is after it in *rest (empty when there is none). */
Str str_cut(Str *rest, char c);
uint64_t str_hash(Str s);                 // FNV-1a 64, the same on every machine
#define STR_HASH_EMPTY UINT64_C(0xcbf29ce484222325)
uint64_t str_hash_more(uint64_t hash, Str s);  // the hash of a text that goes on with `s`
bool str_to_i64(Str s, int64_t *out);     // whole string, decimal
Str str_copy(Arena *arena, Str s);        // NUL-terminated copy
Str str_concat(Arena *arena, Str a, Str b);
Str str_join(Arena *arena, const Str *parts, size_t count, Str separator);
Str str_printf(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A glob over dotted names or paths: `*` matches within one segment, `**` across segments, `?` one character. A `**` that is a
 * whole segment with one behind it may also stand for none: `a.**.b` matches `a.b`. */
bool str_glob(Str pattern, Str text, char separator);

/* A growing text. Zero-initialise and set `arena`. */
typedef struct StrBuf {
  Arena *arena;
  char *data;
  size_t len, cap;
} StrBuf;

void buf_str(StrBuf *buf, Str s);
void buf_char(StrBuf *buf, char c);
void buf_repeat(StrBuf *buf, char c, size_t count);
void buf_printf(StrBuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
Str buf_view(const StrBuf *buf);
#define buf_lit(buf, literal) buf_str((buf), S(literal))

#endif

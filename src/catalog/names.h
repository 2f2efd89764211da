/* Keys of the languages in rules/ that stand for names: dotted, with braces and globs. */
#ifndef TFCHECK_CATALOG_NAMES_H
#define TFCHECK_CATALOG_NAMES_H

#include "catalog/load.h"

typedef VEC(Str) NameList;

/* "a.{b,c}.d" -> a.b.d, a.c.d. False after an error: bad braces, something that is no dotted name, too many. */
bool names_expand(Loader *loader, const DocFile *file, DocSpan span, Str key, NameList *out);

bool name_is_glob(Str name);
Str name_last(Str name);  // the part after the last dot

/* `pattern` with its `*` replaced by the last part of `name`. */
Str name_fill(Arena *arena, Str pattern, Str name);

/* Words with dashes: "numpy-on-tensor". */
bool name_is_kebab(Str text);

#endif

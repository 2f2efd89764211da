/* Symbols: interned strings. Two symbols are equal if and only if their pointers are.
 *
 * A symbol carries the hash of its text, so hash tables keyed by symbols behave the same whichever thread interned first;
 * nothing in the program may order by the pointer. The table is shared by all threads (sharded locks) and lives in the
 * session arena.
 */
#ifndef TFCHECK_BASE_SYM_H
#define TFCHECK_BASE_SYM_H

#include "base/arena.h"
#include "base/str.h"

typedef struct Symbol {
  Str text;
  uint64_t hash;
} Symbol;

typedef const Symbol *Sym;  // NULL is "no name"

typedef struct SymTable SymTable;

SymTable *sym_table_new(void);
void sym_table_release(SymTable *table);
Sym sym_intern(SymTable *table, Str text);  // copies the text
/* `prefix.name` as one symbol. */
Sym sym_dotted(SymTable *table, Sym prefix, Sym name);

static inline bool sym_is(Sym sym, Str text) { return sym && str_eq(sym->text, text); }
static inline Str sym_str(Sym sym) { return sym ? sym->text : S(""); }

#endif

/* TOML's strings and integers, from how they are written to what they mean. */
#ifndef TFCHECK_VALUE_TOML_SCALAR_H
#define TFCHECK_VALUE_TOML_SCALAR_H

#include "base/arena.h"
#include "base/str.h"

/* `raw` with its quotes, of all four kinds. False for an escape that names no character. */
bool toml_string(Arena *arena, Str raw, Str *out);

/* Decimal, 0x, 0o, 0b, underscores; as decimal text. False if it does not fit 64 bits. */
bool toml_integer(Arena *arena, Str raw, Str *out);

#endif

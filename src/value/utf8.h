/* Decoding and encoding one character; shared by the JSON reader and writer. */
#ifndef TFCHECK_VALUE_UTF8_H
#define TFCHECK_VALUE_UTF8_H

#include "base/str.h"

/* Length in bytes of the well-formed character at `at` and its code point, or 0 if what stands there is ill-formed
 * (overlong forms, surrogates and values over U+10FFFF included). */
size_t utf8_decode(Str text, size_t at, uint32_t *code);

/* Writes `code` into out[0..3]; returns the length. */
size_t utf8_encode(uint32_t code, char out[4]);

#endif

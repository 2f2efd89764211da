/* See utf8.h. The table is the one of the Unicode standard (well-formed byte sequences), as ranges of the second byte. */
#include "value/utf8.h"

static size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

/* Rules out overlong forms, surrogates and what lies beyond U+10FFFF. */
static bool second_fits(unsigned char lead, unsigned char second) {
  unsigned char least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  unsigned char most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  return second >= least && second <= most;
}

size_t utf8_decode(Str text, size_t at, uint32_t *code) {
  const unsigned char *bytes = (const unsigned char *)text.ptr + at;
  size_t len = length_of(bytes[0]);
  *code = bytes[0];
  if (len <= 1) return len;
  if (at + len > text.len || !second_fits(bytes[0], bytes[1])) return 0;
  *code = bytes[0] & (0x7Fu >> len);
  for (size_t i = 1; i < len; i++) {
    if ((bytes[i] & 0xC0) != 0x80) return 0;
    *code = *code << 6 | (bytes[i] & 0x3Fu);
  }
  return len;
}

size_t utf8_encode(uint32_t code, char out[4]) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  size_t len = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = len - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
  out[0] = (char)((0xF00u >> len & 0xFFu) | code);
  return len;
}

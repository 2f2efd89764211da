/* Base64 with padding. */
#include "report/base64.h"

void base64_encode(StrBuf *out, Str bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t at = 0; at < bytes.len; at += 3) {
    size_t rest = bytes.len - at < 3 ? bytes.len - at : 3;
    uint32_t group = 0;
    for (size_t i = 0; i < 3; i++) group = group << 8 | (i < rest ? (unsigned char)bytes.ptr[at + i] : 0U);
    for (size_t i = 0; i < 4; i++) buf_char(out, i <= rest ? digits[group >> (18 - 6 * i) & 63] : '=');
  }
}

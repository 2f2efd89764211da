/* Bytes as base64 text (RFC 4648), for paths that are no text. */
#ifndef TFCHECK_REPORT_BASE64_H
#define TFCHECK_REPORT_BASE64_H

#include "base/str.h"

void base64_encode(StrBuf *out, Str bytes);

#endif

/* Internal to this folder: bytes of a named encoding to UTF-8. */
#ifndef TFCHECK_SOURCE_TRANSCODE_H
#define TFCHECK_SOURCE_TRANSCODE_H

#include "source/source.h"

typedef enum TranscodeStatus { TRANSCODE_OK, TRANSCODE_UNKNOWN, TRANSCODE_INVALID } TranscodeStatus;

/* `name` is Python's name of the encoding, in lower case, with `-` for `_`. The text is new memory of the arena. */
TranscodeStatus transcode(Arena *arena, Str name, Str bytes, Str *out);

#endif

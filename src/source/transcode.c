/* Encodings other than UTF-8.
 *
 * Latin-1, Latin-9 and Windows-1252 are by far the most frequent in old sources and are decoded here, so that a statically linked
 * program, which finds no converters of the C library at run time, reads them, too. All others go through iconv.
 */
#include "source/transcode.h"

#include <iconv.h>

typedef struct Alias {
  Str python, iconv;
} Alias;

/* Python's spellings that iconv does not know. */
static const Alias ALIASES[] = {
    {S_INIT("latin-2"), S_INIT("ISO-8859-2")},  {S_INIT("iso8859-2"), S_INIT("ISO-8859-2")},
    {S_INIT("windows-1250"), S_INIT("CP1250")}, {S_INIT("windows-1251"), S_INIT("CP1251")},
    {S_INIT("mac-roman"), S_INIT("MACINTOSH")}, {S_INIT("macroman"), S_INIT("MACINTOSH")},
    {S_INIT("sjis"), S_INIT("SHIFT_JIS")},      {S_INIT("shift-jis"), S_INIT("SHIFT_JIS")},
    {S_INIT("euc-jp"), S_INIT("EUC-JP")},       {S_INIT("eucjp"), S_INIT("EUC-JP")},
    {S_INIT("euckr"), S_INIT("EUC-KR")},        {S_INIT("ms932"), S_INIT("CP932")},
};

static const Str LATIN1_NAMES[] = {S_INIT("latin-1"),    S_INIT("latin1"),    S_INIT("l1"),   S_INIT("latin"),
                                   S_INIT("iso-8859-1"), S_INIT("iso8859-1"), S_INIT("8859"), S_INIT("cp819")};
static const Str LATIN9_NAMES[] = {S_INIT("latin-9"), S_INIT("latin9"), S_INIT("l9"), S_INIT("iso-8859-15"),
                                   S_INIT("iso8859-15")};
static const Str CP1252_NAMES[] = {S_INIT("cp1252"), S_INIT("windows-1252"), S_INIT("1252")};

/* Windows-1252 from 0x80 to 0x9F; 0 is undefined. */
static const uint16_t CP1252[] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

typedef uint32_t CodePointOf(unsigned char byte);  // 0 if undefined

static uint32_t from_latin1(unsigned char byte) { return byte; }

static uint32_t from_latin9(unsigned char byte) {
  switch (byte) {
    case 0xA4:
      return 0x20AC;
    case 0xA6:
      return 0x160;
    case 0xA8:
      return 0x161;
    case 0xB4:
      return 0x17D;
    case 0xB8:
      return 0x17E;
    case 0xBC:
      return 0x152;
    case 0xBD:
      return 0x153;
    case 0xBE:
      return 0x178;
    default:
      return byte;
  }
}

static uint32_t from_cp1252(unsigned char byte) { return byte >= 0x80 && byte < 0xA0 ? CP1252[byte - 0x80] : byte; }

static CodePointOf *single_byte(Str name) {
  static const struct {
    const Str *names;
    size_t count;
    CodePointOf *decode;
  } TABLES[] = {
      {LATIN1_NAMES, sizeof LATIN1_NAMES / sizeof(Str), from_latin1},
      {LATIN9_NAMES, sizeof LATIN9_NAMES / sizeof(Str), from_latin9},
      {CP1252_NAMES, sizeof CP1252_NAMES / sizeof(Str), from_cp1252},
  };
  for (size_t t = 0; t < sizeof TABLES / sizeof *TABLES; t++) {
    for (size_t i = 0; i < TABLES[t].count; i++) {
      if (str_eq(TABLES[t].names[i], name)) return TABLES[t].decode;
    }
  }
  return NULL;
}

/* No character of these encodings lies beyond U+FFFF. */
static void put_utf8(StrBuf *buf, uint32_t c) {
  if (c < 0x80) {
    buf_char(buf, (char)c);
  } else if (c < 0x800) {
    buf_char(buf, (char)(0xC0 | (c >> 6)));
    buf_char(buf, (char)(0x80 | (c & 0x3F)));
  } else {
    buf_char(buf, (char)(0xE0 | (c >> 12)));
    buf_char(buf, (char)(0x80 | ((c >> 6) & 0x3F)));
    buf_char(buf, (char)(0x80 | (c & 0x3F)));
  }
}

static TranscodeStatus transcode_bytes(Arena *arena, CodePointOf *decode, Str bytes, Str *out) {
  StrBuf buf = {.arena = arena};
  for (size_t i = 0; i < bytes.len; i++) {
    uint32_t c = decode((unsigned char)bytes.ptr[i]);
    if (c == 0) return TRANSCODE_INVALID;
    put_utf8(&buf, c);
  }
  *out = buf_view(&buf);
  return TRANSCODE_OK;
}

static Str iconv_name(Str name) {
  for (size_t i = 0; i < sizeof ALIASES / sizeof *ALIASES; i++) {
    if (str_eq(ALIASES[i].python, name)) return ALIASES[i].iconv;
  }
  return name;
}

/* The whole text through one converter. A character of one byte becomes at most three bytes of UTF-8, one of two at most four;
 * the end may flush a few more. */
static TranscodeStatus convert(Arena *arena, iconv_t converter, Str bytes, Str *out) {
  size_t room = bytes.len * 4 + 16, in_left = bytes.len, out_left = room;
  char *data = arena_array(arena, char, room), *to = data;
  char *from = (char *)bytes.ptr;  // iconv's prototype lacks the const; it only reads
  if (iconv(converter, &from, &in_left, &to, &out_left) == (size_t)-1) return TRANSCODE_INVALID;
  if (iconv(converter, NULL, NULL, &to, &out_left) == (size_t)-1) return TRANSCODE_INVALID;
  *out = (Str){data, (size_t)(to - data)};
  return TRANSCODE_OK;
}

TranscodeStatus transcode(Arena *arena, Str name, Str bytes, Str *out) {
  CodePointOf *decode = single_byte(name);
  if (decode) return transcode_bytes(arena, decode, bytes, out);
  iconv_t converter = iconv_open("UTF-8", str_copy(arena, iconv_name(name)).ptr);
  if (converter == (iconv_t)-1) return TRANSCODE_UNKNOWN;
  TranscodeStatus status = convert(arena, converter, bytes, out);
  iconv_close(converter);
  return status;
}

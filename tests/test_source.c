/* Unit tests of the source floor: decoding, lines, positions, the two scans, and the order of findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "source/finding.h"
#include "source/source.h"

#define assert_str(actual, expected)                              \
  do {                                                            \
    Str actual_ = (actual), expected_ = S(expected);              \
    assert_int_equal(actual_.len, expected_.len);                 \
    assert_memory_equal(actual_.ptr, expected_.ptr, actual_.len); \
  } while (0)

static Source load(Arena *arena, Str bytes) {
  Source source;
  source_init(arena, &source, S("a.py"), bytes);
  return source;
}

static void assert_position(Position position, uint32_t line, uint32_t col) {
  assert_int_equal(position.line, line);
  assert_int_equal(position.col, col);
}

static void decode__utf8_is_the_default(void **state) {
  (void)state;
  Arena arena = {0};
  Source source = load(&arena, S("x = 'é'\n"));
  assert_false(source.error);
  assert_false(source.transcoded);
  assert_int_equal(source.bom_bytes, 0);
  assert_str(source.text, "x = 'é'\n");
  arena_release(&arena);
}

static void decode__byte_order_mark_is_not_text(void **state) {
  (void)state;
  Arena arena = {0};
  Source source = load(&arena, S("\xEF\xBB\xBFx"));
  assert_int_equal(source.bom_bytes, 3);
  assert_str(source.text, "x");
  assert_true(load(&arena, S("\xEF\xBB\xBF# coding: latin-1\n")).error);
  assert_false(load(&arena, S("\xEF\xBB\xBF# coding: utf8\n")).error);
  arena_release(&arena);
}

static void decode__cookie_of_the_first_two_lines(void **state) {
  (void)state;
  Arena arena = {0};
  Source latin1 = load(&arena, S("# -*- coding: latin-1 -*-\nx = '\xE9'\n"));
  assert_true(latin1.transcoded);
  assert_str(source_slice(&latin1, (Span){31, 33}), "é");
  Source vim = load(&arena, S("#!/usr/bin/python\r\n# vim: set fileencoding=iso8859-15 :\r\n'\xA4'"));
  assert_true(str_ends(vim.text, S("'€'")));
  Source cp1252 = load(&arena, S("# coding=Windows_1252\n'\x80'"));
  assert_true(str_ends(cp1252.text, S("'€'")));
  Source cyrillic = load(&arena, S("# coding: koi8-r\n'\xC1'"));
  assert_true(str_ends(cyrillic.text, S("'а'")));
  assert_true(load(&arena, S("\n\n# coding: latin-1\n'\xE9'")).error);      // third line
  assert_true(load(&arena, S("x = 1\n# coding: latin-1\n'\xE9'")).error);   // behind code
  assert_false(load(&arena, S("# coding: latin-1\nx = 1\n")).transcoded);   // the bytes are the text
  arena_release(&arena);
}

static void decode__refuses_with_a_reason(void **state) {
  (void)state;
  Arena arena = {0};
  assert_str(load(&arena, S("a\0b")).error_text, "contains a NUL byte");
  assert_str(load(&arena, S("a\nb\n\xFF")).error_text, "line 3 is not valid UTF-8");
  assert_str(load(&arena, S("# coding: utf-9\n")).error_text, "unknown encoding 'utf-9'");
  assert_str(load(&arena, S("# coding: utf-16\n")).error_text, "encoding 'utf-16' is not allowed in source files");
  assert_str(load(&arena, S("# coding: ascii\n\n'\xC3\xA9'")).error_text, "line 3 is not ASCII, as the file declares");
  assert_str(load(&arena, S("# coding: cp1252\n\x81")).error_text, "not valid in the declared encoding 'cp1252'");
  assert_str(load(&arena, S("\xFF\xFEx")).error_text, "UTF-16 text");
  Source source = load(&arena, S("\xFF"));
  assert_int_equal(source.text.len, 0);
  assert_position(source_position(&source, 0), 1, 1);
  arena_release(&arena);
}

static void decode__ill_formed_utf8(void **state) {
  (void)state;
  Arena arena = {0};
  static const Str BAD[] = {
      S_INIT("\xC0\x80"),         S_INIT("\xE0\x80\x80"),     S_INIT("\xED\xA0\x80"), S_INIT("\xF4\x90\x80\x80"),
      S_INIT("\xF0\x80\x80\x80"), S_INIT("\xF5\x80\x80\x80"), S_INIT("\xE2\x82"),     S_INIT("\x80")};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) assert_true(load(&arena, BAD[i]).error);
  assert_false(load(&arena, S("\xF4\x8F\xBF\xBF\xED\x9F\xBF\xE0\xA0\x80\xC2\x80")).error);
  arena_release(&arena);
}

static void lines__all_line_ends(void **state) {
  (void)state;
  Arena arena = {0};
  Source source = load(&arena, S("a\nbc\r\nd\re\f\x0b"
                                 "f\n"));
  assert_int_equal(source.line_count, 5);
  static const Str LINES[] = {S_INIT("a"), S_INIT("bc"), S_INIT("d"),
                              S_INIT("e\f\x0b"
                                     "f"),
                              S_INIT("")};
  for (uint32_t i = 0; i < 5; i++)
    assert_true(str_eq(source_slice(&source, source_line_span(&source, i + 1)), LINES[i]));
  assert_int_equal(source_line_of(&source, 1), 1);  // the line end belongs to its line
  assert_int_equal(source_line_of(&source, 2), 2);
  assert_int_equal(source_line_of(&source, 5), 2);
  assert_int_equal(source_line_of(&source, 6), 3);
  assert_int_equal(source_line_of(&source, 9999), 5);
  arena_release(&arena);
}

static void lines__without_final_line_end(void **state) {
  (void)state;
  Arena arena = {0};
  Source source = load(&arena, S("a\nb"));
  assert_int_equal(source.line_count, 2);
  assert_str(source_slice(&source, source_line_span(&source, 2)), "b");
  assert_int_equal(load(&arena, S("")).line_count, 1);
  arena_release(&arena);
}

static void positions__three_units(void **state) {
  (void)state;
  Arena arena = {0};
  Source source = load(&arena, S("x\né𝄞y"));  // 2 and 4 bytes, 1 and 2 UTF-16 units
  assert_position(source_position(&source, 8), 2, 3);
  assert_position(source_position_bytes(&source, 8), 2, 7);
  assert_position(source_position_utf16(&source, 8), 1, 3);
  assert_position(source_position(&source, 9), 2, 4);
  assert_position(source_position(&source, 0), 1, 1);
  arena_release(&arena);
}

static void scan__mentions_whole_identifiers(void **state) {
  (void)state;
  static const Str WORDS[] = {S_INIT("tensorflow"), S_INIT("keras")};
  assert_true(source_mentions(S("import tensorflow as tf"), WORDS, 2));
  assert_true(source_mentions(S("keras"), WORDS, 2));
  assert_true(source_mentions(S("tensorflow_hub.tensorflow"), WORDS, 1));
  assert_false(source_mentions(S("mytensorflow tensorflow2 _keras kerasé"), WORDS, 2));
  assert_false(source_mentions(S(""), WORDS, 2));
}

static void assert_imports(const char *text, const char *expected) {
  Arena arena = {0};
  StrVec imports = {0};
  source_scan_imports(&arena, str_from(text), &imports);
  Str joined = str_join(&arena, imports.data, imports.len, S(" "));
  assert_string_equal(str_copy(&arena, joined).ptr, expected);
  arena_release(&arena);
}

static void scan__imports(void **state) {
  (void)state;
  assert_imports("import a.b, c as d\nfrom e.f import g as h, i", "a.b c e.f e.f.g e.f.i");
  assert_imports("from . import a\nfrom ..b import c\nfrom ... import *", ". .a ..b ..b.c ...");
  assert_imports("from a import (b,  # comment, here\n  c as d,\n)\nimport e", "a a.b a.c e");
  assert_imports("import a, \\\n  b\nfrom c \\\r\n  import d", "a b c c.d");
  assert_imports("  import a\n\tfrom b import c\n\fimport d", "a b b.c d");
  assert_imports("try: import a\nexcept: b = 1; import c", "a c");
  assert_imports("import a . b", "a.b");
  assert_imports("from a import b\rimport c\r", "a a.b c");
  assert_imports("lazy import a", "a");
  assert_imports("raise E from e\nyield from f\nreimport = importer\nfrom", "");
  assert_imports("\xEF\xBB\xBFimport a", "a");
  assert_imports("", "");
}

static Finding finding(uint32_t file, uint32_t start, Str code) {
  return (Finding){.place = {file, {start, start + 1}}, .code = code};
}

static void findings__total_order(void **state) {
  (void)state;
  Arena arena = {0};
  Source b = {.path = S("b.py")}, a = {.path = S("a.py")};
  const Source *sources[] = {&b, &a};
  FileTable files = {sources, 2};
  Findings findings = {0};
  Finding wide = finding(0, 1, S("TF1"));
  wide.place.span.end = 9;
  Finding variant = finding(0, 1, S("TF1"));
  variant.variant = S("v");
  Finding subject = variant;
  subject.subject = S("x");
  Finding input[] = {finding(0, 1, S("TF2")), wide, subject, variant, finding(0, 1, S("TF1")), finding(0, 0, S("TF9")),
                     finding(1, 7, S("TF1"))};
  for (size_t i = 0; i < 7; i++) vec_push(&arena, &findings, input[i]);
  findings_sort(&files, &findings);
  // The reverse of how they were put in is the order: path, start, code, end, variant, subject.
  static const uint32_t WANT[] = {6, 5, 4, 3, 2, 1, 0};
  for (size_t i = 0; i < 7; i++) assert_int_equal(finding_cmp(&files, &findings.data[i], &input[WANT[i]]), 0);
  for (size_t i = 0; i < 6; i++) {
    assert_true(finding_cmp(&files, &findings.data[i], &findings.data[i + 1]) < 0);
    assert_true(finding_cmp(&files, &findings.data[i + 1], &findings.data[i]) > 0);
  }
  arena_release(&arena);
}

static void findings__names(void **state) {
  (void)state;
  Level level;
  Confidence confidence;
  for (int i = LEVEL_OFF; i <= LEVEL_ERROR; i++) {
    assert_true(level_parse(level_name((Level)i), &level));
    assert_int_equal(level, i);
  }
  for (int i = CONF_POSSIBLE; i <= CONF_CERTAIN; i++) {
    assert_true(confidence_parse(confidence_name((Confidence)i), &confidence));
    assert_int_equal(confidence, i);
  }
  assert_str(level_name(LEVEL_WARNING), "warning");
  assert_str(role_name(ROLE_ROOT), "root");
  assert_false(level_parse(S("Error"), &level));
  assert_false(confidence_parse(S(""), &confidence));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decode__utf8_is_the_default),
      cmocka_unit_test(decode__byte_order_mark_is_not_text),
      cmocka_unit_test(decode__cookie_of_the_first_two_lines),
      cmocka_unit_test(decode__refuses_with_a_reason),
      cmocka_unit_test(decode__ill_formed_utf8),
      cmocka_unit_test(lines__all_line_ends),
      cmocka_unit_test(lines__without_final_line_end),
      cmocka_unit_test(positions__three_units),
      cmocka_unit_test(scan__mentions_whole_identifiers),
      cmocka_unit_test(scan__imports),
      cmocka_unit_test(findings__total_order),
      cmocka_unit_test(findings__names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The comments of a fixture that say what must be found on a line, and what the engine must believe there.
 *
 *   # expect: RULE[@col] [error|warning|note] ["text"] [via NAME] {, …}     this line
 *   # expect+N: …                                                           N lines further down
 *   # xfail: RULE reason                 must not be reported today; fails when it starts to be
 *   # kind: x = tensor[float32] {; …}    value of a local at the end of this line; what is not said is not checked
 *   # traced: [via NAME] {, words}       the function that starts here (else the one around) runs while tracing
 *   # eager                              … never runs while tracing
 *
 * `"text"` must stand in the message, a label, a note or the help; `via NAME` in the chain.
 */
#ifndef TFCHECK_TESTS_SUPPORT_EXPECT_H
#define TFCHECK_TESTS_SUPPORT_EXPECT_H

#include "base/str.h"
#include "base/vec.h"
#include "source/finding.h"
#include "syntax/ast.h"

typedef enum ExpectKind { EXPECT_FINDING, EXPECT_NOT_YET, EXPECT_VALUE, EXPECT_TRACED, EXPECT_EAGER } ExpectKind;

typedef struct Expect {
  ExpectKind kind;
  uint32_t line;    // it speaks about
  uint32_t at;      // line of the comment
  Str code;         // FINDING, NOT_YET
  uint32_t col;     // 0: any
  Level level;      // LEVEL_OFF: any
  Str text;
  Str via;          // FINDING, TRACED
  Str name, value;  // VALUE
  Str words;        // TRACED: parts of the context's text
  bool met;
} Expect;

typedef VEC(Expect) Expects;

typedef struct ExpectError {
  uint32_t line;
  Str reason;
} ExpectError;

typedef VEC(ExpectError) ExpectErrors;

/* Reads the comments of one parsed file. */
void expects_read(Arena *arena, const Ast *ast, Expects *out, ExpectErrors *errors);

/* Whether a value's text is what an expectation says. Brackets, parentheses, constants, identities and flags that the
 * expectation does not mention are not compared; `[?]` says that neither dtype nor rank is known. */
bool value_text_matches(Str expected, Str actual);

#endif

/* Our own bugs and exhausted memory: assertions that are always on, and one way out.
 *
 * Library code never prints and never exits. A failed assertion or a failed allocation unwinds to the handler that the
 * current thread installed with panic_catch(); with none installed (unit tests, fuzzers) the process aborts, which is what
 * a debugger and a fuzzer want. The handler pointer is the one thread-local of the program: it is the C runtime's stack
 * that is being described, and that is per thread by nature.
 */
#ifndef TFCHECK_BASE_PANIC_H
#define TFCHECK_BASE_PANIC_H

#include <setjmp.h>
#include <stdbool.h>

typedef struct Panic {
  jmp_buf jump;
  const char *file;
  int line;
  const char *what;  // the failed condition, or "out of memory"
  struct Panic *outer;
} Panic;

/* Usage:  Panic p; if (panic_enter(&p)) { ... p.what, p.file, p.line ... } else { work(); panic_leave(&p); } */
void panic_push(Panic *panic);
void panic_leave(Panic *panic);
#define panic_enter(panic) (panic_push(panic), setjmp((panic)->jump) != 0)

_Noreturn void panic_raise(const char *file, int line, const char *what);

#define tf_assert(condition) ((condition) ? (void)0 : panic_raise(__FILE__, __LINE__, #condition))
#define tf_unreachable(why) panic_raise(__FILE__, __LINE__, why)

#endif

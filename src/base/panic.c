/* The stack of panic handlers of each thread.
 *
 * Requires that a handler is left (panic_leave) or jumped to (panic_raise) by the thread that entered it, innermost first.
 * Does not release what the unwound code held: arenas belong to whoever catches, locks to the code that took them (sym.c).
 */
#include "base/panic.h"

#include <stdlib.h>

static _Thread_local Panic *innermost;

void panic_push(Panic *panic) {
  panic->outer = innermost;
  innermost = panic;
}

void panic_leave(Panic *panic) { innermost = panic->outer; }

_Noreturn void panic_raise(const char *file, int line, const char *what) {
  Panic *panic = innermost;
#ifdef TFCHECK_PANIC_ABORTS
  panic = NULL;  // debug and fuzz builds want the core dump at the fault, not at the handler
#endif
  if (!panic) abort();
  panic->file = file;
  panic->line = line;
  panic->what = what;
  innermost = panic->outer;
  longjmp(panic->jump, 1);
}

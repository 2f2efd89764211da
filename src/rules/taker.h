/* What a call does with a host value that it is given. */
#ifndef TFCHECK_RULES_TAKER_H
#define TFCHECK_RULES_TAKER_H

#include "sema/project.h"

typedef enum Taker {
  TAKER_GIVES,       // its result has to do with it
  TAKER_PROJECT,     // so may that of other code of the project, or of nobody knows what, which may do more with it
  TAKER_SHOWS,       // prints or logs it: no use
  TAKER_TENSORFLOW,  // makes it part of the graph
} Taker;

Taker taker_of(const Project *project, ModuleId module, const Function *function, const Expr *callee);
bool taker_fills_container(Str method);  // `append`, `update`: the receiver holds it from then on

#endif

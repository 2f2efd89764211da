/* .gitignore files, as git understands them.
 *
 * Rules are held in a stack: each folder on the way down adds its own .gitignore, leaving the folder takes it off again. The
 * last rule that matches decides; a nearer file is asked before a farther one, `.git/info/exclude` last. What lies in an
 * ignored folder is ignored, whatever its own rules say: the walk does not go there.
 */
#ifndef TFCHECK_CLI_IGNORE_H
#define TFCHECK_CLI_IGNORE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef struct IgnoreRule {
  Str pattern;    // without `!`, leading and trailing `/`
  bool negated;   // `!`: not ignored after all
  bool only_dir;  // trailing `/`
  bool anchored;  // has a `/` inside: matched against the path below `base`, else against the name alone
  uint32_t base;  // length of the folder's path with its `/`; 0 at the top
} IgnoreRule;

/* Zero is the empty stack. Set `arena`. */
typedef struct IgnoreStack {
  Arena *arena;
  VEC(IgnoreRule) rules;
} IgnoreStack;

/* Adds the rules of one file that lies in the folder `dir` ("" is the top; paths asked about are below the same top).
 * Returns the size of the stack before, for ignore_pop(). The text must outlive the stack. */
uint32_t ignore_push(IgnoreStack *stack, Str dir, Str text);
void ignore_pop(IgnoreStack *stack, uint32_t before);

/* Whether the path itself is ignored; its parent folders were asked before. */
bool ignore_match(const IgnoreStack *stack, Str path, bool is_dir);

/* One pattern against one text. In a path `*`, `?` and `[…]` do not match `/`, and `**` between slashes matches any number of
 * folders. Takes time proportional to the product of the lengths at worst. */
bool ignore_glob(Str pattern, Str text, bool is_path);

#endif

/* Suppression comments: reading them.
 *
 *   # tfcheck: ignore                        everything on this statement (own line: on the next one)
 *   # tfcheck: ignore[TF201, TF3] -- reason  some rules: codes, prefixes, names, `all`
 *   # tfcheck: ignore-block[TF301] -- reason all of the statement on the next line, its body included
 *   # tfcheck: ignore-file[TF301] -- reason  the whole file; only above its first statement
 *   # noqa: TF201                            the habit of other linters, for our codes only
 *
 * Several tools may share a comment: each part begins with its own `#`.
 */
#ifndef TFCHECK_REPORT_DIRECTIVE_H
#define TFCHECK_REPORT_DIRECTIVE_H

#include "catalog/catalog.h"
#include "source/source.h"

typedef enum DirectiveKind { DIRECTIVE_IGNORE, DIRECTIVE_BLOCK, DIRECTIVE_FILE, DIRECTIVE_NOQA, DIRECTIVE_BROKEN } DirectiveKind;

typedef struct DirectiveRule {
  Str text;
  Span span;
  bool known;  // means a rule of the catalogue
  bool used;   // hid a finding
} DirectiveRule;

typedef VEC(DirectiveRule) DirectiveRules;

typedef struct Directive {
  DirectiveKind kind;
  Span span;       // from its `#` to its end, blanks at the end left out
  Span comment;    // the whole comment
  bool own_line;
  bool blanket;    // no list of rules
  bool used;
  DirectiveRules rules;
  Str reason;      // may be empty
  Str fault;       // BROKEN: what is wrong
} Directive;

typedef VEC(Directive) Directives;

/* All directives of a file in source order. `noqa` parts without a code of ours are not among them. */
void directives_read(Arena *arena, const Catalog *catalog, const Source *source, const Comments *comments, Directives *out);
Str directive_name(DirectiveKind kind);  // "ignore", "ignore-block", "ignore-file", "noqa"

#endif

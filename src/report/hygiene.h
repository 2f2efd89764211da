/* Findings about the analysis itself: TF900 partially-analysed, TF901 unused-suppression, TF902 malformed-suppression. */
#ifndef TFCHECK_REPORT_HYGIENE_H
#define TFCHECK_REPORT_HYGIENE_H

#include "catalog/catalog.h"
#include "rules/fill.h"
#include "syntax/ast.h"

/* A finding in the words of a variant of a rule's page. */
Finding hygiene_finding(Arena *arena, const Catalog *catalog, Str code, Str variant, Place place, Fills fills);

/* TF900 for one file: unreadable (`error` says why), or with regions that were not understood, or written in Python 2. */
void hygiene_unreadable(Arena *arena, const Catalog *catalog, uint32_t file, Str error, Findings *out);
void hygiene_regions(Arena *arena, const Catalog *catalog, uint32_t file, const Ast *ast, Findings *out);
/* TF900 for a function that was too large for the analysis. */
void hygiene_budget(Arena *arena, const Catalog *catalog, uint32_t file, const Function *function, Findings *out);

#endif

/* What was not analysed is said, one finding a file: the first place in the message's position, others as labels. */
#include "report/hygiene.h"

#include "base/panic.h"

enum { MOST_REGIONS = 5 };

static const RuleVariant *find_variant(const RulePage *page, Str key) {
  for (uint32_t i = 0; i < page->variant_len; i++)
    if (str_eq(page->variants[i].key, key)) return &page->variants[i];
  return NULL;
}

Finding hygiene_finding(Arena *arena, const Catalog *catalog, Str code, Str key, Place place, Fills fills) {
  const RulePage *page = catalog_find_rule(catalog, code);
  const RuleVariant *variant = page ? find_variant(page, key) : NULL;
  tf_assert(variant);
  Finding finding = {.code = page->id,
                     .name = page->name,
                     .variant = variant->key,
                     .level = variant->level,
                     .confidence = CONF_CERTAIN,
                     .place = place,
                     .in = S("<module>")};
  fill_text(arena, variant->message, fills, &finding.message);
  fill_text(arena, variant->annotation, fills, &finding.annotation);
  for (uint32_t i = 0; i < variant->help.len; i++) {
    Str help;
    if (fill_text(arena, variant->help.data[i], fills, &help) == FILL_DONE) vec_push(arena, &finding.help, help);
  }
  return finding;
}

void hygiene_unreadable(Arena *arena, const Catalog *catalog, uint32_t file, Str error, Findings *out) {
  Fill fill = {S("what"), error};
  vec_push(arena, out,
           hygiene_finding(arena, catalog, S("TF900"), S("unreadable"), (Place){.file = file}, (Fills){&fill, 1}));
}

void hygiene_regions(Arena *arena, const Catalog *catalog, uint32_t file, const Ast *ast, Findings *out) {
  if (!ast->errors.len) {
    if (ast->looks_like_python2)
      vec_push(arena, out,
               hygiene_finding(arena, catalog, S("TF900"), S("python2"), (Place){file, ast->python2}, (Fills){0}));
    return;
  }
  const ErrorRegion *first = &ast->errors.data[0];
  Str what = first->what;
  if (ast->looks_like_python2) what = str_printf(arena, "%.*s (looks like Python 2)", STR_ARG(what));
  if (ast->errors.len > 1)
    what = str_printf(arena, "%.*s here and in %u more places", STR_ARG(what), ast->errors.len - 1);
  Fill fill = {S("what"), what};
  Finding finding =
      hygiene_finding(arena, catalog, S("TF900"), S("syntax"), (Place){file, first->span}, (Fills){&fill, 1});
  for (uint32_t i = 1; i < ast->errors.len && i < MOST_REGIONS; i++) {
    const ErrorRegion *region = &ast->errors.data[i];
    vec_push(arena, &finding.labels, ((Label){ROLE_NOTE, {file, region->span}, region->what}));
  }
  vec_push(arena, out, finding);
}

void hygiene_budget(Arena *arena, const Catalog *catalog, uint32_t file, const Function *function, Findings *out) {
  Fill fills[] = {{S("function"), sym_str(function->qualname)}, {S("what"), S("it is too large")}};
  Finding finding =
      hygiene_finding(arena, catalog, S("TF900"), S("budget"), (Place){file, function->name_span}, (Fills){fills, 2});
  finding.in = sym_str(function->qualname);
  finding.subject = finding.in;
  vec_push(arena, out, finding);
}

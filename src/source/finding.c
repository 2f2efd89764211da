/* Names of the enums that users read and write, and the order of findings. */
#include <stdlib.h>

#include "source/finding.h"

static const Str LEVELS[] = {
    [LEVEL_OFF] = S_INIT("off"),
    [LEVEL_NOTE] = S_INIT("note"),
    [LEVEL_WARNING] = S_INIT("warning"),
    [LEVEL_ERROR] = S_INIT("error"),
};

static const Str CONFIDENCES[] = {
    [CONF_POSSIBLE] = S_INIT("possible"),
    [CONF_LIKELY] = S_INIT("likely"),
    [CONF_CERTAIN] = S_INIT("certain"),
};

static const Str ROLES[] = {
    [ROLE_ROOT] = S_INIT("root"),   [ROLE_CALL] = S_INIT("call"),
    [ROLE_VALUE] = S_INIT("value"), [ROLE_DEFINITION] = S_INIT("definition"),
    [ROLE_NOTE] = S_INIT("note"),
};

static int compare_numbers(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

static Str path_of(const FileTable *files, uint32_t file) {
  return file < files->len ? files->sources[file]->path : S("");
}

int finding_cmp(const FileTable *files, const Finding *a, const Finding *b) {
  int order =
      a->place.file == b->place.file ? 0 : str_cmp(path_of(files, a->place.file), path_of(files, b->place.file));
  if (order == 0) order = compare_numbers(a->place.span.start, b->place.span.start);
  if (order == 0) order = str_cmp(a->code, b->code);
  if (order == 0) order = compare_numbers(a->place.span.end, b->place.span.end);
  if (order == 0) order = str_cmp(a->variant, b->variant);
  return order == 0 ? str_cmp(a->subject, b->subject) : order;
}

/* Findings of one identity are merged before they are sorted; should two remain, their words decide, not where they came
 * from. */
static int compare_for_sort(const void *a, const void *b, void *files) {
  const Finding *x = a, *y = b;
  int order = finding_cmp(files, x, y);
  return order == 0 ? str_cmp(x->message, y->message) : order;
}

void findings_sort(const FileTable *files, Findings *findings) {
  if (findings->len < 2) return;
  qsort_r(findings->data, findings->len, sizeof *findings->data, compare_for_sort, (void *)files);
}

static bool find_name(const Str *names, uint32_t count, Str text, uint32_t *out) {
  for (uint32_t i = 0; i < count; i++) {
    if (!str_eq(names[i], text)) continue;
    *out = i;
    return true;
  }
  return false;
}

Str level_name(Level level) { return LEVELS[level]; }

bool level_parse(Str text, Level *out) {
  uint32_t index;
  if (!find_name(LEVELS, sizeof LEVELS / sizeof *LEVELS, text, &index)) return false;
  *out = (Level)index;
  return true;
}

Str confidence_name(Confidence confidence) { return CONFIDENCES[confidence]; }

bool confidence_parse(Str text, Confidence *out) {
  uint32_t index;
  if (!find_name(CONFIDENCES, sizeof CONFIDENCES / sizeof *CONFIDENCES, text, &index)) return false;
  *out = (Confidence)index;
  return true;
}

Str role_name(LabelRole role) { return ROLES[role]; }

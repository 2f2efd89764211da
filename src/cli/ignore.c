/* Reading and matching .gitignore rules.
 *
 * The matcher keeps two places to go back to, the last `*` and the last `**`, like base/glob.c and for the same reason: an
 * earlier star can only take what the later one can take as well. So hostile patterns cost no exponential time.
 */
#include "cli/ignore.h"

/* ---- one pattern element ---- */

static bool is_class_member(Str name, unsigned char c) {
  bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  bool graph = c > 0x20 && c < 0x7F;
  if (str_eq(name, S("alnum"))) return upper || lower || digit;
  if (str_eq(name, S("alpha"))) return upper || lower;
  if (str_eq(name, S("blank"))) return c == ' ' || c == '\t';
  if (str_eq(name, S("cntrl"))) return c < 0x20 || c == 0x7F;
  if (str_eq(name, S("digit"))) return digit;
  if (str_eq(name, S("graph"))) return graph;
  if (str_eq(name, S("lower"))) return lower;
  if (str_eq(name, S("print"))) return graph || c == ' ';
  if (str_eq(name, S("punct"))) return graph && !upper && !lower && !digit;
  if (str_eq(name, S("space"))) return c == ' ' || (c >= '\t' && c <= '\r');
  if (str_eq(name, S("upper"))) return upper;
  if (str_eq(name, S("xdigit"))) return digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  return false;
}

typedef struct Bracket {
  bool valid;    // closed
  bool matches;
  size_t end;    // behind the `]`
} Bracket;

/* The length of `[:name:]` at `at`, or 0. */
static size_t class_length(Str p, size_t at) {
  if (at + 1 >= p.len || p.ptr[at] != '[' || p.ptr[at + 1] != ':') return 0;
  size_t close = str_find_char(str_sub(p, at + 2, p.len), ']');
  if (close == STR_NONE || close == 0 || p.ptr[at + 2 + close - 1] != ':') return 0;
  return close + 3;
}

/* One character of a set, `\` taking away the meaning of the next. */
static bool take_set_char(Str p, size_t *at, unsigned char *out) {
  if (*at < p.len && p.ptr[*at] == '\\') (*at)++;
  if (*at >= p.len) return false;
  *out = (unsigned char)p.ptr[(*at)++];
  return true;
}

/* `[a-z_]` at p[at] against c. The first character of a set may be `]` itself. */
static Bracket match_bracket(Str p, size_t at, unsigned char c) {
  Bracket result = {0};
  at++;
  bool negated = at < p.len && (p.ptr[at] == '!' || p.ptr[at] == '^');
  if (negated) at++;
  for (bool first = true; at < p.len && (first || p.ptr[at] != ']'); first = false) {
    size_t class_len = class_length(p, at);
    if (class_len) {
      result.matches |= is_class_member(str_sub(p, at + 2, at + class_len - 2), c);
      at += class_len;
      continue;
    }
    unsigned char low, high;
    if (!take_set_char(p, &at, &low)) return result;
    high = low;
    if (at + 1 < p.len && p.ptr[at] == '-' && p.ptr[at + 1] != ']') {
      at++;
      if (!take_set_char(p, &at, &high)) return result;
    }
    result.matches |= low <= c && c <= high;
  }
  result.valid = at < p.len;
  result.matches = result.valid && result.matches != negated;
  result.end = at + 1;
  return result;
}

/* The element at p[*at] against one character; moves *at behind the element when it matches. */
static bool match_one(Str p, size_t *at, char c, bool is_path) {
  if (*at >= p.len) return false;
  bool slash = is_path && c == '/';
  switch (p.ptr[*at]) {
    case '?':
      if (slash) return false;
      (*at)++;
      return true;
    case '[': {
      Bracket bracket = match_bracket(p, *at, (unsigned char)c);
      if (!bracket.matches || slash) return false;
      *at = bracket.end;
      return true;
    }
    case '\\':
      if (*at + 1 >= p.len || p.ptr[*at + 1] != c) return false;
      *at += 2;
      return true;
    default:
      if (p.ptr[*at] != c) return false;
      (*at)++;
      return true;
  }
}

/* ---- a whole pattern ---- */

typedef struct Retry {
  size_t pattern, text;  // where to go on: pattern behind the stars, text they have not taken yet
  bool set;
} Retry;

static size_t count_stars(Str p, size_t at) {
  size_t count = 0;
  while (at + count < p.len && p.ptr[at + count] == '*') count++;
  return count;
}

/* Two or more stars that stand alone between slashes. */
static bool is_deep(Str p, size_t at, size_t stars) {
  if (stars < 2 || (at > 0 && p.ptr[at - 1] != '/')) return false;
  return at + stars == p.len || p.ptr[at + stars] == '/';
}

static bool retry_star(Retry *star, Str text, bool is_path) {
  if (!star->set || star->text >= text.len || (is_path && text.ptr[star->text] == '/')) return false;
  star->text++;
  return true;
}

/* A `**` with a slash behind it goes on at the start of a folder or name, one at the end takes everything. */
static bool retry_deep(Retry *deep, Str text) {
  if (!deep->set) return false;
  size_t slash = str_find_char(str_sub(text, deep->text, text.len), '/');
  if (slash == STR_NONE) return false;
  deep->text += slash + 1;
  return true;
}

bool ignore_glob(Str pattern, Str text, bool is_path) {
  Retry star = {0}, deep = {0};
  size_t p = 0, t = 0;
  while (p < pattern.len || t < text.len) {
    size_t stars = count_stars(pattern, p);
    if (stars && is_path && is_deep(pattern, p, stars)) {
      if (p + stars == pattern.len) return true;
      p += stars + 1;
      deep = (Retry){p, t, true};
      star.set = false;
    } else if (stars) {
      p += stars;
      star = (Retry){p, t, true};
    } else if (t < text.len && match_one(pattern, &p, text.ptr[t], is_path)) {
      t++;
    } else if (retry_star(&star, text, is_path)) {
      p = star.pattern, t = star.text;
    } else if (retry_deep(&deep, text)) {
      star.set = false;
      p = deep.pattern, t = deep.text;
    } else {
      return false;
    }
  }
  return true;
}

/* ---- rules ---- */

/* Blanks at the end do not count, unless a backslash stands before them. */
static Str trim_end(Str line) {
  size_t end = 0;
  for (size_t i = 0; i < line.len; i++) {
    if (line.ptr[i] == '\\' && i + 1 < line.len) i++;
    else if (line.ptr[i] == ' ') continue;
    end = i + 1;
  }
  return str_sub(line, 0, end);
}

static bool read_rule(Str line, uint32_t base, IgnoreRule *rule) {
  if (str_starts(line, S("#"))) return false;
  if (str_ends(line, S("\r"))) line.len--;
  line = trim_end(line);
  *rule = (IgnoreRule){.base = base};
  if (str_starts(line, S("!"))) {
    rule->negated = true;
    line = str_sub(line, 1, line.len);
  }
  if (str_ends(line, S("/"))) {
    rule->only_dir = true;
    line.len--;
  }
  rule->anchored = str_find_char(line, '/') != STR_NONE;
  if (str_starts(line, S("/"))) line = str_sub(line, 1, line.len);
  rule->pattern = line;
  return line.len > 0;
}

uint32_t ignore_push(IgnoreStack *stack, Str dir, Str text) {
  uint32_t before = stack->rules.len;
  uint32_t base = dir.len ? (uint32_t)dir.len + 1 : 0;
  if (str_starts(text, S("\xEF\xBB\xBF"))) text = str_sub(text, 3, text.len);
  while (text.len) {
    IgnoreRule rule;
    if (read_rule(str_cut(&text, '\n'), base, &rule)) vec_push(stack->arena, &stack->rules, rule);
  }
  return before;
}

void ignore_pop(IgnoreStack *stack, uint32_t before) { stack->rules.len = before; }

/* Git compares the letters before the first special character by themselves, and what follows as a pattern of its own. So
 * two stars right behind letters stand at a beginning too and match across folders, which its manual does not say. */
static bool match_path(Str pattern, Str path) {
  size_t plain = 0;
  while (plain < pattern.len && !str_contains(S("*?[\\"), str_sub(pattern, plain, plain + 1))) plain++;
  if (!str_starts(path, str_sub(pattern, 0, plain))) return false;
  return ignore_glob(str_sub(pattern, plain, pattern.len), str_sub(path, plain, path.len), true);
}

bool ignore_match(const IgnoreStack *stack, Str path, bool is_dir) {
  size_t slash = str_rfind_char(path, '/');
  Str name = slash == STR_NONE ? path : str_sub(path, slash + 1, path.len);
  for (uint32_t i = stack->rules.len; i-- > 0;) {
    const IgnoreRule *rule = &stack->rules.data[i];
    if (rule->only_dir && !is_dir) continue;
    Str text = rule->anchored ? str_sub(path, rule->base, path.len) : name;
    if (rule->anchored ? match_path(rule->pattern, text) : ignore_glob(rule->pattern, text, false))
      return !rule->negated;
  }
  return false;
}

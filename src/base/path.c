/* Path arithmetic: purely textual, so `a/link/..` is `a` whatever the link leads to. */
#include "base/fs.h"

static Str without_trailing_slashes(Str path) {
  while (path.len > 1 && path.ptr[path.len - 1] == '/') path.len--;
  return path;
}

Str path_join(Arena *arena, Str dir, Str name) {
  if (name.len == 0) return dir;
  if (name.ptr[0] == '/' || dir.len == 0 || str_eq(dir, S("."))) return name;
  Str parts[] = {dir, str_ends(dir, S("/")) ? S("") : S("/"), name};
  return str_join(arena, parts, 3, S(""));
}

Str path_dir(Str path) {
  path = without_trailing_slashes(path);
  size_t slash = str_rfind_char(path, '/');
  if (slash == STR_NONE) return S("");
  return without_trailing_slashes(str_sub(path, 0, slash ? slash : 1));
}

Str path_base(Str path) {
  path = without_trailing_slashes(path);
  size_t slash = str_rfind_char(path, '/');
  return slash == STR_NONE ? path : str_sub(path, slash + 1, path.len);
}

/* Takes the last segment off `out`; false if there is none that `..` could undo. */
static bool drop_segment(StrBuf *out, size_t root) {
  Str path = buf_view(out);
  if (path.len == root || str_eq(path, S("..")) || str_ends(path, S("/.."))) return false;
  size_t slash = str_rfind_char(path, '/');
  out->len = slash == STR_NONE || slash < root ? root : slash;
  return true;
}

Str path_normal(Arena *arena, Str path) {
  StrBuf out = {.arena = arena};
  if (str_starts(path, S("/"))) buf_char(&out, '/');
  size_t root = out.len;
  while (path.len) {
    Str segment = str_cut(&path, '/');
    if (segment.len == 0 || str_eq(segment, S("."))) continue;
    if (str_eq(segment, S(".."))) {
      if (drop_segment(&out, root) || root) continue;
    }
    if (out.len > root) buf_char(&out, '/');
    buf_str(&out, segment);
  }
  // drop_segment only shortens, so what lies behind the end may be old text.
  return out.len ? str_copy(arena, buf_view(&out)) : S(".");
}

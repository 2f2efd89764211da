/* The interest set: seeds, everything that imports them, everything those import; and its cut to an influence cone.
 *
 *   a.py: import tensorflow        seed
 *   b.py: import a                 importer of an interesting module: it may call a's functions, subclass, rebind
 *   c.py: def helper(): ...        imported by b: what helper returns flows into a
 *   d.py: print("hello")           neither: never parsed
 *
 * The cone of `check F` must make the same facts about F as the whole project does. Facts reach F against the imports (who
 * calls F, in which context, with what values) and along them (what F calls). But they also come down from strangers: if X
 * and F both import h, then X may rebind `h.flag`, register a callback in h, or be one of the call sites whose arguments are
 * joined into the parameters of a root in h, and F sees the result. X need not import F, nor F X. So influence travels every
 * import edge in both directions, and the cone is the part of the interest set that is connected with the listed files.
 * Anything smaller would print other findings for `check F` than for `check .`.
 */
#include "sema/interest.h"

#include "base/par.h"
#include "sema/project_names.h"

typedef VEC(uint32_t) Ids;

typedef struct Scan {
  const InterestInput *input;
  ScannedFile *files;
  Ids *imports;         // per file: files it imports, unique
  Arena *worker_arenas; // hold the import lists
  Arena *scratch;       // per worker, emptied after each file
  StrList words;
} Scan;

/* ---- scanning ---- */

static Str input_path(Arena *arena, const InterestInput *input, Str path) {
  return input->root.len ? path_join(arena, input->root, path) : path;
}

static void add_unique(Arena *arena, Ids *ids, uint32_t id) {
  for (uint32_t i = 0; i < ids->len; i++) {
    if (ids->data[i] == id) return;
  }
  vec_push(arena, ids, id);
}

static uint32_t count_dots(Str *dotted) {
  uint32_t dots = 0;
  while (dotted->len && dotted->ptr[0] == '.') {
    *dotted = str_sub(*dotted, 1, dotted->len);
    dots++;
  }
  return dots;
}

/* The module and the packages around it, whose __init__.py run first. Relative imports reach their own package's too. */
static void add_import(Scan *scan, uint32_t file, uint32_t worker, Str dotted) {
  const FileIndex *index = scan->input->index;
  uint32_t dots = count_dots(&dotted);
  for (;;) {
    ImportTarget target = file_index_import(index, index->paths[file], dotted, dots);
    if (target.found == IMPORT_FILE && target.file != file) {
      add_unique(&scan->worker_arenas[worker], &scan->imports[file], target.file);
    }
    if (dotted.len == 0) break;
    size_t dot = str_rfind_char(dotted, '.');
    if (dot == STR_NONE && dots == 0) break;
    dotted = str_sub(dotted, 0, dot == STR_NONE ? 0 : dot);
  }
}

static void scan_file(void *context, uint32_t item, uint32_t worker) {
  Scan *scan = context;
  const InterestInput *input = scan->input;
  ScannedFile *file = &scan->files[item];
  Arena *scratch = &scan->scratch[worker];
  ArenaMark mark = arena_mark(scratch);
  Str path = input->index->paths[item], bytes = {0};
  file->status =
      input->fs->read(input->fs, scratch, input_path(scratch, input, path), input->options->max_file_size, &bytes);
  if (file->status == FS_OK) {
    file->seed = source_mentions(bytes, scan->words.data, scan->words.len);
    StrVec names = {0};
    source_scan_imports(scratch, bytes, &names);
    for (uint32_t i = 0; i < names.len; i++) add_import(scan, item, worker, names.data[i]);
    if (file->seed) {
      file->hints = keras_hints(bytes, &names);
      file->bytes = str_copy(&file->arena, bytes);
      file->has_bytes = true;
    }
  } else {
    file->seed = true;  // what cannot be read may matter: it stays, as a module that says why it has no tree
  }
  arena_reset(scratch, mark);
}

void interest_read(const InterestInput *input, ScannedFile *file, Str path) {
  if (file->has_bytes) return;
  Arena scratch = {0};
  Str whole = input_path(&scratch, input, path);
  file->status = input->fs->read(input->fs, &file->arena, whole, input->options->max_file_size, &file->bytes);
  file->has_bytes = file->status == FS_OK;
  arena_release(&scratch);
}

/* ---- closures over the import graph ---- */

typedef struct Graph {
  const Ids *imports;
  Ids *importers;
  uint32_t count;
} Graph;

static Graph graph_new(Arena *arena, const Ids *imports, uint32_t count) {
  Graph graph = {imports, arena_array(arena, Ids, count), count};
  for (uint32_t from = 0; from < count; from++) {
    for (uint32_t i = 0; i < imports[from].len; i++) vec_push(arena, &graph.importers[imports[from].data[i]], from);
  }
  return graph;
}

/* Everything that the marked files reach over the edges, marked. */
static void close_over(Arena *scratch, const Graph *graph, bool along, bool against, bool *marked) {
  Ids work = {0};
  for (uint32_t i = 0; i < graph->count; i++) {
    if (marked[i]) vec_push(scratch, &work, i);
  }
  while (work.len) {
    uint32_t at = work.data[--work.len];
    for (int side = 0; side < 2; side++) {
      if (side == 0 ? !along : !against) continue;
      const Ids *next = side == 0 ? &graph->imports[at] : &graph->importers[at];
      for (uint32_t i = 0; i < next->len; i++) {
        if (marked[next->data[i]]) continue;
        marked[next->data[i]] = true;
        vec_push(scratch, &work, next->data[i]);
      }
    }
  }
}

/* The edges that stay within `inside`. */
static Ids *edges_within(Arena *scratch, const Ids *imports, const bool *inside, uint32_t count) {
  Ids *kept = arena_array(scratch, Ids, count);
  for (uint32_t from = 0; from < count; from++) {
    if (!inside[from]) continue;
    for (uint32_t i = 0; i < imports[from].len; i++) {
      if (inside[imports[from].data[i]]) vec_push(scratch, &kept[from], imports[from].data[i]);
    }
  }
  return kept;
}

static void cut_to_cone(Arena *scratch, const Scan *scan, bool *inside) {
  const FileIndex *index = scan->input->index;
  const StrList *only = &scan->input->options->only;
  Graph graph = graph_new(scratch, edges_within(scratch, scan->imports, inside, index->count), index->count);
  bool *cone = arena_array(scratch, bool, index->count);
  for (uint32_t i = 0; i < only->len; i++) {
    uint64_t *file = strmap_get(&index->by_path, only->data[i]);
    if (file && inside[*file - 1]) cone[*file - 1] = true;
  }
  close_over(scratch, &graph, true, true, cone);
  memcpy(inside, cone, index->count * sizeof *inside);
}

static void choose(Arena *scratch, const Scan *scan) {
  uint32_t count = scan->input->index->count;
  Graph graph = graph_new(scratch, scan->imports, count);
  bool *inside = arena_array(scratch, bool, count);
  for (uint32_t i = 0; i < count; i++) inside[i] = scan->files[i].seed;
  close_over(scratch, &graph, false, true, inside);
  close_over(scratch, &graph, true, false, inside);
  if (scan->input->options->only.len) cut_to_cone(scratch, scan, inside);
  for (uint32_t i = 0; i < count; i++) scan->files[i].chosen = inside[i];
}

/* ---- */

static StrList seed_words(Arena *arena, const StrList *more) {
  static const Str words[] = {
      S_INIT("tensorflow"), S_INIT("keras"),     S_INIT("tf_keras"), S_INIT("tensorflow_probability"),
      S_INIT("sonnet"),     S_INIT("tf_agents"),
  };
  enum { BUILTIN = sizeof words / sizeof *words };
  Str *all = arena_array(arena, Str, BUILTIN + more->len);
  memcpy(all, words, sizeof words);
  for (uint32_t i = 0; i < more->len; i++) all[BUILTIN + i] = more->data[i];
  return (StrList){all, BUILTIN + more->len};
}

ScannedFile *interest_find(Arena *arena, const InterestInput *input) {
  uint32_t count = input->index->count, jobs = input->options->jobs ? input->options->jobs : 1;
  Arena local = {0};
  Scan scan = {
      .input = input,
      .files = arena_array(arena, ScannedFile, count),
      .imports = arena_array(&local, Ids, count),
      .worker_arenas = arena_array(&local, Arena, jobs),
      .scratch = arena_array(&local, Arena, jobs),
      .words = seed_words(&local, &input->options->seed_words),
  };
  par_for(count, jobs, scan_file, &scan);
  for (uint32_t i = 0; i < jobs; i++) arena_release(&scan.scratch[i]);
  choose(&local, &scan);
  for (uint32_t i = 0; i < jobs; i++) arena_release(&scan.worker_arenas[i]);
  for (uint32_t i = 0; i < count; i++) {
    if (!scan.files[i].chosen) arena_release(&scan.files[i].arena);
  }
  arena_release(&local);
  return scan.files;
}

/* Catalogues from files: the folder rules/ as a whole, and users' documents over a catalogue that exists. */
#include "catalog/load.h"
#include "value/schema.h"

static bool read_document(Arena *arena, const Fs *fs, Str path, DocErrors *errors, DocFile *file) {
  Str text;
  *file = (DocFile){.path = path};
  FsStatus status = fs->read(fs, arena, path, DOC_MAX_BYTES, &text);
  if (status == FS_OK) return doc_read_yaml(arena, path, text, file, errors);
  Str reason = fs_status_text(status);
  doc_fail(errors, file, (DocSpan){0, 0}, "%.*s", STR_ARG(reason));
  return false;
}

typedef void LoadDocument(Loader *loader, const DocFile *file);

static void load_fact_file(Loader *loader, const DocFile *file) { load_facts(loader, file, file->root); }

static void load_file(Loader *loader, const Fs *fs, Str path, LoadDocument *load) {
  DocFile *file = arena_new(loader->arena, DocFile);  // errors that are found at the end still point into it
  if (read_document(loader->arena, fs, path, loader->errors, file)) load(loader, file);
}

/* All files of a folder whose name starts with `prefix`; their order is that of the names. */
static void load_files(Loader *loader, const Fs *fs, Str folder, Str prefix, LoadDocument *load) {
  FsEntries entries = {0};
  FsStatus status = fs->list(fs, loader->arena, folder, &entries);
  if (status != FS_OK) {
    DocFile file = {.path = folder};
    Str reason = fs_status_text(status);
    doc_fail(loader->errors, &file, (DocSpan){0, 0}, "%.*s", STR_ARG(reason));
  }
  for (uint32_t i = 0; i < entries.len; i++) {
    Str name = entries.data[i].name;
    if (!str_ends(name, S(".yaml")) || !str_starts(name, prefix)) continue;
    load_file(loader, fs, path_join(loader->arena, folder, name), load);
  }
}

const Catalog *load_folder(Arena *arena, const Fs *fs, Str folder, DocErrors *errors) {
  Loader loader = {.arena = arena, .errors = errors};
  load_files(&loader, fs, folder, S("TF"), load_page);
  load_files(&loader, fs, path_join(arena, folder, S("api")), S(""), load_fact_file);
  Str precedence = path_join(arena, folder, S("precedence.yaml"));
  FsStat stat;
  if (fs->stat(fs, precedence, &stat) == FS_OK && stat.kind == FS_FILE)
    load_file(&loader, fs, precedence, load_precedence);
  return load_finish(&loader);
}

static void report(const DocErrors *errors, CatalogError *out) {
  if (!errors->list.len) return;
  const DocError *first = &errors->list.data[0];
  *out = (CatalogError){first->path, first->line, first->col, first->reason};
}

static const Field document_fields[] = {{S_INIT("rules"), &shape_any, false}, {S_INIT("api"), &shape_any, false}};
static const Shape shape_document = SHAPE_OF_FIELDS(document_fields);

/* What a document that has `settings` besides its rules, or has none, lays over `base`. */
static const Catalog *extend(Arena *arena, const Catalog *base, const DocFile *file, const Doc *rules, const Doc *api,
                             bool settings, DocErrors *errors) {
  Loader loader = {.arena = arena, .errors = errors, .base = base};
  if (rules) load_user_rules(&loader, file, rules, settings);
  if (api) load_facts(&loader, file, api);
  return load_finish(&loader);
}

const Catalog *catalog_extend(Arena *arena, const Catalog *base, const Fs *fs, Str path, CatalogError *error) {
  DocErrors errors = {.arena = arena};
  DocFile file;
  const Catalog *catalog = NULL;
  if (read_document(arena, fs, path, &errors, &file) && schema_check(&errors, &file, file.root, &shape_document))
    catalog = extend(arena, base, &file, doc_get(file.root, S("rules")), doc_get(file.root, S("api")), false, &errors);
  report(&errors, error);
  return catalog;
}

const Catalog *catalog_extend_docs(Arena *arena, const Catalog *base, const DocFile *file, const Doc *rules,
                                   const Doc *api, CatalogError *error) {
  DocErrors errors = {.arena = arena};
  const Catalog *catalog = extend(arena, base, file, rules, api, true, &errors);
  report(&errors, error);
  return catalog;
}

/* Damaged documents: every reader, then what a user's rules and facts go through. Nothing may crash or hang. */
#include "catalog/catalog.h"
#include "value/doc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(Arena *arena, Str text) {
  DocErrors errors = {.arena = arena};
  DocFile file;
  doc_read_toml(arena, S("f.toml"), text, S("tool.tfcheck"), &file, &errors);
  doc_read_json(arena, S("f.json"), text, 0, &file, &errors);
  doc_read_yaml(arena, S("f.yaml"), text, &file, &errors);
  CatalogError error = {0};
  Str path = S("f.yaml");
  Fs fs = fs_memory(arena, &path, &text, 1);
  catalog_extend(arena, catalog_builtin(), &fs, path, &error);
  catalog_extend_docs(arena, catalog_builtin(), &file, NULL, file.root, &error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena = {0};
  read_all(&arena, (Str){(const char *)data, size});
  arena_release(&arena);
  return 0;
}

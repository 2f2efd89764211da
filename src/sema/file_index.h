/* Where modules lie: from an import to a file, by paths alone, before anything is parsed.
 *
 * Knows every Python file of the project, in the interest set or not, the folders they lie in, and the source roots. Never
 * looks at a file's contents or outside the project: what is not found here belongs to the outside world.
 */
#ifndef TFCHECK_SEMA_FILE_INDEX_H
#define TFCHECK_SEMA_FILE_INDEX_H

#include "base/map.h"
#include "base/vec.h"
#include "catalog/catalog.h"

typedef enum ImportFound {
  IMPORT_OUTSIDE,    // no file of the project
  IMPORT_FILE,
  IMPORT_NAMESPACE,  // a folder without __init__.py that holds modules
  IMPORT_UNCLEAR,    // several files, none nearer than the others; or a relative import that leads nowhere
} ImportFound;

typedef struct ImportTarget {
  ImportFound found;
  uint32_t file;  // IMPORT_FILE: index into the paths
} ImportTarget;

typedef struct FileIndex {
  const Str *paths;  // sorted
  uint32_t count;
  StrMap by_path;    // path -> index + 1
  StrMap folders;    // folders that hold a Python file at any depth; "" is the root
  StrList roots;     // without "." and trailing slashes: "" is the root
} FileIndex;

void file_index_init(Arena *arena, FileIndex *index, const StrList *files, const StrList *source_roots);

/* The file that `dotted` means, imported from the file at `from`; dots > 0 for relative imports (`dotted` may be empty). */
ImportTarget file_index_import(const FileIndex *index, Str from, Str dotted, uint32_t dots);

/* The dotted name of the module in a file, below its source root; lies in the arena. */
Str file_module_name(Arena *arena, const FileIndex *index, Str path);
bool file_is_package(Str path);
bool file_is_test(Str path);

#endif

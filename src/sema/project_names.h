/* What the building of a project shares between its files: where modules lie, and the memo of module-level names.
 *
 * Filled while the project is built, frozen with it.
 */
#ifndef TFCHECK_SEMA_PROJECT_NAMES_H
#define TFCHECK_SEMA_PROJECT_NAMES_H

#include "sema/file_index.h"
#include "sema/project.h"

typedef enum MemoState { MEMO_NONE, MEMO_RUNNING, MEMO_DONE } MemoState;

typedef struct GlobalMemo {
  EntitySet set;
  uint8_t state;  // MemoState
} GlobalMemo;

typedef struct ProjectNames {
  FileIndex files;
  ModuleId *module_of_file;  // NO_MODULE outside of the interest set
  GlobalMemo **globals;      // per module, by index of the module scope's bindings
  Sym all, star, builtins;   // `__all__`, `*`, `builtins`
  uint32_t depth;            // of the resolution that is running
} ProjectNames;

/* An import, three ways out: IMPORT_FILE with a module, IMPORT_OUTSIDE, or something that stays unknown. */
typedef struct ModuleTarget {
  ImportFound found;
  ModuleId module;
} ModuleTarget;

ModuleTarget project_import_target(const Project *project, ModuleId from, Sym dotted, uint32_t dots);

/* Resolves every module-level name once; afterwards project_global only reads. */
void entities_build(Project *project);
/* Resolves bases, linearises, finds subclasses. Requires entities_build. */
void classes_build(Project *project);

void entity_add(EntitySet *set, Entity entity);
void entity_join(EntitySet *set, const EntitySet *more);
EntitySet entity_one(Entity entity);
EntitySet entity_api(const Project *project, Sym qualified);  // canonicalised
/* A name bound in a class body, by that body alone. */
EntitySet entity_class_name(const Project *project, ModuleId module, const Class *class_, Sym name);

/* One binding's sites, joined: later unconditional bindings replace earlier ones. With `aliases`, dotted expressions that
 * are assigned are followed (module level only); without, assignments stay unknown. */
EntitySet entity_of_sites(const Project *project, ModuleId module, const Binding *binding, bool aliases);

/* What the text of a file and its imports (source_scan_imports) say about Keras. */
KerasHints keras_hints(Str text, const StrVec *imports);
/* Does the file use what Keras 3 has no longer? */
bool needs_keras2(const KerasHints *hints);
/* Guesses by a file's hints, and by the pinned versions at the project's root. `standalone`: what `import keras` means. */
KerasFlavor flavor_of_hints(const KerasHints *hints, KerasFlavor standalone);
KerasFlavor flavor_of_pins(const Fs *fs, Str root);

#endif

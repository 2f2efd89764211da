/* The project: which files matter, the modules they are, how they import each other, their classes.
 *
 * Built in this order, then frozen: every file is scanned for seed words and import lines; the interest set (seeds, their
 * transitive importers, and what those import) is closed; its files are parsed and scoped in parallel; names and classes are
 * resolved. From then on the project is shared as const by all threads.
 */
#ifndef TFCHECK_SEMA_PROJECT_H
#define TFCHECK_SEMA_PROJECT_H

#include "base/fs.h"
#include "base/map.h"
#include "catalog/catalog.h"
#include "sema/facts.h"
#include "sema/scope.h"

typedef uint32_t ModuleId;
enum { NO_MODULE = UINT32_MAX };

typedef struct FuncRef { ModuleId module; uint32_t index; } FuncRef;    // into Ast.functions
typedef struct ClassRef { ModuleId module; uint32_t index; } ClassRef;  // into Ast.classes

static inline bool func_eq(FuncRef a, FuncRef b) { return a.module == b.module && a.index == b.index; }
static inline bool class_eq(ClassRef a, ClassRef b) { return a.module == b.module && a.index == b.index; }
/* For maps by function. */
static inline uint64_t func_key(FuncRef ref) { return (uint64_t)ref.module << 32 | ref.index; }

/* What a name or a dotted expression means before anything is executed. */
typedef enum EntityKind { ENTITY_UNKNOWN, ENTITY_API, ENTITY_MODULE, ENTITY_FUNCTION, ENTITY_CLASS, ENTITY_GLOBAL } EntityKind;

typedef struct Entity {
  EntityKind kind;
  Sym api;          // ENTITY_API: canonical qualified name ("tensorflow.function", "numpy", "builtins.len")
  ModuleId module;  // MODULE, GLOBAL (a name assigned at module level), FUNCTION, CLASS
  uint32_t index;   // FUNCTION, CLASS
  Sym name;         // GLOBAL
} Entity;

enum { ENTITY_MAX = 4 };  // several definitions of one name: up to four candidates, else unknown

typedef struct EntitySet {
  Entity items[ENTITY_MAX];
  uint32_t len;      // 0: unknown
  bool more;         // other writes exist besides these (assignments, `global` writes): not the whole truth
  bool too_many;     // there were more than ENTITY_MAX: unknown, whatever is joined to it
} EntitySet;

typedef enum KerasFlavor { KERAS_UNKNOWN, KERAS_2, KERAS_3 } KerasFlavor;

/* What a file says about TensorFlow and Keras before it is parsed. */
typedef struct KerasHints {
  bool tensorflow, standalone, legacy;  // imports tensorflow, keras, tf_keras
  bool internals;                       // imports modules that are gone in Keras 3
  bool old_optimizer;                   // writes methods that only optimizers of Keras 2 have
  bool asks_legacy;                     // sets TF_USE_LEGACY_KERAS
} KerasHints;

typedef struct Module {
  ModuleId id;
  Str path;                // project-relative
  Sym name;                // dotted name below its source root: "pkg.sub.mod" ("" never)
  bool is_package;         // an __init__.py
  bool is_test;            // test code: never decides kinds or "changing" for other code
  bool is_seed;            // mentions a seed word itself
  KerasHints hints;
  KerasFlavor flavor;      // by its own imports; KERAS_UNKNOWN when they do not tell
  Source source;
  Ast *ast;                // NULL if the file could not be read or decoded
  FunctionFacts **facts;   // by function index, made at freeze for functions with compound statements; NULL entries else
  Arena arena;             // source, tree, scopes: alive until rendered
  Str read_error;          // why the file could not be read; empty if it could
} Module;

typedef struct ClassInfo {
  ClassRef ref;
  const Class *class_;
  VEC(ClassRef) mro;       // linearised project classes, itself first; external bases are cut out
  VEC(Sym) apis;           // external bases met on the way, canonical ("keras.layers.Layer"), nearest first
  bool unknown_base;       // some base could not be resolved
  Kind instance_kind;      // K_LAYER, K_MODEL, K_METRIC, K_OPTIMIZER, K_LOSS … by its external bases, else K_INSTANCE
  VEC(ClassRef) subclasses; // direct, in (path, offset) order
} ClassInfo;

typedef struct Project {
  Str root;                // absolute path, for messages and machine formats
  const Fs *fs;
  const Catalog *catalog;
  SymTable *symbols;
  Module **modules;        // in path order; only the interest set
  uint32_t module_count;
  StrMap by_path;          // project path -> module id + 1
  Map by_name;             // dotted name Sym -> module id + 1 (nearest source root wins)
  ClassInfo *classes;      // all classes of all modules; class_info() finds one
  uint32_t class_count;
  uint32_t *class_base;    // per module: first index into classes
  KerasFlavor flavor;      // of the whole project: configuration, else pinned versions, else imports
  uint32_t files_seen;     // before the interest set
  struct ProjectNames *names;  // project_names.h: where modules lie, what module-level names mean
  Arena arena;
} Project;

typedef struct ProjectOptions {
  StrList source_roots;     // default: "src", "."
  StrList seed_words;       // additional ones (entry points, user rules)
  KerasFlavor flavor;       // KERAS_UNKNOWN: guess
  uint64_t max_file_size;   // bytes
  uint32_t jobs;
  StrList only;             // influence cone: project-relative files that will be reported; empty: all
} ProjectOptions;

/* `files`: project-relative paths of all Python files, sorted. Reading errors end up in Module.read_error of the interest
 * set's files, never as a failure. */
Project *project_load(SymTable *symbols, const Catalog *catalog, const Fs *fs, Str root, const StrList *files,
                      const ProjectOptions *options);
void project_release(Project *project);

const Module *project_module(const Project *project, ModuleId id);
/* The one way to a body: a module may be replaced or lowered lazily behind it. */
const Function *project_function(const Project *project, FuncRef ref);
const Class *project_class(const Project *project, ClassRef ref);
const ClassInfo *project_class_info(const Project *project, ClassRef ref);
const FunctionFacts *project_facts(const Project *project, FuncRef ref);  // NULL when the function has no branch or loop

/* The module an import means, seen from `from`: dots > 0 for relative ones. NO_MODULE for the outside world, for files out of
 * the interest set, and for ties. */
ModuleId project_import(const Project *project, ModuleId from, Sym dotted, uint32_t dots);

/* A module-level name, through imports, re-exports, star imports, try/except ImportError. */
EntitySet project_global(const Project *project, ModuleId module, Sym name);
/* A member of an entity: attribute of a module or API name; methods of project classes through their MRO. */
EntitySet project_member(const Project *project, const EntitySet *of, Sym name);
/* A name or dotted expression standing in `function` of `module`, by bindings alone: locals and parameters are unknown,
 * except function-local imports, nested defs and classes that are bound once. */
EntitySet project_resolve(const Project *project, ModuleId module, const Function *function, const Expr *expr);

/* The method `name` of a class, nearest in the MRO. `owner` gets the class that defines it. false if no project class does. */
bool project_method(const Project *project, ClassRef class_ref, Sym name, FuncRef *method, ClassRef *owner);
/* True if Python generates its constructor from annotations: a dataclass, a `NamedTuple`, an extension type. */
bool project_has_fields(const Project *project, ClassRef class_ref);
/* True if `sub` is `base` or inherits from it. */
bool project_is_subclass(const Project *project, ClassRef sub, ClassRef base);
/* "pkg.mod.Model.train" for messages. */
Str project_qualified(Arena *arena, const Project *project, FuncRef ref);

#endif

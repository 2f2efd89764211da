/* Building a project: scan, choose, parse, name, freeze; and the accessors that later floors go through.
 *
 * Files are parsed in parallel, each module in an arena of its own, into places fixed beforehand by path order, so that
 * nothing depends on which thread came first. Names and classes are resolved on one thread after that.
 */
#include "sema/project.h"

#include <stdlib.h>

#include "base/panic.h"
#include "base/par.h"
#include "sema/interest.h"
#include "sema/project_names.h"

/* ---- modules ---- */

typedef struct ParseJob {
  const Project *project;
  const InterestInput *input;
  ScannedFile **files;  // by module
} ParseJob;

static bool block_branches(const Block *block) {
  for (uint32_t i = 0; i < block->len; i++) {
    const Stmt *stmt = block->data[i];
    switch (stmt->kind) {
      case STMT_IF:
      case STMT_WHILE:
      case STMT_FOR:
        return true;
      case STMT_WITH:
        if (block_branches(&stmt->u.with.body)) return true;
        break;
      case STMT_TRY:
      case STMT_MATCH:
        return true;  // seldom without a branch inside, and then facts without entries do no harm
      default:
        break;
    }
  }
  return false;
}

static void build_facts(Module *module) {
  module->facts = arena_array(&module->arena, FunctionFacts *, module->ast->functions.len);
  for (uint32_t i = 0; i < module->ast->functions.len; i++) {
    const Function *function = module->ast->functions.data[i];
    if (block_branches(&function->body)) module->facts[i] = facts_build(&module->arena, function);
  }
}

static void parse_module(void *context, uint32_t item, uint32_t worker) {
  (void)worker;
  const ParseJob *job = context;
  Module *module = job->project->modules[item];
  ScannedFile *file = job->files[item];
  interest_read(job->input, file, module->path);
  module->arena = file->arena;
  if (file->status != FS_OK) {
    module->read_error = fs_status_text(file->status);
    return;
  }
  source_init(&module->arena, &module->source, module->path, file->bytes);
  if (module->source.error) return;
  module->ast = ast_parse(&module->arena, job->project->symbols, &module->source);
  scopes_build(&module->arena, job->project->symbols, module->ast);
  build_facts(module);
}

static Module *module_new(Project *project, const FileIndex *index, uint32_t file, const ScannedFile *scanned) {
  Module *module = arena_new(&project->arena, Module);
  module->id = project->module_count;
  module->path = index->paths[file];
  Arena scratch = {0};
  module->name = sym_intern(project->symbols, file_module_name(&scratch, index, module->path));
  arena_release(&scratch);
  module->is_package = file_is_package(module->path);
  module->is_test = file_is_test(module->path);
  module->is_seed = scanned->seed;
  module->hints = scanned->hints;
  module->source.path = module->path;
  return module;
}

/* Of two files with one dotted name the one below the deeper source root is meant: `src/a.py` before `a.py`. */
static void name_module(Project *project, const Module *module) {
  bool fresh;
  uint64_t *named = map_put(&project->arena, &project->by_name, (uintptr_t)module->name, &fresh);
  if (fresh || project->modules[*named - 1]->path.len < module->path.len) *named = module->id + 1;
}

static void add_modules(Project *project, ScannedFile *files, ScannedFile **by_module) {
  ProjectNames *names = project->names;
  for (uint32_t i = 0; i < names->files.count; i++) {
    names->module_of_file[i] = NO_MODULE;
    if (!files[i].chosen) continue;
    Module *module = module_new(project, &names->files, i, &files[i]);
    names->module_of_file[i] = module->id;
    by_module[module->id] = &files[i];
    project->modules[project->module_count++] = module;
    *strmap_put(&project->arena, &project->by_path, module->path, NULL) = module->id + 1;
    name_module(project, module);
  }
}

/* ---- the whole ---- */

static ProjectNames *names_new(Project *project, const StrList *files, const ProjectOptions *options) {
  ProjectNames *names = arena_new(&project->arena, ProjectNames);
  file_index_init(&project->arena, &names->files, files, &options->source_roots);
  names->module_of_file = arena_array(&project->arena, ModuleId, files->len);
  names->all = sym_intern(project->symbols, S("__all__"));
  names->star = sym_intern(project->symbols, S("*"));
  names->builtins = sym_intern(project->symbols, S("builtins"));
  return names;
}

/* By all files of the project, chosen or not. */
static void guess_flavors(Project *project, const ScannedFile *files, KerasFlavor configured) {
  const FileIndex *index = &project->names->files;
  KerasFlavor known = configured != KERAS_UNKNOWN ? configured : flavor_of_pins(project->fs, project->root);
  bool seen[3] = {false}, old = false;
  for (uint32_t i = 0; known == KERAS_UNKNOWN && i < index->count; i++) {
    old |= !file_is_test(index->paths[i]) && needs_keras2(&files[i].hints);
  }
  KerasFlavor standalone = known != KERAS_UNKNOWN ? known : old ? KERAS_UNKNOWN : KERAS_3;
  for (uint32_t i = 0; i < index->count; i++) {
    if (!file_is_test(index->paths[i])) seen[flavor_of_hints(&files[i].hints, standalone)] = true;
  }
  for (ModuleId id = 0; id < project->module_count; id++) {
    Module *module = project->modules[id];
    module->flavor = flavor_of_hints(&module->hints, standalone);
  }
  if (known == KERAS_UNKNOWN && seen[KERAS_2] != seen[KERAS_3]) known = seen[KERAS_2] ? KERAS_2 : KERAS_3;
  project->flavor = known;
}

static void load_modules(Project *project, const ProjectOptions *options) {
  InterestInput input = {project->fs, project->root, &project->names->files, options};
  Arena scratch = {0};
  uint32_t count = project->names->files.count;
  ScannedFile *files = interest_find(&scratch, &input);
  ScannedFile **by_module = arena_array(&scratch, ScannedFile *, count);
  project->modules = arena_array(&project->arena, Module *, count);
  add_modules(project, files, by_module);
  guess_flavors(project, files, options->flavor);
  ParseJob job = {project, &input, by_module};
  par_for(project->module_count, options->jobs ? options->jobs : 1, parse_module, &job);
  arena_release(&scratch);
}

static void resolve_names(Project *project) {
  ProjectNames *names = project->names;
  names->globals = arena_array(&project->arena, GlobalMemo *, project->module_count);
  for (ModuleId id = 0; id < project->module_count; id++) {
    const Ast *ast = project->modules[id]->ast;
    uint32_t bindings = ast ? ast->module->scope->bindings.len : 0;
    names->globals[id] = arena_array(&project->arena, GlobalMemo, bindings);
  }
  entities_build(project);
  classes_build(project);
}

Project *project_load(SymTable *symbols, const Catalog *catalog, const Fs *fs, Str root, const StrList *files,
                      const ProjectOptions *options) {
  Arena arena = {0};
  Project *project = arena_new(&arena, Project);
  *project = (Project){.root = root, .fs = fs, .catalog = catalog, .symbols = symbols, .arena = arena};
  project->files_seen = files->len;
  project->names = names_new(project, files, options);
  load_modules(project, options);
  resolve_names(project);
  return project;
}

void project_release(Project *project) {
  if (!project) return;
  for (ModuleId id = 0; id < project->module_count; id++) arena_release(&project->modules[id]->arena);
  Arena arena = project->arena;  // holds the project itself
  arena_release(&arena);
}

/* ---- accessors ---- */

const Module *project_module(const Project *project, ModuleId id) {
  tf_assert(id < project->module_count);
  return project->modules[id];
}

const Function *project_function(const Project *project, FuncRef ref) {
  const Ast *ast = project_module(project, ref.module)->ast;
  tf_assert(ast && ref.index < ast->functions.len);
  return ast->functions.data[ref.index];
}

const Class *project_class(const Project *project, ClassRef ref) {
  const Ast *ast = project_module(project, ref.module)->ast;
  tf_assert(ast && ref.index < ast->classes.len);
  return ast->classes.data[ref.index];
}

const ClassInfo *project_class_info(const Project *project, ClassRef ref) {
  uint32_t at = project->class_base[ref.module] + ref.index;
  tf_assert(ref.module < project->module_count && at < project->class_base[ref.module + 1]);
  return &project->classes[at];
}

const FunctionFacts *project_facts(const Project *project, FuncRef ref) {
  const Module *module = project_module(project, ref.module);
  return module->facts ? module->facts[ref.index] : NULL;
}

Str project_qualified(Arena *arena, const Project *project, FuncRef ref) {
  Str parts[] = {sym_str(project_module(project, ref.module)->name), sym_str(project_function(project, ref)->qualname)};
  return str_join(arena, parts, 2, S("."));
}

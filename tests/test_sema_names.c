/* Scopes, imports and classes: what names mean, on small projects that exist in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "sema/project.h"

/* ---- a project from texts ---- */

enum { MOST_FILES = 8 };

typedef struct Files {
  const char *items[2 * MOST_FILES];  // path, text, path, text, …, NULL; sorted by path
} Files;

typedef struct World {
  Arena arena;
  SymTable *symbols;
  Fs fs;
  Project *project;
} World;

static World world_with(const Files *files, ProjectOptions options) {
  World world = {.symbols = sym_table_new()};
  Str *paths = arena_array(&world.arena, Str, MOST_FILES), *texts = arena_array(&world.arena, Str, MOST_FILES);
  Str *python = arena_array(&world.arena, Str, MOST_FILES);
  uint32_t count = 0, python_count = 0;
  for (; count < MOST_FILES && files->items[2 * count]; count++) {
    paths[count] = str_from(files->items[2 * count]);
    texts[count] = str_from(files->items[2 * count + 1]);
    if (str_ends(paths[count], S(".py"))) python[python_count++] = paths[count];
  }
  Fs *fs = arena_new(&world.arena, Fs);
  *fs = fs_memory(&world.arena, paths, texts, count);
  if (!options.max_file_size) options.max_file_size = 1 << 20;
  if (!options.jobs) options.jobs = 2;
  StrList *list = arena_new(&world.arena, StrList);
  *list = (StrList){python, python_count};
  world.project = project_load(world.symbols, catalog_builtin(), fs, S(""), list, &options);
  return world;
}

#define FILES(...) (&(Files){{__VA_ARGS__}})
#define WORLD(...) world_with(FILES(__VA_ARGS__), (ProjectOptions){0})

static void world_release(World *world) {
  project_release(world->project);
  sym_table_release(world->symbols);
  arena_release(&world->arena);
}

static ModuleId module_at(const World *world, const char *path) {
  uint64_t *id = strmap_get(&world->project->by_path, str_from(path));
  return id ? (ModuleId)(*id - 1) : NO_MODULE;
}

static Sym sym(const World *world, const char *text) { return sym_intern(world->symbols, str_from(text)); }

static Str entity_text(const World *world, const Entity *entity) {
  Arena *arena = (Arena *)&world->arena;
  const Project *project = world->project;
  switch (entity->kind) {
    case ENTITY_API:
      return entity->api->text;
    case ENTITY_MODULE:
      return str_concat(arena, S("module "), project_module(project, entity->module)->path);
    case ENTITY_FUNCTION:
      return str_concat(arena, S("def "), project_qualified(arena, project, (FuncRef){entity->module, entity->index}));
    case ENTITY_CLASS: {
      const Class *class_ = project_class(project, (ClassRef){entity->module, entity->index});
      return str_printf(arena, "class %.*s.%.*s", STR_ARG(project_module(project, entity->module)->name->text),
                        STR_ARG(class_->qualname->text));
    }
    case ENTITY_GLOBAL:
      return str_printf(arena, "global %.*s.%.*s", STR_ARG(project_module(project, entity->module)->name->text),
                        STR_ARG(entity->name->text));
    default:
      return S("unknown");
  }
}

static const char *set_text(const World *world, const EntitySet *set) {
  StrBuf buf = {.arena = (Arena *)&world->arena};
  for (uint32_t i = 0; i < set->len; i++) {
    if (i) buf_lit(&buf, " | ");
    buf_str(&buf, entity_text(world, &set->items[i]));
  }
  if (set->len == 0) buf_lit(&buf, "?");
  else if (set->more) buf_lit(&buf, " | ...");
  buf_char(&buf, 0);
  return buf_view(&buf).ptr;
}

/* The meaning of the expression `use(EXPR)` is called with, in the innermost function; the first such call of the module. */
typedef struct UseSearch {
  const Expr *found;
} UseSearch;

static void find_use(void *context, Expr *expr) {
  UseSearch *search = context;
  if (search->found) return;
  if (expr->kind == EXPR_CALL && expr->u.call.callee->kind == EXPR_NAME &&
      sym_is(expr->u.call.callee->u.name.id, S("use"))) {
    search->found = expr->u.call.args.data[0];
    return;
  }
  expr_children(expr, find_use, search);
}

static const Expr *use_in_block(const Block *block) {
  UseSearch search = {0};
  for (uint32_t i = 0; i < block->len && !search.found; i++) {
    const Stmt *stmt = block->data[i];
    if (stmt->kind == STMT_EXPR || stmt->kind == STMT_RETURN) find_use(&search, stmt->u.expr);
    if (stmt->kind == STMT_ASSIGN) find_use(&search, stmt->u.assign.value);
    if (stmt->kind == STMT_CLASS) search.found = use_in_block(&stmt->u.class_->body);
  }
  return search.found;
}

static const Expr *use_in(const Ast *ast, const Function **function) {
  for (uint32_t i = 0; i < ast->functions.len; i++) {
    *function = ast->functions.data[i];
    const Expr *use = use_in_block(&(*function)->body);
    if (use) return use;
  }
  return NULL;
}

static const char *meaning(const World *world, const char *path) {
  ModuleId id = module_at(world, path);
  assert_int_not_equal(id, NO_MODULE);
  const Function *function = NULL;
  const Expr *use = use_in(project_module(world->project, id)->ast, &function);
  assert_non_null(use);
  EntitySet set = project_resolve(world->project, id, function, use);
  return set_text(world, &set);
}

/* One file, one `use(…)`. */
static void means(const char *text, const char *expected) {
  World world = WORLD("a.py", text);
  assert_string_equal(meaning(&world, "a.py"), expected);
  world_release(&world);
}

/* ---- imports of the outside world ---- */

static void names__import_forms(void **state) {
  (void)state;
  means("import tensorflow as T\nuse(T.function)\n", "tensorflow.function");
  means("import tensorflow\nuse(tensorflow.function)\n", "tensorflow.function");
  means("from tensorflow import function as fn\nuse(fn)\n", "tensorflow.function");
  means("import tensorflow.compat.v2 as tf\nuse(tf.function)\n", "tensorflow.function");
  means("from tensorflow import keras as K\nuse(K.layers.Layer)\n", "keras.layers.Layer");
  means("import tensorflow.keras.layers as L\nuse(L.Layer)\n", "keras.layers.Layer");
  means("import tensorflow.experimental.numpy as np\nuse(np.sum)\n", "tensorflow.experimental.numpy.sum");
  means("import tensorflow.keras\nimport tensorflow.data\nuse(tensorflow.data.Dataset)\n", "tensorflow.data.Dataset");
  means("import os.path  # tensorflow\nuse(os.path.join)\n", "os.path.join");
  means("import tensorflow\nfrom foo.bar import baz\nuse(baz.qux)\n", "foo.bar.baz.qux");
  means("import tensorflow\nuse(len)\n", "builtins.len");
}

static void names__guarded_imports(void **state) {
  (void)state;
  means("try:\n  from tensorflow import function\nexcept ImportError:\n  from other import function\nuse(function)\n",
        "tensorflow.function | other.function");
  means("try:\n  import tensorflow as tf\nexcept ImportError:\n  tf = None\nuse(tf.function)\n",
        "tensorflow.function | ...");
  means("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  import tensorflow as tf\nuse(tf.Tensor)\n",
        "tensorflow.Tensor");
  means("def f():\n  import tensorflow as tf\n  return use(tf.function)\n", "tensorflow.function");
  means("def f():\n  import tensorflow as tf\n  def g():\n    return use(tf.function)\n", "tensorflow.function");
}

static void names__aliases(void **state) {
  (void)state;
  means("import tensorflow as tf\nfunction = tf.function\nuse(function)\n", "tensorflow.function");
  means("import tensorflow as tf\nK = tf.keras\nuse(K.layers.Layer)\n", "keras.layers.Layer");
  means("import tensorflow as tf\ntf = tf.compat.v2\nuse(tf.function)\n", "tensorflow.function");
  means("import tensorflow as tf\na, b = tf.function, tf.cond\nuse(b)\n", "tensorflow.cond");
  means("import tensorflow as tf\na = b\nb = a\nuse(a)\n", "global a.a");
  means("import tensorflow as tf\nf = tf.function\nf = 1\nuse(f)\n", "global a.f");
  means("import tensorflow as tf\nf = make()\nuse(f)\n", "global a.f");
}

static void names__rebound_names_lose_what_was_known(void **state) {
  (void)state;
  means("import tensorflow as tf\ndef f(): pass\nf = tf.function(f)\nuse(f)\n", "global a.f");
  means("import tensorflow as tf\ndef f(): pass\ndef g():\n  global f\n  f = 1\nuse(f)\n", "def a.f | ...");
  means("import tensorflow as tf\ndef f(x):\n  return use(x)\n", "?");
  means("import tensorflow as tf\ndef f(x):\n  g = tf.function\n  return use(g)\n", "?");
  means("import tensorflow as tf\nif 1:\n  def f(): pass\nelse:\n  from b import f\nuse(f)\n", "def a.f | b.f");
  means(
      "import tensorflow as tf\nif a:\n  from p import f\nelif b:\n  from q import f\nelif c:\n  from r import f\n"
      "elif d:\n  from s import f\nelse:\n  from t import f\nuse(f)\n",
      "?");
}

static void names__nested_definitions(void **state) {
  (void)state;
  means("import keras\ndef f():\n  def g(): pass\n  return use(g)\n", "def a.f.<locals>.g");
  means("import keras\ndef f():\n  def g(): pass\n  g = 1\n  return use(g)\n", "?");
  means("import keras\nclass A:\n  def m(self): pass\n  x = use(m)\n", "def a.A.m");
  means("import keras\nclass A:\n  def m(self):\n    return use(m)\n", "builtins.m");
  means("import keras\nclass A:\n  def m(self): pass\nuse(A.m)\n", "def a.A.m");
}

/* ---- imports within the project ---- */

static void names__project_imports(void **state) {
  (void)state;
  World world = WORLD("main.py", "import pkg.sub.mod\nimport tensorflow\nuse(pkg.sub.mod.f)\n",  //
                      "pkg/__init__.py", "from .sub.mod import f as g\n",  //
                      "pkg/sub/__init__.py", "",  //
                      "pkg/sub/mod.py", "def f(): pass\nfrom .. import g as h\nuse(h)\n");
  assert_string_equal(meaning(&world, "main.py"), "def pkg.sub.mod.f");
  assert_string_equal(meaning(&world, "pkg/sub/mod.py"), "def pkg.sub.mod.f");
  world_release(&world);
}

static void names__reexports_and_stars(void **state) {
  (void)state;
  World world = WORLD("main.py", "from pkg import *\nimport tensorflow\nuse(step)\n",  //
                      "other.py", "from pkg import *\nimport tensorflow\nuse(hidden)\n",  //
                      "pkg/__init__.py", "from .core import *\n__all__ = ['step']\n",  //
                      "pkg/core.py", "def step(): pass\ndef hidden(): pass\ndef _private(): pass\n", "third.py",
                      "from pkg.core import *\nimport tensorflow\nuse(hidden)\n",  //
                      "fourth.py", "from pkg.core import *\nimport tensorflow\nuse(_private)\n");
  assert_string_equal(meaning(&world, "main.py"), "def pkg.core.step");
  assert_string_equal(meaning(&world, "other.py"), "?");
  assert_string_equal(meaning(&world, "third.py"), "def pkg.core.hidden");
  assert_string_equal(meaning(&world, "fourth.py"), "?");
  world_release(&world);
}

static void names__star_of_the_outside_world(void **state) {
  (void)state;
  means("from tensorflow import *\nuse(function)\n", "tensorflow.function");
  means("from tensorflow import *\nuse(nothing_we_know)\n", "?");
}

static void names__submodules_and_namespaces(void **state) {
  (void)state;
  World world = WORLD("main.py", "import tensorflow\nfrom space import mod\nuse(mod.f)\n",  //
                      "other.py", "import tensorflow\nimport space.mod\nuse(space.mod.f)\n",  //
                      "pkg/__init__.py", "",  //
                      "pkg/mod.py", "def f(): pass\n",  //
                      "space/mod.py", "def f(): pass\n",  //
                      "third.py", "import tensorflow\nfrom pkg import mod\nuse(mod.f)\n");
  assert_string_equal(meaning(&world, "main.py"), "def space.mod.f");
  assert_string_equal(meaning(&world, "other.py"), "def space.mod.f");
  assert_string_equal(meaning(&world, "third.py"), "def pkg.mod.f");
  world_release(&world);
}

static void names__source_roots(void **state) {
  (void)state;
  World world = WORLD("scripts/helper.py", "def f(): pass\n",  //
                      "scripts/run.py", "import tensorflow\nimport helper\nuse(helper.f)\n",  //
                      "src/pkg/__init__.py", "",  //
                      "src/pkg/a.py", "import tensorflow\nfrom pkg import b\nuse(b.f)\n",  //
                      "src/pkg/b.py", "def f(): pass\n",  //
                      "tests/test_a.py", "import tensorflow\nimport pkg.b as b\nuse(b.f)\n");
  assert_string_equal(meaning(&world, "scripts/run.py"), "def scripts.helper.f");
  assert_string_equal(meaning(&world, "src/pkg/a.py"), "def pkg.b.f");
  assert_string_equal(meaning(&world, "tests/test_a.py"), "def pkg.b.f");
  assert_true(project_module(world.project, module_at(&world, "tests/test_a.py"))->is_test);
  assert_false(project_module(world.project, module_at(&world, "src/pkg/a.py"))->is_test);
  world_release(&world);
}

static void names__a_tie_is_unknown(void **state) {
  (void)state;
  static const Str roots[] = {S_INIT("one"), S_INIT("two")};
  World world = world_with(FILES("main.py", "import tensorflow\nimport m\nuse(m.f)\n",  //
                                 "one/m.py", "def f(): pass\n", "two/m.py", "def f(): pass\n"),
                           (ProjectOptions){.source_roots = {roots, 2}});
  assert_string_equal(meaning(&world, "main.py"), "?");
  world_release(&world);
}

static void names__a_folder_does_not_hide_tensorflow(void **state) {
  (void)state;
  World world = WORLD("examples/tensorflow/run.py", "import tensorflow as tf\nuse(tf.function)\n");
  assert_string_equal(meaning(&world, "examples/tensorflow/run.py"), "tensorflow.function");
  world_release(&world);
}

static void names__circular_imports_end(void **state) {
  (void)state;
  World world = WORLD("a.py", "import tensorflow\nfrom b import x\nuse(x)\n",  //
                      "b.py", "from c import x\n", "c.py", "from a import x\n");
  assert_string_equal(meaning(&world, "a.py"), "?");
  world_release(&world);
}

static void names__package_imports_its_own_submodule(void **state) {
  (void)state;
  World world = WORLD("pkg/__init__.py", "from . import ops\nimport tensorflow\nuse(ops.f)\n",  //
                      "pkg/ops.py", "def f(): pass\n");
  assert_string_equal(meaning(&world, "pkg/__init__.py"), "def pkg.ops.f");
  world_release(&world);
}

/* ---- which files ---- */

static void interest__importers_and_imports(void **state) {
  (void)state;
  World world = WORLD("a.py", "import tensorflow\n", "b.py", "import a\nimport c\n", "c.py", "import e\n",  //
                      "d.py", "print(1)\n", "e.py", "\n", "f.py", "import d\n");
  assert_int_equal(world.project->module_count, 4);
  assert_int_equal(world.project->files_seen, 6);
  assert_int_equal(module_at(&world, "d.py"), NO_MODULE);
  assert_int_equal(module_at(&world, "f.py"), NO_MODULE);
  assert_int_not_equal(module_at(&world, "e.py"), NO_MODULE);
  assert_true(project_module(world.project, module_at(&world, "a.py"))->is_seed);
  assert_false(project_module(world.project, module_at(&world, "b.py"))->is_seed);
  world_release(&world);
}

static void interest__cone_is_what_is_connected(void **state) {
  (void)state;
  static const Str only[] = {S_INIT("a.py")};
  World world =
      world_with(FILES("a.py", "import tensorflow\nimport h\n", "h.py", "flag = 1\n",  //
                       "other.py", "import tensorflow\n", "x.py", "import tensorflow\nimport h\nh.flag = 2\n"),
                 (ProjectOptions){.only = {only, 1}});
  assert_int_equal(module_at(&world, "other.py"), NO_MODULE);
  assert_int_not_equal(module_at(&world, "x.py"), NO_MODULE);
  assert_int_not_equal(module_at(&world, "h.py"), NO_MODULE);
  world_release(&world);
}

/* ---- classes ---- */

static const ClassInfo *class_named(const World *world, const char *path, const char *name) {
  ModuleId id = module_at(world, path);
  EntitySet set = project_global(world->project, id, sym(world, name));
  assert_int_equal(set.len, 1);
  assert_int_equal(set.items[0].kind, ENTITY_CLASS);
  return project_class_info(world->project, (ClassRef){set.items[0].module, set.items[0].index});
}

static const char *mro_text(const World *world, const ClassInfo *info) {
  StrBuf buf = {.arena = (Arena *)&world->arena};
  for (uint32_t i = 0; i < info->mro.len; i++) {
    if (i) buf_char(&buf, ' ');
    buf_str(&buf, project_class(world->project, info->mro.data[i])->name->text);
  }
  for (uint32_t i = 0; i < info->apis.len; i++) buf_printf(&buf, " %.*s", STR_ARG(info->apis.data[i]->text));
  if (info->unknown_base) buf_lit(&buf, " ?");
  buf_char(&buf, 0);
  return buf_view(&buf).ptr;
}

static void classes__linear_order(void **state) {
  (void)state;
  World world = WORLD("a.py",
                      "import tensorflow as tf\n"
                      "class Base(tf.keras.layers.Layer): pass\n"
                      "class L(Base): pass\nclass R(Base): pass\nclass D(L, R): pass\n"
                      "class Bad(Base, L): pass\n"
                      "class Loop(Loop2): pass\nclass Loop2(Loop): pass\n"
                      "class Un(make()): pass\n"
                      "from collections import namedtuple\nclass Pair(namedtuple('Pair', 'x y')): pass\n"
                      "class Meta(six.with_metaclass(abc.ABCMeta, Base)): pass\nimport six, abc\n");
  assert_string_equal(mro_text(&world, class_named(&world, "a.py", "D")), "D L R Base keras.layers.Layer");
  assert_string_equal(mro_text(&world, class_named(&world, "a.py", "Bad")), "Bad Base L keras.layers.Layer");
  assert_string_equal(mro_text(&world, class_named(&world, "a.py", "Meta")), "Meta Base keras.layers.Layer");
  assert_string_equal(mro_text(&world, class_named(&world, "a.py", "Un")), "Un ?");
  assert_string_equal(mro_text(&world, class_named(&world, "a.py", "Pair")), "Pair builtins.tuple");
  assert_true(class_named(&world, "a.py", "Loop")->unknown_base);
  const ClassInfo *base = class_named(&world, "a.py", "Base");
  assert_int_equal(base->subclasses.len, 4);
  assert_true(project_is_subclass(world.project, class_named(&world, "a.py", "D")->ref, base->ref));
  assert_false(project_is_subclass(world.project, base->ref, class_named(&world, "a.py", "D")->ref));
  world_release(&world);
}

static void classes__kinds(void **state) {
  (void)state;
  World world = WORLD("a.py",
                      "import tensorflow as tf\n"
                      "class A(tf.keras.layers.Layer): pass\nclass B(tf.keras.Model): pass\nclass C(A): pass\n"
                      "class D(tf.Module): pass\nclass E: pass\n");
  assert_int_equal(class_named(&world, "a.py", "A")->instance_kind, K_LAYER);
  assert_int_equal(class_named(&world, "a.py", "B")->instance_kind, K_MODEL);
  assert_int_equal(class_named(&world, "a.py", "C")->instance_kind, K_LAYER);
  assert_int_equal(class_named(&world, "a.py", "D")->instance_kind, K_INSTANCE);
  assert_int_equal(class_named(&world, "a.py", "E")->instance_kind, K_INSTANCE);
  world_release(&world);
}

static void classes__methods(void **state) {
  (void)state;
  World world = WORLD("a.py",
                      "import keras\nfrom b import Base\n"
                      "class A(Base):\n  def own(self): pass\n  hidden = None\n"
                      "  @property\n  def p(self): pass\n  @p.setter\n  def p(self, v): pass\n  alias = own\n",
                      "b.py", "class Base:\n  def far(self): pass\n  def hidden(self): pass\n");
  const ClassInfo *info = class_named(&world, "a.py", "A");
  FuncRef method;
  ClassRef owner;
  assert_true(project_method(world.project, info->ref, sym(&world, "far"), &method, &owner));
  assert_int_equal(owner.module, module_at(&world, "b.py"));
  assert_true(project_method(world.project, info->ref, sym(&world, "p"), &method, NULL));
  assert_int_equal(project_function(world.project, method)->param_len, 1);
  assert_true(project_method(world.project, info->ref, sym(&world, "alias"), &method, NULL));
  assert_true(sym_is(project_function(world.project, method)->name, S("own")));
  assert_false(project_method(world.project, info->ref, sym(&world, "hidden"), &method, NULL));
  assert_false(project_method(world.project, info->ref, sym(&world, "none"), &method, NULL));
  world_release(&world);
}

/* ---- Keras 2 or 3 ---- */

static KerasFlavor project_flavor(const char *path, const char *text, const char *python) {
  World world = strcmp(path, "a.py") < 0 ? WORLD(path, text, "a.py", python) : WORLD("a.py", python, path, text);
  KerasFlavor flavor = world.project->flavor;
  world_release(&world);
  return flavor;
}

static void flavor__pins(void **state) {
  (void)state;
  const char *tf = "import tensorflow\n";
  assert_int_equal(project_flavor("requirements.txt", "numpy\ntensorflow==2.13.0\n", tf), KERAS_2);
  assert_int_equal(project_flavor("requirements.txt", "tensorflow[and-cuda]>=2.16\n", tf), KERAS_3);
  assert_int_equal(project_flavor("requirements.txt", "tensorflow>=2.4,<2.16\n", tf), KERAS_2);
  assert_int_equal(project_flavor("requirements.txt", "tensorflow>=2.4\n", tf), KERAS_UNKNOWN);
  assert_int_equal(project_flavor("requirements.txt", "# tensorflow==2.13\n", tf), KERAS_UNKNOWN);
  assert_int_equal(project_flavor("requirements-dev.txt", "keras<3\n", tf), KERAS_2);
  assert_int_equal(project_flavor("requirements.txt", "tensorflow-probability==0.20\n", tf), KERAS_UNKNOWN);
  assert_int_equal(project_flavor("pyproject.toml", "dependencies = [\"keras>=3.0\"]\n", tf), KERAS_3);
  assert_int_equal(project_flavor("pyproject.toml", "[tool.poetry.dependencies]\nkeras = \"^2.12\"\n", tf),
                   KERAS_UNKNOWN);
  assert_int_equal(project_flavor("setup.py", "setup(install_requires=['tensorflow ~= 2.15.0'])\n", tf), KERAS_2);
  assert_int_equal(project_flavor("requirements.txt", "keras<3\n", "import keras\n"), KERAS_2);
}

static void flavor__imports(void **state) {
  (void)state;
  assert_int_equal(project_flavor("b.py", "", "import keras\n"), KERAS_3);
  assert_int_equal(project_flavor("b.py", "", "from keras.layers import *\n"), KERAS_3);
  assert_int_equal(project_flavor("b.py", "", "import tf_keras as keras\n"), KERAS_2);
  assert_int_equal(project_flavor("b.py", "", "from tensorflow import keras\n"), KERAS_UNKNOWN);
  assert_int_equal(project_flavor("b.py", "", "import os\nos.environ['TF_USE_LEGACY_KERAS'] = '1'\nimport keras\n"),
                   KERAS_2);
}

/* ---- broken input ---- */

static void load__unreadable_files_are_modules_without_a_tree(void **state) {
  (void)state;
  World world = world_with(FILES("a.py", "import tensorflow\nimport b\n", "b.py", "# coding: no-such-coding\n\xff\n"),
                           (ProjectOptions){0});
  const Module *module = project_module(world.project, module_at(&world, "b.py"));
  assert_null(module->ast);
  assert_true(module->source.error);
  world_release(&world);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names__import_forms),
      cmocka_unit_test(names__guarded_imports),
      cmocka_unit_test(names__aliases),
      cmocka_unit_test(names__rebound_names_lose_what_was_known),
      cmocka_unit_test(names__nested_definitions),
      cmocka_unit_test(names__project_imports),
      cmocka_unit_test(names__reexports_and_stars),
      cmocka_unit_test(names__star_of_the_outside_world),
      cmocka_unit_test(names__submodules_and_namespaces),
      cmocka_unit_test(names__source_roots),
      cmocka_unit_test(names__a_tie_is_unknown),
      cmocka_unit_test(names__a_folder_does_not_hide_tensorflow),
      cmocka_unit_test(names__circular_imports_end),
      cmocka_unit_test(names__package_imports_its_own_submodule),
      cmocka_unit_test(interest__importers_and_imports),
      cmocka_unit_test(interest__cone_is_what_is_connected),
      cmocka_unit_test(classes__linear_order),
      cmocka_unit_test(classes__kinds),
      cmocka_unit_test(classes__methods),
      cmocka_unit_test(flavor__pins),
      cmocka_unit_test(flavor__imports),
      cmocka_unit_test(load__unreadable_files_are_modules_without_a_tree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

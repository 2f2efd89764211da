"""Records which functions of a program run while TensorFlow traces, as what, and with what kinds of arguments.

A profile hook sees each call of a Python function. Functions that AutoGraph converted live in files that it generates; its source map leads
back to the line they come from. Functions are named by file and line of their `def` or `lambda`.
"""
import ast
import builtins
import os
import sys
import threading


class Function:
    """One `def` or `lambda` of a watched file."""

    def __init__(self, node, name, inside_class):
        self.name, self.line, self.end, self.column = name, node.lineno, node.end_lineno, node.col_offset + 1
        decorators = getattr(node, "decorator_list", [])
        self.first = min([node.lineno] + [decorator.lineno for decorator in decorators])
        arguments = node.args
        self.params = [arg.arg for arg in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
        static = any(isinstance(decorator, ast.Name) and decorator.id == "staticmethod" for decorator in decorators)
        self.receiver = self.params[0] if inside_class and self.params and not static else None


def functions_of(path):
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    methods = {id(node) for owner in ast.walk(tree) if isinstance(owner, ast.ClassDef) for node in owner.body}
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(Function(node, node.name, id(node) in methods))
        elif isinstance(node, ast.Lambda):
            found.append(Function(node, "<lambda>", False))
    return found


class Kinds:
    """Words of tfcheck's vocabulary (src/catalog/kind.h) for real values. A word for every value: None would hide what tfcheck gets wrong."""

    def __init__(self, is_own):
        import types

        import numpy as np
        import tensorflow as tf
        from tensorflow.python.framework import ops

        self.is_own = is_own
        self.tensor, self.eager = tf.Tensor, ops.EagerTensor  # no tensor is made for it: that would start TensorFlow
        table = next(base for base in tf.lookup.StaticHashTable.__mro__ if base.__name__ == "LookupInterface")
        self.exact = [("none", type(None)), ("bool", bool), ("array", (np.generic, np.ndarray)), ("number", (int, float, complex)), ("text", (str, bytes)),
                      ("variable", tf.Variable), ("tensor-array", tf.TensorArray), ("shape", tf.TensorShape), ("dtype", (tf.DType, np.dtype)),
                      ("composite-tensor", (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices, tf.experimental.ExtensionType)),
                      ("dataset", (tf.data.Dataset, tf.distribute.DistributedDataset)), ("iterator", (tf.data.Iterator, tf.distribute.DistributedIterator)), ("tape", (tf.GradientTape, tf.autodiff.ForwardAccumulator)),
                      ("spec", tf.TypeSpec), ("strategy", tf.distribute.Strategy), ("tf-rng", tf.random.Generator),
                      ("host-rng", (np.random.Generator, np.random.RandomState)), ("writer", tf.summary.SummaryWriter),
                      ("checkpoint", (tf.train.Checkpoint, tf.train.CheckpointManager)), ("table", table)]
        self.containers = [("list", list), ("tuple", tuple), ("dict", dict), ("set", (set, frozenset))]
        self.modules, self.functions = types.ModuleType, (types.FunctionType, types.MethodType, types.BuiltinFunctionType)

    KERAS = (("keras-tensor", ("KerasTensor",)), ("variable", ("KerasVariable", "Variable")), ("model", ("Model",)), ("metric", ("Metric",)),
             ("layer", ("Layer",)), ("optimizer", ("Optimizer", "BaseOptimizer", "OptimizerV2")), ("loss", ("Loss",)))

    def of(self, value):
        for kind, types in self.exact:
            if isinstance(value, types):
                return kind
        if isinstance(value, self.tensor):
            return "eager-tensor" if isinstance(value, self.eager) else "tensor"
        cls = type(value)
        packages = {base.__module__.split(".")[0] for base in cls.__mro__}
        if packages & {"keras", "tf_keras"}:
            names = {base.__name__ for base in cls.__mro__}
            for kind, bases in self.KERAS:
                if names & set(bases):
                    return kind
        if hasattr(cls, "get_concrete_function") or hasattr(value, "get_concrete_function") and hasattr(value, "python_function"):
            return "traced-function"
        for kind, types in self.containers:
            if isinstance(value, types):
                return kind
        return self.of_code(value, cls, packages)

    def of_code(self, value, cls, packages):
        if isinstance(value, (type, self.modules)):
            own = self.is_own(getattr(sys.modules.get(getattr(value, "__module__", "")), "__file__", getattr(value, "__file__", None)))
            return "api" if not own else "class" if isinstance(value, type) else "module"
        if isinstance(value, self.functions) or cls.__name__ == "partial":
            return "function" if self.is_own(code_file(value)) else "api"
        if hasattr(cls, "__next__"):
            return "host-iterator"
        if self.is_own(getattr(sys.modules.get(cls.__module__), "__file__", None)):
            return "instance"
        return "tf-object" if packages & {"tensorflow", "keras", "tf_keras"} else "object"


def code_file(value):
    while hasattr(value, "func"):
        value = value.func
    code = getattr(getattr(value, "__func__", value), "__code__", None)
    return code.co_filename if code else None


def describe(kinds, value):
    """[kind, dtype, rank], the last two "" and None where there is nothing to say."""
    kind = kinds.of(value)
    if kind not in ("tensor", "eager-tensor", "variable"):
        return [kind, "", None]
    dtype = value.dtype if isinstance(value.dtype, str) else value.dtype.name
    return [kind, dtype, len(value.shape) if getattr(value.shape, "rank", 0) is not None else None]


class Watcher:
    def __init__(self, folders):
        self.folders = tuple(os.path.join(folder, "") if os.path.isdir(folder) else folder for folder in folders)
        self.files, self.origins, self.codes, self.found, self.mapped = {}, {}, {}, {}, set()
        self.kinds = Kinds(lambda path: bool(path) and (self.watched(path) or "__autograph_generated_file" in path))

    # ---- finding the function of a code object

    def functions(self, path):
        if path not in self.files:
            try:
                self.files[path] = functions_of(path)
            except (OSError, SyntaxError):
                self.files[path] = []
        return self.files[path]

    def watched(self, path):
        return path.startswith(self.folders)

    def resolve(self, code):
        """(path, function, converted), or None for code that is not a watched function."""
        if self.watched(code.co_filename):
            for function in self.functions(code.co_filename):
                same = function.name == code.co_name
                if same and function.first == code.co_firstlineno and self.fits(function, code):
                    return code.co_filename, function, False
        elif "__autograph_generated_file" in code.co_filename:
            return self.resolve_generated(code)
        return None

    def resolve_generated(self, code):
        name = code.co_name[4:] if code.co_name.startswith("tf__") else code.co_name
        if name == "lam":
            name = "<lambda>"
        for _, _, line in code.co_lines():
            path, origin = self.origins.get((code.co_filename, line), (None, 0))
            if path is None or not self.watched(path):
                continue
            named = [f for f in self.functions(path) if f.name == name and self.fits(f, code)]
            inside = [f for f in named if f.first <= origin <= f.end]
            # The lines of a wrapper lead to what it wraps.
            if inside or len(named) == 1 and code.co_name.startswith("tf__"):
                return path, max(inside or named, key=lambda f: f.line), True
        return None

    @staticmethod
    def fits(function, code):
        """The parameters tell two lambdas on one line apart, and AutoGraph's own lambdas from the program's."""
        count = code.co_argcount + code.co_kwonlyargcount
        return list(code.co_varnames[:count]) == function.params

    # ---- recording

    def keep_origins(self):
        from tensorflow.python.autograph.pyct import transpiler

        plain = transpiler.PyToPy.transform_function

        def transform_function(transformer, fn, user_context):
            result = plain(transformer, fn, user_context)
            for place, origin in result[2].items():
                self.mapped.add(place.filename)
                self.origins[(place.filename, place.lineno)] = (origin.loc.filename, origin.loc.lineno)
            return result

        transpiler.PyToPy.transform_function = transform_function

    def enter_host_threads(self):
        """TensorFlow runs py_function and generators in threads that Python does not know."""
        from tensorflow.python.ops import script_ops

        plain = script_ops.FuncRegistry.__call__

        def call(registry, *arguments):
            sys.setprofile(self.called)
            return plain(registry, *arguments)

        script_ops.FuncRegistry.__call__ = call

    def skip_imports(self):
        """Importing a package of others runs nothing of interest, at length."""
        plain, folders = builtins.__import__, [path if os.path.isdir(path) else os.path.dirname(path) for path in self.folders]

        def imported(name, *arguments, **keywords):
            top = name.partition(".")[0]
            if not top or top in sys.modules or any(os.path.exists(os.path.join(folder, top + ".py")) for folder in folders):
                return plain(name, *arguments, **keywords)
            sys.setprofile(None)
            try:
                return plain(name, *arguments, **keywords)
            finally:
                sys.setprofile(self.called)

        builtins.__import__ = imported

    def start(self):
        from tensorflow.python.eager import context
        from tensorflow.python.framework import ops

        self.eager, self.graph = context.executing_eagerly, ops.get_default_graph
        self.keep_origins()
        self.enter_host_threads()
        self.skip_imports()
        threading.setprofile(self.called)
        sys.setprofile(self.called)

    def stop(self):
        sys.setprofile(None)
        threading.setprofile(None)

    def called(self, frame, event, _):
        if event != "call":
            return
        code = frame.f_code
        if code not in self.codes:
            # A converted lambda may run before its source map is known; such a miss must not be kept.
            known = self.resolve(code)
            if known is None and "__autograph_generated_file" in code.co_filename and code.co_filename not in self.mapped:
                return
            self.codes[code] = known
        if self.codes[code]:
            self.record(frame, *self.codes[code])

    def mode(self, converted):
        if self.eager():
            return "eager"
        if not getattr(self.graph(), "building_function", False):
            return "graph"
        return "converted" if converted else "unconverted"

    def record(self, frame, path, function, converted):
        entry = self.found.setdefault((path, function.line, function.column), {"name": function.name, "receiver": function.receiver, "modes": {}, "params": {}})
        mode = self.mode(converted)
        entry["modes"][mode] = entry["modes"].get(mode, 0) + 1
        for param in function.params:
            if param in frame.f_locals:
                seen = entry["params"].setdefault(param, [])
                try:
                    value = [mode, *describe(self.kinds, frame.f_locals[param])]
                except Exception:  # a program's own object may fail at any question
                    continue
                if value not in seen:
                    seen.append(value)

    def calls(self):
        return [{"file": path, "line": line, "column": column, **entry} for (path, line, column), entry in self.found.items()]

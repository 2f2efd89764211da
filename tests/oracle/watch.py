"""Records which functions of a program run while TensorFlow traces, as what, and with what kinds of arguments.

A profile hook sees each call of a Python function. Functions that AutoGraph converted live in files that it generates; its source map leads
back to the line they come from. Functions are named by file and line of their `def` or `lambda`.
"""
import ast
import os
import sys
import threading


class Function:
    """One `def` or `lambda` of a watched file."""

    def __init__(self, node, name):
        self.name, self.line, self.end = name, node.lineno, node.end_lineno
        decorators = getattr(node, "decorator_list", [])
        self.first = min([node.lineno] + [decorator.lineno for decorator in decorators])
        arguments = node.args
        self.params = [arg.arg for arg in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]


def functions_of(path):
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    found = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.append(Function(node, node.name))
        elif isinstance(node, ast.Lambda):
            found.append(Function(node, "<lambda>"))
    return found


def kind_of(value):
    """A word of tfcheck's for a value, or None where no word is meant to fit."""
    import numpy as np
    import tensorflow as tf

    cls = type(value)
    names = {base.__name__ for base in cls.__mro__}
    modules = {base.__module__.split(".")[0] for base in cls.__mro__}
    if value is None:
        return "none"
    for kind, types in (("bool", (bool, np.bool_)), ("number", (int, float, complex, np.number)), ("text", (str, bytes)),
                        ("array", np.ndarray), ("variable", tf.Variable), ("tensor-array", tf.TensorArray),
                        ("composite-tensor", (tf.RaggedTensor, tf.SparseTensor, tf.IndexedSlices)), ("dataset", tf.data.Dataset),
                        ("shape", tf.TensorShape), ("dtype", tf.DType), ("tape", tf.GradientTape), ("spec", tf.TypeSpec)):
        if isinstance(value, types):
            return kind
    if isinstance(value, tf.Tensor):
        return "eager-tensor" if hasattr(value, "_numpy_internal") or "EagerTensor" in names else "tensor"
    if "KerasTensor" in names:
        return "keras-tensor"
    if {"keras", "tf_keras"} & modules:
        for kind, base in (("variable", "Variable"), ("variable", "KerasVariable"), ("model", "Model"), ("metric", "Metric"), ("layer", "Layer"),
                           ("optimizer", "Optimizer"), ("optimizer", "BaseOptimizer"), ("loss", "Loss")):
            if base in names:
                return kind
    if hasattr(value, "python_function") and hasattr(value, "get_concrete_function"):
        return "traced-function"
    for kind, types in (("list", list), ("tuple", tuple), ("dict", dict), ("set", (set, frozenset)), ("class", type)):
        if isinstance(value, types):
            return kind
    return {"function": "function", "method": "function", "builtin_function_or_method": "function", "module": "module"}.get(cls.__name__)


class Watcher:
    def __init__(self, folders):
        self.folders = tuple(os.path.join(folder, "") if os.path.isdir(folder) else folder for folder in folders)
        self.files, self.origins, self.codes, self.found = {}, {}, {}, {}

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
            inside = [f for f in self.functions(path) if f.name == name and f.first <= origin <= f.end and self.fits(f, code)]
            if inside:
                return path, max(inside, key=lambda f: f.line), True
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
                self.origins[(place.filename, place.lineno)] = (origin.loc.filename, origin.loc.lineno)
            return result

        transpiler.PyToPy.transform_function = transform_function

    def start(self):
        from tensorflow.python.eager import context
        from tensorflow.python.framework import ops

        self.eager, self.graph = context.executing_eagerly, ops.get_default_graph
        self.keep_origins()
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
            if known is None and "__autograph_generated_file" in code.co_filename:
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
        entry = self.found.setdefault((path, function.line, function.name), {"modes": {}, "params": {}})
        mode = self.mode(converted)
        entry["modes"][mode] = entry["modes"].get(mode, 0) + 1
        for param in function.params:
            if param in frame.f_locals:
                kinds = entry["params"].setdefault(param, [])
                try:
                    pair = [mode, kind_of(frame.f_locals[param])]
                except Exception:  # a program's own object may fail at any question
                    continue
                if pair not in kinds:
                    kinds.append(pair)

    def calls(self):
        return [{"file": path, "line": line, "name": name, **entry} for (path, line, name), entry in self.found.items()]

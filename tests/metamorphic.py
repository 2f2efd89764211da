#!/usr/bin/env python3
"""Findings move with the code: what a program does stays, its text changes, the findings must be the same ones.

    tests/metamorphic.py [--sample N] [--only TEXT] [--keep DIR] [PATH ...]

PATHs are Python files, folders of them, and rule pages (their `bad` examples); default: the firing fixtures. Each program is
rewritten in the ways listed in REWRITINGS. Every line of a rewritten program remembers the line it came from, so findings are
compared as (line of the original, code, level). One TAP line for each program and rewriting; TFCHECK is the program to
test; TFCHECK_RELEASE a faster build of it.

Rewritings change what they are sure not to change the meaning of, and leave the rest: a program without the shape they look
for is skipped. tests/test_metamorphic.c has the rewritings that need no syntax tree (line ends, neighbours, packages).
"""
import argparse
import ast
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TFCHECK = os.environ.get("TFCHECK_RELEASE") or os.environ.get("TFCHECK") or str(ROOT / "build/tfcheck")
# Chosen once, so that a failure of the sample is the same failure tomorrow.
SEED = 20240229

# `origin` is the line of the original program that this line stands for; None: new code, where nothing may be found.
Line = collections.namedtuple("Line", "text origin")


class Skip(Exception):
    """The rewriting has nothing to do in this program."""


def lines_of(text):
    return [Line(line, number) for number, line in enumerate(text.split("\n"), 1)]


def text_of(lines):
    return "\n".join(line.text for line in lines)


def new(*texts):
    return [Line(text, None) for text in texts]


def parse(lines):
    return ast.parse(text_of(lines))


class Module:
    """One file as lines and tree. Statement lines count from 1, as in `ast`."""

    def __init__(self, lines):
        self.lines = lines
        self.tree = parse(lines)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def enclosing(self, node, kinds):
        """The scopes around a node, innermost first."""
        while (node := self.parents.get(node)) is not None:
            if isinstance(node, kinds):
                yield node

    def span(self, node):
        """First and last line, decorators included; the slice of `lines` is [first - 1:last]."""
        decorators = [item.lineno for item in getattr(node, "decorator_list", [])]
        return min([node.lineno, *decorators]), node.end_lineno

    def replace_nodes(self, replacements):
        """Lines with the text of some single-line nodes replaced; columns in `ast` count bytes."""
        texts = {}
        for node, text in sorted(replacements, key=lambda item: (item[0].lineno, -item[0].col_offset)):
            raw = texts.setdefault(node.lineno, self.lines[node.lineno - 1].text.encode())
            texts[node.lineno] = raw[: node.col_offset] + text.encode() + raw[node.end_col_offset :]
        return [Line(texts[at].decode(), line.origin) if at in texts else line for at, line in enumerate(self.lines, 1)]


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda)


def names_in(node, context=(ast.Load, ast.Store, ast.Del)):
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, context)}


def own_nodes(scope):
    """Nodes of a scope without those of the scopes inside it."""
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, (*SCOPES, ast.ClassDef)):
            todo += ast.iter_child_nodes(node)


def parameters(function):
    args = function.args
    return {arg.arg for arg in [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg] if arg}


def locals_of(function):
    """Parameters and names bound in the body; what is declared global or nonlocal belongs to somebody else."""
    bound, outer = set(parameters(function)), set()
    for node in own_nodes(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.update(node.names)
    return bound - outer


def declared_elsewhere(tree):
    return {name for node in ast.walk(tree) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}


def in_strings(tree):
    """Names inside f-strings: their positions are not to be trusted before Python 3.12."""
    return {name for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for name in names_in(node)}


# ---- imports ----

def plain_imports(module):
    """Imports at module level that bind one name for a whole module: name -> alias node."""
    found = {}
    for statement in module.tree.body:
        if isinstance(statement, ast.Import) and len(statement.names) == 1 and statement.lineno == statement.end_lineno:
            alias = statement.names[0]
            if alias.asname or "." not in alias.name:
                found[alias.asname or alias.name] = statement
    bound = collections.Counter(name for node in ast.walk(module.tree) if isinstance(node, ast.alias)
                                for name in [(node.asname or node.name).split(".")[0]])
    rebound = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    rebound |= {name for node in ast.walk(module.tree) if isinstance(node, SCOPES) for name in parameters(node)}
    bad = rebound | declared_elsewhere(module.tree) | {name for name, count in bound.items() if count > 1}
    return {name: statement for name, statement in found.items() if name not in bad}


def rename_imports(lines):
    """`import tensorflow as tf` becomes `import tensorflow as tf_renamed`, and every use with it."""
    module = Module(lines)
    imports = {name: node for name, node in plain_imports(module).items() if name not in in_strings(module.tree)}
    edits = [(node, node.id + "_renamed") for node in ast.walk(module.tree)
             if isinstance(node, ast.Name) and node.id in imports]
    if not edits:
        raise Skip
    for name, statement in imports.items():
        edits.append((statement, f"import {statement.names[0].name} as {name}_renamed"))
    return {"mod.py": module.replace_nodes(edits)}


def from_imports(lines):
    """`tf.function` becomes `tf_function`, from `from tensorflow import function as tf_function` on the import's line."""
    module = Module(lines)
    imports = {name: node for name, node in plain_imports(module).items() if name not in in_strings(module.tree)}
    edits, wanted = [], collections.defaultdict(dict)
    for node in ast.walk(module.tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imports):
            continue
        if not isinstance(node.ctx, ast.Load) or node.lineno != node.end_lineno:
            continue
        name = f"{node.value.id}_{node.attr}_"
        wanted[node.value.id][name] = node.attr
        edits.append((node, name))
    if not edits:
        raise Skip
    for name, members in wanted.items():
        source = imports[name].names[0].name
        extra = [f"from {source} import {attr} as {local}" for local, attr in sorted(members.items())]
        edits.append((imports[name], "; ".join([ast.unparse(imports[name]), *extra])))
    return {"mod.py": module.replace_nodes(edits)}


# ---- extraction of statements ----

# Rules that speak about one statement wherever it runs. The others are about a place in a function (a branch, a loop, a
# call site), which a helper would change.
MOVING = re.compile(r"TF(10[1-46]|20[1-9]|21[0-3]|30[1-57]|309|605)")
SPECIAL = {"super", "locals", "globals", "vars", "__class__", "exec", "eval"}


def whole_lines(module, statement):
    first, last = module.lines[statement.lineno - 1].text.encode(), module.lines[statement.end_lineno - 1].text.encode()
    before, after = first[: statement.col_offset].strip(), last[statement.end_col_offset :].strip()
    return not before and (not after or after.startswith(b"#"))


def is_extractable(module, statement):
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        return False
    if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.Delete)):
        return False
    for node in ast.walk(statement):
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)):
            return False
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)) and node.lineno != node.end_lineno:
            return False
        # Its name would be mangled where the class is.
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and not node.attr.endswith("__"):
            return False
        if isinstance(node, ast.Name) and (node.id in SPECIAL or isinstance(node.ctx, ast.Del)):
            return False
    return whole_lines(module, statement)


class Extraction:
    """A statement of a function as a helper function: its parameters, its result and its text."""

    def __init__(self, module, statement, number):
        functions = list(module.enclosing(statement, SCOPES))
        if not functions or isinstance(functions[0], ast.Lambda):
            raise Skip
        self.name = f"extracted_{number}"
        self.statement = statement
        self.top = [node for node in [statement, *module.enclosing(statement, ast.AST)] if node in module.tree.body][0]
        reach = set().union(*(locals_of(function) for function in functions))
        stored = {node.id for node in own_nodes(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
                  and not any(isinstance(up, ast.comprehension) for up in module.enclosing(node, ast.AST))}
        inner = {name for node in ast.walk(statement) if isinstance(node, ast.Lambda) for name in parameters(node)}
        inner |= {name for node in ast.walk(statement) if isinstance(node, ast.comprehension) for name in names_in(node.target)}
        loaded = names_in(statement, ast.Load)
        if stored - locals_of(functions[0]) or inner & reach or (stored & declared_elsewhere(module.tree)):
            raise Skip
        self.params = sorted(loaded & reach)
        self.stored = sorted(stored)
        taken = module.lines[statement.lineno - 1 : statement.end_lineno]
        self.indent = " " * statement.col_offset
        self.body = [Line(line.text[statement.col_offset :], line.origin) for line in taken]

    def call(self, callee, args):
        call = f"{callee}({', '.join(args)})"
        if isinstance(self.statement, ast.Return):
            call = "return " + call
        elif self.stored:
            call = f"{', '.join(self.stored)} = {call}"
        return new(self.indent + call)

    def definition(self, indent, params, first=""):
        params = ", ".join([first, *params] if first else params)
        result = new(f"{indent}    return {', '.join(self.stored)}") if self.stored else []
        body = [Line(f"{indent}    {line.text}", line.origin) for line in self.body]
        return new(f"{indent}def {self.name}({params}):") + body + result


def extractions(lines, found, faulty=True):
    """The statements with findings that may move, or those without any, as (module, [Extraction])."""
    module = Module(lines)
    codes = collections.defaultdict(set)
    for origin, code, _ in found:
        codes[origin].add(code)
    chosen = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.stmt) or not is_extractable(module, node):
            continue
        here = set().union(*(codes[line] for line in range(node.lineno, node.end_lineno + 1)))
        if bool(here) != faulty or not all(MOVING.fullmatch(code) for code in here):
            continue
        try:
            chosen.append(Extraction(module, node, len(chosen) + 1))
        except Skip:
            continue
    if not chosen:
        raise Skip
    return module, chosen


def assemble(module, replaced, before):
    """`replaced`: statement -> lines instead; `before`: statement -> lines in front of it."""
    out, at = [], 1
    starts = collections.defaultdict(list)
    for node, lines in before.items():
        starts[module.span(node)[0]] += lines
    ends = {node.lineno: (node.end_lineno, lines) for node, lines in replaced.items()}
    while at <= len(module.lines):
        out += starts[at]
        if at in ends:
            end, lines = ends[at]
            out += lines
            at = end + 1
        else:
            out.append(module.lines[at - 1])
            at += 1
    return out


def extract(lines, found):
    """Each faulty statement becomes a function of the module."""
    module, chosen = extractions(lines, found)
    before = collections.defaultdict(list)
    for item in chosen:
        before[item.top] += item.definition("", item.params)
    return {"mod.py": assemble(module, {item.statement: item.call(item.name, item.params) for item in chosen}, before)}


def extract_deep(lines, found):
    """The same, three calls away, with arguments by keyword."""
    module, chosen = extractions(lines, found)
    before = collections.defaultdict(list)
    for item in chosen:
        params, keywords = ", ".join(item.params), ", ".join(f"{name}={name}" for name in item.params)
        before[item.top] += item.definition("", item.params)
        before[item.top] += new(f"def {item.name}_near({params}):", f"    return {item.name}({keywords})",
                                f"def {item.name}_far({params}):", f"    return {item.name}_near({keywords})")
    calls = {item.statement: item.call(item.name + "_far", item.params) for item in chosen}
    return {"mod.py": assemble(module, calls, before)}


def extract_closure(lines, found):
    """Each faulty statement becomes a function inside the function, which reads the names around it.

    Not in branches and loops: to AutoGraph what a nested function reads is in use as long as the function can be called."""
    module, chosen = extractions(lines, found)
    compound = (ast.If, ast.For, ast.While)
    chosen = [item for item in chosen if not any(module.enclosing(item.statement, compound))
              # A name that the statement binds would become the closure's own.
              and not set(item.stored) & set(item.params)]
    if not chosen:
        raise Skip
    replaced = {item.statement: item.definition(item.indent, []) + item.call(item.name, []) for item in chosen}
    return {"mod.py": assemble(module, replaced, {})}


def extract_method(lines, found):
    """Each faulty statement becomes a method of a new class, called on an object of it made at module level."""
    module, chosen = extractions(lines, found)
    before = collections.defaultdict(list)
    for item in chosen:
        before[item.top] += new(f"class Holder_{item.name}:") + item.definition("    ", item.params, "this")
        before[item.top] += new(f"holder_{item.name} = Holder_{item.name}()")
    calls = {item.statement: item.call(f"holder_{item.name}.{item.name}", item.params) for item in chosen}
    return {"mod.py": assemble(module, calls, before)}


def extract_innocent(lines, found):
    """Each statement without a finding becomes a function of the module: what was silent must stay silent."""
    if re.search("tfcheck: ignore|noqa", text_of(lines)):
        raise Skip  # the comment would stay behind
    module, chosen = extractions(lines, found, faulty=False)
    # `try: v = self.v` is a guard, in one piece.
    chosen = [item for item in chosen if not any(module.enclosing(item.statement, ast.Try))]
    if not chosen:
        raise Skip
    before = collections.defaultdict(list)
    for item in chosen:
        before[item.top] += item.definition("", item.params)
    return {"mod.py": assemble(module, {item.statement: item.call(item.name, item.params) for item in chosen}, before)}


# ---- other modules ----

def module_names(module):
    """What the names of the module are: name -> statements at module level that bind it."""
    bound = collections.defaultdict(list)
    for statement in module.tree.body:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            names = [(alias.asname or alias.name).split(".")[0] for alias in statement.names]
        elif isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
            names = [statement.name]
        else:
            names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
            names |= {node.name for node in ast.walk(statement) if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
            names |= {(node.asname or node.name).split(".")[0] for node in ast.walk(statement) if isinstance(node, ast.alias)}
        for name in names:
            bound[name].append(statement)
    return bound


def movable(module, wanted):
    """The largest set of definitions that need only imports and each other."""
    bound, shared = module_names(module), declared_elsewhere(module.tree)
    chosen = {node.name: node for node in module.tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef))
              and wanted(node) and len(bound[node.name]) == 1 and node.name not in shared}
    imports = (ast.Import, ast.ImportFrom)
    while True:
        stuck = [name for name, node in chosen.items() for used in names_in(node)
                 if used in bound and used not in chosen and not all(isinstance(by, imports) for by in bound[used])]
        if not stuck:
            return [node for node in module.tree.body if getattr(node, "name", None) in chosen and node in chosen.values()]
        for name in stuck:
            chosen.pop(name, None)


def is_helper(node):
    return isinstance(node, FUNCTIONS) and not node.decorator_list


def split_off(lines, wanted, path, other, origin, extra=()):
    """Definitions move into a file of their own, which imports what the first file imports."""
    module = Module(lines)
    moved = movable(module, wanted)
    if not moved or "# tfcheck: ignore-file" in text_of(lines):
        raise Skip
    imports = [node for node in module.tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    there, here = [], {}
    for node in [*imports, *moved]:
        first, last = module.span(node)
        taken = module.lines[first - 1 : last]
        there += new(*(line.text for line in taken)) if node in imports else [Line("", None), *taken]
    out, at = [], 1
    for node in moved:
        first, last = module.span(node)
        here[first] = (last, new(f"from {origin} import {node.name}"))
    while at <= len(module.lines):
        last, texts = here.get(at, (at, [module.lines[at - 1]]))
        out += texts
        at = last + 1
    return {path: out, other: there, **{name: new(text) for name, text in extra}}


def helpers_moved(lines):
    return split_off(lines, is_helper, "mod.py", "zz_other.py", "zz_other")


def definitions_moved(lines):
    """Classes and traced functions too; and the other file comes first in the order of paths."""
    return split_off(lines, lambda node: True, "mod.py", "aa_other.py", "aa_other")


PACKAGE = (("pkg/__init__.py", ""), ("pkg/sub/__init__.py", "from . import mod"), ("pkg/low/__init__.py", ""),
           ("main.py", "from pkg.sub import mod"))


def package(lines):
    """The file is deep in a package, its helpers are in another folder, imported relatively."""
    return split_off(lines, is_helper, "pkg/sub/mod.py", "pkg/low/other.py", "..low.other", PACKAGE)


def package_reexported(lines):
    """The same with a name that the other folder's `__init__` hands on."""
    # A star import leaves private names behind.
    wanted = lambda node: is_helper(node) and not node.name.startswith("_")
    files = split_off(lines, wanted, "pkg/sub/mod.py", "pkg/low/other.py", "..low", PACKAGE)
    files["pkg/low/__init__.py"] = new("from .other import *")
    return files


def extract_elsewhere(lines, found):
    """Each faulty statement becomes a function of another module."""
    return split_off(extract(lines, found)["mod.py"], lambda node: node.name.startswith("extracted_"), "mod.py", "zz_other.py", "zz_other")


# ---- decorators, names ----

def is_tracing(decorator):
    callee = decorator.func if isinstance(decorator, ast.Call) else decorator
    return bool(re.search(r"(^|[._])function$", ast.unparse(callee)))


# Rules that speak about decorators.
OF_DECORATORS = {"TF506", "TF606"}


def call_form(lines, found):
    """`@tf.function` above `def f` becomes `f = tf.function(f)` below it."""
    module = Module(lines)
    kept = {line for line, code, _ in found if code in OF_DECORATORS}
    replaced = []
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.FunctionDef) or len(node.decorator_list) != 1 or not is_tracing(node.decorator_list[0]):
            continue
        decorator = node.decorator_list[0]
        first, last = decorator.lineno, decorator.end_lineno
        if kept & set(range(first, last + 1)) or module.lines[last - 1].text.encode()[decorator.end_col_offset :].split(b"#")[0].strip():
            continue
        replaced.append((node, first, last))
    if not replaced:
        raise Skip
    removed, added = set(), collections.defaultdict(list)
    for node, first, last in replaced:
        removed.update(range(first, last + 1))
        texts = [module.lines[at - 1] for at in range(first, last + 1)]
        end = node.decorator_list[0].end_col_offset
        raw = texts[-1].text.encode()
        texts[-1] = Line((raw[:end] + f"({node.name})".encode() + raw[end:]).decode(), texts[-1].origin)
        texts[0] = Line(texts[0].text.replace("@", f"{node.name} = ", 1), texts[0].origin)
        added[node.end_lineno] = texts + added[node.end_lineno]
    out = []
    for at, line in enumerate(module.lines, 1):
        out += ([] if at in removed else [line]) + added[at]
    return {"mod.py": out}


def rename_locals(lines):
    """Names bound in a function, parameters aside, get another name."""
    module = Module(lines)
    fixed = declared_elsewhere(module.tree) | in_strings(module.tree)
    edits, taken = [], {}
    for function in ast.walk(module.tree):
        if not isinstance(function, FUNCTIONS):
            continue
        own = {node.id for node in own_nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        own -= parameters(function) | fixed
        # Bound by something that has no Name node, or bound again by a scope inside: left alone.
        inside = [node for node in ast.walk(function) if isinstance(node, (*SCOPES, ast.ClassDef)) and node is not function]
        own -= {name for node in inside for name in (locals_of(node) if not isinstance(node, ast.ClassDef) else names_in(node))}
        own &= locals_of(function)
        own -= {name for node in own_nodes(function) for name in
                [getattr(node, "name", None), getattr(node, "asname", None)] if isinstance(name, str)}
        outside = [node for stack in [function.decorator_list, function.args.defaults, function.args.kw_defaults] for node in stack if node]
        skipped = {id(item) for node in outside for item in ast.walk(node)}
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id in own and id(node) not in skipped and id(node) not in taken:
                taken[id(node)] = node
                edits.append((node, node.id + "_renamed"))
    if not edits:
        raise Skip
    return {"mod.py": module.replace_nodes(edits)}


# Those with a second argument are told what was found in the program as it is.
REWRITINGS = [rename_imports, from_imports, rename_locals, call_form, helpers_moved, definitions_moved, package,
              package_reexported, extract, extract_deep, extract_closure, extract_method, extract_elsewhere,
              extract_innocent]
USES_FINDINGS = {call_form, extract, extract_deep, extract_closure, extract_method, extract_elsewhere, extract_innocent}


# Known to fail, with the reason; run all the same, and must fail until it is mended.
STATIC_FLAG = "whether a call stands under a static flag is judged in its own function, not in its callers"
IN_A_FUNCTION = (
    "a guard, or what it protects, moves into a plain function that takes the object: fills and predicates are followed through "
    "methods of `self` only"
)
LENT = "a helper shuffles a container that it was lent: whether its caller uses it is not followed"
RETURNED = "a draw that a helper returns counts as used: whether the caller uses it is not asked"
COMMENT_LOST = "the rewriting leaves the comment behind that suppresses the finding"
KNOWN = {
    "fixtures/rules/TF302/fires.py: extract_innocent": STATIC_FLAG,
    "fixtures/rules/TF302/trace_time.py: extract_innocent": STATIC_FLAG,
    "fixtures/rules/TF101/by_predicate.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF101/perhaps_given.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF102/near_miss.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF303/near_miss.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF304/near_miss.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF407/once.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF602/near_miss.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF605/near_miss.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/silent/kind_dispatch.py: extract_innocent": IN_A_FUNCTION,
    "fixtures/rules/TF207/fires.py: extract": LENT,
    "fixtures/rules/TF207/fires.py: extract_deep": LENT,
    "fixtures/rules/TF207/fires.py: extract_closure": LENT,
    "fixtures/rules/TF207/fires.py: extract_method": LENT,
    "fixtures/rules/TF207/fires.py: extract_elsewhere": LENT,
    "fixtures/rules/TF207/near_miss.py: extract": RETURNED,
    "fixtures/rules/TF207/near_miss.py: extract_deep": RETURNED,
    "fixtures/rules/TF207/near_miss.py: extract_method": RETURNED,
    "fixtures/rules/TF207/near_miss.py: extract_elsewhere": RETURNED,
    "fixtures/rules/TF601/suppressed.py: call_form": COMMENT_LOST,
    "fixtures/rules/TF601/suppressed.py: definitions_moved": COMMENT_LOST,
}


# ---- running ----

def run(files, args):
    """What tfcheck finds, in lines of the original: sorted [(line, code, level)]."""
    with tempfile.TemporaryDirectory(prefix="tfcheck-metamorphic-") as folder:
        write(pathlib.Path(folder), files)
        command = [TFCHECK, "check", "-q", "-j", "1", "--format", "json", "--project-root", ".", *args, "."]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.decode(errors='replace')}")
    found = []
    for item in json.loads(done.stdout)["findings"]:
        line = item["range"]["start"]["line"]
        origin = files[item["path"]][line - 1].origin
        found.append((origin if origin else f"{item['path']}:{line}", item["code"], item["level"]))
    return sorted(found, key=str)


def write(folder, files):
    for path, lines in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text_of(lines) + "\n", encoding="utf-8")


def programs(paths):
    """(name, text) of every program."""
    for path in paths:
        if path.is_dir():
            yield from programs(sorted(path.rglob("*.py")))
        elif path.suffix == ".yaml":
            bads = re.findall(r"^  - bad: \|\n((?:      .*\n|[ \t]*\n)+)", path.read_text(encoding="utf-8"), re.M)
            for number, bad in enumerate(bads, 1):
                yield f"{path.name} example {number}", re.sub(r"(?m)^      ", "", bad)
        else:
            yield (str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name), path.read_text(encoding="utf-8")


def default_paths():
    rules = ROOT / "fixtures/rules"
    names = ("fires.py", "aliases.py", "indirect.py")
    return [path for name in names for path in sorted(rules.glob(f"TF[1-8]*/{name}"))] + sorted((ROOT / "rules").glob("TF[1-8]*.yaml"))


def rewritten(rewriting, lines, found):
    """The files, or None where there is nothing to rewrite or the result is no Python."""
    try:
        files = rewriting(lines, found) if rewriting in USES_FINDINGS else rewriting(lines)
    except Skip:
        return None
    for path, content in files.items():
        try:
            ast.parse(text_of(content))
        except SyntaxError as error:
            raise RuntimeError(f"{path} is no Python any more: {error}") from error
    return files


def judge(name, text, chosen, keep):
    """TAP lines of one program: [(ok, title, explanation)]."""
    lines = lines_of(text.rstrip("\n"))
    args = re.findall(r"^# tfcheck-args:(.*)$", text, re.M)
    args = args[0].split() if args else []
    if "--rules" in args:
        return []
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return []
    results, before = [], run({"mod.py": lines}, args)
    for rewriting in chosen:
        title = f"{name}: {rewriting.__name__}"
        try:
            files = rewritten(rewriting, lines, before)
            after = run(files, args) if files else before
        except RuntimeError as error:
            results.append((False, title, [str(error)]))
            continue
        if not files:
            continue
        # Rules that look along one function may lose sight there; that is a limit, and no noise.
        lost = collections.Counter(before if rewriting is not extract_innocent else ()) - collections.Counter(after)
        more = collections.Counter(after) - collections.Counter(before)
        if rewriting is extract_innocent:
            more = {item: 1 for item in more if item[:2] not in {known[:2] for known in before}}
        texts = [f"lost: line {line}: {code} {level}" for line, code, level in sorted(lost, key=str)]
        texts += [f"new: line {line}: {code} {level}" for line, code, level in sorted(more, key=str)]
        if title in KNOWN:
            texts = [] if texts else [f"mended, so no longer known to fail: {KNOWN[title]}"]
        results.append((not texts, title, texts))
        if texts and keep:
            write(pathlib.Path(keep) / re.sub(r"\W+", "_", title), files)
    return results


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    options.add_argument("--sample", type=int, metavar="N", help="only N programs, the same ones each time")
    options.add_argument("--only", metavar="TEXT", default="", help="only rewritings with TEXT in their name")
    options.add_argument("--keep", metavar="DIR", help="write rewritten programs that fail here")
    options.add_argument("paths", nargs="*", type=pathlib.Path)
    options = options.parse_args()
    todo = list(programs([path.resolve() for path in options.paths] or default_paths()))
    if options.sample and options.sample < len(todo):
        todo = sorted(random.Random(SEED).sample(todo, options.sample))
    chosen = [rewriting for rewriting in REWRITINGS if options.only in rewriting.__name__]
    count = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for results in pool.map(lambda item: judge(*item, chosen, options.keep), todo):
            for ok, title, texts in results:
                count += 1
                failed += not ok
                print(f"{'ok' if ok else 'not ok'} {count} - {title}", *("  " + text for text in texts), sep="\n")
    print(f"1..{count}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())

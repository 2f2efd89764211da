"""Compares what ran while TensorFlow traced with what tfcheck believes, function by function and argument by argument.

A program run by the other parts brings the calls that watch.py recorded. tfcheck sees the same program in a folder of its own, beside a
requirements.txt that pins this version. Nothing counts as agreement that is not said: what tfcheck leaves open is `unknown`, and a function
that it believes traced and the program never ran is told apart from one that ran eagerly. A disagreement fails unless limits.txt explains it.
"""
import os
import re
import shutil
import subprocess
import tempfile

import watch

PINS = {"2.21": "tensorflow==2.21.0\n", "2.15": "tensorflow==2.15.1\n"}
HEADER = re.compile(r"^(\d+):(\d+): (\S+): (traced|eager)$")
WAY = re.compile(r"^    (traced.*?) via (.*)$")
PARAM = re.compile(r"^        (\w+) = (.*)$")
# A word of tfcheck's that stands for several of TensorFlow's objects, besides itself.
WIDER = {"layer": {"model", "metric"}, "dim": {"number", "none"}, "shape": {"list", "tuple"}, "instance": {"tuple"}}
TOTALS = ("both", "tf_only", "us_only", "eager", "unrun", "exact", "among", "unknown", "contradicted", "typed", "untyped", "mistyped",
          "autograph", "autograph_unknown", "autograph_contradicted")


def debug(args, folder, path):
    done = subprocess.run([args.tfcheck, "debug", "--project-root", ".", "--no-respect-gitignore", "traced", path], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          stdin=subprocess.DEVNULL, text=True, timeout=60)
    return done.stdout.splitlines()


def read_beliefs(lines):
    """By (line, column) of the definition: whether tfcheck thinks it traced, and each way: its words, whether it is a convention, its parameters."""
    found, last = {}, None
    for line in lines:
        head, way, param = HEADER.match(line), WAY.match(line), PARAM.match(line)
        if head:
            last = found.setdefault((int(head.group(1)), int(head.group(2))), {"traced": False, "ways": []})
            last["traced"] |= head.group(4) == "traced"
        elif way:
            last["ways"].append({"words": way.group(1), "params": {}})
        elif param:
            last["ways"][-1]["params"][param.group(1)] = param.group(2)
    return found


class Beliefs:
    """What tfcheck says about the files of one program."""

    def __init__(self, args, record):
        path = record["path"]
        self.args, self.home = args, tempfile.mkdtemp(dir=args.home)
        with open(os.path.join(self.home, "requirements.txt"), "w", encoding="utf-8") as file:
            file.write(PINS[record["version"]])
        self.root = path if os.path.isdir(path) else os.path.dirname(path)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else [os.path.basename(path)]:
            if name.endswith(".py"):
                shutil.copy(os.path.join(self.root, name), self.home)
        self.files = sorted(name for name in os.listdir(self.home) if name.endswith(".py"))
        if os.path.dirname(record["start"]) != self.root:
            shutil.copy(record["start"], self.home)
        self.by_file = {name: read_beliefs(debug(args, self.home, name)) for name in self.files}
        shutil.rmtree(self.home)


def outer_words(text):
    """`tensor[float32]|list(number) a/b{flags}=3` to {"tensor": "[float32]", "list": ""}; quoted text and what stands in brackets may hold anything."""
    text = re.sub(r"='.*'", "", text)
    while True:
        flat = re.sub(r"\([^()]*\)|\{[^{}]*\}", "", text)
        if flat == text:
            break
        text = flat
    words = {}
    for part in text.split("|"):
        match = re.match(r"([\w-]+)(\[[^\]]*\])?", part.strip())
        if match:
            words[match.group(1)] = match.group(2) or ""
    return words


def judge_kind(said, kind):
    if not said or "unknown" in said or "nothing" in said:
        return "unknown"
    if kind in said:
        return "exact" if len(said) == 1 else "among"
    return "among" if any(kind in WIDER.get(word, ()) for word in said) else "contradicted"


def judge_type(said, kind, dtype, rank):
    """Dtype and rank of a tensor that is surely one."""
    match = re.match(r"\[(\w*?),?(?:rank=(\d+))?\]$", said.get(kind, ""))
    if len(said) != 1 or not match:
        return "untyped"
    wrong = match.group(1) not in ("", dtype) or match.group(2) is not None and rank is not None and int(match.group(2)) != rank
    return "mistyped" if wrong else "typed"


class Comparison:
    def __init__(self):
        self.totals, self.wrong = dict.fromkeys(TOTALS, 0), []

    def count(self, what, where=None, text=None):
        self.totals[what] += 1
        if text:
            self.wrong.append({"where": where, "what": text})

    def function(self, where, call, belief):
        modes = call["modes"] if call else {}
        if "graph" in modes:
            return  # a graph of TensorFlow 1: neither traced nor eager
        in_trace = "converted" in modes or "unconverted" in modes
        if in_trace and not belief["traced"]:
            self.count("tf_only", where, "runs in a trace, tfcheck says eager")
        elif in_trace:
            self.count("both")
            self.autograph(where, belief["ways"], modes)
            self.arguments(where, call, belief["ways"])
        elif not belief["traced"]:
            self.count("eager" if modes else "unrun")
        elif modes:
            self.count("us_only", where, "runs eagerly only, tfcheck says traced")
        else:
            self.count("unrun")

    def autograph(self, where, ways, modes):
        said = {"off" if "autograph off" in way["words"] else "unknown" if "autograph unknown" in way["words"] else "on" for way in ways}
        for mode, word in (("converted", "on"), ("unconverted", "off")):
            if mode not in modes:
                continue
            if word in said:
                self.count("autograph")
            elif "unknown" in said:
                self.count("autograph_unknown")
            else:
                self.count("autograph_contradicted", where, "AutoGraph %s it, tfcheck says %s" % ("converts" if word == "on" else "does not convert", "/".join(sorted(said))))

    def arguments(self, where, call, ways):
        for name, seen in sorted(call["params"].items()):
            if name == call["receiver"]:
                continue
            said = {}
            for way in ways:
                said.update(outer_words(way["params"].get(name, "unknown")))
            types = [outer_words(way["params"].get(name, "")) for way in ways]
            for mode, kind, dtype, rank in seen:
                if mode not in ("converted", "unconverted"):
                    continue
                verdict = judge_kind(said, kind)
                self.count(verdict, where, "`%s` is %s, tfcheck says %s" % (name, kind, "|".join(sorted(said))) if verdict == "contradicted" else None)
                if verdict in ("exact", "among") and dtype:
                    self.type_of(where, name, types, (kind, dtype, rank))

    def type_of(self, where, name, types, seen):
        verdicts = [judge_type(said, *seen) for said in types if said.get(seen[0]) is not None]
        verdict = next((v for v in ("typed", "untyped", "mistyped") if v in verdicts), "untyped")
        text = "`%s` is %s[%s,rank=%s], tfcheck says %s" % (name, *seen, types) if verdict == "mistyped" else None
        self.count(verdict, where, text)


def compare(args, record):
    """One program under one version: a record of programs.py or pages.py."""
    beliefs, result = Beliefs(args, record), Comparison()
    called = {(os.path.relpath(call["file"], beliefs.root), call["line"], call["column"]): call for call in record["calls"]}
    for name in beliefs.files:
        for function in watch.functions_of(os.path.join(beliefs.root, name)):
            belief = beliefs.by_file[name].get((function.line, function.column), {"traced": False, "ways": []})
            title = record["name"] if os.path.isfile(record["path"]) else "%s/%s" % (record["name"], name)
            result.function("%s:%d %s" % (title, function.line, function.name), called.get((name, function.line, function.column)), belief)
    return result


def limits(args):
    """`place and disagreement, with * for anything # why`, one a line."""
    with open(os.path.join(args.root, "tests", "oracle", "limits.txt"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").rsplit(" # ", 1) for line in file if line.strip() and not line.startswith("#")]
    return [(pattern.strip(), why) for pattern, why in lines]


def explain(known, wrong):
    text = "%(where)s: %(what)s" % wrong
    return next((why for pattern, why in known if re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text)), None)


def never_called(records):
    """Functions of a correct program that no version called."""
    called = {(call["file"], call["line"], call["column"]) for record in records for call in record["calls"]}
    path = records[0]["path"]
    return ["%s:%d %s" % (os.path.basename(path), function.line, function.name) for function in watch.functions_of(path)
            if (path, function.line, function.column) not in called]


def idle_functions(args, envs):
    by_path = {}
    for record in args.recorded:
        if record["part"] == "silent" and record["ran"]:
            by_path.setdefault(record["path"], []).append(record)
    for path, records in sorted(by_path.items()):
        idle = never_called(records) if len(envs) == len(PINS) else []
        if idle:  # without a program that calls it, nothing is known about a file
            status = "skipped" if records[0]["start"] == path else "failed"
            yield {"name": os.path.basename(path), "version": "both", "status": status, "note": "never called: " + ", ".join(idle)}


def run(args, envs):
    known = limits(args)
    yield from idle_functions(args, envs)
    for record in args.recorded:
        result = compare(args, record)
        for wrong in result.wrong:
            wrong["why"] = explain(known, wrong)
        bare = ["%(where)s: %(what)s" % wrong for wrong in result.wrong if not wrong["why"]]
        yield {"name": record["name"], "version": record["version"], "status": "failed" if bare else "passed", "note": "; ".join(bare),
               "of": record["part"], "totals": result.totals, "disagreements": result.wrong}

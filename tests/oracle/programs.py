"""Runs fixtures and labelled cases under TensorFlow and compares what is traced with what tfcheck believes.

fixtures/silent must run without an error. A case of ../shared/cases that cannot run alone (it lacks a package, a file or a GPU) is skipped; of
the others it is noted where TensorFlow and the label disagree, which fails nothing: labels are not this project's. While a program runs,
watch.py records every function of it; a function that runs in a trace must be `traced` to tfcheck, and the arguments of the kinds it says.
"""
import os
import re
import subprocess

HEADER = re.compile(r"^(\d+):(\d+): (\S+): (traced|eager)$")
VALUE = re.compile(r"^(\d+): (\w+) = (.*)  \((\w+)\)$")
LABEL = re.compile(r"# expect: ((?:TF\d{3}(?:, )?)+)")
# Errors that say what the machine lacks, not what the program does wrong.
ALONE = {"ModuleNotFoundError", "ImportError", "FileNotFoundError", "NotFoundError", "URLError", "HTTPError", "ConnectionError", "TBNotInstalledError"}
# Rules whose faults raise; the others are silent or bite later.
RAISING = tuple("TF101 TF102 TF103 TF105 TF107 TF201 TF204 TF205 TF206 TF210 TF211 TF212 TF308 TF401 TF402 TF405 TF410 TF411 TF412 TF413 TF505 TF506 TF607".split())
# One kind of ours may stand for several of TensorFlow's.
SAME = {"tensor": {"eager-tensor", "keras-tensor", "composite-tensor"}, "layer": {"model", "metric"}, "tf-object": None, "object": None, "instance": None,
        "unknown": None, "class": {"function"}, "function": {"traced-function", "class"}, "traced-function": {"function"}, "dim": {"number", "none"},
        "number": {"bool", "dim"}, "bool": {"number"}, "host-rng": None, "iterator": None, "host-iterator": None, "api": None, "array": {"number"}}


def debug(args, what, path):
    done = subprocess.run([args.tfcheck, "debug", what, os.path.basename(path)], cwd=os.path.dirname(path), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True, timeout=60)
    return done.stdout.splitlines()


def believed(args, path):
    """By line of the definition: the words of each way in which tfcheck thinks the function runs; `values` by line and name."""
    traced, values, last = {}, {}, None
    for line in debug(args, "traced", path):
        head = HEADER.match(line)
        if head:
            last = traced.setdefault(int(head.group(1)), {"name": head.group(3), "column": int(head.group(2)), "ways": []})
            last["traced"] = head.group(4) == "traced" or last.get("traced", False)
        elif last and line.strip().startswith("traced"):
            last["ways"].append(line.strip().split(" via ")[0])
    for line in debug(args, "values", path):
        value = VALUE.match(line)
        if value:
            values.setdefault((int(value.group(1)), value.group(2)), set()).add((value.group(4), value.group(3)))
    return traced, values


def kinds_of(spec):
    """The kind words of `tensor[float32]|none`, without attributes and elements."""
    while True:
        flat = re.sub(r"\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\}", "", spec)
        if flat == spec:
            break
        spec = flat
    return {re.match(r"[\w?-]*", part.strip()).group() for part in spec.split("|")}


def fits(said, seen):
    """None where tfcheck says nothing definite."""
    if seen is None or said & {"?", "", "unknown"}:
        return None
    return any(word == seen or SAME.get(word, set()) is None or seen in (SAME.get(word) or ()) for word in said)


def autograph_fits(ways, modes):
    """`converted` is what `autograph off` rules out, and the reverse; where tfcheck says unknown, both fit."""
    said = {"off" if "autograph off" in way else "unknown" if "autograph unknown" in way else "on" for way in ways}
    wrong = []
    if "converted" in modes and not said & {"on", "unknown"}:
        wrong.append("AutoGraph converts it, tfcheck says off")
    if "unconverted" in modes and not said & {"off", "unknown"}:
        wrong.append("AutoGraph does not convert it, tfcheck says on")
    return wrong


def first_statement(path, line):
    """Lines on which the parameters of a function may be listed: its first statements."""
    return range(line, line + 12)


def compare_values(call, values):
    for name, pairs in call["params"].items():
        seen = {kind for mode, kind in pairs if mode in ("converted", "unconverted")}
        if not seen or seen == {None}:
            continue
        said = set()
        for line in first_statement(call["file"], call["line"]):
            said = {word for situation, spec in values.get((line, name), ()) if situation == "traced" for word in kinds_of(spec)}
            if said:
                break
        if not said:
            continue
        for kind in sorted(kind for kind in seen if kind):
            yield name, kind, sorted(said), fits(said, kind)


def compare(args, calls):
    """One program: how often tfcheck is right, how often it says nothing definite, and each disagreement."""
    agreed, silent, items, beliefs = 0, 0, [], {}
    for call in calls or []:
        traced, values = beliefs.setdefault(call["file"], None) or believed(args, call["file"])
        beliefs[call["file"]] = (traced, values)
        modes = call["modes"]
        belief = traced.get(call["line"])
        if belief is None or "graph" in modes:
            continue
        in_trace = "converted" in modes or "unconverted" in modes
        wrong = []
        if in_trace and not belief["traced"]:
            wrong.append("runs in a trace, tfcheck says eager")
        elif in_trace:
            wrong += autograph_fits(belief["ways"], modes)
        elif belief["traced"] and "eager" in modes:
            wrong.append("only runs eagerly here, tfcheck says traced")
        if in_trace and belief["traced"]:
            for name, kind, said, good in compare_values(call, values):
                if good is None:
                    silent += 1
                elif good:
                    agreed += 1
                else:
                    wrong.append("`%s` is %s, tfcheck says %s" % (name, kind, "|".join(said)))
        agreed += not wrong
        where = "%s:%d %s" % (os.path.basename(call["file"]), call["line"], call["name"])
        items += [{"where": where, "what": text} for text in wrong]
    return agreed, silent, items


def entry_points(path):
    """A case that is a folder runs by the file that nobody in it imports."""
    if os.path.isfile(path):
        return [path]
    files = {name[:-3]: open(os.path.join(path, name), encoding="utf-8").read() for name in sorted(os.listdir(path)) if name.endswith(".py")}
    imported = {name for name in files for other, text in files.items() if other != name and re.search(r"\b(import|from)\s+\.?%s\b" % name, text)}
    return [os.path.join(path, name + ".py") for name in files if name not in imported][-1:]


def labels(path):
    paths = [path] if os.path.isfile(path) else [os.path.join(path, name) for name in os.listdir(path) if name.endswith(".py")]
    found = set()
    for name in paths:
        with open(name, encoding="utf-8") as file:
            for match in LABEL.finditer(file.read()):
                found |= set(match.group(1).replace(" ", "").split(",")) - {""}
    return found


def short(result):
    text = result.get("text", "").strip().splitlines() or [""]
    return "%s %s" % (result.get("error", result["outcome"]), (text[0] if not text[0].startswith(("in user code", "Exception enc")) else text[-1]).strip()[:140])


def run_programs(args, envs, paths, verdict):
    for env in envs:
        if env.problem:
            yield {"name": "all programs", "version": env.version, "status": "skipped", "note": env.problem}
            continue
        jobs = [{"id": path, "file": entry, "watch": [os.path.abspath(path)]} for path in paths for entry in entry_points(path)[:1]]
        legacy = [job for job in jobs if "TF_USE_LEGACY_KERAS" in open(job["file"], encoding="utf-8").read()]
        results = env.run_all([job for job in jobs if job not in legacy])
        results.update(env.run_all(legacy, bare=True))
        for job in jobs:
            result = results.get(job["id"], {"outcome": "crash", "printed": ""})
            status, note = verdict(job["id"], result)
            agreed, silent, wrong = compare(args, result.get("calls"))
            yield {"name": os.path.basename(job["id"]), "version": env.version, "status": status, "note": note, "outcome": result["outcome"],
                   "functions": len(result.get("calls") or ()), "agreed": agreed, "silent": silent, "disagreements": wrong}


def lacks(result):
    return result["outcome"] == "error" and bool(ALONE & set(result["kinds"]))


def silent_verdict(path, result):
    if lacks(result):
        return "skipped", short(result)
    return ("passed", "") if result["outcome"] == "clean" else ("failed", short(result))


def case_verdict(path, result):
    """Disagreement with a label is told, never failed."""
    if lacks(result) or result["outcome"] in ("timeout", "crash"):
        return "skipped", short(result)
    expected = labels(path)
    raising = sorted(expected & set(RAISING))
    if result["outcome"] == "error":
        return "passed", "" if expected else "labelled correct, but: " + short(result)
    return "passed", "labelled %s, but it runs to its end" % ", ".join(raising) if raising else ""


def chosen(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py") or os.path.isdir(os.path.join(folder, name)) and name[0] not in "._")


def run_silent(args, envs):
    return run_programs(args, envs, chosen(os.path.join(args.root, "fixtures", "silent")), silent_verdict)


def run_cases(args, envs):
    if not os.path.isdir(args.cases):
        return iter([{"name": "all cases", "version": env.version, "status": "skipped", "note": "no such folder"} for env in envs])
    return run_programs(args, envs, [os.path.realpath(path) for path in chosen(args.cases)], case_verdict)

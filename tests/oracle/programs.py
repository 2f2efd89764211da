"""Runs fixtures and labelled cases as programs under TensorFlow; the calls they make go to traces.py.

fixtures/silent must run without an error; the programs run_NAME in tests/oracle/drivers call with small data what the files define. A case of
../shared/cases that cannot run alone (it lacks a package, a file or a GPU) is skipped; of the others it is noted where TensorFlow does not do
what the header and the labels say, which fails nothing: labels are not this project's. Files of fixtures/rules are full of faults: they only show what is traced.
"""
import os
import re


LABEL = re.compile(r"# expect: ((?:TF\d{3}(?:, )?)+)")
SYMPTOM = re.compile(r"^# symptom: (.*)$", re.M)
LEGACY = "TF_USE_LEGACY_KERAS"
# Errors that say what the machine lacks, not what the program does wrong.
ALONE = {"ModuleNotFoundError", "ImportError", "FileNotFoundError", "NotFoundError", "URLError", "HTTPError", "ConnectionError", "TBNotInstalledError"}
# Rules whose faults raise where they stand; the others are silent or bite later.
RAISING = tuple("TF101 TF102 TF103 TF107 TF201 TF204 TF205 TF206 TF210 TF211 TF212 TF401 TF402 TF410 TF412 TF413".split())
# A symptom that begins so speaks of a program that runs, whatever errors it mentions further on.
RUNS = re.compile(r"none|silent|no error|very slow|retracing|one trace|the first call|without run_eagerly|tf\.print|the export|deprecation|\"triggered", re.I)
NEVER_ENDS = re.compile(r"endless|never ends|for ever")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sources(path):
    if os.path.isfile(path):
        return {path: read(path)}
    return {os.path.join(path, name): read(os.path.join(path, name)) for name in sorted(os.listdir(path)) if name.endswith(".py")}


def entry_point(path):
    """A program that is a folder runs by the file that nobody in it imports."""
    texts = sources(path)
    names = {os.path.basename(name)[:-3]: text for name, text in texts.items()}
    imported = {name for name in names for other, text in names.items() if other != name and re.search(r"\b(import|from)\s+\.?%s\b" % name, text)}
    return [name for name in texts if os.path.basename(name)[:-3] not in imported][-1]


def short(result):
    text = result.get("text", "").strip().splitlines() or [""]
    return "%s %s" % (result.get("error", result["outcome"]), (text[0] if not text[0].startswith(("in user code", "Exception enc")) else text[-1]).strip()[:140])


def lacks(result):
    return result["outcome"] == "error" and bool(ALONE & set(result["kinds"]))


# ---- what is asked of a program


def silent_verdict(path, result):
    if lacks(result):
        return "skipped", short(result)
    if result["outcome"] == "timeout":
        return "skipped", "not ready in time"
    return ("passed", "") if result["outcome"] == "clean" else ("failed", short(result))


def symptom(path):
    found = [match.group(1) for text in sources(path).values() for match in SYMPTOM.finditer(text)]
    return next((text for text in found if not text.startswith("see ")), "none")


def against_symptom(said, result):
    """How the run differs from the header, or None."""
    if NEVER_ENDS.search(said):
        named = re.findall(r"\w+Error", said)
        return None if result["outcome"] == "timeout" or set(named) & set(result.get("kinds", ())) else "should never end: " + short(result)
    if RUNS.match(said):
        late = said.startswith("silent at first") and result["outcome"] == "error"
        return None if late or result["outcome"] in ("clean", "timeout") else "should run: " + short(result)
    named = re.findall(r"\w+Error", said)
    if result["outcome"] != "error":
        return "should raise %s: %s" % ("/".join(named) or "an error", "runs to its end" if result["outcome"] == "clean" else result["outcome"])
    return None if not named or set(named) & set(result["kinds"]) else "should raise %s: %s" % ("/".join(named), short(result))


def against_labels(path, result):
    """Labelled lines of rules whose faults raise, of which none is in the traceback."""
    places = [("%s:%d" % (os.path.basename(name), number), r'%s", line %d\b' % (re.escape(os.path.basename(name)), number), rule)
              for name, text in sources(path).items() for number, line in enumerate(text.splitlines(), 1)
              for match in LABEL.finditer(line) for rule in match.group(1).replace(" ", "").split(",") if rule in RAISING]
    if not places or result["outcome"] == "timeout":
        return None
    if result["outcome"] == "clean":
        return "labelled %s, but runs to its end" % ", ".join("%s %s" % (where, rule) for where, _, rule in places)
    if any(re.search(pattern, result["printed"]) for _, pattern, _ in places):
        return None
    return "raises elsewhere than at %s: %s" % (", ".join("%s %s" % (where, rule) for where, _, rule in places), short(result))


def case_verdict(path, result):
    """Disagreement with a label is told, never failed."""
    if lacks(result) or result["outcome"] == "crash":
        return "skipped", short(result)
    notes = [note for note in (against_symptom(symptom(path), result), against_labels(path, result)) if note]
    return "passed", "; ".join(notes)


def rule_verdict(path, result):
    return ("skipped", short(result)) if lacks(result) or result["outcome"] == "crash" else ("passed", "")


# ---- running


def driver(args, path):
    return os.path.join(args.root, "tests", "oracle", "drivers", "run_" + os.path.basename(path))


def start_of(args, path):
    """The file that a program starts with, and where else it finds modules."""
    if path.startswith(args.root) and os.path.exists(driver(args, path)):
        return {"file": driver(args, path), "path": [os.path.dirname(path)]}
    return {"file": entry_point(path)}


def watched(args, path):
    return sorted({os.path.abspath(path), start_of(args, path)["file"]}) if args.watching else []


def run_programs(args, envs, part, paths, verdict, **options):
    for env in envs:
        if env.problem:
            yield {"name": "all programs", "version": env.version, "status": "skipped", "note": env.problem}
            continue
        jobs = [{"id": path, **start_of(args, path), "watch": watched(args, path), **options} for path in paths]
        legacy = [job for job in jobs if LEGACY in read(job["id"] if os.path.isfile(job["id"]) else job["file"])]
        results = env.run_all([job for job in jobs if job not in legacy])
        results.update(env.run_all(legacy, bare=True))
        for path in paths:
            result = results.get(path, {"outcome": "crash", "printed": ""})
            status, note = verdict(path, result)
            name = os.path.relpath(path, os.path.dirname(paths[0]) if part != "rules" else os.path.join(args.root, "fixtures", "rules"))
            if args.watching:
                args.recorded.append({"part": part, "name": name, "version": env.version, "path": path, "start": start_of(args, path)["file"], "calls": result.get("calls") or [],
                                      "ran": status == "passed"})
            yield {"name": name, "version": env.version, "status": status, "note": note, "outcome": result["outcome"], "seconds": result.get("seconds")}


def chosen(folder):
    return sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py") or os.path.isdir(os.path.join(folder, name)) and name[0] not in "._")


def run_silent(args, envs):
    paths = chosen(os.path.join(args.root, "fixtures", "silent"))
    return run_programs(args, envs, "silent", paths, silent_verdict, seconds=args.silent_seconds)


def run_cases(args, envs):
    if not os.path.isdir(args.cases):
        return iter([{"name": "all cases", "version": env.version, "status": "skipped", "note": "no such folder"} for env in envs])
    return run_programs(args, envs, "cases", [os.path.realpath(path) for path in chosen(args.cases)], case_verdict, seconds=args.case_seconds)


def run_rules(args, envs):
    folder = os.path.join(args.root, "fixtures", "rules")
    wanted = tuple(word for word in args.rules.split(",") if word)
    paths = [path for rule in sorted(os.listdir(folder)) if not wanted or rule.startswith(wanted) for path in chosen(os.path.join(folder, rule))]
    return run_programs(args, envs, "rules", paths, rule_verdict, stubborn=True, seconds=args.case_seconds)

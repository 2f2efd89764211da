"""Runs tests/oracle/probes: one program for each fact that a rule rests on, which asserts what this version does."""
import glob
import os
import re


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rules = re.search(r"^# rules: (.*)$", text, re.M)
    return text.split('"""')[1].splitlines()[0], rules.group(1) if rules else ""


def facts(args):
    """Rows of facts.txt: section, fact, probe or why there is none."""
    with open(os.path.join(args.root, "tests", "oracle", "facts.txt"), encoding="utf-8") as file:
        return [[cell.strip() for cell in line.split("|")] for line in file if line.strip() and not line.startswith("#")]


def without_program(args):
    """Facts whose probe does not exist."""
    folder = os.path.join(args.root, "tests", "oracle", "probes")
    return [fact for _, fact, probe in facts(args) if not probe.startswith("none: ") and not os.path.exists(os.path.join(folder, probe + ".py"))]


def run(args, envs):
    for fact in without_program(args):
        yield {"name": fact, "version": "both", "fact": fact, "rules": "", "status": "failed", "note": "facts.txt names a probe that does not exist"}
    paths = [path for path in sorted(glob.glob(os.path.join(args.root, "tests", "oracle", "probes", "*.py"))) if not path.endswith("expect.py")]
    wanted = [word for word in args.rules.split(",") if word]
    paths = [path for path in paths if not wanted or any(word in read(path)[1] for word in wanted)]
    for env in envs:
        results = {} if env.problem else env.run_all([{"id": path, "file": path} for path in paths])
        for path in paths:
            fact, rules = read(path)
            item = {"name": os.path.basename(path)[:-3], "version": env.version, "fact": fact, "rules": rules, "note": ""}
            if env.problem:
                yield {**item, "status": "skipped", "note": env.problem}
                continue
            result = results.get(path, {"outcome": "crash", "printed": ""})
            tail = " | ".join(result["printed"].strip().splitlines()[-3:])
            clean = result["outcome"] == "clean"
            yield {**item, "status": "passed" if clean else "failed", "note": "" if clean else "%s: %s" % (result["outcome"], tail[-600:])}

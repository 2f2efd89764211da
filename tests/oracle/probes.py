"""Runs tests/oracle/probes: one program for each fact that a rule rests on, which asserts what this version does."""
import glob
import os
import re


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rules = re.search(r"^# rules: (.*)$", text, re.M)
    return text.split('"""')[1].splitlines()[0], rules.group(1) if rules else ""


def run(args, envs):
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

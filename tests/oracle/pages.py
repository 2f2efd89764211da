"""Runs the examples of the rule pages and compares them with what the pages say was observed.

`bad` must do what one of the `observed` entries for this Keras flavour says: raise that error with that text or, for a silent fault, run to
its end. A silent fault has to show itself: the example asserts it, or says in `prints` what it prints. `good` must run clean. Where a page
has no entry for a flavour, the rule does not apply there.
"""
import os
import re
import tempfile

READER = "import glob, json, os, sys, yaml\n" \
         "print(json.dumps([yaml.safe_load(open(p, encoding='utf-8')) for p in sorted(glob.glob(os.path.join(sys.argv[1], 'TF*.yaml')))]))"
SHOWS_ITSELF = re.compile(r"\bassert\b|\.assert_|\bassert_")


def read(args, envs):
    """All pages with examples; read with the YAML reader of an environment, for there is none in Python itself."""
    for env in envs:
        if env.problem:
            continue
        with tempfile.NamedTemporaryFile("w", suffix=".py", dir=args.home) as script:
            script.write(READER)
            script.flush()
            pages = env.run_script(script.name, os.path.join(args.root, "rules"))
        wanted = tuple(word for word in args.rules.split(",") if word)
        return [page for page in pages if page.get("examples") and (not wanted or page["id"].startswith(wanted))]
    return []


def matches(entry, result):
    if "error" in entry:
        return result["outcome"] == "error" and entry["error"] in result["kinds"] and entry.get("text", "") in result["text"]
    return result["outcome"] == "clean"


def short(result):
    if result["outcome"] != "error":
        return result["outcome"]
    lines = [line.strip() for line in result["text"].splitlines() if line.strip()]
    # AutoGraph puts its own traceback first.
    telling = [line for line in lines if not line.startswith(("in user code", "File ", "*", "return ", "Arguments received", "Call arguments"))]
    return "%s: %s" % (result["error"], (telling or lines or [""])[-1 if lines and lines[0].startswith("in user code") else 0][:160])


def judge_bad(page, example, entries, result):
    """What is wrong, or None."""
    if not any(matches(entry, result) for entry in entries):
        return "the bad example gave " + short(result)
    if example.get("prints") is not None:
        if example["prints"].strip() not in result["printed"]:
            return "the bad example did not print what `prints` says"
    elif result["outcome"] == "clean" and not SHOWS_ITSELF.search(example["bad"]):
        return "nothing shows the silent fault: the bad example should assert it or have `prints`"
    return None


def judge(page, example, results, env):
    entries = [entry for entry in page["observed"] if entry["flavour"] in ("both", env.flavour)]
    if not entries:
        return "not applicable", ""
    problems = [judge_bad(page, example, entries, results["bad"])]
    if results["good"]["outcome"] != "clean":
        problems.append("the good example gave " + short(results["good"]))
    problems = [problem for problem in problems if problem]
    return ("differs", "; ".join(problems)) if problems else ("reproduced", short(results["bad"]))


def write_programs(pages, folder, watching):
    jobs = []
    for page in pages:
        for number, example in enumerate(page["examples"], 1):
            for side in ("bad", "good"):
                path = os.path.join(folder, "%s_%d_%s.py" % (page["id"], number, side))
                with open(path, "w", encoding="utf-8") as file:
                    file.write(example[side])
                jobs.append({"id": "%s/%d/%s" % (page["id"], number, side), "file": path, "watch": [path] if watching else []})
    return jobs


def run(args, envs):
    pages = read(args, envs)
    for env in envs:
        if env.problem:
            yield {"name": "all pages", "version": env.version, "status": "skipped", "note": env.problem}
            continue
        jobs = write_programs(pages, args.scratch, args.watching)
        results = env.run_all(jobs)
        for job in jobs if args.watching else []:
            args.recorded.append({"part": "pages", "name": os.path.basename(job["file"]), "version": env.version, "path": job["file"], "start": job["file"],
                                  "calls": results.get(job["id"], {}).get("calls") or []})
        for page in pages:
            for number, example in enumerate(page["examples"], 1):
                pair = {side: results.get("%s/%d/%s" % (page["id"], number, side), {"outcome": "crash", "printed": ""}) for side in ("bad", "good")}
                verdict, note = judge(page, example, pair, env)
                yield {"name": "%s/%d" % (page["id"], number), "rule": page["id"], "version": env.version, "verdict": verdict,
                       "status": "failed" if verdict == "differs" else "passed", "note": note}

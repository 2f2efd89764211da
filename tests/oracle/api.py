"""Checks the names of rules/api against the packages themselves (names.py does the looking).

A name that no version has is a mistake, unless tests/oracle/gone.txt lists it: it is there for code written for an older version. Members of
classes count only if they are attributes of the class; many exist on instances alone. A name tagged `host-attribute` must not exist. What is
said to return a tensor must give one where a cheap call succeeds.
"""
import os
import re


def gone(args):
    with open(os.path.join(args.root, "tests", "oracle", "gone.txt"), encoding="utf-8") as file:
        return {line.split("#")[0].strip() for line in file} - {""}


def judge(answer, found, old):
    """What is wrong with one name under one version, or None. `found`: some version has it."""
    if answer["absent"]:
        return "exists, though it is tagged host-attribute" if answer["place"] else None
    if not found and not answer["method"] and answer["name"] not in old:
        return "no version has it"
    if answer["gave"] not in (None, "tensor"):
        return "said to return a tensor, gave " + answer["gave"]
    return None


def run(args, envs):
    script, old = os.path.join(args.root, "tests", "oracle", "names.py"), gone(args)
    answers = {env: env.run_script(script, os.path.join(args.root, "rules", "api"), seconds=600) for env in envs if not env.problem}
    # A member in one version's eyes is one in all: its class may be missing elsewhere.
    found = {answer["name"] for some in answers.values() for answer in some if answer["place"] or answer["method"]}
    for env in envs:
        if env.problem:
            yield {"name": "all names", "version": env.version, "status": "skipped", "note": env.problem}
            continue
        wrong = 0
        for answer in answers[env]:
            note = judge(answer, answer["name"] in found or len(answers) < 2, old)
            if note:
                wrong += 1
                yield {"name": answer["name"], "version": env.version, "status": "failed", "note": "%s (%s)" % (note, answer["file"])}
        called = sum(answer["gave"] is not None for answer in answers[env])
        missing = [answer["name"] for answer in answers[env] if not answer["place"] and not answer["method"]]
        yield {"name": "all other names", "version": env.version, "status": "passed", "missing": missing,
               "note": "%d names, %d called, %d not in this version, %d wrong" % (len(answers[env]), called, len(missing), wrong)}

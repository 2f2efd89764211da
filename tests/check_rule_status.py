#!/usr/bin/env python3
"""A rule's page says `stable` only where its precision on real code is measured (tests/corpus/triage.yaml).

Measured: at least FINDINGS findings are judged by hand. Good enough: of all of them 3 in 4 are true, of its errors 9 in 10; where the reader was
unsure counts as false, what nobody has read does not count. A page that could say `stable` and does not is named, but no fault. Rules about files and comments (TF9) say nothing about code.
`--bless` rewrites the pages.
"""
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FINDINGS = 5
READ = ("true", "false", "unsure")
PRECISION, PRECISION_OF_ERRORS = 0.75, 0.9
STATUS = re.compile(r"^status: (\w+)$", re.M)


def judged():
    """By rule: the verdicts on all of its findings and on its errors."""
    every, errors = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    for line in (ROOT / "tests/corpus/triage.yaml").read_text(encoding="utf-8").splitlines():
        if not line.startswith("- "):
            continue
        finding = json.loads(line[2:])
        if finding["verdict"] in READ:
            every[finding["rule"]][finding["verdict"]] += 1
            errors[finding["rule"]][finding["verdict"]] += finding["level"] == "error"
    return every, errors


def is_precise(verdicts, least):
    return verdicts["true"] >= least * verdicts.total()


def main():
    (every, errors), wrong, pages = judged(), 0, 0
    for path in sorted((ROOT / "rules").glob("TF*.yaml")):
        rule = path.name[:5]
        if rule.startswith("TF9"):
            continue
        text = path.read_text(encoding="utf-8")
        pages += 1
        status = STATUS.search(text).group(1)
        measured = every[rule].total() >= FINDINGS
        precise = is_precise(every[rule], PRECISION) and is_precise(errors[rule], PRECISION_OF_ERRORS)
        wanted = "stable" if measured and precise else "preview"
        if status == wanted:
            continue
        if sys.argv[1:] == ["--bless"]:
            path.write_text(STATUS.sub(f"status: {wanted}", text, count=1), encoding="utf-8")
            print(f"{path.name}: {wanted}")
            continue
        wrong += status == "stable"
        mark = "FAIL" if status == "stable" else "note"
        print(f"{mark}  rules/{path.name}: {status}, could be {wanted}: judged {dict(every[rule])}, its errors {dict(+errors[rule])}")
    print(f"{pages - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

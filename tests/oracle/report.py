"""Writes docs/oracle.md from the results."""
import re

HEAD = """# What TensorFlow says

Written by `make oracle ARGS=--write`: do not edit. Rules, fixtures and facts were run under TensorFlow itself. *Reproduced*: each wrong
example does what its page says, each right one runs. *Differs*: not so. *Not applicable*: the page has nothing for this version's Keras.

"""


def of(results, part):
    return [item for item in results["items"] if item["part"] == part]


def versions(items):
    return sorted({item["version"] for item in items}, reverse=True)


def cell_text(cell):
    """Without the paths of one machine."""
    return re.sub(r"/\S*/site-packages/", "", str(cell)).replace("|", "\\|")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(cell_text, row)) + " |" for row in rows]) + "\n\n"


def verdict_of(items):
    verdicts = {item.get("verdict", "skipped") for item in items}
    for verdict in ("differs", "skipped", "reproduced", "not applicable"):
        if verdict in verdicts:
            return verdict
    return ""


def rules(results):
    items = [item for item in of(results, "pages") if item.get("rule")]
    names = versions(of(results, "pages"))
    by_rule = {}
    for item in items:
        by_rule.setdefault(item["rule"], []).append(item)
    rows = [[rule] + [verdict_of([item for item in some if item["version"] == name]) for name in names] for rule, some in sorted(by_rule.items())]
    return "## Rules\n\n" + table(["rule"] + ["TensorFlow " + name for name in names], rows)


def probes(results):
    items = of(results, "probes")
    names, by_name = versions(items), {}
    for item in items:
        by_name.setdefault(item["name"], {})[item["version"]] = item
    rows = []
    for name, some in sorted(by_name.items()):
        first = next(iter(some.values()))
        rows.append([first["fact"], first["rules"]] + [{"passed": "yes", "failed": "no"}.get(some[v]["status"], "skipped") if v in some else "" for v in names])
    return "## Facts that rules rest on\n\nEach is a program in tests/oracle/probes that asserts it.\n\n" + table(["fact", "rules"] + names, rows)


def counts(results, part, title, text):
    items = of(results, part)
    if not items:
        return "## %s\n\nNot run.\n\n" % title
    rows = []
    for name in versions(items):
        some = [item for item in items if item["version"] == name]
        rows.append([name] + [sum(item["status"] == status for item in some) for status in ("passed", "failed", "skipped")] +
                    [sum(item.get("functions", 0) for item in some), sum(item.get("agreed", 0) for item in some), sum(item.get("silent", 0) for item in some), sum(len(item.get("disagreements", ())) for item in some)])
    return "## %s\n\n%s\n\n" % (title, text) + table(["version", "passed", "failed", "skipped", "functions seen", "agree", "unknown", "disagree"], rows)


def disagreements(results):
    seen = {}
    for item in results["items"]:
        for wrong in item.get("disagreements", ()):
            seen.setdefault((wrong["where"], wrong["what"]), []).append(item["version"])
    if not seen:
        return ""
    return "### Where tfcheck and TensorFlow disagree\n\n" + table(["function", "what", "versions"], [[where, what, ", ".join(names)] for (where, what), names in sorted(seen.items())])


def labels(results):
    rows = [[item["name"], item["version"], item["note"]] for item in of(results, "cases") if item["status"] == "passed" and item["note"]]
    return "### Cases whose label TensorFlow does not bear out\n\n" + table(["case", "version", "what"], rows) if rows else ""


def api(results):
    items = of(results, "api")
    rows = [[item["name"], item["version"], item["note"]] for item in items]
    return "## Names in rules/api\n\n" + table(["name", "version", "what"], rows)


def skipped(results):
    rows = [[item["part"], item["name"], item["version"], item["note"]] for item in results["items"] if item["status"] == "skipped"]
    return "## Skipped\n\n" + table(["part", "what", "version", "why"], rows) if rows else ""


def render(results):
    silent = "fixtures/silent, run as programs. \"Functions seen\": the functions of the fixture that ran; \"agree\": functions and arguments of which " \
             "`tfcheck debug traced` and `debug values` say what TensorFlow did; \"unknown\": arguments of which tfcheck claims nothing."
    return HEAD + rules(results) + probes(results) + counts(results, "silent", "Correct code", silent) + \
        counts(results, "cases", "Labelled cases", "Cases that run alone; a case that lacks a package, a file or time is skipped. \"Passed\" means that it ran; any error counts as the labelled one.") + \
        labels(results) + disagreements(results) + api(results) + skipped(results).rstrip("\n") + "\n"

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
    """Without the paths and addresses of one machine."""
    text = re.sub(r"/\S*/site-packages/", "", str(cell))
    return re.sub(r"\bid=\d+|\b0x[0-9a-f]+", "…", text).replace("|", "\\|")


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


def marked(facts):
    text = "What the notes on TensorFlow's semantics mark as inferred [I] or remembered [M], and the probe that settles it."
    return "### Facts once doubtful\n\n%s\n\n" % text + table(["section", "fact", "probe"], facts)


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
    rows = [[name] + [sum(item["status"] == status for item in items if item["version"] == name) for status in ("passed", "failed", "skipped")]
            for name in versions(items)]
    return "## %s\n\n%s\n\n" % (title, text) + table(["version", "passed", "failed", "skipped"], rows)


# Columns of the tables on traces: what they sum up, by the names that traces.py counts under.
FUNCTIONS = (("traced by both", "both"), ("by TensorFlow only", "tf_only"), ("by tfcheck only", "us_only"), ("eager for both", "eager"), ("never run", "unrun"))
ARGUMENTS = (("kind right", "exact"), ("one of several", "among"), ("unknown", "unknown"), ("wrong", "contradicted"), ("dtype and rank right", "typed"),
             ("open", "untyped"), ("wrong", "mistyped"), ("AutoGraph right", "autograph"), ("open", "autograph_unknown"), ("wrong", "autograph_contradicted"))


def totals(items, columns):
    groups = sorted({(item["of"], item["version"]) for item in items}, key=lambda group: (group[0], -float(group[1])))
    return [[part, version] + [sum(item["totals"][name] for item in items if (item["of"], item["version"]) == (part, version)) for _, name in columns]
            for part, version in groups]


def traces(results):
    items = [item for item in of(results, "traces") if "totals" in item]
    if not items:
        return "## What is traced\n\nNot compared.\n\n"
    text = "Functions of the programs above, by whether TensorFlow ran them while it traced and whether `tfcheck debug traced` says so. What a program never " \
           "ran says nothing."
    values = "Named arguments, without `self`, of functions traced by both: each kind of value that TensorFlow saw, against the kinds that tfcheck gives; of " \
             "tensors and variables also dtype and rank; and whether AutoGraph converted the function. What tfcheck leaves open is no agreement."
    return "## What is traced\n\n%s\n\n" % text + table(["programs", "version"] + [title for title, _ in FUNCTIONS], totals(items, FUNCTIONS)) + \
        values + "\n\n" + table(["programs", "version"] + [title for title, _ in ARGUMENTS], totals(items, ARGUMENTS)) + disagreements(items)


def disagreements(items):
    seen = {}
    for item in items:
        for wrong in item["disagreements"]:
            seen.setdefault((wrong["why"] or "NOT EXPLAINED", wrong["where"], wrong["what"]), []).append(item["version"])
    rows = [[where, what, ", ".join(sorted(set(names), reverse=True)), why] for (why, where, what), names in sorted(seen.items())]
    return "### Where they disagree, and why\n\n" + table(["function", "what", "versions", "why"], rows) if rows else ""


def labels(results):
    seen = {}
    for item in of(results, "cases"):
        if item["status"] == "passed" and item["note"]:
            seen.setdefault((item["name"], item["note"]), []).append(item["version"])
    rows = [[name, ", ".join(sorted(names, reverse=True)), note] for (name, note), names in sorted(seen.items())]
    return "### Where TensorFlow does not do what the case says\n\n" + table(["case", "version", "what"], rows) if rows else ""


def api(results):
    items = of(results, "api")
    rows = [[item["name"], item["version"], item["note"]] for item in items]
    return "## Names in rules/api\n\n" + table(["name", "version", "what"], rows)


def skipped(results):
    rows = [[item["part"], item["name"], item["version"], item["note"]] for item in results["items"] if item["status"] == "skipped"]
    return "## Skipped\n\n" + table(["part", "what", "version", "why"], rows) if rows else ""


def render(results, facts):
    silent = "fixtures/silent: each file as a program, with the one in tests/oracle/drivers that calls what it defines."
    cases = "Cases that run alone; one that lacks a package, a file or time is skipped. What TensorFlow does is compared with the case's header " \
            "(the error it names, or none) and with the lines of its labels."
    return HEAD + rules(results) + probes(results) + marked(facts) + counts(results, "silent", "Correct code", silent) + \
        counts(results, "cases", "Labelled cases", cases) + labels(results) + traces(results) + api(results) + skipped(results).rstrip("\n") + "\n"

#!/usr/bin/env python3
"""Rule pages, coded checks, the registry and the fixtures must speak of the same rules."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = re.compile(r"(TF\d{3})-([a-z0-9-]+)\.yaml")
WANTED = ("fires", "near_miss", "aliases", "indirect", "suppressed")
# What is said about files and comments has no aliases and comes from no helper.
WANTED_HYGIENE = ("fires", "near_miss")


def field(text, name):
    found = re.search(rf"^{name}:[ \t]*(\S+)", text, re.M)
    return found.group(1).strip("'\"") if found else None


def read_pages():
    pages = {}
    for path in sorted((ROOT / "rules").glob("TF*.yaml")):
        name = PAGE.fullmatch(path.name)
        if not name:
            yield f"rules/{path.name}: the name must be TFnnn-name.yaml"
            continue
        text = path.read_text(encoding="utf-8")
        pages[name.group(1)] = field(text, "check")
        if (field(text, "id"), field(text, "name")) != name.groups():
            yield f"rules/{path.name}: id and name differ from the file's name"
        if not field(text, "check") and not re.search(r"^match:", text, re.M) and not name.group(1).startswith("TF9"):
            yield f"rules/{path.name}: neither `check` nor `match`"
    yield pages


def check_code(pages):
    defined = {}
    for path in sorted((ROOT / "src/rules").glob("*.c")):
        for rule in re.findall(r"^const RuleCheck rule_(\w+)", path.read_text(encoding="utf-8"), re.M):
            defined[rule] = path.name
            if path.stem != rule:
                yield f"src/rules/{path.name}: defines rule_{rule}"
    registry = ROOT / "src/rules/registry.c"
    listed = re.findall(r"&rule_(\w+)", registry.read_text(encoding="utf-8")) if registry.exists() else []
    wanted = {check for check in pages.values() if check and check != "engine"}
    for rule in sorted(wanted - set(defined)):
        yield f"rules/: `check: {rule}` has no src/rules/{rule}.c"
    for rule in sorted(set(defined) - wanted):
        yield f"src/rules/{defined[rule]}: no page names this check"
    for rule in sorted(set(defined) ^ set(listed)):
        yield f"src/rules/registry.c: {rule} is {'listed but not defined' if rule in listed else 'not listed'}"
    for rule in sorted({rule for rule in listed if listed.count(rule) > 1}):
        yield f"src/rules/registry.c: {rule} is listed twice"


def check_fixtures(pages):
    folder = ROOT / "fixtures/rules"
    for rule in sorted(path.name for path in folder.iterdir() if path.is_dir() and path.name not in pages):
        yield f"fixtures/rules/{rule}: no such rule"
    for rule in sorted(pages):
        wanted = WANTED_HYGIENE if rule.startswith("TF9") else WANTED
        bases = [folder / rule / name for name in wanted]
        missing = [base.name for base in bases if not base.with_suffix(".py").is_file() and not base.is_dir()]
        if missing:
            yield f"fixtures/rules/{rule}: no {', '.join(missing)}"
        fires = sorted((folder / rule).glob("fires*.py")) + sorted((folder / rule).glob("fires*/**/*.py"))
        if fires and not any(re.search(rf"expect[^\n]*\b{rule}\b", path.read_text(encoding="utf-8", errors="replace")) for path in fires):
            yield f"fixtures/rules/{rule}/fires.py: expects no {rule}"


def main():
    *faults, pages = read_pages()
    faults += check_code(pages)
    faults += check_fixtures(pages)
    for fault in faults:
        print(fault)
    return 1 if faults or not pages else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Checks the sources, rule by rule; tree.py says how a rule is written.

usage: lint.py ROOT FIXTURES [RULE...]

Each rule of the files rules_*.py runs
- over the tree at ROOT, where it must find things to judge, and nothing wrong;
- over ROOT with each of the small changes that the rule names, in memory: it must report each;
- over FIXTURES/<rule>, a small tree that must fail it and no other rule.
Files that a rule lets pass for now are lines "rule path" in ROOT/tests/lint/exceptions; lines that are no longer
needed are named.
"""
import importlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import tap  # noqa: E402
from tree import Tree  # noqa: E402


def load_rules():
    modules = [importlib.import_module(path.stem) for path in sorted(HERE.glob("rules_*.py"))]
    return [value for module in modules for name, value in vars(module).items() if name.startswith("rule_")]


def title(rule):
    return rule.__name__[5:]


def spoiled(root, glob, pattern, replacement):
    """ROOT with the first file that matches the glob and holds the pattern changed, and its name; None if none does."""
    tree = Tree(root)
    for name in tree.glob(glob):
        text = re.sub(pattern, replacement, tree.text(name), count=1, flags=re.S | re.M)
        if text != tree.text(name):
            return {name: text}, name
    return None, None


def reports(rule, root, change, found):
    """Whether the rule reports something new in ROOT with a change. Most rules judge a file by itself:
    the changed file is tried first, which is quick."""
    only = set(change)
    alone = set(rule(Tree(root, change, only))) - set(rule(Tree(root, None, only)))
    return alone or set(rule(Tree(root, change))) - set(found)


def check_spoils(rule, root, found):
    """The rule reports each of the changes of the real tree that it names."""
    unseen = [] if getattr(rule, "spoils", []) else ["the rule names no change with @spoil"]
    for glob, pattern, replacement in getattr(rule, "spoils", []):
        change, name = spoiled(root, glob, pattern, replacement)
        if not change:
            unseen.append(f"no file {glob} holds {pattern!r} any more")
        elif not reports(rule, root, change, found):
            unseen.append(f"reports nothing although {pattern!r} in {name} became {replacement!r}")
    tap.check(f"{title(rule)}: fails on a spoiled tree", not unseen, "\n".join(unseen))


def check_rule(rule, rules, root, fixtures, excepted):
    tree = Tree(root)
    found = list(rule(tree))
    wrong = [f"{path}: {text}" for path, text in found if (title(rule), path) not in excepted]
    for name, path in sorted(excepted):
        if name == title(rule) and path not in {p for p, _ in found}:
            print(f"# tests/lint/exceptions: {name} {path}: no longer needed")
    tap.check(f"{title(rule)}: {rule.__doc__.splitlines()[0]}", not wrong, "\n".join(wrong))
    print(f"# {title(rule)}: judged {tree.looked}", tree.note)
    tap.check(f"{title(rule)}: finds things to judge", tree.looked)
    check_spoils(rule, root, found)
    made, folder = getattr(rule, "fixture", None), fixtures / title(rule)
    tap.check(f"{title(rule)}: its fixture fails", (made or folder.is_dir()) and list(rule(Tree(folder, made))), folder)
    others = [f"{title(other)}: {hit}" for other in rules if other is not rule for hit in other(Tree(folder, made))]
    tap.check(f"{title(rule)}: its fixture fails no other rule", not others, "\n".join(others))


def read_exceptions(path):
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {tuple(line.split(None, 1)) for line in lines if line.strip() and line[0] != "#"}


def run():
    root, fixtures = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    excepted = read_exceptions(root / "tests/lint/exceptions")
    rules = load_rules()
    for rule in rules:
        if not sys.argv[3:] or title(rule) in sys.argv[3:]:
            check_rule(rule, rules, root, fixtures, excepted)
    unknown = sorted({name for name, _ in excepted} - {title(rule) for rule in rules} - {"format"})
    tap.check("every exception is of a known rule", not unknown, unknown)
    unused = sorted({path.name for path in fixtures.iterdir()} - {title(rule) for rule in rules} - {"format", "symbols"})
    tap.check("every fixture is of a known rule", not unused, unused)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tap.finish(run)

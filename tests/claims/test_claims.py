# SPDX-License-Identifier: Apache-2.0
"""The page of claims is what its file says; each claim has a measurement and a verdict, each figure of a paper a row, and
commands name files and tests that exist.

usage: test_claims.py BUILD
"""
import copy
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import afford  # noqa: E402
import claims  # noqa: E402
import tap  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
DATA, KEPT = claims.read(), claims.kept_texts()


def known_tests():
    return {test["name"] for name in ("intro-tests.json", "intro-benchmarks.json")
            for test in json.loads((BUILD / "meson-info" / name).read_text(encoding="utf-8"))}


def first_of(data, **has):
    return next(row for row in data["claim"] if all(row.get(key) == value for key, value in has.items()))


def spoiled(title, change, expected):
    """The file with one change is refused, for that change and no other."""
    data = copy.deepcopy(DATA)
    change(data)
    found = list(claims.faults(data, KEPT))
    tap.check(f"refused: {title}", len(found) == 1 and expected in found[0], found)


def run():
    found = list(claims.faults(DATA, KEPT))
    tap.check("each claim has a verdict, a measurement, a reason; each figure and table a row", not found, found)
    tests = known_tests()
    found = list(claims.missing(DATA, tests))
    tap.check("commands name files, tests and scenes that exist", not found, found)
    shown, wanted = claims.PAGE.read_text(encoding="utf-8"), claims.page(DATA, KEPT)
    tap.check("the page is what tests/claims/claims.py makes", shown == wanted,
              next((pair for pair in zip(shown.splitlines(), wanted.splitlines()) if pair[0] != pair[1]), "length"))
    shown, wanted = (afford.DOCS / "what-one-can-afford.md").read_text(encoding="utf-8"), afford.page(afford.costs())
    tap.check("the page of what one can afford is that of its costs", shown == wanted,
              next((pair for pair in zip(shown.splitlines(), wanted.splitlines()) if pair[0] != pair[1]), "length"))
    used = {name for row in DATA["claim"] for name in row.get("by", [])}
    tap.check("each command is one that a claim names", set(DATA["command"]) <= used, set(DATA["command"]) - used)
    texts = [row.get("kept", row.get("count")) for row in DATA["claim"]]
    tap.check("each count is shown", set(claims.counts.TEXTS) <= set(texts), set(claims.counts.TEXTS) - set(texts))

    spoiled("a claim without a verdict", lambda d: first_of(d, verdict="no").pop("verdict"), "expected a verdict")
    spoiled("a claim without a measurement", lambda d: first_of(d, kept="growth").update(kept="gone"), "has no measurement")
    spoiled("a claim that does not hold without a reason", lambda d: first_of(d, verdict="no").pop("why"), "expected a reason")
    spoiled("a claim without a command", lambda d: first_of(d, verdict="no").update(by=[]), "names no command")
    spoiled("a table that no row is about", lambda d: d["paper"]["oconnor"]["tables"].append("9.1"), "table 9.1 has no row")
    spoiled("a figure that the paper does not have", lambda d: first_of(d, shows=["figure 13"]).update(shows=["figure 13", "figure 14"]),
            "its paper has no figure 14")
    for title, where, text in (("a file", ("command", "gcd"), "tests/bench/gone.py build"),
                               ("a program", ("command", "gcd"), "build/tests/bench/gone 30"),
                               ("a scene", ("command", "gcd"), "build/core/scree run gone"),
                               ("a benchmark", ("command", "gcd"), "meson test -C build --benchmark gone -v")):
        data = copy.deepcopy(DATA)
        data[where[0]][where[1]]["run"] = text
        found = list(claims.missing(data, tests))
        tap.check(f"named: {title} that is not there", len(found) == 1 and "gone" in found[0], found)
    data = copy.deepcopy(DATA)
    first_of(data, verdict="holds")["by"] = ["test gone"]
    found = list(claims.missing(data, tests))
    tap.check("named: a test that is not there", len(found) == 1 and "test gone" in found[0], found)


tap.finish(run)

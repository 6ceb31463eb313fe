# SPDX-License-Identifier: Apache-2.0
"""tests/budget.tsv is whole, each row has a test, the pages show its numbers, and a number changed by hand is found.

usage: test_budget.py BUILD
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import budget  # noqa: E402
import scenes  # noqa: E402
import tap  # noqa: E402

BUILD = pathlib.Path(sys.argv[1]).resolve()
ROOT = budget.ROOT
HEAD = "# a table\n# measured with nothing\n" + "\t".join(budget.COLUMNS) + "\n"
ROW = "size\t1000\tbytes\t1000\trest\techo 1000\n"


def command(*words):
    return subprocess.run([sys.executable, HERE.parent / "budget.py", "--build", BUILD, *map(str, words)], text=True,
                          capture_output=True, stdin=subprocess.DEVNULL, check=False)


def is_full_name(name):
    """`scree:budget / budget-peak` and the like in Meson's list, in any version of it."""
    return name.rsplit(" / ", 1)[-1]


def test_rows(rows, faults):
    tap.check("tests/budget.tsv is well formed", rows and not faults, "\n".join(faults))
    unequal = list(budget.find_unequal(rows))
    tap.check("no value is above its limit, no limit above its value", not unequal, "\n".join(unequal))
    options = json.loads((BUILD / "meson-info/intro-buildoptions.json").read_text(encoding="utf-8"))
    if any(option["name"] == "b_sanitize" and option["value"] not in ("none", []) for option in options):
        tap.skip("each row has a test", "a build for sanitizers has no test of a size")
    else:
        tests = json.loads((BUILD / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
        there = {is_full_name(test["name"]): test for test in tests}
        wrong = [row.name for row in rows if f"budget-{row.name}" not in there
                 or not any(suite.endswith(row.suite) for suite in there[f"budget-{row.name}"]["suite"])]
        tap.check("each row has a test, in its suite", not wrong, wrong)
    names = {row.name for row in rows}
    core = ROOT / "core"
    rooms = [path.parent.relative_to(core).as_posix() for path in core.glob("**/README.md") if path.parent != core]
    wanted = {f"lines-core-{room.replace('/', '-')}" for room in rooms}
    wanted |= {f"lines-plugins-{path.name}" for path in (ROOT / "plugins").iterdir() if path.is_dir()}
    wanted |= {f"steps-{name}" for name in scenes.STEPS}
    tap.check("each room of core, each kind of plugin and each scene has a row", wanted <= names, sorted(wanted - names))


def test_first_run():
    """./bootstrap run builds this target: a plugin that no index lists is tried by scree-tools."""
    found = re.search(r"^build first-run: (.*)", (BUILD / "build.ninja").read_text(encoding="utf-8"), re.M)
    words = found[1].split() if found else []
    tap.check("a first run has the program that tries its plugins", {"core/scree", "core/scree-tools"} <= set(words), words)


def test_observers():
    table = (ROOT / "plugins/observer/meson.build").read_text(encoding="utf-8")
    there = set(re.findall(r"'(\w+)': \{'files'", table))
    seen = set(re.findall(r'plugin="(\w+)"', scenes.OBSERVERS))
    tap.check("the hopper has every observer", there and there == seen, sorted(there ^ seen))


def test_pages(top, rows):
    stale, by_hand, used = [], [], set()
    for path in budget.pages(ROOT):
        text = path.read_text(encoding="utf-8")
        used |= {found[1] for found in budget.MARK.finditer(text)}
        name = str(path.relative_to(ROOT))
        stale += [name] if budget.fill(text, rows) != text else []
        by_hand += [f"{name}: {found[0]}" for found in budget.BY_HAND.finditer(budget.MARK.sub("", text))]
    tap.check("figures of the pages are those of the table", not stale, f"{stale}: tests/budget.py --pages writes them")
    tap.check("no page counts thousands of lines by hand", not by_hand, "\n".join(by_hand))
    tap.check("each figure is on a page", used == set(budget.FIGURES), (used, set(budget.FIGURES)))
    (top / "core").mkdir()
    copy = top / "core/README.md"
    shutil.copyfile(ROOT / "core/README.md", copy)
    text = copy.read_text(encoding="utf-8")
    changed = re.sub(r"(-->base )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}", text)
    copy.write_text(changed, encoding="utf-8")
    tap.check("a figure that was changed by hand is found", changed != text and budget.fill(changed, rows) == text)
    try:
        budget.fill("<!-- budget: nothing -->1<!-- /budget -->", rows)
        unknown = False
    except budget.Fault as why:
        unknown = "expected one of" in str(why)
    tap.check("an unknown figure is refused", unknown)


def test_malformed(top):
    """Each mistake is reported with the line that has it."""
    path = top / "bad.tsv"
    for claim, bad in (("a cell is missing", "size\t1000\tbytes\t1000\techo 1000\n"),
                       ("a cell too many", ROW.replace("echo", "echo\t")),
                       ("a value is not a number", ROW.replace("1000\tbytes", "many\tbytes")),
                       ("a value is zero", ROW.replace("1000\tbytes", "0\tbytes")),
                       ("a limit is negative", ROW.replace("bytes\t1000", "bytes\t-1")),
                       ("an unknown unit", ROW.replace("bytes", "pounds")),
                       ("an unknown suite", ROW.replace("rest\t", "some\t")),
                       ("an empty command", ROW.replace("echo 1000", " ")),
                       ("a name with a space", ROW.replace("size", "the size")),
                       ("a name twice", ROW)):
        path.write_text(HEAD + ROW + bad, encoding="utf-8")
        faults = budget.read_table(path)[1]
        done = command("--table", path, "--check")
        tap.check(f"{claim}: the line is reported", len(faults) == 1 and faults[0].startswith("bad.tsv:5: ")
                  and done.returncode == 1 and "bad.tsv:5: " in done.stderr, (faults, done))
    path.write_text(HEAD.replace("limit", "most") + ROW, encoding="utf-8")
    tap.check("another head is refused", budget.read_table(path)[1] == [
        "bad.tsv:3: expected the head " + ", ".join(budget.COLUMNS)], budget.read_table(path))


def check_row(top, row):
    path = top / "one.tsv"
    path.write_text(HEAD + row, encoding="utf-8")
    done = command("--table", path, "--check")
    return done, list(budget.find_unequal(budget.read_table(path)[0]))


def test_judgement(top, rows):
    """Numbers of a scratch copy, changed by hand."""
    lines = next(row for row in rows if row.name == "lines-abi")
    number, _ = budget.measure(lines, BUILD)

    def abi(value, limit):
        return check_row(top, f"abi\t{budget.show(value)}\tlines\t{budget.show(limit)}\trest\t{lines.command}\n")
    done, unequal = abi(number, number)
    tap.check("a row at its limit passes", done.returncode == 0 and not unequal, (done, unequal))
    lower = round(number * 0.99)
    done, unequal = abi(number, lower)
    tap.check("a limit that was lowered by hand: red, with both numbers", done.returncode == 1 and unequal
              and f"not ok 1 - abi: {budget.show(number)} lines, limit {lower}: " in done.stdout, (done, unequal))
    higher = round(number * 1.01)
    tap.check("a limit that was raised by hand: red, with both numbers", [
        f"line 4: abi: value {budget.show(number)}, limit {higher} lines: the limit is above the value: "
        "tests/budget.py --lower abi"] == abi(number, higher)[1], abi(number, higher))
    tap.check("a value that was raised by hand: red, with both numbers", [
        f"line 4: abi: value {higher}, limit {budget.show(number)} lines: the value is above the limit"]
              == abi(higher, number)[1], abi(higher, number))
    tap.check("a value that was lowered by hand: red, with both numbers", [
        f"line 4: abi: value {lower}, limit {budget.show(number)} lines: the limit is above the value: "
        "tests/budget.py --lower abi"] == abi(lower, number)[1], abi(lower, number))
    for claim, number, unit, holds in (("0.4 % more lines pass", 1004, "lines", True), ("0.6 % do not", 1006, "lines", False),
                                       ("0.9 % more names pass", 1009, "names", True), ("1.1 % do not", 1011, "names", False)):
        done, _ = check_row(top, ROW.replace("bytes", unit).replace("echo 1000", f"echo {number}"))
        tap.check(claim, (done.returncode == 0) == holds and f"{number} {unit}, limit 1000" in done.stdout, done)


def test_commands(top):
    names = ROW.replace("bytes", "names")
    for claim, words, wanted in (("a command that fails is red", "echo 5; exit 3", "exit status 3"),
                                 ("so is one whose pipe breaks", "false | wc -l", "exit status 1"),
                                 ("one that prints no number", "echo many", "expected one number above 0, got 'many'"),
                                 ("one that prints two", "echo 1 2", "got '1 2'"),
                                 ("one that prints nothing", "true", "got ''")):
        done, _ = check_row(top, names.replace("echo 1000", words))
        tap.check(claim, done.returncode == 1 and "not ok" in done.stdout and wanted in done.stdout, done)
    done, _ = check_row(top, names.replace("echo 1000", "echo no scales here; exit 77"))
    tap.check("status 77 is a skip with its reason", done.returncode == 0
              and "ok 1 - size # SKIP no scales here" in done.stdout, done)
    done, _ = check_row(top, ROW)
    tap.check("a row of compiled code is skipped, by name, where another compiler made it", done.returncode == 0
              and f"# SKIP measured with nothing, here is {budget.tools_of(BUILD)}" in done.stdout, done)
    done = command("--table", top / "one.tsv", "--check", "weight")
    tap.check("an unknown row is refused", done.returncode == 1 and "weight: one.tsv has no such row" in done.stderr, done)


def test_update(top):
    path = top / "two.tsv"
    rows = "up\t100\tnames\t100\trest\techo 120\ndown\t100\tnames\t100\trest\techo 80\n"
    path.write_text(HEAD + "# between\n" + rows, encoding="utf-8")
    done = command("--table", path, "--measure")
    text = path.read_text(encoding="utf-8")
    tap.check("--measure writes values and raises no limit", done.returncode == 0 and text == HEAD + "# between\n" +
              rows.replace("up\t100", "up\t120").replace("down\t100", "down\t80"), (done, text))
    tap.check("and reports both numbers, and what to do", "up: 120 names, limit 100: +20.00 %" in done.stdout
              and "tests/budget.py --lower down" in done.stdout, done)
    done = command("--table", path, "--lower")
    kept, _ = budget.read_table(path)
    tap.check("--lower lowers a limit to its value and raises none", done.returncode == 0
              and [(row.name, row.value, row.limit) for row in kept] == [("up", 120.0, 100.0), ("down", 80.0, 80.0)], (done, kept))
    path.write_text(HEAD + ROW + ROW.replace("size", "weight"), encoding="utf-8")
    done = command("--table", path, "--measure", "size")
    tap.check("values of two compilers do not mix", done.returncode == 1 and "measure all of its rows" in done.stderr
              and path.read_text(encoding="utf-8") == HEAD + ROW + ROW.replace("size", "weight"), done)
    done = command("--table", path, "--measure")
    tap.check("when all are measured the table names compiler, C library and valgrind", done.returncode == 0
              and budget.made_with(path) == budget.tools_of(BUILD) and "glibc" in budget.made_with(path), done)


def run():
    rows, faults = budget.read_table(budget.TABLE)
    test_rows(rows, faults)
    test_first_run()
    test_observers()
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        test_pages(top, rows)
        test_malformed(top)
        test_judgement(top, rows)
        test_commands(top)
        test_update(top)


if __name__ == "__main__":
    tap.finish(run)

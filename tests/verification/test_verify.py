# SPDX-License-Identifier: Apache-2.0
"""The harness of verification: a case that is off is not ok, and the page says what the kept results say.

usage: test_verify.py BUILD
"""
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import tap  # noqa: E402
import verify  # noqa: E402
import verify_page as page  # noqa: E402

BUILD, DOCS = sys.argv[1], HERE.parents[1] / "docs/explanation"
WORDS = 'source="arithmetic", formula="1 + 1", why="exact"'
SCENE = """scene = { dt = 1e-3; steps = 10; }; materials = { m = { density = 1.0; }; };
bodies = { a = { radius = 1.0; position = (0.0, 0.0, 0.0); velocity = (2.0, 0.0, 0.0); }; };
observers = { bodies = { plugin = "csv"; what = "bodies"; every_steps = 10; }; };"""


def run(top, body, *words):
    """verify.py with one case whose function has this body."""
    (top / "cases").mkdir(exist_ok=True)
    (top / "cases" / "one.py").write_text(
        f'from verify import Absent, case\nSCENE = """{SCENE}"""\n'
        f'@case("host/test", "one", tolerance=0.01, {WORDS})\ndef one(bench):\n    {body}\n', encoding="utf-8")
    return subprocess.run([sys.executable, HERE / "verify.py", "--build", BUILD, "--cases", top / "cases", "--results",
                           top / "results.tsv", "--docs", top, *words], text=True, capture_output=True, check=False)


def test_judgement(top):
    for name, body, status, text in (
            ("a value within the tolerance is ok", "return 2.0, 2.019", 0, "ok 2 - host/test: one (0.0095 of 0.01)"),
            ("a value beyond it is not, and both values are printed", "return 2.0, 2.021", 1, "expected 2, got 2.021"),
            ("one of many is enough", "return [('a', 1.0, 1.0), ('b', 0.0, 0.011)]", 1, "# b: expected 0, got 0.011"),
            ("a value in a band is ok", "return (1.0, 2.0), 1.9", 0, "ok 2 - host/test"),
            ("a value outside is not, whatever the tolerance", "return (1.0, 2.0), 2.005", 1, "expected 1 .. 2, got 2.005"),
            ("a value that is not a number is not ok", "return 1.0, float('nan')", 1, "not ok 2"),
            ("a case without values is not ok", "return []", 1, "at least one"),
            ("a run that fails is not ok, and its message is printed",
             "bench.run('scene = { stps = 3; };')", 1, 'unknown key'),
            ("a run's table is read", "return 0.02, bench.run(SCENE).csv('bodies')[-1]['x']", 0, "ok 2 - host/test"),
            ("an override counts", "return 0.03, bench.run(SCENE, set=['bodies.a.velocity=(3.0, 0.0, 0.0)'])"
             ".csv('bodies')[-1]['x']", 0, "ok 2 - host/test"),
            ("a case without its data is skipped", "raise Absent('no data')", 0, "# SKIP no data")):
        done = run(top, body)
        tap.check(name, done.returncode == status and text in done.stdout, done.stdout + done.stderr)
    done = run(top, "return 1.0, 1.0", "no-such-case")
    tap.check("words that name no case are an error", done.returncode == 1, done.stdout)


def test_page(top):
    body = ("bench.figure('line', xlabel='x', ylabel='y', lines=[('law', [0, 1], [0, 2])], points=[('seen', [0, 1], "
            "[0, 2.1])]) or None\n    return [('left', 2.0, 2.1), ('right', 1.0, 1.0)]")
    done = run(top, body, "--page")
    if not shutil.which("gnuplot"):
        tap.check("without gnuplot the page is refused", done.returncode == 2 and "gnuplot" in done.stderr, done.stderr)
        return
    seen = (top / "verification.md").read_text(encoding="utf-8")
    tap.check("the page has the values, and names what does not hold", done.returncode == 1 and
              "| **one**: left | arithmetic | 1 + 1 | 2 | 2.1 | 5.0e-02 | 0.01: exact |" in seen
              and "do not hold: host/test: one." in seen, seen + done.stdout)
    root = xml.etree.ElementTree.parse(top / "verification" / "line.svg").getroot()
    tap.check("and a picture", "](verification/line.svg)" in seen and len(list(root.iter())) > 30)
    run(top, "return 2.0, 2.0", "--page")
    seen = (top / "verification.md").read_text(encoding="utf-8")
    tap.check("values of an earlier run go", "All hold." in seen and "2.1" not in seen, seen)


def test_many_bodies(_):
    for name, expected, got, shown in (
            ("a deviation of many bodies is printed in %, with its sign", "0.58", "0.5394", "-7.0 %"),
            ("of a band it is the distance from the middle, also inside", "1 .. 3", "2.5", "+25.0 %"),
            ("where 0 is expected it is the value", "0", "-0.002", "-2.0e-03")):
        row = dict.fromkeys(page.COLUMNS, "1") | {"subject": "bulk/test", "expected": expected, "got": got}
        lines = list(page.case_rows([row]))
        tap.check(name, f"| {shown} |" in lines[0], lines)
    lines = list(page.case_rows([row | {"label": str(k)} for k in range(9)]))
    tap.check("and each value of many bodies is shown", len(lines) == 9, lines)


def test_kept(_):
    if not (DOCS / "verification.md").exists():
        return
    shown, wanted = (DOCS / "verification.md").read_text(encoding="utf-8"), page.render(HERE / "results.tsv")
    tap.check("the page is what --render makes of the results", shown == wanted,
              next((pair for pair in zip(shown.splitlines(), wanted.splitlines()) if pair[0] != pair[1]), "length"))
    rows = page.read(HERE / "results.tsv")
    off = [row["case"] for row in rows if not page.holds(row)]
    tap.check("each kept value is within its tolerance", rows and not off, off)
    missing = [name for row in rows for name in row["figures"].split() if not (DOCS / "verification" / f"{name}.svg").exists()]
    tap.check("each picture of the page is there", not missing, missing)


def test_complete(_):
    subjects = {case.subject for case in verify.load()}
    for kind in ("force", "integrator", "resolver", "modifier"):
        text = (HERE.parents[1] / "plugins" / kind / "meson.build").read_text(encoding="utf-8")
        ids = re.findall(r"^  '(\w+)': \{'files'", text, re.M)
        # The forces of modifier/callback are those of a program: tests/lib compares them with modifier/drag.
        missing = [name for name in ids if f"{kind}/{name}" not in subjects and name != "callback"]
        tap.check(f"each plugin of kind {kind} has a case", ids and not missing, missing)
    kept = {(row["subject"], row["case"]) for row in page.read(HERE / "results.tsv")}
    missing = [f"{case.subject}: {case.name}" for case in verify.CASES if (case.subject, case.name) not in kept]
    if missing:
        tap.skip("each case is on the page", f"verify.py --page --new puts it there: {'; '.join(missing)}")
    else:
        tap.check("each case is on the page", bool(verify.CASES))


tap.in_folders(test_complete, test_judgement, test_page, test_many_bodies, test_kept)

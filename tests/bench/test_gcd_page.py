# SPDX-License-Identifier: Apache-2.0
"""The page of contact detection says what its results say; measuring works (briefly; no time is judged).

usage: test_gcd_page.py BUILD
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import gcd_page as page  # noqa: E402
import tap  # noqa: E402

BUILD, RESULTS, DOCS = pathlib.Path(sys.argv[1]).resolve(), HERE / "results", HERE.parents[1] / "docs/explanation"


def test_kept(top):
    shown, wanted = (DOCS / "contact-detection.md").read_text(encoding="utf-8"), page.page(RESULTS)
    tap.check("the page is what --render makes of the results", shown == wanted,
              next((pair for pair in zip(shown.splitlines(), wanted.splitlines()) if pair[0] != pair[1]), "length"))
    tap.check("nothing is left to fill in", "@" not in shown.replace("3.2.0@", ""))
    states = {}
    for row in page.table(RESULTS / "gcd-ledger.tsv"):
        if row["outcome"] == "ok":
            states.setdefault((row["scene"], row["settings"], row["varied"], row["value"], row["steps"]), set()).add(row["state_sha256"])
    tap.check("one state per scene in the results", states and all(len(seen) == 1 for seen in states.values()), states)
    for row in page.peers(page.table(RESULTS / "gcd-peers.tsv")):
        marks = {(r["first_cnt"], r["first_s1"], r["first_s2"]) for n, r in row[4].items()
                 if r["status"] == "ok" and not n.startswith("zz_")}
        tap.check(f"one set of pairs: {row[0]}", len(marks) == 1, marks)
    if shutil.which("gnuplot"):
        page.figures(RESULTS, top)
        for name in ("peers", "number", "ratio", "cells"):
            root = xml.etree.ElementTree.parse(top / f"contact-detection-{name}.svg").getroot()
            tap.check(f"the figure is drawn: {name}", len(list(root.iter())) > 50)


def test_measured(top):
    done = subprocess.run([HERE / "gcd.py", BUILD, "--quick", "--only", "ledger", "--results", top], text=True,
                          capture_output=True, check=False)
    rows = page.table(top / "gcd-ledger.tsv")
    tap.check("all strategies are measured", done.returncode == 0 and
              len({row["gcd"] for row in rows if row["scene"] == "spheres"}) >= 21 and
              all(row["outcome"] == "ok" and float(row["gcd_s"]) > 0 for row in rows if row["scene"] != "pfc-5"), done.stderr)
    tap.check("and the papers' methods", {row["scene"] for row in rows} >= {"perkins-1", "perkins-2-800", "pfc-5"} and
              {row["what"] for row in page.table(top / "gcd-claims.tsv")} >= {"reversal_s", "square_accuracy"}, rows)
    tap.check("they come to one state", len({row["state_sha256"] for row in rows if row["scene"] == "spheres"}) == 1, rows)


def run():
    with tempfile.TemporaryDirectory() as name:
        for test in (test_kept, test_measured):
            test(pathlib.Path(name))


tap.finish(run)

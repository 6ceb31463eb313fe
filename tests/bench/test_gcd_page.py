# SPDX-License-Identifier: Apache-2.0
"""The page of contact detection says what its results say; measuring works (briefly; no time is judged).

usage: test_gcd_page.py BUILD
"""
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import gcd_page as page  # noqa: E402
import gcd_queries  # noqa: E402
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
    rows = page.table(RESULTS / "gcd-queries.tsv")
    tap.check("queries: no box of an answer is missing", rows and not gcd_queries.wrong(rows), gcd_queries.wrong(rows))
    if shutil.which("gnuplot"):
        page.figures(RESULTS, top)
        for name in ("peers", "number", "ratio", "cells", "queries"):
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


def test_queries(top):
    done = subprocess.run([HERE / "gcd.py", BUILD, "--quick", "--only", "queries", "--results", top], text=True,
                          capture_output=True, check=False)
    rows = page.table(top / "gcd-queries.tsv")
    tap.check("queries of all strategies are measured", done.returncode == 0 and len({row["gcd"] for row in rows}) >= 22 and
              {row["boxes"] for row in rows} == {*gcd_queries.WORLDS, *gcd_queries.IN_ORDER} and all(float(row["ns"]) > 0 for row in rows),
              done.stderr)
    done = subprocess.run([BUILD / "tests/bench/gcd_queries", "shuffled", "1000", BUILD / "tests/faults/unsound_gcd.so:regions"],
                          text=True, capture_output=True, check=False)
    tap.check("a plugin that misses boxes ends the benchmark", done.returncode == 1 and "missing, region" in done.stdout,
              done.stdout)
    exact = [(10 ** n, m, 7.0 * (10 ** n) ** 0.25 * m ** 0.5) for n in (4, 5, 6) for m in (100.0, 200.0, 1000.0)]
    seen = {n: {m: (m, ns) for at, m, ns in exact if at == n} for n, *_ in exact}
    a, b, r2 = gcd_queries.plane(seen)
    tap.check("a power law is fitted", abs(a - 0.25) < 1e-9 and abs(b - 0.5) < 1e-9 and abs(r2 - 1.0) < 1e-9, (a, b, r2))


def test_sources(top):
    done = subprocess.run([HERE / "gcd.py", BUILD, "--quick", "--only", "sources", "--results", top], text=True,
                          capture_output=True, check=False)
    rows = page.table(top / "gcd-sources.tsv")
    tap.check("random placement is measured", done.returncode == 0 and [row["fraction"] for row in rows] == ["0.05", "0.3"] and
              all(float(row["us"]) > 0 for row in rows), done.stderr)


tap.in_folder(test_kept, test_measured, test_queries, test_sources)

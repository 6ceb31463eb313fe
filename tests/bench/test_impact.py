# SPDX-License-Identifier: Apache-2.0
"""Oblique impacts: what LAMMPS and LIGGGHTS leave of spin, which tests/bench/results/impact.tsv keeps, is
what the laws give with the same rule of sliding; the how-tos print the differences as measured.

usage: test_impact.py SCREE SOURCE

peers/impact.py made the file: its decks, with LAMMPS of 29 Sep 2021 (update 2) and LIGGGHTS-PUBLIC 3.8.0 as
Debian 12 has them. The peers are not needed here.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
import impact  # noqa: E402
import tap  # noqa: E402


def limit_of(case):
    """The largest error of a spin, as a share of the largest spin, and why."""
    peer, slow = case["peer"], case["speed"] < 0.1
    if peer.startswith(("liggghts", "gran/h")):
        return 1e-6, "the same lever"
    if impact.hooke(case):
        return (1e-6, "overlap over radius: 1e-6") if slow else (1.2e-2, "the radius as lever there")
    return (5e-5, "overlap over radius: 5e-5") if slow else (1.5e-2, "two levers there")


def check_case(program, name, case, rows):
    ours = impact.scree(program, case)
    limit, why = limit_of(case)
    asked = [e for e in impact.E if (e, impact.ANGLES[0]) in rows]
    worst = 0.0
    for e in asked:
        mine = [(rows[e, a][0], ours[e, a]) for a in impact.ANGLES]
        largest = max(abs(there) for there, _ in mine)
        if not largest:  # gran/hooke without a dashpot: no friction
            worst = max(worst, max(abs(here) for _, here in mine))
            continue
        worst = max(worst, max(abs(there - here) for there, here in mine) / largest)
    tap.check(f"{name}: spins of {len(asked) * len(impact.ANGLES)} impacts are the other program's to {limit:g} "
              f"({why})", len(asked) > 0 and worst <= limit, f"{worst:.3g}")
    damped = case.get("share", case.get("xt")) or name == "liggghts hooke"
    if damped and case.get("spring") in ("displacement", "displacement_rescaled", None):
        off = max(impact.apart(rows, e, 2) for e in (0.7, 0.5))
        tap.check(f"{name}: negative control: the law's own rule of sliding would show", off > 3.0 * limit, off)


def run():
    program, source = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
    lines = (source / "tests/bench/results/impact.tsv").read_text(encoding="utf-8").splitlines()
    results = impact.read_results(lines)
    tap.check("the results have every case of impact.py, and no other",
              list(results) == list(impact.cases()), sorted(set(results) ^ set(impact.cases())))
    for name, case in impact.cases().items():
        check_case(program, name, case, results[name])
    for title, page in (("LAMMPS", "from-lammps.md"), ("LIGGGHTS", "from-liggghts.md")):
        text = (source / "docs/howto" / page).read_text(encoding="utf-8").splitlines()
        missing = [line for line in impact.tables(results)[title] if line not in text]
        tap.check(f"{page} has the differences as measured (else: peers/impact.py --table)", not missing,
                  "\n".join(missing))


tap.finish(run)

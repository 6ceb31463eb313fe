# SPDX-License-Identifier: Apache-2.0
"""Observer `mass_flow` on balls in free flight, whose crossings are known in closed form.

usage: test_mass_flow.py SCREE THROW.cfg PILE.cfg
"""
import math
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

from common import run, table, tap, vector  # noqa: E402
import runs  # noqa: E402

SCREE, THROW, PILE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
STEPS, DT, EVERY, GRAVITY, LENGTH, FLOOR = 1000, 4e-4, 125, 9.81, 1.0, -0.25
OBLIQUE = ((0.47, -0.1, 0.0), (3.0, -1.0, 2.0))  # meets the periodic boundary
PLANES = {
    "up": "point = (7.0, 0.0, 0.1); normal = (0.0, 0.0, 2.0);",
    "up_often": "point = (0.0, 3.0, 0.1); normal = (0.0, 0.0, 0.5); every_steps = 7;",
    "down_fast": 'point = (0.0, 0.0, "100 mm"); normal = (0.0, 0.0, -1.0); groups = ["fast"];',
    "across": "point = (0.2, 0.0, 0.0); normal = (1.0, 0.0, 0.0);",
    "high_end": "point = (0.5, 0.0, 0.0); normal = (1.0, 0.0, 0.0);",
    "low_end": "point = (-0.5, 0.0, 0.0); normal = (1.0, 0.0, 0.0);",
    "oblique": "point = (0.47, -0.1, 0.0); normal = (3.0, -1.0, 2.0);",
    "ball": "point = (0.47, -0.1, 0.0); normal = (3.0, -1.0, 2.0); radius = 0.3;",
    "box": "point = (0.47, -0.1, 0.0); normal = (3.0, -1.0, 2.0); min = (-0.5, -0.2, -0.1); max = (0.5, 0.4, 0.3);",
}
OBSERVERS = " ".join(
    f'{name} = {{ plugin = "mass_flow"; file = "{name}"; {"" if "every" in keys else f"every_steps = {EVERY};"} {keys} }};'
    for name, keys in PLANES.items()) + ' b = { plugin = "csv"; what = "bodies"; };'


def rows_of(path):
    return {int(row["step"]): {k: float(v) for k, v in row.items()} for row in runs.read_table(path)}


class Flight:
    """A ball; position after a step, and the last step after which it is still there."""

    def __init__(self, row):
        self.x, self.v = vector(row, "xyz"), vector(row, ("vx", "vy", "vz"))
        self.mass = 2500.0 * 4.0 / 3.0 * math.pi * row["radius"] ** 3
        self.name = row["name"]
        falls = (self.v[2] + math.sqrt(self.v[2] ** 2 + 2.0 * GRAVITY * (self.x[2] - FLOOR))) / GRAVITY
        self.end = min(STEPS, int(falls / DT))

    def at(self, step):
        t = step * DT
        return (self.x[0] + self.v[0] * t, self.x[1] + self.v[1] * t,
                self.x[2] + self.v[2] * t - 0.5 * GRAVITY * t * t)


def count(balls, crossings):
    """{step: [forward, backward, mass forward, mass backward]} at multiples of EVERY, of crossings(ball)
    = [(step, 1 or -1)]."""
    totals = {step: [0, 0, 0.0, 0.0] for step in range(0, STEPS + 1, EVERY)}
    for ball in balls:
        for step, way in crossings(ball):
            for row, total in totals.items():
                if step <= row:
                    total[way < 0] += 1
                    total[2 + (way < 0)] += ball.mass
    return totals


def up(ball):
    sides = [ball.at(step)[2] < 0.1 for step in range(ball.end + 1)]
    return [(step, 1 if sides[step - 1] else -1) for step in range(1, ball.end + 1)
            if sides[step] != sides[step - 1]]


def along_x(place):
    """Through a plane across x and its periodic images: whole lengths, no look at steps."""
    def crossings(ball):
        found = []
        for step in range(1, ball.end + 1):
            by = math.floor((ball.at(step)[0] - place) / LENGTH) - math.floor((ball.at(step - 1)[0] - place) / LENGTH)
            found += [(step, by)] if by else []
        return found
    return crossings


def oblique(inside):
    """Every image of a path of which an end may be in the cell, against the plane there."""
    (point, normal) = OBLIQUE

    def height(x):
        return sum((a - p) * n for a, p, n in zip(x, point, normal))

    def moved(x, shift):
        return (x[0] - shift[0], x[1] - shift[1], x[2])

    def crossings(ball):
        found, end = [], ball.at(0)
        for step in range(1, ball.end + 1):
            start, end = end, ball.at(step)
            cells = [{LENGTH * round(x[k] / LENGTH) for x in (start, end)} for k in range(2)]
            for shift in ((i, j) for i in cells[0] for j in cells[1]):
                one, other = moved(start, shift), moved(end, shift)
                a, b = height(one), height(other)
                if (a < 0.0) == (b < 0.0):
                    continue
                at = [p + (q - p) * a / (a - b) for p, q in zip(one, other)]
                if max(abs(at[0]), abs(at[1])) <= 0.5 and inside(at):
                    found.append((step, 1 if a < 0.0 else -1))
        return found
    return crossings


def in_box(at):
    return all(lo <= a <= hi for lo, a, hi in zip((-0.5, -0.2, -0.1), at, (0.5, 0.4, 0.3)))


def check_plane(folder, name, balls, crossings, claim):
    rows, wanted, differ = rows_of(folder / f"{name}.csv"), count(balls, crossings), []
    for step, total in wanted.items():
        row = rows[step]
        seen = [row["forward"], row["backward"], row["mass_forward"], row["mass_backward"]]
        if seen[:2] != total[:2] or any(not math.isclose(a, b, rel_tol=1e-12) for a, b in zip(seen, total)) \
                or row["mass"] != row["mass_forward"] - row["mass_backward"]:
            differ.append((step, seen, total))
    tap.check(claim, not differ and wanted[STEPS][0] + wanted[STEPS][1] > 5, differ or wanted[STEPS])
    return wanted[STEPS]


def check_closed_forms(folder):
    balls = [Flight(row) for row in table(folder / "bodies.csv")[0]]
    left = len(table(folder / "bodies.csv")[STEPS])
    tap.check("some balls fall out of the region", 5 < left < len(balls) - 5 and
              left == sum(ball.end == STEPS for ball in balls), left)
    last = check_plane(folder, "up", balls, up, "a level plane: up and down are counted apart")
    tap.check("... and both happen", last[0] > 20 and last[1] > 5, last)
    down = check_plane(folder, "down_fast", [b for b in balls if b.name == "fast"],
                       lambda ball: [(step, -way) for step, way in up(ball)],
                       "of only one group, with the normal reversed")
    tap.check("... which is not all", 0 < down[1] < last[0], (down, last))
    for name, place, claim in (("across", 0.2, "a plane across a periodic axis: those that are wrapped do not "
                                               "cross by that, those that come round cross again"),
                               ("high_end", 0.5, "a plane that is the upper periodic boundary"),
                               ("low_end", -0.5, "a plane that is the lower one")):
        both = check_plane(folder, name, balls, along_x(place), claim)
        tap.check("... both ways", both[0] > 5 and both[1] > 5, both)
    whole = check_plane(folder, "oblique", balls, oblique(lambda at: True),
                        "an oblique plane that meets the periodic boundaries, against every image of each path")
    ball = check_plane(folder, "ball", balls, oblique(lambda at: math.dist(at, OBLIQUE[0]) <= 0.3), "within a radius")
    box = check_plane(folder, "box", balls, oblique(in_box), "within a box")
    tap.check("bounds leave some out", sum(ball[:2]) < sum(whole[:2]) and sum(box[:2]) < sum(whole[:2]),
              (whole, ball, box))


def check_rows(folder):
    often, seldom = rows_of(folder / "up_often.csv"), rows_of(folder / "up.csv")
    keys = ("forward", "backward", "mass_forward", "mass_backward", "mass")
    tap.check("rows do not depend on their interval", len(often) == STEPS // 7 + 2 and
              all(often[s][k] == seldom[s][k] for s in (0, 7 * EVERY, STEPS) for k in keys), len(often))
    steps, wrong = sorted(often), []
    for before, step in zip(steps, steps[1:]):
        a, b = often[before], often[step]
        span = (step - before) * DT
        if not math.isclose(b["rate"], (b["mass"] - a["mass"]) / span, rel_tol=1e-9, abs_tol=1e-15) or \
                not math.isclose(b["rate_count"], (b["forward"] - b["backward"] - a["forward"] + a["backward"]) / span,
                                 rel_tol=1e-9, abs_tol=1e-9):
            wrong.append((step, b))
    tap.check("the rate is the mass of the interval over its time", not wrong and
              often[0]["rate"] == 0.0 and any(often[s]["rate"] < 0.0 for s in steps), wrong)


def check_threads(top, folder):
    run(SCREE, THROW, top / "threads", OBSERVERS, "--oversubscribe", "--threads", 3)
    names = [f"{name}.csv" for name in PLANES]
    tap.check("three threads write the same bytes", all(
        (folder / n).read_bytes() == (top / "threads" / n).read_bytes() for n in names))


def check_script(folder):
    claim = "gnuplot draws what up.gp says"
    if not shutil.which("gnuplot"):
        tap.skip(claim, "gnuplot is not installed")
        return
    result = subprocess.run(["gnuplot", "up.gp"], cwd=folder, env=runs.environment(), capture_output=True, text=True)
    tap.check(claim, result.returncode == 0 and "</svg>" in (folder / "up.svg").read_text(), result.stderr)


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


def check_full_disk(top, folder):
    result = run(SCREE, THROW, top / "full", f'up = {{ plugin = "mass_flow"; file = "up"; {PLANES["up"]} every_steps = 7; }};',
                 preexec_fn=limit)
    kept = (top / "full" / "up.csv").read_bytes() if result.returncode else b""
    tap.check("a full disk: status 1 and the reason; the whole rows until then stay", result.returncode == 1 and
              "cannot write up.csv: File too large" in result.stderr and kept.endswith(b"\n") and
              len(kept) > 2000 and (folder / "up_often.csv").read_bytes().startswith(kept), result.stderr)


def check_refusals(top):
    plane = 'm = {{ plugin = "mass_flow"; {} }};'
    for k, (keys, words) in enumerate((
            ("point = (0.0, 0.0, 0.0); normal = (0.0, 0.0, 0.0);", "normal: expected a direction, got (0, 0, 0)"),
            ("point = (0.0, 0.0); normal = (0.0, 0.0, 1.0);", "point: expected 3 numbers, got 2"),
            ("point = (0.0, 0.0, 0.0);", "normal is missing"),
            ('point = (0.0, 0.0, 0.0); normal = (0.0, 0.0, 1.0); groups = ["quick"];', "quick"),
            ("point = (0.0, 0.0, 0.0); normal = (0.0, 0.0, 1.0); radius = 0.0;", "expected > 0 m, got 0"),
            ("point = (0.0, 0.0, 0.0); normal = (0.0, 0.0, 1.0); min = (0.0, 0.0, 0.0);",
             "max: expected 3 numbers, got 0"),
            ("point = (0.0, 0.0, 0.0); normal = (0.0, 0.0, 1.0); min = (0.0, 1.0, 0.0); max = (1.0, 1.0, 1.0);",
             "expected min[1] < max[1], got 1 m and 1 m"))):
        result = run(SCREE, THROW, top / f"refused-{k}", plane.format(keys))
        tap.check(f"refused: {keys}", result.returncode == 2 and words in result.stderr, result.stderr)
    flat = 'm = {{ plugin = "mass_flow"; point = (0.0, 0.5); normal = ({}); }};'
    result = run(SCREE, PILE, top / "flat", flat.format("0.0, -1.0"), "--steps", 10)
    tap.check("2D: two numbers will do", result.returncode == 0, result.stderr)
    result = run(SCREE, PILE, top / "turned", flat.format("0.0, 1.0, 1.0"), "--steps", 10)
    tap.check("2D: a normal out of the plane is refused", result.returncode == 2 and
              "normal[2]: expected 0 in 2D, got 1" in result.stderr, result.stderr)


def later(path, step):
    """Rows after a step, as they are in the file."""
    return [line for line in path.read_text().splitlines()[1:] if int(line.split(",")[0]) > step]


def scree(top, *args):
    return runs.scree(top, "run", "-q", *args)


def check_restart(top, folder):
    result = run(SCREE, THROW, top / "saved", OBSERVERS, "--set", "checkpoint={every_steps=50; keep=100;}")
    tap.check("checkpoints change no row", result.returncode == 0 and later(top / "saved/up.csv", -1)
              == later(folder / "up.csv", -1), result)
    for step in (50, 250, 300, 850):
        out = top / f"from-{step}"
        result = scree(top, "--restart", top / f"saved/checkpoint-{step}.h5", "-o", out)
        wrong = [name for name in PLANES if later(out / f"{name}.csv", -1) != later(folder / f"{name}.csv", step)]
        tap.check(f"a run that goes on from step {step} writes the rows of one that was not stopped, bit for bit",
                  result.returncode == 0 and not wrong and "without a state" not in result.stderr, (result.stderr, wrong))
    other = OBSERVERS.replace("up = {", "new = {", 1)
    result = scree(top, "--restart", top / "saved/checkpoint-300.h5", "-o", top / "new", "--set", f"observers={{{other}}}")
    tap.check("an observer whose sums are not in the checkpoint is reported", result.returncode == 0
              and "observers.new: observer/mass_flow begins without a state: the checkpoint has none of it" in result.stderr
              and "observers.up_often" not in result.stderr, result.stderr)


def check_stopped(top):
    """Stopped or killed at a step that no interval gives: balls fly round and round."""
    for_ever = ("--set", "scene.gravity=(0.0, 0.0, 0.0)", "--set", 'scene.boundary=("periodic", "periodic", "periodic")',
                "--set", "checkpoint={every_steps=130; keep=3;}", "--set", f"observers={{{OBSERVERS}}}")
    for number in (signal.SIGTERM, signal.SIGKILL):
        out = top / number.name
        process = runs.start(top, "run", THROW, "-q", "-o", out, "--steps", "1000000000", *for_ever,
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        runs.wait_for(lambda: len(list(out.glob("checkpoint-*.h5"))) >= 3, process)
        process.send_signal(number)
        process.wait(timeout=60)
        step = max(int(p.stem.split("-")[1]) for p in out.glob("checkpoint-*.h5"))
        on = scree(top, "--restart", out, "-o", top / f"{number.name}-on", "--steps", 1000)
        whole = scree(top, THROW, "-o", top / f"{number.name}-whole", "--steps", step + 1000, *for_ever)
        wrong = [name for name in PLANES if later(top / f"{number.name}-on/{name}.csv", -1)
                 != later(top / f"{number.name}-whole/{name}.csv", step)]
        tap.check(f"so does one that goes on after {number.name}", on.returncode == 0 and whole.returncode == 0
                  and not wrong, (step, on.stderr, wrong))


def main(top):
    folder = top / "throw"
    result = run(SCREE, THROW, folder, OBSERVERS)
    tap.check("the scene runs", result.returncode == 0, result.stderr)
    check_closed_forms(folder)
    check_rows(folder)
    check_threads(top, folder)
    check_restart(top, folder)
    check_stopped(top)
    check_script(folder)
    check_full_disk(top, folder)
    check_refusals(top)


tap.in_folder(main)

# SPDX-License-Identifier: Apache-2.0
"""Figures of a state: the columns of `csv` against the summary, observer `average` against its samples; orientations in closed form.

usage: test_figures.py SCREE
"""
import json
import math
import statistics

from common import tap  # noqa: E402
import runs  # noqa: E402

FIGURES = ("coordination", "max_speed", "solid_fraction", "max_overlap", "unbalanced")
FIRST = ("mass", "solid_fraction", "coordination", "max_speed", "wall_power")
OF_CONTACTS = ("max_overlap", "unbalanced")
OTHERS = "kinetic,gravity,stored,lost,work,residual,px,py,pz,lx,ly,lz,bodies,free,contacts,box.fx,box.fy,box.fz"
FIGURES = (*FIRST, *OF_CONTACTS)
CROWD = """
scene = { dimension = 3; dt = 1e-5; steps = 2000; gravity = (0.0, 0.0, -9.81); seed = 5; };
materials = { glass = { density = 2500.0; }; };
shapes = { box = { type = "box"; size = (0.03, 0.03, 0.04); open = ["top"]; }; };
bodies = { box = { shape = "box"; material = "glass"; position = (0.0, 0.0, 0.02); }; };
generate = { beads = { plugin = "random"; material = "glass"; count = 200;
    distribution = { type = "uniform"; of = "diameter"; min = 0.003; max = 0.004; };
    region = { min = (-0.015, -0.015, 0.0); max = (0.015, 0.015, 0.03); }; velocity = (0.0, 0.0, -0.5); }; };
force = ( { plugin = "linear"; kn = 1e4; friction = 0.4; restitution = 0.5; } );
"""


def scree(top, *args):
    return runs.scree(top, "run", "-q", *args)


SPIN = """
scene = { dimension = 3; dt = 1e-4; steps = 1000; };
materials = { glass = { density = 2500.0; }; };
shapes = { wall = { type = "mesh"; vertices = ((1.0, 0.0, 0.0), (2.0, 0.0, 0.0), (1.0, 1.0, 0.0)); facets = ((0, 1, 2)); }; };
bodies = { ball = { radius = 0.01; position = (0.0, 0.0, 0.0); spin = (3.0, -4.0, 12.0); };
           wall = { shape = "wall"; motion = "kinematic"; spin = (3.0, -4.0, 12.0); }; };
force = ( { plugin = "linear"; kn = 1e4; restitution = 0.5; friction = 0.3; } );
observers = { all = { plugin = "csv"; what = "bodies"; file = "all"; every_steps = 100; }; };
"""


def check_turns(top):
    """Without a torque a ball turns by |w| t about w: 13 rad/s for 0.1 s. Order 2 leaves (w dt / 2)^2 of that, 4e-7."""
    (top / "spin.cfg").write_text(SPIN)
    for integrator in ("velocity_verlet", "symplectic_euler", "rkn4", "gear", "forest_ruth"):
        seen = scree(top, "spin.cfg", "-o", integrator, "--set", f'integrator={{plugin="{integrator}"; orientation="all";}}')
        rows = runs.read_table(top / integrator / "all.csv")
        off = 0.0
        for row in rows:
            half = 0.5 * 13.0 * float(row["time"])
            want = [math.cos(half)] + [w / 13.0 * math.sin(half) for w in (3.0, -4.0, 12.0)]
            got = [float(row[k]) for k in ("qw", "qx", "qy", "qz")]
            off = max(off, min(max(abs(a - s * b) for a, b in zip(got, want)) for s in (1.0, -1.0)))
        tap.check(f"{integrator}: csv has the orientation of a ball and of a wall that turn", len(rows) == 22 and off < 1e-6,
                  (off, seen.stderr))


def find(data, name):
    """A key of the summary, wherever it is."""
    if isinstance(data, dict):
        if name in data:
            return data[name]
        for value in data.values():
            found = find(value, name)
            if found is not None:
                return found
    return None


def check_columns(top):
    observers = 'a = { plugin = "csv"; every_steps = 100; contacts = true; }; p = { plugin = "csv"; file = "plain"; every_steps = 100; };'
    seen = scree(top, "crowd.cfg", "-o", "csv", "--json", "--set", f"observers={{{observers}}}")
    data = json.loads(seen.stdout) if seen.returncode == 0 else {}
    header = (top / "csv/scalars.csv").read_text().splitlines()[0]
    plain = (top / "csv/plain.csv").read_text().splitlines()
    tap.check("figures come first, then the account, counts, and the force on the walls",
              header == ",".join(("step,time", *FIGURES, OTHERS)) and plain[0] == ",".join(("step,time", *FIRST, OTHERS)),
              (header, plain[0], seen.stderr))
    first = (top / "csv/scalars.csv").read_text().splitlines()[1].split(",")
    tap.check("what has no value is nan, without a sign", first[header.split(",").index("unbalanced")] == "nan", first)
    last = runs.read_numbers(top / "csv/scalars.csv")[-1]
    differ = [(k, last[k], find(data, k)) for k in FIGURES if last[k] != find(data, k)]
    tap.check("the last row has the figures of the summary, bit for bit", not differ, differ)
    tap.check("... which are those of beads that have met", last["coordination"] > 0.1 and last["max_overlap"] > 0.0
              and 0.1 < last["solid_fraction"] < 0.9 and 0.0 < last["unbalanced"] < 100.0, last)
    tap.check("figures of the state do not need the contacts", [row["max_speed"] for row in runs.read_numbers(top / "csv/plain.csv")]
              == [row["max_speed"] for row in runs.read_numbers(top / "csv/scalars.csv")], plain)
    seen = scree(top, "crowd.cfg", "-o", "free", "--set", f"observers={{{observers}}}", "--set", "force=()")
    rows = (top / "free/scalars.csv").read_text().splitlines()
    tap.check("contacts without a force have no unbalanced force: nan, and the run goes on", seen.returncode == 0
              and rows[-1].split(",")[header.split(",").index("unbalanced")] == "nan", (seen.stderr, rows[-1]))
    seen = scree(top, "crowd.cfg", "-o", "no", "--set", 'observers={a={plugin="csv"; what="bodies"; contacts=true;};}')
    tap.check("contacts goes with scalars only", seen.returncode == 2 and '`contacts` goes with what = "scalars"' in seen.stderr,
              seen.stderr)


NAMES = ("kinetic", "max_speed", "coordination", "solid_fraction", "unbalanced", "max_overlap", "lost", "time")
QUANTITIES = "quantities = [" + ", ".join(f'"{n}"' for n in NAMES) + "];"


def check_average(top):
    observers = (f'm = {{ plugin = "average"; every_steps = 5; samples = 60; blocks = 6; {QUANTITIES} }}; '
                 'a = { plugin = "csv"; every_steps = 5; contacts = true; };')
    seen = scree(top, "crowd.cfg", "-o", "mean", "--set", f"observers={{{observers}}}", "--set",
                 "checkpoint={every_steps=100; keep=100;}")
    samples, rows = runs.read_numbers(top / "mean/scalars.csv"), runs.read_numbers(top / "mean/average.csv")
    tap.check("a row per window that is full", seen.returncode == 0 and [row["step"] for row in rows] ==
              [5.0 * (60 * (i + 1) - 1) for i in range(6)], (seen.stderr, rows))
    wrong = []
    for i, row in enumerate(rows):
        window = samples[60 * i:60 * (i + 1)]
        for name in NAMES:
            v = [s[name] for s in window]
            if any(math.isnan(x) for x in v):
                if not all(math.isnan(row[f"{name}_{k}"]) for k in ("mean", "error", "min", "max")):
                    wrong.append((i, name, row))
                continue
            blocks = [statistics.fmean(v[10 * k:10 * k + 10]) for k in range(6)]
            wanted = (statistics.fmean(v), statistics.stdev(blocks) / math.sqrt(6), min(v), max(v))
            found = tuple(row[f"{name}_{k}"] for k in ("mean", "error", "min", "max"))
            if found[2:] != wanted[2:] or not math.isclose(found[0], wanted[0], rel_tol=1e-12) or \
                    not math.isclose(found[1], wanted[1], rel_tol=1e-9, abs_tol=1e-14 * abs(wanted[0])):
                wrong.append((i, name, found, wanted))
        if (row["begin"], row["time"], row["samples"]) != (window[0]["time"], window[-1]["time"], 60.0):
            wrong.append((i, row))
    tap.check("mean, error of blocks, least and largest value are those of the samples", not wrong, wrong)
    dt = 5e-5  # between samples, of a straight line: the error of blocks in closed form
    slope = math.sqrt(sum((10 * (k - 2.5) * dt) ** 2 for k in range(6)) / 30.0)
    tap.check("... and of the time itself what a straight line gives", all(
        math.isclose(row["time_error"], slope, rel_tol=1e-9) for row in rows), (rows[0]["time_error"], slope))
    for step in (100, 1000):
        on = scree(top, "--restart", top / f"mean/checkpoint-{step}.h5", "-o", f"on-{step}")
        a, b = ((top / folder / "average.csv").read_text().splitlines() for folder in (f"on-{step}", "mean"))
        tap.check(f"from step {step} on, inside of a window, rows are those of one run, bit for bit", on.returncode == 0
                  and len(a) > 1 and a[1:] == [line for line in b[1:] if int(line.split(",")[0]) > step], (on.stderr, a, b))


def check_refusals(top):
    for keys, words in (('quantities = ["kinetik"];', 'quantities: expected some of step, time, bodies'),
                        ('quantities = ["time", "time"];', "time is there twice"),
                        ("samples = 100; blocks = 7;", "samples: expected a multiple of blocks (7), got 100"),
                        ("samples = 1;", "samples"), ('file = "";', "file: expected a name")):
        seen = scree(top, "crowd.cfg", "-o", "no", "--set", f'observers={{m={{plugin="average"; {keys}}};}}')
        tap.check(f"refused: {keys}", seen.returncode == 2 and words in seen.stderr, seen.stderr)
    seen = scree(top, "crowd.cfg", "-o", "short", "--steps", 10, "--set", 'observers={m={plugin="average";};}')
    tap.check("a window that no run fills is reported", seen.returncode == 0 and
              "average.csv has no row: 2 of the 100 samples" in seen.stderr, seen.stderr)


def prepare(top):
    (top / "crowd.cfg").write_text(CROWD)


tap.in_folder(prepare, check_columns, check_turns, check_average, check_refusals)

# SPDX-License-Identifier: Apache-2.0
"""Observer `wall` against closed forms: a ball at rest, a ball that slides, one impact; its sums against the
reaction of the wall; rows over a restart.

usage: test_wall.py SCREE
"""
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

import vtp
from common import run, tap  # noqa: E402
import runs  # noqa: E402

SCREE = pathlib.Path(sys.argv[1]).resolve()
RADIUS, DENSITY, KN, FRICTION, GRAVITY = 5e-3, 2500.0, 1e5, 0.3, 9.81
MASS = DENSITY * 4.0 / 3.0 * math.pi * RADIUS ** 3
FLOOR = ('floor = { type = "mesh"; vertices = ((-0.04, -0.04, 0.0), (0.0, -0.04, 0.0), (0.0, 0.04, 0.0), '
         '(-0.04, 0.04, 0.0), (0.04, -0.04, 0.0), (0.04, 0.04, 0.0)); facets = ((0, 1, 2, 3), (1, 4, 5), (1, 5, 2)); };')
AREA = (0.04 * 0.08, 0.5 * 0.04 * 0.08, 0.5 * 0.04 * 0.08)


def scene(path, place, velocity, more="", gravity=GRAVITY, steps=400, dt=1e-5, law="", observers="", z=0.0):
    """A ball of glass over a floor of a quad and two triangles."""
    path.write_text(f"""
scene = {{ dimension = 3; dt = {dt}; steps = {steps}; gravity = (0.0, 0.0, {-gravity}); }};
materials = {{ glass = {{ density = {DENSITY}; }}; }};
shapes = {{ ball = {{ type = "sphere"; radius = {RADIUS}; }}; {FLOOR} }};
bodies = {{
    floor = {{ shape = "floor"; material = "glass"; position = (0.0, 0.0, {z}); }};
    ball = {{ shape = "ball"; material = "glass"; position = ({place[0]}, {place[1]}, {place[2] + z});
        velocity = ({velocity[0]}, {velocity[1]}, {velocity[2]}); motion = "free"; }};
}};
force = ( {{ plugin = "linear"; kn = {KN}; friction = {FRICTION}; {law} }} );
{more}
observers = {{ {observers} }};
""")
    return path


def rows_of(path):
    def value(text):
        try:
            return float(text)
        except ValueError:
            return text
    return [{k: value(v) for k, v in row.items()} for row in runs.read_table(path)]


def scree(*args, cwd=None):
    return runs.scree(cwd, "run", "-q", *args)


def near(a, b, relative):
    return math.isclose(a, b, rel_tol=relative)


REST = RADIUS - MASS * GRAVITY / KN  # height of a centre whose contact carries its weight


def check_rest(top):
    path = scene(top / "rest.cfg", (-0.02, 0.0, REST), (0.0, 0.0, 0.0), law="restitution = 0.5;",
                 observers='w = { plugin = "wall"; groups = ["floor"]; every_steps = 100; };')
    seen = scree(path, "-o", top / "rest")
    rows = rows_of(top / "rest/wall.csv") if seen.returncode == 0 else []
    tap.check("the scene of a ball at rest runs", seen.returncode == 0 and not seen.stderr and len(rows) == 15, seen)
    last = rows[-3:]
    weight = MASS * GRAVITY
    tap.check("a ball at rest on a facet: its pressure is m g over the area of the facet",
              near(last[0]["pressure"], weight / AREA[0], 1e-9) and near(last[0]["fz"], -weight, 1e-9), last[0])
    tap.check("... and none on the others, of which areas and centres are right", all(
        near(row["area"], area, 1e-12) for row, area in zip(last, AREA)) and
        last[1]["pressure"] == last[2]["pressure"] == 0.0 and near(last[1]["x"], 0.08 / 3.0, 1e-12)
        and (last[0]["nz"], last[1]["nz"]) == (1.0, 1.0), last)
    tap.check("what touches at the start has not hit the wall", all(row["impacts"] == 0.0 for row in rows), rows)
    group = rows_of(top / "rest/wall_groups.csv")[-1]
    tap.check("the group has the sum", group["group"] == "floor" and group["facets"] == 3.0 and
              near(group["area"], sum(AREA), 1e-12) and near(group["fz"], -weight, 1e-9), group)


def check_slide(top):
    hardness, k, steps = 2e9, 1e-3, 2000
    path = scene(top / "slide.cfg", (-0.03, 0.0, REST), (1.0, 0.0, 0.0), steps=steps,
                 more='modifiers = { spins = { plugin = "lock"; rotation = "xyz"; groups = ["ball"]; }; };',
                 observers=f'w = {{ plugin = "wall"; every_steps = 500; archard = {k}; hardness = "2 GPa"; }}; '
                           'b = { plugin = "csv"; what = "bodies"; groups = ["ball"]; every_steps = 1; };')
    seen = scree(path, "-o", top / "slide")
    tap.check("the scene of a ball that slides runs", seen.returncode == 0 and not seen.stderr, seen)
    ball = rows_of(top / "slide/bodies.csv")
    rows = [rows_of(top / "slide/wall_groups.csv")[i] for i in range(5)]
    weight = MASS * GRAVITY
    speed = [b["vx"] for b in ball]
    ends = all(s > 0.5 for s in speed)
    power = FRICTION * weight * sum(speed[501:1001]) / 500.0
    tap.check("a ball that slides: the power is mu m g times its mean speed over the window",
              ends and near(rows[2]["sliding_power"], power, 1e-9), (rows[2], power))
    way = [1e-5 * sum(speed[1:n + 1]) for n in (500, 1000, 1500, 2000)]
    worn = [k * weight * s / hardness for s in way]
    tap.check("Archard: V = k F s / H", all(near(row["wear_sliding"], v, 1e-9) for row, v in zip(rows[1:], worn)),
              ([row["wear_sliding"] for row in rows[1:]], worn))
    work = [FRICTION * weight * (way[i + 1] - way[i]) for i in range(3)]
    found = [rows[i + 2]["sliding_work"] - rows[i + 1]["sliding_work"] for i in range(3)]
    tap.check("the work of sliding is mu m g s", all(near(a, b, 1e-9) for a, b in zip(found, work)), (found, work))
    loss = 0.5 * MASS * (speed[500] ** 2 - speed[2000] ** 2)
    tap.check("... which is what the ball has lost of its energy", near(sum(found), loss, 1e-4), (sum(found), loss))
    tap.check("it does not hit what it slides on", rows[-1]["impacts"] == 0.0, rows[-1])
    facets = rows_of(top / "slide/wall.csv")[-3:]
    tap.check("the shear of the facet is friction times the pressure", near(
        facets[0]["shear"], FRICTION * facets[0]["pressure"], 1e-9) and facets[0]["pressure"] > 0.0, facets)


def finnie(c, p, speed, angle, big_k=2.0, psi=2.0):
    """Finnie 1960, Wear 3, 87, as the paper has it: by angles."""
    scale = c * MASS * speed ** 2 / (p * psi * big_k)
    if math.tan(angle) <= big_k / 6.0:
        return scale * (math.sin(2.0 * angle) - 6.0 / big_k * math.sin(angle) ** 2)
    return scale * big_k / 6.0 * math.cos(angle) ** 2


def check_impact(top):
    for degrees, keys, more in ((5.0, "", {}), (15.0, "", {}), (30.0, "", {}), (70.0, "", {}),
                                (20.0, "force_ratio = 3.0; depth_ratio = 1.5;", {"big_k": 3.0, "psi": 1.5})):
        angle, speed = math.radians(degrees), 3.0
        v = (speed * math.cos(angle), 0.0, -speed * math.sin(angle))
        path = scene(top / f"hit-{degrees}.cfg", (-0.02, 0.0, RADIUS + 1.003e-4), v, gravity=0.0, steps=1500, dt=2e-6,
                     law="restitution = 0.7;",
                     observers='w = { plugin = "wall"; every_steps = 750; finnie = 0.1; flow_pressure = "1.5 GPa"; '
                               + keys + ' };')
        seen = scree(path, "-o", top / f"hit-{degrees}")
        row = rows_of(top / f"hit-{degrees}/wall_groups.csv")[-1] if seen.returncode == 0 else {}
        wanted = finnie(0.1, 1.5e9, speed, angle, **more)
        tap.check(f"Finnie: an impact at {degrees} degrees cuts what the closed form says", row.get("impacts") == 1.0 and
                  near(row["wear_impact"], wanted, 1e-9), (seen.stderr, row, wanted))


CROWD = """
scene = { dimension = 3; dt = 1e-5; steps = 3000; gravity = (3.0, 0.0, -9.81); seed = 5; };
materials = { glass = { density = 2500.0; }; };
shapes = { box = { type = "box"; size = (0.04, 0.04, 0.04); open = ["top"]; }; };
bodies = { box = { shape = "box"; material = "glass"; position = (0.0, 0.0, 0.02); motion = "kinematic";
    velocity = (0.02, 0.0, 0.0); }; };
generate = { beads = { plugin = "random"; material = "glass"; count = 150; radius = 0.002;
    region = { min = (-0.02, -0.02, 0.0); max = (0.02, 0.02, 0.02); }; velocity = (0.3, 0.2, -0.5); velocity_random = 0.3; }; };
force = ( { plugin = "linear"; kn = 1e4; friction = 0.4; restitution = 0.5; } );
renumber = { every = 100; };
"""
KEYS = 'archard = 1e-3; hardness = 1e9; finnie = 0.1; flow_pressure = 1e9;'


def check_reaction(top):
    seen = run(SCREE, top / "crowd.cfg", top / "every",
               f'w = {{ plugin = "wall"; every_steps = 1; vtk = false; {KEYS} }}; '
               'b = { plugin = "csv"; what = "bodies"; groups = ["box"]; every_steps = 1; };', "--steps", 1500)
    tap.check("a crowd in a box runs", seen.returncode == 0, seen.stderr)
    body = {row["step"]: row for row in rows_of(top / "every/bodies.csv")}
    sums, scale = {}, {}
    for row in rows_of(top / "every/wall.csv"):
        for k in "xyz":
            key = (row["step"], k)
            sums[key] = sums.get(key, 0.0) + row["f" + k]
            scale[key] = scale.get(key, 0.0) + abs(row["f" + k])
    worst = max(abs(sums[s, k] - body[s]["f" + k]) / (scale[s, k] or 1.0) for s in body for k in "xyz")
    felt = sum(scale[s, "z"] > 0.0 for s in body)
    tap.check("the forces of facets add up to the reaction of the wall, to round-off, in each step",
              worst < 1e-13 and felt > 500, (worst, felt))
    groups = {row["step"]: row for row in rows_of(top / "every/wall_groups.csv")}
    tap.check("so do those of groups", all(math.isclose(groups[s]["fz"], body[s]["fz"], rel_tol=1e-12, abs_tol=1e-12)
                                           for s in body), "")
    window = run(SCREE, top / "crowd.cfg", top / "window",
                 f'w = {{ plugin = "wall"; every_steps = 500; {KEYS} }};', "--steps", 1500)
    rows = {row["step"]: row for row in rows_of(top / "window/wall_groups.csv")}
    mean = sum(groups[float(s)]["fz"] for s in range(501, 1001)) / 500.0
    tap.check("a row is the mean over the states since the row before", window.returncode == 0 and
              math.isclose(rows[1000.0]["fz"], mean, rel_tol=1e-12), (rows[1000.0]["fz"], mean))
    same = ("impacts", "sliding_work", "wear_impact", "wear_sliding")
    tap.check("totals do not depend on the interval", all(rows[s][k] == groups[s][k] for s in rows for k in same) and
              rows[1500.0]["impacts"] > 50 and rows[1500.0]["wear_impact"] > 0.0, rows[1500.0])


def check_picture(top):
    rows = [row for row in rows_of(top / "window/wall.csv") if row["step"] == 1000.0]
    cells = vtp.read(top / "window/wall/walls_0000001000.vtp")
    data = cells["CellData"]
    same = all([row[k] for row in rows] == data[k] for k in (
        "pressure", "sliding_power", "impacts", "wear_impact", "wear_sliding", "wear_depth", "area", "contacts"))
    tap.check("the cells of the .vtp file have the numbers of the table", same and len(rows) == 5 and
              [(r["fx"], r["fy"], r["fz"]) for r in rows] == data["force"] and
              all(math.isclose(vtp_length(v), r["shear"], rel_tol=1e-14) for v, r in zip(data["shear"], rows)) and
              data["facet"] == [0, 1, 2, 3, 4], (rows, data))
    corners = cells["Points"]
    centre = [tuple(sum(corners[c][k] for c in cell) / len(cell) for k in range(3)) for cell in cells["cells"][1]]
    tap.check("... at their places", all(math.dist(c, (r["x"], r["y"], r["z"])) < 1e-15 for c, r in zip(centre, rows)), centre)
    frames = vtp.frames(top / "window/wall/walls.pvd")
    tap.check("the list has all observations", [f.name for _, f in frames] == [
        f"walls_{step:010}.vtp" for step in (0, 500, 1000, 1500)] and all(f.exists() for _, f in frames), frames)


def check_script(top):
    """The facets that the script holds, and what gnuplot makes of it."""
    rows = [row for row in rows_of(top / "window/wall.csv") if row["step"] == 1500.0]
    text = (top / "window/wall.gp").read_text()
    facets = [[[float(x) for x in line.split()] for line in block.split("\n") if line]
              for block in text.split("<< EOD\n")[1].split("EOD\n")[0].split("\n\n\n") if block.strip()]
    same = len(facets) == len(rows) == 5 and all(
        all(math.isclose(p[3], r["pressure"], rel_tol=1e-6) and math.isclose(p[4], r["wear_depth"], rel_tol=1e-6) for p in f)
        and math.dist([sum(p[k] for p in f) / 4.0 for k in range(3)], (r["x"], r["y"], r["z"])) < 1e-7 for f, r in zip(facets, rows))
    tap.check("the script has the corners, pressures and wear of the last row", same, (facets, rows))
    if not shutil.which("gnuplot"):
        tap.skip("gnuplot draws the facets", "gnuplot is not installed")
        return
    drawn = subprocess.run(["gnuplot", "wall.gp"], cwd=top / "window", capture_output=True, text=True)
    picture = (top / "window/wall.svg").read_text() if drawn.returncode == 0 else ""
    tap.check("gnuplot draws the facets, in their colours", "</svg>" in picture and len(set(re.findall(
        r"<polygon fill = '(rgb[^']*)'", picture))) > 3, drawn.stderr)


def vtp_length(v):
    return math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


def later(path, step):
    return [line for line in path.read_text().splitlines()[1:] if int(line.split(",")[0]) > step]


def check_torque(top):
    """The weight of a ball at rest at x = -0.02 m turns the floor about an axis along y at x = 0.5 m; the floor's own
    origin is at x = 0. It turns so slowly that nothing moves: 1e-14 rad in all."""
    weight, at = MASS * GRAVITY, 0.5
    wanted = weight * (0.02 + at)  # of the drive, if it lifts the ball: w = +y, which turns -x upwards
    for name, rate, extra in (("lifts", 1e-11, ""), ("lowers", -1e-11, ""), ("stands", 0.0, f"point = ({at}, 0.0, 0.0);")):
        move = (f'modifiers = {{ turn = {{ plugin = "move"; motion = "rotation"; groups = "floor"; axis = (0.0, 1.0, 0.0); '
                f'point = ({at}, 0.0, 0.0); rate = {rate}; }}; }};')
        path = scene(top / f"{name}.cfg", (-0.02, 0.0, REST), (0.0, 0.0, 0.0), steps=100, more=move,
                     observers=f'press = {{ plugin = "wall"; groups = ["floor"]; every_steps = 50; vtk = false; {extra} }};')
        path.write_text(path.read_text().replace('material = "glass"; position = (0.0, 0.0, 0.0);',
                                                 'material = "glass"; motion = "kinematic";'))
        out = top / f"torque-{name}"
        seen = scree(path, "-o", out, "--json")
        row = rows_of(out / "wall_groups.csv")[-1] if seen.returncode == 0 else {}
        if rate == 0.0:
            tap.check("a wall that does not turn has no torque of a drive, and that about the given point",
                      math.isnan(row.get("torque", 0.0)) and near(row["ty"], -wanted, 1e-6), (seen, row))
            continue
        sign = math.copysign(1.0, rate)
        tap.check(f"a drive that {name} a ball: its torque is about the axis of the motion, not about the wall's origin",
                  near(row.get("torque", 0.0), sign * wanted, 1e-6) and near(row["ty"], 0.02 * weight * -1.0, 1e-6), (seen, row, wanted))
    for limit, ends in ((0.99, True), (1.01, False)):
        for column in ("press.torque", "press.floor.torque"):
            seen = scree(top / "lifts.cfg", "-o", top / f"stop-{limit}-{column}", "--json", "--set",
                         f'stop=({{when="{column} > {limit * wanted!r}"; for = 5e-4; every = 10;}})')
            ended = json.loads(seen.stdout)["ended_by"] if seen.returncode == 0 else None
            tap.check(f"{column} is a column of conditions: {limit} of it", seen.returncode == 0 and bool(ended) == ends, (seen, ended))


def check_restart(top):
    observers = f'w = {{ plugin = "wall"; every_steps = 350; vtk = false; {KEYS} }};'
    whole = run(SCREE, top / "crowd.cfg", top / "whole", observers, "--set", "checkpoint={every_steps=100; keep=100;}")
    tap.check("the whole run", whole.returncode == 0, whole.stderr)
    for step in (100, 700, 1300):
        on = scree("--restart", top / f"whole/checkpoint-{step}.h5", "-o", top / f"on-{step}")
        wrong = [name for name in ("wall.csv", "wall_groups.csv")
                 if later(top / f"on-{step}" / name, -1) != later(top / "whole" / name, step)]
        tap.check(f"from step {step} on, inside of a window or at its end: the rows of one run, bit for bit",
                  on.returncode == 0 and not wrong and "without a state" not in on.stderr, (on.stderr, wrong))
    for name, args in (("threads", ("--oversubscribe", "--threads", 3)), ("gcd", ("--set", 'gcd.plugin="sort_update"'))):
        other = run(SCREE, top / "crowd.cfg", top / name, observers, *args)
        tap.check(f"another number of threads or contact detection changes no byte: {name}", other.returncode == 0 and all(
            (top / name / n).read_bytes() == (top / "whole" / n).read_bytes() for n in ("wall.csv", "wall_groups.csv")),
            other.stderr)


def check_split(top):
    """A run of 21 steps in 21 runs of one: what sees every step has the rows of one run."""
    observers = (f'w = {{ plugin = "wall"; every_steps = 7; vtk = false; {KEYS} }}; m = {{ plugin = "mass_flow"; every_steps = 7; '
                 'point = (0.0, 0.0, 0.002); normal = (0.0, 0.0, 1.0); };')
    args = ("--set", f"observers={{{observers}}}")
    once = scree("--restart", top / "whole/checkpoint-700.h5", "-o", top / "once", "--steps", 21, *args)
    kept, parts = [], {"wall.csv": [], "wall_groups.csv": [], "mass_flow.csv": []}
    for step in range(700, 721):
        at = top / f"part-{step - 1}/checkpoint-{step}.h5" if step > 700 else top / "whole/checkpoint-700.h5"
        kept.append(scree("--restart", at, "-o", top / f"part-{step}", "--steps", 1, *(args if step == 700 else ())))
        for name, rows in parts.items(): # the end of a run is a row too
            rows += [r for r in later(top / f"part-{step}" / name, -1) if int(r.split(",")[0]) % 7 == 0]
    tap.check("21 runs of one step", all(one.returncode == 0 for one in [once, *kept]), kept[-1])
    for name, rows in parts.items():
        tap.check(f"{name}: a run split at each step has the rows of one run, bit for bit",
                  len(rows) > 2 and rows == [r for r in later(top / "once" / name, -1)], (rows, later(top / "once" / name, -1)))
    ends = []
    for every in (19, 7):  # step 703 = 19 × 37 by its interval, and only because the run ends, after it was seen without a row
        end = scree("--restart", top / "whole/checkpoint-700.h5", "-o", top / f"end-{every}", "--steps", 3, "--set",
                    f"observers={{{observers}}}".replace("every_steps = 7", f"every_steps = {every}"))
        ends.append((end.returncode, [later(top / f"end-{every}" / name, -1) for name in parts]))
    tap.check("a state that comes twice is counted once", ends[0][0] == 0 and ends[0] == ends[1] and ends[0][1][1], ends)
    last = parts["mass_flow.csv"][-1].split(",")
    tap.check("bodies have crossed meanwhile, and not twice", float(last[2]) + float(last[3]) > 0.0, last)


def check_list(top):
    """An observer of every step lists contacts between two observers that are due; meson scribbles over freed memory."""
    table = 'plugin = "csv"; what = "contacts"; every_steps = 2;'
    seen = run(SCREE, top / "crowd.cfg", top / "list", f'a = {{ {table} file = "a"; }}; w = {{ plugin = "wall"; vtk = false; '
               f'every_steps = 1000; }}; b = {{ {table} file = "b"; }};', "--steps", 700)
    tap.check("observers of one step see one list of contacts", seen.returncode == 0 and
              (top / "list/a.csv").read_bytes() == (top / "list/b.csv").read_bytes() != b"", seen.stderr)


def check_swap(top):
    """One that a schedule brings in sees the contacts of every step from then on."""
    late = ('schedule = ( { at_step = 150; set = { observers = { late = { plugin = "wall"; file = "late"; every_steps = 100; '
            'vtk = false; }; }; }; } );')
    (top / "swap.cfg").write_text(CROWD + late + 'observers = { w = { plugin = "wall"; every_steps = 100; vtk = false; }; };')
    seen = scree(top / "swap.cfg", "-o", top / "swap", "--steps", 600)
    early, late = ({r["step"]: r for r in rows_of(top / f"swap/{n}_groups.csv")} if seen.returncode == 0 else {} for n in ("wall", "late"))
    same = ("fx", "fy", "fz", "pressure", "sliding_power", "contacts")
    tap.check("an observer that a schedule brings in has the rows of one from the start", len(late) == 5 and all(
        early[s][k] == late[s][k] for s in (300.0, 400.0, 500.0, 600.0) for k in same) and early[600.0]["fz"] < 0.0, (seen, late))


def check_flat(top):
    (top / "flat.cfg").write_text("""
scene = { dimension = 2; thickness = 0.01; dt = 1e-5; steps = 100; gravity = (0.0, -9.81); };
materials = { glass = { density = 2500.0; }; };
shapes = { grain = { type = "disc"; radius = 0.005; };
    floor = { type = "segments"; vertices = ((0.05, 0.0), (-0.05, 0.0)); segments = ((0, 1)); }; };
bodies = { floor = { shape = "floor"; material = "glass"; };
    grain = { shape = "grain"; material = "glass"; position = (0.0, 0.005); motion = "free"; }; };
force = ( { plugin = "linear"; kn = 1e5; } );
""")
    seen = run(SCREE, top / "flat.cfg", top / "flat", 'w = { plugin = "wall"; every_steps = 100; };')
    row = rows_of(top / "flat/wall.csv")[-1] if seen.returncode == 0 else {}
    tap.check("2D: a segment has its length times the thickness as area", near(row.get("area", 0.0), 1e-3, 1e-12) and
              row["ny"] == 1.0 and near(row["pressure"], -row["fy"] / 1e-3, 1e-12) and row["pressure"] > 0.0, (seen.stderr, row))


def check_refusals(top):
    for k, (keys, words) in enumerate((
            ("archard = 1e-3;", "archard = 0.001 needs hardness [Pa], > 0"),
            ("finnie = 0.5;", "finnie = 0.5 needs flow_pressure [Pa], > 0"),
            ("point = (0.0, 1.0);", "point: expected 3 numbers, got 2"), ("hardness = 0.0;", "hardness"), ("archard = -1.0;", "archard"), ('groups = ["bix"];', "bix"),
            ('file = "";', "file: expected a name"))):
        seen = run(SCREE, top / "crowd.cfg", top / f"no-{k}", f'w = {{ plugin = "wall"; {keys} }};')
        tap.check(f"refused: {keys}", seen.returncode == 2 and words in seen.stderr, seen.stderr)
    seen = run(SCREE, top / "crowd.cfg", top / "none", 'w = { plugin = "wall"; groups = ["beads"]; };', "--steps", 5)
    tap.check("a group without facets is reported", seen.returncode == 0 and "expected walls of facets, got none" in seen.stderr,
              seen.stderr)


def prepare(top):
    (top / "crowd.cfg").write_text(CROWD)


tap.in_folder(prepare, check_rest, check_slide, check_impact, check_reaction, check_picture, check_script, check_torque,
              check_restart, check_split, check_list, check_swap, check_flat, check_refusals)

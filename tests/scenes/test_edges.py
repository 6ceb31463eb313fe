# SPDX-License-Identifier: Apache-2.0
"""Contacts that slide from a face over its edge keep what their laws keep: bonds, necks, springs; and what bonds and
an automatic time step say of scenes with a slip; walls that are wider than a periodic cell.

usage: test_edges.py SCREE
"""
import json
import math

import runs
import tap

R = 0.001
PLATE = """type = "mesh"; vertices = ((-0.0022, -0.01, 0.0), (0.01, -0.01, 0.0), (0.01, 0.01, 0.0), (-0.0022, 0.01, 0.0));
    facets = ((0, 1, 2), (0, 2, 3));"""
BOX = 'type = "box"; size = (0.01, 0.01, 0.01); facing = "outward";'
BONDED = '{ plugin = "bonded"; bond_modulus = 1e6; bonds = { gap = 1e-6; }; }'


def scree(top, text, *args):
    (top / "s.cfg").write_text(text)
    return runs.scree(top, *args[:1], "s.cfg", *args[1:])


def draw(top, name, shape, position, force, steps, dt=1e-6, more=()):
    """A surface is drawn at 1 m/s along x below a ball that is too heavy to follow."""
    done = scree(top, f"""scene = {{ dt = {dt!r}; steps = {steps}; }};
materials = {{ m = {{ density = 2500.0; young_modulus = 5e6; poisson_ratio = 0.3; }};
    heavy = {{ density = 1e12; young_modulus = 5e6; poisson_ratio = 0.3; }}; }};
shapes = {{ s = {{ {shape} }}; }};
bodies = {{ ball = {{ material = "heavy"; radius = {R}; position = {position}; }};
    s = {{ material = "m"; shape = "s"; motion = "kinematic"; velocity = (1.0, 0.0, 0.0); }}; }};
force = ( {force} );
observers = {{ e = {{ plugin = "csv"; every_steps = {steps}; }};
    b = {{ plugin = "csv"; what = "bodies"; groups = ["ball"]; file = "b"; every_steps = {steps}; }}; }};
""", "run", "-q", "--json", "-o", name, *more)
    if done.returncode:
        raise RuntimeError(done.stderr)
    last = []
    for file in ("scalars", "b"):
        last.append(runs.read_table(top / name / f"{file}.csv")[-1])
    return json.loads(done.stdout), *last


def test_bonds(top):
    slip, stiffness = 4e-4, 1e6 / R / 2.5 * math.pi * R ** 2
    states = []
    for name, shape, position in (("plate", PLATE, (-0.002, 0.0, R)), ("box", BOX, (-0.0048, 0.0, 0.005 + R))):
        data, scalars, ball = draw(top, name, shape, position, BONDED, 400)
        off = abs(float(ball["fx"]) / (stiffness * slip) - 1.0)
        rest = abs(float(scalars["residual"]) / float(scalars["stored"]))
        tap.check(f"a bond on a facet holds over the edge of a {name}, with its force", off < 1e-3 and not data["events"], (off, data["events"]))
        tap.check(f"and its energy stays in the account of the {name}", rest < 0.01, rest)
        states.append(data["state_sha256"])
    data, _, _ = draw(top, "again", PLATE, (-0.002, 0.0, R), BONDED, 400,
                      more=("--threads=2", "--set=gcd.plugin=bvh", "--set=extent.eps_v=0", "--set=extent.eps_e=0.0"))
    tap.check("whatever the threads, the contact detection and the extents", data["state_sha256"] == states[0], states)


def test_necks(top):
    for law, force in (("jkr", '{ plugin = "jkr"; work_of_adhesion = 0.2; damping = "none"; }'),
                       ("van_der_waals", '{ plugin = "van_der_waals"; hamaker = 1e-13; min_gap = "1 um"; }')):
        _, scalars, _ = draw(top, law, PLATE, (-0.002, 0.0, 0.99999e-3 if law == "jkr" else 1.01e-3), force, 1200)
        work, residual = float(scalars["work"]), float(scalars["residual"])
        tap.check(f"the account closes where {law} is drawn over an edge, off it", abs(residual) < 0.02 * abs(work), (residual, work))


def two(force, radius, gap, more=""):
    return f"""scene = {{ dt = "auto"; steps = 10; }};
materials = {{ m = {{ density = 2500.0; young_modulus = 1e5; poisson_ratio = 0.3; }}; }};
bodies = {{ a = {{ radius = {radius!r}; position = (0.0, 0.0, 0.0); }};
    b = {{ radius = 0.001; position = ({radius + 0.001 + gap!r}, 0.0, 0.0); velocity = (-0.5, 0.0, 0.0); }}; {more} }};
force = ( {force} );
"""


def test_auto(top):
    done = scree(top, two('{ plugin = "linear"; kn = 1e8; }', 1000.0, 1e-7), "run", "-q", "--json")
    dt = json.loads(done.stdout)["dt"] if done.returncode == 0 else math.inf
    mass = 2500.0 * 4 / 3 * math.pi * 0.001 ** 3
    tap.check('dt = "auto" counts a small body that is yet to touch, and does not refuse itself', dt <= 0.6 * math.sqrt(mass / 1e8), (dt, done.stderr))


def test_slips(top):
    done = scree(top, two(BONDED, 0.001, 1e-4), "run", "-q")
    tap.check("a gap that bonds no bodies is warned of", done.returncode == 0 and
              "warning: force[0].bonds[0]: gap = 1e-06 m bonds no bodies" in done.stderr, done.stderr)
    done = scree(top, two(BONDED, 0.001, 1e-7), "run", "-q")
    tap.check("one that bonds some is not", done.returncode == 0 and "bonds no" not in done.stderr, done.stderr)
    done = scree(top, two(BONDED.replace("gap = 1e-6", "touch = true; from = 2.0; until = 1.0"), 0.001, 1e-7), "run", "-q")
    tap.check("a time of bonding that ends before it begins is refused", done.returncode == 2 and
              "until = 1 s is not after from = 2 s" in done.stderr, done.stderr)
    (top / "l.csv").write_text("1,2\n")
    done = scree(top, two(BONDED.replace("gap = 1e-6", 'list = "l.csv"'), 0.001, 1e-7), "run", "-q")
    tap.check("a list of bonds without names of columns: those that it may have", done.returncode == 2 and
              "l.csv:1: no line above the numbers names the columns: add one such as '# a b'\n" in done.stderr, done.stderr)
    done = scree(top, two('{ plugin = "bonded"; bonds = { gap = 1e-6; }; }', 0.001, 1e-7), "run", "-q")
    tap.check("a bond without stiffness: what is expected, without numbers that nobody gave", done.returncode == 2 and
              "materials number 1 and 1 of the scene: expected bond_kn and bond_ks [N/m^3], or bond_modulus [Pa]; got none of them"
              in done.stderr and "nan" not in done.stderr, done.stderr)


def test_wide(top):
    """A floor over 3 periods carries a ball on 3 x 1 of its images: said at the start. One as long as the period, turned or not, is not."""
    floor = ("((-0.03, -0.01, 0.0), (0.03, -0.01, 0.0), (0.03, 0.01, 0.0), (-0.03, 0.01, 0.0))",
             "((-0.01, -0.01, 0.0), (0.01, -0.01, 0.0), (0.01, 0.01, 0.0), (-0.01, 0.01, 0.0))")
    turned = 'orientation = { axis = (0.0, 0.0, 1.0); angle = "90 deg"; };'
    for vertices, more, wide, contacts in ((floor[0], "", "x", 3), (floor[1], "", "", 1), (floor[0], turned, "y", 3)):
        done = scree(top, f"""scene = {{ dt = 1e-6; steps = 1; region = {{ min = (-0.01, -0.01, -0.01); max = (0.01, 0.01, 0.01); }};
    boundary = ("periodic", "periodic", "open"); }};
materials = {{ m = {{ density = 2500.0; }}; }};
shapes = {{ s = {{ type = "mesh"; vertices = {vertices}; facets = ((0, 1, 2, 3)); }}; }};
bodies = {{ ball = {{ material = "m"; radius = {R}; position = (0.003, 0.003, {R}); }}; floor = {{ shape = "s"; {more} }}; }};
force = ( {{ plugin = "linear"; kn = 1e3; }} );
""", "run", "-q", "--json")
        said = [line for line in done.stderr.splitlines() if "bodies.floor: its facets reach over" in line]
        tap.check(f"a wall is said to be wider than the period along {wide or 'no axis'}", done.returncode == 0 and
                  [line.split(" along ")[1][0] for line in said] == list(wide) and
                  json.loads(done.stdout)["contacts_at_end"] == contacts, (done.stdout[-300:], done.stderr))


if __name__ == "__main__":
    tap.in_folders(test_bonds, test_necks, test_auto, test_slips, test_wide)

# SPDX-License-Identifier: Apache-2.0
"""Necks and bridges of force/jkr and force/capillary in a run: periodic walls, restart, any GCD, bodies that go; what
the adhesive laws refuse; and a powder that keeps its shape, while the dry one runs out.

usage: test_adhesion.py SCREE CONFIGS
"""
import pathlib
import sys

import tap
from runs import read_table, run, scree

SCREE, CONFIGS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
MATERIAL = """density = 2000.0; young_modulus = 1e8; poisson_ratio = 0.3; work_of_adhesion = 0.1; friction = 0.4;
    restitution = 0.9;"""
JKR = '{ plugin = "jkr"; }'
BRIDGE = """{ plugin = "capillary"; surface_tension = 0.07; contact_angle = 0.3; liquid_content = 0.01; }"""
WET = f"""{{ plugin = "hertz_mindlin"; }}, {BRIDGE}"""


def pair(force, x, dt, steps, boundary="periodic", speed=2.0, swing=0.05, more=""):
    """Two balls that touch, swing against each other, and move along x together."""
    return f"""
scene = {{ dt = {dt!r}; steps = {steps}; boundary = ("{boundary}", "open", "open");
    region = {{ min = (0.0, -1e-4, -1e-4); max = (1e-4, 1e-4, 1e-4); }}; }};
materials = {{ m = {{ {MATERIAL} }}; }};
bodies = {{ a = {{ radius = 1e-5; position = ({x - 0.99e-5!r}, 0.0, 0.0); velocity = ({speed - swing!r}, 0.02, 0.0); }};
    b = {{ radius = 1e-5; position = ({x + 0.99e-5!r}, 0.0, 0.0); velocity = ({speed + swing!r}, -0.02, 0.0); }}; }};
force = ( {force} );
observers = {{ s = {{ plugin = "csv"; every_steps = 50; }}; }};
{more}
"""


def table(folder, name="scalars"):
    return read_table(folder / f"{name}.csv")


def test_wrap(top):
    for name, force in (("necks of jkr", JKR), ("bridges of capillary", WET)):
        stored = []
        for boundary, x in (("open", 5e-5), ("periodic", 5e-5)):
            data = run(top, pair(force, x, 5e-9, 20000, boundary), name=f"{name[:5]}-{boundary}")
            stored.append([float(row["stored"]) for row in table(top / f"{name[:5]}-{boundary}")])
        size = max(map(abs, stored[0]))
        off = max(abs(a - b) for a, b in zip(*stored)) / size
        gaps = sum(int(row["contacts"]) == 0 for row in table(top / f"{name[:5]}-open"))
        tap.check(f"{name} hold across a periodic boundary, where the pair wraps twice",
                  off < 1e-6 and gaps > 3, f"{off} of {size}, {gaps} rows across a gap of {len(stored[0])}")
        energy = data["energy"]
        tap.check(f"{name}: its account closes", abs(energy["residual"]) < 1e-3 * energy["lost"] + 1e-3 * size, energy)


def test_restart(top):
    for name, force in (("jkr", JKR), ("capillary", WET), ("both", f"{JKR}, {BRIDGE}")):
        text = pair(force, 5e-5, 5e-9, 12000, swing=0.3 if name == "both" else 0.05, more="checkpoint = { every_steps = 50; keep = 1000; };")
        whole = run(top, text, name=f"{name}-whole")
        apart = [int(row["step"]) for row in table(top / f"{name}-whole") if int(row["contacts"]) == 0]
        step = next(s for s in apart if s > 100)
        file = next(path for path in (top / f"{name}-whole").rglob(f"*-{step}.h5"))
        again = run(top, text, "--restart", file, "--steps", 12000 - step, name=f"{name}-again")
        tap.check(f"{name}: a run goes on from a state with a contact across a gap to the same bits",
                  whole["state_sha256"] == again["state_sha256"], (step, file))


CLOUD = """
scene = {{ dt = 2e-9; steps = 3000; boundary = "periodic"; seed = 5;
    region = {{ min = (0.0, 0.0, 0.0); max = (1.4e-4, 1.4e-4, 1.4e-4); }}; }};
materials = {{ m = {{ {material} }}; }};
generate = {{ g = {{ count = 180; radius = 1e-5; region = {{ min = (0.0, 0.0, 0.0); max = (1.4e-4, 1.4e-4, 1.4e-4); }};
    velocity_random = {speed}; }}; }};
force = ( {force} );
{more}
"""


def cloud(force, speed=2.0, more=""):
    return CLOUD.format(material=MATERIAL, force=force, speed=speed, more=more)


def test_routes(top):
    routes = (("--set", "gcd.plugin=dess"), ("--threads", 2), ("--set", "extent={eps_v=0.0;eps_e=0.0;eps_c=0.0;}"),
              ("--set", "gcd.plugin=hgrid", "--threads", 2))
    vdw = '{ plugin = "hertz_mindlin"; }, { plugin = "van_der_waals"; hamaker = 1e-19; min_gap = 1e-8; }'
    for name, force in (("jkr", JKR), ("capillary", WET), ("van_der_waals", vdw)):
        first = run(top, cloud(force), name=f"{name}-first")
        hashes = {run(top, cloud(force), *route, name=f"{name}-{k}")["state_sha256"] for k, route in enumerate(routes)}
        other = run(top, cloud(force, more="material_pairs = ();"), "--set", "scene.seed=6", name=f"{name}-other")
        tap.check(f"{name}: the state is the same for every GCD, extent and number of threads",
                  hashes == {first["state_sha256"]} and first["energy"]["stored"] != 0.0, (hashes, first))
        tap.check(f"{name}: negative control: another seed shows", other["state_sha256"] not in hashes, other)


def test_account(top):
    for name, force in (("jkr", JKR), ("capillary", WET)):
        rest = []
        for dt, steps in ((4e-9, 1500), (1e-9, 6000)):
            energy = run(top, cloud(force), "--set", f"scene.dt={dt}", "--steps", steps, name=f"{name}-{dt}")["energy"]
            rest.append(abs(energy["residual"]) / energy["start"])
        tap.check(f"{name}: the residual of a cloud falls with the step", rest[0] < 0.02 and rest[1] < max(0.5 * rest[0], 2e-6), rest)


def test_removal(top):
    for name, force in (("jkr", JKR), ("capillary", WET)):
        more = """modifiers = { cut = { plugin = "remove"; groups = ["b"]; start = 1e-5; every_steps = 10;
    region = { min = (-1.0, -1.0, -1.0); max = (1.0, 1.0, 1.0); }; }; };"""
        data = run(top, pair(force, 5e-5, 5e-9, 8000, more=more), name=f"{name}-removed")
        energy = data["energy"]
        size = max(abs(float(row["stored"])) for row in table(top / f"{name}-removed"))
        tap.check(f"{name}: a body that is removed takes its neck along, and the account closes",
                  data["bodies"] == 1 and abs(energy["residual"]) < 1e-2 * size and abs(energy["stored"]) == 0.0, data)


def test_swap(top):
    more = """schedule = ( { at_step = 1500; set = { force = ( { plugin = "jkr"; } ); }; },
    { at_step = 2300; set = { force = ( { plugin = "hertz_mindlin"; } ); }; } );"""
    energy = run(top, cloud('{ plugin = "hertz_mindlin"; }', more=more))["energy"]
    tap.check("a swap to jkr and back is work, and the account closes",
              energy["work"] != 0.0 and abs(energy["residual"]) < 1e-3 * energy["start"], energy)


REFUSED = [
    ("jkr", "work_of_adhesion = -0.1;", "", ["work_of_adhesion", "-0.1", "0"]),
    ("jkr", "", "work_of_adhesion", ["work_of_adhesion", "missing"]),
    ("jkr", "", "young_modulus", ["young_modulus", "missing"]),
    ("jkr", "restitution = 1.2;", "", ["restitution", "1.2"]),
    ("dmt", "work_of_adhesion = -1e-3;", "", ["work_of_adhesion", "-0.001"]),
    ("dmt", "", "work_of_adhesion", ["work_of_adhesion", "missing"]),
    ("capillary", 'surface_tension = 0.07; contact_angle = "100 deg";', "", ["contact_angle", "100 deg"]),
    ("capillary", "surface_tension = -0.07;", "", ["surface_tension", "-0.07"]),
    ("capillary", "liquid_content = 0.01;", "", ["surface_tension", "missing"]),
    ("capillary", "surface_tension = 0.07; liquid_content = 1.5;", "", ["liquid_content", "1.5"]),
    ("capillary", 'surface_tension = "70 N";', "", ["surface_tension", "70 N"]),
    ("van_der_waals", "", "", ["hamaker", "missing"]),
    ("van_der_waals", "hamaker = -1e-19;", "", ["hamaker"]),
    ("van_der_waals", "hamaker = 1e-19; min_gap = 0.0;", "", ["min_gap", "0"]),
    ("van_der_waals", "hamaker = 1e-19; cutoff = -1.0;", "", ["cutoff", "-1"]),
]


def test_refused(top):
    for plugin, keys, lacks, wanted in REFUSED:
        words = [word for word in MATERIAL.replace("\n", " ").split(";") if word.strip() and (not lacks or lacks not in word)]
        if plugin in ("jkr", "dmt") and keys:
            words = [word for word in words if keys.split()[0] not in word]
        text = (f'scene = {{ dt = 1e-9; steps = 1; }}; materials = {{ m = {{ {"; ".join(words)}; }}; }};'
                f'bodies = {{ a = {{ radius = 1e-5; }}; }}; force = ( {{ plugin = "{plugin}"; {keys} }} );')
        (top / "bad.cfg").write_text(text)
        seen = scree(top, "run", "bad.cfg", "-q")
        tap.check(f"{plugin}: {keys or 'nothing given'} {'without ' + lacks if lacks else ''} is refused with status 2",
                  seen.returncode == 2 and all(word in seen.stderr for word in wanted), seen)


def spread(top, adhesion):
    """Share of the grains beyond the gate, at the end of a small powder.cfg."""
    done = scree(top, "run", CONFIGS / "powder.cfg", "-q", "-o", f"powder-{adhesion}", "--steps", 70000,
                 *(word for text in (f"force.0.work_of_adhesion={adhesion}", "generate.grains.count=220",
                                     "generate.grains.region.max=(0.0005, 0.0005, 0.002)", "modifiers.gate.at_time=0.02",
                                     "bodies.gate.position=(0.0005, 0.0, 0.0)", "observers={b={plugin=\"csv\";what=\"bodies\";every_steps=70000;};}")
                   for word in ("--set", text)))
    if done.returncode:
        raise RuntimeError(done.stderr)
    rows = table(top / f"powder-{adhesion}", "bodies")
    last = [row for row in rows if row["step"] == "70000" and row["name"] == "grains"]
    return sum(float(row["x"]) > 0.00055 for row in last) / len(last)


def test_powder(top):
    sticky, dry = spread(top, 0.005), spread(top, 0)
    tap.check("powder.cfg: a column of powder keeps its shape, the dry one runs out", sticky < 0.02 and dry > 0.3, (sticky, dry))


if __name__ == "__main__":
    tap.in_folders(test_wrap, test_restart, test_routes, test_account, test_removal, test_swap, test_refused,
                   test_powder)

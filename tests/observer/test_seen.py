# SPDX-License-Identifier: Apache-2.0
"""Statements of headers and pages about velocities, contact points, the sign of friction and columns of csv.

usage: test_seen.py SCREE PROBES SOURCE
"""
import json
import math
import pathlib
import re
import sys
import tempfile

import tap
from runs import read_table, scree

SCREE, PROBES, SOURCE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
DT = 0.01
FLOOR = 'shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };\n'
WRITE = ('observers = { scalars = { plugin = "csv"; every_steps = 1; };\n'
         '  bodies = { plugin = "csv"; what = "bodies"; every_steps = 1; };\n'
         '  contacts = { plugin = "csv"; what = "contacts"; every_steps = 1; }; };\n')


def run(text, steps=1, dt=DT):
    """The summary and the three tables of a run."""
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "s.cfg").write_text(text + WRITE, encoding="utf-8")
        done = scree(top, "run", "-q", "--json", "--steps", steps, "--plugin-path", PROBES, "--set",
                     f"scene.dt={dt}", "--set", "scene.dt_limit=1e12", "-o", "out", "s.cfg")
        if done.returncode:
            raise RuntimeError(done.stderr)
        tables = {}
        for table in ("scalars", "bodies", "contacts"):
            tables[table] = read_table(top / f"out/{table}.csv")
        return json.loads(done.stdout), tables


def near(got, want, scale=1.0):
    return math.isclose(float(got), want, rel_tol=1e-12, abs_tol=1e-12 * scale)


def velocities():
    text = ("scene = { gravity = (0.0, 0.0, -10.0); };\nmaterials = { m = { density = 1000.0; }; };\n"
            "bodies = { a = { radius = 0.1; position = (0.0, 0.0, 0.0); velocity = (0.0, 0.0, 1.0); }; };\n"
            'modifiers = { sees = { plugin = "sees"; }; };\n')
    summary, tables = run(text, 3)
    field = summary["modifiers"][0]["fields"]
    v, at, v_after, at_after = next(iter(field.values())) if isinstance(field, dict) else field[0]["values"]
    whole, half, seen = 1.0 - 30.0 * DT, 1.0 - 25.0 * DT, tables["bodies"][-1]["vz"]
    tap.check("forces() of a modifier sees the velocity of the half step, at the time of the places",
              near(v, half) and near(at, 3 * DT), f"{v} at {at}; half step: {half}")
    tap.check("after_step() of a modifier sees the velocity of the whole step",
              near(v_after, whole) and near(at_after, 3 * DT), f"{v_after} at {at_after}; whole step: {whole}")
    tap.check("an observer sees the velocity of the whole step", near(seen, whole), f"{seen}; whole step: {whole}")


def dashpot():
    """A ball without weight goes into a floor whose force is nearly all dashpot."""
    text = (FLOOR + "materials = { m = { density = 1000.0; }; };\n"
            'bodies = { floor = { shape = "floor"; };\n'
            "  a = { radius = 0.1; position = (0.0, 0.0, 0.099); velocity = (0.0, 0.0, -1.0); }; };\n"
            'force = ( { plugin = "linear"; kn = 1e-9; kt = 0.0; damping = "constant"; damping_n = 100.0; } );\n')
    _, tables = run(text)
    mass = float(tables["scalars"][0]["mass"])
    half = 1.0 - 0.5 * DT * 100.0 / mass
    whole = half - 0.5 * DT * 100.0 * half / mass
    got = float(tables["contacts"][-1]["fz"])
    tap.check("a force law sees the velocity of the half step", math.isclose(got, 100.0 * half, rel_tol=1e-9)
              and not math.isclose(got, 100.0 * whole, rel_tol=1e-3), f"{got}; {100.0 * half}, {100.0 * whole}")


def points():
    balls = ("materials = { m = { density = 1000.0; }; };\n" + FLOOR[:-4] +
             ' box = { type = "box"; size = (4.0, 4.0, 2.0); facing = "inward"; }; };\n'
             'bodies = { floor = { shape = "floor"; position = (0.0, 0.0, -0.5); }; box = { shape = "box"; };\n'
             "  a = { radius = 0.1; position = (0.0, 0.0, 0.0); motion = \"fixed\"; };\n"
             "  b = { radius = 0.3; position = (0.36, 0.0, 0.0); };\n"
             "  on_plane = { radius = 0.2; position = (1.0, 0.0, -0.34); };\n"
             "  on_facet = { radius = 0.2; position = (0.0, -1.85, 0.0); }; };\n"
             'force = ( { plugin = "linear"; kn = 1e-6; } );\n')
    _, tables = run(balls, 0)
    found = {(r["a"], r["b"]): (float(r["x"]), float(r["y"]), float(r["z"]), float(r["depth"]))
             for r in tables["contacts"]}
    ids = {r["name"]: r["id"] for r in tables["bodies"]}
    want = {"ball with ball": (("a", "b"), (0.08, 0.0, 0.0, 0.04)),
            "ball with plane": (("on_plane", "floor"), (1.0, 0.0, -0.52, 0.04)),
            "ball with facet": (("on_facet", "box"), (0.0, -2.025, 0.0, 0.05))}
    for name, (pair, place) in want.items():
        got = found.get(tuple(ids[p] for p in pair))
        tap.check(f"the contact point of {name} is the middle of the overlap",
                  got is not None and all(abs(g - w) < 1e-12 for g, w in zip(got, place)), f"{got}; {place}\n{found}")


def pulls():
    """A ball leaves a floor and slides along it: the dashpot holds it back."""
    for law, keys in (("linear", "kn = 1e-6; kt = 1e9; damping = \"constant\"; damping_n = 100.0; friction = 0.5;"),
                      ("hertz_mindlin", "damping = \"restitution\"; restitution = 0.01; friction = 0.5;")):
        for pull in ("true", "false"):
            text = (FLOOR + "materials = { m = { density = 1000.0; young_modulus = 1e3; poisson_ratio = 0.2; }; };\n"
                    'bodies = { floor = { shape = "floor"; };\n  a = { radius = 0.1; position = (0.0, 0.0, 0.09999);'
                    " velocity = (1.0, 0.0, 1.0); }; };\n"
                    f'force = ( {{ plugin = "{law}"; pull = {pull}; {keys} }} );\n')
            _, tables = run(text, 1, 1e-6)
            row = tables["contacts"][-1]
            fx, fz = float(row["fx"]), float(row["fz"])
            if pull == "true":
                tap.check(f"{law}: while the dashpot pulls, friction is that of the pull and against the sliding",
                          fz < -1e-3 and near(fx, 0.5 * fz, abs(fz)), f"fx {fx}, fz {fz}")
            else:
                tap.check(f"{law}: with pull = false there is no force where the dashpot would pull",
                          fx == 0.0 and fz == 0.0, f"fx {fx}, fz {fz}")


def columns():
    text = (FLOOR + "scene = { gravity = (0.0, 0.0, -10.0); };\nmaterials = { m = { density = 1000.0; }; };\n"
            'bodies = { floor = { shape = "floor"; };\n'
            "  a = { radius = 0.1; position = (0.0, 0.0, 0.099); spin = (1.0, 2.0, 3.0); }; };\n"
            'force = ( { plugin = "linear"; kn = 1e3; friction = 0.5; } );\n')
    _, tables = run(text)
    page = (SOURCE / "docs/reference/observers.md").read_text(encoding="utf-8")
    for what, table in tables.items():
        part = re.search(r'^`what = "%s"`.*?(?=^`what = |^#)' % what, page, re.M | re.S)  # its tables, one after the other
        lines = [line for line in part.group(0).splitlines() if line.startswith("|") and "with `contacts = true`" not in line] if part else []
        listed = re.findall(r"`([\w.]+)`", "\n".join(line.split("|")[1] for line in lines).replace("GROUP", "floor"))
        tap.check(f'csv, what = "{what}": the page lists the columns of the table, in their order',
                  listed == list(table[0]), f"{listed}\n{list(table[0])}")
    row, contact = tables["bodies"][-1], tables["contacts"][-1]
    ball = next(r for r in tables["bodies"] if r["name"] == "a" and r["step"] == "1")
    tap.check("csv: the force of a body has its contacts and not gravity",
              near(ball["fz"], float(contact["fz"])) and row is not None, f"{ball['fz']}, {contact['fz']}")
    arm = [float(contact[k]) - float(ball[k]) for k in "xyz"]
    force = [float(contact["f" + k]) for k in "xyz"]
    torque = [arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2]]
    tap.check("csv: the torque of a body is about its centre, of forces at the contact points",
              all(math.isclose(float(ball[k]), t, rel_tol=1e-9, abs_tol=1e-12) for k, t in zip(("tx", "ty"), torque)),
              f"{ball['tx']}, {ball['ty']}; {torque}")


def modified():
    text = ("scene = { gravity = (0.0, 0.0, -10.0); };\nmaterials = { m = { density = 1000.0; }; };\n"
            "bodies = { a = { radius = 0.1; position = (0.0, 0.0, 0.0); velocity = (0.0, 0.0, 1.0); }; };\n"
            'modifiers = { drag = { plugin = "drag"; law = "stokes"; viscosity = 100.0; }; };\n')
    _, tables = run(text)
    k = 6.0 * math.pi * 100.0 * 0.1
    mass = float(tables["scalars"][0]["mass"])
    half = 1.0 + 0.5 * DT * (-10.0 - k / mass)
    got = float(tables["bodies"][-1]["fz"])
    tap.check("csv: the force of a free body has modifiers too, drag by the velocity of the half step",
              math.isclose(got, -k * half, rel_tol=1e-9), f"{got}; {-k * half}")


def main():
    modified()
    velocities()
    dashpot()
    points()
    pulls()
    columns()


tap.finish(main)

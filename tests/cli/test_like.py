# SPDX-License-Identifier: Apache-2.0
"""The scenes of `scree new scene --like`, whole: they run without a warning and show what they are about.
Slow: up to a minute each.

usage: test_like.py SCREE
"""

import tap
from runs import read_table, scree



def last_of(path, **where):
    """The last row, of those with these words."""
    rows = [row for row in read_table(path) if all(row[k] == v for k, v in where.items())]
    return {k: float(v) for k, v in rows[-1].items() if k not in ("group", "name")}


def check_hopper(folder):
    flow, left = last_of(folder / "flow.csv"), last_of(folder / "scalars.csv")
    tap.check("hopper: beads run out through the orifice", flow["forward"] > 100 and left["free"] < 300, (flow, left))


def check_drum(folder):
    mixing, angle = last_of(folder / "mixing.csv"), last_of(folder / "angle.csv")
    tap.check("drum: the halves mix, and the surface is a slope", mixing["lacey"] > 0.6 and 10.0 < angle["degrees"] < 60.0,
              (mixing, angle))


def check_silo(folder):
    bin_, floor = (last_of(folder / "walls_groups.csv", group=g) for g in ("bin", "floor"))
    mass = last_of(folder / "scalars.csv")["mass"]
    weight, borne = 9.81 * mass, -bin_["fz"] - floor["fz"]
    tap.check("silo: walls and floor carry the weight, the walls a part of it", abs(borne / weight - 1.0) < 0.02
              and 0.1 < -bin_["fz"] / weight < 0.9, (bin_["fz"], floor["fz"], weight))


def check_pile(folder):
    angle = last_of(folder / "angle.csv")
    tap.check("pile: a slope", 8.0 < angle["degrees"] < 40.0 and angle["points"] > 20, angle)


def check_shear(folder):
    means = last_of(folder / "means.csv")
    top = last_of(folder / "plates.csv", name="top")
    tap.check("shear: a layer flows under pressure, with friction", 1e-4 < means["inertial_number_mean"] < 1.0
              and 0.1 < abs(top["fx"] / top["fz"]) < 0.9 and means["solid_fraction_error"] > 0.0, (means, top))


def check_mixer(folder):
    mixing, blade = last_of(folder / "mixing.csv"), last_of(folder / "blade_groups.csv")
    tap.check("mixer: the layers mix, and the blade wears", mixing["segregation"] < 0.7 and blade["wear_sliding"] > 0.0
              and blade["sliding_work"] > 0.0, (mixing, blade))


def main(top):
    for like, check in (("hopper", check_hopper), ("drum", check_drum), ("silo", check_silo), ("pile", check_pile),
                        ("shear", check_shear), ("mixer", check_mixer)):
        scree(top, "new", "scene", like, "--like", like)
        seen = scree(top, "run", f"{like}.cfg", "-q", "-o", like) if (top / f"{like}.cfg").exists() else None
        tap.check(f"{like}: it runs to its end without a warning", seen is not None and seen.returncode == 0
                  and "warning" not in seen.stderr, seen)
        check(top / like)


tap.in_folder(main)

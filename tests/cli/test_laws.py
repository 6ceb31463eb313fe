# SPDX-License-Identifier: Apache-2.0
"""Laws that are summed: what they share, their order, and what they refuse, with key, value and allowed range.

usage: test_laws.py SCREE
"""
import pathlib
import tempfile

import tap
from runs import scree

SCENE = """
scene = { dt = 1e-6; steps = 10; };
materials = { m = { density = 2500.0; %s }; };
bodies = { a = { radius = 5e-3; position = (-4.99e-3, 0.0, 0.0); spin = (0.0, 3.0, 1.0); };
    b = { radius = 5e-3; position = (4.99e-3, 0.0, 0.0); }; };
force = ( %s );
"""
LINEAR = '{ plugin = "linear"; kn = 1e5; friction = 0.5; }'
HERTZ = '{ plugin = "hertz_mindlin"; }'
YOUNG = "young_modulus = 1e7; poisson_ratio = 0.3;"


def run(laws, material=""):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scene.cfg"
        path.write_text(SCENE % (material, laws), encoding="utf-8")
        return scree(None, "run", path, "-q", "-o", pathlib.Path(folder) / "run")


def accepts(claim, laws, material=""):
    done = run(laws, material)
    tap.check(claim, done.returncode == 0, done)


def refuses(claim, laws, words, material=""):
    done = run(laws, material)
    missing = [word for word in words if word not in done.stderr]
    tap.check(claim, done.returncode == 2 and not missing, f"status {done.returncode}, lacks {missing}:\n{done.stderr}")


def rolling():
    law = '{ plugin = "rolling"; rolling_friction = 0.1; %s }'
    accepts("rolling takes kn from the law before it", f"{LINEAR}, {law % ''}")
    accepts("rolling takes kn of the materials", f'{{ plugin = "linear"; }}, {law % ""}', "kn = 1e5;")
    accepts("rolling takes the moduli of hertz_mindlin", f"{HERTZ}, {law % ''}", YOUNG)
    refuses("rolling before the law that pushes is refused", f"{law % ''}, {LINEAR}", ["force/rolling", "before it"])
    refuses("rolling without a law that pushes is refused", law % "kn = 1e5;", ["force/rolling", "before it"])
    refuses("rolling without its coefficient is refused", f'{LINEAR}, {{ plugin = "rolling"; }}', ["rolling_friction", "[-]"])
    for key in ("rolling_stiffness", "twisting_stiffness"):
        for other, more in (("stiffness", ""), ("type", 'type = "constant";')):
            done = run(LINEAR + ", " + law % (key + " = 100.0; " + more))
            tap.check(f"{key} that {other} leaves without effect is warned of", done.returncode == 0
                      and f"warning: {key} has no effect without {other} =" in done.stderr, done)
    used = run(LINEAR + ", " + law % 'stiffness = "given"; rolling_stiffness = 100.0; twisting_stiffness = 1.0;')
    tap.check("stiffnesses that are used are not", used.returncode == 0 and "no effect" not in used.stderr, used)
    refuses("type viscous without its viscosity is refused", LINEAR + ", " + law % 'type = "viscous";', ["rolling_viscosity", "[s/m]"])
    refuses("a negative coefficient is refused", f'{LINEAR}, {{ plugin = "rolling"; rolling_friction = -0.1; }}',
            ["rolling_friction", "-0.1", ">= 0"])
    refuses("stiffness given without a value is refused", LINEAR + ", " + law % 'stiffness = "given";', ["rolling_stiffness", "[N/m]"])
    refuses("an unknown type names the known ones", LINEAR + ", " + law % 'type = "cdt";', ["constant", "viscous", "spring"])


def cohesion():
    law = '{ plugin = "cohesion_sjkr"; cohesion_energy_density = %s; form = "%s"; }'
    accepts("a pull softer than kn is taken", f"{LINEAR}, {law % ('6.3e6', 'sjkr')}")  # kn / (2 pi R*) = 6.37e6
    refuses("a pull stiffer than kn is refused", f"{LINEAR}, {law % ('6.4e6', 'sjkr')}",
            ["cohesion_energy_density = 6.4e+06", "allowed: < 6.3662e+06 J/m^3", "kn"])
    refuses("sjkr2 pulls twice as stiffly", f"{LINEAR}, {law % ('3.2e6', 'sjkr2')}", ["allowed: < 3.1831e+06 J/m^3"])
    accepts("with Hertz balls may rest a tenth of R* deep", f"{HERTZ}, {law % ('1.8e5', 'sjkr2')}", YOUNG)
    refuses("and not deeper", f"{HERTZ}, {law % ('1.9e5', 'sjkr2')}", ["allowed: < 184356 J/m^3", "tenth"], YOUNG)
    refuses("cohesion without its density is refused", LINEAR + ', { plugin = "cohesion_sjkr"; }', ["cohesion_energy_density"])
    refuses("a negative density is refused", f"{LINEAR}, {law % ('-1.0', 'sjkr')}", ["cohesion_energy_density", "-1", ">= 0"])


def plastic():
    law = '{ plugin = "plastic"; kn = 1e5; %s }'
    accepts("plastic with k2 is taken", law % "k2 = 2e5;")
    refuses("plastic without k2 is refused", law % "", ["k2", "of unloading", "force/plastic"])
    refuses("a k2 below kn is refused", law % "k2 = 5e4;", ["kn = 100000", "k2 = 50000", "no less than kn"])
    refuses("unloading by depth without plastic_depth is refused", law % 'k2 = 2e5; unloading = "depth";', ["plastic_depth", "0 < p <= 1"])
    refuses("unloading by load without hardening is refused", law % 'k2 = 2e5; unloading = "load";', ["hardening", "[1/m]"])
    refuses("a plastic_depth above 1 is refused", law % "k2 = 2e5; plastic_depth = 1.5;", ["plastic_depth", "1.5", "<= 1"])


def incremental():
    law = '{ plugin = "incremental_penalty"; %s }'
    accepts("incremental_penalty is taken", law % "kn = 1e5; friction = 0.5;")
    refuses("without its stiffness it is refused", law % "", ["kn"])
    refuses("an unknown as_printed names the known ones", law % 'kn = 1e5; as_printed = "yes";', ["growth", "limit", "both"])


def main():
    rolling()
    cohesion()
    plastic()
    incremental()


tap.finish(main)

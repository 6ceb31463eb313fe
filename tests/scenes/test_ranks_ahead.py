# SPDX-License-Identifier: Apache-2.0
"""Contacts that ranks compute while ghosts are on their way (core/engine/ahead.c), and warnings of the evaluation before.

usage: test_ranks_ahead.py SCREE FOLDER_OF_MODULES
"""
import json
import pathlib
import sys
import time

import runs
import tap

MODULES = pathlib.Path(sys.argv[2]).resolve()

# They fall in a block, so that extents, lists of near pairs and rows change; %s: the law, and its keys.
BALLS = """scene = { dt = 1.0e-5; steps = 900; gravity = (0.0, 0.0, -9.81); boundary = "reflect";
  region = { min = (0.0, 0.0, 0.0); max = (0.04, 0.03, 0.1); }; };
materials = { glass = { density = 2500.0; young_modulus = 1.0e7; poisson_ratio = 0.3; }; };
shapes = { floor = { type = "plane"; normal = (0.0, 0.0, 1.0); }; };
bodies = { floor = { shape = "floor"; }; };
generate = { balls = { shape = "sphere"; count = 400; radius = "2 mm"; velocity_random = 0.5; velocity = (0.0, 0.0, -2.0); }; };
force = ( { plugin = %s restitution = 0.7; friction = 0.4; } );
"""


def run(top, *words):
    result = runs.scree(top, "run", "balls.cfg", "-q", "--json", *words)
    return json.loads(result.stdout) if result.returncode == 0 else result


def on(n, plugin):
    return ("--set", f'domain={{plugin="{plugin}"; ranks={n};}}', "--plugin-path", "plugins")


def give_domains(top):
    (top / "plugins").mkdir()
    (top / "plugins/unsound_domain.so").symlink_to(MODULES / "unsound_domain.so")


def test_state(top):
    """A domain whose test() always says that bytes are missing lets ranks go ahead as far as they may; one whose test() always
    says that none are does not. Lists that end meanwhile, a state that is read, or a refresh drop what was computed."""
    give_domains(top)
    for law, words in (("linear", '"linear"; kn = 1.0e4;'), ("hertz_mindlin", '"hertz_mindlin";')):
        (top / "balls.cfg").write_text(BALLS % words)
        one = run(top)
        for n, plugin, goes in ((2, "never", True), (3, "never", True), (2, "early", False), (3, "none", None)):
            many = run(top, *on(n, plugin))
            ok = isinstance(one, dict) and isinstance(many, dict)
            tap.check(f"{law}, {n} ranks, {plugin}: the state and the energies of one rank", ok and all(
                one[key] == many[key] for key in ("state_sha256", "energy", "contacts", "candidates", "warnings")), (one, many))
            apart = many["apart"] if ok else {}
            tap.check(f"{law}, {n} ranks, {plugin}: refreshes, and pairs {'ahead' if goes else 'that are not ahead' if goes is False else ''}",
                      ok and apart["refreshes"] > 5 and apart["evaluations"] > 800 and
                      (goes is None or (apart["ahead"] > 20 * apart["evaluations"] if goes else apart["ahead"] == 0)), apart)


def test_warnings(top):
    """Soft balls: ranks warn of the deepest overlap of all, of its bodies and its step, as one rank does, also for the
    last step, and before a checkpoint, for which ranks give each other the whole state."""
    give_domains(top)
    (top / "balls.cfg").write_text(BALLS % '"linear"; kn = 200.0;')
    for steps, more in ((604, ()), (900, ("--set", "checkpoint={every_steps=70;}"))):
        one = run(top, "--steps", steps, *more)
        for n, plugin in ((2, "never"), (3, "none")):
            many = run(top, "--steps", steps, *more, *on(n, plugin))
            tap.check(f"{steps} steps, {n} ranks, {plugin}: the warnings of one rank, of overlaps among them", isinstance(many, dict)
                      and one["warnings"] == many["warnings"] and one["warnings"]["overlap"]["count"] > 10, (one, many))
            tap.check(f"{steps} steps, {n} ranks, {plugin}: they were apart", isinstance(many, dict) and many["apart"]["evaluations"] > 0.8 * steps, many)


PAIRS = """scene = { dt = 1.0e-5; };
renumber = { every = 0; };
materials = { glass = { density = 2500.0; }; };
bodies = { %s };
force = ( { plugin = "linear"; kn = 1.0e-6; restitution = 0.7; friction = 0.4; } );
"""


def test_stopped(top):
    """Only bodies of the last rank overlap, in each step. Ranks that are stopped at any step have the warnings of one rank at that
    step, the last step included."""
    give_domains(top)
    (top / "balls.cfg").write_text(PAIRS % " ".join(
        f"b{k} = {{ radius = 0.001; position = ({0.003 * k - (0.0012 if k > 64 and k % 2 else 0.0):.4f}, 0.0, 0.0); }};" for k in range(128)))
    for n in (2, 3):
        child = runs.start(top, "run", "balls.cfg", "-q", "--steps", "100000000", "-o", f"stopped-{n}", *on(n, "none"))
        runs.wait_for((top / f"stopped-{n}").exists, child)
        time.sleep(0.5)
        child.terminate()
        _, err = runs.end_of(child)
        many = json.loads((top / f"stopped-{n}/summary.json").read_text())
        one = run(top, "--steps", many["steps"])
        tap.check(f"{n} ranks that are stopped: the warnings of one rank", child.returncode == 4 and one["warnings"] == many["warnings"]
                  and many["warnings"]["overlap"]["count"] == many["steps"] > 100, (err, one, many))


def test_failure(top):
    """A law that fails at a deep overlap between bodies of one rank, so in contacts that are computed ahead: the run ends at the
    step of one rank, with the reason, once."""
    give_domains(top)
    (top / "plugins/sins_force.so").symlink_to(MODULES / "sins_force.so")
    (top / "balls.cfg").write_text(BALLS % '"linear"; kn = 200.0;')
    law = ("--plugin-path", "plugins", "--set", 'force=({plugin="sins"; sin="says_why"; deeper=1.05e-4;})', "--steps", "80")
    said = [[line for line in getattr(result, "stderr", "").splitlines() if "the sky is too low" in line]
            for result in (run(top, *law), run(top, *law, *on(2, "never")), run(top, *law, *on(3, "never")))]
    tap.check("a law that fails in contacts that are computed ahead ends the run at the step of one rank, with its reason",
              len(said[0]) == 1 and " at step 70: " in said[0][0] and said[0] == said[1] == said[2], said)


tap.in_folders(test_state, test_warnings, test_stopped, test_failure)

# SPDX-License-Identifier: Apache-2.0
"""GCDs that own others: gcd/compare finds a GCD that does wrong, the call can be repeated, and a fault of
an inner GCD is reported with its name.

usage: test_compare_gcds.py SCREE FOLDER_OF_MODULES
"""
import pathlib
import re
import shutil
import sys

import tap
from runs import scree

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()

# The last of three spheres moves on the second, from 0.1 mm deep at 1 m/s.
SCENE = """
scene = { title = "three in a row"; dt = 1.0e-5; steps = 60; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); };
    b = { shape = "sphere"; radius = 0.005; position = (0.01, 0.0, 0.0); };
    c = { shape = "sphere"; radius = 0.005; position = (0.0199, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; friction = 0.4; } );
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
guard = { every = 7; };
"""
MISSED = (r"gcd/compare \(gcd\) failed in step_init at step \d+: gcd/sins \({0}\) missed the pair \(1, 2\) of 3 boxes; gcd/grid "
          r"\({1}\) did not; box 1: 0\.0049\S*\.\.0\.0149\S*, -0\.005\.\.0\.005, -0\.005\.\.0\.005 m; "
          r"box 2: 0\.0148\S*\.\.0\.0248\S*, .* m \(internal, -8\); box 1 is of body 2, part 0; "
          r"box 2 is of body 3, part 0")
SINS = '{plugin="sins"; sin="%s"; below=0.01989;}'
AT_ONCE = '{plugin="sins"; sin="%s";}'
# The outer GCD, the sin of the inner GCD, the message.
TOLD = [
    ("compare", "twice", r"gcd/sins \(second\) gave twice the pair \(0, 1\) of 3 boxes"),
    ("compare", "no_such_box", r"gcd/sins gave pair \(0, 10\) of 3 boxes: no such box"),
    ("neighbor_list", "no_such_box", r"gcd/neighbor_list .*gcd/sins gave pair \(0, 10\) of 3 boxes: no such box"),
    ("neighbor_list", "itself", r"gcd/sins gave pair \(0, 0\) of 3 boxes: a box with itself"),
    ("neighbor_list", "overdraws", r"gcd/sins committed more pairs than it had reserved"),
]
OF_OTHERS = {"compare": 'gcd={plugin="compare"; second=%s;}', "neighbor_list": 'gcd={plugin="neighbor_list"; inner=%s;}'}


def run(top, *args):
    return scree(top, args[0], "--plugin-path", top / "plugins", *args[1:])


def test_missed(top):
    setting = 'gcd={plugin="compare"; first={plugin="grid";}; second=%s;}' % (SINS % "misses")
    result = run(top, "run", "scene.cfg", "-q", "--set", setting)
    kept = re.search(r"scree: to repeat the call: scree run .* --restart (\S+) --break '(gcd/step_init@\d+)'\n", result.stderr)
    tap.check("a touching pair that the second GCD drops ends the run, with boxes and bodies",
              result.returncode == 3 and re.search(MISSED.format("second", "first"), result.stderr), result)
    tap.check("the command that repeats the call is printed", kept, result)
    if not kept:
        return
    again = ("run", "-q", "--restart", kept[1], "--break", kept[2])
    repeated = run(top, *again)
    tap.check("it finds the pair again", repeated.returncode == 3
              and re.search(MISSED.format("second", "first"), repeated.stderr), repeated)
    repeated = run(top, *again, "--set", 'gcd.second.sin="none"')
    tap.check("a fixed GCD is not blamed", repeated.returncode == 0, repeated)
    repeated = run(top, *again, "--set", 'gcd={plugin="compare"; first=%s; second={plugin="grid";};}' % (SINS % "misses"))
    tap.check("the first one is blamed as well", repeated.returncode == 3
              and "gcd/sins (first) missed the pair (1, 2)" in repeated.stderr, repeated)
    moved = run(top, "run", "scene.cfg", "-q", "--set", setting, "--set", 'extent.renew="moved"')
    tap.check("given lists of moved boxes too", moved.returncode == 3
              and "gcd/sins (second) missed the pair (1, 2)" in moved.stderr, moved)


def test_report(top):
    result = run(top, "run", "scene.cfg", "-q", "--set",
                 'gcd={plugin="compare"; second={plugin="sins";};}')
    counts = re.findall(r"gcd: info: (\w+), gcd/(\w+): (\d+) searches, (\S+) pairs each, (\S+) % of them had to be "
                        r"found, \S+ ms each \(\S+ times the other's\)", result.stderr)
    tap.check("without a fault the run ends well and reports both", result.returncode == 0
              and [c[:2] for c in counts] == [("first", "grid"), ("second", "sins")], result)
    # gcd/sins gives all three pairs; as many of them touch as of those of gcd/grid.
    tap.check("pairs beyond those that had to be found are counted", len(counts) == 2
              and counts[1][3] == "3.0" and 10.0 < float(counts[1][4]) < 67.0
              and abs(3.0 * float(counts[1][4]) - float(counts[0][3]) * float(counts[0][4])) < 6.0, counts)
    some = run(top, "run", "scene.cfg", "-q", "--set", 'gcd={plugin="compare"; second=%s; every=1000;}'
               % (SINS % "misses"))
    tap.check("every = 1000: one search is compared, later faults are not seen", some.returncode == 0
              and "second, gcd/sins: 1 searches" in some.stderr, some)


# Both leave the domain of the first step, cells of 10 mm from 0 to 20 mm, before the first overtakes the second.
LEAVING = """
scene = { title = "two that leave"; dt = 1.0e-5; steps = 200; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); velocity = (10.0, 0.0, 0.0); };
    b = { shape = "sphere"; radius = 0.005; position = (0.0115, 0.0, 0.0); velocity = (9.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; friction = 0.4; } );
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
gcd = { plugin = "hashing"; as_printed = true; };
"""


def test_as_printed(top):
    (top / "leaving.cfg").write_text(LEAVING)
    lost = run(top, "run", "leaving.cfg", "-q", "--json")
    tap.check("a scene may ask for a method as printed; what it loses is in the log", lost.returncode == 0
              and re.search(r"gcd: warning: as_printed: \d of 2 boxes have left the domain of the first step; their pairs "
                            r"are missed", lost.stderr), lost)
    sampled = run(top, "run", "leaving.cfg", "-q", "--set", "guard.sample=2")
    tap.check("guard.sample refuses the pair, and names it and the method", sampled.returncode == 3
              and re.search(r"gcd/hashing .*not emitted, though the boxes of bodies 1 and 2 overlap", sampled.stderr), sampled)
    ends = run(top, "run", "leaving.cfg", "-q", "--set",
               'gcd={plugin="compare"; first={plugin="grid";}; second={plugin="hashing"; as_printed=true;};}')
    tap.check("gcd/compare ends the run at the first missed pair by default", ends.returncode == 3
              and "gcd/hashing (second) missed the pair (0, 1) of 2 boxes" in ends.stderr, ends)
    for first, second in (("grid", "hashing"), ("hashing", "grid")):
        setting = 'gcd={plugin="compare"; first={%s}; second={%s}; faults="count";}' % tuple(
            'plugin="hashing"; as_printed=true;' if name == "hashing" else f'plugin="{name}";' for name in (first, second))
        counted = run(top, "run", "leaving.cfg", "-q", "--set", setting)
        lines = {name: (int(n), float(share), int(twice)) for name, n, share, twice in re.findall(
            r"gcd/(\w+): \d+ searches, \S+ pairs each, \S+ % of them had to be found, (\d+) missed \((\S+) % of all that had to "
            r"be\), (\d+) twice, \S+ ms each", counted.stderr)}
        tap.check(f"faults = count, {first} first: the run ends well, and all its pairs were missed", counted.returncode == 0
                  and lines.get("grid") == (0, 0.0, 0) and lines.get("hashing", (0,))[0] > 20
                  and lines["hashing"][1:] == (100.0, 0), counted)
    twice = run(top, "run", "scene.cfg", "-q", "--set", 'gcd={plugin="compare"; second=%s; faults="count";}' % (AT_ONCE % "twice"))
    found = re.search(r"second, gcd/sins: (\d+) searches, .* 0 missed \(0 % of all that had to be\), (\d+) twice", twice.stderr)
    tap.check("pairs that come twice are counted as well", twice.returncode == 0 and found and int(found[1]) <= int(found[2]), twice)


def test_told(top):
    for owner, sin, words in TOLD:
        result = run(top, "run", "scene.cfg", "-q", "--set", OF_OTHERS[owner] % (AT_ONCE % sin))
        tap.check(f"gcd/{owner} over one that sins ({sin})", result.returncode == 3
                  and re.search(words, result.stderr), result)
    result = run(top, "run", "scene.cfg", "-q", "--set", 'gcd={plugin="neighbor_list"; inner={plugin="nothing";};}')
    tap.check("an inner GCD that is not there is a mistake of the scene", result.returncode == 2
              and "nothing" in result.stderr, result)


def prepare(top):
    (top / "plugins" / "gcd").mkdir(parents=True)
    target = top / "plugins" / "gcd" / "sins.so"
    shutil.copyfile(MODULES / "sins_gcd.so", target)
    target.chmod(0o644)
    (top / "scene.cfg").write_text(SCENE)


tap.in_folder(prepare, test_missed, test_report, test_as_printed, test_told)

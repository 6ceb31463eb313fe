# SPDX-License-Identifier: Apache-2.0
"""Plugins that do wrong while a run is on are blamed by name and call: status 3, or the crash line.

usage: test_run_faults.py SCREE FOLDER_OF_MODULES
"""
import csv
import math
import pathlib
import re
import shutil
import signal
import sys
import time

import runs
import tap

SCREE, MODULES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
KINDS = ("force", "gcd", "resolver", "integrator", "observer", "modifier", "shape")

SCENE = """
scene = { title = "three in a row"; dt = 1.0e-5; steps = 50; };
materials = { glass = { density = 2500.0; }; };
bodies = {
    a = { shape = "sphere"; radius = 0.005; position = (0.0, 0.0, 0.0); };
    b = { shape = "sphere"; radius = 0.005; position = (0.0099, 0.0, 0.0); };
    c = { shape = "sphere"; radius = 0.005; position = (0.0199, 0.0, 0.0); velocity = (-1.0, 0.0, 0.0); };
};
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
"""
FIXED = 'bodies={a={radius=0.005; position=(0.0, 0.0, 0.0);}; f={radius=0.005; \
position=(0.5, 0.25, 0.125); motion="fixed";};}'
FAR = 'bodies.far={id=9; radius=0.005; position=(0.5, 0.25, 0.125); velocity=(1.0, 2.0, 4.0);}' # touches nothing
CURVED = 'force={plugin="hertz_mindlin"; young_modulus=1e7; poisson_ratio=0.3;}' # it needs curvatures
FLAT = 'bodies={a={radius=0.005; position=(0.0, 0.0);};}'

# Override of the scene, what the line must say. Status 3, no crash.
BLAMED = [
    ('force={plugin="sins"; sin="nan";}',
     r"force/sins \(force\[0\]\) misbehaved in compute at step 0: force \(.*nan.*\) between bodies"),
    ('force={plugin="sins"; sin="nan"; after=7;}', r"force/sins .* misbehaved in compute at step"),
    ('force={plugin="sins"; sin="rounds";}',
     r"force/sins .* misbehaved in compute at step 0: it changed the floating-point environment"),
    ('force={plugin="sins"; sin="silent";}',
     r"force/sins \(force\[0\]\) failed in compute at step 0: no reason given"),
    ('force={plugin="sins"; sin="uses_more";}',
     r"force/sins \(force\[0\]\) misbehaved in narrow: it sets bits that its descriptor lacks \(flags 0, needs 0x8, provides 0x8\)"),
    ('force={plugin="sins"; sin="takes_back";}',
     r"force/sins \(force\[0\]\) misbehaved in narrow: it clears flags 0x200; of the flags it may clear SCREE_CAP_SERIAL"),
    ('gcd={plugin="sins"; sin="no_such_box";}',
     r"gcd/sins \(gcd\) misbehaved in find_neighbors at step 0: pair \(0, 10\) of 3 boxes: no such box"),
    ('gcd={plugin="sins"; sin="twice";}',
     r"gcd/sins \(gcd\) misbehaved in find_neighbors at step 0: pair .*: emitted twice"),
    ('gcd={plugin="sins"; sin="itself";}', r"gcd/sins \(gcd\) misbehaved in .*: a box with itself"),
    ('gcd={plugin="sins"; sin="overdraws";}', r"gcd/sins \(gcd\) misbehaved in find_neighbors"),
    ('gcd={plugin="sins"; sin="rounds";}',
     r"gcd/sins \(gcd\) misbehaved in find_neighbors at step \d+: it changed the floating-point environment"),
    ('resolvers={plugin="sins"; sin="nan";}',
     r"resolver/sins \(resolvers\[0\]\) misbehaved in resolve at step 0: .*not finite"),
    ('resolvers={plugin="sins"; sin="no_such_pair";}',
     r"resolver/sins .* misbehaved in resolve at step 0: contact \d+ is of pair \d+; expected one of the \d+ finished"),
    ('resolvers={plugin="sins"; sin="always_more";}',
     r"resolver/sins .* misbehaved in resolve at step 0: its first pair had (\d+) contacts; asked again with room for "
     r"\d+, it has \d+"),
    ('resolvers={plugin="sins"; sin="backwards";}',
     r"resolver/sins .* misbehaved in resolve at step 0: two contacts of pair \d+; expected one, as supports\(\) says"),
    ('resolvers={plugin="sins"; sin="overdraws";}',
     r"resolver/sins .* misbehaved in resolve at step 0: (\d+) contacts; expected at most \d+, which fit"),
    ('resolvers={plugin="sins"; sin="never_done";}',
     r"resolver/sins .* misbehaved in resolve .*no pair was finished"),
    ('integrator={plugin="sins"; sin="endless";}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 0: more than 64 stages in a step"),
    ('integrator={plugin="sins"; sin="unknown_action";}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 0: stage 0: action 77"),
    ('integrator={plugin="sins"; sin="far_stage";}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 0: stage 0: action 1, trial evaluation at offset -.* within 8 steps"),
    ('integrator={plugin="sins"; sin="late_history";}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 0: stage 0: action 1, accepted evaluation .* ones within the step"),
    ('integrator={plugin="sins"; sin="nan";}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 0: body \d+ is at \(nan, 0, 0\) m"),
    ('integrator={plugin="sins"; sin="rounds";}',
     r"integrator/sins \(integrator\) misbehaved in stage at step \d+: it changed the floating-point environment"),
    ('observers={w={plugin="sins"; sin="rounds";};}',
     r"observer/sins \(observers\.w\) misbehaved in observe at step 0: it changed the floating"),
    ('observers={w={plugin="sins"; sin="infinite";};}',
     r"observer/sins \(observers\.w\) misbehaved in read at step 4: scalar seen is infinite"),
    ('observers={w={plugin="sins"; sin="silent";};}',
     r"observer/sins \(observers\.w\) misbehaved in read at step 4: scalar seen was not written"),
    ('modifiers={w={plugin="sins"; sin="nowhere";};}', r"modifier/sins .* failed in after_step"),
    ('modifiers={w={plugin="sins"; sin="no_quaternion";};}',
     r"modifier/sins .* failed in after_step"),
    ('modifiers={w={plugin="sins"; sin="moves_fixed";};}',
     r"modifier/sins .* failed in after_step"),
    ('modifiers={w={plugin="sins"; sin="no_size";};}',
     r"modifier/sins .* failed in after_step at step \d+: set: expected a struct of size 48 or more, got 8"),
    ('modifiers={w={plugin="sins"; sin="scales_to_nothing";};}',
     r"modifier/sins .* failed in after_step at step \d+: set: scale 0 of body 1: expected a number above 0"),
    ('modifiers={w={plugin="sins"; sin="no_density";};}',
     r"modifier/sins .* failed in after_step at step \d+: set: density -?nan kg/m\^3 of body 1: expected a number above 0"),
    ('modifiers={w={plugin="sins"; sin="no_material";};}',
     r"modifier/sins .* failed in after_step at step \d+: set: material 99 of body 1: expected a number below 1"),
    ('modifiers={w={plugin="sins"; sin="no_shape";};}',
     r"modifier/sins .* failed in after_step at step \d+: set: shape 99 of body 1: expected a number below 2"),
    ('modifiers={w={plugin="sins"; sin="not_a_power";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in forces at step 0: its power on body 3 is -?nan W"),
    ('modifiers={w={plugin="sins"; sin="not_a_force";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in forces at step 0: it added force "
     r"\(0, -?nan, 0\) N, torque \(0, 0, 0\) N m to body 3"),
    ('modifiers={v={plugin="sins";}; w={plugin="sins"; sin="not_a_force";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in forces at step 0"),
    ('integrator={plugin="sins"; sin="bears_nan";}', r"integrator/sins: the limit of omega dt "
     r"\(scree\.stability/1\) at a damping ratio of 0 is -?nan; expected a finite number > 0"),
    ('integrator={plugin="sins"; sin="bears_nothing";}', r"integrator/sins: .* at a damping ratio of 0 is 0; expected a finite number > 0"),
    ('modifiers={w={plugin="sins"; sin="enters_bodies";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in enter at step 0: it wrote to body \d+, which is \w+: now at"),
    ('modifiers={w={plugin="sins"; sin="enters_nan";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in enter at step 0: it set field mark\[1\] of body 1 to -?nan"),
    ('modifiers={w={plugin="sins"; sin="no_event";};}', r"modifier/sins .* failed in after_step at step \d+: event: .* got NULL"),
    ('modifiers={w={plugin="sins"; sin="small_event";};}',
     r"modifier/sins .* failed in after_step at step \d+: event: expected size = \d+ and reserved = 0, got 8 and 0"),
    ('modifiers={w={plugin="sins"; sin="far_event";};}',
     r'modifier/sins .* failed in after_step at step \d+: event "sin", value inf: expected finite numbers'),
    ('modifiers={w={plugin="sins"; sin="loads_nobody";};}',
     r"modifier/sins .* failed in after_step at step \d+: load: there is no body 777"),
    ('modifiers={w={plugin="sins"; sin="loads_free";};}',
     r"modifier/sins .* failed in after_step at step \d+: load: body 1 is free; expected a fixed or kinematic one"),
    ('modifiers={w={plugin="sins"; sin="rounds";};}',
     r"modifier/sins .* misbehaved in after_step at step \d+: it changed the floating-point environment"),
    ('modifiers={w={plugin="sins"; sin="no_pose";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in pose at step 0: at 0 s body \d+ is at \(0\.5, 0\.25, 0\.125\) m with velocity \(1, 2, 4\) m/s"),
    ('gcd={plugin="sins"; sin="overdraws";}',
     r"gcd/sins \(gcd\) misbehaved in find_neighbors at step \d+: it committed 12 pairs, of 11 that it had reserved"),
    ('gcd={plugin="sins"; sin="late_sink";}',
     r"gcd/sins \(gcd\) misbehaved in step_init at step \d+: it used the sink of a call of find_neighbors that has returned"),
    ('resolvers={plugin="sins"; sin="long_normal";}',
     r"resolver/sins \(resolvers\[0\]\) misbehaved in resolve at step 0: a normal .* of length 1\.01, expected 1: of "
     r"bodies 1 and 2"),
    ('resolvers={plugin="sins"; sin="too_deep";}',
     r"resolver/sins .* misbehaved in resolve at step 0: a depth of 1 m between bodies of radius 0\.005 and 0\.005 m"),
    ('resolvers={plugin="sins"; sin="far_arm";}',
     r"resolver/sins .* misbehaved in resolve at step 0: an arm of 0\.01\d+ m to the contact point"),
    ('resolvers={plugin="sins"; sin="far_apart";}',
     r"resolver/sins .* misbehaved in resolve at step 0: a contact across a gap of 0\.0001 m, expected at most 0 m"),
    ('resolvers={plugin="sins"; sin="flat";}',
     r"resolver/sins .* misbehaved in resolve at step 0: curvatures of 0 and 0 1/m, expected a sum > 0"),
    ('integrator={plugin="sins"; sin="nan_spin"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: body 9 is at \(0\.5\d*, 0\.25\d*, 0\.12\d*\) m with velocity \(1, 2, 4\) m/s and spin \(0, 0, -?nan\) rad/s"),
    ('integrator={plugin="sins"; sin="nan_velocity"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: body 9 is at .* with velocity \(1, -?nan, 4\) m/s"),
    ('integrator={plugin="sins"; sin="endless_velocity"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: body 9 is at .* with velocity \(.*, inf, .*\) m/s"),
    ('integrator={plugin="sins"; sin="no_quaternion"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: body 9 is at .* turned by \(0, 0, 0, 0\), which is not a unit"),
    ('integrator={plugin="sins"; sin="long_quaternion"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: body 9 is at .* turned by \(1, 0\.5, 0, 0\), which is not a unit"),
    ('integrator={plugin="sins"; sin="moves_fixed"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: it wrote to body 2, which is fixed"),
    ('integrator={plugin="sins"; sin="spins_fixed"; after=7;}',
     r"integrator/sins \(integrator\) misbehaved in stage at step 7: it wrote to body 2, which is fixed"),
    ('modifiers={w={plugin="sins"; sin="poses_free";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in pose at step 0: it wrote to body \d+, which is free"),
    ('modifiers={w={plugin="sins"; sin="poses_fixed";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in pose at step 0: it wrote to body 2, which is fixed"),
    ('modifiers={w={plugin="sins"; sin="late_edits";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in forces at step 1: it used edits that were given to another call of "
     r"after_step, which has returned"),
    ('force=({plugin="linear"; kn=1.0e5;}, {plugin="sins"; sin="enormous"; after=9;})',
     r"force/sins \(force\[1\]\) misbehaved in compute at step \d: force \(1e\+300, .*\) between bodies \d and \d"),
    ('modifiers={w={plugin="sins"; sin="enormous_force";};}',
     r"modifier/sins \(modifiers\.w\) misbehaved in forces at step 0: it added force \(1e\+300, 0, 0\) N"),
    ('modifiers={w={plugin="sins"; sin="flings";};}', r"modifier/sins \(modifiers\.w\) failed in after_step at step \d+: "
     r"set: a velocity of \(1e\+200, 0, 0\) m/s of body 1 in a step of 1e-05 s"),
    ('integrator={plugin="sins_displaced"; sin="nan_displacement"; after=7;}',
     r"integrator/sins_displaced \(integrator\) misbehaved in stage at step 7: body 9 is displaced by \(1e-05, -?nan, 4e-05\) m"),
]

# Override, more arguments, signal, line.
CRASHES = [
    ('force={plugin="sins"; sin="crashes";}', (), signal.SIGSEGV,
     "scree: crash (SIGSEGV) in force/sins (force[0]), call compute, step 0"),
    ('force={plugin="sins"; sin="crashes"; after=9;}', (), signal.SIGSEGV,
     "scree: crash (SIGSEGV) in force/sins (force[0]), call compute, step 8"),
    ('force={plugin="sins"; sin="aborts";}', (), signal.SIGABRT,
     "scree: crash (SIGABRT) in force/sins (force[0]), call compute, step 0"),
    ('force={plugin="sins"; sin="aborts";}', ("--threads", "2"), signal.SIGABRT,
     "scree: crash (SIGABRT) in force/sins (force[0]), call compute, step 0"),
    ('force={plugin="sins"; sin="overflows_stack";}', (), signal.SIGSEGV,
     "scree: crash (SIGSEGV) in force/sins (force[0]), call compute, step 0"),
    ('integrator={plugin="sins"; sin="crashes_on_a_lane";}', ("--threads", "2"), signal.SIGSEGV,
     "scree: crash (SIGSEGV) in integrator/sins (integrator), call stage, step 0"),
    ('observers={w={plugin="sins"; sin="crashes"; after=1;};}', (), signal.SIGSEGV,
     "scree: crash (SIGSEGV) in observer/sins (observers.w), call observe, step 49"),
]


def command(top, *args):
    return ["run", "--plugin-path", top / "plugins", top / "scene.cfg", "-q", *args]


def run(top, *args):
    return runs.scree(top, *command(top, *args))


def start(top, *args):
    """A run whose plugin has said on standard error that it is being called."""
    process = runs.start(top, *command(top, *args))
    while (line := process.stderr.readline()) and ": info: " not in line:
        pass
    return process


def test_good(top):
    for kind in KINDS[:-1]:
        value = '{plugin="sins";}'
        value = "{w=" + value + ";}" if kind in ("observer", "modifier") else value
        key = kind + "s" if kind in ("resolver", "observer", "modifier") else kind
        result = run(top, "--set", f"{key}={value}")
        tap.check(f"{kind}/sins without a sin runs", result.returncode == 0, result)
    result = run(top, "--set", 'resolvers={plugin="sins";}', "--set", CURVED)
    tap.check("a law that needs more than a resolver provides for two types is refused, and says what",
              result.returncode in (1, 2) and "curvature" in result.stderr, result)


def test_blamed(top):
    for override, line in BLAMED:
        more = ("--set", FIXED) if re.search("moves_fixed|spins_fixed|poses_fixed", override) else ()
        more = ("--set", FAR) if "body 9 " in line else more
        more = ("--set", "extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}") if "late_sink" in override else more
        more = ("--set", FIXED.replace('"fixed"', '"kinematic"; velocity=(1.0, 2.0, 4.0)')) if "no_pose" in override else more
        more = ("--set", CURVED) if "flat" in override else more
        more = ("--set", 'stop={when="w.seen > 3"; for=1.0; every=5;}') if "scalar seen" in line else more
        result = run(top, "--set", override, *more)
        lines = [x for x in result.stderr.splitlines() if re.match("scree: " + line, x)]
        tap.check(f"{override} is blamed", result.returncode == 3 and len(lines) == 1
                  and not result.stdout, result)
    for flat in ((), ("--set", "scene.dimension=2", "--set", FLAT)):
        result = run(top, "--set", 'modifiers={w={plugin="sins"; sin="leaves_the_plane";};}', *flat)
        tap.check(f"a modifier cannot push a body out of the plane {flat}",
                  result.returncode == (3 if flat else 0), result)
    result = run(top, "--set", 'force={plugin="sins"; sin="says_why";}')
    tap.check("a law that says why it fails has not misbehaved", result.returncode == 1
              and "force/sins (force[0]) failed in compute at step 0: the sky is too low (numeric, -5)" in result.stderr,
              result)
    for code in range(-9, 0):
        result = run(top, "--set", f'force={{plugin="sins"; sin="gives_up"; code={code}; after=30;}}')
        status = 1 if code >= -6 else 3  # cancelled, and nobody asked; internal; unknown
        found = re.search(r"force/sins \(force\[0\]\) failed in compute at step (\d+): told to \([ a-z/]+, (-\d)\)", result.stderr)
        tap.check(f"code {code}: status {status}, the step, and the command that repeats the call", result.returncode == status
                  and found and found[2] == str(code) and f"--break 'force[0]/compute@{found[1]}'" in result.stderr, result)


def test_blown_up(top):
    """Status 1, and the body: at once when the scene says so, or in free flight, whatever the GCD."""
    for gcd in ("grid", "hgrid", "bvh"):
        for speed in ("1e10", "1e100", "1e150"):
            result = run(top, "--set", f"bodies.c.velocity=({speed}, 0.0, 0.0)", "--set", f'gcd.plugin="{gcd}"')
            tap.check(f"a start with {speed} m/s is reported, with {gcd}", result.returncode == 1 and re.search(
                r"scree: the run has blown up at step 0: body 3 at .* m comes .* m far in a step", result.stderr),
                result)
    for more in (("--set", FAR), ("--set", "bodies={a={id=9; radius=0.005; position=(0.0, 0.0, 0.0);};}")):
        result = run(top, "--set", 'integrator={plugin="sins"; sin="blows_up"; after=3;}', *more)
        tap.check("a body that is hurled away in free flight is reported", result.returncode == 1 and re.search(
            r"scree: the run has blown up at step 1\d: body 9 at .* comes .* far in a step", result.stderr), result)
    integrator = "; it was moved by integrator/sins (integrator)"
    result = run(top, "--set", 'integrator={plugin="sins"; sin="flings"; after=7;}', "--set", FAR)
    tap.check("an integrator that flings a body is named", result.returncode == 1 and "blown up at step 7: body 9"
              in result.stderr and "at 1e+200 m/s" + integrator in result.stderr, result)
    linear, sins = '{plugin="linear"; kn=1.0e5;}', '{plugin="sins"; sin="strong"; after=9;}'
    deep = "bodies.c.position=(0.0198, 0.0, 0.0)" # it touches where its extent was made
    gravity = 'modifiers={g={plugin="sins";};}'
    for laws, name in ((f"({sins})", "force/sins (force[0])"), (f"({linear}, {sins})", "force/sins (force[1])"),
                       (f"({sins}, {linear})", "force/sins (force[0])")):
        for more in ((), ("--set", gravity)):
            result = run(top, "--set", f"force={laws}", "--set", deep, *more)
            tap.check(f"the law of the largest force is named: {laws} {more}", result.returncode == 1 and re.search(
                r"blown up at step \d+: body \d .*; the largest force on it is by "
                + re.escape(name), result.stderr), result)
    result = run(top, "--set", 'force={plugin="sins"; sin="enormous";}')
    tap.check("so is a law of 1e300 N", result.returncode == 1 and "blown up at step 0: body" in result.stderr
              and "force/sins (force[0])" in result.stderr, result)
    result = run(top, "--set", 'modifiers={w={plugin="sins"; sin="strong_force";};}')
    tap.check("so is a modifier whose force is the largest", result.returncode == 1 and "largest force on it is by modifier/sins "
              "(modifiers.w)" in result.stderr, result)
    result = run(top, "--set", "bodies.c.velocity=(1e10, 0.0, 0.0)")
    tap.check("a start that is too fast is the scene's", "m/s (as the scene starts)" in result.stderr, result)
    spin = run(top, "--set", "bodies.c.spin=(0.0, 0.0, 1e149)")
    tap.check("so is a spin", spin.returncode == 1 and "body 3 at (0.0199, 0, 0) m spins at 1e+149 rad/s"
              in spin.stderr, spin)
    wall = run(top, "--set", 'bodies.w={radius=0.01; motion="kinematic"; position=(0.3, 0.0, 0.0); '
               'velocity=(1e149, 0.0, 0.0);}')
    tap.check("so is a kinematic body", wall.returncode == 1 and "the run has blown up at step 0: body" in
              wall.stderr, wall)
    plane = run(top, "--set", 'shapes.floor={type="plane"; normal=(1.0, 0.0, 0.0);}', "--set",
                'bodies.w={shape="floor"; motion="kinematic"; position=(-0.3, 0.0, 0.0); velocity=(-1e149, 0.0, 0.0);}')
    tap.check("so is a plane", plane.returncode == 1 and "blown up at step 0: body 4 at" in plane.stderr, plane)
    place = run(top, "--set", "bodies.c.position=(1e140, 0.0, 0.0)")
    tap.check("so is a place where numbers are too rough", place.returncode == 1
              and "m from the origin, where numbers are too rough" in place.stderr, place)
    far = run(top, "--set", "bodies={a={radius=0.005; position=(1e7, 0.0, 0.0); velocity=(3e4, 0.0, 0.0);};}",
              "--steps", "5000")
    tap.check("a projectile in an open world, fast and far away, flies on", far.returncode == 0, far)


def test_enormous(top):
    """Numbers with which nothing stays finite are mistakes of the scene, with their place."""
    scene = top / "enormous.cfg"
    for what, far, words in (("2500.0", "1e300", "materials.glass: a radius of 0.005 m gives a mass of 5.23599e+293 kg"),
                             ("(0.0, 0.0, 0.0)", "(1e300, 0.0, 0.0)", r"position[0]: expected -1e+150 <= value <= 1e+150 m"),
                             ("(-1.0, 0.0, 0.0)", "(1e300, 0.0, 0.0)", r"velocity[0]: expected -1e+150 <= value <= 1e+150 m/s"),
                             ("dt = 1.0e-5", 'dt = "1 ks"', "scene.dt = 1000 s is"),
                             ("kn = 1.0e5", "kn = 1e300", "force[0].kn: expected 0 < value <= 1e+30 N/m, got 1e+300"),
                             ("kn = 1.0e5", "kn = 1e20", "scene.dt = 1e-05 s is"),
                             ("steps = 50;", "steps = 50; gravity = (1e300, 0.0, 0.0);",
                              "scene.gravity[0]: expected -1e+12 <= value <= 1e+12 m/s^2, got 1e+300"),
                             ("force = (", "resolvers = (); force = (", "resolvers: expected a resolver or more, got none")):
        scene.write_text(SCENE.replace(what, far, 1))
        place = {"1e300": "radius = ", "kn = 1e20": "dt = 1.0e-5"}.get(far, far)  # where the mistake shows
        line = next((i for i, text in enumerate(scene.read_text().splitlines(), 1) if place in text), 0)
        for command in ("validate", "run"):
            seen = runs.scree(top, command, "enormous.cfg")
            tap.check(f"{command}: {far} is a mistake of the scene, with file and line", seen.returncode == 2
                      and f"enormous.cfg:{line}: " in seen.stderr and words.split(": ")[-1] in seen.stderr, (line, seen))


def test_shapes(top):
    """A shape whose views are wrong in a run, and not the resolver that has asked."""
    more = ("--set", 'resolvers={plugin="gjk";}')
    bodies = """bodies={a={shape="s"; position=(0.0, 0.0, 0.0);}; b={shape="s"; position=(0.0099, 0.0, 0.0);};}"""
    def shape(sin, after=1000):
        return run(top, "--set", f'shapes={{s={{type="sins"; sin="{sin}"; after={after};}};}}', "--set", bodies, *more)
    tap.check("shape/sins without a sin runs", (seen := shape("none")).returncode == 0, seen)
    for sin, words in (("nan_support", r"gave \(-?nan, -?nan, -?nan\) m, of a shape of radius 0\.005 m"),
                       ("far_support", r"gave \((?:1|0\.99)\S*, \S+, \S+\) m, of a shape of radius 0\.005 m")):
        seen = shape(sin)
        tap.check(f"a shape is blamed for {sin}, not the resolver", seen.returncode == 3 and re.search(
            r"scree: shape/sins \(shapes\.s\) misbehaved in farthest at step \d+: .*" + words, seen.stderr)
            and "gjk" not in seen.stderr, seen)


def test_promises(top):
    """A run compares ways with v x since."""
    renew = ("--set", "extent={eps_v=0.0; eps_e=0.0; eps_c=0.0;}")

    def integrator(plugin, sin):
        return run(top, *renew, "--set", f'integrator={{plugin="{plugin}"; sin="{sin}"; after=7;}}')
    seen = integrator("sins", "strays")
    tap.check("an integrator is blamed that moves a body by more than v x since", seen.returncode == 3 and re.search(
        r"scree: integrator/sins \(integrator\) misbehaved in stage at step 7: body 3 has moved by \(\S+, 5e-06, 0\) m in "
        r"1e-05 s; expected v × since = \(\S+, 0, 0\) m", seen.stderr), seen)
    for plugin, sin in (("sins", "none"), ("sins_displaced", "strays")):
        seen = integrator(plugin, sin)
        tap.check(f"integrator/{plugin} with {sin} is not", seen.returncode == 0, seen)


def test_sample(top):
    """Only brute force finds a missed pair, for as many bodies as guard.sample says."""
    missed = ("--set", 'gcd={plugin="sins"; sin="misses";}', "--set")
    found = run(top, *missed, "guard.sample=3")
    tap.check("guard.sample finds a pair that the GCD misses", found.returncode == 3 and re.search(
        r"gcd/sins \(gcd\) misbehaved in find_neighbors at step 0: pair \(1, 2\) of 3 boxes: not emitted, though "
        r"the boxes of bodies 2 and 3 overlap \(guard\.sample\)", found.stderr), found)
    result = run(top, *missed, "guard.sample=0")
    tap.check("without it nobody sees that", result.returncode == 0, result)
    result = run(top, "--set", "guard={sample=-1; evry=3;}")
    tap.check("keys of guard are checked", result.returncode == 2 and "guard.sample" in result.stderr
              and "every" in result.stderr, result)


def test_edit_of_a_moved_body(top):
    """sins without a sin stops the first body, after each step: the wall's own motion, once it has
    come 0.1 mm far, and not that of modifier/move, which turns it by 0.5."""
    wall = ('{w={id=0; radius=0.01; motion="kinematic"; position=(0.3, 0.0, 0.0); '
            'velocity=(1.0, 0.0, 0.0);};}')
    turn = ('{turn={plugin="move"; motion="rotation"; groups="w"; axis=(0.0, 0.0, 1.0); rate=10.0;}; '
            's={plugin="sins";};}')
    out = top / "edited"
    result = run(top, "-o", str(out), "--set", f"bodies={wall}", "--set", f"modifiers={turn}",
                 "--set", 'observers={c={plugin="csv"; what="bodies";};}', "--set", "scene.dt=1e-4",
                 "--steps", "500")
    rows = [r for f in out.glob("*.csv") for r in csv.DictReader(f.open())]
    x, y = (float(rows[-1][k]) for k in ("x", "y")) if rows else (0.0, 0.0)
    tap.check("an edit of a body changes its own motion, not what modifiers add to it",
              result.returncode == 0 and abs(x - 0.3001 * math.cos(0.5)) < 1e-12
              and abs(y - 0.3001 * math.sin(0.5)) < 1e-12, f"{x} {y} {result}")


def test_crashes(top):
    for override, more, number, line in CRASHES:
        result = run(top, "--set", override, *more)
        tap.check(f"{override} {' '.join(more)} dies by {number.name} with the line",
                  result.returncode == -number
                  and [x for x in result.stderr.splitlines() if x == line], result)


def test_files(top):
    out = top / "failed"
    result = run(top, "-o", str(out), "--set",
                 'observers={w={plugin="sins"; sin="fails"; after=3; every_steps=5;};}')
    held = sorted(p.name for p in out.iterdir())
    tap.check("a failing observer ends the run and leaves no half-written file",
              result.returncode == 1 and "observers.w) failed in observe at step 14: seen enough"
              in result.stderr and held == ["kept-0.h5", "scene.cfg"], (result, held))
    result = run(top, "-o", str(top / "between"), "--set",
                 'observers={w={plugin="sins"; sin="fails_between"; after=7; every_steps=5;};}')
    tap.check("an observer that fails at a step between its intervals ends the run; it sees no energies and loads there",
              result.returncode == 1 and "observers.w) failed in observe at step 6: load: only with `due` of the view"
              in result.stderr, result)
    table, bare = '{plugin="csv"; every_steps=3;}', '{plugin="sins"; sin="sums"; every_steps=3;}'
    for name, pair in (("first", (bare, table)), ("last", (table, bare))):
        result = run(top, "-o", str(top / name), "--set", "observers={a=%s; b=%s;}" % pair)
        tap.check(f"an observer that clears the bit of sums gets none, next to one that keeps it: {name}", result.returncode == 0, result)
    result = run(top, "-o", str(top / "beyond"), "--set", 'observers={w={plugin="sins"; sin="asks_beyond";};}')
    tap.check("an observer that asks for the load of a body that is not there ends the run, by name",
              result.returncode == 1 and re.search(
                  r"observers.w\) failed in observe at step 0: load: expected a body from 0 to (\d+), got (\d+)",
                  result.stderr), result)
    result = run(top, "-o", str(top / "leaves"), "--set",
                 'observers={w={plugin="sins"; sin="leaves_the_folder";};}')
    tap.check("an observer cannot leave the folder of its run", result.returncode == 2
              and 'leaves the run\'s folder' in result.stderr
              and not (top / "seen.txt").exists(), result)
    result = run(top, "-o", str(top / "refused"), "--set", 'gcd={plugin="sins"; sin="itself";}')
    tap.check("a run that fails before its first step leaves no folder", result.returncode == 3
              and not (top / "refused").exists(), result)


def test_signals(top):
    process = start(top, "--set", 'integrator={plugin="sins"; sin="waits";}')
    process.send_signal(signal.SIGTERM)
    out, err = runs.end_of(process)
    tap.check("a plugin that stops when asked to ends the run with status 4",
              process.returncode == 4 and "told to stop" in err and not out, (out, err))
    process = start(top, "--set", 'integrator={plugin="sins"; sin="hangs";}')
    process.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    alive = process.poll() is None
    process.send_signal(signal.SIGTERM)
    runs.end_of(process)
    tap.check("the second signal ends a run that does not finish its step", alive
              and process.returncode == -signal.SIGTERM, process.returncode)


def prepare(top):
    for kind in KINDS:
        (top / "plugins" / kind).mkdir(parents=True)
        target = top / "plugins" / kind / "sins.so"
        shutil.copyfile(MODULES / f"sins_{kind}.so", target)
        target.chmod(0o644)
    (top / "scene.cfg").write_text(SCENE)


tap.in_folder(prepare, test_good, test_blamed, test_blown_up, test_enormous, test_shapes, test_promises, test_sample,
              test_edit_of_a_moved_body, test_crashes, test_files, test_signals)

# SPDX-License-Identifier: Apache-2.0
"""Benchmark motions, record and replay in whole runs: the frames of the reference, the same boxes played
again, the same state on every route, files and scenes that are refused.

usage: test_motion.py SCREE CONFIGS
"""
import json
import math
import os
import pathlib
import struct
import sys

import tap
from runs import scree

SCREE, CONFIGS = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
RECORD = 'observers={ boxes = { plugin = "record"; every_steps = 1; }; }'
# Frames 0 and 20 of P1:400, P2:400:4, P3:125:1, P4a:1 as an independent program has them.
FRAMES = {
    "perkins-1": (("count=400",), 0x4C744ABC9D466F25, 0xB406D2583DCA19A0, 20.0),
    "mixed-2d": (("count=400",), 0x05EBF1682079E21F, 0xD10568F427E5E368, 19.7391357421875),
    "spheres": (("count=125",), 0x78B39047B51DDFD3, 0x44A96D004D47E654, 4.918701171875),
    "mixed": ((), 0x4265B7BEA84F9C73, 0xBCDE960AE747170A, 12.392333984375),
}
REPLAY = """scene = { title = "played"; dimension = 2; dt = 1.0; steps = 20; };
materials = { any = { density = 1000.0; }; };
integrator = { plugin = "replay"; file = "boxes.bpf"; };
generate = { discs = { plugin = "replay"; }; };
extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };
"""


def run(top, scene, *words, folder="out", steps=20):
    """The output of --json, and the trajectory if there is one."""
    seen = scree(top, "run", scene, "--steps", steps, "-q", "--json", "-o", folder, *words)
    if seen.returncode:
        raise RuntimeError(seen.stderr)
    path = top / folder / "trajectory.bpf"
    return json.loads(seen.stdout), path.read_bytes() if path.exists() else b""


def overrides(*assignments):
    return [word for a in assignments for word in ("--set", a)]


def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def frame(data, k):
    _, dimension, n, frames, *_ = struct.unpack("<8i", data[:32])
    size = 4 * n * dimension
    assert 0 <= k < frames and len(data) == 32 + 4 * n + frames * size
    start = 32 + 4 * n + k * size
    return data[start:start + size]


def test_frames(top):
    for name, (words, first, last, side) in FRAMES.items():
        words = [f"integrator.{w}" for w in words]
        data = run(top, CONFIGS / "bench" / f"{name}.cfg", *overrides(RECORD, *words),
                   folder=f"frames-{name}")[1]
        header = struct.unpack("<8i", data[:32])
        tap.check(f"{name}: frame 0 is that of the reference", fnv(frame(data, 0)) == first, header)
        tap.check(f"{name}: frame 20 is that of the reference", fnv(frame(data, 20)) == last, header)
        tap.check(f"{name}: the domain is that of the reference", header[4] == side * 8192, header)
    scene = CONFIGS / "bench" / "perkins-1.cfg"
    data = run(top, scene, *overrides(RECORD, "integrator.count=400", 'integrator.order="creation"'),
               folder="creation")[1]
    tap.check("negative control: ids in the order of creation give another frame 0",
              fnv(frame(data, 0)) != FRAMES["perkins-1"][1])


def test_fenced(top):
    """perkins-2-800: no other program has it; what its definition says, and that it stays what it is."""
    for ratio, n_fixed, last, leaks in ((1, 112, 0x539DF55CF04489E3, False),
                                        (4, 60, 0x433B8E4B52C1F6A2, True)):
        said, data = run(top, CONFIGS / "bench" / "perkins-2-800.cfg", *overrides(
            RECORD, f"integrator.ratio={ratio}"), folder=f"fenced-{ratio}", steps=500)
        radii = [r / 32768 for r in struct.unpack("<800i", data[32:32 + 3200])]
        side, widest = struct.unpack("<8i", data[:32])[4] / 8192, 2 * max(radii)
        start, end = (list(struct.iter_unpack("<2i", frame(data, k))) for k in (0, 500))
        fixed = [i for i in range(800) if start[i] == end[i]]
        tap.check(f"ratio {ratio}: {n_fixed} discs around are fixed, sizes have that ratio",
                  len(fixed) == said["fixed"] == n_fixed
                  and abs(max(radii) / min(radii) / ratio - 1) < 0.02, (len(fixed), said["fixed"]))
        inside = side - 4 * widest - widest
        share = sum(math.pi * radii[i]**2 for i in range(800) if i not in set(fixed)) / inside**2
        tap.check(f"ratio {ratio}: the solid fraction inside is 0.8", abs(share - 0.8) < 1e-3, share)
        out = sum(not all(2 * widest <= x / 8192 <= side - 2 * widest for x in place)
                  for i, place in enumerate(end) if i not in set(fixed))
        tap.check(f"ratio {ratio}: {'small discs leak out' if leaks else 'no disc leaks out'}",
                  (out > 0) == leaks, out)
        tap.check(f"ratio {ratio}: frame 20 is what it was", fnv(frame(data, 20)) == last)


def test_routes(top):
    """State and boxes do not depend on the way through a run."""
    scene = CONFIGS / "bench" / "spheres.cfg"
    words = overrides(RECORD, "integrator.count=125", "integrator.pace=0.1")
    usual, boxes = run(top, scene, *words, folder="usual", steps=35)
    for name, change in {"another GCD": ("gcd.plugin=bounding_volume",),
                         "extents": ("extent.eps_e=0.1",),
                         "numbers that change": ("renumber.every=7",)}.items():
        other, also = run(top, scene, *words, *overrides(*change), folder="r-" + name.replace(" ", "-"),
                          steps=35)
        tap.check(f"{name}: the same boxes", also == boxes)
        if "numbers" not in name:
            tap.check(f"{name}: the same state", other["state_sha256"] == usual["state_sha256"])
    other = run(top, scene, *words, "--threads", 2, folder="threads", steps=35)[0]
    tap.check("two threads: the same state", other["state_sha256"] == usual["state_sha256"])
    run(top, scene, *words, *overrides("checkpoint={every_steps=17;}"), folder="cut", steps=17)
    saved = sorted((top / "cut" / "checkpoints").glob("*")) or sorted((top / "cut").rglob("*.h5"))
    seen = scree(top, "run", scene, *words, "--restart", saved[-1], "--steps", 18, "-q", "--json", "-o",
                "rest")
    data = json.loads(seen.stdout) if seen.returncode == 0 else {}
    tap.check("cut in two within a step of the motion: the same state",
              data.get("state_sha256") == usual["state_sha256"], seen)
    other = run(top, scene, *words, *overrides("integrator.pace=1"), folder="pace", steps=35)[0]
    tap.check("negative control: another pace gives another state",
              other["state_sha256"] != usual["state_sha256"])


def test_replay(top):
    scene = CONFIGS / "bench" / "perkins-1.cfg"
    _, boxes = run(top, scene, *overrides(RECORD, "integrator.count=100"), folder="first")
    free = run(top, scene, *overrides(RECORD, "integrator.count=100", 'observers.boxes.bodies="free"'),
               folder="free", steps=1)[1]
    tap.check("bodies = free leaves out those around",
              struct.unpack("<3i", free[:12])[2] == 64 and struct.unpack("<3i", boxes[:12])[2] == 100)
    (top / "boxes.bpf").write_bytes(boxes)
    (top / "play.cfg").write_text(REPLAY)
    played, again = run(top, "play.cfg", *overrides(RECORD), folder="second")
    tap.check("what was recorded is played, and recorded again to the same bytes", again == boxes)
    other = run(top, "play.cfg", *overrides("gcd.plugin=bounding_volume"), folder="third")[0]
    tap.check("another GCD: the same state", other["state_sha256"] == played["state_sha256"])
    run(top, "play.cfg", *overrides("checkpoint={every_steps=8;}"), folder="cut-play", steps=8)
    saved = sorted((top / "cut-play").rglob("*.h5"))
    seen = scree(top, "run", "play.cfg", "--restart", saved[-1], "--steps", 12, "-q", "--json", "-o",
                "rest-play")
    data = json.loads(seen.stdout) if seen.returncode == 0 else {}
    tap.check("it goes on from a checkpoint", data.get("state_sha256") == played["state_sha256"], seen)
    moved = bytearray(boxes)
    moved[-100] ^= 1
    (top / "boxes.bpf").write_bytes(moved)
    other = run(top, "play.cfg", folder="fourth")[0]
    tap.check("negative control: one bit of the last frame changes the state",
              other["state_sha256"] != played["state_sha256"])
    for end, same in (("hold", 20), ("loop", 0)):
        long = run(top, "play.cfg", *overrides(RECORD, f"integrator.at_end={end}"), folder=end,
                   steps=21)[1]
        tap.check(f"at_end = {end}: frame 21 is frame {same}", frame(long, 21) == frame(long, same)
                  and frame(long, 1) != frame(long, same))


def test_any_run(top):
    """A run with grains of millimetres, recorded with digits that suit it."""
    _, boxes = run(top, "gas", *overrides(
        'observers={ boxes = { plugin = "record"; every_steps = 10; digits = 24; }; }',
        "generate.molecules.count=60"), folder="gas", steps=200)
    head = struct.unpack("<8i", boxes[:32])
    tap.check("the header has digits, bodies, frames, side of the region",
              head == (0x31465042, 3, 60, 21, -(-4 * 2**24 // 100), 24, 26, 0), head)
    radii = set(struct.unpack("<60i", boxes[32:272]))
    tap.check("radii are 4 floor(r 2^24) + 1", radii == {4 * int(1e-3 * 2**24) + 1}, radii)
    (top / "gas.bpf").write_bytes(boxes)
    (top / "gas-play.cfg").write_text(REPLAY.replace("dimension = 2", "dimension = 3").replace(
        "boxes.bpf", "gas.bpf"))
    again = run(top, "gas-play.cfg", *overrides(RECORD, "observers.boxes.digits=24"), folder="gas-2")[1]
    tap.check("played and recorded again they are the same", again == boxes)
    coarse = scree(top, "run", "gas", *overrides(RECORD), "--steps", 1, "-o", "coarse")
    tap.check("a radius of 8 units is refused with digits that suit it, and nothing is left",
              coarse.returncode == 1 and "digits = 20 suits it" in coarse.stderr
              and not list((top / "coarse").glob("*.bpf*")), coarse)
    fine = scree(top, "run", "gas", *overrides(RECORD, "observers.boxes.digits=40"), "--steps", 1, "-o",
                "fine")
    tap.check("places that leave no room for differences are refused",
              fine.returncode == 1 and "possible" in fine.stderr, fine)
    gone = scree(top, "run", "gas", *overrides(
        RECORD, "observers.boxes.digits=20", 'scene.boundary="open"',
        'modifiers={ out = { plugin = "remove"; every_steps = 5;'
        ' region = { min = (0.0, 0.0, 0.0); max = (0.02, 0.04, 0.04); }; }; }'), "--steps", 20, "-o", "gone")
    tap.check("bodies that go are refused", gone.returncode == 1 and "come or gone" in gone.stderr, gone)


def header(**changes):
    values = dict(magic=0x31465042, dimension=2, n=1, frames=2, side=8192, digits=13, radius_digits=15,
                  zero=0)
    values.update(changes)
    return struct.pack("<8i", *values.values())


def test_bad_files(top):
    rest = struct.pack("<5i", 401, 4096, 4096, 4097, 4096)
    (top / "play.cfg").write_text(REPLAY)
    cases = {
        "no header": (b"BPF1", "expected at least the 32 bytes of the header"),
        "no trajectory": (header(magic=7) + rest, "its first number is 7"),
        "three dimensions": (header(dimension=3) + rest, "the scene has another one"),
        "one dimension": (header(dimension=1) + rest, "2 or 3"),
        "no bodies": (header(n=0) + rest, "the number of bodies is 0"),
        "no frames": (header(frames=0) + rest, "the number of frames is 0"),
        "negative side": (header(side=-1) + rest, "the side of the domain is -1"),
        "odd digits": (header(digits=41, radius_digits=43) + rest, "is 43; it is two more"),
        "unlike digits": (header(radius_digits=13) + rest, "is 13; it is two more"),
        "an eighth number": (header(zero=1) + rest, "the eighth number is 1"),
        "cut short": (header() + rest[:-1], "it is cut short"),
        "too long": (header() + rest + b"x", "it is too long"),
        "huge numbers": (header(n=100000000, frames=2**31 - 1) + rest, "it is cut short"),
        "a radius of 0": (header() + struct.pack("<5i", 0, 1, 1, 1, 1), "the radius of body 0 of 1 is 0"),
    }
    for name, (data, words) in cases.items():
        (top / "boxes.bpf").write_bytes(data)
        seen = scree(top, "run", "play.cfg", "--steps", 1, "-o", "bad")
        tap.check(f"file: {name} is refused with file and line",
                  seen.returncode == 2 and words in seen.stderr and "play.cfg:" in seen.stderr, seen)
    (top / "boxes.bpf").write_bytes(header() + rest)
    tap.check("control: the file without a mistake is played",
              scree(top, "run", "play.cfg", "--steps", 1, "-o", "good").returncode == 0)
    seen = scree(top, "run", "play.cfg", "--steps", 2, "-o", "short")
    tap.check("a run beyond the last frame fails, and says how to go on",
              seen.returncode == 1 and 'at_end = "hold"' in seen.stderr, seen)
    (top / "boxes.bpf").unlink()
    seen = scree(top, "run", "play.cfg", "-o", "none")
    tap.check("a file that is not there is named with its reason", seen.returncode == 2
              and "boxes.bpf" in seen.stderr and "No such file" in seen.stderr, seen)
    os.mkfifo(top / "boxes.bpf")
    seen = scree(top, "run", "play.cfg", "-o", "pipe")
    tap.check("a pipe is refused", seen.returncode == 2 and "as a file" in seen.stderr, seen)
    (top / "boxes.bpf").unlink()
    (top / "boxes.bpf").mkdir()
    seen = scree(top, "run", "play.cfg", "-o", "folder")
    tap.check("a folder is refused", seen.returncode == 2 and "boxes.bpf" in seen.stderr, seen)
    (top / "below").mkdir()
    (top / "below" / "play.cfg").write_text(REPLAY)
    (top / "below" / "boxes.bpf").write_bytes(header() + rest)
    tap.check("a file is sought in the folder of the scene",
              scree(top, "run", "below/play.cfg", "--steps", 1, "-o", "elsewhere").returncode == 0)


def test_sources(top):
    """A source of the integrator's file has the bodies of the integrator; other choices are refused."""
    scene, source = CONFIGS / "bench" / "perkins-1.cfg", 'generate={ discs = { plugin = "integer_motion"; %s }; }'
    cases = {
        "another integrator": (source % "", 'integrator={plugin="velocity_verlet";}',
                               "the scene has chosen integrator/velocity_verlet"),
        "dt of its own choice": (source % "", 'scene.dt="auto"', "need a scene.dt"),
        "two groups": (source % "", 'generate.more={plugin="integer_motion";}', "another group takes"),
        "too few discs": (source % "", "integrator.count=1", "9 discs or more"),
        "an unknown material": (source % 'material = "none";', "scene.steps=1", "none"),
        "a count in the group": (source % "count = 3;", "scene.steps=1", "unknown key"),
    }
    for name, (group, change, words) in cases.items():
        seen = scree(top, "validate", scene, "--set", group, "--set", change)
        tap.check(f"a source of the integrator: {name} is refused", seen.returncode == 2 and words in seen.stderr, seen)


def test_bad_scenes(top):
    scene = CONFIGS / "bench" / "perkins-1.cfg"
    cases = {
        "an integrator that has none": ('integrator={plugin="velocity_verlet";}',
                                        "the scene has chosen integrator/velocity_verlet"),
        "a count in the group": ("generate.discs.count=3", "count"),
        "a motion in the group": ('generate.discs.motion="fixed"', "motion"),
        "an unknown key in the group": ("generate.discs.colour=3", "colour"),
        "dt of its own choice": ('scene.dt="auto"', "need a scene.dt"),
        "another dimension": ("scene.dimension=3", "the scene has dimension = 3"),
        "two groups": ('generate.more={plugin="integer_motion";}', "another group takes"),
        "a ratio without sizes": ("integrator.ratio=4", "ratio: perkins_1 has none"),
        "a percentage": ("integrator.percent=4", "percent: perkins_1 takes `count`"),
        "too few discs": ("integrator.count=1", "9 discs or more"),
        "a pace that is not a ratio": ("integrator.pace=1.5", "a whole number or one divided by"),
        "a taken id": ('bodies={ one = { id = 3; radius = 0.1; position = (1.0, 1.0); }; }',
                       "id 3 is taken already"),
    }
    for name, (change, words) in cases.items():
        seen = scree(top, "validate", scene, "--set", change)
        tap.check(f"scene: {name} is refused", seen.returncode == 2 and words in seen.stderr, seen)
    stranger = 'bodies={ one = { radius = 0.1; position = (5.25, 5.25); }; }'
    seen = scree(top, "run", scene, "--set", stranger, "--steps", 2, "-o", "stranger")
    tap.check("a free body of another group is refused by its id",
              seen.returncode == 1 and "body 1600 is free and not one of its own" in seen.stderr, seen)
    brick = ("shapes={ brick = { type = \"polygon\"; vertices = ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)); }; }",
             'bodies={ one = { shape = "brick"; position = (5.25, 5.25); motion = "%s"; }; }')
    seen = scree(top, "validate", scene, *overrides(brick[0], brick[1] % "free"))
    tap.check("a free body that is not round is refused, as the integrator turns none", seen.returncode == 2 and
              'integrator/integer_motion (integrator) turns no bodies (SCREE_CAP_ROUND_ONLY)' in seen.stderr and
              'type "polygon"' in seen.stderr, seen)
    seen = scree(top, "validate", scene, *overrides(brick[0], brick[1] % "fixed"))
    tap.check("a fixed one is let be, as it is never turned", seen.returncode == 0, seen)
    wall = 'bodies={ one = { radius = 0.1; position = (5.25, 5.25); motion = "fixed"; }; }'
    tap.check("a fixed one is let be",
              scree(top, "run", scene, "--set", wall, "--steps", 2, "-o", "wall").returncode == 0)
    later = ('schedule=( { at_step = 3; set = { integrator = { plugin = "integer_motion";'
             ' workload = "spheres"; }; }; } )')
    seen = scree(top, "run", "gas", *overrides(later), "--steps", 5, "-o", "later")
    tap.check("bodies without the state of the motion are not taken over in mid-run",
              "place" in seen.stderr and "integer_motion" in seen.stderr, seen)


def test_grow(top):
    scene = CONFIGS / "bench" / "pfc-5.cfg"
    few = overrides("generate.balls.count=50")
    for grow, radius, warned in ((1.0, "0.018 m", False), (4.0, "0.072 m", True)):
        seen = scree(top, "validate", scene, *few, *overrides(f"generate.balls.grow={grow}"))
        tap.check(f"grow = {grow}: radii of {radius}, overlaps: {warned}", seen.returncode == 0
                  and radius in seen.stdout and ("bodies overlap at the start" in seen.stderr) == warned,
                  seen)
    seen = scree(top, "validate", scene, *few, "--set", "generate.balls.grow=0.0")
    tap.check("grow = 0 is refused", seen.returncode == 2 and "grow" in seen.stderr, seen)


if __name__ == "__main__":
    tap.in_folders(test_frames, test_fenced, test_routes, test_replay, test_any_run, test_bad_files, test_sources,
                   test_bad_scenes, test_grow)

# SPDX-License-Identifier: Apache-2.0
"""scree.Frames: files of frames made by hand, after docs/reference/frames-file.md.

usage: test_frames.py SCREE
"""
import json
import math
import os
import random
import struct
import subprocess
import sys
import zlib

import scree
import tap


def block(kind, payload):
    return struct.pack("<4sIII", kind, len(payload), zlib.crc32(payload), 0) + payload + b"\0" * (-len(payload) % 8)


def start(**more):
    header = {"version": 1, "writer": "test", "dimension": 3, "fields": [{"name": "speed", "unit": "m/s"}], "contacts": True,
              "materials": ["glass"], **more}
    mesh = struct.pack("<4I9f3II", 5, 1, 3, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, 7) + "Wand ü".encode()
    body = struct.pack("<2I3Q3f3H2x3H2x3H2x3B", 3, 2, 4, 9, 1, 0.5, 2.0, 1.0, 0, 5, 5, 0, 0, 0, 0, 0, 1, 0, 0, 2)
    wall = struct.pack("<2I3d4f", 1, 0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)
    return (block(b"SCF1", json.dumps(header).encode()) + block(b"SHAP", struct.pack("<4I", 0, 0, 0, 0) + b"sphere") +
            block(b"SHAP", mesh) + block(b"GRPS", b'["beads", "wall"]') + block(b"NEW!", b"1234567") + block(b"BODY", body) +
            block(b"WALL", wall))


def frame(step, high=False):
    half = 1 << 30 | 1023 << 20 | 511 << 10 | 512  # x left out, w = sqrt(1/2), y and z 0 to a half of a thousandth
    payload = struct.pack("<Qd3d3d3d3d9d6I", step, step / 8, 1, 2, 3, .5, .25, .125, -9, -9, -9, 9, 9, math.inf, *9 * [0.0], 2, 1,
                          2, 1, 1 if high else 0, 0)
    payload += struct.pack("<6H", 0, 65535, 2, 4, 8, 16)
    if high:
        payload += struct.pack("<6B2x", 0, 1, 0, 0, 0, 2)
    payload += struct.pack("<I2f3H2x", half, 1.0, 3.0, 0, 65534, 65535)
    payload += struct.pack("<4If2H2H3f", 0, 1, 1, 2, 10.0, 65535, 13107, 16 | 15 << 5 | 16 << 10, 16 | 16 << 5 | 16 << 10, .5, .5, .5)
    return block(b"FRAM", payload)


def check_frame(top):
    (top / "a.scf").write_bytes(start() + frame(8) + frame(16, high=True))
    frames = scree.Frames(top)
    one = frames[0]
    tap.check("a folder or a name gives the frames", len(frames) == 2 and len(scree.Frames(top / "a.scf")) == 2 and
              frames.steps == [8, 16] and frames.times == [1.0, 2.0] and frames.missing is None)
    tap.check("ids, sizes and kinds are those of the rows, free ones first", list(one.id) == [4, 9, 1] and list(one.scale) == [.5, 2, 1] and
              list(one.shape) == [0, 5, 5] and list(one.group) == [0, 0, 1] and list(one.motion) == [0, 0, 2] and (one.n, one.n_free) == (3, 2))
    tap.check("places are lo + quantum k, those of walls as they are", [list(c) for c in one.x] ==
              [[1, 32768.5, 1], [2.5, 3, 2], [4, 5, 3]] and list(frames[1].x[0]) == [1, 1 + .5 * (65535 + 65536), 1] and
              list(frames[1].x[2])[1] == 3 + .125 * (16 + 2 * 65536), (one.x, frames[1].x))
    tap.check("the largest component of an orientation follows from the others", one.q[0] == one.q[2] == (1, 0, 0, 0) and
              all(abs(a - b) < 1e-3 for a, b in zip(one.q[1], (math.sqrt(.5), math.sqrt(.5), 0, 0))), one.q)
    speed = list(one.value("speed"))
    tap.check("values of a field; nan where a body has none", speed[:2] == [1, 3] and math.isnan(speed[2]), speed)
    tap.check("contacts", list(one.contact_a) == [0, 1] and list(one.contact_b) == [1, 2] and list(one.contact_force) == [10, 2] and
              list(one.contact_point) == [.5] * 3 and one.contact_image[0] == 16 | 15 << 5 | 16 << 10)
    shape = frames.shapes[5]
    tap.check("shapes and groups", (shape.kind, shape.name, list(shape.cells), list(shape.facets)) == ("mesh", "Wand ü", [0, 1, 2], [7]) and
              frames.shapes[0].kind == "ball" and frames.groups == ["beads", "wall"])
    tap.check("frames share blocks: marks and bytes", frames.mark(0, "BODY") == frames.mark(1, "BODY") and
              frames.mark(0, "FRAM") != frames.mark(1, "FRAM") and frames.raw(0)[:8] == struct.pack("<Q", 8))


def check_tail(top):
    whole = start() + frame(8) + frame(16)
    seen = []
    for cut in range(1, len(frame(16)) + 1):
        (top / "t.scf.part").write_bytes(whole[:-cut])
        seen.append(len(scree.Frames(top)))
    tap.check("a tail that is cut off at any byte is not a frame", set(seen) == {1}, seen)
    (top / "t.scf.part").write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])
    frames = scree.Frames(top)
    tap.check("nor is a block with a wrong bit, whose bytes are counted", len(frames) == 1 and frames.passed_over == len(frame(16)), frames.passed_over)
    (top / "t.scf.part").write_bytes(whole)
    tap.check("a whole file has no bytes passed over", scree.Frames(top).passed_over == 0)
    (top / "t.scf.part").write_bytes(whole[:-5])
    frames = scree.Frames(top)
    before = len(frames), frames.follow()
    with open(top / "t.scf.part", "r+b") as file:
        file.write(whole)
    grown = frames.follow(), len(frames)
    (top / "t.scf.part").rename(top / "t.scf")
    tap.check("follow() sees new frames, and the file that got its name", before == (1, False) and grown == (True, 2) and
              not frames.follow() and len(frames) == 2 and frames[1].step == 16, (before, grown))


def check_former(top):
    for name in "abc":
        (top / name).mkdir()
    (top / "a/f.scf.part").write_bytes(start() + frame(8) + frame(16) + frame(24))
    (top / "b/f.scf").write_bytes(start(after={"file": str(top / "a/f.scf"), "step": 16}) + frame(24) + frame(32))
    (top / "c/f.scf").write_bytes(start(after={"file": "/gone/b/f.scf", "step": 24}) + frame(40))
    tap.check("frames of the run before come first, each step once", scree.Frames(top / "b").steps == [8, 16, 24, 32])
    tap.check("... through several runs, found also where the folders have moved", scree.Frames(top / "c").steps == [8, 16, 24, 40])
    (top / "a/f.scf.part").unlink()
    frames = scree.Frames(top / "b")
    tap.check("a run that is gone is named", frames.steps == [24, 32] and frames.missing == str(top / "a/f.scf"), frames.missing)


def check_keep(top):
    (top / "k.scf").write_bytes(start() + frame(8))
    (top / "k.2.scf").write_bytes(start() + frame(16))
    (top / "k.scf.part").write_bytes(start() + frame(24))
    frames = scree.Frames(top)
    first = frames.steps
    (top / "k.scf.part").rename(top / "k.scf")
    (top / "k.2.scf.part").write_bytes(start() + frame(32))
    tap.check("files in turn are joined by steps", first == [8, 16, 24] and frames.follow() and frames.steps == [16, 24, 32], frames.steps)


def check_faults(top):
    def fails(what, **files):
        for old in top.iterdir():
            old.unlink()
        for name, data in files.items():
            (top / name.replace("_", ".")).write_bytes(data)
        try:
            list(scree.Frames(top))
        except scree.Error as error:
            return what in str(error)
        return False
    tap.check("another file is refused by name", fails("got none") and fails("got a, b", a_scf=start(), b_scf=start()) and
              fails("begins with SCF1", a_scf=b"SCF2" * 10) and fails("begins with SCF1", a_scf=b""))
    tap.check("a newer layout is refused", fails("expected version 1", a_scf=start(version=2)))
    (top / "a.scf").unlink()
    os.mkfifo(top / "a.scf")
    try:
        error = scree.Frames(top)
    except scree.Error as one:
        error = one
    tap.check("a FIFO is refused", str(error).endswith("a.scf: expected a file"), error)
    bad = [start() + block(b"FRAM", b"short"), start() + block(b"FRAM", b"short enough for step and time"), start() + block(b"SHAP", b"1"), block(b"SCF1", b"{}"), block(b"SCF1", b"{"),
           block(b"SCF1", start()[16:16]) + start(), start().replace(b"BODY", b"BUDY") + frame(8)]
    seen = [fails("the block", a_scf=one) for one in bad]
    tap.check("a whole block with bad contents is an error with its place", all(seen), seen)


def check_noise(top):
    """Whole blocks with wrong contents: an error with a place, or a frame, but nothing else."""
    seed = random.randrange(1 << 32)
    noise, seen, other = random.Random(seed), set(), []
    whole = start() + frame(8) + frame(16, high=True)
    blocks, at = [], 0
    while at < len(whole):
        kind, n = struct.unpack_from("<4sI", whole, at)
        blocks.append((kind, whole[at + 16:at + 16 + n]))
        at += 16 + n + -n % 8
    for _ in range(400):
        bad = [list(one) for one in blocks]
        one = noise.choice(bad[1:] if noise.random() < 0.9 else bad)
        payload = bytearray(one[1])
        for _ in range(noise.randint(1, 3)):
            payload[noise.randrange(len(payload))] = noise.choice((0, 1, 255, noise.randrange(256)))
        one[1] = bytes(payload[:noise.randint(0, len(payload))] if noise.random() < 0.2 else payload)
        (top / "a.scf").write_bytes(b"".join(block(*one) for one in bad))
        try:
            frames = scree.Frames(top)
            seen.add(len(frames))
            (frames.shapes, frames.groups, [(f.x, f.q, f.value("speed"), f.contact_force) for f in frames])
        except scree.Error:
            seen.add("error")
        except Exception as error:
            other.append(f"{one[0]}: {error!r}")
    tap.check("wrong contents of blocks are errors with a place", not other and "error" in seen and 2 in seen, (seed, other[:5], seen))


def check_plain(_top):
    if len(sys.argv) > 2:
        return
    for name in ("numpy", "no numpy"):
        code = "import sys; " + ("sys.modules['numpy'] = None; " if name == "no numpy" else "import numpy; ") + \
            f"sys.argv = {[__file__, sys.argv[1], 'inner']!r}; exec(open({__file__!r}).read())"
        for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
            result = subprocess.run([python, "-c", code], capture_output=True, text=True, timeout=60)
            if name == "numpy" and "No module named 'numpy'" in result.stderr:
                continue
            tap.check(f"the same with {name}, {python}", result.returncode == 0, result.stdout + result.stderr)


tap.in_folders(check_frame, check_tail, check_former, check_keep, check_faults, check_noise, check_plain)

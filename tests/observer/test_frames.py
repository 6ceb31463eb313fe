# SPDX-License-Identifier: Apache-2.0
"""Observer `frames`: its file, read by scree.Frames, shows what `csv` says of the same states.

usage: test_frames.py SCREE CROWD.cfg SOURCE_DIR FOLDER_OF_PLUGINS
"""
import json
import math
import pathlib
import resource
import signal
import subprocess
import sys

import scree
from common import command, environment, norm, run, table, tap, vector
from runs import call, launch, wait_for

SCREE, CROWD, SOURCE, PLUGINS = (pathlib.Path(a).resolve() for a in sys.argv[1:5])
EVERY, STEPS = 250, 2000
SHARE = 0.01  # of the smallest radius


def both(more="", **keys):
    """The observers frames and csv (bodies and contacts), at the same steps."""
    words = f"every_steps = {keys.pop('every', EVERY)};"
    return (f'f = {{ plugin = "frames"; {words} {more} }}; b = {{ plugin = "csv"; what = "bodies"; {words} }}; '
            f'c = {{ plugin = "csv"; what = "contacts"; {words} }};')


def angle(p, q):
    """Between two orientations [degrees]."""
    sign = 1 if sum(a * b for a, b in zip(p, q)) >= 0 else -1
    return math.degrees(4 * math.asin(min(1.0, norm([a - sign * b for a, b in zip(p, q)]) / 2)))


def compare(folder, walls=()):
    """The differences between the frames and the tables of a folder."""
    frames, differ = scree.Frames(folder), []
    bodies, contacts = table(folder / "bodies.csv"), table(folder / "contacts.csv") if (folder / "contacts.csv").is_file() else {}
    if [f.step for f in frames if f.n] != sorted(bodies):
        differ.append(("steps", frames.steps, sorted(bodies)))
    for k, frame in enumerate(frames):
        rows = {row["id"]: row for row in bodies.get(frame.step, [])}
        ids = [int(i) for i in frame.id]
        if sorted(ids) != sorted(rows) or ids != sorted(ids[:frame.n_free]) + sorted(ids[frame.n_free:]):
            differ.append((frame.step, "ids", ids))
            continue
        if not math.isclose(frame.time, rows[ids[0]]["time"], rel_tol=1e-15) if ids else False:
            differ.append((frame.step, "time"))
        differ += [(frame.step, *one) for one in compare_rows(frames, frame, rows, ids, walls)]
        if frames.header["contacts"]:
            differ += [(frame.step, *one) for one in compare_contacts(frame, contacts.get(frame.step, []), rows, ids)]
    return frames, differ


def compare_rows(frames, frame, rows, ids, walls):
    columns, q, free = frame.x, frame.q, slice(0, frame.n_free)
    smallest = min([rows[i]["radius"] for i in ids[free]], default=math.inf)
    speed = frame.value("speed")
    fastest = max((norm(vector(row, ("vx", "vy", "vz"))) for row in rows.values()), default=0.0)
    for r, i in enumerate(ids):
        row, is_free = rows[i], r < frame.n_free
        error = norm([columns[k][r] - row["xyz"[k]] for k in range(3)])
        if error > (SHARE * smallest if is_free else 0.0):
            yield "place", i, error, smallest
        is_ball = frames.shapes[int(frame.shape[r])].kind == "ball"
        if (not is_free or not is_ball) and angle(q[r], vector(row, ("qw", "qx", "qy", "qz"))) > (0.2 if is_free else 1e-5):
            yield "orientation", i, q[r], row
        if abs(speed[r] - norm(vector(row, ("vx", "vy", "vz")))) > fastest / 65534 + 1e-6 * fastest:
            yield "speed", i, speed[r]
        if frames.groups[int(frame.group[r])] != row["name"] or walls is not None and is_free != (row["name"] not in walls):
            yield "group", i
        if is_ball and not math.isclose(frame.scale[r], row["radius"], rel_tol=1e-6):
            yield "radius", i


def compare_contacts(frame, rows, bodies, ids):
    if not rows and not frame.n_contacts:
        return
    wanted = {(row["a"], row["b"], row["image_x"], row["image_y"], row["image_z"], round(row["depth"], 12)): row for row in rows
              if norm(vector(row, ("fx", "fy", "fz"))) > 0}
    sizes = sorted(norm(vector(row, ("fx", "fy", "fz"))) for row in wanted.values())
    if len(sizes) != frame.n_contacts:
        yield "contacts", len(sizes), frame.n_contacts
        return
    pairs = sorted((row["a"], row["b"]) for row in wanted.values())
    if pairs != sorted((ids[int(a)], ids[int(b)]) for a, b in zip(frame.contact_a, frame.contact_b)):
        yield "pairs", pairs
    images = sorted(vector(row, ("a", "b", "image_x", "image_y", "image_z")) for row in wanted.values())
    if images != sorted((ids[int(a)], ids[int(b)], (int(m) & 31) - 16, (int(m) >> 5 & 31) - 16, (int(m) >> 10 & 31) - 16)
                        for a, b, m in zip(frame.contact_a, frame.contact_b, frame.contact_image)):
        yield "images", images
    if any(abs(a - b) > sizes[-1] * 1e-5 for a, b in zip(sizes, sorted(frame.contact_force))):
        yield "forces", sizes, list(frame.contact_force)
    first = frame.n_contacts - frame.n_at_walls
    points = sorted([frame.contact_point[3 * k + j] + frame.lo[j] for j in range(3)] for k in range(frame.n_at_walls))
    at_walls = sorted(list(vector(row, "xyz")) for row in wanted.values()
                      if row["b"] in {ids[int(frame.contact_b[k])] for k in range(first, frame.n_contacts)})
    if len(points) != len(at_walls) or any(abs(p[0] - a[0]) > 1e-6 for p, a in zip(points, at_walls)):
        yield "points", points, at_walls
    values = frame.value("load"), frame.value("coordination")
    for r, i in enumerate(ids):
        own = [row for row in rows for end in "ab" if row[end] == i]
        load, touching = sum(norm(vector(row, ("fx", "fy", "fz"))) for row in own), sum(row["depth"] >= 0 for row in own)
        if abs(values[0][r] - load) > max(values[0]) * 1e-4 or abs(values[1][r] - touching) > max(values[1]) * 1e-4:
            yield "load", i, values[0][r], load, values[1][r], touching


VALUES = 'contacts = true; values = ["speed", "load", "coordination", "force"];'
WALLS = ("roof", "slope", "far", "post")


def check_crowd(top):
    result = run(SCREE, CROWD, top / "crowd", both(VALUES), "--threads", 1)
    tap.check("a scene with everything runs", result.returncode == 0, result.stderr)
    frames, differ = compare(top / "crowd", WALLS)
    tap.check("places are within 1 % of the smallest radius, walls exact; ids, speeds, groups, radii, contacts, loads are those of csv",
              not differ and len(frames) == STEPS // EVERY + 1 and frames[-1].n_contacts > 5 and any(f.n_at_walls for f in frames),
              differ[:3])
    counts = {frame.n for frame in frames}
    tap.check("bodies go, and the rows with them", len(counts) > 2, counts)
    tap.check("contacts across the periodic boundary say so", any(int(m) & 31 != 16 for f in frames for m in f.contact_image))
    tap.check("BODY is written only when bodies go, WALL when the roof moves", len({frames.mark(k, "BODY")[1] for k in range(len(frames))})
              <= len(counts) and len({frames.mark(k, "WALL")[1] for k in range(len(frames))}) == len(frames))
    roof = next(s for s in frames.shapes.values() if s.name == "roof")
    tap.check("a quad is two triangles of one facet", list(roof.facets) == [0, 0, 1] and list(roof.cells) == [0, 1, 2, 0, 2, 3, 3, 2, 4], roof)
    slope = next(s for s in frames.shapes.values() if s.name == "slope")
    tap.check("a plane has its normal", slope.kind == "plane" and max(abs(a - b) for a, b in zip(
        slope.points, (0, math.sqrt(.2), 2 * math.sqrt(.2)))) < 1e-6, slope)
    run(SCREE, CROWD, top / "bare", "")
    run(SCREE, CROWD, top / "other", both(VALUES), "--threads", 2, "--set", "gcd.plugin=dess")
    hashes = [json.loads((top / name / "summary.json").read_text())["state_sha256"] for name in ("crowd", "bare", "other")]
    tap.check("an observed run has the state of one that is not", len(set(hashes)) == 1, hashes)
    tap.check("threads and contact detection change no byte of the file",
              (top / "crowd/frames.scf").read_bytes() == (top / "other/frames.scf").read_bytes())
    return frames


def check_sizes(top):
    plain = run(SCREE, "bed", top / "bed", 'f = { plugin = "frames"; every_steps = 20; };', "--steps", 200)
    frames = scree.Frames(top / "bed")
    size = (top / "bed/frames.scf").stat().st_size / sum(f.n for f in frames)
    tap.check("a frame of balls has 8 to 14 bytes a body, with all that is written once", plain.returncode == 0 and 8 <= size <= 14, size)
    for bits, side in ((0, 1.0), (1, 1e-2), (2, 1.0)):
        folder = top / f"far{bits}"
        text = f"""scene = {{ dt = 1e-9; steps = 20; }}; materials = {{ g = {{ density = 2500.0; }}; }};
            generate = {{ beads = {{ plugin = "random"; count = 30; material = "g"; radius = {1e-2 if bits == 0 else 1e-6};
                region = {{ min = (0.0, 0.0, 0.0); max = ({side}, {side}, {side}); }}; velocity_random = 1.0; }}; }};
            force = ( {{ plugin = "linear"; kn = 1e3; }} ); gcd = {{ plugin = "grid"; }}; integrator = {{ plugin = "velocity_verlet"; }};"""
        (top / f"far{bits}.cfg").write_text(text)
        result = run(SCREE, top / f"far{bits}.cfg", folder, both(every=10))
        frames, differ = compare(folder)
        wide = frames[0].high
        tap.check(f"a box of {side / (1e-2 if bits == 0 else 1e-6):.0f} radii takes {(16, 24, 31)[bits]} bits",
                  result.returncode == 0 and not differ and (wide is None) == (bits == 0) and
                  (bits == 0 or wide.itemsize == bits), (result.stderr, differ[:2]))


def check_shapes(top):
    result = run(SCREE, "clumps", top / "clumps", both(), "--steps", 2000)
    frames, differ = compare(top / "clumps", ("tray1", "tray2", "tray3", "tube1", "tube2", "tube3"))
    last = frames[-1]
    far = max(angle(q, (1, 0, 0, 0)) for q in last.q[:last.n_free])
    tap.check("orientations of clumps are within 0.2 degrees", result.returncode == 0 and not differ and far > 5, (differ[:3], far))
    balls = [s for s in frames.shapes.values() if s.kind == "balls"]
    tap.check("clumps have their balls", sorted(len(s.points) for s in balls) == [8, 28], balls)
    result = run(SCREE, "polygons", top / "flat", both(every=20), "--steps", 40)
    frames, differ = compare(top / "flat", ("drum",))
    kinds = {s.kind for s in frames.shapes.values()}
    tap.check("2D: discs and polygons, with outlines", result.returncode == 0 and not differ and frames.header["dimension"] == 2 and
              "outline" in kinds, (differ[:3], kinds))
    result = run(SCREE, "tori", top / "tori", both(every=20), "--steps", 40)
    frames, differ = compare(top / "tori", ("first",))
    tap.check("solids have meshes", result.returncode == 0 and not differ and
              {s.kind for s in frames.shapes.values()} == {"mesh"}, differ[:3])


def check_changes(top):
    tilted, churn = SOURCE / "tests/scenes/tilted.cfg", SOURCE / "tests/scenes/churn.cfg"
    result = run(SCREE, tilted, top / "tilted", both(VALUES, every=10), "--steps", 50)
    frames, differ = compare(top / "tilted", ("floor", "plate"))
    tap.check("a tilted cell has its vectors", result.returncode == 0 and not differ and
              frames[0].cell_vectors == [(0.03, 0, 0), (0.009, 0.025, 0), (0, 0, 0)], (result.stderr, differ[:3], frames[0].cell_vectors))
    result = run(SCREE, churn, top / "churn", both(every=10), "--steps", 700)
    frames, differ = compare(top / "churn", None)
    free = {frozenset(int(i) for i in f.id[:f.n_free]) for f in frames}
    tap.check("bodies that come, go, are let go and get other numbers keep their rows by id", result.returncode == 0 and
              not differ and len(free) > 30, (result.stderr, differ[:3], len(free)))
    for word, more in (("grow", "rate = 80.0; fraction = 0.5;"), ("recast", "shape = 0;")):
        result = run(SCREE, SOURCE / "tests/scenes/state/growth.cfg", top / word, both(every=50), "--steps", 500, "--set",
                     f'modifiers={{m={{plugin="{word}"; {more}}};}}', env={**environment(), "SCREE_PLUGIN_PATH": str(PLUGINS)})
        frames, differ = compare(top / word, None)
        kinds = {tuple(getattr(f, "scale" if word == "grow" else "material")) for f in frames}
        tap.check(f"radii that grow or materials that change are in each frame: {word}", result.returncode == 0 and not differ and
                  len(kinds) > 2, (result.stderr, differ[:3], len(kinds)))
    result = run(SCREE, "gas", top / "gas", both(every=20), "--steps", 200, "--set", "renumber.every=20")
    frames, differ = compare(top / "gas", None)
    tap.check("equal bodies that only get other numbers keep their rows, and BODY is not written again", result.returncode == 0 and
              not differ and len({frames.mark(k, "BODY") for k in range(len(frames))}) == 1, (result.stderr, differ[:3]))
    few = """scene = { dt = 1e-4; steps = 1000; gravity = (0.0, 0.0, -9.81); region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 1.0); };
        boundary = "destroy"; }; materials = { g = { density = 2500.0; }; }; bodies = { a = { radius = 0.01; position = (0.5, 0.5, 0.01); };
        b = { radius = 0.02; position = (0.2, 0.5, 0.03); }; }; force = ( { plugin = "linear"; kn = 1e3; } );"""
    (top / "few.cfg").write_text(few)
    result = run(SCREE, top / "few.cfg", top / "few", both(every=100))
    frames, differ = compare(top / "few")
    tap.check("frames of no body at the end of a run", result.returncode == 0 and not differ and
              [f.n for f in frames][0] == 2 and frames[-1].n == 0, (result.stderr, differ[:3]))
    result = run(SCREE, "layers", top / "walls", both(every=5), "--steps", 20)
    frames, differ = compare(top / "walls", None)
    tap.check("frames of walls only", result.returncode == 0 and not differ and {(f.n, f.n_free) for f in frames} == {(6, 0)}, differ)


def check_keep(top):
    run(SCREE, "bed", top / "all", 'f = { plugin = "frames"; every_steps = 10; };', "--steps", 230)
    run(SCREE, "bed", top / "kept", 'f = { plugin = "frames"; every_steps = 10; keep = 5; file = "sub/last"; };', "--steps", 230)
    every, kept = scree.Frames(top / "all"), scree.Frames(top / "kept/sub/last.scf")
    n = len(kept)
    tap.check("keep = 5: the last 5 frames at least, in two files", 5 <= n <= 15 and kept.steps == every.steps[-n:] and
              [kept.raw(k) for k in range(n)] == [every.raw(k) for k in range(len(every) - n, len(every))] and
              sorted(p.name for p in (top / "kept/sub").iterdir()) == ["last.2.scf", "last.scf"], kept.steps)


def check_restart(top):
    """Killed at three moments, each time between two frames or in one, and continued from the last checkpoint."""
    churn, frames_ = SOURCE / "tests/scenes/churn.cfg", 'observers={f={plugin="frames"; every_steps=10; values=["speed","force"];};}'
    last = None
    for k in range(3):
        folder = top / f"part{k}"
        words = ["--restart", last] if last else [churn]
        process = launch(top, SCREE, "run", *words, "-q", "-o", folder, "--steps", 10**8, "--set", frames_, "--set",
                         "checkpoint.every_steps=50", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        first = scree.Frames(last).steps[-1] if last else 0

        def is_far():
            try:
                return scree.Frames(folder).steps[-1] > first + 73 + 40 * k
            except (scree.Error, IndexError):
                return False
        wait_for(is_far, process)
        process.kill()
        process.communicate()
        last = folder
    end = call(top, SCREE, "run", "--restart", last, "-q", "-o", top / "end", "--steps", 60)
    joined = scree.Frames(top / "end")
    steps = joined.steps
    whole = run(SCREE, churn, top / "whole", frames_[len("observers={"):-1], "--steps", steps[-1])
    undisturbed = scree.Frames(top / "whole")
    alike = [k for k in range(len(steps)) if joined.raw(k) == undisturbed.raw(k)]
    tap.check("a run killed three times and continued has each frame once, those of one that was not",
              end.returncode == whole.returncode == 0 and steps == undisturbed.steps and len(alike) == len(steps) > 20 and
              joined.missing is None, (end.stderr, steps, undisturbed.steps, joined.missing))
    own = [len(one.frames) for one in joined._own]
    tap.check("... in a file of its own per folder", own == [6], own)


def limit(size):
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply


def check_faults(top):
    run(SCREE, CROWD, top / "whole", f'f = {{ plugin = "frames"; every_steps = {EVERY}; }};')
    whole, size = scree.Frames(top / "whole"), (top / "whole/frames.scf").stat().st_size
    result = run(SCREE, CROWD, top / "none", f'f = {{ plugin = "frames"; {VALUES} }};', preexec_fn=limit(3000))
    left = sorted(p.name for p in (top / "none").iterdir())
    tap.check("a first frame that does not fit: status 1, its name and the reason, nothing left", result.returncode == 1 and
              "cannot write frames.scf: File too large" in result.stderr and left == ["scene.cfg"], (result.stderr, left))
    result = run(SCREE, CROWD, top / "some", f'f = {{ plugin = "frames"; every_steps = {EVERY}; }};', preexec_fn=limit(size * 2 // 3))
    kept = scree.Frames(top / "some")
    tap.check("a later one: the frames before it are kept, and no more bytes", result.returncode == 1 and
              "cannot write frames.scf: File too large" in result.stderr and 1 < len(kept) < len(whole) and
              [kept.raw(k) for k in range(len(kept))] == [whole.raw(k) for k in range(len(kept))] and
              (top / "some/frames.scf").stat().st_size == kept._own[0].end, (result.stderr, len(kept)))
    for words, text in (('values = ["speed", "spin", "force", "load", "coordination"];', "expected at most 4 names in `values` and `fields`, got 5"),
                        ('values = ["heat"];', 'values: expected speed, spin, force, load or coordination, got "heat"'),
                        ('values = ["spin", "spin"];', 'values: "spin" comes twice'), ('fields = ["heat"];', "heat"),
                        ('file = "";', 'file: expected a name of 1 to 2048 letters, got ""')):
        result = run(SCREE, CROWD, top / "refused", f'f = {{ plugin = "frames"; {words} }};')
        tap.check(f"{words} is refused", result.returncode == 2 and text in result.stderr, result.stderr)


def check_follow(top):
    process = launch(top, *command(SCREE, "bed", top / "on", "--steps", 10**8, "--set", 'observers={f={plugin="frames"; every_steps=1;};}'),
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: (top / "on/frames.scf.part").exists() and (top / "on/frames.scf.part").stat().st_size > 30000, process)
    frames, seen, whole = scree.Frames(top / "on"), [], True
    while len(seen) < 20 and process.poll() is None:
        if frames.follow():
            seen.append(len(frames))
            whole &= frames.steps == list(range(len(frames))) and frames[-1].n == 1506
    process.kill()
    process.wait()
    frames.follow()
    tap.check("a file is read while its run goes on, whole frames only, and after the run was killed", whole and len(seen) == 20 and
              seen == sorted(set(seen)) and frames.steps == list(range(len(frames))), seen)


tap.in_folders(check_crowd, check_sizes, check_shapes, check_changes, check_keep, check_restart, check_faults, check_follow)

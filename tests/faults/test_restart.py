# SPDX-License-Identifier: Apache-2.0
"""Runs that are killed, stopped, out of disk: they go on from the last good checkpoint, bit for bit.

usage: test_restart.py SCREE PLUGIN_DIR KILLS [kills]

KILLS runs are killed by SIGKILL, each at another moment; the seed of the moments is printed. The files of
each must lead to the state of a run that was not killed, or to a message that there is nothing to continue from.
With the word `kills` that is all.
"""
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import runs
import tap

SCREE, PLUGINS, KILLS = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), int(sys.argv[3])
STEPS, KILL_STEPS, LONG, ENDLESS = 600, 240, 6000, 100000000
SCENE = f"""
scene = {{ dt = 1.0e-5; steps = {STEPS}; gravity = (0.0, 0.0, -9.81);
    region = {{ min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }}; boundary = "periodic"; }};
materials = {{ glass = {{ density = 2500.0; }}; }};
generate = {{ beads = {{ method = "lattice"; count = 64; radius = 0.005;
    region = {{ min = (0.0, 0.0, 0.0); max = (0.05, 0.05, 0.05); }}; velocity_random = 2.0; }}; }};
force = ( {{ plugin = "linear"; kn = 1.0e5; restitution = 0.8; friction = 0.4; }} );
renumber = {{ every = 50; }};
"""
NOTHING_YET, NO_FOLDER_YET = "holds no checkpoint", "the file is missing"


def run(top, *args, **more):
    return runs.scree(top, "run", *args, **more)


def start(top, *args):
    return runs.start(top, "run", *args)


def state(result):
    found = re.search(r"^state_sha256 +(\w+)$", result.stdout, re.M)
    return found[1] if found else None


def kept(folder):
    return sorted((p for p in pathlib.Path(folder).glob("checkpoint-*.h5")),
                  key=lambda p: int(p.stem.split("-")[1]))


def wait_for(folder, n=1, limit=20.0):
    """Waits for the n-th checkpoint."""
    return runs.wait_for(lambda: len(kept(folder)) >= n, limit=limit)


def wait_for_scene(process, folder):
    """Waits until the first step is near."""
    while process.poll() is None and not (folder / "scene.cfg").exists():
        time.sleep(0.002)
    time.sleep(0.05)


def step_of(path):
    return int(path.stem.split("-")[1])


def test_kills(top, _):
    seed = int(os.environ.get("SCREE_TEST_SEED", time.time_ns() % 1000000))
    draw = random.Random(seed)
    print(f"# seed {seed} (SCREE_TEST_SEED)")
    resumed, none, over, steps, wrong = 0, 0, 0, set(), []
    often = ("--steps", KILL_STEPS, "--set", "checkpoint.every_steps=3")
    begin = time.monotonic()
    done = run(top, "scene.cfg", "-q", "-o", "timed", *often)
    reference = state(done)
    whole = time.monotonic() - begin
    shutil.rmtree(top / "timed")
    for k in range(KILLS):
        folder = top / f"killed-{k}"
        process = start(top, "scene.cfg", "-q", "-o", folder, *often)
        time.sleep(draw.uniform(0.0, 1.05 * whole))
        process.kill()
        process.communicate()
        over += process.returncode == 0
        result = run(top, "--restart", folder, "-q", "-o", top / "on", "--set", "checkpoint.every_steps=100000",
                     "--steps", KILL_STEPS - (step_of(kept(folder)[-1]) if kept(folder) else 0))
        shutil.rmtree(top / "on", ignore_errors=True)
        if not kept(folder) and result.returncode == 2 and (
                NOTHING_YET in result.stderr or NO_FOLDER_YET in result.stderr):
            none += 1
        elif result.returncode == 0 and state(result) == reference and "skipped" not in result.stderr:
            resumed += 1
            steps.add(step_of(kept(folder)[-1]))
        else:
            wrong.append((k, result))
        shutil.rmtree(folder, ignore_errors=True)
    print(f"# {KILLS} kills in a run of {whole:.2f} s: {resumed} went on, from {len(steps)} different steps; {none} had "
          f"nothing to go on from yet; {over} were over before; {len(wrong)} wrong")
    tap.check("a killed run goes on from its last checkpoint, to the state of the run that nobody killed",
              done.returncode == 0 and not wrong and resumed > KILLS / 4 and len(steps) > min(KILLS / 8, 20),
              wrong[:3])


def test_auto(top, _):
    """dt = "auto" is that of the start; after an entry of the schedule has acted, a changed scene gets its own."""
    (top / "auto.cfg").write_text('base = "scene.cfg";\nscene = { dt = "auto"; };\n'
                                  'schedule = ( { at_step = 20; set = { gcd = { plugin = "hgrid"; }; }; } );\n')
    first = json.loads(run(top, "auto.cfg", "--steps", "40", "-q", "--json", "-o", "auto").stdout)
    for key, value, factor in ((None, None, 1.0), ("force.0.kn", 1.0e7, 0.1), ("scene.dt_fraction", "0.01", None)):
        more = ("--set", f"{key}={value}") if key else ()
        on = json.loads(run(top, "--restart", "auto", "--steps", "5", "-q", "--json", *more).stdout or "{}")
        fresh = json.loads(run(top, "auto.cfg", "--steps", "5", "-q", "--json", *more).stdout)
        tap.check(f"dt of a run that goes on with {key or 'the same scene'} after a swap is that of a new run",
                  on.get("dt") == fresh["dt"] and (key is None) == (on["dt"] == first["dt"])
                  and (not factor or abs(on["dt"] / first["dt"] - factor) < 1e-9), (first, on, fresh))


def test_leftovers(top, _):
    """Keys of a base that another plugin on top has no use for are in neither scene."""
    (top / "below.cfg").write_text('base = "scene.cfg";\nobservers = { p = { plugin = "image"; every_steps = 50; colour = "speed"; }; };\n')
    (top / "above.cfg").write_text('base = "below.cfg";\nobservers = { p = { plugin = "csv"; }; };\n')
    run(top, "above.cfg", "--steps", "40", "-q", "-o", "over")
    result = run(top, "--restart", "over", "--steps", "5", "-q", "-o", "over-on")
    tap.check("nothing differs from the checkpoint", result.returncode == 0 and "differs" not in result.stderr, result)


def test_keep(top, reference):
    result = run(top, "scene.cfg", "-o", "keep", "--set", "checkpoint={every_steps=100; keep=3;}")
    names = [p.name for p in kept(top / "keep")]
    tap.check("the newest `keep` stay", names == [f"checkpoint-{n}.h5" for n in (400, 500, 600)], names)
    result = run(top, "--restart", "keep", "-q", "-o", "done")
    tap.check("when all steps are done, the user is asked how long",
              result.returncode == 2 and "all 600 steps of the scene are done" in result.stderr
              and not (top / "done").exists(), result)
    result = run(top, "scene.cfg", "--restart", "keep/checkpoint-400.h5", "--threads", "2", "-o", "rest",
                 "--set", "gcd.plugin=pairing")
    tap.check("without --steps it goes on to the scene's last step", state(result) == reference
              and "continues from keep/checkpoint-400.h5, step 400" in result.stderr, result)
    tap.check("what the scene has otherwise is listed",
              'differs from the checkpoint: gcd: not given, now a group' in result.stderr
              and "differs from the checkpoint: checkpoint: a group" in result.stderr, result)
    for option, time, folder in (("--for", "1 ms", "for"), ("--until", "7 ms", "until")):
        seen = json.loads(run(top, "--restart", "keep", option, time, "-q", "-o", folder, "--json").stdout or "{}")
        tap.check("--for counts from where it starts, --until from the start of the scene",
                  seen.get("steps") == 100 and abs(seen["time"] - 7e-3) < 1e-12, seen)
        tap.check("its last state is saved", [p.name for p in kept(top / folder)] == ["checkpoint-700.h5"], kept(top / folder))
    seen = json.loads(run(top, "--restart", "until", "--for", "1 ms", "-q", "-o", "more", "--json").stdout or "{}")
    tap.check("a run that ended by itself is continued", seen.get("steps") == 100 and abs(seen["time"] - 8e-3) < 1e-12
              and seen["state_sha256"] == state(run(top, "scene.cfg", "-q", "--steps", "800")), seen)
    result = run(top, "--restart", "keep", "--until", "1 ms", "-q", "-o", "past")
    tap.check("--until a moment that is past is refused, with the present one", result.returncode == 2
              and "the run is at 0.006 s already" in result.stderr and not (top / "past").exists(), result)
    result = run(top, "--restart", "keep", "--for", "1 ms", "-q", "-o", "unkept", "--set", "checkpoint={at_end=false;}")
    tap.check("at_end = false: the last state is not saved", result.returncode == 0 and not kept(top / "unkept"), result)
    broken = kept(top / "keep")[-1]
    broken.write_bytes(broken.read_bytes()[:-1000])
    result = run(top, "--restart", "keep", "-o", "older", "--steps", "100")
    tap.check("a broken one is named and skipped", state(result) == reference
              and "skipped keep/checkpoint-600.h5: expected" in result.stderr, result)
    result = run(top, "--restart", broken, "-o", "none")
    tap.check("named itself it is refused with the reason and status 2", result.returncode == 2 and re.search(r'expected \d+ bytes, got \d+', result.stderr)
              and not (top / "none").exists(), result)


def test_stop(top, reference):
    """Signals: one that ends the run, one that does not."""
    slow = ("--set", "generate.beads.count=200", "--set", "generate.beads.radius=0.003")
    whole = run(top, "scene.cfg", "-q", "-o", "whole", "--steps", LONG, *slow)
    for number in (signal.SIGTERM, signal.SIGINT):
        process = start(top, "scene.cfg", "-o", f"stop-{number}", "--steps", LONG, *slow, "--set",
                        "checkpoint.every_steps=20")
        wait_for(top / f"stop-{number}", 2)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        go_on = re.search(r"^scree: to continue: scree run (.*)$", err, re.M)
        tap.check(f"{number.name} saves the state and prints the command that goes on", process.returncode == 4
                  and go_on and f"stopped by {number.name}" in err, (process.returncode, err))
        result = run(top, *(go_on[1].split() if go_on else []), "-q", "-o", f"after-{number}")
        tap.check(f"which comes to the same state after {number.name}", state(whole) and state(result) == state(whole),
                  (result, whole))
    process = start(top, "scene.cfg", "-o", "asked", "--steps", ENDLESS, *slow)
    wait_for_scene(process, top / "asked")
    process.send_signal(signal.SIGUSR1)
    there = wait_for(top / "asked")
    saved = step_of(kept(top / "asked")[0])
    time.sleep(0.2)  # some steps more
    process.terminate()
    out, err = process.communicate(timeout=60)
    last = step_of(kept(top / "asked")[-1])
    tap.check("SIGUSR1 saves the state, and the run goes on", there and process.returncode == 4 and saved < last,
              (process.returncode, err))
    result = run(top, "--restart", f"asked/checkpoint-{saved}.h5", "-q", "-o", "asked-on", "--steps", last - saved)
    tap.check("what it saved is good", state(result) and state(result) in out, (result, out))
    process = start(top, "scene.cfg", "-o", "unsaved", "--steps", ENDLESS, *slow, "--set", "checkpoint.at_stop=false")
    wait_for_scene(process, top / "unsaved")
    process.terminate()
    out, err = process.communicate(timeout=60)
    tap.check("at_stop = false: nothing is saved, and the command is that from the start", process.returncode == 4
              and f"to run it again: scree run scene.cfg {' '.join(slow)} --set checkpoint.at_stop=false "
              f"--steps {ENDLESS}" in err
              and not kept(top / "unsaved"), err)


def test_full_disk(top, reference):
    claim = "a full disk: the run goes on, the older ones stay and are good"
    result = run(top, "scene.cfg", "-o", "limited", "--set", "checkpoint.every_steps=200", preexec_fn=limit)
    tap.check("a file that may not grow: checkpoints that fail in a row give a warning at the first and one at the end, "
              "and the run goes on", result.returncode == 0
              and state(result) == reference and result.stderr.count("is not saved: cannot write limited/check") == 1
              and result.stderr.count("cannot write limited/check") == 2
              and "the last 3 checkpoints failed, that of step 600" in result.stderr
              and not kept(top / "limited"), result)
    disk = top / "disk"
    disk.mkdir()
    if not shutil.which("mount") or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=384k", "none", str(disk)],
                                                   capture_output=True).returncode:
        tap.skip(claim, "no file system can be mounted here")
        return
    try:
        result = run(top, "scene.cfg", "-o", "disk/out", "--set", "checkpoint={every_steps=50; keep=20;}")
        there = kept(disk / "out")
        (disk / "out/scene.cfg").unlink()
        on = run(top, "--restart", "disk/out", "-o", "from-disk")
        tap.check(claim, state(result) == reference and result.returncode in (0, 1) and 0 < len(there) < 12
                  and "No space left on device; there is still disk/out/checkpoint" in result.stderr
                  and state(on) == reference and "skipped" not in on.stderr, (result, there, on))
        tap.check("no part of what did not fit is left", {p.name for p in (disk / "out").iterdir()}
                  <= {p.name for p in there} | {"summary.json", "manifest.json"}, list((disk / "out").iterdir()))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def limit():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))


def test_plugins(top, reference):
    folder = top / "plugins"
    folder.mkdir()
    for path in (PLUGINS / "force").glob("linear*.so"):
        (folder / path.name).write_bytes(path.read_bytes() + b"another build")
        (folder / path.name).chmod(0o755)
    run(top, "scene.cfg", "-q", "-o", "before", "--steps", "300", "--set", "checkpoint.every_steps=300")
    result = run(top, "--plugin-path", folder, "--restart", "before", "-q", "-o", "changed")
    tap.check("a plugin whose file is another one: both hashes, status 3", result.returncode == 3
              and re.search(r"force/linear: expected the file with SHA-256 \w{64} .*, got \w{64} ", result.stderr)
              and "--allow-plugin-change" in result.stderr and not (top / "changed").exists(), result)
    result = run(top, "--plugin-path", folder, "--restart", "before", "-q", "-o", "allowed", "--allow-plugin-change")
    tap.check("--allow-plugin-change goes on, and says so", state(result) == reference
              and "note: force/linear: expected the file with" in result.stderr, result)
    shapes = top / "shapes"
    shapes.mkdir()
    for path in (PLUGINS / "shape").glob("sphere*.so"):
        (shapes / path.name).write_bytes(path.read_bytes() + b"another build")
        (shapes / path.name).chmod(0o755)
    result = run(top, "--plugin-path", shapes, "--restart", "before", "-q", "-o", "changed")
    tap.check("a plugin of shapes too", result.returncode == 3 and "--allow-plugin-change" in result.stderr
              and re.search(r"shape/sphere: expected the file with SHA-256 \w{64} .*, got \w{64} ", result.stderr), result)
    result = run(top, "scene.cfg", "--restart", "before", "-q", "-o", "other", "--set", "generate.beads.count=63")
    tap.check("other bodies: status 2, named", result.returncode == 2
              and "group beads starts with 64 bodies, with 63 in the scene" in result.stderr, result)


def test_repeat(top, reference):
    run(top, "scene.cfg", "-q", "-o", "model", "--set", "gcd.plugin=pairing")
    (top / "scene.cfg").rename(top / "gone.cfg")
    result = run(top, "--repeat", "model/manifest.json", "-q", "-o", "again")
    tap.check("--repeat does the run again, without its files", state(result) == reference
              and f"it repeats: state_sha256 {reference}" in result.stderr, result)
    (top / "gone.cfg").rename(top / "scene.cfg")
    manifest = json.loads((top / "model/manifest.json").read_text())
    plugin = manifest["plugins"][0]
    tap.check("a manifest names plugins with path, build-id and hash, compiler, flags, CPU level, threads",
              all(isinstance(plugin[k], str) for k in ("path", "sha256", "cpu_level", "version"))
              and (plugin["build_id"] is None or re.fullmatch(r"[0-9a-f]{16,}", plugin["build_id"]))
              and manifest["threads"] == 1 and manifest["compiler"] and manifest["flags"] and manifest["cpu_level"],
              manifest)
    shapes = [p for p in manifest["plugins"] if p["kind"] == "shape"]
    run(top, "scene.cfg", "--set", 'query={gcd={plugin="grid";};}', "--steps", "1", "-q", "-o", "questions")
    asked = [p["id"] for p in json.loads((top / "questions/manifest.json").read_text())["plugins"] if p["slot"] == "query.gcd"]
    tap.check("the contact detection that answers questions about space too", asked == ["grid"], asked)
    run(top, "scene.cfg", "--set", 'gcd={plugin="auto";}', "--steps", "1", "-q", "-o", "nested")
    slots = [p["slot"] for p in json.loads((top / "nested/manifest.json").read_text())["plugins"]]
    tap.check("and the plugins that plugins own", {"gcd", "gcd.first", "gcd.second", "gcd.third"} <= set(slots), slots)
    used = [p["kind"] for p in manifest["plugins"] if p["slot"] != "query.gcd"]
    ends = [kind for kind in used if kind in ("shape", "source")]
    tap.check("the plugins of its shapes and sources too, after the others", "shape" in ends and used[-len(ends):] == ends
              and all(p["slot"].startswith("shapes.") and re.fullmatch("[0-9a-f]{64}", p["sha256"]) for p in shapes)
              and "sphere" in [p["id"] for p in shapes], manifest["plugins"])
    older = dict(manifest, plugins=[p for p in manifest["plugins"] if p["kind"] not in ("shape", "source")
                                   and p["slot"] != "query.gcd"])
    (top / "older.json").write_text(json.dumps(older))
    result = run(top, "--repeat", "older.json", "-q", "-o", "older-again")
    tap.check("a manifest without them, of an older host, repeats too", state(result) == reference
              and "differs from" not in result.stderr, result)
    shapes[0]["sha256"] = "1" * 64
    manifest["scene"]["overrides"].append({"folder": str(top), "assignment": "generate.beads.velocity_random=2.1"})
    plugin["sha256"] = "0" * 64
    (top / "other.json").write_text(json.dumps(manifest))
    result = run(top, "--repeat", "other.json", "-q", "-o", "differs")
    first, last = (result.stderr.find(x) for x in ("differs from the manifest: gcd/pairing (gcd): expected 000",
                                                   "it does not repeat: expected state_sha256"))
    tap.check("what does not repeat: status 1, both hashes, plugins that differ first",
              result.returncode == 1 and 0 <= first < last and reference in result.stderr
              and f"differs from the manifest: shape/{shapes[0]['id']} ({shapes[0]['slot']}): expected 111"
              in result.stderr, result)
    run(top, "scene.cfg", "-q", "-o", "half", "--steps", "300", "--set", "checkpoint.every_steps=300")
    run(top, "--restart", "half", "-q", "-o", "second")
    result = run(top, "--repeat", "second/manifest.json", "-q", "-o", "second-again")
    tap.check("a run that went on from a checkpoint repeats from there", "it repeats" in result.stderr, result)
    (top / "bad.json").write_text('{"steps": -1}')
    result = run(top, "--repeat", "bad.json")
    tap.check("a file that is not a manifest: status 2 and why", result.returncode == 2
              and "bad.json is not the manifest of a run, manifest.json of its folder: expected the key scree with a text"
              in result.stderr, result)
    result = run(top, "--repeat", "scene.cfg")
    tap.check("a scene is not a manifest: the message names the place", result.returncode == 2
              and "scene.cfg is not the manifest of a run, manifest.json of its folder: line 2:5: " in result.stderr, result)
    for what, text in (("a million brackets", "[" * 1000000), ("a million pairs of brackets", "[" * 1000000 + "]" * 1000000),
                       ("a million open objects", '{"a":' * 1000000), ("nothing", ""), ("no UTF-8", '{"a": "\xff"}'),
                       ("a plugin of another type", (top / "model/manifest.json").read_text().replace('"slot": "gcd"', '"slot": []'))):
        (top / "bad.json").write_text(text, encoding="latin-1")
        result = run(top, "--repeat", "bad.json")
        tap.check(f"a manifest of {what}: status 2 and why", result.returncode == 2 and "bad.json" in result.stderr
                  and "expected" in result.stderr + "expected" * ("slot" in result.stderr), result)
    for args in (("--repeat", "model/manifest.json", "--steps", "5"), ("--allow-plugin-change", "scene.cfg"), ()):
        result = run(top, *args)
        tap.check(f"{' '.join(args) or 'no scene'}: status 2", result.returncode == 2, result)


def test_schedule(top, _):
    """Plugins that the schedule has switched come again, with dormant fields, before the state does."""
    two = 'force=({plugin="linear"; kn=1.0e5; restitution=0.8; friction=0.4;}, {plugin="linear"; kn=1.0e4; friction=0.2;});'
    one = 'force=({plugin="linear"; kn=1.0e5; restitution=0.8; friction=0.4;});'
    schedule = ("--set", f'schedule=({{at_step=100; set={{gcd={{plugin="pairing";}}; {two}}};}}, {{at_step=300; '
                f'set={{{one}}};}}, {{when="step >= 450"; set={{gcd={{plugin="grid";}}; {two}}};}})')
    whole = run(top, "scene.cfg", *schedule, "-q", "-o", "switched")
    for cut in (60, 100, 200, 300, 310, 450, 500):
        run(top, "scene.cfg", *schedule, "-q", "-o", f"sw-{cut}", "--steps", cut, "--set",
            f"checkpoint.every_steps={cut}")
        result = run(top, "--restart", f"sw-{cut}", "-q", "-o", f"sw-on-{cut}")
        tap.check(f"cut at step {cut}, the schedule comes to the same state", state(whole)
                  and state(result) == state(whole), (whole, result))
    stiffer = ("--set", "scene.dt=\"auto\"", "--set", "schedule=({at_step=100; set={force=({plugin=\"linear\"; "
               "kn=4.0e5; restitution=0.8; friction=0.4;});};})")
    whole = run(top, "scene.cfg", *stiffer, "-q", "-o", "stiffer")
    run(top, "scene.cfg", *stiffer, "-q", "-o", "stiffer-200", "--steps", 200, "--set", "checkpoint.every_steps=200")
    result = run(top, "--restart", "stiffer-200", "-q", "-o", "stiffer-on")
    tap.check("dt = auto is that of the start, though the schedule has brought a stiffer law",
              state(whole) and state(result) == state(whole), (whole, result))
    live = ("--set", "schedule=({at_step=100; set={force={kn=1.1e5;};};})")
    run(top, "scene.cfg", *live, "-q", "-o", "live-200", "--steps", 200, "--set", "checkpoint.every_steps=200")
    result = run(top, "--restart", "live-200", "-q", "-o", "live-on", "--steps", 10)
    tap.check("a group of the schedule without a plugin is the same one after a restart", result.returncode == 0
              and "differs from the checkpoint" not in result.stderr, result)
    result = run(top, "scene.cfg", *schedule, "--restart", "sw-310", "-q", "-o", "sw-other",
                 "--set", "schedule.0.at_step=101")
    tap.check("what has acted and is not in the given scene is named", result.returncode == 0 and
              "schedule[0] (at_step 100) acted before the checkpoint, but is missing in this scene" in result.stderr,
              result)


def main():
    fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=fast) as name:
        top = pathlib.Path(name)
        (top / "scene.cfg").write_text(SCENE)
        whole = run(top, "scene.cfg", "-q", "--json")
        seen = json.loads(whole.stdout)
        reference = seen["state_sha256"]
        tap.check("the reference run has contacts", seen["contacts_at_end"] > 0, seen)
        all_tests = (test_kills, test_keep, test_stop, test_full_disk, test_plugins, test_repeat,
                     test_schedule, test_auto, test_leftovers)
        for test in all_tests[:1] if sys.argv[4:] == ["kills"] else all_tests:
            test(top, reference)


tap.finish(main)

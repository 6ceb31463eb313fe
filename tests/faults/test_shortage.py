# SPDX-License-Identifier: Apache-2.0
"""Short of memory, descriptors, processes or stack: status 1 and one true line, never a signal.

usage: test_shortage.py SCREE FAILS.so [LIMITS]

LIMITS limits of memory are tried for each scene and number of threads, spread by a seed that is printed
between what the program needs to start and what the whole run takes; then the same in a run under way.
"""
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

import runs
import tap

SCREE, FAILS = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
LIMITS = int(sys.argv[3]) if len(sys.argv) > 3 else 10
LINE = re.compile(r"^scree: out of memory: asked for (\d+ bytes|less than a page) for .+ \(bodies: \d+(, step \d+)?\)$",
                  re.M)
PLUGIN = re.compile(r"^scree: .*\(out of memory, -2\)$", re.M)  # a plugin that says so itself
SHORT = re.compile(r"^scree: (.*: )?out of resources: ", re.M)

HEAD = """scene = { dt = 1.0e-5; steps = %d; gravity = (0.0, 0.0, -9.81);
    region = { min = (0.0, 0.0, 0.0); max = (0.4, 0.4, 0.4); }; boundary = ("stop", "stop", "stop"); };
materials = { glass = { density = 2500.0; }; };
force = ( { plugin = "linear"; kn = 1.0e5; restitution = 0.8; } );
"""
SCENES = {
    "many": HEAD % 5 + """generate = { beads = { method = "lattice"; count = 20000; radius = 0.005; }; };
observers = { t = { plugin = "csv"; what = "bodies"; every_steps = 2; };
    v = { plugin = "vtk"; every_steps = 2; }; h = { plugin = "hdf5"; every_steps = 2; }; };
checkpoint = { every_steps = 3; };
""",
    "grows": HEAD % 40 + """bodies = { one = { radius = 0.005; position = (0.2, 0.2, 0.2); }; };
modifiers = { feed = { plugin = "insert"; number_rate = 2.0e7; every_steps = 1; body = { radius = 0.002; }; }; };
observers = { t = { plugin = "csv"; every_steps = 1; }; r = { plugin = "mass_flow"; every_steps = 1;
    point = (0.2, 0.2, 0.2); normal = (0.0, 0.0, 1.0); }; };
""",
}


def environment(**more):
    env = runs.environment(**more)
    env.pop("MALLOC_PERTURB_", None)
    return env


def limited(*pairs):
    def limit():
        for what, n in pairs:
            resource.setrlimit(what, (n, n))
    return limit


def run(top, *args, limits=(), user=None, env=None):
    return runs.scree(top, "run", "-q", *args, env=env or environment(), user=user, preexec_fn=limited(*limits))


def is_honest(result):
    """Done, or status 1 with the line; before main there is the dynamic linker, which has its own."""
    said = LINE.search(result.stderr) or PLUGIN.search(result.stderr) or SHORT.search(result.stderr)
    return result.returncode == 0 or (result.returncode == 1 and bool(said)) or (
        result.returncode == 127 and "error while loading shared libraries" in result.stderr)


def least(top, *args):
    """[bytes] Within a MiB, what the run takes."""
    low, high = 1 << 24, 1 << 32
    while high - low > 1 << 20:
        middle = (low + high) // 2
        with tempfile.TemporaryDirectory(dir=top) as out:
            done = run(top, *args, "-o", out, limits=[(resource.RLIMIT_AS, middle)]).returncode == 0
        low, high = (low, middle) if done else (middle, high)
    return high


def test_limits(top):
    seed = int.from_bytes(os.urandom(4), "little")
    print(f"# seed {seed}")
    draw = random.Random(seed)
    start = least(top, "--help")
    for name, text in SCENES.items():
        (top / f"{name}.cfg").write_text(text)
        for threads in (1, 2):
            args = (f"{name}.cfg", "--threads", threads)
            most = least(top, *args)
            bad, lines = [], 0
            for k in range(LIMITS):
                limit = draw.randrange(start, most + (1 << 20))
                result = run(top, *args, "-o", f"{name}-{threads}-{k}", limits=[(resource.RLIMIT_AS, limit)])
                lines += result.returncode == 1
                if not is_honest(result):
                    bad.append((limit, result.returncode, result.stderr[-500:]))
            tap.check(f"{name}, {threads} threads: too little memory is status 1 and a line that says how much for what",
                      not bad and (lines > 0 or LIMITS < 10), (start, most, lines, bad[:3]))


def test_names(top):
    """The memory grows with the scene, and the line names the part of it."""
    (top / "wide.cfg").write_text(SCENES["many"].replace("20000", "400000").replace("radius = 0.005", "radius = 0.0005"))
    room = least(top, "--help")
    # Where the plugins end and the bodies begin depends on the sizes of the libraries: one of these limits is there.
    results = [run(top, "wide.cfg", limits=[(resource.RLIMIT_AS, room + (mega << 20))]) for mega in (12, 14, 16, 18, 20, 22, 24)]
    said = [LINE.search(result.stderr) for result in results]
    tap.check("the line names the group of the scene, its bodies and the bytes", all(r.returncode == 1 for r in results)
              and any(s and re.search(r"asked for \d{6,} bytes for .*\bgenerate\.beads\b.* \(bodies: \d{5,}\)", s.group())
                      for s in said), results)


def test_too_many(top):
    """A number of bodies that does not fit is refused by its line, before a source works on it."""
    (top / "crowd.cfg").write_text(HEAD % 5 + 'generate = { beads = { plugin = "random"; shape = "sphere"; radius = "10 um";\n  count = 20000000; }; };\n')
    line = (top / "crowd.cfg").read_text().count("\n")
    for words in (("crowd.cfg",), ("crowd.cfg", "--set", "generate.beads.count=50000000")):
        result = run(top, *words, "-o", "crowd", limits=[(resource.RLIMIT_AS, 3 << 30)])
        place, n = (f"crowd.cfg:{line}", 20) if len(words) == 1 else ("--set", 50)
        tap.check(f"{n} million bodies are refused by their line: status 2, and what they need", result.returncode == 2 and re.search(
            f"{place}: generate.beads.count: {n}000000 bodies need {n * 0.3:.3g} GB of memory or more, [0-9.]+ GB are left\n", result.stderr), result)
    (top / "share.cfg").write_text(HEAD % 5 + """generate = { beads = { plugin = "random"; shape = "sphere"; radius = "1 mm"; fraction = 0.3;
  region = { min = (0.0, 0.0, 0.0); max = (1.0, 1.0, 0.4); }; }; };""")
    result = run(top, "share.cfg", "-o", "share", limits=[(resource.RLIMIT_AS, 3 << 30)])
    tap.check("a fraction that takes too many for the memory is refused as early", result.returncode == 2 and re.search(
        r"generate.beads: a fraction of 0.3 takes 2.86e\+07 bodies, which need 8.59 GB of memory or more", result.stderr), result)


def test_under_way(top):
    """A limit that comes while the run is on."""
    bad, lines = [], 0
    (top / "on.cfg").write_text(SCENES["grows"].replace("steps = 40", "steps = 400"))
    for k in range(max(4, LIMITS // 2)):
        process = runs.start(top, "--no-parent", "run", "on.cfg", "-q", "-o", f"on-{k}", "--threads", 1 + k % 2, env=environment(),
                             stdout=subprocess.DEVNULL)
        part = top / f"on-{k}/scalars.csv.part"
        while process.poll() is None and not (part.exists() and part.stat().st_size > 300 * (k + 1)):
            time.sleep(0.001)
        try:
            now = int(re.search(r"VmSize:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text()).group(1))
            resource.prlimit(process.pid, resource.RLIMIT_AS, ((now << 10) + 4096 * k,) * 2)
        except (AttributeError, ProcessLookupError, FileNotFoundError):
            pass  # it has ended
        _, err = process.communicate(timeout=100)
        lines += process.returncode == 1
        if not (process.returncode in (0, 1) and (process.returncode == 0 or LINE.search(err) or PLUGIN.search(err))):
            bad.append((process.returncode, err[-500:]))
        rows = (part if part.exists() else part.with_suffix("")).read_text()
        if not rows.endswith("\n"):
            bad.append(("torn table", rows[-100:]))
    tap.check("a limit of memory that comes in mid-run: the line, and the rows until then", not bad and lines > 1,
              (lines, bad[:3]))


def test_plugins_memory(top):
    """Each allocation of the plugins fails once."""
    (top / "few.cfg").write_text(SCENES["many"].replace("20000", "500").replace("steps = 5", "steps = 3")
                                 + 'integrator = { plugin = "velocity_verlet"; };')
    for gcd in ("grid", "dess", "sort_update", "lbvh"):
        bad, k, ended = [], 0, 0
        while k < 200:
            k += 1 if k < 8 else 1 + 200 // max(LIMITS, 1)
            result = run(top, "few.cfg", "-o", f"few-{gcd}-{k}", "--set", f'gcd={{plugin="{gcd}";}}',
                         env=environment(LD_PRELOAD=str(FAILS), FAILS="malloc", FAILS_AT=str(k)))
            ended += result.returncode == 1
            if result.returncode == 0:
                break
            if not (result.returncode == 1 and "memory" in result.stderr):
                bad.append((k, result.returncode, result.stderr[-400:]))
        tap.check(f"gcd/{gcd} and its fellows: a failed allocation of a plugin is an error of status 1, and no crash",
                  not bad and ended > 4, (ended, bad[:3]))


def test_descriptors(top):
    (top / "files.cfg").write_text(SCENES["many"].replace("20000", "100"))
    results = [run(top, "files.cfg", "-o", f"files-{n}", limits=[(resource.RLIMIT_NOFILE, n)]) for n in range(4, 48, 3)]
    bad = [r for r in results if r.returncode not in (0, 1) or (r.returncode == 1 and not re.search(
        "Too many open files|cannot open shared object", r.stderr))]
    tap.check("too few descriptors: status 1 and the truth, not an error of the scene or of a plugin",
              not bad and results[0].returncode == 1, bad[:2])


def test_processes(top):
    if os.geteuid() != 0:
        tap.skip("too few processes", "another user is needed, whose processes are few")
        return
    top.parent.chmod(0o755)
    top.chmod(0o777)
    probe = run(top, "--help", user=12345)
    if probe.returncode != 0:
        tap.skip("too few processes", "another user cannot start scree here")
        return
    (top / "users.cfg").write_text(SCENES["many"].replace("20000", "100"))
    bad = []
    for n in range(1, 5):
        result = run(top, "users.cfg", "-o", f"users-{n}", "--oversubscribe", "--threads", 3, user=12345,
                     limits=[(resource.RLIMIT_NPROC, n)])
        if result.returncode not in (0, 1) or (result.returncode == 1 and "Resource temporarily" not in result.stderr):
            bad.append(result)
    tap.check("too few processes: status 1 and the truth", not bad and result is not None, bad[:2])


def test_stack(top):
    (top / "deep.cfg").write_text(SCENES["many"].replace("20000", "100"))
    for size in (64, 256, 1024):
        result = run(top, "deep.cfg", "-o", f"deep-{size}", "--threads", 2,
                     limits=[(resource.RLIMIT_STACK, size << 10)])
        honest = result.returncode == 0 or (result.returncode == 1 and "ulimit -s" in result.stderr)
        tap.check(f"a stack of {size} KiB: done, or status 1 and the limit named", honest
                  and (result.returncode == 0) == (size == 1024), result)


tap.in_folders(test_limits, test_names, test_too_many, test_under_way, test_plugins_memory, test_descriptors, test_processes,
               test_stack)

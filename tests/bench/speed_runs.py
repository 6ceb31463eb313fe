# SPDX-License-Identifier: Apache-2.0
"""Measuring for speed.py: the machine, dem_bench on beds, the peers' driver; rows of raw results."""
import csv
import gzip
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE / "dem"))
import adapter  # noqa: E402
import flows  # noqa: E402

LEVELS = ("baseline", "x86-64-v3")
REST = ("pose", "modify", "edit", "energy", "observe", "save", "wait", "other")  # shown as one
PHASES = ("gcd", "order", "resolve", "gather", "force", "sum", "integrate", *REST, "total")
RESULTS = ("loop_s", "rebuilds", "contacts", "list_pairs", "ke", "zc", "rss_bytes")
RUN_COLUMNS = ("bed", "tiles", "n", "threads", "level", "force_every", "rep", "warm", "steps",
               *RESULTS, *PHASES, "sha256")
PEER_COLUMNS = ("workload", "code", "rep", "n", "steps", "loop_s", "mps", "rebuilds", "contacts",
                "list_pairs", "pair_s", "neigh_s", "rss_mb", "wall_s", "ke", "zc", "rss_bytes", *PHASES)
FLOW_COLUMNS = ("workload", "rep", "code", "n", "walls", "steps", "sliding", "loop_s", "mps", "rebuilds", "contacts",
                "list_pairs", "ke", "zc", "rss_bytes", *PHASES)
BORDER_COLUMNS = ("rep", "line", "inlined", "plugin", "ratio")

# Workloads and codes, besides scree, that the driver of the peers runs. Only for sizes that differ LAMMPS has a
# second list of neighbours, "multi".
PEER_SETS = ((("bed-1k", "bed-10k", "bed-100k", "bed-10k-r20", "gas-10k"), ("lammps",)),
             (("poly-bed-r20", "poly-gas"), ("lammps", "lammps-multi")))
# Sizes of the scaling runs: a bed of the peers and how often it is laid side by side along x and y.
TILES = (("bed-1k", 1, 1), ("bed-1k", 2, 2), ("bed-10k", 1, 1), ("bed-10k", 2, 2), ("bed-100k", 1, 1),
         ("bed-100k", 2, 2), ("bed-100k", 5, 2))
TILES_BUNDLED = (("bed-1k", 1, 1), ("bed-1k", 2, 2), ("bed-1k", 5, 2), ("bed-1k", 8, 5),
                 ("bed-1k", 10, 10), ("bed-1k", 20, 20), ("bed-1k", 40, 25))
FLOW_SEEDS, FLOW_STEPS = (1, 2, 3), 20_000
BODY_STEPS = 15_000_000   # of one run that is timed: some 2 s
BRIEF_BODY_STEPS = 100_000
ATTEMPTS = 3              # of the peers' driver on a workload


def say(text):
    print(text, file=sys.stderr, flush=True)


# ------------------------------------------------------------------------------------------ tables
def write_rows(path, columns, rows, made):
    """A table; its first line says how it was made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("# " + "; ".join(f"{key}={value}" for key, value in made.items()) + "\n")
        writer = csv.DictWriter(file, columns, delimiter="\t", restval="nan", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


# ------------------------------------------------------------------------------------- the machine
def told_by(*words):
    """The output of a program, or "" if it is missing or fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def read_text(path):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def commit():
    """The commit of the sources; a plus if files other than those that speed.py writes differ from it."""
    git = ("git", "-C", str(ROOT))
    name = told_by(*git, "rev-parse", "--short=10", "HEAD")
    changed = [line for line in told_by(*git, "status", "--porcelain", "-uno").splitlines()
               if not re.search(r"tests/bench/results/|docs/explanation/speed|speed\.md\.in", line)]
    return (name or "unknown") + ("+" if changed else "")


def caches(cpu):
    """{"cache L1d": "32 KiB, shared by CPUs 0", ...}"""
    found = {}
    for at in sorted(pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/cache").glob("index*")):
        kind = {"Data": "d", "Instruction": "i"}.get(read_text(at / "type"), "")
        size = read_text(at / "size").replace("K", " KiB").replace("M", " MiB")
        found[f"cache L{read_text(at / 'level')}{kind}"] = \
            f"{size}, CPUs {read_text(at / 'shared_cpu_list')}"
    return found


def build_facts(build):
    """Compiler and options of the build; the level that the host picks."""
    path = build / "meson-info/intro-buildoptions.json"
    options = {o["name"]: o["value"] for o in json.loads(path.read_text(encoding="utf-8"))}
    told = subprocess.run([build / "core/scree", "run", ROOT / "configs/collision.cfg", "--steps", "1",
                           "--json", "-q"], cwd=build, env=environment(), text=True, check=True,
                          stdin=subprocess.DEVNULL, capture_output=True)
    told = json.loads(told.stdout)
    return {"compiler": told["machine"]["compiler"], "flags": told["machine"]["flags"],
            "c_args": " ".join(options["c_args"]) or "none", "buildtype": options["buildtype"],
            "optimization": options["optimization"], "sanitizers": options["b_sanitize"],
            "CPU level": told["cpu_level"], "levels built": options["levels"]}


def machine_facts(options):
    memory = re.search(r"MemTotal:\s+(\d+)", read_text("/proc/meminfo"))
    name = re.search(r"^model name\s*:\s*(.*)$", read_text("/proc/cpuinfo"), re.M)
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', read_text("/etc/os-release"), re.M)
    facts = {"date": time.strftime("%Y-%m-%d"), "commit": commit(),
             "CPU": name.group(1) if name else "unknown", "CPUs": str(os.cpu_count())}
    facts |= caches(options.cpu)
    facts |= {"memory": f"{int(memory.group(1)) / 1048576.0:.1f} GiB" if memory else "unknown",
              "kernel": f"{os.uname().sysname} {os.uname().release}",
              "system": system.group(1) if system else "unknown"}
    lammps = re.search(r"LAMMPS - (.*)|Simulator - (.*)", told_by(os.environ.get("DEM_LMP", "lmp"), "-h"))
    facts |= {"LAMMPS": next(filter(None, lammps.groups()))} if lammps else {}
    facts |= build_facts(options.build)
    facts |= {"brief": "yes"} if options.brief else {}
    facts |= {"pinned to CPU": str(options.cpu), "repetitions": str(options.reps),
              "load before": f"{os.getloadavg()[0]:.2f}"}
    return facts


# ------------------------------------------------------------------------------- one run of dem_bench
def environment(**more):
    """Without what changes plugins or levels."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCREE_")}
    return env | {"LC_ALL": "C", "OMP_NUM_THREADS": "1"} | more


def parse_output(text):
    """RESULT and LEDGER lines of dem_bench as {"loop_s": 1.5, "gcd": 0.1, ...}."""
    row = {}
    for line in text.splitlines():
        word, key, value = line.split()
        if word not in ("RESULT", "LEDGER"):
            raise ValueError(f"dem_bench: {line!r}")
        row[key.lower()] = value if key == "SHA256" else float(value)
    return row


def check_finite(row):
    missing = [key for key in (*RESULTS, *PHASES) if not abs(row.get(key, float("inf"))) < 1e300]
    if missing:
        raise ValueError(f"dem_bench: no number for {', '.join(missing)}")


def pinned(cpus, words, **more):
    done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False, preexec_fn=lambda: os.sched_setaffinity(0, cpus),
                          **more)
    if done.returncode:
        sys.exit(f"speed.py: {' '.join(map(str, words))}: exit status {done.returncode}\n"
                 f"{done.stdout}{done.stderr}")
    return done.stdout


# ------------------------------------------------------------------------------------------- beds
def read_state(path):
    """(box, rows of x y z vx vy vz radius) of a gzip'd state."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        box = [float(v) for v in file.readline().split()[2:8]]
        file.readline()
        return box, [[float(v) for v in line.split()[1:8]] for line in file]


def tile(box, rows, columns, lines):
    """Box and rows of the bed laid side by side, `columns` along x and `lines` along y. Neighbours are
    mirror images in the wall that they shared: what touched the wall now touches its image there."""
    wide, deep = box[1] - box[0], box[3] - box[2]

    def lay():
        for line in range(lines):
            for column in range(columns):
                for x, y, z, vx, vy, vz, radius in rows:
                    if column % 2:
                        x, vx = box[0] + box[1] - x, -vx
                    if line % 2:
                        y, vy = box[2] + box[3] - y, -vy
                    yield x + column * wide, y + line * deep, z, vx, vy, vz, radius
    return [box[0], box[0] + columns * wide, box[2], box[2] + lines * deep, *box[4:]], lay()


class Beds:
    """Scenes of beds, written to a scratch folder when they are first wanted, and their runs."""

    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.jobs = {"bed-1k": json.loads((HERE / "dem/bed-1k.json").read_text(encoding="utf-8"))}
        self.jobs["bed-1k"]["state"] = HERE / "dem/bed-1k.txt.gz"
        if options.peers:
            workloads = json.loads((options.peers / "workloads.json").read_text(encoding="utf-8"))
            self.jobs = {name: job | {"workload": name, "state": options.peers / job["state"]}
                         for name, job in workloads.items()}
        self.scenes = {}

    def names(self):
        """The beds that are there."""
        every = ("bed-1k", "bed-10k", "bed-100k")
        return ("bed-1k",) if self.options.brief else tuple(n for n in every if n in self.jobs)

    def scene(self, bed, columns, lines):
        """(path of the scene, number of bodies)"""
        key = (bed, columns, lines)
        if key not in self.scenes:
            box, rows = read_state(self.jobs[bed]["state"])
            n = columns * lines * len(rows)
            box, rows = tile(box, rows, columns, lines)
            table = self.scratch / f"{bed}-{columns}x{lines}.txt"
            with open(table, "w", encoding="utf-8") as file:
                file.write("# id x y z vx vy vz radius\n")
                file.writelines(f"{k + 1} {' '.join(map(repr, row))}\n" for k, row in enumerate(rows))
            path = table.with_suffix(".cfg")
            path.write_text(adapter.scene(self.jobs[bed] | {"box": box}, table), encoding="utf-8")
            self.scenes[key] = path, n
        return self.scenes[key]

    def forget(self, *key):
        """Removes the files of a scene."""
        path, _ = self.scenes.pop(key)
        path.unlink()
        path.with_suffix(".txt").unlink()

    def steps(self, n):
        """(warm-up, steps) for a bed of n bodies, both multiples of 20."""
        wanted = BRIEF_BODY_STEPS if self.options.brief else BODY_STEPS
        steps = max(40, 20 * round(wanted / n / 20))
        return max(20, steps // 200 * 20), steps

    def run(self, bed, rep, columns=1, lines=1, steps=None, threads=1, level="", force_every=0,
            cpus=None, hashed=True, settings=()):
        """One run; a row of RUN_COLUMNS."""
        scene, n = self.scene(bed, columns, lines)
        warm, steps = steps or self.steps(n)
        words = [self.options.build / "tests/bench/dem_bench", scene, warm, steps, "--threads", threads]
        words += ["--force-every", force_every] if force_every else []
        words += ["--hash"] if hashed else []
        words += settings
        env = environment(**{"SCREE_CPU_LEVEL": level} if level else {})
        row = parse_output(pinned(cpus or {self.options.cpu}, words, env=env))
        check_finite(row)
        row |= {"bed": bed, "tiles": f"{columns}x{lines}", "n": n, "threads": threads, "level": level,
                "force_every": force_every, "rep": rep, "warm": warm, "steps": steps}
        say(f"{bed} {columns}x{lines}: {n} bodies, {threads} thread(s), {level or 'best level'}, "
            f"{steps} steps, {row['rebuilds']:.0f} refreshes: {row['total']:.1f} ns")
        return {key: f"{v:.10g}" if isinstance(v, float) else v for key, v in row.items()
                if key in RUN_COLUMNS}


# ---------------------------------------------------------------------------------------- sections
def measure_levels(options, beds):
    """Both CPU levels in turn, where the build has both (-Dlevels=all), on each bed; the ledger is that of the
    better one."""
    every = options.facts["levels built"] == "all" and options.facts["CPU level"] == LEVELS[1]
    levels = LEVELS if every else (options.facts["CPU level"],)
    return [beds.run(bed, rep, level=level) for rep in range(options.reps) for bed in beds.names()
            for level in levels]


def measure_threads(options, beds):
    """One thread and two in turn, on the largest bed."""
    cpus = sorted(os.sched_getaffinity(0) - {options.cpu})[:1]
    if not cpus:
        say("threads: left out, there is one CPU")
        return None
    bed = beds.names()[-1]
    columns = 1 if bed == "bed-100k" else 2 if options.brief else 10
    return [beds.run(bed, rep, columns, columns, threads=threads,
                     cpus={options.cpu, *cpus[:threads - 1]})
            for rep in range(options.reps) for threads in (1, 2)]


def measure_scaling(options, beds):
    """Each size as the run itself refreshes; every other repetition also refreshed every 20 steps."""
    rows = []
    tiles = TILES if "bed-100k" in beds.jobs else TILES_BUNDLED
    for key in tiles[:2] if options.brief else tiles:
        for rep in range(options.reps):
            rows += [beds.run(key[0], rep, *key[1:], force_every=every, hashed=False)
                     for every in ((0, 20) if rep % 2 == 0 else (0,))]
        beds.forget(*key)
    return rows


def parse_border(text, rep):
    """Rows of BORDER_COLUMNS from the BORDER lines of border_bench."""
    found = re.findall(r"^BORDER inlined (\S+) plugin (\S+) ratio (\S+)", text, re.M)
    if not found:
        raise ValueError(f"border_bench: no BORDER line: {text!r}")
    return [dict(zip(BORDER_COLUMNS, (rep, line, *map(float, values))))
            for line, values in enumerate(found)]


def measure_border(options, beds):
    """A law inlined into a host and the same law in a .so: what border_bench finds."""
    program = options.build / "tests/bench/border_bench"
    if options.brief or not program.exists():
        say(f"border: left out, {'it is not brief' if options.brief else f'there is no {program}'}")
        return None
    rows = []
    for rep in range(options.reps):
        told = pinned({options.cpu}, [program], env=environment())
        say(told.strip())
        rows += parse_border(told, rep)
    return rows


def measure_flows(options, _):
    """Each flow from the states of its seeds, LAMMPS and scree in turns; a repetition is a seed."""
    if flows.missing():
        say(f"flows: left out, no program {flows.missing()}")
        return None
    os.environ |= {"DEM_SCREE": str(options.build / "core/scree"),
                   "DEM_BENCH": str(options.build / "tests/bench/dem_bench")}
    small = {"bodies": 600, "fall": 0.01} if options.brief else {}
    rows = []
    for seed in FLOW_SEEDS[:1] if options.brief else FLOW_SEEDS:
        for name in flows.FLOWS:
            pair = flows.measure(name, seed, 20 if options.brief else FLOW_STEPS, 100, options.cpu, **small)
            say(flows.line_of(*pair))
            rows += [{key: f"{v:.10g}" if isinstance(v, float) else v for key, v in row.items()
                      if key in FLOW_COLUMNS} for row in pair]
    return rows


def run_driver(options, scratch, workload, codes):
    """The driver's own rows, and its facts about the machine; (None, "") if a run failed."""
    logs, out = scratch / "logs", scratch / "out"
    for folder in (logs, out):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    wrapper = f"{shlex.quote(str(HERE / 'dem/adapter.py'))} --log {shlex.quote(str(logs))}"
    env = environment(DEM_EXTRA=f"scree={wrapper}", CODES=",".join((*codes, "scree")), OUT=str(out),
                      WORKLOADS=workload, REPS=str(options.reps), TMPDIR=str(scratch),
                      DEM_CPU=str(options.cpu), DEM_BENCH=str(options.build / "tests/bench/dem_bench"))
    if subprocess.run(["bash", str(options.peers / "run.sh")], env=env, check=False,
                      stdout=subprocess.DEVNULL).returncode:
        return None, ""
    with open(out / "results.tsv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    told = sorted(logs.iterdir(), key=lambda path: path.stat().st_mtime_ns)
    for row, log in zip([row for row in rows if row["code"] == "scree"], told, strict=True):
        own = parse_output(log.read_text(encoding="utf-8"))
        check_finite(own)
        row |= {key: f"{own[key]:.10g}" for key in (*PHASES, "rss_bytes", "ke", "zc")}
    return rows, (out / "machine.txt").read_text(encoding="utf-8")


def measure_peers(options, scratch):
    """scree and LAMMPS in turn, in one run of the driver per workload; again when one of its runs fails,
    as a process does that a busy machine kills."""
    rows = []
    sets = ((workload, codes) for workloads, codes in PEER_SETS for workload in workloads)
    for workload, codes in [next(sets)] if options.brief else sets:
        for attempt in range(1, ATTEMPTS + 1):
            found, machine = run_driver(options, scratch, workload, codes)
            if found:
                break
            say(f"{workload}: the driver of the peers failed, attempt {attempt} of {ATTEMPTS}")
        else:
            sys.exit("speed.py: the driver of the peers failed")
        rows += found
        note_driver(options.facts, machine)
    return rows


def note_driver(facts, machine):
    """Versions and memory bandwidth (the best seen) from the driver's account of the machine."""
    for name, version in re.findall(r"^(lammps) (\S+)$", machine, re.M):
        facts[name] = version
    for size, speed in re.findall(r"^triad \S+ MiB=(\S+) GBps=(\S+)", machine, re.M):
        key = f"triad {size} MiB"
        if float(size) > 0.1:  # below that it times the clock
            best = max(float(speed), float(facts.get(key, "0").split()[0]))
            facts[key] = f"{best:.1f} GB/s"

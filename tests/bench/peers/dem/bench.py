#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times LAMMPS, LIGGGHTS, YADE, and programs that DEM_EXTRA names, on the same workloads; see README.md.

  bench.py states [-w W1,W2] make states/*.txt.gz (needs lmp; 8 minutes for all)
  bench.py run [-r REPS] [-w W1,W2] [-c CODE,CODE] [-o results.tsv]
  bench.py table results.tsv
"""
import argparse
import gzip
import hashlib
import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CPU = int(os.environ.get("DEM_CPU", "0"))
LMP = os.environ.get("DEM_LMP", "lmp")
LIG = os.environ.get("DEM_LIGGGHTS", "liggghts")
YADE = os.environ.get("DEM_YADE", "yade")
TIMEOUT = float(os.environ.get("DEM_TIMEOUT", "900"))
WL = json.load(open(os.path.join(HERE, "workloads.json")))

# code name -> (kind, options)
CODES = {
    "lammps":        ("lammps",   {"nstyle": "bin"}),
    "lammps-multi":  ("lammps",   {"nstyle": "multi"}),
    "liggghts":      ("liggghts", {"nstyle": "bin"}),
    # no liggghts-multi: in 3.8.0 that neighbour style silently finds no pairs
    "yade":          ("yade",     {"law": "visc"}),
    "yade-cs":       ("yade",     {"law": "cundall"}),
}
# A master and one worker: DEM_ESYS=1 pins both processes to CPU, DEM_ESYS=2 frees them.
if os.environ.get("DEM_ESYS"):
    CODES["esys-2p"] = ("esys", {"free": os.environ["DEM_ESYS"] == "2"})
if os.environ.get("DEM_LMP_NATIVE"):
    CODES["lammps-native"] = ("lammps", {"nstyle": "bin", "exe": os.environ["DEM_LMP_NATIVE"]})
    CODES["lammps-native-multi"] = ("lammps", {"nstyle": "multi", "exe": os.environ["DEM_LMP_NATIVE"]})
for spec in filter(None, os.environ.get("DEM_EXTRA", "").split(";")):
    name, eq, cmd = spec.partition("=")
    if not (name and eq and cmd):
        sys.exit("DEM_EXTRA: %r is not name=command" % spec)
    CODES[name] = ("extra", {"cmd": cmd})


def check_state(name):
    """A state of the tables, or another one? That depends on LAMMPS and the C library."""
    with gzip.open(os.path.join(HERE, WL[name]["state"]), "rb") as f:
        seen = hashlib.sha256(f.read()).hexdigest()
    known = dict(reversed(line.split()) for line in open(os.path.join(HERE, "states.sha256")))
    sys.stderr.write("%s: %s\n" % (WL[name]["state"], "that of the tables" if seen == known[name] else
                                  "not that of the tables, rates may differ a little"))


def is_missing(name):
    return not os.path.exists(os.path.join(HERE, WL[name]["state"]))


def make_missing_states(workloads):
    needed = {WL[w]["state"] for w in workloads}
    for name in STATES:
        if WL[name]["state"] in needed and is_missing(name):
            sys.stderr.write("making %s with LAMMPS\n" % WL[name]["state"])
            cmd_states(argparse.Namespace(w=name, missing=False))


def read_state(path):
    with gzip.open(os.path.join(HERE, path), "rt") as f:
        box = [float(v) for v in f.readline().split()[2:8]]
        f.readline()
        rows = [tuple(float(v) for v in l.split()) for l in f]
    return box, rows


def write_state(path, box, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as f:
        f.write(("# box " + " ".join("%.10g" % v for v in box) + "\n").encode())
        f.write(b"# id x y z vx vy vz radius\n")
        for r in rows:
            f.write(("%d %s\n" % (r[0], " ".join("%.10g" % v for v in r[1:]))).encode())


def write_data(path, box, rows, density):
    """LAMMPS/LIGGGHTS data file; type 2 = radius above 3x the smallest."""
    rmin = min(r[7] for r in rows)
    with open(path, "w") as f:
        f.write("dem state\n\n%d atoms\n2 atom types\n\n" % len(rows))
        for k, a in enumerate("xyz"):
            f.write("%.10g %.10g %slo %shi\n" % (box[2 * k], box[2 * k + 1], a, a))
        f.write("\nAtoms\n\n")
        for r in rows:
            f.write("%d %d %.10g %g %.11g %.11g %.11g\n"
                    % (r[0], 2 if r[7] > 3 * rmin else 1, 2 * r[7], density, r[1], r[2], r[3]))
        f.write("\nVelocities\n\n")
        for r in rows:
            f.write("%d %.10g %.10g %.10g 0 0 0\n" % (r[0], r[4], r[5], r[6]))


def spawn(cmd, d, cwd=None, cpus=None):
    """Run cmd pinned to CPU; return (exit code, max RSS in MB, output, wall s)."""
    e = dict(os.environ, OMP_NUM_THREADS="1")
    # ru_maxrss survives exec, so a child of this (large) process would report OUR peak:
    # let time(1), a small process, fork it and report the program's own.
    rssf = os.path.join(d, "rss")
    if not os.path.exists("/usr/bin/time"):
        raise SystemExit("needs /usr/bin/time (apt-get install time)")
    cmd = ["/usr/bin/time", "-f", "%M", "-o", rssf] + cmd
    t0 = time.monotonic()
    log = open(os.path.join(d, "out.log"), "wb")
    p = subprocess.Popen(cmd, cwd=cwd or d, env=e, stdout=log, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, start_new_session=True,
                         preexec_fn=lambda: os.sched_setaffinity(0, cpus or {CPU}))
    while True:
        pid, st = os.waitpid(p.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() - t0 > TIMEOUT:
            os.killpg(p.pid, signal.SIGKILL)    # its own group: mpirun's children too
            os.waitpid(p.pid, 0)
            return -9, 0, "", time.monotonic() - t0
        time.sleep(0.05)
    log.close()
    with open(os.path.join(d, "out.log"), errors="replace") as f:
        return os.waitstatus_to_exitcode(st), float(open(rssf).read().split()[-1]) / 1024.0, f.read(), time.monotonic() - t0


def lammps_vars(w, box, extra):
    v = dict(kn=w["kn"], kt=w["kt"], gn=w["gn"], gt=w["gt"], mu=w["mu"], g=w["g"], dt=w["dt"],
             skin=w["skin"], warm=w["warm"], steps=w["steps"],
             every=w.get("force_every", 1), check="no" if "force_every" in w else "yes")
    for k, n in enumerate(("xlo", "xhi", "ylo", "yhi", "zlo", "zhi")):
        v[n] = box[k]
    v.update(extra)
    out = []
    for k, x in v.items():
        out += ["-var", k, "%.12g" % x if isinstance(x, float) else str(x)]
    return out


def num(pat, s, d=float("nan"), last=True):
    m = re.findall(pat, s)
    return float(m[-1 if last else 0]) if m else d


def parse_lammps(s):
    """LAMMPS and LIGGGHTS logs; the timed section sits between two markers."""
    a, b = s.find("\nTIMED_BEGIN"), s.find("\nTIMED_END")
    t, tail = s[a:b], s[b:]
    r = {"loop_s": num(r"Loop time of (\S+)", t), "rebuilds": num(r"Neighbor list builds = (\S+)", t)}
    for key, pats in (("pair_s", [r"\nPair\s*\|\s*[\d.e+-]+\s*\|\s*([\d.e+-]+)", r"Pair\s+time \(%\) = (\S+)"]),
                      ("neigh_s", [r"\nNeigh\s*\|\s*[\d.e+-]+\s*\|\s*([\d.e+-]+)", r"Neigh\s+time \(%\) = (\S+)"])):
        for p in pats:
            if re.search(p, t):
                r[key] = num(p, t)
                break
    m = re.search(r"\n *Step +Atoms[^\n]*\n((?: *[-\d.e+naif]+)+) *\nLoop", tail)
    if m:
        c = m.group(1).split()
        r.update(ke=float(c[2]), contacts=float(c[3]) / 2, zc=float(c[4]))
    r["list_pairs"] = num(r"Total # of neighbors = (\S+)", t)
    return r


def run_one(wname, code, keep=None):
    w, (kind, opt) = WL[wname], CODES[code]
    box, rows = read_state(w["state"])
    d = tempfile.mkdtemp(prefix="dem-peer-")
    try:
        if kind in ("lammps", "liggghts"):
            deck = kind + ".in"
            shutil.copy(os.path.join(HERE, deck), d)
            write_data(os.path.join(d, "state.data"), box, rows, w["density"])
            ex = {"data": "state.data", "nstyle": opt["nstyle"]}
            if kind == "lammps":
                ex["pair"] = opt.get("pair", "gran/hooke/history")
            exe = opt.get("exe", LMP if kind == "lammps" else LIG)
            rc, rss, out, wall = spawn([exe, "-in", deck, "-log", "none"] + lammps_vars(w, box, ex), d)
            r = parse_lammps(out)
        elif kind in ("yade", "esys"):
            deck = kind + "_run.py"
            shutil.copy(os.path.join(HERE, deck), d)
            job = dict(w, box=box, law=opt.get("law"))
            with open(os.path.join(d, "state.txt"), "w") as f:
                for x in rows:
                    f.write(" ".join("%.11g" % v for v in x) + "\n")
            json.dump(job, open(os.path.join(d, "job.json"), "w"))
            if kind == "yade":
                rc, rss, out, wall = spawn([YADE, "-n", "-x", "-j1", deck], d)
            else:
                rc, rss, out, wall = spawn(["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca",
                                            "mpi_yield_when_idle", "1", "-np", "2", "esysparticle", deck], d,
                                           cpus=set(range(os.cpu_count())) if opt["free"] else None)
            r = {k.lower(): float(v) for k, v in re.findall(r"^RESULT (\S+) (\S+)", out, re.M)}
        else:
            job = dict(w, workload=wname, box=box, state=os.path.join(HERE, w["state"]))
            json.dump(job, open(os.path.join(d, "job.json"), "w"))
            rc, rss, out, wall = spawn(["sh", "-c", opt["cmd"] + " " + os.path.join(d, "job.json")], d, cwd=os.getcwd())
            r = {k.lower(): float(v) for k, v in re.findall(r"^RESULT (\S+) (\S+)", out, re.M)}
        if rc != 0 or "loop_s" not in r or math.isnan(r["loop_s"]):
            sys.stderr.write("FAILED %s %s rc=%s\n%s\n" % (wname, code, rc, out[-1500:]))
            return None
        if keep:
            with open(keep, "w") as f:
                f.write(out)
        r.update(n=len(rows), steps=r.get("steps", w["steps"]), rss_mb=rss, wall_s=wall)
        r["mps"] = r["n"] * r["steps"] / r["loop_s"] / 1e6
        return r
    finally:
        shutil.rmtree(d, ignore_errors=True)


COLS = ["workload", "code", "rep", "n", "steps", "loop_s", "mps", "rebuilds", "contacts", "list_pairs",
        "pair_s", "neigh_s", "rss_mb", "wall_s", "ke", "zc"]


def cmd_run(a):
    ws = a.w.split(",") if a.w else list(WL)
    cs = a.c.split(",") if a.c else list(CODES)
    for x, known, what in [(x, WL, "workload") for x in ws] + [(x, CODES, "code") for x in cs]:
        if x not in known:
            sys.exit("no %s %r; there are: %s" % (what, x, ", ".join(known)))
    if CPU not in os.sched_getaffinity(0):
        sys.exit("DEM_CPU=%d is not one of the cores allowed here: %s" % (CPU, sorted(os.sched_getaffinity(0))))
    for c in [c for c in cs if CODES[c][0] in ("lammps", "liggghts", "yade")]:
        exe = CODES[c][1].get("exe", {"lammps": LMP, "liggghts": LIG, "yade": YADE}[CODES[c][0]])
        if not shutil.which(exe):
            if a.c:
                sys.exit("%s: no program %r" % (c, exe))
            sys.stderr.write("%s left out: no program %r\n" % (c, exe))
            cs.remove(c)
    make_missing_states(ws)
    failed = 0
    out = open(a.o, "a" if a.append else "w")
    if not a.append or out.tell() == 0:
        out.write("\t".join(COLS) + "\n")
    for rep in range(a.r):          # repetitions outermost: spreads slow drift over all codes
        for wn in ws:
            for c in cs:
                if c.endswith("-multi") and not wn.startswith("poly") and not a.c:
                    continue
                if c == "yade-cs" and wn != "bed-10k" and not a.c:
                    continue
                if CODES[c][0] in ("yade", "esys") and "force_every" in WL[wn]:
                    continue        # no fixed rebuild cadence there
                r = run_one(wn, c)
                if r is None:
                    failed += 1
                    continue
                r.update(workload=wn, code=c, rep=rep)
                out.write("\t".join(("%.6g" % r[k] if isinstance(r.get(k), float) else str(r.get(k, "nan"))) for k in COLS) + "\n")
                out.flush()
                sys.stderr.write("%-13s %-20s rep %d  %7.3f Mps/s  loop %.2f s  rebuilds %g  contacts %g  rss %.0f MB\n"
                                 % (wn, c, rep, r["mps"], r["loop_s"], r.get("rebuilds", float("nan")), r.get("contacts", float("nan")), r["rss_mb"]))
    out.close()
    cmd_table(argparse.Namespace(file=a.o))
    if failed:
        sys.exit("%d runs failed" % failed)


def cmd_table(a):
    rows = [dict(zip(COLS, l.rstrip("\n").split("\t"))) for l in open(a.file).readlines()[1:]]
    print("%-13s %-20s %3s %8s  %-15s %8s %9s %8s %6s %6s %7s %11s %11s" % ("workload", "code", "rep", "Mps/s", "(min-max)", "rebuilds", "contacts", "pairs", "pair%", "neigh%", "RSS MB", "ke J", "zc m"))
    keys = []
    for r in rows:
        if (r["workload"], r["code"]) not in keys:
            keys.append((r["workload"], r["code"]))
    order = list(WL)
    keys.sort(key=lambda k: order.index(k[0]))
    for k in keys:
        g = [r for r in rows if (r["workload"], r["code"]) == k]
        m = [float(r["mps"]) for r in g]
        med = lambda c: statistics.median(float(r[c]) for r in g)
        pct = lambda c: 100 * statistics.median(float(r[c]) / float(r["loop_s"]) for r in g)
        f = lambda v, p: "-" if math.isnan(v) else p % v
        print("%-13s %-20s %3d %8.3f  %-15s %8s %9s %8s %6s %6s %7s %11s %11s" % (
            k[0], k[1], len(g), statistics.median(m), "(%.3f-%.3f)" % (min(m), max(m)),
            f(med("rebuilds"), "%.0f"), f(med("contacts"), "%.0f"), f(med("list_pairs"), "%.0f"),
            f(pct("pair_s"), "%.0f"), f(pct("neigh_s"), "%.0f"), f(med("rss_mb"), "%.0f"),
            f(med("ke"), "%.5g"), f(med("zc"), "%.6g")))


# ---------------------------------------------------------------- states
def lattice(box, s, jit, rng, big=(), rbig=0.0, r=0.0):
    nx = [int((box[2 * k + 1] - box[2 * k] - 2 * (r + jit)) / s) + 1 for k in range(3)]
    cells = {}
    for b in big:
        cells.setdefault(tuple(int(v / (2 * rbig)) for v in b), []).append(b)
    lim = (r + rbig + 2 * jit) ** 2
    for iz in range(nx[2]):
        for iy in range(nx[1]):
            for ix in range(nx[0]):
                p = [box[0] + r + jit + s * ix, box[2] + r + jit + s * iy, box[4] + r + jit + s * iz]
                ok = True
                if big:
                    c = [int(v / (2 * rbig)) for v in p]
                    for dx in (-1, 0, 1):
                        for dy in (-1, 0, 1):
                            for dz in (-1, 0, 1):
                                for b in cells.get((c[0] + dx, c[1] + dy, c[2] + dz), ()):
                                    if sum((p[k] - b[k]) ** 2 for k in range(3)) < lim:
                                        ok = False
                if ok:
                    yield [p[k] + rng.uniform(-jit, jit) for k in range(3)]


def make_initial(n, r, box, s, jit, vsig, seed, nbig=0, rbig=0.0, subset=False):
    rng = random.Random(seed)
    big = []
    while len(big) < nbig:
        p = [rng.uniform(box[2 * k] + rbig, box[2 * k + 1] - rbig) for k in range(3)]
        if all(sum((p[k] - q[k]) ** 2 for k in range(3)) > (2 * rbig) ** 2 for q in big):
            big.append(p)
    pts = list(lattice(box, s, jit, rng, big, rbig, r))
    if len(pts) < n:
        raise SystemExit("only %d of %d sites" % (len(pts), n))
    if subset:                      # drop random sites, keep the lattice order
        drop = set(rng.sample(range(len(pts)), len(pts) - n))
        pts = [p for i, p in enumerate(pts) if i not in drop]
    rows = [(i + 1, *p, 0.0, 0.0, 0.0, rbig) for i, p in enumerate(big)]
    for p in pts[:n]:
        rows.append((len(rows) + 1, *p, *(rng.gauss(0, vsig) for _ in range(3)), r))
    return rows


STATES = {  # n r box s jit vsig seed nbig rbig subset | mode dt n1 n2 g1 visc1 visc2 skin nstyle workload
    "bed-1k":   dict(i=(1000, 5e-4, [0, .010, 0, .010, 0, .016], 1.045e-3, 2e-5, .3, 1), mode="bed", dt=4e-6, n1=6000, n2=20000, g1=98.1, v1=100., v2=1500., skin=2e-4),
    "bed-10k":  dict(i=(10000, 5e-4, [0, .020, 0, .020, 0, .036], 1.045e-3, 2e-5, .3, 2), mode="bed", dt=4e-6, n1=6000, n2=12000, g1=98.1, v1=100., v2=1500., skin=2e-4),
    "bed-100k": dict(i=(100000, 5e-4, [0, .040, 0, .040, 0, .080], 1.045e-3, 2e-5, .3, 3), mode="bed", dt=4e-6, n1=7000, n2=8000, g1=98.1, v1=100., v2=1500., skin=2e-4),
    "poly-bed": dict(i=(40000, 2e-4, [0, .012, 0, .012, 0, .036], 4.2e-4, 9e-6, .3, 4, 40, 2e-3), mode="bed", dt=1e-6, n1=16000, n2=10000, g1=98.1, v1=100., v2=3000., skin=1e-4),
    "gas-10k":  dict(i=(10000, 5e-4, [0, .02594, 0, .02594, 0, .02594], 1.17e-3, 8e-5, 1., 5, 0, 0., True), mode="gas", dt=2e-6, n1=4000, n2=0, g1=0., v1=0., v2=0., skin=2e-4),
    "poly-gas": dict(i=(20000, 2e-4, [0, .01497, 0, .01497, 0, .01497], 4.6e-4, 2e-5, 1., 6, 20, 2e-3, True), mode="gas", dt=5e-7, n1=4000, n2=0, g1=0., v1=0., v2=0., skin=8e-5),
}


def cmd_states(a):
    for name in (a.w.split(",") if a.w else STATES):
        if a.missing and not is_missing(name):
            continue
        s, w = STATES[name], WL[name]
        box = s["i"][2]
        rows = make_initial(*s["i"])
        m = w["density"] * 4 / 3 * math.pi * s["i"][1] ** 3
        d = tempfile.mkdtemp(prefix="dem-peer-")
        try:
            shutil.copy(os.path.join(HERE, "settle.in"), d)
            write_data(os.path.join(d, "state.data"), box, rows, w["density"])
            ex = dict(data="state.data", nstyle="multi" if "poly" in name else "bin", mode=s["mode"], dt=s["dt"], n1=s["n1"], n2=s["n2"],
                      g1=s["g1"], visc1=m * s["v1"], visc2=m * s["v2"], vscale=1000.0, skin=s["skin"], out="final.dump",
                      gn=0.0 if s["mode"] == "gas" else float(w["gn"]))
            t0 = time.time()
            rc, rss, out, wall = spawn([LMP, "-in", "settle.in", "-log", "none"] + lammps_vars(w, box, ex), d)
            sys.stderr.write(out[-2500:] if rc else "\n".join(l for l in out.splitlines() if re.match(r"^ +\d+ ", l)) + "\n")
            if rc:
                raise SystemExit("settle failed " + name)
            res = []
            for l in open(os.path.join(d, "final.dump")):
                v = l.split()
                if len(v) == 8 and v[0].isdigit():
                    v = [float(x) for x in v]
                    if s["mode"] == "bed":
                        v[4:7] = [0.0, 0.0, 0.0]
                    res.append(tuple(v))
            if s["mode"] == "bed":  # keep a little head room only
                box = box[:5] + [math.ceil(1000 * (max(r[3] + r[7] for r in res) + 1e-3)) / 1000]
            assert len(res) == len(rows), (len(res), len(rows))
            write_state(os.path.join(HERE, w["state"]), box, res)
            sys.stderr.write("%s: %d particles, %.0f s\n" % (name, len(res), time.time() - t0))
            check_state(name)
        finally:
            shutil.rmtree(d, ignore_errors=True)


p = argparse.ArgumentParser()
sp = p.add_subparsers(dest="cmd", required=True)
q = sp.add_parser("states")
q.add_argument("-w")
q.add_argument("--missing", action="store_true", help="only those that are not there")
q = sp.add_parser("run")
q.add_argument("-r", type=int, default=3)
q.add_argument("-w")
q.add_argument("-c")
q.add_argument("-o", default="results.tsv")
q.add_argument("--append", action="store_true")
q = sp.add_parser("table")
q.add_argument("file")
a = p.parse_args()
{"states": cmd_states, "run": cmd_run, "table": cmd_table}[a.cmd](a)

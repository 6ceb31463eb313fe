#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures contact detection: public libraries, all strategies of scree, few moved boxes, two threads,
queries by region, random placement, methods as their papers print them, sorting in pieces.

usage: gcd.py BUILD [--peers FOLDER] [--only peers|ledger|claims|moves|threads|queries|sources|printed|sort] [--quick] [--repeats N] [--cpu N] [--results FOLDER]
       gcd.py --render

FOLDER is the peers' harness: workloads of whole numbers, a Makefile that takes EXTRA, an adapter for scree
(peers/a_scree.cpp). Results are tables in tests/bench/results/; --render makes the page and its figures of them.
"ledger" goes on with "claims" (gcd_claims.py) and takes some ten minutes.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import gcd_claims  # noqa: E402
import gcd_page  # noqa: E402
import gcd_queries  # noqa: E402
import query  # noqa: E402

START = time.monotonic()

OWN = {"grid": "grid", "hgrid": "hgrid", "lbvh": "lbvh", "bvh": "bvh", "cell_space": "cell_space",
       "neighbor_list": "neighbor_list,inner=hgrid,skin=0.15", "hashing": "hashing", "dess": "dess,sort=insertion", "sort_update": "sort_update", "sap_simd": "sap_simd"}
# Options of the harness, workloads, what is left out: P1 from frame 100, where the lattice is broken.
PEERS = (("-f 221 -s 100 -c 0.15", "P1:400 P1:1600 P1:6400 P1:25600", "SSaP|SpatialHash|Quad|Hash|Interval|FCL_SaP|sidx"),
         ("-f 161 -s 100 -c 0.3", "P1:102400", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx|AxisSweep|dess|sort_update"),
         ("-f 61 -c 0.2", "P2:6400:1 P2:6400:2 P2:6400:4 P2:6400:8 P2:6400:32", "SSaP|SpatialHash|Quad|Hash|Interval|sidx|queryall"),
         ("-f 61 -c 0.2", "P3:10648:1 P3:10648:0.1", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx"),
         ("-f 41 -c 0.4 -w 8", "P3:97336:1", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx|Sweep|dess|sort_update|sap_simd"),
         ("-f 31 -c 0.4 -w 5", "P4a P4b", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx|Sweep|dess|sort_update|sap_simd|own_grid|scree_hashing"))
QUICK = (("-f 41 -s 20 -c 0.02", "P1:400 P3:1000:1", "[^_]*_(SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx)"),)
# Scene, what is set, what is varied, steps, warm-up, repeats, plugins left out: all strategies. Those that compare every
# two boxes are left out where there are many.
QUADRATIC = ("pairing", "bounding_volume")
LEDGER = (("perkins-1", [], "integrator.count=100,400,1600", 40, 10, 5, ()),
          ("perkins-1", [], "integrator.count=6400,25600", 20, 5, 3, QUADRATIC),
          ("perkins-1", [], "integrator.count=102400", 8, 2, 2, QUADRATIC),
          ("spheres", [], "integrator.count=125,1000", 40, 10, 5, ()),
          ("spheres", [], "integrator.count=10648", 20, 5, 3, QUADRATIC),
          ("spheres", [], "integrator.count=97336", 8, 2, 1, QUADRATIC),
          ("mixed", [], "integrator.percent=10", 10, 2, 2, QUADRATIC),
          ("mixed", ['integrator.workload="mixed_100"'], "integrator.percent=5", 10, 2, 2, QUADRATIC))
QUICK_LEDGER = (("spheres", [], "integrator.count=125", 4, 1, 1, ()),)


def run(command, statuses=(0,), **more):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, check=False, **more)
    if done.returncode and (done.returncode not in statuses or not done.stdout):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def save(path, rows):
    rows = list(rows)
    text = "\t".join(rows[0]) + "\n" + "".join("\t".join(str(row[k]) for k in rows[0]) + "\n" for row in rows)
    temporary = path.with_suffix(".new")
    temporary.write_text(text, encoding="utf-8")
    temporary.rename(path)
    print(f"{path}: {len(rows)} rows")


def plugin(build, name):
    path = build / "plugins/gcd" / f"{name}.x86-64-v3.so"
    return path if path.exists() else build / "plugins/gcd" / f"{name}.so"


def measure_peers(options, top):
    """The harness with our adapter: one TSV of all, same positions, same pairs."""
    include = [f"-I{ROOT}/abi", f"-I{options.build}/abi"]
    run(["gcc", "-std=c17", "-D_GNU_SOURCE", "-O3", "-march=native", "-ffp-contract=off", *include, "-c",
         HERE / "peers/gcd_peer.c", "-o", top / "gcd_peer.o"])
    run(["make", "-j2", "-f", options.peers / "Makefile", f"EXTRA={HERE}/peers/a_scree.cpp",
         "EXTRA_LIBS=gcd_peer.o -ldl"], cwd=top)
    chosen = []
    for name, words in OWN.items():
        first, *rest = words.split(",")
        chosen.append(f"{name}=" + ",".join([str(plugin(options.build, first)), *rest]))
    env = os.environ | {"SCREE_GCD": " ".join(chosen)}
    rows = []
    for words, specs, without in QUICK if options.quick else PEERS:
        for spec in specs.split():
            out = run(["taskset", "-c", str(options.cpu), top / "bench", "-r", "5", "-t", "40", *words.split(),
                       "-x", without, spec], env=env)
            names, seen = None, {}
            for line in out.splitlines():
                cells = line.split("\t")
                if line.startswith("#workload"):
                    names = [name.lstrip("#") for name in cells]
                elif not line.startswith("#"):
                    seen[cells[6]] = dict(zip(names, cells))
            rows += seen.values()
            print(spec, len(seen), flush=True)
            marks = {(row["first_cnt"], row["first_s1"], row["first_s2"]) for row in seen.values()
                     if row["status"] == "ok" and "SpatialHash" not in row["algo"] and not row["algo"].startswith("zz_")}
            if len(marks) != 1:
                sys.exit(f"{spec}: the codes disagree about the pairs: {marks}")
    save(options.results / "gcd-peers.tsv", rows)


def compare(options, scene, fixed, varied, length, which):
    """Results of `scree compare`: `which` are plugins, or settings of gcd by name."""
    steps, warmup, repeats = length
    command = [options.build / "core/scree", "compare", ROOT / "configs/bench" / f"{scene}.cfg", "--json", "-q",
               "--steps", steps, "--warmup", warmup, "--repeats", min(repeats, options.repeats),
               "--limit", options.limit, "--vary", varied]
    for word in fixed:
        command += ["--set", word]
    if isinstance(which, dict):
        for name, settings in which.items():
            command += ["--variant", name, f"gcd={{{settings}}}"]
    else:
        command += ["--vary", "gcd.plugin=" + ",".join(which)]
    path, rows = varied.partition("=")[0], []
    for v in json.loads(run(command, statuses=(0, 1)))["variants"]:
        ok = v["outcome"] == "ok"
        if v["outcome"] == "failed":
            sys.exit(f"{scene} {v['name']}: {v['message']}")
        row = {"scene": scene, "settings": " ".join(fixed) or "-", "steps": warmup + steps, "varied": path,
               "value": v["varied"][path], "gcd": v["variant"] or v["varied"]["gcd.plugin"], "outcome": v["outcome"],
               "bodies": v["bodies"] if ok else 0}
        for name in ("gcd", "step_init", "gcd_resolve"):
            row[f"{name}_s"] = f"{v['medians'][name]:.6g}" if ok else "nan"
        rows.append(row | {"accuracy": f"{v['accuracy']:.6g}" if ok else "nan",
                           "bytes_per_box": v["bytes_per_box"] if ok else "nan",
                           "state_sha256": v["state_sha256"][:16] if ok else "-"})
    print(f"{time.monotonic() - START:6.0f} s  {scene} {' '.join(fixed)} {varied}: {len(which)} methods", flush=True)
    return rows


def strategies(options):
    return re.findall(r"^gcd/(\w+)", run([options.build / "core/scree", "plugins", "gcd"]), re.MULTILINE)


def measure_ledger(options, _):
    """All strategies, then what the papers' methods are."""
    names = strategies(options)
    rows = []
    for scene, fixed, varied, *length, without in QUICK_LEDGER if options.quick else LEDGER:
        rows += compare(options, scene, fixed, varied, length, [name for name in names if name not in without])
    for some in gcd_claims.measure_methods(options, compare):
        rows += some
    save(options.results / "gcd-ledger.tsv", rows)


def measure_claims(options, _):
    save(options.results / "gcd-claims.tsv", gcd_claims.measure_single(options, run, plugin))


def measure_moves(options, _):
    rows = []
    for name in ("bvh", "cell_space", "sort_update"):
        out = run(["taskset", "-c", str(options.cpu), options.build / "tests/bench/gcd_bench",
                   plugin(options.build, name)])
        for line in out.splitlines():
            found = re.match(r"(\w+) +moved .*: (\S.*?) +init +(\S+) +find +(\S+) +sum +(\S+) ns/box +(\S+) of", line)
            if found:
                rows.append(dict(zip(("gcd", "moved", "step_init_ns", "find_ns", "sum_ns", "of_all"), found.groups())))
    save(options.results / "gcd-moves.tsv", rows)


def measure_threads(options, _):
    """One and two threads in turns on the bed of equal spheres; the host's own pool. Before each round what the
    machine gives a second thread that needs no memory."""
    rows, count = [], 10648 if options.quick else 97336
    for _ in range(2 if options.quick else 9):
        for threads, seconds in enumerate(run([options.build / "tests/bench/lanes_bench"]).split(), 1):
            rows.append({"gcd": "-", "threads": threads, "gcd_s": seconds, "state_sha256": "-"})
        for name in ("grid", "hgrid", "lbvh"):
            for threads in (1, 2):
                out = json.loads(run([options.build / "core/scree", "run", ROOT / "configs/bench/spheres.cfg", "--json",
                                      "--steps", 20, "--threads", threads, "--set", f"integrator.count={count}",
                                      "--set", f'gcd={{plugin="{name}";}}', "-o", tempfile.mkdtemp() + "/run"]))
                rows.append({"gcd": name, "threads": threads, "gcd_s": out["gcd_wall_s"],
                             "state_sha256": out["state_sha256"][:16]})
    save(options.results / "gcd-threads.tsv", rows)


def measure_queries(options, _):
    """find_objects of all strategies; every answer is compared with that of a plain loop over all boxes."""
    def measure(order, most, names):
        files = [name if name == "brute" else plugin(options.build, name) for name in names]
        return run(["taskset", "-c", str(options.cpu), options.build / "tests/bench/gcd_queries", order, most, *files])
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    save(options.results / "gcd-queries.tsv", gcd_queries.measure(measure, strategies(options), options.quick, today))


def measure_sources(options, _):
    """Time per body of random placement, which asks scree.query/1."""
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    most, rounds = (10 ** 4, 1) if options.quick else (10 ** 6, 3)
    save(options.results / "gcd-sources.tsv", query.measure(options.build / "core/scree", most, rounds,
                                                                 {"date": today, "cpu": machine().splitlines()[0]}))


# Title, settings of the GCD.
PRINTED = (("hashing", 'plugin="hashing"; as_printed=true;'), ("hashing2, tested", 'plugin="hashing";'),
           ("spatial sort 1", 'plugin="spatial_sort"; method="lists"; as_printed=true;'),
           ("spatial sort 2", 'plugin="spatial_sort"; method="ranges"; as_printed=true;'),
           ("spatial sort 3", 'plugin="spatial_sort"; method="one_pass"; as_printed=true;'),
           ("O'Connor 2.4.2", 'plugin="spatial_sort"; method="running_max"; as_printed=true;'),
           ("DESS2", 'plugin="dess"; master="x";'), ("striped DESS", 'plugin="dess_stripe"; as_printed=true;'))


def measure_printed(options, _):
    """Missed pairs, accuracy and time over gcd/grid of methods as printed, by gcd/compare."""
    rows = []
    for ratio in (1, 2) if options.quick else (1, 2, 4, 8, 16, 32):
        for name, words in PRINTED:
            with tempfile.TemporaryDirectory() as top:
                done = subprocess.run([options.build / "core/scree", "run", ROOT / "configs/bench/perkins-2-800.cfg", "-q", "-o",
                                       top + "/run", "--steps", str(10 if options.quick else 500), "--set", f"integrator.ratio={ratio}",
                                       "--set", f'gcd={{plugin="compare"; first={{plugin="grid";}}; second={{{words}}}; faults="count";}}'],
                                      text=True, capture_output=True, check=True)
            found = re.search(r"second, gcd/\w+: (\d+) searches, (\S+) pairs each, (\S+) % of them had to be found, \d+ missed \((\S+) % of "
                              r"all that had to be\), (\d+) twice, (\S+) ms each \((\S+) times the other's\)", done.stderr)
            rows.append(dict(zip(("method", "ratio", "searches", "pairs", "accuracy", "missed", "twice", "ms", "times_grid"),
                                 (name, ratio, *found.groups()))))
    save(options.results / "gcd-printed.tsv", rows)


def measure_sort(options, _):
    """Tables 7.1 and 7.2 of O'Connor: keys sorted whole and in pieces."""
    lines = run([options.build / "tests/bench/sort_bench", *((4096, 1) if options.quick else ())]).splitlines()
    names = lines[0].split("\t")
    save(options.results / "gcd-sort.tsv", [dict(zip(names, line.split("\t"))) for line in lines[1:]])


def machine():
    found = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    cpu = found.group(1).strip() if found else platform.machine()
    return f"{cpu}\n{os.cpu_count()} CPUs\n{run(['gcc', '--version']).splitlines()[0]}\n"


def main():
    if sys.argv[1:] == ["--render"]:
        return gcd_page.render(HERE / "results", ROOT / "docs/explanation")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--peers", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", choices=("peers", "ledger", "claims", "moves", "threads", "queries", "sources", "printed", "sort"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repeats", default=100, type=int, help="at most, of each variant")
    parser.add_argument("--limit", default=60, type=float, help="seconds that a variant may take")
    parser.add_argument("--cpu", default=min(os.sched_getaffinity(0)), type=int)
    parser.add_argument("--results", default=HERE / "results", type=lambda text: pathlib.Path(text).resolve())
    options = parser.parse_args()
    options.results.mkdir(parents=True, exist_ok=True)
    parts = {"peers": measure_peers, "ledger": measure_ledger, "claims": measure_claims, "moves": measure_moves,
             "threads": measure_threads, "queries": measure_queries, "sources": measure_sources,
             "printed": measure_printed, "sort": measure_sort}
    for name, measure in parts.items():
        if (options.only in (None, name) or (options.only, name) == ("ledger", "claims")) and (name != "peers" or options.peers):
            with tempfile.TemporaryDirectory() as top:
                measure(options, pathlib.Path(top))
    if options.only not in ("sources", "printed", "sort"):  # whose rows name it, or are ratios
        (options.results / "gcd-machine.txt").write_text(machine(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

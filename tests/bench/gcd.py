#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Contact detection measured: beside public libraries, all strategies of ours, few moved boxes, two threads.

usage: gcd.py BUILD [--peers FOLDER] [--only peers|ledger|moves|threads] [--quick] [--cpu N] [--results FOLDER]
       gcd.py --render

FOLDER is the peers' harness: workloads of whole numbers, a Makefile that takes EXTRA, an adapter of ours
(peers/a_scree.cpp). Results are tables in tests/bench/results/; --render makes the page and its figures of them.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
import gcd_page  # noqa: E402

OWN = {"grid": "grid", "hgrid": "hgrid", "lbvh": "lbvh", "bvh": "bvh", "cell_space": "cell_space",
       "neighbor_list": "neighbor_list,inner=hgrid,skin=0.3", "hashing": "hashing", "dess": "dess,sort=insertion", "sort_update": "sort_update", "sap_simd": "sap_simd"}
# Options of the harness, workloads, what is left out: P1 from frame 100, where the lattice is broken.
PEERS = (("-f 221 -s 100 -c 0.15", "P1:400 P1:1600 P1:6400 P1:25600", "SSaP|SpatialHash|Quad|Hash|Interval|FCL_SaP|sidx"),
         ("-f 161 -s 100 -c 0.3", "P1:102400", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx|AxisSweep|dess|sort_update"),
         ("-f 61 -c 0.2", "P2:6400:1 P2:6400:2 P2:6400:4 P2:6400:8 P2:6400:32", "SSaP|SpatialHash|Quad|Hash|Interval|sidx|queryall"),
         ("-f 61 -c 0.2", "P3:10648:1", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx"),
         ("-f 41 -c 0.4 -w 8", "P3:97336:1", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx|Sweep|dess|sort_update|sap_simd"),
         ("-f 31 -c 0.4 -w 5", "P4a P4b", "SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx|Sweep|dess|sort_update|sap_simd|own_grid|scree_hashing"))
QUICK = (("-f 41 -s 20 -c 0.02", "P1:400 P3:1000:1", "[^_]*_(SSaP|SpatialHash|Quad|Hash|Interval|SaP|sidx)"),)
NAMED = {"SpatialSort": 'plugin="spatial_sort"; method="one_pass";', "Hashing": 'plugin="hashing"; clear="full";',
         "Hashing2": 'plugin="hashing"; clear="touched";', "DESS": 'plugin="dess"; sort="heap";',
         "DESS2": 'plugin="dess"; sort="insertion";', "R-tree": 'plugin="rtree"; build="linear"; query="box";'}
# Scene, what is varied, steps: all strategies.
LEDGER = (("perkins-1", ["integrator.count=400..25600*4"], 20), ("spheres", ["integrator.count=1000,10648"], 10),
          ("mixed", ["integrator.percent=10"], 10),
          ("mixed", ["integrator.workload=mixed_100", "integrator.percent=5"], 10))


def run(command, **more):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, check=False, **more)
    if done.returncode:
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


def ledger_rows(options, scene, words, steps, which):
    command = [options.build / "core/scree", "compare", ROOT / "configs/bench" / f"{scene}.cfg", "--json",
               "--steps", steps, "--warmup", 5, "--repeats", 1 if options.quick else 3, "--limit", options.limit]
    fixed, varied = {}, None
    for word in words:
        path, value = word.split("=", 1)
        if re.search(r"\.\.|,", value):
            varied = path
            command += ["--vary", word]
        else:
            fixed[path.rpartition(".")[2]] = value
            command += ["--set", word if re.fullmatch(r"[\d.]+", value) else f'{path}="{value}"']
    for name, settings in which.items():
        command += ["--variant", name, f"gcd={{{settings}}}"]
    if not which:
        command += ["--vary", "gcd.plugin=all"]
    found = json.loads(run(command))
    for v in found["variants"]:
        ok = v["outcome"] == "ok"
        yield {"scene": scene, "settings": " ".join(f"{k}={v}" for k, v in fixed.items()) or "-",
               "varied": varied or "-", "value": v["varied"].get(varied, "-") if varied else "-",
               "gcd": v["variant"] or v["varied"]["gcd.plugin"], "outcome": v["outcome"],
               "bodies": v.get("bodies", 0) if ok else 0,
               "gcd_s": v["medians"]["gcd"] if ok else "nan", "step_init_s": v["medians"]["step_init"] if ok else "nan",
               "gcd_resolve_s": v["medians"]["gcd_resolve"] if ok else "nan",
               "accuracy": v["accuracy"] if ok else "nan", "bytes_per_box": v["bytes_per_box"] if ok else "nan",
               "state_sha256": v["state_sha256"][:16] if ok else "-"}


def measure_ledger(options, _):
    rows = []
    for scene, words, steps in LEDGER[1:2] if options.quick else LEDGER:
        rows += ledger_rows(options, scene, ["integrator.count=125"] if options.quick else words,
                            steps, {})
        print(scene, len(rows), flush=True)
    if not options.quick:
        rows += ledger_rows(options, "perkins-1", ["integrator.count=400..25600*4"], 20, NAMED)
        rows += ledger_rows(options, "perkins-2-800", ["integrator.ratio=1,2,4,8,16,32"], 20, NAMED)
    save(options.results / "gcd-ledger.tsv", rows)


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
    """One and two threads in turns on the bed of equal spheres; the host's own pool."""
    rows, count = [], 10648 if options.quick else 97336
    for _ in range(2 if options.quick else 5):
        for name in ("grid", "hgrid", "lbvh"):
            for threads in (1, 2):
                out = json.loads(run([options.build / "core/scree", "run", ROOT / "configs/bench/spheres.cfg", "--json",
                                      "--steps", 20, "--threads", threads, "--set", f"integrator.count={count}",
                                      "--set", f'gcd={{plugin="{name}";}}', "-o", tempfile.mkdtemp() + "/run"]))
                rows.append({"gcd": name, "threads": threads, "gcd_s": out["phases"]["gcd"],
                             "state_sha256": out["state_sha256"][:16]})
    save(options.results / "gcd-threads.tsv", rows)


def machine():
    cpu = "".join(line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name"))[:60] or platform.machine()
    return f"{cpu}\n{os.cpu_count()} CPUs\n{run(['gcc', '--version']).splitlines()[0]}\n"


def main():
    if sys.argv[1:] == ["--render"]:
        return gcd_page.render(HERE / "results", ROOT / "docs/explanation")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--peers", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--only", choices=("peers", "ledger", "moves", "threads"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--limit", default=20, type=float, help="seconds that a variant may take")
    parser.add_argument("--cpu", default=0, type=int)
    parser.add_argument("--results", default=HERE / "results", type=lambda text: pathlib.Path(text).resolve())
    options = parser.parse_args()
    options.results.mkdir(parents=True, exist_ok=True)
    parts = {"peers": measure_peers, "ledger": measure_ledger, "moves": measure_moves, "threads": measure_threads}
    for name, measure in parts.items():
        if options.only in (None, name) and (name != "peers" or options.peers):
            with tempfile.TemporaryDirectory() as top:
                measure(options, pathlib.Path(top))
    (options.results / "gcd-machine.txt").write_text(machine(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs every code on every workload and prints one table (also results/*.tsv). States that are missing are made first.
# Needs: python3, time(1), and Debian's lammps, liggghts, yade (what is missing is left out); gcc for the triad.
#   apt-get install -y --no-install-recommends python3 time util-linux gcc libc6-dev lammps liggghts yade
# Settings (environment): REPS=3  OUT=results (in the current folder)  DEM_CPU=0  WORKLOADS=a,b  CODES=a,b
#   DEM_LMP, DEM_LIGGGHTS, DEM_YADE: other binaries;  DEM_LMP_NATIVE: a second,
#   e.g. -march=native, LAMMPS;  DEM_EXTRA="name=command;name2=command2": your own
#   programs, see README.md.
set -eu
OUT=${OUT:-results}
case $OUT in /*) ;; *) OUT=$(pwd)/$OUT ;; esac
cd "$(dirname "$0")"
mkdir -p "$OUT"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
CPU=${DEM_CPU:-0}
{
	grep -m1 'model name' /proc/cpuinfo || true
	uname -sr
	for p in lammps liggghts yade; do
		dpkg-query -W -f '${Package} ${Version}\n' $p 2>/dev/null || echo "$p: not a Debian package here"
	done
	if gcc -O3 -march=native -o "$tmp/triad" triad.c 2>/dev/null; then
		for n in 1000 40000 1000000 40000000; do
			r=$((400000000 / n)); [ $r -gt 20000 ] && r=20000
			taskset -c "$CPU" "$tmp/triad" $n $r
		done
	fi
} | tee "$OUT/machine.txt"
rc=0
python3 bench.py run -r "${REPS:-3}" -o "$OUT/results.tsv" ${WORKLOADS:+-w "$WORKLOADS"} ${CODES:+-c "$CODES"} > "$OUT/table.txt" || rc=$?
cat "$OUT/table.txt"
exit $rc

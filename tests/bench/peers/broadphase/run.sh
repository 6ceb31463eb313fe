#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One TSV on stdout. Needs `make` first. QUICK=1 for a short pass (P1 from frame 20, so not the tables' numbers).
# The full pass takes about 25 minutes. CPU=0: core to pin to; BENCH: the program, if built elsewhere; LIMIT=30: seconds a peer may take.
set -e
B="taskset -c ${CPU:-0} ${BENCH:-$(dirname "$0")/bench} -r 5 -t ${LIMIT:-30}"
if [ -n "$QUICK" ]; then exec $B -f 61 -s 20 -c 0.1 P1:1600 P2:6400:8 P3:10648:1; fi
SLOW='fcl_SSaP|SpatialHash|ode_Quad|ode_Hash|IntervalTree'
$B -f 501 -s 100 -c 0.2 P1:400 P1:1600 P1:6400 P1:25600
$B -f 301 -s 100 -c 0.4 -x ode_Hash P1:102400
$B -f 101 -c 0.25 P2:6400:1 P2:6400:2 P2:6400:4 P2:6400:8 P2:6400:32
$B -f 121 -c 0.25 P3:1000:1 P3:10648:1 P3:1000:0.1 P3:10648:0.1 P3:1000:10 P3:10648:10
$B -f 61 -c 0.5 -w 8 P3:97336:1
$B -f 41 -c 0.5 -w 8 -x "$SLOW" P3:97336:10
$B -f 201 -c 0.8 -w 8 -x "$SLOW" P3:97336:0.1
$B -f 31 -c 0.4 -w 5 -x "$SLOW" P4a P4b
FAST='own_(grid|hgrid|verlet)|cgal_box_self_val|jolt|TreeArray|zz_'
$B -f 21 -c 1.2 -t 60 -a "$FAST" P3:1000000:1
$B -l -f 61 -c 0.4 -a "$FAST" P3:97336:1

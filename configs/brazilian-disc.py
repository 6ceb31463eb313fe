#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes brazilian.csv: discs of mixed sizes that fill a round plate, touching, none deep in another.

usage: python3 brazilian-disc.py > brazilian.csv
"""
import math
import random

PLATE, MEAN, SPREAD, SOLID, ROUNDS = 0.05, 1.5e-3, 0.25, 0.81, 3000


def neighbours(xs, cell):
    grid = {}
    for i, (x, y) in enumerate(xs):
        grid.setdefault((int(x // cell), int(y // cell)), []).append(i)
    for (cx, cy), here in grid.items():
        for dx, dy in ((0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)):
            for i in here:
                for j in grid.get((cx + dx, cy + dy), ()):
                    if (dx or dy) or i < j:
                        yield i, j


def main():
    rng = random.Random(1)
    radii, area = [], 0.0
    while area < SOLID * PLATE ** 2:
        radii.append(MEAN * rng.uniform(1 - SPREAD, 1 + SPREAD))
        area += radii[-1] ** 2
    xs = []
    for _ in radii:
        r, a = PLATE * math.sqrt(rng.random()), 2 * math.pi * rng.random()
        xs.append([r * math.cos(a), r * math.sin(a)])
    cell = 2 * MEAN * (1 + SPREAD)
    for step in range(ROUNDS):
        for i, j in neighbours(xs, cell):
            dx, dy = xs[j][0] - xs[i][0], xs[j][1] - xs[i][1]
            d, want = math.hypot(dx, dy) or 1e-9, radii[i] + radii[j]
            if d < want:
                push = 0.5 * (want - d) / d
                xs[i][0] -= push * dx
                xs[i][1] -= push * dy
                xs[j][0] += push * dx
                xs[j][1] += push * dy
        for x, r in zip(xs, radii):
            d = math.hypot(*x)
            if d > PLATE - r:
                x[0] *= (PLATE - r) / d
                x[1] *= (PLATE - r) / d
    print("x,y,radius")
    for x, r in zip(xs, radii):
        print(f"{x[0]:.9f},{x[1]:.9f},{r:.9f}")


main()

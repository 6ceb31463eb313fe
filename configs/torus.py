#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes torus.obj: a ring of 20 mm about z, its tube of 5 mm, as quads.

usage: python3 torus.py > torus.obj
"""
import math

RING, TUBE, AROUND, ACROSS = 0.020, 0.005, 48, 24


def main():
    print("# made by torus.py")
    for i in range(AROUND):
        a = 2 * math.pi * i / AROUND
        for j in range(ACROSS):
            b = 2 * math.pi * j / ACROSS
            r = RING + TUBE * math.cos(b)
            print(f"v {r * math.cos(a):.9f} {r * math.sin(a):.9f} {TUBE * math.sin(b):.9f}")
    for i in range(AROUND):
        for j in range(ACROSS):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            print("f", *(1 + (p % AROUND) * ACROSS + q % ACROSS for p, q in corners))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Vectors of three numbers, and unit quaternions (w, x, y, z) that turn them."""
import math


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def plus(a, b, by=1.0):
    return tuple(x + by * y for x, y in zip(a, b))


def unit(a):
    length = norm(a)
    return tuple(x / length for x in a)


def turned(q, a):
    t = tuple(2.0 * x for x in cross(q[1:], a))
    return plus(plus(a, t, q[0]), cross(q[1:], t))

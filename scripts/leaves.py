#!/usr/bin/env python3
"""A sheet of sprites: eight leaves in autumn, four across and two down.

    scripts/leaves.py leaves.exr

OpenEXR of linear light with premultiplied alpha, 512 x 256 pixels.
"""
import math
import sys

import exr

SIDE, ACROSS, DOWN, FINE = 128, 4, 2, 3

# outline, colour of the middle, colour of the rim
LEAVES = [
    ("oval", (0.62, 0.30, 0.03), (0.45, 0.10, 0.02)), ("maple", (0.55, 0.06, 0.02), (0.34, 0.02, 0.01)),
    ("oak", (0.30, 0.14, 0.04), (0.16, 0.07, 0.03)), ("fan", (0.70, 0.46, 0.05), (0.55, 0.33, 0.03)),
    ("oval", (0.30, 0.30, 0.04), (0.50, 0.25, 0.03)), ("maple", (0.70, 0.22, 0.02), (0.55, 0.08, 0.01)),
    ("oak", (0.46, 0.17, 0.03), (0.24, 0.08, 0.02)), ("fan", (0.45, 0.40, 0.06), (0.60, 0.40, 0.04)),
]


def depth(kind, x, y):
    """How far inside the outline a place is, in -1 to 1 both ways; less than 0 outside."""
    if kind == "maple":
        away, angle = math.hypot(x, y + 0.2), math.atan2(x, y + 0.2)
        lobes = abs(math.cos(2.5 * angle)) ** 0.8
        teeth = 0.05 * abs((angle * 7 / math.pi) % 1 - 0.5)
        return (0.42 + 0.62 * lobes * (0.62 + 0.38 * math.cos(0.5 * angle)) - teeth) * (abs(angle) < 2.75) - away
    if kind == "fan":
        away, angle = math.hypot(x, y + 0.75), math.atan2(x, y + 0.75)
        cleft = 0.35 * math.exp(-(angle / 0.07) ** 2)
        return min(1.5 - cleft + 0.03 * math.cos(24 * angle) - away, 1.2 * (0.62 - abs(angle)) * (0.3 + away))
    t = (y + 0.8) / 1.7
    if not 0 < t < 1:
        return -1
    wide = 0.55 * math.sin(math.pi * t ** 0.8) ** 0.7
    if kind == "oak":
        wide *= 0.72 + 0.28 * math.cos(26 * t)
    return wide - abs(x)


def vein(kind, x, y):
    """1 on a vein, 0 beside."""
    if kind in ("maple", "fan"):
        root = 0.2 if kind == "maple" else 0.75
        step = 2 * math.pi / 5 if kind == "maple" else 0.16
        angle = math.atan2(x, y + root)
        off = abs((angle / step + 0.5) % 1 - 0.5) * step * math.hypot(x, y + root)
    else:
        off = min(abs(x), 0.5 * abs((5 * (y - 0.8 * abs(x)) + 0.5) % 1 - 0.5))
    return max(0.0, 1 - off / 0.025)


def leaf(kind, middle, rim, x, y):
    """RGBA of a place."""
    inside = depth(kind, x, y)
    if inside < 0:
        stem = abs(x - 0.06 * (y + 0.5)) < 0.022 and -0.97 < y < -0.1
        return (0.13, 0.06, 0.02, 1) if stem else (0, 0, 0, 0)
    part = min(inside / 0.35, 1)
    shade = (0.82 + 0.18 * math.sin(9 * x + 4 * y)) * (1 - 0.35 * vein(kind, x, y))
    return tuple(shade * (r + part * (m - r)) for m, r in zip(middle, rim)) + (1,)


def pixel(x, y):
    row = LEAVES[y // SIDE * ACROSS + x // SIDE]
    sums = [0.0] * 4
    for n in range(FINE * FINE):
        across, down = x % SIDE + (n % FINE + 0.5) / FINE, y % SIDE + (n // FINE + 0.5) / FINE
        for k, value in enumerate(leaf(*row, 2 * across / SIDE - 1, 1 - 2 * down / SIDE)):
            sums[k] += value / FINE ** 2
    return sums


def main(words):
    if len(words) != 1:
        sys.exit(__doc__)
    exr.write(words[0], [[pixel(x, y) for x in range(ACROSS * SIDE)] for y in range(DOWN * SIDE)])


main(sys.argv[1:])

#!/usr/bin/env python3
"""A room for `sky: { file: ... }`: grey walls, a floor, a large soft lamp, a small warm one, a window.

    scripts/panorama.py studio.exr

Longitude goes across, latitude down, and the middle is ahead. The file is OpenEXR of 32-bit floats
that are not compressed, 512 x 256 pixels.
"""
import math
import sys

import exr

WIDE, HIGH = 512, 256

# middle (degrees to the right of ahead, above the horizon), half sizes (degrees), colour, softness
LAMPS = [
    (-62, 38, 26, 17, (9.0, 8.6, 8.0), 0.12),
    (70, 30, 9, 13, (14.0, 9.5, 5.2), 0.15),
    (172, 22, 24, 20, (2.2, 2.9, 4.2), 0.05),
]


def step(edge, soft, x):
    t = min(max((edge + soft - x) / (2 * soft), 0), 1)
    return t * t * (3 - 2 * t)


def light(longitude, latitude):
    """Linear RGB of a direction, degrees."""
    up = math.sin(math.radians(latitude))
    wall = 0.16 + 0.1 * up if up > 0 else 0.1 + 0.07 * up
    color = [wall * tint for tint in (1.0, 0.98, 0.95)]
    for right, above, half_wide, half_high, shine, soft in LAMPS:
        across = (longitude - right + 180) % 360 - 180
        part = step(1, soft, abs(across) / half_wide) * step(1, soft, abs(latitude - above) / half_high)
        color = [own + part * (lamp - own) for own, lamp in zip(color, shine)]
    return color


def main(words):
    if len(words) != 1:
        sys.exit(__doc__)
    exr.write(words[0], [[light((x + 0.5) * 360 / WIDE - 180, 90 - (y + 0.5) * 180 / HIGH) for x in range(WIDE)]
                         for y in range(HIGH)])


main(sys.argv[1:])

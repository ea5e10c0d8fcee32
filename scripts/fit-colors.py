#!/usr/bin/env python3
"""Prints the anchors of src/render/colormap.c (needs matplotlib) and how far the Catmull-Rom cubic
through them is from the published map."""
import numpy
from matplotlib import cm

MAPS = {"viridis": 17, "magma": 17, "inferno": 17, "plasma": 17, "cividis": 17, "turbo": 25,
        "coolwarm": 17}
PLACES = numpy.linspace(0, 1, 256)


def cubic(anchors, places):
    last = len(anchors) - 1
    padded = numpy.vstack([2 * anchors[0] - anchors[1], anchors, 2 * anchors[-1] - anchors[-2]])
    i = numpy.minimum((places * last).astype(int), last - 1)
    f = (places * last - i)[:, None]
    a, b, c, d = padded[i], padded[i + 1], padded[i + 2], padded[i + 3]
    return b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)))


for name, count in MAPS.items():
    table = cm.get_cmap(name)(numpy.arange(256))[:, :3]
    at = numpy.linspace(0, 1, count)
    anchors = numpy.stack([numpy.interp(at, PLACES, table[:, k]) for k in range(3)], axis=1)
    codes = numpy.round(anchors * 255).astype(int)
    error = numpy.abs(cubic(codes / 255, PLACES) - table).max()
    print(f"{name}: error {error:.4f}")
    print("    " + ", ".join("0x%02x%02x%02x" % tuple(code) for code in codes))

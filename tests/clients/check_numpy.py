"""check_numpy.py RUN: PLY, pcache, CSV and NPZ files of the last frame of a run of all.json5 as NumPy reads them: places,
velocities and colours of every part that a format holds."""
import os
import re
import sys

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import expected

run = sys.argv[1]
wanted = expected.frames(run)[-1]
KINDS = {"float": "<f4", "double": "<f8", "uchar": "u1", "uint": "<u4", "int": "<i4"}


def rows_of(path):
    """Rows of a binary file with a head as PLY and pcache have it."""
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    head = data[:end].decode()
    points = head.split("element face")[0].split("element edge")[0]
    fields = [(name, KINDS[kind]) for kind, name in re.findall(r"property (\w+) (\S+)", points)]
    count = int(re.search(r"element(?:s| vertex) (\d+)", head)[1])
    return numpy.frombuffer(data, numpy.dtype(fields), count, end)


def columns(rows, names):
    return numpy.stack([rows[name] for name in names.split()], axis=1).astype(float)


def path(part, ending):
    return "%s/export/%s_%06d.%s" % (run, part, 6, ending)


for part in expected.PARTS:
    rows, truth = rows_of(path(part, "ply")), dict(wanted[part])
    found = {"position": columns(rows, "x y z"), "velocity": columns(rows, "vx vy vz")}
    expected.check(part, found, truth)
    found = {"position": found["position"], "color": columns(rows, "red green blue") / 255}
    expected.check(part, found, dict(truth, color=expected.srgb(truth["color"])), 3e-3)
    rows = rows_of(path(part, "pcache"))
    expected.check(part, {"position": columns(rows, "position.x position.y position.z"),
                          "velocity": columns(rows, "velocity.x velocity.y velocity.z"),
                          "color": columns(rows, "color.r color.g color.b")}, truth)
for part in ("water", "cloth"):
    table = numpy.genfromtxt(path(part, "csv"), delimiter=",", names=True, deletechars="")
    names = {name.split("(")[0].split("[")[0].strip("_"): name for name in table.dtype.names}
    found = {quantity: numpy.stack([table[names["%s_%s" % (quantity, c)]] for c in "xyz"], axis=1)
             for quantity in ("position", "velocity", "color")}
    expected.check(part, found, wanted[part])
    file = numpy.load(path(part, "npz"))
    expected.check(part, {q: file["%s/%s" % (part, q)] for q in ("position", "velocity")}, wanted[part], 1e-12)
print("all is well in NumPy")

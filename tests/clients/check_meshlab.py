"""check_meshlab.py RUN FOLDER: PLY files of the last frame of a run of all.json5, as MeshLab has read and written
them again to a folder: places, and colours as bytes of sRGB. Debian's MeshLab stops at any OBJ file with a face."""
import os
import sys

import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import expected

run, folder = sys.argv[1:]
wanted = expected.frames(run)[-1]
KINDS = {"float": "<f4", "double": "<f8", "uchar": "u1", "int": "<i4"}


def read(path):
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    fields, count, element = [], {}, ""
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[0] == "element":
            element = words[1]
            count[element] = int(words[2])
        if words[0] == "property" and element == "vertex":
            fields.append((words[2], KINDS[words[1]]))
    rows = numpy.frombuffer(data, numpy.dtype(fields), count["vertex"], end)
    return rows, count.get("face", 0)


def columns(rows, names):
    return numpy.stack([rows[name] for name in names], axis=1).astype(float)


for part in expected.PARTS:
    rows, faces = read("%s/%s.ply" % (folder, part))
    truth = dict(wanted[part], color=expected.srgb(wanted[part]["color"]))
    found = {"position": columns(rows, "xyz"), "color": columns(rows, ("red", "green", "blue")) / 255}
    expected.check(part, found, truth, 3e-3)
    many = {"water": 0, "cloth": 12, "crate": 12, "ground": 2}.get(part, len(truth.get("triangles", ())))
    assert faces == many, (part, faces)
print("all is well in MeshLab")

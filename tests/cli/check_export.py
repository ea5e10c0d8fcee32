"""check_export.py RUN TURNED: what `mote export` wrote of a run, beside the run's own frames. Readers
are written from the formats' specifications, with NumPy."""
import json
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

import numpy

run, turned = sys.argv[1:]
LAST = 6


def frame(i):
    file = numpy.load("%s/frames/frame_%06d.npz" % (run, i))
    with zipfile.ZipFile("%s/frames/frame_%06d.npz" % (run, i)) as archive:
        head = json.loads(archive.read("frame.json"))
    return file, head


def shape(head, name):
    return next(s for s in head["shapes"] if s["name"] == name)


def near(a, b, tolerance=1e-5):
    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    assert a.shape == b.shape, (a.shape, b.shape)
    assert numpy.abs(a - b).max() <= tolerance, numpy.abs(a - b).max()


def rotate(q, p):
    v, w = numpy.array(q[:3]), q[3]
    return p + 2 * numpy.cross(v, numpy.cross(v, p) + w * p)


CORNERS = numpy.array([[x, y, z] for x in (-0.25, 0.25) for y in (-0.125, 0.125) for z in (-0.375, 0.375)])


def corners(i):
    pose = shape(frame(i)[1], "crate")
    return numpy.array(pose["position"]) + rotate(pose["orientation"], CORNERS)


def same_points(found, wanted, tolerance=1e-5):
    """Every point of each is near one of the other."""
    d = numpy.linalg.norm(found[:, None] - wanted[None], axis=2)
    assert d.min(axis=0).max() < tolerance and d.min(axis=1).max() < tolerance


def read_ply(path):
    data = open(path, "rb").read()
    end = data.index(b"end_header\n") + 11
    kinds = {"float": "<f4", "double": "<f8", "uchar": "u1", "uint": "<u4"}
    fields, count, faces, element = [], 0, 0, ""
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[0] == "element":
            element = words[1]
            count, faces = (int(words[2]), faces) if element == "vertex" else (count, int(words[2]))
        if words[0] == "property" and element == "vertex":
            fields.append((words[2], kinds[words[1]]))
    vertices = numpy.frombuffer(data, numpy.dtype(fields), count, end)
    return vertices, faces


def stack(rows, names):
    return numpy.stack([rows[n] for n in names], axis=1).astype(float)


# PLY: colours of the look, normals, velocities, another axis.
rows, faces = read_ply("%s/export/crate_000006.ply" % run)
same_points(stack(rows, "xyz"), corners(LAST))
assert faces == 12 and (rows["red"] == 255).all() and (rows["green"] == 188).all() and (rows["alpha"] == 255).all()
near(numpy.linalg.norm(stack(rows, ("nx", "ny", "nz")), axis=1), numpy.ones(len(rows)))
file, head = frame(LAST)
rows, _ = read_ply("%s/export/water_000006.ply" % run)
near(stack(rows, "xyz"), file["water/position"])
light = numpy.clip(file["water/position"][:, 0] - 1.5, 0, 1)
code = numpy.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
assert len(numpy.unique(rows["red"])) > 3, "the look's expression"
near(rows["red"], numpy.round(255 * code), 1)
assert (rows["green"] == 188).all() and (rows["alpha"] == 191).all()
surface, faces = read_ply("%s/export/water_surface_000006.ply" % run)
assert faces > 100 and {"nx", "vx", "red"} <= set(surface.dtype.names)
mean = file["water/velocity"][:, 1].mean()
assert abs(surface["vy"].mean() - mean) < 0.3 * abs(mean), (surface["vy"].mean(), mean)
other, _ = read_ply("%s/water_surface_000006.ply" % turned)
xyz, uvw = stack(surface, "xyz"), stack(other, "xyz")
near(uvw, 100 * numpy.stack([xyz[:, 0], -xyz[:, 2], xyz[:, 1]], axis=1), 1e-3)

# GLB: key frames are the poses, every mesh is there at its frame alone.
data = open("%s/export/all_frames.glb" % run, "rb").read()
magic, version, length = struct.unpack("<4sII", data[:12])
assert (magic, version, length) == (b"glTF", 2, len(data))
size, kind = struct.unpack("<I4s", data[12:20])
assert kind == b"JSON"
doc = json.loads(data[20:20 + size])
buffer = data[28 + size:]
assert struct.unpack("<I4s", data[20 + size:28 + size]) == (len(buffer), b"BIN\0")


def values(i):
    accessor = doc["accessors"][i]
    view = doc["bufferViews"][accessor["bufferView"]]
    kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    array = numpy.frombuffer(buffer, kind, accessor["count"] * width, view.get("byteOffset", 0))
    array = array.reshape(-1, width)
    if "min" in accessor:
        near(array.min(axis=0), accessor["min"])
        near(array.max(axis=0), accessor["max"])
    return array


nodes = {n["name"]: i for i, n in enumerate(doc["nodes"])}
assert sum(n["name"] == "cloth" for n in doc["nodes"]) == LAST + 1
moved = {}
shown = numpy.zeros(len(doc["nodes"]))
animation = doc["animations"][0]
for channel in animation["channels"]:
    sampler = animation["samplers"][channel["sampler"]]
    node, path = channel["target"]["node"], channel["target"]["path"]
    moved[node, path] = values(sampler["input"])[:, 0], values(sampler["output"])
times, places = moved[nodes["crate"], "translation"]
_, turns = moved[nodes["crate"], "rotation"]
for i in range(LAST + 1):
    pose = shape(frame(i)[1], "crate")
    near(times[i], i / 30)
    near(places[i], pose["position"])
    near(abs(numpy.dot(turns[i], pose["orientation"])), 1)
assert (nodes["ground"], "translation") not in moved
cloths = [i for i, n in enumerate(doc["nodes"]) if n["name"] == "cloth"]
for i, node in enumerate(cloths):
    primitive = doc["meshes"][doc["nodes"][node]["mesh"]]["primitives"][0]
    near(values(primitive["attributes"]["POSITION"]), frame(i)[0]["cloth/position"])
    assert primitive["mode"] == 4 and values(primitive["indices"]).max() == 11
    at, scale = moved[node, "scale"]
    for k in range(LAST + 1):
        key = numpy.searchsorted(at, k / 30 + 1e-4) - 1
        visible = scale[key][0] if key >= 0 else doc["nodes"][node].get("scale", [1])[0]
        assert visible == (k == i), (i, k, at, scale)

# Mesh caches.
data = open("%s/export/cloth_frames.mdd" % run, "rb").read()
frames, points = struct.unpack(">ii", data[:8])
assert (frames, points) == (LAST + 1, 12)
near(numpy.frombuffer(data, ">f4", frames, 8), numpy.arange(frames) / 30)
places = numpy.frombuffer(data, ">f4", -1, 8 + 4 * frames).reshape(frames, points, 3)
data = open("%s/export/cloth_frames.pc2" % run, "rb").read()
assert struct.unpack("<12siiffi", data[:32]) == (b"POINTCACHE2\0", 1, points, 0.0, 1.0, frames)
near(numpy.frombuffer(data, "<f4", -1, 32).reshape(frames, points, 3), places, 0)
first = frame(0)[0]["cloth/id"]
for i in range(frames):
    file, _ = frame(i)
    order = [int(numpy.where(file["cloth/id"] == n)[0][0]) for n in first]
    near(places[i], file["cloth/position"][order])
data = open("%s/export/crate_frames.pc2" % run, "rb").read()
places = numpy.frombuffer(data, "<f4", -1, 32).reshape(frames, -1, 3)
for i in range(frames):
    same_points(places[i].astype(float), corners(i))

# pcache: a head, then floats alone.
data = open("%s/export/water_000006.pcache" % run, "rb").read()
end = data.index(b"end_header\n") + 11
lines = data[:end].decode().splitlines()
assert lines[:2] == ["pcache", "format binary 1.0"] and lines[3] == "elements %d" % len(frame(LAST)[0]["water/id"])
names = [line.split()[2] for line in lines if line.startswith("property float")]
rows = numpy.frombuffer(data, "<f4", -1, end).reshape(-1, len(names))
near(rows[:, [names.index("position." + c) for c in "xyz"]], frame(LAST)[0]["water/position"])
assert {"color.r", "velocity.x", "radius"} <= set(names)

# USDA: the time samples of the crate and of the cloth.
text = open("%s/export/all_frames.usda" % run).read()
assert text.startswith("#usda 1.0\n") and 'upAxis = "Y"' in text and "timeCodesPerSecond = 30" in text
assert text.count("{") == text.count("}") and text.count("[") == text.count("]")


def samples(prim, attribute):
    block = text[text.index('"%s"' % prim):]
    block = block[block.index(attribute + ".timeSamples = {\n"):]
    block = block[block.index("\n") + 1:block.index("}\n")]
    for line in block.strip().splitlines():
        if line.strip():
            time, value = line.split(":", 1)
            yield int(time), eval(value.strip().rstrip(","), {})


for i, place in samples("crate", "xformOp:translate"):
    near(place, shape(frame(i)[1], "crate")["position"])
for i, turn in samples("crate", "xformOp:orient"):
    q = shape(frame(i)[1], "crate")["orientation"]
    near(turn, [q[3], q[0], q[1], q[2]])
assert [i for i, _ in samples("cloth", "points")] == list(range(LAST + 1))
for i, points in samples("cloth", "points"):
    near(points, frame(i)[0]["cloth/position"])
for _, indices in samples("cloth", "faceVertexIndices"):
    assert len(indices) == 36 and max(indices) == 11

# Volumes: densities keep the mass, means of a falling drop are its velocity; both files have the same numbers.
file, _ = frame(LAST)
data = open("%s/export/water_000006.vti" % run, "rb").read()
mark = data.index(b"\n_", data.index(b"<AppendedData ")) + 2
root = ElementTree.fromstring(data[:mark - 1] + b"</AppendedData></VTKFile>")
image, piece = root.find("ImageData"), root.find("ImageData/Piece")
extent = [int(n) for n in image.get("WholeExtent").split()]
size = [extent[2 * c + 1] + 1 for c in range(3)]
cell = [float(n) for n in image.get("Spacing").split()]
origin = numpy.array([float(n) for n in image.get("Origin").split()])
assert extent[::2] == [0, 0, 0] and piece.get("Extent") == image.get("WholeExtent") and len(set(cell)) == 1


def grid(name):
    array = piece.find("PointData/DataArray[@Name='%s']" % name)
    width, start = int(array.get("NumberOfComponents")), mark + int(array.get("offset"))
    assert struct.unpack("<Q", data[start:start + 8])[0] == 4 * width * numpy.prod(size)
    numbers = numpy.frombuffer(data, "<f4", width * numpy.prod(size), start + 8)
    return numbers.reshape(size[2], size[1], size[0], width).transpose(2, 1, 0, 3)


density, moving = grid("density")[..., 0].astype(float), grid("velocity").astype(float)
near(density.sum() * cell[0] ** 3, file["water/mass"].sum(), 1e-4 * file["water/mass"].sum())
nodes = origin + cell[0] * numpy.stack(numpy.meshgrid(*map(numpy.arange, size), indexing="ij"), axis=-1)
middle = (density[..., None] * nodes).sum(axis=(0, 1, 2)) / density.sum()
near(middle, file["water/position"].mean(axis=0), 0.01)
momentum = (density[..., None] * moving).sum(axis=(0, 1, 2)) * cell[0] ** 3
near(momentum, (file["water/mass"][:, None] * file["water/velocity"]).sum(axis=0), 1e-3 * file["water/mass"].sum())


class Vdb:
    """A file of OpenVDB, from its beginning on."""

    def __init__(self, path):
        self.data, self.at, self.grids = open(path, "rb").read(), 0, {}
        assert self.take("<Q") == 0x56444220 and self.take("<I") == 224
        self.at += 8 + 1 + 36
        self.about()
        for _ in range(self.take("<I")):
            name, kind, parent = self.text(), self.text(), self.text()
            start, numbers, end = self.take("<Q"), self.take("<Q"), self.take("<Q")
            assert start == self.at and parent == ""
            self.grids[name] = self.grid(3 if kind == "Tree_vec3s_5_4_3" else 1, numbers)
            assert self.at == end
        assert self.at == len(self.data)

    def take(self, kind):
        self.at += struct.calcsize(kind)
        return struct.unpack(kind, self.data[self.at - struct.calcsize(kind):self.at])[0]

    def text(self):
        size = self.take("<I")
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def about(self):
        return {self.text(): (self.text(), self.text()) for _ in range(self.take("<I"))}

    def mask(self, bits):
        self.at += bits // 8
        return numpy.unpackbits(numpy.frombuffer(self.data, "u1", bits // 8, self.at - bits // 8), bitorder="little")

    def children(self, side, origin, step):
        """Origins of a node's children."""
        found = numpy.flatnonzero(self.mask(side ** 3))
        assert not self.mask(side ** 3).any() and self.take("b") == 0
        return [origin + step * numpy.array(numpy.unravel_index(n, (side,) * 3)) for n in found]

    def grid(self, width, numbers):
        values, leaves = {}, []
        assert self.take("<I") == 2 and "class" in self.about() and self.text() == "UniformScaleMap"
        near(numpy.frombuffer(self.data, "<f8", 15, self.at)[:3], cell, 1e-12)
        self.at += 120
        assert self.take("<I") == 1
        self.at += 4 * width
        assert self.take("<I") == 0
        for _ in range(self.take("<I")):
            upper = self.children(32, numpy.array([self.take("<i") for _ in range(3)]), 128)
            for lower in upper:
                for leaf in self.children(16, lower, 8):
                    leaves.append((leaf, self.mask(512)))
        assert self.at == numbers
        for leaf, mask in leaves:
            assert (self.mask(512) == mask).all() and self.take("b") == 0
            for n in numpy.flatnonzero(mask):
                place = tuple(leaf + numpy.array(numpy.unravel_index(n, (8, 8, 8))))
                values[place] = struct.unpack("<%df" % width, self.data[self.at:self.at + 4 * width])
                self.at += 4 * width
        return values


volume = Vdb("%s/export/water_000006.vdb" % run)
low = numpy.rint(origin / cell[0]).astype(int)
assert set(volume.grids) >= {"density", "velocity"} and len(volume.grids["density"]) > 100
for name, numbers in volume.grids.items():
    other = grid(name)
    for place, value in numbers.items():
        assert (other[tuple(numpy.array(place) - low)] == numpy.array(value, "<f4")).all(), (name, place)
    assert numpy.count_nonzero(other.any(axis=3)) <= len(numbers)

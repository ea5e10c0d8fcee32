"""A run's folder as Blender needs it, by NumPy alone: frames, and axes turned so that z is up."""
import json
import os
import re

import numpy

TURN = {"x": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),  # rows of the matrix that brings "up" to z
        "y": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
        "z": ((1, 0, 0), (0, 1, 0), (0, 0, 1))}


class Frame:
    """One frame: `systems`, `surfaces`, `meshes` by name, and `shapes` as a list of dicts."""

    def __init__(self, path):
        with numpy.load(path) as file:
            about = json.loads(bytes(file["frame.json"])) if "frame.json" in file else None
            arrays = {name[:-4] if name.endswith(".npy") else name: file[name] for name in file.files
                      if not name.endswith(".json")}
        if about is None:
            about = read_json(path)
        self.index, self.time, self.dt = about["index"], about["time"], about["dt"]
        self.turn = numpy.array(TURN[about["up_axis"]], float)
        self.shapes = about.get("shapes", [])
        self.meshes_of = {m["name"]: m.get("system", m["name"]) for m in about.get("meshes", [])}
        self.systems, self.surfaces, self.meshes = {}, {}, {}
        for name, array in arrays.items():
            self._keep(name.split("/"), array)

    def _keep(self, parts, array):
        if parts[0] in ("surfaces", "meshes") and len(parts) == 3:
            getattr(self, parts[0]).setdefault(parts[1], {})[parts[2]] = array
        elif len(parts) == 2:
            self.systems.setdefault(parts[0], {})[parts[1]] = array

    def turned(self, vectors):
        """Vectors (n, 3) with z up."""
        return (numpy.asarray(vectors, float) @ self.turn.T).astype(numpy.float32)


def read_json(path):
    """numpy.load leaves what is no array alone."""
    import zipfile
    with zipfile.ZipFile(path) as file:
        return json.loads(file.read("frame.json"))


class RunFolder:
    """The frames of a folder, by number; the last few are kept."""

    def __init__(self, folder):
        self.folder = folder
        place = os.path.join(folder, "frames")
        names = os.listdir(place) if os.path.isdir(place) else []
        self.files = {int(found[1]): os.path.join(place, found[0]) for found in (
            re.fullmatch(r"frame_(\d+)\.npz", name) for name in sorted(names)) if found}
        if not self.files:
            raise ValueError("there are no frames of mote in %s" % folder)
        self.first, self.last = min(self.files), max(self.files)
        self._kept = {}

    def frame(self, number):
        """The frame of that number, or the nearest before it; None before the first."""
        there = [n for n in self.files if n <= number]
        if not there:
            return None
        number = max(there)
        if number not in self._kept:
            if len(self._kept) > 3:
                self._kept.clear()
            self._kept[number] = Frame(self.files[number])
        return self._kept[number]


    def mesh(self, name):
        """The mesh of a shape, which its frames name: vertices and triangles."""
        with numpy.load(os.path.join(self.folder, "frames", "mesh-%s.npz" % name)) as file:
            return file["vertices"].tolist(), file["triangles"].tolist()


def velocities_at(points, particles, cell):
    """The mean velocity of the particles around each point, for motion blur of surfaces."""
    keys = numpy.floor(particles["position"] / cell).astype(numpy.int64)
    low = keys.min(axis=0) - 1
    size = keys.max(axis=0) - low + 2
    numbers = _number(keys - low, size)
    cells, which = numpy.unique(numbers, return_inverse=True)
    sums = numpy.zeros((len(cells), 3))
    numpy.add.at(sums, which, particles["velocity"])
    means = sums / numpy.bincount(which)[:, None]
    found = numpy.zeros((len(points), 3))
    weight = numpy.zeros(len(points))
    at = numpy.floor(points / cell).astype(numpy.int64)
    for step in numpy.ndindex(3, 3, 3):
        near = at + numpy.array(step) - 1
        inside = ((near >= low) & (near < low + size)).all(axis=1)
        place = numpy.searchsorted(cells, _number(near - low, size)).clip(0, len(cells) - 1)
        hit = inside & (cells[place] == _number(near - low, size))
        found[hit] += means[place[hit]]
        weight += hit
    return found / numpy.maximum(weight, 1)[:, None]


def _number(keys, size):
    return (keys[:, 0] * size[1] + keys[:, 1]) * size[2] + keys[:, 2]

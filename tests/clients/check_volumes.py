"""check_volumes.py vtk|vdb RUN FOLDER: volumes of a run (of volumes.json5) that `mote export` has written to
a folder, opened by VTK or by OpenVDB, beside sums over the particles of the run's frames, node by node."""
import json
import subprocess
import sys
import zipfile

import numpy

CLIENT, RUN, FOLDER = sys.argv[1:]
LAST, CELL = 6, 0.05


def fail_softly(missing, package):
    print("skipped: %s is not there (Debian: %s)" % (missing, package))
    sys.exit(77)


def columns(system):
    path = "%s/frames/frame_%06d.npz" % (RUN, LAST)
    with zipfile.ZipFile(path) as archive:
        time = json.loads(archive.read("frame.json"))["time"]
    file = numpy.load(path)
    found = {name.split("/")[1]: file[name] for name in file.files if name.startswith(system + "/")}
    return time, {name: numpy.asarray(values, float) for name, values in found.items()}


def reaches(system, time, rows):
    """m: a liquid's is four radii; three deviations, half of the size that the look says, of smoke."""
    if system == "water":
        return 4 * rows["radius"], None
    age = time - rows["birth"]
    deviation = 0.5 * (0.05 + 0.2 * age)
    return 3 * deviation, (0.25 + age) * 2 * numpy.pi * deviation ** 2


class Lattice:
    """What the formulas of the manual say, by sums over all nodes of a box."""

    def __init__(self, system, low, shape):
        time, rows = columns(system)
        reach, section = reaches(system, time, rows)
        axes = [CELL * (low[c] + numpy.arange(shape[c])) for c in range(3)]
        nodes = numpy.stack(numpy.meshgrid(*axes, indexing="ij"), axis=-1)
        self.weight, self.sums = numpy.zeros(shape), {}
        for i, place in enumerate(rows["position"]):
            ball = max(reach[i], 1.5 * CELL)
            weight = numpy.clip(1 - ((nodes - place) ** 2).sum(axis=-1) / ball ** 2, 0, None) ** 2
            weight /= weight.sum()
            self.weight += weight
            self.add("density", weight * rows["mass"][i] / CELL ** 3)
            if section is not None:
                self.add("extinction", weight * section[i] / CELL ** 3)
            for name in ("temperature", "smoke", "flame", "fuel", "velocity"):
                if name in rows:
                    self.add(name, weight[..., None] * rows[name][i])

    def add(self, name, values):
        self.sums[name] = self.sums.get(name, 0) + values

    def check(self, name, found):
        wanted = self.sums[name]
        if name not in ("density", "extinction"):
            wanted = wanted / numpy.maximum(self.weight, 1e-30)[..., None]
            wanted = wanted if found.ndim == 4 else wanted[..., 0]
        there = self.weight > 1e-6  # numbers are floats
        assert there.sum() > 100
        error = numpy.abs(found - wanted)[there].max() / numpy.abs(wanted[there]).max()
        assert error < 1e-4, (name, error)
        assert numpy.abs(found[self.weight == 0]).max(initial=0) == 0, name


def check_vtk():
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkIOXML import vtkXMLImageDataReader
    except ImportError:
        fail_softly("VTK", "python3-vtk9, or python3-paraview")
    for system in ("water", "smoke"):
        reader = vtkXMLImageDataReader()
        reader.SetFileName("%s/%s_%06d.vti" % (FOLDER, system, LAST))
        reader.Update()
        image = reader.GetOutput()
        assert numpy.allclose(image.GetSpacing(), CELL)
        low = numpy.rint(numpy.array(image.GetOrigin()) / CELL).astype(int)
        size = image.GetDimensions()
        lattice = Lattice(system, low, size)
        data = image.GetPointData()
        names = {data.GetArrayName(i) for i in range(data.GetNumberOfArrays())}
        assert set(lattice.sums) <= names, names
        for name in lattice.sums:
            array = vtk_to_numpy(data.GetArray(name))
            array = array.reshape(tuple(reversed(size)) + array.shape[1:])
            lattice.check(name, array.transpose((2, 1, 0, 3)[:array.ndim]))
        time = vtk_to_numpy(image.GetFieldData().GetArray("TimeValue"))
        assert abs(time[0] - LAST / 30) < 1e-9


def check_vdb():
    try:
        import pyopenvdb
    except ImportError:
        fail_softly("pyopenvdb", "python3-openvdb")
    for system in ("water", "smoke"):
        path = "%s/%s_%06d.vdb" % (FOLDER, system, LAST)
        grids, about = pyopenvdb.readAll(path)
        grids = {grid.name: grid for grid in grids}
        assert about["creator"] == "mote"
        low, high = grids["density"].evalActiveVoxelBoundingBox()
        size = tuple(high[c] - low[c] + 1 for c in range(3))
        lattice = Lattice(system, low, size)
        assert set(lattice.sums) <= set(grids), set(grids)
        for name in lattice.sums:
            grid = grids[name]
            assert numpy.allclose(grid.transform.voxelSize(), CELL)
            assert numpy.allclose(grid.transform.indexToWorld((1, 2, -3)), (CELL, 2 * CELL, -3 * CELL))
            array = numpy.zeros(size + ((3,) if name == "velocity" else ()), numpy.float32)
            grid.copyToArray(array, ijk=low)
            lattice.check(name, array)
            assert abs(grid.activeVoxelCount() - (lattice.weight > 0).sum()) <= 2
    try:
        said = subprocess.run(["vdb_print", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    except FileNotFoundError:
        fail_softly("vdb_print", "libopenvdb-tools")
    assert "velocity     vec3s" in said and "temperature  float" in said, said


{"vtk": check_vtk, "vdb": check_vdb}[CLIENT]()
print("all is well in " + CLIENT)

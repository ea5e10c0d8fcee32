"""Runs in pvpython: check_paraview.py RUN. Every part of a run of all.json5 as ParaView reads it from its PVD file,
over all times: places, velocities, colours, triangles; from its H5Part file, by the HDF5 library: places, velocities,
colours; and from the OBJ file of the last frame: places, triangles."""
import os
import sys

import numpy
from paraview import servermanager
from paraview.simple import PVDReader
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkOBJReader
from vtkmodules.vtkIOH5part import vtkH5PartReader

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import expected

run = sys.argv[1]
frames = expected.frames(run)


def faces_of(part, wanted):
    return len(wanted["triangles"]) if "triangles" in wanted else {"water": 0, "cloth": 12, "crate": 12, "ground": 2}[part]


for part in expected.PARTS:
    reader = PVDReader(FileName="%s/export/%s_collection.pvd" % (run, part))
    reader.UpdatePipelineInformation()
    times = list(reader.TimestepValues)
    assert numpy.allclose(times, numpy.arange(len(frames)) / 30), times
    for time, wanted in zip(times, frames):
        reader.UpdatePipeline(time)
        data = servermanager.Fetch(reader)
        found = {name: vtk_to_numpy(data.GetPointData().GetArray(name)) for name in ("velocity", "color")}
        found["position"] = vtk_to_numpy(data.GetPoints().GetData())
        expected.check(part, found, wanted[part])
        assert data.GetNumberOfPolys() == faces_of(part, wanted[part]), (part, data.GetNumberOfPolys())
        if part == "water_surface":
            corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).reshape(-1, 3)
            assert (corners == wanted[part]["triangles"]).all()
        if part == "water":
            assert data.GetNumberOfVerts() == len(found["position"])
    plain = vtkOBJReader()
    plain.SetFileName("%s/export/%s_%06d.obj" % (run, part, len(frames) - 1))
    plain.Update()
    found = {"position": vtk_to_numpy(plain.GetOutput().GetPoints().GetData())}
    expected.check(part, found, frames[-1][part])
    assert plain.GetOutput().GetNumberOfPolys() == faces_of(part, frames[-1][part])


def steps_of(path):
    """Time -> points with their arrays, of an H5Part file."""
    reader = vtkH5PartReader()
    reader.SetFileName(path)
    reader.SetXarray("x"), reader.SetYarray("y"), reader.SetZarray("z")
    reader.SetCombineVectorComponents(1)
    reader.UpdateInformation()
    key = reader.GetExecutive().TIME_STEPS()
    about = reader.GetOutputInformation(0)
    for i in range(reader.GetNumberOfPointArrays()):
        reader.SetPointArrayStatus(reader.GetPointArrayName(i), 1)
    for i in range(about.Length(key)):
        time = about.Get(key, i)
        reader.UpdateTimeStep(time)
        yield time, reader.GetOutput()


for part in expected.PARTS:
    steps = 0
    for time, data in steps_of("%s/export/%s_frames.h5part" % (run, part)):
        wanted = frames[steps][part]
        assert abs(time - steps / 30) < 1e-6, (part, time)
        found = {name: vtk_to_numpy(data.GetPointData().GetArray(name)) for name in ("velocity", "color")}
        found["position"] = vtk_to_numpy(data.GetPoints().GetData())
        expected.check(part, found, wanted)
        if part == "water":
            ids = vtk_to_numpy(data.GetPointData().GetArray("id"))
            with numpy.load("%s/frames/frame_%06d.npz" % (run, steps)) as file:
                assert (ids == file["water/id"]).all()
        steps += 1
    assert steps == len(frames), (part, steps)
print("all is well in ParaView")

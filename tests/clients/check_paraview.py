"""Runs in pvpython: check_paraview.py RUN. Every part of a run of all.json5 as ParaView reads it from its PVD file,
over all times: places, velocities, colours, triangles; and from the OBJ file of the last frame: places, triangles."""
import os
import sys

import numpy
from paraview import servermanager
from paraview.simple import PVDReader
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkOBJReader

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
print("all is well in ParaView")

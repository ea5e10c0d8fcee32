"""Runs inside of Blender: files that `mote export` has written of a run, opened by Blender's own importers and
modifiers, beside the run's frames number by number: blender_formats.py RUN, behind `--`. The run is of all.json5."""
import glob
import json
import os
import sys
import zipfile

import bpy
import numpy

RUN = sys.argv[sys.argv.index("--") + 1]
LAST = 6
numpy.bool = bool  # Debian's importer of glTF asks for what NumPy no longer has


def frame(i):
    path = "%s/frames/frame_%06d.npz" % (RUN, i)
    with zipfile.ZipFile(path) as archive:
        about = json.loads(archive.read("frame.json"))
    return about, numpy.load(path)


def up(vectors):
    vectors = numpy.asarray(vectors, float).reshape(-1, 3)
    return numpy.stack([vectors[:, 0], -vectors[:, 2], vectors[:, 1]], axis=1)


def near(a, b, tolerance=1e-5):
    assert numpy.shape(a) == numpy.shape(b), (numpy.shape(a), numpy.shape(b))
    assert numpy.abs(numpy.asarray(a) - numpy.asarray(b)).max() < tolerance


def points(thing, world=False):
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    found = numpy.zeros(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", found)
    found = found.reshape(-1, 3).astype(float)
    shown.to_mesh_clear()
    matrix = numpy.array(shown.matrix_world)
    return found @ matrix[:3, :3].T + matrix[:3, 3] if world else found


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30


def pose(i, name):
    shape = next(s for s in frame(i)[0]["shapes"] if s["name"] == name)
    return shape["position"], shape["orientation"]


def rotated(q, p):
    v, w = numpy.array(q[:3]), q[3]
    return p + 2 * numpy.cross(v, numpy.cross(v, p) + w * p)


def check_glb():
    clear()
    bpy.ops.import_scene.gltf(filepath="%s/export/all_frames.glb" % RUN)
    scene, crate = bpy.context.scene, bpy.data.objects["crate"]
    corner = numpy.array([0.25, 0.125, 0.375])
    # Blender gives the importer's key frames the scene's own rate.
    for i in range(LAST + 1):
        scene.frame_set(i, subframe=0)
        place, turn = pose(i, "crate")
        near([list(crate.matrix_world.translation)], up(place), 1e-4)
        near(abs(points(crate, True) - up(numpy.array(place) + rotated(turn, corner))).sum(axis=1).min(), 0, 1e-4)
        shown = [thing for thing in bpy.data.objects if thing.name.split(".")[0] == "cloth" and
                 thing.matrix_world.to_scale().x > 0.5]
        assert len(shown) == 1, (i, [t.name for t in shown])
        near(points(shown[0], True), up(frame(i)[1]["cloth/position"]), 1e-4)
    water = [t for t in bpy.data.objects if t.name.split(".")[0] == "water_surface"]
    assert len(water) == LAST + 1 and all(len(t.data.polygons) > 100 for t in water)


def check_ply():
    clear()
    bpy.ops.import_mesh.ply(filepath="%s/export/crate_%06d.ply" % (RUN, LAST))
    crate = bpy.context.object
    assert len(crate.data.polygons) == 12
    color = crate.data.color_attributes[0].data[0].color_srgb
    near(list(color), (1, 188 / 255, 0, 1), 5e-3)


def check_obj():
    clear()
    bpy.ops.wm.obj_import(filepath="%s/export/water_surface_%06d.obj" % (RUN, LAST))
    water = bpy.context.object
    arrays = frame(LAST)[1]
    near(points(water, True), up(arrays["surfaces/water/vertices"]), 1e-4)
    assert len(water.data.polygons) == len(arrays["surfaces/water/triangles"])


def check_caches():
    """The mesh of the first frame, moved by Mesh Cache."""
    for kind in ("mdd", "pc2"):
        clear()
        bpy.ops.wm.obj_import(filepath="%s/export/cloth_000000.obj" % RUN, forward_axis="Y", up_axis="Z")
        cloth = bpy.context.object
        cache = cloth.modifiers.new("cache", "MESH_CACHE")
        cache.cache_format = kind.upper()
        cache.filepath = "%s/export/cloth_frames.%s" % (RUN, kind)
        first = frame(0)[1]["cloth/id"]
        for i in range(LAST + 1):
            bpy.context.scene.frame_set(i)
            arrays = frame(i)[1]
            order = [int(numpy.where(arrays["cloth/id"] == n)[0][0]) for n in first]
            near(points(cloth), arrays["cloth/position"][order].astype(float), 1e-4)


bpy.context.scene.render.fps = 30
for check in (check_glb, check_ply, check_obj, check_caches):
    check()
print("all is well in Blender " + bpy.app.version_string)

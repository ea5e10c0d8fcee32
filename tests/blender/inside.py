"""Runs inside of Blender: the add-on is installed from its zip, runs are opened, and what is there is
compared with the files number by number: inside.py PROGRAM ZIP LIQUID DROP STACK CLOTH SOLIDS
SMOKE PICTURE, behind `--`. SOLIDS has files of its frame 2 in its folder `export`, as ply."""
import glob
import importlib
import json
import math
import os
import sys
import time
import types
import zipfile

import bpy
import numpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

PROGRAM, ZIP, LIQUID, DROP, STACK, CLOTH, SOLIDS, SMOKE, PICTURE = sys.argv[sys.argv.index("--") + 1:]


def read(folder, number):
    path = sorted(glob.glob(os.path.join(folder, "frames", "*.npz")))[number]
    with zipfile.ZipFile(path) as file:
        about = json.loads(file.read("frame.json"))
    return about, numpy.load(path)


def up(vectors):
    """y is up in these scenes: (x, y, z) -> (x, -z, y)."""
    vectors = numpy.asarray(vectors, float)
    return numpy.stack([vectors[:, 0], -vectors[:, 2], vectors[:, 1]], axis=1)


def points(thing):
    found = numpy.zeros(3 * len(thing.data.vertices), numpy.float32)
    thing.data.vertices.foreach_get("co", found)
    return found.reshape(-1, 3)


def attribute(thing, name, member, width):
    data = thing.data.attributes[name].data
    found = numpy.zeros(width * len(data), numpy.float32)
    data.foreach_get(member, found)
    return found.reshape(len(data), width)


def near(a, b, tolerance=1e-5):
    assert numpy.shape(a) == numpy.shape(b), (numpy.shape(a), numpy.shape(b))
    assert numpy.abs(numpy.asarray(a) - numpy.asarray(b)).max(initial=0) < tolerance


def check_liquid(scene):
    assert bpy.ops.mote.import_run(directory=LIQUID) == {"FINISHED"}
    water, surface = bpy.data.objects["water"], bpy.data.objects["water surface"]
    last = len(glob.glob(os.path.join(LIQUID, "frames", "*.npz"))) - 1
    assert (scene.frame_start, scene.frame_end) == (1, last + 1)
    for number in (0, 2, last):
        scene.frame_set(number + 1)
        about, arrays = read(LIQUID, number)
        near(points(water), up(arrays["water/position"]))
        near(attribute(water, "velocity", "vector", 3), up(arrays["water/velocity"]))
        near(attribute(water, "radius", "value", 1)[:, 0], arrays["water/radius"])
        near(attribute(water, "color", "color", 4)[:, :3], arrays["water/color"], 1e-2)
        near(points(surface), up(arrays["surfaces/water/vertices"]))
        assert len(surface.data.polygons) == len(arrays["surfaces/water/triangles"])
        assert surface.data.polygons[0].use_smooth
        assert abs(scene.render.fps / scene.render.fps_base * about["dt"] - 1) < 1e-3
    moving = attribute(surface, "velocity", "vector", 3)  # falls as the liquid does
    near(moving.mean(axis=0), up(arrays["water/velocity"]).mean(axis=0), 0.3)
    assert surface.data.materials[0].name == "mote water"
    assert water.hide_render and scene.render.use_motion_blur


def check_stage(scene):
    """glass-tank's camera looks at (-0.02, 0.33, 0) from (0.75, 0.85, 2.1), 38 degrees high."""
    assert scene.render.engine == "CYCLES"
    assert (scene.render.resolution_x, scene.render.resolution_y) == (960, 540)
    camera = scene.camera
    near([list(camera.matrix_world.translation)], up([[0.75, 0.85, 2.1]]))
    middle = numpy.array(world_to_camera_view(scene, camera, Vector(up([[-0.02, 0.33, 0]])[0])))
    near(middle[:2], [0.5, 0.5], 1e-4)
    above = camera.matrix_world.to_3x3() @ Vector((0, math.tan(math.radians(19)), -1))
    top = numpy.array(world_to_camera_view(scene, camera, camera.matrix_world.translation + above))
    near(top[:2], [0.5, 1], 1e-4)
    sun = bpy.data.objects["mote sun"].matrix_world.to_3x3() @ Vector((0, 0, 1))
    toward = up([[-0.5, 1, 0.55]])[0]
    near(list(sun), toward / numpy.linalg.norm(toward), 1e-5)
    assert bpy.data.objects["Cube"].hide_render and bpy.data.objects["Light"].hide_render
    tank, table = bpy.data.objects["tank"], bpy.data.objects["table"]
    assert tank.hide_render and not table.hide_render and tank.dimensions.x > 1.59


def glow(name):
    """A material that shines by itself."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes = material.node_tree.nodes
    light = nodes.new("ShaderNodeEmission")
    material.node_tree.links.new(light.outputs[0], nodes["Material Output"].inputs["Surface"])
    return material


def check_blur(scene):
    """A drop that flies along x, alone, white before black: with the shutter open for half a frame its picture is
    longer by what it flies then, 12 m/s * 0.5 / 60 s, and no higher."""
    assert bpy.ops.mote.import_run(directory=DROP) == {"FINISHED"}
    surface, camera = bpy.data.objects["drop surface"], scene.camera
    assert scene.render.motion_blur_shutter == 0.5
    kept = {thing: thing.hide_render for thing in scene.objects}
    for thing in scene.objects:
        thing.hide_render = thing not in (surface, camera)
    surface.data.materials[0] = glow("white")
    scene.frame_set(3)
    middle = points(surface).mean(axis=0)
    camera.location, camera.rotation_euler = middle - [0, 3, 0], (math.pi / 2, 0, 0)
    camera.data.type, camera.data.sensor_fit, camera.data.ortho_scale = "ORTHO", "HORIZONTAL", 1
    world, scene.world, scene.cycles.samples = scene.world, None, 64
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    sizes = {}
    for blur in (False, True):
        scene.render.use_motion_blur = blur
        shot = picture(scene)[:, :, 0]
        sizes[blur] = numpy.array([(shot.max(axis=axis) > 0.03).sum() / 48 for axis in (0, 1)])
    print("a drop of %.3f x %.3f m, blurred %.3f x %.3f m" % (*sizes[False], *sizes[True]))
    assert numpy.ptp(points(surface)[:, 0]) - 0.03 < sizes[False][0] < numpy.ptp(points(surface)[:, 0]) + 0.05
    near(sizes[True] - sizes[False], [12 * 0.5 / 60, 0], 1.5 / 48)
    scene.world, scene.render.image_settings.file_format = world, "PNG"
    for thing, hidden in kept.items():
        thing.hide_render = hidden
    bpy.data.objects.remove(surface)


def check_solids(scene):
    """Bodies of several convex parts, where the program's own export has them."""
    assert bpy.ops.mote.import_run(directory=SOLIDS, stage=False) == {"FINISHED"}
    scene.frame_set(3)
    checked = 0
    for shape in read(SOLIDS, 2)[0]["shapes"]:
        if shape["type"] != "compound":
            continue
        thing = next(t for t in bpy.data.objects if t.name.split(".")[0] == shape["name"])
        places = numpy.array([list(thing.matrix_world @ v.co) for v in thing.data.vertices])
        wanted = up(ply_places(os.path.join(SOLIDS, "export", shape["name"] + "_000002.ply")))
        far = numpy.abs(wanted[:, None] - places[None]).max(axis=2)
        assert far.min(axis=1).max() < 1e-5 and far.min(axis=0).max() < 1e-5
        assert len(thing.data.polygons) * 3 == len(wanted) and thing.data.materials[0].name.startswith("mote solid")
        checked += 1
    assert checked == 5, checked


def ply_places(path):
    """x, y, z of a binary PLY of mote."""
    with open(path, "rb") as file:
        head, body = file.read().split(b"end_header\n", 1)
    kinds = {"float": "<f4", "uchar": "u1"}
    vertex = head.decode().split("element vertex ")[1].split("element")[0].split("\n")
    names = [line.split() for line in vertex[1:] if line.startswith("property")]
    rows = numpy.frombuffer(body, [(name, kinds[kind]) for _, kind, name in names], int(vertex[0]))
    return numpy.stack([rows[name] for name in "xyz"], axis=1)

def check_bodies(scene):
    assert bpy.ops.mote.import_run(directory=STACK) == {"FINISHED"}
    checked = 0
    for number in (0, 1, 3):
        scene.frame_set(number + 1)
        for shape in read(STACK, number)[0]["shapes"]:
            thing = bpy.data.objects[shape["name"]]
            near([list(thing.matrix_world.translation)], up([shape["position"]]))
            x, y, z, w = shape["orientation"]
            corner = numpy.array([0.3, -0.2, 0.1])
            u = numpy.array([x, y, z])
            turned = corner + 2 * numpy.cross(u, numpy.cross(u, corner) + w * corner)
            rotation = numpy.array(thing.matrix_world.to_3x3())
            near([rotation @ corner], up([turned]), 1e-4)
            checked += bool(shape.get("body"))
    assert checked > 10
    brick = bpy.data.objects["brick-0"]
    assert len(brick.data.vertices) == 8
    curves = brick.animation_data.action.fcurves
    assert len(curves) == 7 and all(len(curve.keyframe_points) == 4 for curve in curves)


def check_cloth(scene):
    assert bpy.ops.mote.import_run(directory=CLOTH) == {"FINISHED"}
    cloth = bpy.data.objects["cloth cloth"]
    scene.frame_set(3)
    arrays = read(CLOTH, 2)[1]
    rows = {int(i): row for row, i in enumerate(arrays["cloth/id"])}
    corners = numpy.array([[rows[int(i)] for i in t] for t in arrays["meshes/cloth/triangles"]])
    expected = up(arrays["cloth/position"])[corners]
    found = numpy.zeros(3 * len(cloth.data.polygons), numpy.int32)
    cloth.data.polygons.foreach_get("vertices", found)
    near(points(cloth)[found.reshape(-1, 3)], expected)


def here(name):
    """The particles of that name in the run with smoke."""
    return next(t for t in bpy.data.objects if (t.get("mote_folder"), t.get("mote_name")) == (SMOKE, name))


def check_smoke(scene):
    """A sequence of volumes, of the right file at every frame; without the program, particles and a warning."""
    scene.mote.program = "/there/is/no/mote"
    assert bpy.ops.mote.import_run(directory=SMOKE, stage=False) == {"FINISHED"}
    assert "smoke volume" not in bpy.data.objects and not here("smoke").hide_render
    for thing in [t for t in bpy.data.objects if t.get("mote_folder") == SMOKE]:
        bpy.data.objects.remove(thing)
    scene.mote.program = PROGRAM
    assert bpy.ops.mote.import_run(directory=SMOKE, stage=False) == {"FINISHED"}
    thing = bpy.data.objects["smoke volume"]
    assert thing.type == "VOLUME" and here("smoke").hide_render
    assert not here("water").hide_render and "water volume" not in bpy.data.objects
    for number in (1, 4, 6):
        scene.frame_set(number + 1)
        shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
        grids = shown.data.grids
        assert grids.load(), grids.error_message
        assert os.path.basename(grids.frame_filepath) == "smoke_%06d.vdb" % number, grids.frame_filepath
        kinds = {grid.name: grid.data_type for grid in grids}
        assert shown.data.velocity_grid == "velocity"
        assert kinds["extinction"] == kinds["temperature"] == "FLOAT" and kinds["velocity"] == "VECTOR_FLOAT"
        # All particles are in the volume, whose leaves have sides of 8 cells of 0.05 m.
        places = up(read(SMOKE, number)[1]["smoke/position"])
        box = numpy.array([list(corner) for corner in shown.bound_box])
        assert (box.min(axis=0) < places.min(axis=0)).all() and (box.max(axis=0) > places.max(axis=0)).all()
        assert (box.max(axis=0) - box.min(axis=0) < numpy.ptp(places, axis=0) + 2 * (0.4 + 0.2)).all(), box


def measure_smoke(scene):
    """The volume alone, thin and black before a white world: what it takes out of the light, summed over the
    picture, is the cross-section of all particles as volumes.json5 draws them."""
    for thing in scene.objects:
        thing.hide_render = thing.name not in ("smoke volume", "Camera")
    nodes = bpy.data.materials["mote smoke"].node_tree.nodes
    shader = next(node for node in nodes if node.type == "PRINCIPLED_VOLUME")
    nodes.remove(next(node for node in nodes if node.type == "MATH"))
    thin = shader.inputs["Density"].default_value = 0.002
    shader.inputs["Color"].default_value = (0, 0, 0, 1)
    scene.world = bpy.data.worlds["World"]
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    camera = scene.camera = scene.objects["Camera"]
    camera.location, camera.rotation_euler = (-1, -3, 0.2), (math.pi / 2, 0, 0)
    camera.data.type, camera.data.ortho_scale = "ORTHO", 2
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "32"
    scene.render.use_motion_blur, scene.cycles.samples = False, 16
    scene.frame_set(7)
    taken = (1 - picture(scene)[:, :, 0]).sum() * (2 / 48) ** 2 / thin
    about, arrays = read(SMOKE, 6)
    age = about["time"] - arrays["smoke/birth"]
    section = ((0.25 + age) * 2 * numpy.pi * (0.5 * (0.05 + 0.2 * age)) ** 2).sum()
    assert abs(taken / section - 1) < 0.1, (taken, section)
    print("cross-section %.4f m^2, in Blender %.4f m^2" % (section, taken))


def check_refusals():
    try:
        bpy.ops.mote.import_run(directory=os.path.dirname(ZIP))
    except RuntimeError as failure:
        assert "no frames of mote" in str(failure)
    else:
        raise AssertionError("a folder without a run was opened")


def check_running(scene):
    """The panel's way: parameters of a scene as numbers to change, a run, and what it has made."""
    scene.mote.program, scene.mote.scene = PROGRAM, "dam-break"
    assert bpy.ops.mote.params() == {"FINISHED"}
    assert [key for key in scene.mote.keys() if key.startswith("param ")] == ["param spacing"]
    assert abs(scene.mote["param spacing"] - 0.04) < 1e-6
    slider = scene.mote.id_properties_ui("param spacing").as_dict()
    near([slider["soft_min"], slider["soft_max"]], [0.01, 0.16])
    scene.mote["param spacing"] = 0.125
    scene.mote.settings = "world.duration=0.1"
    scene.mote.folder = os.path.join(os.path.dirname(ZIP), "made here")
    assert bpy.ops.mote.run() == {"FINISHED"}
    arrays = read(scene.mote.folder, 1)[1]
    assert abs(arrays["water/radius"][0] - 0.125 / 2) < 1e-6
    try:
        bpy.ops.mote.run()
    except RuntimeError as failure:
        assert "--force" in str(failure), failure  # the program's own words
    else:
        raise AssertionError("a run was written over")


def check_waiting(scene):
    """As from the panel's button: the run goes on while Blender does, and Escape stops it."""
    running = importlib.import_module("mote_blender.running")
    said = []
    manager = types.SimpleNamespace(event_timer_add=lambda *a, **k: 1, event_timer_remove=lambda timer: None,
                                    modal_handler_add=lambda operator: None)
    context = types.SimpleNamespace(scene=scene, window=None, window_manager=manager,
                                    workspace=types.SimpleNamespace(status_text_set=said.append))
    kind = running.MOTE_OT_run

    def begin():
        button = types.SimpleNamespace(report=lambda kinds, text: said.append(text))
        for name in ("open", "end", "modal", "invoke"):
            setattr(button, name, types.MethodType(getattr(kind, name), button))
        assert button.invoke(context, None) == {"RUNNING_MODAL"}, said
        return button
    scene.mote.folder, scene.mote.settings = os.path.join(os.path.dirname(ZIP), "later"), "world.duration=0.1"
    button, found = begin(), {"PASS_THROUGH"}
    while found == {"PASS_THROUGH"}:
        time.sleep(0.1)
        found = button.modal(context, types.SimpleNamespace(type="TIMER"))
    assert found == {"FINISHED"} and len(read(scene.mote.folder, 3)[1]["water/radius"]) > 100, (found, said)
    button = begin()  # again into the same folder
    assert button.process.wait() != 0
    assert button.modal(context, types.SimpleNamespace(type="TIMER")) == {"CANCELLED"} and "--force" in said[-1]
    scene.mote.force, scene.mote.settings = True, "world.duration=1000"
    button = begin()
    time.sleep(0.5)
    assert button.modal(context, types.SimpleNamespace(type="MOUSEMOVE")) == {"PASS_THROUGH"}
    assert button.modal(context, types.SimpleNamespace(type="ESC")) == {"CANCELLED"} and said[-1] == "stopped"
    assert button.process.poll() is not None


def picture(scene):
    scene.render.engine = "CYCLES"
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 48, 27
    scene.render.filepath = PICTURE
    bpy.ops.render.render(write_still=True)
    return numpy.array(bpy.data.images.load(PICTURE + scene.render.file_extension).pixels[:]).reshape(27, 48, 4)


def render(scene):
    scene.cycles.samples = 1
    pixels = picture(scene)
    assert pixels[:, :, :3].std() > 0.02, "the picture is of one colour"


def main():
    bpy.ops.preferences.addon_install(filepath=ZIP)
    bpy.ops.preferences.addon_enable(module="mote_blender")
    scene = bpy.context.scene
    check_liquid(scene)
    check_stage(scene)
    check_blur(scene)
    check_bodies(scene)
    check_cloth(scene)
    check_solids(scene)
    check_refusals()
    scene.frame_set(3)
    render(scene)
    check_running(scene)
    check_waiting(scene)
    check_smoke(scene)
    measure_smoke(scene)
    bpy.ops.preferences.addon_disable(module="mote_blender")
    print("all is well in Blender " + bpy.app.version_string)


main()

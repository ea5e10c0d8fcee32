"""Camera, light, sky and size of the picture as the run's scene has them, so that what was opened can be rendered."""
import math

import bpy
from mathutils import Matrix, Vector

from . import scene_file
from .scene_file import numbers

# What Blender begins with, and where: it would stand in the middle of the run.
START = {"Cube": (0, 0, 0), "Light": (4.0762, 1.0055, 5.9039)}


def look_along(eye, target, up):
    """The rotation of a camera: it looks along its -z, with y up."""
    back = (eye - target).normalized()
    side = up.cross(back)
    if side.length < 1e-9:
        side = Vector((1, 0, 0)).cross(back) if abs(back.x) < 0.9 else Vector((0, 1, 0)).cross(back)
    side.normalize()
    return Matrix((side, back.cross(side), back)).transposed()


def box_of(frame):
    """Corners of what moves, in Blender's axes; None when nothing does."""
    places = [c["position"] for c in frame.systems.values() if len(c.get("position", ()))]
    places += [[s["position"]] for s in frame.shapes if s.get("body")]
    if not places:
        return None
    turned = [frame.turned(p) for p in places]
    return (Vector([min(p[:, c].min() for p in turned) for c in range(3)]),
            Vector([max(p[:, c].max() for p in turned) for c in range(3)]))


def view_of(camera, frame):
    """Eye, target and up. A scene without a camera is seen from the front and above, as large as it is."""
    turn = Matrix(frame.turn.tolist())
    box = box_of(frame)
    if "from" not in camera and box is not None:
        middle, size = (box[0] + box[1]) / 2, max((box[1] - box[0]).length, 0.1)
        return middle + Vector((0.5, -1.4, 0.6)) * size, middle, Vector((0, 0, 1))
    eye, target, up = (turn @ Vector(numbers(camera, key, default)) for key, default in
                       (("from", (3, 2, 4)), ("to", (0, 1, 0)), ("up", (0, 1, 0))))
    turned = Matrix.Rotation(math.radians(numbers(camera, "orbit", 0)), 3, up)
    return target + turned @ (eye - target) * numbers(camera, "dolly", 1), target, up


def add_camera(scene, camera, frame, collection):
    data = bpy.data.cameras.new("mote camera")
    data.sensor_fit = "VERTICAL"
    data.angle = math.radians(numbers(camera, "fov", 40))
    height = numbers(camera, "height", 0)
    if height > 0:
        data.type, data.ortho_scale = "ORTHO", height
    data.clip_start, data.clip_end = numbers(camera, "near", 0.01), 1000
    thing = bpy.data.objects.new("mote camera", data)
    eye, target, up = view_of(camera, frame)
    thing.matrix_world = Matrix.Translation(eye) @ look_along(eye, target, up).to_4x4()
    collection.objects.link(thing)
    scene.camera = thing
    scene.render.motion_blur_shutter = max(0.01, numbers(camera, "shutter", 0.5))


def add_suns(lights, frame, collection):
    """mote's light of 1 makes white paper white: pi in Blender's units."""
    suns = [light for light in lights if isinstance(light, dict) and light.get("type") == "sun"]
    for light in suns or [{}]:
        data = bpy.data.lights.new("mote sun", "SUN")
        color = numbers(light, "color", (1, 1, 1))
        strongest = max(max(color), 1e-6)
        data.color = [c / strongest for c in color]
        data.energy = math.pi * strongest * numbers(light, "intensity", 1)
        data.angle = 2 * math.radians(numbers(light, "size", 1))
        thing = bpy.data.objects.new("mote sun", data)
        toward = Matrix(frame.turn.tolist()) @ Vector(numbers(light, "toward", (0.5, 1, 0.6)))
        thing.rotation_mode = "QUATERNION"
        thing.rotation_quaternion = toward.to_track_quat("Z", "Y")
        thing.location = toward
        collection.objects.link(thing)


def set_sky(scene, sky):
    """From the horizon's colour to the zenith's."""
    world = scene.world = bpy.data.worlds.new("mote sky")
    world.use_nodes = True
    nodes, link = world.node_tree.nodes, world.node_tree.links.new
    where, part = nodes.new("ShaderNodeTexCoord"), nodes.new("ShaderNodeSeparateXYZ")
    ramp = nodes.new("ShaderNodeValToRGB")
    for element, key, default in ((0, "horizon", (0.6, 0.68, 0.76)), (1, "zenith", (0.2, 0.34, 0.6))):
        ramp.color_ramp.elements[element].color = tuple(numbers(sky, key, default)) + (1,)
    link(where.outputs["Generated"], part.inputs[0])
    link(part.outputs["Z"], ramp.inputs[0])
    link(ramp.outputs["Color"], nodes["Background"].inputs["Color"])


def hide_start(scene):
    for name, place in START.items():
        thing = scene.objects.get(name)
        if thing is not None and (thing.location - Vector(place)).length < 1e-3:
            thing.hide_render = True
            thing.hide_set(True)


def set_up(scene, folder, frame, collection):
    """Cycles, because it alone blurs meshes whose points come and go, by their velocity."""
    about = scene_file.of_run(folder)
    picture = about.get("render", {})
    scene.render.engine = "CYCLES"
    scene.render.resolution_x = int(numbers(picture, "width", 1280))
    scene.render.resolution_y = int(numbers(picture, "height", 720))
    add_camera(scene, about.get("camera", {}), frame, collection)
    add_suns(picture.get("lights", []), frame, collection)
    set_sky(scene, picture.get("sky", {}))
    hide_start(scene)

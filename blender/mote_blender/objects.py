"""Objects of Blender for a run: particles, liquids and cloth that change every frame, and bodies with
key frames."""
import bpy
import numpy
from mathutils import Matrix, Quaternion, Vector

from . import materials, scene_file, stage, versions, volumes
from .run_folder import RunFolder, velocities_at
from .shapes import mesh_of

_open = {}  # folder -> RunFolder


def run_of(folder):
    if folder not in _open:
        _open[folder] = RunFolder(folder)
    return _open[folder]


# ---- meshes that change ----

def set_mesh(mesh, vertices, triangles=None):
    mesh.clear_geometry()
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", numpy.ascontiguousarray(vertices, numpy.float32).ravel())
    if triangles is not None and len(triangles):
        versions.set_triangles(mesh, triangles)
        mesh.update(calc_edges=True)


def set_attribute(mesh, name, kind, values):
    """A column of the particles as an attribute of the points."""
    found = mesh.attributes.get(name)
    if found is None or found.data_type != kind or len(found.data) != len(values):
        if found is not None:
            mesh.attributes.remove(found)
        found = mesh.attributes.new(name, kind, "POINT")
    member = {"FLOAT_VECTOR": "vector", "FLOAT_COLOR": "color"}.get(kind, "value")
    found.data.foreach_set(member, numpy.ascontiguousarray(values).ravel())


def show_particles(mesh, frame, name):
    columns = frame.systems.get(name, {})
    if "position" not in columns:
        set_mesh(mesh, [])
        return
    set_mesh(mesh, frame.turned(columns["position"]))
    if "velocity" in columns:
        set_attribute(mesh, "velocity", "FLOAT_VECTOR", frame.turned(columns["velocity"]))
    if "color" in columns:
        alpha = columns.get("opacity", numpy.ones(len(columns["color"])))
        set_attribute(mesh, "color", "FLOAT_COLOR",
                      numpy.column_stack([columns["color"], alpha]).astype(numpy.float32))
    if "id" in columns:
        set_attribute(mesh, "particle_id", "INT", columns["id"].astype(numpy.int32))
    for column in ("radius", "mass", "density", "pressure", "temperature"):
        if column in columns and columns[column].ndim == 1:
            set_attribute(mesh, column, "FLOAT", columns[column].astype(numpy.float32))


def show_surface(mesh, frame, name):
    surface = frame.surfaces.get(name)
    if surface is None:
        set_mesh(mesh, [])
        return
    set_mesh(mesh, frame.turned(surface["vertices"]), surface["triangles"])
    particles = frame.systems.get(name)
    if particles and len(particles.get("position", ())) and len(surface["vertices"]):
        cell = 4 * float(numpy.max(particles["radius"]))
        moving = velocities_at(surface["vertices"].astype(float), particles, cell)
        set_attribute(mesh, "velocity", "FLOAT_VECTOR", frame.turned(moving))


def show_cloth(mesh, frame, name):
    particles = frame.systems.get(frame.meshes_of.get(name, name))
    triangles = frame.meshes.get(name, {}).get("triangles")
    if particles is None or triangles is None:
        set_mesh(mesh, [])
        return
    order = numpy.argsort(particles["id"])
    rows = order[numpy.searchsorted(particles["id"], triangles, sorter=order)]
    used, corners = numpy.unique(rows, return_inverse=True)
    set_mesh(mesh, frame.turned(particles["position"][used]), corners.reshape(-1, 3))
    set_attribute(mesh, "velocity", "FLOAT_VECTOR", frame.turned(particles["velocity"][used]))


SHOW = {"particles": show_particles, "surface": show_surface, "cloth": show_cloth}


def show_frame(scene, objects=None):
    """Everything as it is in the scene's frame."""
    for thing in objects if objects is not None else scene.objects:
        kind = thing.get("mote_kind")
        if kind not in SHOW or thing.type != "MESH":
            continue
        run = run_of(thing["mote_folder"])
        frame = run.frame(scene.frame_current - thing["mote_start"] + run.first)
        if frame is not None:
            SHOW[kind](thing.data, frame, thing["mote_name"])


# ---- bodies ----

def pose(frame, shape):
    turn = Matrix(frame.turn.tolist())
    x, y, z, w = shape["orientation"]
    rotation = turn.to_quaternion() @ Quaternion((w, x, y, z))
    return turn @ Vector(shape["position"]), rotation.normalized()


def add_shape(run, frame, shape, look, collection):
    """What the scene does not show is hidden, and so are containers: one sees from outside what is in them."""
    made = mesh_of(shape, run.mesh)
    mesh = bpy.data.meshes.new(shape["name"])
    mesh.from_pydata(made[0], [], made[1])
    mesh.update()
    mesh.materials.append(materials.solid(look))
    thing = bpy.data.objects.new(shape["name"], mesh)
    thing.rotation_mode = "QUATERNION"
    collection.objects.link(thing)
    place(thing, *pose(frame, shape))
    thing.hide_render = shape["type"] == "inverted" or look.get("visible") is False
    thing.display_type = "WIRE" if thing.hide_render else "TEXTURED"
    return thing


def place(thing, position, rotation):
    thing.location, thing.rotation_quaternion = position, rotation


def key_poses(thing, times, poses):
    """Key frames of position and rotation, straight between frames."""
    values = numpy.array([list(position) + list(rotation) for position, rotation in poses])
    for i in range(1, len(values)):  # the short way round
        if values[i, 3:] @ values[i - 1, 3:] < 0:
            values[i, 3:] *= -1
    for path in ("location", "rotation_quaternion"):
        thing.keyframe_insert(path, frame=times[0])  # makes the action, and a curve a number
    for curve in versions.curves_of(thing):
        column = curve.array_index + (3 if curve.data_path == "rotation_quaternion" else 0)
        curve.keyframe_points.add(len(times) - len(curve.keyframe_points))
        curve.keyframe_points.foreach_set("co", numpy.column_stack([times, values[:, column]]).ravel())
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
        curve.update()


def add_bodies(run, collection, start):
    """Every collider and body; what moves has key frames."""
    things, poses, look_of = {}, {}, scene_file.looks(scene_file.of_run(run.folder))
    numbers = sorted(run.files)
    for number in numbers:
        frame = run.frame(number)
        for shape in frame.shapes:
            if shape["name"] not in things:
                things[shape["name"]] = add_shape(run, frame, shape, look_of(shape), collection)
            poses.setdefault(shape["name"], []).append(
                (number - run.first + start, pose(frame, shape)))
    for name, thing in things.items():
        times, places = zip(*poses[name])
        if any(_differs(there, places[0]) for there in places):
            key_poses(thing, times, places)
    return things


def _differs(a, b):
    return (a[0] - b[0]).length > 1e-7 or a[1].rotation_difference(b[1]).angle > 1e-6


# ---- a run ----

def add_changing(kind, name, run, collection, start):
    thing = bpy.data.objects.new(name if kind == "particles" else "%s %s" % (name, kind),
                                 bpy.data.meshes.new(name))
    collection.objects.link(thing)
    thing["mote_kind"], thing["mote_name"] = kind, name
    thing["mote_folder"], thing["mote_start"] = run.folder, start
    materials.dress(thing, kind)
    return thing


def import_run(context, folder, start=1, clouds="none", staged=True):
    """A sentence about what is not as wanted, and a collection with everything that a run holds; frame
    rate and length of the scene are the run's. `clouds`: see volumes.wanted; `staged`: with camera and light."""
    run = RunFolder(folder)
    _open[folder] = run
    first = run.frame(run.last)
    collection = bpy.data.collections.new(folder.rstrip("/").split("/")[-1])
    context.scene.collection.children.link(collection)
    cloths = {first.meshes_of.get(name, name) for name, mesh in first.meshes.items()
              if len(mesh.get("triangles", ()))}
    things = [add_changing("surface", name, run, collection, start) for name in first.surfaces]
    things += [add_changing("cloth", name, run, collection, start) for name, mesh in
               first.meshes.items() if len(mesh.get("triangles", ()))]
    shown, note = volumes.add_volumes(context.scene.mote.program, clouds, run, collection, start)
    for name in first.systems:
        thing = add_changing("particles", name, run, collection, start)
        thing.hide_render = name in first.surfaces or name in cloths or name in shown
        thing.hide_set(thing.hide_render)
        things.append(thing)
    add_bodies(run, collection, start)
    scene = context.scene
    scene.frame_start, scene.frame_end = start, start + run.last - run.first
    scene.render.fps, scene.render.fps_base = 1000, 1000 * first.dt
    scene.render.use_motion_blur = True
    scene.render.use_lock_interface = True  # meshes change while frames are rendered
    if staged:
        stage.set_up(scene, folder, first, collection)
    scene.frame_set(start)
    show_frame(scene)
    return note, collection

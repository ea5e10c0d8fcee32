"""What differs between versions of Blender, 3.4 to 5: nothing else in the add-on asks for the version."""
import bpy
import numpy


def set_triangles(mesh, triangles):
    """Corners of a mesh that has none yet. Since 3.6 the length of a face follows from where the next begins."""
    count = len(triangles)
    mesh.loops.add(3 * count)
    mesh.loops.foreach_set("vertex_index", numpy.ascontiguousarray(triangles, numpy.int32).ravel())
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", numpy.arange(0, 3 * count, 3, dtype=numpy.int32))
    if bpy.app.version < (3, 6, 0):
        mesh.polygons.foreach_set("loop_total", numpy.full(count, 3, numpy.int32))
    mesh.polygons.foreach_set("use_smooth", numpy.ones(count, bool))


def socket(sockets, *names):
    """The first of the names that this version has; None: none of them."""
    return next((sockets[name] for name in names if name in sockets), None)


def new_socket(group, name, direction):
    """A way for geometry into a group of nodes, or out of it."""
    if hasattr(group, "interface"):  # 4.0
        group.interface.new_socket(name, in_out=direction, socket_type="NodeSocketGeometry")
    else:
        (group.inputs if direction == "INPUT" else group.outputs).new("NodeSocketGeometry", name)


def curves_of(thing):
    """The animation curves of an object; since 4.4 an action has some for each that uses it."""
    data = thing.animation_data
    if hasattr(data.action, "fcurves"):  # not in 5.0
        return data.action.fcurves
    return data.action.layers[0].strips[0].channelbag(data.action_slot).fcurves

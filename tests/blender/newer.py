"""What the add-on does where Blender is newer than Debian's, on a stand-in for Blender that refuses as it does:
newer.py SOURCE. It shows the ways that are taken, not that Blender goes along."""
import sys
import types

try:
    import numpy
except ImportError:
    print("skipped: no NumPy (Debian: python3-numpy)")
    sys.exit(77)

sys.path.insert(0, sys.argv[1] + "/blender/mote_blender")


class Rows:
    """A collection of a mesh; `fixed` cannot be written."""

    def __init__(self, fixed=()):
        self.count, self.fixed, self.set = 0, fixed, {}

    def add(self, count):
        self.count += count

    def foreach_set(self, name, values):
        if name in self.fixed:
            raise AttributeError('"%s" is read-only' % name)
        self.set[name] = numpy.array(values)


def at(version):
    """The module as that version of Blender would load it."""
    sys.modules["bpy"] = types.SimpleNamespace(app=types.SimpleNamespace(version=version))
    sys.modules.pop("versions", None)
    import versions
    return versions


for version in ((3, 4, 1), (3, 6, 0), (4, 2, 0), (5, 0, 0)):
    fixed = ("loop_total",) if version >= (3, 6, 0) else ()
    mesh = types.SimpleNamespace(loops=Rows(), polygons=Rows(fixed))
    at(version).set_triangles(mesh, [[0, 1, 2], [2, 1, 3]])
    assert list(mesh.polygons.set["loop_start"]) == [0, 3] and list(mesh.loops.set["vertex_index"]) == [0, 1, 2, 2, 1, 3]
    assert ("loop_total" in mesh.polygons.set) == (version < (3, 6, 0)), version

versions = at((5, 0, 0))
bag = types.SimpleNamespace(fcurves=["curve"])
strip = types.SimpleNamespace(channelbag=lambda slot: bag if slot == "own" else None)
action = types.SimpleNamespace(layers=[types.SimpleNamespace(strips=[strip])])
thing = types.SimpleNamespace(animation_data=types.SimpleNamespace(action=action, action_slot="own"))
assert versions.curves_of(thing) == ["curve"]
action.fcurves = ["older"]
assert versions.curves_of(thing) == ["older"]
assert versions.socket({"Transmission Weight": 1}, "Transmission", "Transmission Weight") == 1
made = []
group = types.SimpleNamespace(interface=types.SimpleNamespace(
    new_socket=lambda name, in_out, socket_type: made.append((name, in_out, socket_type))))
versions.new_socket(group, "Geometry", "INPUT")
assert made == [("Geometry", "INPUT", "NodeSocketGeometry")]

"""What clients must find in files of a run of all.json5, from the run's frames and the scene alone: expected.py RUN
prints, for every frame and part, places, velocities and linear colours of the points, in their order, and
triangles. A box has its corners on faces of their own, so points of bodies have an order of their own: corners
and velocities there are functions (`body`), and lists as other parts' for a test that matches by place."""
import glob
import json
import sys
import zipfile

import numpy

COLOR = {"cloth": (0.1, 0.2, 0.9), "crate": (1, 0.5, 0), "ground": (0.3, 0.6, 0.2)}
PARTS = ("water", "cloth", "water_surface", "crate", "ground")


def rotate(q, p):
    v, w = numpy.array(q[:3]), q[3]
    return p + 2 * numpy.cross(v, numpy.cross(v, p) + w * p)


def body_velocity(shape, places):
    """Of points of a rigid body, m/s."""
    arms = numpy.asarray(places) - shape["position"]
    return numpy.array(shape.get("velocity", (0, 0, 0))) + numpy.cross(shape.get("spin", (0, 0, 0)), arms)


def near_vertices(vertices, places, radius, columns):
    """Means over the particles around every vertex, by Shepard's weights in a ball of four radii."""
    reach = 4 * radius.mean()
    d2 = ((vertices[:, None] - places[None]) ** 2).sum(axis=2)
    weight = numpy.clip(1 - d2 / reach ** 2, 0, None) ** 2
    assert (weight.sum(axis=1) > 0).all()
    return [weight @ column / weight.sum(axis=1)[:, None] for column in columns]


def crate(shape):
    size = numpy.array(shape["params"]["size"]) / 2
    corners = numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size
    return numpy.array(shape["position"]) + rotate(shape["orientation"], corners)


def frame(path):
    with zipfile.ZipFile(path) as archive:
        shapes = {s["name"]: s for s in json.loads(archive.read("frame.json"))["shapes"]}
    file = numpy.load(path)
    found = {}
    for name in ("water", "cloth"):
        places, moving = (file["%s/%s" % (name, c)].astype(float) for c in ("position", "velocity"))
        color = numpy.tile(COLOR.get(name, (0, 0.5, 0.2)), (len(places), 1))
        if name == "water":  # the look's expression
            color[:, 0] = places[:, 0] - 1.5
        found[name] = {"position": places, "velocity": moving, "color": color}
    water = found["water"]
    vertices = file["surfaces/water/vertices"].astype(float)
    moving, color = near_vertices(vertices, water["position"], file["water/radius"].astype(float),
                                  (water["velocity"], water["color"]))
    found["water_surface"] = {"position": vertices, "velocity": moving, "color": color,
                              "triangles": file["surfaces/water/triangles"]}
    corners = crate(shapes["crate"])
    found["crate"] = {"position": corners, "velocity": body_velocity(shapes["crate"], corners), "pose":
                      {"position": shapes["crate"]["position"], "orientation": shapes["crate"]["orientation"]}}
    square = numpy.array([[x, 0, z] for x in (-10.0, 10) for z in (-10.0, 10)])
    found["ground"] = {"position": square, "velocity": 0 * square}
    for name in ("crate", "ground"):
        found[name]["color"] = numpy.tile(COLOR[name], (len(found[name]["position"]), 1)).astype(float)
    return found


def frames(run):
    return [frame(path) for path in sorted(glob.glob(run + "/frames/*.npz"))]


def same_rows(found, wanted, tolerance):
    """Rows in the same order; of bodies, whose corners are there once a face, row by row the nearest."""
    assert wanted.shape[1] == found.shape[1]
    if len(found) == len(wanted) and numpy.abs(found - wanted).max() < tolerance:
        return
    far = numpy.abs(found[:, None] - wanted[None]).max(axis=2)
    assert far.min(axis=0).max() < tolerance and far.min(axis=1).max() < tolerance, far.min(axis=1).max()


def check(part, found, wanted, tolerance=1e-4):
    """Arrays that a client has read (name -> rows), beside those wanted. A row is place and value together, so that
    values belong to their places."""
    ordered = part not in ("crate", "ground")
    for name, rows in found.items():
        rows = numpy.asarray(rows, float)
        if ordered:
            assert rows.shape == wanted[name].shape, (part, name, rows.shape, wanted[name].shape)
            error = numpy.abs(rows - wanted[name]).max()
            assert error < tolerance, (part, name, error)
        else:
            same_rows(numpy.hstack([numpy.asarray(found["position"], float), rows]),
                      numpy.hstack([wanted["position"], wanted[name]]), tolerance)


def srgb(linear):
    linear = numpy.clip(linear, 0, 1)
    return numpy.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


if __name__ == "__main__":
    class Lists(json.JSONEncoder):
        def default(self, o):
            return o.tolist()
    print(json.dumps(frames(sys.argv[1]), cls=Lists))

"""Shapes of colliders and bodies as meshes: (vertices, faces) in the shape's own frame."""
import math


def number(params, name, default=1.0):
    value = params.get(name, default)
    return float(value[0] if isinstance(value, (list, tuple)) else value)


ENDLESS = 10.0  # m from the middle: where what has no end is cut


def box(params):
    x, y, z = (side / 2 or ENDLESS for side in params.get("size", (1, 1, 1)))
    vertices = [(sx * x, sy * y, sz * z) for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)]
    return vertices, [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def turned_profile(profile, segments=32):
    """A surface around y: rings of (radius, height); a radius of 0 is a pole."""
    vertices, rings = [], []
    for radius, height in profile:
        start = len(vertices)
        count = 1 if radius < 1e-9 else segments
        for i in range(count):
            angle = 2 * math.pi * i / segments
            vertices.append((radius * math.cos(angle), height, radius * math.sin(angle)))
        rings.append((start, count))
    faces = []
    for (a, na), (b, nb) in zip(rings, rings[1:]):
        for i in range(segments):
            j = (i + 1) % segments
            corners = [a + i % na, b + i % nb, b + j % nb, a + j % na]
            faces.append(tuple(dict.fromkeys(corners)))
    return vertices, [face for face in faces if len(face) > 2]


def arc(radius, height, start, end, steps=12):
    angles = [start + (end - start) * i / steps for i in range(steps + 1)]
    return [(max(0.0, radius * math.cos(a)), height + radius * math.sin(a)) for a in angles]


def sphere(params):
    radius = number(params, "radius")
    return turned_profile(arc(radius, 0, -math.pi / 2, math.pi / 2, 24))


def cylinder(params):
    radius, half = number(params, "radius"), number(params, "height") / 2
    return turned_profile([(0, -half), (radius, -half), (radius, half), (0, half)])


def capsule(params):
    radius, half = number(params, "radius"), number(params, "length") / 2
    return turned_profile(arc(radius, -half, -math.pi / 2, 0) + arc(radius, half, 0, math.pi / 2))


def torus(params, segments=32):
    radius, tube = number(params, "radius"), number(params, "tube", 0.25)
    ring = [(radius + tube * math.cos(a), tube * math.sin(a))
            for a in (2 * math.pi * i / 16 for i in range(17))]
    return turned_profile(ring, segments)


def plane(params, half=ENDLESS):
    """A square of the endless plane."""
    n = params.get("normal", (0, 1, 0))
    length = math.sqrt(sum(c * c for c in n)) or 1.0
    n = [c / length for c in n]
    helper = (1, 0, 0) if abs(n[0]) < 0.9 else (0, 1, 0)
    u = cross(n, helper)
    length = math.sqrt(sum(c * c for c in u))
    u = [c / length for c in u]
    v = cross(n, u)
    offset = number(params, "offset", 0.0)
    return [tuple(n[c] * offset + half * (a * u[c] + b * v[c]) for c in range(3))
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))], [(0, 1, 2, 3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


KINDS = {"box": box, "sphere": sphere, "cylinder": cylinder, "capsule": capsule, "torus": torus,
         "plane": plane}


def rotated(q, p):
    """p + 2 u x (u x p + w p)"""
    u = q[:3]
    inner = [a + q[3] * b for a, b in zip(cross(u, p), p)]
    return [a + 2 * b for a, b in zip(p, cross(u, inner))]


def joined(parts, stored):
    """Shapes with places of their own, as one."""
    vertices, faces = [], []
    for part in parts:
        own, corners = mesh_of(part, stored)
        first = len(vertices)
        vertices += [tuple(a + b for a, b in zip(rotated(part["orientation"], p), part["position"])) for p in own]
        faces += [tuple(first + i for i in face) for face in corners]
    return vertices, faces


def mesh_of(shape, stored):
    """Vertices and faces; `stored(name)` gives those that the run's folder has."""
    params, kind = shape.get("params", {}), shape["type"]
    if kind in KINDS:
        return KINDS[kind](params)
    if "mesh" in params:
        return stored(params["mesh"])
    return joined(params.get("parts") or params.get("shape") or [], stored)

"""check_schema.py SCHEMA SCENES...: the schema is a valid one (draft 2020-12), accepts the scenes and
rejects broken ones. Exits with 77 when there is no jsonschema."""
import copy
import json
import re
import sys

schema = json.load(open(sys.argv[1], encoding="utf-8"))
assert schema["additionalProperties"] is False and "world" in schema["properties"]
try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    sys.exit(77)

TOKEN = re.compile(r"""("(?:\\.|[^"\\])*")|'((?:\\.|[^'\\])*)'|//[^\n]*|/\*.*?\*/|([A-Za-z_$][\w$]*)|"""
                   r"""(-?\+?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(,)(?=(?:\s|//[^\n]*\n)*[}\]])|(.|\n)""",
                   re.S)
WORDS = {"true", "false", "null", "Infinity", "NaN"}


def token(match):
    double, single, word, number, comma, other = match.groups()
    if double is not None or other is not None:
        return double or other
    if single is not None:
        return json.dumps(single)
    if word is not None:
        return word if word in WORDS else '"%s"' % word
    return json.dumps(float(number)) if number is not None else ""


def load(path):
    return json.loads(TOKEN.sub(token, open(path, encoding="utf-8").read()))


Validator.check_schema(schema)
validator = Validator(schema)
for path in sys.argv[2:]:
    for error in validator.iter_errors(load(path)):
        sys.exit("%s: %s: %s" % (path, list(error.path), error.message))

good = {"$schema": "mote.schema.json", "mote": 1, "world": {"fps": 30, "gravity": [0, -9.81]},
        "systems": [{"name": "s", "solver": {"integrator": "rk4"},
                     "look": {"size": "=age", "color": "#ff0000", "blend": "add"}}],
        "emitters": [{"system": "s", "rate": "=t", "from": {"type": "disc", "radius": 1}}],
        "forces": [{"type": "drag", "linear": 1, "systems": ["s"], "wind": None}],
        "colliders": [{"shape": {"type": "plane"}, "restitution": 0.5}],
        "camera": {"fov": 30}, "render": {"sky": {"transparent": True}},
        "output": {"video": "none"}}
validator.validate(good)

# A path, and a wrong value there; None takes the key out.
broken = [
    (["$schema"], 1), (["mote"], 2), (["mote"], None), (["wrld"], {}), (["world", "fps"], 0), (["world", "fps"], "30"),
    (["world", "up"], "w"), (["world", "gravity"], [1]), (["world", "seed"], 1.5),
    (["world", "dimension"], 4), (["systems", 0, "solver", "integrator"], "rk5"),
    (["systems", 0, "look", "blend"], "multiply"), (["systems", 0, "look", "color"], "red"),
    (["systems", 0, "look", "profile"], "square"), (["systems"], {}),
    (["emitters", 0, "system"], None), (["emitters", 0, "rate"], -1),
    (["emitters", 0, "lifetime"], 0), (["emitters", 0, "from", "type"], "disk"),
    (["emitters", 0, "from", "type"], None), (["emitters", 0, "burst"], 0.5),
    (["forces", 0, "type"], "callback"), (["forces", 0, "strength"], 1),
    (["forces", 0, "linear"], -1), (["colliders", 0, "shape"], None),
    (["colliders", 0, "restitution"], 1.5), (["camera", "fov"], 180),
    (["render", "sky", "transparent"], 1), (["output", "video"], "avi"),
]
for path, value in broken:
    scene = copy.deepcopy(good)
    parent = scene
    for key in path[:-1]:
        parent = parent[key]
    if value is None:
        del parent[path[-1]]
    else:
        parent[path[-1]] = value
    assert not validator.is_valid(scene), (path, value)

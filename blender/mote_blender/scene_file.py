"""Scenes as mote prints them: JSON with names without quotes and a comma at the end of lists."""
import json
import os
import re

_PIECE = re.compile(r'("(?:[^"\\]|\\.)*")|(//[^\n]*)|([A-Za-z_$][\w$]*)(?=\s*:)|,(?=\s*[}\]])')


def parse(text):
    """A scene as a dict. Only for what mote itself has printed, which has no other liberties of JSON5."""
    def plain(found):
        if found[1]:
            return found[1]
        return '"%s"' % found[3] if found[3] else ""
    return json.loads(_PIECE.sub(plain, text))


def of_run(folder):
    """The scene that a run was made of; {} when it cannot be read."""
    try:
        with open(os.path.join(folder, "scene.json5"), encoding="utf-8") as file:
            return parse(file.read())
    except (OSError, ValueError):
        return {}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def numbers(part, key, default):
    """A number or three of them; the default where the scene says nothing, or an expression."""
    value = part.get(key, default) if isinstance(part, dict) else default
    if isinstance(default, (list, tuple)):
        right = isinstance(value, list) and len(value) == len(default) and all(map(is_number, value))
    else:
        right = is_number(value)
    return value if right else default


def params(scene):
    """The scene's params that are numbers: [(name, value)]."""
    found = scene.get("params", {})
    return [(name, float(value)) for name, value in found.items() if is_number(value)]


def looks(scene):
    """A function that finds the look of a shape. One of several bodies is named NAME-3; a plane is the ground."""
    given = {thing["name"]: thing.get("look", {}) for kind in ("colliders", "bodies")
             for thing in scene.get(kind, []) if isinstance(thing, dict) and "name" in thing}
    ground = {"color": (scene.get("render", {}).get("ground") or {}).get("color")}

    def look_of(shape):
        look = given.get(shape["name"], given.get(shape["name"].rsplit("-", 1)[0], {}))
        return {**ground, **look} if shape["type"] == "plane" else look
    return look_of

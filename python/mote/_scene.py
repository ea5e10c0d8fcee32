"""Scenes: by name, from a file, or as dicts; what is wrong is said by the scene reader itself."""
from __future__ import annotations

import ctypes
import difflib
import json
import os
from pathlib import Path
from typing import Any, List, Mapping, Union

from ._errors import BadValue, Error

__all__ = ["Scene", "scenes"]

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], None]  # what a scene is given as
_FOLDER = Path(__file__).parent / "scenes"


class Scene(dict):  # type: ignore[type-arg]
    """A scene as a dict, of parts as the manual names them:

    mote.Scene(systems=[mote.system(name="dust")], forces=[mote.forces.drag(linear=2)])"""

    def __init__(self, **parts: object) -> None:
        super().__init__(mote=1)
        for key, value in parts.items():
            self[key.rstrip("_")] = value

    def text(self) -> str:
        """As JSON5, for a file."""
        return _text(self)


def _text(scene):
    try:
        return json.dumps(scene, default=_plain_value)
    except (TypeError, ValueError) as failure:
        raise BadValue("the scene cannot be written as text: %s" % failure) from None


def _plain_value(value):
    for name in ("tolist", "item"):
        if hasattr(value, name):
            return getattr(value, name)()
    raise TypeError("%r is no number, text, list or dict" % (value,))


def scenes() -> List[str]:
    """Names of the scenes that come along."""
    return sorted(path.stem for path in _FOLDER.glob("*.json5"))


def _source(scene, definition):
    """Path, or text and name, into a definition."""
    if scene is None:
        return
    if isinstance(scene, dict):
        definition.text, definition.name = _text(dict(scene, mote=scene.get("mote", 1))).encode(), \
            b"scene"
        return
    path = Path(os.fspath(scene))
    own = _FOLDER / (path.name + ".json5")
    if path.is_file() or path.suffix or len(path.parts) > 1:
        definition.path = str(path).encode()
    elif own.is_file():
        definition.text, definition.name = own.read_bytes(), path.name.encode()
    else:
        near = difflib.get_close_matches(path.name, scenes(), 1)
        raise BadValue("there is no scene `%s`; %s" % (path.name, "did you mean `%s`?" % near[0]
                       if near else "mote.scenes() names those that come along"))


def _setting(key, value):
    text = value if isinstance(value, str) else _text(value)
    return ("%s=%s" % (key, text)).encode()


def load(lib, scene, settings, memory=None):
    """A mote_Scene; its messages become the error."""
    definition = lib.make("mote_SceneDef", "scene_def")
    _source(scene, definition)
    items = [_setting(*item) for item in settings.items()]
    array = (ctypes.c_char_p * max(len(items), 1))(*items)
    definition.settings, definition.setting_count = ctypes.addressof(array), len(items)
    if memory is not None:
        definition.allocator = memory.allocator
    place = ctypes.c_void_p()
    try:
        lib.scene_load(ctypes.byref(definition), ctypes.byref(place))
    except Error as failure:
        text = lib.scene_messages(place, False).decode() if place else ""
        lib.scene_destroy(place)
        raise type(failure)(text.strip() or str(failure)) from None
    return place.value

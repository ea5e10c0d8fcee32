"""Pictures of frames, which notebooks show."""
from __future__ import annotations

import ctypes
import os
import tempfile

from . import _arrays

__all__ = ["Picture"]


class Picture:
    """A PNG. Notebooks show it; `save` writes it, `pixels` is an array of linear RGBA."""

    def __init__(self, png: bytes, pixels: _arrays.Array | None = None) -> None:
        self.png, self._pixels = png, pixels

    def _repr_png_(self) -> bytes:
        return self.png

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "wb") as file:
            file.write(self.png)

    @property
    def pixels(self) -> _arrays.Array:
        """(height, width, 4), linear light; of a live world alone."""
        if self._pixels is None:
            raise ValueError("the pixels of a picture of a run are in its file alone")
        return self._pixels

    def __repr__(self) -> str:
        return "<picture of %d bytes>" % len(self.png)


def from_file(write):
    """The Picture that `write(path)` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "picture.png")
        write(path)
        with open(path, "rb") as file:
            return file.read()


def _pixels(lib, image, width, height):
    if _arrays.numpy is None:
        return None
    numbers = (ctypes.c_float * (4 * width * height)).from_address(lib.image_pixels(image))
    return _arrays.numpy.array(numbers).reshape(height, width, 4)


def draw(lib, pointers, frame, width=None, height=None):
    """A frame as the scene says."""
    info = lib.scene_info(pointers["scene"])
    width, height = int(width or info.width), int(height or info.height)
    image, drawn = ctypes.c_void_p(), ctypes.c_void_p()
    definition = lib.structs["mote_RenderDef"]()
    lib.image_create(width, height, ctypes.byref(image))
    try:
        lib.scene_picture(pointers["scene"], frame, ctypes.byref(definition), ctypes.byref(drawn))
        definition.tasks = pointers["tasks"]
        lib.render(ctypes.byref(definition), drawn, image)
        png = from_file(lambda path: lib.image_write_png(image, path.encode(), 8))
        return Picture(png, _pixels(lib, image, width, height))
    finally:
        lib.image_destroy(image)

"""Runs: scenes into folders, and folders as frames."""
from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence, overload

from ._errors import FileFailed
from ._library import library, values
from ._frame import Frame, owned_frame
from ._picture import Picture, from_file
from ._probes import Table, table
from ._scene import Source, load

__all__ = ["Run", "open", "run"]


class Run(Sequence[Frame]):
    """The frames of a run's folder: run[0], run[-1], len(run), for frame in run.

    A slice is a list of frames; files are read when a frame is asked for."""

    folder: Path

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        if not library().run_is_there(str(folder).encode()):
            raise FileFailed("there is no run in %s" % folder)
        self._files = self._list()
        self._lib = library("double" if self.info()["real_size"] == 8 else "float")

    def _list(self):
        found = []
        kind = library().type(("function", "bool", ("pointer", "uint64", "text")))
        visit = kind(lambda context, index, path: found.append((index, path)) or True)
        library().run_frames(str(self.folder).encode(), visit, None)
        return found

    @property
    def files(self) -> List[str]:
        """Paths of the frames, which numpy.load reads too."""
        return [path.decode() for _, path in self._files]

    def info(self) -> Dict[str, Any]:
        """What the folder holds, and whether it is whole, as a dict."""
        lib = library()
        definition = lib.make("mote_RunInfoDef", "run_info_def")
        definition.folder = str(self.folder).encode()
        found = lib.structs["mote_RunInfo"]()
        lib.run_info(ctypes.byref(definition), ctypes.byref(found))
        return values(found)

    def __len__(self) -> int:
        return len(self._files)

    @overload
    def __getitem__(self, which: int) -> Frame: ...

    @overload
    def __getitem__(self, which: slice) -> List[Frame]: ...

    def __getitem__(self, which: int | slice) -> Frame | List[Frame]:
        if isinstance(which, slice):
            return [self._read(file) for file in self._files[which]]
        return self._read(self._files[which])

    def _read(self, file):
        address = ctypes.c_void_p()
        self._lib.frame_read(file[1], ctypes.byref(address))
        return owned_frame(self._lib, address.value, self._draw)

    def _draw(self, frame, width=None, height=None, **settings):
        """As `mote render` does; `settings` as of --set."""
        if width or height:
            settings.update({"render.width": width, "render.height": height})
        items = [("%s=%s" % item).encode() for item in settings.items() if item[1] is not None]
        array = (ctypes.c_char_p * max(len(items), 1))(*items)
        definition = self._lib.make("mote_RenderRunDef", "render_run_def")
        definition.folder = str(self.folder).encode()
        definition.first = definition.last = frame.index
        definition.settings, definition.setting_count = ctypes.addressof(array), len(items)

        def write(path):
            report = self._lib.structs["mote_RunReport"]()
            definition.output = path.encode()
            self._lib.run_render(ctypes.byref(definition), ctypes.byref(report))
        return Picture(from_file(write))

    def probe(self, name: str) -> Table:
        """What a probe has measured: a dict of arrays, with "time"."""
        address = ctypes.c_void_p()
        self._lib.run_probe(str(self.folder).encode(), str(name).encode(), ctypes.byref(address))
        try:
            return table(self._lib, self._lib.at("mote_ProbeSamples", address.value))
        finally:
            self._lib.probe_table_destroy(address)

    def __repr__(self) -> str:
        return "<run in %s: %d frames>" % (self.folder, len(self))


def open(folder: str | os.PathLike[str]) -> Run:
    """The run in a folder, as `mote run` or mote.run writes it."""
    return Run(folder)


def run(scene: Source, folder: str | os.PathLike[str], *, precision: str = "float", threads: int = 0,
        frames: int | None = None, pictures: bool = False, force: bool = False, resume: bool = False,
        settings: Mapping[str, Any] | None = None, **params: Any) -> Run:
    """Simulates a scene into a folder, as `mote run` does, and opens it."""
    from ._world import _Interrupts
    from ._callbacks import Callbacks
    lib = library(precision)
    pointer = load(lib, scene, dict(settings or {}, **params))
    tasks = ctypes.c_void_p()
    callbacks = Callbacks(lib)
    try:
        lib.tasks_create(_tasks_def(lib, threads), ctypes.byref(tasks))
        definition = lib.make("mote_RunDef", "run_def")
        definition.folder, definition.tasks = str(folder).encode(), tasks.value
        definition.force, definition.resume = force, resume
        definition.no_pictures = not pictures
        definition.last = -1 if frames is None else int(frames)
        definition.cancelled = lib.callback("mote_RunDef", "cancelled", callbacks._watch)
        with _Interrupts(callbacks):
            lib.run(pointer, ctypes.byref(definition), None)
    finally:
        lib.tasks_destroy(tasks)
        lib.scene_destroy(pointer)
    return Run(folder)


def _tasks_def(lib, threads):
    definition = lib.make("mote_TasksDef", "tasks_def")
    definition.threads = threads
    return ctypes.byref(definition)

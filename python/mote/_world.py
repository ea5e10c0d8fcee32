"""Worlds: what is stepped."""
from __future__ import annotations

import ctypes
import operator
import os
import signal
import threading
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Sequence

from ._arrays import Array, Token
from ._callbacks import Callbacks, field_callback, force_callback, whole_callback
from ._errors import BadValue, Cancelled, Closed, Error, Unique
from ._headers import CONSTANTS
from ._library import library, values
from ._memory import Memory
from ._frame import Frame, Particles
from ._picture import draw
from ._probes import Records, Table
from ._scene import Source, load
from .tables import parameters

if TYPE_CHECKING:
    from ._picture import Picture

__all__ = ["World"]

Force = Callable[[Array, Array, Array, float], Array]  # position, velocity, mass, time
Field = Callable[[Array, float], Array]  # position, time


def _destroy(lib, pointers, memory, process):
    """Ends a world; `memory` is here so that its allocator lives until then. A forked process has the world's
    memory but none of its threads: to wait for them would take for ever."""
    if os.getpid() != process:
        return
    lib.world_destroy(pointers["world"])
    lib.scene_destroy(pointers["scene"])
    lib.tasks_destroy(pointers["tasks"])
    pointers.clear()


class _Handle:
    """A world of the library. Arrays keep it, so that it lives as long as they do."""

    def __init__(self, lib, scene, settings, threads):
        self.lib, self.memory, self.pid = lib, Memory(lib), os.getpid()
        self.pointers = {"world": None, "scene": None, "tasks": None}
        self.end = weakref.finalize(self, _destroy, lib, self.pointers, self.memory,
                                    self.pid)
        self.pointers["scene"] = load(lib, scene, settings, self.memory)
        self.pointers["tasks"] = self._tasks(threads)
        place = ctypes.c_void_p()
        lib.scene_world(self.pointers["scene"], self.pointers["tasks"], ctypes.byref(place))
        self.pointers["world"] = place.value

    def _tasks(self, threads):
        definition = self.lib.make("mote_TasksDef", "tasks_def")
        definition.threads = threads
        place = ctypes.c_void_p()
        self.lib.tasks_create(ctypes.byref(definition), ctypes.byref(place))
        return place.value

    def hold(self, kind, count, address):
        return self.memory.buffer(kind, count, address, self)


class _Interrupts:
    """Ctrl-C while the library works: it is noted, and raised when the library has come back."""

    def __init__(self, callbacks):
        self._callbacks, self._old = callbacks, None

    def __enter__(self):
        old = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and callable(old):
            self._old = old
            signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number, frame):
        self._callbacks.stop = True

    def __exit__(self, kind, error, trace):
        if self._old is None:
            return False
        signal.signal(signal.SIGINT, self._old)
        if self._callbacks.stop and self._callbacks.raised is None and kind in (None, Cancelled):
            self._callbacks.stop = False
            self._old(signal.SIGINT, None)
        return False


class World(Unique):
    """A world as a scene describes it, at its start.

    `scene` is the name of a scene that comes along ("dam-break"), a path, a dict as
    mote.Scene(...) makes it, or None, the demo. Further keywords are the scene's params;
    `settings` has what `--set` takes, as {"world.fps": 60}. `threads` 0 is one per core."""

    def __init__(self, scene: Source = None, *, precision: str = "float", threads: int = 0,
                 settings: Mapping[str, Any] | None = None, **params: Any) -> None:
        self._lib = library(precision)
        self._handle = _Handle(self._lib, scene, dict(settings or {}, **params), threads)
        self._lock = threading.Lock()
        self._callbacks = Callbacks(self._lib)
        self._broken, self._edited, self._started = None, set(), False
        self._token = Token("the world")
        self._records = Records()
        self._lib.world_watch(self._world, self._callbacks.watch, None)

    # ---- who may use it ----

    @property
    def _world(self):
        world = self._handle.pointers.get("world") if self._handle is not None else None
        if world is None:
            raise Closed("the world was closed")
        return world

    def _enter(self):
        """Takes the world for a call; one thread at a time, and no callback."""
        self._world
        if os.getpid() != self._handle.pid:
            raise Error("a world cannot be used in a forked process; make it there")
        if not self._lock.acquire(blocking=False):
            raise Error("the world is at work: another thread steps it, or this is one of its "
                        "callbacks")
        return self._lock

    def _changes(self):
        """Arrays and frames so far are not valid any more."""
        self._token.valid = False
        self._token = Token("the world")

    def _change(self, function, *arguments):
        self._enter()
        try:
            self._changes()
            return function(self._world, *arguments)
        finally:
            self._lock.release()

    def close(self) -> None:
        """Ends the world now; otherwise it ends with the last reference to it."""
        if self._handle is None:
            return
        self._enter()
        try:
            self._token.valid = False
            self._handle.end()
            self._handle = None
        finally:
            self._lock.release()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    # ---- stepping ----

    def _begin(self):
        """Liquids fill their place before the first step, as in a run; probes measure there."""
        if not self._started:
            self._started = True
            if self._lib.world_frame_index(self._world) == 0:
                self._lib.world_start(self._world)
                self._lib.world_sample_probes(self._world)
                self._records.add(self._lib, self._world)

    def _go(self, function, *arguments):
        report = self._lib.structs["mote_StepReport"]()
        self._enter()
        try:
            self._go_inside(function, *arguments, ctypes.byref(report))
        finally:
            self._lock.release()
        return values(report)

    def _go_inside(self, function, *arguments):
        if self._broken is not None:
            raise Error("the world stopped before (%s); make a new one" % self._broken)
        self._changes()
        self._tell_edits()
        try:
            with _Interrupts(self._callbacks):
                self._begin()
                function(self._world, *arguments)
        except Exception as failure:
            if self._callbacks.raised is None:
                whole = isinstance(failure, (Cancelled, BadValue))  # it stopped between sub-steps
                self._broken = None if whole else failure
                raise
        self._raise_callback()
        self._records.add(self._lib, self._world)

    def _raise_callback(self):
        raised = self._callbacks.raised
        if raised is not None:
            self._broken = "a callback raised %s" % type(raised).__name__
            raise raised

    def _tell_edits(self):
        for name in self._edited:
            self._lib.system_edited(self._lib.world_system(self._world, name.encode()))
        self._edited.clear()

    def step(self) -> Dict[str, Any]:
        """Advances one frame; what the step did comes back as a dict."""
        return self._go(self._lib.world_step)

    def advance(self, seconds: float) -> Dict[str, Any]:
        """Advances by any time, in equal sub-steps."""
        return self._go(self._lib.world_advance, float(seconds))

    def run(self, frames: int | None = None) -> Iterator[Frame]:
        """Steps so many frames (None: as many as the scene has) and yields each. A frame is valid
        until the next step; .copy() keeps it."""
        if frames is None:
            frames = max(0, self.scene_info()["frames"] - self.frame_index)
        for _ in range(frames):
            self.step()
            yield self.frame

    @property
    def time(self) -> float:
        """s"""
        return self._lib.world_time(self._world)

    @property
    def frame_index(self) -> int:
        """The last whole frame."""
        return self._lib.world_frame_index(self._world)

    # ---- looking ----

    @property
    def frame(self) -> Frame:
        """The world now, without a copy; valid until it goes on."""
        self._enter()
        try:
            if not self._started:
                self._begin()
            address = self._lib.world_frame(self._world)
            return Frame(self._lib, address, self._handle.hold, self._token, self._draw)
        finally:
            self._lock.release()

    def _draw(self, frame, width=None, height=None):
        self._enter()
        try:
            return draw(self._lib, self._handle.pointers, frame._address, width, height)
        finally:
            self._lock.release()

    def render(self, **settings: Any) -> Picture:
        """A picture of the world now."""
        return self.frame.render(**settings)

    def __getitem__(self, name: str) -> Particles:
        """The particles of a system, to look at and to change; histories of integrators restart
        with the next step. frame[name] is for looking alone."""
        system = self._system(name)
        self._edited.add(name)
        count = ctypes.c_size_t()
        address = self._lib.system_columns(system, ctypes.byref(count))
        columns = [c for c in self._lib.list("mote_Column", address, count.value) if not c.internal]
        live = _Live(self._lib, self._handle.hold, self._token)
        return Particles(live, name, self._lib.system_count(system), columns, writable=True)

    def _system(self, name):
        self._enter()
        try:
            system = self._lib.world_system(self._world, str(name).encode())
        finally:
            self._lock.release()
        if not system:
            raise KeyError("there is no system %r; there are %s" % (name, self.names("system")))
        return system

    def names(self, kind: str) -> List[str]:
        """Names of what there is of a kind: "system", "force", "field", "body", ..."""
        number = _kind_number(kind)
        return [self._lib.world_name(self._world, number, i).decode()
                for i in range(self._lib.world_count(self._world, number))]

    def scene_info(self) -> Dict[str, Any]:
        """What the scene asks for: fps, frames, width, ..."""
        self._world
        return values(self._lib.scene_info(self._handle.pointers["scene"]))

    def hash(self) -> int:
        """Equal for equal bits of the frame."""
        return self.frame.hash()

    @property
    def probes(self) -> Dict[str, Table]:
        """What probes have measured: name -> dict of arrays, with "time"."""
        self._world
        if not self._started:
            self.frame
        return self._records.tables()

    def body(self, name: str) -> Dict[str, Any]:
        """A body now, as a dict."""
        return self._read("mote_BodyState", self._lib.world_body, name)

    def load(self, name: str) -> Dict[str, Any]:
        """What particles did to a collider with `measure` in the last step."""
        return self._read("mote_ColliderLoad", self._lib.world_collider_load, name)

    def _read(self, struct, function, name):
        found = self._lib.structs[struct]()
        function(self._world, str(name).encode(), ctypes.byref(found))
        return values(found)

    def sample(self, field: str, points: Any, time: float | None = None) -> Array:
        """A field at points of shape (n, 3): (n,) of a scalar field, (n, 3) of a vector field."""
        from ._callbacks import sample_field
        self._enter()
        try:
            self._changes()
            at = self._lib.world_time(self._world) if time is None else float(time)
            return sample_field(self._lib, self._world, field, points, at)
        finally:
            self._lock.release()

    # ---- changing ----

    def add_rows(self, system: str, count: int, **columns: Any) -> range:
        """So many new particles, with columns as arrays; they are born now."""
        first, count = ctypes.c_size_t(), operator.index(count)
        if count < 0:
            raise ValueError("%d particles cannot be added" % count)
        pointer = self._system(system)
        self._change(lambda _: self._lib.system_add_rows(pointer, count, ctypes.byref(first)))
        particles = self[system]
        for name, value in columns.items():
            particles[name][first.value:] = value
        return range(first.value, first.value + count)

    def add_force(self, force: str | Force, *, name: str | None = None,
                  systems: str | Sequence[str] | None = None, group: int = 0, blocks: bool = False,
                  **params: Any) -> None:
        """A force: the name of its type with its parameters, or a function.

        force(position, velocity, mass, time) gets all rows of a system as arrays, (n, 3), (n, 3) and
        (n,), and returns accelerations (n, 3), m/s^2. It must depend on its arguments alone. Rows
        born within a sub-step, or after a bounce, come in calls of their own. With `blocks` it is
        called for up to 128 rows at a time, from several threads: for liquids, and for implicit
        integrators."""
        definition = self._lib.make("mote_ForceDef", "force_def")
        kind = ("callback", force_callback) if blocks else ("whole-callback", whole_callback)
        kept = self._fill(definition, "forces", force, params, kind)
        kept += _names_into(definition, systems)
        definition.name = name.encode() if name is not None else None
        definition.group = group
        self._change(self._lib.world_add_force, ctypes.byref(definition))

    def add_field(self, name: str, field: str | Field, **params: Any) -> None:
        """A field: the name of its type with its parameters, or a function.

        field(position, time) gets an array (n, 3) and returns velocities (n, 3)."""
        definition = self._lib.make("mote_FieldDef", "field_def")
        kept = self._fill(definition, "fields", field, params, ("callback", field_callback))
        definition.name = name.encode()
        self._change(self._lib.world_add_field, ctypes.byref(definition))
        del kept

    def _fill(self, definition, family, what, params, callback):
        """Type and parameters of a definition; what they point to comes back."""
        if callable(what):
            if params:
                raise TypeError("a function takes no parameters: %s" % ", ".join(params))
            struct, function = callback[1](self._lib, self._callbacks, what)
            self._callbacks.keep(function)
            definition.type = callback[0].encode()
            definition.params = ctypes.addressof(struct)
            return [struct]
        block, kept = parameters(self._lib, family, what, params)
        definition.type = what.encode()
        definition.params = ctypes.addressof(block)
        return [block, kept]

    def remove(self, kind: str, name: str) -> None:
        """Takes an object out: remove("force", "wind")."""
        self._change(self._lib.world_remove, _kind_number(kind), str(name).encode())

    def push(self, body: str, impulse: Sequence[float], at: Sequence[float] | None = None) -> None:
        """Changes a free body by an impulse (kg m/s) at a point of the world (m)."""
        place = at if at is not None else self.body(body)["centre"]
        triple = ctypes.c_double * 3
        self._change(self._lib.world_push_body, str(body).encode(), triple(*impulse),
                     triple(*place))

    def __repr__(self) -> str:
        if self._handle is None:
            return "<closed world>"
        return "<world at %g s: %s>" % (self.time, ", ".join(self.names("system")))


class _Live:
    """What Particles of a world need of a frame."""

    def __init__(self, lib, hold, token):
        self._library, self._hold, self._token = lib, hold, token

    def _check(self):
        self._token.check()


def _names_into(definition, systems):
    """A list of names into a definition's `systems`."""
    if systems is None:
        return []
    names = [systems] if isinstance(systems, str) else list(systems)
    array = (ctypes.c_char_p * max(len(names), 1))(*[name.encode() for name in names])
    definition.systems, definition.system_count = ctypes.addressof(array), len(names)
    return [array]


def _kind_number(kind):
    number = CONSTANTS.get("MOTE_KIND_" + str(kind).upper())
    if number is None:
        known = [name[len("MOTE_KIND_"):].lower() for name in CONSTANTS
                 if name.startswith("MOTE_KIND_")]
        raise ValueError("%r is no kind of object; there are %s" % (kind, ", ".join(known)))
    return number

"""Frames: snapshots of a world, live or from a folder, as dicts of arrays."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Iterator, Mapping, Tuple

from . import _arrays
from ._errors import Unique
from ._headers import CONSTANTS
from ._library import values

if TYPE_CHECKING:
    from ._picture import Picture
    from .diagram import Diagram

__all__ = ["Frame", "Particles"]


def _column_kinds(library):
    return {CONSTANTS["MOTE_COLUMN_REAL"]: library.real,
            CONSTANTS["MOTE_COLUMN_DOUBLE"]: ctypes.c_double,
            CONSTANTS["MOTE_COLUMN_U32"]: ctypes.c_uint32,
            CONSTANTS["MOTE_COLUMN_U64"]: ctypes.c_uint64}


class Particles(Unique, Mapping[str, _arrays.Array]):
    """The particles of a system: column name -> array of shape (n,) or (n, components).

    Columns are attributes too: `particles.position`."""

    name: str

    def __init__(self, frame, name, count, columns, writable=False):  # type: ignore[no-untyped-def]
        self._frame, self.name, self._count = frame, name, count
        self._columns = {column.name.decode(): column for column in columns}
        self._writable = writable

    def __getitem__(self, name: str) -> _arrays.Array:
        self._frame._check()
        column = self._columns[name]
        return _arrays.column_array(column, self._count, _column_kinds(self._frame._library),
                                    self._frame._hold, self._frame._token, self._writable)

    def __getattr__(self, name: str) -> _arrays.Array:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError("%s has no column %s; it has %s"
                                 % (self.name, name, ", ".join(self._columns)))
        return self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name in self.__dict__.get("_columns", ()):
            self[name][...] = value
        else:
            object.__setattr__(self, name, value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def count(self) -> int:
        """How many particles there are."""
        self._frame._check()
        return self._count

    def units(self) -> Dict[str, str]:
        """Column name -> unit."""
        return {name: column.unit.decode() for name, column in self._columns.items()}

    def __repr__(self) -> str:
        return "<%d particles of %s: %s>" % (self._count, self.name, ", ".join(self._columns))


class Frame(Unique, Mapping[str, Particles]):
    """A snapshot of a world: system name -> Particles. `index`, `time` and `dt` are attributes."""

    index: int
    time: float
    dt: float
    up: str

    def __init__(self, library, address, hold, token=None, draw=None):  # type: ignore[no-untyped-def]
        """`hold` keeps alive what arrays look at; `draw(frame, ...)` makes a picture of it."""
        self._library, self._address, self._hold = library, address, hold
        self._token, self._draw = token, draw
        self._struct = library.at("mote_Frame", address)
        self.index, self.time, self.dt = (self._struct.index, self._struct.time, self._struct.dt)
        self.up = "xyz"[self._struct.up_axis]
        self._systems = {}
        for system in library.list("mote_FrameSystem", self._struct.systems,
                                   self._struct.system_count):
            columns = library.list("mote_Column", system.columns, system.column_count)
            name = system.name.decode()
            self._systems[name] = Particles(self, name, system.count, columns)

    def _check(self):
        if self._token is not None:
            self._token.check()

    def __getitem__(self, name: str) -> Particles:
        self._check()
        return self._systems[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def __repr__(self) -> str:
        return "<frame %d at %g s: %s>" % (self.index, self.time, ", ".join(
            "%d %s" % (p._count, name) for name, p in self._systems.items()))

    def dict(self) -> Dict[str, Dict[str, _arrays.Array]]:
        """Everything as plain dicts with copies of the arrays."""
        return {name: {column: array.copy() for column, array in particles.items()}
                for name, particles in self.items()}

    def copy(self) -> Frame:
        """A frame of its own, which stays as it is when the world goes on."""
        self._check()
        address = ctypes.c_void_p()
        self._library.frame_copy(self._address, ctypes.byref(address))
        return owned_frame(self._library, address.value, self._draw)

    def hash(self) -> int:
        """A value that is equal for equal bits."""
        self._check()
        return self._library.frame_hash(self._address)

    # ---- what is not particles ----

    def shapes(self) -> Dict[str, Dict[str, Any]]:
        """Colliders and bodies: name -> dict of type, position, orientation, velocity, spin."""
        self._check()
        found = {}
        for shape in self._library.list("mote_FrameShape", self._struct.shapes,
                                        self._struct.shape_count):
            about = values(shape)
            found[about.pop("name")] = {key: about[key] for key in (
                "type", "position", "orientation", "velocity", "spin", "body")}
        return found

    def surfaces(self) -> Dict[str, Dict[str, _arrays.Array]]:
        """Meshes around liquids: name -> dict of arrays vertices, normals, triangles."""
        self._check()
        return {s.name.decode(): self._surface(s) for s in self._library.list(
            "mote_FrameSurface", self._struct.surfaces, self._struct.surface_count)}

    def _surface(self, surface):
        real, index = self._library.real, ctypes.c_uint32
        return {"vertices": self._table(real, surface.vertex_count, surface.vertices),
                "normals": self._table(real, surface.vertex_count, surface.normals),
                "triangles": self._table(index, surface.triangle_count, surface.triangles)}

    def _table(self, kind, rows, address):
        if rows == 0 or not address:
            return _arrays.need_numpy().empty((0, 3), kind)
        size = ctypes.sizeof(kind)
        return _arrays.planes(self._hold(kind, 3 * rows, address), (rows, 3), (3 * size, size),
                              self._token)

    # ---- pictures ----

    def render(self, **settings: Any) -> Picture:
        """A picture as the scene says; notebooks show it. `width`, `height` in pixels."""
        self._check()
        if self._draw is None:
            raise ValueError("this frame has no scene to be drawn by")
        return self._draw(self, **settings)

    def plot(self, system: str | None = None, axes: str = "xy", color: str | None = None,
             size: Tuple[int, int] = (480, 320)) -> Diagram:
        """Particles as points of a diagram; `color` is the name of a column."""
        from .diagram import points
        self._check()
        particles = self[system if system is not None else next(iter(self))]
        return points(particles, axes, color, size)


class _Owner:
    """A frame of the library that is destroyed with the last array on it."""

    def __init__(self, library, address):
        self._library, self.address = library, address

    def __del__(self):
        self._library.frame_destroy(self.address)

    def hold(self, kind, count, address):
        held = (kind * count).from_address(address)
        held.owner = self
        return held


def owned_frame(library, address, draw=None):
    """A Frame of a struct that is ours."""
    owner = _Owner(library, address)
    return Frame(library, address, owner.hold, None, draw)

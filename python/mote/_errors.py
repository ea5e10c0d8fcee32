"""What goes wrong, with the program's own sentences."""
from ._headers import CONSTANTS

__all__ = ["Error", "BadValue", "Diverged", "FileFailed", "Cancelled", "Unavailable", "NoMemory",
           "Stale", "Closed"]


class Error(Exception):
    """Anything that mote refuses or cannot do."""


class BadValue(Error, ValueError):
    """A scene, a definition or a file holds a value that cannot be right."""


class Diverged(Error, ArithmeticError):
    """The watchdog stopped the simulation: not finite, or runaway energy."""


class FileFailed(Error, OSError):
    """A file could not be read or written."""


class Cancelled(Error):
    """It was asked to stop."""


class Unavailable(Error):
    """This build or this machine lacks what was asked for."""


class NoMemory(Error, MemoryError):
    """There is not enough memory."""


class Stale(Error):
    """An array or a frame of a world that has gone on since: its rows have moved."""


class Closed(Error):
    """A world that was closed."""


class Unique:
    """What stands for something of the library: a copy by Python would be a second owner of it."""

    def __reduce_ex__(self, protocol):
        raise TypeError("a %s can be neither pickled nor copied by Python; keep frame.dict(), or a file of "
                        "the run" % type(self).__name__)


_KINDS = {"MOTE_NO_MEMORY": NoMemory, "MOTE_BAD_VALUE": BadValue, "MOTE_DIVERGED": Diverged,
          "MOTE_IO_FAILED": FileFailed, "MOTE_CANCELLED": Cancelled,
          "MOTE_UNAVAILABLE": Unavailable}
_BY_STATUS = {CONSTANTS[name]: kind for name, kind in _KINDS.items()}


def error_of(status, message):
    return _BY_STATUS.get(status, Error)(message)

"""libmote through ctypes: its structs and functions, made from what the headers say.

`library("float")` and `library("double")` are the two libraries. A function is an attribute without
its prefix: `library().world_step(world, None)`. One that can fail raises with the library's own
sentence, and is called without the place for the error.
"""
import ctypes
import os
from functools import lru_cache
from pathlib import Path

from ._errors import error_of
from ._headers import CONSTANTS, FUNCTIONS, STRUCTS, VERSION

__all__ = ["library", "Library", "CONSTANTS"]

_WORDS = {"double": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int,
          "bool": ctypes.c_bool, "size_t": ctypes.c_size_t, "uint64": ctypes.c_uint64,
          "long": ctypes.c_long, "int64": ctypes.c_int64, "uint32": ctypes.c_uint32, "char": ctypes.c_char,
          "text": ctypes.c_char_p, "pointer": ctypes.c_void_p, None: None}
_PRECISIONS = {"float": ("libmote.so", "mote_", ctypes.c_float),
               "double": ("libmote-double.so", "moted_", ctypes.c_double)}


def _places(file):
    """Where the library may be: what the user says, beside this file (a wheel), the system's."""
    if os.environ.get("MOTE_LIBRARY"):
        yield str(Path(os.environ["MOTE_LIBRARY"]) / file)
        return
    own = Path(__file__).parent / file
    if own.exists():
        yield str(own)
    yield file
    yield "%s.%s" % (file, VERSION.rsplit(".", 1)[0])


def _load(file):
    why = []
    for place in _places(file):
        try:
            return ctypes.CDLL(place)
        except OSError as failure:
            why.append(str(failure))
    raise ImportError("%s cannot be loaded; set MOTE_LIBRARY to its folder (%s)"
                      % (file, "; ".join(why)))


class Library:
    """One of the two libraries, with its structs in `structs`."""

    def __init__(self, precision):
        file, self._prefix, self.real = _PRECISIONS[precision]
        self.precision = precision
        self._shared = _load(file)
        self._words = dict(_WORDS, real=self.real)
        self.structs = {}
        for name, fields in STRUCTS.items():
            self._add_struct(name, fields)
        self._check()

    def _check(self):
        theirs = self.version().decode()
        if theirs.rsplit(".", 1)[0] != VERSION.rsplit(".", 1)[0]:
            raise ImportError("this is the Python of mote %s, and the library is version %s"
                              % (VERSION, theirs))

    def type(self, kind):
        """The ctype of a type as _headers.py writes it."""
        if not isinstance(kind, tuple):
            return self._words[kind] if kind in self._words else self.structs[kind]
        if kind[0] == "function":
            return ctypes.CFUNCTYPE(self.type(kind[1]), *[self.type(k) for k in kind[2]])
        return self.type(kind[0]) * kind[1]

    def _add_struct(self, name, fields):
        self.structs[name] = type(name, (ctypes.Structure,), {
            "_fields_": [(field, self.type(kind)) for field, kind in fields]})

    def __getattr__(self, name):
        """A function, made when it is first asked for."""
        if "mote_" + name not in FUNCTIONS:
            raise AttributeError("mote_%s is no function of libmote" % name)
        result, arguments, fails = FUNCTIONS["mote_" + name]
        function = getattr(self._shared, self._prefix + name)
        function.restype = self.type(result)
        function.argtypes = [ctypes.c_void_p if isinstance(kind, tuple) else self.type(kind)
                             for kind in arguments]
        if fails:
            function = self._raising(function)
        setattr(self, name, function)
        return function

    def _raising(self, function):
        kind = self.structs["mote_Error"]

        def call(*arguments):
            error = kind()
            status = function(*arguments, ctypes.byref(error))
            if status != CONSTANTS["MOTE_OK"]:
                raise error_of(status, error.message.decode("utf-8", "replace"))
        return call

    def callback(self, struct, field, function):
        """`function` as the member of a struct that C calls; keep what comes back."""
        return self.type(dict(STRUCTS[struct])[field])(function)

    def make(self, struct, maker):
        """A definition with its defaults."""
        value = self.structs[struct]()
        getattr(self, maker + "_init")(ctypes.byref(value), ctypes.sizeof(value))
        return value

    def at(self, struct, address):
        """The struct at an address; NULL gives None."""
        return self.structs[struct].from_address(address) if address else None

    def list(self, struct, address, count):
        """The structs of an array."""
        return (self.structs[struct] * count).from_address(address) if count else []


@lru_cache(maxsize=None)
def library(precision="float"):
    """The library that computes in "float" or "double"."""
    if precision not in _PRECISIONS:
        raise ValueError('precision is "float" or "double", not %r' % (precision,))
    return Library(precision)


def values(struct):
    """The numbers and texts of a struct as a dict; arrays as tuples, structs inside as dicts."""
    found = {}
    for name, kind in struct._fields_:
        value = getattr(struct, name)
        if isinstance(value, ctypes.Structure):
            value = values(value)
        elif isinstance(value, ctypes.Array):
            value = tuple(value)
        elif isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        found[name] = value
    return found

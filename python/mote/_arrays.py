"""NumPy arrays that share their memory with a world or a frame."""
from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from ._errors import Stale

try:
    import numpy
except ImportError:  # everything but arrays works without
    numpy = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from numpy.typing import NDArray
    Array = NDArray[Any]
else:
    Array = numpy.ndarray if numpy is not None else object


class Token:
    """Whether what arrays look at is still what it was; a world has a new one after every change."""

    def __init__(self, what):
        self.valid, self.what = True, what

    def check(self):
        if not self.valid:
            raise Stale("%s has gone on since this was asked for, and its rows have moved; ask "
                        "again, or take .copy() before" % self.what)


def need_numpy():
    if numpy is None:
        raise ImportError("arrays of mote need NumPy (Debian: python3-numpy)")
    return numpy


if numpy is not None:
    class View(numpy.ndarray):
        """An array on rows of a world, without a copy. It refuses once the world has gone on.

        What is computed from it is a plain array."""

        def __array_finalize__(self, source):
            self._token = getattr(source, "_token", None)

        def _check(self):
            token = getattr(self, "_token", None)
            if token is not None:
                token.check()

        def _plain(self):
            self._check()
            return numpy.ndarray.view(self, numpy.ndarray)

        def __getitem__(self, key):
            self._check()
            return numpy.ndarray.__getitem__(self, _plain(key))

        def __setitem__(self, key, value):
            self._check()
            numpy.ndarray.__setitem__(self, _plain(key), _plain(value))

        def __iter__(self):
            self._check()
            return numpy.ndarray.__iter__(self)

        def __repr__(self):
            return repr(self._plain()) if self._is_valid() else "<array of rows that have moved>"

        def __str__(self):
            return str(self._plain()) if self._is_valid() else repr(self)

        def _is_valid(self):
            return self._token is None or self._token.valid

        def __reduce__(self):
            return self._plain().__reduce__()

        def __array_ufunc__(self, ufunc, method, *inputs, out=None, **others):
            if out is not None:
                others["out"] = tuple(_plain(a) for a in out)
            others = {key: _plain(a) for key, a in others.items()}
            found = getattr(ufunc, method)(*[_plain(a) for a in inputs], **others)
            return out[0] if out is not None and len(out) == 1 else found

        def __array_function__(self, function, types, arguments, others):
            return function(*_plain(arguments), **_plain(others))

    # Methods compute too: they go by the plain array.
    def _by_plain(name):
        def method(self, *arguments, **others):
            return getattr(self._plain(), name)(*_plain(arguments), **_plain(others))
        method.__name__ = name
        return method

    for _name in ("all any argmax argmin argsort astype clip compress copy cumprod cumsum diagonal "
                  "dot dump dumps fill flatten item max mean min nonzero prod ptp repeat round "
                  "searchsorted sort std sum swapaxes take tobytes tofile tolist trace var __array__ "
                  "__copy__ __deepcopy__"
                  ).split():
        setattr(View, _name, _by_plain(_name))


def _plain(value):
    """Views inside of arguments as plain arrays, checked."""
    if numpy is not None and isinstance(value, View):
        return value._plain()
    if type(value) in (tuple, list):
        return type(value)(_plain(part) for part in value)
    if type(value) is dict:
        return {key: _plain(part) for key, part in value.items()}
    return value


def planes(buffer, shape, strides, token=None, writable=False):
    """An array of rows and components on a buffer; strides in bytes."""
    need_numpy()
    array = numpy.ndarray(shape, numpy.dtype(buffer._type_), buffer, 0, strides)
    array.flags.writeable = writable
    if token is None:
        return array
    view = numpy.ndarray.view(array, View)
    view._token = token
    return view


def column_array(column, count, kinds, hold, token=None, writable=False):
    """A mote_Column as an array (count,) or (count, components); `hold(kind, count, address)` gives
    the buffer."""
    kind = kinds[column.type]
    size = ctypes.sizeof(kind)
    stride = column.stride or count
    if count == 0 or not column.data:
        shape = (0,) if column.components == 1 else (0, column.components)
        return need_numpy().empty(shape, need_numpy().dtype(kind))
    buffer = hold(kind, (column.components - 1) * stride + count, column.data)
    if column.components == 1:
        return planes(buffer, (count,), (size,), token, writable)
    return planes(buffer, (count, column.components), (size, stride * size), token, writable)

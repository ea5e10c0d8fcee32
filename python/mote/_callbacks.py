"""Functions of Python that the library calls: over arrays, and never with an exception into C."""
import ctypes

from ._arrays import need_numpy
from ._headers import CONSTANTS


class Callbacks:
    """What callbacks of a world share: whether to stop, and the first exception of one of them."""

    def __init__(self, lib):
        self.stop, self.raised = False, None
        self._kept = []
        self.watch = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p)(self._watch)

    def _watch(self, context):
        return self.stop

    def keep(self, function):
        self._kept.append(function)

    def fail(self, error):
        if self.raised is None:
            self.raised = error
        self.stop = True


def _rows(lib, pointers, count, writable=False):
    """Three planes as one array (count, 3): without a copy where they are evenly apart."""
    numpy = need_numpy()
    planes = (ctypes.c_void_p * 3).from_address(pointers)
    step, size = planes[1] - planes[0], ctypes.sizeof(lib.real)
    if step > 0 and planes[2] - planes[1] == step:
        buffer = (ctypes.c_char * (2 * step + count * size)).from_address(planes[0])
        array = numpy.ndarray((count, 3), lib.real, buffer, 0, (size, step))
        array.flags.writeable = writable
        return array
    return numpy.stack([numpy.frombuffer((lib.real * count).from_address(plane), lib.real)
                        for plane in planes], axis=1)


def _result(found, count, components, what):
    """What a function returned, as an array (count, components)."""
    numpy = need_numpy()
    if found is None:
        raise TypeError("%s must return an array, and returned None" % what)
    array = numpy.asarray(found)
    if array.dtype.kind not in "fiub":
        raise TypeError("%s must return real numbers, and returned %s" % (what, array.dtype))
    if components == 1 and array.ndim == 1:
        array = array[:, None]
    try:
        return numpy.broadcast_to(array, (count, components))
    except ValueError:
        raise ValueError("%s must return an array of shape %s for %d rows, and returned %s"
                         % (what, (count, components), count, array.shape)) from None


def _planes_out(lib, pointers, count):
    numpy = need_numpy()
    return [numpy.frombuffer((lib.real * count).from_address(plane), lib.real)
            for plane in (ctypes.c_void_p * 3).from_address(pointers)]


def _guarded(callbacks, function):
    """What C calls: after a failure nothing is called any more, and no exception gets out."""
    def call(*arguments):
        if callbacks.raised is not None:
            return
        try:
            function(*arguments)
        except BaseException as error:  # raised again when the step has come back
            callbacks.fail(error)
    return call


def force_callback(lib, callbacks, function):
    """(struct of the force "callback", what must be kept)"""
    numpy = need_numpy()
    what = "the force %s" % getattr(function, "__name__", "function")

    def accelerate(context, first, count, x, v, mass, t, a):
        masses = numpy.frombuffer((lib.real * count).from_address(mass), lib.real)
        masses.flags.writeable = False
        found = _result(function(_rows(lib, x, count), _rows(lib, v, count), masses, t), count, 3,
                        what)
        for c, plane in enumerate(_planes_out(lib, a, count)):
            plane += found[:, c].astype(plane.dtype, copy=False)

    struct = lib.structs["mote_CallbackForce"]()
    struct.accelerate = lib.callback("mote_CallbackForce", "accelerate",
                                     _guarded(callbacks, accelerate))
    return struct, struct.accelerate


def whole_callback(lib, callbacks, function):
    """(struct of the force "whole-callback", what must be kept)"""
    numpy = need_numpy()
    what = "the force %s" % getattr(function, "__name__", "function")
    kind = lib.structs["mote_ForceArrays"]

    def add(arrays):
        count, place = arrays.count, ctypes.addressof(arrays)
        x, v = (_rows(lib, place + field.offset, count) for field in (kind.x, kind.v))
        mass = numpy.frombuffer((lib.real * count).from_address(arrays.mass), lib.real)
        mass.flags.writeable = False
        found = _result(function(x, v, mass, arrays.t), count, 3, what)
        for c, plane in enumerate(_planes_out(lib, place + kind.a.offset, count)):
            plane[:] = found[:, c]

    def accelerate(context, arrays, error):
        if callbacks.raised is None:
            try:
                add(kind.from_address(arrays))
            except BaseException as failure:  # raised again when the step has come back
                callbacks.fail(failure)
        return CONSTANTS["MOTE_OK" if callbacks.raised is None else "MOTE_CANCELLED"]

    struct = lib.structs["mote_WholeCallbackForce"]()
    struct.accelerate = lib.callback("mote_WholeCallbackForce", "accelerate", accelerate)
    return struct, struct.accelerate


def field_callback(lib, callbacks, function):
    """(struct of the field "callback", what must be kept)"""
    what = "the field %s" % getattr(function, "__name__", "function")

    def sample(context, count, x, t, out):
        found = _result(function(_rows(lib, x, count), t), count, 3, what)
        for c, plane in enumerate(_planes_out(lib, out, count)):
            plane[:] = found[:, c]

    struct = lib.structs["mote_CallbackField"]()
    struct.sample = lib.callback("mote_CallbackField", "sample", _guarded(callbacks, sample))
    return struct, struct.sample


def sample_field(lib, world, field, points, time):
    """A field of the world at points (n, 3)."""
    numpy = need_numpy()
    components = lib.world_field_components(world, str(field).encode())
    at = numpy.asarray(points, lib.real)
    if at.ndim != 2 or at.shape[1] != 3:
        raise ValueError("points have shape (n, 3), not %s" % (at.shape,))
    planes = numpy.ascontiguousarray(at.T)
    out = numpy.zeros((3, len(at)), lib.real)
    where = lib.structs["mote_FieldPoints"](len(at), tuple(p.ctypes.data for p in planes), time)
    targets = (ctypes.c_void_p * 3)(*[plane.ctypes.data for plane in out])
    lib.world_sample_field(world, str(field).encode(), ctypes.byref(where), targets)
    return out[0].copy() if components == 1 else out.T.copy()

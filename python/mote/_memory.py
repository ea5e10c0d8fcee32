"""Memory that a world and arrays share.

The world allocates through `Memory`. A block that is freed while an array still looks at it becomes
the arrays' own, and is given back with the last of them: an array that outlives its rows is never a
dangling pointer.
"""
import ctypes
import os
import weakref

_libc = ctypes.CDLL(None)
_libc.aligned_alloc.restype = ctypes.c_void_p
_libc.aligned_alloc.argtypes = [ctypes.c_size_t, ctypes.c_size_t]
_libc.free.argtypes = [ctypes.c_void_p]
_libc.free.restype = None
_ALIGNMENT = 64
_MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class _Orphan:
    """A block whose world has let it go."""

    def __init__(self, address):
        self._finalizer = weakref.finalize(self, _libc.free, address)


class Memory:
    """The allocator of one world."""

    def __init__(self, library):
        self._seen = weakref.WeakValueDictionary()  # number -> buffer that arrays look at
        self._numbers = 0
        self._held = 0  # bytes
        self.allocator = library.structs["mote_Allocator"]()
        self.allocator.resize = library.callback("mote_Allocator", "resize", self._resize)

    def _resize(self, context, block, old_size, new_size):
        fresh = None
        if self._held + new_size > _MACHINE:  # systems grant it, and end the program later
            return None
        if new_size > 0:
            whole = (new_size + _ALIGNMENT - 1) // _ALIGNMENT * _ALIGNMENT
            fresh = _libc.aligned_alloc(_ALIGNMENT, whole)
            if not fresh:
                return None
            if old_size > 0:
                ctypes.memmove(fresh, block, min(old_size, new_size))
        if block:
            self._release(block, old_size)
        self._held += new_size - old_size
        return fresh

    def _release(self, block, size):
        lookers = [b for b in list(self._seen.values()) if block <= b.address < block + size]
        if not lookers:
            _libc.free(block)
            return
        orphan = _Orphan(block)
        for buffer in lookers:
            buffer.orphan = orphan

    def buffer(self, kind, count, address, owner):
        """`count` numbers at an address, for arrays; `owner` lives as long as they do."""
        held = (kind * max(count, 1)).from_address(address)
        held.address, held.owner = address, owner
        self._numbers += 1
        self._seen[self._numbers] = held
        return held

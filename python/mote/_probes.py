"""What probes have measured, as arrays."""
from __future__ import annotations

from typing import Dict

from . import _arrays


class Table(Dict[str, _arrays.Array]):
    """Column name -> array, with "time" first; `units` has the units."""

    units: Dict[str, str] = {}


def table(lib, samples):
    """A mote_ProbeSamples as a Table, copied."""
    columns = lib.list("mote_ProbeColumn", samples.columns, samples.column_count)
    names = [column.name.decode() for column in columns]
    count, width = samples.count, samples.column_count
    numpy = _arrays.need_numpy()
    found = Table(time=_numbers(numpy, samples.times, count))
    values = _numbers(numpy, samples.values, count * width).reshape(count, width)
    for c, name in enumerate(names):
        found[name] = values[:, c].copy()
    found.units = dict({"time": "s"}, **{c.name.decode(): c.unit.decode() for c in columns})
    return found


def _numbers(numpy, address, count):
    import ctypes
    if count == 0 or not address:
        return numpy.empty(0)
    return numpy.array((ctypes.c_double * count).from_address(address))


class Records:
    """The samples of all steps so far."""

    def __init__(self):
        self._pieces = {}

    def add(self, lib, world):
        """Those of the last step."""
        from ._headers import CONSTANTS
        for i in range(lib.world_count(world, CONSTANTS["MOTE_KIND_PROBE"])):
            samples = lib.world_probe(world, i)
            if samples.name is not None and _arrays.numpy is not None and samples.count > 0:
                self._pieces.setdefault(samples.name.decode(), []).append(table(lib, samples))

    def tables(self) -> Dict[str, Table]:
        numpy = _arrays.need_numpy()
        found = {}
        for name, pieces in self._pieces.items():
            whole = Table((key, numpy.concatenate([piece[key] for piece in pieces]))
                          for key in pieces[0])
            whole.units = pieces[0].units
            self._pieces[name] = [whole]
            found[name] = whole
        return found

"""The tables of rows: what scenes and worlds can be built from, as the library has them."""
from __future__ import annotations

import ctypes
from typing import Any, Dict, List, NamedTuple, Tuple

from ._errors import BadValue
from ._headers import CONSTANTS
from ._library import library

__all__ = ["Param", "Row", "families", "rows"]


class Param(NamedTuple):
    """A parameter of a row."""

    name: str
    type: str
    unit: str
    doc: str
    default: Any
    min: float
    max: float
    choices: Tuple[str, ...]


class Row(NamedTuple):
    """A row of a table; functions of a host are not `in_scenes`."""

    name: str
    doc: str
    params: List[Param]
    in_scenes: bool


_TYPES = {value: name[len("MOTE_PARAM_"):].lower() for name, value in CONSTANTS.items()
          if name.startswith("MOTE_PARAM_")}


def families() -> List[str]:
    """Names of the families: "forces", "fields", "shapes", ..."""
    found, lib = [], library()
    while True:
        name = lib.family(len(found))
        if name is None:
            return found
        found.append(name.decode())


def _structs(lib, family):
    count = ctypes.c_size_t()
    address = lib.family_rows(family.encode(), ctypes.byref(count))
    if not address:
        raise KeyError("there is no family %r; there are %s" % (family, ", ".join(families())))
    return [lib.at("mote_Row", pointer) for pointer in
            (ctypes.c_void_p * count.value).from_address(address)]


def _texts(address):
    """A list of texts that ends with NULL."""
    found = []
    while address:
        text = ctypes.c_char_p.from_address(address + len(found) * ctypes.sizeof(ctypes.c_void_p))
        if text.value is None:
            break
        found.append(text.value.decode())
    return tuple(found)


def _param(struct):
    kind = _TYPES[struct.type]
    choices = _texts(struct.choices) if kind in ("choice", "name", "method") else ()
    default = tuple(struct.fallback) if kind in ("vec3", "color") else struct.fallback[0]
    if kind == "bool":
        default = bool(default)
    elif kind == "choice":
        default = choices[int(default)]
    elif kind in ("name", "method"):
        default, choices = (choices[1] if len(choices) > 1 else None), choices[:1]
    elif kind in ("mesh", "shapes", "table"):
        default = None
    return Param(struct.name.decode(), kind, struct.unit.decode(), struct.doc.decode(), default,
                 struct.min, struct.max, choices)


def rows(family: str) -> Dict[str, Row]:
    """The rows of a family: name -> Row(name, doc, params, in_scenes)."""
    lib, found = library(), {}
    for struct in _structs(lib, family):
        params = [_param(p) for p in lib.list("mote_Param", struct.params, struct.param_count)]
        found[struct.name.decode()] = Row(struct.name.decode(), struct.doc.decode(), params,
                                          bool(params) or struct.params_size == 0)
    return found


# ---- parameter structs ----

def _number(kind):
    return lambda lib, place, param, value: kind.from_address(place).__setattr__("value", value)


def _put_real(lib, place, param, value):
    lib.real.from_address(place).value = value


def _put_vector(lib, place, param, value):
    parts = list(value)
    if len(parts) != 3:
        raise BadValue("%s has three components, not %d" % (param.name.decode(), len(parts)))
    (lib.real * 3).from_address(place)[:] = parts


def _put_choice(lib, place, param, value):
    choices = _texts(param.choices)
    if value not in choices:
        raise BadValue("%s: there is no %r; there are %s"
                       % (param.name.decode(), value, ", ".join(choices)))
    ctypes.c_int.from_address(place).value = choices.index(value)


def _put_name(lib, place, param, value):
    text = ctypes.c_char_p(str(value).encode())
    ctypes.c_void_p.from_address(place).value = ctypes.cast(text, ctypes.c_void_p).value
    return text


def _put_table(lib, place, param, value):
    table = lib.at("mote_Table", place)
    if len(value) > len(table.at):
        raise TypeError("more than %d points" % len(table.at))
    table.count = len(value)
    for i, (at, there) in enumerate(value):
        table.at[i], table.value[i] = at, there


_PUT = {"real": _put_real, "double": _number(ctypes.c_double), "count": _number(ctypes.c_uint64),
        "bool": _number(ctypes.c_bool), "vec3": _put_vector, "color": _put_vector,
        "choice": _put_choice, "name": _put_name, "table": _put_table}


def parameters(lib, family, name, given):
    """The parameter struct of a row, checked, and what it points to."""
    found = [row for row in _structs(lib, family) if row.name.decode() == name]
    if not found:
        raise BadValue("%s has no row `%s`; there are %s" % (family, name, ", ".join(
            row.name.decode() for row in _structs(lib, family))))
    row, kept = found[0], []
    block = ctypes.create_string_buffer(max(row.params_size, 1))
    lib.row_defaults(ctypes.addressof(row), block)
    known = {p.name.decode(): p for p in lib.list("mote_Param", row.params, row.param_count)}
    for key, value in given.items():
        if key not in known:
            raise BadValue("%s has no parameter `%s`; it has %s" % (name, key, ", ".join(known)))
        kept.append(_put(lib, block, known[key], value))
    lib.row_check(ctypes.addressof(row), name.encode(), block)
    return block, kept


def _put(lib, block, param, value):
    kind = _TYPES[param.type]
    if kind not in _PUT:
        raise BadValue("%s can be given in a scene alone" % param.name.decode())
    try:
        return _PUT[kind](lib, ctypes.addressof(block) + param.offset, param, value)
    except (TypeError, ValueError, ctypes.ArgumentError) as failure:
        raise BadValue("%s: %r is no %s (%s)" % (param.name.decode(), value, kind, failure)) \
            from None

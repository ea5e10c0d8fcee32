#!/usr/bin/env python3
"""Functions for all rows that scenes are built from, out of the library's tables:
python-rows.py PACKAGE, the folder of the Python package with _headers.py in it.

mote.forces.drag(linear=2) is {"type": "drag", "linear": 2}; what is not given has its default. The
scene reader checks values, so that ranges stand in the tables alone.
"""
import importlib
import keyword
import sys
import textwrap
from pathlib import Path

TYPED = ("forces", "fields", "shapes", "sources", "solvers", "patterns", "frictions", "lights",
         "probes")  # families whose rows are objects of a scene with a type
HINTS = {"real": "Number", "double": "Number", "count": "Number", "bool": "bool | str",
         "vec3": "Sequence", "color": "Sequence | str", "choice": "str", "name": "str",
         "method": "str", "mesh": "object", "shapes": "object", "formula": "object",
         "table": "Sequence"}


def identifier(name):
    found = name.replace("-", "_").replace("/", "_")
    return found + "_" if keyword.iskeyword(found) else found


def range_text(param):
    if param.type == "choice":
        return " | ".join(param.choices)
    if param.type not in ("real", "double", "count", "vec3", "color"):
        return ""
    low, high = param.min > -1e30, param.max < 1e30
    if 0 < param.min <= 1e-30:
        return "above 0" + (", to %g" % param.max if high else "")
    if low and high:
        return "%g to %g" % (param.min, param.max)
    return "%g or more" % param.min if low else "%g or less" % param.max if high else ""


def param_line(param):
    notes = [part for part in (param.unit, range_text(param)) if part]
    if param.default is not None:
        shown = "%g" % param.default if isinstance(param.default, float) else str(param.default)
        notes.append("default " + shown)
    text = "%s: %s%s" % (identifier(param.name), param.doc,
                         " (%s)" % "; ".join(notes) if notes else "")
    return textwrap.fill(text, 96, initial_indent="    ", subsequent_indent="        ")


def escaped(text):
    return text.replace("\\", "\\\\").replace('"""', "'''")


def function(row, keys, typed):
    """The text of a function for a row; `keys` are further ones: (name, doc)."""
    own = {param.name for param in row.params}
    keys = [key for key in keys if key[0] not in own]
    hints = [(p.name, HINTS[p.type]) for p in row.params] + [(name, "object") for name, _ in keys]
    arguments = ["%s: %s = None" % (identifier(name), hint) for name, hint in hints]
    lines = [param_line(p) for p in row.params]
    lines += ["    %s: %s" % (identifier(name), doc) for name, doc in keys]
    arguments = (["*"] if arguments else []) + arguments + ["**others) -> dict:"]
    head = ", ".join(argument.replace(" ", "\0") for argument in arguments)
    head = textwrap.fill("def\0%s(%s" % (identifier(row.name), head), 96, subsequent_indent=" " * 8)
    head = head.replace("\0", " ")
    doc = escaped(row.doc[:1].upper() + row.doc[1:])
    body = '    """%s.\n' % doc + ("\n" + escaped("\n".join(lines)) + "\n" if lines else "")
    kind = "%r" % row.name if typed else "None"
    return "%s\n%s    \"\"\"\n    return _row(%s, locals())\n" % (head, body, kind)


HEAD = '''"""%s, made from the tables of mote."""
from __future__ import annotations

from collections.abc import Sequence

from ._row import Number, row as _row

__all__ = [%s]
'''


def module(title, rows, keys, typed):
    names = ", ".join('"%s"' % identifier(row.name) for row in rows)
    parts = [textwrap.fill(line, 96, subsequent_indent="           ") if line.startswith("__all__")
             else line for line in (HEAD % (title, names)).split("\n")]
    return "\n".join(parts) + "\n\n" + "\n\n".join(function(row, keys(row), typed) for row in rows)


def object_keys(lib, row):
    found, i = [], 0
    while True:
        key = lib.scene_object_key(row.name.encode(), i)
        if key.key is None:
            return found
        found.append((key.key.decode(), key.doc.decode()))
        i += 1


TYPED_KEYS = {"forces": (("name", "unique"), ("systems", "names of those it acts on"),
                         ("group", "bits of the groups it acts on")),
              "fields": (("name", "unique"), ("obstacles", "names of colliders it flows around")),
              "probes": (("name", "unique"), ("interval", "s between samples"))}


def main(package):
    package = Path(package)
    sys.path.insert(0, str(package.parent))
    tables = importlib.import_module(package.name + ".tables")
    lib = importlib.import_module(package.name + "._library").library()
    for family in TYPED:
        rows = [row for row in tables.rows(family).values() if row.in_scenes]
        text = module(family.capitalize(), rows,
                      lambda row, family=family: TYPED_KEYS.get(family, ()), True)
        (package / (family + ".py")).write_text(text)
    objects = list(tables.rows("objects").values())
    (package / "objects.py").write_text(module("Objects of a scene", objects,
                                               lambda row: object_keys(lib, row), False))
    others = [f for f in tables.families() if f not in TYPED + ("objects",)]
    lines = ['"""All rows, made from the tables of mote."""', "from . import (%s)" % ", ".join(TYPED),
             "from . import objects", "from .objects import *", ""]
    lines += ["%s = %r" % (f, tuple(tables.rows(f))) for f in others]
    names = list(TYPED) + others + ["objects"]
    names += [identifier(row.name) for row in objects]
    lines.append("__all__ = %r" % (names,))  # written out, so that checkers of types see it
    (package / "rows.py").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])

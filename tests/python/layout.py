"""Structs are laid out as the compiler has them, in both precisions: layout.py COMPILER INCLUDE..."""
import ctypes
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from mote import _headers, _library

COMPILER, INCLUDES = sys.argv[1], sys.argv[2:]
del sys.argv[1:]


def compiled(defines):
    """"struct.field" -> (offset, size), and "struct" -> (0, size), by a C program."""
    lines = ["#include <mote/%s>" % path.name for path in Path(INCLUDES[0], "mote").glob("*.h")]
    lines += ["#include <stddef.h>", "#include <stdio.h>",
              "#define SHOW(s, f) printf(#s \".\" #f \" %zu %zu\\n\", offsetof(s, f), "
              "sizeof(((s *)0)->f))", "int main(void) {"]
    for name, fields in _headers.STRUCTS.items():
        lines.append('printf("%s 0 %%zu\\n", sizeof(%s));' % (name, name))
        lines += ["SHOW(%s, %s);" % (name, field) for field, _ in fields]
    for name, value in _headers.CONSTANTS.items():
        if name != "MOTE_ARRAY_REAL":
            lines.append('printf("%s %%d 0\\n", (int)%s);' % (name, name))
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "a.c"), os.path.join(folder, "a")
        with open(source, "w") as file:
            file.write("\n".join(lines + ["return 0; }"]))
        subprocess.run([COMPILER, *defines, *["-I" + i for i in INCLUDES], source, "-o", program],
                       check=True)
        output = subprocess.run([program], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[0]: tuple(map(int, line.split()[1:])) for line in output.splitlines()}


def read(real):
    """The same by ctypes, without a library."""
    reader = _library.Library.__new__(_library.Library)
    reader._words, reader.structs, found = dict(_library._WORDS, real=real), {}, {}
    for name, fields in _headers.STRUCTS.items():
        reader._add_struct(name, fields)
        struct = reader.structs[name]
        found[name] = (0, ctypes.sizeof(struct))
        for field, _ in fields:
            place = getattr(struct, field)
            found["%s.%s" % (name, field)] = (place.offset, place.size)
    found.update((name, (value, 0)) for name, value in _headers.CONSTANTS.items()
                 if name != "MOTE_ARRAY_REAL")
    return found


class Layout(unittest.TestCase):
    def test_float(self):
        self.assertEqual(read(ctypes.c_float), compiled([]))

    def test_double(self):
        self.assertEqual(read(ctypes.c_double), compiled(["-DMOTE_DOUBLE"]))

    def test_all_functions(self):
        self.assertGreater(len(_headers.FUNCTIONS), 180)
        self.assertGreater(len(_headers.STRUCTS), 80)
        lib = _library.library()
        for name in _headers.FUNCTIONS:
            getattr(lib, name[len("mote_"):])


if __name__ == "__main__":
    unittest.main(verbosity=0)

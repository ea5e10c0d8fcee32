"""check_frame.py FILE REAL_BYTES: NumPy reads the sample frame (1000 rows) and sees the formula of
sample.h. Exits with 77 when NumPy is missing."""
import json
import sys
import zipfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)

path, real = sys.argv[1], "<f%s" % sys.argv[2]
columns = [("id", "<u8", 1), ("position", real, 3), ("velocity", real, 3), ("mass", real, 1),
           ("radius", real, 1), ("birth", "<f8", 1), ("lifetime", real, 1), ("color", real, 3),
           ("opacity", real, 1), ("group", "<u4", 1), ("stress", "<f8", 9)]
systems = [("water", 1000), ("dust \u00e9", 500)]

assert zipfile.ZipFile(path).testzip() is None
data = np.load(path, allow_pickle=False)
expected = {"frame.json"} | {"%s/%s" % (s, c[0]) for s, _ in systems for c in columns}
assert set(data.files) == expected, data.files

for s, (system, rows) in enumerate(systems):
    for k, (name, dtype, components) in enumerate(columns):
        array = data["%s/%s" % (system, name)]
        assert array.dtype == np.dtype(dtype), (name, array.dtype)
        assert array.shape == ((rows,) if components == 1 else (rows, components)), array.shape
        row, component = np.meshgrid(np.arange(rows), np.arange(components), indexing="ij")
        number = (row * 131 + component * 17 + k * 7 + s * 3) % 4093
        if dtype == "<u8":
            number = number + 2**40
        elif dtype != "<u4":
            number = number / 8.0 - 200
        assert np.array_equal(array.reshape(rows, components), number), name

head = json.loads(data["frame.json"])
assert head["format"] == 1 and head["index"] == 3 and head["time"] == 0.1
assert head["dt"] == 1 / 30 and head["dimension"] == 3 and head["up_axis"] == "y"
assert head["real_bytes"] == int(sys.argv[2])
assert [s["name"] for s in head["systems"]] == [s for s, _ in systems]
lifetime = head["systems"][0]["columns"][6]
assert lifetime["name"] == "lifetime" and lifetime["fallback"] == "inf" and lifetime["unit"] == "s"

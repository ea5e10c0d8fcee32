"""make_arrays.py FOLDER: arrays as NumPy writes them: element (i, c) is 10 i + c."""
import io
import sys
import zipfile

try:
    import numpy as np
except ImportError:
    sys.exit(77)


def table(rows, columns, order="C"):
    i, c = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    return np.array(10 * i + c, dtype="<f8", order=order)


arrays = {"c": table(16, 3), "fortran": table(16, 3, "F"), "line": table(7, 1)[:, 0],
          "scalar": np.array(0.0), "none": np.zeros((0, 3))}
folder = sys.argv[1]
np.savez(folder + "/stored.npz", **arrays)
np.savez_compressed(folder + "/packed.npz", **arrays)

with zipfile.ZipFile(folder + "/empty_comment.npz", "w") as archive:
    for version, (name, array) in zip([(1, 0), (2, 0), (3, 0), (2, 0), (1, 0)], arrays.items()):
        stream = io.BytesIO()
        np.lib.format.write_array(stream, array, version=version)
        archive.writestr(name + ".npy", stream.getvalue())
    archive.comment = b"a comment that a reader has to step over PK\x05\x06 and back"

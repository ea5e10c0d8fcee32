"""make_other.py FOLDER REAL_BYTES: a frame and a checkpoint of the precision that is not ours."""
import json
import sys
import zipfile
import io

try:
    import numpy as np
except ImportError:
    sys.exit(77)

other = 8 if sys.argv[2] == "4" else 4
head = {"format": 1, "mote": "0.1.0", "real_bytes": other}
column = {"name": "position", "unit": "m", "stage": "emit", "type": "real", "components": 3,
          "fallback": 0}
frame = dict(head, index=1, time=0.5, dt=0.1, dimension=3, up_axis="z", shapes=[],
             systems=[{"name": "s", "count": 5, "columns": [column]}])
position = np.arange(5)[:, None] + 0.25 * np.arange(3)[None, :]
stream = io.BytesIO()
np.save(stream, position.astype("<f%d" % other))
with zipfile.ZipFile(sys.argv[1] + "/other.npz", "w") as archive:
    archive.writestr("frame.json", json.dumps(frame))
    archive.writestr("s/position.npy", stream.getvalue())
with zipfile.ZipFile(sys.argv[1] + "/other_state.npz", "w") as archive:
    archive.writestr("state.json", json.dumps(head))

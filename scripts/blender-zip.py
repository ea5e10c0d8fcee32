#!/usr/bin/env python3
"""The Blender add-on as Blender installs it: blender-zip.py OUTPUT

Its module is not `mote`: that is the Python package, which Blender may see too.
"""
import sys
import zipfile
from pathlib import Path

ADD_ON = Path(__file__).resolve().parent.parent / "blender" / "mote_blender"


def main(output):
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(ADD_ON.glob("*.py")):
            archive.writestr(zipfile.ZipInfo("mote_blender/" + path.name, (2020, 1, 1, 0, 0, 0)),
                             path.read_bytes(), zipfile.ZIP_DEFLATED)
    print(output)


if __name__ == "__main__":
    main(sys.argv[1])

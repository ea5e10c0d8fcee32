#!/usr/bin/env python3
"""A wheel of the Python package with the libraries inside: wheel.py BUILD-FOLDER OUTPUT-FOLDER

A wheel is an archive with three texts about itself, so nothing but the standard library is needed.
"""
import base64
import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
METADATA = """Metadata-Version: 2.1
Name: mote
Version: %s
Summary: Particle physics for graphics: particles, liquids, smoke, cloth, bodies
License: MIT
Requires-Python: >=3.8
Provides-Extra: arrays
Requires-Dist: numpy; extra == "arrays"
Description-Content-Type: text/markdown

%s"""
WHEEL = """Wheel-Version: 1.0
Generator: mote
Root-Is-Purelib: false
Tag: py3-none-%s
"""


def version():
    text = (SOURCE / "include/mote/base.h").read_text()
    parts = [line.split()[2] for line in text.splitlines() if line.startswith("#define MOTE_VERSION_")]
    return ".".join(parts)


def stripped(path):
    """The library without what only debuggers and linkers want."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "library")
        done = subprocess.run(["strip", "--strip-unneeded", "-o", copy, str(path)])
        return Path(copy if done.returncode == 0 else path).read_bytes()


def files(build):
    package = build / "python" / "mote"
    for path in sorted(package.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield "mote/" + path.relative_to(package).as_posix(), path.read_bytes()
    for name in ("libmote.so", "libmote-double.so"):
        if (build / name).exists():
            yield "mote/" + name, stripped((build / name).resolve())


def record(entries):
    lines = []
    for name, data in entries:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append("%s,sha256=%s,%d" % (name, digest, len(data)))
    return lines


def main(build, output):
    tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    info = "mote-%s.dist-info/" % version()
    readme = (SOURCE / "docs/manual/python.md").read_text()
    entries = list(files(build))
    if not any(name.endswith("libmote.so") for name, _ in entries):
        sys.exit("wheel.py: there is no libmote.so in %s" % build)
    entries += [(info + "METADATA", (METADATA % (version(), readme)).encode()),
                (info + "WHEEL", (WHEEL % tag).encode()),
                (info + "LICENSE", (SOURCE / "LICENSE").read_bytes())]
    lines = record(entries) + [info + "RECORD,,", ""]
    output.mkdir(parents=True, exist_ok=True)
    path = output / ("mote-%s-py3-none-%s.whl" % (version(), tag))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries + [(info + "RECORD", "\n".join(lines).encode())]:
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data,
                             zipfile.ZIP_DEFLATED)
    print(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))

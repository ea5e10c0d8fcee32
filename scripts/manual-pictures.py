#!/usr/bin/env python3
"""Pictures of docs/manual/pictures.md that have their commands below them.

    scripts/manual-pictures.py                    names them
    scripts/manual-pictures.py sprites checker    draws these anew

The lines of the block below a picture are run in an empty folder, by a shell, beside the scripts and the scenes;
what they leave as NAME.png is packed with a palette (ffmpeg) and becomes docs/manual/NAME.png. MOTE names the program.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "manual" / "pictures.md"
PALETTE = "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=sierra2_4a"


def pictures():
    """Name -> lines of the first block of commands between the picture and the next one."""
    found = {}
    for part in re.split(r"^!\[", PAGE.read_text(), flags=re.M)[1:]:
        name = re.match(r"[^\]]*\]\(([\w-]+)\.png\)", part)
        block = re.search(r"^```sh\n(.*?)^```", part, flags=re.M | re.S)
        if name and block and f"{name[1]}.png" in block[1]:
            found[name[1]] = block[1]
    return found


def draw(name, lines):
    program = os.environ.get("MOTE", ROOT / "build" / "mote")
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "mote").symlink_to(pathlib.Path(program).resolve())
        for beside in ("scripts", "scenes"):
            (place / beside).symlink_to(ROOT / beside)
        env = dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}")
        subprocess.run(["sh", "-e", "-c", lines], cwd=folder, env=env, check=True)
        packed = place / "packed.png"
        subprocess.run(["ffmpeg", "-v", "error", "-i", place / f"{name}.png", "-vf", PALETTE, "-pred", "mixed",
                        "-compression_level", "100", packed], check=True)
        shutil.copyfile(packed, PAGE.parent / f"{name}.png")
        print(f"{name}.png: {packed.stat().st_size} bytes")


def main(words):
    known = pictures()
    for name in words:
        if name not in known:
            sys.exit(f"there is no picture {name}; there are {', '.join(known)}")
    for name in words:
        draw(name, known[name])
    if not words:
        print("\n".join(known))


main(sys.argv[1:])

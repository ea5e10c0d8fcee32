#!/usr/bin/env python3
"""The pictures of docs/gallery: each is one frame of a scene, 1280 x 720.

    scripts/gallery.py              all of them
    scripts/gallery.py smoke flag   these
    scripts/gallery.py --measure    only the lights and darks of those that are there

Measured are the luma that 5 % of a picture's pixels stay below and that which 5 % exceed. A picture
of a place in daylight should have darks (below 40) and lights (above 200); one whose sky is black
has its lights alone. The pictures of the front page are scripts/heroes.py's. MOTE names the program.
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "gallery"

# scene, frame, paths of each pixel (0: splats), settings of the run
ROWS = [
    ("glass-tank", 42, 64, ["spacing=0.014"]),
    ("drop", 14, 64, ["spacing=0.018"]),
    ("crown-splash", 20, 0, ["spacing=0.0002"]),
    ("smoke", 160, 0, []),
    ("campfire", 90, 0, []),
    ("snow", 110, 0, []),
    ("firework", 50, 0, []),
    ("pour", 110, 0, []),
    ("aquarium", 3, 0, []),
    ("eddies", 60, 0, []),
    ("galaxy", 150, 0, []),
    ("galaxy-collision", 138, 0, []),
    ("demo", 75, 0, []),
    ("first", 75, 0, []),
    ("sparks", 100, 0, []),
    ("periodic", 110, 0, []),
    ("vortex", 150, 0, []),
    ("bounce", 175, 0, []),
    ("stairs", 150, 0, []),
    ("hail", 100, 0, []),
    ("snowfall", 200, 0, []),
    ("pegboard", 160, 0, []),
    ("incline", 60, 0, []),
    ("slope", 58, 8, []),
    ("dice", 60, 8, []),
    ("drape", 70, 8, []),
    ("flag", 200, 8, []),
    ("jelly", 32, 8, []),
    ("around-sphere", 140, 0, []),
    ("noises", 150, 0, []),
    ("leaves", 120, 0, []),
    ("dust", 120, 0, []),
    ("smoke-in-wind", 190, 0, []),
    ("dam-break-box", 36, 0, []),
    ("splash", 36, 0, []),
    ("two-drops", 16, 48, ["spacing=0.02"]),
    ("plate", 280, 0, []),
    ("bonfire", 120, 0, []),
    ("candle", 110, 0, []),
    ("hot-ball", 170, 0, []),
    ("smoke-solids", 120, 0, []),
    ("vortex-rings", 105, 0, []),
    ("plate-wake", 95, 0, []),
    ("plate-spin", 90, 0, []),
    ("airfoil", 80, 0, []),
    ("spinning-sphere", 75, 0, []),
    ("stack", 42, 8, []),
    ("dominoes", 75, 8, []),
    ("polyhedra", 30, 16, []),
    ("stars", 120, 16, []),
    ("falling-plate", 14, 8, []),
    ("carried", 30, 0, []),
    ("floating", 120, 16, []),
    ("plunge", 22, 48, ["spacing=0.04"]),
    ("cells", 100, 0, []),
    ("octree", 100, 0, []),
    ("waterfall", 100, 0, []),
    ("breaker", 27, 0, []),
    ("falls", 41, 64, ["spacing=0.025"]),
    ("rain", 20, 64, ["spacing=0.004"]),
    ("glass", 40, 64, ["spacing=0.002"]),
    ("pitching-wing", 100, 0, []),
    ("falling-coin", 54, 0, []),
    ("falling-leaf", 48, 0, []),
    ("caustics", 36, 40, []),
    ("karman-street-3d", 145, 0, []),
    ("football", 48, 0, []),
]


def unfilter(kind, line, before, step):
    """A row of a PNG file without its filter."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        up, corner = before[i], before[i - step] if i >= step else 0
        if kind == 1:
            line[i] = line[i] + left & 255
        elif kind == 2:
            line[i] = line[i] + up & 255
        elif kind == 3:
            line[i] = line[i] + (left + up) // 2 & 255
        elif kind == 4:
            guess = left + up - corner
            apart = [(abs(guess - v), n, v) for n, v in enumerate((left, up, corner))]
            line[i] = line[i] + min(apart)[2] & 255


def lumas(path):
    """How many pixels of an 8-bit PNG file have each luma."""
    data, at, packed = path.read_bytes(), 8, b""
    width, height, _, color = struct.unpack(">IIBB", data[16:26])
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + size]
        at += size + 12
    raw, step = zlib.decompress(packed), {2: 3, 6: 4}[color]
    counts, before, stride = [0] * 256, bytearray(width * step), 1 + width * step
    for y in range(height):
        line = bytearray(raw[y * stride + 1 : (y + 1) * stride])
        unfilter(raw[y * stride], line, before, step)
        for i in range(0, len(line), step):
            counts[(54 * line[i] + 183 * line[i + 1] + 19 * line[i + 2]) >> 8] += 1
        before = line
    return counts


def percentile(counts, part):
    left = part * sum(counts)
    for luma, count in enumerate(counts):
        left -= count
        if left < 0:
            return luma
    return 255


def mote(*words):
    program = os.environ.get("MOTE", ROOT / "build" / "mote")
    subprocess.run([program, *map(str, words), "--quiet"], check=True)


def draw(work, scene, frame, samples, settings):
    folder, start = work / scene, time.monotonic()
    sets = [word for setting in settings for word in ("--set", setting)]
    mote("run", ROOT / "scenes" / f"{scene}.json5", "-o", folder, "--frames", frame, "--no-pictures",
         *sets)
    shot = work / f"{scene}.png"
    few = ["--set", "render.trace.bounces=3"] if samples < 16 else []  # no glass, no water: quicker
    mote("render", folder, "-o", shot, "--frames", frame, "--size", "1280x720", "--samples", samples, *few)
    os.replace(shot, PICTURES / shot.name) if shot.stat().st_dev == PICTURES.stat().st_dev else \
        shutil.move(shot, PICTURES / shot.name)
    shutil.rmtree(folder)
    return time.monotonic() - start


def main(words):
    measure = "--measure" in words
    wanted = [word for word in words if not word.startswith("-")]
    unknown = set(wanted) - {row[0] for row in ROWS}
    if unknown:
        sys.exit(f"gallery.py: there is no picture of {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as work:
        for row in [row for name in wanted for row in ROWS if row[0] == name] if wanted else ROWS:
            if not measure:
                print(f"{row[0]:18} {draw(pathlib.Path(work), *row):4.0f} s", flush=True)
                continue
            counts = lumas(PICTURES / f"{row[0]}.png")
            low, high = percentile(counts, 0.05), percentile(counts, 0.95)
            print(f"{row[0]:18} p5 {low:3}  p95 {high:3}", flush=True)


main(sys.argv[1:])

"""Pictures as OpenEXR files of 32-bit floats, not compressed: what the scripts here hand to mote."""
import array
import struct
import sys


def attribute(name, kind, data):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(data)) + data


def header(wide, high, names):
    window = struct.pack("<4i", 0, 0, wide - 1, high - 1)
    channels = b"".join(name.encode() + b"\0" + struct.pack("<iB3x2i", 2, 0, 1, 1) for name in names)
    return (struct.pack("<2i", 20000630, 2) + attribute("channels", "chlist", channels + b"\0")
            + attribute("compression", "compression", b"\0") + attribute("dataWindow", "box2i", window)
            + attribute("displayWindow", "box2i", window) + attribute("lineOrder", "lineOrder", b"\0")
            + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
            + attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
            + attribute("screenWindowWidth", "float", struct.pack("<f", 1)) + b"\0")


def write(path, rows):
    """Rows of pixels from the top: linear RGB, or RGBA with premultiplied alpha."""
    wide, high, channels = len(rows[0]), len(rows), len(rows[0][0])
    order = [("A", 3), ("B", 2), ("G", 1), ("R", 0)][4 - channels:]  # by name, as files have them
    start, size = header(wide, high, [name for name, _ in order]), channels * 4 * wide
    lines = []
    for y, row in enumerate(rows):
        planes = array.array("f", [pixel[k] for _, k in order for pixel in row])
        if sys.byteorder == "big":
            planes.byteswap()
        lines.append(struct.pack("<2i", y, size) + planes.tobytes())
    first = len(start) + 8 * high
    offsets = struct.pack(f"<{high}Q", *(first + y * (8 + size) for y in range(high)))
    with open(path, "wb") as file:
        file.write(start + offsets + b"".join(lines))

#!/usr/bin/env python3
"""Draws docs/vortex-benchmark.svg from the lines of `mote bench plate --json` on standard input:
milliseconds a frame against threads, beside those published (Gourlay, part 13, table 2)."""
import json
import sys

PUBLISHED = {  # threads: boundary conditions, simulation update
    1: (2.42, 4.12), 2: (1.606, 2.52), 3: (1.134, 2.15), 4: (1.142, 2.03),
    6: (0.804, 1.81), 8: (0.784, 1.76), 12: (0.69, 1.61), 16: (0.718, 1.64)}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 60, 190, 20, 50
MOST_MS = 5


def place(threads, ms):
    x = LEFT + (WIDTH - LEFT - RIGHT) * (threads - 1) / 15
    y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * ms / MOST_MS
    return x, y


def curve(points, color, dash, name, row):
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in points))
    out = [f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2" {dash}/>']
    out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{color}"/>'
            for x, y in (place(*p) for p in points)]
    x, y = WIDTH - RIGHT + 15, TOP + 20 + 22 * row
    out.append(f'<line x1="{x}" y1="{y}" x2="{x + 24}" y2="{y}" stroke="{color}" '
               f'stroke-width="2" {dash}/>')
    out.append(f'<text x="{x + 30}" y="{y + 4}">{name}</text>')
    return out


def axes():
    out = []
    for threads in (1, 2, 4, 8, 16):
        x, y = place(threads, 0)
        out.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{threads}</text>')
    for ms in range(MOST_MS + 1):
        x, y = place(1, ms)
        end = WIDTH - RIGHT
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{end}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{ms}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">threads</text>')
    out.append(f'<text x="16" y="{HEIGHT / 2}" text-anchor="middle" '
               f'transform="rotate(-90 16 {HEIGHT / 2})">ms a frame</text>')
    return out


def main():
    ours = {}
    for line in sys.stdin:
        if line.startswith("{"):
            figure = json.loads(line)
            ours[(figure["metric"], figure["threads"])] = figure["value"]
    dashed = 'stroke-dasharray="6 4"'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
           'font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'] + axes()
    for k, (name, color) in enumerate((("boundary, published", "#c33"),
                                       ("update, published", "#36c"))):
        out += curve([(t, v[k]) for t, v in PUBLISHED.items()], color, dashed, name, k)
    for k, (metric, name, color) in enumerate((
            ("boundary_ms", "boundary, here", "#c33"),
            ("update_ms", "update, here", "#36c"), ("frame_ms", "frame, here", "#222"))):
        points = sorted((t, v) for (m, t), v in ours.items() if m == metric)
        out += curve(points, color, "", name, 2 + k)
    out.append("</svg>")
    print("\n".join(out))


main()

#!/usr/bin/env python3
"""Draws docs/vortex-benchmark.svg from the lines of `mote bench plate --json` on standard input:
milliseconds a frame against threads, beside those published (Gourlay, part 13, table 2 and
figure 9). Lines go from a fiftieth of a millisecond to a second, so the axis is logarithmic."""
import json
import math
import sys

PUBLISHED = {  # threads: boundary, of tracers, of vortons, simulation update, total with rendering
    1: (2.42, 2.346, 0.057, 4.12, 25.7), 2: (1.606, 1.563, 0.0423, 2.52, 16.3),
    3: (1.134, 1.095, 0.0378, 2.15, 11.7), 4: (1.142, 1.107, 0.0348, 2.03, 11.4),
    6: (0.804, 0.774, 0.0312, 1.81, 9.65), 8: (0.784, 0.75, 0.0303, 1.76, 9.34),
    12: (0.69, 0.657, 0.0303, 1.61, 8.38), 16: (0.718, 0.684, 0.0336, 1.64, 8.59)}
PARTS = (("boundary", "boundary_ms", "#c33"), ("of tracers", "boundary_tracers_ms", "#e90"),
         ("of vortons", "boundary_vortons_ms", "#393"), ("update", "update_ms", "#36c"),
         ("total", "total_ms", "#222"))
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 460, 60, 210, 20, 50
LEAST_MS, MOST_MS = 0.02, 1000


def place(threads, ms):
    x = LEFT + (WIDTH - LEFT - RIGHT) * (threads - 1) / 15
    share = math.log(ms / LEAST_MS) / math.log(MOST_MS / LEAST_MS)
    return x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


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
        x, y = place(threads, LEAST_MS)
        out.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{threads}</text>')
    for ms in (0.1, 1, 10, 100, 1000):
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
    for k, (name, metric, color) in enumerate(PARTS):
        out += curve([(t, v[k]) for t, v in PUBLISHED.items()], color, dashed,
                     name + ", published", k)
        points = sorted((t, v) for (m, t), v in ours.items() if m == "least_" + metric)
        out += curve(points, color, "", name + ", here, fastest", len(PARTS) + k)
    out.append("</svg>")
    print("\n".join(out))


main()

#!/usr/bin/env python3
"""The playground's static folder: playground.py MODULE FOLDER. Prints what a first visit fetches."""
import gzip
import json
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIRST = "demo"  # the scene of a first visit
LARGEST = 1_000_000  # bytes, packed
SERVED = ["index.html", "main.js", "socket.js"]  # of the view: what talks to a server

# What a scene is listed under: the first whose words are in its description or its text.
GROUPS = [
    ("Liquids", r'\b(type|solver): *"sph"|"liquid"'),
    ("Smoke and fire", r'\bsolver: *(\{ *type: *)?"vortex"|[Ss]moke |[Ff]lame'),
    ("Cloth, ropes and jelly", r"\blinks: *\["),
    ("Rigid bodies", r"\bbodies: *\["),
    ("Particles and fields", r""),
]


def about(text):
    """The first comment of a scene, without its name and what is for the command line."""
    found = re.search(r"//\s*(?:[\w-]+\.json5:\s*)?(.*)", text)
    said = re.sub(r"(?<=\.) [^.]*--set .*", "", found[1].strip()) if found else ""
    return said[:1].upper() + said[1:]


def scene_list(paths):
    rows = []
    for path in paths:
        text = path.read_text(encoding="utf-8")
        group = next(i for i, (_, words) in enumerate(GROUPS) if re.search(words, text))
        rows.append((group, path.stem, about(text)))
    return [{"name": name, "group": GROUPS[group][0], "about": text} for group, name, text in sorted(rows)]


def make(module, site):
    if site.exists():
        shutil.rmtree(site)
    shutil.copytree(ROOT / "playground" / "page", site)
    shutil.copytree(ROOT / "view" / "page", site / "view", ignore=lambda *_: SERVED)
    shutil.copy(module, site / "playground.wasm")
    (site / "scenes").mkdir()
    scenes = sorted((ROOT / "scenes").glob("*.json5"))
    for scene in scenes:
        shutil.copy(scene, site / "scenes")
    (site / "scenes.json").write_text(json.dumps(scene_list(scenes)), encoding="utf-8")
    return len(scenes)


def packed(path):
    return len(gzip.compress(path.read_bytes(), 9))


def main():
    module, site = map(pathlib.Path, sys.argv[1:])
    count = make(module, site)
    others = [path for path in site.glob("scenes/*") if path.stem != FIRST]
    first = [path for path in site.rglob("*") if path.is_file() and path not in others]
    total = sum(map(packed, first))
    wasm = packed(site / "playground.wasm")
    print(f"{site}: {count} scenes; a first visit fetches {total / 1000:.0f} kB packed, {wasm / 1000:.0f} kB of it the library")
    if total > LARGEST:
        sys.exit(f"playground: that is more than {LARGEST / 1000:.0f} kB")


main()

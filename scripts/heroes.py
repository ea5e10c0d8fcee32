#!/usr/bin/env python3
"""The eight pictures of the front page, and a film of a minute made of their scenes.

    scripts/heroes.py                      all pictures, 1280 x 720, into docs/gallery
    scripts/heroes.py crown rings          these
    scripts/heroes.py --film film.mp4      the film; --size 640x360 --paths 4 for a first look

Runs and clips stay in out/heroes, so that the film needs what is new alone; --out FOLDER keeps
them elsewhere. Each clip comes out of the dark and goes into it. MOTE names the program.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "gallery"

# scene, settings of the run, frame of the picture, paths of each pixel (0: splats), options of the
# drawing, first and last frame of the film
Hero = collections.namedtuple("Hero", "scene settings frame paths options film")
HEROES = {
    "crown": Hero("heroes/crown.json5", [], 30, 16, [], (0, 119)),
    "rings": Hero("heroes/rings.json5", [], 84, 0, [], (2, 141)),
    "galaxies": Hero("galaxy-collision.json5", ["stars=150000"], 138, 0,
                     ["--set", "systems.stars.look.brightness=0.09"], (0, 179)),
    "dam": Hero("heroes/dam.json5", ["spacing=0.0183"], 72, 24, ["--plot", "P1"], (0, 179)),
    "wing": Hero("heroes/wing.json5", [], 192, 0, ["--plot", "force.fy"], (20, 239)),
    "bricks": Hero("heroes/bricks.json5", [], 100, 64, [], (0, 239)),
    "plume": Hero("heroes/plume.json5", [], 140, 0, [], (0, 299)),
    "fireworks": Hero("heroes/fireworks.json5", [], 34, 64, [], (0, 299)),
}
FILM = ["galaxies", "rings", "plume", "wing", "crown", "dam", "bricks", "fireworks"]


def mote(*words):
    program = os.environ.get("MOTE", ROOT / "build" / "mote")
    subprocess.run([program, *map(str, words), "--quiet"], check=True)


def simulate(hero, folder, last):
    sets = [word for setting in hero.settings for word in ("--set", setting)]
    if len(list((folder / "frames").glob("*"))) > last:
        return
    again = ["--resume"] if (folder / "manifest.json").exists() else []
    mote("run", ROOT / "scenes" / hero.scene, "-o", folder, "--frames", last, "--no-pictures", *sets, *again)


def draw(hero, folder, output, frames, size, paths):
    mote("render", folder, "-o", output, "--frames", frames, "--size", size, "--samples", paths, *hero.options, "--force")


def make_picture(name, options):
    hero, folder, start = HEROES[name], options.out / name, time.monotonic()
    paths = hero.paths if options.paths is None else min(hero.paths, options.paths)
    simulate(hero, folder, hero.frame)
    draw(hero, folder, options.into / f"hero-{name}.png", hero.frame, options.size, paths)
    print(f"{name:10} {time.monotonic() - start:5.0f} s", flush=True)


def join(clips, film):
    """One after the other, all at 30 frames a second: what was simulated at more is slow motion."""
    fade, parts, words = 10, [], []
    for n, (clip, frames) in enumerate(clips):
        words += ["-i", clip]
        parts.append(f"[{n}:v]setpts=N/30/TB,fps=30,fade=in:0:{fade},fade=out:{frames - fade}:{fade},format=yuv420p[v{n}]")
    joined = "".join(f"[v{n}]" for n in range(len(clips))) + f"concat=n={len(clips)}[film]"
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", *words, "-filter_complex", ";".join(parts + [joined]),
                    "-map", "[film]", "-r", "30", "-c:v", "libx264", "-crf", "20", film], check=True)


def make_film(names, options):
    clips = []
    for name in names:
        hero, folder = HEROES[name], options.out / name
        paths = min(hero.paths, 8 if options.paths is None else options.paths)
        first, last = hero.film
        clip = options.out / f"{name}-{options.size}-{paths}.mp4"
        if not clip.exists():
            simulate(hero, folder, last)
            part = clip.with_name("part-" + clip.name)
            draw(hero, folder, part, f"{first}:{last}", options.size, paths)
            part.rename(clip)
        clips.append((clip, last - first + 1))
        print(f"{name:10} {last - first + 1} frames", flush=True)
    join(clips, options.film)


def main():
    read = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    read.add_argument("names", nargs="*", help=", ".join(HEROES))
    read.add_argument("--film", help="make this file instead of pictures")
    read.add_argument("--size", default="1280x720")
    read.add_argument("--paths", type=int, help="at most so many paths of each pixel")
    read.add_argument("--out", type=pathlib.Path, default=ROOT / "out" / "heroes")
    read.add_argument("--into", type=pathlib.Path, default=PICTURES, help="where pictures go")
    options = read.parse_args()
    unknown = set(options.names) - set(HEROES)
    if unknown:
        sys.exit(f"heroes.py: there is no hero {', '.join(sorted(unknown))}; there are {', '.join(HEROES)}")
    options.out.mkdir(parents=True, exist_ok=True)
    if options.film:
        make_film([name for name in FILM if not options.names or name in options.names], options)
    for name in [] if options.film else options.names or HEROES:
        make_picture(name, options)


main()

"""Smoke and fire as volumes: the program writes them as VDB files, Blender shows the sequence."""
import os
import subprocess

import bpy

from . import materials


def smoky(frame):
    """Systems that show what a fluid carries; vortons, which move it, are not looked at."""
    return [name for name, columns in frame.systems.items()
            if "smoke" in columns and "strength" not in columns]


def wanted(names, frame):
    """What the importer was told: names, nothing, or "none"."""
    if names.strip() == "none":
        return []
    return names.split() or smoky(frame)


def write_files(program, folder, name):
    """Files of all frames, z up; their folder. ValueError with the program's words."""
    place = os.path.join(folder, "volumes")
    words = [program, "export", folder, "--to", "vdb", "--up", "z", "--part", name, "-o", place, "--quiet"]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError as failure:
        raise ValueError("%s: %s" % (program, failure.strerror)) from failure
    if done.returncode != 0:
        raise ValueError(done.stdout.strip())
    return place


def add_volume(program, run, name, collection, start):
    place = write_files(program, run.folder, name)
    data = bpy.data.volumes.new(name)
    data.filepath = os.path.join(place, "%s_%06d.vdb" % (name.replace("/", "_"), run.first))
    data.is_sequence = True
    data.frame_duration = run.last - run.first + 1
    data.frame_start = start
    data.frame_offset = run.first - 1  # Blender counts from 1
    data.materials.append(materials.smoke())
    thing = bpy.data.objects.new(name + " volume", data)
    collection.objects.link(thing)
    return thing


def add_volumes(program, names, run, collection, start):
    """Names of the systems that have a volume now, and a sentence when one could not be had."""
    made = []
    for name in wanted(names, run.frame(run.last)):
        try:
            add_volume(program, run, name, collection, start)
        except ValueError as failure:
            return made, "%s comes as particles: %s" % (name, failure)
        made.append(name)
    return made, ""

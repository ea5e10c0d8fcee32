"""Runs of mote in Blender: File > Import > mote run, choose the folder, render."""
bl_info = {
    "name": "mote",
    "author": "the authors of mote",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > mote run",
    "description": "Particles, liquids, smoke, cloth and bodies that mote has simulated",
    "category": "Import-Export",
}

import os
import re
import subprocess

import bpy
from bpy.app.handlers import persistent
from bpy.props import (BoolProperty, CollectionProperty, FloatProperty, IntProperty,
                       StringProperty)

from . import objects


class MOTE_OT_import(bpy.types.Operator):
    """Open the folder of a run as objects that move"""

    bl_idname = "mote.import_run"
    bl_label = "mote run"
    bl_options = {"REGISTER", "UNDO"}
    directory: StringProperty(subtype="DIR_PATH")
    start: IntProperty(name="First frame", default=1, description="Blender's frame of the run's first")
    volumes: StringProperty(name="Volumes", description="systems that come as volumes, with spaces between; "
                            "nothing: those with smoke; none: no system. The program makes the files")

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        folder = os.path.normpath(bpy.path.abspath(self.directory))
        try:
            note, _ = objects.import_run(context, folder, self.start, self.volumes)
        except (OSError, ValueError, KeyError) as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        if note:
            self.report({"WARNING"}, note)
        return {"FINISHED"}


def numbers_of(text):
    """The params of a scene that are numbers, with their values."""
    found = re.search(r"\bparams:\s*\{([^}]*)\}", text)
    pairs = re.findall(r"(\w+)\s*:\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(?=,|$)", found[1].strip()) if found \
        else []
    return [(name, float(value)) for name, value in pairs]


def say(operator, words):
    """What the program prints; None when it fails, with its words as the operator's error."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError as failure:
        operator.report({"ERROR"}, str(failure))
        return None
    if done.returncode != 0:
        operator.report({"ERROR"}, done.stdout.strip())
        return None
    return done.stdout


class MOTE_OT_params(bpy.types.Operator):
    """Show the parameters of the scene, to be changed"""

    bl_idname = "mote.params"
    bl_label = "Show parameters"

    def execute(self, context):
        settings = context.scene.mote
        path = bpy.path.abspath(settings.scene)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                text = file.read()
        else:
            text = say(self, [settings.program, "scene", settings.scene])
        if text is None:
            return {"CANCELLED"}
        settings.params.clear()
        for name, value in numbers_of(text):
            param = settings.params.add()
            param.name, param.value = name, value
        return {"FINISHED"}


class MOTE_OT_run(bpy.types.Operator):
    """Run a scene of mote, and open what it has made"""

    bl_idname = "mote.run"
    bl_label = "Run"

    def execute(self, context):
        settings = context.scene.mote
        folder = bpy.path.abspath(settings.folder)
        words = [settings.program, "run", bpy.path.abspath(settings.scene), "-o", folder, "--no-pictures",
                 "--quiet"] + (["--force"] if settings.force else [])
        changed = ["%s=%g" % (param.name, param.value) for param in settings.params]
        for setting in changed + settings.settings.split():
            words += ["--set", setting]
        if say(self, words) is None:
            return {"CANCELLED"}
        return bpy.ops.mote.import_run(directory=folder)


class MoteParam(bpy.types.PropertyGroup):
    name: StringProperty()
    value: FloatProperty(precision=4)


class MoteSettings(bpy.types.PropertyGroup):
    program: StringProperty(name="Program", default="mote", description="mote, or its path")
    scene: StringProperty(name="Scene", default="dam-break", description="a name, or a file")
    settings: StringProperty(name="Settings", description="as of --set, with spaces: spacing=0.05 ...")
    params: CollectionProperty(type=MoteParam)
    folder: StringProperty(name="Folder", default="//mote", subtype="DIR_PATH")
    force: BoolProperty(name="Replace an earlier run", default=False)


class MOTE_PT_panel(bpy.types.Panel):
    bl_label = "mote"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"

    def draw(self, context):
        settings = context.scene.mote
        for name in ("program", "scene"):
            self.layout.prop(settings, name)
        self.layout.operator("mote.params")
        for param in settings.params:
            self.layout.prop(param, "value", text=param.name)
        for name in ("settings", "folder", "force"):
            self.layout.prop(settings, name)
        self.layout.operator("mote.run")
        self.layout.operator("mote.import_run", text="Open a run")


@persistent
def show_frame(scene, *others):
    objects.show_frame(scene)


def menu(self, context):
    self.layout.operator(MOTE_OT_import.bl_idname, text="mote run (folder)")


CLASSES = (MoteParam, MoteSettings, MOTE_OT_import, MOTE_OT_params, MOTE_OT_run, MOTE_PT_panel)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.mote = bpy.props.PointerProperty(type=MoteSettings)
    bpy.types.TOPBAR_MT_file_import.append(menu)
    bpy.app.handlers.frame_change_pre.append(show_frame)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(show_frame)
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    del bpy.types.Scene.mote
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)

"""Runs of mote in Blender: File > Import > mote run, choose the folder, render."""
bl_info = {
    "name": "mote",
    "author": "the authors of mote",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import > mote run",
    "description": "Particles, liquids, cloth and bodies that mote has simulated",
    "category": "Import-Export",
}

import os
import subprocess

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, IntProperty, StringProperty

from . import objects


class MOTE_OT_import(bpy.types.Operator):
    """Open the folder of a run as objects that move"""

    bl_idname = "mote.import_run"
    bl_label = "mote run"
    bl_options = {"REGISTER", "UNDO"}
    directory: StringProperty(subtype="DIR_PATH")
    start: IntProperty(name="First frame", default=1, description="Blender's frame of the run's first")

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        folder = os.path.normpath(bpy.path.abspath(self.directory))
        try:
            objects.import_run(context, folder, self.start)
        except (OSError, ValueError, KeyError) as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
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
        for setting in settings.settings.split():
            words += ["--set", setting]
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        except OSError as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        if done.returncode != 0:
            self.report({"ERROR"}, done.stdout.strip())
            return {"CANCELLED"}
        return bpy.ops.mote.import_run(directory=folder)


class MoteSettings(bpy.types.PropertyGroup):
    program: StringProperty(name="Program", default="mote", description="mote, or its path")
    scene: StringProperty(name="Scene", default="dam-break", description="a name, or a file")
    settings: StringProperty(name="Settings", description="as of --set, with spaces: spacing=0.05 ...")
    folder: StringProperty(name="Folder", default="//mote", subtype="DIR_PATH")
    force: BoolProperty(name="Replace an earlier run", default=False)


class MOTE_PT_panel(bpy.types.Panel):
    bl_label = "mote"
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"

    def draw(self, context):
        for name in ("program", "scene", "settings", "folder", "force"):
            self.layout.prop(context.scene.mote, name)
        self.layout.operator("mote.run")
        self.layout.operator("mote.import_run", text="Open a run")


@persistent
def show_frame(scene, *others):
    objects.show_frame(scene)


def menu(self, context):
    self.layout.operator(MOTE_OT_import.bl_idname, text="mote run (folder)")


CLASSES = (MoteSettings, MOTE_OT_import, MOTE_OT_run, MOTE_PT_panel)


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

"""Runs of mote in Blender: File > Import > mote run, choose the folder, render."""
bl_info = {
    "name": "mote",
    "author": "the authors of mote",
    "version": (0, 2, 1),
    "blender": (3, 4, 0),
    "location": "File > Import > mote run",
    "description": "Particles, liquids, smoke, cloth and bodies that mote has simulated",
    "category": "Import-Export",
}

import os

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, IntProperty, StringProperty

from . import objects, running


class MOTE_OT_import(bpy.types.Operator):
    """Open the folder of a run as objects that move"""

    bl_idname = "mote.import_run"
    bl_label = "mote run"
    bl_options = {"REGISTER", "UNDO"}
    directory: StringProperty(subtype="DIR_PATH")
    start: IntProperty(name="First frame", default=1, description="Blender's frame of the run's first")
    volumes: StringProperty(name="Volumes", description="systems that come as volumes, with spaces between; "
                            "nothing: those with smoke; none: no system. The program makes the files")
    stage: BoolProperty(name="Camera and light", default=True, description="of the run's scene, and Cycles, "
                        "which blurs what moves; Blender's own cube and lamp are hidden")

    def invoke(self, context, event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        folder = os.path.normpath(bpy.path.abspath(self.directory))
        try:
            note, _ = objects.import_run(context, folder, self.start, self.volumes, self.stage)
        except (OSError, ValueError, KeyError) as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        if note:
            self.report({"WARNING"}, note)
        return {"FINISHED"}


@persistent
def show_frame(scene, *others):
    objects.show_frame(scene)


def menu(self, context):
    self.layout.operator(MOTE_OT_import.bl_idname, text="mote run (folder)")


CLASSES = (MOTE_OT_import,) + running.CLASSES


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.mote = bpy.props.PointerProperty(type=running.MoteSettings)
    bpy.types.TOPBAR_MT_file_import.append(menu)
    bpy.app.handlers.frame_change_pre.append(show_frame)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(show_frame)
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    del bpy.types.Scene.mote
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)

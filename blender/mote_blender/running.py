"""mote from the panel: a scene's parameters as sliders, a run that goes on while Blender can be used."""
import os
import subprocess
import tempfile

import bpy
from bpy.props import BoolProperty, StringProperty

from . import scene_file

PREFIX = "param "  # of the sliders among the settings' own properties


def say(operator, words):
    """What the program prints; None when it fails, with its words as the operator's error."""
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as failure:
        operator.report({"ERROR"}, str(failure))
        return None
    if done.returncode != 0:
        operator.report({"ERROR"}, (done.stderr + done.stdout).strip())
        return None
    return done.stdout


def params_of(settings):
    """The sliders: [(name, value)]."""
    return [(key[len(PREFIX):], settings[key]) for key in settings.keys() if key.startswith(PREFIX)]


def add_slider(settings, name, value):
    """From a quarter of the scene's value to four times as much; other numbers can be typed."""
    key = PREFIX + name
    settings[key] = value
    ends = sorted((value / 4, value * 4)) if value != 0 else (-1.0, 1.0)
    settings.id_properties_ui(key).update(soft_min=ends[0], soft_max=ends[1], default=value, precision=4,
                                          description="%s; the scene says %g" % (name, value))


def scene_words(settings):
    """A name of a scene, or the path of a file."""
    path = bpy.path.abspath(settings.scene)
    return path if os.path.isfile(path) else settings.scene


class MOTE_OT_params(bpy.types.Operator):
    """Show the parameters of the scene, to be changed"""

    bl_idname = "mote.params"
    bl_label = "Show parameters"

    def execute(self, context):
        settings = context.scene.mote
        text = say(self, [settings.program, "scene", "print", scene_words(settings)])
        if text is None:
            return {"CANCELLED"}
        for name, _ in params_of(settings):
            del settings[PREFIX + name]
        for name, value in scene_file.params(scene_file.parse(text)):
            add_slider(settings, name, value)
        return {"FINISHED"}


def run_words(settings):
    words = [settings.program, "run", scene_words(settings), "-o", bpy.path.abspath(settings.folder),
             "--no-pictures", "--quiet"] + (["--force"] if settings.force else [])
    for setting in ["%s=%.9g" % param for param in params_of(settings)] + settings.settings.split():
        words += ["--set", setting]
    return words


class MOTE_OT_run(bpy.types.Operator):
    """Run a scene of mote, and open what it has made. Escape stops it"""

    bl_idname = "mote.run"
    bl_label = "Run"
    process = None

    def execute(self, context):
        """Waits for it: for scripts."""
        if say(self, run_words(context.scene.mote)) is None:
            return {"CANCELLED"}
        return self.open(context)

    def open(self, context):
        return bpy.ops.mote.import_run(directory=bpy.path.abspath(context.scene.mote.folder))

    def invoke(self, context, event):
        self.output = tempfile.TemporaryFile("w+")
        try:
            self.process = subprocess.Popen(run_words(context.scene.mote), stdout=self.output, stderr=self.output)
        except OSError as failure:
            self.report({"ERROR"}, str(failure))
            return {"CANCELLED"}
        self.timer = context.window_manager.event_timer_add(0.5, window=context.window)
        context.window_manager.modal_handler_add(self)
        context.workspace.status_text_set("mote runs; Escape stops it")
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.process.terminate()  # the frames so far are kept, and can be resumed
            self.process.wait()
            return self.end(context, "stopped")
        if event.type != "TIMER" or self.process.poll() is None:
            return {"PASS_THROUGH"}
        self.output.seek(0)
        return self.end(context, "" if self.process.returncode == 0 else self.output.read().strip() or "mote failed")

    def end(self, context, failure):
        context.window_manager.event_timer_remove(self.timer)
        context.workspace.status_text_set(None)
        self.output.close()
        if failure:
            self.report({"ERROR"}, failure)
            return {"CANCELLED"}
        return self.open(context)


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
        settings = context.scene.mote
        for name in ("program", "scene"):
            self.layout.prop(settings, name)
        self.layout.operator("mote.params")
        for name, _ in params_of(settings):
            self.layout.prop(settings, '["%s%s"]' % (PREFIX, name), text=name, slider=True)
        for name in ("settings", "folder", "force"):
            self.layout.prop(settings, name)
        self.layout.operator("mote.run")
        self.layout.operator("mote.import_run", text="Open a run")


CLASSES = (MoteSettings, MOTE_OT_params, MOTE_OT_run, MOTE_PT_panel)

"""mote: particle physics for graphics.

    import mote
    world = mote.World("dam-break", spacing=0.05)
    for frame in world.run(10):
        print(frame.time, frame["water"].position.mean(axis=0))
    world.render()

Scenes are those of the program: by name, from files, or as dicts that mote.Scene makes of the rows
in mote.forces, mote.shapes, ... (`help(mote.forces.drag)`).
"""
from . import diagram, tables
from ._arrays import Array
from ._errors import (BadValue, Cancelled, Closed, Diverged, Error, FileFailed, NoMemory, Stale,
                      Unavailable)
from ._headers import VERSION as __version__
from ._frame import Frame, Particles
from ._picture import Picture
from ._runs import Run, open, run
from ._scene import Scene, scenes
from ._world import World

__all__ = ["Array", "BadValue", "Cancelled", "Closed", "Diverged", "Error", "FileFailed", "Frame", "NoMemory",
           "Particles", "Picture", "Run", "Scene", "Stale", "Unavailable", "World", "__version__", "diagram",
           "open", "run", "scenes", "tables"]

try:
    from . import rows  # made from the tables when the package is built
    from .rows import *  # noqa: F401,F403
    __all__ += rows.__all__
except ImportError:  # while the tables are being read to make it
    pass

"""What the tests of the Python package share. Without NumPy they are skipped: status 77."""
import os
import subprocess
import sys
import unittest

try:
    import numpy  # noqa: F401
except ImportError:
    print("skipped: %s has no NumPy (Debian: python3-numpy)" % sys.executable)
    sys.exit(77)

PROGRAM = os.environ["MOTE"]

# A cloud of points that flies apart from the origin and falls.
CLOUD = {
    "world": {"duration": 2, "fps": 20, "max_step": 0.01},
    "systems": [{"name": "dust"}],
    "emitters": [{"system": "dust", "from": {"type": "sphere", "radius": 0.5}, "at": [0, 3, 0],
                  "burst": 300, "rate": 0, "velocity": [0, 1, 0], "spread": 1}],
    "colliders": [{"name": "ground", "shape": {"type": "plane"}}],
    "probes": [{"name": "sum", "type": "total", "system": "dust"}],
    "render": {"width": 64, "height": 36},
    "output": {"frames": "none", "video": "none"},
}


def program(*words, status=0):
    """What the program says, standard output and error together."""
    done = subprocess.run([PROGRAM, *map(str, words)], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert (done.returncode == 0) == (status == 0), done.stdout
    return done.stdout


def main():
    unittest.main(verbosity=0)

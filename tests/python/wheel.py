"""The wheel in a fresh environment, as a user has it: wheel.py WHEEL-SCRIPT BUILD README

pip installs it, and the README's lines of Python run in a folder of their own."""
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

import support  # noqa: F401: skips without NumPy

SCRIPT, BUILD, README = sys.argv[1:4]
del sys.argv[1:4]

OUR_PIP = importlib.util.find_spec("pip") is not None
if not OUR_PIP and importlib.util.find_spec("ensurepip") is None:
    print("skipped: %s has no pip (Debian: python3-venv or python3-pip)" % sys.executable)
    sys.exit(77)


def said(*words, **how):
    clean = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env=clean, **how)
    assert done.returncode == 0, done.stdout
    return done.stdout


def environment(place):
    """A fresh one; how pip is called for it comes back. Ours is quicker than to make another."""
    venv.create(place, system_site_packages=True, with_pip=not OUR_PIP)
    python = os.path.join(place, "bin", "python")
    return python, [sys.executable, "-m", "pip", "--python", python] if OUR_PIP else \
        [python, "-m", "pip"]


class Wheel(unittest.TestCase):
    def test_fresh_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            wheel = said(sys.executable, SCRIPT, BUILD, folder).split()[-1]
            with zipfile.ZipFile(wheel) as archive:
                self.assertIsNone(archive.testzip())
            place = os.path.join(folder, "fresh")
            python, pip = environment(place)
            said(*pip, "install", "--no-index", "--no-deps", "--quiet", wheel)
            self.assertIn(place, said(python, "-c", "import mote; print(mote.__file__)",
                                      cwd=folder))
            with open(README) as file:
                (lines,) = re.findall(r"```python\n(.*?)```", file.read(), re.S)
            self.assertEqual(len(lines.strip().splitlines()), 5)
            said(python, "-c", lines, cwd=folder)
            self.assertTrue(os.path.getsize(os.path.join(folder, "dam.png")) > 1000)
            shown = said(*pip, "show", "-f", "mote")
            self.assertIn("mote/libmote.so", shown)
            self.assertIn("mote/scenes/dam-break.json5", shown)
            said(*pip, "uninstall", "--yes", "--quiet", "mote")


if __name__ == "__main__":
    support.main()

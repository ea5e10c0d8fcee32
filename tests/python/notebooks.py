"""The notebooks run from their first cell to their last, and show what they end with.

Cells are executed here one after the other, without Jupyter; where nbclient and a kernel are
installed, each notebook goes through them too."""
import ast
import importlib.util
import json
import os
import sys
import time
import unittest
from pathlib import Path

import support

FOLDER = Path(sys.argv.pop(1)).resolve()
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))
JUPYTER = all(importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel"))


def code_cells(path):
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"])


def execute(text, names):
    """The value of a last expression, as a notebook shows it."""
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None


class Notebooks(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(FOLDER)

    def shown(self, name):
        names, found = {"print": lambda *words: None}, 0
        begin = time.monotonic()
        for text in code_cells(FOLDER / (name + ".ipynb")):
            value = execute(text, names)
            if hasattr(value, "_repr_png_"):
                self.assertTrue(value._repr_png_().startswith(b"\x89PNG"))
                found += 1
            elif hasattr(value, "_repr_svg_"):
                self.assertIn("</svg>", value._repr_svg_())
                found += 1
        print("%s: %d pictures in %.1f s" % (name, found, time.monotonic() - begin))
        return found

    def test_there_are_three(self):
        self.assertEqual(NAMES, ["integrators", "liquid", "smoke"])

    def test_no_outputs_are_kept(self):
        for name in NAMES:
            for cell in json.loads((FOLDER / (name + ".ipynb")).read_text())["cells"]:
                self.assertFalse(cell.get("outputs"), name)

    def test_integrators(self):
        self.assertGreaterEqual(self.shown("integrators"), 2)

    def test_liquid(self):
        self.assertGreaterEqual(self.shown("liquid"), 3)

    def test_smoke(self):
        self.assertGreaterEqual(self.shown("smoke"), 3)

    def test_jupyter(self):
        if not JUPYTER or not os.environ.get("MOTE_LONG"):
            self.skipTest("MOTE_LONG and python3-nbclient with python3-ipykernel run them in Jupyter")
        import nbclient
        import nbformat
        for name in NAMES:
            notebook = nbformat.read(FOLDER / (name + ".ipynb"), as_version=4)
            nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()


if __name__ == "__main__":
    support.main()

"""Folders of runs: frames as arrays, probes, pictures."""
import csv
import os
import tempfile
import unittest

import mote
import numpy
from support import CLOUD, main, program

LIQUID = {
    "world": {"duration": 0.2, "fps": 20},
    "systems": [{"name": "water", "solver": {"type": "sph", "spacing": 0.1}, "surface": {}}],
    "emitters": [{"system": "water", "from": {"type": "fill", "spacing": 0.1, "shape": {
        "type": "box", "size": [0.6, 0.6, 0.6]}}, "at": [0, 0.4, 0]}],
    "colliders": [{"name": "floor", "shape": {"type": "plane"}}],
    "output": {"frames": "none", "video": "none"}, "render": {"width": 64, "height": 36},
}


class Runs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = os.path.join(cls.place.name, "run")
        cls.run_ = mote.run(CLOUD, cls.folder, frames=6)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def test_frames_are_dicts_of_arrays(self):
        run = self.run_
        self.assertEqual((len(run), run[-1].index, [f.index for f in run[1:3]]), (7, 6, [1, 2]))
        frame = run[4]
        with numpy.load(run.files[4]) as file:
            for name, array in frame["dust"].items():
                self.assertTrue((array == file["dust/" + name]).all(), name)
                self.assertEqual(array.dtype, file["dust/" + name].dtype)
        plain = frame.dict()["dust"]
        self.assertIs(type(plain["position"]), numpy.ndarray)
        self.assertEqual(frame["dust"].units()["velocity"], "m/s")
        self.assertEqual(frame.shapes()["ground"]["type"], "plane")

    def test_frames_own_their_memory(self):
        array = mote.open(self.folder)[2]["dust"].position
        self.assertEqual(array.shape, (300, 3))
        self.assertTrue(numpy.isfinite(array).all())

    def test_probes(self):
        table = self.run_.probe("sum")
        path = next(os.path.join(root, name) for root, _, names in os.walk(self.folder)
                    for name in names if "sum" in name and name.endswith(".csv"))
        with open(path) as file:
            rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
        self.assertEqual(len(table["time"]), len(rows) - 1)
        kinetic = [name for name in table if "kinetic" in name][0]
        column = [i for i, name in enumerate(rows[0]) if "kinetic" in name][0]
        self.assertTrue(numpy.allclose(table[kinetic], [float(r[column]) for r in rows[1:]]))
        self.assertEqual(table.units["time"], "s")
        world = mote.World(CLOUD)
        for _ in world.run(6):
            pass
        live = world.probes["sum"]  # the file has nine digits
        for name in table:
            self.assertTrue(numpy.allclose(live[name], table[name], rtol=1e-8, atol=1e-9,
                                           equal_nan=True), name)

    def test_pictures_of_the_program(self):
        path = os.path.join(self.place.name, "shot.png")
        program("render", self.folder, "-o", path, "--frames", 3)
        with open(path, "rb") as file:
            self.assertEqual(self.run_[3].render().png, file.read())
        world = mote.World(CLOUD)
        for frame in world.run(3):
            pass
        live = frame.render()
        self.assertEqual(live.pixels.shape, (36, 64, 4))
        with open(path, "rb") as file:
            self.assertEqual(live.png, file.read())

    def test_refusals(self):
        with self.assertRaisesRegex(mote.FileFailed, "no run"):
            mote.open(self.place.name)
        with self.assertRaises(mote.Error):
            mote.run(CLOUD, self.folder, frames=6)
        with self.assertRaises(mote.Error):
            self.run_.probe("nothing")
        with self.assertRaises(IndexError):
            self.run_[7]

    def test_surfaces(self):
        run = mote.run(LIQUID, os.path.join(self.place.name, "water"), frames=2)
        (mesh,) = run[-1].surfaces().values()
        self.assertGreater(len(mesh["triangles"]), 100)
        self.assertLess(mesh["triangles"].max(), len(mesh["vertices"]))
        lengths = numpy.linalg.norm(mesh["normals"], axis=1)
        self.assertTrue(numpy.allclose(lengths, 1, atol=1e-3))

    def test_diagrams(self):
        from mote import diagram
        svg = self.run_[3].plot(color="velocity").svg
        self.assertEqual(svg.count("<circle"), 300)
        table = self.run_.probe("sum")
        self.assertIn("<polyline", diagram.lines({"a": (table["time"], table["time"] + 1)},
                                                 log="y").svg)


if __name__ == "__main__":
    main()

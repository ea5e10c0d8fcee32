"""Worlds give the bits of the program, from any number of threads, and fail with its sentences."""
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import mote
from support import CLOUD, main, program

FORCED = dict(CLOUD, world=dict(CLOUD["world"], gravity=[0, 0, 0]))


class Steps(unittest.TestCase):
    def test_bits_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cloud.json5")
            with open(path, "w") as file:
                file.write(mote.Scene(**CLOUD).text())
            program("run", path, "-o", folder + "/run", "--no-pictures", "--frames", 5)
            run = mote.open(folder + "/run")
            world = mote.World(path)
            hashes = [world.hash()] + [frame.hash() for frame in world.run(5)]
            self.assertEqual(hashes, [frame.hash() for frame in run])
            self.assertEqual(len(set(hashes)), 6)

    def test_threads(self):
        one, three = (mote.World(CLOUD, threads=n) for n in (1, 3))
        for a, b in zip(one.run(5), three.run(5)):
            self.assertEqual(a.hash(), b.hash())

    def test_scene_by_name(self):
        world = mote.World("dam-break", spacing=0.1)
        frames = [frame.copy() for frame in world.run(2)]
        self.assertEqual([f.index for f in frames], [1, 2])
        self.assertGreater(frames[1]["water"].count, 500)
        self.assertNotEqual(frames[0].hash(), frames[1].hash())
        self.assertEqual(mote.scenes(), sorted(
            row["name"] for row in json.loads(program("list", "scenes", "--json"))["scenes"]))

    def test_free_fall(self):
        world = mote.World(dict(CLOUD, colliders=[], emitters=[]))
        world.add_rows("dust", 3, position=[[0, 0, 0], [1, 0, 0], [2, 0, 0]], velocity=[0, 2, 0])
        world.advance(0.5)
        y = world.frame["dust"].position[:, 1]
        for value in y:  # symplectic Euler lags by g t dt / 2
            self.assertAlmostEqual(value, 2 * 0.5 - 9.81 * 0.125, delta=9.81 * 0.5 * 0.01)

    def test_rows_of_tables(self):
        world = mote.World(FORCED)
        world.add_field("wind", "uniform", value=[3, 0, 0])
        world.add_force("drag", name="air", linear=5.0, wind="wind")
        for _ in world.run(30):
            pass
        self.assertAlmostEqual(world.frame["dust"].velocity[:, 0].mean(), 3, delta=0.01)
        self.assertIn("air", world.names("force"))
        world.remove("force", "air")
        self.assertNotIn("air", world.names("force"))

    def test_a_field_of_python(self):
        world = mote.World(FORCED)
        world.add_field("wind", lambda x, t: x * 0 + [0, 0, 2 + t])
        world.add_force("drag", linear=50.0, wind="wind")
        for _ in world.run(20):
            pass
        self.assertAlmostEqual(world.frame["dust"].velocity[:, 2].mean(), 3, delta=0.05)
        found = world.sample("wind", [[0, 0, 0], [1, 2, 3]], time=5)
        self.assertEqual(found.tolist(), [[0, 0, 7], [0, 0, 7]])

    def test_double(self):
        try:
            world = mote.World(CLOUD, precision="double")
        except ImportError as failure:
            self.skipTest(str(failure))
        world.step()
        self.assertEqual(world.frame["dust"].position.dtype.itemsize, 8)

    def test_double_is_another_library(self):
        self.assertEqual(mote.World(CLOUD).frame["dust"].position.dtype.itemsize, 4)


class Sentences(unittest.TestCase):
    def said(self, scene, *words):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.json5")
            with open(path, "w") as file:
                file.write(mote.Scene(**scene).text())
            return path, program("run", path, "-o", folder + "/run", *words, status=1)

    def test_a_bad_scene(self):
        bad = dict(CLOUD, forces=[mote.forces.drag(linear=-1)])
        with self.assertRaises(mote.BadValue) as caught:
            mote.World(bad)
        message = str(caught.exception)
        self.assertIn("linear", message)
        path, said = self.said(bad)
        self.assertIn(message.splitlines()[0].partition("error: ")[2], said)

    def test_a_bad_setting(self):
        with self.assertRaises(mote.BadValue) as caught:
            mote.World("dam-break", spacin=0.1)
        self.assertIn("did you mean `spacing`?", str(caught.exception))

    def test_an_unknown_scene(self):
        with self.assertRaisesRegex(mote.BadValue, "did you mean `dam-break`"):
            mote.World("dam-brake")

    def test_a_world_that_diverges(self):
        bad = dict(CLOUD, world=dict(CLOUD["world"], max_step=0.05),
                   forces=[mote.forces.drag(linear=1e4)],
                   systems=[mote.system(name="dust", solver=mote.solvers.points(integrator="euler"))])
        world = mote.World(bad)
        with self.assertRaises(mote.Diverged) as caught:
            for _ in world.run(40):
                pass
        self.assertIn(str(caught.exception), self.said(bad, "--no-pictures")[1].replace("\n", " "))
        with self.assertRaisesRegex(mote.Error, "stopped before"):
            world.step()
        self.assertEqual(world.frame["dust"].count, 300)  # for looking at

    def test_ctrl_c_between_sub_steps(self):
        world = mote.World(dict(CLOUD, world=dict(CLOUD["world"], fps=1, max_step=0.001)))
        world.add_force(lambda x, v, m, t: time.sleep(0.01) or x * 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            world.step()  # 1000 sub-steps, ten seconds and more
        self.assertLess(time.monotonic() - begin, 5)
        self.assertTrue(0 < world.time < 1)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)


class WithoutNumPy(unittest.TestCase):
    def test_all_but_arrays(self):
        text = ("import sys; sys.modules['numpy'] = None; import mote\n"
                "world = mote.World('first'); world.step(); world.render(width=32, height=18)\n"
                "try: world.frame['beads'].position\n"
                "except ImportError as failure: print(world.frame, failure)")
        said = subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True,
                              check=True).stdout
        self.assertIn("frame 1", said)
        self.assertIn("need NumPy", said)


class Layout(unittest.TestCase):
    def test_what_is_read(self):
        lib = mote._library.library()
        self.assertEqual(ctypes.sizeof(lib.structs["mote_Vec3"]), 12)
        self.assertEqual(lib.real_size(), 4)


if __name__ == "__main__":
    main()

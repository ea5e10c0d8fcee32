"""Nothing that Python hands over ends the interpreter: each mistake is an exception."""
import copy
import gc
import math
import os
import pickle
import threading
import time
import unittest

import mote
import numpy
from support import CLOUD, main


def dust():
    world = mote.World(CLOUD, threads=2)
    world.step()  # the burst is born
    return world


class Callbacks(unittest.TestCase):
    def force_fails(self, function, kind, text=""):
        world = dust()
        world.add_force(function)
        with self.assertRaisesRegex(kind, text):
            world.step()
        with self.assertRaisesRegex(mote.Error, "stopped before"):
            world.step()
        world.frame["dust"].position.sum()
        world.close()

    def test_raises(self):
        def force(x, v, m, t):
            raise RuntimeError("no")
        self.force_fails(force, RuntimeError, "no")

    def test_raises_what_ends_programs(self):
        def force(x, v, m, t):
            raise SystemExit(3)
        self.force_fails(force, SystemExit)

    def test_returns_nothing(self):
        self.force_fails(lambda x, v, m, t: None, TypeError, "returned None")

    def test_returns_a_wrong_shape(self):
        self.force_fails(lambda x, v, m, t: x[:, :2], ValueError, "shape")
        self.force_fails(lambda x, v, m, t: numpy.zeros((3, len(x), 3)), ValueError, "shape")

    def test_returns_a_wrong_type(self):
        self.force_fails(lambda x, v, m, t: x * 1j, TypeError, "complex")
        self.force_fails(lambda x, v, m, t: "up", TypeError, "real numbers")
        self.force_fails(lambda x, v, m, t: object(), TypeError, "object")

    def test_has_other_arguments(self):
        self.force_fails(lambda x: x, TypeError, "argument")

    def test_recurses(self):
        def force(x, v, m, t):
            return force(x, v, m, t)
        self.force_fails(force, RecursionError)

    def test_is_not_finite(self):
        self.force_fails(lambda x, v, m, t: x * math.nan, mote.Diverged, "finite")

    def test_writes_to_its_arguments(self):
        def force(x, v, m, t):
            m[:] = 0
        self.force_fails(force, ValueError, "read-only")

    def test_uses_its_world(self):
        for use in (lambda w: w.step(), lambda w: w.close(), lambda w: w.frame, lambda w: w["dust"],
                    lambda w: w.add_rows("dust", 1), lambda w: w.add_force("gravity"),
                    lambda w: w.remove("collider", "ground"), lambda w: w.render()):
            world = dust()
            world.add_force(lambda x, v, m, t, world=world, use=use: use(world))
            with self.assertRaisesRegex(mote.Error, "at work"):
                world.step()

    def test_keeps_its_arguments(self):
        kept = []
        world = dust()
        world.add_force(lambda x, v, m, t: kept.append(x.copy()) or x * 0)
        world.step()
        world.close()
        self.assertTrue(all(numpy.isfinite(x).all() for x in kept))

    def test_a_field_raises(self):
        world = dust()
        world.add_field("wind", lambda x, t: x[:, :1, None])
        world.add_force("drag", linear=1.0, wind="wind")
        with self.assertRaisesRegex(ValueError, "the field"):
            world.step()


class Values(unittest.TestCase):
    def test_columns(self):
        particles = dust()["dust"]
        for bad in ("a", [[1, 2]], numpy.zeros((7, 3)), object(), [1, 2, 3, 4], {}):
            with self.assertRaises((ValueError, TypeError)):
                particles.position = bad
        with self.assertRaises(AttributeError):
            particles.positon
        with self.assertRaises(KeyError):
            particles["positon"]

    def test_ids_and_groups(self):
        particles = dust()["dust"]
        with self.assertRaises((TypeError, ValueError)):
            particles.group[0] = "x"

    def test_rows(self):
        world = dust()
        for bad in (-1, 2 ** 62, "many", None, 1.5):
            with self.assertRaises((ValueError, TypeError, MemoryError, OverflowError)):
                world.add_rows("dust", bad)
        with self.assertRaises(KeyError):
            world.add_rows("rust", 1)
        with self.assertRaises(KeyError):
            world["rust"]
        world.step()

    def test_scenes(self):
        for bad in (3, [1], b"\xff", "", "a/b", {"systems": 3}, {"systems": [object()]},
                    {"world": {"fps": math.nan}}, {"emitters": [{"rate": "1 +"}]},
                    {"world": {"fps": 1e400}}, "/", {3: 4}, {"systems": [{"name": "\0"}]}):
            with self.assertRaises((mote.Error, TypeError, ValueError)):
                mote.World(bad)
        with self.assertRaises(ValueError):
            mote.World(CLOUD, precision="half")
        for threads in (-3, 10 ** 9, "two"):
            with self.assertRaises((mote.Error, TypeError, ValueError, OverflowError)):
                mote.World(CLOUD, threads=threads).step()

    def test_forces(self):
        world = dust()
        for bad in (dict(linear=-1.0), dict(linear="much"), dict(linear=None), dict(speed=3),
                    dict(wind="nowhere"), dict(linear=[1]), dict(linear=math.nan)):
            with self.assertRaises((mote.Error, TypeError, ValueError)):
                world.add_force("drag", **bad)
        with self.assertRaises(mote.BadValue):
            world.add_force("gravity", acceleration=[1, 2])
        with self.assertRaises(mote.BadValue):
            world.add_force("pull")
        with self.assertRaises(mote.Error):
            world.add_force("callback")
        with self.assertRaises(mote.Error):
            world.add_force(lambda x, v, m, t: x, systems=["rust"])
        with self.assertRaises(ValueError):
            world.remove("thing", "x")
        with self.assertRaises(mote.Error):
            world.remove("force", "x")
        world.step()

    def test_times_and_points(self):
        world = dust()
        for bad in (-1, math.nan, math.inf):
            with self.assertRaises(mote.BadValue):
                world.advance(bad)
        with self.assertRaises((TypeError, ValueError)):
            world.advance("now")
        for field, points in (("wind", [[0, 0, 0]]), ("wind", [1, 2]), ("wind", "x")):
            with self.assertRaises((mote.Error, ValueError)):
                world.sample(field, points)
        for name in ("ball", "", 3, None):
            with self.assertRaises(mote.Error):
                world.body(name)
            with self.assertRaises(mote.Error):
                world.load(name)

    def test_pictures(self):
        world = dust()
        for size in ((-1, 5), (10 ** 6, 5)):
            with self.assertRaises((mote.Error, ValueError)):
                world.render(width=size[0], height=size[1])
        with self.assertRaises((TypeError, ValueError)):
            world.render(width="wide")

    def test_folders(self):
        for bad in ("/nowhere", "", __file__, 3):
            with self.assertRaises((mote.Error, TypeError)):
                mote.open(bad)


class Ends(unittest.TestCase):
    def test_a_closed_world(self):
        world = dust()
        world.close()
        world.close()
        for use in (world.step, lambda: world.frame, lambda: world["dust"], lambda: world.time,
                    lambda: world.add_rows("dust", 1), lambda: world.add_force("gravity"),
                    lambda: world.render(), lambda: world.names("system"), lambda: world.hash(),
                    lambda: world.body("x"), lambda: world.scene_info(), lambda: world.probes,
                    lambda: next(world.run(1)), lambda: world.sample("x", [[0, 0, 0]])):
            with self.assertRaises(mote.Closed):
                use()
        self.assertIn("closed", repr(world))

    def test_two_threads(self):
        world, failures = dust(), []
        world.add_force(lambda x, v, m, t: x * 0)

        def work():
            for _ in range(20):
                try:
                    world.step()
                    world.frame["dust"].position.sum()
                except (mote.Error, mote.Stale) as failure:
                    failures.append(str(failure))
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all("at work" in f or "moved" in f for f in failures))

    def test_fork(self):
        world = dust()
        world.step()
        child = os.fork()
        if child == 0:
            try:
                world.step()
            except mote.Error:
                os._exit(0)
            os._exit(1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_fork_that_ends_worlds(self):
        """A child has no threads to wait for: it ends, and so do its copies of worlds."""
        world = dust()
        world.step()
        child = os.fork()
        if child == 0:
            del world
            gc.collect()
            os._exit(0)
        for _ in range(1000):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            time.sleep(0.01)
        else:
            os.kill(child, 9)
            os.waitpid(child, 0)
            self.fail("the child hangs")
        self.assertEqual(status, 0)

    def test_no_second_owners(self):
        world = dust()
        for thing in (world, world.frame, world.frame["dust"], world["dust"]):
            for use in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, "neither pickled nor copied"):
                    use(thing)
        self.assertEqual(pickle.loads(pickle.dumps(world.frame["dust"].position)).shape, (300, 3))

    def test_cycles(self):
        for _ in range(20):
            world = dust()
            world.add_force(lambda x, v, m, t, world=world: x * 0)
            world.held = world.frame["dust"].position
            world.step()
        del world
        gc.collect()


if __name__ == "__main__":
    main()

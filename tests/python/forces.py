"""A force of Python has the bits of the same force in C: forces.py PRECISION PROGRAM"""
import os
import subprocess
import sys
import tempfile
import unittest

import mote
import numpy
from support import CLOUD, main

PRECISION, PROGRAM = sys.argv[1:3]
del sys.argv[1:3]


def bend(x, v, mass, t):
    """As in force.c; numbers of Python take the precision of the arrays."""
    real = x.dtype.type
    strength, pull = real(4), real(1 + t)
    a = numpy.empty_like(x)
    a[:, 0] = strength * v[:, 1] / mass - pull * x[:, 0]
    a[:, 1] = -(strength * v[:, 0]) / mass
    a[:, 2] = -(pull * x[:, 2])
    return a


class Bits(unittest.TestCase):
    def same(self, scene, frames=10):
        """Of the forces in Python and in C; in float by blocks and all rows at once too. Blocks go
        to the end of a sub-step, all rows for its length: in double the last bit differs."""
        found = [self.hashes(scene, frames, blocks) for blocks in (True, False)]
        if PRECISION == "float":
            self.assertEqual(found[0], found[1])

    def hashes(self, scene, frames, blocks):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.json5")
            with open(path, "w") as file:
                file.write(mote.Scene(**scene).text())
            said = subprocess.run([PROGRAM, path, str(frames), "blocks" if blocks else "whole"],
                                  stdout=subprocess.PIPE, text=True,
                                  check=True).stdout.split()
            world = mote.World(path, precision=PRECISION)
            world.add_force(bend, blocks=blocks)
            hashes = ["%x" % frame.hash() for frame in world.run(frames)]
            self.assertEqual(hashes, said)
            self.assertEqual(len(set(hashes)), frames)
            return hashes

    def test_points(self):
        self.same(CLOUD)

    def test_stages(self):
        for integrator in ("leapfrog", "rk4", "abm4", "gear"):
            self.same(dict(CLOUD, systems=[mote.system(
                name="dust", solver=mote.solvers.points(integrator=integrator))]), 5)

    def test_births(self):
        emitter = dict(CLOUD["emitters"][0], rate=2000)
        self.same(dict(CLOUD, emitters=[emitter]), 5)


class Whole(unittest.TestCase):
    """Functions see all rows at once: particles that pull each other to their middle swing as one."""

    SCENE = dict(CLOUD, colliders=[], emitters=[], world=dict(fps=10, max_step=0.01, gravity=[0, 0, 0],
                                                              duration=10),
                 systems=[mote.system(name="dust", solver=mote.solvers.points(integrator="rk4"))])

    def swing(self, blocks):
        world = mote.World(self.SCENE, precision=PRECISION)
        random = numpy.random.default_rng(1)
        start = random.standard_normal((1000, 3))
        world.add_rows("dust", 1000, position=start + [5, 0, 0])
        counts = []

        def pull(x, v, mass, t):
            counts.append(len(x))
            return x.mean(axis=0) - x
        world.add_force(pull, blocks=blocks)
        for frame in world.run(10):
            pass
        middle = start.mean(axis=0) + [5, 0, 0]
        exact = middle + (start + [5, 0, 0] - middle) * numpy.cos(1.0)
        return abs(numpy.asarray(frame["dust"].position) - exact).max(), counts

    def test_all_rows(self):
        error, counts = self.swing(False)
        self.assertLess(error, 1e-5)
        self.assertEqual(counts, [1000] * 400)

    def test_blocks_see_less(self):
        error, counts = self.swing(True)
        self.assertGreater(error, 1e-2)
        self.assertLessEqual(max(counts), 128)

    def test_liquids_take_blocks(self):
        scene = mote.Scene(systems=[mote.system(name="water", solver=mote.solvers.sph(spacing=0.1))])
        world = mote.World(scene, precision=PRECISION)
        with self.assertRaisesRegex(mote.BadValue, "is for systems of solver points"):
            world.add_force(lambda x, v, m, t: x * 0)
        world.add_force(lambda x, v, m, t: x * 0, blocks=True)
        world.step()


if __name__ == "__main__":
    main()

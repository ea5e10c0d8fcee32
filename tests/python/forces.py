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


def pairs(x, v, mass, t):
    return (x.mean(axis=0) - x).astype(x.dtype)


class Bits(unittest.TestCase):
    def same(self, scene, frames=10, **how):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "scene.json5")
            with open(path, "w") as file:
                file.write(mote.Scene(**scene).text())
            said = subprocess.run([PROGRAM, path, str(frames)], stdout=subprocess.PIPE, text=True,
                                  check=True).stdout.split()
            world = mote.World(path, precision=PRECISION)
            world.add_force(bend, **how)
            hashes = ["%x" % frame.hash() for frame in world.run(frames)]
            self.assertEqual(hashes, said)
            self.assertEqual(len(set(hashes)), frames)

    def test_points(self):
        self.same(CLOUD)

    def test_stages(self):
        for integrator in ("rk4", "dormand-prince", "abm4"):
            self.same(dict(CLOUD, systems=[mote.system(
                name="dust", solver=mote.solvers.points(integrator=integrator))]), 5)

    def test_births(self):
        emitter = dict(CLOUD["emitters"][0], rate=2000)
        self.same(dict(CLOUD, emitters=[emitter]), 5)


if __name__ == "__main__":
    main()

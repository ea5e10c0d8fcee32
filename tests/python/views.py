"""Arrays share memory with the world, refuse when rows have moved, and never dangle."""
import copy
import gc
import pickle
import unittest

import mote
import numpy
from support import CLOUD, main


def dust():
    world = mote.World(CLOUD, threads=1)
    world.step()  # the burst is born
    return world


class Shared(unittest.TestCase):
    def test_same_memory(self):
        world = dust()
        mine, seen = world["dust"], world.frame["dust"]
        self.assertTrue(numpy.shares_memory(mine.position, seen.position))
        self.assertEqual(mine.position.ctypes.data, seen.position.ctypes.data)
        mine.position[7] = [1, 2, 3]
        self.assertEqual(seen.position[7].tolist(), [1, 2, 3])
        mine.velocity += 1
        self.assertEqual(seen.velocity.tolist(), mine.velocity.tolist())

    def test_no_copy_of_large_columns(self):
        world = mote.World(dict(CLOUD, emitters=[]))
        world.add_rows("dust", 500000)
        column = world.frame["dust"].position
        self.assertFalse(column.flags.owndata)
        self.assertEqual(column.shape, (500000, 3))

    def test_the_library_sees_what_is_written(self):
        world = mote.World(dict(CLOUD, emitters=[], world=dict(CLOUD["world"], gravity=[0, 0, 0])))
        world.add_rows("dust", 2, position=[[0, 1, 0], [0, 2, 0]])
        world["dust"].velocity = [[1, 0, 0], [2, 0, 0]]
        world.advance(0.5)
        self.assertTrue(numpy.allclose(world.frame["dust"].position[:, 0], [0.5, 1], atol=1e-6))

    def test_frames_are_for_looking(self):
        seen = dust().frame["dust"]
        with self.assertRaises(ValueError):
            seen.position[0] = 1
        with self.assertRaises(ValueError):
            seen.position += 1

    def test_results_are_plain(self):
        position = dust().frame["dust"].position
        for found in (position + 1, position.mean(axis=0), numpy.sqrt(numpy.abs(position)),
                      numpy.concatenate([position, position]), position.copy(),
                      copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
            self.assertIs(type(found), numpy.ndarray)


class Moved(unittest.TestCase):
    USES = (lambda a: a[0], lambda a: a + 1, lambda a: 1 - a, lambda a: a.sum(), lambda a: a.mean(),
            lambda a: numpy.sum(a), lambda a: numpy.concatenate([a, a]), lambda a: list(a),
            lambda a: a.copy(), lambda a: a.tolist(), lambda a: a[a[:, 0] > 0], lambda a: a.max(),
            lambda a: numpy.linalg.norm(a, axis=1), lambda a: a.astype(float), lambda a: a @ a.T,
            lambda a: a.__setitem__(0, 1), lambda a: numpy.dot(a, [1, 2, 3]), lambda a: a > 0)

    def refuses(self, array, frame):
        for use in self.USES:
            with self.assertRaisesRegex(mote.Stale, "rows have moved"):
                use(array)
        for use in (lambda: frame["dust"], lambda: frame.hash(), lambda: frame.copy(),
                    lambda: frame.shapes(), lambda: frame.render(), lambda: frame.plot()):
            with self.assertRaises(mote.Stale):
                use()
        self.assertIn("moved", repr(array))

    def test_after_a_step(self):
        world = dust()
        frame = world.frame
        array, part = frame["dust"].position, frame["dust"].position[2:5]
        world.step()
        self.refuses(array, frame)
        with self.assertRaises(mote.Stale):
            part.sum()

    def test_after_new_rows(self):
        world = dust()
        frame = world.frame
        array = frame["dust"].position
        world.add_rows("dust", 1)
        self.refuses(array, frame)

    def test_after_a_change_of_objects(self):
        world = dust()
        frame = world.frame
        array = frame["dust"].position
        world.add_force("gravity")
        self.refuses(array, frame)

    def test_after_the_end(self):
        world = dust()
        frame = world.frame
        array = frame["dust"].position
        world.close()
        self.refuses(array, frame)

    def test_copies_stay(self):
        world = dust()
        frame, array = world.frame.copy(), world.frame["dust"].position.copy()
        before = frame.hash()
        world.step()
        world.close()
        self.assertEqual(frame.hash(), before)
        self.assertTrue((frame["dust"].position == array).all())


class Lives(unittest.TestCase):
    def test_arrays_keep_the_world(self):
        array = dust().frame["dust"].position
        gc.collect()
        self.assertEqual(array.shape, (300, 3))
        self.assertTrue(numpy.isfinite(array).all())

    def test_plain_arrays_outlive_their_rows(self):
        """numpy.asarray gets around the refusal; what it looks at must still be there."""
        world = dust()
        held = []
        for count in (1, 1000, 100000, 1000000):
            held.append(numpy.asarray(world.frame["dust"].position))
            before = held[-1].copy()
            world.add_rows("dust", count)  # the columns move
            world.step()
            if count > 1000:
                self.assertFalse(numpy.shares_memory(held[-1], world.frame["dust"].position))
                self.assertTrue((held[-1] == before).all())
        world.close()
        del world
        gc.collect()
        self.assertTrue(all(numpy.isfinite(array).all() for array in held))

    def test_memory_comes_back(self):
        world = dust()
        for _ in range(3):
            array = numpy.asarray(world.frame["dust"].position)
            world.add_rows("dust", 100000)
        buffers = world._handle.memory._seen
        del array
        gc.collect()
        self.assertEqual(len(buffers), 0)

    def test_many_worlds(self):
        for _ in range(50):
            dust().step()
        gc.collect()


if __name__ == "__main__":
    main()

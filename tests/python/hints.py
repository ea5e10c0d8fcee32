"""Type hints: everything public has them, and mypy goes by them where it is there (Debian: mypy). A program that uses
the package as it should passes `mypy --strict`; each wrong line of another is found, and no line beside."""
import importlib.util
import inspect
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import mote
import mote.diagram
import mote.tables
from support import main

GOOD = """
import mote
from mote import diagram, tables

world = mote.World("first", settings={"world.fps": 60}, threads=1)
for frame in world.run(3):
    time: float = frame.time
    mean = frame["stars"].position.mean(axis=0)
    count: int = frame["stars"].count
png: bytes = world.render(width=64, height=36).png


def pull(x: mote.Array, v: mote.Array, mass: mote.Array, t: float) -> mote.Array:
    return -x


world.add_force(pull)
world.add_force("drag", linear=2.0, systems=["stars"])
scene = mote.Scene(systems=[mote.system(name="dust")], forces=[mote.forces.drag(linear="= 1 + t")])
run = mote.open("out/x")
last: mote.Frame = run[-1]
some: list[mote.Frame] = run[1:3]
units: dict[str, str] = run.probe("gauge").units
svg: str = diagram.lines({"a": ([1, 2], [3, 4])}, log="xy").svg
doc: str = tables.rows("forces")["drag"].params[0].doc
"""
BAD = """import mote
world = mote.World("first", thread=1, precision=2)
world.run("three")
world.add_force(lambda x: x)
mote.forces.drag(linear=[1])
frame: mote.Particles = world.frame
mote.open(3)
world.frame.plot(size=3)
world.render().pixels.nothing_there_of_that_name_in_numpy()
world.steps()
"""
WRONG = [2, 3, 4, 5, 6, 7, 8, 9, 10]  # lines of BAD


def public(owner):
    """Functions and methods, with their names."""
    for name, thing in vars(owner).items():
        if name.startswith("_") and name not in ("__init__", "__getitem__", "__enter__"):
            continue
        thing = thing.fget if isinstance(thing, property) else thing
        here = owner.__name__ if inspect.ismodule(owner) and owner is not mote else "mote"
        if inspect.isfunction(thing) and thing.__module__.startswith(here):
            yield "%s.%s" % (owner.__name__.split(".")[-1], name), thing


class Hints(unittest.TestCase):
    def owners(self):
        found = [thing for thing in vars(mote).values() if inspect.isclass(thing)
                 and thing.__module__.startswith("mote")]
        rows = [getattr(mote, name) for name in ("forces", "fields", "shapes", "sources", "solvers", "probes")]
        return found + [mote, mote.diagram, mote.diagram.Diagram, mote.tables, mote.objects] + rows

    def test_everything_public_has_them(self):
        checked, without = 0, []
        for owner in self.owners():
            for name, function in public(owner):
                if name in ("Frame.__init__", "Particles.__init__", "tables.parameters"):  # not for users
                    continue
                signature = inspect.signature(function)
                bare = [p.name for p in signature.parameters.values()
                        if p.annotation is p.empty and p.name not in ("self", "others")]
                if bare or (signature.return_annotation is signature.empty):
                    without.append((name, bare))
                checked += 1
        self.assertEqual(without, [])
        self.assertGreater(checked, 130)

    def test_the_package_says_so(self):
        self.assertTrue((Path(mote.__file__).parent / "py.typed").exists())

    def mypy(self, text):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not there (Debian: mypy)")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "program.py")
            path.write_text(text)
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--python-version", "3.9",
                                   "--follow-imports=silent", "--cache-dir", folder, "--no-error-summary", str(path)],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder)
        lines = [line.split(": ", 1) for line in done.stdout.splitlines() if " error: " in line]
        return done.stdout, sorted({int(place.rsplit(":", 1)[1]) for place, _ in lines})

    def test_a_good_program_passes(self):
        said, lines = self.mypy(GOOD)
        self.assertEqual(lines, [], said)
        self.assertEqual(said, "")

    def test_wrong_lines_are_found(self):
        said, lines = self.mypy(BAD)
        self.assertEqual(lines, WRONG, said)


if __name__ == "__main__":
    main()

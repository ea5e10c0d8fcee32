"""Functions of rows say what the tables say, and what they make is what the scene reader takes."""
import inspect
import json
import unittest

import mote
from mote import tables
from support import main, program

NEEDS = {  # what a row cannot do without
    "spring-to": {}, "smoothed": {"system": "dust", "column": "mass", "reach": 1},
    "smoothed-vector": {"system": "dust", "column": "velocity", "reach": 1},
    "smoothed-gradient": {"system": "dust", "column": "mass", "reach": 1},
}


def function_of(family, row):
    return getattr(getattr(mote, family), row.name.replace("-", "_").replace("/", "_"))


class Rows(unittest.TestCase):
    def test_all_are_there(self):
        listed = json.loads(program("list", "--json"))
        for family in tables.families():
            names = [row["name"] for row in listed[family]]
            self.assertEqual(list(tables.rows(family)), names)
            self.assertTrue(hasattr(mote, family), family)

    def test_docs_units_and_ranges(self):
        checked = 0
        for family in ("forces", "fields", "shapes", "sources", "solvers", "probes"):
            for row in filter(lambda row: row.in_scenes, tables.rows(family).values()):
                function = function_of(family, row)
                doc = " ".join(function.__doc__.split())
                self.assertIn(row.doc[1:], doc)
                given = inspect.signature(function).parameters
                for param in row.params:
                    self.assertTrue(param.name in given or param.name + "_" in given, param.name)
                    self.assertIn(" ".join(param.doc.split()), doc)
                    self.assertIn(param.unit, doc)
                    checked += 1
        self.assertGreater(checked, 150)

    def test_help_of_the_program_has_the_same_numbers(self):
        said = " ".join(program("help", "drag").split())
        for param in tables.rows("forces")["drag"].params:
            self.assertIn(param.doc.split(";")[0], said)
            self.assertIn(param.unit, said)

    def test_tables_are_points(self):
        lib = tables.library()
        block, _ = tables.parameters(lib, "heats", "conduction",
                                     {"viscosities": [(300, 0.2), (340, 0.05)]})
        heat = lib.structs["mote_LiquidHeat"].from_buffer(block)
        self.assertEqual(heat.viscosities.count, 2)
        self.assertEqual(list(heat.viscosities.at[:2]), [300, 340])
        self.assertEqual(list(heat.viscosities.value[:2]), [0.2, 0.05])
        for wrong in ([(340, 1), (300, 1)], [(300, 0)], [(300,)], [(i, 1) for i in range(33)]):
            with self.assertRaises(mote.BadValue):
                tables.parameters(lib, "heats", "conduction", {"viscosities": wrong})

    def defaults(self, row):
        found = {}
        for param in row.params:
            if param.type in ("real", "double", "count", "bool", "choice"):
                found[param.name] = param.default
            elif param.type in ("vec3", "color"):
                found[param.name] = list(param.default)
        return dict(found, **NEEDS.get(row.name, {}))

    def test_the_reader_takes_all_forces_and_fields(self):
        scene = mote.Scene(systems=[mote.system(name="dust")])
        for family in ("forces", "fields"):
            scene[family] = [function_of(family, row)(name="a " + row.name, **self.defaults(row))
                             for row in tables.rows(family).values() if row.in_scenes]
        world = mote.World(scene)
        self.assertEqual(world.names("force")[1:], [f["name"] for f in scene["forces"]])
        self.assertEqual(world.names("field"), [f["name"] for f in scene["fields"]])

    def test_a_scene_of_rows(self):
        scene = mote.Scene(
            world=mote.objects.world(duration=1, fps=10),
            systems=[mote.system(name="rain")],
            emitters=[mote.emitter(system="rain", from_=mote.sources.box(size=[2, 0, 2]),
                                   at=[0, 3, 0], rate="= 200 + 100 * t")],
            colliders=[mote.collider(name="floor", shape=mote.shapes.plane(), restitution=0)],
            forces=[mote.forces.drag(linear=0.5)])
        world = mote.World(scene)
        for frame in world.run():
            pass
        self.assertEqual(frame.index, 10)
        self.assertIn(frame["rain"].count, range(245, 251))
        self.assertGreaterEqual(frame["rain"].position[:, 1].min(), 0)

    def test_what_is_unknown_is_said(self):
        with self.assertRaisesRegex(mote.BadValue, "linaer"):
            mote.World(mote.Scene(systems=[mote.system(name="dust")],
                                  forces=[mote.forces.drag(linaer=1)]))


if __name__ == "__main__":
    main()

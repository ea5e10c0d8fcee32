"""first-steps.md, read by somebody who does what it says in an empty folder: every command succeeds,
every scene runs, and what is to be seen is there, by numbers."""
import json
import math
import os
import re
import shutil
import tempfile
import page

PAGE = "docs/manual/first-steps.md"
LONG = bool(os.environ.get("MOTE_LONG"))
DULL = ["--no-pictures"]
checks = page.Checks()


def run(scene, folder, *extra):
    result = page.mote("run", scene, "-o", folder, "--force", *extra)
    checks.check(result.returncode == 0, f"run {scene} {extra}: {result.stderr}")
    return folder


def sums(folder, *names):
    return [sum(row[name] for row in page.log(folder)) for name in names]


# ---- the commands, in order ----

def type_commands(block):
    for words in page.commands(block):
        small = page.SMALL if words[1] == "run" and words[-1] != "--no-pictures" else ()
        result = page.typed(checks, words, f"{PAGE}:{block.line}", small)
        after(words, result)


def after(words, result):
    """What the page says of a command."""
    if words[1] == "run":
        scene = words[2] if len(words) > 2 else "demo"
        folder = "out/" + scene.removesuffix(".json5")
        checks.check(f"{folder}/images/frame_" in result.stdout, f"{words}: no last picture is named")
        if shutil.which("ffmpeg"):
            checks.check(os.path.getsize(folder + "/video.mp4") > 500, f"{words}: no video")
    if words[1:3] == ["list", "scenes"]:
        scenes = [line for line in result.stdout.splitlines() if line[0] != " "]
        checks.check(90 <= len(scenes) < 100, f"{len(scenes)} scenes are not ninety in all")
    if "--frames" in words:
        checks.check(page.last_frame("out/galaxy") == 60, "not only the first frames")
    if words[1] == "plot":
        checks.check(os.path.getsize("out/tank/probes/far.png") > 500, "no diagram")
    if words[1] == "export":
        checks.check(os.path.exists("out/my/export/beads_000120.csv"), "no tables")


# ---- five changes ----

def beads(folder, index):
    frame = page.Frame(folder, index)
    born = [frame.head["time"] - birth for birth in frame.column("beads/birth")]
    return list(zip(frame.column("beads/position"), frame.column("beads/velocity"), born))


def share(rows, holds):
    return sum(holds(*row) for row in rows) / len(rows)


def old(folder):
    return [row for row in beads(folder, page.last_frame(folder)) if row[2] > 2]


def top(rows):
    return max(x[1] for x, v, age in rows)


def still(x, v, age):
    return math.hypot(*v) < 0.1


def bounce_changed(folder, scene):
    checks.check(share(old(folder), still) > 0.98, "without bounce they do not stay where they fall")
    high = run("my.json5", "out/high", *DULL, "--set", "bounce=0.9")
    bounced = [row for row in beads(high, 120) if row[2] > 1.1]
    checks.check(top(bounced) > 1.1, f"with 0.9 they jump to {top(bounced)} m, not up to the jet")


def moon(folder, scene):
    earth = top(beads("out/my", 60)) - 0.6
    rise = top(beads(folder, 120)) - 0.6
    checks.near(rise / earth, 5.4, 0.4, "how much higher the throw rises on the Moon")
    landed = next(i for i in range(240) if any(x[1] < 0.06 and age > 1 for x, v, age in
                                               (beads(folder, i) if i >= 100 else [])))
    checks.near(landed / 30, 5.2, 0.2, "the time to land on the Moon")
    checks.near(max(x[0] for x, v, age in beads(folder, landed)) + 1.6, 10, 0.5, "its distance")


def drag(folder, scene):
    landing = [(x, v, age) for x, v, age in beads(folder, 60) if x[1] < 0.2 and v[1] < -1 and v[0] > 0]
    checks.check(landing and share(landing, lambda x, v, age: v[1] < -5 * v[0]) > 0.9,
                 "with drag the end is not steep")
    checks.check(share(old(folder), lambda x, v, age: x[0] < 0) == 1, "with drag they reach the ball")


def box(folder, scene):
    checks.check(share(old(folder), lambda x, v, age: x[0] < 0.1) == 1, "not all come down on the left")


def spin(folder, scene):
    over = share(old(folder), lambda x, v, age: x[0] > 0.6)
    checks.check(over > 0.6, f"a share of {over} is thrown on")
    with open("back.json5", "w", encoding="utf-8") as file:
        file.write(scene.replace("-720", "720"))
    back = share(old(run("back.json5", "out/back", *DULL)), lambda x, v, age: x[0] < 0.6)
    checks.check(back > 0.99, f"with 720 a share of {back} is thrown back")


def changes():
    with open("my.json5", encoding="utf-8") as file:
        scene = file.read()
    run("my.json5", "out/my", *DULL)
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|", page.read(PAGE), re.M)
    looks = [bounce_changed, moon, drag, box, spin]
    checks.check(len(rows) == len(looks), f"{len(rows)} changes, not {len(looks)}")
    for (instead, write), look in zip(rows, looks):
        checks.check(scene.count(instead) == 1, f"my.json5 has {instead} {scene.count(instead)} times")
        with open("changed.json5", "w", encoding="utf-8") as file:
            file.write(scene.replace(instead, write))
        look(run("changed.json5", f"out/{look.__name__}", *DULL), scene.replace(instead, write))


def mistakes():
    with open("my.json5", encoding="utf-8") as file:
        scene = file.read()
    with open("wrong.json5", "w", encoding="utf-8") as file:
        file.write(scene.replace("lifetime:", "lifetme:"))
    line = scene[:scene.index("lifetime:")].count("\n") + 1
    error = page.mote("check", "wrong.json5").stderr
    checks.check(f"wrong.json5:{line}:" in error and "lifetime" in error, f"a mistake is told as {error}")
    for words in re.findall(r"`mote ((?:help|list)[^`]*)`", page.read(PAGE)):
        checks.check(page.mote(*words.split()).returncode == 0, f"mote {words}")


# ---- four scenes ----

def cloth():
    folder = run("cloth.json5", "out/cloth", *DULL)
    solves, unsolved, inside = sums(folder, "substeps", "unsolved", "inside")
    checks.check(unsolved <= 0.01 * solves and inside == 0, f"{unsolved} of {solves} unsolved, {inside} inside")
    places = page.Frame(folder, page.last_frame(folder)).column("cloth/position")
    on_ball = max(places, key=lambda x: x[1])
    checks.near(on_ball[1], 1.1 + 0.02, 0.03, "the highest place of the cloth")
    checks.check(min(x[1] for x in places) < 0.45, "the cloth does not hang down")
    checks.check(max(math.hypot(x[0], x[2]) for x in places) < 1.1, "the cloth lies flat")


def first_wet(probe):
    return next(row["time"] for row in page.probe("out/tank", probe) if row["height"] > 0.02)


def tank():
    speed = 0.6 / (first_wet("far") - first_wet("near"))
    checks.check(2.5 < speed < 2 * math.sqrt(9.81 * 0.6), f"the front runs at {speed} m/s")


def blocks():
    frame = page.Frame(run("blocks.json5", "out/blocks", *DULL), 150)
    boxes = [s["position"] for s in frame.head["shapes"] if s["type"] == "box"]
    checks.check(len(boxes) == 2 and max(at[1] for at in boxes) < 0.9, f"the tower stands: {boxes}")


def planet(folder, index, row):
    frame = page.Frame(folder, index)
    return frame.column("planets/position")[row], frame.column("planets/velocity")[row]


def year(folder):
    """When the second planet comes back to the axis it started on."""
    for index in range(300, 330):
        below, above = planet(folder, index, 1)[0][1], planet(folder, index + 1, 1)[0][1]
        if below < 0 <= above:
            return (index + below / (below - above)) / 15
    return math.inf


def planets():
    folder = run("planets.json5", "out/planets", *DULL)
    checks.near(year(folder), 2 * math.pi * (1 / (2 - 1.25 ** 2)) ** 1.5, 0.05, "the planet's year")
    euler = ["--set", "systems.planets.solver.integrator=euler"]
    x, _ = planet(run("planets.json5", "out/euler", *DULL, *euler), 330, 0)
    checks.near(math.hypot(*x), 4 / 3, 0.05, "Euler's circle after 22 s")
    x, _ = planet(folder, 330, 0)
    checks.near(math.hypot(*x), 1, 0.002, "the circle after 22 s")


# ---- questions ----

def galileo():
    folder = run("galileo", "out/galileo", *DULL, "--set", "speed=5")
    places = page.Frame(folder, page.last_frame(folder)).column("vacuum/position")
    checks.near(max(x[0] for x in places), 5 ** 2 / 9.81, 0.01, "how far the throw goes")


def bounce():
    folder, heights = run("bounce", "out/bounce", *DULL), []
    for index in range(2, 100):
        frame = page.Frame(folder, index)
        heights.append(frame.column("wood/position")[frame.column("wood/id").index(0)][1])
    tops = [b for a, b, c in zip(heights, heights[1:], heights[2:]) if a < b >= c]
    checks.near((tops[2] - 0.05) / 2.15, 0.6 ** 6, 0.003, "the third bounce")


def slid(folder):
    ends = [[page.Frame(folder, i).shape(name)["position"] for i in (0, 90)] for name in "abcd"]
    return [math.dist(*places) for places in ends]


def slope():
    ways = slid(run("slope", "out/slope", *DULL))
    checks.check(max(ways[:2]) < 0.005, f"blocks slide on flat slopes: {ways}")
    # from rest with g (sin - friction cos), while it is on the slope
    expected = 0.5 * 9.81 * (math.sin(math.radians(28)) - 0.5 * math.cos(math.radians(28))) * 9
    checks.near(ways[2], expected, 0.05 * expected, "how far the third block slides")
    checks.check(ways[3] > 1.8, f"the fourth block: {ways[3]} m")
    ways = slid(run("slope", "out/rough", *DULL, "--set", "friction=0.6"))
    checks.check(ways[2] < 0.005 and ways[3] > 0.5, f"with friction 0.6: {ways}")


def has_scale_bar(scene):
    text = page.mote("scene", "print", scene).stdout
    checks.check("scale_bar: true" in text, f"{scene}, which asks for a length, shows no scale")


def questions():
    for scene in ("galileo", "bounce", "floating"):
        has_scale_bar(scene)
    galileo()
    bounce()
    slope()
    asked = re.findall(r"`mote run ([\w.-]+)[^`]*`", page.read(PAGE)[page.read(PAGE).index("## 6."):])
    known = json.loads(page.mote("list", "scenes", "--json").stdout)["scenes"]
    names = {row["name"] for row in known}
    for scene in asked:
        checks.check(scene in names or os.path.exists(scene), f"{scene}: there is no such scene")
    if LONG:
        checks.check(page.mote("study", "convergence").returncode == 0, "study convergence")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in page.blocks(PAGE):
            if block.language == "js":
                page.make_scene(checks, PAGE, block)
            else:
                type_commands(block)
        for part in (changes, mistakes, cloth, tank, blocks, planets, questions):
            part()
            print("done:", part.__name__, flush=True)
        os.chdir("/")
    checks.end()


if __name__ == "__main__":
    main()

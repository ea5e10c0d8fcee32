"""What the exercises of the course measure: for each its function, which gets what the commands
printed and returns the numbers that the answer says, and their tolerances."""
import csv
import math
import re
import page

LONG = set()  # exercises that take too long for every day


def last(folder, name="place"):
    return page.probe(folder, name)[-1]


# ---- dynamics ----

def radii(*folders):
    ends = [last(folder) for folder in folders]
    return [math.hypot(end["x"], end["y"]) for end in ends]


def depths(_):
    return [-last(folder)["y"] for folder in ("out/symplectic", "out/explicit", "out/verlet")]


def fall_speed(_):
    return [-last("out/drag")["momentum_y"]]


def spring_ends(*folders):
    return [2 * last(folder)["x"] for folder in folders]


# ---- collision ----

def statistic(text, name):
    return float(re.search(rf"^{name} +(\S+)", text, re.M)[1])


def slope(path, lowest, highest):
    """Of the line through log E over log k."""
    with open(path, encoding="utf-8") as file:
        rows = [(float(row["k"]), float(row["E"])) for row in csv.DictReader(file)]
    points = [(math.log(k), math.log(e)) for k, e in rows if lowest <= k <= highest]
    mean = [sum(column) / len(points) for column in zip(*points)]
    return (sum((x - mean[0]) * (y - mean[1]) for x, y in points) /
            sum((x - mean[0]) ** 2 for x, y in points))


def behind_wall(folder):
    places = page.Frame(folder, 1).column("dots/position")
    return sum(x[0] > 0 for x in places) / len(places)


def along(folder):
    return last(folder)["momentum_x"]


def bounces(_):
    rows = page.probe("out/ball", "place")
    y = [row["y"] for row in rows]
    tops = [b for a, b, c in zip(y, y[1:], y[2:]) if a < b >= c]
    rest = next(row["time"] for row in rows if row["y"] == 0 and row["momentum_y"] == 0)
    return [tops[0], tops[2], rest]


def study_rows(text, *begin):
    """Lines of a table that begin with these words, as numbers."""
    rows = [line.split() for line in text.splitlines()]
    return [[float(word) for word in row[1:]] for row in rows if row[:len(begin)] == list(begin)]


def creep(outputs):
    moved = [study_rows(outputs[0], name, "0.60", eps)[0][4]
             for name, eps in (("micro", "0.4"), ("micro", "0.8"), ("contact", "0.8"))]
    return moved + [study_rows(outputs[0], "contact", h)[0][1] for h in ("0.0100", "0.0001")]


def behind_groove(folder):
    places = page.Frame(folder, 2).column("dots/position")
    return sum(min(0.9848 * x, -0.9848 * x) + 0.1736 * y < -1e-6 for x, y, _ in places)


# ---- integrators: a mass on a spring of 1 N/m, which starts 1 m out ----

def place(folder):
    return 2 * last("out/" + folder)["x"]


def amplitude(folder):
    return math.hypot(place(folder), last("out/" + folder)["momentum_x"])


def growth(_):
    """A step; between the two runs there are 20."""
    return [abs(place("forty") / place("twenty")) ** (1 / 20)]


def gain(name):
    """By how much halving the step makes the error at 5 s smaller."""
    return (place(name) - math.cos(5)) / (place(name + "-half") - math.cos(5))


def backward(outputs):
    speeds = [last("out/" + name)["momentum_x"] + math.sin(5) for name in ("backward", "backward-half")]
    return [gain("backward"), speeds[0] / speeds[1], orders(outputs[2], "beeman")[2]]


def convergence(text, name):
    """The row of an integrator: evaluations, orders of position on four motions, stable to."""
    row = next(line for line in text.splitlines() if line.startswith(name + " "))
    words = row[len(name):].replace("/", " ").split()
    number = [math.nan if word == "-" else float(word) for word in words[:10]]
    return number[0], number[1:9:2], number[9]


def orders(text, name):
    return convergence(text, name)[1]


def runge_kutta(outputs):
    rows = [convergence(outputs[0], name) for name in ("heun", "ralston-3/4", "rk4")]
    return [number for row in rows for number in (row[1][0], row[0])]


# ---- liquids ----

def values(folder, *names):
    return [last(folder, name)["value"] for name in names]


def derivatives(_):
    return [last("out/cloud", "slope")["y"], last("out/cloud", "laplacian")["value"]]


def gauge(_):
    rows = [row["pressure"] for row in page.probe("out/tank", "gauge") if row["time"] > 1]
    return [sum(rows) / len(rows)]


def momentum(_):
    end = last("out/drops", "all")
    return [math.hypot(end["momentum_x"], end["momentum_y"], end["momentum_z"])]


def pairs(folder):
    return [sum(row["pairs"] for row in page.log(folder))]


def share_of_neighbours(_):
    """Of the particles in the nine cells around the one that asks."""
    reach, met, found = 0.25, 0, 0
    cell = lambda x, y: (math.floor(x / reach), math.floor(y / reach + 0.5))
    for index in range(4, 241, 4):
        frame = page.Frame("out/cells", index)
        x, y, _ = frame.column("one/position")[0]
        for other in frame.column("dots/position"):
            if max(abs(a - b) for a, b in zip(cell(x, y), cell(*other[:2]))) < 2:
                met += 1
                found += math.hypot(x - other[0], y - other[1]) < reach
    return [found / met]


def mean_in_leaves(_):
    """Cells of the eight smallest sizes, each in a frame of four by four around two by two."""
    places = page.Frame("out/octree", 60).column("spray/position")
    sizes = [4 / 2 ** k for k in range(8)]
    ring = lambda size: sum(size / 4 <= max(abs(x), abs(y)) < size / 2 for x, y, _ in places)
    return [sum(ring(size) / 12 for size in sizes) / len(sizes)]


def compressed(_):
    return [sum(row["density_error"] > 1e-3 for row in page.probe("out/dfsph", "all"))]


# ---- vortex ----

def body_energy(_):
    return [page.log("out/eight")[-1]["body_kinetic"]]


def through(folder):
    return sum(x[0] > 0 for x in page.Frame(folder, 1).column("dots/position"))


def same_frames(outputs):
    return [float(re.match(r"the same: (\d+) frames", outputs[2])[1])]


def in_plate(_):
    frame, turn = page.Frame("out/towed", 30), math.radians(20)
    middle = frame.shape("plate")["position"]
    found = 0
    for place in frame.column("air/position"):
        x, y, z = (a - b for a, b in zip(place, middle))
        along, across = (x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn))
        found += abs(along) < 0.35 and abs(across) < 0.04 and abs(z) < 0.5
    return [found]


def force(folder, column):
    """The mean from frame 20 on, when the start is over."""
    rows = [row[column] for row in page.probe(folder, "force")[20:]]
    return sum(rows) / len(rows)


ANSWERS = {
    "dynamics 1": (lambda _: radii("out/circle", "out/half"), 2e-4, 2e-4),
    "dynamics 2": (lambda _: radii("out/rk4"), 2e-5),
    "dynamics 3": (depths, 1e-4, 1e-4, 1e-4),
    "dynamics 4": (fall_speed, 2e-4),
    "dynamics 5": (lambda _: spring_ends("out/linear", "out/strain"), 2e-4, 2e-4),
    "dynamics 6": (lambda _: spring_ends("out/damped"), 2e-4),
    "collision 1": (lambda out: [statistic(text, "rms") for text in out], 1.5e-3, 1e-9),
    "collision 2": (lambda _: [slope(name, 8, 40) for name in ("E.csv", "steep.csv")], 0.1, 0.12),
    "collision 3": (lambda _: [behind_wall("out/" + name) for name in
                               ("slow", "fast", "faster", "swept")], 1e-9, 0.03, 0.03, 1e-9),
    "collision 4": (lambda _: [last("out/hover")["y"]], 1e-5),
    "collision 5": (lambda _: [along("out/" + name) for name in ("dry", "wet", "capped")],
                    1e-4, 1e-4, 1e-6),
    "collision 6": (bounces, 1e-3, 1e-3, 0.011),
    "collision 7": (creep, 2e-3, 3e-3, 1e-6, 2e-3, 3e-4),
    "collision 8": (lambda _: [behind_groove("out/groove"), behind_groove("out/outside")], 0, 0),
    "collision 9": (lambda _: [last("out/hit")["x"], last("out/miss")["x"]], 0.05, 1e-3),
    "integrators 1": (lambda _: [place("step"), place("steps")], 1e-6, 1e-6),
    "integrators 2": (lambda out: orders(out[0], "leapfrog")[:2] +
                      orders(out[0], "velocity-verlet")[:2], 0.15, 0.15, 0.15, 0.15),
    "integrators 3": (lambda _: [amplitude("euler"), amplitude("cromer")], 2e-4, 2e-4),
    "integrators 4": (growth, 5e-4),
    "integrators 5": (runge_kutta, 0.15, 0.01, 0.15, 0.01, 0.2, 0.01),
    "integrators 6": (lambda _: [place("cheap"), place("dear")], 2e-5, 2e-5),
    "integrators 7": (lambda _: [gain("ab2"), gain("ab4"), gain("abm2")], 0.3, 2, 0.3),
    "integrators 8": (lambda out: [convergence(out[0], "ab2")[2], convergence(out[0], "abm2")[2],
                                   convergence(out[0], "abm2")[0]], 0.01, 0.01, 0.01),
    "integrators 9": (lambda _: [amplitude(name) for name in ("implicit", "nicolson", "theta")],
                      1e-5, 1e-5, 1e-5),
    "integrators 10": (lambda _: [amplitude("shorter")], 1e-4),
    "integrators 11": (lambda _: [place("leapfrog"), place("velocity-verlet"), place("staggered")],
                       1e-4, 1e-4, 1e-4),
    "integrators 12": (backward, 0.2, 0.2, 0.2),
    "liquids 1": (lambda _: values("out/lonely", "here", "one", "more"), 1e-5, 1e-5, 1e-5),
    "liquids 2": (lambda _: values("out/border", "plain", "volume"), 0.03, 0.02),
    "liquids 3": (derivatives, 2e-3, 0.3),
    "liquids 4": (gauge, 45),
    "liquids 5": (lambda _: [last("out/channel", "middle")["vx"]], 2e-3),
    "liquids 6": (momentum, 1e-3),
    "liquids 7": (lambda _: pairs("out/block"), 0),
    "liquids 8": (lambda _: pairs("out/larger"), 0),
    "liquids 9": (share_of_neighbours, 0.015),
    "liquids 10": (mean_in_leaves, 0.6),
    "liquids 11": (lambda out: [statistic(out[1], "volume")], 0.011),
    "liquids 12": (compressed, 0),
    "vortex 1": (lambda _: [last("out/ring")["x"]], 1.5e-3),
    "vortex 2": (lambda _: [last("out/back")["x"]], 1.5e-3),
    "vortex 3": (lambda _: [last("out/corner")["x"]], 1e-4),
    "vortex 4": (body_energy, 1),
    "vortex 5": (lambda _: [last("out/parts")["y"], last("out/hull")["y"]], 1e-4, 1e-4),
    "vortex 6": (lambda _: [through("out/bullets"), through("out/missed")], 0, 4),
    "vortex 7": (same_frames, 0),
    "vortex 8": (in_plate, 0),
    "vortex 9": (lambda _: [math.copysign(1, force(folder, "fy")) for folder
                            in ("out/up", "out/down")], 0, 0),
    "vortex 10": (lambda _: [force("out/curve", "fz")], 0.2),
}

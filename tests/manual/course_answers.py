"""What the exercises of the course measure: for each its function, which gets what the commands
printed and returns the numbers that the answer says, and their tolerances."""
import math
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


ANSWERS = {
    "dynamics 1": (lambda _: radii("out/circle", "out/half"), 2e-4, 2e-4),
    "dynamics 2": (lambda _: radii("out/rk4"), 2e-5),
    "dynamics 3": (depths, 1e-4, 1e-4, 1e-4),
    "dynamics 4": (fall_speed, 2e-4),
    "dynamics 5": (lambda _: spring_ends("out/linear", "out/strain"), 2e-4, 2e-4),
    "dynamics 6": (lambda _: spring_ends("out/damped"), 2e-4),
}

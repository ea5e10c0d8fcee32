#!/usr/bin/env python3
"""Prints the gradient tables of src/noise/rows/lattice.c (needs numpy and scipy).

Eight axes in three and in four dimensions, each used in both directions: unit vectors whose second
moments are those of the sphere, whose fourth moments are as near as eight axes allow, turned so that
they stay away from the axes and diagonals of the lattice.
"""
import itertools

import numpy as np
from scipy.optimize import minimize

AXES, TRIES, TURNS = 8, 25, 20000
random = np.random.default_rng(1)


def unit(values, dimension):
    rows = values.reshape(-1, dimension)
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def moments(g):
    """Squared distances of the second and fourth moments from those of the sphere."""
    count, d = g.shape
    one = np.eye(d)
    second = np.einsum("ni,nj->ij", g, g) / count - one / d
    sphere = sum(np.einsum(form, one, one) for form in ("ij,kl->ijkl", "ik,jl->ijkl", "il,jk->ijkl"))
    fourth = np.einsum("ni,nj,nk,nl->ijkl", g, g, g, g) / count - sphere / (d * (d + 2))
    return (second**2).sum(), (fourth**2).sum()


def smallest_angle(g):
    return np.degrees(np.arccos((np.abs(g @ g.T) - 2 * np.eye(len(g))).max()))


def find(dimension):
    def badness(values):
        second, fourth = moments(unit(values, dimension))
        return 1e6 * second + fourth

    best = None
    for _ in range(TRIES):
        start = random.normal(size=AXES * dimension)
        found = minimize(badness, start, method="BFGS", options={"gtol": 1e-13, "maxiter": 4000})
        g = unit(found.x, dimension)
        rank = (round(badness(found.x), 5), -smallest_angle(g))
        if best is None or rank < best[0]:
            best = (rank, g)
    return best[1]


def rotation(dimension):
    q, r = np.linalg.qr(random.normal(size=(dimension, dimension)))
    return q * np.sign(np.diag(r))


def turn_away(g):
    d = g.shape[1]
    lattice = unit(np.array([v for v in itertools.product((-1, 0, 1), repeat=d) if any(v)], float), d)
    turned = (g @ rotation(d).T for _ in range(TURNS))
    return min(turned, key=lambda h: np.abs(h @ lattice.T).max())


for dimension in (3, 4):
    table = turn_away(find(dimension))
    print(f"{dimension}-D: moments off by", moments(table), "smallest angle", smallest_angle(table))
    for row in table.T:
        print("    {" + ", ".join(f"{v:.17g}" for v in row) + "},")

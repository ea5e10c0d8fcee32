#!/usr/bin/env python3
"""What ranks of a liquid let expect beyond one machine: the model of docs/cluster.md.

Numbers of one machine come from `mote bench ranks --json` (16 ranks, and one rank of 16 threads); those of a network
are assumed. Efficiency is beside the same number of cores that need not speak, each with as many particles.
"""

import math
from dataclasses import dataclass


@dataclass
class Liquid:
    name: str
    core: float  # s a particle and sub-step, of one of 16 busy cores
    ghost: float  # what a ghost takes of a particle's work
    calls: float  # in a sub-step, in which all ranks wait for each other
    counts: float  # times in a sub-step that every rank sends every other one a number
    bytes: float  # a ghost and sub-step
    coarse: float  # s a particle of the whole liquid, that every rank spends on the coarse grid
    coarse_bytes: float  # of sums over the coarse grid, where it is largest


@dataclass
class Machine:
    cores: int = 64  # of a node; assumed
    network: float = 12.5e9  # bytes/s of a node; assumed
    hop: float = 2e-6  # s, from node to node; assumed
    call: float = 1.2e-6  # s, of a call within a node, times log2 of the ranks; measured
    number: float = 1.1e-6  # s, to send a number to a rank; measured
    copy: float = 3.4e9  # bytes/s from rank to rank of a node, all at once; measured
    imbalance: float = 1.06  # of work; measured


MOST_COARSE = 4.2e6  # particles, above which the coarse grid gets no larger


def ghost_share(particles):
    """One layer of cells, two spacings wide, around a cube of them."""
    side = particles ** (1 / 3)
    return ((side + 4) / side) ** 3 - 1


def predict(liquid, machine, ranks, each):
    """Seconds of a sub-step, and efficiency."""
    nodes = math.ceil(ranks / machine.cores)
    here = min(ranks, machine.cores)
    ghosts = ghost_share(each) * each if ranks > 1 else 0
    work = liquid.core * (each + liquid.ghost * ghosts)
    latency = machine.call * math.log2(here) + machine.hop * math.log2(nodes)
    messages = liquid.calls * latency + liquid.counts * ranks * machine.number + liquid.bytes * ghosts / machine.copy
    outside = here ** (-1 / 3) if nodes > 1 else 0  # of the ghosts, those of other nodes
    messages += liquid.bytes * ghosts * here * outside / machine.network
    coarse = liquid.coarse * min(ranks * each, MOST_COARSE) + liquid.coarse_bytes / machine.copy * (ranks > 1)
    seconds = work * machine.imbalance + messages + coarse
    return seconds, liquid.core * each / seconds


# Of 16 cores (docs/cluster.md): a core's time is that of one rank of 16 threads; what a ghost takes is counted in instructions.
LIQUIDS = [
    Liquid("dfsph", 3618e-9, 0.24, 93, 2, 678, 1.6e-9, 3e6),
    Liquid("wcsph", 444e-9, 0.6, 36, 2, 37, 0, 0),
]

CASES = [
    ("16 ranks, 10^6", 16, 1e6 / 16),
    ("16 ranks, 10^7", 16, 1e7 / 16),
    ("64 ranks, 10^6 each", 64, 1e6),
    ("512 ranks, 10^6 each", 512, 1e6),
    ("4096 ranks, 10^6 each", 4096, 1e6),
    ("512 ranks, 10^9", 512, 1e9 / 512),
    ("4096 ranks, 10^9", 4096, 1e9 / 4096),
    ("16384 ranks, 10^9", 16384, 1e9 / 16384),
]


def main():
    print(f"{'':24}{'ghosts':>8}" + "".join(f"{liquid.name:>18}" for liquid in LIQUIDS))
    for name, ranks, each in CASES:
        machine = Machine(cores=min(64, ranks))
        told = [predict(liquid, machine, ranks, each) for liquid in LIQUIDS]
        print(f"{name:24}{ghost_share(each):8.0%}" + "".join(f"{s:10.3g} s {e:4.0%} " for s, e in told))


if __name__ == "__main__":
    main()

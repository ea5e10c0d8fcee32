#!/usr/bin/env python3
"""What scripts/soak.py says of made-up runs: steady ones pass, growing ones do not."""
import importlib.util
import sys

spec = importlib.util.spec_from_file_location("soak", sys.argv[1])
soak = importlib.util.module_from_spec(spec)
spec.loader.exec_module(soak)


class Made(soak.Soak):
    """A run of 60 minutes that never ran: each of memory, cost and particles by the minute."""

    def __init__(self, memory, cost, particles=lambda i: 1000):
        self.scene, self.frames, self.samples = "made", 3600, []
        cpu = work = 0
        for i in range(60):
            work += particles(i) * 600
            cpu += cost(i) * particles(i) * 600 / 1e6
            self.samples.append((60 * i, memory(i), particles(i), cpu, work))


def said(*made):
    return " ".join(soak.compare(Made(*made)))


CASES = [
    ("steady", "", lambda i: 12, lambda i: 2),
    ("grows while it warms up", "", lambda i: 12 if i > 10 else i, lambda i: 2 if i > 10 else 1),
    ("noise", "", lambda i: 12 + i % 2, lambda i: 2 + 0.2 * (i % 3)),
    ("leak", "memory grew", lambda i: 12 + i * 0.05, lambda i: 2),
    ("slower", "time grew", lambda i: 12, lambda i: 2 + i * 0.02),
    ("more and more particles", "not steady", lambda i: 12, lambda i: 2, lambda i: 1000 + 10 * i),
]
failed = 0
for name, wanted, *made in CASES:
    text = said(*made)
    if (wanted not in text) if wanted else text:
        failed += 1
        print(f"{name}: said {text!r}, wanted {wanted!r}", file=sys.stderr)
print(f"{len(CASES) - failed} passed, {failed} failed")
sys.exit(failed > 0)

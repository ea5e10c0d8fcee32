#!/usr/bin/env python3
"""Runs scenes for a long time, side by side on one thread each, and watches memory and speed.

    soak.py PROGRAM SECONDS FOLDER [SCENE ...]

A line per sample: memory held, particles, and CPU time for a particle and a sub-step, which does
not depend on what else the machine does. After a warm-up (the first fifth) the first quarter is
compared with the last; more memory or more time than the bounds below fails. In the end each run is
told to stop, which it must do by itself, with its checkpoint written."""
import json
import os
import signal
import statistics
import subprocess
import sys
import time

WARM_UP = 0.2
SAMPLES = 60
MEMORY_GROWTH, MEMORY_ROOM = 1.02, 1.0  # factor, and MB on top of it
TIME_GROWTH = 1.15
PARTICLES_CHANGE = 0.05  # what is compared must be alike
PATIENCE = 600  # s, for the frame that is under way and a checkpoint
STOPPED = 128 + signal.SIGTERM

SCENES = {
    "fountain": ["--set", "spacing=0.05"],
    "stirred-tank": ["--set", "spacing=0.04"],
}
# A duration without end is forecast to need memory without end; drains keep the number steady.
ALWAYS = ["--threads", "1", "--quiet", "--no-pictures", "--force", "--anyway",
          "--set", "world.duration=1e6", "--set", "output.cache=false",
          "--set", "output.checkpoint_every=300"]


class Soak:
    """One run, and what was seen of it."""

    def __init__(self, program, scene, folder):
        self.scene, self.folder = scene, os.path.join(folder, scene)
        self.log, self.left_over = None, ""
        self.frames = self.particles = self.work = 0
        self.samples = []  # (seconds, MB, particles, CPU seconds, particles times sub-steps)
        self.process = subprocess.Popen(
            [program, "run", f"scenes/{scene}.json5", "-o", self.folder, *SCENES[scene], *ALWAYS])

    def read_log(self):
        path = os.path.join(self.folder, "log.jsonl")
        if self.log is None and os.path.exists(path):
            self.log = open(path, encoding="utf-8")
        *lines, self.left_over = (self.left_over + (self.log.read() if self.log else "")).split("\n")
        for line in map(json.loads, lines):
            self.frames, self.particles = line["frame"], line["particles"]
            self.work += line["particles"] * line["substeps"]

    def sample(self, seconds):
        self.read_log()
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        memory = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
        cost = self.cost(self.samples[-1], (cpu, self.work)) if self.samples else 0
        self.samples.append((seconds, memory, self.particles, cpu, self.work))
        print(f"{self.scene:14} {seconds:7.0f} s  {self.frames:8} frames  {self.particles:7} "
              f"particles  {memory:8.2f} MB  {cost:7.3f} us", flush=True)

    @staticmethod
    def cost(a, b):
        """CPU microseconds for a particle and a sub-step between two samples."""
        return (b[-2] - a[-2]) / max(b[-1] - a[-1], 1) * 1e6

    def end(self):
        """Its exit status; None when it had to be killed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None


def compare(soak):
    """What is wrong with a run, as sentences."""
    steady = soak.samples[int(WARM_UP * len(soak.samples)):]
    quarter = max(len(steady) // 4, 2)
    first, last = steady[:quarter], steady[-quarter:]
    memory = [statistics.mean(s[1] for s in part) for part in (first, last)]
    particles = [statistics.mean(s[2] for s in part) for part in (first, last)]
    cost = [Soak.cost(part[0], part[-1]) for part in (first, last)]
    print(f"{soak.scene}: {soak.frames} frames in {soak.samples[-1][0]:.0f} s "
          f"({soak.samples[-1][3]:.0f} s of CPU); first and last quarter after the warm-up: "
          f"{memory[0]:.2f} and {memory[1]:.2f} MB, {cost[0]:.3f} and {cost[1]:.3f} us for a particle "
          f"and a sub-step, {particles[0]:.0f} and {particles[1]:.0f} particles")
    wrong = []
    if abs(particles[1] / max(particles[0], 1) - 1) > PARTICLES_CHANGE:
        wrong.append("its number of particles is not steady; soak for longer")
    if memory[1] > memory[0] * MEMORY_GROWTH + MEMORY_ROOM:
        wrong.append(f"its memory grew by more than {MEMORY_GROWTH - 1:.0%} and {MEMORY_ROOM:g} MB")
    if cost[1] > cost[0] * TIME_GROWTH:
        wrong.append(f"its time grew by more than {TIME_GROWTH - 1:.0%}")
    return wrong


def watch(soaks, seconds):
    start, step = time.monotonic(), max(seconds / SAMPLES, 0.5)
    for i in range(1, int(seconds / step) + 1):
        time.sleep(max(start + i * step - time.monotonic(), 0))
        for soak in soaks:
            if soak.process.poll() is None:
                soak.sample(time.monotonic() - start)


def main():
    program, seconds, folder, *scenes = sys.argv[1:]
    soaks = [Soak(program, scene, folder) for scene in scenes or SCENES]
    try:
        watch(soaks, float(seconds))
    finally:
        codes = [soak.end() for soak in soaks]
    failed = 0
    for soak, code in zip(soaks, codes):
        wrong = compare(soak) if len(soak.samples) >= 10 else ["it ended too early to be compared"]
        if code != STOPPED:
            wrong.append(f"it ended with status {code} instead of {STOPPED:d}")
        failed += bool(wrong)
        for what in wrong:
            print(f"{soak.scene}: {what}")
    print(f"{len(soaks) - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

"""Pages of the manual as their readers use them: their blocks in order, and a folder to type them in."""
import array
import ast
import csv
import glob
import json
import os
import re
import shlex
import signal
import subprocess
import urllib.parse
import urllib.request
import zipfile

MOTE = os.environ["MOTE"]
SOURCE = os.environ["SOURCE"]
# A picture takes as long as many frames: here they are small.
SMALL = ["--set", "render.width=96", "--set", "render.height=54"]
# Programs that a shell starts in the background are told to ignore interrupts, and so are theirs.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Block:
    """What stands between two lines of ```: its language, its text, and the line of text before it."""

    def __init__(self, language, before, line):
        self.language, self.before, self.line, self.text = language, before, line, ""


def read(page):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        return file.read()


def pages(pattern):
    found = glob.glob(os.path.join(SOURCE, pattern))
    return sorted(os.path.relpath(path, SOURCE) for path in found)


def blocks(page):
    return blocks_of(read(page).splitlines())


def blocks_of(lines, first=1):
    found, inside, before = [], None, ""
    for number, line in enumerate(lines, first):
        if line.startswith("```"):
            if inside is None:
                inside = Block(line[3:].strip(), before, number)
            else:
                found.append(inside)
                inside = None
        elif inside is not None:
            inside.text += line + "\n"
        elif line.strip():
            before = line
    return found


def commands(block):
    """The commands of a block as words, without what explains them: after #, or after two spaces."""
    for line in block.text.splitlines():
        if re.match(r"(build/)?mote |make ", line + " "):
            yield shlex.split(re.split(r"\s{2,}", line.strip())[0], comments=True)


class Checks:
    """Counts what failed, and says it."""

    def __init__(self):
        self.failed = 0
        self.passed = 0

    def check(self, good, what):
        self.passed += bool(good)
        self.failed += not good
        if not good:
            print("failed:", what, flush=True)

    def near(self, value, expected, tolerance, what):
        good = abs(value - expected) <= tolerance
        self.check(good, f"{what} is {value:.4g}, not {expected:.4g} within {tolerance:g}")

    def end(self):
        print(f"{self.passed} checks passed, {self.failed} failed")
        raise SystemExit(self.failed > 0)


def fetch(address):
    with urllib.request.urlopen(address) as answer:
        return answer.read().decode()


def has_parts(address):
    """The page is there, and so is everything that it and its script name."""
    page = fetch(address)
    parts = re.findall(r'(?:src|href)="([^"]+)"', page)
    scripts = [urllib.parse.urljoin(address, part) for part in parts if part.endswith(".js")]
    parts += re.findall(r"from '\./([^']+)'", "".join(map(fetch, scripts)))
    return len(scripts) > 0 and all(fetch(urllib.parse.urljoin(address, part)) for part in parts)


def look(words):
    """`mote view` shows a page until it is stopped, as by Ctrl-C."""
    command = [MOTE, *words, *([] if "--no-open" in words else ["--no-open"])]
    program = subprocess.Popen(command, env={"PATH": os.environ["PATH"]}, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    address = program.stdout.readline().strip()
    whole = bool(address) and has_parts(address)
    program.send_signal(signal.SIGINT)
    out, err = program.communicate(timeout=60)
    unavailable = "this build has no view" in err
    status = 0 if unavailable or whole and program.returncode == 0 else 1
    return subprocess.CompletedProcess(command, status, address + "\n" + out, err)


def mote(*words):
    """Runs the program as a new user has it: no variables but the PATH."""
    if words[:1] == ("view",) and "--help" not in words:
        return look(words)
    return subprocess.run([MOTE, *words], env={"PATH": os.environ["PATH"]}, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)


def typed(checks, words, where, extra=()):
    """Runs a command of a page; it has to succeed."""
    result = mote(*words[1:], *extra)
    checks.check(result.returncode == 0,
                 f"{where}: {shlex.join(words)}: status {result.returncode}: {result.stderr}")
    return result


class Frame:
    """One frame of a run, from the file that NumPy reads, without NumPy."""

    def __init__(self, folder, index):
        self.zip = zipfile.ZipFile(f"{folder}/frames/frame_{index:06d}.npz")
        self.head = json.loads(self.zip.read("frame.json"))

    def column(self, name):
        data = self.zip.read(name + ".npy")
        size = int.from_bytes(data[8:10], "little")
        head = ast.literal_eval(data[10:10 + size].decode())
        kind = {"<f4": "f", "<f8": "d", "<u8": "Q", "<u4": "I"}[head["descr"]]
        values = array.array(kind, data[10 + size:])
        if len(head["shape"]) == 1:
            return list(values)
        rows, parts = head["shape"]
        if head["fortran_order"]:
            return list(zip(*(values[c * rows:(c + 1) * rows] for c in range(parts))))
        return [tuple(values[i * parts:(i + 1) * parts]) for i in range(rows)]

    def shape(self, name):
        return next(s for s in self.head["shapes"] if s["name"] == name)


def last_frame(folder):
    return max(int(re.findall(r"\d+", name)[0]) for name in os.listdir(folder + "/frames"))


def probe(folder, name):
    """The table of a probe: a dictionary of numbers for every line."""
    with open(f"{folder}/probes/{name}.csv", encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def make_scene(checks, where, block):
    """A scene that the line before it names: written, and checked."""
    name = re.match(r"`(\w+\.json5)`", block.before)
    checks.check(name is not None, f"{where}:{block.line}: the scene has no name before it")
    checks.check(not os.path.exists(name[1]), f"{name[1]} is there already")
    with open(name[1], "w", encoding="utf-8") as file:
        file.write(block.text)
    result = mote("check", name[1])
    checks.check(result.returncode == 0 and result.stderr == "", f"{name[1]}: {result.stderr}")


def log(folder):
    with open(folder + "/log.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]

"""Every command that README.md and the manual show is typed, in an empty folder beside the scenes:
it has to succeed. Runs are short and pictures small; what is left out is said with its reason."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import page

# Commands that are not run, by how they begin.
SKIPPED = {
    "make": "builds and tests the program",
    "study": "takes minutes; cli/study runs short ones",
    "bench": "takes minutes, and means something on a quiet machine alone",
}
# Values of options that take long, and what they are here.
SHORTER = {"--frames": "1", "--samples": "1", "--size": "96x54", "--points": "32", "--from": "1"}
SHORT_RUN = ["--set", "world.fps=1000", "--set", "world.duration=0.002", *page.SMALL]
checks = page.Checks()


def shown(path):
    """(line, words) of every command, in order: in blocks, fenced or indented, and between `...`."""
    found = []
    for block in page.blocks(path):
        if block.language in ("sh", ""):
            found += [(block.line, words) for words in page.commands(block)]
    for number, line in enumerate(page.read(path).splitlines(), 1):
        indented = re.match(r"    (mote .*)", line)
        texts = [indented[1]] if indented else re.findall(r"`(mote [^`]+)`", line)
        found += [(number, re.split(r"\s{2,}", text)[0].split()) for text in texts]
    return sorted(found, key=lambda command: command[0])


def is_form(words):
    return any(re.fullmatch(r"[A-Z]+|\||>", word) for word in words[1:])


def is_name(words):
    """`mote field` alone is the command's name, and not typed."""
    return words[0] == "mote" and (words[1:] == ["mesh", "check"] or
                                   len(words) > 1 and page.mote("help", *words[1:]).returncode == 0)


def shorten(words):
    return [SHORTER.get(before, word) for before, word in zip([""] + words, words)]


def run_scene(name):
    """out/NAME, for the commands that look at it."""
    if not os.path.isdir("out/" + name):
        scene = "first" if name == "my" else name
        page.typed(checks, ["mote", "run", f"scenes/{scene}.json5", "-o", f"out/{name}"], "before it",
                   SHORT_RUN)


def extra(words):
    if words[1:2] != ["run"] or "".join(words[2:3]).startswith("out/"):
        return []
    goes_on = {"--resume", "--from"} & set(words)
    return SHORT_RUN + ([] if goes_on else ["--force"])


def type_command(where, words):
    for name in re.findall(r"\bout/([\w-]+)", " ".join(words)):
        run_scene(name)
    words = shorten(words)
    page.typed(checks, words, where, extra(words))


def prepare():
    """What the pages take for granted: the scenes, a sheet of sprites, and files of particles."""
    os.symlink(os.path.join(page.SOURCE, "scenes"), "scenes")
    subprocess.run([sys.executable, os.path.join(page.SOURCE, "scripts/leaves.py"), "leaves.exr"], check=True)
    run_scene("drop")
    page.typed(checks, ["mote", "export", "out/drop", "--to", "csv"], "before it")
    tables = sorted(glob.glob("out/drop/export/*.csv"))
    shutil.copy(tables[0], "particles.csv")
    os.mkdir("frames")
    for table in tables:
        shutil.copy(table, "frames")


def type_pages(pages, seen=()):
    """Types every command of the pages once, but those that are seen already."""
    seen, skipped = set(seen), {}
    for path in pages:
        for line, words in shown(path):
            words[0] = words[0].removeprefix("build/")
            kind = "make" if words[0] == "make" else words[1] if len(words) > 1 else ""
            if tuple(words) in seen:
                continue
            seen.add(tuple(words))
            if is_name(words):
                continue
            if kind in SKIPPED or is_form(words):
                skipped.setdefault(SKIPPED.get(kind, "is a form"), []).append(" ".join(words))
            else:
                type_command(f"{path}:{line}", words)
    for reason, commands in skipped.items():
        print(f"not run, since it {reason}: {'; '.join(commands)}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare()
        type_pages(["README.md"] + [path for path in page.pages("docs/manual/*.md")
                                    if not path.endswith("first-steps.md")])  # has its own test
        os.chdir("/")
    checks.end()


if __name__ == "__main__":
    main()

"""The course, as a student takes it: every scene of an exercise is written and every command of it is
typed as it stands there; what comes out is what the answer says. The other commands of the pages are
typed too, made short. Files that the pages name are there."""
import os
import re
import tempfile
import commands
import course_answers
import page

checks = page.Checks()
LONG = bool(os.environ.get("MOTE_LONG"))
PAGES = ["docs/course.md"] + page.pages("docs/course/*.md")


class Exercise:
    """From its heading to the next: scenes and commands, and the numbers of its answer, in bold."""

    def __init__(self, path, line, text):
        stem = os.path.splitext(os.path.basename(path))[0]
        self.name = f"{stem} " + re.match(r"#### Exercise (\d+)", text)[1]
        self.where, self.line, self.text = path, line, text
        self.blocks = page.blocks_of(text.splitlines(), line)
        answer = text.partition("**Answer.**")[2]
        self.numbers = [float(n) for n in re.findall(r"\*\*(-?\d[\d.]*(?:e-?\d+)?)[^*]*\*\*", answer)]


def exercises(path):
    parts = re.split(r"^(?=#{2,4} )", page.read(path), flags=re.M)
    found, line = [], 1
    for part in parts:
        if part.startswith("#### Exercise"):
            found.append(Exercise(path, line, part))
        line += part.count("\n")
    return found


def study(words, where, done={}):
    """Studies are long, and several exercises read the same one."""
    if tuple(words) not in done:
        done[tuple(words)] = page.typed(checks, words, where).stdout
    return done[tuple(words)]


def do_exercise(exercise):
    outputs = []
    for block in exercise.blocks:
        if block.language == "js":
            page.make_scene(checks, exercise.where, block)
        for words in page.commands(block) if block.language == "sh" else []:
            where = f"{exercise.where}:{block.line}"
            outputs.append(study(words, where) if words[1] == "study" else
                           page.typed(checks, words, where).stdout)
    return outputs


def compare(exercise, outputs):
    """What was measured beside the numbers that stand in the answer."""
    measure, *tolerances = course_answers.ANSWERS[exercise.name]
    found = measure(outputs)
    same = len(found) == len(exercise.numbers) == len(tolerances)
    checks.check(same, f"{exercise.name}: {found} measured, {exercise.numbers} said")
    for value, said, tolerance in zip(found, exercise.numbers, tolerances):
        checks.near(value, said, tolerance, f"{exercise.where}:{exercise.line}: {exercise.name}")


def take(exercise):
    known = exercise.name in course_answers.ANSWERS
    checks.check(known, f"{exercise.name}: there is no check of its answer")
    if not known:
        return
    if exercise.name in course_answers.LONG and not LONG:
        print("left to MOTE_LONG:", exercise.name)
        return
    failed = checks.failed
    outputs = do_exercise(exercise)
    if checks.failed == failed:
        compare(exercise, outputs)


def files_are_there(path):
    """Files between `...` count from the root, those of links from the page."""
    text, folder = page.read(path), os.path.dirname(path)
    named = re.findall(r"`((?:src|study|bench|cli|scenes|docs|tests|examples)/[\w./-]+)`", text)
    links = [link for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in link]
    for name in named + [os.path.join(folder, link) for link in links]:
        checks.check(os.path.exists(os.path.join(page.SOURCE, name)), f"{path}: there is no {name}")


def main():
    found = [exercise for path in PAGES for exercise in exercises(path)]
    names = {exercise.name for exercise in found}
    checks.check(names == set(course_answers.ANSWERS), f"answers without exercise: {names}")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for exercise in found:
            take(exercise)
        typed = {tuple(words) for exercise in found for block in exercise.blocks
                 for words in page.commands(block)}
        if LONG:
            del commands.SKIPPED["study"]
        commands.prepare()
        commands.type_pages(PAGES, typed)
        os.chdir("/")
    for path in PAGES:
        files_are_there(path)
    checks.failed += commands.checks.failed
    checks.end()


if __name__ == "__main__":
    main()

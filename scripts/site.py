#!/usr/bin/env python3
"""The site: every page of the documentation as HTML, with links that lead somewhere.

site.py OUTPUT       README, CHANGELOG, CONTRIBUTING, docs/, the notebooks and the C reference, and the
                     playground where it was made
site.py --check      names every link, anchor and picture that is not there, and fails

The Markdown is what the pages use: headings, paragraphs, lists, tables, code, pictures, links. Needs
nothing but the standard library.
"""
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
PLAYGROUND = SOURCE / "build-playground" / "site"  # where `make playground` has left one
STYLE = """body{max-width:54rem;margin:2rem auto;padding:0 1rem;font:16px/1.5 sans-serif;color:#222}
pre{background:#f5f5f5;padding:.7rem;overflow:auto}code{font-size:.92em}img{max-width:100%}
table{border-collapse:collapse;display:block;overflow:auto}td,th{border:1px solid #ccc;padding:.2rem .5rem}
nav{border-bottom:1px solid #ccc;margin-bottom:1rem}nav a{margin-right:1rem}"""
MENU = (("mote", "index.html"), ("Manual", "docs/manual/first-steps.html"),
        ("Gallery", "docs/gallery.html"), ("Course", "docs/course.html"),
        ("Validation", "docs/validation.html"), ("C interface", "api/index.html"),
        ("Changes", "CHANGELOG.html"))


# ---- inline ----

def anchor(text):
    """As GitHub names headings."""
    text = re.sub(r"`|\*|\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-")


def inline(text, links):
    """Emphasis, code, pictures and links; what is linked to is added to `links`."""
    kept = []

    def keep(found):
        kept.append(found)
        return "\0%d\0" % (len(kept) - 1)

    def link(found):
        bang, words, target = found.groups()
        links.append(target)
        shown = html.escape(page_of(target), quote=True)
        if bang:
            return keep('<img src="%s" alt="%s">' % (shown, html.escape(words, quote=True)))
        return keep('<a href="%s">' % shown) + words + keep("</a>")
    text = re.sub(r"(`+)(.+?)\1", lambda m: keep("<code>%s</code>" % html.escape(m[2].strip())), text)
    text = re.sub(r"(!?)\[([^]]*)\]\(([^)\s]+)\)", link, text)
    text = html.escape(text, quote=False)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"(?<![\w*])\*(?!\s)([^*]+?)\*(?!\w)", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)
    return text


def page_of(target):
    """The page of the site that a link to a file means."""
    path, mark, rest = target.partition("#")
    if "://" in path or not path:
        return target
    if path.split("/")[-1] == "README.md":
        path = path[:-len("README.md")] + "index.html"
    return re.sub(r"\.(md|ipynb)$", ".html", path) + mark + rest


# ---- blocks ----

class Page:
    """Markdown to HTML; `links` and `anchors` are what it refers to and can be referred to by."""

    def __init__(self, text):
        self.links, self.anchors, self.title, self._out = [], set(), "mote", []
        self._lines, self._at = text.split("\n"), 0
        while self._at < len(self._lines):
            self._block()
        self.html = "\n".join(self._out)

    def _line(self):
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _take_while(self, wanted):
        start = self._at
        while self._at < len(self._lines) and wanted(self._lines[self._at]):
            self._at += 1
        return self._lines[start:self._at]

    def _block(self):
        line = self._line()
        for pattern, make in ((r"\s*```", self._code), (r"#{1,6} ", self._heading), (r"\|", self._table),
                              (r"( *)([-*]|\d+\.) ", self._list), (r"    \S", self._indented)):
            if re.match(pattern, line):
                make()
                return
        if not line.strip():
            self._at += 1
        elif re.fullmatch(r"-{3,}", line.strip()):
            self._at += 1
            self._out.append("<hr>")
        else:
            self._paragraph()

    def _code(self):
        indent = len(self._line()) - len(self._line().lstrip())
        self._at += 1
        lines = self._take_while(lambda line: not line.strip().startswith("```"))
        self._at += 1
        self._out.append("<pre><code>%s</code></pre>" % html.escape(
            "\n".join(line[indent:] for line in lines)))

    def _indented(self):
        lines = self._take_while(lambda line: line.startswith("    ") or not line.strip())
        self._out.append("<pre><code>%s</code></pre>" % html.escape(
            "\n".join(line[4:] for line in lines).rstrip()))

    def _heading(self):
        marks, text = re.match(r"(#+) (.*)", self._line()).groups()
        self._at += 1
        name = anchor(text)
        while name in self.anchors:
            name += "-1"
        self.anchors.add(name)
        shown = inline(text, self.links)
        if len(marks) == 1:
            self.title = re.sub(r"<.*?>", "", shown)
        self._out.append('<h%d id="%s">%s</h%d>' % (len(marks), name, shown, len(marks)))

    def _table(self):
        rows = [re.split(r"(?<!\\)\|", line.strip().strip("|"))
                for line in self._take_while(lambda line: line.startswith("|"))]
        ruled = len(rows) > 1 and all(re.fullmatch(r"\s*:?-+:?\s*", cell) for cell in rows[1])
        self._out.append("<table>")
        for number, row in enumerate(rows):
            if ruled and number == 1:
                continue
            kind = "th" if ruled and number == 0 else "td"
            self._out.append("<tr>%s</tr>" % "".join("<%s>%s</%s>" % (
                kind, inline(cell.strip().replace("\\|", "|"), self.links), kind) for cell in row))
        self._out.append("</table>")

    def _list(self):
        """Items go on in deeper lines; lists inside of lists are pages of their own."""
        indent = len(re.match(r" *", self._line())[0])
        ordered = bool(re.match(r" *\d", self._line()))
        self._out.append("<ol>" if ordered else "<ul>")
        start = re.compile(r" {%d}([-*]|\d+\.) " % indent)
        while start.match(self._line()):
            width = start.match(self._line()).end()
            item = [self._line()[width:]]
            self._at += 1
            item += [line[width:] if not line[:width].strip() else line for line in self._take_while(
                lambda line: not start.match(line) and line.strip() and not re.match(r"#|\||```", line)
                or line.startswith(" " * width))]
            inner = Page("\n".join(item))
            self.links += inner.links
            body = re.sub(r"^<p>(.*?)</p>", r"\1", inner.html, count=1, flags=re.S)
            self._out.append("<li>%s</li>" % body)
        self._out.append("</ol>" if ordered else "</ul>")

    def _paragraph(self):
        lines = [self._line()]
        self._at += 1
        lines += self._take_while(lambda line: line.strip() and not re.match(
            r"\s*```|#{1,6} |\||( *)([-*]|\d+\.) ", line))
        self._out.append("<p>%s</p>" % inline("\n".join(lines), self.links))


def notebook(text):
    """A notebook as Markdown."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else "```python\n%s\n```" % source)
    return "\n\n".join(parts)


# ---- the whole ----

def reference(folder):
    subprocess.run([sys.executable, str(SOURCE / "scripts/api-docs.py"), str(SOURCE / "include"),
                    str(folder)], check=True)


def sources():
    """Path in the site -> text of the page."""
    found = {}
    files = [SOURCE / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
    files += sorted((SOURCE / "docs").rglob("*.md")) + sorted((SOURCE / "docs").rglob("*.ipynb"))
    for path in files:
        if path.exists():
            text = path.read_text()
            found[path.relative_to(SOURCE).as_posix()] = (notebook(text) if path.suffix == ".ipynb"
                                                          else text)
    with tempfile.TemporaryDirectory() as folder:
        reference(folder)
        for path in sorted(Path(folder).glob("*.md")):
            found["api/" + path.name] = path.read_text()
    return found


def resolve(page, target):
    """(path of the file that a link leads to, anchor)"""
    path, _, mark = target.partition("#")
    return (os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page), mark


def dead_links(pages):
    for name, page in pages.items():
        for target in page.links:
            if re.match(r"\w+:", target):
                continue
            path, mark = resolve(name, target)
            if path in pages:
                if mark and mark not in pages[path].anchors:
                    yield "%s: %s: there is no heading #%s in %s" % (name, target, mark, path)
            elif path.startswith("..") or not (SOURCE / path).exists():
                yield "%s: %s is not there" % (name, target)


def document(name, page):
    up = "../" * name.count("/")
    played = (("Playground", "playground/index.html"),) if PLAYGROUND.is_dir() else ()
    menu = "".join('<a href="%s%s">%s</a>' % (up, target, text) for text, target in MENU + played)
    return ('<!doctype html><html lang="en"><meta charset="utf-8"><title>%s</title>'
            '<meta name="viewport" content="width=device-width"><style>%s</style><nav>%s</nav>%s</html>\n'
            % (html.escape(page.title), STYLE, menu, page.html))


def linked_files(pages):
    """What pages show or link to that is no page: pictures, sources, scenes."""
    for name, page in pages.items():
        for target in page.links:
            path = resolve(name, target)[0]
            if path not in pages and not re.match(r"\w+:", target) and (SOURCE / path).is_file():
                yield path


def write(output, pages):
    for name, page in pages.items():
        path = output / page_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(document(name, page))
    for name in set(linked_files(pages)):
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(SOURCE / name, output / name)


def main(output):
    pages = {name: Page(text) for name, text in sources().items()}
    bad = list(dead_links(pages))
    links = sum(len(page.links) for page in pages.values())
    if bad:
        sys.exit("\n".join(bad) + "\n%d dead links" % len(bad))
    if output is not None:
        write(Path(output), pages)
        if PLAYGROUND.is_dir():
            shutil.copytree(PLAYGROUND, Path(output) / "playground", dirs_exist_ok=True)
    print("%d pages, %d links, all of which lead somewhere" % (len(pages), links))


if __name__ == "__main__":
    if len(sys.argv) != 2 or (sys.argv[1].startswith("-") and sys.argv[1] != "--check"):
        sys.exit(__doc__.strip())
    main(None if sys.argv[1] == "--check" else sys.argv[1])

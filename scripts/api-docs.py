#!/usr/bin/env python3
"""The API reference, from the comments of the public headers.

api-docs.py INCLUDE OUTPUT     a page of Markdown for each header, and an index
api-docs.py --check INCLUDE    names every public item without a comment, and fails

A comment belongs to what stands below it, and to what follows that without a blank line; one behind
a line belongs to that line. `things_count` behind `things` and a `context` behind functions explain
themselves.
"""
import re
import sys
from pathlib import Path

TOKEN = re.compile(r"/\*.*?\*/|[^/]+|/", re.S)


class Statement:
    """A declaration, a member or a choice, with its comment."""

    def __init__(self, code, first, last):
        self.code, self.first, self.last = code, first, last
        self.doc, self.members = "", []
        self.shares = False  # its comment with what follows

    def name(self):
        code = re.sub(r"\{.*\}", "", self.code, flags=re.S)
        for pattern in (r"#define (\w+)", r"MOTE_MAKER\(\w+, (\w+)\)", r"\(\*(?:const )?(\w+)\)\(",
                        r"\b(mote_\w+)\s*\(", r"(\w+)(?:\[[^]]*\])*\s*(?:=.*)?$"):
            found = re.search(pattern, code.strip(), re.S)
            if found:
                return found.group(1)
        return code


def clean(comment):
    lines = [re.sub(r"^\s*\*? ?", "", line) for line in comment[2:-2].splitlines()]
    return " ".join(line.strip() for line in lines if line.strip())


def split(text, line, separator):
    """Statements and comments of a text that begins in that line: (first, last, code or comment)."""
    pieces, code, first, depth = [], "", line, 0
    for token in TOKEN.findall(text):
        if token.startswith("/*"):
            if code.strip():
                code += token if depth > 0 else " "
            if depth == 0:
                pieces.append((line, line + token.count("\n"), token))
            line += token.count("\n")
            continue
        for c in token:
            if not code.strip():
                code, first = "", line
            code += c
            depth += (c in "({") - (c in ")}")
            define = code.startswith("#")
            ends = c == "\n" and not code.endswith("\\\n") if define else (
                depth == 0 and (c == separator or (c == ")" and code.startswith("MOTE_MAKER"))))
            if ends:
                pieces.append((first, line, code.strip().rstrip(separator)))
                code = ""
            line += c == "\n"
    if code.strip():
        pieces.append((first, first + code.rstrip().count("\n"), code.strip()))
    return sorted(pieces, key=lambda piece: (piece[0], piece[2].startswith("/*")))


def by_itself(statement, before):
    """What needs no comment: names, how many there are of what stands before, contexts, makers."""
    name = statement.name()
    if name == "name":
        return "its name"
    if name.endswith("_def") or name.endswith("_def_init"):
        return "The defaults."
    if before is None:
        return ""
    if name.endswith("context"):
        return "handed to " + before.name()
    if name.endswith("_count") and before.name().startswith(name[:-len("_count")][:4]):
        return "how many there are of " + before.name()
    return ""


def read(text, line, separator):
    """The statements of a text, each with its comment."""
    statements, above, above_end = [], "", -2
    pieces = split(text, line, separator)
    for first, last, piece in pieces:
        if piece.startswith("/*"):
            if statements and first == statements[-1].last:
                for statement in statements:
                    if statement.last == first and not statement.shares:
                        statement.doc = clean(piece)
                continue
            above, above_end = clean(piece), last
            continue
        statement = Statement(piece, first, last)
        before = statements[-1] if statements else None
        if above_end == first - 1:
            statement.doc, statement.shares = above, True
        elif before is not None and before.last >= first - 1 and before.shares:
            statement.doc, statement.shares = before.doc, True
        statement.doc = statement.doc or by_itself(statement, before)
        statements.append(statement)
    return statements


def body_of(text):
    """What of a header is for programs, line for line."""
    def blank(found):
        return "\n" * found.group(0).count("\n")
    text = re.sub(r"#ifdef __cplusplus\n.*?#endif\n", blank, text, flags=re.S)
    text = re.sub(r"#(if|ifndef|ifdef|else|endif|include)[^\n]*\n", "\n", text)
    text = re.sub(r"#define \w+_H\n", "\n", text)
    return re.sub(r"#define (MOTE_API|MOTE_MAKER)\b(.*\\\n)*.*\n", blank, text)


def items_of(path):
    text = path.read_text()
    head = re.match(r"/\*.*?\*/", text, re.S)
    body = body_of(text[head.end():])
    items = read(body, text[:head.end()].count("\n") + 1, ";")
    for item in items:
        found = re.match(r"(?:typedef )?(struct|enum)\b[^{;]*\{(.*)\}", item.code, re.S)
        if found:
            line = item.first + item.code[:item.code.index("{")].count("\n")
            item.members = read(found.group(2), line, ";" if found.group(1) == "struct" else ",")
            alone = "\n" not in item.code or len(item.members) <= 2
            for member in item.members:
                member.doc = member.doc or (item.doc if alone else "")
    return clean(head.group(0)), items


def undocumented(path):
    for item in items_of(path)[1]:
        plain = item.code.startswith("enum") and item.members
        if not item.doc and not plain:
            yield item.first, item.name()
        for member in item.members:
            if not member.doc:
                yield member.first, item.name() + "." + member.name()


def escape(text):
    return text.replace("|", "\\|")


def page(path):
    about, items = items_of(path)
    lines = ["# <mote/%s>" % path.name, "", about, ""]
    for item in items:
        code = re.sub(r"/\*.*?\*/", "", item.code, flags=re.S)
        code = re.sub(r"\{.*\}", "{ ... }", code, flags=re.S).replace("MOTE_API ", "")
        if code.startswith("MOTE_MAKER") or item.name().endswith("_def_init"):
            if not code.startswith("MOTE_MAKER"):
                continue
            kind, maker = re.findall(r"\w+", code)[1:3]
            code = "%s %s(void)" % (kind, maker)
        lines += ["## " + item.name(), "", "```c", " ".join(code.split()) + ";", "```", ""]
        lines += [item.doc, ""] if item.doc else []
        if item.members:
            lines += ["| | |", "| --- | --- |"]
            lines += ["| `%s` | %s |" % (escape(" ".join(re.sub(r"/\*.*?\*/", "", m.code, flags=re.S)
                                                         .split())), escape(m.doc))
                      for m in item.members]
            lines.append("")
    return "\n".join(lines)


def write(include, output):
    output.mkdir(parents=True, exist_ok=True)
    index = ["# The C interface of mote", "", "| header | |", "| --- | --- |"]
    for path in headers(include):
        about = items_of(path)[0]
        (output / (path.stem + ".md")).write_text(page(path))
        index.append("| [`<mote/%s>`](%s.md) | %s |" % (path.name, path.stem,
                                                        escape(about.split(". ")[0])))
    (output / "index.md").write_text("\n".join(index) + "\n")


def headers(include):
    return sorted(p for p in Path(include, "mote").glob("*.h") if p.name != "mote.h")


def check(include):
    count = 0
    bad = []
    for path in headers(include):
        items = items_of(path)[1]
        count += len(items) + sum(len(item.members) for item in items)
        bad += ["%s:%d: %s has no comment" % (path.name, line, name)
                for line, name in undocumented(path)]
    print("\n".join(bad) if bad else "%d public items, each with a comment" % count)
    if count < 800:
        print("but only %d items were found" % count)
    return bool(bad) or count < 800


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2]))
    write(sys.argv[1], Path(sys.argv[2]))

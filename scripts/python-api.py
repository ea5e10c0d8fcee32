#!/usr/bin/env python3
"""The C interface as Python data, from the public headers: python-api.py INCLUDE OUTPUT

What is written is read by python/mote/_library.py, which makes ctypes of it for either precision.
A type is a word ("real", "size_t", "text", "pointer", the name of a struct), a pair (type, count)
for an array, or ("function", result, arguments) for a function that the host hands over.
"""
import importlib.util
import re
import sys
from pathlib import Path

PLAIN = {"mote_real": "real", "double": "double", "float": "float", "int": "int", "bool": "bool",
         "size_t": "size_t", "uint64_t": "uint64", "int64_t": "int64", "uint32_t": "uint32",
         "long": "long", "void": None}


def reader_of_headers():
    path = Path(__file__).with_name("api-docs.py")
    spec = importlib.util.spec_from_file_location("api_docs", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bare(code):
    return " ".join(re.sub(r"/\*.*?\*/", " ", code, flags=re.S).split())


class Interface:
    def __init__(self):
        self.constants, self.enums, self.structs, self.functions = {}, set(), {}, {}

    # ---- types ----

    def plain(self, words):
        """A type without stars."""
        name = re.sub(r"\b(const|struct|enum)\b", "", words).strip()
        if name in PLAIN:
            return PLAIN[name]
        return "int" if name in self.enums else name

    def number(self, text):
        return self.constants[text] if text in self.constants else int(text, 0)

    def function(self, result, arguments):
        found = [decayed(self.declared(part)[0][1]) for part in split_arguments(arguments)]
        return "function", self.returned(result), tuple(found)

    def returned(self, text):
        stars = text.count("*")
        if stars:
            return "text" if bare(text).replace(" ", "") == "constchar*" else "pointer"
        return self.plain(text)

    def declared(self, code):
        """(name, type) of every declarator of a declaration."""
        code = code.strip()
        found = re.match(r"(.+?)\(\*(?:const )?(\w+)\)\s*\((.*)\)$", code)
        if found:
            return [(found.group(2), self.function(found.group(1), found.group(3)))]
        words, rest = re.match(r"((?:const |struct |unsigned )*\w+)\s*(.*)$", code).groups()
        return [self.declarator(words, part) for part in rest.split(",")]

    def declarator(self, words, part):
        if "(*" in part:  # a pointer to an array
            return re.search(r"\w+", part).group(0), "pointer"
        name = re.search(r"(\w+)\s*(\[[^]]*\]\s*)*$", part).group(1)
        counts = [self.number(text) for text in re.findall(r"\[(\w+)\]", part)]
        if "*" in part:
            text = words == "const char" and part.count("*") == 1
            kind = "text" if text else "pointer"
        else:
            kind = "char" if words == "char" else self.plain(words)
        for count in reversed(counts):
            kind = (kind, count)
        return name, kind

    # ---- declarations ----

    def add_enum(self, members):
        value = -1
        for member in members:
            name, _, text = bare(member.code).partition("=")
            text = text.split()[0] if text.strip() else str(value + 1)
            value = self.number(text)
            self.constants[name.strip()] = value

    def add_struct(self, name, members):
        fields = []
        for member in members:
            fields += self.declared(bare(member.code))
        self.structs[name] = tuple(fields)

    def add_function(self, code):
        found = re.match(r"MOTE_API (.*?)\b(mote_\w+)\s*\((.*)\)$", bare(code))
        if not found:
            return
        result, name, arguments = found.groups()
        types = [decayed(kind) for part in split_arguments(arguments)
                 for _, kind in self.declared(part)]
        self.functions[name] = (self.returned(result), tuple(types), bool(
            re.search(r"mote_Error \*error$", arguments)))

    def add(self, item):
        code = bare(item.code)
        found = re.match(r"(?:typedef )?(struct|enum)\s*(\w*)[^{]*\{", code)
        if found and found.group(1) == "enum":
            self.enums.add(found.group(2))
            self.add_enum(item.members)
        elif found:
            self.add_struct(found.group(2), item.members)
        elif code.startswith("MOTE_API"):
            self.add_function(item.code)


def decayed(kind):
    """An array as an argument is a pointer."""
    return "pointer" if isinstance(kind, tuple) and kind[0] != "function" else kind


def split_arguments(text):
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip() not in ("void", "")]


def ordered(paths):
    """Headers after those that they include."""
    by_name, done = {path.name: path for path in paths}, []

    def visit(path):
        if path in done:
            return
        for name in re.findall(r"#include <mote/(\w+\.h)>", path.read_text()):
            if name in by_name:
                visit(by_name[name])
        done.append(path)
    for path in paths:
        visit(path)
    return done


def typed_function_names(text):
    """typedef'd functions are pointers wherever they stand."""
    return re.sub(r"\bmote_TaskBody \*", "void *", re.sub(r"\bmote_Overlay\b", "void *", text))


def main(include, output):
    docs = reader_of_headers()
    interface = Interface()
    for path in ordered(docs.headers(include)):
        for item in docs.items_of(path)[1]:
            item.code = typed_function_names(item.code)
            for member in item.members:
                member.code = typed_function_names(member.code)
            interface.add(item)
    numbers = dict(re.findall(r"#define MOTE_VERSION_(\w+) (\d+)",
                              Path(include, "mote/base.h").read_text()))
    lines = ['"""The C interface of mote, made from its headers by scripts/python-api.py."""', "",
             'VERSION = "%s"' % ".".join(numbers[key] for key in ("MAJOR", "MINOR", "PATCH"))]
    for name in ("constants", "structs", "functions"):
        lines += ["", "%s = {" % name.upper()]
        lines += ["    %r: %r," % entry for entry in getattr(interface, name).items()] + ["}"]
    Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])

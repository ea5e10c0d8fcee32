"""How a function of a row makes an object of a scene."""
from __future__ import annotations

from typing import Union

Number = Union[float, str]  # a text is an expression: "= sin(2 * pi * t)"


def row(kind, given):
    """A dict of what was given; `from_` is the key `from`."""
    given = dict(given)
    given.update(given.pop("others"))
    found = {} if kind is None else {"type": kind}
    found.update((key.rstrip("_"), value) for key, value in given.items() if value is not None)
    return found

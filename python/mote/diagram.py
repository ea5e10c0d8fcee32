"""Small diagrams as SVG, which notebooks show: lines over an axis, and points."""
from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING, Any, Mapping, Tuple

from ._arrays import need_numpy

if TYPE_CHECKING:
    from ._frame import Particles

__all__ = ["Diagram", "lines", "points"]

_COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#7f7f7f")
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 24, 36


class Diagram:
    """An SVG. Notebooks show it; `save` writes it."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return "<diagram of %d bytes>" % len(self.svg)


class _Axis:
    """Numbers to pixels, with round marks; `log` for powers of ten."""

    def __init__(self, values, start, end, log=False):
        numpy = need_numpy()
        values = numpy.concatenate([numpy.ravel(numpy.asarray(v, float)) for v in values])
        values = values[numpy.isfinite(values) & ((values > 0) if log else True)]
        self._log, self._start, self._end = log, start, end
        scaled = numpy.log10(values) if log else values
        self.low, self.high = (scaled.min(), scaled.max()) if len(scaled) else (0.0, 1.0)
        if self.high - self.low < 1e-300:
            self.low, self.high = self.low - 0.5, self.high + 0.5

    def at(self, values):
        numpy = need_numpy()
        with numpy.errstate(all="ignore"):
            scaled = numpy.log10(values) if self._log else numpy.asarray(values, float)
            share = (scaled - self.low) / (self.high - self.low)
        return self._start + share * (self._end - self._start)

    def marks(self):
        numpy = need_numpy()
        span = self.high - self.low
        step = 10 ** numpy.floor(numpy.log10(span / 3))
        step *= next(k for k in (1, 2, 5, 10) if span / (k * step) <= 6)
        if self._log:
            step = max(1, round(step))
        found = numpy.arange(numpy.ceil(self.low / step), numpy.floor(self.high / step) + 1) * step
        return [10.0 ** value if self._log else value for value in found]


def _frame(x, y, size, labels):
    width, height = size
    parts = ['<rect x="%g" y="%g" width="%g" height="%g" fill="none" stroke="#999"/>'
             % (_LEFT, _TOP, width - _LEFT - _RIGHT, height - _TOP - _BOTTOM)]
    for value in x.marks():
        parts.append('<text x="%.1f" y="%g" text-anchor="middle">%g</text>'
                     % (x.at(value), height - _BOTTOM + 14, value))
    for value in y.marks():
        parts.append('<text x="%g" y="%.1f" text-anchor="end">%g</text>'
                     % (_LEFT - 5, y.at(value) + 4, value))
    parts.append('<text x="%g" y="%g" text-anchor="middle">%s</text>'
                 % ((width + _LEFT) / 2, height - 5, escape(labels[0])))
    parts.append('<text x="%g" y="14">%s</text>' % (8, escape(labels[1])))
    return parts


def _svg(parts, size):
    return Diagram('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
                   'font-family="sans-serif" font-size="11">'
                   '<rect width="100%%" height="100%%" fill="white"/>%s</svg>'
                   % (size[0], size[1], "".join(parts)))


def lines(curves: Mapping[str, Tuple[Any, Any]], x: str = "", y: str = "", log: str = "",
          size: Tuple[int, int] = (520, 320)) -> Diagram:
    """Curves: name -> (x values, y values); of a name with "o" before it, points alone. `log` names
    the axes with powers of ten: "", "x", "y", "xy"."""
    across = _Axis([c[0] for c in curves.values()], _LEFT, size[0] - _RIGHT, "x" in log)
    up = _Axis([c[1] for c in curves.values()], size[1] - _BOTTOM, _TOP, "y" in log)
    parts = _frame(across, up, size, (x, y))
    for i, (name, (xs, ys)) in enumerate(curves.items()):
        color = _COLORS[i % len(_COLORS)]
        dots = name.startswith("o ")
        places = [(a, b) for a, b in zip(across.at(xs), up.at(ys)) if a == a and b == b]
        if dots:
            parts += ['<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>' % (a, b, color)
                      for a, b in places]
        else:
            parts.append('<polyline fill="none" stroke="%s" points="%s"/>'
                         % (color, " ".join("%.1f,%.1f" % place for place in places)))
        parts.append('<text x="%g" y="%g" fill="%s">%s</text>'
                     % (_LEFT + 8, _TOP + 14 + 13 * i, color, escape(name[2:] if dots else name)))
    return _svg(parts, size)


def points(particles: Particles, axes: str = "xy", color: str | None = None,
           size: Tuple[int, int] = (480, 320), most: int = 20000) -> Diagram:
    """Particles as dots, in two of their three coordinates; at most so many of them."""
    numpy = need_numpy()
    position = numpy.asarray(particles["position"])[::max(1, particles.count // most)]
    a, b = ("xyz".index(axis) for axis in axes)
    across = _Axis([position[:, a]], _LEFT, size[0] - _RIGHT)
    up = _Axis([position[:, b]], size[1] - _BOTTOM, _TOP)
    parts = _frame(across, up, size, (axes[0] + " (m)", axes[1] + " (m)"))
    shades = _shades(particles, color, len(position), most)
    parts += ['<circle cx="%.1f" cy="%.1f" r="1.2" fill="%s"/>' % dot
              for dot in zip(across.at(position[:, a]), up.at(position[:, b]), shades)]
    return _svg(parts, size)


def _shades(particles, column, count, most):
    """A colour for each dot, from blue to red with the column's size."""
    numpy = need_numpy()
    if column is None:
        return [_COLORS[0]] * count
    values = numpy.asarray(particles[column], float)[::max(1, particles.count // most)]
    values = numpy.linalg.norm(values, axis=1) if values.ndim > 1 else values
    low, high = (values.min(), values.max()) if len(values) else (0, 1)
    share = (values - low) / (high - low if high > low else 1)
    return ["rgb(%d,60,%d)" % (255 * s, 255 * (1 - s)) for s in share]

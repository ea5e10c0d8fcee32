#!/usr/bin/env python3
"""Prints the constants of src/base/math.h and math.c (needs mpmath).

Each polynomial is the Chebyshev interpolant of the part of a function that is left after its exact
leading terms, so that rounding a coefficient to double costs nothing; "error" is the largest
error of the function relative to its value that the truncation leaves, in bits.
"""
from mpmath import (asin, atan, atanh, chebyfit, cos, exp, floor, frexp, ldexp, linspace, log, mp,
                    mpf, pi, polyval, sin, sqrt)

mp.prec = 1400


def top(value, bits):
    """The first `bits` bits of a value, the rest cut off."""
    mantissa, exponent = frexp(value)
    return ldexp(floor(ldexp(mantissa, bits)), exponent - bits)


def polynomial(name, rest, interval, count, share):
    """share(z): how much of the function's value is one unit of rest(z)."""
    coefficients = chebyfit(rest, interval, count)
    rounded = [mpf(float(c)) for c in coefficients]
    points = [p for p in linspace(interval[0], interval[1], 400) if p != 0]
    error = max(abs((polyval(rounded, p) - rest(p)) * share(p)) for p in points)
    print(f"{name}: error 2^{float(log(error, 2)):.1f}")
    print("    " + ", ".join(float(c).hex() for c in reversed(coefficients)))


def parts(name, value, widths):
    """value as a sum of doubles with these many bits each."""
    texts = []
    for width in widths:
        part = top(value, width)
        texts.append(float(part).hex())
        value -= part
    print(f"{name}: " + ", ".join(texts))


def pair(name, value):
    """value as the nearest double and the nearest double to what is left."""
    print(f"{name}: {float(value).hex()}, {float(value - mpf(float(value))).hex()}")


def odd(function, slope=1):
    """(function(s) - slope s) / s^3 as a function of z = s^2."""
    return lambda z: (function(sqrt(z)) - slope * sqrt(z)) / (z * sqrt(z))


def log_tail(z):
    s = sqrt(z)
    return (2 * atanh(s) - 2 * s - 2 * s**3 / 3 - 2 * s**5 / 5) / s**7


octant = [mpf(10) ** -40, (pi / 4) ** 2 * mpf("1.001")]
cos_rest = lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2
for suffix, sin_count, cos_count in ("", 6, 6), ("f", 4, 3):
    polynomial("sin" + suffix, odd(sin), octant, sin_count, lambda z: z)
    polynomial("cos" + suffix, cos_rest, octant, cos_count, lambda z: z**2)

half_ln2 = log(2) / 2 * mpf("1.001")
exp_range = [-half_ln2, half_ln2 * mpf("1.001")]  # lopsided: no interpolation point falls on 0
exp_rest = lambda r: (exp(r) - 1 - r) / r**2
for suffix, count in ("", 11), ("f", 6):
    polynomial("exp" + suffix, exp_rest, exp_range, count, lambda r: r**2 / exp(r))

log_range = [mpf(10) ** -40, ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.001")]
log_rest = odd(lambda s: 2 * atanh(s), 2)
for suffix, count in ("", 7), ("f", 4):
    polynomial("log" + suffix, log_rest, log_range, count, lambda z: z / 2)
polynomial("log tail for pow", log_tail, log_range, 8, lambda z: z**3 / 2)
polynomial("atan", odd(atan), [mpf(10) ** -40, mpf(3) ** 2 / 256], 8, lambda z: z)
polynomial("asin", odd(asin), [mpf(10) ** -40, mpf(1) / 4], 13, lambda z: z)

parts("pi/2, k < 2^13", pi / 2, [40, 40, 53])
parts("pi/2, float, k < 2^20", pi / 2, [33, 53])
parts("ln 2, k < 2^11", log(2), [42, 53])
for name, value in (("pi/2", pi / 2), ("pi", pi), ("ln 2", log(2)), ("2/3", mpf(2) / 3),
                    ("2/5", mpf(2) / 5), ("2/pi", 2 / pi), ("1/ln 2", 1 / log(2))):
    pair(name, value)
for k in range(2, 9):
    pair(f"atan({k}/8)", atan(mpf(k) / 8))
bits = int(floor(ldexp(2 / pi, 64 * 19)))
words = [0] + [(bits >> 64 * (18 - i)) & (2**64 - 1) for i in range(19)]
print("2/pi, 64 zero bits first: " + ", ".join(f"{w:#018x}" for w in words))

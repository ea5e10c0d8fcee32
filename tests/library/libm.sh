#!/bin/sh
# libm.sh BUILD NAME: libNAME.so calls no function of the C library whose last bit differs between
# machines. Exact ones are allowed: sqrt fabs floor ceil trunc round rint nearbyint fmod remainder
# copysign ldexp scalbn frexp modf fmin fmax and their float variants.
set -eu
build=$1 name=$2
forbidden="sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1
    log log2 log10 log1p pow pow10 cbrt hypot erf erfc tgamma lgamma gamma j0 j1 jn y0 y1 yn sincos
    drem significand fma"
undefined=$(mktemp)
trap 'rm -f "$undefined"' EXIT
nm -D --undefined-only "$build/lib$name.so" | awk '{ print $NF }' | sed 's/@.*//' | sort -u > "$undefined"
if ! grep -q '^memcpy$' "$undefined"; then echo "no undefined symbols were read"; exit 1; fi
bad=0
for function in $forbidden; do
    for symbol in "$function" "${function}f" "${function}l" "__${function}_finite" "__${function}f_finite"; do
        if grep -qx "$symbol" "$undefined"; then echo "lib$name calls $symbol"; bad=1; fi
    done
done
[ "$bad" = 0 ] && echo "lib$name: no inexact function of libm"
exit "$bad"

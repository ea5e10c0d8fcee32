#!/bin/sh
# headers.sh INCLUDE GENERATED CC [CXX]: every public header compiles alone, as C17 and as C++17,
# with and without MOTE_DOUBLE.
set -eu
include=$1 generated=$2 cc=$3 cxx=${4:-}
flags="-I$include -I$generated -Wall -Wextra -Wpedantic -Wshadow -Werror -fsyntax-only"
count=0
for header in "$include"/mote/*.h; do
    for define in -DMOTE_SINGLE -DMOTE_DOUBLE; do
        line="#include <mote/$(basename "$header")>"
        echo "$line" | $cc -std=c17 $flags -Wstrict-prototypes $define -x c -
        count=$((count + 1))
        [ -n "$cxx" ] || continue
        echo "$line" | $cxx -std=c++17 $flags $define -x c++ -
        count=$((count + 1))
    done
done
[ -n "$cxx" ] || echo "skipped: no C++ compiler"
[ "$count" -ge 20 ]
echo "$count compilations of public headers"

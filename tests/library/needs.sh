#!/bin/sh
# needs.sh BUILD NAME: libNAME has nothing of what draws plots and legends, or of what reads pictures:
# neither the shared library nor whatever is linked with the static one needs it.
set -eu
build=$1 name=$2
drawing='cairo|png|pixman|freetype|fontconfig|X11'

readelf -d "$build/lib$name.so" | grep NEEDED > /dev/null || { echo "readelf says nothing"; exit 1; }
if readelf -d "$build/lib$name.so" | grep NEEDED | grep -E "$drawing"; then
    echo "lib$name.so needs it"
    exit 1
fi
if nm -u "$build/lib$name.a" | grep -E ' (cairo|png)_'; then echo "lib$name.a calls it"; exit 1; fi
if grep -E "$drawing" "$build/$name.pc"; then echo "$name.pc asks for it"; exit 1; fi
readelf -d "$build/lib$name.so" | sed -n "s/.*NEEDED.*\[\(.*\)\]/lib$name.so needs \1/p"

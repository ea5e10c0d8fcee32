#!/bin/sh
# symbols.sh BUILD INCLUDE NAME PREFIX: libNAME.so and libNAME.a export the functions that the public
# headers declare and nothing else, all with PREFIX.
set -eu
build=$1 include=$2 name=$3 prefix=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat "$include"/mote/*.h | tr '\n' ' ' | grep -o 'MOTE_API[^;{]*' |
    grep -v '^MOTE_API *__attribute__' | grep -o 'mote_[a-z0-9_]* *(' | tr -d ' (' |
    sed "s/^mote_/$prefix/" | sort -u > "$work/declared"
nm -D --defined-only "$build/lib$name.so" | awk '{ print $NF }' | sort -u > "$work/shared"
nm -g --defined-only "$build/lib$name.a" | awk 'NF == 3 { print $3 }' | sort -u > "$work/static"

for kind in shared static; do
    count=$(wc -l < "$work/$kind")
    if [ "$count" -lt 40 ]; then echo "lib$name ($kind) exports only $count symbols"; exit 1; fi
    if ! cmp -s "$work/declared" "$work/$kind"; then
        echo "lib$name ($kind): declared (<) and exported (>) differ:"
        diff "$work/declared" "$work/$kind" || true
        exit 1
    fi
    echo "lib$name ($kind): $count symbols, all $prefix"
done

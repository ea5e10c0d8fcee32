#!/bin/sh
# The program as one file that needs nothing of the system it runs on, linked with musl:
# static.sh BUILD-FOLDER [CMAKE-OPTIONS...]. Without what needs other libraries: plots, hulls of
# points, traced pictures.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
command -v musl-gcc >/dev/null || { echo "static.sh: musl-gcc is missing (Debian: musl-tools)" >&2; exit 1; }

# musl-gcc sees no headers of the system; these two libraries do not depend on the C library's.
mkdir -p "$build/system"
for name in zlib.h zconf.h Random123; do
    [ -e "/usr/include/$name" ] || { echo "static.sh: /usr/include/$name is missing" >&2; exit 1; }
    ln -sfn "/usr/include/$name" "$build/system/$name"
done
zlib=$(gcc -print-file-name=libz.a)
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_C_COMPILER=musl-gcc -DMOTE_OPTIONAL=OFF \
    -DMOTE_TESTS=OFF -DMOTE_DOUBLE_TOO=OFF -DCMAKE_EXE_LINKER_FLAGS=-static \
    -DCMAKE_C_FLAGS="-isystem $build/system" -DZLIB_LIBRARY="$zlib" \
    -DZLIB_INCLUDE_DIR="$build/system" "$@" >"$build/configure.log" ||
    { cat "$build/configure.log"; exit 1; }
ninja -C "$build" mote
strip "$build/mote"

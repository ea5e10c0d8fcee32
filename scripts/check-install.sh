#!/bin/sh
# Installs a build to a temporary folder, compiles an example with what pkg-config says, against
# the shared and the static libraries in both precisions, and runs it:
# check-install.sh BUILD-FOLDER COMPILER
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
compiler=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --install "$build" --prefix "$prefix" >/dev/null
pc=$(find "$prefix" -name mote.pc)
PKG_CONFIG_PATH=${pc%/*}
LD_LIBRARY_PATH=$(pkg-config --with-path="$PKG_CONFIG_PATH" --variable=libdir mote)
export PKG_CONFIG_PATH LD_LIBRARY_PATH

try() {
    echo "$1, $2"
    "$prefix/example"
    rm "$prefix/example"
}

for library in mote mote-double; do
    $compiler "$source/examples/minimal.c" -o "$prefix/example" \
        $(pkg-config --cflags --libs $library)
    ldd "$prefix/example" | grep -q "lib$library\.so\.[0-9]* => $prefix"
    try $library shared
    $compiler "$source/examples/minimal.c" -o "$prefix/example" \
        $(pkg-config --static --cflags --libs $library | sed "s/ -l$library / -l:lib$library.a /")
    ! ldd "$prefix/example" | grep -q "lib$library\.so"
    try $library static
done

#!/bin/sh
# The playground as a static folder: playground.sh BUILD makes BUILD/site. Exits with 77 where there is
# no compiler for WebAssembly.
set -eu
cd "$(dirname "$0")/.."
if ! echo '#include <stdio.h>' | clang --target=wasm32-wasi -c -x c -o /dev/null - 2>/dev/null ||
    ! command -v wasm-ld >/dev/null; then
    echo "playground: no compiler for WebAssembly; on Debian:" >&2
    echo "    apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32" >&2
    exit 77
fi
mkdir -p "$1"
if [ ! -f "$1/build.ninja" ]; then # ninja itself configures again
    cmake -G Ninja -S . -B "$1" -DCMAKE_TOOLCHAIN_FILE=cmake/wasm.cmake -DMOTE_OPTIONAL=OFF \
        -DMOTE_TESTS=OFF >"$1/configure.log"
fi
ninja -C "$1" playground >"$1/build.log" || { tail -n 40 "$1/build.log" >&2; exit 1; }
scripts/playground.py "$1/playground.wasm" "$1/site"

#!/bin/bash
# A build notices libraries that come and go, and install-deps.sh stops for none it can do without.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
    failures=$((failures + 1))
    echo "failed: $*"
}

# ---- a library of a project of its own ----

mkdir -p "$work/tree" "$work/prefix/include" "$work/prefix/lib"
cat >"$work/tree/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.18)
project(parts LANGUAGES C)
include($source/cmake/parts.cmake)
mote_part(MADEUP madeup.h madeup libmadeup-dev "nothing made up")
get_target_property(definitions mote-parts INTERFACE_COMPILE_DEFINITIONS)
file(WRITE \${PROJECT_BINARY_DIR}/definitions \${definitions})
add_custom_target(nothing ALL COMMAND true)
PROJECT

# builds_with 0|1: what the next build knows of the library
builds_with() {
    ninja -C "$work/build" >"$work/log" 2>&1 || fail "the build: $(cat "$work/log")"
    grep -q "MOTE_WITH_MADEUP=$1" "$work/build/definitions" || fail "$2"
}

cmake -G Ninja -S "$work/tree" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" \
    >"$work/log" 2>&1 || fail "configuring: $(cat "$work/log")"
builds_with 0 "it found what is not there"
touch "$work/prefix/include/madeup.h" "$work/prefix/lib/libmadeup.so"
builds_with 1 "a library that was installed is not noticed"
rm "$work/prefix/include/madeup.h" "$work/prefix/lib/libmadeup.so"
builds_with 0 "a library that was removed is not noticed"

# ---- packages, with a Debian that is made up ----

mkdir "$work/bin"
# program NAME: its text comes from standard input
program() {
    { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
for tool in grep sed sh env cat; do ln -s "$(command -v $tool)" "$work/bin"; done
program id <<<'echo 1000'
program dpkg-query <<'PROGRAM'
while [ "$1" != -W ]; do shift; done
shift 3
for package; do
    case " $MISSING " in *" $package "*) ;; *) echo "installed $package" ;; esac
done
PROGRAM

# deps MISSING WORDS...: a user who is not root and has no sudo
deps() {
    local missing=$1
    shift
    env -i PATH="$work/bin" MISSING="$missing" sh "$source/scripts/install-deps.sh" "$@" \
        >"$work/log" 2>&1
}

deps "" demo || fail "with all packages: $(cat "$work/log")"
[ ! -s "$work/log" ] || fail "with all packages it says: $(cat "$work/log")"
deps cmake demo && fail "without cmake it goes on"
grep -q 'apt-get install.* cmake$' "$work/log" || fail "no advice: $(cat "$work/log")"
deps libembree-dev demo && [ ! -s "$work/log" ] || fail "the demo asks for ray tracing: $(cat "$work/log")"
for words in all "--say all"; do
    deps libembree-dev $words || fail "$words: without libembree-dev it stops"
    grep -q 'apt-get install.* libembree-dev$' "$work/log" ||
        fail "$words: it does not say how to get ray tracing: $(cat "$work/log")"
done
exit "$failures"

#!/bin/sh
# Installs the Debian packages that are missing: install-deps.sh [--say] demo|all|test|fuzz|playground|test-all
# demo is what the demo needs, all is what the programs can use.
# With --say it installs nothing: it names what is missing and fails, unless mote can do without.
# MOTE_SKIP_DEPS=1 skips all.
set -eu

optional="ffmpeg libcairo2-dev libcivetweb-dev" # video, plots, view
demo="gcc libc6-dev cmake ninja-build zlib1g-dev librandom123-dev $optional"
tracing="libembree-dev" # of 45 MB, and the demo is drawn without
optional="$optional $tracing"
test="clang-format g++ pkg-config python3 python3-numpy python3-jsonschema python3-venv unzip
    libpng-dev libkissfft-dev libfftw3-dev pocl-opencl-icd libopenmpi-dev openmpi-bin"
fuzz="clang libclang-rt-14-dev llvm lld"
# Clients of what we write and compilers for other machines: more than a gigabyte.
clients="bash fish zsh nodejs npm chromium blender paraview python3-paraview meshlab xvfb xauth libgl1-mesa-dri
    python3-openvdb libopenvdb-tools python3-nbclient python3-ipykernel dpkg-dev musl-tools debootstrap podman qemu-user
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
    gcc-mingw-w64-x86-64 libz-mingw-w64-dev wine64 mypy"
playground="clang lld wasi-libc libclang-rt-14-dev-wasm32 python3 cmake ninja-build librandom123-dev"

say_only=no
if [ "${1-}" = --say ]; then say_only=yes; shift; fi
case "${1-}" in
demo) wanted=$demo ;;
all) wanted="$demo $tracing" ;;
test) wanted="$demo $tracing $test $fuzz" ;;
test-all)
    wanted="$demo $tracing $test $fuzz $clients $playground"
    optional="$optional $(echo $clients) wasi-libc libclang-rt-14-dev-wasm32"
    ;;
playground) wanted=$playground ;;
fuzz) wanted="$demo $fuzz" ;;
*) echo "usage: install-deps.sh [--say] demo|all|test|fuzz|playground|test-all" >&2; exit 2 ;;
esac

if [ -n "${MOTE_SKIP_DEPS-}" ]; then exit 0; fi
if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian system: going on without a check of the packages ($wanted)." >&2
    exit 0
fi

# without_all PACKAGES: can mote do without each of them?
without_all() {
    for package; do
        case " $optional " in *" $package "*) ;; *) return 1 ;; esac
    done
}

# here PACKAGE: is its command on the path, whoever put it there? Node's own package brings npm and
# excludes Debian's: asked for all the same, it would keep every other package from coming.
here() {
    case $1 in nodejs) set -- node ;; esac
    command -v "$1" >/dev/null
}

missing=""
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null || true)
for package in $wanted; do
    echo "$installed" | grep -qx "installed $package" || here "$package" ||
        missing="$missing $package"
done
if [ -z "$missing" ]; then exit 0; fi

install="apt-get install -y --no-install-recommends$missing"
# What to type where this script must not or cannot install; ends it.
advise() {
    if command -v sudo >/dev/null; then become="sudo "; else become=""; fi
    echo "Missing packages:$missing" >&2
    [ -n "$become" ] || [ "$(id -u)" = 0 ] || echo "As root, run:" >&2
    echo "    ${become}apt-get update && ${become}$install" >&2
    without_all $missing || exit 1
    echo "Going on without: mote does less then, and \`mote info\` says what. What is installed" \
        "later is used by the next make." >&2
    exit 0
}

if [ "$say_only" = yes ]; then advise; fi
if [ "$(id -u)" = 0 ]; then
    as_root="env DEBIAN_FRONTEND=noninteractive"
elif command -v sudo >/dev/null; then
    as_root="sudo env DEBIAN_FRONTEND=noninteractive"
else
    advise
fi

echo "Installing packages:$missing"
for package in $missing; do
    apt-cache show --no-all-versions "$package" >/dev/null 2>&1 ||
        { $as_root apt-get -q update || advise; break; }
done
# Old package lists name files that are gone from the mirrors: a second try has new ones.
$as_root $install || { $as_root apt-get -q update && $as_root $install; } || advise

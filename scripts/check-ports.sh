#!/bin/bash
# The library on other systems and processors: check-ports.sh PORT FOLDER [MAKERS]
#   arm64 armhf   cross-built for Linux; golden hashes run under qemu
#   windows       cross-built by mingw-w64; golden hashes run under Wine
#   bsd           system_bsd.c in the place of system_linux.c, run here
# Golden hashes are those of tests/world/goldens.h, in float and double. The build stays in FOLDER, so that a second
# run takes a moment. Status 77 when what builds or runs it is not there.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
port=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
jobs=${3:-$(nproc)}
options=(-DMOTE_OPTIONAL=OFF -DMOTE_WERROR=ON -DMOTE_DOUBLE_TOO=ON -DMOTE_TESTS=ON)

skip() {
    echo "skipped: $*"
    exit 77
}

# needs PROGRAM PACKAGE
needs() {
    command -v "$1" >/dev/null || skip "$1 is not there (Debian: $2)"
}

# zlib of another processor's Debian, with package lists of our own: the system's stay as they are.
foreign_zlib() {
    local arch=$1 apt=$folder/apt
    [ ! -e "$folder/root/usr/include/zlib.h" ] || return 0
    needs apt-get apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/root"
    local own=(-q -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "APT::Architecture=$arch"
        -o "APT::Architectures::=$arch" -o APT::Sandbox::User=root)
    # Other sources than Debian's may have nothing for it, of which apt-get complains.
    (cd "$apt" && { apt-get "${own[@]}" update || true; } &&
        apt-get "${own[@]}" download "zlib1g:$arch" "zlib1g-dev:$arch") >"$folder/apt.log" 2>&1 || skip "apt-get cannot fetch zlib1g-dev:$arch: $(tail -n 1 "$folder/apt.log")"
    for package in "$apt"/*.deb; do dpkg -x "$package" "$folder/root"; done
}

# cross PROCESSOR COMPILER SYSTEM ROOT...
cross() {
    local roots
    roots=$(IFS=';' && echo "${*:4}")
    # headers alone, of any system
    mkdir -p "$folder/headers"
    ln -sfn /usr/include/Random123 "$folder/headers/Random123"
    options+=("-DCMAKE_SYSTEM_NAME=$3" "-DCMAKE_SYSTEM_PROCESSOR=$1" "-DCMAKE_C_COMPILER=$2"
        "-DCMAKE_FIND_ROOT_PATH=$roots" -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY
        -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY "-DCMAKE_C_FLAGS=-isystem $folder/headers")
}

# build TARGETS...
build() {
    (cmake -G Ninja -S "$source" -B "$folder/build" "${options[@]}" &&
        ninja -j "$jobs" -C "$folder/build" "$@") >"$folder/log" 2>&1 ||
        { grep -A 5 -E "error|Error" "$folder/log" | head -n 60; exit 1; }
}

# golden EMULATOR...: all scenes in both precisions, without threads and with; half of the kinds that run natively
golden() {
    for precision in float double; do
        local program
        program=$(ls "$folder/build/tests/test-$precision-world-golden"{,.exe} 2>/dev/null | head -n 1)
        (cd "$folder" && "$@" "$program" one_thread && "$@" "$program" scenes_are_alive) ||
            { echo "other bits on $port in $precision"; exit 1; }
    done
}

# linux DEBIAN-NAME PROCESSOR TRIPLET EMULATOR
linux() {
    needs "$3-gcc" "gcc-$3"
    needs "$4" qemu-user
    foreign_zlib "$1"
    cross "$2" "$3-gcc" Linux "$folder/root/usr" "$folder/root" "/usr/$3"
    options+=("-DCMAKE_LIBRARY_ARCHITECTURE=$3")
    build test-float-world-golden test-double-world-golden mote
    golden "$4" -L "/usr/$3"
    (cd "$folder" && "$4" -L "/usr/$3" build/mote run first --frames 2 --no-pictures -q --force -o "$folder/run") ||
        { echo "the program does not run"; exit 1; }
}

check_arm64() {
    linux arm64 aarch64 aarch64-linux-gnu qemu-aarch64
}

check_armhf() {
    linux armhf armv7 arm-linux-gnueabihf qemu-arm
}

check_windows() {
    local wine
    needs x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    [ -e /usr/x86_64-w64-mingw32/include/zlib.h ] || skip "zlib of mingw is not there (Debian: libz-mingw-w64-dev)"
    cross x86_64 x86_64-w64-mingw32-gcc Windows /usr/x86_64-w64-mingw32
    options+=(-DCMAKE_EXE_LINKER_FLAGS=-static -DZLIB_LIBRARY=/usr/x86_64-w64-mingw32/lib/libz.a)
    build test-float-world-golden test-double-world-golden test-float-base-system
    wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null) ||
        { echo "it compiles; not run, because Wine is not there (Debian: wine64)"; return; }
    export WINEPREFIX=$folder/wine WINEDEBUG=-all
    (cd "$folder" && "$wine" build/tests/test-float-base-system.exe) || { echo "failed: system"; exit 1; }
    golden "$wine"
}

check_bsd() {
    options+=(-DMOTE_SYSTEM=bsd -DMOTE_ONE_ISA=ON -DMOTE_DOUBLE_TOO=OFF)
    build mote test-float-base-system test-float-base-memory test-float-io-files test-float-tasks-tasks
    for test in base-system base-memory io-files tasks-tasks; do
        "$folder/build/tests/test-float-$test" || { echo "failed: $test"; exit 1; }
    done
}

"check_$port"
echo "all is well on $port"

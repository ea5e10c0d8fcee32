#!/bin/bash
# Installs a build to a temporary folder and uses what is there as a new user would, without any
# variable that helps: the programs run, manual pages and completions are in the usual places, and
# an example that is compiled with what pkg-config or CMake say, against the shared and the static
# libraries in each precision that was built, runs too, and needs nothing that draws:
# check-install.sh BUILD-FOLDER COMPILER
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
    echo "failed: $*"
    exit 1
}

# As it would be for root and a folder of the system: one that ldconfig lists.
mkdir "$work/bin"
cat >"$work/bin/ldconfig" <<SCRIPT
#!/bin/sh
if [ "\${1-}" = -v ]; then echo "$prefix/lib: (from nowhere)"; else touch "$work/listed"; fi
SCRIPT
chmod +x "$work/bin/ldconfig"
PATH=$work/bin:$PATH cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 ||
    fail "$(cat "$work/log")"
lib=$(dirname "$(find "$prefix" -name libmote.so)")
[ "$lib" != "$prefix/lib" ] || [ -e "$work/listed" ] || fail "ldconfig was not told"

# clean WORDS...: with no variables but the PATH
clean() {
    env -i PATH="$PATH" "$@"
}

names=$(cd "$prefix/bin" && echo mote*)
for name in $names; do
    clean "$prefix/bin/$name" info >/dev/null || fail "$name does not run"
    (mkdir "$work/elsewhere" && cd "$work/elsewhere" && clean "$prefix/bin/$name" run first \
        --frames 1 --no-pictures --quiet) >"$work/log" 2>&1 || fail "run first: $(cat "$work/log")"
    clean "$prefix/bin/$name" check "$prefix/share/mote/scenes/first.json5" >"$work/log" 2>&1 ||
        fail "a scene that is installed: $(cat "$work/log")"
    rm -r "$work/elsewhere"
    page=$prefix/share/man/man1/$name.1
    [ -s "$page" ] || fail "$name has no manual page"
    if command -v man >/dev/null; then
        man --warnings -l "$page" >"$work/page" 2>"$work/log" || fail "man: $(cat "$work/log")"
        [ ! -s "$work/log" ] || fail "man warns: $(cat "$work/log")"
        grep -q "$name render" "$work/page" || fail "the manual page of $name lacks render"
    fi
    completions=$prefix/share/bash-completion/completions/$name
    bash -c "set -eu; . '$completions'; complete -p $name" >/dev/null || fail "bash completion of $name"
    for file in zsh/site-functions/_$name fish/vendor_completions.d/$name.fish; do
        [ -s "$prefix/share/$file" ] || fail "$file is not there"
        if command -v "${file%%/*}" >/dev/null; then "${file%%/*}" -n "$prefix/share/$file"; fi
    done
done

pc=$(find "$prefix" -name mote.pc)
PKG_CONFIG_PATH=${pc%/*}
export PKG_CONFIG_PATH

try() {
    echo "$1, $2"
    ! ldd "$work/example" | grep -E 'cairo|png|X11' || fail "a program needs what draws"
    clean "$work/example"
    rm "$work/example"
}

# other_header SED-SCRIPT TEXT: a program that was built against a header of another version gets an
# error that says so from the first function that takes the definition.
other_header() {
    rm -rf "$work/other"
    cp -r "$prefix/include" "$work/other"
    sed -i "$1" "$work/other/mote/world.h"
    ! cmp -s "$work/other/mote/world.h" "$prefix/include/mote/world.h" || fail "the header is the same"
    $compiler -I"$work/other" "$source/examples/minimal.c" -o "$work/example" \
        $(pkg-config --cflags --libs mote)
    ! clean "$work/example" >"$work/log" 2>&1 || fail "a program of another header runs"
    grep -q "mote_WorldDef: .*$2" "$work/log" || fail "another header: $(cat "$work/log")"
    echo "$2: refused"
}
other_header '/void \*before_context;/d' "built against an older header"
other_header 's/void \*before_context;/&double added, further;/' "built against a newer header"

# All examples, each with the output that it promises; in a folder that they may write to.
cd "$work"
for library in $names; do
    while read -r name prints; do
        [ -e "$source/examples/$name.c" ] || continue # of both libraries, below
        $compiler "$source/examples/$name.c" -o "$work/example" \
            $(pkg-config --cflags --libs $library) -pthread -lm
        clean "$source/scripts/check-output.sh" "$prints" "$work/example" || fail "$name, $library"
    done <"$source/examples/prints.txt"
    $compiler "$source/examples/minimal.c" -o "$work/example" \
        $(pkg-config --cflags --libs $library)
    ldd "$work/example" | grep -q "lib$library\.so\.[0-9.]* => $prefix" ||
        fail "a program does not find lib$library: $(ldd "$work/example")"
    try $library shared
    $compiler "$source/examples/minimal.c" -o "$work/example" \
        $(pkg-config --static --cflags --libs $library | sed "s/ -l$library / -l:lib$library.a /")
    ! ldd "$work/example" | grep -q "lib$library\.so" || fail "a static program needs lib$library"
    try $library static
    $compiler -static "$source/examples/minimal.c" -o "$work/example" \
        $(pkg-config --static --cflags --libs $library)
    ! ldd "$work/example" >/dev/null 2>&1 || fail "gcc -static makes a program that needs libraries"
    try $library "gcc -static"
    mkdir "$work/$library"
    cat >"$work/$library/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
find_package(mote 0.2 REQUIRED)
add_executable(example $source/examples/minimal.c)
target_link_libraries(example mote::$library)
PROJECT
    cmake -S "$work/$library" -B "$work/$library" -DCMAKE_PREFIX_PATH="$prefix" \
        -DCMAKE_C_COMPILER="$compiler" >"$work/log" 2>&1 || fail "find_package: $(cat "$work/log")"
    cmake --build "$work/$library" >"$work/log" 2>&1 || fail "mote::$library: $(cat "$work/log")"
    mv "$work/$library/example" "$work/example"
    try $library "find_package"
done

if [ -e "$prefix/bin/mote-double" ]; then
    for library in mote mote-double; do
        $compiler -c "$source/examples/both_precisions/swing.c" -o "$work/$library.o" $(pkg-config --cflags $library)
    done
    $compiler "$source/examples/both_precisions/main.c" "$work/mote.o" "$work/mote-double.o" -o "$work/example" \
        $(pkg-config --libs mote mote-double) -lm
    clean "$source/scripts/check-output.sh" "$(sed -n 's/^both_precisions //p' "$source/examples/prints.txt")" \
        "$work/example" || fail "both precisions"
fi

# In the tree of another project; that its source finds the headers is seen without building the library.
mkdir "$work/inside"
cat >"$work/inside/CMakeLists.txt" <<PROJECT
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
add_subdirectory($source mote)
add_library(user OBJECT $source/examples/minimal.c)
target_link_libraries(user mote::mote)
PROJECT
(cmake -G Ninja -S "$work/inside" -B "$work/inside/build" -DCMAKE_C_COMPILER="$compiler" -DMOTE_TESTS=OFF &&
    ninja -C "$work/inside/build" user) >"$work/log" 2>&1 || fail "add_subdirectory: $(tail -n 20 "$work/log")"
echo "mote, add_subdirectory"

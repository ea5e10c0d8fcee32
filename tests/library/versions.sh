#!/bin/sh
# versions.sh SOURCE BUILD: one version everywhere. What says it: the header, CMake, the program, its manual page, pkg-config,
# CMake's package, the library's name for the linker, Python, the Blender add-on, the newest heading of the changelog and
# the manual. A release has a date in the changelog, and the manual page the same.
set -eu
source=$1 build=$2
failed=0

# is WHAT FOUND WANTED
is() {
    [ "$2" = "$3" ] || { echo "$1 says $2, not $3"; failed=1; }
}

version=$(sed -n 's/^#define MOTE_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$source/include/mote/base.h" | paste -sd .)
echo "$version" | grep -qE '^[0-9]+\.[0-9]+\.[0-9]+$' || { echo "the header says $version"; exit 1; }
is "CMakeLists.txt" "$(sed -n 's/^project(mote VERSION \([^ ]*\) .*/\1/p' "$source/CMakeLists.txt")" "$version"
for name in mote mote-double; do
    [ -x "$build/$name" ] || continue
    is "$name --version" "$("$build/$name" --version | head -n 1)" "$name $version"
    is "the page of $name" "$("$build/$name" man | sed -n '1s/.*"\(mote[^"]*\)".*/\1/p')" "mote $version"
    is "$name.pc" "$(sed -n 's/^Version: //p' "$build/$name.pc")" "$version"
    library=$build/lib$name.so
    if [ -e "$library" ] && command -v readelf >/dev/null; then
        is "lib$name.so" "$(readelf -d "$library" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')" "lib$name.so.${version%.*}"
    fi
done
is "CMake's package" "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")/\1/p' "$build/mote-config-version.cmake")" "$version"
if [ -e "$build/python/mote/_headers.py" ]; then
    is "Python" "$(sed -n "s/^VERSION = [\"']\(.*\)[\"']/\1/p" "$build/python/mote/_headers.py")" "$version"
fi
is "the add-on" "$(sed -n 's/^ *"version": (\(.*\)),/\1/p' "$source/blender/mote_blender/__init__.py" | tr -d ' ' | tr , .)" \
    "$version"
is "docs/manual/python.md" "$(sed -n 's/.*mote-\([0-9.]*\)-py3.*/\1/p' "$source/docs/manual/python.md" | head -n 1)" "$version"

# "## 0.2.0, unreleased" or "## 0.2.0, 2026-11-18"
heading=$(sed -n '/^## /{s/^## //p;q;}' "$source/CHANGELOG.md")
is "the changelog" "${heading%%,*}" "$version"
date=${heading#*, }
case $date in
unreleased) ;;
[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9])
    is "the date of the manual page" "$("$build/mote" man | sed -n '1s/^[^"]*"\([^"]*\)".*/\1/p')" "$date" ;;
*) echo "the changelog's heading has neither a date nor \"unreleased\": $heading"; failed=1 ;;
esac
exit $failed

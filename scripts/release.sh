#!/bin/sh
# A release: release.sh check says whether this commit can be one, release.sh tag also gives it its tag, with the
# changelog's words, release.sh files FOLDER makes what users get: the archive, and out of that archive wheel,
# Debian package, static program and Blender add-on, with SHA256SUMS over all. Nothing is sent anywhere.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^#define MOTE_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/mote/base.h | paste -sd .)

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

# The newest section of the changelog, without its heading.
changes() {
    sed -n '/^## /{x;s/^/x/;/^xx/q;x;d;};x;/^x/{x;p;d;};x' CHANGELOG.md
}

check() {
    [ -z "$(git status --porcelain)" ] || fail "there are changes that no commit has: git status"
    heading=$(sed -n '/^## /{s/^## //p;q;}' CHANGELOG.md)
    [ "${heading%%,*}" = "$version" ] ||
        fail "the header says $version, and the newest heading of CHANGELOG.md is \"$heading\""
    echo "$heading" | grep -qE ', [0-9]{4}-[0-9]{2}-[0-9]{2}$' ||
        fail "CHANGELOG.md: \"## $heading\" has no date; \"## $version, $(date +%F)\" would be right"
    ! git rev-parse -q --verify "refs/tags/$version" >/dev/null ||
        fail "$version has been tagged: $(git log -1 --oneline "$version")"
}

tag() {
    check
    { printf 'mote %s\n' "$version"; changes; } | git tag -a --cleanup=verbatim -F - "$version"
    echo "tagged $(git log -1 --oneline); to publish it: git push origin $version"
}

files() {
    mkdir -p "$1"
    output=$(cd "$1" && pwd)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    scripts/dist.sh "$output"
    tar -xzf "$output/mote-$version.tar.gz" -C "$work"
    for target in wheel deb static blender; do make -C "$work/mote-$version" "$target"; done
    (cd "$work/mote-$version" && cp build-wheel/mote-*.whl build-deb/mote_*.deb build/mote-blender.zip "$output" &&
        cp build-static/mote "$output/mote-$version-linux-$(uname -m)")
    (cd "$output" && sha256sum mote* >SHA256SUMS && cat SHA256SUMS)
}

case "${1-} $#" in
"check 1") check && echo "$version can be released" ;;
"tag 1") tag ;;
"files 2") files "$2" ;;
*) echo "usage: release.sh check | tag | files FOLDER" >&2; exit 2 ;;
esac

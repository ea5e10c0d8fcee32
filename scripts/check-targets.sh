#!/bin/bash
# What make makes for users, out of the release archive of a fresh clone, opened as they open it:
# check-targets.sh [TARGET...]. Without a name, all of wheel, deb, static, blender, docs, site and install. Kernels for
# one instruction set are enough to see it. Status 77 where there is no repository to clone, or nothing was tried.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone=$work/clone archives=$work/archives tree=$work/tree
quick="cmake -G Ninja -DMOTE_ONE_ISA=ON -S . -B"
failed=0 tried=0

fail() {
    echo "failed: $*"
    failed=1
    return 1
}

# made TARGET [NAME=VALUE...]: make's own words only when it fails
made() {
    tried=$((tried + 1))
    make -C "$tree" CMAKE="$quick" "$@" >"$work/log" 2>&1 || fail "make $*: $(tail -n 20 "$work/log")"
}

# missing PROGRAM PACKAGE: says so
missing() {
    ! command -v "$1" >/dev/null && echo "skipped: $1 is not there (Debian: $2)"
}

# Through pip into an environment without anything, or with Debian's NumPy for the README's five lines.
try_wheel() {
    made wheel || return
    local python=/usr/bin/python3 wheel
    wheel=$(ls "$tree"/build-wheel/mote-*.whl)
    "$python" -m venv "$work/plain" && "$work/plain/bin/pip" install --no-index -q "$wheel" ||
        { fail "pip install $wheel"; return; }
    (cd "$work" && "$work/plain/bin/python" -c 'import mote; mote.World("first").step(); print(mote.__version__)') ||
        { fail "the wheel without NumPy"; return; }
    "$python" -c 'import numpy' 2>/dev/null || { echo "skipped: no NumPy for the lines of the README"; return; }
    "$python" -m venv --system-site-packages "$work/arrays" && "$work/arrays/bin/pip" install --no-index -q "$wheel"
    sed -n '/^```python$/,/^```$/{/^```/d;p;}' "$source/README.md" >"$work/lines.py"
    [ "$(grep -c . "$work/lines.py")" = 5 ] || { fail "the README has no five lines of Python"; return; }
    (cd "$work" && "$work/arrays/bin/python" lines.py && [ -s dam.png ]) || fail "the lines of the README"
}

try_deb() {
    missing dpkg-shlibdeps dpkg-dev && return
    made deb || return
    "$source/scripts/check-packages.sh" deb-file "$(ls "$tree"/build-deb/mote_*.deb)" || { fail "the package"; return; }
    "$source/scripts/check-packages.sh" system "$(ls "$tree"/build-deb/mote_*.deb)"
    case $? in 0 | 77) ;; *) fail "the package in a Debian of its own" ;; esac
}

try_static() {
    missing musl-gcc musl-tools && return
    made static || return
    "$source/scripts/check-packages.sh" alone "$tree/build-static/mote" || fail "the static program"
}

try_blender() {
    made blender || return
    python3 - "$tree/build/mote-blender.zip" <<'SCRIPT' || fail "the add-on's zip"
import ast, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    names = archive.namelist()
    assert "mote_blender/__init__.py" in names and all(name.startswith("mote_blender/") for name in names), names
    for name in names:
        ast.parse(archive.read(name))
SCRIPT
}

try_docs() {
    made docs || return
    grep -q "mote_world_step" "$tree"/build/api/*.md || fail "the reference lacks mote_world_step"
}

try_site() {
    made site || return
    [ -s "$tree/build/site/index.html" ] || { fail "no index.html"; return; }
    # Every link inside leads to a file that is there.
    (cd "$tree/build/site" && python3 - <<'SCRIPT') || fail "the site"
import html.parser, pathlib, urllib.parse
class Links(html.parser.HTMLParser):
    found = ()
    def handle_starttag(self, tag, attributes):
        self.found += tuple(value for name, value in attributes if name in ("href", "src") and value)
pages = list(pathlib.Path(".").rglob("*.html"))
assert len(pages) > 20, len(pages)
for page in pages:
    links = Links()
    links.feed(page.read_text())
    for link in links.found:
        parts = urllib.parse.urlsplit(link)
        if not parts.scheme and parts.path:
            assert (page.parent / urllib.parse.unquote(parts.path)).exists(), (page, link)
SCRIPT
}

try_install() {
    made install "PREFIX=$work/prefix" || return
    (cd "$work" && env -i PATH=/usr/bin:/bin "$work/prefix/bin/mote" run first --frames 1 --no-pictures -q \
        -o "$work/first") || { fail "the program that is installed"; return; }
    printf '#include <mote/base.h>\n#include <stdio.h>\nint main(void) { return puts(mote_version()) < 0; }\n' \
        >"$work/user.c"
    PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name mote.pc)")
    export PKG_CONFIG_PATH
    cc "$work/user.c" -o "$work/user" $(pkg-config --cflags --libs mote) && env -i "$work/user" >/dev/null ||
        fail "a program with the library that is installed"
}

git clone -q "$source" "$clone" 2>/dev/null || { echo "skipped: $source is no repository of git"; exit 77; }
mkdir "$archives" "$tree"
make -s -C "$clone" dist && mv "$clone"/build/mote-*.tar.gz "$archives" && make -s -C "$clone" dist >/dev/null &&
    cmp "$clone"/build/mote-*.tar.gz "$archives"/mote-*.tar.gz || fail "make dist"
tar -xzf "$archives"/mote-*.tar.gz --strip-components=1 -C "$tree" || fail "the archive"
for target in ${*:-blender docs site install wheel deb static}; do
    start=$SECONDS
    "try_$target"
    echo "make $target: $((SECONDS - start)) s"
done
[ "$tried" -gt 0 ] || exit 77
exit $failed

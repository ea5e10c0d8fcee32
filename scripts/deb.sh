#!/bin/sh
# A Debian package of a build whose prefix is /usr: deb.sh BUILD-FOLDER OUTPUT-FOLDER
# MOTE_DEB_LEVEL (6) is how hard it is packed.
# Programs, manual pages, completions, scenes, libraries, headers and the Python package, in one.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
build=$1
output=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
version=$(sed -n 's/^#define MOTE_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$source/include/mote/base.h" |
    paste -sd .)

DESTDIR=$root cmake --install "$build" --prefix /usr >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \) -exec strip --strip-unneeded {} +
find "$root/usr/share/man" -type f -exec gzip -9n {} +
mkdir -p "$root/usr/lib/python3/dist-packages" "$root/usr/share/doc/mote" "$root/DEBIAN"
if [ -d "$build/python/mote" ]; then
    cp -r "$build/python/mote" "$root/usr/lib/python3/dist-packages"
    find "$root/usr/lib/python3" -name __pycache__ -exec rm -r {} +
fi
# Debian's zsh looks there.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions"
rmdir "$root/usr/share/zsh/site-functions"
cp "$source/LICENSE" "$root/usr/share/doc/mote/copyright"
gzip -9nc "$source/CHANGELOG.md" >"$root/usr/share/doc/mote/changelog.gz"
find "$root" -type d -exec chmod 755 {} +

# What it needs is asked of the programs and the libraries themselves.
mkdir "$work/debian"
echo "Source: mote" >"$work/debian/control"
needs=$(cd "$work" && find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \) -print |
    xargs dpkg-shlibdeps -O --ignore-missing-info -l"$(dirname "$(find "$root" -name libmote.so)")" \
        2>/dev/null | sed -n 's/^shlibs:Depends=//p')
cat >"$root/DEBIAN/control" <<CONTROL
Package: mote
Version: $version
Section: graphics
Priority: optional
Architecture: $(dpkg --print-architecture)
Maintainer: the authors of mote <mote@example.org>
Depends: $needs, python3:any
Recommends: ffmpeg
Suggests: python3-numpy, openmpi-bin
Installed-Size: $(du -sk "$root" | cut -f1)
Description: particle physics for graphics
 A scene file goes in; particles, cloth, liquids with their surfaces, smoke,
 fire and rigid bodies come out, as pictures, video, meshes and caches. The
 program, the library in two precisions with its headers, and a Python package.
CONTROL
for library in $(cd "$root" && find usr -name 'libmote*.so.*.*.*' -printf '%f\n'); do
    echo "${library%%.so*} ${version%.*} mote (>= $version)"
done >"$root/DEBIAN/shlibs"
echo "activate-noawait ldconfig" >"$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
mkdir -p "$output"
package=$output/mote_${version}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group -z"${MOTE_DEB_LEVEL:-6}" --build "$root" "$package" >"$work/log" || { cat "$work/log"; exit 1; }
echo "$package"

#!/bin/bash
# Packages as their users get them: check-packages.sh deb BUILD-FOLDER | deb-file PACKAGE | system PACKAGE |
# static BUILD-FOLDER | alone PROGRAM | container
# Status 77 when what makes or reads the package is not there.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "failed: $*"
    exit 1
}

# needs PROGRAM PACKAGE
needs() {
    command -v "$1" >/dev/null || { echo "skipped: $1 is not there (Debian: $2)"; exit 77; }
}

check_deb() {
    needs dpkg-shlibdeps dpkg-dev
    check_deb-file "$(MOTE_DEB_LEVEL=1 "$source/scripts/deb.sh" "$1" "$work" | tail -n 1)"
}

# dpkg itself installs it into a folder, with a list of packages of its own, and takes it out.
check_deb-file() {
    local package=$1 root=$work/root
    dpkg-deb --field "$package" Depends | grep -q "libc6 (>= .*zlib1g" || fail "Depends"
    mkdir -p "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/info"
    : >"$root/var/lib/dpkg/status"
    dpkg --root="$root" --force-not-root --force-depends --force-bad-path --log=/dev/null \
        -i "$package" >"$work/log" 2>&1 || fail "dpkg -i: $(cat "$work/log")"
    [ -s "$root/usr/share/doc/mote/copyright" ] || fail "no copyright"
    gzip -dc "$root/usr/share/man/man1/mote.1.gz" | grep -q '^\.TH MOTE 1' || fail "no manual page"
    (cd "$work" && env -i PATH=/usr/bin:/bin "$root/usr/bin/mote" run first --frames 1 \
        --no-pictures --quiet) >"$work/log" 2>&1 || fail "run: $(cat "$work/log")"
    local lib packages=$root/usr/lib/python3/dist-packages
    lib=$(dirname "$(find "$root" -name libmote.so)")
    if [ -d "$packages/mote" ]; then
        PYTHONDONTWRITEBYTECODE=1 MOTE_LIBRARY=$lib PYTHONPATH=$packages /usr/bin/python3 -c \
            'import mote; mote.World("first").step()' || fail "the Python package"
    fi
    (cd "$root" && md5sum --quiet -c var/lib/dpkg/info/mote.md5sums) || fail "sums"
    dpkg --root="$root" --force-not-root --force-bad-path --log=/dev/null -r mote >"$work/log" 2>&1 ||
        fail "dpkg -r: $(cat "$work/log")"
    [ -z "$(find "$root/usr" -type f 2>/dev/null)" ] || fail "left behind: $(find "$root/usr" -type f)"
}

# debian FOLDER: a Debian that has nothing but itself, by the name of the release in /etc/os-release, from where this
# system has its own packages. Status 77 and a line where it cannot be made.
debian() {
    local release mirror
    needs debootstrap debootstrap
    [ "$(id -u)" = 0 ] || { echo "skipped: only root may make another system"; exit 77; }
    release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | head -n 1)
    debootstrap --variant=minbase "$release" "$1" ${mirror:+"$mirror"} >"$work/log" 2>&1 ||
        { echo "skipped: debootstrap: $(tail -n 1 "$work/log")"; exit 77; }
}

# There apt fetches what the package asks for.
check_system() {
    local root=$work/debian
    debian "$root"
    cp "$1" "$root/mote.deb"
    chroot "$root" apt-get install -y -q --no-install-recommends /mote.deb >"$work/log" 2>&1 ||
        fail "apt-get install: $(tail -n 20 "$work/log")"
    chroot "$root" env -i PATH=/usr/bin:/bin sh -ec '
        mote --version
        mote run first --frames 2 --quiet -o /first
        test -s /first/images/frame_000002.png
        mote export /first --to vtp --quiet
        python3 -c "import mote; mote.World(\"first\").step()"' >"$work/log" 2>&1 || fail "in it: $(cat "$work/log")"
    chroot "$root" apt-get remove -y -q mote >"$work/log" 2>&1 || fail "apt-get remove: $(tail -n 20 "$work/log")"
    [ ! -e "$root/usr/bin/mote" ] || fail "the program is still there"
}

# One instruction set is enough to see that it builds; the bits are those of any other build.
check_static() {
    needs musl-gcc musl-tools
    "$source/scripts/static.sh" "$work/static" -DMOTE_ONE_ISA=ON >"$work/log" 2>&1 ||
        fail "$(tail -n 30 "$work/log")"
    check_alone "$work/static/mote"
    for program in "$work/static/mote" "$1/mote"; do
        (cd "$work" && env -i PATH=/usr/bin:/bin "$program" run first --frames 5 --no-pictures --quiet \
            -o "$work/$(basename "$(dirname "$program")")-run") >"$work/log" 2>&1 ||
            fail "run: $(cat "$work/log")"
    done
    "$1/mote" diff "$work/static-run" "$work/$(basename "$1")-run" >"$work/log" 2>&1 ||
        fail "other bits: $(cat "$work/log")"
}

# In a folder that holds nothing else, as the root of the system: no library, no /proc, no /tmp.
check_alone() {
    local root=$work/empty
    ! ldd "$1" >/dev/null 2>&1 || fail "it needs libraries: $(ldd "$1")"
    mkdir -p "$root"
    cp "$1" "$root/mote"
    if [ "$(id -u)" != 0 ]; then
        echo "not tried: only root may make a folder the root of the system"
        return
    fi
    chroot "$root" /mote run first --frames 2 --quiet -o /run >"$work/log" 2>&1 ||
        fail "in an empty system: $(cat "$work/log")"
    [ -s "$root/run/frames/frame_000002.npz" ] && [ -s "$root/run/images/frame_000002.png" ] ||
        fail "no frame or no picture in an empty system: $(find "$root")"
}

# The images of the system come from a registry; where it cannot be reached, from debootstrap, under the same names.
base_images() {
    local image
    for image in $(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$source/Containerfile"); do
        podman image exists "$image" || podman pull -q "$image" >/dev/null 2>&1 && continue
        [ -d "$work/debian" ] || debian "$work/debian"
        tar -C "$work/debian" -c . | podman import -q - "docker.io/library/$image" >/dev/null || fail "podman import"
    done
}

# As the first line of the Containerfile says, in a clone that has what a user's has. Where podman can build but start
# nothing, for the kernel's control groups or limits, its steps run by chroot, the last one as if it were one of them.
check_container() {
    local folder=$work/shared isolation=oci entry
    needs podman podman
    podman info >"$work/log" 2>&1 || { echo "skipped: podman: $(tail -n 1 "$work/log")"; exit 77; }
    base_images
    if ! podman run --rm debian:12 true >"$work/log" 2>&1; then
        echo "by chroot, since podman starts nothing here: $(tail -n 1 "$work/log")"
        isolation=chroot
    fi
    git clone -q "$source" "$work/clone"
    podman build --isolation=$isolation -t mote-check "$work/clone" >"$work/log" 2>&1 ||
        fail "$(tail -n 30 "$work/log")"
    mkdir "$folder"
    if [ $isolation = oci ]; then
        podman run --rm -v "$folder:/work" mote-check run first --frames 2 --quiet >"$work/log" 2>&1 ||
            fail "in it: $(cat "$work/log")"
    else
        entry=$(podman image inspect --format '{{join .Config.Entrypoint " "}}' mote-check)
        printf 'FROM mote-check\nRUN %s run first --frames 2 --quiet\n' "$entry" >"$work/run"
        podman build --isolation=chroot --no-cache -v "$folder:/work" -f "$work/run" "$folder" >"$work/log" 2>&1 ||
            fail "in it: $(cat "$work/log")"
    fi
    [ -n "$(find "$folder" -name frame_000002.png -size +0)" ] || fail "no picture: $(find "$folder")"
    podman rmi mote-check >/dev/null
}

"check_$1" "${@:2}"

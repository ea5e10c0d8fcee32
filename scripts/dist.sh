#!/bin/sh
# The release archive: dist.sh OUTPUT-FOLDER [COMMIT] writes mote-VERSION.tar.gz of a commit (HEAD). The same commit
# gives the same bytes wherever and whenever it is made: names in git's order, the commit's own time, no name or time in
# the packed file.
set -eu
cd "$(dirname "$0")/.."
output=$1
commit=${2:-HEAD}
git rev-parse -q --verify "$commit^{commit}" >/dev/null 2>&1 ||
    { echo "dist.sh: a release archive is made of a commit, and this is no repository of git" >&2; exit 1; }
version=$(git show "$commit:include/mote/base.h" |
    sed -n 's/^#define MOTE_VERSION_[A-Z]* \([0-9]*\)$/\1/p' | paste -sd .)
mkdir -p "$output"
# The user's own settings of git (tar.umask) would change the bytes.
git -c tar.umask=0022 archive --format=tar --prefix="mote-$version/" "$commit" | gzip -9n >"$output/mote-$version.tar.gz"
echo "$output/mote-$version.tar.gz"

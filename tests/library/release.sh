#!/bin/sh
# release.sh SOURCE: what may be released and what may not, in a repository that is made up, and an archive that has the
# same bytes whenever and wherever it is made.
set -eu
source=$1
command -v git >/dev/null || { echo "skipped: git is not there (Debian: git)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME="$work" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

fail() {
    echo "failed: $*"
    exit 1
}

# refused WORDS: the check says so
refused() {
    ! "$work/tree/scripts/release.sh" tag >"$work/said" 2>&1 || fail "released in spite of: $1"
    grep -q -e "$1" "$work/said" || fail "wanted \"$1\", said: $(cat "$work/said")"
}

commit() {
    git -C "$work/tree" add -A && git -C "$work/tree" commit -q -m "$1"
}

mkdir -p "$work/tree/scripts" "$work/tree/include/mote"
cp "$source/scripts/release.sh" "$source/scripts/dist.sh" "$work/tree/scripts"
cd "$work/tree"
git init -q .
printf '#define MOTE_VERSION_MAJOR 1\n#define MOTE_VERSION_MINOR 20\n#define MOTE_VERSION_PATCH 3\n' >include/mote/base.h
printf '# Changelog\n\n## 1.20.3, unreleased\n\n- New things,\n  many.\n\n## 1.19.0, 2001-02-03\n\n- Old things.\n' >CHANGELOG.md
commit "all"
refused "has no date; \"## 1.20.3, "
sed -i 's/1.20.3, unreleased/1.20.2, 2002-03-04/' CHANGELOG.md
commit "another version"
refused "the header says 1.20.3, and the newest heading of CHANGELOG.md is \"1.20.2, 2002-03-04\""
sed -i 's/1.20.2,/1.20.3,/' CHANGELOG.md
refused "changes that no commit has"
commit "right"
scripts/release.sh check | grep -qx "1.20.3 can be released" || fail "check"
[ -z "$(git tag)" ] || fail "a check has made a tag"
scripts/release.sh tag >"$work/said" || fail "$(cat "$work/said")"
[ "$(git tag -l --format='%(contents)' 1.20.3)" = "mote 1.20.3

- New things,
  many." ] || fail "the tag says: $(git tag -l --format='%(contents)' 1.20.3)"
refused "1.20.3 has been tagged"

archive=mote-1.20.3.tar.gz
scripts/dist.sh "$work/one" | grep -qx "$work/one/$archive" || fail "dist.sh"
git clone -q "$work/tree" "$work/elsewhere"
git config --global tar.umask 0077
(umask 077 && sleep 1 && TZ=Asia/Tokyo "$work/elsewhere/scripts/dist.sh" "$work/two" >/dev/null)
cmp "$work/one/$archive" "$work/two/$archive" || fail "the same commit gives other bytes"
tar -xzf "$work/one/$archive" -C "$work"
diff -r --exclude=.git "$work/tree" "$work/mote-1.20.3" || fail "the archive is not the tree"
! "$work/mote-1.20.3/scripts/dist.sh" "$work/three" 2>"$work/said" || fail "an archive of no commit"
grep -q "this is no repository of git" "$work/said" || fail "$(cat "$work/said")"

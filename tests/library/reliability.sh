#!/bin/sh
# reliability.sh SOURCE: every test that docs/reliability.md names exists, and every fuzz target is in
# its table.
set -eu
cd "$1"
bad=0 count=0
exists() {
    folder=tests/${1%/*} name=${1#*/}
    [ -e "$folder/test_$name.c" ] || [ -e "$folder/$name.sh" ] || [ -e "$folder/check_$name.py" ] ||
        [ -e "$folder/${name%%-*}.sh" ] || [ -e "tests/fuzz/corpus/$1" ] # or an input
}
for test in $(grep -o '`[a-z-]*/[a-z0-9_-]*`' docs/reliability.md | tr -d '`' | sort -u); do
    case $test in tests/* | build-*) continue ;; esac
    count=$((count + 1))
    exists "$test" || { echo "docs/reliability.md names $test, which is no test"; bad=1; }
done
for source in tests/fuzz/fuzz_*.c; do
    name=${source#tests/fuzz/fuzz_}
    grep -q "^| \`${name%.c}\` |" docs/reliability.md ||
        { echo "docs/reliability.md lacks the fuzz target ${name%.c}"; bad=1; }
done
echo "$count tests named"
[ "$bad" = 0 ] && [ "$count" -gt 20 ]

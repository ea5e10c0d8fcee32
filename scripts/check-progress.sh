#!/bin/bash
# test.sh is never silent: with a build, a test run and a failing build that are made up, and slow.
set -u
source=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts" "$work/bin"
cp "$source"/scripts/{test,progress}.sh "$work/scripts" 2>/dev/null
failures=0

fail() {
    failures=$((failures + 1))
    echo "failed: $*"
}

# program NAME: its text comes from standard input
program() {
    { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# holds PATTERN
holds() {
    grep -qE -e "$1" "$work/output" || fail "no line like $1 in: $(cat "$work/output")"
}

suite() {
    PATH=$work/bin:$PATH MOTE_PROGRESS_SECONDS=1 "$work/scripts/test.sh" "$@" >"$work/output" 2>&1
}

program cmake </dev/null
program ninja <<'PROGRAM'
echo '[400/1747] Building C object CMakeFiles/mote-plain.dir/src/base/text.c.o'
sleep 2.5
echo '[1747/1747] Linking C executable mote'
PROGRAM
program ctest <<'PROGRAM'
echo '  1/2 Test #7: float/base/text ....   Passed    0.01 sec'
sleep 2.5
while [ "$1" != --output-junit ]; do shift; done
printf '<testsuite\n\ttests="2"\n\tfailures="0"\n\tdisabled="0"\n\tskipped="0"\n>\n' >"$2"
PROGRAM

suite gcc || fail "a good suite: exit code"
holds '^\[gcc\] built 400 of 1747, [0-9]+ s; last: src/base/text\.c$'
holds '^  1/2 Test #7: float/base/text'
holds '^\[gcc\] tested 1 of 2, [0-9]+ s; last: float/base/text$'
[ "$(tail -n 1 "$work/output")" = "2 passed, 0 failed" ] || fail "the last line"

program ninja <<'PROGRAM'
echo '[1/9] Building C object a.o'
echo 'a.c:1: error: no'
exit 1
PROGRAM
suite gcc && fail "a build that fails: exit code"
holds '^a\.c:1: error: no$'
holds '^gcc: the build failed'
[ "$(tail -n 1 "$work/output")" = "0 passed, 1 failed" ] || fail "the last line of a failing build"
exit "$failures"

#!/bin/sh
# Help, lists and the manual page come from the tables and are never empty.
. "$(dirname "$0")/check.sh"
name=$(basename "$MOTE")

expect 0 "" --version
grep -qx "$name [0-9]*\.[0-9]*\.[0-9]*" stdout || fail "--version: $(cat stdout)"
expect 0 ""
[ "$(grep -c "^  $name" stdout)" = 3 ] || fail "without arguments there are not three commands"
expect 0 "" --help
cp stdout program
run_mote help
cmp -s stdout program || fail "help and --help differ"

commands=$(sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p' program)
[ "$(echo "$commands" | wc -w)" -ge 12 ] || fail "too few commands: $commands"
run_mote man
cp stdout man.1
grep -qE '^\.TH [A-Z-]+ 1 "20[0-9]{2}-[0-9]{2}-[0-9]{2}"' man.1 || fail "the manual page has no date: $(head -n 1 man.1)"
for command in $commands; do
    expect 0 "" help "$command"
    [ "$(head -n 1 stdout)" = Examples ] || fail "help $command does not start with examples"
    sed -n 2p stdout | grep -q "^  $name $command" || fail "help $command: no example comes first"
    holds stdout "--help"
    cp stdout first
    expect 0 "" "$command" --help
    head -c "$(wc -c <stdout)" first | cmp -s - stdout ||
        fail "help $command does not start with $command --help"
    grep -q "^\.SS \"$name $command" man.1 || fail "the manual page lacks $command"
    sed -n 's/^ .*--\([a-z-]*\).*  .*/\1/p' first | grep -v '^help$' | while read -r option; do
        grep -qF "$(echo "--$option" | sed 's/-/\\-/g')" man.1 || echo "$command --$option"
    done >missing
    [ ! -s missing ] || fail "the manual page lacks $(cat missing)"
done

# Every family and every row.
expect 0 "" list
awk '/^[a-z]/ { print $1 }' stdout >families
for family in integrators forces fields shapes sources formats benchmarks studies; do
    grep -qx "$family" families || fail "list lacks $family"
done
grep -v '^[a-z]*,' families | while read -r family; do
    mote list "$family" | awk '/^[a-z]/ { print $1 }' | while read -r row; do
        "$MOTE" help "$family" "$row" >shown 2>&1 || echo "$family $row"
        read -r first <shown
        [ "$first" = "$row ($family)" ] || echo "$family $row: $first"
    done
done >wrong
[ ! -s wrong ] || fail "no help for: $(cat wrong)"
expect 0 "" help drag
holds stdout "drag (forces)"
grep -q "^  linear  *0  *1/s  *0 or more  *[a-z]" stdout || fail "help drag: $(cat stdout)"
for words in "emitter system" "emitter from" "look color" "world duration" "system solver"; do
    # shellcheck disable=SC2086
    set -- $words
    expect 0 "" help objects "$1"
    grep -q "^  $2  *[a-z]" stdout || fail "help $1 lacks $2: $(cat stdout)"
done
expect 0 "" help callback
[ "$(grep -c '^callback (' stdout)" = 2 ] || fail "help callback shows not both rows"

# For programs.
if command -v python3 >/dev/null; then
    for words in "list --json" "list forces --json" "info --json"; do
        # shellcheck disable=SC2086
        mote $words | python3 -c 'import json, sys; json.load(sys.stdin)' || fail "mote $words"
    done
fi
expect 0 "" info
for what in version precision "instruction set" threads zlib ffmpeg; do holds stdout "$what"; done
mkdir empty
env -i PATH="$work/empty" "$MOTE" info >stdout
grep -q "^ffmpeg  *none" stdout || fail "info without ffmpeg: $(cat stdout)"

# The manual page.
[ "$(head -c 4 man.1)" = ".TH " ] || fail "the manual page has no title"
for section in NAME SYNOPSIS COMMANDS EXAMPLES "EXIT STATUS"; do
    grep -qx "\.SH $section" man.1 || fail "the manual page lacks $section"
done
grep -n '^[.'"'"'][^A-Z\\]' man.1 && fail "a line of the manual page looks like a request"
if command -v mandoc >/dev/null; then
    mandoc -T lint -W error man.1 >stderr || fail "mandoc: $(cat stderr)"
fi
if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww man.1 2>stderr >/dev/null
    [ ! -s stderr ] || fail "groff: $(cat stderr)"
fi
expect 0 "" help surface # a command, and what a scene calls so
holds stdout "mote surface INPUT"
holds stdout "surface (objects)"
expect 0 "" help bodies # as scenes write it
holds stdout "body (objects)"
expect 0 "" help shape
holds stdout "capsule"
expect 2 "did you mean \`gravity\`" help gravty
finish

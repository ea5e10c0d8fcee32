#!/bin/sh
# Runs that need more memory or disk than there is are refused, with what would fit.
. "$(dirname "$0")/check.sh"
small

expect 1 "memory: about" check dam-break --set spacing=0.0005
holds stdout "dam-break is right, but does not fit here"
holds stderr "a spacing of"
expect 1 "would fit; --anyway goes on" run dam-break --set spacing=0.0005 -o big
[ ! -e big ] || fail "a run that is refused leaves a folder"
expect 5 "disk: about" run small.json5 -o big -q --set world.duration=1e8
holds stderr "world.duration="
grep -q "world.duration=[0-9]* (" stderr || fail "a number for machines: $(cat stderr)"
holds stderr "--anyway goes on"
expect 5 "disk: about" check small.json5 --set world.duration=1e8
holds stdout "does not fit here"
[ ! -e big ] || fail "a run that is refused leaves a folder"
expect 0 "" run small.json5 -o big -q --set world.duration=1e8 --anyway --frames 1 --no-pictures
expect 0 "" run small.json5 -o part -q --set world.duration=1e8 --frames 2 --no-pictures
if command -v python3 >/dev/null; then
    mote check small.json5 --json --set world.duration=1e8 >stdout 2>/dev/null
    python3 -c 'import json; c = json.load(open("stdout"))
assert not c["fits"] and c["disk_there"] < c["disk"] and c["memory_there"] > c["memory"], c' ||
        fail "check --json: $(cat stdout)"
fi
finish

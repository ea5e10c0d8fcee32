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

# How many ranks a scene wants, and what each of them needs.
expect 0 "" check dam-break --set spacing=0.01
holds stdout "ranks      up to 26 share it well; with 26 about"
expect 0 "" check small.json5
holds stdout "ranks      1: it is too small for more"
expect 0 "" check vortex-rings
holds stdout "they share sums over vortons alone"
cat >stars.json5 <<'SCENE'
{ mote: 1, world: { duration: 0.01, max_step: 0.01, fps: 100 }, systems: [ { name: "stars" } ], forces: [ { type: "mutual-gravity" } ],
  emitters: [ { system: "stars", burst: 400000, from: { type: "box", size: [9, 9, 9] } } ] }
SCENE
expect 0 "" check stars.json5 --json
holds stdout '"refused": "system stars: particles that act on each other"'
mote check dam-break --set spacing=0.0005 >stdout 2>/dev/null
holds stdout "ranks      no number would do: the first needs"
finish

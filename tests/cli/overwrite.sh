#!/bin/sh
# Nothing of the user's own is written over, and what a command reads is never written to.
. "$(dirname "$0")/check.sh"
small

# keeps WHAT WORDS...: fails with a message that holds WHAT, and changes no byte of the folder.
keeps() {
    what=$1
    shift
    before=$(find . -type f ! -name stdout ! -name stderr | sort | xargs cksum)
    run_mote "$@"
    [ "$code" != 0 ] || fail "mote $*: writes"
    grep -qF -e "$what" stderr || fail "mote $*: \"$(cat stderr)\" lacks \"$what\""
    after=$(find . -type f ! -name stdout ! -name stderr | sort | xargs cksum)
    [ "$before" = "$after" ] || fail "mote $*: changed files: $after, not $before"
}
quick="--frames 2 -q --no-pictures"

# A folder of the user's own, whatever is in it, forced or not.
mkdir mine mine/images
cp small.json5 mine/scene.json5
for name in video.mp4 log.jsonl images/frame_000000.png; do echo mine >"mine/$name"; done
for force in "" --force; do
    # shellcheck disable=SC2086
    keeps "scene.json5" run mine/scene.json5 -o mine $quick $force
    # shellcheck disable=SC2086
    (cd mine && keeps "scene.json5" run scene.json5 -o . $quick $force) || fail "run -o ."
done
mkdir notes && echo mine >notes/notes.txt
keeps "notes.txt" run small.json5 -o notes --frames 2 -q
mkdir page && echo '{ "name": "a page", "icons": [] }' >page/manifest.json
keeps "manifest.json" run small.json5 -o page --frames 2 -q
keeps "manifest.json" run small.json5 -o page --frames 2 -q --force
keeps "manifest.json" run small.json5 -o page --frames 2 -q --resume
mkdir deep deep/frames && echo mine >deep/frames/frame_000001.npz
keeps "frames" run small.json5 -o deep --frames 2 -q --force

# What a run that was killed before its manifest may leave is no hindrance; nor is a hidden file.
mkdir left left/frames left/images && : >left/manifest.json.12-0.tmp && : >left/.keep
# shellcheck disable=SC2086
expect 0 "" run small.json5 -o left $quick
[ -e left/.keep ] || fail "a hidden file is gone"

# The copy of the scene in a run's folder: it may be run, also in its own folder, but not lost.
# shellcheck disable=SC2086
expect 0 "" run small.json5 -o own $quick
cp own/scene.json5 copy
expect 0 "" run own/scene.json5 -o own --frames 4 -q --no-pictures --resume
cmp -s own/scene.json5 copy || fail "the scene that is run is written to"
[ -e own/frames/frame_000004.npz ] || fail "a run does not go on from its own copy of the scene"
keeps "own/scene.json5" run own/scene.json5 -o own $quick --force
keeps "own/scene.json5" run own/../own/scene.json5 -o ./own/ $quick --force
ln -s own/scene.json5 link.json5
ln -s own linked
keeps "scene.json5" run link.json5 -o linked $quick --force
echo '{ mote: 1, include: "own/scene.json5" }' >includes.json5
keeps "scene.json5" run includes.json5 -o own $quick --force
# shellcheck disable=SC2086
keeps "own/scene.json5" run own/scene.json5 -o own $quick --resume --set camera.fov=11
# Changed by hand, it is the user's.
sed 's/fps: 30/fps: 25/' copy >own/scene.json5
keeps "own/scene.json5" run small.json5 -o own $quick --resume
keeps "own/scene.json5" run small.json5 -o own $quick --force
cp copy own/scene.json5
# shellcheck disable=SC2086
expect 0 "" run small.json5 -o own $quick --force --set camera.fov=11

# Files that the user names.
printf 'x,y,z\n0,0,0\n0.1,0,0\n' >points.csv
echo mine >mesh.ply
keeps "mesh.ply is there already" surface points.csv -o mesh.ply --radius 0.1 -q
keeps "points.csv" surface points.csv -o points.csv --radius 0.1 -q --force
expect 0 "" surface points.csv -o mesh.ply --radius 0.1 -q --force
grep -q '^ply' mesh.ply || fail "surface --force writes nothing"
mkdir many && echo mine >many/m_2.ply
keeps "m_2.ply is there already" surface own -o many/m_%d.ply --radius 0.1 -q
cat >windy.json5 <<'SCENE'
{ mote: 1, systems: [ { name: "dots" } ],
  fields: [ { name: "flow", type: "curl-noise" } ],
  emitters: [ { name: "jet", system: "dots", from: { type: "point" }, rate: 10 } ],
  probes: [ { name: "all", type: "total", system: "dots" } ] }
SCENE
echo mine >flow.png
echo mine >E.csv
keeps "flow.png is there already" field windy.json5 flow --size 8 -o flow.png
keeps "E.csv is there already" field windy.json5 flow --size 8 --points 8 --spectrum E.csv
keeps "windy.json5" field windy.json5 flow --size 8 --points 8 --spectrum windy.json5 --force
expect 0 "" field windy.json5 flow --size 8 --points 8 --spectrum E.csv --force -o flow.png
# shellcheck disable=SC2086
expect 0 "" run windy.json5 -o windy $quick
keeps "flow.png is there already" plot windy --probe all -o flow.png
expect 0 "" plot windy --probe all
expect 0 "" plot windy --probe all
expect 0 "" plot windy --probe all -o flow.png --force
keeps "windy.json5 is there already" new windy.json5
mkdir study && echo mine >study/notes.txt
keeps "notes.txt" study convergence --quick -o study
finish

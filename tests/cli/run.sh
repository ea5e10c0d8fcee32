#!/bin/sh
# Runs, and what is made from them.
. "$(dirname "$0")/check.sh"
small

# is_file PATH...
is_file() {
    for path in "$@"; do [ -s "$path" ] || fail "there is no $path"; done
}

# Where everything is, in words that can be typed.
expect 0 "mote: running small into out/small up to frame 12" run small.json5 --frames 12
is_file out/small/manifest.json out/small/frames/frame_000012.npz out/small/images/frame_000012.png
[ ! -e out/small/frames/frame_000013.npz ] || fail "--frames 12 writes frame 13"
holds stdout "out/small/images/frame_000012.png"
holds stdout "out/small/frames"
if command -v ffmpeg >/dev/null; then
    holds stdout "out/small/video.mp4"
    is_file out/small/video.mp4
fi
expect 0 "" run small.json5 --frames 12 --quiet --output "my folder/"
[ ! -s stdout ] || fail "--quiet prints: $(cat stdout)"
is_file "my folder/frames/frame_000012.npz"
expect 0 "mote: running" run small.json5 --frames 12 --output "my folder/" --force
holds stdout "'my folder/frames'"

# Settings, threads and --no-pictures.
expect 0 "" run small.json5 -o other -q --frames 12 --no-pictures --set world.seed=5 -t 1
[ ! -e other/images/frame_000000.png ] || fail "--no-pictures makes pictures"
expect 0 "" run small.json5 -o one -q --frames 12 --no-pictures --threads 1
expect 0 "" diff out/small one
holds stdout "the same: 13 frames"
expect 1 "" diff out/small other
holds stdout "different from frame "
expect 0 "" diff out/small "my folder" --json
grep -q '"same": true' stdout || fail "diff --json: $(cat stdout)"
expect 1 "" diff out/small other --json
grep -q '"same": false' stdout || fail "diff --json: $(cat stdout)"

# What is there is not thrown away unasked; it can be gone on with.
run_mote run small.json5 --frames 12
[ "$code" != 0 ] || fail "a finished run is written over without --force"
[ "$(wc -l <stderr)" = 1 ] || fail "a run that is refused says more than why: $(cat stderr)"
expect 0 "mote: running" run small.json5 --frames 20 --resume
expect 0 "" run small.json5 -o long -q --frames 20
expect 0 "" diff out/small long
holds stdout "the same: 21 frames"
expect 0 "" run small.json5 -q --frames 5:20
expect 0 "" run small.json5 -q --from 7 --frames 20
expect 0 "" diff out/small long

# As JSON.
if command -v python3 >/dev/null; then
    mote run small.json5 -o json --frames 4 --json 2>stderr >stdout || fail "run --json"
    python3 - <<'PYTHON' || fail "run --json: $(cat stdout)"
import json
run = json.load(open("stdout"))
assert run["status"] == "done" and run["last_frame"] == 4 and run["folder"] == "json"
assert run["picture"] == "json/images/frame_000004.png" and run["cache"] == "json/frames"
PYTHON
fi

# Pictures again: the same bits as those of the run; other ones with another camera.
rm -f out/small/images/*
expect 0 "" render out/small --quiet --frames 3
is_file out/small/images/frame_000003.png
[ ! -e out/small/images/frame_000004.png ] || fail "render --frames 3 draws frame 4"
cmp -s out/small/images/frame_000003.png long/images/frame_000003.png || fail "render: other bits"
expect 0 "" render out/small -q --frames 3 --set camera.fov=11 --force
if cmp -s out/small/images/frame_000003.png long/images/frame_000003.png; then
    fail "render --set camera.fov changes nothing"
fi
run_mote render out/small --set camra.fov=11
[ "$code" = 3 ] || fail "render --set camra.fov: exit code $code: $(cat stderr)"
expect 0 "" render out/small --frames 1:2 --frame-all
holds stdout "out/small/images/frame_000002.png"

# Exports.
expect 0 "" export one --to vtp
holds stdout "one/export"
[ "$(find one/export -name 'dots_*.vtp' | wc -l)" = 13 ] || fail "export writes not 13 files"
expect 0 "" export one --to csv --part dots
run_mote export one --to csv --part dotz
[ "$code" = 3 ] || fail "export --part dotz: exit code $code: $(cat stderr)"

# Checking and printing scenes; what is printed is a scene again.
expect 0 "" check small.json5
holds stdout "small can run: 60 frames, 2 s at 30 frames per second"
grep -q '^time  *about [0-9]* s here, by a trial of its start' stdout || fail "check tells no time"
expect 0 "mote: warning: emitters.jet" check small.json5 --set 'emitters.jet.at=[0,-1,0]'
expect 0 "" scene print small.json5 --set world.fps=25
holds stdout "fps: 25"
mote scene print >demo.json5
run_mote check demo.json5
[ "$code" = 0 ] || fail "the demo, printed, is no scene: $(cat stderr)"
expect 0 "" run demo.json5 -q --frames 2 --set rate=100 --set render.width=64 --set render.height=48
is_file out/demo/frames/frame_000002.npz
# A resumed run that is finished has nothing to do.
expect 0 "mote: running" run demo.json5 --frames 2 --resume --set rate=100 \
    --set render.width=64 --set render.height=48
holds stdout "nothing was left to do"
if command -v python3 >/dev/null; then
    mote check demo.json5 --json 2>/dev/null |
        python3 -c 'import json, sys; assert json.load(sys.stdin)["frames"] > 0' || fail "check --json"
    mote scene schema | python3 -c 'import json, sys; json.load(sys.stdin)' || fail "scene schema"
fi

# The energy of bodies counts: m v^2 / 2 + I w^2 / 2 = 9 J + 0.4 J of a ball, far from anything.
cat >top.json5 <<'SCENE'
{ mote: 1, world: { duration: 0.1, gravity: [0, 0, 0] }, output: { video: "none", frames: "none" },
  bodies: [{ name: "top", shape: { type: "sphere", radius: 0.5 }, mass: 2,
             motion: { velocity: [3, 0, 0], spin: [0, 114.591559, 0] } }] }
SCENE
expect 0 "" run top.json5 -q
tail -n 1 out/top/log.jsonl | sed 's/.*"kinetic": \([^,]*\),.*/\1/' >kinetic
awk '{ exit !($1 > 9.3999 && $1 < 9.4001) }' kinetic || fail "the log says kinetic: $(cat kinetic)"

# A run that bursts is told what it was warned of.
cat >burst.json5 <<'SCENE'
{ mote: 1, world: { duration: 1 }, systems: [{ name: "dots" }],
  links: [{ system: "dots", pattern: { type: "chain", from: [0, 2, 0], to: [1, 2, 0] }, stiffness: 1e5 }],
  output: { video: "none", frames: "none" } }
SCENE
expect 4 "set world.max_step: 0.00061 or less" run burst.json5
holds stderr "try a max_step of 0.00061 s"

# A mesh counts from the scene that names it: the run's copy of that scene finds it, too.
mkdir mine
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'v 0 0 1' 'f 1 3 2' 'f 1 2 4' 'f 2 3 4' 'f 1 4 3' >mine/a.obj
cat >mine/mesh.json5 <<'SCENE'
{ mote: 1, world: { duration: 0.2 }, output: { video: "none", frames: "none" },
  systems: [{ name: "dots" }], emitters: [{ system: "dots", burst: 5, at: [0.2, 2, 0.2] }],
  colliders: [{ shape: { type: "mesh", mesh: "a.obj" } },
              { shape: { type: "convex", mesh: { file: "a.obj", scale: 2 } }, motion: { at: [3, 0, 0] } }] }
SCENE
expect 0 "" run mine/mesh.json5 -o meshed -q
expect 0 "" render meshed --frames 3 -o meshed.png -q
rm meshed/frames/frame_000002.npz
expect 0 "frame 2 is missing; it is made again" run meshed/scene.json5 -o meshed --resume
expect 0 "" scene print mine/mesh.json5
mv stdout printed.json5
expect 0 "" run printed.json5 -q
expect 0 "" diff meshed out/printed
cd mine || exit 1
expect 0 "" run mesh.json5 -o ../meshed -q --resume
cd .. || exit 1
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'v 0 0 2' 'f 1 3 2' 'f 1 2 4' 'f 2 3 4' 'f 1 4 3' >mine/a.obj
expect 3 "files.0.a.obj" run mine/mesh.json5 -o meshed -q --resume

# One with holes is told by its place in the scene.
printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'v 0 0 1' 'f 1 3 2' 'f 1 2 4' 'f 2 3 4' >mine/a.obj
expect 3 "mote: mine/mesh.json5:3:15: collider collider-0: the mesh has 3 open edges (holes)" \
    run mine/mesh.json5 -o holes
[ ! -e holes ] || fail "a mesh with holes makes a folder"

# A folder that cannot be made.
expect 5 "mote: small.json5" run small.json5 -o small.json5/x -q
holds stderr "-o chooses another place"
finish

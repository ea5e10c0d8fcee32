#!/bin/sh
# --device: what it says where it cannot be had, and a run that is killed on a device and goes on
# without one, and the other way round, to the bytes of a run on the processor.
. "$(dirname "$0")/check.sh"
cat >tank.json5 <<'SCENE'
{ mote: 1, world: { fps: 100, duration: 30 },
  systems: [ { name: "water", solver: { type: "sph", spacing: 0.1 } } ],
  emitters: [ { name: "block", system: "water", at: [-0.3, 0.3, 0],
      from: { type: "fill", spacing: 0.1, shape: { type: "box", size: [0.6, 0.6, 0.6] } } } ],
  colliders: [ { name: "tank", motion: { at: [0.2, 0.6, 0] }, measure: true,
      shape: { type: "inverted", shape: { type: "box", size: [1.6, 1.2, 0.6] } } } ],
  probes: [ { name: "top", type: "height", system: "water", at: [-0.3, 0.02, 0] } ] }
SCENE
sed 's/"sph",/"sph", divergence: "linear",/' tank.json5 >linear.json5
small

expect 1 "there is no device \`nonsense\`" run tank.json5 --device nonsense
none() {
    env -i PATH="$PATH" OCL_ICD_VENDORS=/nowhere MOTE_DEVICE="$1" "$MOTE" run small.json5 \
        --frames 1 --force --no-pictures >stdout 2>stderr </dev/null
    code=$?
}
none gpu
[ "$code" = 1 ] || fail "MOTE_DEVICE=gpu without devices: exit code $code"
holds stderr "pocl-opencl-icd"
none auto
[ "$code" = 0 ] || fail "MOTE_DEVICE=auto without devices: exit code $code: $(cat stderr)"
none cpu
[ "$code" = 0 ] || fail "MOTE_DEVICE=cpu: exit code $code: $(cat stderr)"

run_mote info
device=$(sed -n 's/^devices  *\([^:]*\):.* exact$/\1/p' stdout)
if [ -z "$device" ]; then
    echo "skipped: no exact device (pocl-opencl-icd would be one)"
    finish
fi
expect 1 "system dots: solver points has no device function" run small.json5 --force --device "$device"
expect 1 "solver sph with linear divergence has no device function" run linear.json5 --device "$device"

# on NAME WORDS...: a run of the tank on a device, or on cpu, in the place of the shell
on() {
    name=$1
    shift
    exec env -i PATH="$PATH" XDG_CACHE_HOME="$work" "$MOTE" run tank.json5 --no-pictures \
        --threads 1 --device "$name" "$@" >stdout 2>stderr </dev/null
}

# killed NAME FOLDER: by kill -9, when frame 3 is there
killed() {
    (on "$1" -o "$2" --checkpoint 0) &
    child=$!
    tries=0
    while [ ! -e "$2/frames/frame_000003.npz" ] && [ $tries -lt 600 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    kill -9 $child
    wait $child 2>/dev/null || true
}

(on cpu -o whole --frames 6) || fail "the run on cpu: $(cat stderr)"
killed "$device" first
(on cpu -o first --frames 6 --resume) || fail "going on on cpu: $(cat stderr)"
killed cpu second
(on "$device" -o second --frames 6 --resume --check-device 2) ||
    fail "going on on $device: $(cat stderr)"
for run in first second; do
    for frame in 0 1 2 3 4 5 6; do
        cmp "whole/frames/frame_00000$frame.npz" "$run/frames/frame_00000$frame.npz" ||
            fail "frame $frame of the $run run differs"
    done
done
finish

#!/bin/sh
# Runs under mpirun: one voice, the bytes of a run on one rank, and an end with one message when a
# rank is killed or the launcher is asked to stop. MOTE_ALL_RANKS: more of them.
. "$(dirname "$0")/check.sh"
if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$MOTE")/mote-mpi.so" ]; then
    echo "skipped: no MPI (Debian: libopenmpi-dev, openmpi-bin)"
    exit 77
fi
small
# Few sub-steps: where others use the machine, too, each takes ranks as long as they wait for a core.
few='s/max_step: 0.01/max_step: 0.04/; s/rate: 300/rate: 9000/; s/render:/output: { checkpoint_every: 4 }, render:/'
sed "$few; s/duration: 2,/duration: 0.2,/" small.json5 >short.json5
sed "$few; s/duration: 2,/duration: 200,/" small.json5 >long.json5

# ranks COUNT WORDS...: as run_mote, under mpirun. It binds ranks to cores and lets them wait at
# full speed, which is not for a machine that others use, too. When it ends ranks, it waits for
# $patience seconds before it asks them to stop, and once more before it kills them.
patience=1
ranks() {
    count=$1
    shift
    env -i PATH="$PATH" HOME="$work" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none \
        OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_odls_base_sigkill_timeout=$patience OMPI_MCA_mpi_yield_when_idle=1 \
        ${LSAN_OPTIONS:+"LSAN_OPTIONS=$LSAN_OPTIONS"} \
        timeout -k 5 100 mpirun -n "$count" "$MOTE" "$@" >stdout 2>stderr </dev/null
    code=$?
}

# same_run A B: frames, checkpoints and probes byte by byte, the log but for its seconds
same_run() {
    diff -r "$1/frames" "$2/frames" >differs && diff -r "$1/checkpoints" "$2/checkpoints" >differs ||
        fail "$1 is not $2: $(cat differs)"
    for folder in "$1" "$2"; do sed 's/, "seconds".*//' "$folder/log.jsonl" >"$folder.log"; done
    cmp "$1.log" "$2.log" || fail "the log of $1 is not that of $2"
}

run_mote info
grep -q '^mpi .*[0-9]' stdout || fail "info names no MPI: $(cat stdout)"

expect 0 "" run short.json5 -o one --no-pictures --quiet
for count in 2 ${MOTE_ALL_RANKS:+3 4 8}; do
    ranks "$count" run short.json5 -o "of $count" --no-pictures
    [ "$code" = 0 ] || fail "$count ranks: exit code $code: $(cat stderr)"
    holds stderr "on $count ranks of"
    [ "$(grep -c running stderr)" = 1 ] || fail "several ranks speak: $(cat stderr)"
    same_run "of $count" one
done

# Pictures are dealt over ranks: the same files, and one word of what there is.
expect 0 "" render one -o drawn1 --size 64x36 --quiet
ranks 3 render one -o drawn3 --size 64x36
[ "$code" = 0 ] || fail "render: exit code $code: $(cat stderr)"
diff -r drawn1 drawn3 >differs || fail "other pictures: $(cat differs)"
run_mote render one -o again --size 64x36
sed 's/, [0-9.]* s$//; s/again/drawn3/' stdout >alone
ranks 3 render one -o drawn3 --size 64x36 --force
sed 's/, [0-9.]* s$//' stdout | cmp -s - alone || fail "three ranks say $(cat stdout), one says $(cat alone)"
ranks 2 render one -o sheet.png --sheet 2x1 --size 64x36 --quiet
[ "$code" = 0 ] && [ -s sheet.png ] || fail "a sheet: exit code $code: $(cat stderr)"

# A liquid, whose particles feel each other across ranks.
cat >water.json5 <<'SCENE'
{ mote: 1, world: { duration: 0.1, fps: 30, max_step: 0.02 },
  systems: [ { name: "water", solver: { type: "sph", spacing: 0.1 } } ],
  emitters: [ { name: "block", system: "water", at: [0, 0.6, 0],
                from: { type: "fill", spacing: 0.1, shape: { type: "box", size: [2, 1, 1] } } } ],
  colliders: [ { name: "ground", shape: { type: "plane" } } ] }
SCENE
expect 0 "" run water.json5 -o "one water" --no-pictures --quiet
ranks 2 run water.json5 -o "two of water" --no-pictures
[ "$code" = 0 ] || fail "water: exit code $code: $(cat stderr)"
same_run "two of water" "one water"

# Meshes are dealt over ranks: the same files, and one word of all of them; a failure of any rank is told.
expect 0 "" surface "one water" -o meshes1/w_%d.ply --json
sed 's/"seconds": [^,]*,//; s/meshes1/meshes3/' stdout >alone
ranks 3 surface "one water" -o meshes3/w_%d.ply --json
[ "$code" = 0 ] || fail "surface: exit code $code: $(cat stderr)"
diff -r meshes1 meshes3 >differs || fail "other meshes: $(cat differs)"
sed 's/"seconds": [^,]*,//' stdout | cmp -s - alone || fail "three ranks say $(cat stdout), one says $(cat alone)"
ranks 2 surface "one water" -o meshes3/w_%d.ply
[ "$code" = 2 ] && [ "$(grep -c 'w_0.ply' stderr)" = 1 ] || fail "meshes that are there: exit code $code: $(cat stderr)"
mkdir -p broken && printf '0 0 0\n0.1 0 0\n' >broken/a.xyz && printf 'nothing\n' >broken/b.xyz
ranks 2 surface broken -o broken/w_%d.ply --radius 0.05
[ "$code" != 0 ] && [ "$(grep -c 'b.xyz' stderr)" = 1 ] || fail "a broken file: exit code $code: $(cat stderr)"

# Rings of vortons, whose sums are dealt.
cat >rings.json5 <<'SCENE'
{ mote: 1, world: { duration: 0.1, fps: 30, max_step: 0.02, gravity: [0, 0, 0] },
  systems: [ { name: "vortons", solver: { type: "vortex", evaluation: "vortons", ring_count: 2, resolution: 8,
                                          ring_vortons: 300, ring_gap: 0.3 } } ] }
SCENE
expect 0 "" run rings.json5 -o "one of rings" --no-pictures --quiet
ranks 2 run rings.json5 -o "two of rings" --no-pictures
[ "$code" = 0 ] || fail "rings: exit code $code: $(cat stderr)"
same_run "two of rings" "one of rings"

# Commands that share no work: one rank does it. Wrong use, and what cannot be spread: one message.
ranks 2 info
[ "$(grep -c '^version' stdout)" = 1 ] || fail "info of two ranks: $(cat stdout)"
ranks 2 run short.json5 --fast
[ "$(grep -c 'unknown option' stderr)" = 1 ] || fail "wrong use: $(cat stderr)"
ranks 2 run nowhere.json5
[ "$(grep -c 'nowhere.json5' stderr)" = 1 ] || fail "no scene: $(cat stderr)"
ranks 2 run flag -o flag
[ "$code" = 1 ] && [ "$(grep -c 'cannot be spread over 2 ranks' stderr)" = 1 ] ||
    fail "flag: exit code $code: $(cat stderr)"
[ ! -e flag/manifest.json ] || fail "a refused run has written"

# A launcher without the plug-in.
env -i PATH="$PATH" OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0 MOTE_MPI=nowhere.so \
    "$MOTE" run short.json5 -o lonely >stdout 2>stderr && fail "ran without the plug-in"
holds stderr "2 programs were started together, but they cannot share their work"
holds stderr "libopenmpi-dev"

# ---- ends ----

wait_for() {
    for _ in $(seq 600); do
        if [ -e "$1" ]; then return 0; fi
        sleep 0.1
    done
    fail "$1 did not appear: $(cat stderr)"
}
# process_of LINE WORD: with that line in its environment, beside this test's HOME, and that name
process_of() {
    for folder in /proc/[0-9]*; do
        lines=$(cat "$folder/environ" 2>/dev/null | tr "\\0" "\\n")
        echo "$lines" | grep -qxF "HOME=$work" || continue
        echo "$lines" | grep -qx "$1" || continue
        [ "$(cat "$folder/comm")" = "$2" ] && basename "$folder"
    done
}

ranks 2 run long.json5 -o killed --no-pictures &
wait_for killed/checkpoints/checkpoint_000004.npz
kill -9 "$(process_of OMPI_COMM_WORLD_RANK=1 "$(basename "$MOTE")")"
wait $!
holds stderr "signal 9"
run_mote info killed
holds stdout killed

patience=4 # for the last checkpoint
ranks 2 run long.json5 -o stopped --no-pictures &
wait_for stopped/frames/frame_000005.npz
kill -TERM "$(process_of OMPI_ALLOW_RUN_AS_ROOT=1 mpirun)"
wait $!
holds stderr "go on with: $(basename "$MOTE") run long.json5 -o stopped --no-pictures --resume"

patience=1
# On with other ranks, for a few frames; and one rank that goes all the way.
frame() { # the last that is there; a rank that was killed may leave a part of one more
    ls "$1/frames" | grep '\.npz$' | tail -1 | sed 's/[^1-9]*0*\([0-9]*\)\.npz/\1/'
}
for folder in killed stopped; do
    last=$(($(frame $folder) + 3))
    ranks 3 run long.json5 -o $folder --no-pictures --resume --quiet --frames $last
    [ "$code" = 0 ] || fail "$folder goes on: exit code $code: $(cat stderr)"
    expect 0 "" run long.json5 -o "whole $folder" --no-pictures --quiet --frames $last
    expect 0 "" diff $folder "whole $folder"
    holds stdout "the same"
done
finish

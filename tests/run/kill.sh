#!/bin/sh
# A run that is killed at any moment and gone on with gives the same bits as one that was left alone.
# MOTE names the program; SEED and KILLS may be set. Prints the moment of every kill.
set -eu
: "${MOTE:?names the program}"
seed=${SEED:-1} kills=${KILLS:-12}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >scene.json5 <<'SCENE'
{ mote: 1,
  world: { duration: 1.5, fps: 20, max_step: 0.02, seed: 3 },
  systems: [ { name: "sparks" }, { name: "dust" } ],
  emitters: [
    { name: "jet", system: "sparks", from: { type: "disc", radius: 0.1 }, at: [0, 0.3, 0],
      rate: "=800*(1+0.5*sin(tau*t))", velocity: [0, 1, 0], spread: 0.5, lifetime: 0.5,
      lifetime_jitter: 0.5 },
    { name: "cloud", system: "dust", from: { type: "sphere", radius: 0.2 }, at: [0, 0.3, 0],
      rate: 500, lifetime: 0.8 } ],
  forces: [ { name: "air", type: "drag", systems: ["dust"], linear: "=1+t" } ],
  colliders: [ { name: "ground", shape: { type: "plane" }, restitution: 0.5 } ],
  probes: [ { name: "dust", type: "total", system: "dust" },
    { name: "push", type: "load", collider: "ground", interval: 0.07 },
    { name: "wind", type: "velocity", system: "sparks", at: [0, 0.4, 0], reach: 0.2, interval: 0.01 } ],
  output: { checkpoint_every: 3 } }
SCENE

fail() {
    echo "$*" >&2
    exit 1
}

# In a background command the program takes the shell's place, so that it is what is killed.
exec_or_run() {
    if [ -n "${background:-}" ]; then exec "$@"; fi
    "$@"
}

# run INTEGRATOR FOLDER [OPTION...]
run() {
    run_integrator=$1 run_folder=$2
    shift 2
    exec_or_run "$MOTE" run scene.json5 -o "$run_folder" --quiet --no-pictures --threads 2 \
        --set "systems.sparks.solver.integrator=$run_integrator" \
        --set "systems.dust.solver.integrator=$run_integrator" "$@"
}

# All frames and the last checkpoint, byte by byte; nothing temporary.
compare() {
    for file in "whole-$1"/frames/*.npz "whole-$1"/checkpoints/checkpoint_000030.npz \
        "whole-$1"/probes/*.csv; do
        cmp "$file" "killed/${file#*/}" || fail "$1: ${file#*/} differs"
    done
    [ "$(ls killed/frames | wc -l)" = 31 ] || fail "$1: $(ls killed/frames | wc -l) frames"
    [ "$(wc -l <killed/log.jsonl)" = 30 ] || fail "$1: $(wc -l <killed/log.jsonl) lines of log"
    [ -z "$(find killed -name '*.tmp')" ] || fail "$1: left: $(find killed -name '*.tmp')"
}

# Starts or goes on with a run, and kills it after that many milliseconds, if it still runs.
run_and_kill() {
    resume=
    if [ -e killed/manifest.json ]; then resume=--resume; fi
    background=yes run "$1" killed $resume >killed.out 2>&1 &
    child=$!
    sleep "$(printf '0.%03d' "$2")"
    kill -9 $child 2>/dev/null || true
    wait $child 2>/dev/null || true
}

integrators=$("$MOTE" list integrators | sed -n 's/^ *\([a-z][a-z0-9-]*\) .*/\1/p')
[ -n "$integrators" ] || fail "there are no integrators"
number=0 state=$seed
echo "seed $seed"
while [ "$number" -lt "$kills" ]; do
    for integrator in $integrators; do
        [ "$number" -lt "$kills" ] || break
        rm -rf killed
        [ -e "whole-$integrator" ] || run "$integrator" "whole-$integrator"
        state=$(((state * 1103515245 + 12345) % 2147483648))
        milliseconds=$((state / 65536 % 300))
        run_and_kill "$integrator" "$milliseconds"
        last=$(ls killed/frames 2>/dev/null | grep -c 'npz$' || true)
        state=$(((state * 1103515245 + 12345) % 2147483648))
        if [ $((state / 65536 % 2)) = 1 ]; then
            run_and_kill "$integrator" $((state / 262144 % 150))
        fi
        if [ -e killed/manifest.json ]; then
            run "$integrator" killed --resume || fail "$integrator: cannot go on"
        else
            run "$integrator" killed
        fi
        compare "$integrator"
        number=$((number + 1))
        echo "$number: $integrator, killed after $milliseconds ms at $last frames: the same"
    done
done

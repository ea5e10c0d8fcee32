#!/bin/sh
# Ctrl-C: the frame is finished, a checkpoint written, and --resume gives the bits of a whole run.
. "$(dirname "$0")/check.sh"
name=$(basename "$MOTE")
small
sed 's/duration: 2,/duration: 20,/; s/width: 64, height: 48/width: 640, height: 480/' small.json5 \
    >long.json5

# wait_for FILE PROCESS: up to a minute, or until the process has gone
wait_for() {
    for _ in $(seq 600); do
        [ ! -e "$1" ] || return 0
        kill -0 "$2" 2>/dev/null || break
        sleep 0.1
    done
    fail "$1 did not appear: $(cat stderr)"
}

# The exit code of a signal, as shells have it.
code_of() {
    case $1 in INT) echo 130 ;; TERM) echo 143 ;; esac
}

# interrupted SIGNAL FOLDER: runs until frame 5 is there, then sends the signal. A shell starts
# background commands with SIGINT ignored, and env undoes that.
interrupted() {
    env -i --default-signal=INT PATH="$PATH" "$MOTE" run long.json5 -o "$2" >stdout 2>stderr &
    wait_for "$2/frames/frame_000005.npz" $!
    kill -s "$1" $!
    wait $!
    code=$?
}

if ! env --default-signal=INT true 2>/dev/null; then
    echo "not tried: env has no --default-signal"
    exit 0
fi

for signal in INT TERM; do
    interrupted $signal "stopped $signal"
    [ "$code" = "$(code_of $signal)" ] || fail "$signal: exit code $code: $(cat stderr)"
    holds stderr "mote: finishing the frame"
    holds stderr "go on with: $name run long.json5 -o 'stopped $signal' --resume"
    [ ! -s stdout ] || fail "$signal: standard output is not empty: $(cat stdout)"
done

# The message is a command that works; here with fewer frames, for time.
frame=$(sed -n 's/.*stopped after frame \([0-9]*\);.*/\1/p' stderr)
last=$((frame + 5))
expect 0 "" run long.json5 -o "stopped TERM" --resume --quiet --frames $last
expect 0 "" run long.json5 -o whole --quiet --no-pictures --frames $last
expect 0 "" diff "stopped TERM" whole
holds stdout "the same"

# Two signals: at once, in the middle of a frame of many sub-steps.
env -i PATH="$PATH" "$MOTE" run long.json5 -o twice --set world.max_step=2e-8 >stdout 2>stderr &
wait_for twice/frames/frame_000000.npz $!
kill -s TERM $!
for _ in $(seq 100); do
    if grep -q finishing stderr; then break; fi
    sleep 0.05
done
kill -s TERM $!
wait $!
[ $? = 143 ] || fail "two signals: exit code"
holds stderr "mote: stopped at once; what was complete is kept"

# From a terminal the signal reaches every process of the run, ffmpeg too.
if command -v setsid >/dev/null; then
    setsid env -i --default-signal=INT PATH="$PATH" "$MOTE" run long.json5 -o group >stdout 2>stderr &
    wait_for group/frames/frame_000005.npz $!
    kill -s INT -- "-$!"
    wait $!
    code=$?
    [ "$code" = 130 ] || fail "a signal to the group: exit code $code: $(cat stderr)"
    holds stderr "--resume"
fi
finish

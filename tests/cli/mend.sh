#!/bin/sh
# Results stay, damage is told and mended, and folders of runs are described.
. "$(dirname "$0")/check.sh"
small

# flip FILE OFFSET: changes one byte
flip() {
    byte=$(od -An -tu1 -j "$2" -N 1 "$1" | tr -d ' ')
    printf "\\$(printf %03o $((byte ^ 8)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

expect 0 "" run small.json5 -o whole -q --frames 20
# A part again: everything behind it stays, bit by bit.
cp -r whole part
expect 0 "mote: running" run small.json5 -o part --frames 10:12
holds stdout "frames 10 to 12"
for kind in frames images checkpoints; do
    [ "$(ls whole/$kind)" = "$(ls part/$kind | grep -v checkpoint_000012)" ] ||
        fail "--frames 10:12 of a run of 20: $kind: $(ls part/$kind)"
done
expect 0 "" diff whole part
cmp -s whole/images/frame_000020.png part/images/frame_000020.png || fail "frame_000020.png changed"
if command -v ffmpeg >/dev/null; then
    cmp -s whole/video.mp4 part/video.mp4 || fail "--frames 10:12 changes the video"
fi
[ "$(wc -l <part/log.jsonl)" = 20 ] || fail "the log has $(wc -l <part/log.jsonl) lines"

# Damage.
cp -r whole hurt
flip hurt/frames/frame_000003.npz 700
rm hurt/frames/frame_000015.npz
printf 'x' >>hurt/log.jsonl
expect 0 "mote: hurt: frame 3 is damaged; it is made again" run small.json5 -o hurt --frames 20 --resume
holds stderr "mote: hurt: frame 15 is missing; it is made again"
expect 0 "" diff whole hurt
cmp -s whole/frames/frame_000003.npz hurt/frames/frame_000003.npz || fail "frame 3 is not mended"
[ "$(wc -l <hurt/log.jsonl)" = 20 ] || fail "the log has $(wc -l <hurt/log.jsonl) lines"

# What a folder holds.
expect 0 "" info whole
for words in "state        finished" "frames       21, from 0 to 20 of 20" "pictures     21" \
    "the last at frame 20" "command      mote run small.json5 -o whole --frames :20"; do
    holds stdout "$(echo "$words" | sed "s/mote run/$(basename "$MOTE") run/")"
done
cp -r whole hurt2
flip hurt2/frames/frame_000007.npz 100
rm hurt2/frames/frame_000009.npz hurt2/checkpoints/checkpoint_000010.npz
truncate -s 500 hurt2/log.jsonl
expect 1 "frame 7 is damaged" info hurt2
for words in "frame 9 is missing" "checkpoint 10 is missing" "log.jsonl is damaged" \
    "4 files are damaged or missing" "--resume"; do
    holds stderr "$words"
done
# What it proposes mends the folder, wherever that was moved.
mv hurt2 'moved here'
expect 1 "-o 'moved here' --frames :20 --resume makes them again" info 'moved here'
proposed=$(sed -n 's/.*missing; [^ ]* \(run .*\) makes them again/\1/p' stderr)
cp -r 'moved here' hurt2
eval "expect 0 'frame 7 is damaged; it is made again' $proposed"
expect 0 "" info 'moved here'
expect 0 "" diff whole 'moved here'
if command -v python3 >/dev/null; then
    mote info hurt2 --json >stdout && fail "info --json of a damaged run: exit code 0"
    python3 -c 'import json; i = json.load(open("stdout"))
assert i["damaged"] == 4 and i["frames"] == 19 and i["state"] == "finished", i' || fail "info --json"
fi
expect 5 "there is no folder" info nowhere
# A run that goes on, and one that was killed.
env -i PATH="$PATH" "$MOTE" run small.json5 -o killed -q --no-pictures --set world.duration=300 &
child=$!
while [ ! -e killed/frames/frame_000021.npz ]; do sleep 0.05; done # more than the whole has
expect 0 "" info killed
holds stdout "state        running"
expect 0 "" export killed --to csv
kill -9 $child
wait $child 2>/dev/null
expect 0 "" info killed
holds stdout "state        killed"
expect 1 "" diff killed whole

# Any name of a folder.
odd=$(printf 'odd\377\303')
if mkdir "$odd" 2>/dev/null; then
    expect 0 "" run small.json5 -o "$odd" -q --frames 2 --no-pictures
    expect 0 "" run small.json5 -o "$odd" -q --frames 3 --no-pictures --resume
fi
finish

#!/bin/sh
# Hostile input: scenes, settings, caches and disks that are wrong in the ways they are in real
# life. Each gives its exit code and a message that names the culprit; nothing crashes or hangs.
. "$(dirname "$0")/check.sh"
small

# With sanitizers too, memory that cannot be had is asked for in vain and no more.
mote() {
    env -i PATH="$PATH" ASAN_OPTIONS=allocator_may_return_null=1 \
        TSAN_OPTIONS=allocator_may_return_null=1 "$MOTE" "$@"
}

# repeat COUNT CHARACTER
repeat() {
    head -c "$1" /dev/zero | tr '\0' "$2"
}

# ---- values ----

# CODE | TEXT | SETTING of the small scene
while IFS='|' read -r wanted text setting; do
    expect "$wanted" "$text" run small.json5 -q --set "$setting"
    holds stderr "--set:1:"
done <<'TABLE'
3|mass is nan, but must be finite|emitters.jet.mass=NaN
3|mass is inf, but must be finite|emitters.jet.mass=Infinity
3|mass is nan, but must be finite|emitters.jet.mass==0/0
3|mass is -1, but must be greater than 0 kg|emitters.jet.mass=-1
3|expected a number (kg), found a string|emitters.jet.mass="heavy"
3|expected an object, found a number|emitters.jet=3
3|expected name=value|nonsense
3|expected name=value|=
3|expected name=value|
3|expected a key before the `.`|a..b=1
3|this `[` is never closed|world.fps=[
TABLE
sed 's/rate: 300/rate: [300]/' small.json5 >type.json5
expect 3 "type.json5:4:94: error: expected a number" run type.json5
[ ! -e out ] || fail "a wrong value made the folder out"
# What only time shows stops the run.
expect 3 "mote: --set:1:19: mass is nan, but must be finite" \
    run small.json5 -q --set "emitters.jet.mass==1+sqrt(0.5-t)"
expect 2 "--threads: \`-1\` is not a whole number between 1 and 1024" run small.json5 --threads -1
# The largest value that a message allows is allowed, though a float rounds it.
run_mote check small.json5 --set emitters.jet.rate=1e12
[ "$code" = 1 ] || fail "rate=1e12: exit code $code: $(cat stderr)"
holds stdout "small is right, but does not fit here"

# What the world refuses, check refuses too.
for command in run check; do
    expect 3 "mote: small.json5:6:16: collider ground: normal is zero, but must be a direction" \
        $command small.json5 --set 'colliders.ground.shape.normal=[0,0,0]'
done

# ---- as many particles as there are, none and far too many ----

expect 0 "" run small.json5 -q --frames 3 -o zero --set emitters.jet.rate=0
expect 0 "" render zero -q --force
expect 0 "" export zero --to csv
expect 0 "" diff zero zero
echo '{ mote: 1 }' >none.json5
expect 0 "" run none.json5 -q --frames 2 --set render.width=64 --set render.height=48
expect 1 "mote: system dots: out of memory for 1000000000000 particles" \
    run small.json5 -q --frames 2 -o crowd --anyway --set emitters.jet.rate=0 \
    --set emitters.jet.burst=1e12

# Twice what the machine has, in columns that each would be granted: refused before it is used.
if [ -r /proc/meminfo ]; then
    burst=$(awk '/^MemTotal/ { printf "%.0f", $2 * 1024 * 2 / 72 }' /proc/meminfo)
    expect 1 "mote: system dots: out of memory for $burst particles" \
        run small.json5 -q -o crowd2 --anyway --set emitters.jet.rate=0 \
        --set "emitters.jet.burst=$burst"
fi

# ---- files that are no scenes ----

expect 5 "mote: cannot read gone.json5: No such file" run gone.json5
: >empty.json5
expect 3 "empty.json5:1:1: error: expected a value, found the end of the file" run empty.json5
holds stderr "hint: the file is empty; a scene begins with { mote: 1"
printf 'MZ\220\000\003\377\376\000' >garbage.json5
expect 3 "garbage.json5:1:" run garbage.json5
printf '{ mote: 1, \000 }' >zero.json5
expect 3 "zero.json5:1:12: error:" run zero.json5
mkdir folder.json5
expect 5 "mote: cannot read folder.json5: it is a folder" run folder.json5
mkfifo pipe.json5
expect 5 "mote: cannot read pipe.json5: it is no plain file" run pipe.json5
expect 5 "mote: cannot read /dev/zero: it is no plain file" run /dev/zero
truncate -s 1G large.json5
expect 3 "mote: cannot read large.json5: it has 1073741824 bytes, but at most" run large.json5
{ printf '{ mote: 1, x: ' && repeat 1000000 '['; } >deep.json5
expect 3 "deep.json5:1:78: error: lists and objects are nested more than 64 deep" run deep.json5
[ "$(wc -c <stderr)" -lt 2000 ] || fail "a long line is shown whole"
{ printf '{ mote: 1, world: { fps: "=' && repeat 1000000 '(' && printf '" } }'; } >brackets.json5
expect 3 "brackets.json5:1:" run brackets.json5

# ---- includes ----

echo '{ mote: 1, include: "b.json5" }' >a.json5
echo '{ include: ["c.json5"] }' >b.json5
echo '{ include: "a.json5" }' >c.json5
expect 3 "c.json5:1:12: error: files include each other: \
a.json5 includes b.json5 includes c.json5 includes a.json5" run a.json5
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    echo "{ mote: 1, include: 'chain$((i + 1)).json5' }" >chain$i.json5
done
expect 3 "chain17.json5:1:21: error: files include more than 16 deep" run chain1.json5
echo '{ mote: 1, include: ["pipe.json5", "folder.json5", "gone.json5", "large.json5"] }' >all.json5
expect 3 "all.json5:1:22: error: cannot read pipe.json5: it is no plain file" run all.json5
holds stderr "cannot read folder.json5: it is a folder"
holds stderr "cannot read gone.json5: No such file"
holds stderr "cannot read large.json5: it has 1073741824 bytes"
if [ -e out/a ] || [ -e out/all ]; then fail "a wrong scene made a folder"; fi

# ---- output folders ----

: >file
expect 5 "mote: file: could not make the folder: Not a directory" run small.json5 -q -o file/below
expect 5 "mote: file: could not make the folder: Not a directory" run small.json5 -q -o file
expect 5 "could not make the folder: File name too long" run small.json5 -q -o "$(repeat 300 n)"
expect 5 "the path of the output folder must have 1 to " \
    run small.json5 -q -o "$(repeat 5000 n | sed 's|nnnnnnnnn|nnnnnnnn/|g')"
holds stderr "bytes, but has 5000"
expect 5 "the path of the output folder must have 1 to " run small.json5 -q -o ""

# ---- damaged caches ----

expect 0 "" run small.json5 -q --frames 4 -o good --no-pictures
hurt=bad/frames/frame_000002.npz

# damage HOW FILE
damage() {
    case $1 in
    cut) truncate -s 100 "$2" ;;
    short) truncate -s -1 "$2" ;;
    empty) : >"$2" ;;
    other) repeat 4000 x >"$2" ;;
    changed) printf 'XXXX' | dd of="$2" bs=1 seek=3000 conv=notrunc 2>/dev/null ;;
    gone) rm "$2" ;;
    folder) rm "$2" && mkdir "$2" ;;
    pipe) rm "$2" && mkfifo "$2" ;;
    esac
}

for how in cut short empty other changed gone folder pipe; do
    rm -rf bad && cp -r good bad && damage "$how" "$hurt"
    expect 5 "mote: $hurt" render bad -q
    expect 5 "mote: $hurt" export bad --to csv
    expect 5 "mote: $hurt" diff good bad
    expect 5 "mote: $hurt" diff bad good
done
for how in cut empty other folder pipe; do
    rm -rf bad && cp -r good bad && damage "$how" bad/manifest.json
    expect 5 "mote: bad/manifest.json: " render bad -q
    expect 5 "mote: bad/manifest.json: " export bad --to csv
    expect 5 "mote: bad/manifest.json: " diff good bad
    expect 5 "mote: bad/manifest.json: " run small.json5 -q -o bad --resume
done
rm -rf bad && cp -r good bad
sed 's/"format": 1/"format": 99/' good/manifest.json >bad/manifest.json
for words in "render bad -q" "export bad --to csv" "diff good bad" "run small.json5 -o bad --resume"; do
    # shellcheck disable=SC2086 # words are to be split
    expect 3 "mote: bad/manifest.json: has format 99, but mote " $words
done
# A checkpoint that cannot be read costs time, not the run.
for how in cut empty other gone; do
    rm -rf bad && cp -r good bad && damage "$how" bad/checkpoints/checkpoint_000004.npz
    expect 0 "" run small.json5 -q -o bad --resume --frames 6 --no-pictures
done
expect 0 "" run small.json5 -q -o longer --frames 6 --no-pictures
expect 0 "" diff bad longer

# ---- the other precision ----

case $(basename "$MOTE") in
mote-double) other=$(dirname "$MOTE")/mote ;;
*) other=$(dirname "$MOTE")/mote-double ;;
esac
if [ -x "$other" ]; then
    env -i PATH="$PATH" "$other" run small.json5 -q --frames 2 -o foreign --no-pictures
    expect 3 "mote: foreign was made by $(basename "$other")" render foreign -q
    expect 3 "mote: foreign/frames/frame_000000.npz: was written by mote" export foreign --to csv
    expect 3 "mote: foreign/frames/frame_000000.npz: was written by mote" diff good foreign
    expect 3 "mote: foreign was made by $(basename "$other")" run small.json5 -q -o foreign --resume
else
    echo "not tried: $other is not there"
fi

# ---- disks that are full or must not be written ----

mkdir disk
if mount -t tmpfs -o size=300k tmpfs disk 2>/dev/null; then
    trap 'umount "$work/disk"; rm -rf "$work"' EXIT
    expect 5 "mote: disk: about" run small.json5 -q -o disk/run --no-pictures
    expect 5 "the disk is nearly full" \
        run small.json5 -q -o disk/run --no-pictures --anyway
    expect 5 "go on with: $(basename "$MOTE") run small.json5 -o disk/run --no-pictures --resume" \
        run small.json5 -o disk/run --no-pictures --force --anyway
    expect 0 "" diff disk/run disk/run
    grep -q "the same: [1-9][0-9]* frames" stdout || fail "full disk: no frames: $(cat stdout)"
    expect 5 "the disk is nearly full" run small.json5 -q -o disk/run --no-pictures --resume \
        --anyway
    mount -o remount,size=20m disk
    expect 0 "" run small.json5 -q -o disk/run --no-pictures --resume
    expect 0 "" run small.json5 -q -o whole --no-pictures
    expect 0 "" diff disk/run whole
    holds stdout "the same: 61 frames"
    mount -o remount,ro disk
    expect 5 "mote: disk/new: could not make the folder: Read-only file system" \
        run small.json5 -q -o disk/new --no-pictures
    expect 5 "Read-only file system" run small.json5 -q -o disk/run --force --anyway
    expect 5 "Read-only file system" render disk/run -q --frames 1
    expect 5 "Read-only file system" export disk/run --to csv
    expect 0 "" diff disk/run whole
else
    echo "not tried: a full disk and a read-only one; mounting is not permitted"
fi
if [ "$(id -u)" != 0 ]; then
    mkdir closed && chmod 555 closed
    expect 5 "mote: closed/new: could not make the folder: Permission denied" \
        run small.json5 -q -o closed/new
fi
finish

#!/bin/sh
# Rendering: where pictures and videos go, what is never written over, and what is said.
. "$(dirname "$0")/check.sh"
command -v ffmpeg >/dev/null || { echo "not tried: ffmpeg is not installed"; exit 0; }
small
expect 0 "" run small.json5 -o own --frames 4 --quiet
cp -r own before

# The run's own pictures stay, unless --force.
expect 3 "own/video.mp4 is there already; -o writes elsewhere, --force writes over it" render own
expect 3 "own/images/frame_000002.png is there already" render own --frames 2 --camera top
cmp -s own/images/frame_000002.png before/images/frame_000002.png || fail "a picture was changed"
expect 0 "" render own --frames 2 --camera top --force
cmp -s own/images/frame_000002.png before/images/frame_000002.png && fail "--force changes nothing"
holds stdout "video    none: one frame makes none"
expect 0 "" render own --frames 1:2 --force
holds stdout "video    none: these are not all frames; -o clip.mp4 makes one of them"

# Legends and scale bars are drawn over pictures, where there is Cairo.
expect 0 "" render own -o bar.png --frames 2 --set render.scale_bar=true
if mote info | grep -q '^cairo *yes'; then
    cmp -s bar.png before/images/frame_000002.png && fail "there is no scale bar"
fi

# A folder, one picture, a picture a frame, a video.
expect 0 "" render own -o pictures/all
[ "$(ls pictures/all/frame_*.png | wc -l)" = 5 ] || fail "not five pictures: $(ls pictures/all)"
[ -s pictures/all/video.mp4 ] || fail "no video beside the pictures"
cmp -s pictures/all/frame_000003.png before/images/frame_000003.png || fail "-o: other bits"
expect 3 "pictures/all/video.mp4 is there already" render own -o pictures/all
expect 0 "" render own -o shot.png --frames 3
cmp -s shot.png before/images/frame_000003.png || fail "-o shot.png: other bits"
expect 3 "shot.png is one picture, but 5 frames are drawn" render own -o shot.png --force
expect 0 "" render own -o few/shot_%02d.exr --frames 1:2
[ "$(ls few)" = "shot_01.exr
shot_02.exr" ] || fail "shot_%02d.exr: $(ls few)"
expect 0 "" render own -o clip.gif --frames 1:3
[ "$(head -c 3 clip.gif)" = GIF ] || fail "clip.gif is none"
ls clip* >made
[ "$(cat made)" = clip.gif ] || fail "a video alone makes pictures, too: $(cat made)"
expect 3 "pictures end in .png or .exr, videos in .mp4, .webm, .webp or .gif" render own -o shot.jpg
expect 3 "has a % without meaning" render own -o shot_%s.png
expect 0 "" render own -o folder.jpg/ --frames 1
[ -s folder.jpg/frame_000001.png ] || fail "a name that ends in / is no folder"

# A turntable goes once around one frame: the last picture is the first, bit for bit.
expect 0 "" render own -o turn --frames 3 --turntable 5
[ "$(ls turn/frame_*.png | wc -l)" = 5 ] || fail "not five pictures of a turn: $(ls turn)"
[ -s turn/video.mp4 ] || fail "no video of the turn"
cmp -s turn/frame_000000.png turn/frame_000004.png || fail "a turn does not end where it began"
cmp -s turn/frame_000000.png shot.png || fail "a turn does not begin where the camera stands"
cmp -s turn/frame_000000.png turn/frame_000002.png && fail "a turn stands still"
expect 0 "" render own -o back.png --frames 3 --camera orbit=180
cmp -s turn/frame_000002.png back.png || fail "half of a turn is not 180 degrees"
expect 3 "is one picture, but 5 frames are drawn" render own -o one.png --turntable 5

# Without ffmpeg there is no video, and that is said.
mkdir empty
env -i PATH="$work/empty" "$MOTE" render own -o dry >stdout 2>stderr || fail "without ffmpeg: fails"
holds stderr "there is no ffmpeg here, so no video was made"
[ -s dry/frame_000004.png ] || fail "without ffmpeg there are no pictures"
env -i PATH="$work/empty" "$MOTE" render own -o dry.mp4 >stdout 2>stderr && fail "dry.mp4: no failure"
holds stderr "there is no ffmpeg here, which makes videos"

# Stopped in the only frame: nothing was done, and nothing else is said.
if mote info | grep -q '^embree *yes'; then
    env -i PATH="$PATH" "$MOTE" render own -o slow.png --frames 3 --samples 1000 --size 1920x1080 \
        >stdout 2>stderr &
    sleep 1
    kill -s TERM $!
    wait $!
    [ $? = 143 ] || fail "stopped while it traces: exit code"
    holds stderr "mote: stopping"
    holds stderr "stopped before a picture was done; nothing was written"
    [ ! -e slow.png ] || fail "a picture that was not done is there"
fi
finish

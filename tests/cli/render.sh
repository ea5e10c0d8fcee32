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

# A sheet has frames that are evenly apart, each as it is by itself with its time; four of five in two
# columns.
values() { # FILE X Y: the floats of a picture's place that is as large as one frame
    ffmpeg -v error -y -i "$1" -vf "crop=$wide:$high:$2:$3" -f rawvideo -pix_fmt gbrapf32le place.raw
    cat place.raw
}
size() { od -An -t u1 -j "$2" -N 4 "$1" | awk '{ print $3 * 256 + $4 }'; }
wide=$(size shot.png 16) high=$(size shot.png 20)
expect 0 "" render own -o sheet.exr --sheet 2x2
expect 0 "" render own -o last.exr --frames 4 --set render.clock=true
expect 0 "" render own -o second.exr --frames 1 --set render.clock=true
values last.exr 0 0 >last.raw
values second.exr 0 0 >second.raw
values sheet.exr $((wide + 4)) $((high + 4)) | cmp -s - last.raw || fail "the sheet's last is another"
values sheet.exr $((wide + 4)) 0 | cmp -s - second.raw || fail "the sheet's second is another"
[ -s last.raw ] || fail "ffmpeg reads no EXR file of ours"
expect 0 "" render own -o page.png --sheet 3x7
[ "$(size page.png 16) $(size page.png 20)" = "$((3 * wide + 8)) $((2 * high + 4))" ] ||
    fail "a sheet has rows that nothing stands in"
expect 3 "sheet: it is one picture" render own -o sheet.mp4 --sheet 2x2
expect 3 "needs a name: -o sheet.png" render own --sheet 2x2
expect 3 "leave out --turntable" render own -o no.png --sheet 2x2 --turntable 5
expect 3 "leave out --beside" render own -o no.png --sheet 2x2 --beside own
expect 3 "more than a page" render own -o no.png --sheet 5x1 --size 4000x40
expect 2 "expected COLUMNSxROWS as in 4x3, found \`4\`" render own -o no.png --sheet 4

# Two runs side by side: the left is this one, the right the other.
expect 0 "" run small.json5 -o other --frames 3 --no-pictures --quiet
expect 0 "" render own -o both.exr --frames 3 --beside other
expect 0 "" render own -o plain.exr --frames 3
below=$((high / 2)) high=$((high - high / 2)) # their names are above
values plain.exr 0 $below >plain.raw
values both.exr 0 $below | cmp -s - plain.raw || fail "the left picture is another"
values both.exr $((wide + 4)) $below | cmp -s - plain.raw || fail "the right picture is another"
high=$(size shot.png 20)
expect 0 "" render own -o both.png --frames 2 --beside other
[ "$(size both.png 16) $(size both.png 20)" = "$((2 * wide + 4)) $high" ] || fail "both: its size"
expect 3 "beside: other has no frame 4" render own -o none.png --frames 4 --beside other
expect 3 "its frames go from 0 to 3" render own -o late_%d.png --beside other
[ ! -e late_0.png ] || fail "a frame was drawn before the other run was looked at"
expect 3 "no probe" render own -o none.png --frames 1 --plot nothing

# What a probe measured is set into the picture, beside settings; the run has a probe of its own.
sed 's/systems:/probes: [{ name: "all", type: "total", system: "dots" }], systems:/' \
    small.json5 >probed.json5
expect 0 "" run probed.json5 -o probed --frames 3 --no-pictures --quiet
expect 0 "" render probed -o bare.png --frames 3 --set render.clock=true
expect 0 "" render probed -o plotted.png --frames 3 --plot all --set render.clock=true
if mote info | grep -q '^cairo *yes'; then
    cmp -s bare.png plotted.png && fail "--plot: there is no curve"
fi
expect 3 "has no column" render probed -o none.png --frames 3 --plot all.colour

# A setting that is wrong is shown with its text, as by mote run; an option that stands for one by its name.
for verb in "run small.json5 -o none" "render own -o none.png --frames 1" \
    "render own -o none.png --frames 1 --beside other"; do
    # shellcheck disable=SC2086 # words are to be split
    run_mote $verb --set systems.dots.look.color=wrong
    [ "$code" = 3 ] || fail "$verb: exit code $code"
    tail -n 1 stderr | grep -q "the scene has errors; they are listed above" || fail "$verb: $(cat stderr)"
    sed '$d' stderr >"shown by ${verb%% *}"
    holds stderr "--set:1:25: error: "
    holds stderr "systems.dots.look.color=wrong"
    holds stderr "                        ^~~~~"
done
cmp "shown by run" "shown by render" || fail "render shows other messages than run"
expect 3 "mote: --exposure: expected a number, found a string" render own -o none.png --exposure bright
expect 2 "--samples: \`many\` is not a whole number between 0 and 65536" render own --samples many
for size in 12xq 12x12x12 0x5 -3x4 " 3x4"; do
    expect 2 "--size: expected WIDTHxHEIGHT as in 1920x1080, found" render own --size "$size"
done
expect 2 "expected COLUMNSxROWS as in 4x3, found \`2x3x4\`" render own --sheet 2x3x4

# A plane cut through the particles; with lines it is another picture.
expect 0 "" render own -o cut.png --frames 3 --slice z=0
expect 0 "" render own -o lines.png --frames 3 --slice z=0 --of velocity.y --lines 5 --arrows 8
cmp -s cut.png lines.png && fail "--lines: there are none"
expect 0 "" render own -o cuts.png --slice z=0 --of dots.speed --sheet 2x2 --range 0:5
expect 3 "have no \`pressure\`; they have speed" render own -o no.png --frames 3 --slice z=0 --of pressure
expect 3 "there is no system \`dotz\`; did you mean" render own -o no.png --slice z=0 --of dotz.speed --frames 3
expect 2 "--map: unknown colour map \`virids\`; did you mean \`viridis\`?" render own -o no.png --slice z=0 --map virids
expect 2 "--map: unknown colour map \`rainbow\`" render own -o no.png --frames 3 --slice z=0 --map rainbow
expect 3 "leave out --turntable" render own -o no_%d.png --frames 3 --slice z=0 --turntable 5
expect 2 "expected an axis and a coordinate" render own -o no.png --slice q=0
expect 2 "two numbers that rise" render own -o no.png --slice z=0 --range 5:0
expect 2 "that is of a slice" render own -o no.png --arrows 5
expect 2 "seen straight on" render own -o no.png --slice z=0 --camera top

# Without ffmpeg there is no video, and that is said.
mkdir empty
env -i PATH="$work/empty" "$MOTE" render own -o dry >stdout 2>stderr || fail "without ffmpeg: fails"
holds stderr "there is no ffmpeg here, so no video was made"
[ -s dry/frame_000004.png ] || fail "without ffmpeg there are no pictures"
env -i PATH="$work/empty" "$MOTE" render own -o dry.mp4 >stdout 2>stderr && fail "dry.mp4: no failure"
holds stderr "there is no ffmpeg here, which makes videos"

# The scenes of the front page are read as they are.
scenes=$(cd "$(dirname "$0")/../../scenes/heroes" && pwd)
for scene in "$scenes"/*.json5; do
    expect 0 "" scene print "$scene"
done

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

#!/bin/sh
# Wrong uses: exit code and message of each; nothing on standard output.
. "$(dirname "$0")/check.sh"
name=$(basename "$MOTE")
small

# CODE | TEXT | WORDS
while IFS='|' read -r wanted text words; do
    # shellcheck disable=SC2086 # words are to be split
    expect "$wanted" "mote: $text" $words
    [ ! -s stdout ] || fail "mote $words: standard output is not empty"
    [ "$(wc -l <stderr)" = 1 ] || fail "mote $words: more than one line: $(cat stderr)"
done <<TABLE
2|unknown command \`runn\`; did you mean \`run\`?|runn
2|unknown command \`qqqqqqqq\`; \`$name help\` shows all|qqqqqqqq
2|unknown option --verison; did you mean --version?|--verison
2|unknown option -x; options come after a command|-x
2|unknown option --quite; did you mean --quiet?|run --quite
2|unknown option --zzzzzzzzz; \`$name help run\` shows the options|run --zzzzzzzzz
2|unknown option -z; \`$name help run\` shows the options|run -z
2|--fr may mean --from or --frames|run --fr 3
2|--quiet takes no value|run --quiet=3
2|--help takes no value|run --help=3
2|--threads needs a value: --threads N|run --threads
2|--output needs a value: --output FOLDER|run -o
2|--threads: \`x\` is not a whole number between 1 and 1024|run --threads x
2|--threads: \`0\` is not a whole number|run --threads 0
2|--threads: \`1.5\` is not a whole number|run --threads 1.5
2|--threads: \`nan\` is not a whole number|run --threads nan
2|--from: \`-1\` is not a whole number|run --from -1
2|--frames: \`9:3\` ends before it starts|run --frames 9:3
2|--frames: \`a\` is no range of frames|run --frames a
2|--frames: \`:\` is no range of frames|run --frames :
2|--frames: \`1:2:3\` is no range of frames|run --frames 1:2:3
2|--frames: the scene's last frame is|run --frames 100000000
2|--from: the run's last frame is 5|run --from 6 --frames :5
2|--resume goes on with a folder and --force throws it away|run --resume --force
2|--resume goes on from the last checkpoint|run --resume --from 3
2|--from and the start of --frames|run --from 3 --frames 4:5
2|--quiet and --verbose contradict each other|run --quiet --verbose
2|run: \`b\` is one word too many|run a b
2|run: \`b\` is one word too many|run a b --set rate=5
2|--set: \`rate\` has no value; write --set rate=VALUE, without spaces|run a --set rate 5
2|there is no scene \`small\`; did you mean \`small.json5\`?|run small
5|small.json5 is a file; give the folder that a run has written|render small.json5
2|info: \`y\` is one word too many|info x y
2|render needs the folder of a run, as in: $name render out/demo|render
2|check needs a scene, as in:|check
2|diff needs the folders of two runs|diff
2|diff needs the folder of a second run|diff a
2|export needs the folder of a run|export
2|unknown format \`vpt\`; did you mean \`vtp\`?|export x --to vpt
2|unknown format \`qqqqqqq\`; it can be|export x --to qqqqqqq
2|unknown scene \`prnt\`; did you mean \`print\`?|scene prnt
2|unknown scene \`galxy\`; did you mean \`galaxy\`?|scene galxy
2|unknown scene \`qqqqqqq\`; \`$name scene\` shows those that come with the program|scene qqqqqqq
2|scene galaxy prints the scene as it is; \`$name scene print galaxy\` takes --set|scene galaxy --set a=1
2|mesh check needs a mesh file, as in: $name mesh check water.ply|mesh check
2|mesh decompose needs a mesh file, as in: $name mesh decompose cup.obj -o parts|mesh decompose
2|mesh: expected \`check\` or \`decompose\` before the file, found \`chek\`|mesh chek a.obj
5|there is no folder nothere; give the folder that a run has written|plot nothere
5|there is no folder nothere; give the folder that a run has written|plot nothere --probe x
2|completion needs a shell|completion
2|unknown shell \`qqqqqqq\`; it can be bash, zsh or fish|completion qqqqqqq
2|unknown family \`forcs\`; did you mean \`forces\`?|list forcs
2|unknown topic \`drg\`; did you mean \`drag\`?|help drg
2|nothing is known about \`qqqqqqqq\`|help qqqqqqqq
2|shapes has no row \`plan\`; did you mean \`plane\`?|help shapes plan
2|unknown family \`shaps\`; did you mean \`shapes\`?|help shaps plane
2|unknown benchmark \`point\`; did you mean \`points\`?|bench point
5|cannot read nothere.json5|run nothere.json5
5|cannot read nothere.json5|check nothere.json5
5|cannot read nothere.json5|scene print nothere.json5
5|there is no folder nothere|render nothere
5|there is no folder nothere|export nothere
5|there is no folder nothere|diff nothere nothere2
TABLE

# A scene in the place of a command.
expect 2 "did you mean \`$name run small.json5\`?" small.json5

expect 2 "did you mean \`$name scene print small.json5\`?" scene small.json5

# Options that stand for settings are blamed themselves.
expect 0 "" run small.json5 -o seen --frames 1 --quiet
while IFS='|' read -r text words; do
    # shellcheck disable=SC2086 # words are to be split
    expect 3 "mote: $text" render seen $words
done <<TABLE
--video: unknown video \`avi\`; known: none, mp4, webp, gif|--video avi
--format: unknown frames \`gif\`; known: none, png, png16, exr|--format gif
--exposure: exposure is -1, but must be greater than 0|--exposure=-1
--show: unknown thing to show \`wirefram\`; did you mean \`wireframe\`?|--show wirefram
--camera: unknown key \`fob\` in camera; did you mean \`fov\`?|--camera fob=30
--size: width is 4e+07, but must be between 1 and 16384|--size 40000000x4
TABLE
expect 2 "mote: plot needs --probe NAME; seen: the run has no probes" plot seen

# Scenes that are wrong: place, hint, exit code 3, and no output folder.
sed 's/systems:/sytems:/' small.json5 >key.json5
expect 3 "key.json5:3:3: error:" run key.json5
holds stderr "did you mean \`systems\`?"
tail -n 1 stderr >last
holds last "mote: the scene has errors"
sed 's/render:/,render:/' small.json5 >syntax.json5
expect 3 "syntax.json5:7:3: error:" check syntax.json5
expect 3 "--set" run small.json5 --set world.fps=-1
expect 3 "--set" run small.json5 --set nonsense
[ ! -e out ] || fail "a wrong scene made the folder out"

# An instruction set that is not there.
env -i PATH="$PATH" MOTE_ISA=abacus "$MOTE" run small.json5 >stdout 2>stderr
[ $? = 1 ] || fail "MOTE_ISA=abacus: exit code"
holds stderr "mote: MOTE_ISA=abacus"

# A full disk is a failure, a reader that goes away is none.
if [ -e /dev/full ]; then
    mote list >/dev/full 2>stderr
    [ $? = 5 ] || fail "list to a full disk: exit code"
    holds stderr "mote: could not write to standard output"
fi
{ mote man; echo $? >code; } 2>stderr | head -n 1 >stdout
[ ! -s stderr ] || fail "man | head: $(cat stderr)"
[ "$(cat code)" = 0 ] || fail "man | head: exit code $(cat code)"
finish

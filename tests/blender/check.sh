#!/bin/sh
# The Blender add-on in Blender itself, headless: check.sh PROGRAM SOURCE. Status 77 without Blender.
set -eu
program=$1
source=$2
command -v blender >/dev/null || { echo "skipped: blender is not there (Debian: blender)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$source/scripts/blender-zip.py" "$work/mote.zip"
run() {
    scene=$1
    shift
    "$program" run "$scene" --no-pictures --quiet -o "$work/$scene" "$@"
}
run glass-tank --frames 4 --set spacing=0.08
run stack --frames 3
run drape --frames 3
run stars --frames 2
"$program" export "$work/stars" --to ply --frames 2 --quiet
"$program" run "$source/tests/blender/drop.json5" --no-pictures --quiet -o "$work/drop"
"$program" run "$source/tests/clients/volumes.json5" --no-pictures --quiet -o "$work/smoke"
# Settings and add-ons of whoever runs this stay out of it, and so does a Python that stands before Debian's on the
# path: Blender would look for NumPy there.
env PATH="/usr/bin:$PATH" BLENDER_USER_RESOURCES="$work/user" BLENDER_USER_CONFIG="$work/user" \
    BLENDER_USER_SCRIPTS="$work/user/scripts" blender -b --factory-startup --python-exit-code 1 \
    --python "$source/tests/blender/inside.py" -- "$program" "$work/mote.zip" "$work/glass-tank" "$work/drop" \
    "$work/stack" "$work/drape" "$work/stars" "$work/smoke" "$work/picture" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; exit 1; }
grep -E "all is well|cross-section|a drop of" "$work/log" || { tail -n 30 "$work/log"; exit 1; }

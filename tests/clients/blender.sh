#!/bin/sh
# GLB, PLY, OBJ, MDD and PC2 as Blender reads them: blender.sh PROGRAM. Status 77 without Blender.
set -eu
program=$1
here=$(cd "$(dirname "$0")" && pwd)
command -v blender >/dev/null || { echo "skipped: blender is not there (Debian: blender)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run "$here/all.json5" -o "$work/run" -q --no-pictures
for format in glb ply obj mdd pc2; do "$program" export "$work/run" --to "$format" -q; done
# A Python that stands before Debian's on the path would be asked for NumPy.
env PATH="/usr/bin:$PATH" BLENDER_USER_RESOURCES="$work/user" BLENDER_USER_CONFIG="$work/user" \
    blender -b --factory-startup --python-exit-code 1 --python "$here/blender_formats.py" -- "$work/run" >"$work/log" 2>&1 ||
    { tail -n 30 "$work/log"; exit 1; }
grep "all is well" "$work/log" || { tail -n 30 "$work/log"; exit 1; }

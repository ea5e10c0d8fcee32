#!/bin/sh
# GLB and USDA as libraries of the web read them: npm.sh PROGRAM FOLDER, where FOLDER has node_modules with
# gltf-validator, three and tinyusdz (scripts/npm-clients.sh). Status 77 without them.
set -eu
program=$1
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=python3
skip() {
    echo "skipped: $*"
    exit 77
}
"$python" -c 'import numpy' 2>/dev/null || skip "no python3 with numpy"
command -v node >/dev/null || skip "node is not there (Debian: nodejs npm)"
for package in gltf-validator three tinyusdz; do
    [ -d "$folder/node_modules/$package" ] || skip "$package is not there (scripts/npm-clients.sh $folder)"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" run "$here/all.json5" -o "$work/run" -q --no-pictures
for format in glb usda; do "$program" export "$work/run" --to "$format" -q; done
"$python" "$here/expected.py" "$work/run" >"$work/frames.json"
cp "$here/check_npm.mjs" "$work"
ln -s "$folder/node_modules" "$work/node_modules"
node "$work/check_npm.mjs" "$work/run/export/all_frames" "$work/frames.json"

#!/bin/sh
# Exports: bodies, colliders, surfaces and cloth in the formats that can hold them, checked byte by
# byte by a reader that is not ours, beside the run's own frames.
. "$(dirname "$0")/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
[ -x "$python" ] || python=python3

cp "$here/../clients/all.json5" .
expect 0 "" run all.json5 -o run -q --no-pictures

# files FORMAT COUNT PATTERN: how many the export writes and says
files() {
    rm -rf run/export
    expect 0 "" export run --to "$1" -q
    got=$(find run/export -name "$3" | wc -l)
    [ "$got" = "$2" ] || fail "export --to $1: $got files $3, not $2: $(ls run/export | head)"
}
files ply 35 "*.ply" # 5 parts of 7 frames
files obj 7 "crate_*.obj"
files vtp 7 "ground_*.vtp"
files pcache 7 "water_surface_*.pcache"
files csv 14 "*.csv"
files links 7 "cloth_*.links.csv"
files glb 1 "all_frames.glb"
files usda 1 "all_frames.usda"
files vdb 7 "water_*.vdb"
files vti 7 "water_*.vti"
[ "$(grep -c '<DataSet.*water_0' run/export/water_volumes.pvd)" = 7 ] || fail "no collection of vti"
files mdd 1 "cloth_frames.mdd"
files pc2 1 "crate_frames.pc2"

# Where files go, which ones, and what is said.
expect 0 "" export run --to ply -o else --frames 2:3 --part crate --json
holds stdout '"files": 2'
holds stdout '"first_frame": 2'
holds stdout '"last_frame": 3'
[ "$(ls else)" = "crate_000002.ply
crate_000003.ply" ] || fail "export -o --frames --part: $(ls else)"
expect 0 "" export run --to obj -o else --frames 3 --part water
[ "$(cat stdout)" = "1 file in else" ] || fail "export says $(cat stdout)"
expect 2 "is not x, y or z" export run --up w
expect 2 "is not a positive number" export run --scale 0
expect 2 "--cell: \`-1\` is not a positive number of metres" export run --to vdb --cell -1
expect 3 "vtp files have no cells; those of vti and vdb do" export run --cell 0.1
expect 3 "cells of 1e-07 m are too small for water; choose a larger --cell" \
    export run --to vti --cell 1e-7 --frames 0
expect 3 "vdb cannot hold crate" export run --to vdb --part crate
expect 3 "has no part \`crat\`; there are water, cloth, water_surface, ground, crate" \
    export run --part crat
expect 3 "csv cannot hold crate" export run --to csv --part crate
expect 3 "in glb files y is up" export run --to glb --up z

# A run of bodies alone.
sed '/systems:/,/} ],$/d; /emitters:/,/} ],$/d; /links:/,/} ],$/d' all.json5 >bodies.json5
expect 0 "" run bodies.json5 -o bodies -q --no-pictures
expect 0 "" export bodies
[ "$(find bodies/export -name '*.vtp' | wc -l)" = 14 ] || fail "bodies: $(ls bodies/export)"
expect 3 "csv cannot hold anything of this run, which has ground, crate" export bodies --to csv
[ "$(find bodies/export -name '*.csv' | wc -l)" = 0 ] || fail "files of nothing"

# A run that is done again takes its exports away, whatever their format.
cp run/export/crate_frames.pc2 kept
expect 0 "" run all.json5 -o run -q --no-pictures --force
[ -z "$(ls run/export 2>/dev/null)" ] || fail "exports of an older run stay: $(ls run/export)"

# The numbers, by another reader.
if "$python" -c 'import numpy' 2>/dev/null; then
    for format in glb usda mdd pc2 pcache vti vdb; do expect 0 "" export run --to "$format" -q; done
    expect 0 "" export run --to ply -q
    expect 0 "" export run --to ply -q -o turned --up z --scale 100 --frames 6
    "$python" "$here/check_export.py" run turned || fail "check_export.py"
else
    echo "not tried: no python3 with numpy"
fi
finish

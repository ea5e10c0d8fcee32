#!/bin/sh
# mote mesh decompose: parts of a concave mesh, a scene in which a body of them comes to rest, and
# wrong uses, which write nothing.
. "$(dirname "$0")/check.sh"

# A chair of two boxes: 2 m3 of seat and 2 m3 of back, y is up.
cat >chair.obj <<'END'
v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 3 0
v 0 3 0
v 0 0 1
v 2 0 1
v 2 1 1
v 1 1 1
v 1 3 1
v 0 3 1
f 1 6 5 4 3 2
f 7 8 9 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
END
# Faces are read as fans of triangles from their first corner, which sees all of them.
expect 0 "" mesh decompose chair.obj -o parts --json
holds stdout '"parts": 2'
for part in parts/part-001.obj parts/part-002.obj; do
    expect 0 "" mesh "$part"
    holds stdout "convex     yes"
done
[ ! -e parts/part-003.obj ] || fail "more parts than there are"
expect 0 "" mesh decompose chair.obj -o parts --force
holds stdout "volume     4 m3, of the mesh 4"
holds stdout "parts      2"

# The body of them falls, and rests: its origin is where the mesh's corner was.
expect 0 "" check parts/scene.json5
expect 0 "" run parts/scene.json5 -o out --no-pictures --quiet
run_mote export out --to obj --frames 90 -o rest --part body -q
lowest=$(cat rest/*.obj | awk '$1 == "v" && (least == "" || $3 < least) { least = $3 } END { print least }')
awk -v y="$lowest" 'BEGIN { exit !(y > -0.01 && y < 0.01) }' || fail "the chair rests at $lowest"

expect 2 "parts/part-001.obj is there already; --force writes over it" mesh decompose chair.obj -o parts
expect 1 "1 parts are not enough" mesh decompose chair.obj -o one --most-parts 1
holds stdout "parts      1"
expect 2 "mesh decompose needs a folder" mesh decompose chair.obj
expect 2 "expected a length in metres above 0, found \`wide\`" mesh decompose chair.obj -o no --concavity wide
expect 3 "less than a thousandth of the mesh" mesh decompose chair.obj -o no --concavity 1e-9
sed '$d' chair.obj >open.obj
expect 3 "it has 4 open edges, the first at (" mesh decompose open.obj -o no
[ ! -e no ] || fail "a refused mesh left a folder"
expect 5 "cannot read nothere.obj" mesh decompose nothere.obj -o no
finish

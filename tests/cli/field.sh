#!/bin/sh
# mote field: statistics, pictures and the spectrum of fields; wrong uses.
. "$(dirname "$0")/check.sh"

cat >scene.json5 <<'SCENE'
{ mote: 1,
  fields: [ { name: "clouds", type: "noise" }, { name: "still", type: "uniform", value: [3, 0, 4] },
            { name: "flow", type: "curl-noise", obstacles: "ball" } ],
  systems: [ { name: "dots" } ],
  colliders: [ { name: "ball", shape: { type: "sphere", radius: 0.5 } } ] }
SCENE

expect 0 "" field scene.json5 still --size 16
holds stdout "rms         5"
holds stdout "mean        3 0 4"
holds stdout "divergence  0 rms"
for show in value x y z magnitude divergence streamlines; do
    field=flow
    [ "$show" = value ] && field=clouds
    expect 0 "" field scene.json5 "$field" --size 24 --show "$show" -o "$show.png" --time 0.5
    head -c 8 "$show.png" | od -An -c | grep -q "P   N   G" || fail "$show.png is no PNG"
done
cmp -s magnitude.png divergence.png && fail "two pictures are the same"
expect 0 "" field scene.json5 flow --size 16 --spectrum E.csv --points 16 --slice x=0.5
holds E.csv "k,E"
[ "$(wc -l <E.csv)" = 9 ] || fail "E.csv has $(wc -l <E.csv) lines"
expect 0 "" field scene.json5 flow --size 16 --json
holds stdout '"components": 3'

expect 2 "the scene has no field \`floww\`" field scene.json5 floww
expect 2 "field needs the name of a field" field scene.json5
expect 2 "--show: unknown \`streamline\`; did you mean \`streamlines\`?" \
    field scene.json5 flow --show streamline
expect 2 "--slice: \`w=3\` is not an axis" field scene.json5 flow --slice w=3
expect 2 "--at: \`1,2\` is not a point" field scene.json5 flow --at 1,2
expect 2 "--width: \`-3\` is not a length" field scene.json5 flow --width=-3
expect 2 "--time: \`nan\` is not" field scene.json5 flow --time nan
expect 3 "field clouds is a scalar field, which has no streamlines" \
    field scene.json5 clouds --show streamlines -o no.png
expect 5 "no/such/folder" field scene.json5 clouds -o no/such/folder/x.png
finish

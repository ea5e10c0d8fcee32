#!/bin/sh
# mote surface and mote mesh check: a lattice of another program becomes a closed mesh that holds the
# particles' volume; runs become a mesh each frame; wrong uses.
. "$(dirname "$0")/check.sh"

awk 'BEGIN { for (x = 0; x < 9; ++x) for (y = 0; y < 8; ++y) for (z = 0; z < 7; ++z)
                 print 0.1 * x, 0.1 * y, 0.1 * z }' >block.xyz
volume() { sed -n 's/.*"volume": \([0-9.e-]*\).*/\1/p' | head -n 1; }

# 504 particles of 1 litre; rounded edges of so small a block cost up to 6 %.
for field in density anisotropic zhu-bridson; do
    expect 0 "" surface block.xyz -o "$field.ply" --radius 0.05 --field "$field" --json
    holds stdout '"particles": 504'
    expect 0 "" mesh check "$field.ply" --json
    volume <stdout | awk '{ exit !($1 > 0.474 && $1 < 0.514) }' ||
        fail "the mesh by $field holds $(volume <stdout), not 0.504"
done
expect 0 "" surface block.xyz -o guessed.obj
holds stdout "(guessed; --radius is half of it)"
expect 0 "" surface block.xyz -o finer.ply --cell 0.3 --smoothing 0 --set support=2.5 --quiet
[ "$(wc -c <finer.ply)" -gt "$(wc -c <density.ply)" ] || fail "smaller cells made no larger mesh"

cat >scene.json5 <<'SCENE'
{ mote: 1, systems: [ { name: "water", solver: { type: "sph", spacing: 0.1 } } ],
  emitters: [ { system: "water",
                from: { type: "fill", spacing: 0.1, shape: { type: "box", size: [0.5, 0.5, 0.5] } } } ] }
SCENE
run_mote run scene.json5 -o run --frames 1 --no-pictures
[ "$code" = 0 ] || fail "the run ended with $code: $(cat stderr)"
expect 0 "" surface run -o water_%03d.ply --quiet
expect 0 "" surface run -o meshes/new/water_%03d.ply --quiet
cmp water_001.ply meshes/new/water_001.ply || fail "meshes in a new folder differ"
for frame in 000 001; do
    expect 0 "" mesh check "water_$frame.ply" --json
    volume <stdout | awk '{ exit !($1 > 0.1 && $1 < 0.13) }' ||
        fail "the mesh of frame $frame holds $(volume <stdout), not 0.125"
done

expect 3 "run: none of the frames asked for is there" surface run -o water.ply --frames 7
expect 2 "--output: 2 meshes need a number in their name" surface run -o water.ply
expect 2 "--field: unknown field \`densty\`; did you mean \`density\`?" surface run --field densty
expect 2 "--set: expected KEY=NUMBER with a parameter of the field" surface run --set suport=2
expect 2 "--cell: expected a number, found \`half\`" surface run --cell half
run_mote run dominoes -o bodies --frames 0 --no-pictures
expect 3 "frame_000000.npz: surface: the frame has no particles to put one around" surface bodies
expect 5 "cannot read nowhere: No such file or directory" surface nowhere
: >empty.xyz
expect 3 "no particles" surface empty.xyz
printf '1 2 x\n' >broken.xyz
expect 3 "broken.xyz, line 1: expected a number, found \`x\`" surface broken.xyz -o broken.ply
finish

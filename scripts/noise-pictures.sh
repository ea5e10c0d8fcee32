#!/bin/bash
# The pictures of docs/manual/noise.md: noise-pictures.sh
set -euo pipefail
cd "$(dirname "$0")/.."
to=docs/manual/noise

for field in perlin perlin-1985 perlin-2002 value fbm abs ridged; do
    build/mote field scenes/noises.json5 $field --size 200 --force -o $to/$field.png > /dev/null
done
for field in turbulence curl; do
    build/mote field scenes/noises.json5 $field --size 320 --width 3 --force --show streamlines \
        -o $to/$field.png > /dev/null
    build/mote field scenes/noises.json5 $field --size 320 --width 3 --force --show divergence --most 6 \
        -o $to/$field-divergence.png > /dev/null
done
build/mote field scenes/around-sphere.json5 flow --force --at -0.55,1,0 --width 2.6 --show streamlines \
    --size 480 -o $to/around-sphere.png > /dev/null
for field in perlin value fbm curl; do
    build/mote field scenes/noises.json5 $field --width 8 --points 128 --size 8 --force \
        --spectrum $to/$field-spectrum.png > /dev/null
done
ls $to
